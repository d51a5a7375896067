//! Measures the strength of tests, from the reference solution to the report.

use std::path::Path;

use crate::lang::{Program, Source};
use crate::model::{Diagnostic, Failure, Limits, TimeSpan};
use crate::mutants::{Mutant, mutants};
use crate::runner::{BuildOutcome, Host, JudgeOptions, PreparedProblem, reference};
use crate::verify::check_result::{Check, Status};

use super::build::{CompileError, build_all};
use super::field::MutationContext;
use super::report::{Life, StrengthReport, Survivor};
use super::{hunt, kill, reach};

/// Settings for measuring strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// Total time for searching inputs that kill survivors.
    pub budget: TimeSpan,
}

/// Maximum number of mutants that are run. Of more mutants an evenly spread sample is run.
const MOST: usize = 2_000;

/// Measures the strength of the tests.
///
/// # Errors
/// Returns a fault of the judge.
pub(in crate::verify) fn check(host: &Host, prepared: &PreparedProblem, strength: Strength) -> Result<Check, Failure> {
    let (Some(problem), Some(data)) = (prepared.problem(), prepared.data(host, &|_, _| {})?) else {
        return Ok(Check::new("strength", Status::Skip, "only native problems have a reference to mutate"));
    };
    let Some(comparer) = problem.judging.comparer() else {
        let why = "mutants can only be judged by comparing outputs with answers, but the problem has a checker program";
        return Ok(Check::new("strength", Status::Skip, why));
    };
    let solution = reference(problem)?;
    let source = host.languages().load(&solution.path, None)?;
    if source.language().id != "rust" || source.files().len() > 1 {
        let why = format!("{} is not a single Rust file; other programs cannot be mutated", solution.name);
        return Ok(Check::new("strength", Status::Skip, why));
    }
    let text = String::from_utf8_lossy(&source.entry().content).into_owned();
    let all = match mutants(&text) {
        Ok(all) => all,
        Err(error) => {
            let why = format!("cannot mutate {}: {error}", solution.name);
            return Ok(Check::new("strength", Status::Fail, why));
        }
    };
    let found = all.len();
    let chosen: Vec<Mutant> = all.into_iter().step_by(found.div_ceil(MOST).max(1)).collect();
    let compile = |text: &str, slot: usize| -> Result<Program, CompileError> {
        let source = source_of(host, "mutants.rs", text)?;
        match host.languages().build(&source, slot)? {
            BuildOutcome::Ready(built) => Ok(built.program),
            BuildOutcome::Rejected { output } => Err(CompileError::Rejected(output)),
        }
    };
    let lease = host.slots().lease(usize::MAX, host.cancel(), &mut || {})?;
    let built = build_all(&text, &chosen, lease.slots(), &compile);
    drop(lease);
    let bulk = match built {
        Ok(bulk) => bulk,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    let cases = &data.made.cases;
    let field = MutationContext::new(host, &bulk, cases, comparer)?;
    let of_problem = prepared.target(host, &JudgeOptions::default(), &mut |_| {})?.limits;
    let slowest = match kill::slowest(host, &field, &of_problem) {
        Ok(slowest) => slowest,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    let limits = kill::limits(&of_problem, slowest);
    let ids: Vec<u32> = bulk.homes.keys().copied().collect();
    let fates = kill::fates(host, &field, &ids, &limits)?;
    let living: Vec<&Mutant> =
        chosen.iter().filter(|mutant| fates.iter().any(|fate| fate.id == mutant.id && fate.kills.is_empty())).collect();
    let mut survivors = Vec::new();
    let mut open = Vec::new();
    for mutant in living {
        if same_program(host, &text, mutant, &limits)? {
            survivors.push(Survivor { mutant, life: Life::Same });
        } else {
            open.push(mutant);
        }
    }
    let ids: Vec<u32> = open.iter().map(|mutant| mutant.id).collect();
    let prey = match hunt::prey(host, problem, cases, &field, &ids, &limits, strength.budget) {
        Ok(prey) => prey,
        Err(Failure::Complaint(complaint)) => return Ok(refused(&complaint)),
        Err(fault) => return Err(fault),
    };
    survivors.extend(open.iter().zip(prey).map(|(mutant, prey)| Survivor { mutant, life: Life::Hunted(prey) }));
    survivors.sort_by_key(|survivor| survivor.mutant.id);
    let report = StrengthReport {
        problem,
        cases,
        source: &text,
        name: solution.path.file_name().and_then(|name| name.to_str()).unwrap_or("the reference"),
        found: chosen.len(),
        unviable: chosen.len() - bulk.homes.len(),
        compilations: bulk.compilations,
        fates: &fates,
        survivors,
        unreached: reach::unreached(&problem.input, cases, host.store())?,
    };
    Ok(report.check())
}

/// Creates a source of one file. The extension of `name` determines the language.
fn source_of(host: &Host, name: &str, text: &str) -> Result<Source, Failure> {
    let source = host.languages().from_text(Path::new(name), text.as_bytes().to_vec());
    source.map_err(Failure::from)
}

fn refused(complaint: &Diagnostic) -> Check {
    Check::new("strength", Status::Fail, complaint.message.clone())
}

/// Whether the compiler generates identical files from the mutant and the original.
fn same_program(host: &Host, text: &str, mutant: &Mutant, limits: &Limits) -> Result<bool, Failure> {
    let file = |text: &str| -> Result<Option<Vec<u8>>, Failure> {
        let path = match host.languages().build(&source_of(host, "mutant.rs", text)?, 0)? {
            BuildOutcome::Ready(built) => built.program.argv(limits).into_iter().next(),
            BuildOutcome::Rejected { .. } => None,
        };
        Ok(path.and_then(|path| fs_err::read(path).ok()))
    };
    let (original, mutated) = (file(text)?, file(&mutant.apply(text))?);
    Ok(original.is_some() && original == mutated)
}
