//! The rows of the built-in table. A row is parsed when it is first used: parsing the whole table takes several times
//! as long as running a small program.

use std::sync::{Arc, OnceLock};

use super::language::Language;
use super::table;

/// Name of the table in messages.
pub(super) const ORIGIN: &str = "built in";
const TABLE: &str = include_str!("languages.yaml");
/// The lines of the table before the first row.
const HEAD: &str = "format: 1\nlanguages:\n";
/// The indentation of the id of a row.
const ROW: &str = "  ";
/// The indentation of the keys of a row.
const KEY: &str = "    ";

/// A row of the built-in table, with the values by which the row is looked up.
#[derive(Debug)]
pub(super) struct BuiltInRow {
    /// The id of the language.
    pub(super) id: &'static str,
    /// The display name of the language.
    pub(super) name: &'static str,
    /// The extensions of the language's files, without the dot.
    pub(super) extensions: Vec<&'static str>,
    text: &'static str,
    language: OnceLock<Option<Arc<Language>>>,
}

impl BuiltInRow {
    /// Returns the parsed row, or `None` if the row is invalid. A test checks that all rows are valid.
    pub(super) fn language(&self) -> Option<&Arc<Language>> {
        let parse = || {
            let (_, row) = table::read(ORIGIN, &format!("{HEAD}{}", self.text)).ok()?.0.pop()?;
            Some(Arc::new(row))
        };
        self.language.get_or_init(parse).as_ref()
    }
}

/// Returns all rows, in the order of the table.
pub(super) fn built_in_rows() -> Vec<BuiltInRow> {
    let body = TABLE.split_once(HEAD).map_or("", |(_, body)| body);
    let mut starts = Vec::new();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if row_id(line).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([body.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| row(body.get(start..end)?)).collect()
}

/// Returns the id of the language if this line begins a row, or `None` otherwise.
fn row_id(line: &str) -> Option<&str> {
    line.strip_prefix(ROW)?.trim_end().strip_suffix(':').filter(|id| id.starts_with(|c: char| c.is_ascii_lowercase()))
}

fn row(text: &'static str) -> Option<BuiltInRow> {
    let id = row_id(text.lines().next()?)?;
    let value = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix(KEY)?.strip_prefix(key)?.strip_prefix(':').map(str::trim))
    };
    let list = value("extensions")?.strip_prefix('[')?.strip_suffix(']')?;
    Some(BuiltInRow {
        id,
        name: value("name")?,
        extensions: list.split(',').map(str::trim).filter(|end| !end.is_empty()).collect(),
        text,
        language: OnceLock::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_whole_table() {
        let rows = built_in_rows();
        let whole = table::read(ORIGIN, TABLE).unwrap();
        assert_eq!(rows.len(), whole.len());
        for (row, (id, language)) in rows.iter().zip(whole.iter()) {
            assert_eq!((row.id, row.name), (id.as_str(), language.name.as_str()));
            assert_eq!(row.extensions, language.extensions);
            assert_eq!(row.language().map(|row| &**row), Some(language), "{id}");
        }
    }
}
