//! Clones the cell into new namespaces. The process that the judge started forks a child into the namespaces, writes
//! the child's user and group maps, and then waits for the child. The child is process 1 of the PID namespace and
//! becomes the cell.

use std::io::{Error, Read, Result, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::process::{Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

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

/// Clones this process into new namespaces. On success, the function returns only in the child, which becomes the cell;
/// the original process waits for the child and exits.
pub(super) fn enter_namespaces(setup: &CellSetup) -> Result<CellMounts> {
    let root = geteuid().is_root();
    let mut mounts = CellMounts::default();
    let mut users = UserMap::for_slot(OUTER_USERS, setup.slot);
    if root {
        set_thread_groups(&[])?;
        let idmap = match idmap_namespace(users) {
            Ok(idmap) => idmap,
            Err(_) => {
                users = UserMap::for_slot(OUTER_USERS_LOW, setup.slot);
                idmap_namespace(users)
                    .map_err(|error| with_context("create a user namespace with mapped user ids", error))?
            }
        };
        copy_mounts(&mut mounts, setup, Some((&idmap, users)))?;
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
        let result = map_users(pid, root.then_some(users)).and_then(|()| mapped_tx.write_all(b"!"));
        if let Err(error) = result {
            sys::send_signal(pid, libc::SIGKILL);
            sys::reap(Some(pid), true)?;
            return Err(with_context("map user and group ids into the user namespace of a cell", error));
        }
        wait_and_exit(pid);
    }
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
        copy_mounts(&mut mounts, setup, None)?;
    }
    Ok(mounts)
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

/// Creates the user namespace for ID-mapped mounts. The namespace maps root's files on disk to the programs' user
/// in the cell, so that unprivileged programs can read directories that only the judge can read.
fn idmap_namespace(users: UserMap) -> Result<OwnedFd> {
    let (hold, release) = std::io::pipe()?;
    let Some(pid) = sys::clone_into(libc::CLONE_NEWUSER)? else {
        drop(release);
        _ = (&hold).read(&mut [0]);
        sys::quit(0)
    };
    let map = format!("0 {} 1\n", users.program);
    let made = ["uid_map", "gid_map"]
        .iter()
        .try_for_each(|name| fs_err::write(format!("/proc/{pid}/{name}"), &map))
        .and_then(|()| fs_err::File::open(format!("/proc/{pid}/ns/user")));
    sys::send_signal(pid, libc::SIGKILL);
    sys::reap(Some(pid), true)?;
    Ok(OwnedFd::from(std::fs::File::from(made?)))
}

/// The names of the devices in `/dev` that programs can use.
pub(super) const DEVICES: [&str; 4] = ["null", "zero", "random", "urandom"];

/// Copies the mounts of all paths that are visible in the cell: system paths, devices, and the mounts of `setup`.
fn copy_mounts(mounts: &mut CellMounts, setup: &CellSetup, idmap: Option<(&OwnedFd, UserMap)>) -> Result<()> {
    for path in system_paths() {
        match fs_err::read_link(&path) {
            Ok(target) => mounts.links.push((path, target)),
            Err(_) => mounts.trees.push(copy_tree(&path, false, None)?),
        }
    }
    for name in DEVICES {
        mounts.trees.push(copy_tree(&Path::new("/dev").join(name), true, None)?);
    }
    let mut paths = setup.mounts.clone();
    // Parents are sorted before children, so that children are mounted on top.
    paths.sort();
    for (path, writable) in &paths {
        mounts.trees.push(copy_tree(path, *writable, idmap)?);
    }
    Ok(())
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
