//! Slots: the CPUs of worker threads, each leased to one run at a time.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::model::{Fault, FaultKind};
use crate::sandbox::Cancel;

/// The interval at which a thread that waits for a lease checks for cancellation.
const TICK: Duration = Duration::from_millis(20);

/// The pool of slots of this process. A slot is leased to one run at a time, so two runs never share a CPU. Leases are
/// granted in the order in which they were requested.
#[derive(Debug, Clone)]
pub struct WorkerSlots(Arc<SlotPool>);

#[derive(Debug)]
struct SlotPool {
    count: usize,
    state: Mutex<SlotQueue>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct SlotQueue {
    free: BTreeSet<usize>,
    queue: VecDeque<u64>,
    next_ticket: u64,
}

/// A lease of slots. Dropping the lease releases them.
#[derive(Debug)]
pub struct SlotLease {
    slots: Vec<usize>,
    /// The slots that [`SlotLease::yield_slot`] released but did not reacquire, because the run was cancelled.
    lost: Mutex<BTreeSet<usize>>,
    pool: WorkerSlots,
}

impl WorkerSlots {
    /// Creates a pool of the slots `0..count`, or of one slot if `count` is 0.
    pub fn new(count: usize) -> WorkerSlots {
        let count = count.max(1);
        let state = SlotQueue { free: (0..count).collect(), ..SlotQueue::default() };
        WorkerSlots(Arc::new(SlotPool { count, state: Mutex::new(state), released: Condvar::new() }))
    }

    /// Returns the number of slots, free or leased.
    pub fn count(&self) -> usize {
        self.0.count
    }

    /// Leases between one and `most` free slots. If no slot is available, calls `waiting` once and then waits until one
    /// is released.
    ///
    /// # Errors
    /// Returns a fault of kind [`FaultKind::Cancelled`] if `cancel` is cancelled before a slot is leased.
    pub fn lease(&self, most: usize, cancel: &Cancel, waiting: &mut dyn FnMut()) -> Result<SlotLease, Fault> {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.queue.push_back(ticket);
        let mut reported = false;
        while state.queue.front() != Some(&ticket) || state.free.is_empty() {
            if cancel.is_cancelled() {
                state.queue.retain(|&other| other != ticket);
                self.0.released.notify_all();
                return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled before it started"));
            }
            if !reported {
                reported = true;
                drop(state);
                waiting();
                state = self.lock();
                continue;
            }
            state = self.0.released.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.queue.pop_front();
        let slots: Vec<usize> = state.free.iter().copied().take(most.max(1)).collect();
        slots.iter().for_each(|slot| _ = state.free.remove(slot));
        // Some slots may still be free for the next request in the queue.
        self.0.released.notify_all();
        Ok(SlotLease { slots, lost: Mutex::default(), pool: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, SlotQueue> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlotLease {
    /// Returns the leased slots; at least one.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// Releases the slot `slot` of this lease if a lease request is waiting and no other slot is free. Then waits until
    /// `slot` is free and no request is waiting, and reacquires it. A long search calls this method between two
    /// programs, so that other runs need not wait until the search ends.
    ///
    /// # Errors
    /// Returns a fault of kind [`FaultKind::Cancelled`] if `cancel` is cancelled before the slot is reacquired.
    pub fn yield_slot(&self, slot: usize, cancel: &Cancel) -> Result<(), Fault> {
        let mut state = self.pool.lock();
        if state.queue.is_empty() || !state.free.is_empty() || !self.slots.contains(&slot) {
            return Ok(());
        }
        state.free.insert(slot);
        self.pool.0.released.notify_all();
        while !(state.queue.is_empty() && state.free.contains(&slot)) {
            if cancel.is_cancelled() {
                self.lost.lock().unwrap_or_else(PoisonError::into_inner).insert(slot);
                return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled while it waited for other runs"));
            }
            state = self.pool.0.released.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.free.remove(&slot);
        Ok(())
    }
}

impl Drop for SlotLease {
    fn drop(&mut self) {
        let lost = std::mem::take(&mut *self.lost.lock().unwrap_or_else(PoisonError::into_inner));
        self.pool.lock().free.extend(self.slots.drain(..).filter(|slot| !lost.contains(slot)));
        self.pool.0.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_slot_is_leased_twice() {
        let (slots, cancel) = (WorkerSlots::new(3), Cancel::new().unwrap());
        let first = slots.lease(2, &cancel, &mut || panic!("nothing to wait for")).unwrap();
        let second = slots.lease(9, &cancel, &mut || panic!("nothing to wait for")).unwrap();
        assert_eq!((first.slots(), second.slots()), (&[0, 1][..], &[2][..]));
        std::thread::scope(|scope| {
            let (sender, waits) = std::sync::mpsc::channel();
            let third = scope.spawn({
                let (slots, cancel) = (slots.clone(), cancel.clone());
                move || slots.lease(9, &cancel, &mut || sender.send(()).unwrap()).unwrap().slots().to_vec()
            });
            waits.recv().unwrap();
            drop(second);
            assert_eq!(third.join().unwrap(), [2]);
        });
        drop(first);
        assert_eq!(slots.lease(9, &cancel, &mut || {}).unwrap().slots(), [0, 1, 2]);
    }

    #[test]
    fn a_lease_gives_way_to_those_that_wait() {
        let (slots, cancel) = (WorkerSlots::new(1), Cancel::new().unwrap());
        let search = slots.lease(1, &cancel, &mut || {}).unwrap();
        search.yield_slot(0, &cancel).unwrap();
        std::thread::scope(|scope| {
            let (sender, waits) = std::sync::mpsc::channel();
            let (resume, may_resume) = std::sync::mpsc::channel::<()>();
            let (slots, cancel) = (&slots, &cancel);
            let run = scope.spawn(move || {
                let lease = slots.lease(1, cancel, &mut || sender.send(()).unwrap()).unwrap();
                may_resume.recv().unwrap();
                drop(lease);
            });
            waits.recv().unwrap();
            // The run releases the slot only after this message.
            resume.send(()).unwrap();
            search.yield_slot(0, cancel).unwrap();
            run.join().unwrap();
        });
        // A search that is cancelled while it waits for its slot does not release the slot of another run.
        std::thread::scope(|scope| {
            let own = cancel.child().unwrap();
            let (sender, waits) = std::sync::mpsc::channel();
            let (slots, cancel) = (&slots, &cancel);
            let run = scope.spawn(move || slots.lease(1, cancel, &mut || sender.send(()).unwrap()).unwrap());
            waits.recv().unwrap();
            own.cancel();
            let fault = search.yield_slot(0, &own).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Cancelled);
            let held = run.join().unwrap();
            drop(search);
            assert!(slots.lock().free.is_empty());
            drop(held);
            assert_eq!(slots.lock().free.len(), 1);
        });
    }

    #[test]
    fn a_lease_that_waits_can_be_cancelled() {
        let (slots, cancel) = (WorkerSlots::new(1), Cancel::new().unwrap());
        let held = slots.lease(1, &cancel, &mut || {}).unwrap();
        let own = cancel.child().unwrap();
        let fault = slots.lease(1, &own, &mut || own.cancel()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Cancelled);
        drop(held);
        assert_eq!(slots.lease(1, &cancel, &mut || {}).unwrap().slots(), [0]);
    }
}
