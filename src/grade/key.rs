//! What a result depends on, as hashes: when all are the same, nothing is judged again.

use walkdir::WalkDir;

use crate::judge::Stop;
use crate::model::{Digest, Level};
use crate::run::Contest;

/// Changes when this program would come to other results from the same parts.
const GRADING: &[u8] = b"nimatron grade 1";

/// The parts of what a result depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The program's files and language.
    pub source: Digest,
    /// The problem's cases, groups, points and checker.
    pub data: Digest,
    /// The limits.
    pub limits: Digest,
    /// The compiler or interpreter.
    pub toolchain: Digest,
    /// The isolation.
    pub isolation: Level,
}

impl Key {
    /// The hash of all parts.
    pub fn whole(&self) -> Digest {
        let isolation = self.isolation.to_string();
        Digest::of_parts([
            GRADING,
            self.source.bytes().as_slice(),
            self.data.bytes(),
            self.limits.bytes(),
            self.toolchain.bytes(),
            isolation.as_bytes(),
        ])
    }

    /// What differs from an older key, in words.
    pub fn changed_since(&self, old: &Key) -> Vec<&'static str> {
        let parts = [
            (self.source != old.source, "the program"),
            (self.data != old.data, "the problem's tests"),
            (self.limits != old.limits, "the limits"),
            (self.toolchain != old.toolchain, "the compiler or interpreter"),
            (self.isolation != old.isolation, "the isolation"),
        ];
        parts.into_iter().filter(|(changed, _)| *changed).map(|(_, name)| name).collect()
    }
}

/// What of a problem all results on it depend on: its data, and its limits.
pub fn of_contest(contest: &Contest<'_>) -> (Digest, Digest) {
    let problem = contest.problem;
    let mut parts: Vec<Vec<u8>> = vec![problem.id.as_str().into(), format!("{:?}", problem.checker).into()];
    parts.push(match contest.plan.stop {
        Stop::Never => b"every case".to_vec(),
        Stop::InGroup => b"groups end at a failure".to_vec(),
        Stop::InRun => b"the run ends at a failure".to_vec(),
    });
    for group in &contest.plan.groups {
        parts.push(format!("{} {:?} {:?}", group.name, group.points, group.after).into());
        for case in &group.cases {
            // Contents are named by their hashes.
            let names = [&case.files.input, &case.files.answer].map(|path| path.as_os_str().as_encoded_bytes());
            parts.push([case.id.as_str().as_bytes(), tail(names[0]), tail(names[1])].join(&b' '));
        }
    }
    for entry in WalkDir::new(problem.dir.join("programs")).sort_by_file_name().into_iter().flatten() {
        if entry.file_type().is_file() {
            let content = fs_err::read(entry.path()).unwrap_or_default();
            parts.push(entry.file_name().as_encoded_bytes().to_vec());
            parts.push(Digest::of(&content).bytes().to_vec());
        }
    }
    let data = Digest::of_parts(parts.iter().map(Vec::as_slice));
    (data, Digest::of(format!("{:?}", contest.limits).as_bytes()))
}

/// The last two parts of a path, which for a blob are its hash.
fn tail(path: &[u8]) -> &[u8] {
    let mut slashes = path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    slashes.nth(1).map_or(path, |at| &path[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_changes_the_whole_and_is_named() {
        let hash = |text: &str| Digest::of(text.as_bytes());
        let key =
            Key { source: hash("a"), data: hash("b"), limits: hash("c"), toolchain: hash("d"), isolation: Level::A };
        assert_eq!(key.changed_since(&key), Vec::<&str>::new());
        let others = [
            Key { source: hash("x"), ..key.clone() },
            Key { data: hash("x"), ..key.clone() },
            Key { limits: hash("x"), ..key.clone() },
            Key { toolchain: hash("x"), ..key.clone() },
            Key { isolation: Level::B, ..key.clone() },
        ];
        for other in &others {
            assert_ne!(other.whole(), key.whole());
            assert_eq!(other.changed_since(&key).len(), 1);
        }
    }

    #[test]
    fn a_blob_is_known_by_its_hash_wherever_the_cache_is() {
        assert_eq!(tail(b"/home/x/cache/blobs/ab/cdef"), b"/ab/cdef");
        assert_eq!(tail(b"cdef"), b"cdef");
    }
}
