//! The lock file `tests.lock`: the hashes of all cases, which show whether test data is the same on every machine.

use std::fmt::Write as _;
use std::path::Path;

use crate::model::{CaseId, Diagnostic, Digest, Failure};

use super::make::Case;
use super::store::write_whole;

/// The name of the lock file.
pub const LOCK_FILE: &str = "tests.lock";

/// The first line of the lock file.
const HEAD: &str = "# nimatron tests.lock 1: case, BLAKE3 of the input, BLAKE3 of the answer";

/// The result of comparing test data with the lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lock {
    /// There is no lock file.
    Absent,
    /// The test data matches the lock file.
    Holds,
    /// The test data differs from the lock file. Each string describes a difference.
    Broken(Vec<String>),
    /// The lock file can't be parsed. The string states the file and the line.
    Damaged(String),
}

/// Writes the lock file for these cases into the folder of their problem.
///
/// # Errors
/// Fails if the file can't be written.
pub fn write(folder: &Path, cases: &[Case]) -> Result<(), Failure> {
    let path = folder.join(LOCK_FILE);
    write_whole(&path, text(cases).as_bytes()).map_err(|error| Failure::unwritable(&path, &error))
}

/// Returns the content of the lock file for `cases`.
fn text(cases: &[Case]) -> String {
    let mut text = format!("{HEAD}\n");
    for case in cases {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{} {} {}", case.id, case.input.digest, case.answer.digest);
    }
    text
}

/// Compares the cases with the lock file in the folder `dir`.
///
/// # Errors
/// Fails if the lock file exists but can't be read.
pub fn check(dir: &Path, cases: &[Case]) -> Result<Lock, Diagnostic> {
    let path = dir.join(LOCK_FILE);
    if !path.exists() {
        return Ok(Lock::Absent);
    }
    let old = fs_err::read_to_string(&path).map_err(|error| Diagnostic::user_file(&error))?;
    let old = match parse(&path, &old) {
        Ok(old) => old,
        Err(damage) => return Ok(Lock::Damaged(damage)),
    };
    let differences = differences(&old, cases);
    Ok(if differences.is_empty() { Lock::Holds } else { Lock::Broken(differences) })
}

type LockLine = (CaseId, Digest, Digest);

fn parse(path: &Path, text: &str) -> Result<Vec<LockLine>, String> {
    let complain = |number: usize, what: &str| format!("{}:{}: {what}", path.display(), number + 1);
    if text.lines().next() != Some(HEAD) {
        return Err(complain(0, &format!("expected the line `{HEAD}`")));
    }
    let line = |(number, line): (usize, &str)| {
        let mut words = line.split(' ');
        let mut digest = || words.next_back()?.parse().ok();
        let (answer, input) = (digest(), digest());
        match (words.next(), input, answer, words.next()) {
            (Some(id), Some(input), Some(answer), None) => Ok((CaseId::named(id), input, answer)),
            _ => Err(complain(number, &format!("expected the id of a case and two hashes, found `{line}`"))),
        }
    };
    text.lines().enumerate().skip(1).map(line).collect()
}

fn differences(old: &[LockLine], cases: &[Case]) -> Vec<String> {
    let mut found = Vec::new();
    let was: std::collections::HashMap<&CaseId, &LockLine> = old.iter().map(|line| (&line.0, line)).collect();
    let is: std::collections::HashSet<&CaseId> = cases.iter().map(|case| &case.id).collect();
    for case in cases {
        match was.get(&case.id) {
            None => found.push(format!("{} is new", case.id)),
            Some((_, input, _)) if *input != case.input.digest => {
                found.push(format!("{} has a different input", case.id))
            }
            Some((_, _, answer)) if *answer != case.answer.digest => {
                found.push(format!("{} has a different answer", case.id));
            }
            Some(_) => {}
        }
    }
    found.extend(old.iter().filter(|line| !is.contains(&line.0)).map(|line| format!("{} no longer exists", line.0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::store::Blob;

    fn case(id: &str, input: &str, answer: &str) -> Case {
        let blob = |text: &str| Blob { digest: Digest::of(text.as_bytes()), size: text.len() as u64 };
        Case { id: CaseId::named(id), group: 0, input: blob(input), answer: blob(answer) }
    }

    #[test]
    fn a_lock_holds_until_the_data_changes() {
        let dir = tempfile::tempdir().unwrap();
        let cases = [case("a/001", "1", "x"), case("a/002", "2", "y")];
        assert_eq!(check(dir.path(), &cases), Ok(Lock::Absent));
        fs_err::write(dir.path().join(LOCK_FILE), text(&cases)).unwrap();
        assert_eq!(check(dir.path(), &cases), Ok(Lock::Holds));
        let others = [case("a/001", "1", "z"), case("a/003", "2", "y")];
        let said = ["a/001 has a different answer", "a/003 is new", "a/002 no longer exists"].map(str::to_owned);
        assert_eq!(check(dir.path(), &others), Ok(Lock::Broken(said.to_vec())));
    }

    #[test]
    fn a_damaged_lock_is_a_complaint_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join(LOCK_FILE), format!("{HEAD}\na/001 00 11\n")).unwrap();
        let Ok(Lock::Damaged(said)) = check(dir.path(), &[]) else { panic!("a damaged lock file is accepted") };
        assert!(said.contains("tests.lock:2"), "{said}");
    }
}
