//! Keys of stored results: hashes of everything that a result depends on.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use crate::judge::Stop;
use crate::model::{Digest, Failure, KeyWriter, Level};
use crate::problem::{AuxProgram, Judging};
use crate::runner::{Host, JudgingTarget};

/// Incremented when a new version of this program gives other results for the same inputs.
const GRADING: &[u8] = b"nimatron grade 2";
/// Version of the encodings below. Results of version 1 are found by [`super::key_v1`].
pub(super) const VERSION: u32 = 2;

/// Digests of everything that a result depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Files and language of the program.
    pub source: Digest,
    /// Cases, groups, points and checker of the problem.
    pub data: Digest,
    /// Limits of the problem.
    pub limits: Digest,
    /// Version of the compiler or interpreter.
    pub toolchain: Digest,
    /// Isolation level.
    pub isolation: Level,
}

impl Key {
    /// The hash of all parts, which identifies a result in the store.
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

    /// Names of the parts that differ from an older key.
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

/// Digests that all results on a problem depend on: its data, the programs that judge, and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetDigests {
    /// Cases, groups, points and checker of the problem.
    pub data: Digest,
    /// Limits of the problem.
    pub limits: Digest,
}

/// Computes the digests of a problem.
///
/// # Errors
/// Fails if a checker or an interactor can't be read, or if its language is not installed.
pub fn of_target(host: &Host, target: &JudgingTarget) -> Result<TargetDigests, Failure> {
    target_digests(target, &|aux_program| host.languages().aux_digest(aux_program))
}

pub(super) fn target_digests(
    target: &JudgingTarget,
    aux_digest: &dyn Fn(&AuxProgram) -> Result<Digest, Failure>,
) -> Result<TargetDigests, Failure> {
    let mut key = KeyWriter::new("grade data", VERSION);
    key.field("problem", &target.problem);
    key.field("stop", stop_tag(target.plan.stop));
    let mut last: Option<&Arc<Judging>> = None;
    for group in &target.plan.groups {
        key.field("group", &group.name).field("points", &group.points).field("after", &group.after);
        for case in &group.cases {
            if last.is_none_or(|last| !Arc::ptr_eq(last, &case.judging)) {
                write_judging(&mut key, &case.judging, aux_digest)?;
                last = Some(&case.judging);
            }
            key.field("case", &case.id).field("args", &case.args);
            // The last two components of a blob's path are the hash of its content.
            key.field("input", tail_of(&case.files.input)).field("answer", tail_of(&case.files.answer));
            key.field("files", &case.beside.len());
            for (name, path) in &case.beside {
                key.write(name).write(tail_of(path));
            }
        }
    }
    let limits = KeyWriter::new("grade limits", VERSION).write(&target.limits).digest();
    Ok(TargetDigests { data: key.digest(), limits })
}

fn stop_tag(stop: Stop) -> &'static str {
    match stop {
        Stop::Never => "never",
        Stop::InGroup => "in_group",
        Stop::InRun => "in_run",
    }
}

/// Adds the rules for judging a case to a key. Auxiliary programs are identified by their sources and compilers.
fn write_judging(
    key: &mut KeyWriter,
    judging: &Judging,
    aux_digest: &dyn Fn(&AuxProgram) -> Result<Digest, Failure>,
) -> Result<(), Failure> {
    match judging {
        Judging::Compare(comparer) => key.variant("compare").write(comparer),
        Judging::Checker { passes, .. } => key.variant("checker").field("passes", passes),
        Judging::Interactor { passes, .. } => key.variant("interactor").field("passes", passes),
    };
    for aux_program in judging.aux_programs() {
        // The digest covers the source with its constants, and the language.
        let AuxProgram { source: _, language: _, protocol, args, limits, worth, full, constants: _, among_files } =
            aux_program;
        key.field("program", &aux_digest(aux_program)?).field("protocol", protocol).field("args", args);
        key.field("limits", limits).field("worth", worth).field("full", full).field("among_files", among_files);
    }
    Ok(())
}

/// The last two components of a path, as a value of a key.
fn tail_of(path: &Path) -> &OsStr {
    OsStr::from_bytes(tail(path.as_os_str().as_bytes()))
}

/// The last two components of a path, which are the hash in the path of a blob.
pub(super) fn tail(path: &[u8]) -> &[u8] {
    let mut slashes = path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    slashes.nth(1).map_or(path, |at| &path[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_changes_the_key_and_is_named() {
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
    fn blob_is_identified_by_hash() {
        assert_eq!(tail(b"/home/x/cache/blobs/ab/cdef"), b"/ab/cdef");
        assert_eq!(tail(b"cdef"), b"cdef");
    }
}
