//! How a program's runs are judged: by comparing, by a checker program, or in a dialogue with an interactor.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::check::{Comparer, Rule};
use crate::model::{ByteSize, Limits, Points, Score, TimeSpan};

/// How what a program does in a case is judged.
#[derive(Debug, Clone, PartialEq)]
pub enum Judging {
    /// Its output is compared with the answer.
    Compare(Comparer),
    /// A checker program is given input, output and answer.
    Checker {
        /// The checker.
        checker: AuxProgram,
        /// How often the program may be run in one case; 1 unless the checker asks for further passes with a file
        /// `nextpass.in` (protocol [`Protocol::Icpc`]), which is then the input of the next.
        passes: u32,
    },
    /// It talks to an interactor: the standard output of each is the standard input of the other.
    Interactor {
        /// The interactor.
        interactor: AuxProgram,
        /// Where the interactor accepts, this checker also judges the file it wrote (protocol [`Protocol::Testlib`]).
        checker: Option<AuxProgram>,
        /// As with a checker.
        passes: u32,
    },
}

/// A setter's program that stands beside the contestant's: a checker, an interactor or a validator.
#[derive(Debug, Clone, PartialEq)]
pub struct AuxProgram {
    /// Its source: a file (with it, for C and C++, the headers in the same folder) or a folder, anywhere.
    pub source: PathBuf,
    /// Its language's id; by its name if none.
    pub language: Option<String>,
    /// How it is called and how it answers.
    pub protocol: Protocol,
    /// Its arguments behind those of the protocol.
    pub args: Vec<String>,
    /// What it may use in one run. Using more is its own failure.
    pub limits: Limits,
    /// What the points it gives are worth.
    pub worth: Worth,
    /// What the points it gives (`score.txt`, `points X`) are out of. Without it they are a share from 0 to 1, or in a
    /// package ([`Worth::Points`]) of no known size.
    pub full: Option<Score>,
    /// Names that stand between `{{` and `}}` in its source for these texts.
    pub constants: BTreeMap<String, String>,
    /// Whether its working directory is a folder with the files of the program whose runs it judges.
    pub among_files: bool,
}

/// What the points that a auxiliary program gives are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Worth {
    /// A share of the case.
    #[default]
    Share,
    /// Points as the package has them. In `score.txt` they count as they are; without that file the groups' rules say
    /// what there is. Those of testlib's are out of [`AuxProgram::full`] and at most that. None at all is no failure.
    Points,
    /// The points of a case in the ICPC format 2025-09: a share of these, or that many at most. Where there is no bound,
    /// only `score.txt` says how many.
    Case(Option<Points>),
    /// Nothing for this case alone, so that a score is a failure: its group is passed as a whole.
    Whole,
    /// Nothing, and a score does no harm: the problem has no points, or a sample none.
    Nothing,
}

/// How a setter's program is called and how it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Protocol {
    /// That of the ICPC package format: `checker INPUT ANSWER FEEDBACK_DIR/ ARGS… < OUTPUT`, an interactor the same but
    /// for its standard input, `validator ARGS… < INPUT`; exit code 42 accepts, 43 rejects, any other is a failure.
    /// Files in the feedback folder: `judgemessage.txt`, `teammessage.txt`, `score.txt`, `score_multiplier.txt`,
    /// `nextpass.in`.
    #[default]
    Icpc,
    /// That of testlib: `checker INPUT OUTPUT ANSWER ARGS…`, `interactor INPUT OUTPUT ANSWER ARGS…` (it writes OUTPUT),
    /// `validator ARGS… < INPUT`; exit code 0 accepts, and each way of rejecting has its own.
    Testlib,
    /// The plain one of small judges: `checker INPUT OUTPUT ANSWER ARGS…`, `interactor INPUT ANSWER ARGS…`; exit code 0
    /// accepts, 1 rejects, any other is a failure. Packages alone speak it.
    Plain,
}

impl Protocol {
    /// Its name in `problem.yaml`.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Icpc => "icpc",
            Protocol::Testlib => "testlib",
            Protocol::Plain => "plain",
        }
    }
}

impl Default for Judging {
    fn default() -> Judging {
        Judging::Compare(Comparer::new(Rule::Tokens))
    }
}

impl Judging {
    /// The way of comparing, where outputs are compared.
    pub fn comparer(&self) -> Option<Comparer> {
        match self {
            Judging::Compare(comparer) => Some(*comparer),
            Judging::Checker { .. } | Judging::Interactor { .. } => None,
        }
    }

    /// Whether programs talk to an interactor. Then no program has an output of its own, and the reference no answer.
    pub fn interactive(&self) -> bool {
        matches!(self, Judging::Interactor { .. })
    }

    /// The setter's programs that take part.
    pub fn aux_programs(&self) -> impl Iterator<Item = &AuxProgram> {
        let (first, second) = match self {
            Judging::Compare(_) => (None, None),
            Judging::Checker { checker, .. } => (Some(checker), None),
            Judging::Interactor { interactor, checker, .. } => (Some(interactor), checker.as_ref()),
        };
        first.into_iter().chain(second)
    }

    /// How often a program may be run in one case.
    pub fn passes(&self) -> u32 {
        match self {
            Judging::Compare(_) => 1,
            Judging::Checker { passes, .. } | Judging::Interactor { passes, .. } => *passes,
        }
    }
}

impl AuxProgram {
    /// What a auxiliary program may use unless somebody says otherwise.
    pub const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(10),
        wall: TimeSpan::seconds(21),
        memory: ByteSize::mib(1024),
        output: ByteSize::mib(64),
        processes: 64,
    };

    /// A program with this source that speaks this protocol; the rest as it is where nothing is said.
    pub fn new(source: impl Into<PathBuf>, protocol: Protocol) -> AuxProgram {
        AuxProgram {
            source: source.into(),
            language: None,
            protocol,
            args: Vec::new(),
            limits: AuxProgram::LIMITS,
            worth: Worth::Share,
            full: None,
            constants: BTreeMap::new(),
            among_files: false,
        }
    }
}
