//! Adds a failing input to the tests of a native problem.

use std::path::Path;

use crate::data::{Lock, write_lock, write_whole};
use crate::model::{Diagnostic, Failure};
use crate::problem::{Group, Problem, Recipe, SPEC_FILE, load, with_case};
use crate::runner::PreparedProblem;
use crate::service::JudgeService;

/// Name of the test group to which failing inputs are added.
const GROUP: &str = "found";
/// Size limit in bytes for inputs that are added to `problem.yaml`.
const LARGEST: usize = 64 << 10;

/// Checks that tests can be added to this problem. Must be called before the search, so that no time is spent on a
/// search whose result can't be added. `cache` is the folder that contains the embedded problems.
///
/// # Errors
/// Fails if the problem has no `problem.yaml` or is embedded in the binary, or if its `problem.yaml` can't be written.
pub fn check_addable(target: &PreparedProblem, cache: &Path) -> Result<(), Failure> {
    let Some(problem) = target.problem() else {
        let message = format!("tests cannot be added to `{}`, which has no `problem.yaml`", target.id());
        return Err(Diagnostic::new(message).help("remove `--add`").into());
    };
    let ours = fs_err::canonicalize(cache).unwrap_or_else(|_| cache.to_owned());
    if problem.dir.starts_with(ours.join("set")) {
        let message = format!("cannot add tests to `{}`, which is built into the binary", problem.id);
        let help = "copy the problem into a folder, and specify this folder with `--problems`";
        return Err(Diagnostic::new(message).help(help).into());
    }
    let spec = problem.dir.join(SPEC_FILE);
    let writable = fs_err::OpenOptions::new().write(true).open(&spec);
    writable.map(drop).map_err(|error| Failure::complaint(format!("cannot add tests to `{}`: {error}", problem.id)))
}

/// The result of [`add_case`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedCase {
    /// Whether the input was added. An input is not added if it is already a given case, is too large or is not UTF-8.
    pub added: bool,
    /// A message about the result for the user.
    pub message: String,
}

/// Adds the input to the problem's tests, and updates `tests.lock` if that file matched the tests before.
///
/// # Errors
/// Fails if `problem.yaml` is invalid, if `problem.yaml` or `tests.lock` can't be read or written, if the test data
/// can't be generated, or if the judge itself fails.
pub fn add_case(service: &JudgeService, problem: &Problem, input: &[u8]) -> Result<AddedCase, Failure> {
    let path = problem.dir.join(SPEC_FILE);
    let text = std::str::from_utf8(input).ok().filter(|_| input.len() <= LARGEST);
    let Some(text) = text else {
        let why = match input.len() > LARGEST {
            true => format!("the input is larger than {} KiB", LARGEST >> 10),
            false => "the input is not UTF-8".to_owned(),
        };
        let message = format!("no test was added to `{}`: {why}", path.display());
        return Ok(AddedCase { added: false, message });
    };
    // The problem is loaded again, because its file may have changed during the search.
    let now = load(&problem.dir)?;
    if now.groups.iter().any(|group| holds(group, text)) {
        return Ok(AddedCase { added: false, message: format!("`{}` already contains this input", path.display()) });
    }
    let host = service.host();
    let before = service.prepare_problem(now.clone())?;
    let had_lock = before.data(host, &|_, _| {})?.is_some_and(|data| data.lock == Lock::Holds);
    let edited = with_case(&path.display().to_string(), &now, GROUP, text)?;
    write_whole(&path, edited.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
    let changed = load(&problem.dir)?;
    let after = service.prepare_problem(changed.clone())?;
    let locked = match after.data(host, &|_, _| {})? {
        Some(prepared) if had_lock => {
            write_lock(&changed.dir, &prepared.made.cases)?;
            "; `tests.lock` was updated"
        }
        _ => "",
    };
    let message = format!("the input was added to the group `{GROUP}` in `{}`{locked}", path.display());
    Ok(AddedCase { added: true, message })
}

fn holds(group: &Group, input: &str) -> bool {
    match &group.recipe {
        Recipe::Given(cases) => cases.iter().any(|case| case.input == input),
        _ => false,
    }
}
