//! Finds the folder that contains all submissions of a download, such as `submissions/` as the only folder of a zip
//! file.

use std::collections::BTreeSet;

use super::layout::{first, is_listed_by_a_system};
use super::listing::{Left, Listed, Named};
use super::naming::{find_problem, folded_words, numbered};

/// Words that occur in the name of a folder that contains the submissions of a class.
const COLLECTIONS: &[&str] = &["submissions", "students", "abgaben", "soumissions", "entregas", "consegne"];

/// Folder names, without a final number, that denote a part or an attempt of one student's program.
const PARTS: &[&str] = &[
    "",
    "api",
    "app",
    "attempt",
    "backup",
    "bin",
    "build",
    "code",
    "common",
    "core",
    "data",
    "doc",
    "docs",
    "final",
    "include",
    "java",
    "lib",
    "libs",
    "main",
    "model",
    "new",
    "old",
    "out",
    "part",
    "python",
    "resources",
    "sol",
    "solution",
    "source",
    "sources",
    "src",
    "target",
    "test",
    "tests",
    "try",
    "util",
    "utils",
    "v",
    "version",
    "view",
];

/// Removes the folder that contains all submissions from the paths, and returns its path. Returns `None` if there is no
/// such folder.
pub fn without_wrapper(files: &mut [Listed], left: &mut [Left], problems: &[Named]) -> Option<String> {
    let paths: Vec<Vec<&str>> = files.iter().map(|file| file.path.split('/').collect()).collect();
    let sources: Vec<&[&str]> =
        paths.iter().zip(files.iter()).filter(|(_, file)| file.source).map(|(parts, _)| parts.as_slice()).collect();
    let others = left.iter().map(|left| left.path.split('/').collect::<Vec<&str>>());
    let others: Vec<Vec<&str>> = paths.iter().cloned().chain(others).filter(|parts| !is_beside(parts)).collect();
    let depth = depth(&sources, &others, problems);
    let wrapper = sources.first().filter(|_| depth > 0)?[..depth].join("/");
    strip_folder(files, left, &wrapper);
    Some(wrapper)
}

/// Removes a folder from the beginning of the paths that are inside it.
pub fn strip_folder(files: &mut [Listed], left: &mut [Left], folder: &str) {
    let strip = |path: &mut String| {
        if let Some(rest) = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
            *path = rest.to_owned();
        }
    };
    files.iter_mut().for_each(|file| strip(&mut file.path));
    left.iter_mut().for_each(|left| strip(&mut left.path));
}

/// Returns whether a path may be located next to the folder that contains the submissions: a top-level file, such as a
/// list of marks, or a hidden file or folder.
fn is_beside(parts: &[&str]) -> bool {
    let hidden = |part: &&str| part.starts_with('.') || *part == "__MACOSX";
    parts.iter().any(hidden) || matches!(parts, [only] if only.contains('.'))
}

/// Returns the number of leading path components that all files share and that do not belong to a student.
fn depth(sources: &[&[&str]], all: &[Vec<&str>], problems: &[Named]) -> usize {
    let Some(one) = sources.first() else { return 0 };
    let top = &one[..one.len() - 1];
    let shared = (0..top.len()).take_while(|&at| all.iter().all(|parts| parts.get(at) == Some(&top[at]))).count();
    // Components that name a student or a problem are never removed.
    let names_problem = |part: &str| find_problem(first(part), problems).is_some_and(|heard| heard.whole);
    let known = top[..shared].iter().position(|part| is_listed_by_a_system(part) || names_problem(part));
    let parts = &top[..known.unwrap_or(shared)];
    let listed = |depth: usize| {
        let count =
            sources.iter().filter(|path| path.get(depth).is_some_and(|part| is_listed_by_a_system(part))).count();
        count * 2 > sources.len()
    };
    if let Some(depth) = (1..=parts.len()).find(|&depth| listed(depth)) {
        return depth;
    }
    let has_students = |depth: usize| depth == shared && contains_students(sources, depth, problems);
    let is_collection =
        |at: usize| folded_words(first(parts[at])).iter().any(|word| COLLECTIONS.contains(&word.as_str()));
    let same = |from: usize| parts[from..].iter().take_while(|part| first(part) == first(parts[from])).count();
    let collection = (0..parts.len()).find(|&at| is_collection(at) && (at == 0 || has_students(at + same(at))));
    match collection {
        Some(at) => at + same(at),
        None if !parts.is_empty() && has_students(same(0)) => same(0),
        None => 0,
    }
}

/// Returns whether the path components at index `depth` are the folders of at least two students.
fn contains_students(sources: &[&[&str]], depth: usize, problems: &[Named]) -> bool {
    let folders: BTreeSet<&str> = sources.iter().map(|path| first(path[depth])).collect();
    let is_student = |name: &&str| {
        let base = numbered(name).map_or_else(|| (*name).to_owned(), |(base, _)| base);
        let base = folded_words(&base).concat();
        !PARTS.contains(&base.as_str()) && find_problem(name, problems).is_none()
    };
    sources.iter().all(|path| path.len() > depth + 1) && folders.len() > 1 && folders.iter().all(is_student)
}
