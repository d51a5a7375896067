//! Reads a bare folder of tests as a package. All cases must pass, and outputs are compared token by token.

use std::collections::BTreeSet;

use crate::check::ComparisonRule;
use crate::model::{Diagnostic, Part, ProblemId};

use super::super::defaults::{comparison, limits_guess};
use super::super::model::{InputArgs, Package, PackageCase, PackageFormat};
use super::super::tree::{PackageTree, TreeEntry};
use super::names::{Guess, TEST_RUN, TestPair, groups, guess, shape};

/// Names of files that show that the folder is something else, at any depth.
const OTHERS: [&str; 5] = ["problem.yaml", "problem.xml", "init.yml", "domjudge-problem.ini", "contest.yaml"];
/// Folders that are not searched for tests.
const ASIDE: [&str; 4] = ["solutions", "submissions", "__MACOSX", "node_modules"];
/// Maximum number of ignored files, and of name patterns, that the guess lists.
const NAMED: usize = 5;

/// Whether a tree is a bare folder of tests: it contains a case, and no problem or package of another kind.
pub(crate) fn is_package(tree: &PackageTree) -> bool {
    let paths = tree.files_below("");
    let other = |path: &String| OTHERS.contains(&path.rsplit('/').next().unwrap_or(path));
    !paths.iter().any(other) && !guess(&candidates(paths)).pairs.is_empty()
}

/// Reads a bare folder of tests.
///
/// # Errors
/// Fails if a file was removed since the folder was scanned.
pub(crate) fn read(tree: &PackageTree, id: ProblemId) -> Result<Package, Diagnostic> {
    let Guess { pairs, left } = guess(&candidates(tree.files_below("")));
    let (pairs, groups) = grouped(pairs);
    let mut package = Package::bare(tree, id, PackageFormat::Folder, comparison(ComparisonRule::Tokens));
    let mut names = BTreeSet::new();
    for (index, pair) in pairs.iter().enumerate() {
        let group = groups.as_ref().and_then(|groups| groups.get(index).copied());
        let name = name(pair, group, &mut names);
        package.grading.parts.push(Part::Case(package.cases.len()));
        package.cases.push(case(tree, pair, name)?);
    }
    package.guess = Some(description(&pairs, &left));
    package.notes.extend(left.iter().map(|(path, why)| format!("`{path}` is left out: {why}")));
    Ok(package)
}

/// Returns the cases in order with their groups. Test runs are placed with the samples rather than between the groups.
fn grouped(pairs: Vec<TestPair>) -> (Vec<TestPair>, Option<Vec<u64>>) {
    let Some(groups) = groups(&pairs) else { return (pairs, None) };
    let mut both: Vec<(TestPair, u64)> = pairs.into_iter().zip(groups).collect();
    both.sort_by_key(|(_, group)| *group > 0);
    let (pairs, groups) = both.into_iter().unzip();
    (pairs, Some(groups))
}

/// Selects the files that may be part of a case.
fn candidates(paths: Vec<String>) -> Vec<String> {
    let seen = |path: &String| {
        let aside = path.split('/').next().is_some_and(|folder| ASIDE.contains(&folder));
        let statement = path.starts_with("statement") && path.ends_with(".md");
        !aside && !statement && !path.split('/').any(|part| part.starts_with('.'))
    };
    paths.into_iter().filter(seen).collect()
}

fn case(tree: &PackageTree, pair: &TestPair, name: String) -> Result<PackageCase, Diagnostic> {
    let file = |path: &str| match tree.get(path) {
        Some(TreeEntry::File { path, .. }) => Ok(path.clone()),
        _ => Err(Diagnostic::new("the file no longer exists").in_file(tree.origin(path))),
    };
    Ok(PackageCase {
        name,
        input: file(&pair.input)?,
        answer: Some(file(&pair.answer)?),
        output: None,
        shown: [None, None],
        interaction: None,
        args: Vec::new(),
        files: Vec::new(),
        input_args: InputArgs::default(),
        output_args: Vec::new(),
        text_args: None,
        hint: None,
        description: None,
    })
}

/// Returns a unique name for a case: a folder, which is the group or `tests`, and the common part of its file names.
fn name(pair: &TestPair, group: Option<u64>, names: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let key = pair.key.trim_end_matches('/');
    let (folder, stem) = key.rsplit_once('/').unwrap_or(("", key));
    let sample = |text: &str| text.to_ascii_lowercase().starts_with("sample") || text.starts_with("example");
    let folder = match group {
        _ if sample(folder) || sample(stem) => "sample".to_owned(),
        // Test runs may be too large for a statement.
        Some(0) if stem.ends_with(TEST_RUN) => TEST_RUN.to_owned(),
        Some(0) => "sample".to_owned(),
        Some(number) => format!("group{number}"),
        None if folder.is_empty() => "tests".to_owned(),
        None => folder.chars().map(plain).collect(),
    };
    let stem: String = stem.chars().map(plain).collect();
    let whole = format!("{folder}/{stem}");
    let mut number = 1;
    let mut free = whole.clone();
    while !names.insert(free.clone()) {
        number += 1;
        free = format!("{whole}-{number}");
    }
    free
}

/// Describes the guess to the user.
fn description(pairs: &[TestPair], left: &[(String, &str)]) -> String {
    let mut shapes: Vec<((String, String), usize)> = Vec::new();
    for pair in pairs {
        let shape = shape(pair);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, count)) => *count += 1,
            None => shapes.push((shape, 1)),
        }
    }
    let mut parts: Vec<String> = shapes
        .iter()
        .take(NAMED)
        .map(|((input, answer), count)| {
            let cases = if *count == 1 { "case" } else { "cases" };
            format!("{count} {cases} from `{input}` and `{answer}`")
        })
        .collect();
    if shapes.len() > NAMED {
        parts.push(format!("{} other name patterns", shapes.len() - NAMED));
    }
    if !left.is_empty() {
        let names: Vec<String> = left.iter().take(NAMED).map(|(path, _)| format!("`{path}`")).collect();
        let more = if left.len() > NAMED { format!(" and {} more", left.len() - NAMED) } else { String::new() };
        parts.push(format!("left out: {}{more}", names.join(", ")));
    }
    parts.push("outputs are compared token by token".to_owned());
    parts.push(limits_guess());
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> (tempfile::TempDir, PackageTree) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "1\n").unwrap();
        }
        let tree = PackageTree::scan(dir.path()).unwrap();
        (dir, tree)
    }

    #[test]
    fn a_folder_of_tests_is_read_with_its_guess() {
        let (_dir, tree) = tree(&["2.in", "2.ans", "10.in", "10.ans", "sample-1.in", "sample-1.out", "3.in", "gen.py"]);
        assert!(is_package(&tree));
        let package = read(&tree, "x".parse().unwrap()).unwrap();
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["sample/sample-1", "tests/2", "tests/10"]);
        let guess = package.guess.unwrap();
        for part in ["2 cases from `*.in` and `*.ans`", "left out: `3.in`, `gen.py`;", "token by token", "`--time`"] {
            assert!(guess.contains(part), "{part}: {guess}");
        }
        assert_eq!(
            package.notes,
            ["`3.in` is left out: it has no answer", "`gen.py` is left out: it is not part of a case"]
        );
    }

    #[test]
    fn groups_of_sinol_become_groups() {
        let (_dir, tree) =
            tree(&["in/abc0.in", "out/abc0.out", "in/abc1a.in", "out/abc1a.out", "in/abc2b.in", "out/abc2b.out"]);
        let package = read(&tree, "abc".parse().unwrap()).unwrap();
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["sample/abc0", "group1/abc1a", "group2/abc2b"]);
    }

    #[test]
    fn test_runs_of_sinol_earn_no_points() {
        let keys = ["abc0", "abc1a", "abc1ocen", "abc2a", "abc2ocen"];
        let files: Vec<String> =
            keys.iter().flat_map(|key| [format!("in/{key}.in"), format!("out/{key}.out")]).collect();
        let (_dir, tree) = tree(&files.iter().map(String::as_str).collect::<Vec<_>>());
        let package = read(&tree, "abc".parse().unwrap()).unwrap();
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["sample/abc0", "ocen/abc1ocen", "ocen/abc2ocen", "group1/abc1a", "group2/abc2a"]);
        assert!(package.guess.unwrap().starts_with("5 cases from `in/*.in` and `out/*.out`;"));
    }

    #[test]
    fn a_folder_for_each_test_is_a_case() {
        let (_dir, tree) =
            tree(&["10/input.txt", "10/output.txt", "2/input.txt", "2/output.txt", "sample/in", "sample/out"]);
        assert!(is_package(&tree));
        let package = read(&tree, "x".parse().unwrap()).unwrap();
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["sample/sample", "tests/2", "tests/10"]);
        let guess = package.guess.unwrap();
        assert!(guess.contains("2 cases from `*/input.txt` and `*/output.txt`"), "{guess}");
    }

    #[test]
    fn other_packages_are_not_bare_folders() {
        for other in OTHERS {
            for place in ["", "below/"] {
                let (_dir, tree) = tree(&["1.in", "1.out", &format!("{place}{other}")]);
                assert!(!is_package(&tree), "{place}{other}");
            }
        }
        assert!(!is_package(&tree(&["1.in", "2.out", "a.py"]).1));
        assert!(!is_package(&tree(&["solutions/1.in", "solutions/1.out"]).1));
    }
}
