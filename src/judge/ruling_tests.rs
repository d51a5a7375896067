//! The tables of both protocols.

use super::*;
use crate::model::{Bytes, Capture, Span, Usage};
use proptest::prelude::*;

const LIMITS: Limits = Companion::LIMITS;

fn ended(exit: Exit, stderr: &str) -> Execution {
    let usage = Usage { cpu: Span::millis(1), wall: Span::millis(2), memory: Bytes::mib(1), instructions: None };
    Execution { exit, breach: None, usage, stderr: Capture::new(stderr.as_bytes(), 1 << 14, stderr.len() as u64) }
}

fn ask(protocol: Protocol, code: i32, stderr: &str, files: &[(&str, &str)]) -> Result<Ruling, String> {
    let companion = Companion::new("check", protocol);
    let feedback = files.iter().map(|(name, text)| ((*name).into(), text.as_bytes().to_vec())).collect();
    rule("check.cpp", &companion, &ended(Exit::Code(code), stderr), &LIMITS, &feedback).map_err(|fault| {
        assert_eq!(fault.kind, FaultKind::Checker);
        fault.message
    })
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
    let companion = Companion { worth: Worth::Points, ..Companion::new("check", Protocol::Icpc) };
    let verdict = |name: &str, text: &str| {
        let feedback = vec![(name.into(), text.as_bytes().to_vec())];
        rule("check.cpp", &companion, &ended(Exit::Code(42), ""), &LIMITS, &feedback).unwrap().verdict
    };
    assert_eq!(verdict("score_multiplier.txt", "0"), Verdict::Partial);
    assert_eq!(verdict("score_multiplier.txt", "0.5"), Verdict::Partial);
    assert_eq!(verdict("score_multiplier.txt", "1"), Verdict::Accepted);
    assert_eq!(verdict("score.txt", "0"), Verdict::Accepted);
}

#[test]
fn what_icpc_does_not_foresee_is_a_fault() {
    let icpc = |code, files: &[(&str, &str)]| ask(Protocol::Icpc, code, "oh", files).unwrap_err();
    assert_eq!(
        icpc(0, &[]),
        "check.cpp ended with exit code 0, but `icpc` has 42 and 43: does it speak `protocol: testlib`?; it said: oh"
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
    assert_eq!(testlib(3, "FAIL no answer"), "check.cpp failed (exit code 3); it said: FAIL no answer");
    for (code, stderr) in [(7, ""), (7, "points many"), (7, "points 2"), (7, "points -1"), (9, ""), (42, "")] {
        // 42 is partial in testlib: 26 halves of a percent.
        if code != 42 {
            assert!(testlib(code, stderr).starts_with("check.cpp "), "{code}");
        }
    }
    assert!(testlib(255, "").contains("239 of 200"));
}

#[test]
fn points_are_out_of_what_the_problem_says() {
    let companion = Companion { full: Some(Score::points(40)), ..Companion::new("check", Protocol::Testlib) };
    let ruling = rule("c", &companion, &ended(Exit::Code(7), "points 30"), &LIMITS, &Vec::new()).unwrap();
    assert_eq!(ruling.credit, Credit::millionths(750_000));
    assert!(rule("c", &companion, &ended(Exit::Code(7), "points 41"), &LIMITS, &Vec::new()).is_err());
}

#[test]
fn a_crash_and_a_broken_limit_are_faults_whatever_the_code() {
    let companion = Companion::new("check", Protocol::Testlib);
    let fault = |execution: Execution| {
        let fault = rule("c", &companion, &execution, &LIMITS, &Vec::new()).unwrap_err();
        assert!(admit(Protocol::Testlib, &execution, &LIMITS).is_err());
        fault.message
    };
    assert!(fault(ended(Exit::Signal(11), "")).contains("SIGSEGV"));
    for breach in [Breach::Cpu, Breach::Wall, Breach::Idle, Breach::Memory, Breach::Output, Breach::Syscall] {
        let execution = Execution { breach: Some(breach), ..ended(Exit::Code(0), "") };
        assert!(fault(execution).contains("broke a limit"), "{breach:?}");
    }
    let mut slow = ended(Exit::Code(1), "");
    slow.usage.cpu = LIMITS.cpu.plus(Span::micros(1));
    assert!(fault(slow).contains("time limit"));
}

#[test]
fn validators_admit_refuse_or_fail() {
    let admit = |protocol, exit, stderr| admit(protocol, &ended(exit, stderr), &LIMITS);
    assert_eq!(admit(Protocol::Icpc, Exit::Code(42), "chatter"), Ok(None));
    assert_eq!(admit(Protocol::Icpc, Exit::Code(43), "line 1\n"), Ok(Some("line 1".to_owned())));
    assert!(admit(Protocol::Icpc, Exit::Code(0), "").is_err_and(|said| said.contains("testlib")));
    assert_eq!(admit(Protocol::Testlib, Exit::Code(0), ""), Ok(None));
    assert_eq!(admit(Protocol::Testlib, Exit::Code(3), "FAIL x"), Ok(Some("FAIL x".to_owned())));
    assert!(admit(Protocol::Testlib, Exit::Signal(6), "").is_err());
}

proptest! {
    #[test]
    fn any_end_is_a_ruling_or_a_fault(
        code in 0..=255_i32,
        testlib in any::<bool>(),
        stderr in ".{0,40}",
        score in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..12)),
    ) {
        let protocol = if testlib { Protocol::Testlib } else { Protocol::Icpc };
        let feedback = score.into_iter().map(|score| ("score.txt".into(), score)).collect();
        let companion = Companion::new("check", protocol);
        if let Ok(ruling) = rule("c", &companion, &ended(Exit::Code(code), &stderr), &LIMITS, &feedback) {
            prop_assert_eq!(ruling.verdict == Verdict::Accepted, ruling.credit == Credit::FULL);
        }
    }
}
