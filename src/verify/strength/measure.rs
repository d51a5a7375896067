//! Measures the strength of tests, from the reference solution to the report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use walkdir::WalkDir;

use crate::lang::{Program, Source, compile_limits};
use crate::model::{Diagnostic, Failure, TimeSpan};
use crate::mutants::{CHECK, Mutant, MutantLanguage, mutants};
use crate::problem::Problem;
use crate::runner::{BatchRunner, BuildOutcome, Host, JudgeOptions, PreparedProblem, Solution, accepted, reference};
use crate::verify::check_result::{Check, Status};
use crate::verify::problem::described;
use crate::workers::in_parallel;

use super::build::{Bulk, CompileError, build_all};
use super::field::MutationContext;
use super::report::{StrengthReport, SurvivalReason, Survivor};
use super::{hunt, kill, reach};

/// Settings for measuring the strength of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength<'a> {
    /// Total time for searching for inputs that kill survivors.
    pub budget: TimeSpan,
    /// The name of the accepted solution that is mutated; the reference solution if `None`.
    pub solution: Option<&'a str>,
}

/// Maximum number of mutants that are run. If there are more, an evenly spread sample is run.
const MOST: usize = 2_000;

/// The program that is mutated.
struct MutatedProgram {
    /// File name of the program.
    name: String,
    text: String,
    language: MutantLanguage,
}

/// Measures the strength of the tests.
///
/// # Errors
/// Fails if the test data can't be generated, if the reference can't be found, if the solution can't be read, if the
/// time limit can't be derived, or if the judge fails.
pub(in crate::verify) fn check(
    host: &Host,
    prepared: &PreparedProblem,
    strength: Strength<'_>,
) -> Result<Check, Failure> {
    let (Some(problem), Some(data)) = (prepared.problem(), prepared.data(host, &|_, _| {})?) else {
        return Ok(Check::new("strength", Status::Skip, "only native problems have a reference to mutate"));
    };
    let Some(comparer) = problem.judging.comparer() else {
        let why = "mutants can be judged only by comparing their outputs with the answers, but this problem uses a checker or an interactor";
        return Ok(Check::new("strength", Status::Skip, why));
    };
    let solution = match chosen(problem, strength.solution) {
        Ok(solution) => solution,
        Err(Failure::Complaint(complaint)) if strength.solution.is_some() => return Ok(refused(&complaint)),
        Err(failure) => return Err(failure),
    };
    let program = match program(host, &solution)? {
        Ok(program) => program,
        Err(why) => return Ok(Check::new("strength", Status::Skip, why)),
    };
    let all = match mutants(&program.text, program.language) {
        Ok(all) => all,
        Err(error) => {
            let why = format!("cannot mutate {}: {error}", solution.name);
            return Ok(Check::new("strength", Status::Fail, why));
        }
    };
    let found = all.len();
    let chosen: Vec<Mutant> = all.into_iter().step_by(found.div_ceil(MOST).max(1)).collect();
    let built = build(host, &program, &chosen);
    let bulk = match built {
        Ok(bulk) => bulk,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    let cases = &data.made.cases;
    let field = MutationContext::new(host, &bulk, cases, comparer, &program.name)?;
    let of_problem = prepared.target(host, &JudgeOptions::default(), &mut |_| {})?.limits;
    let slowest = match kill::slowest(host, &field, &of_problem) {
        Ok(slowest) => slowest,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    let limits = kill::limits(&of_problem, slowest);
    let ids: Vec<u32> = bulk.homes.keys().copied().collect();
    let results = kill::run_mutants(host, &field, &ids, &limits)?;
    let living: Vec<&Mutant> = chosen
        .iter()
        .filter(|mutant| results.iter().any(|result| result.id == mutant.id && result.kills.is_empty()))
        .collect();
    let (same, open) = by_program(host, &program, living, strength.budget)?;
    let mut survivors: Vec<Survivor<'_>> =
        same.into_iter().map(|mutant| Survivor { mutant, reason: SurvivalReason::Equivalent }).collect();
    let ids: Vec<u32> = open.iter().map(|mutant| mutant.id).collect();
    let searched = match hunt::find_killing_inputs(host, problem, cases, &field, &ids, &limits, strength.budget) {
        Ok(searched) => searched,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    survivors.extend(
        open.iter().zip(searched).map(|(mutant, result)| Survivor { mutant, reason: SurvivalReason::Searched(result) }),
    );
    survivors.sort_by_key(|survivor| survivor.mutant.id);
    let report = StrengthReport {
        problem,
        cases,
        source: &program.text,
        name: &program.name,
        found: chosen.len(),
        unviable: chosen.len() - bulk.homes.len(),
        compilations: bulk.compilations,
        results: &results,
        survivors,
        unreached: reach::unreached(&problem.input, cases, host.store())?,
    };
    Ok(report.check())
}

fn chosen(problem: &Problem, name: Option<&str>) -> Result<Solution, Failure> {
    name.map_or_else(|| reference(problem), |name| accepted(problem, name))
}

/// Reads the program, or returns the reason why it can't be mutated.
fn program(host: &Host, solution: &Solution) -> Result<Result<MutatedProgram, String>, Failure> {
    let source = host.languages().load(&solution.path, None)?;
    let Some(language) = MutantLanguage::of(&source.language().id) else {
        let name = &source.language().name;
        return Ok(Err(format!("{} is written in {name}; {LANGUAGES} can be mutated", solution.name)));
    };
    if source.files().len() > 1 {
        return Ok(Err(format!(
            "{} has several files, but only a program in a single file can be mutated",
            solution.name
        )));
    }
    let text = String::from_utf8_lossy(&source.entry().content).into_owned();
    let name = solution.path.file_name().and_then(|name| name.to_str()).unwrap_or(&solution.name).to_owned();
    Ok(Ok(MutatedProgram { name, text, language }))
}

/// The languages of [`MutantLanguage`], as part of a message.
const LANGUAGES: &str = "only programs in Rust, C, C++, Java, Python, JavaScript and Go";

/// Builds the programs that contain the mutants. Mutants that do not compile are left out.
fn build(host: &Host, program: &MutatedProgram, mutants: &[Mutant]) -> Result<Bulk<Program>, Failure> {
    let compile = |text: &str, slot: usize| -> Result<Program, CompileError> {
        match host.languages().build(&source_of(host, program.language, text)?, slot)? {
            BuildOutcome::Ready(built) => Ok(built.program),
            BuildOutcome::Rejected { output, raw } => {
                Err(CompileError::Rejected(if raw.is_empty() { output } else { raw }))
            }
        }
    };
    let lease = host.slots().lease(usize::MAX, host.cancel(), &mut || {})?;
    let about = |failure| match failure {
        Failure::Complaint(complaint) => {
            let message = format!("{}: {}", program.name, complaint.message);
            Failure::Complaint(Diagnostic { message, ..complaint })
        }
        fault => fault,
    };
    let mut bulk = build_all(&program.text, program.language, mutants, lease.slots(), &compile).map_err(about)?;
    if program.language.is_interpreted() {
        remove_invalid(host, &program.name, &mut bulk, lease.slots())?;
    }
    Ok(bulk)
}

/// Removes the mutants of an interpreted language that do not compile.
fn remove_invalid(host: &Host, name: &str, bulk: &mut Bulk<Program>, slots: &[usize]) -> Result<(), Failure> {
    let mut runner = BatchRunner::new(host, slots.first().copied().unwrap_or(0), &bulk.programs)?;
    let input = host.store().path(&host.store().put(b"")?.digest);
    for program in &bulk.programs {
        let checked = runner.run(program, &[CHECK.to_owned()], &input, &compile_limits())?;
        if let Some(verdict) = checked.verdict {
            return Err(Failure::complaint(format!(
                "cannot check which mutants of {name} compile: the verdict of the program that contains them is `{}`",
                verdict.long()
            )));
        }
        let output = String::from_utf8_lossy(&checked.output);
        for id in output.lines().filter_map(|line| line.parse::<u32>().ok()) {
            bulk.homes.remove(&id);
        }
    }
    Ok(())
}

/// Creates a source that consists of one file with this text.
fn source_of(host: &Host, language: MutantLanguage, text: &str) -> Result<Source, Failure> {
    let name = format!("mutants.{}", language.extension());
    let source = host.languages().from_text(Path::new(&name), text.as_bytes().to_vec());
    source.map_err(Failure::from)
}

fn refused(complaint: &Diagnostic) -> Check {
    Check::new("strength", Status::Fail, described(complaint))
}

/// Splits mutants into two lists: mutants for which the compiler generates the same files as for the original, and all
/// other mutants. The comparison ends after half of `budget`; mutants that were not compared by then are in the second
/// list.
fn by_program<'m>(
    host: &Host,
    program: &MutatedProgram,
    mutants: Vec<&'m Mutant>,
    budget: TimeSpan,
) -> Result<(Vec<&'m Mutant>, Vec<&'m Mutant>), Failure> {
    if mutants.is_empty() || !program.language.proves_equivalence() {
        return Ok((Vec::new(), mutants));
    }
    let files = |text: &str, slot: usize| -> Result<Option<BTreeMap<PathBuf, Vec<u8>>>, Failure> {
        match host.languages().build(&source_of(host, program.language, text)?, slot)? {
            BuildOutcome::Ready(built) => Ok(built.program.folder().and_then(contents)),
            BuildOutcome::Rejected { .. } => Ok(None),
        }
    };
    let lease = host.slots().lease(mutants.len(), host.cancel(), &mut || {})?;
    let start = Instant::now();
    let has_time = || start.elapsed() < budget.duration() / 2;
    let original = files(&program.text, lease.slots().first().copied().unwrap_or_default())?;
    let (compared, ended) = in_parallel(
        &mutants,
        lease.slots(),
        Ok,
        |slot, mutant| {
            let is_compared = original.is_some() && has_time();
            Ok((*mutant, is_compared && original == files(&mutant.apply(&program.text), *slot)?))
        },
        |_| {},
    );
    ended?;
    let (same, open): (Vec<_>, Vec<_>) = compared.into_iter().flatten().partition(|(_, is_same)| *is_same);
    let mutants_of = |list: Vec<(&'m Mutant, bool)>| list.into_iter().map(|(mutant, _)| mutant).collect();
    Ok((mutants_of(same), mutants_of(open)))
}

/// Returns the contents of all files in a folder, by their relative paths; `None` if a file can't be read.
fn contents(folder: &Path) -> Option<BTreeMap<PathBuf, Vec<u8>>> {
    let files =
        WalkDir::new(folder).into_iter().filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file()));
    files
        .map(|entry| {
            let path = entry.ok()?.into_path();
            Some((path.strip_prefix(folder).ok()?.to_owned(), fs_err::read(&path).ok()?))
        })
        .collect()
}
