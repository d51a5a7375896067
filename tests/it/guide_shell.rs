//! Runs the commands in the guides as a reader would type them, and compares what they print with what the guide shows.
//!
//! In a block `console`, a line that begins with `$ ` is a command, and the lines after it are its output. There, `…`
//! on a line of its own stands for any lines, and within a line for any text. A block with the word `file=PATH` is a
//! file that the reader saves.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints what it skips"
)]

use std::fmt::Write;
use std::net::TcpListener;
use std::sync::LazyLock;

use regex::Regex;

use crate::guide_blocks::{Block, blocks};
use crate::project::{Project, Ran};

/// The port of the server in the guides.
const PORT: &str = "8707";

/// Precede the output of a command and its exit code.
const BEGIN: &str = "@@begin";
const END: &str = "@@end";

/// The first lines of the shell script. `nimatron` is the tested binary, whose path is `$0`; the tests also run where
/// strong isolation is not available. What runs in the background ends with the script.
const START: &str = r#"
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
nimatron() {
    case $1 in
        grade) set -- "$@" --require D ;;
        # The process of the background job is then the server itself, which the trap ends.
        serve) set -- "$@" --require D --listen 127.0.0.1:PORT; exec "$0" "$@" ;;
    esac
    "$0" "$@"
}
"#;

/// What differs between two runs of a command: sizes, times, the slowest case, and the isolation level.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"just now|\d+ (s|min) ago|[\d.]+ (ms|s|B|KiB|MiB)\b|slowest [a-z]+/\d+|isolation [A-D]").unwrap()
});

/// A command of a guide.
pub(crate) struct Step {
    /// The name of the guide and the line of the block.
    pub(crate) place: String,
    pub(crate) command: String,
    /// The lines that the guide shows after it.
    shown: Vec<String>,
}

impl Step {
    /// Creates a command whose output is not compared.
    pub(crate) fn new(place: &str, command: &str) -> Step {
        Step { place: place.to_owned(), command: command.to_owned(), shown: Vec::new() }
    }
}

/// Returns the commands of a block.
fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block.text.lines() {
        match steps.last_mut() {
            _ if line.starts_with("$ ") => {
                steps.push(Step::new(&block.place, line.trim_start_matches("$ ")));
            }
            Some(step) if step.command.ends_with('\\') => step.command += &format!("\n{line}"),
            Some(step) => step.shown.push(line.to_owned()),
            None => panic!("{}: the block begins with `{line}`, which is not a command", block.place),
        }
    }
    steps
}

/// Returns a script that runs the commands and prints a line before and after the output of each.
fn script(steps: &[Step]) -> String {
    let mut script = START.to_owned();
    for Step { command, .. } in steps {
        let _ = match command.strip_suffix('&') {
            // The next command may need what this one starts, so it waits for the first line of its output.
            Some(command) => writeln!(
                script,
                "echo {BEGIN}\n{{ {command}\n}} </dev/null >background 2>&1 &\n\
                 for _ in {{1..600}}; do grep -q . background && break; sleep 0.1; done; cat background\necho {END} 0"
            ),
            None => writeln!(script, "echo {BEGIN}\n{{ {command}\n}} </dev/null 2>&1\necho {END} $?"),
        };
    }
    script
}

/// Replaces what differs between two runs, and runs of white space by one space.
fn normal(line: &str) -> String {
    VARIABLE.replace_all(line, "#").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells whether a line is as shown, where `…` stands for any text.
pub(crate) fn line_fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Tells whether an output is as shown.
fn fits(shown: &[String], lines: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((line, rest)) if line == "…" => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((line, rest)) => {
            lines.split_first().is_some_and(|(first, more)| line_fits(line, first) && fits(rest, more))
        }
    }
}

/// Returns the output of each command and its exit code.
fn outputs(ran: &Ran) -> Vec<(String, i32)> {
    let begin = format!("{BEGIN}\n");
    ran.stdout
        .split(&begin)
        .skip(1)
        .map(|part| {
            let (output, code) = part.rsplit_once(END).unwrap_or_else(|| panic!("the script ended early: {ran:#?}"));
            (output.to_owned(), code.trim().parse().unwrap())
        })
        .collect()
}

/// Runs commands one after the other in the folder of a project. Returns the output of each, and asserts that none ends
/// with an exit code of more than 1: the commands of guides are valid, and 1 is a verdict.
pub(crate) fn run_steps(project: &Project, steps: &[Step]) -> Vec<String> {
    // The port is free again after this line.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let script = script(steps).replace(PORT, &port).replace("PORT", &port);
    let ran = project.run_by("bash", &["-c", &script], &[]).unwrap();
    let outputs = outputs(&ran);
    assert_eq!(outputs.len(), steps.len(), "{ran:#?}");
    for (Step { place, command, .. }, (output, code)) in steps.iter().zip(&outputs) {
        assert!(*code <= 1, "{place}: `{command}` ended with exit code {code}:\n{output}");
    }
    outputs.into_iter().map(|(output, _)| output.replace(&port, PORT)).collect()
}

/// Runs the commands of a guide in a folder with the files that the guide shows.
pub(crate) fn follow(topic: &str) {
    follow_blocks(&blocks(topic));
}

/// Runs the commands in these blocks in a folder with the files that they show.
pub(crate) fn follow_blocks(blocks: &[Block]) {
    let files = blocks.iter().filter_map(|block| Some((block.file()?, &block.text)));
    let project = files.fold(Project::new(), |project, (path, text)| project.file(path, text));
    let steps: Vec<Step> = blocks.iter().filter(|block| block.language == "console").flat_map(steps).collect();
    assert!(!steps.is_empty(), "there are no commands");
    for (Step { place, command, shown }, output) in steps.iter().zip(run_steps(&project, &steps)) {
        let lines: Vec<String> = output.trim_end().lines().map(normal).collect();
        let shown: Vec<String> = shown.iter().map(|line| normal(line)).collect();
        assert!(fits(&shown, &lines), "{place}: the output of `{command}` is not as shown:\n{output}");
    }
}

/// Tells whether the programs are installed that a guide uses. Under `NIMATRON_STRICT=1` they must be.
pub(crate) fn installed(programs: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let missing = programs.iter().find(|name| !std::env::split_paths(&path).any(|folder| folder.join(name).exists()));
    if let Some(name) = missing {
        let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
        assert!(!strict, "NIMATRON_STRICT: {name} is not installed");
        println!("skipped: {name} is not installed");
    }
    missing.is_none()
}
