//! Bounds the memory for messages of workers that the coordinator has not handled yet.

use std::collections::HashMap;
use std::sync::Arc;

use async_nats::Subscriber;
use futures_util::StreamExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::subject::sender;

/// Maximum total size, in bytes, of the waiting messages.
const ALL: usize = 128 << 20;
/// Maximum total size, in bytes, of the waiting messages of one worker, so that a worker that sends too much loses its
/// own messages and not the messages of other workers.
const ONE: usize = 16 << 20;
/// The memory, in bytes, that is counted for a message in addition to its text.
const OVERHEAD: usize = 1 << 10;
/// The number of workers above which workers without waiting messages are forgotten.
const WORKERS: usize = 1_000;

/// The share of a waiting message in the limits. Dropping the value releases the share.
#[derive(Debug)]
pub(super) struct IntakeShare {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

/// A message that waits until it is handled.
#[derive(Debug)]
pub(super) struct WaitingMessage {
    pub worker: String,
    pub payload: Vec<u8>,
    pub share: IntakeShare,
}

/// The remaining capacity for waiting messages, in total and for each worker.
struct IntakeBudget {
    all: Arc<Semaphore>,
    of: HashMap<String, Arc<Semaphore>>,
}

impl IntakeBudget {
    fn new() -> IntakeBudget {
        IntakeBudget { all: Arc::new(Semaphore::new(ALL)), of: HashMap::new() }
    }

    /// Reserves and returns the share of a message of `length` bytes; `None` if the message must be dropped. A message
    /// that is longer than [`ONE`] counts as [`ONE`] bytes, so it may wait if no other message of its worker waits.
    fn admit(&mut self, worker: &str, length: usize) -> Option<IntakeShare> {
        if self.of.len() > WORKERS {
            self.of.retain(|_, own| own.available_permits() < ONE);
        }
        let size = u32::try_from(length.saturating_add(OVERHEAD).min(ONE)).ok()?;
        let own = self.of.entry(worker.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(ONE)));
        let _own = own.clone().try_acquire_many_owned(size).ok()?;
        let _all = self.all.clone().try_acquire_many_owned(size).ok()?;
        Some(IntakeShare { _all, _own })
    }
}

/// Forwards messages of workers until the subscription or the receiver ends. The function only counts the bytes of the
/// messages, so that messages do not accumulate in the NATS client, whose memory is not limited.
///
/// Messages that exceed the limits are dropped. If this function waited instead, they would accumulate in the client.
/// No information is lost: a worker repeats its requests, heartbeats and results, and the report of a job repeats its
/// events.
pub(super) async fn take_in(mut messages: Subscriber, waiting: mpsc::UnboundedSender<WaitingMessage>) {
    let mut intake = IntakeBudget::new();
    while let Some(message) = messages.next().await {
        let Some(worker) = sender(&message.subject) else { continue };
        let Some(share) = intake.admit(worker, message.payload.len()) else { continue };
        // The bytes are copied, because they may be a small part of a buffer that a whole batch of messages shares.
        let taken = WaitingMessage { worker: worker.to_owned(), payload: message.payload.to_vec(), share };
        if waiting.send(taken).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_floods_loses_its_own_messages() {
        let mut intake = IntakeBudget::new();
        let mut admitted = Vec::new();
        while let Some(share) = intake.admit("loud", 1 << 20) {
            admitted.push(share);
        }
        assert_eq!(admitted.len(), 15);
        let quiet = intake.admit("quiet", 100);
        assert!(quiet.is_some());
        admitted.pop();
        assert!(intake.admit("loud", 1 << 20).is_some(), "a handled message makes room");
        drop((admitted, quiet));
        assert!(intake.admit("loud", 64 << 20).is_some(), "a long message waits alone");
    }

    #[test]
    fn all_workers_together_have_a_limit_and_idle_ones_are_forgotten() {
        let mut intake = IntakeBudget::new();
        let shares: Vec<_> = (0..100).filter_map(|worker| intake.admit(&format!("w{worker}"), ONE)).collect();
        assert_eq!(shares.len(), ALL / ONE);
        drop(shares);
        for worker in 0..3 * WORKERS {
            assert!(intake.admit(&format!("x{worker}"), 1).is_some());
        }
        assert!(intake.of.len() <= WORKERS + 1, "{}", intake.of.len());
    }
}
