//! Tests of the expected verdicts of programs and the expectations of test data in ICPC packages: `nimatron verify`
//! must detect violations.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::project::{Project, Ran};

/// An input validator that accepts digits.
const DIGITS: &str = "import sys\nsys.exit(42 if sys.stdin.read().strip().isdigit() else 43)\n";

/// The start of an output validator in C that writes feedback files.
const FEEDBACK: &str = r#"
#include <stdio.h>
#include <string.h>
static void save(const char *folder, const char *name, const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}
"#;

/// The end of an output validator that rejects `wrong`, fails on `crash`, and takes any other output as the points.
const POINTS: &str = r#"
int main(int argc, char **argv) {
    char said[64] = "";
    scanf("%63s", said);
    if (!strcmp(said, "crash")) return 1;
    if (!strcmp(said, "wrong")) return 43;
    save(argv[3], "score.txt", said);
    return 42;
}
"#;

/// An output validator that rejects `wrong`, fails on `crash`, and accepts any other output.
const WORDS: &str = "import sys\nsys.exit({'wrong': 43, 'crash': 1}.get(sys.stdin.read().strip(), 42))\n";

/// Creates a package of the new version with these cases, whose answers are their numbers.
fn new(cases: &[&str]) -> Project {
    let yaml = "problem_format_version: 2025-09\nname: One\nlimits: {time_limit: 1}\n";
    with(Project::new().file("p/problem.yaml", yaml), cases)
}

/// Creates a package of the old version with these lines in `problem.yaml`.
fn old(yaml: &str, cases: &[&str]) -> Project {
    let project = Project::new().file("p/problem.yaml", format!("name: One\n{yaml}"));
    with(project.file("p/.timelimit", "2\n"), cases)
}

fn with(project: Project, cases: &[&str]) -> Project {
    cases.iter().zip(1..).fold(project, |project, (case, number)| {
        let path = |ending: &str| format!("p/data/{case}.{ending}");
        project.file(&path("in"), format!("{number}\n")).file(&path("ans"), format!("{number}\n"))
    })
}

/// Returns the line that `verify` printed for this name.
#[track_caller]
fn check(ran: &Ran, name: &str) -> serde_json::Value {
    let lines = ran.json();
    lines.into_iter().find(|line| line["check"] == name).unwrap_or_else(|| panic!("no {name}: {ran:#?}"))
}

/// Returns the status and the detail of a check.
#[track_caller]
fn told(ran: &Ran, name: &str) -> (String, String) {
    let line = check(ran, name);
    (line["status"].as_str().unwrap().to_owned(), line["detail"].as_str().unwrap().to_owned())
}

/// Asserts that a check failed and that its detail starts with this text.
#[track_caller]
fn fails(ran: &Ran, name: &str, with: &str) {
    let (status, detail) = told(ran, name);
    assert!(status == "fail" && detail.starts_with(with), "{name}: {status}, {detail}");
}

#[track_caller]
fn passes(ran: &Ran, name: &str) {
    let (status, detail) = told(ran, name);
    assert_eq!(status, "pass", "{name}: {detail}");
}

fn verify(project: &Project) -> Ran {
    project.run(&["verify", "--json", "p"])
}

#[test]
fn a_program_that_does_not_compile_meets_no_expectation() {
    let yaml = "mine/any.py: {permitted: [AC, WA, TLE, RTE]}\n";
    let project = new(&["secret/1"]).file("p/submissions/submissions.yaml", yaml);
    let programs = ["accepted/a.py", "wrong_answer/a.py", "mine/any.py"];
    let project = programs.iter().fold(project, |project, name| project.file(&format!("p/submissions/{name}"), "f(\n"));
    let marked = "f(\n# @EXPECTED_RESULTS@: COMPILER-ERROR\n";
    let ran = verify(&project.file("p/submissions/other/a.py", marked)).code(1);
    for name in programs {
        fails(&ran, name, "the program does not compile");
    }
    passes(&ran, "other/a.py");
    let ran = verify(&old("", &["secret/1"]).file("p/submissions/accepted/a.py", "f(\n")).code(1);
    fails(&ran, "accepted/a.py", "the program does not compile (accepted); result: CE");
    let words = check(&ran, "accepted/a.py")["notes"].as_str().unwrap().to_owned();
    assert!(words.contains("SyntaxError"), "{words}");
}

#[test]
fn compiler_output_for_a_validator_is_shown_below_the_check() {
    let project = new(&["secret/1"]).file("p/input_validators/check.py", "f(\n");
    let line = check(&verify(&project).code(1), "inputs, check");
    let detail = line["detail"].as_str().unwrap();
    assert!(detail.ends_with("check.py does not compile"), "{detail}");
    assert!(line["notes"].as_str().unwrap().contains("SyntaxError"), "{line}");
    let shown = project.run(&["verify", "p"]).code(1).stdout;
    assert!(shown.contains("does not compile\n          File \"check.py\", line 1\n"), "{shown}");
}

#[test]
fn package_text_cannot_send_control_characters_to_the_terminal() {
    let hostile = "name: \"One \\e[2J\"\nsource: \"x \\e[2J\"\nvalidation: custom\n";
    let judge = "import sys\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write('no \\x1b[2J')\nsys.exit(43)\n";
    let project = with(Project::new().file("p/problem.yaml", hostile), &["secret/1"])
        .file("p/.timelimit", "2\n")
        .file("p/input_validators/check.py", "print('no \\x1b[2J')\nraise SystemExit(43)\n")
        .file("p/output_validators/judge.py", judge)
        .file("p/submissions/accepted/a.py", "print(1)\n");
    let runs = [
        project.run(&["verify", "p"]).code(1).says("One ␛[2J").says("no ␛[2J"),
        project.run(&["verify", "p", "--color", "always"]).code(1).says("One ␛[2J"),
        project.run(&["run", "p", "p/submissions/accepted/a.py"]).code(1),
        project.run(&["show", "p"]),
    ];
    for ran in runs {
        assert!(!(ran.stdout.clone() + &ran.stderr).contains("\x1b[2J"), "{ran:#?}");
    }
}

#[test]
fn a_bad_case_with_an_answer_must_have_a_valid_input_and_a_wrong_answer() {
    let bad = |project: Project| {
        let project = project.file("p/input_validators/check.py", DIGITS).file("p/data/bad/input.in", "x\n");
        project.file("p/data/bad/answer.in", "7\n").file("p/data/bad/answer.ans", "wrong\n")
    };
    let compared = bad(old("", &["secret/1"]));
    let ran = verify(&compared).code(0);
    assert_eq!(told(&ran, "inputs, check").1, "2 inputs are valid");
    assert_eq!(told(&ran, "invalid inputs").1, "1 invalid input is rejected");
    assert_eq!(told(&ran, "invalid answers").0, "skip", "only an answer validator could reject it");
    let ran = verify(&compared.file("p/data/bad/answer.in", "x\n")).code(1);
    fails(&ran, "inputs, check", "1 of 2 failed; the first is bad/answer");
    let checked = bad(old("validation: custom\n", &["secret/1"])).file("p/output_validators/v/v.py", WORDS);
    let ran = verify(&checked).code(0);
    assert_eq!(told(&ran, "invalid answers"), ("pass".to_owned(), "1 is rejected".to_owned()));
    let ran = verify(&checked.file("p/data/bad/answer.ans", "crash\n")).code(1);
    fails(&ran, "invalid answers", "1 of 1 failed; the first is bad/answer (the output validator failed: ");
}

#[test]
fn a_validator_that_fails_has_rejected_nothing() {
    let proof = |output: &str| {
        let project = new(&["secret/1"]).file("p/output_validator/v.py", WORDS).file("p/data/invalid_output/x.in", "");
        project.file("p/data/invalid_output/x.ans", "1\n").file("p/data/invalid_output/x.out", output)
    };
    passes(&verify(&proof("wrong\n")).code(0), "invalid outputs");
    let ran = verify(&proof("crash\n")).code(1);
    fails(&ran, "invalid outputs", "1 of 1 failed; the first is invalid_output/x (the output validator failed: ");
    let accepted = "1 of 1 failed; the first is invalid_output/x (the output is accepted)";
    fails(&verify(&proof("right\n")).code(1), "invalid outputs", accepted);
}

#[test]
fn the_expected_score_of_domjudge_is_checked() {
    let project = old("type: scoring\n", &["secret/a/1", "secret/b/2"])
        .file("p/data/testdata.yaml", "on_reject: continue\ngrader_flags: accept_if_any_accepted\n")
        .file("p/data/secret/a/testdata.yaml", "accept_score: 40\n")
        .file("p/data/secret/b/testdata.yaml", "accept_score: 60\n")
        .file("p/submissions/accepted/all.py", "print(input()) # @EXPECTED_SCORE@: 100\n")
        .file("p/submissions/partial/a.py", "print(1) # @EXPECTED_SCORE@: 40\n")
        .file("p/submissions/partial/b.py", "print(2) # @EXPECTED_SCORE@: 61.5\n")
        .file("p/submissions/partial/c.py", "print(3) # @EXPECTED_SCORE@: WRONG-ANSWER\n");
    let ran = verify(&project).code(1);
    passes(&ran, "accepted/all.py");
    passes(&ran, "partial/a.py");
    fails(&ran, "partial/b.py", "expected a score of 61.5, found 60 points (@EXPECTED_SCORE@)");
    passes(&ran, "partial/c.py");
}

#[test]
fn the_points_of_a_package_for_domjudge_are_counted_as_there() {
    let project = old("type: scoring\n", &["sample/1", "secret/a/1", "secret/a/2", "secret/b/3"])
        .file("p/data/testdata.yaml", "on_reject: continue\ngrader_flags: sum\n")
        .file("p/data/secret/testdata.yaml", "on_reject: continue\ngrader_flags: sum\n")
        .file("p/data/secret/a/testdata.yaml", "accept_score: 40\non_reject: continue\n")
        .file("p/data/secret/b/testdata.yaml", "accept_score: 60\n")
        .file("p/submissions/accepted/all.py", "print(input()) # @EXPECTED_SCORE@: 100\n")
        .file(
            "p/submissions/partial/a.py",
            "# @EXPECTED_RESULTS@: WRONG-ANSWER\n# @EXPECTED_SCORE@: 40\nprint(min(3, int(input())))\n",
        )
        .file("p/submissions/partial/b.py", "print(4) # @EXPECTED_SCORE@: 60\n")
        .file("p/submissions/partial/none.py", "print(2) # @EXPECTED_SCORE@: 0\n");
    let bug = "print(min(3, int(input()))) # @EXPECTED_SCORE@: 40\n";
    let ran = verify(&project.file("p/submissions/accepted/bug.py", bug)).code(1);
    fails(&ran, "accepted/bug.py", "expected AC, found WA (wrong answer) (accepted)");
    for (name, points) in [("accepted/all.py", 100), ("partial/a.py", 40), ("partial/b.py", 60), ("partial/none.py", 0)]
    {
        passes(&ran, name);
        let (_, detail) = told(&ran, name);
        assert!(detail.contains(&format!("{points} of 100 points")), "{name}: {detail}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_best_points_are_the_end_of_the_range() {
    let points = |yaml: &str| {
        let project = old(&format!("type: scoring\nvalidation: custom score\n{yaml}"), &["secret/1"]);
        let project = project.file("p/output_validators/v/v.c", FEEDBACK.to_owned() + POINTS);
        [("two", "2"), ("fifty", "50"), ("hundred", "100"), ("more", "1234.5")].iter().fold(
            project,
            |project, (name, points)| {
                project.file(&format!("p/submissions/partially_accepted/{name}.sh"), format!("echo {points}\n"))
            },
        )
    };
    // Without a range the score has no bound.
    let ran = verify(&points("")).code(0);
    let (_, detail) = told(&ran, "partially_accepted/more.sh");
    assert!(detail.contains(", 1234.5 points, ") && !detail.contains(" of "), "{detail}");
    let best = "the score is the best possible score, but must be lower (partially_accepted)";
    let ran = verify(&points("").file("p/data/testdata.yaml", "range: 2 100\n")).code(1);
    fails(&ran, "partially_accepted/hundred.sh", best);
    passes(&ran, "partially_accepted/two.sh");
    let (_, detail) = told(&ran, "partially_accepted/fifty.sh");
    assert!(detail.contains("50 of 100 points"), "{detail}");
    let least = points("grading: {objective: min}\n").file("p/data/testdata.yaml", "range: 2 100\n");
    let ran = verify(&least).code(1);
    fails(&ran, "partially_accepted/two.sh", best);
    passes(&ran, "partially_accepted/fifty.sh");
    passes(&ran, "partially_accepted/hundred.sh");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_slow_program_must_not_be_wrong_in_other_cases() {
    let program = "first = input() == '1'\nwhile first:\n    pass\nprint(0)\n";
    let yaml = "problem_format_version: 2025-09\nname: One\nlimits: {time_limit: 0.3}\n";
    let project = new(&["secret/1", "secret/2"]).file("p/problem.yaml", yaml);
    let project = project.file("p/submissions/time_limit_exceeded/a.py", program);
    let ran = verify(&project).code(1);
    fails(
        &ran,
        "time_limit_exceeded/a.py",
        "the verdict WA in secret/2 is not permitted; move the program to the folder `rejected` to permit any failure \
         (time_limit_exceeded); result: TLE",
    );
    // Each case that is too slow takes the whole time limit, so `--fail-fast` stops at the first such case.
    let ran = project.run(&["verify", "--json", "--fail-fast", "p"]).code(0);
    passes(&ran, "time_limit_exceeded/a.py");
}

#[test]
fn fail_fast_checks_expectations_of_single_cases() {
    let yaml = "mine/a.py: {secret/2: {required: [WA]}}\n";
    let project = new(&["secret/1", "secret/2"]).file("p/submissions/submissions.yaml", yaml);
    let project = project.file("p/submissions/mine/a.py", "print(0)\n");
    passes(&project.run(&["verify", "--json", "--fail-fast", "p"]).code(0), "mine/a.py");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn fail_fast_does_not_change_the_time_limit() {
    let slow =
        "import time\nfirst = input() == '1'\nwhile not first and time.process_time() < 0.7:\n    pass\nprint(0)\n";
    let yaml = "problem_format_version: 2025-09\nname: One\n";
    let project = new(&["secret/1", "secret/2"]).file("p/problem.yaml", yaml);
    let project = project.file("p/submissions/accepted/a.py", "print(input())\n");
    let project = project.file("p/submissions/wrong_answer/slow.py", slow);
    let ran = project.run(&["verify", "--json", "--fail-fast", "p"]).code(0);
    let (_, detail) = told(&ran, "time limit");
    assert!(!detail.starts_with("1s,") && detail.contains("s, derived from wrong_answer/slow.py"), "{detail}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_time_in_some_cases_bounds_the_time_limit() {
    let slow = "import time\nleast = 0.7 if input() == '1' else 60\nwhile time.process_time() < least:\n    pass\n";
    let project = new(&["sample/1", "secret/2"])
        .file("p/problem.yaml", "problem_format_version: 2025-09\nname: One\n")
        .file("p/submissions/accepted/a.py", "print(input())\n")
        .file("p/submissions/mine/slow.py", format!("{slow}print(0)\n"))
        .file("p/submissions/submissions.yaml", "mine: {sample: {use_for_time_limit: lower}}\n");
    let ran = project.run(&["verify", "--json", "p"]);
    let (_, detail) = told(&ran, "time limit");
    assert!(detail.starts_with("2s, derived from mine/slow.py"), "{detail}");
    passes(&ran, "mine/slow.py");
}

/// The end of an output validator that takes three words as a score, a multiplier and the exit code.
const SCORES: &str = r#"
int main(int argc, char **argv) {
    char score[64], share[64];
    int code;
    if (scanf("%63s%63s%d", score, share, &code) != 3) return 1;
    if (strcmp(score, "-")) save(argv[3], "score.txt", score);
    if (strcmp(share, "-")) save(argv[3], "score_multiplier.txt", share);
    return code;
}
"#;

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_invalid_score_is_a_failure_of_the_validator() {
    let yaml = "problem_format_version: 2025-09\nname: One\ntype: scoring\nlimits: {time_limit: 1}\n";
    let told_of = |group: &str, wrote: &str| {
        let project = new(&["sample/1", "secret/a/1", "secret/a/2"])
            .file("p/problem.yaml", yaml)
            .file("p/output_validator/v.c", FEEDBACK.to_owned() + SCORES)
            .file("p/data/secret/test_group.yaml", "max_score: unbounded\n")
            .file("p/data/secret/a/test_group.yaml", group)
            .file("p/submissions/mixed/a.sh", format!("echo '{wrote}'\n"));
        told(&project.run(&["verify", "--json", "p"]), "mixed/a.sh").1
    };
    let shared = "score_aggregation: sum\nmax_score: 5\n";
    assert!(told_of(shared, "- - 42").starts_with("AC, 5 points"));
    assert!(told_of(shared, "2.5 - 42").starts_with("AC, 5 points"));
    assert!(told_of(shared, "0 - 42").starts_with("PT, 0 points"));
    assert!(told_of(shared, "- 0.5 42").contains("2.5 points"));
    assert!(told_of(shared, "3 - 42").contains("wrote `3` to `score.txt`, expected a number from 0 to 2.5"));
    assert!(told_of(shared, "-1 - 42").contains("from 0 to 2.5"));
    assert!(told_of(shared, "1 1 42").contains("wrote both"));
    for wrote in ["1 - 43", "- 1 43"] {
        assert!(told_of(shared, wrote).contains("rejected the output but wrote a score"));
    }
    let free = "score_aggregation: sum\nmax_score: unbounded\n";
    assert!(told_of(free, "700 - 42").starts_with("AC, 1400 points"));
    assert!(told_of(free, "- - 42").contains("accepted the output but wrote no `score.txt`"));
    assert!(told_of(free, "- 1 42").contains("`score_multiplier.txt`, but the case has no maximum score"));
    assert!(told_of(free, "-1 - 42").contains("at least 0"));
    assert!(told_of("max_score: 5\n", "1 - 42").contains("the group of the case is pass-fail"));
    assert!(told_of("max_score: 5\n", "- - 42").starts_with("AC, 5 points"));
}

/// The end of an output validator that takes two words as the name and the content of a feedback file.
const FILES: &str = r#"
int main(int argc, char **argv) {
    char name[64], text[64];
    if (scanf("%63s%63s", name, text) == 2) save(argv[3], name, text);
    return 42;
}
"#;

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_validator_awards_points_even_if_problem_yaml_does_not_say_so() {
    let points = |wrote: &str| {
        let project = old("type: scoring\nvalidation: custom\n", &["sample/1", "secret/main/1"])
            .file("p/data/testdata.yaml", "on_reject: continue\ngrader_flags: sum\n")
            .file("p/data/sample/testdata.yaml", "grader_flags: min\nrange: 0 0\naccept_score: 0\n")
            .file("p/data/secret/main/testdata.yaml", "range: 0 100\naccept_score: 20\n")
            .file("p/output_validators/v/v.c", FEEDBACK.to_owned() + FILES)
            .file("p/submissions/accepted/a.sh", format!("read -r n\nif [ $n = 2 ]; then echo '{wrote}'; fi\n"));
        told(&verify(&project).code(0), "accepted/a.sh").1
    };
    assert!(points("score.txt 100.00").starts_with("AC, 100 points"));
    assert!(points("score.txt 62.5").contains(", 62.5 points"));
    assert!(points("score_multiplier.txt 0.25").contains(", 5 points"));
    assert!(points("judgemessage.txt hi").contains(", 20 points"));
}

#[test]
fn a_program_with_a_too_large_source_is_not_run() {
    let yaml = "problem_format_version: 2025-09\nname: One\nlimits: {time_limit: 1, code: 1}\n";
    let large = format!("print(1) # {}\n", "x".repeat(2 << 10));
    let project = new(&["secret/1"]).file("p/problem.yaml", yaml).file("p/submissions/accepted/large.py", &large);
    let project = project.file("p/submissions/accepted/small.py", "print(1)\n").file("mine.py", &large);
    let ran = verify(&project);
    let (status, detail) = told(&ran, "accepted/large.py");
    assert_eq!(status, "skip", "{detail}");
    assert!(detail.ends_with("the size of the source is 2.0 KiB, but the problem allows at most 1.0 KiB"), "{detail}");
    passes(&ran.code(0), "accepted/small.py");
    let ran = project.run(&["run", "p", "mine.py"]).code(2);
    assert!(ran.stderr.contains("the size of the source is 2.0 KiB, but the problem allows at most"), "{ran:#?}");
}

#[test]
fn cases_of_a_skipped_group_are_not_accepted() {
    let yaml = "problem_format_version: 2025-09\nname: One\ntype: scoring\nlimits: {time_limit: 1}\n";
    let promised = |promise: &str| {
        let project = new(&["secret/a/1", "secret/b/1"])
            .file("p/problem.yaml", yaml)
            .file("p/data/secret/a/test_group.yaml", "max_score: 40\n")
            .file("p/data/secret/b/test_group.yaml", "max_score: 60\nrequire_pass: secret/a\n")
            .file("p/submissions/rejected/a.py", "print(2)\n");
        project.file("p/submissions/submissions.yaml", format!("rejected/a.py: {{secret/b: {{{promise}}}}}\n"))
    };
    let ran = verify(&promised("permitted: [AC]")).code(1);
    fails(&ran, "rejected/a.py", "secret/b/1 was skipped, but must be accepted");
    verify(&promised("permitted: [AC, WA]")).code(0);
    verify(&promised("required: [WA, TLE, RTE]")).code(0);
    fails(&verify(&promised("required: [WA]")).code(1), "rejected/a.py", "no case has the verdict WA");
}

#[test]
fn an_empty_list_of_verdicts_permits_any() {
    let project = new(&["secret/1"])
        .file("p/submissions/submissions.yaml", "mine/*: {permitted: [], required: []}\n")
        .file("p/submissions/mine/right.py", "print(1)\n")
        .file("p/submissions/mine/wrong.py", "print(2)\n");
    let ran = verify(&project).code(0);
    passes(&ran, "mine/right.py");
    passes(&ran, "mine/wrong.py");
}

#[test]
fn programs_that_were_not_judged_are_counted() {
    let project = new(&["secret/1"])
        .file("p/submissions/accepted/old.py", "#!/usr/bin/env python2\nprint 1\n")
        .file("p/submissions/wrong_answer/two.py", "print(2)\n");
    let ran = verify(&project).code(0);
    let line = check(&ran, "programs");
    assert_eq!((line["status"].as_str(), line["not_judged"].as_u64()), (Some("skip"), Some(1)), "{line}");
    assert_eq!(line["detail"], "1 of 2 programs were not judged: accepted/old.py");
    assert_eq!(line["warnings"][0], "no program that is expected to be accepted was run");
    project.run_with(&["verify", "p"], &[("NIMATRON_STRICT", "1")]).code(1);
    let ran = verify(&project.file("p/submissions/accepted/one.py", "print(1)\n")).code(0);
    assert!(check(&ran, "programs")["warnings"].is_null());
}
