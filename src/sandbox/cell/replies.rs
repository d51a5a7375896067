//! The results that a cell has not sent to the judge yet.

use std::cell::RefCell;
use std::io::Result;
use std::os::fd::OwnedFd;

use crate::message::{NumberedReply, Replies};
use crate::wire::{self, FrameKind};

/// The number of results at which they are sent.
const SENT_TOGETHER: usize = 8;

/// The results of ended runs that have not been sent yet, and the socket on which they are sent. The results of queued
/// runs are sent together, since waking the judge for each of them takes as long as its work for a result.
#[derive(Debug)]
pub(super) struct UnsentReplies {
    pub(super) socket: OwnedFd,
    unsent: RefCell<Replies>,
}

impl UnsentReplies {
    pub(super) fn new(socket: OwnedFd) -> UnsentReplies {
        UnsentReplies { socket, unsent: RefCell::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unsent.borrow().0.is_empty()
    }

    /// Adds a result. Sends all results if there are enough, or if this result must not wait.
    pub(super) fn add(&self, reply: NumberedReply, may_wait: bool) -> Result<()> {
        self.unsent.borrow_mut().0.push(reply);
        let count = self.unsent.borrow().0.len();
        if may_wait && count < SENT_TOGETHER { Ok(()) } else { self.send() }
    }

    /// Sends all results.
    pub(super) fn send(&self) -> Result<()> {
        let unsent = self.unsent.take();
        if unsent.0.is_empty() { Ok(()) } else { wire::send(&self.socket, FrameKind::Reply, 0, &unsent.encode(), &[]) }
    }
}
