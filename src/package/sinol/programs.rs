//! The programs in `prog/`: solutions, special programs, and the files that are compiled with solutions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::Diagnostic;

use super::super::package_model::{Package, PackageSubmission, TimeLimitUse};
use super::super::tree::{PackageTree, TreeEntry};
use super::config::IncludedFiles;
use super::limits::languages_of;

/// The file extensions of solutions, in order of preference for the model solution.
const SOLUTIONS: [&str; 5] = ["cpp", "c", "cc", "rs", "py"];
/// The file extensions of special programs, in order of preference.
const SPECIAL: [&str; 8] = ["sh", "cpp", "c", "cc", "py", "java", "rs", "pas"];

/// The folder of programs.
pub(super) struct SinolPrograms<'a> {
    pub(super) tree: &'a PackageTree,
    pub(super) task: &'a str,
}

/// The sort key of a solution, derived from its file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SolutionOrder {
    /// 0 for model solutions, 1 for other correct solutions, 2 for slow solutions, and 3 for wrong solutions.
    kind: u8,
    number: u64,
    extension: usize,
}

impl SinolPrograms<'_> {
    /// Returns the special program with this role, such as `ingen`; `None` if there is none.
    pub(super) fn special(&self, role: &str) -> Option<PathBuf> {
        let file = |ending: &&str| self.tree.file(&format!("prog/{}{role}.{ending}", self.task));
        SPECIAL.iter().find_map(file).map(ToOwned::to_owned)
    }

    /// Returns the solutions without their expected results. The model solution, if there is one, is the first, and is
    /// the only solution whose time affects the time limit.
    pub(super) fn submissions(&self) -> Vec<PackageSubmission> {
        let mut found: Vec<(SolutionOrder, PackageSubmission)> = Vec::new();
        for (name, entry) in self.tree.list("prog") {
            let (TreeEntry::File { path, .. }, Some(order)) = (entry, solution_order(name, self.task)) else {
                continue;
            };
            let submission = PackageSubmission {
                name: name.to_owned(),
                path: path.clone(),
                language: None,
                entry: None,
                expectations: Vec::new(),
                time_limit_use: TimeLimitUse::None,
                in_time_cases: Vec::new(),
            };
            found.push((order, submission));
        }
        found.sort_by_key(|(order, _)| *order);
        if let Some((_, first)) = found.first_mut().filter(|(order, _)| order.kind == 0) {
            first.time_limit_use = TimeLimitUse::Lower;
        }
        found.into_iter().map(|(_, submission)| submission).collect()
    }

    /// Adds the files that are compiled or executed with the solutions, and the additional arguments of the compilers,
    /// to the package.
    pub(super) fn include(&self, wanted: &IncludedFiles, package: &mut Package) -> Result<(), Diagnostic> {
        let mut found: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
        let mut add = |code: &str, name: &str, path: PathBuf| {
            let files = found.entry(code.to_owned()).or_default();
            if files.iter().all(|(known, _)| known != name) {
                files.push((name.to_owned(), path));
            }
        };
        let file = |name: &str| self.tree.file(&format!("prog/{name}")).map(ToOwned::to_owned);
        for (extension, names) in wanted.args.iter().chain(&wanted.executed) {
            for name in names.iter().filter(|name| !name.starts_with('-')) {
                match (file(name), code_of(extension)) {
                    (Some(path), Some(code)) => add(code, name, path),
                    _ => package.notes.push(format!(
                        "config.yml: the file `{name}` for the extension `{extension}` is ignored; expected a file in \
                         `prog/` and the extension of a supported language"
                    )),
                }
            }
        }
        for (extension, args) in &wanted.args {
            let options: Vec<String> = args.iter().filter(|arg| arg.starts_with('-')).cloned().collect();
            if let Some(code) = code_of(extension).filter(|_| !options.is_empty()) {
                package.compiler_args.submissions.entry(code.to_owned()).or_default().extend(options);
            }
        }
        for name in &wanted.compiled {
            let Some(path) = file(name) else {
                let message = format!("the file `{name}` in `extra_compilation_files` does not exist in `prog/`");
                return Err(Diagnostic::new(message).in_file(self.tree.origin("config.yml")));
            };
            // A C or C++ file is compiled only if an argument names it.
            if let Some(code @ "python3") = code_of(extension_of(name)) {
                add(code, name, path);
            }
        }
        for (name, entry) in self.tree.list("prog") {
            if let (TreeEntry::File { path, .. }, "h" | "hpp") = (entry, extension_of(name)) {
                ["c", "cpp"].iter().for_each(|code| add(code, name, path.clone()));
            }
        }
        package.include = found;
        Ok(())
    }
}

fn extension_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns the code in [`Package::include`] of the languages with this file extension, or `None` if no such language is
/// supported.
///
/// [`Package::include`]: super::super::package_model::Package::include
fn code_of(extension: &str) -> Option<&'static str> {
    match languages_of(extension) {
        [] => None,
        ["python", ..] => Some("python3"),
        [id, ..] => Some(id),
    }
}

/// Returns the sort key of a solution; `None` for other files. The name of a solution consists of the id of the task,
/// `s` (slow), `b` (wrong) or neither, an optional number, and optional text that begins with `_`.
fn solution_order(name: &str, task: &str) -> Option<SolutionOrder> {
    let (stem, ending) = name.rsplit_once('.')?;
    let extension = SOLUTIONS.iter().position(|known| *known == ending)?;
    let rest = stem.strip_prefix(task)?;
    let (kind, rest) = match (rest.strip_prefix('s'), rest.strip_prefix('b')) {
        (Some(rest), _) => (2, rest),
        (None, Some(rest)) => (3, rest),
        (None, None) => (u8::from(!rest.is_empty()), rest),
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, text) = rest.split_at(digits);
    (text.is_empty() || text.starts_with('_')).then(|| SolutionOrder {
        kind,
        number: number.parse().unwrap_or(0),
        extension,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_solutions() {
        let names = ["abcb1.cpp", "abcs1_n2.py", "abc10.cpp", "abc2.cpp", "abc_other.cpp", "abc.py", "abc.cpp"];
        let mut sorted = names;
        sorted.sort_by_key(|name| solution_order(name, "abc"));
        let expected = ["abc.cpp", "abc.py", "abc_other.cpp", "abc2.cpp", "abc10.cpp", "abcs1_n2.py", "abcb1.cpp"];
        assert_eq!(sorted, expected);
        for other in ["abcingen.cpp", "abcchk.cpp", "abcsoc.cpp", "abc.h", "abd.cpp", "abc1x.cpp"] {
            assert_eq!(solution_order(other, "abc"), None, "{other}");
        }
    }
}
