//! Limits the number of open event streams, in total and per person.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::actor::LOCAL_PERSON;
use super::per_person::{PerPerson, PersonUse};

/// Maximum number of streams of a person, so that one person cannot use all slots. A browser opens at most six
/// connections to a server.
pub(super) const MOST_OF_PERSON: usize = 24;

/// The slots for event streams.
#[derive(Debug)]
pub(super) struct StreamSlots {
    free: Arc<Semaphore>,
    open: PerPerson<()>,
}

/// The slot of an open stream. It is free again when this value is dropped.
#[derive(Debug)]
pub(super) struct StreamSlot {
    _free: OwnedSemaphorePermit,
    _own: PersonUse<()>,
}

/// The reason why a stream is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoStreamSlot {
    /// All slots are in use.
    All,
    /// The person already has the maximum number of open streams.
    OfPerson,
}

impl StreamSlots {
    /// Creates slots for `most` streams.
    pub(super) fn new(most: usize) -> StreamSlots {
        StreamSlots { free: Arc::new(Semaphore::new(most)), open: PerPerson::new() }
    }

    /// Reserves a slot for a stream of `person`. The limit per person does not apply to the owner.
    pub(super) fn take(&self, person: &str) -> Result<StreamSlot, NoStreamSlot> {
        let free = self.free.clone().try_acquire_owned().map_err(|_| NoStreamSlot::All)?;
        let most = if person == LOCAL_PERSON { usize::MAX } else { MOST_OF_PERSON };
        let own = self.open.begin(person, most).ok_or(NoStreamSlot::OfPerson)?;
        Ok(StreamSlot { _free: free, _own: own })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_takes_only_a_part_of_the_streams() {
        let slots = StreamSlots::new(MOST_OF_PERSON + 2);
        let mut own: Vec<StreamSlot> = (0..MOST_OF_PERSON).map(|_| slots.take("ann").unwrap()).collect();
        assert_eq!(slots.take("ann").unwrap_err(), NoStreamSlot::OfPerson);
        let others = [slots.take("zoë").unwrap(), slots.take(LOCAL_PERSON).unwrap()];
        assert_eq!(slots.take("bob").unwrap_err(), NoStreamSlot::All);
        own.pop();
        assert!(slots.take("ann").is_ok(), "one stream was closed");
        drop((own, others));
        assert!(slots.open.is_empty());
        let owner: Vec<StreamSlot> = (0..MOST_OF_PERSON + 2).map(|_| slots.take(LOCAL_PERSON).unwrap()).collect();
        assert_eq!(owner.len(), MOST_OF_PERSON + 2);
    }
}
