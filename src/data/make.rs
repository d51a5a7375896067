//! Makes the cases of a problem: a function of the spec, the programs and the seed.
//!
//! Each case's seed comes from the problem, its group, its number and the attempt, so adding a case or a group moves no
//! other. Cases that were made before from the same parts are taken from the index.

use std::path::Path;

use crate::input::{Instance, Rng};
use crate::model::{CaseId, Diagnostic, Digest, Failure, FaultKind, KeyWriter};
use crate::problem::{AuxProgram, Balance, Given, Judging, Problem, Recipe};
use crate::workers::in_parallel;

use super::index::Index;
use super::store::{Blob, Store};

/// The version of the algorithm. It changes whenever the same spec would give other data.
const MAKING: &str = "nimatron data 1";
/// The version of the keys of the index.
const KEY_VERSION: u32 = 2;

/// The number of attempts at a balanced case before its answer is reported as too rare; fewer where each attempt runs a
/// generator.
const ATTEMPTS: u64 = 20_000;
const ATTEMPTS_OF_A_PROGRAM: u64 = 1_000;

/// A case that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub id: CaseId,
    /// The index of its group.
    pub group: usize,
    /// Its input.
    pub input: Blob,
    /// Its answer.
    pub answer: Blob,
}

/// Runs the programs that test data is made with.
pub trait DataPrograms {
    /// The reference's output on this input.
    ///
    /// # Errors
    /// Fails if the reference crashes or exceeds a limit, or by a fault.
    fn answer(&mut self, input: &[u8]) -> Result<Vec<u8>, Failure>;

    /// A generator's output with these arguments.
    ///
    /// # Errors
    /// Fails if the generator crashes, exceeds a limit or does not compile, or by a fault.
    fn generate(&mut self, program: &Path, args: &[String]) -> Result<Vec<u8>, Failure>;

    /// The output of an interactor that interacts with the reference on this input.
    ///
    /// # Errors
    /// Fails if one of them fails or the interactor rejects the reference, or by a fault.
    fn dialogue(&mut self, interactor: &AuxProgram, input: &[u8]) -> Result<Vec<u8>, Failure>;

    /// Why a validator rejects this input; `None` if it accepts it.
    ///
    /// # Errors
    /// Fails if the validator crashes, exceeds a limit, violates its protocol or does not compile, or by a fault.
    fn validate(&mut self, validator: &AuxProgram, input: &[u8]) -> Result<Option<String>, Failure>;

    /// Why a checker rejects this output; `None` if it accepts it.
    ///
    /// # Errors
    /// As for a validator.
    fn check(
        &mut self,
        checker: &AuxProgram,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<Option<String>, Failure>;
}

/// Test data that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// All cases, in order.
    pub cases: Vec<Case>,
    /// The number of cases that were made now; the others were in the store.
    pub fresh: usize,
}

/// Makes the test data of one problem.
pub struct Maker<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The hash of the reference's source.
    pub reference: Digest,
    /// The store of inputs and answers.
    pub store: &'a Store,
    /// The index file.
    pub index: &'a Path,
    /// The slots of the workers: one case is made on each at a time.
    pub slots: &'a [usize],
}

/// A case to make.
struct Order<'a> {
    id: CaseId,
    group: usize,
    number: usize,
    key: Digest,
    recipe: &'a Recipe,
    /// The input, if it is known without running a program.
    input: Option<Vec<u8>>,
}

impl Order<'_> {
    /// The answer that the spec gives, if it gives one.
    fn given_answer(&self) -> Option<&str> {
        let Recipe::Given(cases) = self.recipe else { return None };
        cases.get(self.number).and_then(|case: &Given| case.answer.as_deref())
    }
}

impl Maker<'_> {
    /// Makes all cases that are not in the store. `hire` returns the programs of a worker; `progress` is called with
    /// the number of cases that are made and the number to make.
    ///
    /// # Errors
    /// Returns the failure of the first case, in order, that can't be made.
    pub fn make<H: DataPrograms>(
        &self,
        hire: impl Fn(usize) -> Result<H, Failure> + Sync,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Made, Failure> {
        let orders = self.orders()?;
        let index = Index::read(self.index);
        // Looked up once: making cases may restore a lost blob, and the list of known cases must not change.
        let known: Vec<Option<(Blob, Blob)>> = orders
            .iter()
            .map(|order| index.get(&order.key).filter(|(i, a)| self.store.has(i) && self.store.has(a)))
            .collect();
        let fresh: Vec<&Order<'_>> =
            orders.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(o, _)| o).collect();
        let (made, ended) = in_parallel(
            &fresh,
            self.slots,
            hire,
            |hands, order| self.one(hands, order),
            |done| {
                progress(done, fresh.len());
            },
        );
        let mut made = made.into_iter();
        let blobs: Vec<Option<(Blob, Blob)>> =
            known.into_iter().map(|known| known.or_else(|| made.next().flatten())).collect();
        if !fresh.is_empty() {
            // Cases that were made before a failure are kept, so that the next attempt continues from there.
            let entries = orders.iter().zip(&blobs).filter_map(|(order, blobs)| Some((order.key, (*blobs)?)));
            Index::new(entries).write(self.index)?;
        }
        ended?;
        let mut cases = Vec::new();
        for (order, blobs) in orders.iter().zip(blobs) {
            let Some((input, answer)) = blobs else {
                return Err(Failure::fault(FaultKind::Data, format!("{} was lost", order.id)));
            };
            cases.push(Case { id: order.id.clone(), group: order.group, input, answer });
        }
        Ok(Made { cases, fresh: fresh.len() })
    }

    fn orders(&self) -> Result<Vec<Order<'_>>, Failure> {
        let common = self.common()?;
        let mut orders = Vec::new();
        for (group, spec) in self.problem.groups.iter().enumerate() {
            let recipe = recipe_digest(&spec.recipe)?;
            let mut inputs = known_inputs(&spec.recipe);
            for number in 0..spec.count() {
                let id = spec.case(number);
                let input = inputs.next();
                let key = key(&common, &id, &recipe, input.as_deref());
                orders.push(Order { id, group, number, key, recipe: &spec.recipe, input });
            }
        }
        Ok(orders)
    }

    /// The hash of everything that all cases of the problem depend on.
    fn common(&self) -> Result<Digest, Failure> {
        let Problem { id, input, answer, judging, validators, .. } = self.problem;
        let mut key = KeyWriter::new("test data", KEY_VERSION);
        key.field("making", MAKING).field("problem", id).field("input", input).field("answer", answer);
        key.field("judging", judging).field("reference", &self.reference);
        // The programs that check each input and each given answer.
        for program in validators.iter().chain(judging.aux_programs()) {
            key.field("program", &source_hash(&program.source)?).field("args", &program.args);
        }
        Ok(key.digest())
    }

    /// Makes one case.
    fn one<H: DataPrograms>(&self, hands: &mut H, order: &Order<'_>) -> Result<(Blob, Blob), Failure> {
        let balance = match order.recipe {
            Recipe::Random { balance, .. } | Recipe::Program { balance, .. } => balance.as_ref(),
            Recipe::Given(_) | Recipe::Every { .. } => None,
        };
        let attempts = if matches!(order.recipe, Recipe::Program { .. }) { ATTEMPTS_OF_A_PROGRAM } else { ATTEMPTS };
        for attempt in 0..attempts {
            let input = self.input(hands, order, attempt)?;
            let answer = self.answer(hands, order, &input)?;
            let instance = self.check_answer(&order.id, &input, &answer)?;
            if balance.is_none_or(|balance| wanted(balance, order.number, instance.as_ref())) {
                self.check_given(hands, order, &input, &answer)?;
                return Ok((self.store.put(&input)?, self.store.put(&answer)?));
            }
        }
        let balance = balance.map(|balance| balance.words[order.number % balance.words.len()].clone());
        let message = format!("{}: none of {attempts} inputs has the answer {}", order.id, balance.unwrap_or_default());
        Err(Diagnostic::new(message)
            .help("widen the ranges, or have a program make such inputs (`args` and `balance` take turns together)")
            .into())
    }

    fn input<H: DataPrograms>(&self, hands: &mut H, order: &Order<'_>, attempt: u64) -> Result<Vec<u8>, Failure> {
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
                hands.generate(file, &args).map_err(|failure| about(&order.id, failure))?
            }
            (None, Recipe::Given(_) | Recipe::Every { .. }) => Vec::new(),
        };
        self.problem.input.validate(&input[..], None).map_err(|invalid| {
            let what = format!("{}: the input is not as it is described: {invalid}", order.id);
            Failure::Complaint(
                Diagnostic::new(what).in_file(self.problem.dir.join("problem.yaml").display().to_string()),
            )
        })?;
        for validator in &self.problem.validators {
            if let Some(reason) = hands.validate(validator, &input).map_err(|failure| about(&order.id, failure))? {
                let name = validator.source.display();
                return Err(Diagnostic::new(format!("{}: {name} refuses the input: {reason}", order.id)).into());
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

    /// The answer as values, if the problem describes it.
    fn check_answer(&self, id: &CaseId, input: &[u8], answer: &[u8]) -> Result<Option<Instance>, Failure> {
        let Some(description) = &self.problem.answer else { return Ok(None) };
        let given = self.problem.input.read(input, None).ok();
        let instance = description.read(answer, given.as_ref()).map_err(|invalid| {
            Diagnostic::new(format!("{id}: the reference's output is not as `answer:` describes it: {invalid}"))
        })?;
        Ok(Some(instance))
    }

    /// The answer to an input: the reference's output. In an interactive problem, the given answer, else what the
    /// interactor writes for the checker, if there is one.
    fn answer<H: DataPrograms>(&self, hands: &mut H, order: &Order<'_>, input: &[u8]) -> Result<Vec<u8>, Failure> {
        match (&self.problem.judging, order.given_answer()) {
            (Judging::Interactor { .. }, Some(given)) => return Ok(given.as_bytes().to_vec()),
            // The checker compares what an interactor writes with what it writes for the reference.
            (Judging::Interactor { interactor, checker: Some(_), .. }, None) => {
                return hands.dialogue(interactor, input).map_err(|failure| about(&order.id, failure));
            }
            (Judging::Interactor { checker: None, .. }, None) => return Ok(Vec::new()),
            _ => {}
        }
        hands.answer(input).map_err(|failure| about(&order.id, failure))
    }

    /// Checks that the reference agrees with a given answer.
    fn check_given<H: DataPrograms>(
        &self,
        hands: &mut H,
        order: &Order<'_>,
        input: &[u8],
        answer: &[u8],
    ) -> Result<(), Failure> {
        let Some(given) = order.given_answer() else { return Ok(()) };
        let complaint = match &self.problem.judging {
            Judging::Compare(comparer) => match comparer.compare_bytes(given.as_bytes(), answer) {
                crate::check::Finding::Same => None,
                crate::check::Finding::Differs { difference, .. } => {
                    Some(format!("the reference disagrees with the given answer: {}", difference.message))
                }
            },
            Judging::Checker { checker, .. } => hands
                .check(checker, input, given.as_bytes(), answer)
                .map_err(|failure| about(&order.id, failure))?
                .map(|reason| format!("the checker does not accept the given answer: {reason}")),
            Judging::Interactor { .. } => None,
        };
        match complaint {
            Some(complaint) => Err(Diagnostic::new(format!("{}: {complaint}", order.id)).into()),
            None => Ok(()),
        }
    }
}

/// The hash of everything that a case is made from.
fn key(common: &Digest, id: &CaseId, recipe: &Digest, input: Option<&[u8]>) -> Digest {
    let mut key = KeyWriter::new("test case", KEY_VERSION);
    key.field("common", common).field("case", id).field("recipe", recipe);
    match input {
        Some(input) => key.variant("input").byte_string(input),
        None => key.variant("made"),
    };
    key.digest()
}

/// A failure with the name of its case.
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

/// Whether the answer has the wanted word of this case; the words take turns.
fn wanted(balance: &Balance, number: usize, answer: Option<&Instance>) -> bool {
    let word = answer.and_then(|answer| answer.word(&balance.name));
    word == Some(balance.words[number % balance.words.len()].as_str())
}

/// A 64-bit seed for programs.
fn number_of(digest: &Digest) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&digest.bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The hash of what the cases of a recipe depend on in addition to their known inputs.
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

/// The hash of a program's source: of the file, or of all files in the folder.
fn source_hash(source: &Path) -> Result<Digest, Failure> {
    let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::unreadable(&error));
    if !source.is_dir() {
        return read(source).map(|content| Digest::of(&content));
    }
    let mut parts = Vec::new();
    for entry in walkdir::WalkDir::new(source).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::unreadable(&error.into()))?;
        if entry.file_type().is_file() {
            parts.push(
                entry.path().strip_prefix(source).unwrap_or(entry.path()).as_os_str().as_encoded_bytes().to_vec(),
            );
            parts.push(read(entry.path())?);
        }
    }
    Ok(Digest::of_parts(parts.iter().map(Vec::as_slice)))
}

/// The inputs that are known without running a program, in order.
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
