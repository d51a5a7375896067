//! Creates the input of a test.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex};

use crate::input::{Description, Instance, Rng, Role};
use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::problem::Recipe;
use crate::runner::{AUTHOR_LIMITS, BuiltProgram, Host, ProgramRunner};

use super::generator::seed_of_test;
use super::pool::{Tools, lock};
use super::problem::StressProblem;
use super::schedule::{How, Schedule, count_at};

/// Maximum number of attempts, with different ranges, to create a valid input.
const TRIES: usize = 4;

/// In small random inputs, the maximum amount by which a count, such as the length of a list, exceeds its minimum.
const FEW: u64 = 9;
/// In small random inputs, the possible maximum distances of values from 0, or from the allowed value nearest to 0 if 0
/// is not allowed. One of these distances is chosen for each input.
const REACHES: [u64; 8] = [1, 2, 3, 4, 6, 9, 20, 1000];
/// If all values of an input are chosen near the maximum, the largest distance from the maximum is a power of two with
/// at most this many bits.
const NEAR_BITS: u64 = 8;

/// The data from which the inputs of tests are created.
pub(super) struct Making<'a> {
    host: &'a Host,
    problem: Arc<StressProblem>,
    seed: u64,
    /// The generators that have been built, by the index of their test group.
    generators: Mutex<HashMap<usize, BuiltProgram>>,
}

impl<'a> Making<'a> {
    pub(super) fn new(host: &'a Host, problem: Arc<StressProblem>, seed: u64) -> Making<'a> {
        Making { host, problem, seed, generators: Mutex::default() }
    }

    /// Creates the input of a test by the method `how`. Returns `None` if all attempts fail.
    pub(super) fn make(
        &self,
        schedule: &Schedule,
        tools: &mut Tools,
        slot: usize,
        how: &How,
        rng: &mut Rng,
    ) -> Result<Option<Vec<u8>>, Failure> {
        match how {
            How::Small(place) => return Ok(schedule.smallest().get(*place).cloned()),
            How::Sample(index) => return Ok(self.problem.samples.get(*index).map(|sample| sample.input.clone())),
            How::Seed(number) => return self.seeded(tools, slot, *number),
            How::Few
            | How::Extreme(_)
            | How::Grown { .. }
            | How::Random { .. }
            | How::Mutant { .. }
            | How::Program { .. } => {}
        }
        let Some(input) = &self.problem.description else { return Ok(None) };
        let made = match how {
            How::Few => few(input, rng),
            How::Extreme(index) => extreme(input, *index, rng),
            How::Grown { step, steps } => grown(input, *step, *steps, rng),
            How::Random { group } => match self.problem.groups.get(*group).map(|group| &group.recipe) {
                Some(Recipe::Random { description, .. }) => {
                    description.generate(rng).ok().map(|instance| instance.to_bytes(input))
                }
                _ => None,
            },
            How::Mutant { cases } => self.mutant(input, cases, rng)?,
            How::Program { group, number } => self.generated(tools, slot, *group, *number, rng)?,
            How::Small(_) | How::Sample(_) | How::Seed(_) => None,
        };
        Ok(made.filter(|bytes| input.validate(&bytes[..], None).is_ok()))
    }

    /// Returns the output of the user's generator for its test with this number; `None` if the user specified none.
    ///
    /// # Errors
    /// Fails if the generator fails, if its output does not match the description of the problem, or if the judge
    /// itself fails.
    pub(super) fn seeded(&self, tools: &mut Tools, slot: usize, number: u64) -> Result<Option<Vec<u8>>, Failure> {
        let Some(generator) = &self.problem.generator else { return Ok(None) };
        let runner = match &mut tools.seeded {
            Some(runner) => runner,
            free => free.insert(generator.open(self.host, slot)?),
        };
        let seed = seed_of_test(self.seed, number);
        let input = generator.run(runner, seed)?;
        match self.problem.description.as_ref().map(|description| description.validate(&input[..], None)) {
            Some(Err(invalid)) => {
                let message = format!("`{}` printed an invalid input: {invalid}", generator.shown(seed));
                Err(Diagnostic::new(message).help("correct the generator or the description of the inputs").into())
            }
            Some(Ok(())) | None => Ok(Some(input)),
        }
    }

    /// Returns the input of a case with a few mutations, or `None` if there is no case or no valid mutation.
    fn mutant(&self, input: &Description, cases: &[usize], rng: &mut Rng) -> Result<Option<Vec<u8>>, Failure> {
        let Some(case) = rng.choose(cases).and_then(|at| self.problem.cases.get(*at)) else { return Ok(None) };
        let bytes = self.host.store().get(&case.input.digest)?;
        let Ok(instance) = input.read(&bytes, None) else { return Ok(None) };
        Ok(changed(input, instance, rng).map(|instance| instance.to_bytes(input)))
    }

    /// Returns the output of a group's generator for the arguments of case `number` and a random seed, or `None` if the
    /// generator fails.
    fn generated(
        &self,
        tools: &mut Tools,
        slot: usize,
        group: usize,
        number: usize,
        rng: &mut Rng,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let Some(Recipe::Program { args, .. }) = self.problem.groups.get(group).map(|group| &group.recipe) else {
            return Ok(None);
        };
        let runner = match tools.generators.entry(group) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(ProgramRunner::new(self.host, &self.generator(group)?, slot)?),
        };
        let mut args: Vec<String> = args.iter().map(|parts| parts[number % parts.len()].clone()).collect();
        args.push(format!("seed={}", rng.bits()));
        let run = runner.run_with_args(&args, &AUTHOR_LIMITS)?;
        Ok(runner.classify(&run, &AUTHOR_LIMITS).is_none().then_some(run.stdout))
    }

    /// Returns the generator of a group, which is built once for all workers.
    fn generator(&self, group: usize) -> Result<BuiltProgram, Failure> {
        let mut built = lock(&self.generators);
        if let Some(program) = built.get(&group) {
            return Ok(program.clone());
        }
        let Some(Recipe::Program { file, .. }) = self.problem.groups.get(group).map(|group| &group.recipe) else {
            let name = self.problem.groups.get(group).map_or_else(|| group.to_string(), |group| group.name.clone());
            let message = format!("the group `{name}` of a generated test has no generator");
            return Err(Fault::new(FaultKind::Internal, message).into());
        };
        let name = file.display().to_string();
        let source = self.host.languages().load_author(file, None)?;
        let program = BuiltProgram::build_valid(self.host, &source, &name)?;
        built.insert(group, program.clone());
        Ok(program)
    }
}

/// Applies 1, 2, 4 or 8 successive mutations. Smaller numbers are more likely. Returns `None` if a mutation finds no
/// valid input.
fn changed(input: &Description, instance: Instance, rng: &mut Rng) -> Option<Instance> {
    let times = 1 << rng.below(4).min(rng.below(4));
    (0..times).try_fold(instance, |instance, _| input.mutate(&instance, rng))
}

/// Returns a random input with few and mostly small values, or `None` if no valid input is found.
fn few(input: &Description, rng: &mut Rng) -> Option<Vec<u8>> {
    (0..TRIES).find_map(|_| {
        let most = 1 + rng.below(FEW);
        let reach = rng.choose(&REACHES).copied().unwrap_or(1);
        let scaled = input.scaled(&mut |role, (lo, hi)| match role {
            Role::Count => (lo, lo.saturating_add_unsigned(most)),
            Role::Value => {
                let nought = 0.clamp(lo, hi);
                (nought.saturating_sub_unsigned(reach), nought.saturating_add_unsigned(reach))
            }
        });
        Some(scaled.generate(rng).ok()?.to_bytes(input))
    })
}

/// Returns an input with the largest counts, or `None` if no valid input is found. All values are as large as possible
/// (`index` 0 and 1), as small as possible (2 and 3), or as close to 0 as possible (4 and above). If `index` is odd,
/// values may differ from these extremes by up to 2.
fn extreme(input: &Description, index: u64, rng: &mut Rng) -> Option<Vec<u8>> {
    let width = if index.is_multiple_of(2) { 0 } else { 2 };
    let scaled = input.scaled(&mut |role, (lo, hi)| match (role, index / 2) {
        (Role::Count, _) => (hi, hi),
        (Role::Value, 0) => (hi.saturating_sub_unsigned(width), hi),
        (Role::Value, 1) => (lo, lo.saturating_add_unsigned(width)),
        (Role::Value, _) => {
            let nought = 0.clamp(lo, hi);
            (nought.saturating_sub_unsigned(width), nought.saturating_add_unsigned(width))
        }
    });
    Some(scaled.generate(rng).ok()?.to_bytes(input))
}

/// Returns a random input whose counts are limited by step `step` of `steps`, and whose values may have any size.
/// Returns `None` if no valid input is found.
fn grown(input: &Description, step: u64, steps: u64, rng: &mut Rng) -> Option<Vec<u8>> {
    (0..TRIES).find_map(|_| {
        let exact = rng.once_in(2);
        let manner = rng.below(5);
        let together = 1 << rng.below(NEAR_BITS);
        let scaled = input.scaled(&mut |role, (lo, hi)| match role {
            Role::Count => {
                // Some counts are as large as this step allows, and others may be smaller.
                let step = if rng.once_in(3) { rng.below(step + 1) } else { step };
                let most = count_at((lo, hi), step, steps);
                (if exact { most } else { lo }, most)
            }
            Role::Value => values(manner, together, (lo, hi), rng),
        });
        let instance = scaled.generate(rng).ok()?;
        let instance = if rng.once_in(4) { changed(input, instance, rng)? } else { instance };
        Some(instance.to_bytes(input))
    })
}

/// Returns a range for values, which `manner` selects: the whole range, values near 0, values with at most a random
/// number of bits, values near the maximum, or values within the distance `together` of the maximum. This distance is
/// the same for all values of an input, since quotients and products of large values are nearly equal only if all
/// values are near the maximum.
fn values(manner: u64, together: u64, (lo, hi): (i64, i64), rng: &mut Rng) -> (i64, i64) {
    let nought = 0.clamp(lo, hi);
    let width = hi.abs_diff(nought).max(lo.abs_diff(nought));
    let bits = u64::from(u64::BITS - width.leading_zeros());
    let reach = match manner {
        0 => return (lo, hi),
        1 => rng.below(4),
        2 => (1_u64 << rng.below(bits + 1).min(63)) - rng.below(2),
        3 => return (hi.saturating_sub_unsigned(1 << rng.below(bits + 1).min(62)), hi),
        _ => return (hi.saturating_sub_unsigned(together), hi),
    };
    (nought.saturating_sub_unsigned(reach), nought.saturating_add_unsigned(reach))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Digest;

    #[test]
    fn all_values_are_near_their_maximum_together() {
        let most = 1_000_000_000;
        let text = format!("a: 1..={most}, b: 1..={most}, c: 1..={most}, d: 1..={most}");
        let input = Description::parse_one_line("--input-spec", &text).unwrap();
        let near = (0..400_u64).filter(|number| {
            let mut rng = Rng::from_digest(&Digest::of(&number.to_le_bytes()));
            let bytes = grown(&input, 0, 1, &mut rng).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            text.split_whitespace().all(|value| value.parse::<i64>().unwrap() >= most - (1 << NEAR_BITS))
        });
        assert!(near.count() > 40);
    }
}
