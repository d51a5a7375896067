//! Tests of the command line other than judging: lists, statements, `verify`, `generate`, `new`, `watch`, interrupts.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::project::{Project, SUM, SUM_RS};

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_binary_works_in_an_empty_directory() {
    let right = include_str!("../../solutions/classic-nim/accepted/reference.rs");
    let project = Project::new().own_cache().file("a.rs", right);
    project.run(&["list"]).code(0).says("classic-nim").says("three-player-nim").silent();
    project.run(&["run", "classic-nim", "a.rs", "--case", "sample"]).code(0).says("AC").silent();
}

#[test]
fn the_help_of_each_command_begins_with_its_description() {
    let project = Project::new();
    let help = project.run(&["--help"]).code(0).stdout;
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let rows: Vec<_> = rows.filter_map(|row| row.trim().split_once("  ")).filter(|row| row.0 != "help").collect();
    assert!(rows.len() >= 20, "{help}");
    for (command, description) in rows {
        let text = project.run(&[command, "--help"]).code(0).stdout;
        assert!(text.starts_with(description.trim()), "{command}: {text}");
    }
}

#[test]
fn a_solved_problem_is_marked() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    let solved = |ran: crate::project::Ran| {
        let rows = ran.json();
        rows.into_iter().find(|row| row["id"] == "sum").unwrap()["solved"].as_bool().unwrap()
    };
    assert!(!solved(project.run(&["list", "--json"]).code(0)));
    project.run(&["run", "sum", "a.rs", "-q"]).code(0);
    assert!(solved(project.run(&["list", "--json"]).code(0)));
}

#[test]
fn a_statement_is_shown_with_its_formulas() {
    let project = Project::new();
    project.run(&["show", "classic-nim"]).code(0).says("Classic Nim").says("≤").silent();
    project.run(&["show", "classic-nim", "--lang", "zh"]).code(0).silent();
    project.run(&["show", "classic-nim", "--lang", "xx"]).code(2).complains("zh");
    project.run(&["show", "classic-nim", "--raw"]).code(0).says("$");
}

#[test]
fn a_new_problem_verifies() {
    let project = Project::new();
    project.run(&["new", "my-problem"]).code(0).silent();
    project.run(&["generate", "my-problem", "--update-lock"]).code(0).silent();
    project.run(&["verify", "my-problem"]).code(0).says("1 of 1 problems verified").silent();
    project.run(&["new", "my-problem"]).code(2).complains("already exists");
    project.run(&["new", "My Problem"]).code(2).complains("lower-case");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn verify_reports_unexpected_verdicts() {
    let project = Project::with_sum()
        .file("solutions/sum/wrong_answer/right.rs", SUM_RS)
        .file("solutions/sum/run_time_error/silent.rs", "fn main() {}")
        .file("solutions/sum/accepted/torn.rs", "fn main() {");
    let ran = project.run(&["verify", "sum", "--json"]).code(1);
    let lines = ran.json();
    let status = |check: &str| {
        lines.iter().find(|line| line["check"] == check).unwrap_or_else(|| panic!("{check}: {ran:?}"))["status"].clone()
    };
    assert_eq!(status("wrong_answer/right.rs"), "fail");
    assert_eq!(status("run_time_error/silent.rs"), "fail");
    assert_eq!(status("accepted/reference.rs"), "pass");
    let torn = lines.iter().find(|line| line["check"] == "accepted/torn.rs").unwrap();
    assert!(torn["status"] == "fail" && torn["notes"].as_str().unwrap().contains("unclosed delimiter"), "{torn}");
    assert_eq!(status("lock"), "skip");
    assert_eq!(lines.last().unwrap()["event"], "verify_finished");
    // With `--fail-fast` the result is the same, but fewer cases are run.
    let hasty = project.run(&["verify", "sum", "--json", "--fail-fast"]).code(1).json();
    let failed = |lines: &[Value]| {
        let line = lines.iter().find(|line| line["check"] == "run_time_error/silent.rs").unwrap();
        line["failed_cases"].as_u64().unwrap()
    };
    assert_eq!(lines.len(), hasty.len());
    assert!(failed(&lines) > 4 && (1..=4).contains(&failed(&hasty)), "{} {}", failed(&lines), failed(&hasty));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn generated_data_is_deterministic() {
    let generator = "use nimatron_kit::*;\nfn main() -> std::process::ExitCode {\n    generator(|args| {\n        \
                     let (n, mut random) = (args.get::<usize>(\"n\")?, args.random()?);\n        \
                     let all: Vec<i64> = (0..n).map(|_| random.between(-1000, 1000)).collect();\n        \
                     Ok(format!(\"{n}\\n{}\\n\", joined(&all)))\n    })\n}\n";
    let made = |jobs: &str, spec: &str, update: bool| {
        let project = Project::with_sum().own_data().file("problems/sum/problem.yaml", spec);
        let project = project.file("problems/sum/programs/numbers.rs", generator);
        project.run(&["generate", "sum", "--jobs", jobs, "--out", "out"]).code(0);
        if update {
            project.run(&["generate", "sum", "--update-lock"]).code(0).says("0 newly generated");
            return fs_err::read_to_string(project.path("problems/sum/tests.lock")).unwrap();
        }
        fs_err::read_to_string(project.path("out/manifest.json")).unwrap()
    };
    let spec = format!("{SUM}  made: {{ count: 6, program: numbers.rs, args: \"n={{3,40}}\" }}\n");
    let spec = spec.as_str();
    let once = made("1", spec, false);
    assert_eq!(once, made("1", spec, false), "twice");
    assert_eq!(once, made("4", spec, false), "with four jobs");
    let more = spec.replace("  tiny:", "  first: { count: 2 }\n  tiny:");
    let (before, after) = (made("1", spec, true), made("2", &more, true));
    for line in before.lines() {
        assert!(after.contains(line), "an unrelated group changed {line}");
    }
}

#[test]
fn data_that_differs_from_the_lock_is_reported() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    project.run(&["generate", "sum", "--update-lock"]).code(0);
    project.run(&["generate", "sum"]).code(0).says("0 newly generated");
    fs_err::write(project.path("problems/sum/problem.yaml"), SUM.replace("n: 3..=9", "n: 3..=8")).unwrap();
    project.run(&["generate", "sum"]).code(1).says("has a different input");
    project.run(&["run", "sum", "a.rs"]).code(2).complains("--update-lock");
    project.run(&["verify", "sum"]).code(1).says("has a different input");
    project.run(&["generate", "sum", "--update-lock"]).code(0);
    project.run(&["run", "sum", "a.rs"]).code(0);
}

#[test]
fn tests_are_written_for_another_judge() {
    let project = Project::with_sum();
    project.run(&["generate", "sum", "--out", "out", "--names", "{nn}.in {nn}.out"]).code(0).silent();
    assert_eq!(fs_err::read_to_string(project.path("out/01.in")).unwrap(), "2\n1 2\n");
    assert_eq!(fs_err::read_to_string(project.path("out/01.out")).unwrap(), "3\n");
    let zip = |name: &str| {
        project.run(&["generate", "sum", "--out", name]).code(0);
        fs_err::read(project.path(name)).unwrap()
    };
    let (one, two) = (zip("one.zip"), zip("two.zip"));
    assert!(one == two && one.starts_with(b"PK"), "archives are reproducible");
}

#[test]
fn guides_schema_completions_and_man_page_are_printed() {
    let project = Project::new();
    let topics = project.run(&["guide"]).code(0).silent().stdout;
    for topic in topics.lines().map(|line| line.split(' ').next().unwrap()) {
        project.run(&["guide", topic]).code(0).silent();
    }
    let schema: serde_json::Value = serde_json::from_str(&project.run(&["schema"]).code(0).silent().stdout).unwrap();
    assert!(schema["properties"]["tests"].is_object(), "{schema}");
    for named in
        ["games", "glossary", "input", "introduction", "judging", "languages", "problems", "sandbox", "strength"]
    {
        assert!(topics.contains(named), "other texts refer to the guide {named}");
    }
    project.run(&["completions", "bash"]).code(0).says("nimatron").silent();
    project.run(&["man"]).code(0).says(".TH").silent();
    project.run(&["doctor"]).code(0).says("isolation").says("rust").silent();
    let doctor = project.run(&["doctor", "--json"]).code(0).last_json();
    assert!(doctor["isolation"]["level"].is_string() && doctor["languages"].as_array().unwrap().len() > 10, "{doctor}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn doctor_says_that_a_compiler_is_too_old_for_the_references() {
    let project = Project::new().own_cache();
    let folder = project.path("old");
    let script = format!(
        "#!/bin/sh\ncase $1 in --print) echo '{}' ;; *) echo 'rustc 1.63.0 (4b91a6ea7 2022-08-08)' ;; esac\n",
        folder.display()
    );
    let project = project.file("old/bin/rustc", script);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(project.path("old/bin/rustc"), mode).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.join("bin").display());
    let doctor = project.run_with(&["doctor"], &[("PATH", &path)]).code(0);
    doctor.says("Rust: version 1.63.0 is too old for the references of the built-in problems").says("rustc-web");
    let doctor = project.run_with(&["doctor", "--json"], &[("PATH", &path)]).code(0).last_json();
    let rows = doctor["languages"].as_array().unwrap();
    let old = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap()["too_old"].is_string();
    assert!(old("rust") && !old("cpp"), "{doctor}");
}

#[test]
fn a_closed_pipe_ends_quietly_and_is_not_taken_for_accepted() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    project.run(&["run", "sum", "a.rs"]).code(0);
    let ended = |args: &[&str]| {
        let mut child = project.start(args);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        output.status.code()
    };
    assert_eq!(ended(&["run", "sum", "a.rs", "--json"]), Some(3));
    assert_eq!(ended(&["list"]), Some(0));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn lost_blobs_are_regenerated_for_the_right_case() {
    let project = Project::with_sum().own_cache();
    project.run(&["generate", "sum", "--out", "before"]).code(0);
    std::fs::remove_dir_all(project.path("cache/blobs")).unwrap();
    let more = SUM.replace("  tiny:", "  first: { count: 3, with: { n: 50 } }\n  tiny:");
    let project = project.file("problems/sum/problem.yaml", more);
    project.run(&["generate", "sum", "--out", "after"]).code(0);
    for case in ["tiny-001", "tiny-007", "random-005"] {
        let read = |folder: &str| fs_err::read_to_string(project.path(&format!("{folder}/{case}.in"))).unwrap();
        assert_eq!(read("before"), read("after"), "{case}");
    }
    assert!(fs_err::read_to_string(project.path("after/first-001.in")).unwrap().starts_with("50\n"));
}

#[test]
fn ctrl_c_stops_cleanly_and_reports_what_is_known() {
    let forever = "fn main() { let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); } }";
    let spec = SUM.replace("time: 1s", "time: 20s");
    let project = Project::with_sum().file("problems/sum/problem.yaml", spec).file("a.rs", forever);
    let mut child = project.start(&["run", "sum", "a.rs", "--json"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().contains("case_started") {}
    let started = Instant::now();
    child.interrupt();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(started.elapsed() < Duration::from_secs(18), "{:?}", started.elapsed());
    let last = rest.last().unwrap();
    assert!(last.contains("run_finished") && last.contains("cancelled"), "{last}");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn skipped_cases_are_counted_and_not_listed() {
    let forever = "fn main() { let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); } }";
    let spec = SUM.replace("time: 1s", "time: 20s");
    let project = Project::with_sum().file("problems/sum/problem.yaml", spec).file("a.rs", forever);
    let mut child = project.start(&["run", "sum", "a.rs"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().contains("cases") {}
    std::thread::sleep(Duration::from_millis(300));
    child.interrupt();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.iter().any(|line| line.contains("stopped: 0 of 18 cases judged")), "{rest:#?}");
    assert!(!rest.iter().any(|line| line.contains("cancelled")), "{rest:#?}");
}

#[test]
fn messages_of_interpreters_name_the_source_file() {
    let program = "fn main() { let v: Vec<i32> = vec![]; println!(\"{}\", v[std::env::args().count()]); }";
    let project = Project::with_sum().file("mine.rs", program);
    let ran = project.run(&["run", "sum", "mine.rs"]).code(1).says("index out of bounds");
    assert!(!ran.stdout.contains("/builds/"), "{}", ran.stdout);
}

#[test]
fn watch_judges_again_at_every_save() {
    let project = Project::with_sum().file("a.rs", "fn main() {}");
    let mut child = project.start(&["watch", "sum", "a.rs", "-q"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |text: &str| while !lines.next().unwrap().unwrap().contains(text) {};
    until("waiting");
    fs_err::write(project.path("a.rs"), SUM_RS).unwrap();
    until("AC");
    until("waiting");
    child.interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_derived_time_limit_is_reported_and_at_least_a_second() {
    let spec = SUM.replace("time: 1s", "time: auto");
    let slow = "fn main() { let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); } }";
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", spec)
        .file("solutions/sum/time_limit_exceeded/slow.rs", slow)
        .file("a.rs", slow);
    let lines = project.run(&["run", "sum", "a.rs", "--case", "sample", "--json"]).code(1).json();
    let case = lines.iter().find(|line| line["event"] == "case_finished").unwrap();
    assert_eq!(case["verdict"], "TLE");
    let cpu = case["cpu_ms"].as_f64().unwrap();
    // The program is stopped at twice the limit.
    assert!((1000.0..2500.0).contains(&cpu), "{cpu}");
    // This solution is measured before the slow one.
    project
        .file("solutions/sum/time_limit_exceeded/quick.rs", SUM_RS)
        .run(&["run", "sum", "a.rs"])
        .code(2)
        .complains("a limit of 1s requires `time_limit_exceeded/quick.rs` to run for more than 1500ms");
}

#[test]
fn a_new_problem_is_created_in_the_problems_folder() {
    let project = Project::new();
    std::fs::create_dir_all(project.path("course/problems")).unwrap();
    project.run(&["new", "sum-up", "--problems", "course/problems"]).code(0).says("verify sum-up --problems");
    assert!(project.path("course/problems/sum-up/problem.yaml").is_file());
    assert!(project.path("course/solutions/sum-up/accepted/reference.rs").is_file());
}

#[test]
fn a_linked_problem_is_listed_once() {
    let project = Project::with_sum();
    std::os::unix::fs::symlink("sum", project.path("problems/alias")).unwrap();
    let list = project.run(&["list", "--json"]).code(0).stdout;
    assert_eq!(list.matches("\"id\":\"sum\"").count(), 1, "{list}");
    assert!(!list.contains("alias"), "{list}");
}

#[test]
fn json_output_ends_with_a_final_event_on_faults() {
    let project = Project::with_sum().own_data().file("a.rs", SUM_RS).file("cache/blobs", "in the way");
    let ran = project.run(&["run", "sum", "a.rs", "--json"]).code(3);
    let last = ran.last_json();
    assert_eq!((&last["event"], &last["verdict"]), (&"run_finished".into(), &"JE".into()), "{ran:?}");
    assert!(last["faults"].as_array().is_some_and(|faults| faults.len() == 1), "{ran:?}");
}
