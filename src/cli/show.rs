//! `nimatron show`: prints a problem's statement.

use crate::clock::now;
use crate::history::ProblemKey;
use crate::model::{Diagnostic, ProblemId};
use crate::package::Package;
use crate::problem::{Problem, TimeLimitSource};
use crate::report::markdown;
use crate::service::{ProblemStatement, catalog_key, package_key};

use super::args::Show;
use super::context::{Context, say_drawn};
use super::exit::{Ending, Result};
use super::standing::{known_problem, summary};

/// Runs `nimatron show` and returns how the command ended.
pub(crate) fn show(context: &Context, args: &Show) -> Result {
    let package = context.package(&args.problem)?;
    let (statement, head) = match package {
        Some(package) => {
            let statement = ProblemStatement::of_package(&package, args.lang.as_deref())?;
            if args.raw && package.statements.is_empty() {
                let message = format!("`{}` has no text statement", package.id);
                return Err(Diagnostic::new(message).help("remove `--raw` to see the limits of the problem").into());
            }
            let head = if args.raw { String::new() } else { package_head(context, args, &package) };
            (statement, head)
        }
        None => {
            let catalog = context.catalog()?;
            let problem = catalog.load(&args.problem)?;
            let statement = ProblemStatement::of_problem(&problem, args.lang.as_deref())?;
            let runs = || runs(context, &catalog_key(&catalog, &problem.dir, &problem.id), &problem.id);
            let head = if args.raw { String::new() } else { head(&problem, &runs()) };
            (statement, head)
        }
    };
    if args.raw {
        say_drawn(statement.text.trim_end())?;
        return Ok(Ending::Good);
    }
    let whole = format!("{head}{}", statement.with_all_samples());
    say_drawn(markdown::render(&whole, context.width().min(100), context.color()).trim_end())?;
    Ok(Ending::Good)
}

/// Returns the history of a problem as Markdown paragraphs: the URL of the statement, and a summary of the runs.
fn runs(context: &Context, key: &ProblemKey, id: &ProblemId) -> String {
    let Some(known) = known_problem(context, key, id) else { return String::new() };
    let link = if known.url.is_empty() { String::new() } else { format!("{}\n\n", known.url) };
    let runs = known.standing.map(|standing| format!("{}\n\n", summary(&standing, now()))).unwrap_or_default();
    format!("{link}{runs}")
}

/// Returns the head of a package, which is printed before the statement: title, limits, source, format, guessed
/// properties, and runs.
fn package_head(context: &Context, args: &Show, package: &Package) -> String {
    let runs = runs(context, &package_key(&args.problem, package), &package.id);
    let time =
        package.limits.time.map_or("derived from the programs in the package".to_owned(), |time| time.to_string());
    let source = package.source.as_ref().map(|source| format!(" · {source}")).unwrap_or_default();
    let guess = package.whole_guess().map(|guess| format!("{guess}.\n\n")).unwrap_or_default();
    let (title, memory, format) = (package.title(), package.limits.memory, package.format.name());
    format!("# {title}\n\ntime {time} · memory {memory}{source}\n\n*{format}*\n\n{guess}{runs}")
}

/// Returns the head of a problem, which is printed before the statement: title, limits, source, and runs.
fn head(problem: &Problem, runs: &str) -> String {
    let time = if problem.time == TimeLimitSource::Auto {
        "derived from the solutions".to_owned()
    } else {
        problem.limits.cpu.to_string()
    };
    let source = problem.source.as_ref().map(|source| format!(" · {source}")).unwrap_or_default();
    format!("# {}\n\ntime {time} · memory {}{source}\n\n{runs}", problem.name, problem.limits.memory)
}
