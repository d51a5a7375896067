//! `nimatron new`: creates a problem from a template that passes `verify`.

use std::path::{Path, PathBuf};

use nimatron::data::write_whole;
use nimatron::model::{Diagnostic, Failure, ProblemId};

use super::args::New;
use super::context::{Context, say};
use super::exit::{Ending, Result};

const SPEC: &str = include_str!("template/problem.yaml");
const STATEMENT: &str = include_str!("template/statement.md");
const REFERENCE: &str = include_str!("template/reference.rs");
const OVERFLOW: &str = include_str!("template/overflow.rs");

/// Creates a problem in the first `--problems` directory, else in the nearest `problems/` at or above the current
/// directory, else in a new `problems/` there.
pub fn new(context: &Context, args: &New) -> Result {
    let id: ProblemId = args.problem.parse().map_err(|error| Diagnostic::new(format!("{error}")))?;
    // The path is made absolute because the folder of solutions is a sibling of the catalog.
    let named =
        context.problem_dirs().first().map(|dir| fs_err::canonicalize(dir).or_else(|_| std::path::absolute(dir)));
    let catalog = named.transpose()?.unwrap_or_else(|| root().join("problems"));
    let problem = catalog.join(id.as_str());
    let solutions = catalog.parent().unwrap_or(Path::new("")).join("solutions").join(id.as_str());
    if let Some(there) = [&problem, &solutions].into_iter().find(|path| path.exists()) {
        return Err(Diagnostic::new(format!("`{}` already exists", there.display())).help("choose another id").into());
    }
    let name = title(&id);
    for (path, text) in [
        (problem.join("problem.yaml"), SPEC.replace("NAME", &name)),
        (problem.join("statement.md"), STATEMENT.to_owned()),
        (solutions.join("accepted/reference.rs"), REFERENCE.to_owned()),
        (solutions.join("wrong_answer/overflow.rs"), OVERFLOW.to_owned()),
    ] {
        write_whole(&path, text.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        if !context.quiet() {
            say(&path.display().to_string())?;
        }
    }
    if !context.quiet() {
        let problem_dirs: String =
            context.problem_dirs().iter().take(1).map(|dir| format!(" --problems {}", dir.display())).collect();
        say(&format!("\nNow try: nimatron verify {id}{problem_dirs}"))?;
    }
    Ok(Ending::Good)
}

/// The nearest ancestor of the current directory that contains `problems/`, or the current directory if none does.
fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let found = here.ancestors().find(|dir| dir.join("problems").is_dir()).map(Path::to_owned);
    let root = found.unwrap_or_else(|| here.clone());
    root.strip_prefix(&here).map_or(root.clone(), Path::to_owned)
}

/// Converts an id to a title: `split-nim` → `Split nim`.
fn title(id: &ProblemId) -> String {
    let words = id.as_str().replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
