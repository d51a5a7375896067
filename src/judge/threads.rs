//! The executor of this machine: one thread for each slot, each at its own seat.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

use crate::model::{Fault, FaultKind};

use super::executor::Executor;
use super::session::{Done, Job};

/// What one thread needs to run jobs: its own sandbox cell and whatever else it does not share.
pub trait Seat: Send {
    /// Called once, on the thread that will run the jobs.
    fn sit(&mut self) {}

    /// Runs one job to its end.
    fn run(&mut self, job: Job) -> Done;
}

/// Threads that take jobs from one queue.
pub struct Threads<'scope> {
    jobs: Option<Sender<Job>>,
    results: Receiver<(Job, Done)>,
    threads: Vec<ScopedJoinHandle<'scope, ()>>,
}

impl<'scope> Threads<'scope> {
    /// One thread for each seat. They end when this value goes.
    pub fn new<'env, S: Seat + 'scope>(scope: &'scope Scope<'scope, 'env>, seats: Vec<S>) -> Threads<'scope> {
        let (jobs, queue) = channel::<Job>();
        let (answers, results) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let threads = seats
            .into_iter()
            .map(|seat| {
                let (queue, answers) = (queue.clone(), answers.clone());
                scope.spawn(move || work(seat, &queue, &answers))
            })
            .collect();
        Threads { jobs: Some(jobs), results, threads }
    }
}

/// Takes jobs until there are no more, or nobody wants the results.
fn work(mut seat: impl Seat, queue: &Mutex<Receiver<Job>>, answers: &Sender<(Job, Done)>) {
    seat.sit();
    loop {
        let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| seat.run(job)))
            .unwrap_or_else(|_| Done::Faulted(Fault::new(FaultKind::Worker, "a thread of the judge panicked")));
        if answers.send((job, done)).is_err() {
            return;
        }
    }
}

impl Executor for Threads<'_> {
    fn slots(&self) -> usize {
        // One more job a thread than it can run: it finds the next one waiting, without a trip to the session.
        2 * self.threads.len()
    }

    fn start(&mut self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // If all threads are gone, `wait` tells it.
            let _ = jobs.send(job);
        }
    }

    fn wait(&mut self) -> Result<(Job, Done), Fault> {
        self.results.recv().map_err(|_| Fault::new(FaultKind::Worker, "all threads of the judge have ended"))
    }
}

impl Drop for Threads<'_> {
    fn drop(&mut self) {
        self.jobs = None;
    }
}
