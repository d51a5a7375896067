//! Converts received messages to folders: numbers the problems of a contest, finds the folder of a problem, and writes
//! the planned files.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::data::write_whole;
use crate::model::{Diagnostic, Digest, Failure};
use crate::package::companion::{CompanionProblem, MESSAGE_FILE};

use super::folder_name::{BatchPosition, FolderPattern};
use super::plan::{ExistingFolder, NewContent, plan};

/// Maximum number of samples of a problem.
const MAX_SAMPLES: usize = 1_000;
/// Maximum number of recent contests, and of recent messages, that an inbox stores.
const REMEMBERED: usize = 64;
/// Upper bound, exclusive, of the numbers that are appended to a folder's name to find a free name.
const MAX_SAME_NAME: usize = 1_000;

/// The settings of an inbox: where folders are created, how they are named, and which program is copied into them.
#[derive(Debug, Clone)]
pub struct InboxSettings {
    /// The folder in which the folders of problems are created.
    pub into: PathBuf,
    /// The pattern for the folders.
    pub name: FolderPattern,
    /// The name and the content of a program that is copied into every new folder; `None` if there is none.
    pub template: Option<(String, Vec<u8>)>,
}

/// A received problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The problem, as described in the message.
    pub problem: CompanionProblem,
    /// The folder of the problem.
    pub folder: PathBuf,
    /// The number of the problem in its contest, from 1, and the size of the contest; `(1, 1)` for a single problem.
    pub position: (u32, u32),
    /// Whether all problems of the contest have been received.
    pub complete: bool,
    /// The effect of the message on the folder.
    pub status: ReceivedStatus,
    /// The files that were written.
    pub written: Vec<String>,
    /// The files that differ from the message and were not overwritten, since the user changed them.
    pub kept: Vec<String>,
    /// The digest of `problem.json`, if it was written.
    pub message_digest: Option<Digest>,
}

/// The effect of a message on a problem's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedStatus {
    /// The folder did not contain a message.
    New,
    /// The folder contained a message, and files were written.
    Updated,
    /// The folder contained a message, and no file was written.
    Unchanged,
}

impl ReceivedStatus {
    /// Returns the status as a word.
    pub const fn word(self) -> &'static str {
        match self {
            ReceivedStatus::New => "new",
            ReceivedStatus::Updated => "updated",
            ReceivedStatus::Unchanged => "unchanged",
        }
    }
}

/// An inbox, which writes received problems to their folders.
#[derive(Debug)]
pub struct Inbox {
    settings: InboxSettings,
    /// The ids of the latest contests, each with its problems in the order of their arrival.
    batches: VecDeque<(String, Vec<String>)>,
    /// The digests of the latest messages, each with the ports at which the message arrived.
    copies: VecDeque<(Digest, Vec<u16>)>,
}

impl Inbox {
    /// Creates an inbox without received problems.
    pub fn new(settings: InboxSettings) -> Inbox {
        Inbox { settings, batches: VecDeque::new(), copies: VecDeque::new() }
    }

    /// Writes the problem in a message to its folder. `written` returns the digest of the `problem.json` that was last
    /// written into a folder. Returns `None` for a copy of a message that has arrived at another port, since the
    /// browser extension sends every message to several ports.
    ///
    /// # Errors
    /// Fails if the message is invalid or has too many samples, if there is no free name for the folder, or if a file
    /// can't be read or written.
    pub fn receive(
        &mut self,
        body: &[u8],
        port: u16,
        written: &dyn Fn(&Path) -> Option<Digest>,
    ) -> Result<Option<Received>, Failure> {
        let problem = CompanionProblem::parse(body)?;
        if problem.tests.len() > MAX_SAMPLES {
            let (name, found) = (&problem.name, problem.tests.len());
            let message = format!("the problem `{name}` has {found} samples, but at most {MAX_SAMPLES} are allowed");
            return Err(Diagnostic::new(message).into());
        }
        if self.is_copy(Digest::of(body), port) {
            return Ok(None);
        }
        let (position, complete) = self.position(&problem);
        let folder = self.folder(&problem, position)?;
        let existing = ExistingFolder::read(&folder).map_err(|error| Failure::user_file(&error))?;
        let template = self.settings.template.as_ref().map(|(name, content)| (name.as_str(), content.as_slice()));
        let new = NewContent { message: &problem, json: pretty(body)?, template };
        let plan = plan(new, &existing, written(&folder));
        for file in &plan.files {
            let path = folder.join(&file.name);
            write_whole(&path, &file.content).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        let status = match (&existing.message, plan.files.is_empty()) {
            (None, _) => ReceivedStatus::New,
            (Some(_), false) => ReceivedStatus::Updated,
            (Some(_), true) => ReceivedStatus::Unchanged,
        };
        let message = plan.files.iter().find(|file| file.name == MESSAGE_FILE);
        Ok(Some(Received {
            folder,
            position: (position.number, position.size),
            complete,
            status,
            message_digest: message.map(|file| Digest::of(&file.content)),
            written: plan.files.into_iter().map(|file| file.name).collect(),
            kept: plan.kept,
            problem,
        }))
    }

    /// Records the arrival of a message at `port`. Returns whether the same bytes have arrived at another port, but not
    /// yet at `port`.
    fn is_copy(&mut self, digest: Digest, port: u16) -> bool {
        if let Some((_, ports)) = self.copies.iter_mut().find(|(known, _)| *known == digest) {
            let copy = !ports.contains(&port);
            if !copy {
                ports.clear();
            }
            ports.push(port);
            return copy;
        }
        remember(&mut self.copies, (digest, vec![port]));
        false
    }

    /// Records a problem as received. Returns the position of the problem in the contest, and whether all problems of
    /// the contest have been received. A problem that was sent alone counts as a complete contest.
    fn position(&mut self, problem: &CompanionProblem) -> (BatchPosition, bool) {
        let Some(batch) = problem.batch.as_ref().filter(|batch| batch.size > 1) else {
            return (BatchPosition { number: 1, size: 1 }, true);
        };
        if !self.batches.iter().any(|(id, _)| *id == batch.id) {
            remember(&mut self.batches, (batch.id.clone(), Vec::new()));
        }
        let Some((_, problems)) = self.batches.iter_mut().find(|(id, _)| *id == batch.id) else {
            return (BatchPosition { number: 1, size: batch.size }, false);
        };
        let key = identity(problem);
        let index = problems.iter().position(|known| *known == key).unwrap_or_else(|| {
            problems.push(key);
            problems.len() - 1
        });
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let complete = count(problems.len()) >= batch.size;
        (BatchPosition { number: count(index + 1), size: batch.size }, complete)
    }

    /// Returns the folder of a problem: the folder that the pattern determines or, if that folder contains another
    /// problem, the first free folder with a number appended to the name. If the folder that the pattern determines
    /// does not exist and a neighboring folder contains the problem, returns the neighboring folder.
    fn folder(&self, problem: &CompanionProblem, position: BatchPosition) -> Result<PathBuf, Failure> {
        let wanted = self.settings.into.join(self.settings.name.path(problem, position));
        let mut folder = wanted.clone();
        if !folder.exists()
            && let Some(known) = wanted.parent().and_then(|parent| neighbour(parent, problem))
        {
            return Ok(known);
        }
        for number in 2..MAX_SAME_NAME {
            if !belongs_to_another(&folder, problem) {
                return Ok(folder);
            }
            let mut name = wanted.file_name().unwrap_or_default().to_owned();
            name.push(format!("-{number}"));
            folder = wanted.with_file_name(name);
        }
        let wanted = wanted.display();
        let message = format!("`{wanted}` and its numbered variants, such as `{wanted}-2`, contain other problems");
        Err(Diagnostic::new(message)
            .help("remove one of these folders, or choose another destination with `--into`")
            .into())
    }
}

/// Adds an entry, and removes the oldest entry if there are more than [`REMEMBERED`] entries.
fn remember<T>(entries: &mut VecDeque<T>, entry: T) {
    if entries.len() >= REMEMBERED {
        entries.pop_front();
    }
    entries.push_back(entry);
}

/// Returns the identity of a problem: the URL of its statement, or its group and name if it has no URL.
fn identity(problem: &CompanionProblem) -> String {
    if problem.url.is_empty() { format!("{}\n{}", problem.group, problem.name) } else { problem.url.clone() }
}

/// Returns the message that is stored in a folder; `None` if there is no valid message.
fn message_of(folder: &Path) -> Option<CompanionProblem> {
    let bytes = fs_err::read(folder.join(MESSAGE_FILE)).ok()?;
    CompanionProblem::parse(&bytes).ok()
}

/// Returns whether `folder` exists but is not a folder, or contains the message of a problem other than `problem`.
fn belongs_to_another(folder: &Path, problem: &CompanionProblem) -> bool {
    let other = |known: CompanionProblem| identity(&known) != identity(problem);
    (folder.exists() && !folder.is_dir()) || message_of(folder).is_some_and(other)
}

/// Returns the first folder in `parent`, in the order of the names, that contains a message of `problem`; `None` if
/// there is no such folder.
fn neighbour(parent: &Path, problem: &CompanionProblem) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = parent.read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
    folders.sort_unstable();
    folders.into_iter().find(|folder| message_of(folder).is_some_and(|known| identity(&known) == identity(problem)))
}

/// Formats a message with line breaks and indentation. The order of the outermost keys does not change.
fn pretty(body: &[u8]) -> Result<Vec<u8>, Failure> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let value: IndexMap<String, serde_json::Value> =
        serde_json::from_slice(body).map_err(|error| Diagnostic::new(error.to_string()))?;
    let mut text = serde_json::to_vec_pretty(&value).map_err(|error| Diagnostic::new(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        dir: tempfile::TempDir,
        inbox: Inbox,
    }

    impl Fixture {
        fn new(pattern: &str) -> Fixture {
            let dir = tempfile::tempdir().unwrap();
            let template = Some(("main.py".to_owned(), b"print()\n".to_vec()));
            let settings = InboxSettings { into: dir.path().to_owned(), name: pattern.parse().unwrap(), template };
            Fixture { inbox: Inbox::new(settings), dir }
        }

        fn receive(&mut self, message: &serde_json::Value, port: u16) -> Option<Received> {
            self.inbox.receive(message.to_string().as_bytes(), port, &|_| None).unwrap()
        }

        /// Receives a message, and returns the folder and the status of its problem.
        fn folder(&mut self, message: &serde_json::Value) -> String {
            let received = self.receive(message, 1).unwrap();
            let folder = received.folder.strip_prefix(self.dir.path()).unwrap().display();
            format!("{folder} {}", received.status.word())
        }
    }

    fn message(name: &str, url: &str, batch: (&str, u32)) -> serde_json::Value {
        serde_json::json!({
            "name": name, "group": "J - C", "url": url, "timeLimit": 1000, "memoryLimit": 256,
            "tests": [{"input": "1\n", "output": "2\n"}], "batch": {"id": batch.0, "size": batch.1}
        })
    }

    #[test]
    fn a_contest_is_numbered_in_its_order() {
        let mut fixture = Fixture::new("{contest}/{number}-{title}");
        let mut complete = Vec::new();
        for name in ["B", "A", "C"] {
            let received = fixture.receive(&message(name, name, ("x", 3)), 1).unwrap();
            complete.push((received.position.0, received.complete));
        }
        assert_eq!(complete, [(1, false), (2, false), (3, true)]);
        for (folder, there) in [("1-b", true), ("2-a", true), ("3-c", true), ("1-a", false)] {
            assert_eq!(fixture.dir.path().join("c").join(folder).join("main.py").is_file(), there, "{folder}");
        }
        // A problem that is sent again without its contest stays in its folder.
        assert_eq!(fixture.folder(&message("A", "A", ("y", 1))), "c/2-a unchanged");
        // A problem that is sent again in the same batch keeps its number.
        assert_eq!(fixture.receive(&message("A", "A", ("x", 3)), 1).unwrap().position, (2, 3));
    }

    #[test]
    fn copies_at_other_ports_are_ignored() {
        let mut fixture = Fixture::new("{title}");
        let first = message("A", "u", ("x", 1));
        assert!(fixture.receive(&first, 1).is_some());
        assert!(fixture.receive(&first, 2).is_none());
        assert!(fixture.receive(&first, 3).is_none());
        assert!(fixture.receive(&first, 1).is_some(), "the message was sent again");
        assert!(fixture.receive(&first, 2).is_none());
        assert!(fixture.receive(&message("A", "u", ("y", 1)), 2).is_some(), "another batch is another transmission");
    }

    #[test]
    fn different_problems_of_one_name_have_different_folders() {
        let mut fixture = Fixture::new("{title}");
        assert_eq!(fixture.folder(&message("A", "1", ("x", 1))), "a new");
        assert_eq!(fixture.folder(&message("A", "2", ("y", 1))), "a-2 new");
        assert_eq!(fixture.folder(&message("A", "2", ("z", 1))), "a-2 unchanged");
        fs_err::write(fixture.dir.path().join("b"), "a file").unwrap();
        assert_eq!(fixture.folder(&message("B", "3", ("b", 1))), "b-2 new");
    }

    #[test]
    fn files_of_the_user_survive() {
        let mut fixture = Fixture::new("{title}");
        let mut sent = message("A", "1", ("x", 1));
        fixture.folder(&sent);
        let folder = fixture.dir.path().join("a");
        fs_err::write(folder.join("main.py"), "mine").unwrap();
        fs_err::write(folder.join("2.in"), "mine").unwrap();
        sent["tests"] = serde_json::json!([{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "4\n"}]);
        let digest = Digest::of(&fs_err::read(folder.join(MESSAGE_FILE)).unwrap());
        let body = sent.to_string();
        let received = fixture.inbox.receive(body.as_bytes(), 1, &|_| Some(digest)).unwrap().unwrap();
        assert_eq!((received.status, received.kept), (ReceivedStatus::Updated, vec!["2.in".to_owned()]));
        assert_eq!(received.written, ["3.in", "3.out", MESSAGE_FILE]);
        assert_eq!(fs_err::read_to_string(folder.join("main.py")).unwrap(), "mine");
        assert_eq!(fs_err::read_to_string(folder.join("2.in")).unwrap(), "mine");
        assert_eq!(fs_err::read_to_string(folder.join("3.out")).unwrap(), "4\n");
    }

    #[test]
    fn the_message_is_kept_whole_and_in_its_order() {
        let mut fixture = Fixture::new("{title}");
        let body = br#"{"name": "A", "zeta": [1], "languages": {"java": {"mainClass": "Main"}}, "tests": []}"#;
        fixture.inbox.receive(body, 1, &|_| None).unwrap();
        let text = fs_err::read_to_string(fixture.dir.path().join("a").join(MESSAGE_FILE)).unwrap();
        let at = |word: &str| text.find(word).unwrap();
        assert!(at("name") < at("zeta") && at("zeta") < at("mainClass") && at("mainClass") < at("tests"), "{text}");
    }

    #[test]
    fn broken_and_excessive_messages_are_refused() {
        let mut fixture = Fixture::new("{title}");
        let many = vec![serde_json::json!({"input": "", "output": ""}); MAX_SAMPLES + 1];
        for body in ["{", "[]", "null", "{}", &serde_json::json!({"name": "A", "tests": many}).to_string()] {
            assert!(fixture.inbox.receive(body.as_bytes(), 1, &|_| None).is_err());
        }
        assert_eq!(fixture.dir.path().read_dir().unwrap().count(), 0);
    }
}
