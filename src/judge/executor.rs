//! The loop between a session that decides, an executor that does and a reporter that tells.

use std::io;

use crate::model::{Event, Fault, RunSummary};

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
