//! Chooses the CPU on which a new thread or process starts.
//!
//! A kernel may start a thread on the CPU of its creator even if another CPU is idle. The thread then waits until the
//! creator blocks, so work that should be done at the same time is done one after another.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::sys;
use crate::model::{Fault, FaultKind};

/// Returns the CPUs on which the calling thread may run, in ascending order, except that the last one is the CPU on which this
/// function was called first: usually the CPU of the main thread, which works while the first cells are prepared.
pub(super) fn processors() -> Vec<u64> {
    static LAST: OnceLock<usize> = OnceLock::new();
    let last = *LAST.get_or_init(sched_getcpu);
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    let others = (0..CpuSet::MAX_CPU).filter(|one| *one != last);
    others.chain([last]).filter(|one| allowed.is_set(*one)).map(|one| one as u64).collect()
}

/// Moves the calling thread to the CPUs with these numbers, unless there are none. This only saves time, so errors are
/// ignored.
pub(super) fn move_to(processors: &[u64]) {
    _ = cpu_set(processors).map(|processors| sched_setaffinity(None, &processors));
}

/// Returns the set of `processors`, or `None` if it is empty.
pub(super) fn cpu_set(processors: &[u64]) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    for processor in processors.iter().filter(|processor| **processor < CpuSet::MAX_CPU as u64) {
        set.set(*processor as usize);
    }
    (set.count() > 0).then_some(set)
}

/// Returns the CPUs on which the calling thread may run, except the current one; `None` if there is no other CPU.
fn other_processors() -> Option<CpuSet> {
    let mut others = sched_getaffinity(None).ok()?;
    others.unset(sched_getcpu());
    (others.count() > 0).then_some(others)
}

/// Moves a child process that was just created to another CPU than that of the calling thread. The process can then run
/// on all CPUs except this one.
pub(super) fn move_to_other_cpu(child: Pid) {
    if let Some(others) = other_processors() {
        // This only saves time, so an error is ignored.
        _ = sched_setaffinity(Some(child), &others);
    }
}

/// Starts a thread on another CPU than that of the calling thread, if there is one. Later, the thread may run on all CPUs
/// of the calling thread.
///
/// # Errors
/// Returns a fault if the system cannot start another thread. `work` is then dropped.
pub fn start_on_other_cpu<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Fault> {
    let (all, others) = (sched_getaffinity(None).ok(), other_processors());
    // The thread waits until it was moved.
    let moved = Arc::new(Mutex::new(()));
    let moving = moved.lock().unwrap_or_else(PoisonError::into_inner);
    let when_moved = Arc::clone(&moved);
    let started = Builder::new().name(name.to_owned()).spawn(move || {
        drop(when_moved.lock());
        // If the CPUs cannot be set, the thread runs on fewer CPUs.
        _ = all.map(|all| sched_setaffinity(None, &all));
        work()
    });
    let thread = started.map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread"))?;
    if let Some(others) = others {
        sys::set_thread_affinity(&thread, &others);
    }
    drop(moving);
    Ok(thread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_ascending_except_the_last_one_and_the_same_in_all_threads() {
        let all = processors();
        assert!(all[..all.len() - 1].is_sorted(), "{all:?}");
        let allowed = sched_getaffinity(None).unwrap();
        assert_eq!(all.len(), allowed.count() as usize);
        assert!(all.iter().all(|one| allowed.is_set(*one as usize)), "{all:?}");
        let pinned = std::thread::spawn(|| {
            let one = processors()[0];
            move_to(&[one]);
            (one, processors())
        });
        assert_eq!(pinned.join().unwrap(), (all[0], vec![all[0]]));
        let others: Vec<_> = (0..4).map(|_| std::thread::spawn(processors)).collect();
        assert!(others.into_iter().all(|other| other.join().unwrap() == all));
    }
}
