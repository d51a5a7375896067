//! Doing the same to many things at once, with the results in the order of the things.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::model::{Failure, FaultKind};

/// Applies `work` to every item on up to `jobs` threads, each with its own worker from `hire`, and tells `progress` how
/// many are done.
///
/// # Errors
/// The failure of the first item, in order, that failed. After a failure no new item is begun; the results that there
/// are come back all the same.
pub fn in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    jobs: usize,
    hire: impl Fn(usize) -> Result<W, Failure> + Sync,
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
                worker = Some(hire(slot).inspect_err(|_| stop.store(true, Ordering::Relaxed))?);
            }
            let Some(worker) = &mut worker else { break };
            let result = work(worker, item);
            stop.fetch_or(result.is_err(), Ordering::Relaxed);
            *results[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(result);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(())
    };
    let hired: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.clamp(1, items.len().max(1)))
            .map(|slot| {
                let thread = &thread;
                scope.spawn(move || thread(slot))
            })
            .collect();
        threads.into_iter().map(|handle| handle.join().unwrap_or_else(|_| Err(panicked()))).collect()
    });
    let results = results.into_iter().map(|cell| cell.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
    let mut ended = Ok(());
    let mut whole = Vec::new();
    for result in results {
        let (value, failure) = match result {
            Some(Ok(value)) => (Some(value), None),
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        whole.push(value);
        ended = ended.and(failure.map_or(Ok(()), Err));
    }
    if ended.is_ok() && whole.iter().any(Option::is_none) {
        ended = Err(hired.into_iter().find_map(Result::err).unwrap_or_else(panicked));
    }
    (whole, ended)
}

fn panicked() -> Failure {
    Failure::fault(FaultKind::Worker, "a thread of the judge ended before its work")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_with_any_number_of_threads() {
        let items: Vec<usize> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let (doubled, ended) = in_parallel(&items, jobs, |_| Ok(()), |(), n| Ok(n * 2), |_| {});
            assert_eq!(ended, Ok(()));
            assert_eq!(doubled, items.iter().map(|n| Some(n * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failure_is_told_and_ends_the_work() {
        let items: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let fail_at_seven = |(): &mut (), n: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *n == 7 { Err(Failure::complaint("seven")) } else { Ok(()) }
        };
        let (results, ended) = in_parallel(&items, 2, |_| Ok(()), fail_at_seven, |_| {});
        assert_eq!(ended, Err(Failure::complaint("seven")));
        assert!(results[..7].iter().all(Option::is_some), "what was done before is kept");
        assert!(begun.load(Ordering::Relaxed) < 1000);
        let (_, nobody) = in_parallel(&items, 2, |_| Err::<(), _>(Failure::complaint("no")), |(), _| Ok(()), |_| {});
        assert_eq!(nobody, Err(Failure::complaint("no")));
    }
}
