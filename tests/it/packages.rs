//! Verifies and judges packages of other judges with the `nimatron` binary: one small package for each feature.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use crate::project::{Project, Ran, pair, result};

pub(crate) fn package(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(name);
    path.to_str().unwrap().to_owned()
}

/// Verifies a package, asserts success, and returns the output.
#[track_caller]
fn holds(name: &str) -> Ran {
    let ran = Project::new().run(&["verify", "--json", &package(name)]);
    let failed: Vec<String> =
        ran.json().iter().filter(|line| line["status"] == "fail").map(ToString::to_string).collect();
    assert!(failed.is_empty(), "{failed:#?}\n{}", ran.stderr);
    ran.code(0)
}

#[test]
fn groups_of_the_old_version_add_up() {
    let ran = holds("oldgroups");
    assert_eq!(result(&ran, "accepted/sum.py"), pair("AC", "100"));
    assert_eq!(result(&ran, "partially_accepted/small.py"), pair("PT", "40"));
    assert_eq!(result(&ran, "wrong_answer/wrong.py"), pair("WA", "0"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn groups_of_the_new_version_require_and_aggregate() {
    let ran = holds("newgroups");
    assert_eq!(result(&ran, "accepted/sum.py"), pair("AC", "100"));
    assert_eq!(result(&ran, "rejected/small.py"), pair("PT", "50"));
    assert_eq!(result(&ran, "wrong_answer/wrong.py"), pair("WA", "0"));
}

#[test]
fn a_validator_gives_points_and_takes_flags() {
    let ran = holds("oldpoints");
    assert_eq!(result(&ran, "accepted/sum.py"), pair("AC", "200"));
    assert_eq!(result(&ran, "partially_accepted/near.py"), pair("PT", "160"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn points_add_up_in_every_way_of_both_versions() {
    let ran = holds("newmodes");
    assert_eq!(result(&ran, "mixed/near.py"), pair("PT", "56"));
    assert_eq!(result(&ran, "mixed/here_and_there.py"), pair("PT", "70"));
    assert_eq!(result(&ran, "wrong_answer/far.py"), pair("WA", "0"));
    // The program may be accepted in some cases, but must be wrong in at least one.
    assert_eq!(ran.json().iter().find(|line| line["check"] == "wrong_answer/far.py").unwrap()["expected"], "WA");
    let ran = holds("oldmodes");
    assert_eq!(result(&ran, "accepted/all.py"), pair("AC", "100"));
    // One group uses the average, and another accepts every output and gives a point for each failure.
    assert_eq!(result(&ran, "partially_accepted/odd.py"), pair("PT", "50.333"));
    assert_eq!(result(&ran, "partially_accepted/even_or_ends.py"), pair("PT", "47.667"));
    assert_eq!(result(&ran, "partially_accepted/mixed.py"), pair("PT", "58.333"));
    assert_eq!(result(&ran, "partially_accepted/early.py"), pair("PT", "78"));
    assert_eq!(result(&ran, "partially_accepted/none.py"), pair("PT", "3"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_default_validator_takes_flags_of_groups_and_cases() {
    holds("flags");
    holds("tolerance");
    holds("oldtolerance");
}

#[test]
fn a_new_output_validator_finds_the_program_files() {
    let ran = holds("ownfiles");
    assert_eq!(result(&ran, "wrong_answer/other.py").0, "WA");
}

#[test]
fn included_code_may_drive_the_program() {
    let project = Project::new();
    copy(Path::new(&package("beside")), &project.path("p"));
    let given = "def say():\n    import own_name\n    print(own_name.answer())\n";
    let own = "def answer():\n    return 21\n\n\nif __name__ == '__main__':\n    import given\n    given.say()\n";
    let project = project.file("p/include/python3/given.py", given).file("own_name.py", own);
    project.run(&["run", "p", "own_name.py"]).code(0);
    // In the new version a driver has the name of a main file; in the legacy version it only has to be the first file.
    let driver = "import driven\nprint(driven.answer())\n";
    let project = project.file("p/include/python3/main.py", driver).file("driven.py", "def answer():\n    return 21\n");
    project.run(&["run", "p", "driven.py"]).code(0);
    holds("olddriver");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn dialogues_are_judged_by_the_order_of_exits_in_both_versions() {
    for name in ["guess", "oldguess"] {
        let ran = holds(name);
        assert_eq!(result(&ran, "run_time_error/at_last.py").0, "RTE", "{name}");
        assert_eq!(result(&ran, "wrong_answer/words.py").0, "WA", "{name}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_pass_is_a_separate_run() {
    holds("passes");
    holds("talks");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn entry_points_of_programs_with_several_files() {
    holds("several");
    holds("oldseveral");
}

#[test]
fn arguments_files_included_code_and_constants_are_provided() {
    // Validators also receive these arguments, and find the files of their own folder.
    holds("beside");
    // This also holds for a program in an interactive problem.
    holds("talk");
}

#[test]
fn unsupported_languages_and_output_limits_follow_the_format() {
    let project = Project::new()
        .file("p/problem.yaml", "problem_format_version: 2025-09\nname: One\nlimits: {time_limit: 1}\n")
        .file("p/data/secret/1.in", "")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/submissions/accepted/one.py", "print(1)\n")
        .file("p/submissions/accepted/one.sh", "echo 1\n")
        .file("p/submissions/accepted/old.py", "#!/usr/bin/env python2\nprint 1\n")
        .file("p/submissions/accepted/rules.pl", "main :- write(1).\n")
        .file("p/submissions/time_limit_exceeded/writes.py", "while True: print('1' * 4096)\n");
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    assert_eq!(result(&ran, "accepted/one.sh").0, "AC");
    assert_eq!(result(&ran, "time_limit_exceeded/writes.py").0, "OLE");
    for (name, language) in [("old.py", "Python 2"), ("rules.pl", "Prolog")] {
        let lines = ran.json();
        let line = lines.iter().find(|line| line["check"] == format!("accepted/{name}")).unwrap();
        assert_eq!(line["status"], "skip");
        let reason = format!("the program is written in {language}, which is not supported");
        assert!(line["detail"].as_str().unwrap().ends_with(&reason), "{line}");
    }
}

#[test]
fn a_package_without_data_is_a_package() {
    let project = Project::new().file("p/problem.yaml", "problem_format_version: 2025-09\nname: Nothing\n");
    project.run(&["verify", "p"]).code(1).says("the package has no test cases").says("0 of 1 problems verified");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn scripts_build_and_run_validators() {
    let ran = holds("scripts");
    assert_eq!(result(&ran, "wrong_answer/eight.py").0, "WA");
    let with = |file: &str, script: &str| {
        let project = Project::new();
        copy(Path::new(&package("scripts")), &project.path("p"));
        project.file(file, script).run(&["verify", "p"])
    };
    // A script without a `#!` line is run by the shell.
    with("p/output_validator/run", "python3 \"$(dirname \"$0\")/judge.py\" \"$@\"\n").code(0);
    let failing = |build: &str| with("p/input_validators/made/build", build).code(1);
    failing("#!/bin/sh\necho no compiler here >&2\nexit 1\n").says("no compiler here");
    failing("#!/bin/sh\n").says("the script `build` did not create an executable file named `run`");
    failing("#!/bin/sh\nln -s /bin/true run\n")
        .says("the script `build` did not create an executable file named `run`");
    // The created program may be a link to another file of the folder.
    let linked = "#!/bin/sh\nset -e\nsed \"s/MOST/$(cat most.txt)/\" check.in > made\nchmod +x made\nln -s made run\n";
    with("p/input_validators/made/build", linked).code(0);
}

#[test]
fn a_file_of_both_the_case_and_the_validator_is_an_error() {
    let project = Project::new();
    copy(Path::new(&package("beside")), &project.path("p"));
    let project = project.file("p/data/secret/1.files/known.txt", "3\n");
    project
        .run(&["verify", "p"])
        .code(1)
        .says("both the test case and the validator `folder` contain a file `known.txt`");
}

#[test]
fn the_static_validator_judges_the_source() {
    let ran = holds("text");
    assert_eq!(result(&ran, "accepted/half.py"), pair("PT", "90"));
    assert_eq!(result(&ran, "rejected/eval.py"), pair("PT", "40"));
    let project = Project::new();
    copy(Path::new(&package("text")), &project.path("p"));
    let project = project.file("sum.py", "print(sum(map(int, input().split())))\n").file("eval.py", "eval\n");
    project.run(&["run", "p", "sum.py"]).code(0).says("100 of 100 points");
    project.run(&["run", "p", "eval.py", "--case", "secret/b/@static"]).code(1).says("eval.py has a forbidden word");
    // Any exit code other than 42 and 43 is a failure of the validator.
    project.file("sum.rb", "puts 1\n").run(&["run", "p", "sum.rb", "--case", "secret/b/@static"]).code(3);
}

#[test]
fn static_validation_must_fit_its_group() {
    let refused = |file: &str, text: &str| {
        let project = Project::new();
        copy(Path::new(&package("text")), &project.path("p"));
        project.file(file, text).run(&["show", "p"]).code(2)
    };
    let group = |text: &str| refused("p/data/secret/a/test_group.yaml", text);
    group("max_score: 60\nstatic_validation_score: 20\n").complains("passes or fails as a whole");
    group("max_score: 60\nscore_aggregation: sum\nstatic_validation_score: pass-fail\n")
        .complains("expected a number of points");
    group("max_score: 60\nscore_aggregation: sum\nstatic_validation_score: 61\n")
        .complains("exceeds the maximum number of points for the group");
    group("max_score: 60\nscore_aggregation: sum\nstatic_validation_score: -1\n")
        .complains("points from 0 to 1000000000");
}

#[test]
fn answers_are_submitted_instead_of_programs() {
    let ran = holds("answers");
    assert_eq!(result(&ran, "accepted/flat").0, "AC");
    assert_eq!(result(&ran, "accepted/deep").0, "AC");
    assert_eq!(result(&ran, "wrong_answer/missing").0, "WA");
    let project = Project::new().file("mine/ten.out", "100\n").file("empty/.keep", "").file("one.txt", "100\n");
    let answers = package("answers");
    project.run(&["run", &answers, "mine", "--case", "secret/a"]).code(0);
    project.run(&["run", &answers, "mine"]).code(1);
    project.run(&["run", &answers, "empty"]).code(2).complains("is empty");
    // A single file is the answer to the only case.
    copy(Path::new(&answers), &project.path("p"));
    std::fs::remove_dir_all(project.path("p/data/secret/b")).unwrap();
    project.run(&["run", "p", "one.txt", "--case", "secret/a"]).code(0);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_custom_grader_decides() {
    let ran = holds("owngrader");
    assert_eq!(result(&ran, "accepted/sum.py"), pair("AC", "100"));
    assert_eq!(result(&ran, "partially_accepted/small.py"), pair("PT", "60"));
    assert_eq!(result(&ran, "wrong_answer/zero.py"), pair("WA", "0"));
    let with = |grader: &str| {
        let project = Project::new();
        copy(Path::new(&package("owngrader")), &project.path("p"));
        project.file("p/graders/grade.py", grader).file("sum.py", "print(sum(map(int, input().split())))\n")
    };
    with("print('TLE 0')\n").run(&["run", "p", "sum.py", "--time", "2s"]).code(1).says("0 of 100 points");
    // A failure of the grader is a judge error.
    with("print('JE')\n").run(&["run", "p", "sum.py", "--time", "2s"]).code(3);
    with("import sys\nsys.exit(1)\n").run(&["verify", "p"]).code(1).says("expected exit code 0");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn unexpected_verdicts_and_invalid_inputs_are_found() {
    let project = Project::new();
    copy(Path::new(&package("newgroups")), &project.path("p"));
    let project = project.file("p/data/secret/a/3.in", "10 1\n").file("p/data/secret/a/3.ans", "11\n");
    let project = project.file("p/submissions/accepted/bad.py", "print(3)\n");
    let ran = project.run(&["verify", "p"]).code(1);
    ran.says("FAIL  inputs, check").says("secret/a/3").says("WA in secret/a/1 is not permitted (accepted)");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn invalid_answers_fail_only_in_samples() {
    let project = Project::new();
    copy(Path::new(&package("newmodes")), &project.path("p"));
    fs_err::remove_dir_all(project.path("p/submissions/mixed")).unwrap();
    fs_err::remove_file(project.path("p/output_validator/near.py")).unwrap();
    // This validator accepts an output that equals the input.
    let validator = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *input = fopen(argv[1], "r");
    int want;
    while ((want = getc(input)) == getchar()) if (want == EOF) return 42;
    return 43;
}
"#;
    let project = project.file("p/output_validator/same.c", validator).file("p/data/secret/c-all/1.ans", "mine\n");
    project
        .run(&["verify", "p"])
        .code(0)
        .says("1 of 10 failed; the first is secret/c-all/1")
        .says("not meant to be valid outputs");
    let project = project.file("p/data/sample/1.ans", "mine\n");
    project.run(&["verify", "p"]).code(1).says("FAIL  answers");
}

#[test]
fn packages_are_run_shown_and_listed_like_problems() {
    let project = Project::new();
    copy(Path::new(&package("newgroups")), &project.path("problems/newgroups"));
    let project = project.file("sum.py", "print(sum(map(int, input().split())))\n").file("bad.py", "print(3)\n");
    project.run(&["run", "newgroups", "sum.py"]).code(0).says("100 of 100 points");
    let ran = project.run(&["run", "problems/newgroups", "bad.py", "--case", "secret/a"]).code(1);
    ran.says("secret/a/1");
    project.run(&["run", "newgroups", "sum.py", "--case", "secret/z"]).code(2).complains("has no case or group");
    project.run(&["show", "newgroups"]).code(0).says("Sum by the new rules").says("Sample 1");
    project.run(&["show", &package("oldgroups")]).code(0).says("Sum with groups").says("The points go by");
    project.run(&["list"]).code(0).says("Sum by the new rules");
    project.run(&["generate", "newgroups"]).code(2).complains("nothing to generate");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_zip_is_judged_like_its_folder() {
    let project = Project::new().own_cache();
    let zip = zipped(Path::new(&package("oldgroups")), "oldgroups/");
    let project = project.file("oldgroups.zip", zip).file("sum.py", "print(sum(map(int, input().split())))\n");
    project.run(&["run", "oldgroups.zip", "sum.py"]).code(0).says("100 of 100 points");
    let project = project.file("bad.zip", zipped(Path::new(&package("flags")), "../flags/"));
    project.run(&["show", "bad.zip"]).code(2).complains("has the component `..` in its path");
    // A package that can't be read is a failed check, and the next problem is verified.
    let verified = project.run(&["verify", "bad.zip", "oldgroups.zip"]).code(1);
    verified.says("has the component `..` in its path").says("FAIL  package").says("pass  package");
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let place = to.join(path.strip_prefix(from).unwrap());
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs_err::copy(&path, &place).unwrap();
    }
}

pub(crate) fn files(under: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(under).sort_by_file_name().into_iter();
    walk.map(|entry| entry.unwrap().into_path()).filter(|path| path.is_file()).collect()
}

pub(crate) fn zipped(folder: &Path, below: &str) -> Vec<u8> {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for path in files(folder) {
        let name = format!("{below}{}", path.strip_prefix(folder).unwrap().display());
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&fs_err::read(&path).unwrap()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}
