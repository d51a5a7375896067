//! The methods of judging a run of a program: by comparison, by a checker program, or in a dialogue with an interactor.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::check::{Comparer, ComparisonRule};
use crate::model::{ByteSize, Limits, Points, Score, TimeSpan};

/// The method by which the run of a program in a case is judged.
#[derive(Debug, Clone, PartialEq)]
pub enum Judging {
    /// The output is compared with the answer.
    Compare(Comparer),
    /// A checker program reads the input, the output and the answer.
    Checker {
        /// The program that checks the output.
        checker: AuxProgram,
        /// Maximum number of runs of the judged program per case. A number above 1 requires a checker of protocol
        /// [`Protocol::Icpc`], which requests a further pass by writing its input to `nextpass.in`.
        passes: u32,
    },
    /// The program communicates with an interactor: the standard output of each is the standard input of the other.
    Interactor {
        /// The program that communicates with the submission.
        interactor: AuxProgram,
        /// The checker, if any, that runs after an interactor of protocol [`Protocol::Testlib`] has accepted. It judges
        /// the file that the interactor wrote.
        checker: Option<Box<AuxProgram>>,
        /// Maximum number of runs of the judged program per case, as for a checker.
        passes: u32,
    },
}

/// An auxiliary program of the problem: a checker, an interactor, a validator or a custom grader.
#[derive(Debug, Clone, PartialEq)]
pub struct AuxProgram {
    /// The source, which is a file or a folder. The headers in the folder of a C or C++ file belong to the source.
    pub source: PathBuf,
    /// The name by which messages refer to the program; `None` for the path of the source. Only a program that a user
    /// specifies has a name, because its source is a copy in the cache.
    pub name: Option<String>,
    /// The id of the language; `None` to derive the language from the file name.
    pub language: Option<String>,
    /// The protocol by which the program is called and returns its result.
    pub protocol: Protocol,
    /// The arguments of a checker or an interactor that replace the protocol's arguments; `None` for the protocol's
    /// arguments. In each, `{input_file}`, `{output_file}` and `{answer_file}` stand for the paths of the files.
    pub file_args: Option<Vec<String>>,
    /// Arguments that follow those of the protocol.
    pub args: Vec<String>,
    /// Limits of one run. An exceeded limit is a failure of the auxiliary program.
    pub limits: Limits,
    /// The interpretation of the points that the program awards.
    pub worth: PointsMeaning,
    /// Maximum points that the program can award (`score.txt`, `points X`). If `None`, the points are a fraction from 0
    /// to 1, or, with [`PointsMeaning::Points`], points of an unknown maximum.
    pub full: Option<Score>,
    /// The values of constants by name: `{{name}}` in the source is replaced by the value.
    pub constants: BTreeMap<String, String>,
    /// Whether a checker also judges the output of a run that failed. It then determines only the points; the verdict
    /// on the run is not changed.
    pub after_failure: bool,
    /// Whether the working directory is a folder with the source files of the judged program.
    pub among_files: bool,
    /// Additional arguments of the compiler.
    pub compiler_args: Vec<String>,
    /// Number of processes of the judged program with which an interactor communicates; 1 for other programs. Only
    /// interactors of protocol [`Protocol::Sinol`] can communicate with more than one.
    pub processes: u32,
}

/// The interpretation of the points that an auxiliary program awards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PointsMeaning {
    /// A fraction of the points of the case.
    #[default]
    Share,
    /// Points on the scale of the package. Points in `score.txt` count unchanged; without this file, the rules of the
    /// groups apply. Points of testlib programs are relative to [`AuxProgram::full`], which they can't exceed. Zero
    /// points are not a failure.
    Points,
    /// Points of a case in version 2025-09 of the ICPC package format: `score_multiplier.txt` contains a fraction of
    /// this maximum, or `score.txt` at most this number of points. Without a maximum, `score.txt` must contain the
    /// points.
    Case(Option<Points>),
    /// The case has no points, because its group passes or fails as a whole. A written score is a failure of the
    /// auxiliary program.
    Whole,
    /// The case has no points, for example because it is a sample. Written scores are ignored.
    Nothing,
}

/// The protocol by which an auxiliary program is called and returns its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// The protocol of the ICPC package format: `checker INPUT ANSWER FEEDBACK_DIR/ ARGS… < OUTPUT`, an interactor
    /// likewise without the redirection, and `validator ARGS… < INPUT`. Exit code 42 accepts, 43 rejects, and any other
    /// exit code is a failure. Files in the feedback folder: `judgemessage.txt`, `teammessage.txt`, `score.txt`,
    /// `score_multiplier.txt`, `nextpass.in`.
    #[default]
    Icpc,
    /// The protocol of testlib: `checker INPUT OUTPUT ANSWER ARGS…`, `interactor INPUT OUTPUT ANSWER ARGS…` (which
    /// writes OUTPUT), and `validator ARGS… < INPUT`. Exit code 0 accepts; other exit codes reject, award points or
    /// report a failure.
    Testlib,
    /// A simple protocol for packages and for validators given by users: `checker INPUT OUTPUT ANSWER ARGS…`,
    /// `interactor INPUT ANSWER ARGS…` and `validator ARGS… < INPUT`. Exit code 0 accepts and 1 rejects. Any other exit
    /// code is a failure of a checker or interactor; a validator rejects with any other exit code, or by a signal.
    Plain,
    /// The protocol of Python checkers in DMOJ packages: like [`Protocol::Icpc`], except that the folder of INPUT also
    /// contains `run.json`, which describes the run of the submission, and `submission`, its source.
    Dmoj,
    /// The protocol `coci` of DMOJ packages: like [`Protocol::Testlib`], but an interactor is called as
    /// `interactor INPUT ANSWER ARGS…`, and exit code 7 with the line `partial X/Y` on standard error awards a fraction
    /// of the points.
    Coci,
    /// The protocol `peg` of DMOJ packages: `checker ANSWER OUTPUT INPUT ARGS…`. Exit code 0 accepts and 1 rejects,
    /// unless two consecutive lines of standard output are numbers X and Y, which award X/Y of the points.
    Peg,
    /// The protocol of sinol packages: `checker INPUT OUTPUT ANSWER ARGS…`, `validator NAME ARGS… < INPUT` and
    /// `interactor ARGS… COUNT READ WRITE… < INPUT` with the number of processes of the judged program and, for each
    /// process, the numbers of the file descriptors that are connected to it. The last argument of each process is its
    /// number, from 0. The lines of standard output are `OK` or another word, a message, and the percentage of the
    /// points.
    Sinol,
}

impl Protocol {
    /// Returns the name of the protocol. `problem.yaml` accepts `icpc` and `testlib`.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Icpc => "icpc",
            Protocol::Testlib => "testlib",
            Protocol::Plain => "plain",
            Protocol::Dmoj => "dmoj",
            Protocol::Coci => "coci",
            Protocol::Peg => "peg",
            Protocol::Sinol => "sinol",
        }
    }
}

impl Default for Judging {
    fn default() -> Judging {
        Judging::Compare(Comparer::new(ComparisonRule::Tokens))
    }
}

impl Judging {
    /// Returns the comparer; `None` if outputs are judged by a program.
    pub fn comparer(&self) -> Option<Comparer> {
        match self {
            Judging::Compare(comparer) => Some(*comparer),
            Judging::Checker { .. } | Judging::Interactor { .. } => None,
        }
    }

    /// Returns true if the judged program communicates with an interactor, so that it has no output to compare.
    pub fn interactive(&self) -> bool {
        self.interactor().is_some()
    }

    /// Returns the interactor; `None` if the judged program does not communicate with one.
    pub fn interactor(&self) -> Option<&AuxProgram> {
        match self {
            Judging::Compare(_) | Judging::Checker { .. } => None,
            Judging::Interactor { interactor, .. } => Some(interactor),
        }
    }

    /// Returns the auxiliary programs that judge runs.
    pub fn aux_programs(&self) -> impl Iterator<Item = &AuxProgram> {
        let (first, second) = match self {
            Judging::Compare(_) => (None, None),
            Judging::Checker { checker, .. } => (Some(checker), None),
            Judging::Interactor { interactor, checker, .. } => (Some(interactor), checker.as_deref()),
        };
        first.into_iter().chain(second)
    }

    /// Returns the maximum number of runs of the judged program per case.
    pub fn passes(&self) -> u32 {
        match self {
            Judging::Compare(_) => 1,
            Judging::Checker { passes, .. } | Judging::Interactor { passes, .. } => *passes,
        }
    }
}

impl AuxProgram {
    /// Maximum of [`AuxProgram::processes`].
    pub const MOST_PROCESSES: u32 = 16;
    /// Default limits of an auxiliary program.
    pub const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(10),
        wall: TimeSpan::seconds(21),
        memory: ByteSize::mib(1024),
        output: ByteSize::mib(64),
        processes: 64,
    };

    /// Creates a program with the given source and protocol, and defaults for all other fields.
    pub fn new(source: impl Into<PathBuf>, protocol: Protocol) -> AuxProgram {
        AuxProgram {
            source: source.into(),
            name: None,
            language: None,
            protocol,
            file_args: None,
            args: Vec::new(),
            limits: AuxProgram::LIMITS,
            worth: PointsMeaning::Share,
            full: None,
            constants: BTreeMap::new(),
            after_failure: false,
            among_files: false,
            compiler_args: Vec::new(),
            processes: 1,
        }
    }

    /// Returns the name by which messages refer to the program.
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.source.display().to_string())
    }
}
