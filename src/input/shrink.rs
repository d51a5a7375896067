//! The shrinker: a smaller input of the same description that still does what the first one did.
//!
//! It takes away what can be taken away (rows, list members, vertices with their edges), largest pieces first, and then
//! brings values towards nought. Whatever it tries is valid, and is kept if it still fails.

use std::collections::HashSet;

use super::description::{Description, Graph};
use super::edit::{Family, numbers_mut, remove_in_row};
use super::instance::{Cell, Column, Instance};
use super::layout::{Kind, Shape};
use super::simpler::{simpler_words, simplest, steps};
use crate::model::Digest;

/// Trials, unless the caller says otherwise.
const TRIALS: u64 = 20_000;
/// Values looked at, so that a large input of which nothing valid is left to try comes to an end.
const WORK: u64 = 1 << 27;
/// Vertices are tried one by one only where there are not more of them.
const VERTICES: i128 = 1 << 20;
/// At first pieces are not made smaller than one in so many, so that what is large becomes small before single places are
/// tried, of which there are many.
const COARSE: usize = 16;
/// Pairs of list members are tried only in lists this short.
const PAIRS: usize = 16;

/// What came of shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The smallest failing input found.
    pub instance: Instance,
    /// Whether nothing smaller was left to try: no row, member, pair of members (in short lists), edge or vertex can be
    /// taken away and no value brought nearer to nought, alone, so that the input stays valid and still fails.
    pub minimal: bool,
    /// How many times it became smaller.
    pub steps: u64,
    /// How many inputs were tried.
    pub trials: u64,
}

impl Description {
    /// Makes a failing input smaller as long as it still fails.
    ///
    /// `still_fails` is asked of valid inputs only.
    pub fn shrink(&self, instance: &Instance, still_fails: &mut dyn FnMut(&Instance) -> bool) -> Shrunk {
        self.shrink_within(TRIALS, instance, still_fails)
    }

    /// The same with at most `trials` questions; when they are used up, the result is not said to be minimal.
    pub fn shrink_within(
        &self,
        trials: u64,
        instance: &Instance,
        still_fails: &mut dyn FnMut(&Instance) -> bool,
    ) -> Shrunk {
        self.shrink_while(trials, instance, &mut |candidate| Some(still_fails(candidate)))
    }

    /// The same with a question that may be left unanswered: at the first `None` it stops, as if the trials were used
    /// up. For questions that cost time.
    pub fn shrink_while(
        &self,
        trials: u64,
        instance: &Instance,
        still_fails: &mut dyn FnMut(&Instance) -> Option<bool>,
    ) -> Shrunk {
        let mut shrinker = Shrinker {
            d: self,
            current: instance.clone(),
            still_fails,
            left: trials,
            work: 0,
            cut: false,
            skipped: false,
            coarse: false,
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

struct Shrinker<'a> {
    d: &'a Description,
    current: Instance,
    still_fails: &'a mut dyn FnMut(&Instance) -> Option<bool>,
    left: u64,
    work: u64,
    /// Whether something was not tried because no trial was left.
    cut: bool,
    /// Whether something was left out in this round because there is too much of it.
    skipped: bool,
    /// Whether only large pieces are tried.
    coarse: bool,
    /// What was tried and did not fail: asking again costs a run, and one round tries much that the last one did.
    passed: HashSet<Digest>,
    steps: u64,
    trials: u64,
}

impl Shrinker<'_> {
    /// Everything once, large pieces first. A round without a step proves that the input is minimal.
    fn round(&mut self) {
        self.coarse = true;
        self.pass();
        self.coarse = false;
        self.pass();
        for family in self.d.families() {
            self.pairs(&family);
        }
    }

    /// Every kind of change that touches one thing or many at once.
    fn pass(&mut self) {
        for family in self.d.families() {
            self.members(&family);
        }
        for graph in self.d.graphs.clone() {
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

    /// The smallest piece of so many places that is tried now.
    fn least_piece(&self, length: usize) -> usize {
        if self.coarse { length.div_ceil(COARSE) } else { 1 }
    }

    /// Keeps the change if it makes a valid input that still fails.
    fn attempt(&mut self, change: impl FnOnce(&Description, &mut Vec<Column>) -> Option<()>) -> bool {
        if self.cut {
            return false;
        }
        let mut columns = self.current.columns.clone();
        if change(self.d, &mut columns).is_none() || columns == self.current.columns {
            return false;
        }
        self.d.bring_within(&mut columns);
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

    /// Takes away pieces of `0..length()`, halves first, single places last.
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
        self.pieces(length, |shrinker, places| {
            shrinker.attempt(|d, columns| {
                d.remove(columns, family, places);
                Some(())
            })
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

    /// Two members at once: in games like Nim what one adds the other takes away, so that neither can go alone.
    fn pairs(&mut self, family: &Family) {
        let mut again = true;
        while again && !self.cut {
            again = false;
            let length = self.d.family_len(family, &self.current.columns);
            if length > PAIRS {
                return;
            }
            'all: for (i, j) in (0..length).flat_map(|j| (0..j).map(move |i| (i, j))) {
                again = self.attempt(|d, columns| {
                    d.remove(columns, family, j..j + 1);
                    d.remove(columns, family, i..i + 1);
                    Some(())
                });
                if again {
                    break 'all;
                }
                for var in &family.lists {
                    self.common_bits(*var, i, j);
                }
            }
        }
    }

    /// Takes away bits that two numbers share, which keeps their xor.
    fn common_bits(&mut self, var: usize, i: usize, j: usize) {
        if !self.d.layout.vars[var].is_int() {
            return;
        }
        for bit in (0..63).rev().map(|bit| 1_i64 << bit) {
            let cells = self.current.columns[var].numbers();
            let (Some(a), Some(b)) = (cells.get(i).copied(), cells.get(j).copied()) else { return };
            if a.min(b) > 0 && a & b & bit != 0 {
                self.attempt(|_, columns| {
                    let cells = numbers_mut(&mut columns[var]);
                    (cells[i], cells[j]) = (a - bit, b - bit);
                    Some(())
                });
            }
        }
    }

    fn vertices(&mut self, graph: Graph) {
        if self.d.layout.vars[graph.from].shape() != Shape::List {
            return;
        }
        let Some((least, greatest)) = self.d.bounds_of(graph.from, 0, &self.current.columns) else { return };
        if i128::from(greatest) - i128::from(least) >= VERTICES {
            self.skipped = true;
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

    /// Joins a vertex to one of its neighbours, which keeps what hangs together together.
    fn contract(&mut self, graph: Graph, vertex: i64) -> bool {
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
        neighbours.into_iter().any(|neighbour| {
            self.attempt(|d, columns| d.remove_vertices(columns, graph, vertex..vertex + 1, Some(neighbour)))
        })
    }

    /// Takes away a bit from all numbers of a list: where they hang together by their xor, none of them can change alone.
    fn bits_together(&mut self, var: usize) {
        let length = self.current.columns[var].len();
        // The numbers of a permutation are ranked again, which might turn it round and round.
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

    /// Many values of a list at once become as simple as can be.
    fn values_together(&mut self, var: usize) {
        let length = |shrinker: &Shrinker<'_>| shrinker.current.columns[var].numbers().len();
        if length(self) < 2 {
            return;
        }
        let mut piece = length(self);
        let least = self.least_piece(piece).max(2);
        while piece >= least && !self.cut {
            for start in (0..length(self)).step_by(piece) {
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

    fn values(&mut self, var: usize) {
        let mut at = 0;
        while at < self.current.columns[var].len() && !self.cut {
            self.simpler(var, at);
            at += 1;
        }
    }

    /// Makes one value simpler, as far as that can be.
    fn simpler(&mut self, var: usize, at: usize) {
        let d = self.d;
        let kind = &d.layout.vars[var].kind;
        let row = self.current.columns[var].row_of(at);
        let Some(bounds) = d.bounds_of(var, row, &self.current.columns) else { return };
        match (kind, self.current.columns[var].cell(at)) {
            (Kind::Word { letters, .. }, Some(Cell::Text(mut word))) => {
                let mut shorter = |word: &str| {
                    let words = simpler_words(word, letters, bounds);
                    words.into_iter().find(|word| self.put(var, at, Cell::Text(word.clone())))
                };
                while let Some(simpler) = shorter(&word) {
                    word = simpler;
                }
            }
            (Kind::Choice { allowed, .. }, Some(Cell::Number(now))) => {
                let mut places = allowed.iter().filter_map(|place| i64::try_from(*place).ok());
                places.any(|place| place < now && self.put(var, at, Cell::Number(place)));
            }
            (_, Some(Cell::Number(now))) => self.nearer(var, at, now, simplest(kind, bounds)),
            _ => {}
        }
    }

    /// Brings a number nearer to the simplest one: by large steps first, and by ever larger ones again while they go. Who
    /// fails by a remainder can only go by some steps, which would be very many of the same size.
    fn nearer(&mut self, var: usize, at: usize, mut now: i64, simple: i64) {
        for mut step in steps(now, simple) {
            while step.unsigned_abs() <= now.abs_diff(simple) && self.put(var, at, Cell::Number(now - step)) {
                now -= step;
                step = step.saturating_mul(2);
            }
        }
    }

    /// Whether the input still fails with this value at a place; then it stays there.
    fn put(&mut self, var: usize, at: usize, cell: Cell) -> bool {
        self.attempt(|_, columns| {
            columns[var].set(at, cell);
            Some(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{FORMATS, describe};
    use super::super::{Instance, Rng};
    use super::*;
    use crate::model::Digest;

    fn shrunk(text: &str, bytes: &str, fails: impl Fn(&Instance) -> bool) -> (String, Shrunk) {
        let description = describe(text);
        let instance = description.read(bytes.as_bytes(), None).unwrap();
        assert!(fails(&instance), "it must fail at first");
        let shrunk = description.shrink(&instance, &mut |candidate| {
            assert_eq!(description.validate(candidate.to_bytes(&description).as_slice(), None), Ok(()));
            fails(candidate)
        });
        assert!(fails(&shrunk.instance));
        (String::from_utf8(shrunk.instance.to_bytes(&description)).unwrap(), shrunk)
    }

    fn sum(instance: &Instance, name: &str) -> i64 {
        instance.ints(name).unwrap().iter().sum()
    }

    #[test]
    fn a_list_loses_what_does_not_matter() {
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
    fn a_number_far_away_comes_near_in_few_trials() {
        let description = describe("a: 0..=9223372036854775807");
        let instance = description.read(b"9223372036854775807\n", None).unwrap();
        let least = 123_456_789_012_345;
        let shrunk = description.shrink(&instance, &mut |i| i.int("a") >= Some(least));
        assert_eq!(shrunk.instance.int("a"), Some(least));
        assert!(shrunk.minimal && shrunk.trials < 200, "{}", shrunk.trials);
    }

    #[test]
    fn a_number_that_fails_by_a_remainder_comes_near_too() {
        let description = describe("a: 0..=9223372036854775807");
        let instance = description.read(b"337911614314751241\n", None).unwrap();
        let least = 1 << 53;
        let fails = |i: &Instance| i.int("a").is_some_and(|a| a >= least && a % 5 == 1);
        let shrunk = description.shrink(&instance, &mut |i| fails(i));
        assert!(fails(&shrunk.instance) && shrunk.instance.int("a") < Some(least + (1 << 40)), "{shrunk:?}");
        assert!(shrunk.minimal && shrunk.trials < 1000, "{}", shrunk.trials);
    }

    #[test]
    fn nothing_is_asked_twice() {
        let description = describe("n: 1..=30\na[n]: 0..=9");
        let instance = description.read(format!("30\n{}\n", ["3"; 30].join(" ")).as_bytes(), None).unwrap();
        let mut asked = std::collections::BTreeSet::new();
        let shrunk = description.shrink(&instance, &mut |candidate| {
            assert!(asked.insert(candidate.to_bytes(&description)), "asked again");
            candidate.int("n") >= Some(20)
        });
        assert!(shrunk.minimal);
    }

    #[test]
    fn large_pieces_are_tried_in_every_way_before_single_places() {
        let description = describe("n: 1..=500\na[n]: 0..=1000");
        let bytes = format!("200\n{}\n", ["900"; 200].join(" "));
        let instance = description.read(bytes.as_bytes(), None).unwrap();
        let shrunk = description.shrink_within(8, &instance, &mut |i| i.int("n") == Some(200));
        assert_eq!(sum(&shrunk.instance, "a"), 0);
        assert!(!shrunk.minimal);
    }

    #[test]
    fn many_numbers_that_hang_together_by_their_xor_lose_bits_together() {
        let xor = |i: &Instance| i.ints("a").unwrap().iter().fold(0, |x, a| x ^ a);
        let mut all: Vec<i64> = (1..=40).map(|i| i * i * 77 % 1021).collect();
        all.push(all.iter().fold(256, |x, a| x ^ a));
        let words: Vec<String> = all.iter().map(ToString::to_string).collect();
        let text = format!("41\n{}\n", words.join(" "));
        let (bytes, _) = shrunk("n: 1..=100\na[n]: 0..=1023", &text, |i| xor(i) & 255 == 0 && xor(i) != 0);
        assert_eq!(bytes, "1\n256\n");
    }

    #[test]
    fn a_nim_sum_of_nought_is_kept_while_the_heaps_become_few_and_small() {
        let nim = |i: &Instance| i.ints("a").unwrap().iter().fold(0, |x, a| x ^ a) == 0 && sum(i, "a") > 0;
        let (bytes, shrunk) = shrunk("n: 1..=10\na[n]: 0..=10^9", "5\n12 5 9 777 777\n", nim);
        assert_eq!(bytes, "2\n1 1\n");
        assert!(shrunk.minimal);
    }

    #[test]
    fn a_graph_loses_vertices_and_its_tokens_follow() {
        let text = FORMATS[3];
        let bytes = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n";
        // A way of two edges from a token on.
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
        // The weights of all vertices together.
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
    fn permutations_stay_permutations_and_what_follows_from_others_follows() {
        let text = "n: 1..=9; m: n*2; k: 0..=n\np[n]: 1..=n\nwhere permutation(p)\nwhere k < m";
        let inversion = |i: &Instance| i.ints("p").unwrap().windows(2).any(|pair| pair[0] > pair[1]);
        assert_eq!(shrunk(text, "5 10 3\n3 1 5 4 2\n", inversion).0, "2 4 0\n2 1\n");
    }

    #[test]
    fn when_trials_run_out_it_does_not_claim_to_be_minimal() {
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
    fn whatever_is_shrunk_stays_valid_and_becomes_no_larger() {
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
                // Fails by the hash of its bytes: a rule without any sense in it.
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
