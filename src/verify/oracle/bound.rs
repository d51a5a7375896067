//! Selects the positions to compare: a bound for each name of the input, increased until there are enough positions.

use crate::input::{Description, Growth, Instance};

/// If a bound contains more positions than the wanted number multiplied by this fraction, another bound that contains
/// fewer is preferred.
const NEAR: (u64, u64) = (3, 2);

/// A bound that contains more positions than this multiple of the wanted number is always rejected.
const TOO_MANY: u64 = 20;

/// Number of steps by which each turn increases the bound of a name that does not determine a length. The bound of a
/// name that determines a length is increased by one step per turn.
const VALUES_PER_COUNT: u64 = 2;

/// If the only name of the input does not determine a length, the bound of the name may have to become large. Each turn
/// then performs one additional step for every `LEAP` steps performed so far.
const LEAP: u64 = 64;

/// Maximum number of turns, in each of which the bounds of all names are increased. The increase in turns ends after
/// the last turn, even if there are too few inputs.
const ROUNDS: usize = 400;

/// Maximum number of new positions that may be visited to solve the greatest input within a bound.
const AT_ONCE: usize = 50_000;

/// Maximum number of new positions that the search of each input may visit, if not all inputs within a bound can be
/// searched.
const ONE_BY_ONE: usize = 5_000;

/// Number up to which the inputs within a bound are counted. Larger numbers are not determined.
pub(super) const COUNTED: u64 = 200_000;

/// A predicate that tests whether an input can be searched with at most this number of new positions.
pub(super) type Easy<'a> = &'a mut dyn FnMut(&Instance, usize) -> bool;

/// A bound and the inputs within it.
#[derive(Debug)]
pub(super) struct SearchBound {
    /// Inputs in the order of their values.
    pub(super) inputs: Vec<Instance>,
    /// The bound as text.
    pub(super) text: String,
    /// The number of all inputs within the bound, if some were left out because they are too hard to search; the inner
    /// value is `None` if the number exceeds [`COUNTED`].
    pub(super) left: Option<Option<u64>>,
}

/// A name of the input, and the number of steps by which its bound has been increased.
struct Grown {
    growth: Growth,
    steps: u64,
    /// Whether another step is impossible or would add too many inputs.
    done: bool,
}

impl SearchBound {
    /// Finds a bound with at least `wanted` inputs, and not many more if possible. If there is no such bound, finds the
    /// largest bound that can be searched. `joint` is the name of the row count, if there is
    /// one; its bound is not increased.
    ///
    /// At first, bounds whose greatest input is too hard to search are rejected. If this yields too few inputs, the
    /// bounds are increased further, and inputs that are too hard are left out.
    pub(super) fn find(input: &Description, joint: Option<&str>, wanted: usize, easy: Easy<'_>) -> SearchBound {
        let growths = input.growths().into_iter().filter(|growth| Some(growth.name.as_str()) != joint);
        let names = growths.map(|growth| Grown { growth, steps: 0, done: false }).collect();
        let mut search = Search { input, joint, easy, names, wanted: wanted as u64, found: 0, sifting: false };
        search.grow();
        if search.found < search.wanted {
            search.sifting = true;
            search.names.iter_mut().for_each(|name| name.done = false);
            search.grow();
        }
        let (text, narrowed) = (text(input, &search.names), search.narrowed());
        if !search.sifting {
            return SearchBound { inputs: narrowed.enumerate().collect(), text, left: None };
        }
        let (inputs, whole) = search.sifted(&narrowed, usize::MAX).unwrap_or_default();
        SearchBound { inputs, text, left: (!whole).then(|| narrowed.count_up_to(COUNTED)) }
    }
}

/// The state of the search for a bound.
struct Search<'a> {
    input: &'a Description,
    joint: Option<&'a str>,
    easy: Easy<'a>,
    names: Vec<Grown>,
    wanted: u64,
    /// Number of inputs within the current bound.
    found: u64,
    /// Whether inputs that are too hard to search are left out.
    sifting: bool,
}

impl Search<'_> {
    fn grow(&mut self) {
        self.grow_in_turn(self.wanted * NEAR.0 / NEAR.1);
        self.overshoot(self.wanted * TOO_MANY);
    }

    /// Increases the bounds of all names in turn until there are enough inputs, or until every further step would yield
    /// more than `limit` inputs.
    fn grow_in_turn(&mut self, limit: u64) {
        self.found = self.count(limit).unwrap_or(0);
        for _ in 0..ROUNDS {
            if self.names.iter().all(|name| name.done) {
                return;
            }
            for at in 0..self.names.len() {
                let alone = self.names.len() == 1;
                let steps = match self.names[at].growth.counts {
                    true => 1,
                    false if alone => VALUES_PER_COUNT + self.names[at].steps / LEAP,
                    false => VALUES_PER_COUNT,
                };
                for _ in 0..steps {
                    if self.found >= self.wanted {
                        return;
                    }
                    self.step(at, limit);
                }
            }
        }
    }

    /// Increases the bound of a name by one step, unless this yields more than `limit` inputs.
    fn step(&mut self, at: usize, limit: u64) {
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

    /// If there are still too few inputs, performs one more step: of the steps that yield at most `limit` inputs, the
    /// step that yields the fewest.
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

    /// Returns the number of inputs within the current bound, or `None` if there are more than `limit` or the greatest
    /// input is too hard to search.
    ///
    /// If `sifting` is set, counts only the inputs that are not too hard to search. In that case, returns `None` if the
    /// count exceeds `limit`, or if some inputs are too hard and the count does not exceed `found`.
    fn count(&mut self, limit: u64) -> Option<u64> {
        let narrowed = self.narrowed();
        if self.sifting {
            let (inputs, whole) = self.sifted(&narrowed, usize::try_from(limit).unwrap_or(usize::MAX))?;
            let count = inputs.len() as u64;
            return (whole || count > self.found).then_some(count);
        }
        let count = narrowed.count_up_to(limit)?;
        let hardest = narrowed.enumerate().last();
        hardest.is_none_or(|hardest| (self.easy)(&hardest, AT_ONCE)).then_some(count)
    }

    fn sifted(&mut self, narrowed: &Description, limit: usize) -> Option<(Vec<Instance>, bool)> {
        narrowed.sift(limit, &mut |input| (self.easy)(input, ONE_BY_ONE))
    }
}

/// Formats the bound, such as `n ≤ 4, s of at most 3 letters`. Numbers with a single value are left out; the text is
/// empty if no name is left.
fn text(input: &Description, names: &[Grown]) -> String {
    let bound = |name: &Grown| {
        if let Some(least) = name.growth.letters {
            return Some(format!("{} of at most {} letters", name.growth.name, least + i128::from(name.steps)));
        }
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
        let bound = SearchBound::find(&heaps("1..=100", "0..=1000000000"), None, 10_000, &mut |_, _| true);
        assert_eq!((bound.text.as_str(), bound.left), ("n ≤ 4, a ≤ 9", None));
        assert_eq!(bound.inputs.len(), 10 + 100 + 1_000 + 10_000);
    }

    #[test]
    fn all_inputs_are_taken_if_there_are_too_few() {
        let bound = SearchBound::find(&heaps("1..=2", "0..=3"), None, 10_000, &mut |_, _| true);
        assert_eq!((bound.text.as_str(), bound.left, bound.inputs.len()), ("n ≤ 2, a ≤ 3", None, 20));
    }

    #[test]
    fn large_step_is_taken_if_there_is_no_other() {
        let bound = SearchBound::find(&heaps("1..=9", "0..=9"), None, 12_000, &mut |_, _| true);
        assert!(bound.inputs.len() >= 12_000, "{}", bound.text);
    }

    #[test]
    fn hard_inputs_are_not_reached() {
        let mut small = |instance: &Instance, _| instance.ints("a").is_some_and(|a| a.iter().all(|a| *a <= 3));
        let bound = SearchBound::find(&heaps("1..=100", "0..=100"), None, 1_000, &mut small);
        assert_eq!((bound.text.as_str(), bound.left), ("n ≤ 5, a ≤ 3", None));
    }

    #[test]
    fn easy_inputs_of_larger_bounds_are_taken() {
        let mut light =
            |instance: &Instance, _| instance.ints("a").is_some_and(|a| a.iter().map(|a| a * a).sum::<i64>() <= 16);
        let bound = SearchBound::find(&heaps("1..=100", "1..=100"), None, 200, &mut light);
        assert_eq!(bound.text, "n ≤ 7, a ≤ 4");
        assert!(matches!(bound.left, Some(Some(all)) if all > bound.inputs.len() as u64), "{:?}", bound.left);
        assert!(bound.inputs.len() >= 200);
        assert!(bound.inputs.iter().all(|input| light(input, 0)));
    }

    #[test]
    fn graphs_grow_in_vertices_and_edges() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/dag-sg");
        let problem = crate::problem::load(&dir).unwrap();
        let bound = SearchBound::find(&problem.input, None, 10_000, &mut |_, _| true);
        assert_eq!(bound.text, "n ≤ 3, m ≤ 4");
        assert!(bound.inputs.len() >= 10_000);
    }
}
