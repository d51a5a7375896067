//! Writes a failing input to a file, and adds it to a problem's tests.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use nimatron::data::{Lock, write_whole};
use nimatron::model::{Diagnostic, Failure, ProblemId};
use nimatron::problem::{Problem, SPEC_FILE, load, with_case};

use super::context::Context;
use super::generate::update_lock;
use super::output::make_data;

/// Name of the test group that failing inputs are added to.
const GROUP: &str = "found";
/// Size limit in bytes for inputs that are added to problem.yaml.
const LARGEST: usize = 64 << 10;

/// Writes the input to `out`, or to the first free default name, and returns the path.
pub fn keep(out: &Option<PathBuf>, problem: &ProblemId, input: &[u8]) -> Result<PathBuf, Failure> {
    let unwritable = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::complaint(format!("cannot write the failing input to {}: {error}", path.display()))
    };
    if let Some(path) = out {
        write_whole(path, input).map_err(|error| unwritable(path, &error))?;
        return Ok(path.clone());
    }
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{problem}-fail.in")),
        _ => PathBuf::from(format!("{problem}-fail-{number}.in")),
    };
    for number in 1..=u32::MAX {
        let path = name(number);
        match std::fs::File::create_new(&path).map(|mut file| file.write_all(input)) {
            Ok(Ok(())) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(Err(error)) | Err(error) => return Err(unwritable(&path, &error)),
        }
    }
    Err(unwritable(&name(1), &"all default file names are in use"))
}

/// Checks that tests can be added to this problem. This is called before the search, so that a failure costs no time.
pub fn check(context: &Context, problem: &Problem) -> Result<(), Failure> {
    let ours = fs_err::canonicalize(context.cache()).unwrap_or_else(|_| context.cache().to_owned());
    if problem.dir.starts_with(ours.join("set")) {
        let message = format!("cannot add tests to `{}`, which is built into the binary", problem.id);
        return Err(Diagnostic::new(message).help("copy the problem, and specify its folder with `--problems`").into());
    }
    let spec = problem.dir.join(SPEC_FILE);
    let writable = fs_err::OpenOptions::new().write(true).open(&spec);
    writable.map(drop).map_err(|error| Failure::complaint(format!("cannot add tests: {error}")))
}

/// Adds the input to the problem's tests, and updates tests.lock if it matched the tests. Returns a message for the
/// user.
pub fn add(context: &Context, problem: &Problem, input: &[u8]) -> Result<String, Failure> {
    let path = problem.dir.join(SPEC_FILE);
    let text = std::str::from_utf8(input).ok().filter(|_| input.len() <= LARGEST);
    let Some(text) = text else {
        return Ok(format!("{} is too large for {}; add it with a generator", "the input", path.display()));
    };
    // The problem is loaded again, because its file may have changed during the search.
    let now = load(&problem.dir)?;
    if now.groups.iter().any(|group| holds(group, text)) {
        return Ok(format!("{} already contains this input", path.display()));
    }
    let service = context.service()?;
    let before = service.prepare_problem(now.clone())?;
    let had_lock = make_data(context, &before)?.is_some_and(|data| data.lock == Lock::Holds);
    let edited = with_case(&path.display().to_string(), &now, GROUP, text)?;
    write_whole(&path, edited.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
    let changed = load(&problem.dir)?;
    let after = service.prepare_problem(changed.clone())?;
    let locked = match make_data(context, &after)? {
        Some(prepared) if had_lock => {
            update_lock(&changed, prepared)?;
            " and to its tests.lock"
        }
        _ => "",
    };
    Ok(format!("added to the group `{GROUP}` of {}{locked}", path.display()))
}

fn holds(group: &nimatron::problem::Group, input: &str) -> bool {
    match &group.recipe {
        nimatron::problem::Recipe::Given(cases) => cases.iter().any(|case| case.input == input),
        _ => false,
    }
}
