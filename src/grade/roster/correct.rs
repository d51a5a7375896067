//! Manual corrections of a roster: the student and the problem of a file, and files to leave out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::guess::{guessed_languages, order};
use super::listing::{Claim, Left, Listed, Roster};

/// Reason that is shown for files that a teacher left out.
const LEFT_OUT: &str = "left out manually";

/// A correction for a path: either the path of a program in the roster, or the path of a file or folder that belongs to
/// no submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterCorrection {
    /// The new student; `None` to keep the guessed student. A path that belongs to no submission needs a student,
    /// unless it is left out.
    pub student: Option<String>,
    /// The new problem, as an index into the list of problems; `None` to keep the guessed problem. A path that belongs
    /// to no submission needs a problem, unless it is left out.
    pub problem: Option<usize>,
    /// Whether to leave the path out.
    pub leave_out: bool,
}

/// Applies corrections, given by path, to a roster.
///
/// # Errors
/// Fails if a path is neither that of a program nor that of a file or folder of the download. Unless it is left out, a
/// file or folder that belonged to no submission also causes an error if it is not assigned to a student and a problem,
/// or if it contains no source file in a known language.
pub fn correct(
    roster: &Roster,
    files: &[Listed],
    corrections: &BTreeMap<String, RosterCorrection>,
) -> Result<Roster, String> {
    let mut corrected = roster.clone();
    for (path, correction) in corrections {
        let known = corrected.claims.iter().any(|claim| claim.path == *path);
        if known { change(&mut corrected, path, correction) } else { add(&mut corrected, files, path, correction)? }
    }
    if !corrections.is_empty() {
        corrected.claims.sort_by(|a, b| order(a).cmp(&order(b)));
        corrected.left.sort();
        corrected.left.dedup();
    }
    Ok(corrected)
}

/// Changes or removes the programs with this path.
fn change(roster: &mut Roster, path: &str, correction: &RosterCorrection) {
    if correction.leave_out {
        roster.claims.retain(|claim| claim.path != path);
        roster.left.push(Left::new(path, LEFT_OUT));
        return;
    }
    let mut renamed = Vec::new();
    for claim in roster.claims.iter_mut().filter(|claim| claim.path == path) {
        if let Some(student) = correction.student.as_ref().filter(|student| **student != claim.student) {
            renamed.push(std::mem::replace(&mut claim.student, student.clone()));
            claim.number = None;
            roster.students.insert(student.clone());
        }
        claim.problem = correction.problem.unwrap_or(claim.problem);
        claim.guesses.clear();
    }
    // A student without submissions after the correction was a wrong guess, and is removed.
    for student in renamed {
        if !roster.claims.iter().any(|claim| claim.student == student) {
            roster.students.remove(&student);
        }
    }
}

/// Creates a submission from the file at `path`, or from the files in the folder at `path`, which must not belong to
/// another submission. Creates none if `correction` leaves the path out.
fn add(roster: &mut Roster, files: &[Listed], path: &str, correction: &RosterCorrection) -> Result<(), String> {
    let below = format!("{path}/");
    let members: Vec<usize> =
        (0..files.len()).filter(|&file| files[file].path == path || files[file].path.starts_with(&below)).collect();
    if members.is_empty() {
        return Err(format!("there is no file or folder `{path}` in the download"));
    }
    if correction.leave_out {
        return Ok(());
    }
    let (Some(student), Some(problem)) = (&correction.student, correction.problem) else {
        return Err(format!("`{path}` belongs to no submission; to create one, specify both a student and a problem"));
    };
    if !members.iter().any(|&member| files[member].source) {
        let is_file = members.iter().any(|&member| files[member].path == path);
        let what = if is_file { "is not a" } else { "contains no" };
        return Err(format!("`{path}` {what} source file in a known language"));
    }
    roster.left.retain(|left| left.path != path && !left.path.starts_with(&below));
    roster.students.insert(student.clone());
    roster.claims.push(Claim {
        student: student.clone(),
        number: None,
        problem,
        path: path.to_owned(),
        at: members.iter().filter_map(|&member| files[member].modified).max(),
        guesses: guessed_languages(files, &members),
        files: members,
        attempt: 0,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::roster::{Named, guess};
    use crate::model::Digest;

    fn files(paths: &[&str]) -> Vec<Listed> {
        let file = |path: &&str| Listed {
            path: (*path).to_owned(),
            modified: None,
            source: path.ends_with(".py"),
            guessed: None,
            content: Ok(Digest::of(path.as_bytes())),
        };
        paths.iter().map(file).collect()
    }

    fn roster(files: &[Listed]) -> Roster {
        let problems = ["nim", "sum"].map(|id| Named { id: id.parse().unwrap(), name: id.to_owned() });
        guess(files, &[], &problems, &[])
    }

    fn corrected(files: &[Listed], path: &str, correction: RosterCorrection) -> Result<Vec<(String, usize)>, String> {
        let all = BTreeMap::from([(path.to_owned(), correction)]);
        let roster = correct(&roster(files), files, &all)?;
        assert!(roster.claims.is_sorted_by(|a, b| order(a) <= order(b)));
        assert!(roster.claims.iter().all(|claim| roster.students.contains(&claim.student)));
        Ok(roster.claims.into_iter().map(|claim| (claim.student, claim.problem)).collect())
    }

    #[test]
    fn a_program_gets_another_student_or_problem() {
        let files = files(&["ann/nim.py", "bob/nim.py", "bob/strange.py"]);
        let of = |student: &str, problem| (student.to_owned(), problem);
        let to = |student: Option<&str>, problem| RosterCorrection {
            student: student.map(str::to_owned),
            problem,
            leave_out: false,
        };
        assert_eq!(corrected(&files, "ann/nim.py", to(Some("zoë"), None)).unwrap(), [of("bob", 0), of("zoë", 0)]);
        assert_eq!(corrected(&files, "ann/nim.py", to(None, Some(1))).unwrap(), [of("ann", 1), of("bob", 0)]);
        assert_eq!(
            corrected(&files, "bob/strange.py", to(Some("bob"), Some(1))).unwrap(),
            [of("ann", 0), of("bob", 0), of("bob", 1)]
        );
        assert!(corrected(&files, "bob/strange.py", to(Some("bob"), None)).unwrap_err().contains("both"));
        assert!(corrected(&files, "../etc/passwd", to(Some("bob"), Some(0))).unwrap_err().contains("no file"));
    }

    #[test]
    fn a_program_is_left_out_and_a_wrong_name_vanishes() {
        let files = files(&["ann/nim.py", "bob/nim.py"]);
        let out = RosterCorrection { leave_out: true, ..RosterCorrection::default() };
        assert_eq!(corrected(&files, "ann/nim.py", out).unwrap(), [("bob".to_owned(), 0)]);
        let all = BTreeMap::from([(
            "ann/nim.py".to_owned(),
            RosterCorrection { student: Some("Ann".to_owned()), ..RosterCorrection::default() },
        )]);
        let roster = correct(&roster(&files), &files, &all).unwrap();
        assert_eq!(roster.students.iter().map(String::as_str).collect::<Vec<_>>(), ["Ann", "bob"]);
    }
}
