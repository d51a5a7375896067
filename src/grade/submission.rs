//! Determines the source program of each claim, and the key of its result.

use std::sync::Arc;

use crate::lang::{Source, SourceBundle};
use crate::model::{Digest, Failure, Fault, FaultKind};
use crate::runner::{Host, JudgingTarget, PreparedProblem, TargetDigests, target_digests};
use crate::sandbox::TempFolder;

use super::key::Key;
use super::key_v1;
use super::roster::{Claim, Listed};
use super::store::GradeStore;

/// A claim, and the state that determines how it is graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission<'a> {
    /// The claim in the roster.
    pub claim: &'a Claim,
    /// The state of the claim.
    pub state: SubmissionState,
    /// Whether the program is known to be empty.
    pub blank: bool,
    /// Key of the result in a database of version 1; `None` if such a database can't contain the result.
    pub key_v1: Option<Key>,
}

/// The state of a claim, which determines how it is graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmissionState {
    /// A program, which is judged unless the store has a result with this key.
    Program(Key),
    /// The files are not a program, for this reason. The record is stored under this key.
    Refused(Key, String),
    /// The program can't be judged on this machine, for this reason.
    Unable(String),
}

/// The reason why a student's files are not a program that can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// The files are not a program, for this reason.
    Refused(String),
    /// The judge failed. The failure is not caused by the files.
    Failed(Failure),
}

impl Unusable {
    /// Converts a failure to read a program. A complaint becomes [`Unusable::Refused`], and a fault becomes
    /// [`Unusable::Failed`].
    pub(super) fn from_source(failure: Failure) -> Unusable {
        match failure {
            Failure::Complaint(complaint) => Unusable::Refused(complaint.to_string()),
            fault @ Failure::Fault(_) => Unusable::Failed(fault),
        }
    }
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Unusable {
        Unusable::Failed(failure)
    }
}

impl Submission<'_> {
    /// Returns the key of the result, or `None` if the program can't be judged.
    pub fn key(&self) -> Option<&Key> {
        match &self.state {
            SubmissionState::Program(key) | SubmissionState::Refused(key, _) => Some(key),
            SubmissionState::Unable(_) => None,
        }
    }
}

/// Returns the source files of a claim.
///
/// # Errors
/// Returns [`Unusable::Refused`] if the files are not a program, and [`Unusable::Failed`] if the content of a file is
/// missing or no temporary folder can be created.
pub fn bundle(store: &GradeStore, files: &[Listed], claim: &Claim) -> Result<SourceBundle, Unusable> {
    let mut contents = Vec::with_capacity(claim.files.len());
    // The extension of a text file is replaced with the extension of the guessed language, unless a file of the claim
    // has the extension of a known language.
    let known = claim.has_known_extension(files);
    for &member in &claim.files {
        let file = &files[member];
        let path = if known { file.path.clone() } else { file.program_path() };
        match &file.content {
            Ok(digest) => contents.push((path, store.content(digest)?)),
            Err(reason) => return Err(Unusable::Refused(format!("{}: {reason}", file.path))),
        }
    }
    if contents.len() == 1
        && let Some((path, content)) = contents.pop()
    {
        return Ok(SourceBundle::of_text(path.rsplit('/').next().unwrap_or(&path), content));
    }
    let unwritable = |error: std::io::Error| Failure::from(Fault::io(FaultKind::Data, &error));
    let folder = TempFolder::new().map_err(Failure::from)?;
    for (path, content) in contents {
        let below = path.strip_prefix(&claim.path).unwrap_or(&path).trim_start_matches('/');
        let to = folder.path().join(below);
        to.parent().map(fs_err::create_dir_all).transpose().map_err(unwritable)?;
        fs_err::write(to, content).map_err(unwritable)?;
    }
    let in_claim = |message: String| message.replace(&folder.path().display().to_string(), &claim.path);
    match SourceBundle::read(folder.path(), None).map_err(|error| Unusable::from_source(error.into())) {
        Ok(bundle) => Ok(SourceBundle { name: claim.path.clone(), ..bundle }),
        Err(Unusable::Refused(reason)) => Err(Unusable::Refused(in_claim(reason))),
        Err(failed) => Err(failed),
    }
}

/// Returns the source of a claim and whether it is empty, or the reason why the files are not a program.
///
/// # Errors
/// Fails under the same conditions as [`bundle`], and returns [`Unusable::Refused`] if the language can't be
/// determined, or if the problem does not allow the program.
fn source(
    store: &GradeStore,
    (host, problem): (&Host, &PreparedProblem),
    files: &[Listed],
    claim: &Claim,
) -> Result<(Source, bool), Unusable> {
    let bundle = bundle(store, files, claim)?;
    let source = problem.source(host, &bundle).map_err(Unusable::from_source)?;
    Ok((source, bundle.is_blank()))
}

/// Determines the state of each claim: the key of its result, or the reason why it can't be judged.
///
/// # Errors
/// Fails if a program, a checker or an interactor can't be read, if the language of a checker or an interactor is not
/// installed, or if no temporary folder can be created.
pub fn submissions<'a>(
    store: &GradeStore,
    host: &Host,
    (problems, targets): (&[Arc<PreparedProblem>], &[JudgingTarget]),
    files: &[Listed],
    claims: impl Iterator<Item = &'a Claim>,
) -> Result<Vec<Submission<'a>>, Failure> {
    let digests = |(problem, target): (&Arc<PreparedProblem>, &JudgingTarget)| {
        // Databases of version 1 have no results for packages.
        let v1 = problem.package().is_none().then(|| key_v1::of_target(host, target)).transpose()?;
        Ok((target_digests(host, problem, target)?, v1))
    };
    let fixed: Vec<_> = problems.iter().zip(targets).map(digests).collect::<Result<_, Failure>>()?;
    let isolation = host.isolation().level;
    let submission_of = |claim: &'a Claim| {
        let (now, v1) = fixed[claim.problem];
        let key = |source, target: TargetDigests, toolchain| {
            let TargetDigests { data, limits } = target;
            Key { source, data, limits, toolchain, isolation }
        };
        let mut blank = false;
        let (state, key_v1) = match source(store, (host, &problems[claim.problem]), files, claim) {
            Err(Unusable::Failed(failure)) => return Err(failure),
            Err(Unusable::Refused(reason)) => {
                let (source, toolchain) = (Digest::of(format!("refused: {reason}").as_bytes()), Digest::of(b""));
                (SubmissionState::Refused(key(source, now, toolchain), reason), v1.map(|v1| key(source, v1, toolchain)))
            }
            Ok((source, is_blank)) => {
                blank = is_blank;
                match (host.languages().toolchain_digest(&source), host.languages().toolchain_digest_v1(&source)) {
                    (Ok(toolchain), Ok(toolchain_v1)) => {
                        let source = source.digest();
                        let key_v1 = v1.map(|v1| key(source, v1, toolchain_v1));
                        (SubmissionState::Program(key(source, now, toolchain)), key_v1)
                    }
                    (Err(Failure::Complaint(missing)), _) | (_, Err(Failure::Complaint(missing))) => {
                        (SubmissionState::Unable(missing.to_string()), None)
                    }
                    (Err(fault), _) | (_, Err(fault)) => return Err(fault),
                }
            }
        };
        Ok(Submission { claim, state, blank, key_v1 })
    };
    claims.map(submission_of).collect()
}
