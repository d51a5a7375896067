//! The description of a problem for a search. It determines how inputs are created and validated, and how outputs
//! are judged.

use crate::data::Case;
use crate::input::{Description, guess};
use crate::model::{Diagnostic, Failure, ProblemId};
use crate::package::{Package, PackageCase};
use crate::problem::{AuxProgram, Group, Judging, Problem, Protocol};
use crate::runner::{CheckerOption, Host, OwnAuxProgram};

use super::generator::{GeneratorCommand, InputGenerator};
use super::search::Unsearchable;

/// Maximum number of tests of a package that are used as samples.
const MOST_SAMPLES: usize = 100;
/// Maximum size in bytes of a package's test that is used as a sample.
const LARGEST_SAMPLE: u64 = 1 << 20;

/// The description of a problem for a search. It is created from a `problem.yaml` or a package, or from programs
/// and samples.
#[derive(Debug, Clone)]
pub struct StressProblem {
    /// The id of the problem, for messages.
    pub id: ProblemId,
    /// A string that, together with the seed, determines the random inputs. It is empty for a package or a folder,
    /// whose name must not affect the inputs.
    pub salt: String,
    /// The method of judging outputs.
    pub judging: Judging,
    /// Programs that validate every input. An input is valid if all of them accept it.
    pub validators: Vec<AuxProgram>,
    /// The description of the input; `None` if only the generator defines the format.
    pub description: Option<Description>,
    /// The test groups whose recipes are used to create inputs.
    pub groups: Vec<Group>,
    /// The cases that are mutated.
    pub cases: Vec<Case>,
    /// Inputs that are tried first.
    pub samples: Vec<StressSample>,
    /// The program that prints the inputs of the tests; `None` if the user specified none, in which case the inputs are
    /// generated from the description.
    pub generator: Option<InputGenerator>,
}

/// A sample: an input, with its answer if it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StressSample {
    /// The name of the sample.
    pub name: String,
    /// The content of the input.
    pub input: Vec<u8>,
    /// The content of the answer; `None` if it is not known.
    pub answer: Option<Vec<u8>>,
}

/// The options that a user specifies in addition to a problem or instead of a problem.
#[derive(Debug, Clone, Default)]
pub struct StressOptions {
    /// The program that prints the inputs, if any.
    pub generator: Option<GeneratorCommand>,
    /// The description of the inputs that replaces the problem's description, if any.
    pub description: Option<Description>,
    /// A validator in addition to those of the problem, if any.
    pub validator: Option<OwnAuxProgram>,
    /// The checker that replaces the problem's checker, if any.
    pub checker: Option<CheckerOption>,
}

impl StressProblem {
    /// Applies these options to the problem, and builds the generator.
    ///
    /// # Errors
    /// Fails if a program can't be read or does not compile, if the problem is interactive and the options contain a
    /// checker, or if the judge itself fails.
    pub fn with(mut self, host: &Host, options: StressOptions) -> Result<StressProblem, Failure> {
        if let Some(checker) = options.checker {
            if self.judging.interactive() {
                let message = format!("`{}` is interactive, so a checker cannot check its outputs", self.id);
                return Err(Diagnostic::new(message).help("remove `--checker`").into());
            }
            self.judging = checker.judging(host.cache())?;
        }
        if let Some(validator) = options.validator {
            let mut program = validator.aux_program(host.cache())?;
            if program.protocol == Protocol::Testlib && !validator.files.mentions("testlib") {
                // A validator without testlib usually rejects an input by a failed assertion, which `Protocol::Plain`
                // treats as a rejection.
                program.protocol = Protocol::Plain;
            }
            self.validators.push(program);
        }
        if let Some(command) = options.generator {
            self.generator = Some(InputGenerator::build(host, &command)?);
        }
        self.description = options.description.or(self.description);
        Ok(self)
    }

    /// Creates the description of a native problem for a search. `cases` are the cases that are mutated.
    pub fn of(problem: &Problem, cases: &[Case]) -> StressProblem {
        StressProblem {
            description: Some(problem.input.clone()),
            salt: problem.id.to_string(),
            groups: problem.groups.clone(),
            cases: cases.to_vec(),
            ..StressProblem::bare(problem.id.clone(), problem.judging.clone(), problem.validators.clone())
        }
    }

    /// Creates the description of a package for a search. The first `MOST_SAMPLES` tests of the package that are not
    /// too large are samples, and all inputs are judged like the first test.
    ///
    /// # Errors
    /// Fails if the package does not specify how outputs are judged.
    pub fn of_package(package: &Package) -> Result<StressProblem, Diagnostic> {
        let first = package.tests().next();
        let judging = first.map_or_else(|| Ok(Judging::default()), |case| package.judging(case))?;
        let all = package.input_validators.iter();
        let validators = first.map(|case| all.filter_map(|one| package.input_validator(one, case)).collect());
        let samples = package.tests().filter_map(sample).take(MOST_SAMPLES).collect();
        let bare = StressProblem::bare(package.id.clone(), judging, validators.unwrap_or_default());
        Ok(StressProblem { samples, ..bare })
    }

    /// Returns [`Unsearchable::NoInputs`] if there is neither a description nor a generator, and `None` otherwise.
    pub fn without_inputs(&self) -> Option<Unsearchable> {
        if self.description.is_some() || self.generator.is_some() {
            return None;
        }
        let inputs: Vec<&[u8]> = self.samples.iter().map(|sample| sample.input.as_slice()).collect();
        Some(Unsearchable::NoInputs { guessed: guess(&inputs).map(|guess| guess.text) })
    }

    /// Creates a description with only the method of judging and the validators.
    pub fn bare(id: ProblemId, judging: Judging, validators: Vec<AuxProgram>) -> StressProblem {
        StressProblem {
            id,
            salt: String::new(),
            judging,
            validators,
            description: None,
            groups: Vec::new(),
            cases: Vec::new(),
            samples: Vec::new(),
            generator: None,
        }
    }

    /// Returns whether inputs are known to be valid: they match a description, or validators accept them.
    pub(super) fn knows_valid_inputs(&self) -> bool {
        self.description.is_some() || !self.validators.is_empty()
    }
}

/// Reads a test of a package as a sample. Returns `None` if the test is too large or can't be read.
fn sample(case: &PackageCase) -> Option<StressSample> {
    let small = std::fs::metadata(&case.input).is_ok_and(|about| about.len() <= LARGEST_SAMPLE);
    let input = small.then(|| fs_err::read(&case.input).ok()).flatten()?;
    let answer = case.answer.as_ref().and_then(|path| fs_err::read(path).ok());
    Some(StressSample { name: case.name.clone(), input, answer })
}
