//! Answers that are handed in instead of programs: which file is whose. Pure.
//!
//! The format leaves the names open. A file is a case's answer if it is called as the case is, with or without the folders
//! before it, as far as that says which case is meant.

use super::model::{Package, PackageCase};

/// What an answer's name may end in.
const ENDINGS: [&str; 4] = ["", ".out", ".ans", ".txt"];

impl Package {
    /// Which of these files is the answer to a case.
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

    /// Whether only one case is called so, folders before the name left out.
    fn is_one(&self, name: &str) -> bool {
        let called = |case: &&PackageCase| {
            case.name.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        self.tests().filter(called).count() == 1
    }
}
