//! A PostgreSQL server for tests, with its data and its socket in a temporary folder. Dropping the server stops it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};

/// The id of the unprivileged user under which the server runs if root starts it.
const NOBODY: u32 = 65_534;
/// Time to wait for the server to start.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Debug)]
pub(crate) struct PostgresServer {
    folder: tempfile::TempDir,
    programs: PathBuf,
    server: Child,
    databases: AtomicU64,
}

/// Returns the folder that contains `initdb` and `postgres`: the last such folder by name below `/usr/lib/postgresql`,
/// or otherwise the last such folder on `PATH`. Returns `None` if there is no such folder.
fn programs() -> Option<PathBuf> {
    let versions = fs_err::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    folders.splice(0..0, std::env::split_paths(&on_path));
    folders.into_iter().rfind(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Returns the command that runs a program of PostgreSQL. If the caller is root, the program runs as another user,
/// because PostgreSQL refuses to run as root.
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

/// Starts a server. Returns `None` if PostgreSQL is not installed.
pub(crate) fn start() -> Option<PostgresServer> {
    let Some(programs) = programs() else {
        let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
        assert!(!strict, "PostgreSQL is not installed; run `.ci/install`");
        println!("skipped: PostgreSQL is not installed");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let data = folder.path().join("data");
    let made = command(&programs, "initdb")
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
        .arg(&data)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let server = start_in(&programs, folder.path());
    let server = PostgresServer { folder, programs, server, databases: AtomicU64::new(0) };
    server.wait_until_ready();
    Some(server)
}

fn start_in(programs: &Path, folder: &Path) -> Child {
    command(programs, "postgres")
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-c", "listen_addresses=", "-c", "max_connections=50"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

impl PostgresServer {
    fn url(&self, database: &str) -> String {
        format!("host={} user=postgres dbname={database}", self.folder.path().display())
    }

    fn wait_until_ready(&self) {
        let start = Instant::now();
        while Client::connect(&self.url("postgres"), NoTls).is_err() {
            assert!(start.elapsed() < START_TIMEOUT, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Creates an empty database, and returns its address.
    pub(crate) fn new_database(&self) -> String {
        let name = format!("queue{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut client = Client::connect(&self.url("postgres"), NoTls).unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
        self.url(&name)
    }

    fn stop(&mut self) {
        // SIGINT requests a fast shutdown: connections are closed, and committed data is preserved.
        let pid = rustix::process::Pid::from_child(&self.server);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).ok();
        self.server.wait().ok();
    }

    /// Restarts the server.
    pub(crate) fn restart(&mut self) {
        self.stop();
        self.server = start_in(&self.programs, self.folder.path());
        self.wait_until_ready();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}
