//! Tests of `nimatron stress`: finding and minimizing inputs that a program fails.

use std::time::Duration;

use nimatron::model::{ByteSize, TimeSpan, Verdict};
use nimatron::runner::{BuiltProgram, Host, PreparedProblem};
use nimatron::sandbox::{Cancel, best_available};
use nimatron::stress::{Hunt, HuntEnd, Pool, hunt};

use crate::project::{Project, SUM, SUM_RS};

/// A program for `sum` that executes `what` on the list `all` (whose first element is n) and prints the sum.
fn sum_that(what: &str) -> String {
    let read = "let all: Vec<i64> = text.split_whitespace().map(|w| w.parse().unwrap()).collect();";
    let print = "println!(\"{}\", all[1..].iter().sum::<i64>() + more);";
    SUM_RS
        .replace("let total: i64 = text.split_whitespace().skip(1).map(|w| w.parse::<i64>().unwrap()).sum();", read)
        .replace("println!(\"{total}\");", &format!("let more: i64 = {{ {what} }};\n    {print}"))
}

/// Returns a program in C for `sum` that executes `what` after it has read n.
fn in_c(what: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{\n    int n, a, sum = 0;\n    \
         scanf(\"%d\", &n);\n    {what}\n    while (n-- && scanf(\"%d\", &a) == 1) sum += a;\n    \
         printf(\"%d\\n\", sum);\n}}\n"
    )
}

#[test]
fn a_wrong_answer_is_found_minimized_and_kept() {
    let project = Project::with_sum().file("a.rs", sum_that("if all[1..].iter().any(|x| *x < -7) { 1 } else { 0 }"));
    let ran = project.run(&["stress", "sum", "a.rs"]).code(1).silent();
    let ran = ran.says("wrong answer").says("minimal").says("nimatron run sum a.rs --input sum-fail.in");
    assert_eq!(fs_err::read_to_string(project.path("sum-fail.in")).unwrap(), "1\n-8\n", "{ran:?}");
    project.run(&["run", "sum", "a.rs", "--input", "sum-fail.in"]).code(1).says("expected `-8`").silent();

    let same = |jobs: &str| {
        let ran = project.run(&["stress", "sum", "a.rs", "--json", "--jobs", jobs]).code(1).silent();
        let last = ran.last_json();
        assert_eq!((&last["event"], &last["verdict"]), (&"stress_finished".into(), &"WA".into()));
        assert_eq!((&last["found"], &last["minimal"]), (&true.into(), &true.into()));
        assert_eq!(last["size_after"], 5);
        assert!(last["size_before"].as_u64() >= Some(5) && last["tests"].as_u64() > Some(1), "{last}");
        (last["test"].clone(), last["size_before"].clone())
    };
    assert_eq!(same("1"), same("4"), "the failing test with the lowest number is reported");
    assert!(project.path("sum-fail-3.in").is_file(), "existing files are not overwritten");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_kind_of_failure_is_found() {
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", SUM.replace("256MiB", "64MiB"))
        .file("crash.c", in_c("if (n > 10) abort();"))
        .file("loops.c", in_c("if (n > 15) for (;;);"))
        .file("eats.c", in_c("if (n > 20) { char *volatile all = malloc(1 << 29); memset(all, 1, 1 << 29); }"))
        .file("talks.c", in_c("if (n > 18) for (int i = 0; i < 1 << 21; i++) putchar(' ');"));
    // On a busy machine, 64 MiB take longer than 100 ms.
    for (program, verdict, smallest, time) in [
        ("crash", "RTE", 11, "1s"),
        ("loops", "TLE", 16, "100ms"),
        ("eats", "MLE", 21, "5s"),
        ("talks", "OLE", 19, "1s"),
    ] {
        let file = format!("{program}.c");
        let args = ["stress", "sum", &file, "--json", "--out", "x.in", "--time", time, "--shrink", "4"];
        let last = project.run(&args).code(1).silent().last_json();
        assert_eq!(last["verdict"], verdict, "{last}");
        let text = fs_err::read_to_string(project.path("x.in")).unwrap();
        let n: u64 = text.lines().next().unwrap().parse().unwrap();
        assert!(n >= smallest && (n == smallest || last["minimal"] == false), "{program}: {n} in {last}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_right_program_survives() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    let ran = project.run(&["stress", "sum", "a.rs", "--count", "300"]).code(0).silent();
    ran.says("nothing found in 300 tests").says("--seed 2");
    let last = project.run(&["stress", "sum", "a.rs", "--seconds", "1", "--json"]).code(0).last_json();
    assert_eq!((&last["found"], &last["verdict"]), (&false.into(), &serde_json::Value::Null));
    assert!(last["input"].is_null() && last["tests"].as_u64() > Some(0), "{last}");
    assert!(!project.path("sum-fail.in").exists());
    let few = SUM
        .replace("1..=100\n", "1..=2\n")
        .replace("-1000..=1000", "-3..=3")
        .replace("  random: { count: 5, with: { n: 3..=9 } }\n", "");
    let project = Project::with_sum().file("problems/sum/problem.yaml", few).file("a.rs", SUM_RS);
    project.run(&["stress", "sum", "a.rs"]).code(0).says("fails on none of the 56 possible inputs").silent();
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn answers_may_come_from_another_program() {
    let project = Project::with_sum()
        .file("a.rs", SUM_RS)
        .file("other.rs", sum_that("if all[0] == 3 { 1 } else { 0 }"))
        .file("fails.rs", sum_that("assert!(all[0] < 3, \"too many\"); 0"));
    let ran = project.run(&["stress", "sum", "a.rs", "--against", "other.rs"]).code(1).silent();
    ran.says("--input sum-fail.in --against other.rs").says("expected `1`");
    assert_eq!(fs_err::read_to_string(project.path("sum-fail.in")).unwrap(), "3\n0 0 0\n");
    project.run(&["run", "sum", "a.rs", "--input", "sum-fail.in", "--against", "other.rs"]).code(1);
    project.run(&["run", "sum", "a.rs", "--input", "sum-fail.in"]).code(0).says("AC");
    let ran = project.run(&["stress", "sum", "a.rs", "--against", "fails.rs"]).code(2);
    ran.complains("fails.rs`, which provides the answers, failed").complains("too many").complains("sum-fail-2.in");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_found_input_can_be_added_to_the_tests() {
    let spec = format!("# of ours\n{SUM}  # the end\n");
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", &spec)
        .file("a.rs", sum_that("if all[1..].contains(&77) { 1 } else { 0 }"));
    project.run(&["generate", "sum", "--update-lock"]).code(0);
    project.run(&["run", "sum", "a.rs"]).code(0);
    let ran = project.run(&["stress", "sum", "a.rs", "--add"]).code(1);
    ran.says("added to the group `found`").says("tests.lock").silent();
    let added = fs_err::read_to_string(project.path("problems/sum/problem.yaml")).unwrap();
    let found = "  found:\n    - input: \"1\\n77\\n\"\n";
    assert_eq!(added.replace(found, ""), spec, "all else stays");
    project.run(&["generate", "sum"]).code(0).says("0 newly generated");
    project.run(&["run", "sum", "a.rs", "--case", "found"]).code(1).says("WA");
    project.run(&["stress", "sum", "a.rs", "--add"]).code(1).says("already contains this input");
    let last = project.run(&["stress", "sum", "a.rs", "--add", "--json"]).code(1).last_json();
    assert_eq!(last["added"], false, "{last}");
    let nim = Project::new().own_cache().file("a.rs", SUM_RS);
    nim.run(&["stress", "classic-nim", "a.rs", "--add"]).code(2).complains("built into the binary");
}

#[test]
fn the_answer_of_a_game_is_explained() {
    let project =
        Project::new().file("a.py", "input()\nprint('Yes' if sum(map(int, input().split())) % 2 else 'No')\n");
    let ran = project.run(&["stress", "classic-nim", "a.py"]).code(1).silent();
    ran.says("why the expected answer is right").says("with perfect play").says("nim-sum").says("a perfect game: take");
    let last = project.run(&["stress", "classic-nim", "a.py", "--json"]).code(1).last_json();
    let why = &last["why"][0];
    assert_eq!((&why["ended"], why["line"].as_array().map(Vec::is_empty)), (&true.into(), Some(false)), "{last}");
}

#[test]
fn invalid_requests_of_stress_are_rejected() {
    let project = Project::with_sum().file("a.rs", SUM_RS).file("bad.rs", "fn main() { let x: i32 = \"\"; }");
    project.run(&["stress", "sum", "a.rs", "--seconds", "0"]).code(2).complains("--seconds");
    project.run(&["stress", "sum", "a.rs", "--count", "0"]).code(2).complains("--count");
    project.run(&["stress", "sum", "gone.rs"]).code(2).complains("gone.rs");
    project.run(&["stress", "sum", "a.rs", "--against", "gone.rs"]).code(2).complains("gone.rs");
    project.run(&["stress", "sum", "a.rs", "--against", "bad.rs"]).code(2).complains("bad.rs does not compile");
    project.run(&["stress", "sum", "bad.rs"]).code(1).says("compile error").says("mismatched types");
    let last = project.run(&["stress", "sum", "bad.rs", "--json"]).code(1).last_json();
    assert_eq!((&last["found"], &last["verdict"]), (&false.into(), &"CE".into()));
    fs_err::write(project.path("bad.in"), "2\n1\n").unwrap();
    project.run(&["run", "sum", "a.rs", "--input", "bad.in"]).code(2).complains("bad.in is not a valid input for sum");
    project.run(&["run", "sum", "a.rs", "--input", "gone.in"]).code(2).complains("gone.in");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_interrupted_search_reports_its_progress() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    project.run(&["run", "sum", "a.rs"]).code(0);
    let child = project.start(&["stress", "sum", "a.rs", "--seconds", "100"]);
    std::thread::sleep(Duration::from_secs(3));
    child.interrupt();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("stopped after"), "{output:?}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_pool_serves_many_searches() {
    let project = Project::with_sum().file("a.rs", SUM_RS).file("b.rs", sum_that("i64::from(all.contains(&2))"));
    let cache = project.path("cache");
    let cancel = Cancel::new().unwrap();
    let sandbox = best_available(env!("CARGO_BIN_EXE_nimatron").into(), cancel.clone(), None, (None, 0)).unwrap();
    let host = Host::new(sandbox, &cancel, &cache, None, 2).unwrap();
    let problem = nimatron::problem::load(&project.path("problems/sum")).unwrap();
    let prepared = PreparedProblem::of_problem(&host, problem.clone()).unwrap();
    let cases = prepared.cases(&host, &|_, _| {}).unwrap();
    let pool = Pool::new(&host, &problem, cases, 1).unwrap().keeping(ByteSize::mib(16));
    let limits = nimatron::model::Limits { cpu: TimeSpan::seconds(5), wall: TimeSpan::seconds(20), ..problem.limits };
    let wanted = Hunt { seconds: None, count: Some(100), limits, slots: None };
    let built = |file: &str| {
        let source = host.languages().load(&project.path(file), None).unwrap();
        BuiltProgram::build_valid(&host, &source, file).unwrap()
    };
    let (right, wrong) = (built("a.rs"), built("b.rs"));
    let hunted = |program| hunt(&pool, program, &wanted, &mut |_| {}).unwrap();
    let first = hunted(&right);
    assert_eq!((&first.end, first.progress.tests), (&HuntEnd::Spent, 100));
    // The build of the reference is removed, so the run must use cached data.
    fs_err::remove_dir_all(cache.join("builds")).unwrap();
    let rebuilt = built("b.rs");
    let HuntEnd::Found(found) = hunted(&rebuilt).end else { panic!("nothing found") };
    assert_eq!(found.failure.verdict, Verdict::WrongAnswer);
    let HuntEnd::Found(again) = hunted(&wrong).end else { panic!("nothing found") };
    assert_eq!((found.number, &found.input), (again.number, &again.input));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn validators_check_every_tested_input() {
    let even = "use nimatron_kit::*;\nfn main() -> std::process::ExitCode {\n    validator(|input, _| {\n        \
                let n: i64 = input.int(1..=100)?;\n        if n % 2 == 1 { return Err(input.complaint(\"odd\")) }\n        \
                input.line()?;\n        input.line()?;\n        input.end()\n    })\n}\n";
    let spec = SUM.replace("answer:\n", "validator: even.rs\nanswer:\n");
    let spec = spec.replace("n: 1..=2, a", "n: 2..=2, a").replace("n: 3..=9", "n: 4..=4");
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", spec)
        .file("problems/sum/programs/even.rs", even)
        .file("odd.rs", sum_that("all[0] % 2"))
        .file("long.rs", sum_that("i64::from(all[0] > 6)"));
    let ran = project.run(&["stress", "sum", "odd.rs", "--count", "300"]).code(0).silent();
    ran.says("nothing found");
    project.run(&["stress", "sum", "long.rs"]).code(1).silent();
    let found = fs_err::read_to_string(project.path("sum-fail.in")).unwrap();
    let n: u64 = found.lines().next().unwrap().parse().unwrap();
    assert!(n > 6 && n.is_multiple_of(2), "{found}");
}
