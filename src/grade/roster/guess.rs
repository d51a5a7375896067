//! Groups the files of a download into submissions. Files that belong to no submission are listed with the reason.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Placed, RosterLayout};
use super::listing::{Claim, GuessedLanguage, Left, Listed, Named, Roster};
use super::naming::numbered;
use super::pattern::Pattern;

/// The student, the student's number, the problem, the path and the attempt of a program.
type GuessKey = (String, Option<String>, usize, String, u64);

/// The files of a program.
#[derive(Default)]
struct Unit {
    files: Vec<usize>,
    /// The misspelled words that are interpreted as the id or title of the problem; `None` if no words are misspelled.
    misspelt: Option<String>,
}

/// Creates the roster of a download. Determines the student and the problem of each file from its path, using the
/// patterns if there are any, and a guessed layout otherwise. `passed` contains the files that were already skipped.
pub fn guess(files: &[Listed], passed: &[Left], problems: &[Named], patterns: &[Pattern]) -> Roster {
    let layout = RosterLayout::of(files, problems, patterns);
    let mut left = passed.to_vec();
    let mut units: BTreeMap<GuessKey, Unit> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        match layout.place(&file.path, problems, patterns) {
            Ok(Placed { student, number, problem, attempt, unit, misspelt }) if file.source || unit != file.path => {
                let unit = units.entry((student, number, problem, unit, attempt)).or_default();
                unit.files.push(index);
                unit.misspelt = unit.misspelt.take().or(misspelt);
            }
            Ok(_) => left.push(Left::new(&file.path, no_language(file))),
            Err(_) if !file.source => left.push(Left::new(&file.path, no_language(file))),
            Err(reason) => left.push(Left::new(&file.path, reason)),
        }
    }
    let mut claims = Vec::new();
    for (key, Unit { files: indices, misspelt }) in units {
        let first = claims.len();
        divide(files, &key, &indices, &mut claims, &mut left);
        for claim in &mut claims[first..] {
            let misspelt = misspelt.as_ref().map(|said| format!("`{said}` is interpreted as `{}`", problems[key.2].id));
            claim.guesses = misspelt.into_iter().chain(guessed_languages(files, &claim.files)).collect();
        }
    }
    without_notes(files, &mut claims, &mut left);
    name_apart(&mut claims);
    let mut students: BTreeSet<String> = claims.iter().map(|claim| claim.student.clone()).collect();
    let known: BTreeSet<&str> = units_of(&claims);
    let others = left.iter().filter(|left| !known.contains(head(&left.path)));
    students.extend(others.filter_map(|left| layout.student(&left.path)));
    claims.sort_by(|a, b| order(a).cmp(&order(b)));
    left.sort();
    Roster { layout: layout.words().to_owned(), claims, students, left }
}

/// Returns the reason why a file whose name does not identify a language is not a program.
fn no_language(file: &Listed) -> &str {
    let is_text = file.path.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("txt"));
    match &file.content {
        Err(unreadable) if is_text => unreadable.as_str(),
        Ok(_) if is_text => {
            "the text does not identify a programming language; give the file the extension of its language"
        }
        _ => "unknown file extension",
    }
}

/// Describes the languages that were guessed for the source files among `members`.
pub(super) fn guessed_languages(files: &[Listed], members: &[usize]) -> Vec<String> {
    let told = |file: &Listed, guessed: &GuessedLanguage| {
        let about =
            if members.len() == 1 { "the program text".to_owned() } else { format!("the text of `{}`", file.path) };
        format!("{about} is interpreted as {}", guessed.name)
    };
    let known = members.iter().any(|&member| files[member].has_known_extension());
    let texts = members.iter().filter(|_| !known).map(|&member| &files[member]);
    texts.filter_map(|file| Some(told(file, file.guessed.as_ref()?))).collect()
}

/// Removes the claims that consist of text files only, if the student has a claim with source files for the same
/// problem.
fn without_notes(files: &[Listed], claims: &mut Vec<Claim>, left: &mut Vec<Left>) {
    let is_text = |claim: &Claim| claim.files.iter().all(|&member| files[member].guessed.is_some());
    let key = |claim: &Claim| (claim.student.clone(), claim.number.clone(), claim.problem);
    let proper: BTreeSet<_> = claims.iter().filter(|claim| !is_text(claim)).map(key).collect();
    claims.retain(|claim| {
        let stays = !is_text(claim) || !proper.contains(&key(claim));
        if !stays {
            let members = claim.files.iter().map(|&member| &files[member].path);
            left.extend(
                members
                    .map(|path| Left::new(path, "text file; the student also has a source file for the same problem")),
            );
        }
        stays
    });
}

/// Returns the first components of the programs' paths.
fn units_of(claims: &[Claim]) -> BTreeSet<&str> {
    claims.iter().map(|claim| head(&claim.path)).collect()
}

fn head(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// Returns the sort key of a claim. Attempts are sorted by number, and by time if they have the same number.
pub(super) fn order(claim: &Claim) -> (&str, usize, u64, Option<i64>, &str) {
    (&claim.student, claim.problem, claim.attempt, claim.at, &claim.path)
}

/// Creates the claims for a file or a folder: one claim for each attempt if the folder contains several attempts, and
/// one claim otherwise. Creates no claim if there is no source file.
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
        guesses: Vec::new(),
    };
    // A text file counts as a source file only if no file has the extension of a language.
    let known = indices.iter().any(|&index| files[index].has_known_extension());
    let is_source = |index: usize| files[index].source && !(known && files[index].guessed.is_some());
    let sources: Vec<usize> = indices.iter().copied().filter(|&index| is_source(index)).collect();
    let leave = |left: &mut Vec<Left>, reason: &str| {
        let others = indices.iter().filter(|index| !is_source(**index));
        left.extend(others.map(|&index| Left::new(&files[index].path, reason)));
    };
    if sources.is_empty() {
        leave(left, "unknown file extension, and no program in the same folder");
        return;
    }
    if let [only] = sources[..] {
        leave(left, &format!("the file is not a source file; the program in this folder is `{}`", files[only].path));
        claims.push(claim(&files[only].path, vec![only], *attempt));
        return;
    }
    match attempts(files, unit, &sources) {
        Some(attempts) => {
            leave(left, "the file is not a source file; this folder contains several attempts");
            claims.extend(attempts.into_iter().map(|(path, members, number)| claim(&path, members, number)));
        }
        None => claims.push(claim(unit, indices.to_vec(), *attempt)),
    }
}

/// Splits a folder into attempts. Returns `None` unless all names end in different numbers and are otherwise equal.
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

/// Appends the students' numbers to the names of different students who have the same name.
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
