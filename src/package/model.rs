//! A package as written, whatever its format: one type, in which what a version leaves out has that version's default.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::check::Comparer;
use crate::model::{ByteSize, Grading, ProblemId, Score, TimeSpan, Verdict};
use crate::problem::Protocol;

/// A problem package as written.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its id: the name of its folder, in plain letters.
    pub id: ProblemId,
    /// Its folder.
    pub root: PathBuf,
    /// Its format.
    pub format: PackageFormat,
    /// What was guessed because no file says it: the format, the cases, the limits.
    pub guess: Option<String>,
    /// The text of its main file, if it has one.
    pub text: String,
    /// Its names by language; one at least.
    pub names: BTreeMap<String, String>,
    /// Who made it.
    pub author: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The licence.
    pub license: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// What kind of problem it is.
    pub kind: ProblemType,
    /// Its limits.
    pub limits: PackageLimits,
    /// Its constants, by the names that stand for them between `{{` and `}}`.
    pub constants: BTreeMap<String, String>,
    /// The languages a program may be written in; all if none is named.
    pub languages: Vec<String>,
    /// Its statements.
    pub statements: Vec<PackageStatement>,
    /// The cases in the order in which they are judged.
    pub cases: Vec<PackageCase>,
    /// Files of cases that are not there and must be made before the cases are judged.
    pub generated_cases: Vec<GeneratedCase>,
    /// How their results become one.
    pub grading: Grading,
    /// Cases that test the validators and judge nobody.
    pub validator_tests: Vec<ValidatorTest>,
    /// What checks inputs; all must accept.
    pub input_validators: Vec<InputValidator>,
    /// What checks outputs.
    pub output: OutputCheck,
    /// What checks programs' texts.
    pub static_validator: Option<PathBuf>,
    /// The program that grades groups, where the rules do not.
    pub grader: Option<PathBuf>,
    /// Files that are put beside every program, by language; `default` goes for all that have none of their own.
    pub include: BTreeMap<String, Vec<(String, PathBuf)>>,
    /// The file in its working directory to which a program writes its output, where that is not the standard output.
    pub output_file: Option<String>,
    /// The programs that come with it.
    pub submissions: Vec<PackageSubmission>,
    /// The cases that are not judged because something of them is missing.
    pub skipped_cases: Vec<SkippedCase>,
    /// What was left out or read otherwise than it says, for a person.
    pub notes: Vec<String>,
}

/// A case that is not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedCase {
    /// Its name.
    pub case: String,
    /// Why.
    pub why: String,
}

/// A package's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageFormat {
    /// ICPC, before it had versions.
    Legacy,
    /// The part of it that ICPC contests use.
    LegacyIcpc,
    /// ICPC 2023-07, a draft of 2025-09.
    Draft2023,
    /// ICPC 2025-09.
    V2025,
    /// Polygon.
    Polygon,
    /// DMOJ.
    Dmoj,
    /// A folder of tests.
    Folder,
}

impl PackageFormat {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            PackageFormat::Legacy => "ICPC legacy",
            PackageFormat::LegacyIcpc => "ICPC legacy-icpc",
            PackageFormat::Draft2023 => "ICPC 2023-07",
            PackageFormat::V2025 => "ICPC 2025-09",
            PackageFormat::Polygon => "Polygon",
            PackageFormat::Dmoj => "DMOJ",
            PackageFormat::Folder => "a folder of tests",
        }
    }

    /// Whether it is one of ICPC's versions before 2023.
    pub const fn is_legacy(self) -> bool {
        matches!(self, PackageFormat::Legacy | PackageFormat::LegacyIcpc)
    }
}

/// What kind of problem it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemType {
    /// Programs earn points.
    pub scoring: bool,
    /// Programs talk with the output validator.
    pub interactive: bool,
    /// How many passes a case has at most; one unless it is a multi-pass problem.
    pub passes: Option<u32>,
    /// Answers are handed in instead of programs.
    pub submit_answer: bool,
    /// Points are better the fewer they are.
    pub minimize: bool,
}

/// A package's limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackageLimits {
    /// CPU time of a case, if it is given.
    pub time: Option<TimeSpan>,
    /// Else the limit is the least multiple of this…
    pub resolution: TimeSpan,
    /// …that is this many times the time of the slowest accepted program, in thousandths;
    pub ac_to_limit: u64,
    /// and too slow programs need this many times the limit, in thousandths.
    pub limit_to_tle: u64,
    /// Memory of a program.
    pub memory: ByteSize,
    /// What a program may write.
    pub output: ByteSize,
    /// How large a program's text may be in all its files, if that is said.
    pub code: Option<ByteSize>,
    /// Time of a validator.
    pub validation_time: TimeSpan,
    /// Memory of a validator.
    pub validation_memory: ByteSize,
    /// What a validator may write.
    pub validation_output: ByteSize,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageStatement {
    /// Its language: `en`, `pt-BR`.
    pub language: String,
    /// Its file.
    pub path: PathBuf,
}

/// A case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageCase {
    /// Its name: the path below `data` without an ending, `secret/group1/01-small`.
    pub name: String,
    /// The input.
    pub input: PathBuf,
    /// The answer; none if there is none, as in some interactive problems.
    pub answer: Option<PathBuf>,
    /// The output that is shown instead of the answer.
    pub output: Option<PathBuf>,
    /// What is shown in the statement instead of the input and of the answer.
    pub shown: [Option<PathBuf>; 2],
    /// The dialogue that is shown instead of both.
    pub interaction: Option<PathBuf>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Files in the program's working directory.
    pub files: Vec<(String, PathBuf)>,
    /// Arguments of the input validators.
    pub input_args: InputArgs,
    /// Arguments of the output validator.
    pub output_args: Vec<String>,
    /// What helps somebody who fails it.
    pub hint: Option<String>,
    /// What it tests.
    pub description: Option<String>,
    /// The static validator's arguments, in a case in which that judges the program's text: it has no input, and nothing
    /// is run.
    pub text_args: Option<Vec<String>>,
}

/// How the files of a case are made that the package does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedCase {
    /// The case, by its place among all.
    pub case: usize,
    /// The program that prints the input, with its arguments.
    pub input: Option<(PathBuf, Vec<String>)>,
    /// The program that prints the answer to it, and its language if its file does not say it.
    pub answer: Option<(PathBuf, Option<String>)>,
}

/// Arguments of input validators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputArgs {
    /// For all of them.
    All(Vec<String>),
    /// For some, by name.
    Each(BTreeMap<String, Vec<String>>),
}

impl Default for InputArgs {
    fn default() -> InputArgs {
        InputArgs::All(Vec::new())
    }
}

impl InputArgs {
    /// The arguments of a validator, which is named by its file with or without the ending.
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

/// A case that tests validators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatorTest {
    /// What must come of it.
    pub kind: ValidatorTestKind,
    /// The case; its output is the one under test.
    pub case: PackageCase,
}

/// What must come of a case that tests validators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidatorTestKind {
    /// An input validator refuses the input.
    InvalidInput,
    /// The output validator rejects the output.
    InvalidOutput,
    /// The output validator accepts the output.
    ValidOutput,
}

/// What checks inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValidator {
    /// Its name: that of its file without the ending, or of its folder.
    pub name: String,
    /// Its file or folder.
    pub path: PathBuf,
    /// What it is.
    pub kind: ValidatorKind,
}

/// What an input validator is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidatorKind {
    /// A program that ends with 42.
    Icpc,
    /// A program that ends with 0, as those made with testlib.
    Testlib,
    /// A checktestdata grammar.
    Checktestdata,
    /// A VIVA grammar, which is not read.
    Viva,
}

/// What checks outputs.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputCheck {
    /// The default validator of the format, with these arguments before those of each case.
    Default(Vec<String>),
    /// A program with the protocol of ICPC.
    Icpc {
        /// Its file or folder.
        path: PathBuf,
        /// Arguments before those of each case.
        args: Vec<String>,
        /// It gives points.
        score: bool,
    },
    /// A checker, an interactor or both with the protocol of testlib.
    Testlib {
        /// The checker.
        checker: Option<PathBuf>,
        /// What a program talks with, in an interactive problem.
        interactor: Option<PathBuf>,
        /// What the points they give are out of.
        full: Option<Score>,
    },
    /// A comparison of the output with the answer.
    Compare(Comparer),
    /// A program of DMOJ's: a checker of its own, or one that came with the package.
    Dmoj(DmojProgram),
    /// Each case by its own, by the case's name.
    Each(BTreeMap<String, OutputCheck>),
}

/// A checker or an interactor as DMOJ knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DmojProgram {
    /// Its file or folder.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Programs talk with it.
    pub interactive: bool,
}

/// A program that comes with a package.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageSubmission {
    /// Its path below the folder of submissions: `accepted/a.cpp`.
    pub name: String,
    /// Its file or folder.
    pub path: PathBuf,
    /// Its language, if it is said.
    pub language: Option<String>,
    /// Where it begins, if it is said.
    pub entry: Option<String>,
    /// What must come of it, all of it. Nothing is promised where it is empty.
    pub expectations: Vec<SubmissionExpectation>,
    /// Whether its time counts for the time limit.
    pub time_limit_use: TimeLimitUse,
}

/// How a program's time counts for the time limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeLimitUse {
    /// It does not.
    #[default]
    None,
    /// The limit must be well above it.
    Lower,
    /// The limit must be well below it.
    Upper,
}

/// Something that must come of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmissionExpectation {
    /// Where it is written, for a person: `accepted`, `submissions.yaml: accepted/*`.
    pub source: String,
    /// Of which cases or groups, as a glob; of all if none.
    pub cases: Option<String>,
    /// What.
    pub outcome: ExpectedOutcome,
}

/// What must come of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectedOutcome {
    /// The verdict on the whole is one of these.
    Final(Vec<Verdict>),
    /// The verdict of each case is one of these.
    Permitted(Vec<Verdict>),
    /// The verdict of a case at least is one of these.
    Required(Vec<Verdict>),
    /// The points are from the first to the second.
    Score(f64, f64),
    /// The points are not the best.
    NotBest,
    /// The judge's message of a case has this in it.
    Message(String),
}
