//! Disables output buffering by adding a source file to programs that may not flush their output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::Failure;

use super::files::DmojFiles;

/// The added file for one language.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unbuffered {
    /// File name.
    pub(super) name: &'static str,
    language: &'static str,
    endings: &'static [&'static str],
    text: &'static str,
}

/// The supported languages. For a program in several languages, the first match is used.
static KNOWN: [Unbuffered; 3] = [
    Unbuffered {
        name: "nimatron_unbuffered.cpp",
        language: "cpp",
        endings: &["cpp", "cc", "cxx", "c++", "C"],
        text: include_str!("unbuffered.cpp"),
    },
    Unbuffered { name: "nimatron_unbuffered.c", language: "c", endings: &["c"], text: include_str!("unbuffered.c") },
    Unbuffered {
        name: "__main__.py",
        language: "python",
        endings: &["py", "py3"],
        text: include_str!("unbuffered.py"),
    },
];

impl Unbuffered {
    /// Returns the file for a program with these source files, or `None` if no language of the files is supported.
    pub(super) fn for_files(names: &[String]) -> Option<&'static Unbuffered> {
        let ending = |name: &String| Path::new(name).extension().and_then(|end| end.to_str()).map(str::to_owned);
        let endings: Vec<String> = names.iter().filter_map(ending).collect();
        KNOWN.iter().find(|known| endings.iter().any(|end| known.endings.contains(&end.as_str())))
    }

    /// Returns the name and content of the file.
    pub(super) fn file(&self) -> (String, Vec<u8>) {
        (self.name.to_owned(), self.text.into())
    }

    /// Returns the files that are added to submissions, by language.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub(super) fn include_files(files: &DmojFiles<'_>) -> Result<BTreeMap<String, Vec<(String, PathBuf)>>, Failure> {
        let one = |known: &Unbuffered| {
            let path = files.write_program(&[known.file()])?.join(known.name);
            Ok((known.language.to_owned(), vec![(known.name.to_owned(), path)]))
        };
        KNOWN.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_determine_the_language() {
        let of = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            Unbuffered::for_files(&names).map(|known| known.language)
        };
        assert_eq!(of(&["talk.c"]), Some("c"));
        assert_eq!(of(&["lib.h", "a.c", "b.cc"]), Some("cpp"));
        assert_eq!(of(&["talk.py"]), Some("python"));
        assert_eq!(of(&["Talk.java"]), None);
    }
}
