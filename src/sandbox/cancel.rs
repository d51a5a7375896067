//! A handle that ends running tasks from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustix::event::{EventfdFlags, eventfd};

use crate::model::{Fault, FaultKind};

/// Ends every running command of the sandboxes it was given to. It cannot be undone.
///
/// Clones share one state. A command that is cancelled, and every command started afterwards, returns a [`Fault`] of kind
/// [`FaultKind::Cancelled`]. A [child](Cancel::child) is cancelled with its parent, and can be cancelled alone.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<State>);

#[derive(Debug)]
struct State {
    asked: AtomicBool,
    /// Readable from the moment of the request on, so that every `poll` that includes it wakes.
    bell: OwnedFd,
    children: Mutex<Vec<Weak<State>>>,
}

impl State {
    fn cancel(&self) {
        self.asked.store(true, Ordering::SeqCst);
        // Failing means that the counter is full: it is readable already.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
        let children = std::mem::take(&mut *self.children.lock().unwrap_or_else(PoisonError::into_inner));
        children.iter().filter_map(Weak::upgrade).for_each(|child| child.cancel());
    }
}

impl Cancel {
    /// A handle that nobody has used yet.
    ///
    /// # Errors
    /// A fault if the system has no descriptor left for it.
    pub fn new() -> Result<Cancel, Fault> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| Fault::new(FaultKind::Sandbox, format!("cannot make an event descriptor: {error}")))?;
        Ok(Cancel(Arc::new(State { asked: AtomicBool::new(false), bell, children: Mutex::default() })))
    }

    /// A handle that is cancelled when this one is. Cancelling the child leaves its parent and its siblings alone.
    ///
    /// # Errors
    /// Returns a fault if the system has no descriptor left for it.
    pub fn child(&self) -> Result<Cancel, Fault> {
        let child = Cancel::new()?;
        {
            let mut children = self.0.children.lock().unwrap_or_else(PoisonError::into_inner);
            children.retain(|known| known.strong_count() > 0);
            children.push(Arc::downgrade(&child.0));
        }
        // The parent may have been cancelled between the check and the registration, so the check comes second.
        if self.is_cancelled() {
            child.cancel();
        }
        Ok(child)
    }

    /// Ends everything. May be called often and from any thread.
    pub fn cancel(&self) {
        self.0.cancel();
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

    #[test]
    fn a_child_is_cancelled_with_its_parent_and_not_the_other_way_round() {
        let parent = Cancel::new().unwrap();
        let (first, second) = (parent.child().unwrap(), parent.child().unwrap());
        first.cancel();
        assert!(first.is_cancelled() && !second.is_cancelled() && !parent.is_cancelled());
        let grandchild = second.child().unwrap();
        parent.cancel();
        assert!(second.is_cancelled() && grandchild.is_cancelled());
        assert!(parent.child().unwrap().is_cancelled(), "a child made too late is cancelled at once");
    }
}
