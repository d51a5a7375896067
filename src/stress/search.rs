//! Performs a search from a request to its report: checks, test data, limits, programs, tests, and the shrinking of
//! the failing input. All front ends use this module.

use std::path::PathBuf;

use crate::lang::Source;
use crate::model::{ByteSize, Diagnostic, Failure, Limits, ProblemId, TimeSpan};
use crate::package::Package;
use crate::problem::Problem;
use crate::runner::{BuildResult, BuiltProgram, CheckerOption, JudgeOptions, PreparedProblem, reference};
use crate::service::{GameReason, JudgeService, PreparationProgress, game_reasons};

use super::add_case::{AddedCase, add_case, check_addable};
use super::hunt::{Hunt, HuntEnd, HuntProgress, Hunted, hunt};
use super::minimize::{Minimized, ShrinkProgress, minimize};
use super::pool::{Pool, check_against};
use super::problem::{StressOptions, StressProblem};
use super::test_run::FailingInput;

/// Maximum number of games in an input for which the reasons why they are won or lost are reported.
const EXPLAINED: usize = 5;

/// A request to search for an input on which a program fails.
#[derive(Debug, Clone)]
pub struct StressRequest {
    /// The name of the program in events and messages.
    pub program: String,
    /// The program.
    pub source: Source,
    /// The programs that provide the answers instead of the reference, with their names in messages.
    pub against: Vec<(String, Source)>,
    /// The options that the user specified in addition to the problem.
    pub options: StressOptions,
    /// The time limit and the memory limit that override the limits of the problem; `None` for the limit of the
    /// problem.
    pub limits: (Option<TimeSpan>, Option<ByteSize>),
    /// Maximum duration of the search; see [`Hunt::bounded`].
    pub seconds: Option<TimeSpan>,
    /// Maximum number of tests; `None` for no maximum.
    pub count: Option<u64>,
    /// The seed of the tests.
    pub seed: u64,
    /// Maximum time for shrinking; zero disables it.
    pub shrink: TimeSpan,
    /// Whether the shrunk input is added to the tests of the problem; see [`StressSearch::add_to_tests`].
    pub add: bool,
    /// Maximum number of slots; `None` for all free slots.
    pub slots: Option<usize>,
}

/// An event of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StressEvent<'a> {
    /// The search starts.
    Started,
    /// Tests were run.
    Tried(&'a HuntProgress),
    /// The program failed on a test.
    Found(&'a FailingInput, &'a HuntProgress),
    /// A candidate for a smaller failing input was tried.
    Shrinking(ShrinkProgress<'a>),
}

/// A prepared search: the problem can be searched, and the limits are known.
pub struct StressSearch<'a> {
    service: &'a JudgeService,
    target: &'a PreparedProblem,
    subject: StressProblem,
    request: StressRequest,
    limits: Limits,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StressReport {
    /// The seed of the tests.
    pub seed: u64,
    /// The result of the search for a failing input.
    pub hunted: Hunted,
    /// The compiler's output if the program does not compile; `None` if the program was tested.
    pub rejected: Option<String>,
    /// The shrunk input, if a failing input was found.
    pub minimized: Option<Minimized>,
    /// For a game, the reasons why the positions of the shrunk input are won or lost.
    pub why: Vec<GameReason>,
}

/// The reason why a problem can't be searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsearchable {
    /// Both the request and the problem describe the inputs.
    #[error("the problem already has a description of its inputs")]
    AlreadyDescribed,
    /// Neither a program nor an interactor provides the answers.
    #[error("there is no program that computes the answers")]
    NoAnswers {
        /// An accepted solution of the package, which the user could specify as the answering program; `None` if the
        /// package has none.
        accepted: Option<PathBuf>,
    },
    /// There is neither a description of the inputs nor a generator.
    #[error("there is neither a generator nor a description of the inputs")]
    NoInputs {
        /// A description that was guessed from the samples; `None` if the guess failed.
        guessed: Option<String>,
    },
}

impl From<Unsearchable> for Diagnostic {
    /// Creates the diagnostic for the command line. The help suggests command-line options,
    /// such as `--against`.
    fn from(reason: Unsearchable) -> Diagnostic {
        let help = match &reason {
            Unsearchable::AlreadyDescribed => "remove `--input-spec`".to_owned(),
            Unsearchable::NoAnswers { accepted: Some(path) } => {
                format!("specify a program to compare with, such as `--against {}`", path.display())
            }
            Unsearchable::NoAnswers { accepted: None } => {
                "specify a slow but correct program to compare with, such as `--against brute.py`".to_owned()
            }
            Unsearchable::NoInputs { guessed } => {
                let text = match guessed {
                    Some(text) => format!("`--input-spec '{text}'` (guessed from the samples; correct the ranges)"),
                    None => "`--input-spec 'n: 1..=10; a[n]: 1..=100'`".to_owned(),
                };
                format!("add a generator with `--generator gen.py`, or a description with {text}")
            }
        };
        Diagnostic::new(reason.to_string()).help(help)
    }
}

/// Checks that a search on this problem is possible, but not whether there is a source of inputs. Returns
/// [`Unsearchable::AlreadyDescribed`] if the options describe the inputs of a native problem, and
/// [`Unsearchable::NoAnswers`] if neither an interactor nor a program provides the answers of a package.
///
/// # Errors
/// Fails if a native problem needs a reference but has no valid one, if a native problem is interactive although
/// `has_against` is true, or if a package does not specify how outputs are judged.
pub fn check_searchable(
    target: &PreparedProblem,
    options: &StressOptions,
    has_against: bool,
) -> Result<Option<Unsearchable>, Failure> {
    match (target.problem(), target.package()) {
        (Some(_), _) if options.description.is_some() => return Ok(Some(Unsearchable::AlreadyDescribed)),
        (Some(problem), _) if has_against => check_against(problem)?,
        (Some(problem), _) if !problem.judging.interactive() => drop(reference(problem)?),
        (None, Some(package)) if !has_against && !StressProblem::of_package(package)?.judging.interactive() => {
            return Ok(Some(Unsearchable::NoAnswers { accepted: accepted_solution(package) }));
        }
        _ => {}
    }
    Ok(None)
}

/// Returns the path of the first accepted solution of a package, or `None` if it has none.
pub fn accepted_solution(package: &Package) -> Option<PathBuf> {
    let accepted = package.submissions.iter().find(|submission| submission.name.starts_with("accepted/"));
    accepted.map(|submission| submission.path.clone())
}

impl StressRequest {
    /// Returns the judging options that set the limits and the checker of the request.
    pub fn judging(&self) -> JudgeOptions {
        let (time, memory) = self.limits;
        let checker: Option<CheckerOption> = self.options.checker.clone();
        JudgeOptions { time, memory, checker, ..JudgeOptions::default() }
    }
}

impl<'a> StressSearch<'a> {
    /// Generates the test data of the problem, derives its time limit, and checks that a search is possible. `progress`
    /// is called with the current activity.
    ///
    /// # Errors
    /// Fails if the problem can't be searched with this request, if the request adds tests to it and this is not
    /// possible, if its test data can't be generated or its time limit derived, or if the judge itself fails.
    pub fn prepare(
        service: &'a JudgeService,
        target: &'a PreparedProblem,
        request: StressRequest,
        progress: PreparationProgress<'_>,
    ) -> Result<StressSearch<'a>, Failure> {
        if request.add {
            check_addable(target, service.host().cache().root())?;
        }
        if let Some(reason) = check_searchable(target, &request.options, !request.against.is_empty())? {
            return Err(Diagnostic::from(reason).in_file(target.id().to_string()).into());
        }
        let bare = match (target.problem(), target.package()) {
            (Some(problem), _) => {
                let data = service.data(target, progress)?;
                StressProblem::of(problem, data.map_or(&[], |data| &data.made.cases))
            }
            (None, Some(package)) => StressProblem::of_package(package)?,
            (None, None) => return Err(Diagnostic::new("the problem is neither native nor a package").into()),
        };
        let limits = service.limits(target, &request.judging(), progress)?;
        let subject = bare.with(service.host(), request.options.clone())?;
        if let Some(reason) = subject.without_inputs() {
            return Err(Diagnostic::from(reason).in_file(target.id().to_string()).into());
        }
        Ok(StressSearch { service, target, subject, request, limits })
    }

    /// Returns the request for which the search was prepared.
    pub fn request(&self) -> &StressRequest {
        &self.request
    }

    /// Returns the limits of the program, before the time factor of its language is applied.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the id of the problem.
    pub fn problem(&self) -> &ProblemId {
        &self.subject.id
    }

    /// Returns the letter of the isolation level in effect.
    pub fn isolation(&self) -> String {
        self.service.isolation().level.to_string()
    }

    /// Returns the native problem, or `None` for a package or a folder.
    pub fn native(&self) -> Option<&'a Problem> {
        self.target.problem()
    }

    /// Builds the programs, runs the search, and shrinks the failing input that was found.
    ///
    /// # Errors
    /// Fails if the problem has several passes, if an answering program can't be read or does not compile, if no test
    /// can be created, if the user's generator fails, if a validator rejects a sample or an output of the user's
    /// generator, or if the judge itself fails. A cancellation of the tests is not an error.
    pub fn run(&self, emit: &mut dyn FnMut(StressEvent<'_>)) -> Result<StressReport, Failure> {
        let StressRequest { program, source, against, seed, seconds, count, shrink, slots, .. } = &self.request;
        let host = self.service.host();
        let mut report =
            StressReport { seed: *seed, hunted: Hunted::nothing(), rejected: None, minimized: None, why: Vec::new() };
        emit(StressEvent::Started);
        let program = match BuiltProgram::build(host, source, program)? {
            BuildResult::Ready(program) => program,
            BuildResult::Rejected(output) => return Ok(StressReport { rejected: Some(output), ..report }),
        };
        let mut pool = Pool::unanswered(host, self.subject.clone(), *seed)?;
        if let (Some(problem), true) = (self.native(), against.is_empty()) {
            pool = pool.answered_by_reference(problem)?;
        }
        for (name, source) in against {
            pool = pool.against(BuiltProgram::build_valid(host, source, name)?, &self.limits);
        }
        let wanted = Hunt { slots: *slots, ..Hunt::bounded(*seconds, *count, self.limits) };
        report.hunted = hunt(&pool, &program, &wanted, &mut |progress| emit(StressEvent::Tried(progress)))?;
        if let HuntEnd::Found(found) = &report.hunted.end {
            emit(StressEvent::Found(found, &report.hunted.progress));
            let mut tried = |progress: &ShrinkProgress<'_>| emit(StressEvent::Shrinking(*progress));
            let minimized = minimize(&pool, &program, found, &self.limits, *shrink, &mut tried)?;
            // The reasons explain the answer, so they are not needed for a crash or an exceeded limit.
            if minimized.found.failure.answered_by.is_some() {
                report.why = self.why(&minimized.found.input);
            }
            report.minimized = Some(minimized);
        }
        Ok(report)
    }

    /// Adds the shrunk input to the tests of the problem if [`StressRequest::add`] is set. Returns `None` if this
    /// option is not set, if no failing input was found, or if the shrinking was cancelled, since the reference can
    /// then not be run.
    ///
    /// # Errors
    /// Returns the errors of [`add_case`].
    pub fn add_to_tests(&self, report: &StressReport) -> Result<Option<AddedCase>, Failure> {
        let minimized = report.minimized.as_ref().filter(|minimized| self.request.add && !minimized.cancelled);
        match (minimized, self.native()) {
            (Some(minimized), Some(problem)) => add_case(self.service, problem, &minimized.found.input).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the path of the answering program `name`: the path of the reference solution if the request specifies no
    /// answering program for a native problem, and otherwise `name` as a path.
    ///
    /// # Errors
    /// Fails if the reference solution is not found.
    pub fn answering_program(&self, name: &str) -> Result<PathBuf, Failure> {
        match self.native().filter(|_| self.request.against.is_empty()) {
            Some(problem) => Ok(reference(problem)?.path),
            None => Ok(name.into()),
        }
    }

    /// Returns the name of the program in [`StressRequest::against`] that answered this input, or of the first program
    /// in this list if it is not known which program answered; `None` if the list is empty.
    pub fn answered_against(&self, found: &FailingInput) -> Option<&str> {
        let mut names = self.request.against.iter().map(|(name, _)| name.as_str());
        let first = names.clone().next();
        names.find(|name| Some(*name) == found.failure.answered_by.as_deref()).or(first)
    }

    fn why(&self, input: &[u8]) -> Vec<GameReason> {
        self.native().map(|problem| game_reasons(problem, input, EXPLAINED)).unwrap_or_default()
    }
}

impl StressReport {
    /// Returns the smallest failing input with the result of the program, or `None` if no failing input was found.
    pub fn found(&self) -> Option<&FailingInput> {
        self.minimized.as_ref().map(|minimized| &minimized.found)
    }
}
