//! The problems that a service has prepared.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use crate::model::Digest;
use crate::runner::PreparedProblem;

/// Maximum number of recently used problems that are retained.
const KEPT: usize = 64;

/// The prepared problems, by digest: all problems that are in use, and the problems that were used most recently.
#[derive(Debug)]
pub(super) struct PreparedProblems<P = PreparedProblem> {
    known: HashMap<Digest, Weak<P>>,
    /// The retained problems, sorted by their last use, the most recently used problem last.
    kept: VecDeque<(Digest, Arc<P>)>,
    limit: usize,
}

impl<P> Default for PreparedProblems<P> {
    fn default() -> Self {
        PreparedProblems { known: HashMap::new(), kept: VecDeque::new(), limit: KEPT }
    }
}

impl<P> PreparedProblems<P> {
    /// Returns the problem whose digest is `digest`; `None` if it was not added, or has been dropped since.
    pub(super) fn get(&mut self, digest: Digest) -> Option<Arc<P>> {
        let problem = self.known.get(&digest)?.upgrade()?;
        self.keep(digest, problem.clone());
        Some(problem)
    }

    /// Adds a problem and returns it. If a problem with the same digest is known, that problem is returned instead.
    pub(super) fn add(&mut self, digest: Digest, problem: P) -> Arc<P> {
        if let Some(known) = self.get(digest) {
            return known;
        }
        let problem = Arc::new(problem);
        self.known.insert(digest, Arc::downgrade(&problem));
        self.keep(digest, problem.clone());
        problem
    }

    /// Retains a problem as the most recently used problem.
    fn keep(&mut self, digest: Digest, problem: Arc<P>) {
        self.kept.retain(|(other, _)| *other != digest);
        self.kept.push_back((digest, problem));
        if self.kept.len() > self.limit {
            self.kept.pop_front();
            self.known.retain(|_, problem| problem.strong_count() > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problems_that_were_used_last_are_kept_and_those_in_use_are_found() {
        let digest = |number: usize| Digest::of(&number.to_le_bytes());
        let mut problems = PreparedProblems::<usize> { limit: 3, ..PreparedProblems::default() };
        let used = problems.add(digest(0), 0);
        (1..3).for_each(|number| drop(problems.add(digest(number), number)));
        assert_eq!(*problems.add(digest(1), 100), 1, "the known one is returned, and is the one that was used last");
        (3..5).for_each(|number| drop(problems.add(digest(number), number)));
        let found = |problems: &PreparedProblems<usize>| -> Vec<usize> {
            let is_found = |number: &usize| problems.known.get(&digest(*number)).is_some_and(|p| p.strong_count() > 0);
            (0..5).filter(is_found).collect()
        };
        assert_eq!(
            found(&problems),
            [0, 1, 3, 4],
            "the third problem was used the longest ago, and the first is in use"
        );
        assert_eq!(problems.get(digest(0)).as_deref(), Some(&0));
        drop(used);
        (10..100).for_each(|number| drop(problems.add(digest(number), number)));
        assert_eq!(found(&problems), [0; 0]);
        assert!(problems.known.len() <= 4 && problems.kept.len() == 3, "{problems:?}");
    }
}
