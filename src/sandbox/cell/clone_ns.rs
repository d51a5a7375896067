//! Clones the cell into new namespaces. The process that the judge started forks a child into the namespaces, writes
//! its user and group maps, and then waits. The child is process 1 of the PID namespace and becomes the cell.

use std::io::{Error, Read, Result, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::process::{Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::sandbox::message::Setup;
use crate::sandbox::sys::{self, MountChange};
use crate::sandbox::system_paths;

/// The user id of programs in the user namespace, if the judge is root. It is not root, and no system assigns this id.
const USER_INSIDE: u32 = 1_717;
/// The first of the host user ids to which those in the namespace are mapped, two for each slot. No system's tools
/// assign these ids.
const USERS_OUTSIDE: u32 = 1_717_000_000;
/// The first host user id if the judge runs in a container with fewer user ids.
const USERS_OUTSIDE_LOW: u32 = 58_000;

/// A detached copy of a mount of the host, and its path in the cell.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) path: PathBuf,
    pub(super) writable: bool,
    pub(super) is_dir: bool,
    pub(super) tree: OwnedFd,
}

/// Mounts, links and the user id that are prepared before the cell changes its root.
#[derive(Debug, Default)]
pub(super) struct Luggage {
    /// The mounts of the cell.
    pub(super) trees: Vec<Tree>,
    /// The symbolic links of the cell: path and target.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
    /// The user id of programs, if it is not that of the cell.
    pub(super) user: Option<u32>,
}

/// The host user ids to which root and the programs' user in the namespace are mapped.
#[derive(Debug, Clone, Copy)]
struct Users {
    cell: u32,
    program: u32,
}

impl Users {
    fn of_slot(base: u32, slot: u64) -> Users {
        let cell = base + 2 * (slot as u32 % 1_000);
        Users { cell, program: cell + 1 }
    }
}

/// Enters new namespaces. Returns in the cell only; the original process waits for the cell and exits with it.
pub(super) fn enter(setup: &Setup) -> Result<Luggage> {
    let root = geteuid().is_root();
    let mut luggage = Luggage::default();
    let mut users = Users::of_slot(USERS_OUTSIDE, setup.slot);
    if root {
        set_thread_groups(&[])?;
        let owners = match owners_namespace(users) {
            Ok(owners) => owners,
            Err(_) => {
                users = Users::of_slot(USERS_OUTSIDE_LOW, setup.slot);
                owners_namespace(users).map_err(|error| said("map user ids into a user namespace", error))?
            }
        };
        pack(&mut luggage, setup, Some((&owners, users)))?;
        luggage.user = Some(USER_INSIDE);
    }
    let (mut mapped, mut tell) = std::io::pipe()?;
    let namespaces = libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let child = sys::fork_into(namespaces).map_err(|error| said("create namespaces", error))?;
    if let Some(pid) = child {
        drop(mapped);
        let told = map_users(pid, root.then_some(users)).and_then(|()| tell.write_all(b"!"));
        if let Err(error) = told {
            sys::send_signal(pid, libc::SIGKILL);
            sys::reap(Some(pid), true)?;
            return Err(said("map user ids into a user namespace", error));
        }
        wait_for(pid);
    }
    drop(tell);
    let mut byte = [0];
    if mapped.read(&mut byte)? == 0 {
        return Err(Error::other("the parent process of the cell exited"));
    }
    become_root_inside(root)?;
    // The change of user cleared this setting. If the parent exited before this line, the closed socket reveals it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if !root {
        pack(&mut luggage, setup, None)?;
    }
    Ok(luggage)
}

fn said(doing: &str, error: Error) -> Error {
    Error::new(error.kind(), format!("cannot {doing}: {error}"))
}

/// Waits for the cell and exits.
fn wait_for(pid: i32) -> ! {
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

/// Writes the user and group maps of a process's user namespace: the two chosen users, or the current user to itself.
fn map_users(pid: i32, users: Option<Users>) -> Result<()> {
    let write = |name: &str, text: String| fs_err::write(format!("/proc/{pid}/{name}"), text);
    match users {
        Some(Users { cell, program }) => {
            let map = format!("0 {cell} 1\n{USER_INSIDE} {program} 1\n");
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

/// Creates the user namespace for ID-mapped mounts. It maps root's files on disk to the programs' user in the cell. So
/// directories that only the judge can read can be shown to unprivileged programs.
fn owners_namespace(users: Users) -> Result<OwnedFd> {
    let (hold, release) = std::io::pipe()?;
    let Some(pid) = sys::fork_into(libc::CLONE_NEWUSER)? else {
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

/// Copies the mounts of everything that the cell shows.
fn pack(luggage: &mut Luggage, setup: &Setup, owners: Option<(&OwnedFd, Users)>) -> Result<()> {
    for path in system_paths() {
        match fs_err::read_link(&path) {
            Ok(target) => luggage.links.push((path, target)),
            Err(_) => luggage.trees.push(copy(&path, false, None)?),
        }
    }
    for name in ["null", "zero", "full", "random", "urandom"] {
        luggage.trees.push(copy(&Path::new("/dev").join(name), true, None)?);
    }
    let mut mounts = setup.mounts.clone();
    // Sort parents before children, so that children are mounted on top.
    mounts.sort();
    for (path, writable) in &mounts {
        luggage.trees.push(copy(path, *writable, owners)?);
    }
    Ok(())
}

/// Copies one mount: read-only unless `writable`, ignoring set-user-id bits, and without device files outside /dev.
fn copy(path: &Path, writable: bool, owners: Option<(&OwnedFd, Users)>) -> Result<Tree> {
    let failed = |error: Error| said(&format!("mount {}", path.display()), error);
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
    let change = MountChange { attributes, owners: owners.map(|(owners, _)| owners.as_fd()) };
    let tree = match (sys::change_mounts(tree.as_fd(), change), owners) {
        (Ok(()), _) => tree,
        // The filesystem does not support ID-mapped mounts. Read-only files must then be readable by all users;
        // writable files are given to the programs' user.
        (Err(_), Some((_, users))) => {
            let tree = open()?;
            sys::change_mounts(tree.as_fd(), MountChange { attributes, owners: None }).map_err(failed)?;
            if writable {
                give_away(path, users.program).map_err(failed)?;
            }
            tree
        }
        (Err(error), None) => return Err(failed(error)),
    };
    Ok(Tree { path: path.to_path_buf(), writable, is_dir, tree })
}

fn give_away(path: &Path, user: u32) -> Result<()> {
    for entry in walkdir::WalkDir::new(path) {
        std::os::unix::fs::lchown(entry?.path(), Some(user), Some(user))?;
    }
    Ok(())
}
