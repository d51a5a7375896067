//! Tests of reading small trees of test data.

use super::super::super::package_model::ValidatorTestKind;
use super::*;
use crate::model::{Rule, ScoreBasis, ScoreMode};
use std::ops::Range;

/// Creates a package that consists of these files.
fn tree(files: &[(&str, &str)]) -> (PackageTree, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    (PackageTree::scan(dir.path()).unwrap(), dir)
}

fn data(yaml: &str, files: &[(&str, &str)]) -> (Result<TestData, Diagnostic>, Vec<String>) {
    let (tree, _dir) = tree(files);
    let mut notes = Vec::new();
    let metadata = super::super::problem_yaml::read("problem.yaml", yaml, &mut notes).unwrap();
    (read(&tree, &metadata, PackagePrograms { grader: true, static_validator: true }, false, &mut notes), notes)
}

/// Returns the cases that a group requires, after checking that partial points suffice for each.
fn required(rule: &Aggregate) -> Vec<Range<usize>> {
    assert!(rule.require.iter().all(|one| one.part_passes), "{rule:?}");
    rule.require.iter().map(|one| one.cases.clone()).collect()
}

fn names(data: &TestData) -> Vec<&str> {
    data.cases.iter().map(|case| case.name.as_str()).collect()
}

#[test]
fn legacy_settings_are_inherited_and_cases_mix_with_groups() {
    let files = [
        ("data/testdata.yaml", "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 100\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        (
            "data/secret/testdata.yaml",
            "grader_flags: first_error accept_if_any_accepted\noutput_validator_flags: a b\n",
        ),
        ("data/secret/b/testdata.yaml", "on_reject: break\ngrader_flags: min\naccept_score: 40\nrange: 0 40\n"),
        ("data/secret/b/10.in", ""),
        ("data/secret/b/10.ans", ""),
        ("data/secret/b/2.in", ""),
        ("data/secret/b/2.ans", ""),
        ("data/secret/a.in", ""),
        ("data/secret/a.ans", ""),
        ("data/secret/c.in", ""),
        ("data/secret/c.ans", ""),
        ("data/secret/none.in", ""),
        ("data/secret/lost.ans", ""),
    ];
    let data = data("type: scoring\n", &files).0.unwrap();
    assert_eq!(names(&data), ["sample/1", "secret/a", "secret/b/10", "secret/b/2", "secret/c"]);
    assert_eq!(data.cases[2].output_args, ["a", "b"]);
    let skipped_cases: Vec<(&str, &str)> = data.skipped_cases.iter().map(|one| (&*one.case, &*one.why)).collect();
    assert_eq!(skipped_cases, [("secret/lost", "there is no `.in` file"), ("secret/none", "there is no `.ans` file")]);
    let Rule::Grader(group) = &data.grading.find("secret/b").unwrap().rule else { panic!() };
    assert!(group.stop && group.score == ScoreMode::Least && !group.accept_if_any);
    assert_eq!(group.range, (Some(Points::ZERO), Some(Points::thousandths(40_000))));
    let Rule::Grader(secret) = &data.grading.find("secret").unwrap().rule else { panic!() };
    assert!(!secret.stop && secret.accept_if_any && !secret.ignore_sample);
}

#[test]
fn domjudges_groups_inherit_nothing_and_folders_without_a_file_do_not_count() {
    let files = [
        ("data/testdata.yaml", "on_reject: continue\ngrader_flags: min\naccept_score: 5\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/testdata.yaml", "grader_flags: avg\n"),
        ("data/secret/a/testdata.yaml", "accept_score: 40\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("data/secret/b/1.in", ""),
        ("data/secret/b/1.ans", ""),
    ];
    let rules = |domjudge: bool| {
        let (tree, _dir) = tree(&files);
        let metadata = super::super::problem_yaml::read("problem.yaml", "type: scoring\n", &mut Vec::new()).unwrap();
        let data = read(&tree, &metadata, PackagePrograms::default(), domjudge, &mut Vec::new()).unwrap();
        ["", "sample", "secret", "secret/a", "secret/b"].map(|name| {
            let group = if name.is_empty() { &data.grading } else { data.grading.find(name).unwrap() };
            let Rule::Grader(rule) = &group.rule else { panic!() };
            (rule.basis, rule.score, rule.stop, rule.accept_score.score().to_string())
        })
    };
    let rule = |basis, score, stop, points: &str| (basis, score, stop, points.to_owned());
    assert_eq!(
        rules(true),
        [
            rule(ScoreBasis::Group, ScoreMode::Least, false, "5"),
            rule(ScoreBasis::Nothing, ScoreMode::Sum, false, "0"),
            rule(ScoreBasis::Group, ScoreMode::Average, true, "0"),
            rule(ScoreBasis::Group, ScoreMode::Sum, true, "40"),
            rule(ScoreBasis::Nothing, ScoreMode::Sum, false, "0"),
        ]
    );
    assert_eq!(
        rules(false),
        [
            rule(ScoreBasis::Case, ScoreMode::Least, false, "5"),
            rule(ScoreBasis::Case, ScoreMode::Least, false, "5"),
            rule(ScoreBasis::Case, ScoreMode::Average, false, "5"),
            rule(ScoreBasis::Case, ScoreMode::Average, false, "40"),
            rule(ScoreBasis::Case, ScoreMode::Average, false, "5"),
        ]
    );
}

#[test]
fn domjudges_samples_are_ignored_by_the_flag_of_the_whole_test_data() {
    let files = [
        ("data/testdata.yaml", "grader_flags: ignore_sample accept_if_any_accepted\n"),
        ("data/sample/testdata.yaml", "accept_score: 1\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/testdata.yaml", "grader_flags: ignore_sample\naccept_score: 7\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
    ];
    let (tree, _dir) = tree(&files);
    let yaml = "type: scoring\ngrading: {accept_score: 2, on_reject: grade}\n";
    let metadata = super::super::problem_yaml::read("problem.yaml", yaml, &mut Vec::new()).unwrap();
    let data = read(&tree, &metadata, PackagePrograms::default(), true, &mut Vec::new()).unwrap();
    let rule = |group: &Grading| {
        let Rule::Grader(rule) = group.rule.clone() else { panic!() };
        assert!(!rule.ignore_sample && !rule.accept_if_any && rule.stop, "{rule:?}");
        (rule.basis, rule.accept_score)
    };
    assert_eq!(rule(data.grading.find("sample").unwrap()), (ScoreBasis::Nothing, Points::thousandths(1_000)));
    assert_eq!(rule(data.grading.find("secret").unwrap()), (ScoreBasis::Group, Points::thousandths(7_000)));
    assert_eq!(rule(&data.grading), (ScoreBasis::Group, Points::ZERO));
}

#[test]
fn new_groups_are_one_level_deep_and_require_earlier_ones() {
    let yaml = "problem_format_version: 2025-09\ntype: scoring\n";
    let files = [
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/g1/test_group.yaml", "max_score: 30\nargs: [x, 'y z']\n"),
        ("data/secret/g1/deep/1.in", ""),
        ("data/secret/g1/deep/1.ans", ""),
        ("data/secret/g1/deep/1.yaml", "args: [q]\nhint: h\noutput_validator_args: [case_sensitive]\n"),
        ("data/secret/g1/2.in", ""),
        ("data/secret/g1/2.ans", ""),
        (
            "data/secret/g2/test_group.yaml",
            "max_score: 70\nscore_aggregation: min\nrequire_pass: [sample, secret/g1]\n",
        ),
        ("data/secret/g2/1.in", ""),
        ("data/secret/g2/1.ans", ""),
        ("data/invalid_input/x.in", ""),
        ("data/invalid_output/y.in", ""),
        ("data/invalid_output/y.ans", ""),
        ("data/invalid_output/y.out", ""),
    ];
    let (data, notes) = data(yaml, &files);
    let data = data.unwrap();
    assert_eq!(names(&data), ["sample/1", "secret/g1/2", "secret/g1/deep/1", "secret/g2/1"]);
    assert_eq!(data.cases[1].args, ["x", "y z"]);
    assert_eq!((data.cases[2].args.as_slice(), data.cases[2].hint.as_deref()), (&["q".to_owned()][..], Some("h")));
    let Rule::Aggregate(group) = &data.grading.find("secret/g2").unwrap().rule else { panic!() };
    assert_eq!((group.kind, group.most), (AggregateKind::Least, Some(Score::points(70))));
    assert_eq!(required(group), [0..1, 1..3]);
    assert_eq!(data.validator_tests.len(), 2);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn arguments_are_inherited_by_subgroups() {
    let yaml = "problem_format_version: 2025-09\ntype: scoring\n";
    let files = [
        ("data/test_group.yaml", "output_validator_args: [float_tolerance, '1e-6']\nargs: [x]\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/test_group.yaml", "args: [y]\n"),
        ("data/secret/g1/test_group.yaml", "max_score: 100\noutput_validator_args: []\n"),
        ("data/secret/g1/1.in", ""),
        ("data/secret/g1/1.ans", ""),
    ];
    let cases = data(yaml, &files).0.unwrap().cases;
    assert_eq!((cases[0].args.as_slice(), cases[0].output_args.len()), (&["x".to_owned()][..], 2));
    assert_eq!((cases[1].args.as_slice(), cases[1].output_args.len()), (&["y".to_owned()][..], 0));
}

#[test]
fn invalid_settings_are_reported_with_positions() {
    let with = |text: &str| {
        let files = [("data/secret/testdata.yaml", text), ("data/secret/1.in", ""), ("data/secret/1.ans", "")];
        data("type: scoring\n", &files).0.unwrap_err()
    };
    assert_eq!(with("on_reject: stop\n").line_and_column(), Some((1, 12)));
    assert!(with("range: 1\n").message.contains("two numbers"));
    assert!(data("", &[]).0.unwrap_err().message.contains("no test case"));
    let unknown = [
        ("data/secret/a/test_group.yaml", "require_pass: b\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
    ];
    let complaint = data("problem_format_version: 2025-09\n", &unknown).0.unwrap_err();
    assert!(complaint.message.contains("no earlier group `b`"), "{}", complaint.message);
    // A group can require neither itself nor a later group.
    for required in ["a", "b"] {
        let text = format!("require_pass: {required}\n");
        let files = [
            ("data/secret/a/test_group.yaml", text.as_str()),
            ("data/secret/a/1.in", ""),
            ("data/secret/a/1.ans", ""),
            ("data/secret/b/1.in", ""),
            ("data/secret/b/1.ans", ""),
        ];
        let complaint = data("problem_format_version: 2025-09\ntype: scoring\n", &files).0.unwrap_err();
        assert!(complaint.message.contains("no earlier group"), "{}", complaint.message);
    }
}

#[test]
fn cases_next_to_groups_are_judged() {
    let files = [
        ("data/secret/0.in", ""),
        ("data/secret/0.ans", ""),
        ("data/secret/g1/test_group.yaml", "max_score: 100\n"),
        ("data/secret/g1/1.in", ""),
        ("data/secret/g1/1.ans", ""),
        ("data/secret/g2/1.in", ""),
        ("data/secret/g2/1.ans", ""),
    ];
    for (kind, told) in [("pass-fail", 0), ("scoring", 2)] {
        let (read, notes) = data(&format!("problem_format_version: 2025-09\ntype: {kind}\n"), &files);
        let read = read.unwrap();
        assert_eq!(names(&read), ["secret/0", "secret/g1/1", "secret/g2/1"]);
        assert_eq!(read.grading.cases(), [0, 1, 2]);
        assert_eq!(notes.len(), told, "{notes:?}");
        let points = |name: &str| match &read.grading.find(name).unwrap().rule {
            Rule::Aggregate(rule) => rule.most,
            Rule::Grader(_) | Rule::WorstCase(_) => panic!(),
        };
        assert_eq!((points("secret/g1"), points("secret/g2")), (Some(Score::points(100)), None));
    }
}

#[test]
fn arguments_are_inherited_through_folders_and_by_validator_tests() {
    let files = [
        ("data/test_group.yaml", "output_validator_args: [a]\n"),
        ("data/secret/x/1.in", ""),
        ("data/secret/x/1.ans", ""),
        ("data/secret/x/y/test_group.yaml", "output_validator_args: [b]\nmax_score: 4\n"),
        ("data/secret/x/y/2.in", ""),
        ("data/secret/x/y/2.ans", ""),
        ("data/secret/x/y/z/3.in", ""),
        ("data/secret/x/y/z/3.ans", ""),
        ("data/valid_output/1.in", ""),
        ("data/valid_output/1.ans", ""),
        ("data/valid_output/1.out", ""),
        ("data/valid_output/c/test_group.yaml", "output_validator_args: [c]\n"),
        ("data/valid_output/c/2.in", ""),
        ("data/valid_output/c/2.ans", ""),
        ("data/valid_output/c/2.out", ""),
        ("data/others/2.in", ""),
    ];
    let (data, notes) = data("problem_format_version: 2025-09\n", &files);
    let data = data.unwrap();
    let args: Vec<&str> = data.cases.iter().map(|case| case.output_args[0].as_str()).collect();
    assert_eq!(args, ["a", "b", "b"]);
    let args: Vec<&str> = data.validator_tests.iter().map(|proof| proof.case.output_args[0].as_str()).collect();
    assert_eq!(args, ["a", "c"]);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("data/others") && notes[1].contains("max_score"), "{notes:?}");
}

#[test]
fn settings_of_drafts_are_read() {
    let files = [
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/sample/download/1.in", ""),
        ("data/sample/download/1.ans", ""),
        ("data/sample/statement/1.in", ""),
        ("data/sample/statement/1.ans", ""),
        ("data/secret/a/testdata.yaml", "grading: {max_score: 30, aggregation: min}\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("data/secret/b/testdata.yaml", "scoring: {score: 70, require-pass: [sample, a]}\n"),
        ("data/secret/b/1.in", ""),
        ("data/secret/b/1.ans", ""),
    ];
    let (data, notes) = data("problem_format_version: 2023-07-draft\ntype: scoring\n", &files);
    let data = data.unwrap();
    assert_eq!(names(&data), ["sample/1", "secret/a/1", "secret/b/1"]);
    let Rule::Aggregate(a) = &data.grading.find("secret/a").unwrap().rule else { panic!() };
    assert_eq!((a.kind, a.most), (AggregateKind::Least, Some(Score::points(30))));
    let Rule::Aggregate(b) = &data.grading.find("secret/b").unwrap().rule else { panic!() };
    assert_eq!((b.most, required(b)), (Some(Score::points(70)), vec![0..1, 1..2]));
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn points_of_a_draft_that_add_up_are_those_of_each_case() {
    let files = [
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/c/testdata.yaml", "grading: {score: 5, aggregation: sum, require_pass: [sample]}\n"),
        ("data/secret/c/1.in", ""),
        ("data/secret/c/1.ans", ""),
        ("data/secret/c/2.in", ""),
        ("data/secret/c/2.ans", ""),
        ("data/secret/d/testdata.yaml", "grading: default\n"),
        ("data/secret/d/1.in", ""),
        ("data/secret/d/1.ans", ""),
    ];
    let (data, notes) = data("problem_format_version: 2023-07-draft\ntype: scoring\n", &files);
    let data = data.unwrap();
    let Rule::Aggregate(c) = &data.grading.find("secret/c").unwrap().rule else { panic!() };
    assert_eq!((c.most, required(c)), (Some(Score::points(10)), std::iter::once(0..1).collect()));
    assert_eq!(notes, ["testdata.yaml: the unknown key `grading` is ignored"]);
}

#[test]
fn legacy_accepts_every_name_and_newer_versions_note_skipped_names() {
    let files = [
        ("data/secret/a+b (1).in", ""),
        ("data/secret/a+b (1).ans", ""),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", ""),
        ("data/secret/.3.in", ""),
    ];
    let old = data("", &files).0.unwrap();
    assert_eq!(names(&old), ["secret/2", "secret/a+b (1)"]);
    let new = data("problem_format_version: 2025-09\n", &files).0.unwrap();
    assert_eq!(names(&new), ["secret/2"]);
    assert!(new.skipped_cases.iter().any(|one| one.case == "secret/a+b (1)"), "{:?}", new.skipped_cases);
}

#[test]
fn a_bad_case_with_an_answer_has_a_valid_input() {
    let files = [
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("data/bad/input.in", ""),
        ("data/bad/answer.in", ""),
        ("data/bad/answer.ans", ""),
        ("data/bad/answer.out", ""),
        ("data/bad/deep/answer.in", ""),
        ("data/bad/deep/answer.ans", ""),
        ("data/invalid_inputs/x.in", ""),
        ("data/invalid_inputs/x.ans", ""),
    ];
    for yaml in ["", "problem_format_version: 2025-09\n"] {
        let validator_tests = data(yaml, &files).0.unwrap().validator_tests;
        let found: Vec<_> = validator_tests.iter().map(|proof| (proof.case.name.as_str(), proof.kind)).collect();
        let expected = [
            ("invalid_inputs/x", ValidatorTestKind::InvalidInput),
            ("bad/answer", ValidatorTestKind::InvalidOutput),
            ("bad/input", ValidatorTestKind::InvalidInput),
            ("bad/deep/answer", ValidatorTestKind::InvalidOutput),
        ];
        assert_eq!(found, expected, "{yaml:?}");
        assert!(validator_tests.iter().all(|proof| proof.case.output.is_none()));
    }
}
