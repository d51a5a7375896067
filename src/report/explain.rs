//! What a person sees of one case that was not accepted: its input, where the output goes wrong, and how to run it again.

use super::clip::block;
use super::compare::{diff, first_difference};
use super::screen::Screen;
use super::text::{count, fit, round, safe, time, width, wrap};
use super::theme::Paint;
use crate::model::{CaseResult, Exit, Limits, Verdict};

/// The texts behind a case, and how to run it again.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The case's input.
    pub input: &'a [u8],
    /// The answer.
    pub expected: &'a [u8],
    /// What the program wrote.
    pub actual: &'a [u8],
    /// The command that runs this case alone.
    pub rerun: &'a str,
}

/// Explains a case: its verdict in words, its input, the first difference, a diff, standard error, the command.
///
/// The limits named are the screen's. Nothing is read to its end: texts of any length are cut.
pub fn explain(result: &CaseResult, evidence: &Evidence<'_>, screen: &Screen) -> String {
    let mut text = heading(result, screen);
    for line in wrap(&safe(&reason(result, screen.limits.as_ref())), screen.width) {
        text += &format!("{line}\n");
    }
    text += &section(screen, "input", &block(evidence.input, screen));
    if matches!(result.verdict, Verdict::WrongAnswer | Verdict::PresentationError | Verdict::Partial) {
        text += &texts(result, evidence, screen);
    }
    text += &stderr(result, screen);
    let rerun = screen.theme.paint(Paint::Code, safe(evidence.rerun));
    text + &section(screen, "this case alone", &format!("  {rerun}\n"))
}

/// A line across the screen with the case and its verdict in it.
fn heading(result: &CaseResult, screen: &Screen) -> String {
    let title = format!("{}: {}", result.case, result.verdict.long());
    let title = fit(&safe(&title), screen.width.saturating_sub(6));
    let rest = screen.width.saturating_sub(width(&title) + 4);
    let rule = |count| screen.theme.paint(Paint::Faint, "─".repeat(count));
    format!("{} {} {}\n", rule(2), screen.theme.verdict(result.verdict, title), rule(rest))
}

fn section(screen: &Screen, title: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("\n{}\n{body}", screen.theme.paint(Paint::Strong, title))
}

/// The expected and the actual text: the first difference, then a diff if there is more than a line to compare.
fn texts(result: &CaseResult, evidence: &Evidence<'_>, screen: &Screen) -> String {
    let Some(difference) = &result.difference else {
        let expected = section(screen, "expected", &block(evidence.expected, screen));
        return expected + &section(screen, "found", &block(evidence.actual, screen));
    };
    let visible = result.verdict == Verdict::PresentationError;
    let first = first_difference(difference, evidence, visible, screen);
    let rest = diff(difference, evidence, visible, screen);
    section(screen, "first difference", &first) + &section(screen, "diff (- expected, + found)", &rest)
}

fn stderr(result: &CaseResult, screen: &Screen) -> String {
    let captured = &result.stderr;
    if captured.bytes == 0 {
        return String::new();
    }
    let title = if captured.cut {
        let (shown, all) = (captured.text.len(), usize::try_from(captured.bytes).unwrap_or(usize::MAX));
        format!("standard error (the first {} of {})", shown, count(all, "byte", "bytes"))
    } else {
        "standard error".to_owned()
    };
    section(screen, &title, &block(captured.text.as_bytes(), screen))
}

/// In words: what happened.
fn reason(result: &CaseResult, limits: Option<&Limits>) -> String {
    let usage = &result.usage;
    let (cpu, wall) = (time(usage.cpu), time(usage.wall));
    let limit = |value: fn(&Limits) -> String| {
        limits.map_or_else(String::new, |limits| format!("; the limit is {}", round(value(limits))))
    };
    let said = |otherwise: String| result.message.clone().unwrap_or(otherwise);
    match result.verdict {
        Verdict::Accepted => said("the output is right".to_owned()),
        Verdict::Partial => {
            let share = format!("{}% of the points", f64::from(result.credit.as_millionths()) / 10_000.0);
            result.message.as_ref().map_or(share.clone(), |message| format!("{share}: {message}"))
        }
        Verdict::WrongAnswer | Verdict::PresentationError => {
            let first = result.difference.as_ref().map(|difference| difference.message.clone());
            said(first.unwrap_or_else(|| "the output is not accepted".to_owned()))
        }
        Verdict::RuntimeError => match result.exit {
            Exit::Code(code) => format!("the program returned exit code {code} after {cpu}; 0 says that all went well"),
            signal @ Exit::Signal(_) => format!("the program was ended by {signal} after {cpu}"),
        },
        // Often hardly more than the limit, so with all its digits.
        Verdict::TimeLimit => {
            let used = usage.cpu.as_seconds_f64();
            format!("the program used {used:.3} s of CPU time{}", limit(|limits| time(limits.cpu)))
        }
        Verdict::IdleLimit => {
            let limit = limit(|limits| format!("{} on the clock", round(time(limits.wall))));
            format!("the program slept or waited: it used {cpu} of CPU time in {wall}{limit}")
        }
        Verdict::MemoryLimit => {
            format!("the program used {} of memory{}", usage.memory.human(), limit(|limits| limits.memory.human()))
        }
        Verdict::OutputLimit => format!("the program wrote too much{}", limit(|limits| limits.output.human())),
        Verdict::Forbidden => said("the program made a system call that is forbidden".to_owned()),
        Verdict::CompileError => said("the compiler refused the program".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::model::{Bytes, Difference, Span};
    use crate::report::{Theme, samples};

    const RERUN: &str = "nimatron run classic-nim guess.py --case tiny/002";

    fn screen(width: usize) -> Screen {
        let limits = Limits {
            cpu: Span::seconds(1),
            wall: Span::seconds(3),
            memory: Bytes::mib(256),
            output: Bytes::mib(64),
            processes: 64,
        };
        Screen { theme: Theme::plain(), width, limits: Some(limits) }
    }

    fn evidence<'a>(input: &'a str, expected: &'a str, actual: &'a str) -> Evidence<'a> {
        let [input, expected, actual] = [input, expected, actual].map(str::as_bytes);
        Evidence { input, expected, actual, rerun: RERUN }
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

        this case alone
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

        this case alone
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

        ^[1mthis case alone^[0m
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

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
    }

    #[test]
    fn an_output_that_ends_too_soon() {
        let result = wrong("the output ends too soon: token 3 should be `3`", (1, 5), (2, 1), (true, false));
        assert_snapshot!(explain(&result, &evidence("", "1 2 3\n", "1 2\n"), &screen(60)), @r"
        ── tiny/002: wrong answer ──────────────────────────────────
        the output ends too soon: token 3 should be `3`

        input
          (empty)

        first difference
          expected
             1 │ 1 2 3
               │     ^
          found
             2 │ (the output ends here)
               │ ^^^^^^^^^^^^^^^^^^^^^^

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
        let result = wrong("the output is empty: expected `1`", (1, 1), (1, 1), (true, false));
        assert_snapshot!(explain(&result, &evidence("", "1 2 3\n", ""), &screen(60)), @r"
        ── tiny/002: wrong answer ──────────────────────────────────
        the output is empty: expected `1`

        input
          (empty)

        first difference
          expected
             1 │ 1 2 3
               │ ^
          found
             1 │ (the output ends here)
               │ ^^^^^^^^^^^^^^^^^^^^^^

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
    }

    #[test]
    fn a_line_too_many_in_any_order() {
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

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
    }

    #[test]
    fn white_space_that_is_wrong_is_visible() {
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

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
    }

    #[test]
    fn crashes_and_limits_in_words() {
        let long: String = (1..=30).map(|line| format!("{line}\n")).collect();
        let evidence = evidence(&long, "", "");
        assert_snapshot!(explain(&samples::crash(), &evidence, &screen(60)), @r"
        ── random/001: run-time error ──────────────────────────────
        the program was ended by SIGSEGV (segmentation fault: memory
        that is not yours, or the stack ran out) after 1.23 ms

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

        this case alone
          nimatron run classic-nim guess.py --case tiny/002
        ");
        let words = [
            (Verdict::TimeLimit, "the program used 1.004 s of CPU time; the limit is 1 s"),
            (
                Verdict::IdleLimit,
                "the program slept or waited: it used 1.00 s of CPU time in 1.02 s; the limit is 3 s on the clock",
            ),
            (Verdict::MemoryLimit, "the program used 12.0 MiB of memory; the limit is 256 MiB"),
            (Verdict::OutputLimit, "the program wrote too much; the limit is 64 MiB"),
            (Verdict::Forbidden, "the program made a system call that is forbidden"),
        ];
        for (verdict, expected) in words {
            let result = CaseResult { verdict, ..samples::slow() };
            assert_eq!(reason(&result, screen(60).limits.as_ref()), expected);
        }
        let result = CaseResult { exit: Exit::Code(3), ..samples::crash() };
        assert_eq!(reason(&result, None), "the program returned exit code 3 after 1.23 ms; 0 says that all went well");
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5_000).collect();
        for (line, column) in [(1, 1), (1, 200), (3, 3), (20, 7), (1_000, 1_000), (u64::MAX, u64::MAX)] {
            for verdict in [Verdict::WrongAnswer, Verdict::PresentationError] {
                let result = CaseResult { verdict, ..wrong("x", (line, column), (line, column), (true, true)) };
                let evidence = Evidence { input: &bytes, expected: &bytes, actual: &bytes[1..], rerun: RERUN };
                let text = explain(&result, &evidence, &screen(60));
                assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            }
        }
    }
}
