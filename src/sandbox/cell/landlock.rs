//! Landlock: the kernel's own list of what a process may open, as a second wall behind the first.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};

/// What may be opened and how.
#[derive(Debug, Default)]
pub(super) struct Permissions {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// Device files.
    pub(super) devices: Vec<PathBuf>,
}

/// Places that may be opened, held, and how.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(PathFd, BitFlags<AccessFs>)>);

/// The newest version that we know how to use. On an older kernel what it lacks is left out.
const KNOWN: ABI = ABI::V6;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::other(format!("cannot set up Landlock: {error}"))
}

impl Places {
    /// Finds the places, as far as they are there.
    pub(super) fn find(permissions: &Permissions) -> Result<Places> {
        let mut places = Places::default();
        for path in &permissions.read {
            places.hold(path, AccessFs::from_read(KNOWN))?;
        }
        for path in &permissions.write {
            places.hold(path, AccessFs::from_all(KNOWN))?;
        }
        for path in &permissions.devices {
            places.hold(path, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
        }
        Ok(places)
    }

    /// Holds a place. Rights that only folders have are left out for files.
    fn hold(&mut self, path: &Path, access: BitFlags<AccessFs>) -> Result<()> {
        let Ok(data) = std::fs::metadata(path) else { return Ok(()) };
        let access = if data.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
        self.0.push((PathFd::new(path).map_err(failed)?, access));
        Ok(())
    }
}

/// A ruleset that allows these places, and `own` folders to be filled. No network, no signals and no sockets to the
/// outside.
pub(super) fn ruleset<'a>(
    places: impl IntoIterator<Item = &'a Places>,
    own: impl IntoIterator<Item = &'a OwnedFd>,
) -> Result<OwnedFd> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(KNOWN)))
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .map_err(failed)?;
    for (place, access) in places.into_iter().flat_map(|places| &places.0) {
        rules = rules.add_rule(PathBeneath::new(place, *access)).map_err(failed)?;
    }
    for folder in own {
        rules = rules.add_rule(PathBeneath::new(folder.as_fd(), AccessFs::from_all(KNOWN))).map_err(failed)?;
    }
    Option::<OwnedFd>::from(rules).ok_or_else(|| Error::other("this kernel has no Landlock"))
}
