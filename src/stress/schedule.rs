//! The order of the tests of a search. It depends only on the problem, the sizes of its cases and the seed.
//!
//! There are several classes of tests: the smallest inputs in order, small random inputs, extreme inputs, random inputs
//! of growing size, inputs of each test group of the problem, and mutants of its cases. Samples come before all
//! classes. A generator that the user specifies replaces all classes. The next test is taken from the class with the
//! lowest cost so far, where the cost of a test is estimated from its size. As a result each class takes about the same
//! time, and there are more small tests than large tests. Every class is used early, so that a slow program is run on
//! large inputs before the time is over.

use std::sync::Arc;

use crate::data::Case;
use crate::input::{Description, Role};
use crate::model::Digest;
use crate::problem::{Group, Recipe};

use super::enumerate_small::smallest;
use super::problem::StressProblem;

/// Cost of the smallest test, which is the cost of starting a few processes.
const STARTING: u64 = 2;
/// Number of values that can be generated, read twice and compared at a cost of one unit.
const VALUES_A_UNIT: u64 = 2_000;
/// The number of bytes of a case that count as one value.
const BYTES_A_VALUE: u64 = 6;
/// Number of extreme inputs. They have the largest counts, and all their values are as large as possible, as small as
/// possible or as close to 0 as possible, or near these extremes.
pub(super) const EXTREMES: u64 = 6;
/// Maximum cost that is counted for the first two tests of a class, and for extreme inputs.
const EARLY: u64 = 15;
/// The weight of the two classes of small inputs, which reveal most errors and take little time.
const SMALL: u64 = 4;
/// Total cost, divided by the weight, of the smallest inputs that are tried at the start of a search before inputs of
/// any other class.
const ALONE: u64 = 10;
/// Factor by which costs are multiplied. It is divisible by all weights, so that dividing by a weight is exact.
const WHOLE: u64 = 12;
/// A class is left out of the search if its tests are estimated to have at least this many values.
const MOST_VALUES: u64 = 20_000_000;
/// Maximum number of steps in which the number of values grows to its maximum.
const STEPS: u64 = 8;
/// The ranges of sizes in bytes by which cases are grouped for mutation.
const BANDS: [std::ops::Range<u64>; 3] = [0..1 << 11, 1 << 11..1 << 16, 1 << 16..1 << 25];

/// A test to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestRequest {
    /// The number of the test, from 0.
    pub(super) number: u64,
    /// The method by which the test is created.
    pub(super) how: How,
}

/// The method by which a test is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum How {
    /// The sample with this index.
    Sample(usize),
    /// The output of the user's generator for its test with this number.
    Seed(u64),
    /// The input with this index in [`Schedule::smallest`].
    Small(usize),
    /// A random input with few and mostly small values.
    Few,
    /// The extreme input with this index, which is less than [`EXTREMES`].
    Extreme(u64),
    /// A random input whose counts are limited by this step of `steps`. In the last step, the counts may be as large
    /// as the description allows.
    Grown { step: u64, steps: u64 },
    /// A random input that matches the description of a random test group.
    Random { group: usize },
    /// The output of a test group's generator for case `number`.
    Program { group: usize, number: usize },
    /// A mutant of one of the cases with these indices.
    Mutant { cases: Arc<[usize]> },
}

/// An iterator over the tests. The iterator is endless unless there are only samples or the problem has few inputs.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    classes: Vec<TestClass>,
    smallest: Arc<Vec<Vec<u8>>>,
    samples: u64,
    complete: bool,
    number: u64,
}

#[derive(Debug, Clone)]
struct TestClass {
    stream: TestStream,
    cost: u64,
    weight: u64,
    /// The sum of the costs of the tests of this class so far, multiplied by [`WHOLE`] and divided by the weight. A
    /// class with a positive initial value is used later.
    spent: u64,
    taken: u64,
}

#[derive(Debug, Clone)]
enum TestStream {
    Samples,
    Seeds,
    Smallest,
    Few,
    Extremes,
    Grown { step: u64, steps: u64 },
    Random { group: usize },
    Program { group: usize },
    Mutants { cases: Arc<[usize]> },
}

impl Schedule {
    pub(super) fn new(problem: &StressProblem) -> Schedule {
        // Samples have no cost, so their class is chosen until no sample is left.
        let mut classes = vec![class(TestStream::Samples, 0)];
        let (mut small, mut complete) = (Vec::new(), false);
        match (&problem.generator, &problem.description) {
            (Some(_), _) => classes.push(class(TestStream::Seeds, STARTING)),
            (None, None) => {}
            (None, Some(description)) => {
                (small, complete) = smallest(description);
                classes.push(TestClass { weight: SMALL, ..class(TestStream::Smallest, STARTING) });
                if !complete {
                    classes.extend(others(problem, description));
                }
            }
        }
        let samples = problem.samples.len() as u64;
        Schedule { classes, smallest: Arc::new(small), samples, complete, number: 0 }
    }

    /// Returns the smallest inputs, to which the index of [`How::Small`] refers.
    pub(super) fn smallest(&self) -> &[Vec<u8>] {
        &self.smallest
    }

    /// Returns whether the tests include all inputs of the problem.
    pub(super) fn complete(&self) -> bool {
        self.complete
    }
}

impl Iterator for Schedule {
    type Item = TestRequest;

    fn next(&mut self) -> Option<TestRequest> {
        let left = |class: &TestClass| match class.stream {
            TestStream::Smallest => (class.taken as usize) < self.smallest.len(),
            TestStream::Samples => class.taken < self.samples,
            TestStream::Extremes => class.taken < EXTREMES,
            _ => true,
        };
        let class = self.classes.iter_mut().filter(|class| left(class)).min_by_key(|class| class.spent)?;
        let taken = class.taken as usize;
        let how = match &class.stream {
            TestStream::Samples => How::Sample(taken),
            TestStream::Seeds => How::Seed(class.taken),
            TestStream::Smallest => How::Small(taken),
            TestStream::Few => How::Few,
            TestStream::Extremes => How::Extreme(class.taken),
            TestStream::Grown { step, steps } => How::Grown { step: *step, steps: *steps },
            TestStream::Random { group } => How::Random { group: *group },
            TestStream::Program { group } => How::Program { group: *group, number: taken },
            TestStream::Mutants { cases } => How::Mutant { cases: Arc::clone(cases) },
        };
        let early = class.taken < 2 || matches!(class.stream, TestStream::Extremes);
        let cost = if early { class.cost.min(EARLY) } else { class.cost };
        class.spent += cost * WHOLE / class.weight;
        class.taken += 1;
        let number = self.number;
        self.number += 1;
        Some(TestRequest { number, how })
    }
}

fn cost(values: u64) -> u64 {
    STARTING + values / VALUES_A_UNIT
}

fn class(stream: TestStream, cost: u64) -> TestClass {
    TestClass { stream, cost, weight: 1, spent: 0, taken: 0 }
}

/// Returns the classes other than the samples and the smallest inputs. The class of small random inputs comes first,
/// and the others follow in order of increasing cost.
fn others(problem: &StressProblem, description: &Description) -> Vec<TestClass> {
    let mut others = grown(description);
    // Extreme inputs cost as much as the largest random inputs.
    let largest = others.iter().map(|class| class.cost).max().unwrap_or(STARTING);
    others.push(class(TestStream::Extremes, largest));
    others.extend(recipes(&problem.groups, &problem.cases));
    others.extend(mutants(&problem.cases));
    others.retain(|class| class.cost < STARTING + MOST_VALUES / VALUES_A_UNIT);
    others.sort_by_key(|class| class.cost);
    others.insert(0, TestClass { weight: SMALL, ..class(TestStream::Few, STARTING) });
    for (class, rank) in others.iter_mut().zip(0..) {
        class.spent = (ALONE + rank) * WHOLE;
    }
    others
}

/// Returns one class for each step in which the size of random inputs grows.
fn grown(description: &Description) -> Vec<TestClass> {
    let mut widest = 0_u64;
    let _ = description.scaled(&mut |role, bounds| {
        if role == Role::Count {
            widest = widest.max(bounds.1.abs_diff(bounds.0));
        }
        bounds
    });
    let steps = u64::from(widest.checked_ilog2().map_or(0, |bits| bits / 2) + 1).min(STEPS);
    let values = |step| {
        let at = |lo, hi| count_at((lo, hi), step, steps);
        description.scaled(&mut |role, (lo, hi)| if role == Role::Count { (lo, at(lo, hi)) } else { (lo, hi) })
    };
    let size = |step| values(step).most_values();
    (0..steps).map(|step| class(TestStream::Grown { step, steps }, cost(size(step)))).collect()
}

/// Returns the maximum of a count at this step. At the last step the maximum is `hi`. At earlier steps it exceeds
/// `lo` by a power of two, where the exponents are evenly spaced.
pub(super) fn count_at((lo, hi): (i64, i64), step: u64, steps: u64) -> i64 {
    if step + 1 >= steps {
        return hi;
    }
    let width = hi.abs_diff(lo);
    // The last bits of a floating-point power may differ between machines, so the power is computed with integers.
    let bits = u64::from(u64::BITS - width.leading_zeros());
    let reach = (1_u64 << (bits * (step + 1) / steps).min(62)).min(width);
    lo.saturating_add_unsigned(reach)
}

/// Returns a class for each test group that generates random inputs or has a generator.
fn recipes(groups: &[Group], cases: &[Case]) -> Vec<TestClass> {
    let made = groups.iter().enumerate().filter_map(|(group, spec)| match &spec.recipe {
        Recipe::Given(_) | Recipe::Every { .. } => None,
        Recipe::Random { description, .. } => {
            Some(class(TestStream::Random { group }, cost(description.most_values().min(sizes(cases, group)))))
        }
        // Running a generator starts an additional process.
        Recipe::Program { .. } => {
            Some(class(TestStream::Program { group }, cost(sizes(cases, group).min(MOST_VALUES)) + STARTING / 2))
        }
    });
    made.collect()
}

/// Estimates the mean number of values in a case of a group from the sizes of the cases. Returns `u64::MAX` if the
/// group has no cases.
fn sizes(cases: &[Case], group: usize) -> u64 {
    let sizes: Vec<u64> = cases.iter().filter(|case| case.group == group).map(|case| case.input.size).collect();
    match sizes.len() as u64 {
        0 => u64::MAX,
        count => sizes.iter().sum::<u64>() / count / BYTES_A_VALUE,
    }
}

/// Returns one class for each of [`BANDS`] that contains cases.
fn mutants(cases: &[Case]) -> Vec<TestClass> {
    let band = |range: &std::ops::Range<u64>| {
        let sizes = || cases.iter().enumerate().filter(|(_, case)| range.contains(&case.input.size));
        let band: Arc<[usize]> = sizes().map(|(at, _)| at).collect();
        let total: u64 = sizes().map(|(_, case)| case.input.size).sum();
        let mean = total.checked_div(band.len() as u64)?;
        Some(class(TestStream::Mutants { cases: band }, cost(mean / BYTES_A_VALUE)))
    };
    BANDS.iter().filter_map(band).collect()
}

/// Returns the seed of a test. `seed` is the seed of the search.
pub(super) fn seed_of(salt: &str, seed: u64, number: u64) -> Digest {
    let parts = [salt.as_bytes(), &seed.to_le_bytes()[..], &number.to_le_bytes()[..]];
    Digest::of_parts([b"nimatron stress 1".as_slice()].into_iter().chain(parts))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::problem::StressSample;
    use super::*;
    use crate::data::Blob;
    use crate::model::CaseId;
    use crate::problem::Judging;

    const SPEC: &str = "name: Nim\ninput:\n  - n: 1..=100000\n  - a[n]: 0..=10^9\ntests:\n  sample:\n    - input: \"1\\n2\\n\"\n  random: { count: 4, with: { n: 3..=9 } }\n  large: { count: 2, with: { n: 100000 } }\n";

    fn problem(spec: &str) -> StressProblem {
        let problem = crate::problem::read("problem.yaml", spec, "nim".parse().unwrap(), Path::new(".")).unwrap();
        StressProblem::of(&problem, &cases())
    }

    fn cases() -> Vec<Case> {
        let case = |group: usize, size: u64| {
            let blob = Blob { digest: Digest::of(b""), size };
            Case { id: CaseId::named("x"), group, input: blob, answer: blob }
        };
        vec![case(0, 4), case(1, 60), case(2, 1 << 20)]
    }

    #[test]
    fn every_class_comes_early_and_small_tests_come_often() {
        let orders: Vec<How> = Schedule::new(&problem(SPEC)).take(2000).map(|order| order.how).collect();
        assert!(orders[..20].iter().all(|how| matches!(how, How::Small(_))));
        let first = |wanted: &dyn Fn(&How) -> bool| orders.iter().position(wanted).unwrap();
        for step in 0..8 {
            assert!(first(&|how| *how == How::Grown { step, steps: 8 }) < 200, "{step}");
        }
        assert!(first(&|how| *how == How::Random { group: 2 }) < 200);
        assert!(first(&|how| matches!(how, How::Mutant { cases } if cases[..] == [2])) < 200);
        let count = |wanted: &How| orders.iter().filter(|how| *how == wanted).count();
        assert!(count(&How::Random { group: 1 }) > 10 * count(&How::Random { group: 2 }));
        assert!(count(&How::Grown { step: 7, steps: 8 }) > 2);
        assert!(count(&How::Few) > 400);
        assert!((0..EXTREMES).all(|index| first(&|how| *how == How::Extreme(index)) < 1000));
    }

    #[test]
    fn samples_come_first_and_a_generator_replaces_all_else() {
        let sample = |name: &str| StressSample { name: name.to_owned(), input: Vec::new(), answer: None };
        let bare = StressProblem::bare("x".parse().unwrap(), Judging::default(), Vec::new());
        let mut problem = StressProblem { samples: vec![sample("1"), sample("2")], ..bare };
        let orders =
            |problem: &StressProblem| Schedule::new(problem).take(4).map(|order| order.how).collect::<Vec<_>>();
        assert_eq!(orders(&problem), [How::Sample(0), How::Sample(1)]);
        problem.description = Some(Description::parse_one_line("", "n: 1..=100; a[n]: 0..=9").unwrap());
        assert_eq!(orders(&problem), [How::Sample(0), How::Sample(1), How::Small(0), How::Small(1)]);
    }

    #[test]
    fn where_there_are_few_inputs_all_of_them_come_once() {
        let spec = SPEC.replace("100000", "2").replace("10^9", "9").replace("n: 3..=9", "n: 2");
        let schedule = Schedule::new(&problem(&spec));
        assert!(schedule.complete());
        let places: Vec<How> = schedule.map(|order| order.how).collect();
        assert_eq!(places, (0..110).map(How::Small).collect::<Vec<_>>());
    }

    #[test]
    fn counts_grow_to_the_end_of_their_range() {
        let ends: Vec<i64> = (0..8).map(|step| count_at((1, 100_000), step, 8)).collect();
        assert_eq!(ends, [5, 17, 65, 257, 1025, 4097, 16385, 100_000]);
        assert_eq!(count_at((3, 3), 0, 8), 3);
        assert_eq!(count_at((i64::MIN, i64::MAX), 7, 8), i64::MAX);
    }
}
