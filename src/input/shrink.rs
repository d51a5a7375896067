//! The shrinker: finds a smaller input that matches the same description and still fails.
//!
//! It removes parts (rows, list members, vertices with their edges), largest pieces first, and then moves values
//! towards zero. Only valid inputs are tried. A change is kept if the input still fails.

use std::collections::HashSet;

use super::description::{Description, GraphClauses};
use super::edit::{Family, numbers_mut, remove_in_row};
use super::instance::{CellValue, Column, Instance};
use super::layout::{Shape, ValueKind};
use super::shrink_pairs::LOWERING_ROUNDS;
use super::simpler::{simpler_words, simplest, steps};
use crate::model::Digest;

/// Default maximum number of trials.
const TRIALS: u64 = 20_000;
/// Maximum number of values processed, so that shrinking a large input stops even if few of its changes are valid.
const WORK: u64 = 1 << 27;
/// Maximum number of vertices of a graph for which the removal of vertices is tried.
const VERTICES: i128 = 1 << 20;
/// Divisor that determines the minimum length of a piece in the first pass of a round: the length of the list divided
/// by this number. Large inputs thus become small before single members are tried.
const COARSE: usize = 16;

/// The result of shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The smallest failing input found.
    pub instance: Instance,
    /// Whether no further change is possible: the input becomes invalid or no longer fails if a single row, member,
    /// pair of members (in short lists), edge or vertex is removed, if two members are merged (in short lists), or if a
    /// single value is moved towards zero.
    pub minimal: bool,
    /// Number of successful changes.
    pub steps: u64,
    /// Number of inputs tried.
    pub trials: u64,
}

impl Description {
    /// Shrinks a failing input.
    ///
    /// `still_fails` is called with valid inputs only.
    pub fn shrink(&self, instance: &Instance, still_fails: &mut dyn FnMut(&Instance) -> bool) -> Shrunk {
        self.shrink_within(TRIALS, instance, still_fails)
    }

    /// Shrinks with at most `trials` calls of `still_fails`. If the limit is reached, the result is not marked as
    /// minimal.
    pub fn shrink_within(
        &self,
        trials: u64,
        instance: &Instance,
        still_fails: &mut dyn FnMut(&Instance) -> bool,
    ) -> Shrunk {
        self.shrink_while(trials, instance, &mut |candidate| Some(still_fails(candidate)))
    }

    /// Shrinks as [`Description::shrink_within`] does, but also stops if `still_fails` returns `None`. The result is
    /// then not marked as minimal.
    pub fn shrink_while(
        &self,
        trials: u64,
        instance: &Instance,
        still_fails: &mut dyn FnMut(&Instance) -> Option<bool>,
    ) -> Shrunk {
        let mut shrinker = Shrinker {
            d: self,
            dependent: self.dependent(&self.vertex_pairs()),
            graphs: self.vertex_pairs(),
            current: instance.clone(),
            still_fails,
            left: trials,
            work: 0,
            cut: false,
            skipped: false,
            coarse: false,
            lowering_rounds: LOWERING_ROUNDS,
            passed: HashSet::new(),
            steps: 0,
            trials: 0,
        };
        loop {
            let before = shrinker.steps;
            shrinker.skipped = false;
            shrinker.round();
            if shrinker.steps == before || shrinker.cut {
                break;
            }
        }
        let Shrinker { current, cut, skipped, steps, trials, .. } = shrinker;
        Shrunk { instance: current, minimal: !cut && !skipped, steps, trials }
    }
}

pub(super) struct Shrinker<'a> {
    pub(super) d: &'a Description,
    /// Pairs of variables that are the ends of edges; see [`Description::vertex_pairs`].
    pub(super) graphs: Vec<GraphClauses>,
    /// Variables that are clamped after each change; see [`Description::dependent`].
    dependent: Vec<usize>,
    pub(super) current: Instance,
    still_fails: &'a mut dyn FnMut(&Instance) -> Option<bool>,
    left: u64,
    work: u64,
    /// Whether shrinking stopped early because a limit was reached or `still_fails` returned `None`.
    pub(super) cut: bool,
    /// Whether the removal of vertices was skipped in this round because a graph has more than [`VERTICES`] vertices.
    skipped: bool,
    /// Whether only large pieces are tried.
    coarse: bool,
    /// Number of rounds left in which numbers are lowered in pairs.
    pub(super) lowering_rounds: u32,
    /// Digests of the inputs that did not fail. They are not tried again: a trial requires a run, and a round would
    /// repeat many trials of the previous round.
    passed: HashSet<Digest>,
    steps: u64,
    trials: u64,
}

impl Shrinker<'_> {
    /// Tries every change once, large pieces first. If no change succeeds and none is skipped, the input is minimal.
    fn round(&mut self) {
        self.coarse = true;
        self.pass();
        self.coarse = false;
        self.pass();
        self.two_at_once();
    }

    /// Tries the changes of one pass, coarse or fine. The changes of [`Shrinker::two_at_once`] belong to neither.
    fn pass(&mut self) {
        for family in self.d.families() {
            self.members(&family);
        }
        for graph in self.graphs.clone() {
            self.vertices(graph);
        }
        for lists in self.d.row_families() {
            self.row_members(&lists);
        }
        for var in 0..self.d.layout.vars.len() {
            if self.coarse {
                self.bits_together(var);
            }
            self.values_together(var);
            if !self.coarse || self.current.columns[var].len() == 1 {
                self.values(var);
            }
        }
    }

    /// Returns the minimum length of a piece that is tried in the current pass, for a list of this length.
    fn least_piece(&self, length: usize) -> usize {
        if self.coarse { length.div_ceil(COARSE) } else { 1 }
    }

    /// Applies the change, and keeps it if the result is a valid input that still fails. Returns whether it is kept.
    pub(super) fn attempt(&mut self, change: impl FnOnce(&Description, &mut Vec<Column>) -> Option<()>) -> bool {
        if self.cut {
            return false;
        }
        let mut columns = self.current.columns.clone();
        if change(self.d, &mut columns).is_none() || columns == self.current.columns {
            return false;
        }
        self.d.bring_within(&mut columns, &self.dependent);
        self.work += self.current.size() as u64 + 1;
        let Some(candidate) = self.d.repaired(columns).filter(|candidate| *candidate != self.current) else {
            self.cut = self.work > WORK;
            return false;
        };
        let digest = Digest::of(&candidate.to_bytes(self.d));
        if self.passed.contains(&digest) {
            return false;
        }
        if self.left == 0 || self.work > WORK {
            self.cut = true;
            return false;
        }
        self.left -= 1;
        let Some(fails) = (self.still_fails)(&candidate) else {
            self.cut = true;
            return false;
        };
        self.trials += 1;
        if fails {
            self.current = candidate;
            self.steps += 1;
        } else {
            self.passed.insert(digest);
        }
        fails
    }

    /// Calls `take` for pieces of `0..length()`: first the whole range, then halves, and so on down to the minimum
    /// length of a piece in the current pass.
    fn pieces(
        &mut self,
        length: impl Fn(&Shrinker<'_>) -> usize,
        mut take: impl FnMut(&mut Self, std::ops::Range<usize>) -> bool,
    ) {
        let mut piece = length(self);
        let least = self.least_piece(piece).max(1);
        while piece >= least && !self.cut {
            let mut end = length(self);
            while end > 0 && !self.cut {
                let start = end.saturating_sub(piece);
                take(self, start..end);
                end = start.min(length(self));
            }
            piece /= 2;
        }
    }

    fn members(&mut self, family: &Family) {
        let length = |shrinker: &Shrinker<'_>| shrinker.d.family_len(family, &shrinker.current.columns);
        let mut kept = 0..0;
        self.pieces(length, |shrinker, places| {
            // In a run of equal members, it does not matter which members are removed.
            let tried = kept.start == places.end && shrinker.d.same(family, &shrinker.current.columns, &places, &kept);
            let removed = !tried
                && shrinker.attempt(|d, columns| {
                    d.remove(columns, family, places.clone());
                    Some(())
                });
            kept = if removed { 0..0 } else { places };
            removed
        });
    }

    fn row_members(&mut self, lists: &[usize]) {
        let rows = self.current.columns[lists[0]].ends.len();
        for row in 0..rows {
            let length = |shrinker: &Shrinker<'_>| shrinker.current.columns[lists[0]].row(row).len();
            self.pieces(length, |shrinker, places| {
                shrinker.attempt(|_, columns| {
                    lists.iter().for_each(|var| remove_in_row(&mut columns[*var], row, places.clone()));
                    Some(())
                })
            });
        }
    }

    fn vertices(&mut self, graph: GraphClauses) {
        if self.d.layout.vars[graph.from].shape() != Shape::List {
            return;
        }
        let Some((least, greatest)) = self.d.bounds_of(graph.from, 0, &self.current.columns) else { return };
        if i128::from(greatest) - i128::from(least) >= VERTICES {
            self.skipped |= self.d.graphs.contains(&graph);
            return;
        }
        let bounds = |shrinker: &Shrinker<'_>| shrinker.d.bounds_of(graph.from, 0, &shrinker.current.columns);
        let length = |shrinker: &Shrinker<'_>| {
            bounds(shrinker).map_or(0, |(lo, hi)| usize::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0))
        };
        self.pieces(length, |shrinker, places| {
            let Some((least, _)) = bounds(shrinker) else { return false };
            let vertex = |place: usize| least + place as i64;
            let gone = vertex(places.start)..vertex(places.end);
            if shrinker.attempt(|d, columns| d.remove_vertices(columns, graph, gone.clone(), None)) {
                return true;
            }
            places.len() == 1 && shrinker.contract(graph, gone.start)
        });
    }

    /// Merges a vertex into one of its neighbors. A connected graph stays connected.
    fn contract(&mut self, graph: GraphClauses, vertex: i64) -> bool {
        self.neighbours(graph, vertex).into_iter().any(|neighbour| {
            self.attempt(|d, columns| d.remove_vertices(columns, graph, vertex..vertex + 1, Some(neighbour)))
        })
    }

    pub(super) fn neighbours(&self, graph: GraphClauses, vertex: i64) -> Vec<i64> {
        let columns = &self.current.columns;
        let edges = columns[graph.from].numbers().iter().zip(columns[graph.to].numbers());
        let other = |(u, v): (&i64, &i64)| match (*u == vertex, *v == vertex) {
            (true, false) => Some(*v),
            (false, true) => Some(*u),
            _ => None,
        };
        let mut neighbours: Vec<i64> = edges.filter_map(other).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours
    }

    /// Tries, for each bit, to clear it in all positive numbers of a list. If a failure depends on the xor of the
    /// numbers, changing a single number may not preserve it.
    fn bits_together(&mut self, var: usize) {
        let length = self.current.columns[var].len();
        // After each change, the numbers of a permutation are replaced with their ranks, so the changes could repeat
        // forever.
        if length < 2 || !self.d.layout.vars[var].is_int() || self.d.marks[var].permutation {
            return;
        }
        let numbers = self.current.columns[var].numbers().iter();
        let held = numbers.filter(|number| **number > 0).fold(0, |held, number| held | number);
        for bit in (0..63).rev().map(|bit| 1_i64 << bit).filter(|bit| held & bit != 0) {
            self.attempt(|_, columns| {
                let cells = numbers_mut(&mut columns[var]).iter_mut();
                cells.filter(|cell| **cell > 0).for_each(|cell| *cell &= !bit);
                Some(())
            });
        }
    }

    /// Tries to replace many numbers of a list with their simplest values in a single change.
    fn values_together(&mut self, var: usize) {
        let length = |shrinker: &Shrinker<'_>| shrinker.current.columns[var].numbers().len();
        if length(self) < 2 {
            return;
        }
        let mut piece = length(self);
        let least = self.least_piece(piece).max(2);
        while piece >= least && !self.cut {
            for start in (0..length(self)).step_by(piece) {
                if !self.any_complex(var, start..(start + piece).min(length(self))) {
                    continue;
                }
                self.attempt(|d, columns| {
                    let end = (start + piece).min(columns[var].len());
                    for at in start..end {
                        let bounds = d.bounds_of(var, columns[var].row_of(at), columns)?;
                        let simple = simplest(&d.layout.vars[var].kind, bounds);
                        numbers_mut(&mut columns[var])[at] = simple;
                    }
                    Some(())
                });
            }
            piece /= 2;
        }
    }

    /// Returns whether any number at these indices is not the simplest value within its bounds.
    fn any_complex(&self, var: usize, mut places: std::ops::Range<usize>) -> bool {
        let columns = &self.current.columns;
        places.any(|at| {
            let bounds = self.d.bounds_of(var, columns[var].row_of(at), columns);
            bounds.is_some_and(|bounds| columns[var].numbers()[at] != simplest(&self.d.layout.vars[var].kind, bounds))
        })
    }

    fn values(&mut self, var: usize) {
        let mut at = 0;
        while at < self.current.columns[var].len() && !self.cut {
            self.simpler(var, at);
            at += 1;
        }
    }

    /// Simplifies one value as far as possible.
    fn simpler(&mut self, var: usize, at: usize) {
        let d = self.d;
        let kind = &d.layout.vars[var].kind;
        let row = self.current.columns[var].row_of(at);
        let Some(bounds) = d.bounds_of(var, row, &self.current.columns) else { return };
        match (kind, self.current.columns[var].cell(at)) {
            (ValueKind::Word { letters, .. }, Some(CellValue::Text(mut word))) => {
                let mut shorter = |word: &str| {
                    let words = simpler_words(word, letters, bounds);
                    words.into_iter().find(|word| self.put(var, at, CellValue::Text(word.clone())))
                };
                while let Some(simpler) = shorter(&word) {
                    word = simpler;
                }
            }
            (ValueKind::Choice { allowed, .. }, Some(CellValue::Number(now))) => {
                let mut places = allowed.iter().filter_map(|place| i64::try_from(*place).ok());
                places.any(|place| place < now && self.put(var, at, CellValue::Number(place)));
            }
            (_, Some(CellValue::Number(now))) => self.nearer(var, at, now, simplest(kind, bounds)),
            _ => {}
        }
    }

    /// Moves a number towards the simplest value, starting with large steps and doubling the step after each success.
    /// If the failure depends on a remainder, only some step widths succeed, and steps of a fixed width would take too
    /// long.
    fn nearer(&mut self, var: usize, at: usize, mut now: i64, simple: i64) {
        for mut step in steps(now, simple) {
            while step.unsigned_abs() <= now.abs_diff(simple) && self.put(var, at, CellValue::Number(now - step)) {
                now -= step;
                step = step.saturating_mul(2);
            }
        }
    }

    /// Replaces a value, and keeps the new value if the input still fails.
    fn put(&mut self, var: usize, at: usize, cell: CellValue) -> bool {
        self.attempt(|_, columns| {
            columns[var].set(at, cell);
            Some(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{FORMATS, describe, shrunk};
    use super::super::{Instance, Rng};
    use crate::model::Digest;

    fn sum(instance: &Instance, name: &str) -> i64 {
        instance.ints(name).unwrap().iter().sum()
    }

    #[test]
    fn irrelevant_list_members_are_removed() {
        let text = "n: 1..=10\na[n]: 0..=1000";
        let (bytes, shrunk) = shrunk(text, "5\n7 900 3 44 5\n", |i| i.ints("a").unwrap().iter().any(|x| *x > 123));
        assert_eq!(bytes, "1\n124\n");
        assert!(shrunk.minimal && shrunk.steps > 1);
    }

    #[test]
    fn a_number_bounded_by_a_count_follows_it() {
        let fails = |i: &Instance| i.int("k") == i.int("n") && i.ints("a").unwrap().iter().any(|x| *x > 123);
        let (bytes, shrunk) = shrunk("n: 1..=10; k: 1..=n\na[n]: 0..=1000", "5 5\n7 900 3 44 5\n", fails);
        assert_eq!(bytes, "1 1\n124\n");
        assert!(shrunk.minimal);
    }

    #[test]
    fn large_number_shrinks_in_few_trials() {
        let description = describe("a: 0..=9223372036854775807");
        let instance = description.read(b"9223372036854775807\n", None).unwrap();
        let least = 123_456_789_012_345;
        let shrunk = description.shrink(&instance, &mut |i| i.int("a") >= Some(least));
        assert_eq!(shrunk.instance.int("a"), Some(least));
        assert!(shrunk.minimal && shrunk.trials < 200, "{}", shrunk.trials);
    }

    #[test]
    fn number_that_fails_by_a_remainder_shrinks() {
        let description = describe("a: 0..=9223372036854775807");
        let instance = description.read(b"337911614314751241\n", None).unwrap();
        let least = 1 << 53;
        let fails = |i: &Instance| i.int("a").is_some_and(|a| a >= least && a % 5 == 1);
        let shrunk = description.shrink(&instance, &mut |i| fails(i));
        assert!(fails(&shrunk.instance) && shrunk.instance.int("a") < Some(least + (1 << 40)), "{shrunk:?}");
        assert!(shrunk.minimal && shrunk.trials < 1000, "{}", shrunk.trials);
    }

    #[test]
    fn no_input_is_tried_twice() {
        let description = describe("n: 1..=30\na[n]: 0..=9");
        let instance = description.read(format!("30\n{}\n", ["3"; 30].join(" ")).as_bytes(), None).unwrap();
        let mut asked = std::collections::BTreeSet::new();
        let shrunk = description.shrink(&instance, &mut |candidate| {
            assert!(asked.insert(candidate.to_bytes(&description)), "tried again");
            candidate.int("n") >= Some(20)
        });
        assert!(shrunk.minimal);
    }

    #[test]
    fn large_pieces_are_tried_before_single_members() {
        let description = describe("n: 1..=500\na[n]: 0..=1000");
        let bytes = format!("200\n{}\n", ["900"; 200].join(" "));
        let instance = description.read(bytes.as_bytes(), None).unwrap();
        let shrunk = description.shrink_within(8, &instance, &mut |i| i.int("n") == Some(200));
        assert_eq!(sum(&shrunk.instance, "a"), 0);
        assert!(!shrunk.minimal);
    }

    #[test]
    fn bits_are_cleared_in_all_numbers_to_preserve_the_xor() {
        let xor = |i: &Instance| i.ints("a").unwrap().iter().fold(0, |x, a| x ^ a);
        let mut all: Vec<i64> = (1..=40).map(|i| i * i * 77 % 1021).collect();
        all.push(all.iter().fold(256, |x, a| x ^ a));
        let words: Vec<String> = all.iter().map(ToString::to_string).collect();
        let text = format!("41\n{}\n", words.join(" "));
        let (bytes, _) = shrunk("n: 1..=100\na[n]: 0..=1023", &text, |i| xor(i) & 255 == 0 && xor(i) != 0);
        assert_eq!(bytes, "1\n256\n");
    }

    #[test]
    fn zero_nim_sum_is_preserved_while_heaps_shrink() {
        let nim = |i: &Instance| i.ints("a").unwrap().iter().fold(0, |x, a| x ^ a) == 0 && sum(i, "a") > 0;
        let (bytes, shrunk) = shrunk("n: 1..=10\na[n]: 0..=10^9", "5\n12 5 9 777 777\n", nim);
        assert_eq!(bytes, "2\n1 1\n");
        assert!(shrunk.minimal);
    }

    #[test]
    fn tokens_follow_removed_vertices() {
        let text = FORMATS[3];
        let bytes = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n";
        // The input fails if there is a path of two edges from a token.
        let fails = |i: &Instance| {
            let (x, y) = (i.ints("x").unwrap(), i.ints("y").unwrap());
            let next = |v: i64| x.iter().zip(y).filter(move |(u, _)| **u == v).map(|(_, w)| *w);
            i.ints("t").unwrap().iter().any(|t| next(*t).any(|v| next(v).next().is_some()))
        };
        let (bytes, shrunk) = shrunk(text, bytes, fails);
        assert!(bytes.starts_with("3 2 1\n"), "{bytes}");
        assert!(shrunk.minimal);
    }

    #[test]
    fn a_tree_is_contracted() {
        let text = "n: 1..=300\nw[n]: 0..=9\nrepeat n-1: u: 1..=n; v: 1..=n\nwhere tree(u, v)";
        let bytes = "7\n0 0 5 0 0 7 0\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n";
        // The input fails if the sum of the weights is at least 12, for which the vertices of weights 5 and 7 suffice.
        let (bytes, shrunk) = shrunk(text, bytes, |i| sum(i, "w") >= 12);
        assert!(shrunk.minimal);
        assert_eq!(bytes, "2\n5 7\n1 2\n");
    }

    #[test]
    fn rows_lists_in_rows_and_words() {
        let text = "t: 1..=9\nrepeat t: n: 0..=9; s: word a-z 1..=9 | x[n]: 0..=99\nwhere sum(n) <= 20";
        let bytes = "3\n2 abc\n5 6\n3 hello\n1 50 2\n0 z\n\n";
        let fails = |i: &Instance| i.int_rows("x").unwrap().iter().any(|row| row.iter().sum::<i64>() >= 40);
        assert_eq!(shrunk(text, bytes, fails).0, "1\n1 a\n40\n");
        let (bytes, _) = shrunk(
            text,
            bytes,
            |i| matches!(i.value("s"), Some(super::super::Value::Words(w)) if w.iter().any(|w| w.contains("ll"))),
        );
        assert_eq!(bytes, "1\n0 ll\n\n");
    }

    #[test]
    fn permutations_and_dependent_values_stay_valid() {
        let text = "n: 1..=9; m: n*2; k: 0..=n\np[n]: 1..=n\nwhere permutation(p)\nwhere k < m";
        let inversion = |i: &Instance| i.ints("p").unwrap().windows(2).any(|pair| pair[0] > pair[1]);
        assert_eq!(shrunk(text, "5 10 3\n3 1 5 4 2\n", inversion).0, "2 4 0\n2 1\n");
    }

    #[test]
    fn result_is_not_minimal_when_trials_run_out() {
        let description = describe("n: 1..=10\na[n]: 0..=1000");
        let instance = description.read(b"5\n7 900 3 44 5\n", None).unwrap();
        let shrunk = description.shrink_within(3, &instance, &mut |i| sum(i, "a") > 500);
        assert!(!shrunk.minimal && shrunk.trials == 3);
        let mut left = 5;
        let shrunk = description.shrink_while(1000, &instance, &mut |i| {
            left -= 1;
            (left > 0).then(|| sum(i, "a") > 500)
        });
        assert!(!shrunk.minimal && shrunk.trials == 4);
        let shrunk = description.shrink_within(1000, &instance, &mut |_| false);
        assert!(shrunk.minimal && shrunk.steps == 0 && shrunk.instance == instance);
    }

    #[test]
    fn shrunk_inputs_stay_valid_and_never_grow() {
        for (number, text) in FORMATS.iter().enumerate() {
            let description = describe(text);
            let narrow = indexmap::IndexMap::from([("n".to_owned(), super::super::RawValue::Text("2..=6".to_owned()))]);
            let small = description.narrow(&narrow).unwrap_or_else(|_| description.clone());
            for seed in 0..3_u64 {
                let mut rng = Rng::from_digest(&Digest::of(&[number as u8, seed as u8]));
                let Ok(instance) = small.generate(&mut rng) else { continue };
                if instance.size() > 2000 {
                    continue;
                }
                // Whether an input fails depends on the hash of its bytes, which is an arbitrary rule.
                let hash = |i: &Instance| Digest::of(&i.to_bytes(&description)).bytes()[0];
                let limit = hash(&instance);
                let shrunk = description.shrink_within(300, &instance, &mut |candidate| {
                    assert_eq!(description.validate(candidate.to_bytes(&description).as_slice(), None), Ok(()));
                    hash(candidate) <= limit
                });
                assert!(shrunk.instance.size() <= instance.size(), "{text}");
            }
        }
    }
}
