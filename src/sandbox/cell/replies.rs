//! The results that a cell has not sent to the judge yet.

use std::cell::{Cell, RefCell};
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
    /// The greatest number of a run for whose result the judge asked.
    asked: Cell<u64>,
}

impl UnsentReplies {
    pub(super) fn new(socket: OwnedFd) -> UnsentReplies {
        UnsentReplies { socket, unsent: RefCell::default(), asked: Cell::new(0) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unsent.borrow().0.is_empty()
    }

    /// Adds a result. Sends all results if there are enough, if the judge asked for this one, or if it must not wait.
    pub(super) fn add(&self, reply: NumberedReply, may_wait: bool) -> Result<()> {
        let may_wait = may_wait && reply.number > self.asked.get();
        self.unsent.borrow_mut().0.push(reply);
        let count = self.unsent.borrow().0.len();
        if may_wait && count < SENT_TOGETHER { Ok(()) } else { self.send() }
    }

    /// Records that the judge asked for the results up to the run `number`, and sends all results.
    pub(super) fn ask(&self, number: u64) -> Result<()> {
        self.asked.set(self.asked.get().max(number));
        self.send()
    }

    /// Sends all results.
    pub(super) fn send(&self) -> Result<()> {
        let unsent = self.unsent.take();
        if unsent.0.is_empty() { Ok(()) } else { wire::send(&self.socket, FrameKind::Reply, 0, &unsent.encode(), &[]) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use crate::fork_server::sockets;
    use crate::message::RunReply;

    #[test]
    fn results_are_sent_together_unless_the_judge_asked_for_them() {
        let (judge, cell) = sockets().unwrap();
        let replies = UnsentReplies::new(cell);
        let add = |number| replies.add(NumberedReply { number, run: Some(RunReply::default()) }, true).unwrap();
        let received = || match wire::receive_at_once(&judge) {
            Ok(frame) => Replies::decode(&frame.unwrap().body).unwrap().0.iter().map(|reply| reply.number).collect(),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Vec::new(),
            Err(error) => panic!("{error}"),
        };
        (1..8).for_each(add);
        assert_eq!(received(), [0; 0]);
        add(8);
        assert_eq!(received(), [1, 2, 3, 4, 5, 6, 7, 8]);
        add(9);
        replies.ask(11).unwrap();
        assert_eq!(received(), [9]);
        add(10);
        assert_eq!(received(), [10], "the judge asked while the run had not ended");
        add(11);
        assert_eq!(received(), [11]);
        add(12);
        assert_eq!(received(), [0; 0]);
        replies.add(NumberedReply { number: 13, run: None }, false).unwrap();
        assert_eq!(received(), [12, 13]);
    }
}
