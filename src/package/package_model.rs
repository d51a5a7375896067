//! The data model of a problem package, common to all formats. Values that a package omits are set to the defaults of
//! its format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::check::Comparer;
use crate::lang::ProgramRules;
use crate::model::{ByteSize, CaseLimits, Grading, ProblemId, Score, TimeSpan, Verdict};
use crate::problem::Protocol;

use super::defaults::limits_guess;
use super::sinol::SinolTests;

/// A problem package as read from its files, before it becomes a problem.
#[derive(Debug, Clone)]
pub struct Package {
    /// The problem's id, derived from the name of its folder or file, or from its description.
    pub id: ProblemId,
    /// The folder of the package, or a file with samples.
    pub root: PathBuf,
    /// The detected format and version.
    pub format: PackageFormat,
    /// The format, cases or limits that were guessed because no file specifies them, as text for the user; `None` if
    /// nothing was guessed.
    pub guess: Option<String>,
    /// The files that the problem consists of; `None` for all files below `root`.
    pub content: Option<Vec<PathBuf>>,
    /// Whether the time limit is a default because no file specifies it.
    pub default_limits: bool,
    /// The text of the main file, such as `problem.yaml`; empty if the format has none.
    pub text: String,
    /// The problem's names by language code. There is at least one name.
    pub names: BTreeMap<String, String>,
    /// The problem's author; `None` if the package specifies none.
    pub author: Option<String>,
    /// The origin of the problem, such as the name of a contest; `None` if the package specifies none.
    pub source: Option<String>,
    /// The license of the statement and the data, such as `cc by-sa`; `None` if the package specifies none.
    pub license: Option<String>,
    /// Keywords for searching.
    pub keywords: Vec<String>,
    /// Properties of the problem that determine how submissions are run and scored.
    pub kind: ProblemType,
    /// Limits of submissions and validators.
    pub limits: PackageLimits,
    /// Values of the constants by name. `{{name}}` in a file of the package is replaced by the value.
    pub constants: BTreeMap<String, String>,
    /// The languages allowed for submissions; empty if all are allowed.
    pub languages: Vec<String>,
    /// The statement files. Several files of one language are sorted by preference.
    pub statements: Vec<PackageStatement>,
    /// The cases in the order in which they are judged.
    pub cases: Vec<PackageCase>,
    /// The limits of individual cases that override the limits of the package, keyed by the name of the case.
    pub case_limits: BTreeMap<String, CaseLimits>,
    /// The program that generates the inputs of all cases in one run; `None` if there is none. The cases are known only
    /// after the run, when [`Package::add_made_inputs`] adds them.
    pub input_maker: Option<InputMaker>,
    /// The commands that generate missing files of cases before the cases are judged.
    pub generated_cases: Vec<GeneratedCase>,
    /// The tree of groups and the rules that combine the results of cases.
    pub grading: Grading,
    /// Cases that only test the validators. Submissions are not run on them.
    pub validator_tests: Vec<ValidatorTest>,
    /// Validators of inputs. An input is valid if all of them accept it.
    pub input_validators: Vec<InputValidator>,
    /// The method by which outputs of submissions are checked.
    pub output: OutputCheck,
    /// The program that checks the source code of submissions; `None` if there is none.
    pub static_validator: Option<PathBuf>,
    /// The custom grader, which combines the results in the groups whose rule in `grading` selects it; `None` if there
    /// is none.
    pub grader: Option<PathBuf>,
    /// Files added to every submission, by language. `default` applies to languages without an entry.
    pub include: BTreeMap<String, Vec<(String, PathBuf)>>,
    /// Text that precedes the source files of every submission, by language.
    pub prelude: BTreeMap<String, String>,
    /// Additional arguments of the compilers.
    pub compiler_args: PackageCompilerArgs,
    /// The rules for submissions, in addition to the limits.
    pub program_rules: ProgramRules,
    /// The file in the working directory to which a program writes its output; `None` for standard output.
    pub output_file: Option<String>,
    /// The example submissions of the package.
    pub submissions: Vec<PackageSubmission>,
    /// Cases that are not judged, for example because a file is missing.
    pub skipped_cases: Vec<SkippedCase>,
    /// Notes for the user about parts of the package that are ignored or interpreted differently.
    pub notes: Vec<String>,
}

/// A case that is not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedCase {
    /// The name of the case.
    pub case: String,
    /// The reason, as a fragment of a message.
    pub why: String,
}

/// Additional arguments for the C, C++ and Rust compilers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageCompilerArgs {
    /// Arguments for submissions, by language, as in [`Package::include`].
    pub submissions: BTreeMap<String, Vec<String>>,
    /// Arguments for programs of the package, by path.
    pub programs: BTreeMap<PathBuf, Vec<String>>,
}

impl PackageCompilerArgs {
    /// Returns the arguments for a program of the package.
    pub fn of_program(&self, path: &Path) -> &[String] {
        self.programs.get(path).map_or(&[], Vec::as_slice)
    }
}

/// The format of a package, and its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageFormat {
    /// The legacy ICPC format, which precedes the numbered versions.
    Legacy,
    /// The format legacy-icpc: the subset of the legacy ICPC format that ICPC contests use.
    LegacyIcpc,
    /// Version 2023-07 of the ICPC format, the draft that preceded 2025-09.
    Draft2023,
    /// Version 2025-09 of the ICPC format, the current one.
    V2025,
    /// A full package of Codeforces Polygon.
    Polygon,
    /// A DMOJ problem folder with `init.yml`.
    Dmoj,
    /// A package of SIO2, with `config.yml` and `prog/`.
    Sinol,
    /// Samples without a description, such as a folder of input and answer files.
    Folder,
}

impl Package {
    /// Returns the paths of the files that the problem consists of, or `root` alone if the problem consists of all
    /// files below it.
    pub fn content_paths(&self) -> &[PathBuf] {
        self.content.as_deref().unwrap_or(std::slice::from_ref(&self.root))
    }

    /// Returns the guess, or `None` if nothing was guessed. For samples without a description, the rule by which
    /// outputs are compared and the default limits are appended.
    pub fn whole_guess(&self) -> Option<String> {
        let guess = self.guess.as_ref()?;
        if self.format != PackageFormat::Folder {
            return Some(guess.clone());
        }
        let compared = if self.kind.interactive { "" } else { "; outputs are compared token by token" };
        let limits = if self.default_limits { format!("; {}", limits_guess()) } else { String::new() };
        Some(format!("{guess}{compared}{limits}"))
    }
}

impl PackageFormat {
    /// Returns the format's name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            PackageFormat::Legacy => "ICPC legacy",
            PackageFormat::LegacyIcpc => "ICPC legacy-icpc",
            PackageFormat::Draft2023 => "ICPC 2023-07",
            PackageFormat::V2025 => "ICPC 2025-09",
            PackageFormat::Polygon => "Polygon",
            PackageFormat::Dmoj => "DMOJ",
            PackageFormat::Sinol => "sinol",
            PackageFormat::Folder => "a folder of tests",
        }
    }

    /// Returns the limit on the total size of a submission's source files in packages that set none, or `None` if
    /// the format has no such limit.
    pub const fn default_code(self) -> Option<ByteSize> {
        match self {
            PackageFormat::Legacy | PackageFormat::LegacyIcpc | PackageFormat::Draft2023 | PackageFormat::V2025 => {
                Some(ByteSize::kib(128))
            }
            PackageFormat::Polygon | PackageFormat::Dmoj | PackageFormat::Sinol | PackageFormat::Folder => None,
        }
    }

    /// Returns whether the format is ICPC legacy or legacy-icpc.
    pub const fn is_legacy(self) -> bool {
        matches!(self, PackageFormat::Legacy | PackageFormat::LegacyIcpc)
    }
}

/// Properties of a problem that determine how submissions are run and scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemType {
    /// Whether submissions earn points rather than only pass or fail.
    pub scoring: bool,
    /// Whether submissions communicate with the output validator.
    pub interactive: bool,
    /// Maximum number of passes per case; `None` unless the problem is multi-pass.
    pub passes: Option<u32>,
    /// Whether contestants submit output files instead of programs.
    pub submit_answer: bool,
    /// Whether a lower score is better.
    pub minimize: bool,
}

/// Limits that a package sets for submissions and validators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackageLimits {
    /// CPU time limit per case; `None` if it is derived from the time of the accepted submissions.
    pub time: Option<TimeSpan>,
    /// Granularity of a derived time limit, which is rounded up to a multiple of this time.
    pub resolution: TimeSpan,
    /// Ratio of a derived time limit to the time of the slowest accepted submission, in thousandths.
    pub ac_to_limit: u64,
    /// Minimum ratio between the time of a submission that is expected to exceed the time limit and that limit, in
    /// thousandths.
    pub limit_to_tle: u64,
    /// Memory limit of a submission.
    pub memory: ByteSize,
    /// Limit on the bytes that a submission writes.
    pub output: ByteSize,
    /// Limit on the total size of a submission's source files; `None` if the package sets none. The format's own limit
    /// is [`PackageFormat::default_code`].
    pub code: Option<ByteSize>,
    /// CPU time limit of a validator.
    pub validation_time: TimeSpan,
    /// Memory limit of a validator.
    pub validation_memory: ByteSize,
    /// Limit on the bytes that a validator writes, which [`PackageLimits::of_validators`] raises to at least 64 MiB.
    pub validation_output: ByteSize,
}

/// A statement file, and its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageStatement {
    /// Language code, such as `en` or `pt-BR`.
    pub language: String,
    /// Path of the file.
    pub path: PathBuf,
}

/// Returns the folder of a case with this name, or `tests` if the name has no folder.
pub fn folder_of_case(name: &str) -> &str {
    name.rsplit_once('/').map_or("tests", |(folder, _)| folder)
}

/// A test case of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageCase {
    /// Name of the case, such as `secret/group1/01-small`. In the ICPC format, the name is the path below `data`
    /// without the extension.
    pub name: String,
    /// The input file.
    pub input: PathBuf,
    /// The answer file; `None` if the case has none, as in some interactive problems.
    pub answer: Option<PathBuf>,
    /// An output file that the statement shows in place of the answer; `None` if it shows the answer.
    pub output: Option<PathBuf>,
    /// The file that the statement shows in place of the input, and the file that it shows in place of the answer;
    /// `None` if there is no such file.
    pub shown: [Option<PathBuf>; 2],
    /// An interaction transcript that the statement shows in place of both files; `None` if there is none.
    pub interaction: Option<PathBuf>,
    /// Command-line arguments of the submission.
    pub args: Vec<String>,
    /// Files copied to the submission's working directory, with their names there.
    pub files: Vec<(String, PathBuf)>,
    /// Command-line arguments of the input validators.
    pub input_args: InputArgs,
    /// Command-line arguments of the output validator, after those of the package.
    pub output_args: Vec<String>,
    /// A hint shown to contestants who fail the case; `None` if there is none.
    pub hint: Option<String>,
    /// A description of the case's purpose; `None` if there is none.
    pub description: Option<String>,
    /// Arguments of the static validator. If present, the static validator judges the source code: the case has no
    /// input, and the submission is not run.
    pub text_args: Option<Vec<String>>,
}

/// Commands that generate the missing files of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedCase {
    /// Index of the case in [`Package::cases`].
    pub case: usize,
    /// The generator that prints the input, and its arguments; `None` if the input file exists or `printed` generates
    /// it.
    pub input: Option<(PathBuf, Vec<String>)>,
    /// The program that prints the answer, and its language if the package specifies it; `None` if the answer file
    /// exists or `printed` generates it.
    pub answer: Option<(PathBuf, Option<String>)>,
    /// The program that prints both the input and the answer; `None` if there is none.
    pub printed: Option<PrintedCase>,
}

/// A program that writes the inputs of all cases to its working directory, and the rules by which the inputs become
/// cases.
#[derive(Debug, Clone)]
pub struct InputMaker {
    /// The source file.
    pub program: PathBuf,
    /// The files that are placed in the program's working directory, each with its name there and the path of the
    /// original file.
    pub files: Vec<(String, PathBuf)>,
    /// If the program is a shell script, its path in the working directory, which also contains the other programs of
    /// the package so that the script can compile and start them; `None` otherwise.
    pub script: Option<String>,
    /// The rules by which the inputs become cases.
    pub(super) tests: SinolTests,
}

/// A generator that prints the input of a case to standard output and the answer to standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedCase {
    /// The source file or folder of the generator.
    pub generator: PathBuf,
    /// Name of the generator in messages.
    pub name: String,
    /// Command-line arguments.
    pub args: Vec<String>,
    /// The file that is the standard input of the generator; `None` for empty input.
    pub stdin: Option<PathBuf>,
    /// Whether the input is missing.
    pub input: bool,
    /// Whether the answer is missing.
    pub answer: bool,
    /// Whether all lines of the answer are to be terminated by `\n`.
    pub lines: bool,
    /// The generator's CPU time limit; `None` for the judge's limit on programs of authors.
    pub time_limit: Option<TimeSpan>,
    /// The generator's memory limit; `None` for the judge's limit on programs of authors.
    pub memory_limit: Option<ByteSize>,
}

/// Arguments that a case passes to the input validators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputArgs {
    /// The same arguments for all validators.
    All(Vec<String>),
    /// Arguments by the validator's name. Validators without an entry receive no arguments.
    Each(BTreeMap<String, Vec<String>>),
}

impl Default for InputArgs {
    fn default() -> InputArgs {
        InputArgs::All(Vec::new())
    }
}

impl InputArgs {
    /// Returns the arguments of a validator. [`InputArgs::Each`] is searched for the validator's file name, first with
    /// and then without the extension.
    pub fn of(&self, validator: &InputValidator) -> &[String] {
        match self {
            InputArgs::All(args) => args,
            InputArgs::Each(map) => {
                let file = validator.path.file_name().and_then(|file| file.to_str()).and_then(|file| map.get(file));
                file.or_else(|| map.get(&validator.name)).map_or(&[], Vec::as_slice)
            }
        }
    }
}

/// A case that tests a validator, with the expected result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatorTest {
    /// The expected result.
    pub kind: ValidatorTestKind,
    /// The case. Its `output` is the output under test.
    pub case: PackageCase,
}

/// Expected result of a case that tests a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidatorTestKind {
    /// At least one input validator rejects the input.
    InvalidInput,
    /// The output validator rejects the output.
    InvalidOutput,
    /// The output validator accepts the output.
    ValidOutput,
}

/// A validator of inputs: a program or a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValidator {
    /// Name of the file without the extension, or of the folder.
    pub name: String,
    /// The source file or folder.
    pub path: PathBuf,
    /// The validator's protocol or grammar.
    pub kind: ValidatorKind,
}

/// The protocol of an input validator, or the language of its grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidatorKind {
    /// A program that accepts with exit code 42, as the ICPC format specifies.
    Icpc,
    /// A program that accepts with exit code 0, as testlib validators do.
    Testlib,
    /// A program that receives the file name of the input as an argument, and accepts with exit code 0.
    Sinol,
    /// A checktestdata grammar.
    Checktestdata,
    /// A VIVA grammar, which is not supported.
    Viva,
}

/// The method by which outputs of submissions are checked.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputCheck {
    /// The format's default validator, with the arguments that precede those of each case.
    Default(Vec<String>),
    /// An output validator that follows the ICPC protocol.
    Icpc {
        /// The source file or folder.
        path: PathBuf,
        /// Arguments that precede those of each case.
        args: Vec<String>,
        /// Whether the validator awards points.
        score: bool,
    },
    /// A checker, an interactor or both that follow the testlib protocol.
    Testlib {
        /// The checker; `None` if the interactor alone determines the verdict.
        checker: Option<PathBuf>,
        /// The interactor; `None` if the problem is not interactive.
        interactor: Option<PathBuf>,
        /// The maximum points that the programs award; `None` if unknown.
        full: Option<Score>,
    },
    /// A built-in comparison of the output with the answer.
    Compare(Comparer),
    /// A DMOJ checker or interactor: one of DMOJ's built-in checkers, or one from the package.
    Dmoj(DmojProgram),
    /// A checker or an interactor of a sinol package.
    Sinol {
        /// The source file.
        path: PathBuf,
        /// The number of processes of a submission with which the program communicates, if it is an interactor; `None`
        /// for a checker.
        processes: Option<u32>,
    },
    /// A separate check for each case, by case name.
    Each(BTreeMap<String, OutputCheck>),
}

/// A DMOJ checker or interactor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DmojProgram {
    /// The source file or folder.
    pub path: PathBuf,
    /// The arguments that name the files of a case, as in [`AuxProgram::file_args`](crate::problem::AuxProgram).
    pub file_args: Option<Vec<String>>,
    /// The arguments after those that name the files.
    pub args: Vec<String>,
    /// The protocol by which the judge runs the program.
    pub protocol: Protocol,
    /// The maximum points that a program with the testlib protocol awards; `None` if unknown.
    pub full: Option<Score>,
    /// Whether a checker also judges the outputs of runs that failed.
    pub after_failure: bool,
    /// Whether the program is an interactor.
    pub interactive: bool,
}

/// An example submission of a package.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageSubmission {
    /// Path relative to the folder of submissions, such as `accepted/a.cpp`.
    pub name: String,
    /// The source file or folder.
    pub path: PathBuf,
    /// The language, if the package specifies it.
    pub language: Option<String>,
    /// The entry point, such as a main class, if the package specifies it.
    pub entry: Option<String>,
    /// Expected results, all of which must hold. If there are none, any result is accepted.
    pub expectations: Vec<SubmissionExpectation>,
    /// The effect of the submission's time on the time limit.
    pub time_limit_use: TimeLimitUse,
    /// Globs of the cases or groups in which the submission's time has the effect [`TimeLimitUse::Lower`], if
    /// `time_limit_use` is another effect.
    pub in_time_cases: Vec<String>,
}

/// The effect of an example submission's time on the time limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeLimitUse {
    /// The time has no effect.
    #[default]
    None,
    /// The time limit must be at least the submission's time multiplied by [`PackageLimits::ac_to_limit`].
    Lower,
    /// The submission's time must be at least the time limit multiplied by [`PackageLimits::limit_to_tle`].
    Upper,
}

/// One expected result of an example submission.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmissionExpectation {
    /// The origin of the expectation for messages: a folder, a glob of `submissions.yaml` or a tag.
    pub source: String,
    /// Glob of the cases or groups to which the expectation applies; `None` for all.
    pub cases: Option<String>,
    /// The expected result.
    pub outcome: ExpectedOutcome,
}

/// Expected result of an example submission.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectedOutcome {
    /// The final verdict is in this list.
    Final(Vec<Verdict>),
    /// The verdict of each case is in this list.
    Permitted(Vec<Verdict>),
    /// The verdict of at least one case is in this list.
    Required(Vec<Verdict>),
    /// The points are in this inclusive range.
    Score(f64, f64),
    /// The points are below the maximum.
    NotBest,
    /// The judge's message of at least one case contains this text.
    Message(String),
}
