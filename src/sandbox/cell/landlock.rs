//! Landlock rulesets, which restrict the files that a process may open, in addition to the cell's mounts.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};

/// The paths that programs may access, by access rights.
#[derive(Debug, Default)]
pub(super) struct PathPermissions {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// Device files, which may be read and written.
    pub(super) devices: Vec<PathBuf>,
}

/// Open descriptors of the allowed paths, each with its access rights.
#[derive(Debug, Default)]
pub(super) struct AllowedPaths(Vec<(PathFd, BitFlags<AccessFs>)>);

/// The newest Landlock ABI version that this module uses. Rights that an older kernel does not support are left out.
const KNOWN: ABI = ABI::V6;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::other(format!("cannot set up Landlock: {error}"))
}

impl AllowedPaths {
    /// Opens the paths of `permissions`. Paths that do not exist are left out.
    pub(super) fn find(permissions: &PathPermissions) -> Result<AllowedPaths> {
        let mut paths = AllowedPaths::default();
        for path in &permissions.read {
            paths.add(path, AccessFs::from_read(KNOWN))?;
        }
        for path in &permissions.write {
            paths.add(path, AccessFs::from_all(KNOWN))?;
        }
        for path in &permissions.devices {
            paths.add(path, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
        }
        Ok(paths)
    }

    /// Opens and adds a path, if it exists. Rights that apply only to directories are left out for files.
    fn add(&mut self, path: &Path, access: BitFlags<AccessFs>) -> Result<()> {
        let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
        let access = if data.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
        self.0.push((PathFd::new(path).map_err(failed)?, access));
        Ok(())
    }
}

/// Creates a ruleset that allows access to `paths` with their rights, and full access to the directories `own`. As far
/// as the kernel supports it, the ruleset also denies TCP, signals to processes outside of the Landlock domain, and
/// connections to their abstract Unix sockets.
pub(super) fn ruleset<'a>(
    paths: impl IntoIterator<Item = &'a AllowedPaths>,
    own: impl IntoIterator<Item = &'a OwnedFd>,
) -> Result<OwnedFd> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .map_err(failed)?;
    for (place, access) in paths.into_iter().flat_map(|paths| &paths.0) {
        rules = rules.add_rule(PathBeneath::new(place, *access)).map_err(failed)?;
    }
    for folder in own {
        rules = rules.add_rule(PathBeneath::new(folder.as_fd(), AccessFs::from_all(KNOWN))).map_err(failed)?;
    }
    Option::<OwnedFd>::from(rules)
        .ok_or_else(|| Error::other("the kernel does not support Landlock, or Landlock is disabled"))
}
