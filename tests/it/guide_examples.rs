//! Runs the commands in the guides that are examples without an output: the lines that begin with `nimatron` in blocks
//! without a language. They name files that a reader is assumed to have; the tests make them.

use crate::guide_blocks::{Block, blocks, blocks_of};
use crate::guide_shell::{Step, installed, run_steps};
use crate::project::Project;

/// The commands that are not run here, by how they begin.
const ELSEWHERE: [(&str, &str); 6] = [
    ("nimatron serve", "runs until it is interrupted; the guide to the API starts it"),
    ("nimatron verify my-problem --strength", "takes long; `strength.rs` tests it"),
    ("nimatron watch", "runs until it is interrupted; `everyday.rs` tests it"),
    ("nimatron listen", "runs until it is interrupted; `listen.rs` tests it"),
    ("nimatron play", "reads moves from a terminal; `play.rs` tests it"),
    ("nimatron grade PROBLEM…", "shows the form of the command"),
];

/// A wrong program for Nim in C and C++.
const PARITY: &str = "\
#include <stdio.h>
int main(void) {
    int n, heap, sum = 0;
    scanf(\"%d\", &n);
    while (n--) {
        scanf(\"%d\", &heap);
        sum += heap;
    }
    puts(sum % 2 ? \"Yes\" : \"No\");
}
";

/// A correct program for Nim.
const NIM: &str = "\
input()
nim_sum = 0
for heap in map(int, input().split()):
    nim_sum ^= heap
print(\"Yes\" if nim_sum else \"No\")
";

/// Prints a small position of Nim that the seed determines.
const GENERATOR: &str = "\
import random, sys
random.seed(sys.argv[1])
n = random.randint(1, 4)
print(n)
print(*[random.randint(1, 9) for _ in range(n)])
";

/// Creates a folder with programs and samples of Nim.
fn folder() -> Project {
    ["main.cpp", "sol.cpp", "my.cpp", "my.c"]
        .iter()
        .fold(Project::new(), |project, name| project.file(name, PARITY))
        .file("brute.py", NIM)
        .file("my.py", NIM)
        .file("gen.py", GENERATOR)
        .file("my.txt", "2\n2 3\n")
        .file("1.in", "1\n1\n")
        .file("1.out", "Yes\n")
        .file("2.in", "2\n2 3\n")
        .file("2.out", "Yes\n")
}

/// Runs the examples of a guide in a folder, after these commands.
fn examples(topic: &str, project: &Project, before: &[&str], count: usize) {
    examples_in(&blocks(topic), project, before, count);
}

/// Runs the examples in these blocks in a folder, after these commands.
fn examples_in(blocks: &[Block], project: &Project, before: &[&str], count: usize) {
    if !installed(&["bash", "python3", "gcc", "g++", "jq"]) {
        return;
    }
    let mut steps: Vec<Step> = before.iter().map(|command| Step::new("before the examples", command)).collect();
    for block in blocks.iter().filter(|block| block.language.is_empty()) {
        let commands = block.text.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line));
        let commands = commands.filter(|line| line.starts_with("nimatron "));
        let here = commands.filter(|line| ELSEWHERE.iter().all(|(start, _)| !line.starts_with(start)));
        steps.extend(here.map(|command| Step::new(&block.place, command)));
    }
    assert_eq!(steps.len(), before.len() + count, "the number of commands");
    run_steps(project, &steps);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn examples_of_the_readme_are_valid() {
    let readme = include_str!("../../README.md");
    let project = folder().file("submissions/ann/classic-nim.py", NIM);
    examples_in(&blocks_of("README.md", readme), &project, &[], 19);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn examples_of_everyday_work_are_valid() {
    let tests = "python3 -m zipfile -c tests.zip 1.in 1.out 2.in 2.out";
    examples("everyday", &folder(), &[tests], 11);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn examples_of_stress_tests_are_valid() {
    examples("stress", &folder(), &[], 5);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn examples_of_exports_are_valid() {
    examples("export", &folder(), &[], 3);
}

#[test]
fn examples_for_editors_are_valid() {
    examples("editors", &folder(), &[], 3);
}

#[test]
fn examples_of_the_history_are_valid() {
    let project = Project::new().file("contests/codeforces-round-900-div-3/a-castle/main.cpp", PARITY);
    let project = project.file("contests/codeforces-round-900-div-3/a-castle/1.in", "1\n1\n");
    let project = project.file("contests/codeforces-round-900-div-3/a-castle/1.out", "Yes\n");
    examples("browser", &project, &["cd contests/codeforces-round-900-div-3/a-castle"], 5);
}

#[test]
fn examples_of_grundy_values_are_valid() {
    examples("games", &Project::new().file("my.txt", "5 2\n1 2\n"), &[], 4);
}

#[test]
fn examples_of_grading_are_valid() {
    examples("grading", &Project::new().file("submissions/ann/classic-nim.py", NIM), &[], 1);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn examples_of_packages_are_valid() {
    let make = [
        "mkdir -p path/to/tests",
        "nimatron new ./sum --language c",
        "nimatron export ./sum --to icpc --out path/to/package",
        "nimatron export ./sum --to icpc --out path/to/package.zip",
        "nimatron export ./sum --to dmoj --out path/to/abc",
        "nimatron export ./sum --to dmoj --out abc.zip",
        "cp 1.in 1.out path/to/tests",
    ];
    examples("packages", &folder(), &make, 6);
}
