//! The solutions of a native problem.

use std::path::PathBuf;

use walkdir::WalkDir;

use crate::model::{Diagnostic, Failure};
use crate::problem::Problem;

/// A solution of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The path relative to the problem's folder of solutions, such as `wrong_answer/sum.py`.
    pub name: String,
    /// The first folder of the path, which determines the expected verdict.
    pub folder: String,
    /// The file, or the folder of a program with several files.
    pub path: PathBuf,
}

/// Returns all solutions, sorted by name, with the accepted solutions first. A subfolder of a verdict's folder is a
/// program with several files.
///
/// # Errors
/// Fails if the folder of solutions does not exist or can't be read.
pub fn solutions(problem: &Problem) -> Result<Vec<Solution>, Failure> {
    let root = problem.solutions();
    if !root.is_dir() {
        let message = format!("`{}` has no solutions: the folder `{}` does not exist", problem.id, root.display());
        let reference = root.join("accepted/reference.rs");
        let help = format!(
            "the answers are the output of a reference solution; create `{}`, or a `reference` file with the extension \
             of another language",
            reference.display()
        );
        return Err(Diagnostic::new(message).help(help).into());
    }
    let mut found = Vec::new();
    for entry in WalkDir::new(&root).min_depth(2).max_depth(2).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::user_file(&error.into()))?;
        let path = entry.into_path();
        let Ok(below) = path.strip_prefix(&root) else { continue };
        let name = below.display().to_string();
        let hidden = name.split('/').any(|part| part.starts_with('.'));
        if let (Some(folder), false) = (name.split('/').next(), hidden) {
            found.push(Solution { folder: folder.to_owned(), name: name.clone(), path: path.clone() });
        }
    }
    found.sort_by_key(|solution| (solution.folder != "accepted", solution.name.clone()));
    Ok(found)
}

/// Returns the accepted solution that `name` specifies: by its path, as in `accepted/other.cpp`, by its file name, as
/// in `other.cpp`, or by its file name without the extension, as in `other`.
///
/// # Errors
/// Fails if there is no such solution or more than one, or if the folder of solutions can't be read.
pub fn accepted(problem: &Problem, name: &str) -> Result<Solution, Failure> {
    let mut all = solutions(problem)?;
    all.retain(|solution| solution.folder == "accepted");
    let is_named = |solution: &&Solution| {
        solution.name == name || [solution.path.file_name(), solution.path.file_stem()].contains(&Some(name.as_ref()))
    };
    let mut named = all.iter().filter(is_named);
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(one.clone()),
        (Some(one), Some(other)) => Err(Failure::complaint(format!(
            "`{name}` is ambiguous: it matches `{}` and `{}`; specify the full name",
            one.name, other.name
        ))),
        (None, _) => {
            let names: Vec<&str> = all.iter().map(|solution| solution.name.as_str()).collect();
            let message = format!("`{}` has no accepted solution `{name}`", problem.id);
            Err(match names.is_empty() {
                true => Diagnostic::new(message)
                    .help("add the solution to the folder `accepted` of the problem's solutions"),
                false => Diagnostic::new(message).help(format!("accepted solutions: {}", names.join(", "))),
            }
            .into())
        }
    }
}

/// Returns the reference solution, `accepted/reference.*`, whose output is the answer.
///
/// # Errors
/// Fails if there is no reference solution or more than one, or if the folder of solutions can't be read.
pub fn reference(problem: &Problem) -> Result<Solution, Failure> {
    let all = solutions(problem)?;
    let is_reference = |solution: &&Solution| {
        // In Java, a file is named after its public class, whose name begins with a capital letter.
        let is_named = |stem: &std::ffi::OsStr| stem.eq_ignore_ascii_case("reference");
        solution.folder == "accepted" && solution.path.file_stem().is_some_and(is_named)
    };
    let mut references = all.iter().filter(is_reference);
    let expected = problem.solutions().join("accepted/reference.rs");
    match (references.next(), references.next()) {
        (Some(one), None) => Ok(one.clone()),
        (None, _) => Err(Diagnostic::new(format!("`{}` has no reference solution", problem.id))
            .help(format!(
                "the answers are the output of a reference solution; create `{}`, or a `reference` file with the \
                 extension of another language",
                expected.display()
            ))
            .into()),
        (Some(one), Some(other)) => Err(Failure::complaint(format!(
            "`{}` has two reference solutions: `{}` and `{}`; remove or rename one of them",
            problem.id, one.name, other.name
        ))),
    }
}
