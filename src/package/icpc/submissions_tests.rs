//! Tests of expected results of submissions, read from small packages.

use super::*;

/// Returns the submissions of a package with these files, and the notes.
fn read_all(format: PackageFormat, files: &[(&str, &str)]) -> (Vec<PackageSubmission>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join("submissions").join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    let mut notes = Vec::new();
    (read(&PackageTree::scan(dir.path()).unwrap(), format, &mut notes).unwrap(), notes)
}

/// Returns the expectations for a program with this source code, in a folder without an expected verdict.
fn marked(text: &str) -> Vec<ExpectedOutcome> {
    let (found, _) = read_all(PackageFormat::Legacy, &[("mixed/a.c", text)]);
    found.into_iter().flat_map(|one| one.expectations).map(|want| want.outcome).collect()
}

#[test]
fn all_result_names_of_tags_are_read() {
    let both = [AC, TLE].concat();
    assert_eq!(marked("// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n"), [ExpectedOutcome::Final(both.clone())]);
    assert_eq!(marked("/* @expected_results@: accepted,time_limit_exceeded */"), [ExpectedOutcome::Final(both)]);
    assert_eq!(marked("# @EXPECTED_RESULTS@: COMPILER_ERROR\n"), [ExpectedOutcome::Final(vec![CompileError])]);
    assert_eq!(
        marked("# @EXPECTED_RESULTS@: MEMORY-LIMIT\n"),
        [ExpectedOutcome::Final(vec![MemoryLimit, RuntimeError])]
    );
    assert_eq!(marked("# @EXPECTED_RESULTS@: CHECK-MANUALLY\n"), []);
}

#[test]
fn score_tags_have_numbers_or_results() {
    assert_eq!(marked("# @EXPECTED_SCORE@: 74.42\n"), [ExpectedOutcome::Score(74.42, 74.42)]);
    assert_eq!(marked("/* @EXPECTED_SCORE@: 0 */\n"), [ExpectedOutcome::Score(0.0, 0.0)]);
    assert_eq!(marked("# @EXPECTED_SCORE@: CORRECT\n"), [ExpectedOutcome::Final(AC.to_vec())]);
    assert_eq!(marked("# @EXPECTED_SCORE@: inf\n"), []);
    let both = "# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_SCORE@: 30\n";
    assert_eq!(marked(both), [ExpectedOutcome::Final(AC.to_vec()), ExpectedOutcome::Score(30.0, 30.0)]);
}

#[test]
fn only_tags_with_numbers_specify_points() {
    let specified = |text| specify_points(&read_all(PackageFormat::Legacy, &[("accepted/a.py", text)]).0);
    assert!(specified("# @EXPECTED_SCORE@: 30\n"));
    assert!(!specified("# @EXPECTED_SCORE@: CORRECT\n") && !specified("# @EXPECTED_RESULTS@: CORRECT\n"));
}

#[test]
fn score_tags_add_to_the_folder_s_verdict() {
    let text = "# @EXPECTED_SCORE@: 60\n# @EXPECTED_RESULTS@: WRONG-ANSWER\n";
    for format in [PackageFormat::Legacy, PackageFormat::V2025] {
        let (found, _) = read_all(format, &[("accepted/a.py", text)]);
        let by: Vec<&str> = found[0].expectations.iter().map(|want| want.source.as_str()).collect();
        assert_eq!(by, ["accepted", "@EXPECTED_SCORE@"], "{format:?}");
        assert_eq!(found[0].expectations[1].outcome, ExpectedOutcome::Score(60.0, 60.0));
    }
}

#[test]
fn duplicate_tags_are_ignored() {
    let twice = "# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_SCORE@: NO-OUTPUT\n";
    let (found, notes) = read_all(PackageFormat::Legacy, &[("mixed/a.py", twice)]);
    assert_eq!(found[0].expectations, []);
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("there are several") && notes[1].contains("has no expected verdict"), "{notes:?}");
}

#[test]
fn the_time_in_some_cases_may_bound_the_time_limit() {
    let yaml = "slow: {sample: {use_for_time_limit: lower}, secret: {use_for_time_limit: upper}}\n\
                some: {secret/1: {permitted: [AC]}}\n";
    let files = [("submissions.yaml", yaml), ("slow/a.py", ""), ("some/b.py", "")];
    let (found, _) = read_all(PackageFormat::V2025, &files);
    assert_eq!(
        (found[0].time_limit_use, &found[0].in_time_cases[..]),
        (TimeLimitUse::Upper, &["sample".to_owned()][..])
    );
    assert_eq!((found[1].time_limit_use, &found[1].in_time_cases[..]), (TimeLimitUse::None, &[][..]));
}

#[test]
fn an_empty_list_of_verdicts_permits_and_requires_any() {
    let yaml = "mine: {permitted: [], required: []}\nwrong_answer: {required: []}\n";
    let files = [("submissions.yaml", yaml), ("mine/a.py", ""), ("wrong_answer/b.py", "")];
    let (found, _) = read_all(PackageFormat::V2025, &files);
    let any = [AC, WA, TLE, RTE].concat();
    let expectations = |at: usize| found[at].expectations.iter().map(|want| want.outcome.clone()).collect::<Vec<_>>();
    assert_eq!(expectations(0), [ExpectedOutcome::Permitted(any.clone()), ExpectedOutcome::Required(any.clone())]);
    assert_eq!(expectations(1), [ExpectedOutcome::Permitted([AC, WA].concat()), ExpectedOutcome::Required(any)]);
    assert_eq!(found[0].time_limit_use, TimeLimitUse::None);
}
