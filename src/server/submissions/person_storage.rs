//! The limit on the storage used by the submissions of one person.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::model::{ByteSize, Failure};

use super::id::SubmissionId;
use super::queue::SubmitError;
use super::store::SubmissionStore;

/// The number of bytes used by each person's submissions, and the limit on this number.
///
/// A submission is counted when it ends, with its program, input, report and events. The number of open submissions is
/// limited separately.
#[derive(Debug)]
pub(super) struct PersonStorage {
    most: Option<ByteSize>,
    /// A cache of the number of bytes used by each person's submissions. A person's entry is read from the store when
    /// it is first needed.
    used: Mutex<HashMap<String, u64>>,
}

impl PersonStorage {
    /// Creates an empty cache with the limit `most` on each person's storage; `None` for no limit.
    pub(super) fn new(most: Option<ByteSize>) -> PersonStorage {
        PersonStorage { most, used: Mutex::default() }
    }

    /// Checks that the submissions of a person use less than the limit.
    ///
    /// # Errors
    /// Fails if the limit is reached, or if the store can't be read.
    pub(super) fn check(&self, store: &SubmissionStore, person: &str) -> Result<(), SubmitError> {
        let Some(most) = self.most else { return Ok(()) };
        if self.used(store, person)? >= most.get() {
            return Err(SubmitError::StorageFull { most });
        }
        Ok(())
    }

    fn used(&self, store: &SubmissionStore, person: &str) -> Result<u64, Failure> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = used.get(person) {
            return Ok(*bytes);
        }
        let bytes = store.bytes_of_person(person)?;
        used.insert(person.to_owned(), bytes);
        Ok(bytes)
    }

    /// Adds the stored size of an ended submission to the cached number of bytes used by `person`. Does nothing if the
    /// cache has no entry for `person`.
    pub(super) fn add(&self, store: &SubmissionStore, person: &str, id: &SubmissionId) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = used.get_mut(person) {
            match store.bytes_of(id) {
                Ok(more) => *bytes += more,
                // Since the person's entry is removed, the next check reads the number from the store.
                Err(_) => _ = used.remove(person),
            }
        }
    }
}
