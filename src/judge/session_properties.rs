//! Property tests of [`Session`] with random plans, random results and any order of completion.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::super::plan::{CaseFiles, PlanCase, PlanGroup};
use super::*;
use crate::model::{
    Aggregate, AggregateKind, Capture, Exit, FaultKind, Grader, Grading, Level, Part, Points, Requirement, TimeSpan,
    Usage,
};
use crate::problem::{AuxProgram, Protocol};

/// A random group: its number of cases, its points, and the earlier groups that it requires.
type GroupShape = (usize, Option<u32>, Vec<prop::sample::Index>);

fn plan(shapes: &[GroupShape], stop: Stop) -> Plan {
    let mut groups = Vec::new();
    for (number, (cases, points, after)) in shapes.iter().enumerate() {
        let name = format!("g{number}");
        let after = if number == 0 { vec![] } else { after.iter().map(|index| index.index(number)).collect() };
        let case = |n| PlanCase {
            id: CaseId::new(&name, n),
            files: CaseFiles::default(),
            judging: Arc::default(),
            args: vec![],
            beside: vec![],
            output_file: None,
            text: None,
            limits: None,
        };
        groups.push(PlanGroup {
            cases: (1..=*cases).map(case).collect(),
            points: points.map(Score::points),
            after,
            name,
        });
    }
    Plan {
        groups,
        stop,
        skip_certain: false,
        alone: false,
        part: false,
        rules: None,
        outputs: crate::judge::OutputUse::Checked,
    }
}

fn header() -> Header {
    Header {
        problem: "classic-nim".parse().unwrap(),
        program: "a.rs".to_owned(),
        language: "rust".to_owned(),
        isolation: Isolation::of(Level::D),
    }
}

/// Derives the result of a case from a random number.
fn done(plan: &Plan, index: usize, seed: u8) -> JobResult {
    let (group, case) = plan.case(index).unwrap();
    let (verdict, credit) = match seed % 8 {
        0 => (Verdict::WrongAnswer, Credit::NONE),
        1 => (Verdict::TimeLimit, Credit::NONE),
        2 => (Verdict::Partial, Credit::millionths(400_000)),
        3 if seed > 240 => return JobResult::Faulted(Fault::new(FaultKind::Sandbox, "it broke")),
        _ => (Verdict::Accepted, Credit::FULL),
    };
    JobResult::Judged(Box::new(CaseResult {
        case: case.id.clone(),
        group: group.name.clone(),
        verdict,
        credit,
        points: None,
        usage: Usage {
            cpu: TimeSpan::millis(u64::from(seed)),
            wall: TimeSpan::millis(1),
            memory: ByteSize::kib(u64::from(seed)),
            instructions: None,
        },
        exit: Exit::Code(0),
        stderr: Capture::default(),
        difference: None,
        message: None,
    }))
}

/// Simulates a session on `slots` workers. `order` chooses which running job ends next. With more than 4 workers, every
/// third job is put back once. Returns the summary, the log and the number of jobs that were started and not put back.
fn run(plan: &Plan, seeds: &[u8], slots: usize, order: &[prop::sample::Index]) -> (RunSummary, Vec<LogEntry>, usize) {
    let mut session = Session::new(header(), plan.clone());
    let (mut running, mut events, mut started, mut turn) = (Vec::new(), Vec::new(), 0, 0);
    let mut put_back = std::collections::BTreeSet::new();
    while !session.finished() {
        while running.len() < slots {
            let Some(job) = session.next_job() else { break };
            started += 1;
            running.push(job);
        }
        events.extend(session.take_events());
        assert!(!running.is_empty(), "an unfinished session has work");
        let job = running.swap_remove(order[turn % order.len()].index(running.len()));
        turn += 1;
        if slots > 4 && turn % 3 == 0 && put_back.insert(job.0) {
            session.put_back(job);
            started -= 1;
            continue;
        }
        session.record(job, done(plan, job.0, seeds[job.0]));
        while let Some(question) = session.question() {
            let answer = says(&question);
            session.answer(question, answer);
        }
        events.extend(session.take_events());
    }
    let (summary, rest) = session.into_summary();
    events.extend(rest);
    (summary, events, started)
}

/// Simulates a custom grader: returns an answer or a failure that is derived from the complete question.
fn says(question: &GraderQuestion) -> Result<GroupOutcome, Fault> {
    let text = question.text();
    let sum = text.bytes().map(u64::from).sum::<u64>();
    let verdict = match sum % 5 {
        0 => return Err(Fault::new(FaultKind::Checker, "it broke")),
        1 | 2 => Verdict::WrongAnswer,
        _ => Verdict::Accepted,
    };
    Ok(GroupOutcome { verdict: Some(verdict), points: Points::thousandths((sum % 7) as i64) })
}

/// Adds a custom grader to the plan, and rules by which each group and the run stop at their first failure. The bits of
/// `own` select the groups that use the custom grader.
fn with_grader(mut plan: Plan, own: u8) -> Plan {
    let rule = |own: bool| Rule::Grader(Grader { program: own.then(Vec::new), ..Grader::default() });
    let mut places = 0..;
    let groups = plan.groups.iter().enumerate().map(|(number, group)| {
        let parts = places.by_ref().take(group.cases.len()).map(Part::Case).collect();
        Part::Group(Grading { name: group.name.clone(), rule: rule(own >> (number % 7) & 1 == 1), parts })
    });
    let tree = Grading { name: String::new(), rule: rule(own & 128 != 0), parts: groups.collect() };
    let grader = Some(AuxProgram::new("grader", Protocol::Icpc));
    plan.rules = Some(GroupRules { tree, scored: true, grader });
    plan
}

/// Returns the plan with the rules of a package with points: groups with each kind of aggregation, some of which
/// require an earlier group.
fn with_aggregates(mut plan: Plan, kinds: &[u8], root: u8) -> Plan {
    let rule = |kind: u8, require: Vec<Requirement>| {
        let kind = [AggregateKind::PassFail, AggregateKind::Least, AggregateKind::Sum][usize::from(kind % 3)];
        Rule::Aggregate(Aggregate { kind, most: Some(Score::points(30)), require, scored: true, text: None })
    };
    let (mut groups, mut start, mut ranges) = (Vec::new(), 0, Vec::<Range<usize>>::new());
    for (group, kind) in plan.groups.iter_mut().zip(kinds.iter().cycle()) {
        let range = start..start + group.cases.len();
        start = range.end;
        // The requirement consists of all cases of an earlier group, or of the second half of these cases.
        let required = ranges.get(usize::from(kind / 8)).map(|range: &Range<usize>| {
            let cases = if kind & 4 == 0 { range.clone() } else { range.start + range.len() / 2..range.end };
            Requirement { cases, part_passes: false }
        });
        let parts = range.clone().map(Part::Case).collect();
        groups.push(Part::Group(Grading {
            name: group.name.clone(),
            rule: rule(*kind, required.into_iter().collect()),
            parts,
        }));
        ranges.push(range);
        (group.points, group.after) = (None, Vec::new());
    }
    let tree = Grading { name: String::new(), rule: rule(root, Vec::new()), parts: groups };
    plan.rules = Some(GroupRules { tree, scored: true, grader: None });
    plan
}

/// Computes the results directly from the definition, without a session.
fn by_definition(plan: &Plan, seeds: &[u8]) -> Vec<Option<JobResult>> {
    let mut results: Vec<Option<JobResult>> = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    let ok = |done: &Option<JobResult>| matches!(done, Some(JobResult::Judged(result)) if result.verdict.accepted());
    let bad = |done: &Option<JobResult>| done.is_some() && !ok(done);
    for group in &plan.groups {
        let start = results.len();
        starts.push(start);
        let blocked = group.after.iter().any(|&g| {
            let end = starts.get(g + 1).copied().unwrap_or(start);
            !results[starts[g]..end].iter().all(ok)
        });
        for _ in &group.cases {
            let watched = match plan.stop {
                Stop::Never => results.len(),
                Stop::InGroup => start,
                Stop::InRun => 0,
            };
            let skip = blocked || results[watched..].iter().any(bad);
            let index = results.len();
            results.push((!skip).then(|| done(plan, index, seeds[index])));
        }
    }
    results
}

fn shapes() -> impl Strategy<Value = Vec<GroupShape>> {
    let after = prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    prop::collection::vec((1..6_usize, prop::option::of(0..50_u32), after), 1..6)
}

fn stops() -> impl Strategy<Value = Stop> {
    prop::sample::select(vec![Stop::Never, Stop::InGroup, Stop::InRun])
}

proptest! {
    #[test]
    fn the_judgement_does_not_depend_on_workers_or_order(
        shapes in shapes(),
        stop in stops(),
        seeds in prop::collection::vec(any::<u8>(), 30),
        slots in 1..9_usize,
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let plan = plan(&shapes, stop);
        let alone = run(&plan, &seeds, 1, &order);
        let many = run(&plan, &seeds, slots, &order);
        prop_assert_eq!(&alone.0, &many.0);
        prop_assert_eq!(&alone.1, &many.1);
    }

    #[test]
    fn skipping_certain_cases_changes_neither_verdict_nor_points(
        shapes in shapes(),
        stop in stops(),
        seeds in prop::collection::vec(any::<u8>(), 30),
        slots in 1..9_usize,
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        // The judge does not fail in this test, since a fault in a skipped case would not be reported.
        let seeds: Vec<u8> = seeds.into_iter().map(|seed| seed.min(240)).collect();
        let all = plan(&shapes, stop);
        let certain = Plan { skip_certain: true, ..all.clone() };
        let (whole, _, started) = run(&all, &seeds, slots, &order);
        let (short, _, fewer) = run(&certain, &seeds, 1, &order);
        prop_assert_eq!(&short.outcome, &whole.outcome);
        prop_assert_eq!(short.max_score, whole.max_score);
        prop_assert!(fewer <= started);
        let again = run(&certain, &seeds, slots, &order);
        prop_assert_eq!(&again.0, &short, "the summary does not depend on the number of slots");
    }

    #[test]
    fn skipping_certain_cases_of_a_package_changes_neither_verdict_nor_points(
        shapes in shapes(),
        kinds in prop::collection::vec(any::<u8>(), 6),
        root in any::<u8>(),
        seeds in prop::collection::vec(any::<u8>(), 30),
        slots in 1..9_usize,
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let seeds: Vec<u8> = seeds.into_iter().map(|seed| seed.min(240)).collect();
        let all = with_aggregates(plan(&shapes, Stop::Never), &kinds, root);
        let certain = Plan { skip_certain: true, ..all.clone() };
        let groups = |events: &[LogEntry]| -> Vec<(Option<Verdict>, Score)> {
            let result = |entry: &LogEntry| match &entry.kind {
                EventKind::GroupFinished(group) => Some((group.verdict, group.score)),
                _ => None,
            };
            events.iter().filter_map(result).collect()
        };
        let (whole, events, started) = run(&all, &seeds, slots, &order);
        let (short, fewer_events, fewer) = run(&certain, &seeds, 1, &order);
        prop_assert_eq!(&short.outcome, &whole.outcome);
        prop_assert_eq!(groups(&fewer_events), groups(&events));
        prop_assert!(fewer <= started);
    }

    #[test]
    fn nor_does_it_where_a_grader_is_asked(
        shapes in shapes(),
        own in any::<u8>(),
        seeds in prop::collection::vec(any::<u8>(), 30),
        slots in 2..9_usize,
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let plan = with_grader(plan(&shapes, Stop::Never), own);
        let alone = run(&plan, &seeds, 1, &order);
        let many = run(&plan, &seeds, slots, &order);
        prop_assert_eq!(&alone.0, &many.0);
        prop_assert_eq!(&alone.1, &many.1);
    }

    #[test]
    fn cases_are_settled_as_the_definition_says(
        shapes in shapes(),
        stop in stops(),
        seeds in prop::collection::vec(any::<u8>(), 30),
    ) {
        let plan = plan(&shapes, stop);
        let order = [any_index()];
        let (summary, events, started) = run(&plan, &seeds, 1, &order);
        let expected = by_definition(&plan, &seeds);
        let told: Vec<Option<JobResult>> = events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::CaseFinished(result) => Some(Some(JobResult::Judged(result.clone()))),
                EventKind::CaseFaulted { fault, .. } => Some(Some(JobResult::Faulted(fault.clone()))),
                EventKind::CaseSkipped { .. } => Some(None),
                _ => None,
            })
            .collect();
        prop_assert_eq!(&told, &expected);
        prop_assert_eq!(started, expected.iter().flatten().count(), "one worker runs only cases that count");
        let faulted = expected.iter().flatten().any(|done| matches!(done, JobResult::Faulted(_)));
        prop_assert_eq!(faulted, matches!(summary.outcome, Outcome::Inconclusive { .. }));
    }

    #[test]
    fn events_are_numbered_and_each_case_is_told_once(
        shapes in shapes(),
        stop in stops(),
        seeds in prop::collection::vec(any::<u8>(), 30),
        slots in 1..9_usize,
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let plan = plan(&shapes, stop);
        let (summary, events, _) = run(&plan, &seeds, slots, &order);
        prop_assert!(events.iter().enumerate().all(|(at, event)| event.number == at as u64));
        let groups = events.iter().filter(|event| matches!(event.kind, EventKind::GroupFinished(_))).count();
        prop_assert_eq!(groups, plan.groups.len());
        let is_run_finished = matches!(events.last().map(|e| &e.kind), Some(EventKind::RunFinished(_)));
        prop_assert!(is_run_finished);
        if let Outcome::Final { verdict, score } = summary.outcome {
            prop_assert!(score <= summary.max_score);
            prop_assert_eq!(verdict.accepted(), summary.accepted == summary.cases);
        }
    }
}

/// Returns an index for runs with one worker, in which there is only one running job to choose.
fn any_index() -> prop::sample::Index {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    any::<prop::sample::Index>().new_tree(&mut runner).unwrap().current()
}

#[test]
fn a_failed_group_leaves_out_those_after_it_and_scores_stay() {
    let shapes = [(1, Some(30), vec![]), (1, Some(30), vec![]), (2, Some(40), vec![])];
    let mut plan = plan(&shapes, Stop::Never);
    plan.groups[2].after = vec![1];
    let order = [any_index()];
    let (summary, events, started) = run(&plan, &[7, 0, 7, 7], 4, &order);
    assert_eq!(summary.outcome, Outcome::Final { verdict: Verdict::Partial, score: Score::points(30) });
    assert_eq!(started, 2);
    let skipped = events.iter().filter(|event| matches!(event.kind, EventKind::CaseSkipped { .. })).count();
    assert_eq!(skipped, 2);
}
