//! Random values of the types that events and reports consist of. The property tests of `service` include this file.

use proptest::prelude::*;

use crate::model::{
    Activity, ByteSize, Capture, CaseId, CaseResult, Credit, Difference, EventKind, Exit, Fault, FaultKind,
    GroupResult, Isolation, Level, OsError, Outcome, Points, ProblemId, RunSummary, Score, TimeSpan, Usage, Verdict,
};

/// Generates up to 11 arbitrary characters, which include quotes, control characters and letters of many scripts.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..12).prop_map(|chars| chars.into_iter().collect())
}

fn case() -> impl Strategy<Value = CaseId> {
    text().prop_map(CaseId::named)
}

/// Generates a time up to 35 years, which a JSON number represents exactly.
pub(crate) fn time() -> impl Strategy<Value = TimeSpan> {
    (0..1_u64 << 50).prop_map(TimeSpan::micros)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(Verdict::ALL.to_vec())
}

fn level() -> impl Strategy<Value = Level> {
    prop::sample::select(vec![Level::A, Level::B, Level::C, Level::D])
}

fn score() -> impl Strategy<Value = Score> {
    (0..1_u64 << 60).prop_map(Score::thousandths)
}

fn fault() -> impl Strategy<Value = Fault> {
    let kinds = vec![
        FaultKind::Sandbox,
        FaultKind::Checker,
        FaultKind::Toolchain,
        FaultKind::Data,
        FaultKind::Output,
        FaultKind::Overload,
        FaultKind::Internal,
        FaultKind::Cancelled,
    ];
    let os_error = prop::option::of(any::<i32>().prop_map(OsError));
    (prop::sample::select(kinds), text(), os_error).prop_map(|(kind, message, os_error)| Fault {
        kind,
        message,
        os_error,
    })
}

fn usage() -> impl Strategy<Value = Usage> {
    (time(), time(), any::<u64>(), any::<Option<u64>>()).prop_map(|(cpu, wall, memory, instructions)| Usage {
        cpu,
        wall,
        memory: ByteSize::new(memory),
        instructions,
    })
}

fn exit() -> impl Strategy<Value = Exit> {
    prop_oneof![any::<i32>().prop_map(Exit::Code), any::<i32>().prop_map(Exit::Signal)]
}

fn capture() -> impl Strategy<Value = Capture> {
    (text(), any::<u64>(), any::<bool>()).prop_map(|(text, bytes, cut)| Capture { text, bytes, cut })
}

fn difference() -> impl Strategy<Value = Difference> {
    let place = any::<(u64, u64, u64, u64, u64)>();
    let texts = (prop::option::of(text()), prop::option::of(text()), text());
    (place, texts).prop_map(|(place, (expected, actual, message))| Difference {
        expected_line: place.0,
        expected_column: place.1,
        actual_line: place.2,
        actual_column: place.3,
        index: place.4,
        expected,
        actual,
        message,
    })
}

pub(crate) fn case_result() -> impl Strategy<Value = CaseResult> {
    let marks = (verdict(), 0..=1_000_000_u32, prop::option::of(any::<i64>()));
    let evidence = (prop::option::of(difference()), prop::option::of(text()), capture());
    (case(), text(), marks, usage(), exit(), evidence).prop_map(|(case, group, marks, usage, exit, evidence)| {
        CaseResult {
            case,
            group,
            verdict: marks.0,
            usage,
            credit: Credit::millionths(marks.1),
            points: marks.2.map(Points::millionths),
            exit,
            difference: evidence.0,
            message: evidence.1,
            stderr: evidence.2,
        }
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        (verdict(), score()).prop_map(|(verdict, score)| Outcome::Final { verdict, score }),
        prop::collection::vec(fault(), 0..3).prop_map(|faults| Outcome::Inconclusive { faults }),
    ]
}

fn problem() -> impl Strategy<Value = ProblemId> {
    "[a-z0-9][a-z0-9_-]{0,20}".prop_map(|id| id.parse().unwrap())
}

pub(crate) fn summary() -> impl Strategy<Value = RunSummary> {
    let counts = (any::<u32>(), any::<u32>(), any::<u64>());
    let slowest = prop::option::of((case(), time()));
    (problem(), text(), outcome(), score(), counts, slowest, level()).prop_map(
        |(problem, program, outcome, max_score, counts, slowest, isolation)| RunSummary {
            problem,
            program,
            outcome,
            max_score,
            cases: counts.0 as usize,
            accepted: counts.1 as usize,
            slowest,
            memory: ByteSize::new(counts.2),
            isolation,
        },
    )
}

fn group_result() -> impl Strategy<Value = GroupResult> {
    (text(), prop::option::of(verdict()), score(), score()).prop_map(|(group, verdict, score, max_score)| GroupResult {
        group,
        verdict,
        score,
        max_score,
    })
}

fn activity() -> impl Strategy<Value = Activity> {
    prop_oneof![
        Just(Activity::WaitingForSlot),
        any::<(u32, u32)>()
            .prop_map(|(done, total)| Activity::MakingTestData { done: done as usize, total: total as usize }),
        text().prop_map(|program| Activity::MeasuringTimeLimit { program }),
        case().prop_map(|case| Activity::RunningCase { case }),
        case().prop_map(|case| Activity::WaitingToRunAlone { case }),
        case().prop_map(|case| Activity::RunningAlone { case }),
        (case(), verdict()).prop_map(|(case, verdict)| Activity::JudgedCase { case, verdict }),
    ]
}

pub(crate) fn kind() -> impl Strategy<Value = EventKind> {
    let isolation = (level(), any::<bool>(), prop::collection::vec(text(), 0..3))
        .prop_map(|(level, strict, missing)| Isolation { level, strict, missing });
    prop_oneof![
        (problem(), text(), text(), any::<u32>(), isolation).prop_map(
            |(problem, program, language, cases, isolation)| EventKind::RunStarted {
                problem,
                program,
                language,
                cases: cases as usize,
                isolation
            }
        ),
        text().prop_map(|language| EventKind::BuildStarted { language }),
        (any::<bool>(), time(), prop::option::of(text())).prop_map(|(cached, wall, error)| EventKind::BuildFinished {
            cached,
            wall,
            error
        }),
        (case(), text()).prop_map(|(case, group)| EventKind::CaseStarted { case, group }),
        case_result().prop_map(|result| EventKind::CaseFinished(Box::new(result))),
        (case(), text(), text()).prop_map(|(case, group, reason)| EventKind::CaseSkipped { case, group, reason }),
        (case(), text(), fault()).prop_map(|(case, group, fault)| EventKind::CaseFaulted { case, group, fault }),
        group_result().prop_map(EventKind::GroupFinished),
        activity().prop_map(EventKind::Progress),
        summary().prop_map(EventKind::RunFinished),
    ]
}
