//! Small trees of test data, read.

use super::*;
use crate::model::Rule;

/// A package of these files.
fn tree(files: &[(&str, &str)]) -> (Tree, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    (Tree::scan(dir.path()).unwrap(), dir)
}

fn data(yaml: &str, files: &[(&str, &str)]) -> (Result<Data, Diagnostic>, Vec<String>) {
    let (tree, _dir) = tree(files);
    let mut notes = Vec::new();
    let metadata = super::super::metadata::read("problem.yaml", yaml, &mut notes).unwrap();
    (read(&tree, &metadata, Own { grader: true, static_validator: true }, &mut notes), notes)
}

fn names(data: &Data) -> Vec<&str> {
    data.cases.iter().map(|case| case.name.as_str()).collect()
}

#[test]
fn old_settings_go_down_and_cases_are_mixed_with_groups() {
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
    let left_out: Vec<(&str, &str)> = data.left_out.iter().map(|one| (&*one.case, &*one.why)).collect();
    assert_eq!(left_out, [("secret/lost", "for there is no `.in`"), ("secret/none", "for there is no `.ans`")]);
    let Rule::Grader(group) = &data.grading.find("secret/b").unwrap().rule else { panic!() };
    assert!(group.stop && group.score == ScoreMode::Least && !group.accept_if_any);
    assert_eq!(group.range, (Some(Points::ZERO), Some(Points::thousandths(40_000))));
    let Rule::Grader(secret) = &data.grading.find("secret").unwrap().rule else { panic!() };
    assert!(!secret.stop && secret.accept_if_any && !secret.ignore_sample);
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
    assert_eq!(group.require, [0..1, 1..3]);
    assert_eq!(data.proofs.len(), 2);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn arguments_go_down_from_group_to_group() {
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
fn wrong_settings_are_complaints_with_their_place() {
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
    assert!(complaint.message.contains("no group `b`"), "{}", complaint.message);
}
