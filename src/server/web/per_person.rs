//! Limits the number of concurrent uses of a resource by one person, such as the number of open event streams.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The people who use a resource, each with the number of current uses and a value of type `T`. The value exists as
/// long as the person uses the resource.
#[derive(Debug)]
pub(super) struct PerPerson<T>(Arc<Mutex<PersonCounts<T>>>);

type PersonCounts<T> = HashMap<Arc<str>, (usize, Arc<T>)>;

/// A use of a resource by a person. The use is counted until this value is dropped.
#[derive(Debug)]
pub(super) struct PersonUse<T> {
    person: Arc<str>,
    people: Arc<Mutex<PersonCounts<T>>>,
    /// The value that all uses by the person share.
    pub(super) shared: Arc<T>,
}

impl<T: Default> PerPerson<T> {
    pub(super) fn new() -> PerPerson<T> {
        PerPerson(Arc::default())
    }

    /// Counts one more use by a person. Returns `None` if the person already has `most` uses.
    pub(super) fn begin(&self, person: &str, most: usize) -> Option<PersonUse<T>> {
        let person: Arc<str> = person.into();
        let mut people = lock(&self.0);
        let (count, shared) = people.entry(person.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        let shared = shared.clone();
        drop(people);
        Some(PersonUse { person, people: self.0.clone(), shared })
    }

    /// Returns whether the resource is unused.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}

impl<T> Drop for PersonUse<T> {
    fn drop(&mut self) {
        let mut people = lock(&self.people);
        if let Some((count, _)) = people.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                people.remove(&self.person);
            }
        }
    }
}

fn lock<T>(people: &Mutex<PersonCounts<T>>) -> MutexGuard<'_, PersonCounts<T>> {
    people.lock().unwrap_or_else(PoisonError::into_inner)
}
