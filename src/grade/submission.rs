//! A claim as something to judge: its source, and the key under which its result is kept.

use std::path::Path;

use crate::lang::Source;
use crate::model::{Digest, Failure, FaultKind};
use crate::runner::{Arena, Contest};

use super::key::{Key, of_contest};
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

/// The source of a claim, or why it is no program.
///
/// # Errors
/// A fault: a content was lost or there is no room for a temporary folder.
pub fn source(
    store: &Store,
    arena: &Arena,
    files: &[Listed],
    claim: &Claim,
) -> Result<std::result::Result<Source, String>, Failure> {
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
        let name = path.rsplit('/').next().unwrap_or(path);
        return Ok(arena.source_from_text(Path::new(name), content).map_err(|error| error.to_string()));
    }
    let unwritable = |error: std::io::Error| Failure::fault(FaultKind::Worker, error.to_string());
    let folder = tempfile::tempdir().map_err(unwritable)?;
    for (path, content) in contents {
        let below = path.strip_prefix(&claim.path).unwrap_or(path).trim_start_matches('/');
        let to = folder.path().join(below);
        to.parent().map(fs_err::create_dir_all).transpose().map_err(unwritable)?;
        fs_err::write(to, content).map_err(unwritable)?;
    }
    let plain = |failure: Failure| failure.to_string().replace(&folder.path().display().to_string(), &claim.path);
    Ok(arena.source(folder.path(), None).map_err(plain))
}

/// Looks at each claim: what its source is, and under which key its result is or will be.
///
/// # Errors
/// As [`source`].
pub fn weigh<'a>(
    store: &Store,
    arena: &Arena,
    contests: &[Contest<'_>],
    files: &[Listed],
    claims: impl Iterator<Item = &'a Claim>,
) -> Result<Vec<Submission<'a>>, Failure> {
    let fixed =
        contests.iter().map(|contest| of_contest(arena, contest)).collect::<Result<Vec<(Digest, Digest)>, _>>()?;
    let isolation = arena.isolation().level;
    let weigh_one = |claim: &'a Claim| {
        let (data, limits) = fixed[claim.problem];
        let worth = match source(store, arena, files, claim)? {
            Err(reason) => {
                let source = Digest::of(format!("refused: {reason}").as_bytes());
                Worth::Refused(Key { source, data, limits, toolchain: Digest::of(b""), isolation }, reason)
            }
            Ok(source) => match arena.toolchain_digest(&source) {
                Ok(toolchain) => Worth::Program(Key { source: source.digest(), data, limits, toolchain, isolation }),
                Err(failure) => Worth::Unable(failure.to_string()),
            },
        };
        Ok(Submission { claim, worth })
    };
    claims.map(weigh_one).collect()
}
