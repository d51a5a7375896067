//! Tests of the exit codes, messages and files of the protocols.

use super::*;
use crate::model::{ByteSize, Capture, TimeSpan, Usage};
use proptest::prelude::*;

const LIMITS: Limits = AuxProgram::LIMITS;

fn ended(exit: Exit, stderr: &str) -> Execution {
    let usage =
        Usage { cpu: TimeSpan::millis(1), wall: TimeSpan::millis(2), memory: ByteSize::mib(1), instructions: None };
    Execution { exit, breach: None, usage, stderr: Capture::new(stderr.as_bytes(), 1 << 14, stderr.len() as u64) }
}

fn ask(protocol: Protocol, code: i32, stderr: &str, files: &[(&str, &str)]) -> Result<CheckerResult, String> {
    let aux_program = AuxProgram::new("check", protocol);
    let feedback = files.iter().map(|(name, text)| ((*name).into(), text.as_bytes().to_vec())).collect();
    parse_result("check.cpp", &aux_program, &ended(Exit::Code(code), stderr), &LIMITS, (b"", &feedback)).map_err(
        |fault| {
            assert_eq!(fault.kind, FaultKind::Checker);
            fault.message
        },
    )
}

fn verdict(protocol: Protocol, code: i32, stderr: &str, files: &[(&str, &str)]) -> (Verdict, u32) {
    let ruling = ask(protocol, code, stderr, files).unwrap();
    (ruling.verdict, ruling.credit.as_millionths())
}

#[test]
fn the_table_of_icpc() {
    let icpc = |code, files: &[(&str, &str)]| verdict(Protocol::Icpc, code, "", files);
    assert_eq!(icpc(42, &[]), (Verdict::Accepted, 1_000_000));
    assert_eq!(icpc(43, &[]), (Verdict::WrongAnswer, 0));
    assert_eq!(icpc(42, &[("score_multiplier.txt", "0.25\n")]), (Verdict::Partial, 250_000));
    assert_eq!(icpc(42, &[("score.txt", "1")]), (Verdict::Accepted, 1_000_000));
    assert_eq!(icpc(42, &[("score.txt", "0e3")]), (Verdict::WrongAnswer, 0));
    let message = ask(Protocol::Icpc, 43, "ignored", &[("judgemessage.txt", "it is 3\n"), ("teammessage.txt", "no\n")]);
    assert_eq!(message.unwrap().message.as_deref(), Some("no\nit is 3"));
    let next = ask(Protocol::Icpc, 42, "", &[(NEXT_PASS, "7\n")]).unwrap().next_pass;
    assert_eq!(next.as_deref(), Some(&b"7\n"[..]));
}

#[test]
fn who_is_accepted_by_a_package_is_no_failure_however_few_points_there_are() {
    let aux_program = AuxProgram { worth: PointsMeaning::Points, ..AuxProgram::new("check", Protocol::Icpc) };
    let verdict = |name: &str, text: &str| {
        let feedback = vec![(name.into(), text.as_bytes().to_vec())];
        parse_result("check.cpp", &aux_program, &ended(Exit::Code(42), ""), &LIMITS, (b"", &feedback)).unwrap().verdict
    };
    assert_eq!(verdict("score_multiplier.txt", "0"), Verdict::Partial);
    assert_eq!(verdict("score_multiplier.txt", "0.5"), Verdict::Partial);
    assert_eq!(verdict("score_multiplier.txt", "1"), Verdict::Accepted);
    assert_eq!(verdict("score.txt", "0"), Verdict::Accepted);
}

#[test]
fn points_of_a_case_are_shares_of_its_most_or_so_many_at_most() {
    type Files = &'static [(&'static str, &'static str)];
    let ask = |worth: PointsMeaning, files: Files, code: i32| {
        let aux_program = AuxProgram { worth, ..AuxProgram::new("check", Protocol::Icpc) };
        let feedback = files.iter().map(|(name, text)| ((*name).into(), text.as_bytes().to_vec())).collect();
        let ruling = parse_result("check.cpp", &aux_program, &ended(Exit::Code(code), ""), &LIMITS, (b"", &feedback));
        ruling.map(|ruling| (ruling.verdict, ruling.credit.as_millionths(), ruling.points))
    };
    let third = PointsMeaning::Case(Some(Points::millionths(3_333_333)));
    let free = PointsMeaning::Case(None);
    let points = |millionths| Some(Points::millionths(millionths));
    assert_eq!(ask(third, &[], 42).unwrap(), (Verdict::Accepted, 1_000_000, None));
    assert_eq!(ask(third, &[("score_multiplier.txt", "0.5")], 42).unwrap(), (Verdict::Partial, 500_000, None));
    assert_eq!(ask(third, &[("score.txt", "2")], 42).unwrap(), (Verdict::Accepted, 1_000_000, points(2_000_000)));
    let rounded = ask(third, &[("score.txt", "3.333333333333333")], 42).unwrap();
    assert_eq!(rounded, (Verdict::Accepted, 1_000_000, None), "the rounded maximum is the maximum");
    assert_eq!(ask(free, &[(NEXT_PASS, "1")], 42).unwrap().2, None, "only the last pass needs a score");
    assert_eq!(ask(free, &[("score.txt", "1e6")], 42).unwrap().2, points(1_000_000_000_000));
    let wrong: [(PointsMeaning, Files, i32); 10] = [
        (third, &[("score.txt", "3.4")], 42),
        (third, &[("score.txt", "-1")], 42),
        (third, &[("score.txt", "")], 42),
        (third, &[("score.txt", "1"), ("score_multiplier.txt", "1")], 42),
        (third, &[("score_multiplier.txt", "1.1")], 42),
        (third, &[("score.txt", "0")], 43),
        (free, &[], 42),
        (free, &[("score_multiplier.txt", "1")], 42),
        (PointsMeaning::Whole, &[("score.txt", "1")], 42),
        (PointsMeaning::Whole, &[("score_multiplier.txt", "1")], 43),
    ];
    for (worth, files, code) in wrong {
        assert!(ask(worth, files, code).unwrap_err().message.contains("score"), "{worth:?} {files:?} {code}");
    }
    for worth in [third, free, PointsMeaning::Whole] {
        assert_eq!(ask(worth, &[], 43).unwrap(), (Verdict::WrongAnswer, 0, None));
    }
    assert_eq!(ask(PointsMeaning::Whole, &[], 42).unwrap(), (Verdict::Accepted, 1_000_000, None));
    assert_eq!(ask(PointsMeaning::Nothing, &[("score.txt", "bad")], 42).unwrap(), (Verdict::Accepted, 1_000_000, None));
}

#[test]
fn what_icpc_does_not_foresee_is_a_fault() {
    let icpc = |code, files: &[(&str, &str)]| ask(Protocol::Icpc, code, "oh", files).unwrap_err();
    assert_eq!(
        icpc(0, &[]),
        "check.cpp ended with exit code 0, expected 42 or 43 (a testlib program requires the protocol `testlib`); \
         standard error: oh"
    );
    assert!(icpc(44, &[]).contains("exit code 44"));
    for files in [
        &[("score.txt", "1"), ("score_multiplier.txt", "1")][..],
        &[("score.txt", "nan")],
        &[("score.txt", "inf")],
        &[("score.txt", "")],
        &[("score.txt", "1.5")],
        &[("score_multiplier.txt", "-0.1")],
    ] {
        assert!(icpc(42, files).contains("score"), "{files:?}");
    }
    assert!(icpc(43, &[("score.txt", "0")]).contains("rejected"));
    assert!(icpc(43, &[(NEXT_PASS, "")]).contains("another pass"));
}

#[test]
fn the_table_of_testlib() {
    let testlib = |code, stderr| verdict(Protocol::Testlib, code, stderr, &[]);
    assert_eq!(testlib(0, "ok 3 numbers\n"), (Verdict::Accepted, 1_000_000));
    assert_eq!(testlib(1, "wrong answer"), (Verdict::WrongAnswer, 0));
    for code in [2, 4, 8] {
        assert_eq!(testlib(code, ""), (Verdict::PresentationError, 0));
    }
    for code in [5, 7] {
        assert_eq!(testlib(code, "points 0.5 half of it\n"), (Verdict::Partial, 500_000));
    }
    assert_eq!(testlib(16, ""), (Verdict::WrongAnswer, 0));
    assert_eq!(testlib(116, ""), (Verdict::Partial, 500_000));
    assert_eq!(testlib(40, "partially correct (40) nice\n"), (Verdict::Partial, 200_000));
    let ruling = ask(Protocol::Testlib, 1, "wrong answer 1st words differ\n", &[(NEXT_PASS, "7")]).unwrap();
    assert_eq!((ruling.message.as_deref(), ruling.next_pass), (Some("wrong answer 1st words differ"), None));
}

#[test]
fn what_testlib_does_not_foresee_is_a_fault() {
    let testlib = |code, stderr| ask(Protocol::Testlib, code, stderr, &[]).unwrap_err();
    assert_eq!(testlib(3, "FAIL no answer"), "check.cpp failed (exit code 3); standard error: FAIL no answer");
    for (code, stderr) in [(7, ""), (7, "points many"), (7, "points 2"), (7, "points -1"), (9, ""), (42, "")] {
        // In testlib, exit code 42 reports a partial result of 13 %, which is 26 units of 0.5 %.
        if code != 42 {
            assert!(testlib(code, stderr).starts_with("check.cpp "), "{code}");
        }
    }
    assert!(testlib(255, "").contains("awarded a partial result of 239"));
}

#[test]
fn points_are_out_of_what_the_problem_says() {
    let aux_program = AuxProgram { full: Some(Score::points(40)), ..AuxProgram::new("check", Protocol::Testlib) };
    let ruling =
        parse_result("c", &aux_program, &ended(Exit::Code(7), "points 30"), &LIMITS, (b"", &Vec::new())).unwrap();
    assert_eq!(ruling.credit, Credit::millionths(750_000));
    assert!(parse_result("c", &aux_program, &ended(Exit::Code(7), "points 41"), &LIMITS, (b"", &Vec::new())).is_err());
}

#[test]
fn a_partial_result_is_known_by_its_words() {
    let testlib = |code, stderr: &str| verdict(Protocol::Testlib, code, stderr, &[]);
    for number in [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 42, 199] {
        // Depending on its version, testlib.h adds 0, 16 or 50 to the number.
        for more in [0, 16, 50] {
            let words = format!("reading\npartially correct ({number}) result={number}\n");
            assert_eq!(testlib(number + more, &words), (Verdict::Partial, number as u32 * 5_000), "{number}+{more}");
        }
    }
    assert_eq!(testlib(0, "partially correct (0) nothing\n"), (Verdict::WrongAnswer, 0));
    assert_eq!(testlib(200, "partially correct (200) all\n"), (Verdict::Accepted, 1_000_000));
    assert_eq!(testlib(1, "wrong answer it is partially correct (1)\n"), (Verdict::WrongAnswer, 0));
    assert_eq!(testlib(1, "wrong answer\npartially correct (200)\n"), (Verdict::WrongAnswer, 0));
    assert!(
        ask(Protocol::Testlib, 201, "partially correct (201)", &[])
            .is_err_and(|said| said.contains("awarded a partial result of 201"))
    );
}

#[test]
fn points_are_the_least_that_are_said() {
    let testlib = |stderr: &str| verdict(Protocol::Testlib, 7, stderr, &[]);
    assert_eq!(testlib("n = 5\npoints 0.5 half of it\n"), (Verdict::Partial, 500_000));
    assert_eq!(testlib("points of it: 3\npoints 0.25\n"), (Verdict::Partial, 250_000));
    assert_eq!(testlib("n = 5 points 0.5 half of it\n"), (Verdict::Partial, 500_000));
    // Quoted output of the submission may occur before, within and after the result.
    for echo in
        ["points 1", "points 40", "points 0.51", "ok", "partially correct (200)", "points many", "points", "0.9"]
    {
        for stderr in [
            format!("{echo}\npoints 0.5 half of it\n"),
            format!("found {echo}\nn = 3 points 0.5\n"),
            format!("found {echo} points 0.5"),
            format!("points 0.5 found {echo}\n"),
            format!("points 0.5 found MSG\n{echo}\n"),
        ] {
            assert_eq!(testlib(&stderr), (Verdict::Partial, 500_000), "{stderr:?}");
        }
    }
    // Exit code 7 reports points or a small partial result, and either text may be quoted output of the submission.
    assert_eq!(testlib("points 0.5\npartially correct (7)\n"), (Verdict::Partial, 35_000));
    assert_eq!(testlib("points 1\npartially correct (7)\n"), (Verdict::Partial, 35_000));
    assert_eq!(testlib("points 0.01\npartially correct (7)\n"), (Verdict::Partial, 10_000));
    let info = ask(Protocol::Testlib, 7, "points points_info=a=1,b=2", &[]).unwrap_err();
    assert!(info.contains("expected a number"), "{info}");
}

#[test]
fn points_of_a_package_are_part_of_a_test_or_all_of_it() {
    let ask = |full: Option<Score>, code, stderr: &str| {
        let aux_program =
            AuxProgram { worth: PointsMeaning::Points, full, ..AuxProgram::new("check", Protocol::Testlib) };
        let ruling = parse_result("c", &aux_program, &ended(Exit::Code(code), stderr), &LIMITS, (b"", &Vec::new()));
        ruling.map(|ruling| (ruling.verdict, ruling.credit.as_millionths()))
    };
    let (full, part) = ((Verdict::Accepted, 1_000_000), |credit| (Verdict::Partial, credit));
    let thirty = |stderr| ask(Some(Score::points(30)), 7, stderr).unwrap();
    assert_eq!((thirty("points 30"), thirty("points 80 too many")), (full, full));
    assert_eq!((thirty("points 15"), thirty("points 0")), (part(500_000), part(0)));
    assert_eq!(thirty("points 29.999"), part(999_967));
    assert_eq!(thirty("points points_info=a=1 it is"), part(0));
    // Points that are lower than the maximum by at most the rounding tolerance earn full credit; lower points do not.
    let (third, many) = (Some(Score::thousandths(66_667)), Some(Score::points(100_000)));
    assert_eq!(ask(third, 7, "points 66.6667").unwrap(), full);
    assert_eq!(ask(many, 7, "points 99999.99").unwrap(), part(999_999));
    // If the maximum is 0, any number of points earns full credit; if the maximum is unknown, there is no credit.
    assert_eq!(ask(Some(Score::ZERO), 7, "points 0").unwrap(), full);
    assert_eq!(ask(Some(Score::ZERO), 7, "points 7").unwrap(), full);
    for stderr in ["points 0", "points 0.5", "points 1", "points 37 ja=1 pa=38", "points points_info=x"] {
        assert_eq!(ask(None, 7, stderr).unwrap(), part(0), "{stderr}");
    }
    assert_eq!(ask(None, 0, "partially correct (0) nothing").unwrap(), part(0));
    assert_eq!((ask(None, 0, "ok").unwrap(), ask(None, 1, "").unwrap()), (full, (Verdict::WrongAnswer, 0)));
    for stderr in ["", "points", "points many", "points -1"] {
        assert!(ask(Some(Score::points(30)), 7, stderr).is_err() && ask(None, 7, stderr).is_err(), "{stderr}");
    }
}

#[test]
fn a_crash_and_a_broken_limit_are_faults_whatever_the_code() {
    let aux_program = AuxProgram::new("check", Protocol::Testlib);
    let fault = |execution: Execution| {
        let fault = parse_result("c", &aux_program, &execution, &LIMITS, (b"", &Vec::new())).unwrap_err();
        assert!(parse_validation(Protocol::Testlib, &execution, &LIMITS).is_err());
        fault.message
    };
    assert!(fault(ended(Exit::Signal(11), "")).contains("SIGSEGV"));
    for breach in [Breach::Cpu, Breach::Wall, Breach::Idle, Breach::Memory, Breach::Output] {
        let execution = Execution { breach: Some(breach), ..ended(Exit::Code(0), "") };
        assert!(fault(execution).contains("exceeded its "), "{breach:?}");
    }
    let forbidden = Execution { breach: Some(Breach::Syscall), ..ended(Exit::Code(0), "") };
    assert_eq!(fault(forbidden), "c made a forbidden system call");
    let mut slow = ended(Exit::Code(1), "");
    slow.usage.cpu = LIMITS.cpu.plus(TimeSpan::micros(1));
    assert!(fault(slow).contains("time limit"));
}

#[test]
fn validators_admit_refuse_or_fail() {
    let validated = |protocol, exit, stderr| parse_validation(protocol, &ended(exit, stderr), &LIMITS);
    assert_eq!(validated(Protocol::Icpc, Exit::Code(42), "chatter"), Ok(None));
    assert_eq!(validated(Protocol::Icpc, Exit::Code(43), "line 1\n"), Ok(Some("line 1".to_owned())));
    assert!(validated(Protocol::Icpc, Exit::Code(0), "").is_err_and(|said| said.contains("testlib")));
    assert_eq!(validated(Protocol::Testlib, Exit::Code(0), ""), Ok(None));
    assert_eq!(validated(Protocol::Testlib, Exit::Code(3), "FAIL x"), Ok(Some("FAIL x".to_owned())));
    assert!(validated(Protocol::Testlib, Exit::Signal(6), "").is_err());
}

#[test]
fn a_rejection_becomes_no_part_by_what_the_contestant_wrote() {
    let own = [(1, "wrong answer"), (2, "wrong output format"), (4, "wrong output format"), (8, "unexpected eof")];
    for (code, word) in own {
        let wanted = verdict(Protocol::Testlib, code, word, &[]);
        assert_eq!(wanted.1, 0);
        for echo in [format!("partially correct ({code})"), "points 1".to_owned(), "ok".to_owned()] {
            for stderr in [format!("{word} found:\nnothing\n{echo}\n"), format!("{echo}\n{word} found\n")] {
                assert_eq!(verdict(Protocol::Testlib, code, &stderr, &[]), wanted, "{code}: {stderr:?}");
            }
        }
        // The line that reports the result may be beyond the stored part of standard error.
        let echo = format!("partially correct ({code})\n");
        assert_eq!(cut_off(code, &echo).unwrap().verdict, wanted.0, "{code}");
    }
    assert!(ask(Protocol::Testlib, 3, "partially correct (3)\nFAIL no answer", &[]).is_err());
    // Quoted output can't turn a partial result into an accepted result.
    assert_eq!(verdict(Protocol::Testlib, 0, "ok\npartially correct (0) none\n", &[]), (Verdict::WrongAnswer, 0));
}

#[test]
fn words_that_are_not_of_the_exit_code_change_nothing() {
    let testlib = |code, stderr: &str| verdict(Protocol::Testlib, code, stderr, &[]);
    assert_eq!(testlib(40, "partially correct (40) of:\npartially correct (200)\n"), (Verdict::Partial, 200_000));
    assert_eq!(testlib(116, "partially correct (200)\n"), (Verdict::Partial, 500_000));
    assert_eq!(testlib(16, "partially correct (200)\n"), (Verdict::WrongAnswer, 0));
    // The exit code may have been produced by another version of testlib.h.
    assert_eq!(testlib(56, "partially correct (40) of:\npartially correct (56)\n"), (Verdict::Partial, 200_000));
    assert_eq!(testlib(90, "partially correct (90)\npartially correct (40)\n"), (Verdict::Partial, 200_000));
}

/// Parses the result of a checker whose standard error was truncated.
fn cut_off(code: i32, stderr: &str) -> Result<CheckerResult, String> {
    let stderr = Capture { cut: true, ..Capture::new(stderr.as_bytes(), 1 << 14, 1 << 20) };
    let execution = Execution { stderr, ..ended(Exit::Code(code), "") };
    let aux_program = AuxProgram::new("check", Protocol::Testlib);
    parse_result("check.cpp", &aux_program, &execution, &LIMITS, (b"", &Vec::new())).map_err(|fault| fault.message)
}

#[test]
fn points_behind_what_is_kept_are_a_fault() {
    for (code, said) in [(5, "points 1"), (7, "points 1"), (7, "chatter"), (40, "partially correct (40)"), (116, "")] {
        assert!(cut_off(code, said).is_err_and(|why| why.contains("too long to be parsed")), "{code} {said}");
    }
    assert_eq!(cut_off(0, "points 0").unwrap().verdict, Verdict::Accepted);
    assert_eq!(cut_off(1, "chatter").unwrap().verdict, Verdict::WrongAnswer);
}

/// Generates a line of standard error, which may have the form of a result.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        (-1..=300_i32).prop_map(|number| format!("partially correct ({number}) x")),
        (-10..=200_i32).prop_map(|number| format!("points {} x", f64::from(number) / 100.0)),
        prop::sample::select(vec!["ok", "wrong answer", "wrong output format", "unexpected eof", "FAIL", "points "])
            .prop_map(str::to_owned),
        ".{0,20}",
    ]
}

/// Generates the exit code of a checker, and the message that testlib.h prints for this code.
fn result() -> impl Strategy<Value = (i32, String)> {
    let part = (0..=200_i32, prop::sample::select(vec![0, 16, 50]));
    prop_oneof![
        prop::sample::select(vec![
            (0, "ok x"),
            (1, "wrong answer x"),
            (2, "wrong output format x"),
            (4, "wrong output format x"),
            (8, "unexpected eof x"),
        ])
        .prop_map(|(code, words)| (code, words.to_owned())),
        (0..=100_u32).prop_map(|number| (7, format!("points {} x", f64::from(number) / 100.0))),
        part.prop_map(|(number, more)| (number + more, format!("partially correct ({number}) x"))),
    ]
}

proptest! {
    #[test]
    fn nothing_beside_a_result_makes_it_better(
        (code, words) in result(),
        before in prop::collection::vec(line(), 0..3),
        after in prop::collection::vec(line(), 0..3),
    ) {
        let alone = ask(Protocol::Testlib, code, &words, &[]).unwrap();
        let lines: Vec<String> = before.into_iter().chain([words]).chain(after).collect();
        if let Ok(ruling) = ask(Protocol::Testlib, code, &lines.join("\n"), &[]) {
            prop_assert!(ruling.credit <= alone.credit, "{lines:?}");
        }
    }

    #[test]
    fn any_end_is_a_ruling_or_a_fault(
        code in 0..=255_i32,
        testlib in any::<bool>(),
        lines in prop::collection::vec(line(), 0..4),
        cut in any::<bool>(),
        points in any::<bool>(),
        full in prop::option::of(0..=40_u32),
        score in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..12)),
    ) {
        let protocol = if testlib { Protocol::Testlib } else { Protocol::Icpc };
        let feedback = score.into_iter().map(|score| ("score.txt".into(), score)).collect();
        let worth = if points { PointsMeaning::Points } else { PointsMeaning::Share };
        // A maximum of 0 points occurs only if the package defines the points.
        let full = full.filter(|full| points || *full > 0).map(Score::points);
        let aux_program = AuxProgram { worth, full, ..AuxProgram::new("check", protocol) };
        let mut execution = ended(Exit::Code(code), &lines.join("\n"));
        execution.stderr.cut = cut;
        if let Ok(ruling) = parse_result("c", &aux_program, &execution, &LIMITS, (b"", &feedback)) {
            prop_assert!(!(testlib && cut && matches!(code, 5 | 7)));
            prop_assert_eq!(ruling.verdict == Verdict::Accepted, ruling.credit == Credit::FULL);
        }
    }
}
