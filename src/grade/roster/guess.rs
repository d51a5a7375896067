//! Groups the files of a download into submissions. Files that belong to none are listed with the reason.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Placed, RosterLayout};
use super::listing::{Claim, Left, Listed, Named, Roster};
use super::naming::numbered;
use super::pattern::Pattern;

/// Student, number, problem, path and attempt of a program.
type GuessKey = (String, Option<String>, usize, String, u64);

/// Determines the student and the problem of each file from its name, or from the patterns if there are any. `passed`
/// are files that were already skipped.
pub fn guess(files: &[Listed], passed: &[Left], problems: &[Named], patterns: &[Pattern]) -> Roster {
    let layout = RosterLayout::of(files, problems, patterns);
    let mut left = passed.to_vec();
    let mut units: BTreeMap<GuessKey, Vec<usize>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        match layout.place(&file.path, problems, patterns) {
            Ok(Placed { student, number, problem, attempt, unit }) if file.source || unit != file.path => {
                units.entry((student, number, problem, unit, attempt)).or_default().push(index);
            }
            Ok(_) => left.push(Left::new(&file.path, "unknown file extension")),
            Err(_) if !file.source => left.push(Left::new(&file.path, "unknown file extension")),
            Err(reason) => left.push(Left::new(&file.path, reason)),
        }
    }
    let mut claims = Vec::new();
    for (key, indices) in units {
        divide(files, &key, &indices, &mut claims, &mut left);
    }
    name_apart(&mut claims);
    let mut students: BTreeSet<String> = claims.iter().map(|claim| claim.student.clone()).collect();
    let known: BTreeSet<&str> = units_of(&claims);
    let others = left.iter().filter(|left| !known.contains(head(&left.path)));
    students.extend(others.filter_map(|left| layout.student(&left.path)));
    claims.sort_by(|a, b| order(a).cmp(&order(b)));
    left.sort();
    Roster { layout: layout.words().to_owned(), claims, students, left }
}

/// Top-level folders that contain programs.
fn units_of(claims: &[Claim]) -> BTreeSet<&str> {
    claims.iter().map(|claim| head(&claim.path)).collect()
}

fn head(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// Sort key of claims. Attempts are sorted by number, and by time if they have the same number.
pub(super) fn order(claim: &Claim) -> (&str, usize, u64, Option<i64>, &str) {
    (&claim.student, claim.problem, claim.attempt, claim.at, &claim.path)
}

/// Creates the claims of a file or a folder: one program, or several attempts in one folder.
fn divide(files: &[Listed], key: &GuessKey, indices: &[usize], claims: &mut Vec<Claim>, left: &mut Vec<Left>) {
    let (student, number, problem, unit, attempt) = key;
    let claim = |path: &str, members: Vec<usize>, attempt: u64| Claim {
        student: student.clone(),
        number: number.clone(),
        problem: *problem,
        path: path.to_owned(),
        at: members.iter().filter_map(|&member| files[member].modified).max(),
        files: members,
        attempt,
    };
    let sources: Vec<usize> = indices.iter().copied().filter(|&index| files[index].source).collect();
    let leave = |left: &mut Vec<Left>, reason: &str| {
        let others = indices.iter().filter(|index| !files[**index].source);
        left.extend(others.map(|&index| Left::new(&files[index].path, reason)));
    };
    if sources.is_empty() {
        leave(left, "unknown file extension, and no program in the same folder");
        return;
    }
    if let [only] = sources[..] {
        leave(left, "not a source file, next to a single-file program");
        claims.push(claim(&files[only].path, vec![only], *attempt));
        return;
    }
    match attempts(files, unit, &sources) {
        Some(attempts) => {
            leave(left, "not a source file, in a folder of several attempts");
            claims.extend(attempts.into_iter().map(|(path, members, number)| claim(&path, members, number)));
        }
        None => claims.push(claim(unit, indices.to_vec(), *attempt)),
    }
}

/// Splits a folder into attempts. `None` unless all names end in different numbers and are otherwise equal.
fn attempts(files: &[Listed], unit: &str, sources: &[usize]) -> Option<Vec<(String, Vec<usize>, u64)>> {
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for &index in sources {
        let below = files[index].path.strip_prefix(unit)?.strip_prefix('/')?;
        let head = below.split('/').next()?;
        members.entry(format!("{unit}/{head}")).or_default().push(index);
    }
    let mut bases = BTreeSet::new();
    let mut found = Vec::new();
    for (path, members) in members {
        let name = path.rsplit('/').next()?;
        let stem = name.rfind('.').filter(|&at| at > 0).map_or(name, |at| &name[..at]);
        let (base, number) = numbered(stem)?;
        bases.insert(base);
        let path = if members.len() == 1 { files[members[0]].path.clone() } else { path };
        found.push((path, members, number));
    }
    let numbers: BTreeSet<u64> = found.iter().map(|(_, _, number)| *number).collect();
    (bases.len() == 1 && found.len() > 1 && numbers.len() == found.len()).then_some(found)
}

/// Adds numbers to the names of different students with the same name.
fn name_apart(claims: &mut [Claim]) {
    let mut numbers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for claim in claims.iter() {
        if let Some(number) = &claim.number {
            numbers.entry(claim.student.clone()).or_default().insert(number.clone());
        }
    }
    for claim in claims {
        if let (Some(number), true) = (&claim.number, numbers.get(&claim.student).is_some_and(|all| all.len() > 1)) {
            claim.student = format!("{} ({number})", claim.student);
        }
    }
}

#[cfg(test)]
#[path = "guess_tests.rs"]
mod tests;
