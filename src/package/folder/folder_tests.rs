//! Tests of finding and reading samples.

use super::super::SampleQuery;
use super::super::find::{find, is_described};
use super::*;
use crate::model::{ByteSize, TimeSpan};

/// Returns a folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (file, content) in files {
        let path = dir.path().join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
    dir
}

/// Reads the samples of a folder for a program below it.
fn read_for(dir: &tempfile::TempDir, program: Option<&str>) -> Result<Package, String> {
    let query = SampleQuery { program: program.map(|program| dir.path().join(program)), ..SampleQuery::default() };
    let tree = PackageTree::scan_workspace(dir.path()).unwrap();
    let told = |error: Diagnostic| format!("{} / {}", error.message, error.help.unwrap_or_default());
    let found = find(&tree, &query).map_err(told)?;
    read(&tree, found, "x".parse().unwrap(), &dir.path().join(".cache")).map_err(|error| error.to_string())
}

/// Reads a folder with these files, each of which contains one line.
fn of(files: &[&str]) -> Result<Package, String> {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "1\n")).collect();
    read_for(&folder(&files), None)
}

fn names(package: &Package) -> Vec<&str> {
    package.cases.iter().map(|case| case.name.as_str()).collect()
}

fn inputs(package: &Package) -> Vec<String> {
    package.cases.iter().map(|case| fs_err::read_to_string(&case.input).unwrap()).collect()
}

#[test]
fn a_folder_of_tests_is_read_with_its_guess() {
    let package = of(&["2.in", "2.ans", "10.in", "10.ans", "sample-1.in", "sample-1.out", "3.in", "gen.py"]).unwrap();
    assert_eq!(names(&package), ["sample/sample-1", "tests/2", "tests/10"]);
    let guess = package.whole_guess().unwrap();
    for part in ["2 cases from `*.in` and `*.ans`", "left out: `3.in`;", "token by token", "`--time`"] {
        assert!(guess.contains(part), "{part}: {guess}");
    }
    assert_eq!(
        package.notes,
        ["`3.in` is left out: it has no answer", "`gen.py` is left out: it is not part of a case"]
    );
}

#[test]
fn groups_of_sinol_become_groups() {
    let keys = ["abc0", "abc1a", "abc1ocen", "abc2a", "abc2ocen"];
    let files: Vec<String> = keys.iter().flat_map(|key| [format!("in/{key}.in"), format!("out/{key}.out")]).collect();
    let package = of(&files.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let wanted = ["sample/abc0", "ocen/abc1ocen", "ocen/abc2ocen", "group1/abc1a", "group2/abc2a"];
    assert_eq!(names(&package), wanted, "test runs are in no group");
    assert_eq!(package.guess.unwrap(), "5 cases from `in/*.in` and `out/*.out`");
}

#[test]
fn a_folder_for_each_test_is_a_case() {
    let package =
        of(&["10/input.txt", "10/output.txt", "2/input.txt", "2/output.txt", "sample/in", "sample/out"]).unwrap();
    assert_eq!(names(&package), ["sample/sample", "tests/2", "tests/10"]);
    assert!(package.guess.unwrap().contains("2 cases from `*/input.txt` and `*/output.txt`"));
    let one = of(&["input.txt", "output.txt", "main.cpp"]).unwrap();
    let guess = one.guess.clone().unwrap();
    assert_eq!((names(&one), guess.as_str()), (vec!["tests/1"], "1 case from `input.txt` and `output.txt`"));
}

#[test]
fn other_packages_are_not_folders_of_tests() {
    for other in ["problem.yaml", "problem.xml", "init.yml", "domjudge-problem.ini", "contest.yaml"] {
        let dir = folder(&[("1.in", ""), ("1.out", ""), (other, "")]);
        assert!(is_described(&PackageTree::scan(dir.path()).unwrap()), "{other}");
        let below = format!("b/{other}");
        let dir = folder(&[("1.in", "1"), ("1.out", "1"), ("b/2.in", "2"), ("b/2.out", "2"), (&below, "")]);
        assert!(!is_described(&PackageTree::scan(dir.path()).unwrap()), "{below}");
        assert_eq!(inputs(&read_for(&dir, None).unwrap()), ["1"], "{below}");
        fs_err::remove_file(dir.path().join("1.in")).unwrap();
        fs_err::remove_file(dir.path().join("1.out")).unwrap();
        let error = read_for(&dir, None).unwrap_err();
        assert!(error.contains("contains problems in `b`"), "{error}");
    }
}

#[test]
fn a_folder_without_tests_says_what_is_missing_and_what_was_looked_for() {
    let error = of(&["1.in", "2.out", "a.py"]).unwrap_err();
    for part in ["no complete test", "`1.in`: it has no answer", "`2.out`: it has no input", "`.cph/*.prob`", "--input"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(of(&["solutions/1.in", "solutions/1.out"]).unwrap_err().contains("there are no tests in this folder"));
    assert!(of(&["main.cpp"]).unwrap_err().contains("expected an input with its answer"));
    assert!(of(&["sol.cpp", "counts_in.py"]).unwrap_err().contains("there are no tests in this folder"));
    let renamed = of(&["problem.yml", "statement.md"]).unwrap_err();
    assert!(renamed.contains("rename `problem.yml` to `problem.yaml`"), "{renamed}");
    let missing = of(&["statement.md", "solutions/accepted/a.py"]).unwrap_err();
    assert!(missing.contains("`problem.yaml` is missing") && missing.contains("nimatron new"), "{missing}");
    let broken = read_for(&folder(&[("problem.json", "{")]), None).unwrap_err();
    assert!(broken.contains("(`problem.json`: invalid Competitive Companion message: EOF"), "{broken}");
}

#[test]
fn samples_of_several_problems_are_not_merged() {
    let files = ["a/1.in", "a/1.out", "b/test/sample-1.in", "b/test/sample-1.out", "main.cpp", "b.py"];
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, *file)).collect();
    let dir = folder(&files);
    let error = read_for(&dir, Some("main.cpp")).unwrap_err();
    assert!(error.contains("samples for 2 problems: `a`, `b`; `main.cpp` matches none of them"), "{error}");
    let named = read_for(&dir, Some("b.py")).unwrap();
    assert_eq!((inputs(&named), named.id.as_str()), (vec!["b/test/sample-1.in".to_owned()], "b"));
    assert_eq!(
        named.guess.unwrap(),
        "1 case from `test/*.in` and `test/*.out` for `b` (samples found but not used: `a`)"
    );
    fs_err::write(dir.path().join("1.in"), "own").unwrap();
    fs_err::write(dir.path().join("1.out"), "own").unwrap();
    let own = read_for(&dir, Some("main.cpp")).unwrap();
    assert_eq!(
        (inputs(&own), own.guess.unwrap().contains("(samples found but not used: `a`, `b`)")),
        (vec!["own".to_owned()], true)
    );
}

const PROB: &str = r#"{"name": "B. Product", "url": "https://example.org/b", "interactive": false, "memoryLimit": 64,
    "timeLimit": 3000, "group": "g", "srcPath": "SRC", "local": false,
    "tests": [{"id": 1, "input": "2 3\r\n", "output": "6\n"}, {"id": 2, "input": "b", "output": "2"}]}"#;

#[test]
fn the_file_of_cph_for_the_program_is_read_with_its_limits() {
    let (sum, product) =
        (PROB.replace("SRC", "/home/me/a.cpp").replace("B. Product", "A. Sum"), PROB.replace("SRC", "b.cpp"));
    let dir = folder(&[
        (".cph/a.cpp_0011.prob", &sum),
        (".cph/.b.cpp_0022.prob", &product),
        ("input.txt", "1"),
        ("output.txt", "1"),
        ("b.cpp", ""),
    ]);
    let package = read_for(&dir, Some("b.cpp")).unwrap();
    assert_eq!((names(&package), inputs(&package)[0].as_str()), (vec!["sample/1", "sample/2"], "2 3\n"));
    assert_eq!((package.limits.time, package.limits.memory), (Some(TimeSpan::seconds(3)), ByteSize::mib(64)));
    assert_eq!((package.title(), package.id.as_str(), package.default_limits), ("B. Product", "b-product", false));
    let guess = package.guess.unwrap();
    assert_eq!(
        guess,
        "2 samples of `B. Product` from `.cph/.b.cpp_0022.prob` for `b.cpp` (samples found but not used: `a.cpp`)"
    );
    // Without a file of cph for the program, the tests of the folder are used.
    assert_eq!(names(&read_for(&dir, Some("c.cpp")).unwrap()), ["tests/1"]);
    fs_err::remove_file(dir.path().join("input.txt")).unwrap();
    let error = read_for(&dir, Some("c.cpp")).unwrap_err();
    assert!(error.contains("2 programs with cph files: `b.cpp`, `a.cpp`; `c.cpp` matches none of them"), "{error}");
}

#[test]
fn a_message_describes_the_numbered_files_beside_it() {
    let message = r#"{"name": "Guess", "url": "https://example.org/g", "interactive": true, "timeLimit": 500,
        "tests": [{"input": "old", "output": "old"}], "output": {"type": "file", "fileName": "g.out"}}"#;
    let dir = folder(&[("g/problem.json", message), ("g/1.in", "new"), ("g/1.out", "1"), ("g/2.in", "alone")]);
    let package = read_for(&dir, None).unwrap();
    assert_eq!(inputs(&package), ["new", "alone"]);
    assert_eq!((package.cases[1].answer.is_none(), package.kind.interactive), (true, true));
    assert_eq!((package.limits.time, package.output_file.as_deref()), (Some(TimeSpan::millis(500)), Some("g.out")));
    assert_eq!(package.source.as_deref(), Some("https://example.org/g"));
    let dir = folder(&[("problem.json", message)]);
    let alone = read_for(&dir, None).unwrap();
    assert_eq!(inputs(&alone), ["old"]);
    let broken = read_for(&folder(&[("problem.json", "{"), ("1.in", ""), ("1.out", "")]), None).unwrap();
    assert!(
        broken.notes.concat().contains("`problem.json` is ignored: invalid Competitive Companion message"),
        "{:?}",
        broken.notes
    );
}

#[test]
fn a_text_with_several_samples_is_read() {
    let dir = folder(&[("samples.txt", "1 2\n---\n3\n---\n4\n---\n5\n"), ("main.py", "")]);
    let package = read_for(&dir, None).unwrap();
    assert_eq!(
        (inputs(&package), package.guess.unwrap().as_str()),
        (vec!["1 2\n".into(), "4\n".into()], "2 samples from `samples.txt`")
    );
    let cache = dir.path().join(".cache");
    let file = |name: &str, kind| read_file(&dir.path().join(name), kind, "x".parse().unwrap(), &cache);
    assert_eq!(file("samples.txt", SampleFile::Text).unwrap().cases.len(), 2);
    fs_err::write(dir.path().join("bad.txt"), "1\n").unwrap();
    assert!(file("bad.txt", SampleFile::Text).unwrap_err().to_string().contains("cannot read samples from"));
    fs_err::write(dir.path().join("bad.json"), "{\"name\": \"x\"}").unwrap();
    assert!(file("bad.json", SampleFile::Message).unwrap_err().to_string().contains("no tests"));
}
