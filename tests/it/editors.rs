//! Tests that the settings in `guide editors` find the positions in the output of `nimatron run`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use regex::Regex;
use serde_json::Value;

use crate::project::{Project, Ran};

/// The programs, with the position of the first error of each and a word of its message.
const PROGRAMS: [(&str, &str, &str, &str); 4] = [
    ("bad.cpp", "#include <cstdio>\nint main() {\n    int x = nowhere;\n}\n", "3:13", "nowhere"),
    ("bad.c", "int main(void) { return nowhere; }\n", "1:25", "nowhere"),
    ("bad.rs", "fn main() {\n    println!(\"{}\", nowhere);\n}\n", "2:20", "nowhere"),
    ("bad.py", "def f(x):\n    return x[0]\nprint(f(1))\n", "3:0", "<module>"),
];

fn project() -> Project {
    let project = Project::new().file("a/1.in", "1\n").file("a/1.out", "1\n");
    PROGRAMS.iter().fold(project, |project, (name, text, ..)| project.file(&format!("a/{name}"), text))
}

/// Returns the block of this language in the guide.
fn block(language: &str) -> &'static str {
    let guide = include_str!("../../src/guide/editors.md");
    let (_, after) = guide.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0
}

/// Applies a problem matcher of VS Code to the lines of an output. Returns `FILE:LINE:COLUMN MESSAGE` of every match.
fn matches(matcher: &Value, output: &str) -> Vec<String> {
    let patterns = match &matcher["pattern"] {
        Value::Array(patterns) => patterns.clone(),
        single => vec![single.clone()],
    };
    let lines: Vec<&str> = output.lines().collect();
    let starts = lines.windows(patterns.len());
    starts
        .filter_map(|lines| {
            let mut found = serde_json::Map::new();
            for (pattern, line) in patterns.iter().zip(lines) {
                let captures = Regex::new(pattern["regexp"].as_str().unwrap()).unwrap().captures(line)?;
                for (key, group) in pattern.as_object().unwrap() {
                    let group = group.as_u64().and_then(|group| captures.get(usize::try_from(group).unwrap()));
                    found.extend(group.map(|text| (key.clone(), text.as_str().into())));
                }
            }
            let text = |key: &str| found.get(key).and_then(Value::as_str).unwrap_or("0");
            Some(format!("{}:{}:{} {}", text("file"), text("line"), text("column"), text("message")))
        })
        .collect()
}

fn judged(project: &Project, program: &str) -> Ran {
    project.run(&["run", "a", &format!("a/{program}"), "--color", "never"]).code(1)
}

#[test]
fn problem_matchers_of_vs_code_find_errors() {
    let tasks: Value = serde_json::from_str(block("json")).unwrap();
    let task = &tasks["tasks"][0];
    assert_eq!(task["args"].as_array().unwrap()[0], "run");
    let matchers = task["problemMatcher"].as_array().unwrap();
    let project = project();
    for (program, _, position, word) in PROGRAMS {
        let ran = judged(&project, program);
        let found: Vec<String> = matchers.iter().flat_map(|matcher| matches(matcher, &ran.stdout)).collect();
        let start = format!("{program}:{position} ");
        assert!(
            found.iter().any(|found| found.starts_with(&start) && found.contains(word)),
            "{found:?}: {}",
            ran.stdout
        );
    }
    // The lines about a wrong answer are not errors of a compiler.
    let wrong = project.file("a/wrong.py", "print(2)\n");
    let ran = judged(&wrong, "wrong.py");
    assert!(matchers.iter().all(|matcher| matches(matcher, &ran.stdout).is_empty()), "{}", ran.stdout);
}

#[test]
fn the_compiler_setting_of_vim_finds_errors() {
    if Command::new("vim").arg("--version").output().is_err() {
        eprintln!("skipped: vim is not installed");
        return;
    }
    let project = project().file("vim/compiler/nimatron.vim", block("vim"));
    for (program, _, position, word) in PROGRAMS {
        fs_err::write(project.path("out.txt"), judged(&project, program).stdout).unwrap();
        let entry = "bufname(v.bufnr) . ':' . v.lnum . ':' . v.col . ' ' . v.text";
        let commands = [
            "set encoding=utf-8 runtimepath+=vim".to_owned(),
            "compiler nimatron".to_owned(),
            "cd a".to_owned(),
            "cgetfile ../out.txt".to_owned(),
            format!("call writefile(map(getqflist(), {{_, v -> {entry}}}) + [&makeprg], '../found.txt')"),
            "qa!".to_owned(),
        ];
        let mut vim = Command::new("vim");
        vim.args(["-es", "-u", "NONE", "-i", "NONE", "-N"]).current_dir(project.path("."));
        for command in commands {
            vim.args(["-c", &command]);
        }
        assert!(vim.output().is_ok());
        let found = fs_err::read_to_string(project.path("found.txt")).unwrap();
        let start = format!("{program}:{position} ");
        assert!(found.lines().any(|line| line.starts_with(&start) && line.contains(word)), "{found}");
        assert!(found.lines().any(|line| line.starts_with("nimatron run .")), "{found}");
        assert!(!found.contains("aborting"), "{found}");
    }
}

#[test]
fn watch_writes_no_sequences_into_a_pipe() {
    let project = project();
    let mut child = project.start_with(&["watch", "a", "a/bad.py", "--notify"], &[("TERM", "xterm-256color")]);
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut text = String::new();
    while !text.contains("waiting for the next save") {
        text += &lines.next().unwrap().unwrap();
    }
    child.interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    text.extend(lines.map_while(Result::ok));
    assert!(!text.contains('\x1b'), "{text}");
}
