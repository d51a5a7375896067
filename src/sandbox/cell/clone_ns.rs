//! How a contained cell comes into the world: the process that the judge started copies itself into new namespaces,
//! says who is who in them, and then only waits. The copy is process 1 in there and becomes the cell.

use std::io::{Error, Read, Result, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::process::{Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use crate::sandbox::message::Setup;
use crate::sandbox::sys::{self, MountChange};
use crate::sandbox::system_paths;

/// The user programs run as, inside, where we may choose: not root, and not one that any system knows.
const USER_INSIDE: u32 = 1_717;
/// Users outside that stand behind those inside, two for each slot. No system's tools hand these out.
const USERS_OUTSIDE: u32 = 1_717_000_000;
/// The same where only the users of a container are there.
const USERS_OUTSIDE_LOW: u32 = 58_000;

/// A detached copy of a part of the machine's file tree, and where it goes.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) path: PathBuf,
    pub(super) writable: bool,
    pub(super) is_dir: bool,
    pub(super) tree: OwnedFd,
}

/// What the cell brings along from outside.
#[derive(Debug, Default)]
pub(super) struct Luggage {
    /// Copies of what it shows.
    pub(super) trees: Vec<Tree>,
    /// Symbolic links it shows: path and target.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
    /// The user programs run as, if not the one we are.
    pub(super) user: Option<u32>,
}

/// Which users outside stand behind root and the programs' user inside.
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

/// Goes into new namespaces. Returns in the cell only; the process that was here before waits for it and ends with it.
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
                owners_namespace(users).map_err(|error| said("map users into a user namespace", error))?
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
    let child = sys::fork_into(namespaces).map_err(|error| said("make namespaces", error))?;
    if let Some(pid) = child {
        drop(mapped);
        let told = map_users(pid, root.then_some(users)).and_then(|()| tell.write_all(b"!"));
        if let Err(error) = told {
            sys::send_signal(pid, libc::SIGKILL);
            sys::reap(Some(pid), true)?;
            return Err(said("map users into a user namespace", error));
        }
        wait_for(pid);
    }
    drop(tell);
    let mut byte = [0];
    if mapped.read(&mut byte)? == 0 {
        return Err(Error::other("the process that started the cell is gone"));
    }
    become_root_inside(root)?;
    // It was forgotten with the change of user; whoever went before this line is seen by the closed socket.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if !root {
        pack(&mut luggage, setup, None)?;
    }
    Ok(luggage)
}

fn said(doing: &str, error: Error) -> Error {
    Error::new(error.kind(), format!("cannot {doing}: {error}"))
}

/// The rest of the life of the first process: it ends with the cell.
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

/// Writes the maps of a process's user namespace: two users we choose, or ourselves as ourselves.
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

/// A user namespace that says: what belongs to root on disk belongs to the programs' user in there. So the judge's own
/// folders, which nobody else may read, can be shown to programs that run as nobody.
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

/// Copies the trees of everything the room shows.
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
    // Outer ones first: an inner one goes on top.
    mounts.sort();
    for (path, writable) in &mounts {
        luggage.trees.push(copy(path, *writable, owners)?);
    }
    Ok(())
}

/// Copies one tree, read-only unless writable, without set-user-id programs and (outside /dev) without devices.
fn copy(path: &Path, writable: bool, owners: Option<(&OwnedFd, Users)>) -> Result<Tree> {
    let failed = |error: Error| said(&format!("show {}", path.display()), error);
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
        // A filesystem that cannot translate owners. What is read must be readable by all; what is written is given away.
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
