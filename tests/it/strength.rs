//! Tests of `nimatron verify --strength`: weak tests leave mutants alive, strong ones kill them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::project::Project;

const SPEC: &str = "\
name: Size
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input: [{ n: 1..=20 }]
answer: [{ size: [big, small] }]
tests:
";
const WEAK: &str = "  sample: [{ input: \"3\\n\" }, { input: \"15\\n\" }]\n";
const REFERENCE: &str = "\
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let n: u32 = line.trim().parse().unwrap();
    println!(\"{}\", if n >= LEAST { \"big\" } else { \"small\" });
}

const LEAST: u32 = 10;
";

fn project(tests: &str) -> Project {
    Project::new()
        .file("problems/size/problem.yaml", format!("{SPEC}{tests}"))
        .file("problems/size/statement.md", "Say whether it is big.\n")
        .file("solutions/size/accepted/reference.rs", REFERENCE)
}

fn check(lines: &[Value]) -> &Value {
    lines.iter().find(|line| line["check"] == "strength").unwrap()
}

#[test]
fn weak_tests_leave_mutants_alive_and_get_suggestions() {
    let weak = project(WEAK);
    let lines = weak.run(&["verify", "size", "--strength", "--json", "--jobs", "2"]).code(1).json();
    let found = check(&lines);
    assert_eq!(found["status"], "fail", "{found}");
    let survivors = found["survivors"].as_array().unwrap();
    let killed_by = |change: &str| {
        let survivor = survivors.iter().find(|survivor| survivor["change"] == change);
        survivor.unwrap_or_else(|| panic!("{change} did not survive: {found}"))["killed_by"].as_str().unwrap()
    };
    assert_eq!(killed_by("`>=` → `>`"), "10\n");
    assert_eq!(killed_by("`10` → `11`"), "10\n");
    assert_eq!(killed_by("`10` → `9`"), "9\n");
    assert!(survivors[0]["diff"].as_str().unwrap().contains("+    println!"), "{found}");
    assert_eq!(found["survived"], 3);
    assert_eq!(found["unreached"], serde_json::json!(["n = 1", "n = 20"]));
    weak.run(&["verify", "size", "--strength"]).code(1).says("SURVIVES reference.rs:5:25 comparison").says("n = 20");
}

#[test]
fn strong_tests_kill_all_mutants() {
    let strong =
        project(&format!("{WEAK}  edge: [{{ input: \"9\\n\" }}, {{ input: \"10\\n\" }}]\n  all: {{ every: {{}} }}\n"));
    let lines = strong.run(&["verify", "size", "--strength", "--json"]).code(0).json();
    let found = check(&lines);
    assert_eq!((&found["status"], found["strength"].as_f64()), (&Value::from("pass"), Some(100.0)), "{found}");
    assert_eq!((&found["survived"], &found["equivalent"]), (&Value::from(0), &Value::from(0)), "{found}");
    assert_eq!(found["unreached"], serde_json::json!([]));
    let group = |name: &str| found["groups"].as_array().unwrap().iter().find(|group| group["group"] == name).unwrap();
    assert_eq!(group("edge")["kills_alone"], 0, "another group contains all of its inputs");
    let few = project(&format!("{WEAK}  edge: [{{ input: \"9\\n\" }}, {{ input: \"10\\n\" }}]\n"));
    let lines = few.run(&["verify", "size", "--strength", "--json"]).code(0).json();
    let found = check(&lines);
    let edge = found["groups"].as_array().unwrap().iter().find(|group| group["group"] == "edge").unwrap();
    assert_eq!((&edge["kills_alone"], &edge["cases_needed"]), (&Value::from(3), &Value::from(2)), "{found}");
}

#[test]
fn only_a_reference_in_one_rust_file_is_mutated() {
    let folder = Project::new()
        .file("problems/size/problem.yaml", format!("{SPEC}{WEAK}"))
        .file("problems/size/statement.md", "Say whether it is big.\n")
        .file("solutions/size/accepted/reference/main.rs", format!("mod other;\n{REFERENCE}"))
        .file("solutions/size/accepted/reference/other.rs", "pub fn nothing() {}\n");
    folder.run(&["verify", "size", "--strength"]).code(0).says("not a single Rust file");
    folder.run(&["verify", "size", "--strength-time", "1s"]).code(2).complains("--strength");
}
