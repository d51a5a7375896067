//! The executor of this machine: one thread for each slot.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use crate::model::{Activity, Fault, FaultKind};

use super::executor::{Executor, Update};
use super::session::{JobResult, Job};

/// Callback that reports the progress of a job.
pub type Report<'a> = &'a mut dyn FnMut(Activity);

/// Runs jobs, one at a time. Owns a sandbox cell and the other state of one thread.
pub trait JobRunner: Send {
    /// Called once, on the thread that will run the jobs.
    fn enter(&mut self) {}

    /// Runs one job and returns its result.
    fn run(&mut self, job: Job, report: Report<'_>) -> JobResult;
}

/// Threads that take jobs from one queue.
pub struct Threads<'scope> {
    jobs: Option<Sender<Job>>,
    updates: Receiver<Update>,
    threads: Vec<ScopedJoinHandle<'scope, ()>>,
}

impl<'scope> Threads<'scope> {
    /// Starts one thread for each runner. They end when this value is dropped.
    pub fn new<'env, R: JobRunner + 'scope>(scope: &'scope Scope<'scope, 'env>, runners: Vec<R>) -> Threads<'scope> {
        let (jobs, queue) = channel::<Job>();
        let (sender, updates) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let threads = runners
            .into_iter()
            .map(|runner| {
                let (queue, sender) = (queue.clone(), sender.clone());
                scope.spawn(move || work(runner, &queue, &sender))
            })
            .collect();
        Threads { jobs: Some(jobs), updates, threads }
    }
}

/// Runs jobs until the queue is closed or the receiver of results is dropped.
fn work(mut runner: impl JobRunner, queue: &Mutex<Receiver<Job>>, updates: &Sender<Update>) {
    runner.enter();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A dropped receiver is detected when the result is sent.
        let mut report = |activity| _ = updates.send(Update::Progress(activity));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| runner.run(job, &mut report)))
            .unwrap_or_else(|_| JobResult::Faulted(Fault::new(FaultKind::Worker, "a worker thread panicked")));
        if updates.send(Update::Done(job, done)).is_err() {
            return;
        }
    }
}

impl Executor for Threads<'_> {
    fn slots(&self) -> usize {
        // Each thread has one more job than it can run, so that it finds the next one waiting.
        2 * self.threads.len()
    }

    fn start(&mut self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // If all threads are gone, `wait` reports it.
            let _ = jobs.send(job);
        }
    }

    fn wait(&mut self) -> Result<Update, Fault> {
        self.updates.recv().map_err(|_| Fault::new(FaultKind::Worker, "all worker threads have ended"))
    }
}

impl Drop for Threads<'_> {
    fn drop(&mut self) {
        self.jobs = None;
    }
}
