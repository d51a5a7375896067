//! Matches submitted answer files to test cases.
//!
//! The ICPC format does not define the names of submitted answer files. If there is one file and one secret case, the
//! file belongs to the case. Otherwise, a file belongs to a case if their names match, with or without the leading
//! folders, provided that only one case matches.

use super::package_model::{Package, PackageCase};

/// Extensions that the name of a submitted answer file may add to the name of its case. The empty string means that the
/// names are equal.
const ENDINGS: [&str; 4] = ["", ".out", ".ans", ".txt"];

impl Package {
    /// Returns the submitted file that holds the answer to a case, or `None` if no file matches.
    pub fn answer_among<'a>(&self, case: &PackageCase, files: &[&'a str]) -> Option<&'a str> {
        let secret = |case: &&PackageCase| !case.name.starts_with("sample/");
        if let ([file], true, 1) = (files, secret(&case), self.tests().filter(secret).count()) {
            return Some(file);
        }
        let whole = case.name.as_str();
        let without_root = whole.split_once('/').map_or(whole, |(_, rest)| rest);
        let last = whole.rsplit('/').next().unwrap_or(whole);
        [whole, without_root, last].into_iter().filter(|name| self.is_one(name)).find_map(|name| {
            let called = |ending: &&str| files.iter().find(|file| **file == format!("{name}{ending}"));
            ENDINGS.iter().find_map(called).copied()
        })
    }

    /// Returns whether `name` is the name of exactly one case, in full or without some of the leading folders of the
    /// case's name.
    fn is_one(&self, name: &str) -> bool {
        let called = |case: &&PackageCase| {
            case.name.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        self.tests().filter(called).count() == 1
    }
}
