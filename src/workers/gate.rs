//! A shared-exclusive lock. While a thread holds it in exclusive mode, no other thread runs a program.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::model::{Fault, FaultKind};
use crate::sandbox::Cancel;

/// The interval at which a waiting thread checks for cancellation.
const TICK: Duration = Duration::from_millis(20);

/// A lock that is held in shared mode while a program runs concurrently with others, and in exclusive mode while a
/// program runs alone. While a thread waits for exclusive access, no new shared access is granted, so that the waiting
/// thread is not starved.
#[derive(Debug, Default)]
pub struct ExclusiveGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    shared: usize,
    exclusive: bool,
    waiting: usize,
}

/// A guard that holds access to the gate and releases it when it is dropped.
#[derive(Debug)]
pub struct GateGuard {
    gate: Arc<ExclusiveGate>,
    exclusive: bool,
}

impl ExclusiveGate {
    /// Waits for shared access.
    ///
    /// # Errors
    /// Returns a fault of kind [`FaultKind::Cancelled`] if `cancel` is cancelled before access is granted.
    pub fn shared(self: &Arc<Self>, cancel: &Cancel) -> Result<GateGuard, Fault> {
        let state = self.lock();
        let mut state = self.wait(state, cancel, |state| !state.exclusive && state.waiting == 0)?;
        state.shared += 1;
        Ok(GateGuard { gate: self.clone(), exclusive: false })
    }

    /// Waits for exclusive access.
    ///
    /// # Errors
    /// Returns a fault of kind [`FaultKind::Cancelled`] if `cancel` is cancelled before access is granted.
    pub fn exclusive(self: &Arc<Self>, cancel: &Cancel) -> Result<GateGuard, Fault> {
        let mut state = self.lock();
        state.waiting += 1;
        let waited = self.wait(state, cancel, |state| !state.exclusive && state.shared == 0);
        let mut state = match waited {
            Ok(state) => state,
            Err(fault) => {
                self.lock().waiting -= 1;
                self.changed.notify_all();
                return Err(fault);
            }
        };
        state.waiting -= 1;
        state.exclusive = true;
        Ok(GateGuard { gate: self.clone(), exclusive: true })
    }

    /// Returns whether a thread waits for exclusive access.
    pub fn is_exclusive_awaited(&self) -> bool {
        self.lock().waiting > 0
    }

    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, GateState>,
        cancel: &Cancel,
        is_open: impl Fn(&GateState) -> bool,
    ) -> Result<MutexGuard<'a, GateState>, Fault> {
        while !is_open(&state) {
            if cancel.is_cancelled() {
                return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled while it waited for other runs"));
            }
            state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(state)
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for GateGuard {
    fn drop(&mut self) {
        let mut state = self.gate.lock();
        match self.exclusive {
            true => state.exclusive = false,
            false => state.shared -= 1,
        }
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn exclusive_access_is_alone() {
        let (gate, cancel) = (Arc::<ExclusiveGate>::default(), Cancel::new().unwrap());
        let (shared, exclusive) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (gate, cancel, shared, exclusive) = (&gate, &cancel, &shared, &exclusive);
                scope.spawn(move || {
                    for round in 0..200 {
                        let alone = (round + thread) % 5 == 0;
                        let guard = if alone { gate.exclusive(cancel) } else { gate.shared(cancel) };
                        let count = if alone { exclusive } else { shared };
                        count.fetch_add(1, Ordering::SeqCst);
                        let (together, single) = (shared.load(Ordering::SeqCst), exclusive.load(Ordering::SeqCst));
                        assert!(single == 0 || (single == 1 && together == 0), "{together} shared, {single} alone");
                        count.fetch_sub(1, Ordering::SeqCst);
                        drop(guard.unwrap());
                    }
                });
            }
        });
    }

    #[test]
    fn a_thread_that_waits_can_be_cancelled() {
        let (gate, cancel) = (Arc::<ExclusiveGate>::default(), Cancel::new().unwrap());
        let held = gate.shared(&cancel).unwrap();
        let own = cancel.child().unwrap();
        own.cancel();
        assert_eq!(gate.exclusive(&own).unwrap_err().kind, FaultKind::Cancelled);
        drop(gate.shared(&cancel).unwrap());
        drop(held);
        drop(gate.exclusive(&cancel).unwrap());
    }
}
