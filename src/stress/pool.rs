//! The tests of a search, created on demand, answered by the reference or other programs, and optionally stored for
//! later searches.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::data::Case;
use crate::input::Rng;
use crate::model::{ByteSize, Diagnostic, Execution, Failure, Fault, Limits, TimeSpan, Verdict};
use crate::problem::Problem;
use crate::runner::{AUTHOR_LIMITS, BuiltProgram, Host, ProgramRunner, reference};
use crate::sandbox::CellOutput;

use super::generator::seed_of_test;
use super::make::Making;
use super::problem::StressProblem;
use super::schedule::{How, Schedule, TestRequest, seed_of};

/// Maximum length of standard error in a message, in characters.
const SAID: usize = 2_000;

/// A test: its input and, once they have been computed, its answers.
#[derive(Debug)]
pub struct Test {
    /// The number of the test, from 0; `None` for a test that is not part of a search. Searches with the same seed
    /// have the same tests.
    pub number: Option<u64>,
    /// The content of the input.
    pub input: Vec<u8>,
    /// The index of the sample, if the test is a sample.
    pub(super) sample: Option<usize>,
    answers: OnceLock<Vec<TestAnswer>>,
}

impl Test {
    pub(super) fn new(number: Option<u64>, input: Vec<u8>) -> Test {
        Test { number, input, sample: None, answers: OnceLock::new() }
    }

    /// Returns whether the answers of the test are known.
    pub(super) fn answered(&self) -> bool {
        self.answers.get().is_some()
    }
}

/// The result of an answering program on an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestAnswer {
    /// The program succeeded with this output.
    Given(Arc<[u8]>),
    /// The program exceeded its time or memory limit, or was not run because it exceeded one of them on an input that
    /// is not larger.
    TooMuch,
    /// The program crashed or failed.
    Broken(Broken),
}

/// A failure of the answering program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The name of the program.
    pub name: String,
    /// The verdict on the program's run.
    pub verdict: Verdict,
    /// The exit status, or the verdict if the exit status does not show the failure, followed by the start of standard
    /// error.
    pub words: String,
}

impl Broken {
    /// Returns a message about the failure, which names the verdict exactly once.
    pub fn message(&self) -> String {
        let Broken { name, words, verdict } = self;
        let verdict = verdict.long();
        let verdict = if words.starts_with(verdict) { String::new() } else { format!(" ({verdict})") };
        format!("`{name}`, which provides the answers, failed on an input: {words}{verdict}")
    }
}

/// A program that provides the answers to tests.
struct Answerer {
    program: BuiltProgram,
    limits: Limits,
    /// Whether the program may be too slow for large inputs.
    slow: bool,
    /// The size in bytes of the smallest input for which the program exceeded its time or memory limit; `u64::MAX` if
    /// there is no such input.
    too_large: AtomicU64,
}

/// The tests of searches on one problem with one seed.
pub struct Pool<'a> {
    host: &'a Host,
    problem: Arc<StressProblem>,
    seed: u64,
    schedule: Schedule,
    making: Making<'a>,
    answerers: Vec<Answerer>,
    /// The idle cells of each slot, which the next search reuses.
    idle: Mutex<HashMap<usize, Tools>>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tests: HashMap<u64, Arc<Test>>,
    left: u64,
}

/// The cells in which one worker runs answering programs and generators.
#[derive(Default)]
pub(super) struct Tools {
    answerers: HashMap<usize, ProgramRunner>,
    pub(super) seeded: Option<ProgramRunner>,
    pub(super) generators: HashMap<usize, ProgramRunner>,
}

/// Checks that a program other than the reference can provide the answers.
///
/// # Errors
/// Fails if the problem is interactive, since it has no outputs that could be compared with answers.
pub fn check_against(problem: &Problem) -> Result<(), Diagnostic> {
    if problem.judging.interactive() {
        let message = format!(
            "the problem `{}` is interactive, so there is no output to compare with the output of another program",
            problem.id
        );
        return Err(Diagnostic::new(message).help("remove `--against`"));
    }
    Ok(())
}

impl<'a> Pool<'a> {
    /// Creates the pool of tests of this problem, answered by its reference. The reference is built if necessary.
    /// `cases` are the problem's cases, from which mutants are created; the list may be empty.
    ///
    /// # Errors
    /// Fails if the problem has several passes, if there is no reference or it does not compile, or if the judge itself
    /// fails.
    pub fn new(host: &'a Host, problem: &Problem, cases: &[Case], seed: u64) -> Result<Pool<'a>, Failure> {
        Pool::unanswered(host, StressProblem::of(problem, cases), seed)?.answered_by_reference(problem)
    }

    /// Creates the pool of tests of this problem without a program that answers them; see [`Pool::against`].
    ///
    /// # Errors
    /// Fails if the problem has several passes.
    pub fn unanswered(host: &'a Host, problem: StressProblem, seed: u64) -> Result<Pool<'a>, Failure> {
        if problem.judging.passes() > 1 {
            let message =
                format!("`{}` is a multi-pass problem, so a search for failing inputs is not possible", problem.id);
            return Err(Diagnostic::new(message).help("write the tests by hand").into());
        }
        let problem = Arc::new(problem);
        Ok(Pool {
            host,
            seed,
            schedule: Schedule::new(&problem),
            making: Making::new(host, Arc::clone(&problem), seed),
            problem,
            answerers: Vec::new(),
            idle: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    /// Adds the reference solution of `problem` as a program that provides answers.
    ///
    /// # Errors
    /// Fails if there is no reference or it does not compile, or if the judge itself fails.
    pub fn answered_by_reference(self, problem: &Problem) -> Result<Pool<'a>, Failure> {
        let solution = reference(problem)?;
        let source = self.host.languages().load(&solution.path, None)?;
        let program = BuiltProgram::build_valid(self.host, &source, &solution.name)?;
        Ok(self.answered_by(program))
    }

    /// Adds an answering program that must answer every input.
    #[must_use]
    pub fn answered_by(mut self, program: BuiltProgram) -> Pool<'a> {
        let too_large = AtomicU64::new(u64::MAX);
        self.answerers.push(Answerer { program, limits: AUTHOR_LIMITS, slow: false, too_large });
        self
    }

    /// Adds an answering program that may be slow. Its time limit is five times the time limit of the problem, and at
    /// least 10 seconds. It is not run on an input that is at least as large as an input on which it exceeded its time
    /// or memory limit.
    #[must_use]
    pub fn against(mut self, program: BuiltProgram, limits: &Limits) -> Pool<'a> {
        let cpu = limits.cpu.times(5).max(TimeSpan::seconds(10));
        let limits = Limits { cpu, wall: cpu.times(2), ..*limits };
        self.answerers.push(Answerer { program, limits, slow: true, too_large: AtomicU64::new(u64::MAX) });
        self
    }

    /// Stores tests and answers of at most this total size for later searches.
    #[must_use]
    pub fn keeping(self, most: ByteSize) -> Pool<'a> {
        lock(&self.kept).left = most.get();
        self
    }

    /// Returns the problem to which the tests belong.
    pub fn problem(&self) -> &StressProblem {
        &self.problem
    }

    /// Returns the host on which programs run.
    pub fn host(&self) -> &'a Host {
        self.host
    }

    /// Returns whether the problem has so few inputs that a search tries all of them.
    pub fn complete(&self) -> bool {
        self.schedule.complete()
    }

    pub(super) fn making(&self) -> &Making<'a> {
        &self.making
    }

    /// Returns the name of the answering program with this index, or an empty name if there is none.
    pub(super) fn answerer_name(&self, index: usize) -> &str {
        self.answerers.get(index).map_or("", |answerer| &answerer.program.name)
    }

    /// Returns the name of the sample if the test is a sample.
    pub(super) fn sample_name(&self, test: &Test) -> Option<String> {
        Some(self.problem.samples.get(test.sample?)?.name.clone())
    }

    /// Returns a description of the origin of a test that is a sample or an output of the user's generator, or `None`
    /// for other tests.
    pub(super) fn origin(&self, order: &TestRequest) -> Option<String> {
        match order.how {
            How::Sample(index) => self.problem.samples.get(index).map(|sample| format!("sample `{}`", sample.name)),
            How::Seed(number) => {
                let generator = self.problem.generator.as_ref()?;
                Some(format!("the output of `{}`", generator.shown(seed_of_test(self.seed, number))))
            }
            _ => None,
        }
    }

    pub(super) fn schedule(&self) -> Schedule {
        self.schedule.clone()
    }

    /// Removes the idle cells of this slot from the pool and returns them. Missing cells are opened when they are first
    /// needed.
    pub(super) fn tools(&self, slot: usize) -> Tools {
        lock(&self.idle).remove(&slot).unwrap_or_default()
    }

    /// Stores the cells of this slot for the next search.
    pub(super) fn put_back(&self, slot: usize, tools: Tools) {
        lock(&self.idle).insert(slot, tools);
    }

    /// Returns the requested test, which is created unless the pool has stored it. Returns `None` if no valid input can
    /// be created, for example because a generator rejects its arguments.
    pub(super) fn test(
        &self,
        tools: &mut Tools,
        slot: usize,
        order: &TestRequest,
    ) -> Result<Option<Arc<Test>>, Failure> {
        if let Some(test) = lock(&self.kept).tests.get(&order.number) {
            return Ok(Some(Arc::clone(test)));
        }
        let mut rng = Rng::from_digest(&seed_of(&self.problem.salt, self.seed, order.number));
        let Some(input) = self.making.make(&self.schedule, tools, slot, &order.how, &mut rng)? else {
            return Ok(None);
        };
        let sample = if let How::Sample(index) = order.how { Some(index) } else { None };
        Ok(Some(Arc::new(Test { sample, ..Test::new(Some(order.number), input) })))
    }

    /// Returns the answers of all answering programs to a test. If all of them produced an answer, the answers are
    /// stored in the test, and the test is stored in the pool if there is space.
    pub(super) fn answers(&self, tools: &mut Tools, slot: usize, test: &Arc<Test>) -> Result<Vec<TestAnswer>, Fault> {
        if let Some(answers) = test.answers.get() {
            return Ok(answers.clone());
        }
        let all = 0..self.answerers.len();
        let answers: Vec<TestAnswer> =
            all.map(|index| self.answer_to(tools, slot, index, &test.input)).collect::<Result<_, _>>()?;
        let size = |answer: &TestAnswer| match answer {
            TestAnswer::Given(bytes) => Some(bytes.len()),
            TestAnswer::TooMuch | TestAnswer::Broken(_) => None,
        };
        let size: Option<usize> = answers.iter().map(size).sum();
        if let (Some(size), Some(number)) = (size, test.number) {
            test.answers.get_or_init(|| answers.clone());
            let mut kept = lock(&self.kept);
            if let Some(left) = kept.left.checked_sub((test.input.len() + size) as u64) {
                kept.left = left;
                kept.tests.insert(number, Arc::clone(test));
            }
        }
        Ok(answers)
    }

    /// Returns the answer of the answering program with the index `index` to `input`, which need not be part of a test.
    pub(super) fn answer_to(
        &self,
        tools: &mut Tools,
        slot: usize,
        index: usize,
        input: &[u8],
    ) -> Result<TestAnswer, Fault> {
        let size = input.len() as u64;
        let Some(Answerer { program, limits, slow, too_large }) = self.answerers.get(index) else {
            return Ok(TestAnswer::TooMuch);
        };
        if size >= too_large.load(Ordering::Relaxed) {
            return Ok(TestAnswer::TooMuch);
        }
        let runner = match tools.answerers.entry(index) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(ProgramRunner::new(self.host, program, slot)?),
        };
        let run = runner.run(input, limits)?;
        Ok(match runner.classify(&run, limits) {
            None => TestAnswer::Given(run.stdout.into()),
            Some(Verdict::TimeLimit | Verdict::MemoryLimit) if *slow => {
                too_large.fetch_min(size, Ordering::Relaxed);
                TestAnswer::TooMuch
            }
            Some(verdict) => TestAnswer::Broken(broken(program, &run, verdict)),
        })
    }

    /// Returns the answering programs that exceeded their time or memory limits, with the size in bytes of the smallest
    /// input for which this happened.
    pub(super) fn too_large(&self) -> Vec<(String, u64)> {
        let size = |answerer: &Answerer| {
            let size = answerer.too_large.load(Ordering::Relaxed);
            (size < u64::MAX).then(|| (answerer.program.name.clone(), size))
        };
        self.answerers.iter().filter_map(size).collect()
    }
}

fn broken(program: &BuiltProgram, run: &CellOutput, verdict: Verdict) -> Broken {
    let execution = &run.execution;
    let how = match execution.breach.is_some() || execution.exit.success() {
        true => verdict.long().to_owned(),
        false => execution.exit.to_string(),
    };
    let said = stderr_note(execution);
    Broken { name: program.name.clone(), verdict, words: format!("{how}{said}") }
}

/// Returns the start of a program's standard error, to be appended to a message, or an empty string if the program
/// wrote none.
pub(super) fn stderr_note(execution: &Execution) -> String {
    let said: String = execution.stderr.text.trim().chars().take(SAID).collect();
    if said.is_empty() { said } else { format!("; standard error:\n{said}") }
}

/// Locks a mutex. If a thread panicked while it held the lock, the data is used in its current state.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
