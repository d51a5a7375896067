//! A handle that ends running tasks from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

use crate::model::{Fault, FaultKind};

/// Ends every running task of the sandboxes it was given to, at once and for good.
///
/// Clones share one state. A run that is cancelled, and every run asked for afterwards, gives a [`Fault`] of kind
/// [`FaultKind::Cancelled`].
#[derive(Debug, Clone)]
pub struct Cancel(Arc<State>);

#[derive(Debug)]
struct State {
    asked: AtomicBool,
    /// Readable from the moment of the request on, so that every `poll` that includes it wakes.
    bell: OwnedFd,
}

impl Cancel {
    /// A handle that nobody has used yet.
    ///
    /// # Errors
    /// A fault if the system has no descriptor left for it.
    pub fn new() -> Result<Cancel, Fault> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| Fault::new(FaultKind::Sandbox, format!("cannot make an event descriptor: {error}")))?;
        Ok(Cancel(Arc::new(State { asked: AtomicBool::new(false), bell })))
    }

    /// Ends everything. May be called often and from any thread.
    pub fn cancel(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        // Failing means that the counter is full: it is readable already.
        let _ = rustix::io::write(&self.0.bell, &1_u64.to_ne_bytes());
    }

    /// Whether somebody cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// A descriptor that is readable once somebody cancelled.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.0.bell.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_sees_what_the_other_did() {
        let cancel = Cancel::new().unwrap();
        let other = cancel.clone();
        assert!(!other.is_cancelled());
        cancel.cancel();
        cancel.cancel();
        assert!(other.is_cancelled());
    }
}
