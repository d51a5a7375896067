//! A claim as something to judge: its source, and the key under which its result is kept.

use crate::lang::{Source, SourceBundle};
use crate::model::{Digest, Failure, FaultKind};
use crate::runner::{Host, JudgingTarget};

use super::key::{Key, of_target};
use super::roster::{Claim, Listed};
use super::store::Store;

/// A claim, and what is to be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission<'a> {
    /// Whose, on what, where.
    pub claim: &'a Claim,
    /// What is to be done.
    pub worth: Worth,
}

/// What is to be done about a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// It is a program: judge it, unless there is a result under this key.
    Program(Key),
    /// It is none, for this reason; the record is kept under this key.
    Refused(Key, String),
    /// It can't be judged here: that is not the student's fault.
    Unable(String),
}

impl Submission<'_> {
    /// The key of its result, if it can have one.
    pub fn key(&self) -> Option<&Key> {
        match &self.worth {
            Worth::Program(key) | Worth::Refused(key, _) => Some(key),
            Worth::Unable(_) => None,
        }
    }
}

/// The program of a claim, or why it is not a program.
///
/// # Errors
/// Returns a fault if a content was lost or no temporary folder can be made.
pub fn bundle(
    store: &Store,
    files: &[Listed],
    claim: &Claim,
) -> Result<std::result::Result<SourceBundle, String>, Failure> {
    let mut contents = Vec::with_capacity(claim.files.len());
    for &member in &claim.files {
        let file = &files[member];
        match &file.content {
            Ok(digest) => contents.push((file.path.as_str(), store.content(digest)?)),
            Err(reason) => return Ok(Err(format!("{}: {reason}", file.path))),
        }
    }
    if contents.len() == 1
        && let Some((path, content)) = contents.pop()
    {
        return Ok(Ok(SourceBundle::of_text(path.rsplit('/').next().unwrap_or(path), content)));
    }
    let unwritable = |error: std::io::Error| Failure::fault(FaultKind::Data, error.to_string());
    let folder = tempfile::tempdir().map_err(unwritable)?;
    for (path, content) in contents {
        let below = path.strip_prefix(&claim.path).unwrap_or(path).trim_start_matches('/');
        let to = folder.path().join(below);
        to.parent().map(fs_err::create_dir_all).transpose().map_err(unwritable)?;
        fs_err::write(to, content).map_err(unwritable)?;
    }
    let in_claim = |message: String| message.replace(&folder.path().display().to_string(), &claim.path);
    Ok(match SourceBundle::read(folder.path(), None) {
        Ok(bundle) => Ok(SourceBundle { name: claim.path.clone(), ..bundle }),
        Err(error) => Err(in_claim(error.to_string())),
    })
}

/// The source of a claim, or why it is not a program.
///
/// # Errors
/// As [`bundle`].
fn source(
    store: &Store,
    host: &Host,
    files: &[Listed],
    claim: &Claim,
) -> Result<std::result::Result<Source, String>, Failure> {
    Ok(bundle(store, files, claim)?
        .and_then(|bundle| host.languages().from_bundle(&bundle).map_err(|failure| failure.to_string())))
}

/// Looks at each claim: what its source is, and under which key its result is or will be.
///
/// # Errors
/// As [`source`].
pub fn weigh<'a>(
    store: &Store,
    host: &Host,
    targets: &[JudgingTarget],
    files: &[Listed],
    claims: impl Iterator<Item = &'a Claim>,
) -> Result<Vec<Submission<'a>>, Failure> {
    let fixed = targets.iter().map(|target| of_target(host, target)).collect::<Result<Vec<(Digest, Digest)>, _>>()?;
    let isolation = host.isolation().level;
    let weigh_one = |claim: &'a Claim| {
        let (data, limits) = fixed[claim.problem];
        let worth = match source(store, host, files, claim)? {
            Err(reason) => {
                let source = Digest::of(format!("refused: {reason}").as_bytes());
                Worth::Refused(Key { source, data, limits, toolchain: Digest::of(b""), isolation }, reason)
            }
            Ok(source) => match host.languages().toolchain_digest(&source) {
                Ok(toolchain) => Worth::Program(Key { source: source.digest(), data, limits, toolchain, isolation }),
                Err(Failure::Complaint(missing)) => Worth::Unable(missing.to_string()),
                Err(fault) => return Err(fault),
            },
        };
        Ok(Submission { claim, worth })
    };
    claims.map(weigh_one).collect()
}
