//! Measures the time of one question and its answer in an interactive problem, on one CPU.
//!
//! Run it with `cargo bench --bench dialogue`. Three ways are measured in turn: an interactor and a program whose pipes
//! are connected directly, the same two programs with a minimal relay between them that records the dialogue, and
//! `nimatron run`. The time to start and end the programs is measured by a dialogue without questions and subtracted.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark panics on errors and prints its results")]

mod support;

use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::path::PathBuf;
use std::process::Command;

use support::{Folder, median, timed};

const QUESTIONS: u32 = 200_000;
const ROUNDS: usize = 7;

/// The problem, with the numbers of questions left out.
const SPEC: &str = "\
name: Echo
input: [{ n: 0..=1000000 }]
limits: { time: 30s, output: 64MiB }
interactor: ask.c
";
/// Asks as many questions as the first line of its input file states, and expects each question as the answer.
const INTERACTOR: &str = "\
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *input = argc > 1 ? fopen(argv[1], \"r\") : 0;
    int n, answer;
    if (!input || fscanf(input, \"%d\", &n) != 1) return 1;
    for (int i = 0; i < n; i++) {
        printf(\"%d\\n\", i);
        fflush(stdout);
        if (scanf(\"%d\", &answer) != 1 || answer != i) return 43;
    }
    return 42;
}
";
/// Repeats each line.
const PROGRAM: &str = "\
#include <stdio.h>
int main(void) {
    int number;
    while (scanf(\"%d\", &number) == 1) {
        printf(\"%d\\n\", number);
        fflush(stdout);
    }
}
";

/// Runs the dialogue of a test group in a folder.
type Way = fn(&Folder, &str);

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder { root: dir.path().to_owned() };
    // The programs that are started from here inherit the restriction to one CPU.
    nimatron::sandbox::pin_to_slot(0).unwrap();
    let tests = format!("tests: {{ none: [{{ input: \"0\\n\" }}], many: [{{ input: \"{QUESTIONS}\\n\" }}] }}\n");
    folder.write("problems/echo/problem.yaml", &format!("{SPEC}{tests}"));
    folder.write("problems/echo/programs/ask.c", INTERACTOR);
    folder.write("solutions/echo/accepted/reference.c", PROGRAM);
    for (name, source) in [("ask", INTERACTOR), ("echo", PROGRAM)] {
        folder.write(&format!("{name}.c"), source);
        let [source, program] = [format!("{name}.c"), name.to_owned()].map(|name| folder.root.join(name));
        assert!(Command::new("gcc").arg("-O2").arg("-o").arg(program).arg(source).status().unwrap().success());
    }
    folder.write("none", "0\n");
    folder.write("many", &format!("{QUESTIONS}\n"));
    judged(&folder, "none");
    let ways: [(&str, Way); 3] = [("bare pipes", connected), ("minimal relay", relayed), ("nimatron run", judged)];
    let mut times = ways.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((_, run), times) in ways.iter().zip(&mut times) {
            times.push(timed(|| run(&folder, "many")).saturating_sub(timed(|| run(&folder, "none"))));
        }
    }
    let medians = times.map(median);
    for ((name, _), time) in ways.iter().zip(medians) {
        println!(
            "{name:14} {:6.2} us a question and its answer, {:.2} times bare pipes",
            time.as_secs_f64() * 1e6 / f64::from(QUESTIONS),
            time.as_secs_f64() / medians[0].as_secs_f64(),
        );
    }
}

/// Judges the program on the case of a group.
fn judged(folder: &Folder, group: &str) {
    folder.nimatron(&["run", "echo", "echo.c", "--case", &format!("{group}/001")]);
}

/// Runs the interactor and the program with pipes that connect them directly.
fn connected(folder: &Folder, group: &str) {
    let ((program_in, interactor_out), (interactor_in, program_out)) = (pipe().unwrap(), pipe().unwrap());
    start_both(folder, group, (program_in, program_out), (interactor_in, interactor_out))();
}

/// Runs the interactor and the program with a relay between them that blocks on the side whose turn it is. It makes four
/// system calls for each question and its answer, the fewest that a relay in user space can make.
fn relayed(folder: &Folder, group: &str) {
    let (mut from_program, program_out) = pipe().unwrap();
    let (mut from_interactor, interactor_out) = pipe().unwrap();
    let (program_in, mut to_program) = pipe().unwrap();
    let (interactor_in, mut to_interactor) = pipe().unwrap();
    let wait = start_both(folder, group, (program_in, program_out), (interactor_in, interactor_out));
    let (mut buffer, mut transcript) = ([0; 4096], Vec::new());
    'dialogue: loop {
        let turns = [(&mut from_interactor, &mut to_program), (&mut from_program, &mut to_interactor)];
        for (from, to) in turns {
            let count = from.read(&mut buffer).unwrap();
            transcript.extend_from_slice(&buffer[..count]);
            if count == 0 || to.write_all(&buffer[..count]).is_err() {
                break 'dialogue;
            }
        }
    }
    drop((to_program, to_interactor));
    wait();
}

/// Starts the program and the interactor with these standard inputs and outputs. The returned function waits for both.
fn start_both(
    folder: &Folder,
    group: &str,
    program: (PipeReader, PipeWriter),
    interactor: (PipeReader, PipeWriter),
) -> impl FnOnce() {
    let start = |name: &str, args: &[PathBuf], (stdin, stdout): (PipeReader, PipeWriter)| {
        Command::new(folder.root.join(name)).args(args).stdin(stdin).stdout(stdout).spawn().unwrap()
    };
    let mut program = start("echo", &[], program);
    let mut interactor = start("ask", &[folder.root.join(group)], interactor);
    move || {
        assert_eq!(interactor.wait().unwrap().code(), Some(42));
        assert!(program.wait().unwrap().success());
    }
}
