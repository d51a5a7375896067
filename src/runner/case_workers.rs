//! The executor of this machine: worker threads that judge cases, and the package's custom grader, which runs between
//! their results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::judge::{EventSink, Executor, GraderQuestion, GroupOutcome, Job, JobResult, Session, Update, drive};
use crate::model::{Fault, FaultKind, RunSummary};
use crate::problem::AuxProgram;
use crate::workers::on_each_worker;

use super::aux_program::AuxPrograms;
use super::case_runner::CaseRunner;
use super::host::Host;

/// Threads that take jobs from one queue, and a custom grader.
pub(super) struct CaseWorkers<'a> {
    jobs: Sender<Job>,
    updates: Receiver<Update>,
    workers: usize,
    aux_programs: AuxPrograms<'a>,
    grader: Option<&'a AuxProgram>,
}

/// Drives a session to its end, with one thread for each runner. Calls `finished` before it waits for the threads, so that
/// the caller can end programs whose results are not needed any more.
pub(super) fn drive_on_workers(
    session: Session,
    runners: Vec<CaseRunner<'_>>,
    (host, grader): (&Host, Option<&AuxProgram>),
    sink: &mut dyn EventSink,
    finished: impl FnOnce(),
) -> RunSummary {
    let (jobs, queue) = channel();
    let (sender, updates) = channel();
    let queue = Mutex::new(queue);
    let workers: Vec<_> = runners.into_iter().map(|runner| (runner, sender.clone())).collect();
    drop(sender);
    let aux_programs = AuxPrograms::new(host, 0);
    let mut executor = CaseWorkers { jobs, updates, workers: workers.len(), aux_programs, grader };
    let coordinate = || {
        let summary = drive(session, &mut executor, sink);
        // Closes the queue, so that the threads end.
        drop(executor);
        finished();
        summary
    };
    on_each_worker(workers, |(runner, updates)| judge_jobs(runner, &queue, &updates), coordinate).1
}

/// Takes jobs until there are no more, or the results are not wanted any more.
fn judge_jobs(mut runner: CaseRunner<'_>, queue: &Mutex<Receiver<Job>>, updates: &Sender<Update>) {
    runner.pin();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A receiver that is gone is noticed when the result is sent.
        let mut report = |activity| _ = updates.send(Update::Progress(activity));
        let done = catch_unwind(AssertUnwindSafe(|| runner.run(job, &mut report)))
            .unwrap_or_else(|_| JobResult::Faulted(Fault::new(FaultKind::Internal, "a worker thread panicked")));
        if updates.send(Update::Done(job, done)).is_err() {
            return;
        }
    }
}

impl Executor for CaseWorkers<'_> {
    fn slots(&self) -> usize {
        // Each thread has one more job than it can run, so that it finds the next one waiting.
        2 * self.workers
    }

    fn start(&mut self, job: Job) {
        // If all threads are gone, `wait` reports it.
        let _ = self.jobs.send(job);
    }

    fn wait(&mut self) -> Result<Update, Fault> {
        self.updates.recv().map_err(|_| Fault::new(FaultKind::Internal, "all worker threads have ended"))
    }

    fn grade(&mut self, question: &GraderQuestion) -> Result<GroupOutcome, Fault> {
        let none = || Fault::new(FaultKind::Internal, "the package has no custom grader");
        self.aux_programs.ready(self.grader.ok_or_else(none)?)?.grade(question)
    }
}
