//! Which positions are compared: a bound for each name of the input, grown in turn until there are enough positions.

use crate::input::{Description, Growth, Instance};

/// Bounds with more than three halves of the wanted positions are left for those that come nearer, if there are any.
const NEAR: (u64, u64) = (3, 2);

/// Bounds with so many times the wanted positions are never looked at.
const TOO_MANY: u64 = 20;

/// Values grow this many steps for each step of a name that lengths depend on.
const VALUES_PER_COUNT: u64 = 2;

/// Bounds grow at most so many times: an end for inputs that never are enough.
const ROUNDS: usize = 400;

/// A bound.
#[derive(Debug)]
pub(super) struct Bound {
    /// The inputs within it.
    pub(super) description: Description,
    /// The bound in words.
    pub(super) text: String,
}

/// A name and how far it has grown.
struct Grown {
    growth: Growth,
    steps: u64,
    /// A further step would make too many inputs, or there is none.
    done: bool,
}

impl Bound {
    /// A bound with `wanted` inputs and few more, or the last there is. `joint` stays at its least: one row is one
    /// position. `easy` says of the greatest input within a bound whether it can be searched: a bound with one that
    /// can't be is not taken.
    pub(super) fn find(
        input: &Description,
        joint: Option<&str>,
        wanted: usize,
        easy: &dyn Fn(&Instance) -> bool,
    ) -> Bound {
        let growths = input.growths().into_iter().filter(|growth| Some(growth.name.as_str()) != joint);
        let names = growths.map(|growth| Grown { growth, steps: 0, done: false }).collect();
        let mut search = Search { input, joint, easy, names, wanted: wanted as u64, found: 0 };
        search.grow_in_turn(search.wanted * NEAR.0 / NEAR.1);
        search.overshoot(search.wanted * TOO_MANY);
        Bound { text: text(input, &search.names), description: search.narrowed() }
    }
}

/// The search for a bound.
struct Search<'a> {
    input: &'a Description,
    joint: Option<&'a str>,
    easy: &'a dyn Fn(&Instance) -> bool,
    names: Vec<Grown>,
    wanted: u64,
    /// How many inputs there are within the bound so far.
    found: u64,
}

impl Search<'_> {
    /// Lets all names grow in turn, as long as there are no more than `limit` inputs, until there are enough.
    fn grow_in_turn(&mut self, limit: u64) {
        self.found = self.count(limit).unwrap_or(0);
        for _ in 0..ROUNDS {
            if self.names.iter().all(|name| name.done) {
                return;
            }
            for at in 0..self.names.len() {
                let steps = if self.names[at].growth.counts { 1 } else { VALUES_PER_COUNT };
                for _ in 0..steps {
                    if self.found >= self.wanted {
                        return;
                    }
                    self.grow(at, limit);
                }
            }
        }
    }

    /// Lets a name go one step further, unless there would be too many inputs.
    fn grow(&mut self, at: usize, limit: u64) {
        let Grown { growth, steps, done } = &self.names[at];
        if *done || growth.most.is_some_and(|most| *steps >= most) {
            self.names[at].done = true;
            return;
        }
        self.names[at].steps += 1;
        match self.count(limit) {
            Some(count) => self.found = count,
            None => {
                self.names[at].steps -= 1;
                self.names[at].done = true;
            }
        }
    }

    /// Where every further step makes many more inputs than wanted: the step that makes the fewest.
    fn overshoot(&mut self, limit: u64) {
        if self.found >= self.wanted {
            return;
        }
        let mut least: Option<(u64, usize)> = None;
        for at in 0..self.names.len() {
            let Grown { growth, steps, .. } = &self.names[at];
            if growth.most.is_some_and(|most| *steps >= most) {
                continue;
            }
            self.names[at].steps += 1;
            let most = least.map_or(limit, |(count, _)| count);
            let count = self.count(most).filter(|count| *count > self.found);
            self.names[at].steps -= 1;
            least = count.map(|count| (count, at)).into_iter().chain(least).min();
        }
        if let Some((count, at)) = least {
            self.names[at].steps += 1;
            self.found = count;
        }
    }

    fn narrowed(&self) -> Description {
        let steps = self.names.iter().map(|name| (name.growth.name.as_str(), name.steps));
        let steps: Vec<(&str, u64)> = steps.chain(self.joint.map(|joint| (joint, 0))).collect();
        self.input.small(&steps)
    }

    /// How many inputs there are, if not too many and not too hard.
    fn count(&self, limit: u64) -> Option<u64> {
        let narrowed = self.narrowed();
        let count = narrowed.count_up_to(limit)?;
        let hardest = narrowed.enumerate().last();
        hardest.is_none_or(|hardest| (self.easy)(&hardest)).then_some(count)
    }
}

/// `n ≤ 4, a ≤ 9`. What is always the same, or bounded by others before its own bound, is told all the same: it is true.
fn text(input: &Description, names: &[Grown]) -> String {
    let bound = |name: &Grown| {
        let (least, greatest) = input.span(&name.growth.name)?;
        let most = (least + i128::from(name.steps)).min(greatest);
        (least < greatest).then(|| format!("{} ≤ {most}", name.growth.name))
    };
    names.iter().filter_map(bound).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::input::{RawItem, RawValue};

    fn heaps(n: &str, a: &str) -> Description {
        let line = |key: &str, value: &str| {
            RawItem::Line(IndexMap::from([(key.to_owned(), RawValue::Text(value.to_owned()))]))
        };
        Description::parse(&[line("n", n), line("a[n]", a)], &[]).unwrap()
    }

    #[test]
    fn bounds_grow_until_there_are_enough_positions() {
        let bound = Bound::find(&heaps("1..=100", "0..=1000000000"), None, 10_000, &|_| true);
        assert_eq!(bound.text, "n ≤ 4, a ≤ 9");
        assert_eq!(bound.description.count_up_to(100_000), Some(10 + 100 + 1_000 + 10_000));
    }

    #[test]
    fn all_that_exist_are_taken_where_there_are_fewer() {
        let bound = Bound::find(&heaps("1..=2", "0..=3"), None, 10_000, &|_| true);
        assert_eq!(bound.text, "n ≤ 2, a ≤ 3");
        assert_eq!(bound.description.count_up_to(100_000), Some(20));
    }

    #[test]
    fn a_step_that_makes_many_is_taken_where_there_is_no_other() {
        let bound = Bound::find(&heaps("1..=9", "0..=9"), None, 12_000, &|_| true);
        assert!(bound.description.count_up_to(1_000_000).is_some_and(|count| count >= 12_000), "{}", bound.text);
    }

    #[test]
    fn what_can_not_be_searched_is_not_reached() {
        let small = |instance: &Instance| instance.ints("a").is_some_and(|a| a.iter().all(|a| *a <= 3));
        let bound = Bound::find(&heaps("1..=100", "0..=100"), None, 1_000, &small);
        assert_eq!(bound.text, "n ≤ 5, a ≤ 3");
    }

    #[test]
    fn graphs_get_edges_as_well_as_vertices() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/dag-sg");
        let problem = crate::problem::load(&dir).unwrap();
        let bound = Bound::find(&problem.input, None, 10_000, &|_| true);
        assert_eq!(bound.text, "n ≤ 3, m ≤ 4");
        assert!(bound.description.count_up_to(100_000).is_some_and(|count| count >= 10_000));
    }
}
