//! Determines which files are written to the folder of a received problem. Files that the user has changed are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use crate::listen::http::MAX_BODY;
use crate::model::Digest;
use crate::package::companion::{CompanionProblem, CompanionTest, MESSAGE_FILE};

/// The contents of a folder before a message is received.
#[derive(Debug, Default)]
pub(super) struct ExistingFolder {
    /// The names of all entries.
    pub(super) names: BTreeSet<String>,
    /// The tests `1.in`, `1.out`, … by number. A missing file is `None`.
    pub(super) tests: BTreeMap<u32, [Option<Vec<u8>>; 2]>,
    /// The content of `problem.json`; `None` if there is no such file.
    pub(super) message: Option<Vec<u8>>,
}

/// The name and the content of a file to write.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlannedFile {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
}

/// The planned changes to a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FolderPlan {
    pub(super) files: Vec<PlannedFile>,
    /// Names of the files that differ from the message and are not overwritten, because the user changed them.
    pub(super) kept: Vec<String>,
}

/// A received message, with the contents of `problem.json` and of the template program.
pub(super) struct NewContent<'m> {
    pub(super) message: &'m CompanionProblem,
    /// The text of `problem.json`.
    pub(super) json: Vec<u8>,
    /// The name and the content of the template program; `None` if there is none.
    pub(super) template: Option<(&'m str, &'m [u8])>,
}

impl ExistingFolder {
    /// Reads the files that a plan depends on. A folder that does not exist is treated as empty.
    ///
    /// # Errors
    /// Fails if the folder or one of the files can't be read.
    pub(super) fn read(folder: &Path) -> io::Result<ExistingFolder> {
        let mut existing = ExistingFolder::default();
        let entries = match fs_err::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(existing),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            if name == MESSAGE_FILE {
                existing.message = Some(content(&folder.join(&name))?);
            } else if let Some((number, side)) = test_file(&name) {
                existing.tests.entry(number).or_default()[side] = Some(content(&folder.join(&name))?);
            }
            existing.names.insert(name);
        }
        Ok(existing)
    }
}

/// Reads at most twice the maximum size of a message from a file. A longer file therefore differs from every message.
/// Returns no bytes if `path` is not a file.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    if path.is_file() {
        fs_err::File::open(path)?.take(2 * MAX_BODY).read_to_end(&mut content)?;
    }
    Ok(content)
}

/// Parses the name of a test's file. Returns the number of the test, and 0 for its input or 1 for its answer: `2.out`
/// is `(2, 1)`. Returns `None` for other names.
fn test_file(name: &str) -> Option<(u32, usize)> {
    let (number, ending) = name.split_once('.')?;
    let side = ["in", "out"].iter().position(|known| *known == ending)?;
    let plain = number.bytes().all(|b| b.is_ascii_digit()) && !number.starts_with('0');
    plain.then(|| number.parse().ok()).flatten().map(|number| (number, side))
}

/// Returns the two files of a sample, with `\n` as the line terminator.
fn sample_files(test: &CompanionTest) -> [Vec<u8>; 2] {
    [&test.input, &test.output].map(|text| {
        let mut text = text.replace("\r\n", "\n");
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.into_bytes()
    })
}

/// Plans the changes to a folder. `written` is the digest of the last written `problem.json`. If the digest of the
/// existing `problem.json` differs, the user has changed the file, and it is kept.
pub(super) fn plan(new: NewContent<'_>, existing: &ExistingFolder, written: Option<Digest>) -> FolderPlan {
    let mut plan = FolderPlan::default();
    plan_samples(new.message, existing, &mut plan);
    match &existing.message {
        Some(old) if same_message(old, new.message) => {}
        Some(old) if written != Some(Digest::of(old)) => plan.kept.push(MESSAGE_FILE.to_owned()),
        _ => plan.files.push(PlannedFile { name: MESSAGE_FILE.to_owned(), content: new.json }),
    }
    if let (Some((name, content)), None) = (new.template, &existing.message)
        && !existing.names.contains(name)
    {
        plan.files.push(PlannedFile { name: name.to_owned(), content: content.to_owned() });
    }
    plan
}

/// Returns whether `old`, the content of a file, is the same message as `new`. The batch is ignored, since it differs
/// in every transmission.
fn same_message(old: &[u8], new: &CompanionProblem) -> bool {
    let alone = |message: &CompanionProblem| CompanionProblem { batch: None, ..message.clone() };
    CompanionProblem::parse(old).is_ok_and(|old| alone(&old) == alone(new))
}

/// Plans the files of the samples. A sample whose files already exist, under any number, is not written again. A new
/// sample may replace a sample of the previous message that the user has not changed, but never a test that belongs to
/// the user.
fn plan_samples(message: &CompanionProblem, existing: &ExistingFolder, plan: &mut FolderPlan) {
    let previous = existing.message.as_deref().and_then(|old| CompanionProblem::parse(old).ok());
    let previous = previous.map(|old| old.tests).unwrap_or_default();
    let mut taken = BTreeSet::new();
    let mut missing = Vec::new();
    for (number, test) in (1..).zip(&message.tests) {
        let files = sample_files(test);
        let same = |(known, pair): &(&u32, &[Option<Vec<u8>>; 2])| {
            !taken.contains(*known) && pair.iter().zip(&files).all(|(old, new)| old.as_ref() == Some(new))
        };
        match existing.tests.iter().find(same) {
            Some((known, _)) => {
                taken.insert(*known);
            }
            None => missing.push((number, files)),
        }
    }
    let outdated = |number: u32| {
        let old = previous.get(number as usize - 1).map(sample_files);
        let now = existing.tests.get(&number);
        old.zip(now).is_some_and(|(old, now)| old.iter().zip(now).all(|(old, now)| now.as_ref() == Some(old)))
    };
    let usable = |number: u32| outdated(number) || !existing.tests.contains_key(&number);
    let mut place = |number: u32, files: [Vec<u8>; 2], taken: &mut BTreeSet<u32>| {
        taken.insert(number);
        for (ending, content) in ["in", "out"].into_iter().zip(files) {
            plan.files.push(PlannedFile { name: format!("{number}.{ending}"), content });
        }
    };
    let mut displaced = Vec::new();
    for (number, files) in missing {
        if !taken.contains(&number) && usable(number) {
            place(number, files, &mut taken);
        } else {
            displaced.push((number, files));
        }
    }
    let mut kept = Vec::new();
    for (number, files) in displaced {
        if !taken.contains(&number) {
            kept.extend(changed(number, &files, existing));
        }
        if let Some(other) = (1..).find(|other| !taken.contains(other) && usable(*other)) {
            place(other, files, &mut taken);
        }
    }
    plan.kept.extend(kept);
}

/// Returns the names of the existing files of the test `number` that differ from `files`.
fn changed(number: u32, files: &[Vec<u8>; 2], existing: &ExistingFolder) -> Vec<String> {
    let Some(now) = existing.tests.get(&number) else { return Vec::new() };
    let sides = ["in", "out"].into_iter().zip(now.iter().zip(files));
    let differs = sides.filter(|(_, (now, file))| now.as_ref().is_some_and(|now| now != *file));
    differs.map(|(ending, _)| format!("{number}.{ending}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(samples: &[(&str, &str)]) -> CompanionProblem {
        let tests: Vec<_> =
            samples.iter().map(|(input, output)| serde_json::json!({"input": input, "output": output})).collect();
        let json = serde_json::json!({ "name": "x", "tests": tests, "batch": {"id": "b", "size": 1} });
        CompanionProblem::parse(json.to_string().as_bytes()).unwrap()
    }

    fn json(message: &CompanionProblem) -> Vec<u8> {
        serde_json::to_vec(message).unwrap()
    }

    /// Creates a folder that contains these tests and a previously received message. An empty string stands for a
    /// missing file.
    fn folder(tests: &[(u32, &str, &str)], message: Option<&CompanionProblem>) -> ExistingFolder {
        let file = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
        let tests = tests.iter().map(|(number, input, output)| (*number, [file(input), file(output)])).collect();
        ExistingFolder { names: BTreeSet::new(), tests, message: message.map(json) }
    }

    /// Returns the files that are written for a message, as `name=content`, and the files that are kept.
    fn planned(new: &CompanionProblem, existing: &ExistingFolder, written: Option<Digest>) -> (String, String) {
        let template = Some(("main.cpp", b"template".as_slice()));
        let plan = plan(NewContent { message: new, json: json(new), template }, existing, written);
        let files = plan.files.iter().filter(|file| file.name.ends_with(['n', 't', 'p']));
        let text = |file: &PlannedFile| format!("{}={}", file.name, String::from_utf8_lossy(&file.content).trim_end());
        let files = files.map(|file| if file.name == MESSAGE_FILE { file.name.clone() } else { text(file) });
        (files.collect::<Vec<_>>().join(" "), plan.kept.join(" "))
    }

    fn pair(files: &str, kept: &str) -> (String, String) {
        (files.to_owned(), kept.to_owned())
    }

    #[test]
    fn a_new_folder_gets_everything() {
        let new = message(&[("1\r\n2", "3"), ("4\n", "")]);
        assert_eq!(
            planned(&new, &folder(&[], None), None),
            pair("1.in=1\n2 1.out=3 2.in=4 2.out= problem.json main.cpp=template", "")
        );
        let mut existing = folder(&[], None);
        existing.names.insert("main.cpp".to_owned());
        assert!(!planned(&new, &existing, None).0.contains("main.cpp"));
    }

    #[test]
    fn the_same_message_changes_nothing() {
        let new = message(&[("1\n", "a\n"), ("2\n", "b\n"), ("1\n", "a\n")]);
        let same = folder(&[(1, "1\n", "a\n"), (2, "2\n", "b\n"), (3, "1\n", "a\n")], Some(&new));
        assert_eq!(planned(&new, &same, None), pair("", ""));
        // Samples under other numbers and the user's own tests also stay unchanged.
        let moved = folder(&[(1, "9\n", "z\n"), (2, "2\n", "b\n"), (5, "1\n", "a\n"), (6, "1\n", "a\n")], Some(&new));
        assert_eq!(planned(&new, &moved, None), pair("", ""));
    }

    #[test]
    fn tests_of_the_user_are_never_overwritten() {
        let old = message(&[("1\n", "a\n"), ("2\n", "b\n")]);
        let digest = Some(Digest::of(&json(&old)));
        let new = message(&[("1\n", "a\n"), ("2\n", "c\n"), ("3\n", "d\n")]);
        // The new message changes the answer of sample 2 and adds a third sample, but test 3 belongs to the user.
        let existing = folder(&[(1, "1\n", "a\n"), (2, "2\n", "b\n"), (3, "8\n", "8\n")], Some(&old));
        assert_eq!(planned(&new, &existing, digest), pair("2.in=2 2.out=c 4.in=3 4.out=d problem.json", "3.in 3.out"));
        // The user has changed the answer of sample 2, and it differs from the answers in both messages.
        let existing = folder(&[(1, "1\n", "a\n"), (2, "2\n", "x\n")], Some(&old));
        assert_eq!(planned(&new, &existing, digest), pair("3.in=3 3.out=d 4.in=2 4.out=c problem.json", "2.out"));
        // A test that consists only of an input also belongs to the user.
        let existing = folder(&[(1, "7\n", "")], None);
        assert_eq!(planned(&old, &existing, None).1, "1.in");
    }

    #[test]
    fn samples_that_change_places_are_not_lost() {
        let old = message(&[("a\n", "1\n"), ("b\n", "2\n")]);
        let new = message(&[("b\n", "2\n"), ("c\n", "3\n")]);
        let existing = folder(&[(1, "a\n", "1\n"), (2, "b\n", "2\n")], Some(&old));
        let digest = Some(Digest::of(&json(&old)));
        assert_eq!(planned(&new, &existing, digest), pair("1.in=c 1.out=3 problem.json", ""));
    }

    #[test]
    fn a_changed_message_file_is_kept() {
        let old = message(&[]);
        let new = message(&[("1\n", "2\n")]);
        let existing = folder(&[], Some(&old));
        assert_eq!(planned(&new, &existing, None), pair("1.in=1 1.out=2", MESSAGE_FILE));
        assert_eq!(planned(&new, &existing, Some(Digest::of(b"x"))).1, MESSAGE_FILE);
        let broken = ExistingFolder { message: Some(b"{".to_vec()), ..ExistingFolder::default() };
        assert_eq!(planned(&new, &broken, None).1, MESSAGE_FILE);
    }

    #[test]
    fn only_plain_numbers_are_tests() {
        for (name, wanted) in [
            ("1.in", Some((1, 0))),
            ("12.out", Some((12, 1))),
            ("01.in", None),
            ("0.in", None),
            ("1.ans", None),
            ("1.in.bak", None),
            (".in", None),
            ("99999999999.in", None),
        ] {
            assert_eq!(test_file(name), wanted, "{name}");
        }
    }
}
