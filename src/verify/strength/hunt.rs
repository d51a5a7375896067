//! Looking for inputs that would kill the mutants that no test kills.
//!
//! One pool of inputs serves all survivors: everything there is within small bounds, random inputs within growing ones,
//! what the random groups would make with other seeds, and neighbours of the small tests.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use crate::data::{Case, Store, in_parallel};
use crate::input::{Description, Instance, RawValue, Rng};
use crate::model::{Digest, Failure, Limits, Verdict};
use crate::problem::{Problem, Recipe};
use crate::run::{Arena, Stdin};

use super::field::Field;

/// Each number is kept to so many values above its least, in turn.
const SPANS: [i128; 9] = [1, 2, 3, 5, 8, 16, 40, 130, 1000];
/// A description with so many inputs is walked through; of others some are drawn.
const WALKED: u64 = 600;
/// How many are drawn for each span, and for each random group.
const DRAWN: usize = 60;
/// Neighbours of a test.
const NEIGHBOURS: usize = 4;
/// Only tests of so few bytes have neighbours in the pool.
const SMALL: u64 = 2 << 10;
/// The most bytes of an input in the pool.
const LARGEST: usize = 1 << 20;

/// What the hunt for one survivor gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hunt {
    /// This input kills it.
    Found {
        /// The input.
        input: Vec<u8>,
        /// How.
        verdict: Verdict,
    },
    /// None of so many did.
    Nothing {
        /// How many were tried.
        tried: usize,
    },
}

/// Inputs that are no tests, the smallest first. The same for the same problem and tests, always.
pub(super) fn pool(problem: &Problem, cases: &[Case], store: &Store) -> Vec<Vec<u8>> {
    let mut pool = Pool { seen: cases.iter().map(|case| case.input.digest).collect(), inputs: Vec::new() };
    let mut rng = Rng::from_digest(&Digest::of(problem.id.as_str().as_bytes()));
    for span in SPANS {
        pool.description(&within(&problem.input, span), &mut rng);
    }
    for group in &problem.groups {
        if let Recipe::Random { description, .. } = &group.recipe {
            pool.description(description, &mut rng);
        }
    }
    for case in cases.iter().filter(|case| case.input.size <= SMALL) {
        let Ok(bytes) = store.get(&case.input.digest) else { continue };
        let Ok(instance) = problem.input.read(&bytes[..], None) else { continue };
        for _ in 0..NEIGHBOURS {
            if let Some(neighbour) = problem.input.mutate(&instance, &mut rng) {
                pool.add(&problem.input, &neighbour);
            }
        }
    }
    pool.inputs.sort_by_key(Vec::len);
    pool.inputs
}

struct Pool {
    seen: HashSet<Digest>,
    inputs: Vec<Vec<u8>>,
}

impl Pool {
    fn description(&mut self, description: &Description, rng: &mut Rng) {
        if description.count_up_to(WALKED).is_some() {
            description.enumerate().for_each(|instance| self.add(description, &instance));
            return;
        }
        // What can't be drawn once is not likely to be drawn later.
        let drawn = (0..DRAWN).map_while(|_| description.generate(rng).ok());
        drawn.for_each(|instance| self.add(description, &instance));
    }

    fn add(&mut self, description: &Description, instance: &Instance) {
        let mut bytes = Vec::new();
        description.write(instance, &mut bytes);
        if bytes.len() <= LARGEST && self.seen.insert(Digest::of(&bytes)) {
            self.inputs.push(bytes);
        }
    }
}

/// The description with all its numbers kept near to their least values, as far as it can be narrowed.
fn within(whole: &Description, span: i128) -> Description {
    let names: Vec<String> = whole.names().map(str::to_owned).collect();
    names.iter().fold(whole.clone(), |description, name| {
        let Some((least, greatest)) = description.span(name) else { return description };
        let text = format!("{least}..={}", greatest.min(least + span));
        let range = IndexMap::from([(name.clone(), RawValue::Text(text))]);
        description.narrow(&range).unwrap_or(description)
    })
}

/// Runs survivors on the pool until each is killed, the pool is empty or the time is over.
///
/// # Errors
/// Our own failure.
pub(super) fn hunt(
    arena: &Arena,
    field: &Field<'_>,
    survivors: &[u32],
    pool: &[Vec<u8>],
    limits: &Limits,
    budget: Duration,
) -> Result<Vec<Hunt>, Failure> {
    let end = Instant::now() + budget;
    // Half of the time may go into the answers.
    let half = Instant::now() + budget / 2;
    let hire = |slot: usize| field.hire(arena, slot);
    let (answers, ended) = in_parallel(
        pool,
        arena.jobs(),
        hire,
        |trials, input| {
            if Instant::now() > half {
                return Ok(None);
            }
            let tried = field.run(trials, 0, limits, Stdin::Bytes(input))?;
            Ok(tried.verdict.is_none().then_some(tried.output))
        },
        |_| {},
    );
    ended?;
    let known: Vec<(&Vec<u8>, Vec<u8>)> =
        pool.iter().zip(answers.into_iter().map(Option::flatten)).filter_map(|(i, a)| Some((i, a?))).collect();
    let (hunts, ended) = in_parallel(
        survivors,
        arena.jobs(),
        hire,
        |trials, id| {
            // The time that is left is shared by those that are left.
            let place = survivors.iter().position(|other| other == id).unwrap_or(0);
            let left = survivors.len().saturating_sub(place).div_ceil(arena.jobs()).max(1);
            let now = Instant::now();
            let until = now + end.saturating_duration_since(now) / u32::try_from(left).unwrap_or(u32::MAX);
            for (tried, (input, answer)) in known.iter().enumerate() {
                if Instant::now() > until {
                    return Ok(Hunt::Nothing { tried });
                }
                let run = field.run(trials, *id, limits, Stdin::Bytes(input))?;
                if let Some(verdict) = run.verdict.or_else(|| field.differs(answer, &run.output)) {
                    return Ok(Hunt::Found { input: (*input).clone(), verdict });
                }
            }
            Ok(Hunt::Nothing { tried: known.len() })
        },
        |_| {},
    );
    ended?;
    Ok(hunts.into_iter().flatten().collect())
}
