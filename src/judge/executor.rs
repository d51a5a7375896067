//! The loop between a session that decides, an executor that does and a reporter that tells.

use std::io;

use crate::model::{Event, Fault, FaultKind, RunSummary};

use super::grade::Graded;
use super::grader::Question;
use super::session::{Done, Job, Session};

/// Whoever runs jobs: threads of this process, workers elsewhere, a script in a test.
pub trait Executor {
    /// How many jobs it takes at once.
    fn slots(&self) -> usize;

    /// Begins a job; its result comes from [`Executor::wait`].
    fn start(&mut self, job: Job);

    /// Waits for the next result, in any order.
    ///
    /// # Errors
    /// A fault if no result will ever come.
    fn wait(&mut self) -> Result<(Job, Done), Fault>;

    /// Asks the package's own grader, where there is one.
    ///
    /// # Errors
    /// It failed, or nobody here can ask it.
    fn grade(&mut self, question: &Question) -> Result<Graded, Fault> {
        let message = format!("there is no grader to ask about {} results", question.results.len());
        Err(Fault::new(FaultKind::Worker, message))
    }
}

/// Runs a session to its end and tells each event as it leaves.
///
/// # Errors
/// If `tell` fails; the run then ends at once.
pub fn drive(
    mut session: Session,
    executor: &mut dyn Executor,
    tell: &mut dyn FnMut(&Event) -> io::Result<()>,
) -> io::Result<RunSummary> {
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
        for event in session.take_events() {
            tell(&event)?;
        }
        if session.finished() {
            break;
        }
        match executor.wait() {
            Ok((job, done)) => session.record(job, done),
            Err(fault) => session.abort(&fault),
        }
        running = running.saturating_sub(1);
    }
    let (summary, events) = session.into_judgement();
    events.iter().try_for_each(tell)?;
    Ok(summary)
}
