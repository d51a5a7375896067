//! Pieces of texts of any length, cut to what a person can take in.

use super::screen::Screen;
use super::text::{count, grouped, head, picture, tail, width};
use super::theme::Paint;

/// How many lines of a text are shown.
const LINES: usize = 10;
/// How many columns a line's number takes, with the rule behind it.
const GUTTER: usize = 9;
/// A line that says how much is left out needs so many columns for it.
const MORE: usize = 24;

/// A line's number, and the rule before its text.
pub(super) fn gutter(screen: &Screen, number: Option<u64>) -> String {
    let number = number.map_or_else(String::new, |number| number.to_string());
    screen.theme.paint(Paint::Faint, format!("{number:>6} │ "))
}

/// How many columns there are behind the rule.
pub(super) fn room(screen: &Screen) -> usize {
    screen.width.saturating_sub(GUTTER).max(8)
}

/// The head of a text, with line numbers, each line cut; it says how much more there is.
pub(super) fn block(text: &[u8], screen: &Screen) -> String {
    if text.is_empty() {
        return format!("{}\n", screen.theme.paint(Paint::Faint, "  (empty)"));
    }
    let all = line_count(text);
    // One line too many is shown rather than counted.
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

/// The lines of a text without their breaks.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// How many lines a text has.
pub(super) fn line_count(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count() + usize::from(text.last().is_some_and(|&last| last != b'\n'))
}

/// Where a line, counted from 1, begins: at most the end of the text.
pub(super) fn line_start(text: &[u8], line: u64) -> usize {
    let Some(breaks) = line.checked_sub(2) else { return 0 };
    let nth = usize::try_from(breaks).unwrap_or(usize::MAX);
    memchr::memchr_iter(b'\n', text).nth(nth).map_or(text.len(), |at| at + 1)
}

/// A line, or its head and how many values it has more.
fn cut(line: &[u8], screen: &Screen) -> String {
    let room = room(screen);
    // No character has more than four bytes, so this much is enough to see whether the line fits.
    let start = show(&line[..line.len().min(4 * room + 4)], false);
    if width(&start) <= room {
        return start;
    }
    let start = head(&start, room.saturating_sub(MORE).max(room / 2));
    let values = |text: &[u8]| text.split(u8::is_ascii_whitespace).filter(|value| !value.is_empty()).count();
    let whole = start.rfind(' ').map_or("", |end| &start[..=end]);
    let (kept, more) = match values(line).saturating_sub(values(whole.as_bytes())) {
        more if !whole.is_empty() && more > 1 => (whole, format!("… {} more values", grouped(more))),
        _ => (start, format!("… {} bytes", grouped(line.len()))),
    };
    let more = head(&more, room.saturating_sub(width(kept)));
    format!("{kept}{}", screen.theme.paint(Paint::Faint, more))
}

/// Bytes as they can be shown; with `visible`, white space has signs.
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
        // Two texts that differ in bytes which are no characters must not look the same.
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// A line cut around a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) before: String,
    pub(super) mark: String,
    pub(super) after: String,
}

/// A line in `room` columns, cut around the `length` bytes at `at`.
pub(super) fn around(line: &[u8], at: usize, length: usize, visible: bool, room: usize) -> Marked {
    let at = at.min(line.len());
    let end = (at + length).min(line.len());
    let near = 4 * room;
    let mark = show(&line[at..end.min(at + near)], visible);
    let mark = if width(&mark) > room / 2 { format!("{}…", head(&mark, (room / 2).saturating_sub(1))) } else { mark };
    let left = room.saturating_sub(width(&mark));
    let full = show(&line[at.saturating_sub(near)..at], visible);
    let rest = show(&line[end..line.len().min(end + near)], visible);
    // What the one side does not need, the other may have.
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
    use crate::report::Theme;

    fn drawn(text: &[u8], width: usize) -> String {
        block(text, &Screen { theme: Theme::plain(), width, limits: None })
    }

    #[test]
    fn short_texts_are_whole() {
        assert_snapshot!(drawn(b"3\n1 2 3\n", 40), @r"
        1 │ 3
        2 │ 1 2 3
        ");
        assert_snapshot!(drawn(b"a\0\tb\r", 40), @"     1 │ a␀    b␍");
        assert_snapshot!(drawn(b"\xff\xfe7", 40), @r"     1 │ \xff\xfe7");
        assert_snapshot!(drawn(b"", 40), @"  (empty)");
    }

    #[test]
    fn long_texts_say_what_is_left_out() {
        let values: Vec<String> = (1..=100_000).map(|value| value.to_string()).collect();
        let text = format!("100000\n{}\n{}\n", values.join(" "), "x".repeat(100_000));
        assert_snapshot!(drawn(text.as_bytes(), 60), @r"
        1 │ 100000
        2 │ 1 2 3 4 5 6 7 8 9 10 11 12 … 99,988 more values
        3 │ xxxxxxxxxxxxxxxxxxxxxxxxxxx… 100,000 bytes
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
        fn what_is_cut_fits(line in "[ a-z0-9必я\\t]{0,200}", at in 0_usize..300, length in 0_usize..50, room in 8_usize..60) {
            for visible in [false, true] {
                let marked = around(line.as_bytes(), at, length, visible, room);
                let whole = format!("{}{}{}", marked.before, marked.mark, marked.after);
                prop_assert!(width(&whole) <= room + 1, "{marked:?}");
            }
        }

        #[test]
        fn a_line_that_fits_is_shown_whole(line in "[a-z ]{0,20}", at in 0_usize..20, length in 0_usize..5) {
            let marked = around(line.as_bytes(), at, length.min(3), false, 40);
            prop_assert_eq!(format!("{}{}{}", marked.before, marked.mark, marked.after), line);
        }
    }
}
