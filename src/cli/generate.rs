//! `nimatron generate`: make the test data, and write it for another judge.

use std::path::Path;

use nimatron::data::{LOCK_FILE, Lock, Names, is_zip, lock_text, write_bundle, write_whole};
use nimatron::model::{Diagnostic, Failure};
use nimatron::problem::Problem;
use nimatron::runner::{Options, Prepared};

use super::args::Generate;
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::output::making;

/// Makes test data.
pub fn generate(context: &Context, args: &Generate) -> Result {
    let names = match &args.names {
        Some(text) => text.parse::<Names>()?,
        None => Names::default(),
    };
    for name in &args.problems {
        if let Some(package) = context.package(name)? {
            let message =
                format!("{name} is a package with {} given cases: there is nothing to make", package.cases.len());
            return Err(Diagnostic::new(message).help("`nimatron verify` checks them").into());
        }
    }
    let problems = context.problems(&args.problems)?;
    let many = problems.len() > 1;
    if many && args.out.as_ref().is_some_and(|out| is_zip(out)) {
        return Err(Diagnostic::new("a zip holds the tests of one problem")
            .help("name a folder: each problem gets a folder in it")
            .into());
    }
    let mut ending = Ending::Good;
    for problem in &problems {
        let prepared = making(context, problem)?;
        if args.update_lock {
            update_lock(problem, &prepared)?;
        } else if let Lock::Broken(lines) = &prepared.lock {
            ending = Ending::Bad;
            say(&broken(problem, lines))?;
        }
        if let Some(out) = &args.out {
            let out = if many { out.join(problem.id.as_str()) } else { out.clone() };
            let (arena, cases) = (context.arena()?, &prepared.made.cases);
            let limits = arena.limits(problem, cases, &Options::default())?;
            write_bundle(problem, &limits, cases, arena.store(), &names, &out)?;
        }
        if !context.quiet() {
            say(&told(problem, &prepared, args.out.as_deref()))?;
        }
    }
    Ok(ending)
}

/// Writes tests.lock anew.
pub fn update_lock(problem: &Problem, prepared: &Prepared) -> std::result::Result<(), Failure> {
    let path = problem.dir.join(LOCK_FILE);
    write_whole(&path, lock_text(&prepared.made.cases).as_bytes()).map_err(|error| Failure::unwritable(&path, &error))
}

fn told(problem: &Problem, prepared: &Prepared, out: Option<&Path>) -> String {
    let (cases, fresh) = (prepared.made.cases.len(), prepared.made.fresh);
    let there = out.map(|out| format!(", written to {}", out.display())).unwrap_or_default();
    format!("{}: {cases} cases, {fresh} made now{there}", problem.id)
}

/// What a broken lock says, and what to do about it.
pub fn broken(problem: &Problem, lines: &[String]) -> String {
    let shown = lines.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = lines.len().saturating_sub(5);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "{}: the data is not what {LOCK_FILE} says: {shown}{more}\n  \
         if it is meant to be so: nimatron generate {} --update-lock",
        problem.id, problem.id
    )
}
