//! The table of languages: the built-in table, overridden by the user's file and then by the problem set's file.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::model::{Diagnostic, TextRange};
use crate::yaml::{PathStep, Target, Unique, parse, place};

use super::built_in_rows::{BuiltInRow, built_in_rows};
use super::language::Language;
use super::path_search::HostEnvironment;

/// The newest supported format version.
const FORMAT: u32 = 1;

/// A YAML document with rows of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableLayer {
    /// Name of the file, as shown in messages.
    pub origin: String,
    /// Content of the file, in YAML.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    format: u32,
    languages: Unique<Language>,
}

/// A table of languages, whose rows are searched in their order for a file extension.
#[derive(Debug, Clone)]
pub struct LanguageTable {
    rows: Vec<TableRow>,
}

#[derive(Debug, Clone)]
enum TableRow {
    Written(Arc<Language>),
    BuiltIn(Arc<BuiltInRow>),
}

impl TableRow {
    fn id(&self) -> &str {
        match self {
            TableRow::Written(row) => &row.id,
            TableRow::BuiltIn(row) => row.id,
        }
    }

    fn name(&self) -> &str {
        match self {
            TableRow::Written(row) => &row.name,
            TableRow::BuiltIn(row) => row.name,
        }
    }

    fn extensions(&self) -> Vec<&str> {
        match self {
            TableRow::Written(row) => row.extensions.iter().map(String::as_str).collect(),
            TableRow::BuiltIn(row) => row.extensions.clone(),
        }
    }

    fn language(&self) -> Option<&Arc<Language>> {
        match self {
            TableRow::Written(row) => Some(row),
            TableRow::BuiltIn(row) => row.language(),
        }
    }
}

/// A query for a language, by its name or by a file extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanguageQuery<'a> {
    /// A language id or display name.
    Named(&'a str),
    /// A file extension, without the dot.
    Extension(&'a str),
}

/// The reason why no language was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownLanguage {
    /// No row has this id or name.
    #[error("unknown language `{wanted}`{}; known languages: {}", suggestion(.nearest), .known.join(", "))]
    Name {
        /// The name that was requested.
        wanted: String,
        /// The most similar id; `None` if no id is similar.
        nearest: Option<String>,
        /// All ids of the table.
        known: Vec<String>,
    },
    /// No row has this extension.
    #[error("no language has the extension `.{extension}`{}; known extensions: {}", suggestion(.nearest), .known.join(" "))]
    Extension {
        /// The extension, without the dot.
        extension: String,
        /// The most similar extension; `None` if no extension is similar.
        nearest: Option<String>,
        /// All extensions, with their dots.
        known: Vec<String>,
    },
}

fn suggestion(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

impl LanguageTable {
    /// Returns the built-in table.
    ///
    /// # Errors
    /// Never fails, since the built-in rows are parsed only when they are used.
    pub fn built_in() -> Result<LanguageTable, Diagnostic> {
        LanguageTable::from_layers(&[])
    }

    /// Returns the built-in table overridden by the user's file and the problem set's file, if they exist.
    ///
    /// # Errors
    /// Fails if a file cannot be read or is invalid.
    pub fn load(host: &HostEnvironment, problems: Option<&Path>) -> Result<LanguageTable, Diagnostic> {
        let user = host.config.as_ref().map(|config| config.join("nimatron/languages.yaml"));
        let set = problems.map(|problems| problems.join("languages.yaml"));
        let mut layers = Vec::new();
        for file in user.into_iter().chain(set) {
            match fs_err::read_to_string(&file) {
                Ok(text) => layers.push(TableLayer { origin: file.display().to_string(), text }),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(Diagnostic::user_file(&error)),
            }
        }
        LanguageTable::from_layers(&layers)
    }

    /// Returns the built-in table overridden by these layers. Later layers take precedence.
    ///
    /// # Errors
    /// Fails if a layer is invalid.
    pub fn from_layers(layers: &[TableLayer]) -> Result<LanguageTable, Diagnostic> {
        let mut rows: Vec<TableRow> = built_in_rows().into_iter().map(|row| TableRow::BuiltIn(Arc::new(row))).collect();
        for layer in layers {
            let upper = read(&layer.origin, &layer.text)?;
            rows.retain(|row| !upper.contains_key(row.id()));
            rows.splice(0..0, upper.0.into_values().map(|row| TableRow::Written(Arc::new(row))));
        }
        Ok(LanguageTable { rows })
    }

    /// Returns all languages.
    pub fn rows(&self) -> Vec<Arc<Language>> {
        self.rows.iter().filter_map(TableRow::language).cloned().collect()
    }

    /// Returns the extensions of all languages, without the dot.
    pub fn extensions(&self) -> Vec<&str> {
        self.rows.iter().flat_map(TableRow::extensions).collect()
    }

    /// Guesses the language of a program from its text. Returns `None` if the signs of no language have a sufficient
    /// total weight in the text, or if two languages have the same highest weight. A language without file extensions
    /// is not guessed.
    pub fn guess(&self, text: &str) -> Option<&Arc<Language>> {
        /// Minimum total weight of the signs in a text that is considered a program.
        const LEAST: u32 = 3;
        let weight = |row: &Arc<Language>| {
            row.signs.iter().filter(|(sign, _)| text.contains(sign.as_str())).map(|(_, weight)| *weight).sum::<u32>()
        };
        let rows = self.rows.iter().filter_map(TableRow::language).filter(|row| !row.extensions.is_empty());
        let mut weights: Vec<(u32, &Arc<Language>)> = rows.map(|row| (weight(row), row)).collect();
        weights.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        match weights.as_slice() {
            [(best, row), rest @ ..] if *best >= LEAST && rest.first().is_none_or(|(next, _)| next < best) => Some(row),
            _ => None,
        }
    }

    /// Returns the requested language.
    ///
    /// # Errors
    /// Returns an error with the known ids or extensions, and the most similar one, if the language is unknown.
    pub fn choose(&self, choice: LanguageQuery<'_>) -> Result<&Arc<Language>, UnknownLanguage> {
        match choice {
            LanguageQuery::Named(name) => self.named(name),
            LanguageQuery::Extension(extension) => self.by_extension(extension),
        }
    }

    fn named(&self, name: &str) -> Result<&Arc<Language>, UnknownLanguage> {
        let by_id = self.rows.iter().find(|row| row.id() == name);
        let found = by_id.or_else(|| self.rows.iter().find(|row| row.name().eq_ignore_ascii_case(name)));
        found.and_then(TableRow::language).ok_or_else(|| {
            let known = self.rows.iter().map(|row| row.id().to_owned()).collect::<Vec<_>>();
            UnknownLanguage::Name { wanted: name.to_owned(), nearest: nearest(name, &known), known }
        })
    }

    fn by_extension(&self, extension: &str) -> Result<&Arc<Language>, UnknownLanguage> {
        // `.C` is C++ and `.c` is C, but `.PY` can only be Python, so the lower-case extension is looked up only if
        // the exact extension is unknown.
        let exact = |wanted: &str| self.rows.iter().find(|row| row.extensions().contains(&wanted));
        let found = exact(extension).or_else(|| exact(&extension.to_ascii_lowercase()));
        found.and_then(TableRow::language).ok_or_else(|| {
            let known = self.extensions().into_iter().map(str::to_owned).collect::<Vec<_>>();
            UnknownLanguage::Extension {
                extension: extension.to_owned(),
                nearest: nearest(extension, &known).map(|name| format!(".{name}")),
                known: known.into_iter().map(|name| format!(".{name}")).collect(),
            }
        })
    }
}

/// Parses and checks the rows of a YAML document. `origin` is the name of the document in messages.
pub(super) fn read(origin: &str, text: &str) -> Result<Unique<Language>, Diagnostic> {
    let mut written: TableFile = parse(origin, text)?;
    if written.format > FORMAT {
        return Err(Diagnostic::new(format!(
            "the file has format {}, but this version of nimatron supports formats up to {FORMAT}; use a newer version of nimatron",
            written.format
        ))
        .in_file(origin));
    }
    for (id, row) in &mut written.languages.0 {
        row.id.clone_from(id);
        origin.clone_into(&mut row.origin);
        let at_row = |complaint: Diagnostic| {
            let path: [PathStep; 2] = ["languages".into(), id.as_str().into()];
            complaint.at(origin, text, place(text, &path, Target::Key).unwrap_or(TextRange { start: 0, end: 0 }))
        };
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        if id.is_empty() || id.len() > 32 || !id.bytes().all(good) {
            let message =
                format!("`{id}` is not a valid language id; expected 1 to 32 lower-case letters, digits, `-` and `_`");
            return Err(at_row(Diagnostic::new(message)));
        }
        row.check().map_err(at_row)?;
    }
    Ok(written.languages)
}

/// Returns the name most similar to `wrong`, or `None` if the difference is too large to be a typing error.
fn nearest(wrong: &str, names: &[String]) -> Option<String> {
    let wrong = wrong.to_lowercase();
    let near = names.iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), name));
    near.filter(|(distance, name)| *distance <= name.chars().count().max(3) / 3).min().map(|(_, name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(rows: &str) -> TableLayer {
        TableLayer { origin: "mine.yaml".to_owned(), text: format!("format: 1\nlanguages:\n{rows}") }
    }

    fn complaint(rows: &str) -> String {
        LanguageTable::from_layers(&[layer(rows)]).unwrap_err().to_string()
    }

    const MINE: &str =
        "  mine: { name: Mine, extensions: [py], programs: { m: [m] }, probe: { argv: [\"{m}\"] }, keep: sources,
          run: [\"{m}\", \"{source}\"] }\n";

    #[test]
    fn built_in_table_has_the_required_languages() {
        let table = LanguageTable::built_in().unwrap();
        let ids = "rust c cpp python pypy java javascript go csharp kotlin haskell ocaml pascal ruby lua";
        for id in ids.split(' ') {
            let row = table.choose(LanguageQuery::Named(id)).unwrap();
            assert_eq!(row.origin, "built in");
            assert!(!row.install.debian.is_empty(), "{id}");
        }
    }

    #[test]
    fn extension_decides_and_pypy_is_selected_by_name() {
        let table = LanguageTable::built_in().unwrap();
        let of = |extension: &str| table.choose(LanguageQuery::Extension(extension)).map(|row| row.id.clone());
        for (extension, id) in [
            ("py", "python"),
            ("cc", "cpp"),
            ("C", "cpp"),
            ("c", "c"),
            ("CPP", "cpp"),
            ("rs", "rust"),
            ("kt", "kotlin"),
        ] {
            assert_eq!(of(extension).as_deref(), Ok(id), "{extension}");
        }
        assert!(table.choose(LanguageQuery::Named("pypy")).unwrap().takes("py"));
        let error = of("jav").unwrap_err().to_string();
        assert!(error.contains("did you mean `.java`?") && error.contains(".rs"), "{error}");
        let error = table.choose(LanguageQuery::Named("pyton")).unwrap_err().to_string();
        assert!(error.contains("did you mean `python`?") && error.contains("rust"), "{error}");
    }

    #[test]
    fn no_two_built_in_languages_claim_an_extension() {
        let table = LanguageTable::built_in().unwrap();
        let mut all = table.rows().iter().flat_map(|row| row.extensions.clone()).collect::<Vec<_>>();
        all.sort();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn upper_layer_replaces_rows_and_takes_precedence() {
        let table = LanguageTable::from_layers(&[layer(MINE)]).unwrap();
        assert_eq!(table.choose(LanguageQuery::Extension("py")).unwrap().id, "mine");
        assert!(table.choose(LanguageQuery::Named("python")).is_ok());
        let python = layer(&MINE.replace("mine:", "python:"));
        let table = LanguageTable::from_layers(&[python]).unwrap();
        let row = table.choose(LanguageQuery::Named("python")).unwrap();
        assert_eq!((row.name.as_str(), row.origin.as_str(), row.real.is_none()), ("Mine", "mine.yaml", true));
        assert!(row.compile.is_empty());
        assert_eq!(table.rows().len(), LanguageTable::built_in().unwrap().rows().len());
    }

    #[test]
    fn errors_in_rows_name_the_file() {
        let wrong = complaint(&MINE.replace("{source}", "{suorce}"));
        assert!(wrong.contains("mine.yaml") && wrong.contains("{suorce}") && wrong.contains("{source}"), "{wrong}");
        let wrong = complaint(&MINE.replace("extensions", "extentions"));
        assert!(wrong.contains("unknown key `extentions`"), "{wrong}");
        assert!(complaint(&MINE.replace(", keep: sources", "")).contains("keep: sources"));
        assert!(complaint(&MINE.replace("[m]", "[]")).contains("no program"));
        assert!(complaint(&MINE.replace("  mine", "  Mine")).contains("not a valid language id"));
        let twice = complaint(&format!("{MINE}{MINE}"));
        assert!(twice.contains("duplicate key `mine`"), "{twice}");
        let newer = TableLayer { origin: "mine.yaml".to_owned(), text: "format: 2\nlanguages: {}\n".to_owned() };
        assert!(LanguageTable::from_layers(&[newer]).unwrap_err().to_string().contains("newer version"));
    }
}
