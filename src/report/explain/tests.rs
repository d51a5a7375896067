//! Snapshot tests of explained cases.

use insta::assert_snapshot;

use super::*;
use crate::model::{ByteSize, Difference, Exit, TimeSpan};
use crate::{Theme, samples};

const RERUN: &str = "nimatron run classic-nim guess.py --case tiny/002";

fn screen(width: usize) -> Screen {
    let limits = Limits {
        cpu: TimeSpan::seconds(1),
        wall: TimeSpan::seconds(3),
        memory: ByteSize::mib(256),
        output: ByteSize::mib(64),
        processes: 64,
    };
    Screen { theme: Theme::plain(), width, limits: Some(limits) }
}

fn evidence<'a>(input: &'a str, expected: &'a str, actual: &'a str) -> CaseTexts<'a> {
    let [input, expected, actual] = [input, expected, actual].map(str::as_bytes);
    CaseTexts { input, expected, actual, rerun: RERUN }
}

fn wrong(message: &str, expected: (u64, u64), actual: (u64, u64), there: (bool, bool)) -> CaseResult {
    let word = |there: bool| there.then(|| "x".to_owned());
    CaseResult {
        difference: Some(Difference {
            expected_line: expected.0,
            expected_column: expected.1,
            actual_line: actual.0,
            actual_column: actual.1,
            index: 1,
            expected: word(there.0),
            actual: word(there.1),
            message: message.to_owned(),
        }),
        ..samples::wrong()
    }
}

#[test]
fn a_wrong_answer_in_100_columns() {
    let evidence = evidence("2\n2\n2 3\n1\n5\n", "Yes\nNo\n", "Yes\nYes\n");
    assert_snapshot!(explain(&samples::wrong(), &evidence, &screen(100)), @r"
    ── tiny/002: wrong answer ──────────────────────────────────────────────────────────────────────────
    token 2: expected `No`, found `Yes`

    input
         1 │ 2
         2 │ 2
         3 │ 2 3
         4 │ 1
         5 │ 5

    first difference
      expected
         2 │ No
           │ ^^
      found
         2 │ Yes
           │ ^^^

    diff (- expected, + found)
         1 │   Yes
         2 │ - No
         2 │ + Yes

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn a_wrong_answer_in_40_columns() {
    let evidence = evidence("2\n2\n2 3\n1\n5\n", "Yes\nNo\n", "Yes\nYes\n");
    assert_snapshot!(explain(&samples::wrong(), &evidence, &screen(40)), @r"
    ── tiny/002: wrong answer ──────────────
    token 2: expected `No`, found `Yes`

    input
         1 │ 2
         2 │ 2
         3 │ 2 3
         4 │ 1
         5 │ 5

    first difference
      expected
         2 │ No
           │ ^^
      found
         2 │ Yes
           │ ^^^

    diff (- expected, + found)
         1 │   Yes
         2 │ - No
         2 │ + Yes

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn a_wrong_answer_in_color() {
    let evidence = evidence("1\n5\n", "Yes\nNo 1\n", "Yes\nYes 1\n");
    let colored = Screen { theme: Theme::colored(), ..screen(60) };
    assert_snapshot!(explain(&samples::wrong(), &evidence, &colored).replace('\x1b', "^"), @r"
    ^[2m──^[0m ^[1m^[31mtiny/002: wrong answer^[0m ^[2m──────────────────────────────────^[0m
    token 2: expected `No`, found `Yes`

    ^[1minput^[0m
    ^[2m     1 │ ^[0m1
    ^[2m     2 │ ^[0m5

    ^[1mfirst difference^[0m
      ^[2mexpected^[0m
    ^[2m     2 │ ^[0m^[1m^[4m^[32mNo^[0m^[32m 1^[0m
    ^[2m       │ ^[0m^[32m^^^[0m
      ^[2mfound^[0m
    ^[2m     2 │ ^[0m^[1m^[4m^[31mYes^[0m^[31m 1^[0m
    ^[2m       │ ^[0m^[31m^^^^[0m

    ^[1mdiff (- expected, + found)^[0m
    ^[2m     1 │ ^[0m^[2m  ^[0m^[2mYes^[0m
    ^[2m     2 │ ^[0m^[32m- ^[0m^[1m^[4m^[32mNo^[0m^[32m 1^[0m
    ^[2m     2 │ ^[0m^[31m+ ^[0m^[1m^[4m^[31mYes^[0m^[31m 1^[0m

    ^[1mrun only this case^[0m
      ^[36mnimatron run classic-nim guess.py --case tiny/002^[0m
    ");
}

#[test]
fn a_wrong_value_in_a_long_line() {
    let values: Vec<String> = (1..=100_000).map(|value| value.to_string()).collect();
    let expected = values.join(" ");
    let at = expected.find(" 50000 ").unwrap() + 1;
    let actual = expected.replacen(" 50000 ", " 50001 ", 1);
    let place = (1, at as u64 + 1);
    let result = wrong("token 50000: expected `50000`, found `50001`", place, place, (true, true));
    assert_snapshot!(explain(&result, &evidence(&expected, &expected, &actual), &screen(60)), @r"
    ── tiny/002: wrong answer ──────────────────────────────────
    token 50000: expected `50000`, found `50001`

    input
         1 │ 1 2 3 4 5 6 7 8 9 10 11 12 … 99,988 more values

    first difference
      expected
         1 │ …996 49997 49998 49999 50000 50001 50002 50003 500…
           │                        ^^^^^
      found
         1 │ …996 49997 49998 49999 50001 50001 50002 50003 500…
           │                        ^^^^^

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn output_that_ends_too_soon() {
    let result = wrong("the output ends too early: expected `3` as token 3", (1, 5), (2, 1), (true, false));
    assert_snapshot!(explain(&result, &evidence("", "1 2 3\n", "1 2\n"), &screen(60)), @r"
    ── tiny/002: wrong answer ──────────────────────────────────
    the output ends too early: expected `3` as token 3

    input
      (empty)

    first difference
      expected
         1 │ 1 2 3
           │     ^
      found
         2 │ (the output ends here)
           │ ^^^^^^^^^^^^^^^^^^^^^^

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
    let result = wrong("the output is empty, expected `1`", (1, 1), (1, 1), (true, false));
    assert_snapshot!(explain(&result, &evidence("", "1 2 3\n", ""), &screen(60)), @r"
    ── tiny/002: wrong answer ──────────────────────────────────
    the output is empty, expected `1`

    input
      (empty)

    first difference
      expected
         1 │ 1 2 3
           │ ^
      found
         1 │ (the output ends here)
           │ ^^^^^^^^^^^^^^^^^^^^^^

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn extra_line_of_unordered_output() {
    let result = wrong("line 3 of the output is not in the answer: `c`", (1, 1), (3, 1), (false, true));
    assert_snapshot!(explain(&result, &evidence("1", "a\nb\n", "b\na\nc\n"), &screen(60)), @r"
    ── tiny/002: wrong answer ──────────────────────────────────
    line 3 of the output is not in the answer: `c`

    input
         1 │ 1

    first difference
      found
         3 │ c
           │ ^

    diff (- expected, + found)
         1 │ + b
         1 │   a
         2 │ - b
         3 │ + c

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn wrong_white_space_is_visible() {
    let mut result = wrong("the white space is wrong", (1, 3), (1, 3), (true, true));
    result.verdict = Verdict::PresentationError;
    assert_snapshot!(explain(&result, &evidence("1", "1 2\n3\n", "1  2\n3\n"), &screen(60)), @r"
    ── tiny/002: presentation error ────────────────────────────
    the white space is wrong

    input
         1 │ 1

    first difference
      expected
         1 │ 1·2↵
           │   ^
      found
         1 │ 1··2↵
           │   ^

    diff (- expected, + found)
         1 │ - 1·2↵
         1 │ + 1··2↵
         2 │   3↵

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
}

#[test]
fn crashes_and_limits_in_words() {
    let long: String = (1..=30).map(|line| format!("{line}\n")).collect();
    let evidence = evidence(&long, "", "");
    assert_snapshot!(explain(&samples::crash(), &evidence, &screen(60)), @r"
    ── random/001: run-time error ──────────────────────────────
    the program was killed by SIGSEGV (segmentation fault:
    invalid memory access or stack overflow) after 1.23 ms

    input
         1 │ 1
         2 │ 2
         3 │ 3
         4 │ 4
         5 │ 5
         6 │ 6
         7 │ 7
         8 │ 8
         9 │ 9
        10 │ 10
           … 20 more lines

    standard error
         1 │ reading ␛[31mpiles
         2 │ index 7

    run only this case
      nimatron run classic-nim guess.py --case tiny/002
    ");
    let words = [
        (Verdict::TimeLimit, "the program used 1.004 s of CPU time; the limit is 1 s"),
        (
            Verdict::IdleLimit,
            "the program was idle: it used 1.00 s of CPU time in 1.02 s; the limit is 3 s of wall time",
        ),
        (Verdict::MemoryLimit, "the program needed more memory than it may use; the limit is 256 MiB"),
        (Verdict::OutputLimit, "the program exceeded its output limit of 64 MiB"),
        (Verdict::Forbidden, "the program made a forbidden system call"),
    ];
    for (verdict, expected) in words {
        let result = CaseResult { verdict, ..samples::slow() };
        assert_eq!(reason(&result, screen(60).limits.as_ref()), expected);
    }
    let refused = CaseResult { verdict: Verdict::MemoryLimit, exit: Exit::Code(1), ..samples::slow() };
    let expected = "the program failed to allocate memory; it used 12.0 MiB; the limit is 256 MiB";
    assert_eq!(reason(&refused, screen(60).limits.as_ref()), expected);
    for (memory, exit, expected) in [
        (ByteSize::mib(256), Exit::Signal(9), "the program needed more memory than it may use; the limit is 256 MiB"),
        (ByteSize::mib(256), Exit::Code(1), "the program needed more memory than it may use; the limit is 256 MiB"),
        (ByteSize::mib(300), Exit::Signal(9), "the program used 300.0 MiB of memory; the limit is 256 MiB"),
    ] {
        let mut result = CaseResult { verdict: Verdict::MemoryLimit, exit, ..samples::slow() };
        result.usage.memory = memory;
        assert_eq!(reason(&result, screen(60).limits.as_ref()), expected);
    }
    let hinted = CaseResult {
        verdict: Verdict::IdleLimit,
        message: Some("a program must flush its output".to_owned()),
        ..samples::slow()
    };
    assert_eq!(
        reason(&hinted, None),
        "the program was idle: it used 1.00 s of CPU time in 1.02 s; a program must flush its output"
    );
    let mut stopped = samples::slow();
    (stopped.usage.cpu, stopped.usage.wall) = (TimeSpan::millis(400), TimeSpan::millis(3_010));
    assert_eq!(
        reason(&stopped, screen(60).limits.as_ref()),
        "the program ran for 3.01 s and used 400 ms of CPU time; the limit is 3 s of wall time"
    );
    assert_eq!(screen(60).note(&stopped).as_deref(), Some("limit 3 s of wall time"));
    let result = CaseResult { exit: Exit::Code(3), ..samples::crash() };
    assert_eq!(reason(&result, None), "the program ended with exit code 3 after 1.23 ms; expected exit code 0");
}

#[test]
fn invalid_utf8_is_escaped() {
    let bytes: Vec<u8> = (0..=255).cycle().take(5_000).collect();
    for (line, column) in [(1, 1), (1, 200), (3, 3), (20, 7), (1_000, 1_000), (u64::MAX, u64::MAX)] {
        for verdict in [Verdict::WrongAnswer, Verdict::PresentationError] {
            let result = CaseResult { verdict, ..wrong("x", (line, column), (line, column), (true, true)) };
            let evidence = CaseTexts { input: &bytes, expected: &bytes, actual: &bytes[1..], rerun: RERUN };
            let text = explain(&result, &evidence, &screen(60));
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
    }
}
