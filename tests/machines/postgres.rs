//! A PostgreSQL server for tests, with its data and its socket in a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::rig::wait_until;

/// The id of the user without rights under which a server runs that root starts.
const NOBODY: u32 = 65_534;

/// A running server.
pub(crate) struct Postgres {
    folder: tempfile::TempDir,
    programs: PathBuf,
    server: Child,
}

fn programs() -> Option<PathBuf> {
    let versions = fs_err::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    folders.splice(0..0, std::env::split_paths(&on_path));
    folders.into_iter().rfind(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Returns the command that runs a program of PostgreSQL, which refuses to run as root.
fn command(programs: &Path, name: &str) -> Command {
    let program = programs.join(name);
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
    command.args([&user, &group, "--clear-groups", "--pdeathsig=INT", "--"]).arg(program);
    command
}

impl Postgres {
    /// Starts a server; `None` if PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Postgres> {
        let Some(programs) = programs() else {
            let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
            assert!(!strict, "PostgreSQL is not installed: .ci/install installs it");
            println!("skipped: PostgreSQL is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let made = command(&programs, "initdb")
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let server = start_in(&programs, folder.path());
        Some(Postgres { folder, programs, server })
    }

    /// The address of a database.
    pub(crate) fn url(&self) -> String {
        format!("host={} user=postgres dbname=postgres", self.folder.path().display())
    }

    /// Restarts the server; committed data stays.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.server = start_in(&self.programs, self.folder.path());
    }

    /// Stops the server's processes, or lets them continue.
    pub(crate) fn pause(&self, is_paused: bool) {
        let signal = if is_paused { Signal::STOP } else { Signal::CONT };
        let parent = self.server.id().to_string();
        let children = Command::new("pgrep").args(["-P", &parent]).output().unwrap();
        let children = String::from_utf8(children.stdout).unwrap();
        let children = children.lines().map(|line| line.parse::<i32>().unwrap());
        let all = children.filter_map(Pid::from_raw).chain([Pid::from_child(&self.server)]);
        // A process may have ended in the meantime.
        all.for_each(|process| _ = kill_process(process, signal));
    }

    fn stop(&mut self) {
        kill_process(Pid::from_child(&self.server), Signal::INT).ok();
        self.server.wait().ok();
    }
}

fn start_in(programs: &Path, folder: &Path) -> Child {
    let server = command(programs, "postgres")
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-c", "listen_addresses="])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("PostgreSQL does not start", || {
        let ready = command(programs, "pg_isready").arg("-h").arg(folder).stdout(Stdio::null()).status();
        ready.unwrap().success()
    });
    server
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.pause(false);
        self.stop();
    }
}
