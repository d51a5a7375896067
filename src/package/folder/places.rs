//! Assigns the files below a folder to problems by their paths, and selects the problem that a program solves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::names::is_whole_word;

/// Words in the names of folders that contain a group of one problem's tests rather than the tests of another problem.
const GROUP_WORDS: [&str; 66] = [
    "sample",
    "samples",
    "example",
    "examples",
    "test",
    "tests",
    "testcase",
    "testcases",
    "testdata",
    "data",
    "case",
    "cases",
    "small",
    "medium",
    "large",
    "big",
    "huge",
    "tiny",
    "mini",
    "min",
    "max",
    "easy",
    "hard",
    "normal",
    "random",
    "rand",
    "manual",
    "hand",
    "handmade",
    "edge",
    "corner",
    "special",
    "generated",
    "gen",
    "extra",
    "additional",
    "system",
    "pretest",
    "pretests",
    "main",
    "final",
    "public",
    "private",
    "hidden",
    "visible",
    "open",
    "closed",
    "subtask",
    "subtasks",
    "group",
    "groups",
    "set",
    "sets",
    "testset",
    "batch",
    "batches",
    "level",
    "part",
    "ocen",
    "stress",
    "anti",
    "slow",
    "tle",
    "overflow",
    "hack",
    "hacks",
];
/// Names of folders that contain files of one kind, such as `in` in `in/1.txt`.
const KIND_WORDS: [&str; 11] =
    ["in", "inp", "input", "inputs", "ans", "answer", "answers", "out", "output", "outputs", "expected"];
/// Name of the folder whose subfolders are all groups, as in the ICPC format.
const SECRET: &str = "secret";

/// Returns the folder of the problem to which a file belongs: the deepest folder in `known` that contains the file, or
/// otherwise the file's own folder without trailing folders of groups or of files of one kind. A folder `secret` and
/// all folders in it are folders of groups. The result is empty for the searched folder.
fn problem_of<'a>(path: &'a str, known: &BTreeSet<String>) -> &'a str {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let around = ends(folders).map(|end| &folders[..end]).filter(|folder| known.contains(*folder));
    if let Some(known) = around.last() {
        return known;
    }
    let folders = match folders.split('/').position(|folder| folder == SECRET) {
        Some(at) => ends(folders).nth(at).map_or("", |end| folders[..end].rsplit_once('/').map_or("", |(up, _)| up)),
        None => folders,
    };
    let mut problem = folders;
    // A folder with `input.txt` and `output.txt` is a case if it is numbered or is inside a folder of tests.
    if is_whole_word(path) && folders.split('/').any(is_group) {
        problem = problem.rsplit_once('/').map_or("", |(above, _)| above);
    }
    while !problem.is_empty() {
        let (above, last) = problem.rsplit_once('/').unwrap_or(("", problem));
        if !is_group(last) {
            break;
        }
        problem = above;
    }
    problem
}

/// Returns the positions at which the folders in a path end.
fn ends(folders: &str) -> impl Iterator<Item = usize> {
    folders.match_indices('/').map(|(at, _)| at).chain([folders.len()])
}

/// Returns whether the name of a folder denotes a group of tests: a number, or known words with optional numbers and
/// single letters.
fn is_group(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_known = |word: &str| GROUP_WORDS.contains(&word) || KIND_WORDS.contains(&word);
    let mut words = name.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let numbered = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    numbered || words.clone().any(is_known) && words.all(|word| word.len() == 1 || is_known(word))
}

/// Groups paths by the folder of their problem, and makes them relative to that folder. `known` contains folders
/// that are known to belong to a problem.
pub(super) fn by_problem(paths: &[String], known: &BTreeSet<String>) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths {
        let problem = problem_of(path, known);
        let below = path.strip_prefix(problem).unwrap_or(path).trim_start_matches('/');
        found.entry(problem.to_owned()).or_default().push(below.to_owned());
    }
    found
}

/// Returns the folder that matches a program: the deepest folder that contains the program, otherwise the only folder
/// whose name equals, begins with or ends with the name of the program, such as `abc300_a` for `a.cpp`. Returns `None`
/// if there is no such folder. `below` is the path of the program relative to the searched folder, if the program is
/// inside that folder.
pub(super) fn fitting<'a>(folders: &[&'a str], program: &Path, below: Option<&str>) -> Option<&'a str> {
    let around =
        |folder: &&&str| !folder.is_empty() && below.is_some_and(|below| below.starts_with(&format!("{folder}/")));
    if let Some(folder) = folders.iter().filter(around).max_by_key(|folder| folder.len()) {
        return Some(folder);
    }
    let stem = program.file_stem()?.to_str()?;
    let same = |level: fn(&str, &str) -> bool| {
        let mut found = folders.iter().filter(|folder| !folder.is_empty() && level(last(folder), stem));
        found.next().filter(|_| found.next().is_none()).copied()
    };
    same(|name, stem| plain(name) == plain(stem)).or_else(|| same(is_named_after))
}

/// Returns whether the name of a folder equals, begins with or ends with the name of a program with this file stem.
pub(super) fn is_folder_of(folder: &str, stem: &str) -> bool {
    plain(last(folder)) == plain(stem) || is_named_after(last(folder), stem)
}

fn last(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns whether the first or the last word of a name equals `stem`, ignoring case.
pub(super) fn is_named_after(name: &str, stem: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next();
    [first, words.next_back()].into_iter().flatten().any(|word| word.eq_ignore_ascii_case(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_belong_to_the_problem_around_them() {
        for (path, problem) in [
            ("1.in", ""),
            ("in/1.in", ""),
            ("sample/1.in", ""),
            ("1/1.in", ""),
            ("b2/1.in", "b2"),
            ("subtask-3/01.in", ""),
            ("small-tests/1.in", ""),
            ("Large Sum/1.in", "Large Sum"),
            ("1/input.txt", ""),
            ("tests/a/in", ""),
            ("data/secret/c-least/1.in", ""),
            ("a/test/sample-1.in", "a"),
            ("A/input.txt", "A"),
            ("contest/b/1.in", "contest/b"),
            ("samples/b/1.in", "samples/b"),
            ("b/data/secret/x/1.in", "b"),
        ] {
            assert_eq!(problem_of(path, &BTreeSet::new()), problem, "{path}");
        }
        let known = BTreeSet::from(["1".to_owned()]);
        assert_eq!(problem_of("1/tests/1.in", &known), "1");
    }

    #[test]
    fn a_program_fits_the_folder_around_it_or_the_one_with_its_name() {
        let fit = |folders: &[&'static str], program: &str| fitting(folders, Path::new(program), Some(program));
        assert_eq!(fit(&["a", "b"], "b/main.cpp"), Some("b"));
        assert_eq!(fit(&["a", "a/old", "b"], "a/old/main.cpp"), Some("a/old"));
        assert_eq!(fit(&["a", "b"], "B.py"), Some("b"));
        assert_eq!(fit(&["abc300_a", "abc300_b"], "b.cpp"), Some("abc300_b"));
        assert_eq!(fit(&["A - Sum", "B - Product"], "a.cpp"), Some("A - Sum"));
        assert_eq!(fit(&["x/a", "y/a"], "a.cpp"), None, "two folders fit");
        assert_eq!(fit(&["a", "b"], "main.cpp"), None);
        assert_eq!(fit(&["", "main"], "main.cpp"), Some("main"));
    }
}
