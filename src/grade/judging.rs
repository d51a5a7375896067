//! Judging many programs at once: one desk a worker, each program from its build to its last case at one desk, so that
//! builds go on beside runs and nobody waits for the slowest.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::lang::Source;
use crate::model::{Failure, Fault, FaultKind};
use crate::runner::{Arena, Contest, Desk, Quiet};

use super::record::{Listener, Record};

/// A program to judge.
pub struct Task {
    /// Its number, by which its result is known.
    pub number: usize,
    /// The problem, as its place in the list of contests.
    pub problem: usize,
    /// The program.
    pub source: Source,
    /// Its name in messages.
    pub name: String,
}

/// A result: the task's number, and the record or our own failure.
pub type Judged = (usize, Result<Record, Fault>);

/// Judges the tasks on up to `jobs` workers and tells each result as it comes, in any order. After `told` fails or the
/// run is cancelled no new task is begun, and those at work end.
///
/// # Errors
/// What `next` or `told` says. That a program can't be judged is no error here: it is told.
pub fn judge(
    arena: &Arena,
    contests: &[Contest<'_>],
    jobs: usize,
    next: &mut dyn FnMut() -> Result<Option<Task>, Failure>,
    told: &mut dyn FnMut(Judged) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let quiet = Quiet::new(());
    let (tasks, queue) = channel::<Task>();
    let (answers, results) = channel::<Judged>();
    let queue = Mutex::new(queue);
    std::thread::scope(|scope| {
        for slot in 0..jobs {
            let desk = Desk { slots: slot..slot + 1, quiet: &quiet };
            let (queue, answers) = (&queue, answers.clone());
            scope.spawn(move || work(arena, contests, &desk, queue, &answers));
        }
        drop(answers);
        feed(jobs, tasks, &results, next, told)
    })
}

/// Keeps one task more waiting than there are workers, and tells results.
fn feed(
    jobs: usize,
    tasks: Sender<Task>,
    results: &Receiver<Judged>,
    next: &mut dyn FnMut() -> Result<Option<Task>, Failure>,
    told: &mut dyn FnMut(Judged) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let lost = || Failure::fault(FaultKind::Worker, "all workers have ended");
    let mut running = 0;
    let mut more = true;
    loop {
        while more && running < jobs + 1 {
            match next()? {
                Some(task) => tasks.send(task).map_err(|_| lost())?,
                None => {
                    more = false;
                    break;
                }
            }
            running += 1;
        }
        if running == 0 {
            return Ok(());
        }
        let judged = results.recv().map_err(|_| lost())?;
        running -= 1;
        let cancelled = matches!(&judged.1, Err(fault) if fault.kind == FaultKind::Cancelled);
        told(judged)?;
        more &= !cancelled;
    }
}

fn work(
    arena: &Arena,
    contests: &[Contest<'_>],
    desk: &Desk<'_>,
    queue: &Mutex<Receiver<Task>>,
    answers: &Sender<Judged>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        let number = task.number;
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(arena, contests, desk, &task)))
            .unwrap_or_else(|_| Err(Fault::new(FaultKind::Worker, "a worker panicked")));
        if answers.send((number, judged)).is_err() {
            return;
        }
    }
}

fn one(arena: &Arena, contests: &[Contest<'_>], desk: &Desk<'_>, task: &Task) -> Result<Record, Fault> {
    let mut listener = Listener::default();
    let contest = &contests[task.problem];
    let judged = arena.judge_at(desk, contest, &task.source, &task.name, &mut |event| {
        listener.hear(event);
        Ok(())
    });
    match judged {
        Ok(judgement) => listener.record(&judgement.failures),
        Err(Failure::Fault(fault)) => Err(fault),
        Err(Failure::Complaint(complaint)) => Err(Fault::new(FaultKind::Toolchain, complaint.to_string())),
    }
}
