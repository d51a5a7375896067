//! Runs a function on worker threads, once per worker or once per item. The results are returned in the order of the
//! items.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

use crate::model::{Failure, Fault, FaultKind};

/// Returns a slot for each processor that this process may use, for [`in_parallel`].
pub fn processor_slots() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Starts a thread in a scope. If that fails, `work` is dropped.
///
/// # Errors
/// Returns a fault if the system cannot start another thread.
pub fn start_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, Fault> {
    Builder::new().spawn_scoped(scope, work).map_err(|error| not_started(&error))
}

/// Starts a thread. If that fails, `work` is dropped.
///
/// # Errors
/// Returns a fault if the system cannot start another thread.
pub fn start_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>, Fault> {
    Builder::new().spawn(work).map_err(|error| not_started(&error))
}

fn not_started(error: &std::io::Error) -> Fault {
    Fault::io(FaultKind::Internal, error).context("cannot start a thread")
}

/// Calls `first` on another thread and `second` on the calling thread, and waits until both have returned. The result of
/// a thread that panicked or could not be started is a fault.
pub fn at_the_same_time<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (Result<A, Fault>, B) {
    std::thread::scope(|scope| {
        let thread = start_scoped(scope, first);
        let second = second();
        (thread.and_then(|thread| thread.join().map_err(|_| panicked())), second)
    })
}

/// Calls `work` with each worker on a separate thread, and `coordinate` on the calling thread. Waits until all calls
/// have returned, and returns the results in the order of the workers, and the result of `coordinate`. The result of a
/// thread that panicked or could not be started is a fault. The worker of a thread that could not be started is
/// dropped.
pub fn on_each_worker<W: Send, R: Send, C>(
    workers: Vec<W>,
    work: impl Fn(W) -> R + Sync,
    coordinate: impl FnOnce() -> C,
) -> (Vec<Result<R, Fault>>, C) {
    std::thread::scope(|scope| {
        let work = &work;
        let start = |worker| start_scoped(scope, move || work(worker));
        let threads: Vec<_> = workers.into_iter().map(start).collect();
        let coordinated = coordinate();
        (threads.into_iter().map(|thread| thread?.join().map_err(|_| panicked())).collect(), coordinated)
    })
}

/// Applies `work` to every item, on at most one thread for each slot. Each thread creates its own worker by calling
/// `start` with its slot. After each item, `progress` is called with the number of finished items.
///
/// # Errors
/// Returns the failure of the first failed item in the order of `items`. If no item failed, returns an error if a
/// worker could not be created or a thread panicked. After a failure, no new item is started. The results of the
/// finished items are returned in any case.
pub fn in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    slots: &[usize],
    start: impl Fn(usize) -> Result<W, Failure> + Sync,
    work: impl Fn(&mut W, &T) -> Result<R, Failure> + Sync,
    progress: impl Fn(usize) + Sync,
) -> (Vec<Option<R>>, Result<(), Failure>) {
    let results: Vec<Mutex<Option<Result<R, Failure>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let (next, done, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let thread = |slot: usize| -> Result<(), Failure> {
        let mut worker = None;
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            if worker.is_none() {
                worker = Some(start(slot).inspect_err(|_| stop.store(true, Ordering::Relaxed))?);
            }
            let Some(worker) = &mut worker else { break };
            let result = work(worker, item);
            stop.fetch_or(result.is_err(), Ordering::Relaxed);
            *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(())
    };
    let used = &slots[..slots.len().min(items.len())];
    // Without type parameters, the code that starts threads is compiled once instead of for each caller.
    let thread: &(dyn Fn(usize) -> Result<(), Failure> + Sync) = &thread;
    let (threads, ()) = on_each_worker(used.to_vec(), thread, no_coordination);
    let threads = threads.into_iter().map(|thread| thread.unwrap_or_else(|fault| Err(fault.into())));
    let started: Vec<Result<(), Failure>> = threads.collect();
    let results = results.into_iter().map(|cell| cell.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut ended = Ok(());
    let mut all = Vec::new();
    for result in results {
        let (value, failure) = match result {
            Some(Ok(value)) => (Some(value), None),
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        all.push(value);
        ended = ended.and(failure.map_or(Ok(()), Err));
    }
    if ended.is_ok() && all.iter().any(Option::is_none) {
        ended = Err(started.into_iter().find_map(Result::err).unwrap_or_else(|| panicked().into()));
    }
    (all, ended)
}

fn no_coordination() {}

fn panicked() -> Fault {
    Fault::new(FaultKind::Internal, "a worker thread panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_slots() {
        let items: Vec<usize> = (0..100).collect();
        for count in [1, 3, 200] {
            let slots: Vec<usize> = (0..count).collect();
            let (doubled, ended) = in_parallel(&items, &slots, |_| Ok(()), |(), n| Ok(n * 2), |_| {});
            assert_eq!(ended, Ok(()));
            assert_eq!(doubled, items.iter().map(|n| Some(n * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failure_is_returned_and_ends_the_work() {
        let items: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let fail_at_seven = |(): &mut (), n: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *n == 7 { Err(Failure::complaint("seven")) } else { Ok(()) }
        };
        let (results, ended) = in_parallel(&items, &[0, 1], |_| Ok(()), fail_at_seven, |_| {});
        assert_eq!(ended, Err(Failure::complaint("seven")));
        assert!(results[..7].iter().all(Option::is_some), "results from before the failure are kept");
        assert!(begun.load(Ordering::Relaxed) < 1000);
        let refuse = |_| Err::<(), _>(Failure::complaint("no"));
        assert_eq!(in_parallel(&items, &[0, 1], refuse, |(), _| Ok(()), |_| {}).1, Err(Failure::complaint("no")));
    }

    #[test]
    fn a_panic_is_a_fault() {
        let (results, ()) = on_each_worker(vec![0, 1], |slot| assert_ne!(slot, 1), || {});
        assert!(results[0].is_ok() && results[1].is_err());
        let (first, second) = at_the_same_time(|| assert_eq!(1, 2), || 3);
        assert!(first.is_err() && second == 3);
    }
}
