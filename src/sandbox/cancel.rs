//! A handle that cancels running commands from another thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustix::event::{EventfdFlags, eventfd};

use crate::model::{Fault, FaultKind};

/// A handle that cancels the commands of all sandboxes that hold a clone of it. A cancellation cannot be undone.
///
/// Clones share one state. A cancelled command, and every command started afterwards, returns a [`Fault`] of kind
/// [`FaultKind::Cancelled`]. A [child](Cancel::child) is cancelled with its parent, and can also be cancelled
/// separately.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<CancelState>);

#[derive(Debug)]
struct CancelState {
    cancelled: AtomicBool,
    /// An eventfd that becomes readable on cancellation and wakes every `poll` that includes it.
    event: OwnedFd,
    children: Mutex<Vec<Weak<CancelState>>>,
}

impl CancelState {
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        // The write fails only if the counter is full, and then the descriptor is already readable.
        let _ = rustix::io::write(&self.event, &1_u64.to_ne_bytes());
        let children = std::mem::take(&mut *self.children.lock().unwrap_or_else(PoisonError::into_inner));
        children.iter().filter_map(Weak::upgrade).for_each(|child| child.cancel());
    }
}

impl Cancel {
    /// Creates a handle that is not cancelled.
    ///
    /// # Errors
    /// Returns a fault if the eventfd cannot be created, for example because no file descriptor is available.
    pub fn new() -> Result<Cancel, Fault> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| Fault::io(FaultKind::Sandbox, &error.into()).context("cannot create an eventfd"))?;
        Ok(Cancel(Arc::new(CancelState { cancelled: AtomicBool::new(false), event, children: Mutex::default() })))
    }

    /// Creates a handle that is cancelled together with this handle. Cancelling the child affects neither its parent
    /// nor its siblings.
    ///
    /// # Errors
    /// Returns a fault if the eventfd cannot be created, for example because no file descriptor is available.
    pub fn child(&self) -> Result<Cancel, Fault> {
        let child = Cancel::new()?;
        {
            let mut children = self.0.children.lock().unwrap_or_else(PoisonError::into_inner);
            children.retain(|known| known.strong_count() > 0);
            children.push(Arc::downgrade(&child.0));
        }
        // The parent may have been cancelled before the child was registered, so this check must follow the
        // registration.
        if self.is_cancelled() {
            child.cancel();
        }
        Ok(child)
    }

    /// Cancels this handle and its children. Further calls have no effect.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Returns true once [`Cancel::cancel`] has been called on this handle or on one of its ancestors.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Returns a file descriptor that is readable once the handle is cancelled.
    pub fn event(&self) -> BorrowedFd<'_> {
        self.0.event.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_state() {
        let cancel = Cancel::new().unwrap();
        let other = cancel.clone();
        assert!(!other.is_cancelled());
        cancel.cancel();
        cancel.cancel();
        assert!(other.is_cancelled());
    }

    #[test]
    fn cancelling_a_parent_cancels_its_children_only() {
        let parent = Cancel::new().unwrap();
        let (first, second) = (parent.child().unwrap(), parent.child().unwrap());
        first.cancel();
        assert!(first.is_cancelled() && !second.is_cancelled() && !parent.is_cancelled());
        let grandchild = second.child().unwrap();
        parent.cancel();
        assert!(second.is_cancelled() && grandchild.is_cancelled());
        assert!(parent.child().unwrap().is_cancelled(), "a child of a cancelled parent is cancelled");
    }
}
