//! The tests of a search, created on demand, answered by the reference or another program, and optionally kept for
//! later searches.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::data::Case;
use crate::input::Rng;
use crate::model::{ByteSize, Diagnostic, Failure, Fault, Limits, TimeSpan, Verdict};
use crate::problem::Problem;
use crate::runner::{AUTHOR_LIMITS, BuiltProgram, Host, ProgramRunner, reference};

use super::make::Making;
use super::schedule::{Schedule, TestRequest, seed_of};

/// Maximum length of standard error in messages, in characters.
const SAID: usize = 2_000;

/// A numbered test: its input and, once it was needed, its answer.
#[derive(Debug)]
pub struct Test {
    /// The number, from 0: searches with the same seed have the same tests. `None` for a test outside of the order.
    pub number: Option<u64>,
    /// The input, which is valid.
    pub input: Vec<u8>,
    answer: OnceLock<TestAnswer>,
}

impl Test {
    pub(super) fn new(number: Option<u64>, input: Vec<u8>) -> Test {
        Test { number, input, answer: OnceLock::new() }
    }

    /// Whether its answer is known.
    pub(super) fn answered(&self) -> bool {
        self.answer.get().is_some()
    }
}

/// The result of the answering program on an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestAnswer {
    /// The program succeeded with this output.
    Given(Arc<[u8]>),
    /// The program exceeded its time or memory, or was not run because it did so on a smaller input.
    TooMuch,
    /// The program crashed or failed.
    Broken(Broken),
}

/// A failure of the answering program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The name of the program.
    pub name: String,
    /// The verdict on it.
    pub verdict: Verdict,
    /// A description of its exit status and standard error.
    pub words: String,
}

/// The answering program.
struct Answerer {
    program: BuiltProgram,
    limits: Limits,
    /// Whether it may be too slow for large inputs.
    slow: bool,
}

/// The tests of searches on one problem with one seed.
pub struct Pool<'a> {
    host: &'a Host,
    problem: &'a Problem,
    seed: u64,
    schedule: Schedule,
    making: Making<'a>,
    answerer: Answerer,
    /// The size in bytes of the smallest input for which the answering program took too long.
    too_large: AtomicU64,
    /// Idle cells, kept for the next search, by slot.
    idle: Mutex<HashMap<usize, Tools>>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tests: HashMap<u64, Arc<Test>>,
    left: u64,
}

/// The cells of one worker.
#[derive(Default)]
pub(super) struct Tools {
    answerer: Option<ProgramRunner>,
    pub(super) generators: HashMap<usize, ProgramRunner>,
}

/// Checks that the answers may come from another program than the reference.
///
/// # Errors
/// Fails if the problem is interactive: its answers are not outputs of a program.
pub fn check_against(problem: &Problem) -> Result<(), Diagnostic> {
    if problem.judging.interactive() {
        let message = format!("`{}` is interactive, so answers of another program cannot be used", problem.id);
        return Err(Diagnostic::new(message).help("remove `--against`"));
    }
    Ok(())
}

impl<'a> Pool<'a> {
    /// The tests of this problem, answered by its reference, which is built if necessary. `cases` are the problem's
    /// cases, which are mutated; the list may be empty.
    ///
    /// # Errors
    /// Fails if there is no reference or it does not compile, or on a fault of the judge.
    pub fn new(host: &'a Host, problem: &'a Problem, cases: &'a [Case], seed: u64) -> Result<Pool<'a>, Failure> {
        if problem.judging.passes() > 1 {
            let message = format!("{} is a multi-pass problem, which `stress` does not support", problem.id);
            return Err(Diagnostic::new(message).help("write its tests by hand").into());
        }
        let solution = reference(problem)?;
        let source = host.languages().load(&solution.path, None)?;
        let program = BuiltProgram::build_valid(host, &source, &solution.name)?;
        let answerer = Answerer { program, limits: AUTHOR_LIMITS, slow: false };
        Ok(Pool {
            host,
            problem,
            seed,
            schedule: Schedule::new(problem, cases),
            making: Making::new(host, problem, cases),
            answerer,
            too_large: AtomicU64::new(u64::MAX),
            idle: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    /// Takes the answers from another program. It may be slow: it gets five times the problem's time limit, at least 10
    /// seconds, and is not run on inputs larger than one on which it exceeded that.
    #[must_use]
    pub fn against(mut self, program: BuiltProgram, limits: &Limits) -> Pool<'a> {
        let cpu = limits.cpu.times(5).max(TimeSpan::seconds(10));
        let limits = Limits { cpu, wall: cpu.times(2), ..*limits };
        self.answerer = Answerer { program, limits, slow: true };
        self
    }

    /// Keeps tests and answers of at most this total size for later searches.
    #[must_use]
    pub fn keeping(self, most: ByteSize) -> Pool<'a> {
        lock(&self.kept).left = most.get();
        self
    }

    /// The problem that the tests belong to.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The host on which programs run.
    pub fn host(&self) -> &'a Host {
        self.host
    }

    /// Whether the problem has so few inputs that a search tries all of them.
    pub fn complete(&self) -> bool {
        self.schedule.complete()
    }

    pub(super) fn schedule(&self) -> Schedule {
        self.schedule.clone()
    }

    /// Takes the idle cells of this slot, or creates them.
    pub(super) fn tools(&self, slot: usize) -> Tools {
        lock(&self.idle).remove(&slot).unwrap_or_default()
    }

    /// Returns the cells for the next search.
    pub(super) fn put_back(&self, slot: usize, tools: Tools) {
        lock(&self.idle).insert(slot, tools);
    }

    /// Creates the test of this order; `None` if that fails, because ranges are too narrow for a constraint or a
    /// generator rejects its arguments.
    pub(super) fn test(
        &self,
        tools: &mut Tools,
        slot: usize,
        order: &TestRequest,
    ) -> Result<Option<Arc<Test>>, Failure> {
        if let Some(test) = lock(&self.kept).tests.get(&order.number) {
            return Ok(Some(Arc::clone(test)));
        }
        let mut rng = Rng::from_digest(&seed_of(self.problem, self.seed, order.number));
        let Some(input) = self.making.make(&self.schedule, tools, slot, &order.how, &mut rng)? else {
            return Ok(None);
        };
        Ok(Some(Arc::new(Test::new(Some(order.number), input))))
    }

    /// The answer to a test. Both are kept if there is space.
    pub(super) fn answer(&self, tools: &mut Tools, slot: usize, test: &Arc<Test>) -> Result<TestAnswer, Fault> {
        if let Some(answer) = test.answer.get() {
            return Ok(answer.clone());
        }
        let answer = self.answer_to(tools, slot, &test.input)?;
        if let (TestAnswer::Given(bytes), Some(number)) = (&answer, test.number) {
            test.answer.get_or_init(|| answer.clone());
            let mut kept = lock(&self.kept);
            if let Some(left) = kept.left.checked_sub((test.input.len() + bytes.len()) as u64) {
                kept.left = left;
                kept.tests.insert(number, Arc::clone(test));
            }
        }
        Ok(answer)
    }

    /// The answer to any input.
    pub(super) fn answer_to(&self, tools: &mut Tools, slot: usize, input: &[u8]) -> Result<TestAnswer, Fault> {
        let size = input.len() as u64;
        if size >= self.too_large.load(Ordering::Relaxed) {
            return Ok(TestAnswer::TooMuch);
        }
        let Answerer { program, limits, slow } = &self.answerer;
        if tools.answerer.is_none() {
            tools.answerer = Some(ProgramRunner::new(self.host, program, slot)?);
        }
        let Some(runner) = tools.answerer.as_mut() else { return Ok(TestAnswer::TooMuch) };
        let run = runner.run(input, limits)?;
        Ok(match runner.classify(&run, limits) {
            None => TestAnswer::Given(run.stdout.into()),
            Some(Verdict::TimeLimit | Verdict::MemoryLimit) if *slow => {
                self.too_large.fetch_min(size, Ordering::Relaxed);
                TestAnswer::TooMuch
            }
            Some(verdict) => {
                let execution = &run.execution;
                let how = if execution.breach.is_some() || execution.exit.success() {
                    verdict.long().to_owned()
                } else {
                    execution.exit.to_string()
                };
                let said: String = execution.stderr.text.trim().chars().take(SAID).collect();
                let said = if said.is_empty() { said } else { format!("; its standard error:\n{said}") };
                TestAnswer::Broken(Broken { name: program.name.clone(), verdict, words: format!("{how}{said}") })
            }
        })
    }

    /// The size in bytes of the smallest input for which the answering program took too long.
    pub(super) fn too_large(&self) -> Option<u64> {
        Some(self.too_large.load(Ordering::Relaxed)).filter(|size| *size < u64::MAX)
    }
}

/// Locks a mutex. A panic of its holder leaves valid data, since every update is a single assignment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
