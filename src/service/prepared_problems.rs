//! The problems that a service has prepared.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use crate::model::Digest;
use crate::runner::PreparedProblem;

/// Maximum number of recently used problems that are retained.
const KEPT: usize = 64;

/// The prepared problems, by digest: all problems that are in use, and the problems that were used most recently. Problems
/// with equal files may have different ids.
#[derive(Debug)]
pub(super) struct PreparedProblems<P = PreparedProblem> {
    known: HashMap<Digest, Vec<Weak<P>>>,
    /// The retained problems, sorted by their last use, the most recently used problem last.
    kept: VecDeque<Arc<P>>,
    limit: usize,
}

impl<P> Default for PreparedProblems<P> {
    fn default() -> Self {
        PreparedProblems { known: HashMap::new(), kept: VecDeque::new(), limit: KEPT }
    }
}

impl<P> PreparedProblems<P> {
    /// Returns a problem whose digest is `digest`, preferably one that is `wanted`; `None` if none was added, or if all
    /// have been dropped since.
    pub(super) fn get(&mut self, digest: Digest, wanted: impl Fn(&P) -> bool) -> Option<Arc<P>> {
        let same: Vec<Arc<P>> = self.known.get(&digest)?.iter().filter_map(Weak::upgrade).collect();
        let problem = same.iter().find(|problem| wanted(problem)).or(same.first())?;
        self.keep(problem.clone());
        Some(problem.clone())
    }

    /// Adds a problem and returns it. If a problem with the same digest is known that is `equal`, it is returned instead.
    pub(super) fn add(&mut self, digest: Digest, problem: P, equal: impl Fn(&P, &P) -> bool) -> Arc<P> {
        let known = self.get(digest, |known| equal(known, &problem));
        if let Some(known) = known.filter(|known| equal(known, &problem)) {
            return known;
        }
        let problem = Arc::new(problem);
        self.known.entry(digest).or_default().push(Arc::downgrade(&problem));
        self.keep(problem.clone());
        problem
    }

    /// Retains a problem as the most recently used problem.
    fn keep(&mut self, problem: Arc<P>) {
        self.kept.retain(|other| !Arc::ptr_eq(other, &problem));
        self.kept.push_back(problem);
        if self.kept.len() > self.limit {
            self.kept.pop_front();
            self.known.retain(|_, same| {
                same.retain(|problem| problem.strong_count() > 0);
                !same.is_empty()
            });
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
        let add = |problems: &mut PreparedProblems<usize>, number| problems.add(digest(number), number, |_, _| true);
        let used = add(&mut problems, 0);
        (1..3).for_each(|number| drop(add(&mut problems, number)));
        let known = problems.add(digest(1), 100, |_, _| true);
        assert_eq!(*known, 1, "the known one is returned, and is the one that was used last");
        drop(known);
        (3..5).for_each(|number| drop(add(&mut problems, number)));
        let found = |problems: &PreparedProblems<usize>| -> Vec<usize> {
            let is_found =
                |number: &usize| problems.known.get(&digest(*number)).is_some_and(|p| p[0].strong_count() > 0);
            (0..5).filter(is_found).collect()
        };
        assert_eq!(
            found(&problems),
            [0, 1, 3, 4],
            "the third problem was used the longest ago, and the first is in use"
        );
        assert_eq!(problems.get(digest(0), |_| true).as_deref(), Some(&0));
        drop(used);
        (10..100).for_each(|number| drop(add(&mut problems, number)));
        assert_eq!(found(&problems), [0; 0]);
        assert!(problems.known.len() <= 4 && problems.kept.len() == 3, "{problems:?}");
    }

    #[test]
    fn problems_with_equal_files_and_different_ids_are_different() {
        let digest = Digest::of(b"files");
        let mut problems = PreparedProblems::default();
        let [first, second, again] = ["a", "b", "a"].map(|id| problems.add(digest, id, |known, new| known == new));
        assert_eq!((*first, *second), ("a", "b"));
        assert!(Arc::ptr_eq(&first, &again));
        let found = ["a", "b", "c"].map(|id| *problems.get(digest, |known| *known == id).unwrap());
        assert_eq!(found, ["a", "b", "a"], "any of them, if none has the id");
    }
}
