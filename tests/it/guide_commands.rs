//! Tests that the commands in the README and in the tutorials print what is shown.

use crate::guide_blocks::blocks_of;
use crate::guide_shell::{follow, follow_blocks, installed, line_fits};

#[test]
fn the_first_verdict_of_the_readme_is_as_written() {
    if installed(&["bash", "python3"]) {
        follow_blocks(&blocks_of("README.md", include_str!("../../README.md")));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_tutorial_on_practising_works_as_written() {
    if installed(&["bash", "python3"]) {
        follow("tutorial-practise");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_tutorial_on_grading_works_as_written() {
    if installed(&["bash", "python3", "g++"]) {
        follow("tutorial-grade");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_tutorial_on_generating_works_as_written() {
    if installed(&["bash", "python3"]) {
        follow("tutorial-generate");
    }
}

#[test]
fn a_line_fits_what_is_shown() {
    for (shown, line, fit) in [
        ("abc", "abc", true),
        ("abc", "abcd", false),
        ("a…c", "abbc", true),
        ("a…c", "abbd", false),
        ("a…b…", "a1b2", true),
        ("…b…d", "abcd", true),
        ("a…a", "a", false),
    ] {
        assert_eq!(line_fits(shown, line), fit, "{shown} {line}");
    }
}
