//! The files of a submitted program in memory, with relative paths.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::model::RawBytes;

use super::source::BYTE_ORDER_MARK;
use super::source_error::{LARGEST_ANSWERS, LARGEST_AUTHOR_SOURCE, LARGEST_SOURCE, SourceError};
use super::source_files::{self, own_folder, repository_root};

/// A submitted program: a file, or a folder of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceBundle {
    /// Name of the file or folder, as given by the user.
    pub name: String,
    /// Id or name of the language; `None` if the extension determines the language.
    #[serde(default)]
    pub language: Option<String>,
    /// Whether the program is a folder. If it is not, `files` has one entry.
    #[serde(default)]
    pub is_folder: bool,
    /// The files. Their paths are relative to the folder, with `/` as the separator.
    pub files: Vec<BundledFile>,
    /// Name of the entry file, if it differs from the default.
    #[serde(default)]
    pub entry: Option<String>,
    /// The kind of author of the program, which determines the rules for the program, such as its maximum size.
    #[serde(default)]
    pub origin: SourceOrigin,
}

/// A file of a submitted program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundledFile {
    /// Path relative to the folder, or the name of the single file.
    pub name: String,
    /// Content of the file.
    pub content: RawBytes,
}

/// The kind of author of a program, which determines the rules that apply to the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceOrigin {
    /// A contestant. The program has at most [`LARGEST_SOURCE`] bytes, in one language, and may be empty only in a
    /// scripting language.
    #[default]
    Contestant,
    /// The author of a problem. The program has at most [`LARGEST_AUTHOR_SOURCE`] bytes. If a folder contains files in
    /// several languages, the language is chosen by the number of files in each language.
    Author,
    /// The author of a package. The rules of [`SourceOrigin::Author`] apply, but the program may be empty.
    Package,
}

impl SourceOrigin {
    /// Returns the maximum total size of the files, in bytes.
    pub(super) fn most(self) -> u64 {
        match self {
            SourceOrigin::Contestant => LARGEST_SOURCE,
            SourceOrigin::Author | SourceOrigin::Package => LARGEST_AUTHOR_SOURCE,
        }
    }
}

impl SourceBundle {
    /// Reads a contestant's program: a file, or a folder with all its files except hidden ones.
    ///
    /// # Errors
    /// Fails if the path, a file or a link in the folder is refused; see [`SourceError`].
    pub fn read(path: &Path, language: Option<&str>) -> Result<SourceBundle, SourceError> {
        SourceBundle::read_by(path, language, own_folder(path), SourceOrigin::Contestant, LARGEST_SOURCE)
    }

    /// Reads output-only answers: a file or a folder.
    ///
    /// # Errors
    /// Fails under the same conditions as [`SourceBundle::read`].
    pub fn read_answers(path: &Path) -> Result<SourceBundle, SourceError> {
        SourceBundle::read_by(path, None, own_folder(path), SourceOrigin::Contestant, LARGEST_ANSWERS).map_err(
            |error| match error {
                SourceError::TooLarge { path, .. } => SourceError::AnswersTooLarge { path },
                other => other,
            },
        )
    }

    /// Reads a program of a package. Its links may point anywhere in the package's repository.
    ///
    /// # Errors
    /// Fails under the same conditions as [`SourceBundle::read`].
    pub fn read_from_package(path: &Path, language: Option<&str>) -> Result<SourceBundle, SourceError> {
        SourceBundle::read_by(path, language, &repository_root(path), SourceOrigin::Package, LARGEST_AUTHOR_SOURCE)
    }

    /// Reads a problem author's program. The links in the program may point anywhere within `bounds`.
    pub(super) fn read_author(path: &Path, language: Option<&str>, bounds: &Path) -> Result<SourceBundle, SourceError> {
        SourceBundle::read_by(path, language, bounds, SourceOrigin::Author, LARGEST_AUTHOR_SOURCE)
    }

    /// Creates a program of one file from memory. The extension of `name` determines the language.
    pub fn of_text(name: &str, content: impl Into<Vec<u8>>) -> SourceBundle {
        SourceBundle {
            name: name.to_owned(),
            language: None,
            is_folder: false,
            files: vec![BundledFile { name: file_name(Path::new(name)), content: RawBytes(content.into()) }],
            entry: None,
            origin: SourceOrigin::Contestant,
        }
    }

    /// Returns the total size of the files, in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.content.len() as u64).sum()
    }

    /// Returns whether no file contains anything except white space and a byte order mark.
    pub fn is_blank(&self) -> bool {
        let text =
            |content: &RawBytes| content.0.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&content.0).trim_ascii().is_empty();
        self.files.iter().all(|file| text(&file.content))
    }

    fn read_by(
        path: &Path,
        language: Option<&str>,
        bounds: &Path,
        origin: SourceOrigin,
        most: u64,
    ) -> Result<SourceBundle, SourceError> {
        let unreadable = |error: std::io::Error| SourceError::unreadable(path, &error);
        let is_folder = std::fs::metadata(path).map_err(unreadable)?.is_dir();
        let files = if is_folder {
            source_files::folder(path, bounds, most)?
        } else {
            source_files::stays_within(path, bounds)?;
            vec![(file_name(path), source_files::file(path, most)?)]
        };
        let files = files.into_iter().map(|(name, content)| BundledFile { name, content: RawBytes(content) }).collect();
        Ok(SourceBundle {
            name: path.display().to_string(),
            language: language.map(str::to_owned),
            is_folder,
            files,
            entry: None,
            origin,
        })
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
