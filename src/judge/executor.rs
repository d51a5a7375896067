//! The loop between a session, which decides, an executor, which runs cases, and a sink, which receives the events.

use crate::model::{Activity, EventKind, Fault, FaultKind, RunSummary};

use super::custom_grader::GraderQuestion;
use super::scoring::GroupOutcome;
use super::session::{Job, JobResult, Session};

/// Runs jobs: threads of this process, or a script in a test.
pub trait Executor {
    /// The number of jobs that can run at once.
    fn slots(&self) -> usize;

    /// Starts a job; its result comes from [`Executor::wait`].
    fn start(&mut self, job: Job);

    /// Waits for the next update. Results come in any order.
    ///
    /// # Errors
    /// Returns a fault if no result will ever come.
    fn wait(&mut self) -> Result<Update, Fault>;

    /// Runs the package's custom grader on the results of a group.
    ///
    /// # Errors
    /// Fails if the grader fails, or if there is none.
    fn grade(&mut self, question: &GraderQuestion) -> Result<GroupOutcome, Fault> {
        let message = format!("there is no custom grader to grade {} results", question.results.len());
        Err(Fault::new(FaultKind::Internal, message))
    }
}

/// A report of an executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// The progress of a running job.
    Progress(Activity),
    /// A job ended.
    Done(Job, JobResult),
}

/// Receives the events of a run as they happen.
pub trait EventSink {
    /// Receives an event, with its index in the log, or `None` for progress.
    fn emit(&mut self, number: Option<u64>, kind: EventKind);
}

/// Runs a session to its end and sends its events to the sink.
pub fn drive(mut session: Session, executor: &mut dyn Executor, sink: &mut dyn EventSink) -> RunSummary {
    let mut running = 0;
    loop {
        while let Some(question) = session.question() {
            let answer = executor.grade(&question);
            session.answer(question, answer);
        }
        while running < executor.slots() {
            let Some(job) = session.next_job() else { break };
            executor.start(job);
            running += 1;
        }
        emit_log(&mut session, sink);
        if session.finished() {
            break;
        }
        match executor.wait() {
            Ok(Update::Progress(activity)) => {
                sink.emit(None, EventKind::Progress(activity));
                continue;
            }
            Ok(Update::Done(job, done)) => {
                if let JobResult::Judged(result) = &done {
                    let activity = Activity::JudgedCase { case: result.case.clone(), verdict: result.verdict };
                    sink.emit(None, EventKind::Progress(activity));
                }
                session.record(job, done);
            }
            Err(fault) => session.abort(&fault),
        }
        running = running.saturating_sub(1);
    }
    finish(session, sink)
}

/// Hands the events that a session has logged since the last call to the sink.
pub fn emit_log(session: &mut Session, sink: &mut dyn EventSink) {
    session.take_events().into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
}

/// Ends a session: the rest of its log, then its summary.
pub fn finish(session: Session, sink: &mut dyn EventSink) -> RunSummary {
    let (summary, rest) = session.into_summary();
    rest.into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
    summary
}
