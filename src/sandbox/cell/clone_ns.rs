//! Clones the cell into new namespaces. The process that the judge started forks a child into the namespaces, writes
//! the child's user and group maps, and then waits for the child. The child is process 1 of the PID namespace and
//! becomes the cell.

use std::io::{Error, PipeWriter, Read, Result, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::process::{Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use seccompiler::BpfProgram;

use super::seccomp;
use crate::message::CellSetup;
use crate::sys::{self, MountChange};
use crate::system_paths;

/// The user and group id of programs in the user namespace if the judge is root. The id is not 0, which is the id of
/// the cell's own processes in this namespace.
const INNER_USER: u32 = 1_717;
/// The first host user id of the range to which the user ids in the namespaces are mapped. Each slot has two ids in
/// this range. The tools of common systems do not assign ids in this range.
const OUTER_USERS: u32 = 1_717_000_000;
/// The first host user id if the ids from `OUTER_USERS` cannot be mapped, for example because they are outside the
/// range of user ids of the judge's container.
const OUTER_USERS_LOW: u32 = 58_000;

/// A detached copy of a mount of the host, and its path in the cell.
#[derive(Debug)]
pub(super) struct DetachedMount {
    pub(super) path: PathBuf,
    pub(super) writable: bool,
    pub(super) is_dir: bool,
    pub(super) tree: OwnedFd,
}

/// The mounts and links that are prepared before the cell changes its root, and the user id of programs.
#[derive(Debug, Default)]
pub(super) struct CellMounts {
    /// The mounts of the cell.
    pub(super) trees: Vec<DetachedMount>,
    /// The symbolic links of the cell: path and target.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
    /// The user id of programs, if it differs from that of the cell.
    pub(super) user: Option<u32>,
}

/// The host user ids to which root and the programs' user in the namespace are mapped.
#[derive(Debug, Clone, Copy)]
struct UserMap {
    cell: u32,
    program: u32,
}

impl UserMap {
    fn for_slot(base: u32, slot: u64) -> UserMap {
        let cell = base + 2 * (slot as u32 % 1_000);
        UserMap { cell, program: cell + 1 }
    }
}

/// What fails if the user namespace for ID-mapped mounts cannot be created.
const MAPPED_NAMESPACE: &str = "create a user namespace with mapped user ids";

/// The parts of a namespaced cell that do not depend on its setup.
pub(super) struct PreparedAhead {
    /// The mounts of the system and the user namespace for the other mounts. They are `None` if the judge is not root, since
    /// mounts can then be copied only in the namespaces of the cell.
    mounts: Option<(CellMounts, WaitingProcess)>,
    filters: Vec<BpfProgram>,
}

impl PreparedAhead {
    /// Prepares these parts.
    pub(super) fn begin() -> Result<PreparedAhead> {
        let mut mounts = None;
        if geteuid().is_root() {
            let namespace = WaitingProcess::start().map_err(|error| with_context(MAPPED_NAMESPACE, error))?;
            let mut copied = CellMounts::default();
            copied.add_system()?;
            mounts = Some((copied, namespace));
        }
        Ok(PreparedAhead { mounts, filters: seccomp::filters()? })
    }
}

/// Clones this process into new namespaces. On success, the function returns only in the child, which becomes the cell;
/// the original process waits for the child and exits. Returns the mounts and the filters of the cell.
pub(super) fn enter_namespaces(
    setup: &CellSetup,
    PreparedAhead { mounts: ahead, filters }: PreparedAhead,
) -> Result<(CellMounts, Vec<BpfProgram>)> {
    let root = ahead.is_some();
    let mut mounts = CellMounts::default();
    let mut users = UserMap::for_slot(OUTER_USERS, setup.slot);
    let mut waiting = None;
    if let Some((system, mut process)) = ahead {
        set_thread_groups(&[])?;
        let idmap = match process.map(users) {
            Ok(idmap) => idmap,
            Err(_) => {
                users = UserMap::for_slot(OUTER_USERS_LOW, setup.slot);
                process = WaitingProcess::start().map_err(|error| with_context(MAPPED_NAMESPACE, error))?;
                process.map(users).map_err(|error| with_context(MAPPED_NAMESPACE, error))?
            }
        };
        process.kill();
        waiting = Some(process);
        mounts = system;
        mounts.add(&setup.mounts, Some((&idmap, users)))?;
        mounts.user = Some(INNER_USER);
    }
    let (mut mapped_rx, mut mapped_tx) = std::io::pipe()?;
    let namespaces = libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let child = sys::clone_into(namespaces).map_err(|error| with_context("create namespaces", error))?;
    if let Some(pid) = child {
        drop(mapped_rx);
        let mapped = map_users(pid, root.then_some(users));
        // The process must not count as one of the cell.
        drop(waiting);
        let result = mapped.and_then(|()| mapped_tx.write_all(b"!"));
        if let Err(error) = result {
            sys::send_signal(pid, libc::SIGKILL);
            sys::reap(Some(pid), true)?;
            return Err(with_context("map user and group ids into the user namespace of a cell", error));
        }
        wait_and_exit(pid);
    }
    // The process is not a child of this one.
    std::mem::forget(waiting);
    drop(mapped_tx);
    let mut byte = [0];
    if mapped_rx.read(&mut byte)? == 0 {
        return Err(Error::other("the parent process of the cell exited before it mapped the user ids"));
    }
    become_root_inside(root)?;
    // The change of user cleared the parent death signal. If the judge exited before this line, the cell finds its
    // socket closed.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if !root {
        mounts.add_system()?;
        mounts.add(&setup.mounts, None)?;
    }
    Ok((mounts, filters))
}

fn with_context(doing: &str, error: Error) -> Error {
    Error::new(error.kind(), format!("cannot {doing}: {error}"))
}

/// Waits until the child has exited, then exits with code 0.
fn wait_and_exit(pid: i32) -> ! {
    _ = sys::reap(Some(pid), true);
    sys::quit(0)
}

fn become_root_inside(root: bool) -> Result<()> {
    if root {
        let (user, group) = (rustix::process::Uid::ROOT, rustix::process::Gid::ROOT);
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)?;
    }
    Ok(())
}

/// Writes the user and group maps of a process's user namespace. If `users` is `None`, the current user and group are
/// mapped to themselves.
fn map_users(pid: i32, users: Option<UserMap>) -> Result<()> {
    let write = |name: &str, text: String| fs_err::write(format!("/proc/{pid}/{name}"), text);
    match users {
        Some(UserMap { cell, program }) => {
            let map = format!("0 {cell} 1\n{INNER_USER} {program} 1\n");
            write("uid_map", map.clone())?;
            write("gid_map", map)
        }
        None => {
            let (user, group) = (geteuid().as_raw(), getegid().as_raw());
            write("setgroups", "deny".to_owned())?;
            write("uid_map", format!("{user} {user} 1\n"))?;
            write("gid_map", format!("{group} {group} 1\n"))
        }
    }
}

/// A process that waits in a new user namespace until it is killed or the calling process exits. It is killed and reaped
/// when this value is dropped.
struct WaitingProcess {
    pid: i32,
    /// The pipe from which the process reads.
    release: Option<PipeWriter>,
}

impl WaitingProcess {
    fn start() -> Result<WaitingProcess> {
        let (hold, release) = std::io::pipe()?;
        let Some(pid) = sys::clone_into(libc::CLONE_NEWUSER)? else {
            drop(release);
            _ = (&hold).read(&mut [0]);
            sys::quit(0)
        };
        Ok(WaitingProcess { pid, release: Some(release) })
    }

    /// Returns the user namespace for ID-mapped mounts. The namespace maps root's files on disk to the programs' user in the
    /// cell, so that unprivileged programs can read directories that only the judge can read.
    fn map(&self, users: UserMap) -> Result<OwnedFd> {
        let map = format!("0 {} 1\n", users.program);
        for name in ["uid_map", "gid_map"] {
            fs_err::write(format!("/proc/{}/{name}", self.pid), &map)?;
        }
        let namespace = fs_err::File::open(format!("/proc/{}/ns/user", self.pid))?;
        Ok(OwnedFd::from(std::fs::File::from(namespace)))
    }

    /// Kills the process without waiting for its exit.
    fn kill(&mut self) {
        self.release = None;
        sys::send_signal(self.pid, libc::SIGKILL);
    }
}

impl Drop for WaitingProcess {
    fn drop(&mut self) {
        self.kill();
        _ = sys::reap(Some(self.pid), true);
    }
}

/// The names of the devices in `/dev` that programs can use.
pub(super) const DEVICES: [&str; 4] = ["null", "zero", "random", "urandom"];

impl CellMounts {
    /// Copies the mounts of the system paths and of the devices.
    fn add_system(&mut self) -> Result<()> {
        for path in system_paths() {
            match fs_err::read_link(&path) {
                Ok(target) => self.links.push((path, target)),
                Err(_) => self.trees.push(copy_tree(&path, false, None)?),
            }
        }
        for name in DEVICES {
            self.trees.push(copy_tree(&Path::new("/dev").join(name), true, None)?);
        }
        Ok(())
    }

    /// Copies the mounts of other paths, each with whether it is writable.
    fn add(&mut self, paths: &[(PathBuf, bool)], idmap: Option<(&OwnedFd, UserMap)>) -> Result<()> {
        let mut paths = paths.to_vec();
        // Parents are sorted before children, so that children are mounted on top.
        paths.sort();
        for (path, writable) in &paths {
            self.trees.push(copy_tree(path, *writable, idmap)?);
        }
        Ok(())
    }
}

/// Copies the mount tree at `path`. The copy is `nosuid`, `nodev` unless it is below /dev, and read-only unless
/// `writable`.
fn copy_tree(path: &Path, writable: bool, idmap: Option<(&OwnedFd, UserMap)>) -> Result<DetachedMount> {
    let failed = |error: Error| with_context(&format!("mount {}", path.display()), error);
    let is_dir = std::fs::metadata(path).map_err(failed)?.is_dir();
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let open = || open_tree(rustix::fs::CWD, path, flags).map_err(|error| failed(error.into()));
    let mut attributes = libc::MOUNT_ATTR_NOSUID;
    if !writable {
        attributes |= libc::MOUNT_ATTR_RDONLY;
    }
    if !path.starts_with("/dev") {
        attributes |= libc::MOUNT_ATTR_NODEV;
    }
    let tree = open()?;
    let change = MountChange { attributes, owners: idmap.map(|(idmap, _)| idmap.as_fd()) };
    let tree = match (sys::change_mounts(tree.as_fd(), change), idmap) {
        (Ok(()), _) => tree,
        // The filesystem does not support ID-mapped mounts. Read-only files must then be readable by all users, and the
        // programs' user becomes the owner of writable files.
        (Err(_), Some((_, users))) => {
            let tree = open()?;
            sys::change_mounts(tree.as_fd(), MountChange { attributes, owners: None }).map_err(failed)?;
            if writable {
                chown_tree(path, users.program).map_err(failed)?;
            }
            tree
        }
        (Err(error), None) => return Err(failed(error)),
    };
    Ok(DetachedMount { path: path.to_path_buf(), writable, is_dir, tree })
}

fn chown_tree(path: &Path, user: u32) -> Result<()> {
    for entry in walkdir::WalkDir::new(path) {
        std::os::unix::fs::lchown(entry?.path(), Some(user), Some(user))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_waiting_process_is_left() {
        for killed_before in [false, true] {
            // Some machines forbid user namespaces.
            let Ok(mut process) = WaitingProcess::start() else { return };
            let pid = process.pid;
            assert!(matches!(sys::reap(Some(pid), false), Ok(None)), "the process does not wait");
            if killed_before {
                process.kill();
            }
            drop(process);
            let error = sys::reap(Some(pid), false).expect_err("the process was not reaped");
            assert_eq!(error.raw_os_error(), Some(libc::ECHILD));
        }
    }
}
