//! A thread of the judging queue: prepares the problem of a submission, judges the program, and stores the events and
//! the result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::history::ProblemKey;
use crate::model::{Failure, Fault, FaultKind, Outcome};
use crate::service::{PreparedProblem, RunReport, RunScope, recorded_run};

use super::finder::FoundProblem;
use super::id::SubmissionId;
use super::program_order::ProgramOrder;
use super::queue_state::{QueueShared, QueueWork, RunningSubmission};
use super::record::{JudgingState, NewSubmission, SubmissionKind};
use super::run_log::{RunLog, live_event};
use super::store::SubmissionEnd;

/// The report of a run, and the problem on which the program was judged.
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
            let fault = Fault::new(FaultKind::Internal, "a queue thread panicked while judging the submission");
            if !task.begin_judging() {
                return Ok(());
            }
            end_unjudged(shared, &task.id, &fault.into(), JudgingState::Finished)
        });
        match &stored {
            Ok(()) => shared.clear_fault(),
            Err(failure) => shared.note(failure),
        }
        shared.release(&task, stored.is_ok());
        shared.changed(&task.id);
    }
}

/// Stores the end of a submission that was cancelled before judging.
pub(super) fn end_cancelled(shared: &QueueShared, id: &SubmissionId) -> Result<(), Failure> {
    let fault = Fault::new(FaultKind::Cancelled, "the submission was cancelled before it was judged");
    end_unjudged(shared, id, &fault.into(), JudgingState::Cancelled)
}

pub(super) fn end_unjudged(
    shared: &QueueShared,
    id: &SubmissionId,
    failure: &Failure,
    state: JudgingState,
) -> Result<(), Failure> {
    let Some(new) = shared.store.submitted(id)? else { return Ok(()) };
    let mut log = RunLog::open(&shared.store, id)?;
    log.close(&shared.service, &new, failure);
    let error = (state == JudgingState::Finished).then(|| failure.to_string());
    let ending = SubmissionEnd { state, result: None, language: None, error, report: None };
    shared.store.end(id, &log.last_events(), &ending)?;
    shared.storage.add(&shared.store, &new.person, id);
    Ok(())
}

/// Judges a submission and stores its end. Returns only errors of the store; errors of the submission or its problem
/// are stored with the end.
fn judge(shared: &QueueShared, task: &RunningSubmission) -> Result<(), Failure> {
    let Some(new) = shared.store.submitted(&task.id)? else { return Ok(()) };
    if task.is_cancel_requested() {
        // An earlier attempt to store the cancellation failed.
        return if task.begin_judging() { end_cancelled(shared, &task.id) } else { Ok(()) };
    }
    shared.store.start(&task.id)?;
    shared.changed(&task.id);
    let mut log = RunLog::open(&shared.store, &task.id)?;
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
        log.close(&shared.service, &new, failure);
    }
    let events = log.last_events();
    shared.store.end(&task.id, &events, &ending(state, judged.as_ref().map(|judged| &judged.report))?)?;
    shared.storage.add(&shared.store, &new.person, &task.id);
    task.live.extend(events.iter().map(live_event));
    if let Ok(Judged { report, problem, key }) = judged
        && is_recorded(shared, &new)
    {
        record(shared, &new, (&problem, key), &report);
    }
    Ok(())
}

/// Prepares the problem and judges the program. The outer result is an error if the store fails; the inner result is an
/// error if the program was not judged.
fn run(
    shared: &QueueShared,
    task: &RunningSubmission,
    new: &NewSubmission,
    log: &mut RunLog,
) -> Result<Result<Judged, Failure>, Failure> {
    // Cancelling the task also ends the programs that prepare the problem.
    let service = shared.service.with_cancel(&task.cancel);
    let start = || -> Result<_, Failure> {
        let FoundProblem { source, key } = shared.finder.find(&new.problem)?;
        let problem = service.prepare(&source)?;
        let order = ProgramOrder::of(shared, new)?;
        service.make_data(&problem, &order.options, &|activity| {
            log.progress(task, activity);
            shared.changed(&task.id);
        })?;
        let request = order.request(&problem, task.slots);
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
        if let Err(failure) = log.take(&shared.store, task, batch) {
            // The events could not be stored, so the run is repeated later.
            handle.cancel();
            _ = handle.wait();
            return Err(failure);
        }
        shared.changed(&task.id);
    }
    Ok(handle.wait().map(|report| Judged { report, problem, key }))
}

/// Builds the final record of a submission from its final state and the report or the failure of its run.
///
/// # Errors
/// Fails if the report can't be serialized.
pub(super) fn ending(state: JudgingState, judged: Result<&RunReport, &Failure>) -> Result<SubmissionEnd, Failure> {
    let report = match judged {
        Ok(report) => report,
        Err(failure) => {
            let error = (state == JudgingState::Finished).then(|| failure.to_string());
            return Ok(SubmissionEnd { state, result: None, language: None, error, report: None });
        }
    };
    let text = serde_json::to_string(report)
        .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot serialize the report of the run"))?;
    let (result, error) = match &report.summary.outcome {
        Outcome::Final { verdict, score } => (Some((*verdict, *score, report.summary.max_score)), None),
        Outcome::Inconclusive { .. } if state == JudgingState::Cancelled => (None, None),
        Outcome::Inconclusive { faults } => (None, Some(Fault::first_of(faults).to_string())),
    };
    Ok(SubmissionEnd { state, result, language: Some(report.language.clone()), error, report: Some(text) })
}

/// Returns whether the run of a submission must be recorded in the history.
pub(super) fn is_recorded(shared: &QueueShared, new: &NewSubmission) -> bool {
    new.kind == SubmissionKind::Submit && shared.backlog.records(&new.person)
}

/// Records a run of the local person in the history. A failure to do so does not affect the result of the submission.
pub(super) fn record(
    shared: &QueueShared,
    new: &NewSubmission,
    (problem, key): (&PreparedProblem, ProblemKey),
    report: &RunReport,
) {
    if let Some(run) = recorded_run(problem, key, new.name.clone(), RunScope::Whole, report) {
        shared.backlog.record(run);
    }
}
