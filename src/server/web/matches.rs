//! The latest matches against the machine, stored in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::{Fault, ProblemId};
use crate::play::Match;
use crate::submissions::random_text;

use super::actor::LOCAL_PERSON;

/// Maximum number of matches. At the limit, a new match replaces the least recently used one.
const MOST: usize = 200;
/// Maximum number of matches of a person with an account, so that one person cannot evict the matches of all others.
const MOST_OF_PERSON: usize = 20;

/// A match with its problem and level.
pub(super) struct LiveMatch {
    pub(super) problem: ProblemId,
    /// Playing strength of the machine, as named in the API.
    pub(super) level: &'static str,
    pub(super) game: Match,
}

/// A table of the latest matches, indexed by id.
#[derive(Default)]
pub(super) struct MatchTable {
    inner: Mutex<Matches>,
}

/// A match in a [`MatchTable`], with its player and its last access.
struct KeptMatch {
    /// Id of the player.
    person: String,
    /// Sequence number of the last access.
    access: u64,
    live: Arc<Mutex<LiveMatch>>,
}

#[derive(Default)]
struct Matches {
    matches: HashMap<String, KeptMatch>,
    /// Number of accesses to the table so far.
    accesses: u64,
}

impl MatchTable {
    /// Adds a match that `person` plays, and returns the id of the match.
    ///
    /// # Errors
    /// Fails if the system provides no random numbers.
    pub(super) fn add(&self, person: &str, live: LiveMatch) -> Result<String, Fault> {
        let id = random_text()?;
        let mut inner = self.lock();
        let own = |kept: &KeptMatch| kept.person == person;
        let is_full_for_person =
            person != LOCAL_PERSON && inner.matches.values().filter(|kept| own(kept)).count() >= MOST_OF_PERSON;
        if is_full_for_person || inner.matches.len() >= MOST {
            let removable = inner.matches.iter().filter(|(_, kept)| !is_full_for_person || own(kept));
            let idle = removable.min_by_key(|(_, kept)| kept.access).map(|(id, _)| id.clone());
            inner.matches.remove(&idle.unwrap_or_default());
        }
        inner.accesses += 1;
        let access = inner.accesses;
        let kept = KeptMatch { person: person.to_owned(), access, live: Arc::new(Mutex::new(live)) };
        inner.matches.insert(id.clone(), kept);
        Ok(id)
    }

    /// Returns the match with the id `id` if `person` plays it, and marks it as the most recently used match.
    pub(super) fn find(&self, person: &str, id: &str) -> Option<Arc<Mutex<LiveMatch>>> {
        let mut inner = self.lock();
        inner.accesses += 1;
        let access = inner.accesses;
        let kept = inner.matches.get_mut(id).filter(|kept| kept.person == person)?;
        kept.access = access;
        Some(kept.live.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Matches> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{BoundRules, Game, Position};
    use crate::input::Rng;
    use crate::model::Digest;
    use crate::play::{MatchSetup, PlayLevel, PlayerKind};

    fn live() -> LiveMatch {
        let setup = MatchSetup {
            game: Game { rules: BoundRules::nim(), start: Position::Heaps(vec![1]) },
            turn_order: vec![PlayerKind::Human, PlayerKind::Machine],
            level: PlayLevel::Perfect,
            rng: Rng::from_digest(&Digest::of(b"")),
            budget: 10,
            work: 1_000,
            width: 80,
        };
        LiveMatch { problem: "nim".parse().unwrap(), level: "perfect", game: Match::new(setup) }
    }

    #[test]
    fn the_match_that_was_idle_for_the_longest_time_is_dropped() {
        let table = MatchTable::default();
        let ids: Vec<String> = (0..MOST).map(|_| table.add(LOCAL_PERSON, live()).unwrap()).collect();
        assert!(table.find(LOCAL_PERSON, &ids[0]).is_some());
        table.add(LOCAL_PERSON, live()).unwrap();
        assert!(table.find(LOCAL_PERSON, &ids[0]).is_some(), "the first match was used after the second one");
        assert!(table.find(LOCAL_PERSON, &ids[1]).is_none());
        assert!(table.find(LOCAL_PERSON, &ids[2]).is_some());
        assert!(table.find("zoë", &ids[2]).is_none(), "another person plays the match");
    }

    #[test]
    fn a_person_of_a_class_removes_only_their_own_matches() {
        let table = MatchTable::default();
        let others = table.add("zoë", live()).unwrap();
        let ids: Vec<String> = (0..=MOST_OF_PERSON).map(|_| table.add("ann", live()).unwrap()).collect();
        assert!(table.find("zoë", &others).is_some());
        assert!(table.find("ann", &ids[0]).is_none() && table.find("ann", &ids[1]).is_some());
    }
}
