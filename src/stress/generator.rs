//! Generators that the user specifies: programs that print an input for each seed.

use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, Failure, Fault, Limits, TimeSpan};
use crate::runner::{AUTHOR_LIMITS, BuiltProgram, Host, ProgramRunner};

use super::pool::stderr_note;

/// The placeholder in a generator's arguments that is replaced by the seed.
const SEED: &str = "{seed}";
/// The difference, modulo [`MOST_SEED`], between the seeds of the same test in two searches whose `--seed` differs
/// by one.
const SEEDS_OF_SEARCH: u64 = 1_000_000;
/// The largest seed. It is less than 2^31, since a generator may read its seed as an `int`. The smallest seed is 1.
const MOST_SEED: u64 = 2_000_000_000;

/// The limits of one run of a generator.
const LIMITS: Limits = Limits { cpu: TimeSpan::seconds(10), wall: TimeSpan::seconds(25), ..AUTHOR_LIMITS };

/// The command of a generator: a file and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorCommand {
    /// The source file or folder.
    pub file: PathBuf,
    /// The arguments, which may contain the placeholder `{seed}`.
    pub args: Vec<String>,
}

impl GeneratorCommand {
    /// Splits a command such as `gen.cpp 10 20` into the file and the arguments. `exists` returns whether a path
    /// exists. A path with blanks is recognized only if it exists.
    ///
    /// # Errors
    /// Fails if the text is blank.
    pub fn parse(text: &str, exists: &dyn Fn(&Path) -> bool) -> Result<GeneratorCommand, Diagnostic> {
        if text.trim().is_empty() {
            return Err(Diagnostic::new("expected a generator program, such as `gen.py` or `gen.cpp 10 20`"));
        }
        let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
        let file = ends.map(|end| &text[..end]).rfind(|file| exists(Path::new(file)));
        let file = file.or_else(|| text.split_whitespace().next()).unwrap_or(text);
        let rest = text.trim_start().get(file.len()..).unwrap_or_default();
        let args = rest.split_whitespace().map(str::to_owned).collect();
        Ok(GeneratorCommand { file: file.into(), args })
    }
}

/// A built generator.
#[derive(Debug, Clone)]
pub struct InputGenerator {
    program: BuiltProgram,
    args: Vec<String>,
}

impl InputGenerator {
    /// Builds a generator.
    ///
    /// # Errors
    /// Fails if the program can't be read or does not compile, or if the judge itself fails.
    pub fn build(host: &Host, command: &GeneratorCommand) -> Result<InputGenerator, Failure> {
        let source = host.languages().load_author(&command.file, None)?;
        let name = command.file.display().to_string();
        let program = BuiltProgram::build_valid(host, &source, &name)?;
        Ok(InputGenerator { program, args: command.args.clone() })
    }

    /// Returns the command that prints the input for this seed, for use in messages.
    pub fn shown(&self, seed: u64) -> String {
        format!("{} {}", self.program.name, arguments(&self.args, seed).join(" "))
    }

    /// Opens a cell in which the generator runs.
    pub(super) fn open(&self, host: &Host, slot: usize) -> Result<ProgramRunner, Fault> {
        ProgramRunner::new(host, &self.program, slot)
    }

    /// Runs the generator with this seed and returns the input that it prints.
    ///
    /// # Errors
    /// Fails if the generator fails or prints nothing, or if the judge itself fails.
    pub(super) fn run(&self, runner: &mut ProgramRunner, seed: u64) -> Result<Vec<u8>, Failure> {
        let run = runner.run_with_seed(&arguments(&self.args, seed), seed, &LIMITS)?;
        let how = match runner.classify(&run, &LIMITS) {
            None if run.stdout.iter().all(u8::is_ascii_whitespace) => "printed nothing".to_owned(),
            None => return Ok(run.stdout),
            Some(_) if run.execution.breach.is_none() => format!("failed: {}", run.execution.exit),
            Some(verdict) => format!("failed: {}", verdict.long()),
        };
        let said = stderr_note(&run.execution);
        let help = "a generator must print an input; the seed is passed as an argument and in the environment variable \
                    `NIMATRON_SEED`";
        Err(Diagnostic::new(format!("the generator `{}` {how}{said}", self.shown(seed))).help(help).into())
    }
}

/// Returns the arguments for a seed. The seed replaces `{seed}`, or is added as the last argument if there is no
/// `{seed}`.
fn arguments(args: &[String], seed: u64) -> Vec<String> {
    let seed = seed.to_string();
    let mut all: Vec<String> = args.iter().map(|arg| arg.replace(SEED, &seed)).collect();
    if all == args {
        all.push(seed);
    }
    all
}

/// Returns the generator's seed for a test number in the search with the seed `search`.
pub(super) fn seed_of_test(search: u64, number: u64) -> u64 {
    let first = search.wrapping_sub(1).wrapping_mul(SEEDS_OF_SEARCH);
    first.wrapping_add(number) % MOST_SEED + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_split_into_file_and_arguments() {
        let parsed = |text: &str| {
            let exists = |path: &Path| path == Path::new("my gen.py") || path == Path::new("gen.cpp");
            let GeneratorCommand { file, args } = GeneratorCommand::parse(text, &exists).unwrap();
            (file.display().to_string(), args.join("|"))
        };
        assert_eq!(parsed("gen.cpp"), ("gen.cpp".into(), String::new()));
        assert_eq!(parsed("gen.cpp 10  {seed}"), ("gen.cpp".into(), "10|{seed}".into()));
        assert_eq!(parsed("my gen.py 3"), ("my gen.py".into(), "3".into()));
        assert_eq!(parsed("gone.py 3"), ("gone.py".into(), "3".into()));
        assert!(GeneratorCommand::parse(" ", &|_| true).is_err());
    }

    #[test]
    fn the_seed_is_the_last_argument_unless_it_has_a_place() {
        let args =
            |args: &[&str]| arguments(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>(), 7).join(" ");
        assert_eq!(args(&[]), "7");
        assert_eq!(args(&["10", "20"]), "10 20 7");
        assert_eq!(args(&["{seed}", "n=5"]), "7 n=5");
        assert_eq!(args(&["seed={seed}"]), "seed=7");
    }

    #[test]
    fn seeds_are_small_positive_numbers() {
        assert_eq!((seed_of_test(1, 0), seed_of_test(1, 41), seed_of_test(2, 0)), (1, 42, 1_000_001));
        assert!((1..=MOST_SEED).contains(&seed_of_test(u64::MAX, u64::MAX)));
    }
}
