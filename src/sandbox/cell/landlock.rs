//! Landlock: the kernel's own list of what a process may open, as a second wall behind the first.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};

/// What may be opened and how.
#[derive(Debug, Default)]
pub(super) struct Permissions<'a> {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// Device files.
    pub(super) devices: Vec<PathBuf>,
    /// A folder only reachable by this descriptor.
    pub(super) own: Option<&'a OwnedFd>,
}

/// The newest version that we know how to use. On an older kernel what it lacks is left out.
const KNOWN: ABI = ABI::V6;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::other(format!("cannot set up Landlock: {error}"))
}

/// A ruleset that allows only this. No network, no signals and no sockets to the outside.
pub(super) fn ruleset(permissions: &Permissions<'_>) -> Result<OwnedFd> {
    let read = AccessFs::from_read(KNOWN);
    let write = AccessFs::from_all(KNOWN);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .map_err(failed)?;
    for path in &permissions.read {
        rules = allow(rules, path, read)?;
    }
    for path in &permissions.write {
        rules = allow(rules, path, write)?;
    }
    for path in &permissions.devices {
        rules = allow(rules, path, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
    }
    if let Some(own) = permissions.own {
        rules = rules.add_rule(PathBeneath::new(own.as_fd(), write)).map_err(failed)?;
    }
    Option::<OwnedFd>::from(rules).ok_or_else(|| Error::other("this kernel has no Landlock"))
}

/// Allows a path, if it is there. Rights that only folders have are left out for files.
fn allow(rules: RulesetCreated, path: &Path, access: landlock::BitFlags<AccessFs>) -> Result<RulesetCreated> {
    let Ok(data) = std::fs::metadata(path) else { return Ok(rules) };
    let access = if data.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
    let place = PathFd::new(path).map_err(failed)?;
    rules.add_rule(PathBeneath::new(place, access)).map_err(failed)
}
