//! Tests of reading sinol packages.

use super::*;
use crate::model::{ByteSize, Grading, Part, Rule, TimeSpan};
use crate::package_model::ExpectedOutcome;

/// Reads a package with this `config.yml` and these files, whose content is empty.
fn read_package(config: &str, files: &[&str]) -> Result<Package, Diagnostic> {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files.iter().map(|path| (*path, "")).chain([(MAIN, config)]) {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    let tree = PackageTree::scan(dir.path()).unwrap();
    read(&tree, "a".parse().unwrap())
}

fn package(config: &str, files: &[&str]) -> Package {
    read_package(&format!("sinol_task_id: abc\n{config}"), files).unwrap()
}

/// Returns the names of the cases.
fn cases(package: &Package) -> Vec<&str> {
    package.cases.iter().map(|case| case.name.as_str()).collect()
}

/// Returns the name of each group, its maximum points, and the number of cases of other groups that count toward it.
fn groups(package: &Package) -> Vec<(&str, f64, usize)> {
    let group = |part| match part {
        &Part::Group(Grading { ref name, rule: Rule::WorstCase(ref rule), .. }) => {
            Some((name.as_str(), rule.most.as_points(), rule.after.len()))
        }
        _ => None,
    };
    package.grading.parts.iter().filter_map(group).collect()
}

const TESTS: [&str; 8] = [
    "prog/abc.cpp",
    "in/abc0.in",
    "in/abc1ocen.in",
    "in/abc1a.in",
    "in/abc1b.in",
    "in/abc2a.in",
    "in/abc10.in",
    "in/other.in",
];

#[test]
fn tests_are_grouped_by_number_and_group_0_has_the_samples() {
    let package = package("", &[&TESTS[..], &["out/abc1b.out"]].concat());
    let expected = ["sample/0", "ocen/1ocen", "group1/1a", "group1/1b", "group2/2a", "group10/10"];
    assert_eq!(cases(&package), expected);
    let expected =
        [("sample", 0.0, 0), ("ocen", 0.0, 0), ("group1", 33.0, 0), ("group2", 33.0, 0), ("group10", 34.0, 0)];
    assert_eq!(groups(&package), expected);
    let missing: Vec<usize> = package.generated_cases.iter().map(|one| one.case).collect();
    assert_eq!(missing, [0, 1, 2, 4, 5], "the model solution gives the missing answers");
}

#[test]
fn scores_and_dependencies_are_those_of_the_configuration() {
    let config = "scores: {1: 20, 2: 30, 10: 50, 11: 5}\nsubtask_dependencies: {1: [2, 10]}\n";
    let package = package(config, &TESTS);
    let expected =
        [("sample", 0.0, 0), ("ocen", 0.0, 0), ("group2", 30.0, 0), ("group10", 50.0, 0), ("group1", 20.0, 2)];
    assert_eq!(groups(&package), expected, "a group comes after those on which it depends");
    assert_eq!(package.notes, ["config.yml: group 11 has points in `scores`, but no tests"]);
}

#[test]
fn limits_are_those_of_the_test_the_group_and_the_language() {
    let config = "time_limit: 1000\nmemory_limit: 2048\ntime_limits: {1: 3000, 1b: 4000}\n\
                  override_limits: {py: {time_limit: 9000, memory_limits: {2: 4096}}}\nsinol_contest_type: oi\n";
    let package = package(config, &TESTS);
    assert_eq!((package.limits.time, package.limits.memory), (Some(TimeSpan::seconds(1)), ByteSize::mib(2)));
    let limits = package.limits.with_time(TimeSpan::seconds(1));
    let of = |case: &str, language| {
        let limits = package.case_limits[case].of(language, &limits);
        (limits.cpu.as_micros() / 1_000_000, limits.memory.get() >> 20)
    };
    let found = ["group1/1a", "group1/1b", "group2/2a"].map(|case| (of(case, "cpp"), of(case, "python")));
    assert_eq!(found, [((3, 2), (9, 2)), ((4, 2), (9, 2)), ((1, 2), (9, 4))]);
    assert!(package.case_limits.values().all(|limits| limits.decay));
}

#[test]
fn promises_become_expected_results() {
    let config = "sinol_expected_scores:\n  abcb1.cpp:\n    points: 20\n    expected:\n      1: {points: 20, status: OK}\n      \
                  2: {points: 0, status: ML}\n  gone.cpp: {points: 1}\n";
    let package = package(config, &[&TESTS[..], &["prog/abcb1.cpp", "prog/abcs1.py"]].concat());
    let [model, slow, wrong] = &package.submissions[..] else { panic!("{:?}", package.submissions) };
    let found = [model, slow, wrong].map(|one| (one.name.as_str(), one.expectations.len()));
    assert_eq!(found, [("abc.cpp", 1), ("abcs1.py", 0), ("abcb1.cpp", 7)]);
    let scores = wrong.expectations.iter().filter_map(|want| match want.outcome {
        ExpectedOutcome::Score(least, _) => Some((want.cases.as_deref(), least)),
        _ => None,
    });
    let scores: Vec<_> = scores.collect();
    assert_eq!(scores, [(Some("group1"), 20.0), (Some("group2"), 0.0), (None, 20.0)]);
    assert!(package.notes.iter().any(|note| note.contains("`gone.cpp`")), "{:?}", package.notes);
}

#[test]
fn special_programs_and_included_files_are_found() {
    let files = ["prog/abcinwer.cpp", "prog/abcchk.cpp", "prog/abcingen.py", "prog/abcingen.sh", "prog/abclib.cpp"];
    let config = "extra_compilation_files: [abclib.cpp]\nextra_compilation_args: {cpp: [abclib.cpp, -O3]}\n";
    let package = package(config, &[&files[..], &["prog/abc.cpp", "prog/oi.h"]].concat());
    assert!(matches!(&package.output, OutputCheck::Sinol { processes: None, .. }), "{:?}", package.output);
    assert_eq!(package.input_validators[0].name, "abcinwer");
    assert!(package.input_maker.as_ref().unwrap().program.ends_with("abcingen.sh"), "a shell script comes first");
    let names = |code: &str| package.include[code].iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    assert_eq!((names("cpp"), names("c")), (vec!["abclib.cpp", "oi.h"], vec!["oi.h"]));
    assert_eq!(package.compiler_args.submissions["cpp"], ["-O3"]);
    assert!(package.notes.is_empty(), "{:?}", package.notes);
}

#[test]
fn inputs_that_were_made_become_cases() {
    let mut package = package("", &["prog/abc.cpp", "prog/abcingen.cpp", "in/abc1a.in", "out/abc2a.out"]);
    let maker = package.input_maker.take().unwrap();
    assert_eq!((cases(&package), maker.files.len()), (vec!["group1/1a"], 1));
    let made =
        ["abc2a.in", "abc1a.in", "log.txt"].map(|name| (name.to_owned(), PathBuf::from(format!("/made/{name}"))));
    package.add_made_inputs(&maker, &made).unwrap();
    assert_eq!(cases(&package), ["group1/1a", "group2/2a"]);
    assert_eq!(package.cases[0].input, PathBuf::from("/made/abc1a.in"), "a made input takes precedence");
    assert!(package.cases[1].answer.as_ref().unwrap().ends_with("out/abc2a.out"));
}

#[test]
fn errors_have_their_position() {
    for (config, value, message) in [
        ("sinol_contest_type: ioi", "ioi", "unknown contest type `ioi`"),
        ("scores: {one: 5}", "5", "expected a group number as the key"),
        ("num_processes: 17", "17", "expected a number of processes from 1 to 16"),
        ("num_processes: 1.5", "1.5", "expected a number of processes from 1 to 16"),
        ("subtask_dependencies: {1: [2], 2: [1]}", "{1", "a group depends on itself"),
        ("sinol_expected_scores: {abc.cpp: {expected: {1: {status: AC}}}}", "AC", "expected one of: `OK`, `WA`"),
        ("time_limit: -1", "-1", "expected a time in milliseconds"),
    ] {
        let error = read_package(&format!("sinol_task_id: abc\n{config}\n"), &TESTS).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.line_and_column(), Some((2, config.find(value).unwrap() + 1)), "{config}");
    }
    let error = read_package("sinol_task_id: xyz\n", &TESTS).unwrap_err().to_string();
    assert!(error.ends_with("config.yml: the package has no tests"), "{error}");
}
