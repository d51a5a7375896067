//! Tests of `nimatron verify --strength`: mutants survive weak tests, and strong tests kill them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::guide_shell::installed;
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
#[ignore = "slow; .ci/run runs it"]
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

const C: &str = "\
#include <stdio.h>
static const int least = 10;
int main(void) {
    int n;
    if (scanf(\"%d\", &n) != 1) return 1;
    puts(n >= least ? \"big\" : \"small\");
    return 0;
}
";
const CPP: &str = "\
#include <iostream>
#include <string>
constexpr int least = 10;
int main() {
    int n;
    std::string word[2] = {\"small\", \"big\"}, *first = word + 0;
    while (std::cin >> n) std::cout << first[n >= least] + \"\\n\";
}
";
const JAVA: &str = "\
package games;

import java.util.List;
import java.util.Scanner;

class Rule {
    static final int LEAST = 10;

    static byte of(int n) {
        byte one = 1;
        return n >= LEAST ? one : 0;
    }
}

public class Size {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        System.out.println(List.of(\"small\", \"big\").get(Rule.of(n)));
    }
}
";
const PYTHON: &str = "\
import sys
LEAST = 10
n = int(sys.stdin.readline())
if n >= LEAST:
    print('big')
else:
    print('small')
";
const SCRIPT: &str = "\
const LEAST = 10
const n = Number(require('fs').readFileSync(0, 'utf8'))
console.log(n >= LEAST ? 'big' : 'small')
";
const GO: &str = "\
package main

import \"fmt\"

const least = 10

func isBig(n int) bool {
	return n >= least
}

func main() {
	var n int
	fmt.Scan(&n)
	word := \"small\"
	if isBig(n) {
		word = \"big\"
	}
	fmt.Println(word)
}
";

/// A mistake at the limit survives in every language, whether its mutants are switched, copied, or changed before they
/// are interpreted, and although some of them do not compile.
fn mistakes_at_the_limit_survive(compiler: &str, file: &str, program: &str) {
    if !installed(&[compiler]) {
        return;
    }
    // Few inputs, since some languages start slowly.
    let weak = WEAK.replace('3', "8").replace("15", "11");
    let folder = Project::new()
        .file("problems/size/problem.yaml", SPEC.replace("1..=20", "8..=11") + &weak)
        .file("problems/size/statement.md", "Say whether it is big.\n")
        .file(&format!("solutions/size/accepted/{file}"), program);
    let lines = folder.run(&["verify", "size", "--strength", "--json"]).code(1).json();
    let found = check(&lines);
    let survivors = found["survivors"].as_array().unwrap();
    let killed_by = |change: &str| {
        let survivor = survivors.iter().find(|survivor| survivor["change"] == change);
        assert!(survivor.is_some(), "{file}: {change} did not survive: {found}");
        survivor.unwrap()["killed_by"].as_str()
    };
    assert_eq!(killed_by("`>=` → `>`"), Some("10\n"), "{file}");
    assert_eq!(killed_by("`10` → `11`"), Some("10\n"), "{file}");
    assert_eq!(killed_by("`10` → `9`"), Some("9\n"), "{file}");
    assert_eq!(found["survived"], 3, "{file}: {found}");
    assert!(found["killed"].as_u64().unwrap() >= 9, "{file}: {found}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn references_in_c_are_mutated() {
    mistakes_at_the_limit_survive("gcc", "reference.c", C);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn references_in_cpp_are_mutated() {
    mistakes_at_the_limit_survive("g++", "reference.cpp", CPP);
}

#[test]
#[ignore = "seconds of CPU time; the crate `nimatron-mutants` tests the language"]
fn long_references_in_java_are_mutated() {
    mistakes_at_the_limit_survive("javac", "reference.java", JAVA);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn references_in_python_are_mutated() {
    mistakes_at_the_limit_survive("python3", "reference.py", PYTHON);
}

#[test]
#[ignore = "seconds of CPU time; the crate `nimatron-mutants` tests the language"]
fn long_references_in_javascript_are_mutated() {
    mistakes_at_the_limit_survive("node", "reference.js", SCRIPT);
    let module = SCRIPT.replace("require('fs').readFileSync", "readFileSync");
    let module = format!("import {{ readFileSync }} from 'fs'\n{module}");
    mistakes_at_the_limit_survive("node", "reference.mjs", &module);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn references_in_go_are_mutated() {
    mistakes_at_the_limit_survive("go", "reference.go", GO);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn another_accepted_solution_is_mutated_on_request() {
    let folder = project(WEAK).file("solutions/size/accepted/other.py", PYTHON);
    folder.run(&["verify", "size", "--strength=other"]).code(1).says("SURVIVES other.py:4:6 comparison");
    let missing = folder.run(&["verify", "size", "--strength=third.py"]).code(1);
    missing.says("has no accepted solution `third.py`; accepted solutions: accepted/other.py, accepted/reference.rs");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_solution_that_is_wrong_itself_is_told() {
    let wrong = C.replace("puts(n >= least ?", "if (n <= 0) n = 1;\n    puts(n >= least && n != 16 ?");
    let folder = project(WEAK).file("solutions/size/accepted/other.c", wrong);
    let found = folder.run(&["verify", "size", "--strength=other"]).code(1);
    found.says("other.c is not correct: its verdict on the input \"16\\n\" is `wrong answer`");
}

#[test]
fn only_a_single_file_in_a_known_language_is_mutated() {
    let folder = Project::new()
        .file("problems/size/problem.yaml", format!("{SPEC}{WEAK}"))
        .file("problems/size/statement.md", "Say whether it is big.\n")
        .file("solutions/size/accepted/reference/main.rs", format!("mod other;\n{REFERENCE}"))
        .file("solutions/size/accepted/reference/other.rs", "pub fn nothing() {}\n");
    folder.run(&["verify", "size", "--strength"]).code(0).says("has several files");
    folder.run(&["verify", "size", "--strength-time", "1s"]).code(2).complains("--strength");
    let folder = project(WEAK)
        .file("solutions/size/accepted/shell.sh", "read n; if [ \"$n\" -ge 10 ]; then echo big; else echo small; fi\n");
    folder
        .run(&["verify", "size", "--strength=shell.sh"])
        .code(0)
        .says("is written in Bash; only programs in Rust, C, C++");
}
