//! The root filesystem of a cell: a read-only tree of mounts, and the scratch space.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, mkdirat, open};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
    fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::clone_ns::CellMounts;
use super::dir_cleanup::OPEN_DIR;

/// The maximum number of inodes (files and directories) in the scratch space.
const SCRATCH_ENTRIES: &str = "16384";
/// The directories in which programs may write. The first directory is the working directory.
pub(super) const WRITABLE: [&str; 3] = ["/box", "/tmp", "/dev/shm"];

/// Open descriptors of a cell's root filesystem.
#[derive(Debug)]
pub(super) struct RootFs {
    /// The writable directories.
    pub(super) scratch: Vec<OwnedFd>,
    /// A writable /proc that is not mounted anywhere. Only the cell itself uses it.
    pub(super) proc: OwnedFd,
}

/// The directory that, in strict mode, contains the mounts below [`WRITABLE`] until the scratch space of a run exists.
const ASIDE: &str = "/.aside";

/// Builds the root filesystem and changes the root to it. If `scratch_bytes` is `None`, the root has no scratch space,
/// and [`mount_scratch`] creates one for each run.
pub(super) fn build(mounts: &CellMounts, scratch_bytes: Option<u64>) -> Result<RootFs> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).map_err(Error::from)?;
    // The kernel mounts a new /proc only while an existing one is visible, so /proc is mounted before the root is
    // changed.
    let shown = proc(MountAttrFlags::MOUNT_ATTR_RDONLY)?;
    let own = proc(MountAttrFlags::empty())?;
    pivot_to_empty_root()?;
    for (path, target) in &mounts.links {
        make_parents(path)?;
        rustix::fs::symlink(target, path).map_err(|error| with_path("link", path, error))?;
    }
    let scratch = scratch_bytes.map_or_else(no_scratch_space, scratch_space)?;
    let mut stubs = Vec::new();
    for (number, tree) in mounts.trees.iter().enumerate() {
        let path = if scratch_bytes.is_none() && in_scratch(&tree.path) {
            aside_path(number)
        } else {
            stubs.extend(mount_stub(&tree.path)?);
            tree.path.clone()
        };
        make_mount_point(&path, tree.is_dir)?;
        attach(&tree.tree, &path)?;
    }
    make_mount_point(Path::new("/proc"), true)?;
    attach(&shown, Path::new("/proc"))?;
    for (name, target) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        rustix::fs::symlink(format!("/proc/self/{target}"), format!("/dev/{name}")).map_err(Error::from)?;
    }
    stubs.iter().map(PathBuf::as_path).chain([Path::new("/")]).try_for_each(remount_read_only)?;
    Ok(RootFs { scratch, proc: own })
}

fn with_path(what: &str, path: &Path, error: rustix::io::Errno) -> Error {
    Error::new(error.kind(), format!("cannot {what} `{}`: {error}", path.display()))
}

/// Creates a filesystem of type `kind` that is not attached to a mount point.
fn filesystem(kind: &str, options: &[(&str, &str)], attributes: MountAttrFlags) -> Result<OwnedFd> {
    let made = || {
        let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (key, value) in options {
            fsconfig_set_string(context.as_fd(), *key, *value)?;
        }
        fsconfig_create(context.as_fd())?;
        fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
    };
    made().map_err(|error: rustix::io::Errno| {
        Error::new(error.kind(), format!("cannot create a {kind} filesystem: {error}"))
    })
}

/// Mounts an empty scratch space, the cell's mounts in it, and the /proc of the PID namespace. Must be called in mount
/// and PID namespaces that were created after [`build`]. Returns the writable directories.
pub(super) fn mount_scratch(mounts: &CellMounts, scratch_bytes: u64) -> Result<Vec<OwnedFd>> {
    let scratch = scratch_space(scratch_bytes)?;
    let mut stubs = Vec::new();
    for (number, tree) in mounts.trees.iter().enumerate().filter(|(_, tree)| in_scratch(&tree.path)) {
        stubs.extend(mount_stub(&tree.path)?);
        make_mount_point(&tree.path, tree.is_dir)?;
        move_mount(CWD, aside_path(number), CWD, &tree.path, MoveMountFlags::empty())
            .map_err(|error| with_path("mount on", &tree.path, error))?;
    }
    attach(&proc(MountAttrFlags::MOUNT_ATTR_RDONLY)?, Path::new("/proc"))?;
    stubs.iter().map(PathBuf::as_path).try_for_each(remount_read_only)?;
    Ok(scratch)
}

fn in_scratch(path: &Path) -> bool {
    WRITABLE.iter().any(|base| path.starts_with(base))
}

fn aside_path(number: usize) -> PathBuf {
    Path::new(ASIDE).join(number.to_string())
}

fn no_scratch_space() -> Result<Vec<OwnedFd>> {
    WRITABLE.iter().try_for_each(|path| make_mount_point(Path::new(path), true))?;
    Ok(Vec::new())
}

/// Creates a procfs of the current PID namespace that contains only the directories of processes.
fn proc(attributes: MountAttrFlags) -> Result<OwnedFd> {
    let hidden =
        MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    filesystem("proc", &[("hidepid", "2"), ("subset", "pid")], hidden | attributes)
}

/// Changes the root to an empty tmpfs and unmounts the old root.
fn pivot_to_empty_root() -> Result<()> {
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let root = filesystem("tmpfs", &[("size", "1m"), ("nr_inodes", "4096"), ("mode", "0755")], attributes)?;
    // The new root needs a temporary mount point in the old root. Any directory can be used, since it disappears with
    // the old root.
    let place = ["/tmp", "/mnt", "/proc", "/"].into_iter().map(Path::new).find(|path| path.is_dir());
    let place = place.ok_or_else(|| Error::other("none of `/tmp`, `/mnt`, `/proc` and `/` is a directory"))?;
    attach(&root, place)?;
    chdir(place)?;
    pivot_root(".", ".")
        .map_err(|error| Error::new(error.kind(), format!("cannot change the root directory: {error}")))?;
    // The old root is now stacked on top of the new one.
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    Ok(())
}

fn attach(tree: &OwnedFd, path: &Path) -> Result<()> {
    move_mount(tree.as_fd(), "", CWD, path, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .map_err(|error| with_path("mount on", path, error))
}

fn make_parents(path: &Path) -> Result<()> {
    let parents: Vec<PathBuf> = path.ancestors().skip(1).map(Path::to_path_buf).collect();
    for parent in parents.iter().rev().filter(|parent| !parent.exists()) {
        rustix::fs::mkdir(parent, Mode::from_raw_mode(0o755)).map_err(|error| with_path("create", parent, error))?;
    }
    Ok(())
}

/// Creates a directory or an empty file as a mount point, with its parents, unless the path exists.
fn make_mount_point(path: &Path, is_dir: bool) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    make_parents(path)?;
    if is_dir {
        rustix::fs::mkdir(path, Mode::from_raw_mode(0o755)).map_err(|error| with_path("make", path, error))
    } else {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
        open(path, flags, Mode::from_raw_mode(0o444)).map(drop).map_err(|error| with_path("make", path, error))
    }
}

/// Creates the scratch space, one tmpfs of `bytes` bytes (at least 4096) for all directories of [`WRITABLE`], and
/// mounts them. Returns the open directories.
fn scratch_space(bytes: u64) -> Result<Vec<OwnedFd>> {
    let size = bytes.max(4096).to_string();
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let options = [("size", size.as_str()), ("nr_inodes", SCRATCH_ENTRIES), ("mode", "0755")];
    let space = filesystem("tmpfs", &options, attributes)?;
    let part = |name: String| {
        mkdirat(&space, name.as_str(), Mode::RWXU)?;
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        open_tree(&space, name.as_str(), flags)
    };
    // Before Linux 6.15 only subtrees of mounted filesystems can be copied, so the filesystem is mounted temporarily.
    let stand = Path::new(WRITABLE[0]);
    make_mount_point(stand, true)?;
    attach(&space, stand)?;
    let parts: std::result::Result<Vec<OwnedFd>, _> =
        (0..WRITABLE.len()).map(|number| part(number.to_string())).collect();
    let parts = parts.map_err(|error| with_path("copy a subtree of", stand, error))?;
    unmount(stand, UnmountFlags::DETACH).map_err(|error| with_path("unmount", stand, error))?;
    let mut folders = Vec::new();
    for (path, part) in WRITABLE.iter().zip(&parts) {
        make_mount_point(Path::new(path), true)?;
        attach(part, Path::new(path))?;
        let folder = open(*path, OPEN_DIR, Mode::empty())?;
        super::dir_cleanup::reset_dir(&folder, super::dir_cleanup::SHARED)?;
        folders.push(folder);
    }
    Ok(folders)
}

/// Mounts a small tmpfs for the parent directories of a mount that is more than one level below a writable directory.
/// Programs must not change these parents, and the cleanup must not remove them. Returns the mount point of the tmpfs,
/// or `None` if none is needed.
fn mount_stub(path: &Path) -> Result<Option<PathBuf>> {
    let Some((base, inner)) = WRITABLE.iter().find_map(|base| Some((Path::new(base), path.strip_prefix(base).ok()?)))
    else {
        return Ok(None);
    };
    let mut parts = inner.components();
    let first = parts.next().map(|first| base.join(first));
    let Some(first) = first.filter(|first| parts.next().is_some() && !first.exists()) else { return Ok(None) };
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let stub = filesystem("tmpfs", &[("size", "64k"), ("nr_inodes", "256"), ("mode", "0755")], attributes)?;
    make_mount_point(&first, true)?;
    attach(&stub, &first)?;
    Ok(Some(first))
}

/// Remounts the mount at `path` read-only. Mounts below it are unaffected.
fn remount_read_only(path: &Path) -> Result<()> {
    let flags = rustix::mount::MountFlags::BIND
        | rustix::mount::MountFlags::RDONLY
        | rustix::mount::MountFlags::NOSUID
        | rustix::mount::MountFlags::NODEV;
    rustix::mount::mount_remount(path, flags, "").map_err(|error| with_path("remount", path, error))
}
