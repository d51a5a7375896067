//! Short printable excerpts of texts that may be long or binary.

use std::io;

use super::scan::word;
use super::window::Window;

/// Maximum number of bytes of a token or line that an excerpt shows.
const WIDTH: usize = 60;
/// Number of bytes of a long token that are shown before the difference.
const BEFORE: usize = 20;

/// The position of a difference in a token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// Number of bytes of the token that precede the window.
    pub(super) gone: u64,
    /// Index of the difference in the window.
    pub(super) at: usize,
}

/// Returns an excerpt of the token at the front of a window, around the position of the difference; `None` if no token
/// begins there.
///
/// # Errors
/// Returns an error if the stream cannot be read.
pub(super) fn token(window: &mut Window<'_>, cut: Cut) -> io::Result<Option<String>> {
    window.at_least(cut.at + 2 * WIDTH)?;
    let bytes = window.bytes();
    let here = &bytes[..word(bytes)];
    if here.is_empty() && cut.gone == 0 {
        return Ok(None);
    }
    let continues = here.len() == bytes.len() && !window.ended();
    Ok(Some(cut_around(here, cut, continues)))
}

/// Returns an excerpt of the line from index `at` of a window on, with visible white space; `None` at the end of the
/// stream.
///
/// # Errors
/// Returns an error if the stream cannot be read.
pub(super) fn rest_of_line(window: &mut Window<'_>, at: usize) -> io::Result<Option<String>> {
    window.at_least(at + 2 * WIDTH)?;
    let rest = &window.bytes()[at..];
    if rest.is_empty() {
        return Ok(None);
    }
    let line = memchr::memchr(b'\n', rest).map_or(rest, |end| &rest[..=end]);
    let shown = &line[..boundary(line, line.len().min(WIDTH))];
    let more = if shown.len() < line.len() { "…" } else { "" };
    Ok(Some(format!("{}{more}", with_spaces(shown))))
}

/// Returns the printable beginning of a line. `continues` must be true if `line` is not the whole line.
pub(super) fn head(line: &[u8], continues: bool) -> String {
    cut_around(line, Cut { gone: 0, at: 0 }, continues)
}

fn cut_around(bytes: &[u8], cut: Cut, continues: bool) -> String {
    if cut.gone == 0 && !continues && bytes.len() <= WIDTH {
        return visible(bytes);
    }
    let from = if cut.gone == 0 && cut.at < WIDTH - BEFORE { 0 } else { cut.at.saturating_sub(BEFORE) };
    let from = boundary(bytes, from.min(bytes.len()));
    let to = boundary(bytes, (from + WIDTH).min(bytes.len()));
    let lead = if cut.gone > 0 || from > 0 { "…" } else { "" };
    let trail = if continues || to < bytes.len() { "…" } else { "" };
    format!("{lead}{}{trail}", visible(&bytes[from..to]))
}

/// Returns the largest index of at most `at` that does not split a UTF-8 character; `at` if the preceding bytes are not
/// UTF-8.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let inside = |at: usize| bytes.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80);
    (0..4.min(at + 1)).map(|back| at - back).find(|&at| !inside(at)).unwrap_or(at)
}

/// Makes text printable: replaces invalid UTF-8 with U+FFFD, and control characters with the symbols of [`picture`].
pub(super) fn visible(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(picture).collect()
}

/// Makes text printable, with symbols for spaces, tabs and line feeds.
fn with_spaces(bytes: &[u8]) -> String {
    let sign = |c: char| match c {
        ' ' => '·',
        '\t' => '→',
        '\n' => '↵',
        other => picture(other),
    };
    String::from_utf8_lossy(bytes).chars().map(sign).collect()
}

/// Returns the Unicode symbol of an ASCII control character, U+FFFD for other control characters and for characters
/// that change the direction of text, and any other character unchanged.
fn picture(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '␡',
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_token_is_cut_around_the_difference() {
        let long = "0123456789".repeat(100);
        let cut = |gone, at, continues| cut_around(long.as_bytes(), Cut { gone, at }, continues);
        assert_eq!(cut(0, 3, false), format!("{}…", &long[..60]));
        assert_eq!(cut(0, 500, false), format!("…{}…", &long[480..540]));
        assert_eq!(cut(0, 995, false), format!("…{}", &long[975..]));
        assert_eq!(cut(7, 0, true), format!("…{}…", &long[..60]));
    }

    #[test]
    fn characters_are_not_split() {
        let text = "я".repeat(100);
        for at in 0..200 {
            let shown = cut_around(text.as_bytes(), Cut { gone: 0, at }, false);
            assert!(!shown.contains('\u{fffd}'), "{at}: {shown}");
        }
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(visible(b"a\0\x1b[31m\x7f\xff"), "a␀␛[31m␡\u{fffd}");
        assert_eq!(with_spaces(b"a b\t\r\n"), "a·b→␍↵");
    }
}
