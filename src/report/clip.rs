//! Excerpts of long texts: leading lines, and parts of a line around a position.

use super::screen::Screen;
use super::text::{count, grouped, head, picture, tail, width};
use super::theme::Paint;

/// Number of lines that [`block`] shows of a longer text.
const LINES: usize = 10;
/// Number of lines that [`ends`] shows at the start of a longer text.
const FIRST: usize = 4;
/// Number of lines that [`ends`] shows at the end of a longer text.
const LAST: usize = 10;
/// Width in columns of a line number and the rule after it.
const GUTTER: usize = 9;
/// Width in columns reserved for the note on the omitted part of a line.
const MORE: usize = 24;

/// Returns the prefix of a line: its number, or blanks if `number` is `None`, and a vertical rule.
pub(super) fn gutter(screen: &Screen, number: Option<u64>) -> String {
    let number = number.map_or_else(String::new, |number| number.to_string());
    screen.theme.paint(Paint::Faint, format!("{number:>6} │ "))
}

/// Returns the number of columns to the right of the gutter, at least 8.
pub(super) fn room(screen: &Screen) -> usize {
    screen.width.saturating_sub(GUTTER).max(8)
}

/// Returns the first lines of a text with line numbers. Long lines are cut, and the number of omitted lines is shown.
pub(super) fn block(text: &[u8], screen: &Screen) -> String {
    if text.is_empty() {
        return format!("{}\n", screen.theme.paint(Paint::Faint, "  (empty)"));
    }
    let all = line_count(text);
    // If only one line would be omitted, it is shown, since the note about omitted lines also needs one line.
    let shown = if all <= LINES + 1 { all } else { LINES };
    let mut drawn: String = lines(text)
        .zip(1..)
        .take(shown)
        .map(|(line, number)| format!("{}{}\n", gutter(screen, Some(number)), cut(line, screen)))
        .collect();
    if all > shown {
        let more = format!("       … {}", count(all - shown, "more line", "more lines"));
        drawn += &format!("{}\n", screen.theme.paint(Paint::Faint, more));
    }
    drawn
}

/// Returns the first and the last lines of a text with line numbers. Long lines are wrapped instead of cut, since the
/// end of a line often contains the position of an error. Leading spaces are kept, so that the markers in compiler
/// messages stay below the text that they mark.
pub(super) fn ends(text: &[u8], screen: &Screen) -> String {
    let all = line_count(text);
    let (first, last) = if all <= FIRST + LAST + 1 { (all, 0) } else { (FIRST, LAST) };
    let mut drawn = String::new();
    for (line, number) in lines(text).zip(1..) {
        if number == first + 1 && last > 0 {
            let more = format!("       … {}", count(all - first - last, "more line", "more lines"));
            drawn += &format!("{}\n", screen.theme.paint(Paint::Faint, more));
        }
        if number <= first || number > all - last {
            drawn += &wrapped(line, number as u64, screen);
        }
    }
    drawn
}

/// Breaks a line at the width of the screen. Only the first part has the line number.
fn wrapped(line: &[u8], number: u64, screen: &Screen) -> String {
    let line = show(line, false);
    let mut rest = line.trim_end();
    let mut drawn = String::new();
    let mut number = Some(number);
    loop {
        let part = head(rest, room(screen));
        // A character may be wider than the available columns.
        let part = if part.is_empty() { &rest[..rest.chars().next().map_or(0, char::len_utf8)] } else { part };
        drawn += &format!("{}{part}\n", gutter(screen, number.take()));
        rest = &rest[part.len()..];
        if rest.is_empty() {
            return drawn;
        }
    }
}

/// Returns the lines of a text without their line breaks.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Returns the number of lines in a text. The last line may lack a line break.
pub(super) fn line_count(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count() + usize::from(text.last().is_some_and(|&last| last != b'\n'))
}

/// Returns the byte offset at which a line (counted from 1) begins; the length of the text if there is no such line.
pub(super) fn line_start(text: &[u8], line: u64) -> usize {
    let Some(breaks) = line.checked_sub(2) else { return 0 };
    let nth = usize::try_from(breaks).unwrap_or(usize::MAX);
    memchr::memchr_iter(b'\n', text).nth(nth).map_or(text.len(), |at| at + 1)
}

/// Returns a line as printable text. A long line is cut; the number of omitted values or the length of the whole line
/// in bytes is shown after it.
fn cut(line: &[u8], screen: &Screen) -> String {
    let room = room(screen);
    // A character has at most four bytes, so this prefix is long enough to decide whether the line fits.
    let start = show(&line[..line.len().min(4 * room + 4)], false);
    if width(&start) <= room {
        return start;
    }
    let start = head(&start, room.saturating_sub(MORE).max(room / 2));
    let values = |text: &[u8]| text.split(u8::is_ascii_whitespace).filter(|value| !value.is_empty()).count();
    let whole = start.rfind(' ').map_or("", |end| &start[..=end]);
    let (kept, more) = match values(line).saturating_sub(values(whole.as_bytes())) {
        more if !whole.is_empty() && more > 1 => (whole, format!("… {} more values", grouped(more))),
        _ => (start, format!("… of {} bytes", grouped(line.len()))),
    };
    let more = head(&more, room.saturating_sub(width(kept)));
    format!("{kept}{}", screen.theme.paint(Paint::Faint, more))
}

/// Converts bytes to printable text. If `visible` is true, spaces, tabs and line breaks are shown as symbols.
pub(super) fn show(bytes: &[u8], visible: bool) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                ' ' if visible => text.push('·'),
                '\t' if visible => text.push('→'),
                '\n' if visible => text.push('↵'),
                '\t' => text.push_str("    "),
                _ => text.push(picture(c)),
            }
        }
        // Invalid bytes are shown in hexadecimal rather than as U+FFFD, so that different invalid bytes look different.
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// A part of a line with a marked range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) before: String,
    pub(super) mark: String,
    pub(super) after: String,
}

/// Cuts a line to at most `room + 1` columns. The `length` bytes at the offset `at` are marked; they remain visible,
/// cut to half of `room` if necessary.
pub(super) fn around(line: &[u8], at: usize, length: usize, visible: bool, room: usize) -> Marked {
    let at = at.min(line.len());
    let end = (at + length).min(line.len());
    let near = 4 * room;
    let mark = show(&line[at..end.min(at + near)], visible);
    let mark = if width(&mark) > room / 2 { format!("{}…", head(&mark, (room / 2).saturating_sub(1))) } else { mark };
    let left = room.saturating_sub(width(&mark));
    let full = show(&line[at.saturating_sub(near)..at], visible);
    let rest = show(&line[end..line.len().min(end + near)], visible);
    // Columns that the text after the mark does not need are available to the text before the mark.
    let for_before = (left - left / 2).max(left.saturating_sub(width(&rest)));
    let before = if width(&full) <= for_before && at <= near {
        full
    } else {
        format!("…{}", tail(&full, for_before.saturating_sub(1)))
    };
    let for_after = left.saturating_sub(width(&before));
    let after = if width(&rest) <= for_after && line.len() <= end + near {
        rest
    } else {
        format!("{}…", head(&rest, for_after.saturating_sub(1)))
    };
    Marked { before, mark, after }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;
    use crate::Theme;

    fn drawn(text: &[u8], width: usize) -> String {
        block(text, &Screen { theme: Theme::plain(), width, limits: None })
    }

    #[test]
    fn wrapped_lines_keep_blanks_and_numbers() {
        let text = "Traceback\n  File \"a.py\", line 1\n    print(1 / 0)\n          ~~^~~\nZeroDivisionError\n";
        let screen = Screen { theme: Theme::plain(), width: 30, limits: None };
        assert_snapshot!(ends(text.as_bytes(), &screen), @r#"
             1 │ Traceback
             2 │   File "a.py", line 1
             3 │     print(1 / 0)
             4 │           ~~^~~
             5 │ ZeroDivisionError
        "#);
        let long: String = (1..=30).map(|number| format!("{number:0>25}\n")).collect();
        let shown = ends(long.as_bytes(), &screen);
        assert!(shown.contains("       … 16 more lines\n"), "{shown}");
        assert!(shown.ends_with("    30 │ 000000000000000000000\n       │ 0030\n"), "{shown}");
        assert!(shown.lines().all(|line| width(line) <= 30), "{shown}");
    }

    #[test]
    fn short_texts_are_shown_in_full() {
        assert_snapshot!(drawn(b"3\n1 2 3\n", 40), @r"
        1 │ 3
        2 │ 1 2 3
        ");
        assert_snapshot!(drawn(b"a\0\tb\r", 40), @"     1 │ a␀    b␍");
        assert_snapshot!(drawn(b"\xff\xfe7", 40), @r"     1 │ \xff\xfe7");
        assert_snapshot!(drawn(b"", 40), @"  (empty)");
    }

    #[test]
    fn long_texts_show_number_of_omitted_lines() {
        let values: Vec<String> = (1..=100_000).map(|value| value.to_string()).collect();
        let text = format!("100000\n{}\n{}\n", values.join(" "), "x".repeat(100_000));
        assert_snapshot!(drawn(text.as_bytes(), 60), @r"
        1 │ 100000
        2 │ 1 2 3 4 5 6 7 8 9 10 11 12 … 99,988 more values
        3 │ xxxxxxxxxxxxxxxxxxxxxxxxxxx… of 100,000 bytes
        ");
        assert_snapshot!(drawn(values.join("\n").as_bytes(), 60), @r"
         1 │ 1
         2 │ 2
         3 │ 3
         4 │ 4
         5 │ 5
         6 │ 6
         7 │ 7
         8 │ 8
         9 │ 9
        10 │ 10
           … 99,990 more lines
        ");
    }

    #[test]
    fn lines_are_found_by_number() {
        let text = b"a\nbb\n\nc";
        assert_eq!([0, 1, 2, 3, 4, 5].map(|line| line_start(text, line)), [0, 0, 2, 5, 6, 7]);
        assert_eq!(line_count(text), 4);
        assert_eq!(lines(text).collect::<Vec<_>>(), [&b"a"[..], b"bb", b"", b"c"]);
    }

    proptest! {
        #[test]
        fn cut_lines_fit(line in "[ a-z0-9必я\\t]{0,200}", at in 0_usize..300, length in 0_usize..50, room in 8_usize..60) {
            for visible in [false, true] {
                let marked = around(line.as_bytes(), at, length, visible, room);
                let whole = format!("{}{}{}", marked.before, marked.mark, marked.after);
                prop_assert!(width(&whole) <= room + 1, "{marked:?}");
            }
        }

        #[test]
        fn line_that_fits_is_shown_in_full(line in "[a-z ]{0,20}", at in 0_usize..20, length in 0_usize..5) {
            let marked = around(line.as_bytes(), at, length.min(3), false, 40);
            prop_assert_eq!(format!("{}{}{}", marked.before, marked.mark, marked.after), line);
        }
    }
}
