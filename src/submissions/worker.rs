//! A thread of the judging queue: prepares the problem of a submission, judges the program, and stores the events and
//! the result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::history::ProblemKey;
use crate::model::{Activity, Diagnostic, Event, EventKind, Failure, Fault, FaultKind, Outcome, RunId, TimeSpan};
use crate::service::{
    CustomInput, JudgeOptions, JudgeRequest, JudgeService, PreparedProblem, RunReport, SourceBundle, recorded_run,
};

use super::continuation::Continuation;
use super::finder::FoundProblem;
use super::id::SubmissionId;
use super::live::{LiveEvent, event_json};
use super::queue_state::{QueueShared, QueueWork, Task};
use super::record::{JudgingState, NewSubmission, SAMPLE_GROUP, StoredEvent, SubmissionKind};
use super::store::SubmissionEnd;

/// The name of an input in messages.
const INPUT: &str = "input";
/// Minimum time between two events about the generation of test data.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// A run that ended, with its problem.
struct Judged {
    report: RunReport,
    problem: std::sync::Arc<PreparedProblem>,
    key: ProblemKey,
}

/// Judges submissions until the queue is shut down.
pub(super) fn work(shared: &QueueShared) {
    loop {
        let task = match shared.next_work() {
            QueueWork::Judge(task) => task,
            QueueWork::Record => {
                shared.backlog.flush();
                continue;
            }
            QueueWork::End => return,
        };
        let judged = catch_unwind(AssertUnwindSafe(|| judge(shared, &task)));
        let stored = judged.unwrap_or_else(|_| {
            let fault = Fault::new(FaultKind::Internal, "a thread of the queue panicked");
            if !task.begin_judging() {
                return Ok(());
            }
            end_unjudged(shared, &task.id, &fault.into(), JudgingState::Finished)
        });
        match &stored {
            Ok(()) => shared.forget_fault(),
            Err(failure) => shared.note(failure),
        }
        shared.release(&task, stored.is_ok());
        shared.changed(&task.id);
    }
}

/// Ends a submission that is not judged yet, because a person cancelled it.
pub(super) fn end_cancelled(shared: &QueueShared, id: &SubmissionId) -> Result<(), Failure> {
    let fault = Fault::new(FaultKind::Cancelled, "the submission was cancelled before it was judged");
    end_unjudged(shared, id, &fault.into(), JudgingState::Cancelled)
}

fn end_unjudged(
    shared: &QueueShared,
    id: &SubmissionId,
    failure: &Failure,
    state: JudgingState,
) -> Result<(), Failure> {
    let Some(new) = shared.store.submitted(id)? else { return Ok(()) };
    let mut log = RunLog::open(shared, id)?;
    log.close(&new, failure);
    let error = (state == JudgingState::Finished).then(|| failure.to_string());
    let ending = SubmissionEnd { state, result: None, language: None, error, report: None };
    shared.store.end(id, &log.last_events(), &ending)
}

/// Judges a submission and stores its end. Returns only errors of the store; errors of the submission or its problem
/// are part of its end.
fn judge(shared: &QueueShared, task: &Task) -> Result<(), Failure> {
    let Some(new) = shared.store.submitted(&task.id)? else { return Ok(()) };
    if task.is_cancel_requested() {
        // An earlier attempt to store the cancellation failed.
        return if task.begin_judging() { end_cancelled(shared, &task.id) } else { Ok(()) };
    }
    shared.store.start(&task.id)?;
    shared.changed(&task.id);
    let mut log = RunLog::open(shared, &task.id)?;
    let judged = run(shared, task, &new, &mut log)?;
    if !task.begin_judging() {
        return Ok(());
    }
    let outcome = judged.as_ref().map(|judged| &judged.report.summary.outcome);
    let state = if matches!(outcome, Ok(Outcome::Final { .. })) {
        JudgingState::Finished
    } else if task.is_cancel_requested() {
        JudgingState::Cancelled
    } else if shared.cancel.is_cancelled() {
        return shared.store.requeue(&task.id);
    } else {
        JudgingState::Finished
    };
    if let Err(failure) = &judged {
        log.close(&new, failure);
    }
    let events = log.last_events();
    shared.store.end(&task.id, &events, &ending(state, &judged)?)?;
    task.live.extend(events.iter().map(live_event));
    if let Ok(judged) = judged {
        record(shared, &new, judged);
    }
    Ok(())
}

/// Prepares the problem and judges the program. The outer error is that of the store.
fn run(
    shared: &QueueShared,
    task: &Task,
    new: &NewSubmission,
    log: &mut RunLog<'_>,
) -> Result<Result<Judged, Failure>, Failure> {
    // Cancelling the task ends the programs that prepare the problem too.
    let service = shared.service.with_cancel(&task.cancel);
    let start = || -> Result<_, Failure> {
        let FoundProblem { source, key } = shared.finder.find(&new.problem)?;
        let problem = service.prepare(&source)?;
        let options = options(shared, new)?;
        make_data(&service, &problem, &options, &|activity| log.progress(task, activity, shared))?;
        let source = SourceBundle { language: new.language.clone(), ..SourceBundle::of_text(&new.name, &*new.source) };
        let request = JudgeRequest { options, slots: Some(task.slots), ..JudgeRequest::new(&problem, source) };
        if !task.begin_judging() {
            return Err(Failure::fault(FaultKind::Cancelled, "the submission was cancelled"));
        }
        let handle = service.submit(request)?;
        Ok((problem, key, handle))
    };
    let (problem, key, mut handle) = match start() {
        Ok(started) => started,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut events = handle.events();
    while let Some(batch) = events.next_batch() {
        if let Err(failure) = log.take(task, batch) {
            // The events could not be stored, so the run is repeated later.
            handle.cancel();
            _ = handle.wait();
            return Err(failure);
        }
        shared.changed(&task.id);
    }
    Ok(handle.wait().map(|report| Judged { report, problem, key }))
}

fn options(shared: &QueueShared, new: &NewSubmission) -> Result<JudgeOptions, Failure> {
    let input = |name: String, content: Vec<u8>, answer: Option<Vec<u8>>| CustomInput {
        name,
        content: content.into(),
        answered_by: None,
        answer: answer.map(Into::into),
    };
    let inputs = match new.kind {
        SubmissionKind::Submit => return Ok(JudgeOptions::default()),
        SubmissionKind::Samples => {
            return Ok(JudgeOptions { only: vec![SAMPLE_GROUP.to_owned()], ..JudgeOptions::default() });
        }
        SubmissionKind::Input => vec![input(INPUT.to_owned(), new.input.clone().unwrap_or_default(), None)],
        SubmissionKind::Tests => {
            let own = shared.store.own_tests(&new.person, &new.problem)?;
            own.into_iter().map(|test| input(test.name(), test.input, test.answer)).collect()
        }
    };
    if inputs.is_empty() {
        return Err(Diagnostic::new("there are no tests of your own on this problem").into());
    }
    Ok(JudgeOptions { inputs, ..JudgeOptions::default() })
}

/// Generates the test data of the problem if the run needs it and it does not exist. The run itself would generate it
/// without reporting progress, and a run that holds slots must not do so.
fn make_data(
    service: &JudgeService,
    problem: &PreparedProblem,
    options: &JudgeOptions,
    progress: &(dyn Fn(Activity) + Sync),
) -> Result<(), Failure> {
    if !options.inputs.is_empty() && problem.known_limits(service.host(), options)?.is_some() {
        return Ok(());
    }
    let last = Mutex::new(None::<Instant>);
    let report = |done: usize, total: usize| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if done == total || last.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
            *last = Some(Instant::now());
            progress(Activity::MakingTestData { done, total });
        }
    };
    service.cases(problem, &report).map(|_| ())
}

/// The end of a submission with this state.
fn ending(state: JudgingState, judged: &Result<Judged, Failure>) -> Result<SubmissionEnd, Failure> {
    let report = match judged {
        Ok(judged) => &judged.report,
        Err(failure) => {
            let error = (state == JudgingState::Finished).then(|| failure.to_string());
            return Ok(SubmissionEnd { state, result: None, language: None, error, report: None });
        }
    };
    let text = serde_json::to_string(report)
        .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot write the report"))?;
    let (result, error) = match &report.summary.outcome {
        Outcome::Final { verdict, score } => (Some((*verdict, *score, report.summary.max_score)), None),
        Outcome::Inconclusive { .. } if state == JudgingState::Cancelled => (None, None),
        Outcome::Inconclusive { faults } => (None, Some(Fault::first_of(faults).to_string())),
    };
    Ok(SubmissionEnd { state, result, language: Some(report.language.clone()), error, report: Some(text) })
}

/// Records a run of the local person in the history. If that fails, the result stands.
fn record(shared: &QueueShared, new: &NewSubmission, judged: Judged) {
    if new.kind != SubmissionKind::Submit || !shared.backlog.records(&new.person) {
        return;
    }
    let Judged { report, problem, key } = judged;
    if let Some(run) = recorded_run(&problem, key, new.name.clone(), true, &report) {
        shared.backlog.record(run);
    }
}

/// The log of a run, as it continues the stored log of its submission.
struct RunLog<'a> {
    shared: &'a QueueShared,
    id: &'a SubmissionId,
    run: RunId,
    start: Instant,
    continuation: Continuation,
    /// Whether the run has had a numbered event.
    started: bool,
    /// The last events, which are stored with the end of the submission. After a cancellation they begin with the case
    /// that was interrupted: if the submission is judged again, they must not be stored.
    last: Vec<Event>,
}

impl<'a> RunLog<'a> {
    fn open(shared: &'a QueueShared, id: &'a SubmissionId) -> Result<RunLog<'a>, Failure> {
        let run = RunId::new(id.as_str());
        let continuation = Continuation::of(run.clone(), shared.store.log(id)?);
        Ok(RunLog { shared, id, run, start: Instant::now(), continuation, started: false, last: Vec::new() })
    }

    /// Publishes an activity of the queue before the run.
    fn progress(&self, task: &Task, activity: Activity, shared: &QueueShared) {
        let kind = EventKind::Progress(activity);
        let event = Event { kind, number: None, run: self.run.clone(), at: TimeSpan::ZERO };
        task.live.extend([LiveEvent { number: None, json: event_json(&event).into() }]);
        shared.changed(&task.id);
    }

    /// Stores events of the run, then publishes them.
    fn take(&mut self, task: &Task, batch: Vec<Event>) -> Result<(), Failure> {
        let mut live = Vec::new();
        let mut stored = Vec::new();
        for event in batch {
            if event.number.is_none() {
                let event = Event { run: self.run.clone(), ..event };
                live.push(LiveEvent { number: None, json: event_json(&event).into() });
                continue;
            }
            self.started = true;
            if !self.last.is_empty() || is_last(&event.kind) {
                self.last.push(event);
                continue;
            }
            for event in self.continuation.take(event).iter().filter_map(stored_event) {
                live.push(live_event(&event));
                stored.push(event);
            }
        }
        self.shared.store.append(self.id, &stored)?;
        task.live.extend(live);
        Ok(())
    }

    /// Ends the log of a run that has no report.
    fn close(&mut self, new: &NewSubmission, failure: &Failure) {
        if self.last.iter().any(|event| matches!(event.kind, EventKind::RunFinished(_))) {
            return;
        }
        let events = self.shared.service.failed_run(&new.problem, &new.name, &failure.to_fault());
        let missing = |event: &Event| !self.started || matches!(event.kind, EventKind::RunFinished(_));
        let at = TimeSpan::from(self.start.elapsed());
        self.last.extend(events.into_iter().filter(missing).map(|event| Event { at, ..event }));
    }

    /// Numbers the last events.
    fn last_events(&mut self) -> Vec<StoredEvent> {
        let last = std::mem::take(&mut self.last);
        let events = last.into_iter().flat_map(|event| self.continuation.take(event));
        events.collect::<Vec<_>>().iter().filter_map(stored_event).collect()
    }
}

/// Whether the events from this one on belong to the end of a run.
fn is_last(kind: &EventKind) -> bool {
    match kind {
        EventKind::RunFinished(_) => true,
        EventKind::CaseFaulted { fault, .. } => fault.kind == FaultKind::Cancelled,
        _ => false,
    }
}

fn stored_event(event: &Event) -> Option<StoredEvent> {
    Some(StoredEvent { number: event.number?, json: event_json(event) })
}

fn live_event(event: &StoredEvent) -> LiveEvent {
    LiveEvent { number: Some(event.number), json: event.json.as_str().into() }
}
