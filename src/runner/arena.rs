//! The arena: what is needed to judge programs on this machine, made once.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::data::{Case, Lock, Made, Maker, Store, check_lock, sweep};
use crate::judge::{Header, Plan, Session, Threads, drive};
use crate::lang::{
    Built, Choice, DetectError, Language, Program, Source, SourceError, Surroundings, Table, Toolchain, Toolchains,
};
use crate::model::{
    ByteSize, CaseId, Diagnostic, Digest, Event, EventKind, Failure, Fault, FaultKind, Isolation, Limits, Outcome,
    ProblemId, RunSummary, Score, TimeSpan, Transcript, Verdict,
};
use crate::problem::{AuxProgram, Problem, Time};
use crate::sandbox::{Sandbox, stay_with_slot};

use super::desk::Desks;
use super::grader::WithGrader;
use super::hands::{Bench, Setter, room};
use super::options::Options;
use super::seat::{Firsts, JudgeSeat, Spoken, Witness, in_order};
use super::solutions::reference;
use super::stand::Quiet;
use super::time_limit;

/// The folder of the cache that remembers what was made.
const MADE: &str = "made";

/// Sandbox, toolchains, caches, and how many programs run at once.
pub struct Arena {
    sandbox: Box<dyn Sandbox>,
    table: Table,
    toolchains: Toolchains,
    cache: PathBuf,
    store: Store,
    jobs: usize,
    /// Held while a setter's program is built.
    building: Mutex<()>,
}

/// A problem's data, made and compared with its lock.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The cases.
    pub made: Made,
    /// What the lock says of them.
    pub lock: Lock,
}

/// What came of judging a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The judgement.
    pub summary: RunSummary,
    /// Of each group the first case that was not accepted, in the order of cases.
    pub failures: Vec<Witness>,
    /// The limits that were in force.
    pub limits: Limits,
    /// In an interactive problem, what was said in the first case that was not accepted, or in the first of all.
    pub dialogue: Option<(CaseId, Transcript)>,
}

/// A language as it was looked for here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version, or why it can't be used.
    pub version: Result<String, String>,
    /// Where its compiler or interpreter is.
    pub path: Option<String>,
    /// How to get it.
    pub install: String,
    /// Where its row of the table was written.
    pub origin: String,
}

/// A problem on which many programs are judged.
#[derive(Debug, Clone)]
pub struct Contest<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// What is judged.
    pub plan: Plan,
    /// The limits in force.
    pub limits: Limits,
}

/// Where a program is judged: the slots it may use, and what it shares with whoever else is judged meanwhile.
#[derive(Debug, Clone)]
pub struct Desk<'a> {
    /// The slots, at least one; no two desks share one.
    pub slots: Range<usize>,
    /// The same for all desks: a run that must be alone waits for all others.
    pub quiet: &'a Quiet,
}

/// Told events go here.
pub type Tell<'a> = &'a mut dyn FnMut(&Event) -> io::Result<()>;

impl Arena {
    /// An arena with this sandbox. Builds and data are kept under `cache`; languages are those of the built-in table, of
    /// the user's, and of the problem set's in `problems`.
    ///
    /// # Errors
    /// A table of languages that is wrong.
    pub fn new(
        sandbox: Box<dyn Sandbox>,
        cache: &Path,
        problems: Option<&Path>,
        jobs: usize,
    ) -> Result<Arena, Diagnostic> {
        let around = Surroundings::of_this_process();
        let store = Store::new(cache.join("blobs"));
        store.sweep();
        sweep(&cache.join(MADE));
        Ok(Arena {
            sandbox,
            table: Table::load(&around, problems)?,
            toolchains: Toolchains::new(around, Some(cache.to_owned())),
            cache: cache.to_owned(),
            store,
            jobs: jobs.max(1),
            building: Mutex::new(()),
        })
    }

    /// A program from a file or a folder; its language by its name, unless it is said.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn source(&self, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        Source::load(&self.table, path, language).map_err(|error: SourceError| Failure::complaint(error.to_string()))
    }

    /// The same for a program that comes with a package.
    ///
    /// # Errors
    /// As [`Arena::source`].
    pub(super) fn source_of_package(&self, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        Source::load_of_package(&self.table, path, language)
            .map_err(|error: SourceError| Failure::complaint(error.to_string()))
    }

    /// Why a program's language can't be used here, if it can't.
    pub fn missing(&self, source: &Source) -> Option<String> {
        self.toolchain(source.language()).err().map(|failure| failure.to_string())
    }

    /// A program of one file from memory; its language by its name.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn source_from_text(&self, name: &Path, content: Vec<u8>) -> Result<Source, SourceError> {
        Source::from_text(&self.table, name, content, None)
    }

    /// Whether a file of this name would be a program's source.
    pub fn knows(&self, name: &Path) -> bool {
        let end = name.extension().map(|end| end.to_string_lossy());
        end.is_some_and(|end| self.table.choose(Choice::Extension(&end)).is_ok())
    }

    /// The hash of what builds and runs programs of this source's language here.
    ///
    /// # Errors
    /// The language is not here.
    pub fn toolchain_digest(&self, source: &Source) -> Result<Digest, Failure> {
        self.toolchain(source.language()).map(|toolchain| toolchain.digest)
    }

    pub(super) fn toolchain(&self, language: &Arc<Language>) -> Result<Arc<Toolchain>, Failure> {
        self.toolchains.detect(language, self.sandbox()).map_err(|error| match error {
            DetectError::Fault(fault) => Failure::Fault(fault),
            missing => Failure::complaint(missing.to_string()),
        })
    }

    /// Builds a program, or takes it from the cache. The inner error has the compiler's words.
    pub(super) fn build(&self, source: &Source) -> Result<Result<Built, String>, Failure> {
        self.build_at(source, 0)
    }

    /// All languages, each looked for here.
    pub fn languages(&self) -> Vec<Found> {
        let look = |language: &Arc<Language>| {
            let toolchain = self.toolchain(language);
            // The first program of the row is the one that the language is known by.
            let first = language.programs.keys().next();
            let programs = toolchain.as_ref().ok().map(|toolchain| &toolchain.programs);
            let path = programs.and_then(|programs| programs.get(first?)).map(|path| path.display().to_string());
            Found {
                id: language.id.clone(),
                name: language.name.clone(),
                version: toolchain.map(|toolchain| toolchain.version.clone()).map_err(|error| error.to_string()),
                path,
                install: language.install.to_string(),
                origin: language.origin.clone(),
            }
        };
        self.table.rows().iter().map(look).collect()
    }

    /// The store of test data.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The isolation in force.
    pub fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// How many programs run at once.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Where programs run that we did not write.
    pub fn sandbox(&self) -> &dyn Sandbox {
        &*self.sandbox
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Makes the problem's data (what is not there yet) and compares it with its lock.
    ///
    /// # Errors
    /// A reference or generator that fails, an input that is not as described, a sample that the reference disagrees
    /// with; or our own failure.
    pub fn prepare(&self, problem: &Problem, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Prepared, Failure> {
        let made = self.make(problem, &self.store, &self.index(problem), self.jobs, progress)?;
        let lock = check_lock(&problem.dir, &made.cases)?;
        Ok(Prepared { made, lock })
    }

    /// Makes the problem's data with `jobs` workers into this store; what the index knows and the store has is not made
    /// again.
    ///
    /// # Errors
    /// As [`Arena::prepare`].
    pub fn make(
        &self,
        problem: &Problem,
        store: &Store,
        index: &Path,
        jobs: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Made, Failure> {
        let solution = reference(problem)?;
        let source = self.source(&solution.path, None)?;
        let built = std::sync::OnceLock::new();
        let maker = Maker { problem, reference: source.digest(), store, index, jobs };
        let build = Mutex::new(());
        let hire = |slot: usize| -> Result<Setter<'_>, Failure> {
            _ = stay_with_slot(slot);
            // One thread builds while the others wait for it.
            let guard = build.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if built.get().is_none() {
                let _ = built.set(self.build_own(&source, &solution.name)?);
            }
            drop(guard);
            let Some(program) = built.get() else {
                return Err(Failure::fault(FaultKind::Worker, "the reference was lost"));
            };
            let cell = self.sandbox.open(&room(program, slot))?;
            Ok(Setter {
                arena: self,
                slot,
                reference: Bench { program, cell },
                generators: HashMap::new(),
                desks: Desks::new(self, slot),
            })
        };
        maker.make(hire, progress)
    }

    /// The file that remembers what was made for this problem: one for each folder, since two may have one id.
    fn index(&self, problem: &Problem) -> PathBuf {
        let place = Digest::of(problem.dir.as_os_str().as_encoded_bytes()).to_string();
        self.cache.join(MADE).join(format!("{}-{}.json", problem.id, &place[..12]))
    }

    /// A setter's program from a file, with the headers beside it, or from a folder.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn own_source(&self, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        Source::load_own(&self.table, path, language)
            .map_err(|error: SourceError| Failure::complaint(error.to_string()))
    }

    /// What a auxiliary program's answers depend on beside its input: its source and its compiler or interpreter.
    ///
    /// # Errors
    /// It can't be read, or its language is not here.
    pub fn aux_program_digest(&self, aux_program: &AuxProgram) -> Result<Digest, Failure> {
        let source = self.aux_program_source(aux_program)?;
        let toolchain = self.toolchain_digest(&source)?;
        Ok(Digest::of_parts([source.digest().bytes().as_slice(), toolchain.bytes()]))
    }

    /// A auxiliary program's source.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub(super) fn aux_program_source(&self, aux_program: &AuxProgram) -> Result<Source, Failure> {
        let source = self.own_source(&aux_program.source, aux_program.language.as_deref())?;
        Ok(source.with_constants(&aux_program.constants))
    }

    /// Builds a auxiliary program.
    ///
    /// # Errors
    /// It does not compile or its language is not here; or our own failure.
    pub(super) fn aux_program(&self, aux_program: &AuxProgram) -> Result<Program, Failure> {
        let source = self.aux_program_source(aux_program)?;
        self.build_own(&source, &aux_program.source.display().to_string())
    }

    /// Builds a setter's program; that it does not compile is a complaint.
    pub(super) fn build_own(&self, source: &Source, name: &str) -> Result<Program, Failure> {
        // One builds while the others wait for it, and find it in the cache.
        let _alone = self.building.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match self.build(source)? {
            Ok(built) => Ok(built.program),
            Err(words) => Err(Diagnostic::new(format!("{name} does not compile:\n{words}")).into()),
        }
    }

    /// Judges a program: builds it, runs it on every case of the plan, compares.
    ///
    /// # Errors
    /// What the options ask for is not there, the language is not here, or our own failure outside of a case. A failure
    /// to tell is a fault too.
    pub fn judge(
        &self,
        problem: &Problem,
        cases: &[Case],
        source: &Source,
        name: &str,
        options: &Options,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        let plan = options.plan(problem, cases, &self.store)?;
        let limits = self.limits(problem, cases, options)?;
        self.judge_plan(&problem.id, plan, limits, source, name, tell)
    }

    /// What is needed to judge many programs on a problem, found out once.
    ///
    /// # Errors
    /// As [`Arena::judge`], less what only a program can be.
    pub fn contest<'p>(&self, problem: &'p Problem, cases: &[Case], options: &Options) -> Result<Contest<'p>, Failure> {
        let plan = options.plan(problem, cases, &self.store)?;
        Ok(Contest { problem, plan, limits: self.limits(problem, cases, options)? })
    }

    /// Judges a program, on this desk alone. Many threads may call it at once, each with a desk of its own.
    ///
    /// # Errors
    /// As [`Arena::judge`].
    pub fn judge_at(
        &self,
        desk: &Desk<'_>,
        contest: &Contest<'_>,
        source: &Source,
        name: &str,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        self.judge_on(desk, &contest.problem.id, contest.plan.clone(), contest.limits, source, name, tell)
    }

    pub(super) fn judge_plan(
        &self,
        problem: &ProblemId,
        plan: Plan,
        limits: Limits,
        source: &Source,
        name: &str,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        let jobs = self.jobs.min(plan.cases()).max(1);
        let desk = Desk { slots: 0..jobs, quiet: &Quiet::new(()) };
        self.judge_on(&desk, problem, plan, limits, source, name, tell)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a thing of its own")]
    fn judge_on(
        &self,
        desk: &Desk<'_>,
        problem: &ProblemId,
        plan: Plan,
        limits: Limits,
        source: &Source,
        name: &str,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        let header = Header {
            problem: problem.clone(),
            program: name.to_owned(),
            language: source.language().id.clone(),
            isolation: self.isolation().clone(),
        };
        let mut number = 0;
        let mut tell = |kind: EventKind| {
            let event = Event { number, kind };
            number += 1;
            tell(&event)
        };
        let untold =
            |error: io::Error| Failure::fault(FaultKind::Worker, format!("the report can't be written: {error}"));
        for aux_program in aux_programs(&plan) {
            self.aux_program(aux_program)?;
        }
        tell(EventKind::BuildStarted { language: header.language.clone() }).map_err(untold)?;
        let start = std::time::Instant::now();
        let shared = desk.quiet.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let built = self.build_at(source, desk.slots.start)?;
        drop(shared);
        let (program, cached, error) = match built {
            Ok(Built { program, cached, .. }) => (Some(program), cached, None),
            Err(words) => (None, false, Some(words)),
        };
        tell(EventKind::BuildFinished { cached, wall: TimeSpan::from(start.elapsed()), error }).map_err(untold)?;
        let Some(program) = program else {
            let summary = refused(header, &plan);
            tell(EventKind::RunFinished(summary.clone())).map_err(untold)?;
            return Ok(Judgement { summary, failures: Vec::new(), limits, dialogue: None });
        };
        let (firsts, spoken, quiet) = (Firsts::default(), Spoken::new(None), desk.quiet);
        let session = Session::new(header, plan.clone());
        let summary = std::thread::scope(|scope| {
            let name = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name);
            let seats = desk.slots.clone().map(|slot| {
                let cell = self.sandbox.open(&room(&program, slot))?;
                let (program, plan, firsts, spoken) = (&program, &plan, &firsts, &spoken);
                let (examiner, transcript) = (self.examiner(slot).of(source, program), None);
                Ok(JudgeSeat {
                    slot,
                    cell,
                    source,
                    program,
                    plan,
                    name,
                    limits,
                    examiner,
                    firsts,
                    transcript,
                    spoken,
                    quiet,
                })
            });
            let seats = seats.collect::<Result<Vec<_>, Fault>>()?;
            let grader = plan.rules.as_ref().and_then(|rules| rules.grader.as_ref());
            let mut hands = WithGrader::new(Threads::new(scope, seats), self, grader);
            drive(session, &mut hands, &mut |event| tell(event.kind.clone())).map_err(untold)
        })?;
        let firsts = firsts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let failures = in_order(firsts);
        let spoken = spoken.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let dialogue = spoken.map(|(_, _, case, transcript)| (case, transcript));
        Ok(Judgement { summary, failures, limits, dialogue })
    }

    /// The limits in force: the problem's, with the time limit derived from the solutions where it is automatic.
    ///
    /// # Errors
    /// The time limit can't be derived, or our own failure.
    pub fn limits(&self, problem: &Problem, cases: &[Case], options: &Options) -> Result<Limits, Failure> {
        match (options.time, problem.time) {
            (Some(TimeSpan::ZERO), _) => Err(Diagnostic::new("a time limit is more than 0").into()),
            (Some(time), _) => {
                let limits = with_time(&problem.limits, time);
                Ok(Limits { wall: limits.wall.max(problem.limits.wall), ..limits })
            }
            (None, Time::Fixed) => Ok(problem.limits),
            (None, Time::Auto) => Ok(with_time(&problem.limits, time_limit::derive(self, problem, cases)?.limit)),
        }
    }
}

/// These limits with another time limit, and a clock that goes with it.
pub(super) fn with_time(limits: &Limits, cpu: TimeSpan) -> Limits {
    Limits { cpu, wall: cpu.times(2).plus(TimeSpan::seconds(1)), ..*limits }
}

/// The setter's programs that a plan needs, each once.
fn aux_programs(plan: &Plan) -> Vec<&AuxProgram> {
    let mut all: Vec<&AuxProgram> = Vec::new();
    let judgings = plan.groups.iter().flat_map(|group| &group.cases).map(|case| &case.judging);
    let grader = plan.rules.iter().filter_map(|rules| rules.grader.as_ref());
    let texts = plan.groups.iter().flat_map(|group| &group.cases).filter_map(|case| case.text.as_deref());
    for aux_program in judgings.flat_map(|judging| judging.aux_programs()).chain(grader).chain(texts) {
        if !all.iter().any(|known| (&known.source, &known.language) == (&aux_program.source, &aux_program.language)) {
            all.push(aux_program);
        }
    }
    all
}

/// The summary for a program that the compiler refused.
fn refused(header: Header, plan: &Plan) -> RunSummary {
    RunSummary {
        problem: header.problem,
        program: header.program,
        outcome: Outcome::Final { verdict: Verdict::CompileError, score: Score::ZERO },
        max_score: plan.max_score(),
        cases: plan.cases(),
        accepted: 0,
        slowest: None,
        memory: ByteSize::new(0),
        isolation: header.isolation.level,
    }
}
