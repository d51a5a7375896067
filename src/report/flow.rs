//! Wraps colored words into lines of a given width.

use unicode_width::UnicodeWidthChar;

use super::text::width;
use super::theme::{Paint, Theme};

/// A text to be wrapped. A word is a part of the text that is not broken; it may have several colors.
#[derive(Debug, Default)]
pub(super) struct Flow {
    words: Vec<FlowWord>,
    /// Whether the next text starts a new word that is preceded by a space.
    space: bool,
    open: bool,
}

#[derive(Debug)]
struct FlowWord {
    parts: Vec<(String, Option<Paint>)>,
    /// Whether a space precedes the word, unless the word begins a line.
    space: bool,
    /// Whether the word always begins a new line.
    breaks: bool,
}

/// Characters that must not begin a line in scripts without spaces.
const CLOSING: &str = "，。、；：？！）」』】》〉”’…—";
/// Characters that must not end a line.
const OPENING: &str = "（「『【《〈“‘";

impl Flow {
    /// Adds text. Spaces separate words, and each wide character is a separate word, unless it is punctuation that must
    /// stay next to its neighbor.
    pub(super) fn text(&mut self, text: &str, paint: Option<Paint>) {
        for c in text.chars() {
            if c.is_whitespace() && c != '\u{a0}' {
                self.space = true;
                self.open = false;
                continue;
            }
            let wide = c.width() == Some(2);
            let last = self.words.last().and_then(|word| word.parts.last()).and_then(|(text, _)| text.chars().last());
            let after_wide = last.is_some_and(|last| last.width() == Some(2));
            let may_break =
                (wide || after_wide) && !CLOSING.contains(c) && !last.is_some_and(|last| OPENING.contains(last));
            if may_break {
                self.open = false;
            }
            self.character(c, paint);
        }
    }

    fn character(&mut self, c: char, paint: Option<Paint>) {
        // A no-break space is printed as a normal space.
        let c = if c == '\u{a0}' { ' ' } else { c };
        if !self.open {
            self.words.push(FlowWord { parts: Vec::new(), space: std::mem::take(&mut self.space), breaks: false });
            self.open = true;
        }
        let Some(word) = self.words.last_mut() else { return };
        match word.parts.last_mut() {
            Some((text, last)) if *last == paint => text.push(c),
            _ => word.parts.push((c.to_string(), paint)),
        }
    }

    /// Adds a line break.
    pub(super) fn line_break(&mut self) {
        self.words.push(FlowWord { parts: Vec::new(), space: false, breaks: true });
        (self.open, self.space) = (true, false);
    }

    /// Returns whether no text has been added since the last call of [`Flow::lines`].
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| word.parts.is_empty())
    }

    /// Wraps the words into lines of at most `columns` columns, and clears the words. A longer word is placed on a
    /// separate line. Line breaks produce no empty line at the start or at the end, and no two empty lines in
    /// succession.
    pub(super) fn lines(&mut self, columns: usize, theme: Theme) -> Vec<String> {
        let mut lines = vec![String::new()];
        let mut used = 0;
        for word in std::mem::take(&mut self.words) {
            let size: usize = word.parts.iter().map(|(text, _)| width(text)).sum();
            let gap = usize::from(word.space && used > 0);
            let full = used > 0 && used + gap + size > columns;
            if word.breaks || full {
                lines.push(String::new());
                used = 0;
            }
            let Some(line) = lines.last_mut() else { continue };
            if gap > 0 && used > 0 {
                line.push(' ');
                used += 1;
            }
            for (text, paint) in &word.parts {
                line.push_str(&paint.map_or_else(|| text.clone(), |paint| theme.paint(paint, text)));
            }
            used += size;
        }
        (self.open, self.space) = (false, false);
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        while lines.len() > 1 && lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        if lines.len() > 1 && lines[0].is_empty() {
            lines.remove(0);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, columns: usize) -> Vec<String> {
        let mut flow = Flow::default();
        flow.text(text, None);
        flow.lines(columns, Theme::plain())
    }

    #[test]
    fn words_are_not_broken() {
        assert_eq!(set("one  two\nthree", 8), ["one two", "three"]);
        assert_eq!(set("extraordinary a", 5), ["extraordinary", "a"]);
        assert_eq!(set("a 1\u{a0}≤\u{a0}n b", 6), ["a", "1 ≤ n", "b"]);
    }

    #[test]
    fn line_breaks_leave_at_most_one_empty_line() {
        let mut flow = Flow::default();
        for (text, breaks) in [("", 2), ("a", 1), ("b", 4), ("c", 2)] {
            flow.text(text, None);
            (0..breaks).for_each(|_| flow.line_break());
        }
        assert_eq!(flow.lines(9, Theme::plain()), ["a", "b", "", "c"]);
    }

    #[test]
    fn scripts_without_spaces_break_except_before_comma() {
        assert_eq!(set("先手必胜，后手必败。", 8), ["先手必", "胜，后手", "必败。"]);
        assert_eq!(set("有 n 堆石子", 6), ["有 n", "堆石子"]);
        assert_eq!(set("共n堆", 3), ["共n", "堆"]);
    }

    #[test]
    fn colors_do_not_count_as_width() {
        let mut flow = Flow::default();
        flow.text("a ", None);
        flow.text("bold", Some(Paint::Strong));
        flow.text(", c", None);
        assert_eq!(flow.lines(7, Theme::colored()), ["a \u{1b}[1mbold\u{1b}[0m,", "c"]);
    }
}
