//! What a result depends on, as hashes: when all are the same, nothing is judged again.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::judge::Stop;
use crate::model::{Digest, Failure, Level};
use crate::problem::{AuxProgram, Judging};
use crate::runner::{Host, JudgingTarget};

/// Changes when this program would come to other results from the same parts.
const GRADING: &[u8] = b"nimatron grade 2";

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

/// What of a problem all results on it depend on: its data, with the programs that judge, and its limits.
///
/// # Errors
/// A checker or an interactor can't be read, or its language is not here.
pub fn of_target(host: &Host, target: &JudgingTarget) -> Result<(Digest, Digest), Failure> {
    let mut parts: Vec<Vec<u8>> = vec![target.problem.as_str().into()];
    parts.push(match target.plan.stop {
        Stop::Never => b"every case".to_vec(),
        Stop::InGroup => b"groups end at a failure".to_vec(),
        Stop::InRun => b"the run ends at a failure".to_vec(),
    });
    let mut last: Option<&Arc<Judging>> = None;
    for group in &target.plan.groups {
        parts.push(format!("{} {:?} {:?}", group.name, group.points, group.after).into());
        for case in &group.cases {
            if last.is_none_or(|last| !Arc::ptr_eq(last, &case.judging)) {
                parts.push(of_judging(host, &case.judging)?.into());
                last = Some(&case.judging);
            }
            // Contents are named by their hashes.
            let beside = case.beside.iter().map(|(name, path)| (name.as_str(), path));
            parts.push(format!("{} {:?}", case.id, case.args).into());
            for (name, path) in [("in", &case.files.input), ("out", &case.files.answer)].into_iter().chain(beside) {
                parts.push([name.as_bytes(), tail(path.as_os_str().as_encoded_bytes())].join(&b' '));
            }
        }
    }
    let data = Digest::of_parts(parts.iter().map(Vec::as_slice));
    Ok((data, Digest::of(format!("{:?}", target.limits).as_bytes())))
}

/// How a case is judged, in words that say the same wherever the problem lies: setter's programs by their content and
/// their compilers.
fn of_judging(host: &Host, judging: &Judging) -> Result<String, Failure> {
    let mut text = match judging {
        Judging::Compare(comparer) => format!("compare {comparer:?}"),
        Judging::Checker { passes, .. } => format!("checker, {passes} passes"),
        Judging::Interactor { passes, .. } => format!("interactor, {passes} passes"),
    };
    for aux_program in judging.aux_programs() {
        let program = host.languages().aux_digest(aux_program)?;
        let AuxProgram { source: _, language: _, protocol, args, limits, worth, full, constants: _, among_files } =
            aux_program;
        // Writing to a text can't fail.
        let _ = write!(text, "; {program} {protocol:?} {args:?} {limits:?} {worth:?} {full:?} {among_files}");
    }
    Ok(text)
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
