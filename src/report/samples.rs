//! Example runs with which all reporters are tested.

use crate::model::{
    ByteSize, Capture, CaseId, CaseResult, Credit, Difference, Event, EventKind, Exit, Fault, FaultKind, GroupResult,
    Isolation, Level, Outcome, RunId, RunSummary, Score, TimeSpan, Usage, Verdict,
};

fn events(kinds: Vec<EventKind>) -> Vec<Event> {
    kinds
        .into_iter()
        .zip(0..)
        .map(|(kind, number)| Event {
            run: RunId::new("0123456789abcdef"),
            number: Some(number),
            at: TimeSpan::millis(number),
            kind,
        })
        .collect()
}

fn started(program: &str, language: &str, cases: usize) -> EventKind {
    EventKind::RunStarted {
        problem: "classic-nim".parse().unwrap(),
        program: program.to_owned(),
        language: language.to_owned(),
        cases,
        isolation: Isolation::of(Level::A),
    }
}

fn built(cached: bool, millis: u64, error: Option<&str>) -> EventKind {
    EventKind::BuildFinished { cached, wall: TimeSpan::millis(millis), error: error.map(str::to_owned) }
}

fn group(name: &str, verdict: Option<Verdict>, score: u32, max_score: u32) -> EventKind {
    EventKind::GroupFinished(GroupResult {
        group: name.to_owned(),
        verdict,
        score: Score::points(score),
        max_score: Score::points(max_score),
    })
}

fn summary(program: &str, outcome: Outcome, max_score: u32, cases: usize, accepted: usize) -> EventKind {
    EventKind::RunFinished(RunSummary {
        problem: "classic-nim".parse().unwrap(),
        program: program.to_owned(),
        outcome,
        max_score: Score::points(max_score),
        cases,
        accepted,
        slowest: (accepted > 0).then(|| (CaseId::new("large", 1), TimeSpan::millis(431))),
        memory: ByteSize::kib(3_482),
        isolation: Level::A,
    })
}

/// Creates a minimal result of a case with the verdict `verdict`.
pub(super) fn case(group: &str, number: usize, verdict: Verdict) -> CaseResult {
    CaseResult {
        case: CaseId::new(group, number),
        group: group.to_owned(),
        verdict,
        credit: if verdict.accepted() { Credit::FULL } else { Credit::NONE },
        points: None,
        usage: Usage {
            cpu: TimeSpan::micros(1_234),
            wall: TimeSpan::micros(2_345),
            memory: ByteSize::kib(1_433),
            instructions: None,
        },
        exit: Exit::Code(0),
        stderr: Capture::default(),
        difference: None,
        message: None,
    }
}

fn finished(result: CaseResult) -> EventKind {
    EventKind::CaseFinished(Box::new(result))
}

/// Creates the result of a wrong answer whose first difference is in line 2.
pub(super) fn wrong() -> CaseResult {
    let message = "token 2: expected `No`, found `Yes`".to_owned();
    CaseResult {
        difference: Some(Difference {
            expected_line: 2,
            expected_column: 1,
            actual_line: 2,
            actual_column: 1,
            index: 2,
            expected: Some("No".to_owned()),
            actual: Some("Yes".to_owned()),
            message,
        }),
        ..case("tiny", 2, Verdict::WrongAnswer)
    }
}

/// Creates the result of a crash with text on standard error.
pub(super) fn crash() -> CaseResult {
    CaseResult {
        exit: Exit::Signal(11),
        stderr: Capture::new(b"reading \x1b[31mpiles\nindex 7\n", 1 << 10, 27),
        ..case("random", 1, Verdict::RuntimeError)
    }
}

/// Creates the result of a case that exceeds the time limit.
pub(super) fn slow() -> CaseResult {
    CaseResult {
        usage: Usage {
            cpu: TimeSpan::millis(1_004),
            wall: TimeSpan::millis(1_020),
            memory: ByteSize::mib(12),
            instructions: None,
        },
        exit: Exit::Signal(9),
        ..case("large", 1, Verdict::TimeLimit)
    }
}

/// Creates the events of a run in which all cases are accepted and groups have no points.
pub(super) fn accepted() -> Vec<Event> {
    let mut kinds = vec![
        started("xor.cpp", "cpp", 3),
        EventKind::BuildStarted { language: "cpp".to_owned() },
        built(false, 612, None),
    ];
    for number in 1..=2 {
        kinds.push(EventKind::CaseStarted { case: CaseId::new("tiny", number), group: "tiny".to_owned() });
        kinds.push(finished(case("tiny", number, Verdict::Accepted)));
    }
    kinds.push(group("tiny", Some(Verdict::Accepted), 0, 0));
    let usage = Usage {
        cpu: TimeSpan::millis(431),
        wall: TimeSpan::millis(440),
        memory: ByteSize::kib(3_482),
        instructions: None,
    };
    kinds.push(finished(CaseResult { usage, ..case("large", 1, Verdict::Accepted) }));
    kinds.push(group("large", Some(Verdict::Accepted), 0, 0));
    kinds.push(summary("xor.cpp", Outcome::Final { verdict: Verdict::Accepted, score: Score::ZERO }, 0, 3, 3));
    events(kinds)
}

/// Creates the events of a run with cases that fail with different verdicts, in groups with points.
pub(super) fn failing() -> Vec<Event> {
    events(vec![
        started("guess.py", "python", 6),
        built(true, 0, None),
        finished(case("tiny", 1, Verdict::Accepted)),
        finished(wrong()),
        group("tiny", Some(Verdict::WrongAnswer), 0, 20),
        finished(crash()),
        finished(CaseResult {
            credit: Credit::millionths(500_000),
            message: Some("7 of 14 moves".to_owned()),
            ..case("random", 2, Verdict::Partial)
        }),
        group("random", Some(Verdict::RuntimeError), 0, 30),
        finished(slow()),
        EventKind::CaseSkipped {
            case: CaseId::new("large", 2),
            group: "large".to_owned(),
            reason: "its group has already failed".to_owned(),
        },
        group("large", Some(Verdict::TimeLimit), 0, 50),
        summary(
            "guess.py",
            Outcome::Final { verdict: Verdict::WrongAnswer, score: Score::thousandths(12_500) },
            100,
            6,
            1,
        ),
    ])
}

/// Creates the events of a run whose program fails to compile.
pub(super) fn refused() -> Vec<Event> {
    events(vec![
        started("xor.cpp", "cpp", 6),
        EventKind::BuildStarted { language: "cpp".to_owned() },
        built(false, 80, Some("xor.cpp:3:5: error: 'cim' was not declared in this scope; did you mean 'cin'?\n")),
        summary("xor.cpp", Outcome::Final { verdict: Verdict::CompileError, score: Score::ZERO }, 0, 6, 0),
    ])
}

/// Creates the events of a run in which the judge fails.
pub(super) fn faulty() -> Vec<Event> {
    let fault = Fault::new(FaultKind::Sandbox, "cannot create the control group: permission denied");
    events(vec![
        started("xor.cpp", "cpp", 2),
        built(true, 0, None),
        finished(case("tiny", 1, Verdict::Accepted)),
        EventKind::CaseFaulted { case: CaseId::new("tiny", 2), group: "tiny".to_owned(), fault: fault.clone() },
        group("tiny", None, 0, 0),
        summary("xor.cpp", Outcome::Inconclusive { faults: vec![fault] }, 0, 2, 1),
    ])
}

/// Creates the events of a run with many cases, all but one accepted.
pub(super) fn many() -> Vec<Event> {
    let mut kinds = vec![started("xor.cpp", "cpp", 200), built(true, 0, None)];
    for number in 1..=199 {
        kinds.push(finished(case("tiny", number, Verdict::Accepted)));
    }
    kinds.push(finished(CaseResult { case: CaseId::new("tiny", 200), ..wrong() }));
    kinds.push(group("tiny", Some(Verdict::WrongAnswer), 0, 0));
    kinds.push(summary("xor.cpp", Outcome::Final { verdict: Verdict::WrongAnswer, score: Score::ZERO }, 0, 200, 199));
    events(kinds)
}
