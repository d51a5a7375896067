//! Computes digests of the parts of a problem on which results depend.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::judge::Stop;
use crate::model::{Digest, Failure, KeyWriter};
use crate::problem::{AuxProgram, Judging};

use super::content_digest::content_digest;
use super::host::Host;
use super::prepared::{JudgingTarget, PreparedProblem};

/// The version of the encodings of the digests.
pub(crate) const VERSION: u32 = 2;

/// Digests of the parts of a problem on which results depend: its data, its auxiliary programs and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TargetDigests {
    /// Digest of the cases, groups, points and auxiliary programs of the problem, and of the rule for skipping cases.
    pub(crate) data: Digest,
    /// Digest of the limits in force.
    pub(crate) limits: Digest,
}

/// Computes the digests of a problem.
///
/// # Errors
/// Fails if a test file, a checker or an interactor can't be read, if the language of such a program is not installed, or
/// if the judge itself fails.
pub(crate) fn target_digests(
    host: &Host,
    problem: &PreparedProblem,
    target: &JudgingTarget,
) -> Result<TargetDigests, Failure> {
    let digests = digests_with(target, &|aux_program| host.languages().aux_digest(aux_program))?;
    if problem.package().is_none() {
        return Ok(digests);
    }
    // The test files of a package are not blobs, and its scoring rules are part of its files. The digest of its files does
    // not include hidden files, which may be test files.
    let cases = target.plan.groups.iter().flat_map(|group| &group.cases);
    let files = cases.flat_map(|case| {
        [&case.files.input, &case.files.answer].into_iter().chain(case.beside.iter().map(|(_, path)| path))
    });
    let files: Vec<PathBuf> = files.filter(|path| path.exists()).cloned().collect();
    let parts = [digests.data, problem.digest(), content_digest(host.cache(), &files)?];
    Ok(TargetDigests { data: Digest::of_parts(parts.iter().map(|part| &part.bytes()[..])), ..digests })
}

/// Like [`target_digests`] for a native problem, but `aux_digest` computes the digests of auxiliary programs.
pub(crate) fn digests_with(
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
            // The limits are written only if the case has its own, so that the keys of earlier versions stay valid.
            if let Some(limits) = &case.limits {
                key.field("limits", &**limits);
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

/// Adds the method of judging a case to a key. Auxiliary programs are identified by their sources and compilers.
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
        // The fields that are not written here are covered by the digest of the program.
        #[rustfmt::skip]
        let AuxProgram {
            source: _, name: _, language: _, protocol, file_args, args, limits, worth, full, constants: _, after_failure,
            among_files, compiler_args: _, processes,
        } = aux_program;
        key.field("program", &aux_digest(aux_program)?).field("protocol", protocol).field("args", args);
        key.field("limits", limits).field("worth", worth).field("full", full).field("among_files", among_files);
        if file_args.is_some() {
            key.field("file_args", file_args);
        }
        if *after_failure {
            key.field("after_failure", after_failure);
        }
        if *processes > 1 {
            key.field("processes", processes);
        }
    }
    Ok(())
}

/// Returns the last two components of a path as a field of a cache key.
fn tail_of(path: &Path) -> &OsStr {
    OsStr::from_bytes(tail(path.as_os_str().as_bytes()))
}

/// Returns the last two components of a path, or the whole path if it has fewer than two slashes. For the path of a
/// blob, the two components are the hash of its content.
pub(crate) fn tail(path: &[u8]) -> &[u8] {
    let mut slashes = path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    slashes.nth(1).map_or(path, |at| &path[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blob_is_identified_by_hash() {
        assert_eq!(tail(b"/home/x/cache/blobs/ab/cdef"), b"/ab/cdef");
        assert_eq!(tail(b"cdef"), b"cdef");
    }
}
