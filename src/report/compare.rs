//! Shows the expected and the actual output around their first difference.

use similar::{ChangeTag, TextDiff};

use super::clip::{Marked, around, gutter, line_count, line_start, lines, room};
use super::explain::CaseTexts;
use super::screen::Screen;
use super::text::{head, width};
use super::theme::Paint;
use crate::model::Difference;

/// Maximum number of lines of each text that the diff compares.
const WINDOW: usize = 8;
/// Number of lines in the [`WINDOW`] that precede the line with the first difference.
const BEFORE: u64 = 2;
/// Maximum number of diff lines shown.
const SHOWN: usize = 14;

/// Returns the lines of both texts that contain the first difference, with the difference marked.
pub(super) fn first_difference(
    difference: &Difference,
    evidence: &CaseTexts<'_>,
    visible: bool,
    screen: &Screen,
) -> String {
    let expected = ComparedText {
        name: "expected",
        end: "(the answer ends here)",
        text: evidence.expected,
        line: difference.expected_line,
        column: difference.expected_column,
        there: difference.expected.is_some(),
        paint: Paint::Expected,
        mark: Paint::ExpectedMark,
    };
    let actual = ComparedText {
        name: "found",
        end: "(the output ends here)",
        text: evidence.actual,
        line: difference.actual_line,
        column: difference.actual_column,
        there: difference.actual.is_some(),
        paint: Paint::Actual,
        mark: Paint::ActualMark,
    };
    expected.draw(visible, screen) + &actual.draw(visible, screen)
}

/// The expected or the actual text, with the position of the first difference.
struct ComparedText<'a> {
    name: &'a str,
    end: &'a str,
    text: &'a [u8],
    line: u64,
    column: u64,
    /// Whether the text has a token at the position of the difference.
    there: bool,
    paint: Paint,
    mark: Paint,
}

impl ComparedText<'_> {
    fn draw(&self, visible: bool, screen: &Screen) -> String {
        let start = line_start(self.text, self.line);
        let column = usize::try_from(self.column.saturating_sub(1)).unwrap_or(usize::MAX);
        let at = start.saturating_add(column).min(self.text.len());
        if !self.there && at < self.text.len() {
            return String::new();
        }
        let marked = self.marked(start, at, visible, room(screen));
        let paint = |paint, text: &str| screen.theme.paint(paint, text);
        let arrows = "^".repeat(width(&marked.mark).max(1));
        let blank = " ".repeat(width(&marked.before));
        format!(
            "  {}\n{}{}{}{}\n{}{blank}{}\n",
            paint(Paint::Faint, self.name),
            gutter(screen, Some(self.line)),
            paint(self.paint, &marked.before),
            paint(self.mark, &marked.mark),
            paint(self.paint, &marked.after),
            gutter(screen, None),
            paint(self.paint, &arrows),
        )
    }

    fn marked(&self, start: usize, at: usize, visible: bool, room: usize) -> Marked {
        let end = memchr::memchr(b'\n', &self.text[start..]).map_or(self.text.len(), |end| start + end);
        // With visible white space, the line break is part of the line.
        let end = if visible { (end + 1).min(self.text.len()) } else { end };
        let line = &self.text[start..end.max(start)];
        if at == self.text.len() {
            let sign = head(self.end, room);
            let before = around(line, line.len(), 0, visible, room.saturating_sub(width(sign) + 1)).before;
            let gap = if before.is_empty() { "" } else { " " };
            return Marked { before: before + gap, mark: sign.to_owned(), after: String::new() };
        }
        let token = &self.text[at..];
        let length = token.iter().take(4 * room).position(u8::is_ascii_whitespace).unwrap_or(token.len().min(4 * room));
        around(line, at - start, if visible { 1 } else { length }, visible, room)
    }
}

/// Returns a line diff around the first difference; empty if neither text has more than one line.
pub(super) fn diff(difference: &Difference, evidence: &CaseTexts<'_>, visible: bool, screen: &Screen) -> String {
    if line_count(evidence.expected) <= 1 && line_count(evidence.actual) <= 1 {
        return String::new();
    }
    let from = |line: u64| line.saturating_sub(BEFORE).max(1);
    let (old_from, new_from) = (from(difference.expected_line), from(difference.actual_line));
    let columns = [difference.expected_column, difference.actual_column];
    let focus = columns.map(|column| usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX));
    let room = room(screen).saturating_sub(2);
    let old = window(evidence.expected, old_from, focus[0], visible, room);
    let new = window(evidence.actual, new_from, focus[1], visible, room);
    draw([&old, &new], [old_from, new_from], screen)
}

/// Formats the diff of two texts. `from` contains the numbers of their first lines.
fn draw([old, new]: [&str; 2], from: [u64; 2], screen: &Screen) -> String {
    let diff = TextDiff::from_lines(old, new);
    let mut drawn = String::new();
    let changes = diff.ops().iter().flat_map(|op| diff.iter_inline_changes(op));
    for (shown, change) in changes.enumerate() {
        if shown == SHOWN {
            drawn += &format!("{}\n", screen.theme.paint(Paint::Faint, "       …"));
            break;
        }
        let line = |index: Option<usize>, from: u64| index.map(|index| index as u64 + from);
        let (sign, number, plain, mark) = match change.tag() {
            ChangeTag::Equal => (' ', line(change.old_index(), from[0]), Paint::Faint, Paint::Faint),
            ChangeTag::Delete => ('-', line(change.old_index(), from[0]), Paint::Expected, Paint::ExpectedMark),
            ChangeTag::Insert => ('+', line(change.new_index(), from[1]), Paint::Actual, Paint::ActualMark),
        };
        let mut text = screen.theme.paint(plain, format!("{sign} "));
        for (emphasized, part) in change.values() {
            text += &screen.theme.paint(if *emphasized { mark } else { plain }, part.trim_end_matches('\n'));
        }
        drawn += &format!("{}{}\n", gutter(screen, number), text.trim_end());
    }
    drawn
}

/// Returns up to [`WINDOW`] lines of a text, starting at line `from`. Each line is cut around the column of the
/// difference.
fn window(text: &[u8], from: u64, focus: usize, visible: bool, room: usize) -> String {
    let start = line_start(text, from);
    let ends = |line: &[u8]| line.as_ptr_range().end < text.as_ptr_range().end;
    lines(&text[start..])
        .take(WINDOW)
        .map(|line| {
            let Marked { before, mark, after } = around(line, focus, 0, visible, room.saturating_sub(1));
            let sign = if visible && ends(line) { "↵" } else { "" };
            format!("{before}{mark}{after}{sign}\n")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_shown_where_it_matters() {
        assert_eq!(window(b"a b\t\r\nc", 1, 0, true, 40), "a·b→␍↵\nc\n");
        assert_eq!(window(b"a b\nc\n", 2, 0, false, 40), "c\n");
    }
}
