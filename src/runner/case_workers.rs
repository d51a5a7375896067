//! Judges the cases of a session on worker threads, and runs the package's custom grader when the results that it needs
//! are known.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::judge::{EventSink, JobResult, Session};
use crate::model::{Fault, FaultKind, RunSummary};
use crate::problem::AuxProgram;
use crate::workers::on_each_worker;

use super::aux_program::AuxPrograms;
use super::case_runner::CaseRunner;
use super::host::Host;
use super::shared_session::{SessionWorker, SharedSession};

/// Drives a session to its end, with one thread for each runner. Calls `finished` before it waits for the threads, so
/// that the caller can end programs whose results are no longer needed.
pub(super) fn drive_on_workers(
    session: Session,
    runners: Vec<CaseRunner<'_>>,
    (host, grader): (&Host, Option<&AuxProgram>),
    sink: &mut dyn EventSink,
    finished: impl FnOnce(),
) -> RunSummary {
    let shared = &SharedSession::new(session, runners.len());
    let workers: Vec<_> = runners.into_iter().map(|runner| (runner, SessionWorker(shared))).collect();
    let mut aux_programs = AuxPrograms::new(host, 0);
    let end = shared.end_on_drop();
    let coordinate = move || {
        // Dropping the guard ends the run. The guard is moved into the closure, so that it is dropped before the
        // threads are waited for, even if the coordinator panics.
        let _end = end;
        let summary = shared.coordinate(sink, |question| {
            let none = || Fault::new(FaultKind::Internal, "a group requires a custom grader, but the package has none");
            aux_programs.ready(grader.ok_or_else(none)?)?.grade(question)
        });
        finished();
        summary
    };
    on_each_worker(workers, |(runner, session)| judge_jobs(runner, &session), coordinate).1
}

/// Judges cases until none is left or the run is over.
fn judge_jobs(mut runner: CaseRunner<'_>, session: &SessionWorker<'_>) {
    runner.pin();
    while let Some(job) = session.next_job() {
        let result = caught(|| runner.run(job, &mut |activity| session.report(activity)));
        if job.0 == 0 {
            // The other threads must not wait if the program was not run.
            runner.retry.end_first_run();
        }
        session.record(job, result);
        judge_queue(&mut runner, session);
    }
    runner.close();
}

/// Judges cases in the queue of the runner's cell, as long as the program ends soon on each. Returns when the queue is
/// empty; cases that were not run are put back.
fn judge_queue(runner: &mut CaseRunner<'_>, session: &SessionWorker<'_>) {
    let mut queue = VecDeque::new();
    loop {
        while runner.accepts_queued()
            && let Some(job) = session.next_queued_job(queue.len(), runner.queue_length())
        {
            if !catch_unwind(AssertUnwindSafe(|| runner.enqueue(job))).unwrap_or(false) {
                session.put_back(job);
                break;
            }
            queue.push_back(job);
        }
        let Some(job) = queue.pop_front() else { break };
        match caught(|| runner.finish_queued(job, &mut |activity| session.report(activity))) {
            Some(result) => session.record(job, result),
            None => session.put_back(job),
        }
    }
    runner.end_queue();
}

/// Returns the result of `judge`, or a fault if it panics.
fn caught<T: From<JobResult>>(judge: impl FnOnce() -> T) -> T {
    let panicked = |_| T::from(JobResult::Faulted(Fault::new(FaultKind::Internal, "a worker thread panicked")));
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(panicked)
}
