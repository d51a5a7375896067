//! Judges typical submissions and checks their verdicts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::project::{Project, SUM_RS, peak_memory};

#[track_caller]
fn verdict_of(program: &str, verdict: &str) {
    let project = Project::with_sum().file("a.rs", program);
    assert_eq!(project.verdict("a.rs"), verdict);
    let code = i32::from(verdict != "AC");
    project.run(&["run", "sum", "a.rs"]).code(code).says(verdict).silent();
}

#[test]
fn a_right_program_is_accepted() {
    verdict_of(SUM_RS, "AC");
}

#[test]
fn output_without_a_final_newline_is_accepted() {
    verdict_of(&SUM_RS.replace("println!", "print!"), "AC");
}

#[test]
fn a_byte_order_mark_is_tolerated() {
    verdict_of(&format!("\u{feff}{SUM_RS}"), "AC");
}

#[test]
fn a_program_that_ignores_its_input_is_wrong() {
    verdict_of("fn main() { println!(\"3\"); }", "WA");
}

#[test]
fn a_program_that_prints_nothing_is_wrong() {
    verdict_of("fn main() {}", "WA");
}

#[test]
fn a_crash_is_a_run_time_error() {
    verdict_of("fn main() { let v: Vec<i32> = vec![]; println!(\"{}\", v[std::env::args().count()]); }", "RTE");
}

#[test]
fn an_exit_code_is_a_run_time_error() {
    verdict_of("fn main() { std::process::exit(3); }", "RTE");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_never_ends_is_too_slow() {
    verdict_of("fn main() { let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); } }", "TLE");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_sleeps_is_idle() {
    verdict_of("fn main() { loop { std::thread::sleep(std::time::Duration::from_secs(9)); } }", "ILE");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_runs_at_the_deadline_after_sleeping_is_too_slow() {
    let program =
        "fn main() { std::thread::sleep(std::time::Duration::from_millis(2200)); loop { std::hint::spin_loop(); } }";
    let project = Project::with_sum().file("a.rs", program);
    project.run(&["run", "sum", "a.rs", "--case", "sample"]).code(1).says("TLE").silent();
}

#[test]
fn a_line_without_end_breaks_the_output_limit() {
    let program = "use std::io::Write; fn main() { let b = [b'1'; 65536]; let mut o = std::io::stdout().lock(); \
                   for _ in 0..16384 { if o.write_all(&b).is_err() { return; } } }";
    verdict_of(program, "OLE");
}

/// Judges a program on the samples in its folder, and returns the report and the largest amount of memory that the
/// judge used, in bytes.
fn memory_of_judge(project: &Project, program: &str) -> (String, u64) {
    let folder = format!("./{}", program.split_once('/').unwrap().0);
    let mut judge = project.start(&["run", &folder, program]);
    let mut most = 0;
    while judge.try_wait().unwrap().is_none() {
        most = peak_memory(judge.id()).unwrap_or(most);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(most > 0, "{program}: the judge ended before its memory was read");
    (String::from_utf8(judge.wait_with_output().unwrap().stdout).unwrap(), most)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn large_outputs_are_judged_in_little_memory() {
    let large = "1234567\n".repeat(5 << 20);
    let project = Project::new()
        .file("small/1.in", "1\n")
        .file("small/1.out", "1234567\n")
        .file("small/a.sh", "echo 1234567\n")
        .file("large/1.in", "1\n")
        .file("large/1.out", &large)
        .file("large/right.sh", "yes 1234567 | head -n 5242880 | tr '\\n' ' '\n")
        .file("large/wrong.sh", "yes 1234567 | head -n 5242879; echo 7654321\n")
        .file("large/flood.sh", "yes 1234567\n");
    let (_, usual) = memory_of_judge(&project, "small/a.sh");
    for (program, verdict) in [
        ("large/right.sh", "AC   accepted"),
        ("large/wrong.sh", "token 5242880: expected `1234567`, found `7654321`"),
        ("large/flood.sh", "OLE  output limit exceeded"),
    ] {
        let (report, memory) = memory_of_judge(&project, program);
        assert!(report.contains(verdict), "{program}: {report}");
        assert!(memory < usual + (24 << 20), "{program}: {} and not {} MiB", memory >> 20, usual >> 20);
    }
}

#[test]
fn binary_output_is_wrong_and_shown_safely() {
    let program =
        "use std::io::Write; fn main() { std::io::stdout().write_all(&[0, 255, 27, 91, 50, 74, 10]).unwrap(); }";
    verdict_of(program, "WA");
    let ran = Project::with_sum().file("a.rs", program).run(&["run", "sum", "a.rs"]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stdout.contains('\0'), "{:?}", ran.stdout);
}

#[test]
fn too_much_memory_breaks_the_limit() {
    let program =
        "fn main() { let mut all = vec![]; loop { all.push(vec![1u8; 1 << 20]); std::hint::black_box(&all); } }";
    let project = Project::with_sum().file("a.rs", program);
    let verdict = project.verdict("a.rs");
    // If only the address space is limited, the allocation fails and the program aborts.
    assert!(["MLE", "RTE"].contains(&verdict.as_str()), "{verdict}");
}

#[test]
fn a_child_killed_for_its_memory_is_a_memory_limit_although_the_parent_prints_a_wrong_answer() {
    let program = "import os\nif os.fork() == 0:\n    blocks = []\n    while True:\n        \
                   blocks.append(b'1' * (1 << 20))\nos.wait()\nprint('wrong')\n";
    let project = Project::with_sum().file("a.py", program);
    assert_eq!(project.verdict("a.py"), "MLE");
}

#[test]
fn a_memory_limit_in_which_the_program_cannot_start_is_a_memory_limit() {
    let project = Project::with_sum().file("a.py", "print(1)\n");
    let last = project.run(&["run", "sum", "a.py", "--memory", "64KiB", "--all-cases", "--json"]).code(1).last_json();
    assert_eq!(last["verdict"], "MLE", "{last}");
}

#[test]
fn a_compile_error_shows_the_compilers_words() {
    let project = Project::with_sum().file("a.rs", "fn main() { let x: i32 = \"a\"; }");
    assert_eq!(project.verdict("a.rs"), "CE");
    project.run(&["run", "sum", "a.rs"]).code(1).says("mismatched types").silent();
}

#[test]
fn a_wrong_answer_shows_input_position_and_command_to_rerun() {
    let program = SUM_RS.replace("{total}", "{}").replace("println!(\"{}\")", "println!(\"{}\", total.abs())");
    Project::with_sum()
        .file("a.rs", &program)
        .run(&["run", "sum", "a.rs"])
        .code(1)
        .says("tiny/001")
        .says("-1")
        .says("nimatron run sum a.rs --case tiny/001");
}

#[test]
fn a_single_case_is_rerun() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    let lines = project.run(&["run", "sum", "a.rs", "--case", "tiny/002", "--json"]).code(0).json();
    let cases: Vec<_> = lines.iter().filter(|line| line["event"] == "case_finished").collect();
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0]["case"], "tiny/002");
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let project = Project::with_sum().file("a.rs", "fn main() {}");
    let lines = project.run(&["run", "sum", "a.rs", "--fail-fast", "--json"]).code(1).json();
    let count = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!(count("case_finished"), 1);
    assert!(count("case_skipped") > 5);
}

#[test]
fn subtasks_are_scored() {
    let spec = crate::project::SUM
        .replace("tiny: { every: { n: 1..=2, a: -1..=1 } }", "tiny: { every: { n: 1..=2, a: 0..=1 }, points: 30 }")
        .replace("with: { n: 3..=9 } }", "with: { n: 3..=9, a: -9..=-1 }, points: 70, after: [tiny] }");
    let absolute = SUM_RS.replace("{total}", "{}").replace("println!(\"{}\")", "println!(\"{}\", total.abs())");
    let project = Project::with_sum().file("problems/sum/problem.yaml", spec).file("a.rs", &absolute);
    let last = project.run(&["run", "sum", "a.rs", "--json"]).code(1).last_json();
    assert_eq!((last["verdict"].as_str(), last["score"].as_str()), (Some("PT"), Some("30")));
    assert_eq!(last["max_score"], "100");
}

#[test]
fn json_lines_match_the_guide() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    let lines = project.run(&["run", "sum", "a.rs", "--json"]).code(0).json();
    assert!(lines[0]["format"].is_number(), "{}", lines[0]);
    let case = lines.iter().find(|line| line["event"] == "case_finished").unwrap();
    for key in ["case", "group", "verdict", "cpu_ms", "wall_ms", "memory_bytes"] {
        assert!(!case[key].is_null(), "{key} in {case}");
    }
    let last = lines.last().unwrap();
    assert_eq!(last["event"], "run_finished");
    for key in ["problem", "program", "verdict", "score", "max_score", "cases", "isolation", "faults"] {
        assert!(!last[key].is_null(), "{key} in {last}");
    }
    assert_eq!(last["score"], "100");
}

#[test]
fn the_judgement_does_not_depend_on_the_number_of_jobs() {
    let project = Project::with_sum().file("a.rs", SUM_RS.replace("total}", "total:02}"));
    let told = |jobs: &str| {
        let lines = project.run(&["run", "sum", "a.rs", "--json", "--jobs", jobs]).code(1).json();
        lines
            .iter()
            .filter(|line| !line["case"].is_null())
            .map(|line| format!("{} {} {}", line["event"], line["case"], line["verdict"]))
            .collect::<Vec<_>>()
    };
    let alone = told("1");
    assert_eq!(alone, told("2"));
    assert_eq!(alone, told("7"));
}

#[test]
fn a_junit_report_is_written() {
    let project = Project::with_sum().file("a.rs", "fn main() { println!(\"0\"); }");
    project.run(&["run", "sum", "a.rs", "--junit", "out.xml"]).code(1);
    let text = fs_err::read_to_string(project.path("out.xml")).unwrap();
    assert!(text.contains("<testsuite") && text.contains("tiny/001") && text.contains("failure"), "{text}");
}
