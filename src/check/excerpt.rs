//! Short readable pieces of long or strange texts.

use std::io::{self, Read};

use super::scan::word;
use super::window::Window;

/// How much of a token is shown, in bytes.
const WIDTH: usize = 60;
/// How much of a long token is shown before the place where it goes wrong.
const BEFORE: usize = 20;

/// Where the interesting place of a token is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// How many bytes of the token stand before the window.
    pub(super) gone: u64,
    /// Where in the window the place is.
    pub(super) at: usize,
}

/// The token at the front of a window, cut around the place; none at the end of the stream.
///
/// # Errors
/// When the stream cannot be read.
pub(super) fn token<R: Read>(window: &mut Window<R>, cut: Cut) -> io::Result<Option<String>> {
    window.at_least(cut.at + 2 * WIDTH)?;
    let bytes = window.bytes();
    let here = &bytes[..word(bytes)];
    if here.is_empty() && cut.gone == 0 {
        return Ok(None);
    }
    let goes_on = here.len() == bytes.len() && !window.ended();
    Ok(Some(cut_around(here, cut, goes_on)))
}

/// The rest of the line at `at` in a window, with its white space made visible; none at the end of the stream.
///
/// # Errors
/// When the stream cannot be read.
pub(super) fn rest_of_line<R: Read>(window: &mut Window<R>, at: usize) -> io::Result<Option<String>> {
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

/// A line, cut; `goes_on` says whether it is longer than `line`.
pub(super) fn head(line: &[u8], goes_on: bool) -> String {
    cut_around(line, Cut { gone: 0, at: 0 }, goes_on)
}

fn cut_around(bytes: &[u8], cut: Cut, goes_on: bool) -> String {
    if cut.gone == 0 && !goes_on && bytes.len() <= WIDTH {
        return visible(bytes);
    }
    let from = if cut.gone == 0 && cut.at < WIDTH - BEFORE { 0 } else { cut.at.saturating_sub(BEFORE) };
    let from = boundary(bytes, from.min(bytes.len()));
    let to = boundary(bytes, (from + WIDTH).min(bytes.len()));
    let lead = if cut.gone > 0 || from > 0 { "…" } else { "" };
    let trail = if goes_on || to < bytes.len() { "…" } else { "" };
    format!("{lead}{}{trail}", visible(&bytes[from..to]))
}

/// The last place up to `at` where no UTF-8 character is cut in two.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let inside = |at: usize| bytes.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80);
    (0..4.min(at + 1)).map(|back| at - back).find(|&at| !inside(at)).unwrap_or(at)
}

/// Text as it can be shown: what is not UTF-8 replaced, control characters as their pictures.
pub(super) fn visible(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(picture).collect()
}

/// The same with white space as signs.
fn with_spaces(bytes: &[u8]) -> String {
    let sign = |c: char| match c {
        ' ' => '·',
        '\t' => '→',
        '\n' => '↵',
        other => picture(other),
    };
    String::from_utf8_lossy(bytes).chars().map(sign).collect()
}

/// A control character's picture.
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
    fn a_long_token_is_cut_around_the_place() {
        let long = "0123456789".repeat(100);
        let cut = |gone, at, goes_on| cut_around(long.as_bytes(), Cut { gone, at }, goes_on);
        assert_eq!(cut(0, 3, false), format!("{}…", &long[..60]));
        assert_eq!(cut(0, 500, false), format!("…{}…", &long[480..540]));
        assert_eq!(cut(0, 995, false), format!("…{}", &long[975..]));
        assert_eq!(cut(7, 0, true), format!("…{}…", &long[..60]));
    }

    #[test]
    fn no_character_is_cut_in_two() {
        let text = "я".repeat(100);
        for at in 0..200 {
            let shown = cut_around(text.as_bytes(), Cut { gone: 0, at }, false);
            assert!(!shown.contains('\u{fffd}'), "{at}: {shown}");
        }
    }

    #[test]
    fn nothing_reaches_a_terminal_raw() {
        assert_eq!(visible(b"a\0\x1b[31m\x7f\xff"), "a␀␛[31m␡\u{fffd}");
        assert_eq!(with_spaces(b"a b\t\r\n"), "a·b→␍↵");
    }
}
