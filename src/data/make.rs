//! Generates the cases of a problem deterministically from the spec, the programs and the seed.
//!
//! The seed of a case is derived from the ids of the problem and the case (its group and number) and the attempt, so
//! adding a case or a group does not change other cases. Cases that were generated before from the same spec, programs
//! and seed are taken from the index.

use std::path::Path;

use crate::input::{Instance, Rng};
use crate::model::{CaseId, Diagnostic, Digest, Failure, FaultKind, KeyWriter};
use crate::problem::{AuxProgram, Balance, Given, Judging, Problem, Recipe};
use crate::workers::in_parallel;

use super::index::Index;
use super::store::{Blob, Store};

/// The version of the algorithm that generates cases. It must be changed whenever the same spec would generate
/// different data.
const MAKING: &str = "nimatron data 1";
/// The version of the encoding of the keys in the index.
const KEY_VERSION: u32 = 2;

/// The maximum number of attempts to generate a case whose answer has the word that `balance` requires.
const ATTEMPTS: u64 = 20_000;
/// Maximum number of attempts for cases from a generator program. It is lower than [`ATTEMPTS`], because each attempt
/// runs the program.
const ATTEMPTS_OF_A_PROGRAM: u64 = 1_000;

/// A generated case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The id of the case.
    pub id: CaseId,
    /// The index of the case's group in the problem.
    pub group: usize,
    /// The input file.
    pub input: Blob,
    /// The answer file.
    pub answer: Blob,
}

/// An interface to the programs that generate and check test data.
pub trait DataPrograms {
    /// Returns the output of the reference solution on an input.
    ///
    /// # Errors
    /// Fails if the reference solution crashes or exceeds a limit, or if the judge itself fails.
    fn answer(&mut self, input: &[u8]) -> Result<Vec<u8>, Failure>;

    /// Returns the output of a generator that was run with `args`.
    ///
    /// # Errors
    /// Fails if the generator crashes, exceeds a limit or does not compile, or if the judge itself fails.
    fn generate(&mut self, program: &Path, args: &[String]) -> Result<Vec<u8>, Failure>;

    /// Returns the answer that an interactor writes while it interacts with the reference solution on an input.
    ///
    /// # Errors
    /// Fails if one of the two programs fails, if the interactor rejects the reference solution, or if the judge itself
    /// fails.
    fn dialogue(&mut self, interactor: &AuxProgram, input: &[u8]) -> Result<Vec<u8>, Failure>;

    /// Returns the reason why a validator rejects an input; `None` if it accepts the input.
    ///
    /// # Errors
    /// Fails if the validator crashes, exceeds a limit, violates its protocol or does not compile, or if the judge
    /// itself fails.
    fn validate(&mut self, validator: &AuxProgram, input: &[u8]) -> Result<Option<String>, Failure>;

    /// Returns the reason why a checker rejects an output; `None` if it accepts the output.
    ///
    /// # Errors
    /// Fails if the checker crashes, exceeds a limit, violates its protocol or does not compile, or if the judge itself
    /// fails.
    fn check(
        &mut self,
        checker: &AuxProgram,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<Option<String>, Failure>;
}

/// The test data of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeData {
    /// All cases, in the order of the problem's groups.
    pub cases: Vec<Case>,
    /// The number of cases that were generated; the other cases were in the store.
    pub fresh: usize,
}

/// The data that is required to generate the cases of one problem. Cases that are in the store are not generated again.
pub struct Maker<'a> {
    /// The problem whose cases are generated.
    pub problem: &'a Problem,
    /// The hash of the reference solution's source.
    pub reference: Digest,
    /// The store of inputs and answers.
    pub store: &'a Store,
    /// The path of the index file.
    pub index: &'a Path,
    /// The slots of the workers. Each worker generates one case at a time.
    pub slots: &'a [usize],
}

/// A case to generate.
struct CaseRequest<'a> {
    id: CaseId,
    group: usize,
    number: usize,
    key: Digest,
    recipe: &'a Recipe,
    /// The input, if it follows from the spec alone.
    input: Option<Vec<u8>>,
}

impl CaseRequest<'_> {
    /// Returns the answer that the spec contains for the case; `None` if the spec contains no answer.
    fn given_answer(&self) -> Option<&str> {
        let Recipe::Given(cases) = self.recipe else { return None };
        cases.get(self.number).and_then(|case: &Given| case.answer.as_deref())
    }
}

impl Maker<'_> {
    /// Generates all cases that are not in the store, and returns all cases. `hire` creates the [`DataPrograms`] for
    /// the worker of a slot; `progress` is called with the number of cases that have been generated and the total
    /// number of cases to generate.
    ///
    /// # Errors
    /// Fails with the error of the first case, in the order of the problem's groups, that can't be generated. Also
    /// fails if a program of the problem can't be read or the index can't be written.
    pub fn make<H: DataPrograms>(
        &self,
        hire: impl Fn(usize) -> Result<H, Failure> + Sync,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<MadeData, Failure> {
        let orders = self.orders()?;
        let index = Index::read(self.index);
        // The cases are looked up only once. Generating a case may restore a lost blob of another case, and the list
        // of known cases must not change in between.
        let is_stored = self.store.lookup();
        let known: Vec<Option<(Blob, Blob)>> = orders
            .iter()
            .map(|order| index.get(&order.key).filter(|(input, answer)| is_stored(input) && is_stored(answer)))
            .collect();
        let fresh: Vec<&CaseRequest<'_>> =
            orders.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(o, _)| o).collect();
        let (made, ended) = in_parallel(
            &fresh,
            self.slots,
            hire,
            |programs, order| self.one(programs, order),
            |done| {
                progress(done, fresh.len());
            },
        );
        let mut made = made.into_iter();
        let blobs: Vec<Option<(Blob, Blob)>> =
            known.into_iter().map(|known| known.or_else(|| made.next().flatten())).collect();
        if !fresh.is_empty() {
            // Cases that were generated before a failure are also added to the index, so that the next attempt does not
            // generate them again.
            let entries = orders.iter().zip(&blobs).filter_map(|(order, blobs)| Some((order.key, (*blobs)?)));
            Index::new(entries).write(self.index)?;
        }
        ended?;
        let mut cases = Vec::new();
        for (order, blobs) in orders.iter().zip(blobs) {
            let Some((input, answer)) = blobs else {
                return Err(Failure::fault(FaultKind::Data, format!("the case `{}` was not generated", order.id)));
            };
            cases.push(Case { id: order.id.clone(), group: order.group, input, answer });
        }
        Ok(MadeData { cases, fresh: fresh.len() })
    }

    fn orders(&self) -> Result<Vec<CaseRequest<'_>>, Failure> {
        let common = self.common()?;
        let mut orders = Vec::new();
        for (group, spec) in self.problem.groups.iter().enumerate() {
            let recipe = recipe_digest(&spec.recipe)?;
            let mut inputs = known_inputs(&spec.recipe);
            for number in 0..spec.count() {
                let id = spec.case(number);
                let input = inputs.next();
                let key = key(&common, &id, &recipe, input.as_deref());
                orders.push(CaseRequest { id, group, number, key, recipe: &spec.recipe, input });
            }
        }
        Ok(orders)
    }

    /// Returns the hash of the parts of the problem on which all cases depend: the id, the descriptions of input and
    /// answer, the judging, and the programs.
    fn common(&self) -> Result<Digest, Failure> {
        let Problem { id, input, answer, judging, validators, .. } = self.problem;
        let mut key = KeyWriter::new("test data", KEY_VERSION);
        key.field("making", MAKING).field("problem", id).field("input", input).field("answer", answer);
        key.field("judging", judging).field("reference", &self.reference);
        // These programs check inputs and answers; in an interactive problem, they also determine the answers.
        for program in validators.iter().chain(judging.aux_programs()) {
            key.field("program", &source_hash(&program.source)?).field("args", &program.args);
        }
        Ok(key.digest())
    }

    /// Generates one case, and stores its input and its answer.
    fn one<H: DataPrograms>(&self, programs: &mut H, order: &CaseRequest<'_>) -> Result<(Blob, Blob), Failure> {
        let balance = match order.recipe {
            Recipe::Random { balance, .. } | Recipe::Program { balance, .. } => balance.as_ref(),
            Recipe::Given(_) | Recipe::Every { .. } => None,
        };
        let attempts = if matches!(order.recipe, Recipe::Program { .. }) { ATTEMPTS_OF_A_PROGRAM } else { ATTEMPTS };
        for attempt in 0..attempts {
            let input = self.input(programs, order, attempt)?;
            let answer = self.answer(programs, order, &input)?;
            let instance = self.check_answer(&order.id, &input, &answer)?;
            if balance.is_none_or(|balance| wanted(balance, order.number, instance.as_ref())) {
                self.check_given(programs, order, &input, &answer)?;
                return Ok((self.store.put(&input)?, self.store.put(&answer)?));
            }
        }
        let balance = balance.map(|balance| balance.words[order.number % balance.words.len()].clone());
        let message = format!(
            "{}: none of {attempts} generated inputs has the answer `{}`",
            order.id,
            balance.unwrap_or_default()
        );
        let help = match order.recipe {
            Recipe::Program { .. } => {
                "write one alternative in `args` for each answer that `balance` requires, in the order of the answers"
            }
            _ => {
                "widen the ranges, or use a generator and write one alternative in its `args` for each answer that \
                 `balance` requires, in the order of the answers"
            }
        };
        Err(Diagnostic::new(message).help(help).into())
    }

    fn input<H: DataPrograms>(
        &self,
        programs: &mut H,
        order: &CaseRequest<'_>,
        attempt: u64,
    ) -> Result<Vec<u8>, Failure> {
        let input = match (&order.input, order.recipe) {
            (Some(input), _) => input.clone(),
            (None, Recipe::Random { description, .. }) => {
                let mut rng = Rng::from_digest(&self.seed(&order.id, attempt));
                let instance = description
                    .generate(&mut rng)
                    .map_err(|error| Failure::complaint(format!("{}: {error}", order.id)))?;
                let mut bytes = Vec::new();
                description.write(&instance, &mut bytes);
                bytes
            }
            (None, Recipe::Program { file, args, .. }) => {
                let mut args: Vec<String> =
                    args.iter().map(|parts| parts[order.number % parts.len()].clone()).collect();
                args.push(format!("seed={}", number_of(&self.seed(&order.id, attempt))));
                programs.generate(file, &args).map_err(|failure| about(&order.id, failure))?
            }
            (None, Recipe::Given(_) | Recipe::Every { .. }) => Vec::new(),
        };
        self.problem.input.validate(&input[..], None).map_err(|invalid| {
            let what = format!("{}: the input does not match the description in `input`: {invalid}", order.id);
            Failure::Complaint(
                Diagnostic::new(what).in_file(self.problem.dir.join("problem.yaml").display().to_string()),
            )
        })?;
        for validator in &self.problem.validators {
            if let Some(reason) = programs.validate(validator, &input).map_err(|failure| about(&order.id, failure))? {
                let name = validator.source.display();
                return Err(Diagnostic::new(format!(
                    "{}: the validator `{name}` rejects the input: {reason}",
                    order.id
                ))
                .into());
            }
        }
        Ok(input)
    }

    fn seed(&self, id: &CaseId, attempt: u64) -> Digest {
        Digest::of_parts([
            MAKING.as_bytes(),
            self.problem.id.as_str().as_bytes(),
            id.as_str().as_bytes(),
            &attempt.to_le_bytes()[..],
        ])
    }

    /// Parses an answer according to the problem's description of answers, and fails if the answer does not match.
    /// Returns `None` if the problem does not describe its answers.
    fn check_answer(&self, id: &CaseId, input: &[u8], answer: &[u8]) -> Result<Option<Instance>, Failure> {
        let Some(description) = &self.problem.answer else { return Ok(None) };
        let given = self.problem.input.read(input, None).ok();
        let instance = description.read(answer, given.as_ref()).map_err(|invalid| {
            Diagnostic::new(format!("{id}: the answer does not match the description in `answer`: {invalid}"))
                .in_file(self.problem.dir.join("problem.yaml").display().to_string())
        })?;
        Ok(Some(instance))
    }

    /// Returns the answer to an input: the output of the reference solution. In an interactive problem, the answer is
    /// the answer in the spec or, if the spec contains none, the interactor's output for the checker. If there is no
    /// checker either, the answer is empty.
    fn answer<H: DataPrograms>(
        &self,
        programs: &mut H,
        order: &CaseRequest<'_>,
        input: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        match (&self.problem.judging, order.given_answer()) {
            (Judging::Interactor { .. }, Some(given)) => return Ok(given.as_bytes().to_vec()),
            // The checker compares the interactor's output for a submission with its output for the reference solution.
            (Judging::Interactor { interactor, checker: Some(_), .. }, None) => {
                return programs.dialogue(interactor, input).map_err(|failure| about(&order.id, failure));
            }
            (Judging::Interactor { checker: None, .. }, None) => return Ok(Vec::new()),
            _ => {}
        }
        programs.answer(input).map_err(|failure| about(&order.id, failure))
    }

    /// Checks the answer that the spec contains for the case, if any, against the answer of the reference solution.
    /// Does nothing in an interactive problem.
    fn check_given<H: DataPrograms>(
        &self,
        programs: &mut H,
        order: &CaseRequest<'_>,
        input: &[u8],
        answer: &[u8],
    ) -> Result<(), Failure> {
        let Some(given) = order.given_answer() else { return Ok(()) };
        let complaint = match &self.problem.judging {
            Judging::Compare(comparer) => match comparer.compare_bytes(given.as_bytes(), answer) {
                crate::check::ComparisonResult::Same => None,
                crate::check::ComparisonResult::Differs { difference, .. } => {
                    let message = format!(
                        "the output of the reference solution differs from the given answer ({})",
                        difference.message
                    );
                    Some((message, "the reference solution"))
                }
            },
            Judging::Checker { checker, .. } => programs
                .check(checker, input, given.as_bytes(), answer)
                .map_err(|failure| about(&order.id, failure))?
                .map(|reason| (format!("the checker does not accept the given answer: {reason}"), "the checker")),
            Judging::Interactor { .. } => None,
        };
        match complaint {
            Some((complaint, program)) => Err(Diagnostic::new(format!("{}: {complaint}", order.id))
                .help(format!("correct the `answer` of the case in `problem.yaml`, or {program}"))
                .into()),
            None => Ok(()),
        }
    }
}

/// Returns the key of a case: the hash of all data from which the case is generated.
fn key(common: &Digest, id: &CaseId, recipe: &Digest, input: Option<&[u8]>) -> Digest {
    let mut key = KeyWriter::new("test case", KEY_VERSION);
    key.field("common", common).field("case", id).field("recipe", recipe);
    match input {
        Some(input) => key.variant("input").byte_string(input),
        None => key.variant("made"),
    };
    key.digest()
}

/// Prepends the id of the case to the message of a failure.
fn about(id: &CaseId, failure: Failure) -> Failure {
    match failure {
        Failure::Complaint(mut complaint) => {
            complaint.message = format!("{id}: {}", complaint.message);
            complaint.into()
        }
        Failure::Fault(mut fault) => {
            fault.message = format!("{id}: {}", fault.message);
            fault.into()
        }
    }
}

/// Returns true if the answer has the word that case `number` requires. The cases of a group require the words of
/// `balance` in turn.
fn wanted(balance: &Balance, number: usize, answer: Option<&Instance>) -> bool {
    let word = answer.and_then(|answer| answer.word(&balance.name));
    word == Some(balance.words[number % balance.words.len()].as_str())
}

/// Returns the first 64 bits of a digest as an integer, which is the seed of a generator program.
fn number_of(digest: &Digest) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&digest.bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Returns the hash of the parts of a recipe on which its cases depend. Inputs that follow from the spec alone are not
/// included.
fn recipe_digest(recipe: &Recipe) -> Result<Digest, Failure> {
    let mut key = KeyWriter::new("recipe", KEY_VERSION);
    match recipe {
        Recipe::Given(cases) => key.variant("given").write(cases),
        Recipe::Every { .. } => key.variant("every"),
        Recipe::Random { description, balance, .. } => {
            key.variant("random").field("description", description).field("balance", balance)
        }
        Recipe::Program { file, args, balance, .. } => {
            key.variant("program").field("file", &source_hash(file)?).field("args", args).field("balance", balance)
        }
    };
    Ok(key.digest())
}

/// Returns the hash of a program's source: of the file, or of the paths and contents of all files in the folder.
fn source_hash(source: &Path) -> Result<Digest, Failure> {
    let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::user_file(&error));
    if !source.is_dir() {
        return read(source).map(|content| Digest::of(&content));
    }
    let mut parts = Vec::new();
    for entry in walkdir::WalkDir::new(source).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::user_file(&error.into()))?;
        if entry.file_type().is_file() {
            parts.push(
                entry.path().strip_prefix(source).unwrap_or(entry.path()).as_os_str().as_encoded_bytes().to_vec(),
            );
            parts.push(read(entry.path())?);
        }
    }
    Ok(Digest::of_parts(parts.iter().map(Vec::as_slice)))
}

/// Returns the inputs of a group that follow from the spec alone, in the order of its cases; none for random and
/// generated cases.
fn known_inputs(recipe: &Recipe) -> Box<dyn Iterator<Item = Vec<u8>> + '_> {
    match recipe {
        Recipe::Given(cases) => Box::new(cases.iter().map(|case| case.input.clone().into_bytes())),
        Recipe::Every { description, .. } => Box::new(description.enumerate().map(|instance| {
            let mut bytes = Vec::new();
            description.write(&instance, &mut bytes);
            bytes
        })),
        Recipe::Random { .. } | Recipe::Program { .. } => Box::new(std::iter::empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_test_data_are_fixed() {
        let text = "name: Nim\ninput:\n  - n: 1..=9\nanswer:\n  - w: [First, Second]\ntests:\n  \
                    sample:\n    - input: \"1\\n\"\n      answer: \"First\\n\"\n  \
                    tiny: { every: { n: 1..=2 } }\n  random: { count: 1, balance: w }\n";
        let problem = crate::problem::read("problem.yaml", text, "nim".parse().unwrap(), Path::new("/nim")).unwrap();
        let store = Store::new("/nowhere");
        let reference = Digest::of(b"reference");
        let maker = Maker { problem: &problem, reference, store: &store, index: Path::new("/nowhere"), slots: &[0] };
        let orders = maker.orders().unwrap();
        let keys: Vec<String> = orders.iter().map(|order| format!("{} {}", order.id, order.key)).collect();
        insta::assert_snapshot!(keys.join("\n"), @r"
        sample/001 b592b5e900d2ff914c758f899a8050bc6590e01bf19fb33f8eae235f371f7673
        tiny/001 6073c75350d07601727122d0c1ad2b3ee7e494ae232cdd68bc93a01400136f43
        tiny/002 5133bcd8fe69991b67efd2053c12d57a2d408ffccf707d298a329b8f73cbaba3
        random/001 30ab33dd3e422592de0c6f78f887a703c82ee6f227ee279b0a6efbd11d7e30ee
        ");
    }
}
