//! Compares the reference solution with the game's rules on the positions up to a bound, or on a sample of them.

mod bound;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::input::{Instance, Value};
use crate::model::{Digest, Failure, counted};
use crate::problem::{Answer, GameRules, Oracle, Problem, Unanswered};
use crate::runner::{AUTHOR_LIMITS, BuiltProgram, Host, PreparedProblem, ProgramRunner, reference};
use crate::sandbox::CellOutput;
use crate::workers::in_parallel;

use super::check_result::{Check, Status};
use super::result_cache::ResultCache;
use bound::{COUNTED, SearchBound};

/// Maximum number of positions that the search stores for each set of rules.
const BUDGET: usize = 500_000;

/// If a bound contains at least this multiple of the wanted number of positions, only an evenly spread sample is
/// compared.
const MANY: usize = 3;

/// Time after which a comparison stops. The remaining inputs are not compared.
const COMPARISON_TIMEOUT: Duration = Duration::from_secs(300);

/// Number of inputs compared between two checks of the elapsed time.
const ROUND: usize = 1_000;

/// Maximum number of inputs on which a worker runs the reference before it compares the answers.
const BATCH: usize = 16;

/// Result of comparing a reference with the rules of its game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Number of positions on which the reference was found to agree with the rules.
    pub positions: usize,
    /// The bound within which positions were compared, such as `n ≤ 4, a ≤ 9`; empty if every variable of the input has
    /// only one possible value.
    pub bound: String,
    /// Number of positions within the bound that were left out because they are too hard to search, as text; `None` if
    /// there are none.
    pub left: Option<String>,
    /// Sampling interval `n`: every `n`th position within the bound was compared. It is 1 if all positions were
    /// compared.
    pub one_in: usize,
    /// The number of positions that were compared using the Grundy values of their heaps, and the bound that contains
    /// them; `None` if Grundy values were not used. These comparisons rely on the Sprague–Grundy theorem.
    pub by_values: Option<(usize, String)>,
    /// Number of positions within the bound of `by_values` that were left out because they are too hard to search, as
    /// text; `None` if there are none.
    pub left_by_values: Option<String>,
    /// Whether all selected positions were compared.
    pub whole: bool,
    /// The first position, in the order of the input values, on which the reference and the rules differ, if any.
    pub disagreement: Option<Disagreement>,
}

/// A position on which the reference and the rules differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The text of the input.
    pub input: String,
    /// The answer according to the rules.
    pub expected: String,
    /// The explanation of the answer; empty if there is none.
    pub reason: String,
    /// The answer of the reference, or its output with a remark if the output does not match the description of the
    /// answer.
    pub found: String,
}

/// Compares the reference with the rules of its game on at least `wanted` positions, or on all positions if there are
/// fewer. Returns `None` if the problem is a package, has no game or is interactive.
///
/// A complete proof without disagreement is reused until the problem's files, the reference, its compiler or this
/// version of the judge changes.
///
/// # Errors
/// Fails if the reference can't be run or fails on an input, or if the judge itself fails.
pub(super) fn check(
    host: &Host,
    prepared: &PreparedProblem,
    cache: &ResultCache,
    wanted: usize,
) -> Result<Option<Check>, Failure> {
    let Some(problem) = prepared.problem() else { return Ok(None) };
    let Some(game) = &problem.game else { return Ok(None) };
    // The reference of an interactive problem prints no answers that could be compared.
    if problem.judging.interactive() {
        return Ok(None);
    }
    if game.asks.is_empty() {
        let detail = "`game:` has no `asks:`, which relates the answer to the game (see `nimatron guide problems`)";
        return Ok(Some(Check::new("oracle", Status::Skip, detail)));
    }
    let key = key(host, (prepared, problem), cache, wanted)?;
    if let Some((proof, seconds)) = cache.get::<(Proof, f64)>(&key) {
        return Ok(Some(Check { cached: true, ..told(&proof).with("seconds", seconds) }));
    }
    let start = Instant::now();
    let proof = prove(host, problem, game, wanted)?;
    let seconds = start.elapsed().as_millis() as f64 / 1_000.0;
    let check = told(&proof).with("seconds", seconds);
    if check.status == Status::Pass && proof.whole && prepared.is_unchanged(host) {
        cache.put(&key, &(proof, seconds));
    }
    Ok(Some(check))
}

/// Returns the cache key of the proof, which depends on the problem's files, the reference, its compiler and the wanted
/// number of positions.
fn key(
    host: &Host,
    (prepared, problem): (&PreparedProblem, &Problem),
    cache: &ResultCache,
    wanted: usize,
) -> Result<Digest, Failure> {
    let source = host.languages().load(&reference(problem)?.path, None)?;
    let toolchain = host.languages().toolchain_digest(&source)?;
    let digests = [prepared.digest(), source.digest(), toolchain];
    let wanted = wanted.to_le_bytes();
    let parts: Vec<&[u8]> = digests.iter().map(|digest| digest.bytes().as_slice()).chain([wanted.as_slice()]).collect();
    Ok(cache.key("proof", &parts))
}

/// Formats a bound for a sentence: ` with n ≤ 4`, or nothing if the bound is empty.
fn within(bound: &str) -> String {
    if bound.is_empty() { String::new() } else { format!(" with {bound}") }
}

fn told(proof: &Proof) -> Check {
    let (status, detail) = match &proof.disagreement {
        Some(differs) => {
            let reason = match differs.reason.as_str() {
                "" => String::new(),
                reason => format!(" ({reason})"),
            };
            let detail = format!(
                "the reference and the rules give different answers to\n{}according to the rules: {}{reason}\n\
                 according to the reference: {}",
                indented(&differs.input),
                differs.expected,
                differs.found
            );
            (Status::Fail, detail)
        }
        None if proof.positions == 0 => (
            Status::Fail,
            format!(
                "no position{} can be compared; the ranges of `input:` must include small positions",
                within(&proof.bound)
            ),
        ),
        None if proof.whole => {
            let of = if proof.one_in > 1 { format!("one in {}", proof.one_in) } else { "all".to_owned() };
            let more = proof.by_values.as_ref().map(|(count, bound)| {
                format!(
                    "; {} checked using the Grundy values of their heaps: all positions{}{}",
                    counted(*count, "position was", "positions were"),
                    within(bound),
                    exception(proof.left_by_values.as_deref())
                )
            });
            let more = more.unwrap_or_default();
            let detail = format!(
                "the reference is correct on {}: {of} positions{}{}{more}",
                counted(proof.positions, "position", "positions"),
                within(&proof.bound),
                exception(proof.left.as_deref())
            );
            (Status::Pass, detail)
        }
        None => {
            let detail = format!(
                "the reference is correct on {}{}; not all positions were checked, because the comparison was \
                 stopped after {} s",
                counted(proof.positions, "position", "positions"),
                within(&proof.bound),
                COMPARISON_TIMEOUT.as_secs()
            );
            (Status::Pass, detail)
        }
    };
    let check = Check::new("oracle", status, detail).with("positions", proof.positions);
    let check = check
        .with("bound", proof.bound.clone())
        .with("whole", proof.whole && proof.left.is_none() && proof.one_in == 1);
    let check = if proof.one_in > 1 { check.with("one_in", proof.one_in) } else { check };
    let check = match &proof.by_values {
        Some((count, bound)) => check.with("by_values", *count).with("by_values_bound", bound.clone()),
        None => check,
    };
    let check = match &proof.left_by_values {
        Some(left) => check.with("left_by_values", left.clone()),
        None => check,
    };
    match &proof.left {
        Some(left) => check.with("left", left.clone()),
        None => check,
    }
}

/// Returns the clause of a message that states how many positions were left out; empty if none were.
fn exception(left: Option<&str>) -> String {
    let Some(left) = left else { return String::new() };
    let noun = if left == "1" { "position" } else { "positions" };
    format!(", except {left} {noun} whose search exceeds the limit")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Compares the reference with the rules on the positions within the first bound that contains `wanted` positions and
/// can be searched. If the bound contains many more, only an evenly spread sample is compared. If too few positions can
/// be searched, further positions are compared using Grundy values.
///
/// # Errors
/// Fails if the reference can't be run or fails on an input, if a position can't be searched, or if the judge itself
/// fails.
pub fn prove(host: &Host, problem: &Problem, game: &GameRules, wanted: usize) -> Result<Proof, Failure> {
    let program = built_reference(host, problem)?;
    let joint = game.each_row_of.as_deref().filter(|rows| problem.input.joint() == Some(rows));
    // The oracle is shared, so that positions that were searched to find the bound are not searched again.
    let mut oracle = game.oracle(&problem.input, BUDGET);
    let mut easy = |input: &Instance, positions: usize| {
        oracle.spare(positions);
        oracle.answer(input).is_ok()
    };
    let SearchBound { inputs, text: bound, left } = SearchBound::find(&problem.input, joint, wanted, &mut easy);
    let left = left_out(left, &inputs);
    let one_in = Some(inputs.len() / wanted.max(1)).filter(|times| *times >= MANY).unwrap_or(1);
    let inputs: Vec<Instance> = inputs.into_iter().step_by(one_in).collect();
    oracle.spare(BUDGET);
    let few = inputs.len() < wanted;
    let mut proof = Proof { bound, left, one_in, ..Proof::default() };
    let run = Comparison { host, program: &program, problem, game, joint };
    (proof.positions, proof.disagreement, proof.whole) = run.all(inputs, &mut oracle)?;
    if few && proof.whole {
        oracle.decompose_sums();
        let SearchBound { inputs, text, left } =
            SearchBound::find(&problem.input, joint, wanted, &mut |input, _| oracle.answer(input).is_ok());
        if inputs.len() > proof.positions {
            proof.left_by_values = left_out(left, &inputs);
            let (count, disagreement, whole) = run.all(inputs, &mut oracle)?;
            (proof.by_values, proof.disagreement, proof.whole) = (Some((count, text)), disagreement, whole);
        }
    }
    Ok(proof)
}

/// Returns the number of positions within a bound that are not among `inputs`, as text; `None` if there are none. `all`
/// is [`SearchBound::left`].
fn left_out(all: Option<Option<u64>>, inputs: &[Instance]) -> Option<String> {
    let kept = inputs.len() as u64;
    all.map(|all| match all {
        Some(all) => all.saturating_sub(kept).to_string(),
        None => format!("more than {}", COUNTED.saturating_sub(kept)),
    })
}

/// The data for comparing the answers of the reference with the answers that are computed from the rules.
struct Comparison<'a> {
    host: &'a Host,
    program: &'a BuiltProgram,
    problem: &'a Problem,
    game: &'a GameRules,
    joint: Option<&'a str>,
}

impl Comparison<'_> {
    /// Compares the answers to `inputs`. Returns the number of positions that agree, the first difference, and whether
    /// all inputs were compared.
    fn all(
        &self,
        inputs: Vec<Instance>,
        oracle: &mut Oracle<'_>,
    ) -> Result<(usize, Option<Disagreement>, bool), Failure> {
        let answered = |input: Instance| match oracle.answer(&input) {
            Ok(answer) => Ok((input, answer)),
            Err(why) => Err(unanswered(&input.to_bytes(&self.problem.input), &why)),
        };
        let files: Vec<(Instance, Answer)> =
            batches(self.problem, self.joint, inputs).into_iter().map(answered).collect::<Result<_, _>>()?;
        let start = Instant::now();
        let mut positions = 0;
        for round in files.chunks(ROUND) {
            if start.elapsed() > COMPARISON_TIMEOUT {
                return Ok((positions, None, false));
            }
            let (results, ended) = self.round(round);
            for result in results {
                match result {
                    Ok(proved) => positions += proved,
                    Err(disagreement) => return Ok((positions, Some(disagreement), false)),
                }
            }
            ended?;
        }
        Ok((positions, None, true))
    }

    /// Compares inputs in parallel. Returns the results in the order of the inputs, and the error that ended the
    /// comparison, if any.
    fn round(&self, files: &[(Instance, Answer)]) -> (Vec<ProofResult>, Result<(), Failure>) {
        let start = |slot: usize| Ok(ProgramRunner::new(self.host, self.program, slot)?);
        let work = |runner: &mut ProgramRunner, batch: &&[(Instance, Answer)]| self.batch(runner, batch);
        let batch = files.len().div_ceil(self.host.jobs()).clamp(1, BATCH);
        let batches: Vec<&[(Instance, Answer)]> = files.chunks(batch).collect();
        match self.host.slots().lease(batches.len(), self.host.cancel(), &mut || {}) {
            Ok(lease) => {
                let (results, ended) = in_parallel(&batches, lease.slots(), start, work, |_| {});
                (results.into_iter().flatten().flatten().collect(), ended)
            }
            Err(fault) => (Vec::new(), Err(fault.into())),
        }
    }

    /// Runs the program on inputs, and compares its answers. The first difference is the last result.
    fn batch(&self, runner: &mut ProgramRunner, files: &[(Instance, Answer)]) -> Result<Vec<ProofResult>, Failure> {
        let inputs: Vec<Vec<u8>> = files.iter().map(|(input, _)| input.to_bytes(&self.problem.input)).collect();
        let runs = runner.run_until_failure(&inputs, &AUTHOR_LIMITS)?;
        let mut results = Vec::with_capacity(files.len());
        for ((file, text), run) in files.iter().zip(&inputs).zip(runs) {
            let result = self.compare(file, text, &output(runner, text, run)?);
            let differs = result.is_err();
            results.push(result);
            if differs {
                break;
            }
        }
        Ok(results)
    }

    /// Compares the output of the program on an input, whose text is `text`, with the answer.
    fn compare(&self, (input, expected): &(Instance, Answer), text: &[u8], output: &[u8]) -> ProofResult {
        let Comparison { problem, game, .. } = *self;
        let found = problem.answer.as_ref().map(|answer| answer.read(output, Some(input)));
        match found {
            Some(Ok(found)) => match differing_row(expected, &found) {
                None => Ok(rows(expected)),
                Some(row) => Err(disagreement(problem, game, input, (expected, &found), row)),
            },
            misfit => {
                let why = misfit.and_then(Result::err).map(|invalid| format!(" ({invalid})")).unwrap_or_default();
                let output = String::from_utf8_lossy(output);
                Err(Disagreement {
                    input: String::from_utf8_lossy(text).into_owned(),
                    expected: shown(expected, 0),
                    reason: String::new(),
                    found: format!("`{}`, which does not match `answer:`{why}", output.trim_end()),
                })
            }
        }
    }
}

type ProofResult = Result<usize, Disagreement>;

/// Joins inputs into files with many rows if possible, since a run with hundreds of rows takes only slightly longer
/// than a run with one row.
fn batches(problem: &Problem, joint: Option<&str>, inputs: Vec<Instance>) -> Vec<Instance> {
    let most = joint.and_then(|rows| problem.input.span(rows)).and_then(|(_, most)| usize::try_from(most).ok());
    let Some(most) = most.filter(|most| *most > 1) else { return inputs };
    let fits = |joined: &Instance| problem.input.validate(&joined.to_bytes(&problem.input)[..], None).is_ok();
    let joined: Option<Vec<Instance>> =
        inputs.chunks(most.min(1_000)).map(|chunk| problem.input.join(chunk).filter(fits)).collect();
    joined.unwrap_or(inputs)
}

/// Returns the number of rows of an answer: the length of its longest list, or 1 if it contains no list.
fn rows(answer: &Answer) -> usize {
    answer
        .values()
        .map(|value| if let Value::Ints(_) | Value::Words(_) = value { length(value) } else { 1 })
        .max()
        .unwrap_or(1)
}

fn length(value: &Value) -> usize {
    match value {
        Value::Ints(list) => list.len(),
        Value::Words(list) => list.len(),
        _ => 1,
    }
}

/// Returns the index of the first row in which the answers differ; `None` if the answers are equal.
fn differing_row(expected: &Answer, found: &Instance) -> Option<usize> {
    let differs = |(name, value): (&String, &Value)| match (value, found.value(name)) {
        (value, Some(found)) if *value == found => None,
        (Value::Ints(list), Some(Value::Ints(found))) => first_difference(list, &found),
        (Value::Words(list), Some(Value::Words(found))) => first_difference(list, &found),
        _ => Some(0),
    };
    expected.iter().filter_map(differs).min()
}

fn first_difference<T: PartialEq>(expected: &[T], found: &[T]) -> Option<usize> {
    let longer = expected.len().max(found.len());
    (0..longer).find(|row| expected.get(*row) != found.get(*row))
}

fn disagreement(
    problem: &Problem,
    game: &GameRules,
    input: &Instance,
    (expected, found): (&Answer, &Instance),
    row: usize,
) -> Disagreement {
    let games = match game.asks.iter().find_map(|ask| Some((ask, ask.each.as_deref()?))) {
        Some((ask, each)) => {
            let place = first_letter(expected.get(&ask.name), found.value(&ask.name).as_ref());
            game.each(input, &problem.input, each).unwrap_or_default().into_iter().skip(place).take(1).collect()
        }
        None => game.games(input, &problem.input).unwrap_or_default(),
    };
    let mut rules = game.oracle(&problem.input, BUDGET);
    let of_row = games.get(row).or(games.last());
    let reason = of_row.map_or_else(String::new, |game| match rules.reason(game) {
        Ok(reason) => format!("in {}, {reason}", game.start),
        Err(error) => error.to_string(),
    });
    let found: Answer = expected.keys().filter_map(|name| Some((name.clone(), found.value(name)?))).collect();
    let whole = String::from_utf8_lossy(&input.to_bytes(&problem.input)).into_owned();
    let input = match (game.each_row_of.is_some(), of_row) {
        (true, Some(game)) => format!("game {} of the input: {}\n", row + 1, game.start),
        _ => whole,
    };
    Disagreement { input, expected: shown(expected, row), reason, found: shown(&found, row) }
}

/// Returns the index of the first letter of a word, or of the first number of a list, in which two values differ; 0 if
/// there is none.
fn first_letter(expected: Option<&Value>, found: Option<&Value>) -> usize {
    let letters = |word: &str| word.chars().collect::<Vec<char>>();
    match (expected, found) {
        (Some(Value::Word(word)), Some(Value::Word(found))) => first_difference(&letters(word), &letters(found)),
        (Some(Value::Ints(list)), Some(Value::Ints(found))) => first_difference(list, found),
        _ => None,
    }
    .unwrap_or(0)
}

/// Formats the values of a row with their names.
fn shown(answer: &Answer, row: usize) -> String {
    let one = |value: &Value| match value {
        Value::Int(number) => number.to_string(),
        Value::Word(word) => word.clone(),
        Value::Ints(list) => list.get(row).map_or("nothing".to_owned(), ToString::to_string),
        Value::Words(list) => list.get(row).map_or("nothing".to_owned(), Clone::clone),
        other => format!("{other:?}"),
    };
    let all: Vec<String> = answer.iter().map(|(name, value)| format!("{name} = {}", one(value))).collect();
    all.join(", ")
}

fn unanswered(input: &[u8], why: &Unanswered) -> Failure {
    let input = String::from_utf8_lossy(input);
    Failure::complaint(format!("cannot compute the answer to the input {:?} from the rules: {why}", input.trim_end()))
}

/// Builds the reference solution of the problem.
fn built_reference(host: &Host, problem: &Problem) -> Result<BuiltProgram, Failure> {
    let solution = reference(problem)?;
    BuiltProgram::build_valid(host, &host.languages().load(&solution.path, None)?, &solution.name)
}

/// Returns the output of a run of the reference on an input. Fails unless the run ended normally.
fn output(runner: &ProgramRunner, input: &[u8], run: CellOutput) -> Result<Vec<u8>, Failure> {
    let Some(verdict) = runner.classify(&run, &AUTHOR_LIMITS) else { return Ok(run.stdout) };
    let how = if run.execution.breach.is_some() { verdict.long().to_owned() } else { run.execution.exit.to_string() };
    let input = String::from_utf8_lossy(input);
    Err(Failure::complaint(format!("the reference solution failed on the input {:?}: {how}", input.trim_end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(values: &[(&str, Value)]) -> Answer {
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn rows_are_counted_and_shown() {
        let words = |list: &[&str]| Value::Words(list.iter().map(|word| (*word).to_owned()).collect());
        let many = answer(&[("winner", words(&["John", "Brother"])), ("x", Value::Ints(vec![1, 2]))]);
        assert_eq!(rows(&many), 2);
        assert_eq!(shown(&many, 1), "winner = Brother, x = 2");
        assert_eq!(rows(&answer(&[("winner", Value::Word("Yes".to_owned()))])), 1);
        assert_eq!(first_difference(&[1, 2, 3], &[1, 2]), Some(2));
        assert_eq!(first_difference(&[1, 2], &[1, 2]), None);
    }
}
