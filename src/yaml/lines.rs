//! Analyzes individual lines of a YAML text, as far as this is possible without parsing the text.

use crate::model::TextRange;

/// A line of a text, without its line break.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// Offset of the line in the text, in bytes.
    pub(super) start: usize,
    /// The text of the line.
    pub(super) text: &'t str,
}

/// A key, and its value if it is on the same line.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyLine<'t> {
    /// Offset of the key in the text, in bytes.
    pub(super) start: usize,
    /// The key, without the colon.
    pub(super) key: &'t str,
    /// The rest of the line after the colon, without surrounding white space; empty if the value is on the next lines.
    pub(super) value: &'t str,
    /// Offset of the value in the text, in bytes.
    pub(super) value_start: usize,
}

impl KeyLine<'_> {
    pub(super) fn value_range(&self) -> TextRange {
        TextRange { start: self.value_start, end: self.value_start + self.value.len() }
    }
}

impl<'t> Line<'t> {
    /// Returns the line that contains byte `at`.
    pub(super) fn at(text: &'t str, at: usize) -> Line<'t> {
        let at = text.floor_char_boundary(at.min(text.len()));
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        Line { start, text: text[start..].lines().next().unwrap_or("") }
    }

    /// Returns the lines above this one that are neither blank nor comments, the nearest first.
    pub(super) fn above(self, text: &'t str) -> impl Iterator<Item = Line<'t>> {
        let mut end = self.start;
        std::iter::from_fn(move || {
            let line = Line::at(text, end.checked_sub(1)?);
            end = line.start;
            Some(line)
        })
        .filter(|line| !line.content().is_empty() && !line.content().starts_with('#'))
    }

    /// Returns the number of spaces and tabs at the start of the line.
    pub(super) fn indentation(self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// Returns the text without leading and trailing white space.
    pub(super) fn content(self) -> &'t str {
        self.text.trim()
    }

    /// Returns the range of [`Line::content`].
    pub(super) fn range(self) -> TextRange {
        let start = self.start + self.indentation();
        TextRange { start, end: start + self.content().len() }
    }

    /// Returns the columns, from 0, at which a following line of the same list or map could begin: the indentation, and
    /// the column after each leading `- `.
    pub(super) fn columns(self) -> Vec<usize> {
        let mut columns = vec![self.indentation()];
        let mut rest = &self.text[self.indentation()..];
        while let Some(item) = rest.strip_prefix("- ") {
            rest = item.trim_start_matches(' ');
            columns.push(self.text.len() - rest.len());
        }
        columns
    }

    /// Returns the key and value of the line, after any leading `- `; `None` if the line does not begin with a key. The
    /// key is a name such as `n` or `a[n]`; the space after the colon may be missing.
    pub(super) fn pair(self) -> Option<KeyLine<'t>> {
        let column = *self.columns().last()?;
        let rest = &self.text[column..];
        let key = &rest[..name_length(rest)?];
        let value = rest[key.len()..].strip_prefix(':')?.trim_start();
        let value_start = self.start + self.text.len() - value.len();
        Some(KeyLine { start: self.start + column, key, value: value.trim_end(), value_start })
    }
}

/// Returns the length in bytes of the name at the start of a text, such as `n`, `time_limit` or `a[n+1]`; `None` if the
/// text does not start with a name.
pub(super) fn name_length(text: &str) -> Option<usize> {
    let word = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len());
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    match text[word..].strip_prefix('[') {
        Some(inner) => inner
            .find([']', '{', '}', ',', '\n'])
            .filter(|end| inner[*end..].starts_with(']'))
            .map(|end| word + end + 2),
        None => Some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_above_skip_comments() {
        let text = "a: 1\n\n# no\n  - b[n]: 2\nc: 3\n";
        let line = Line::at(text, text.find("c:").unwrap());
        assert_eq!(line.above(text).map(Line::content).collect::<Vec<_>>(), ["- b[n]: 2", "a: 1"]);
        assert_eq!(line.above(text).next().unwrap().columns(), [2, 4]);
        let pair = line.above(text).next().unwrap().pair().unwrap();
        assert_eq!((pair.key, pair.value, &text[pair.start..=pair.start]), ("b[n]", "2", "b"));
    }

    #[test]
    fn names_may_have_brackets() {
        assert_eq!(name_length("a[n+1]: 0"), Some(6));
        assert_eq!(name_length("limits:"), Some(6));
        for text in ["[a]", "a[n", "1x", ""] {
            assert_eq!(name_length(text), None, "{text}");
        }
    }
}
