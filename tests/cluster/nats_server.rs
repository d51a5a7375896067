//! A `nats-server` for tests, on a free port of loopback, with its data in a temporary folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running server.
pub(crate) struct NatsServer {
    folder: tempfile::TempDir,
    program: PathBuf,
    port: u16,
    server: Child,
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("nats-server")).find(|program| program.exists())
}

/// Name of the configuration file in the folder of the server.
const CONFIG: &str = "nats-server.conf";

fn spawn(program: &Path, port: u16, folder: &Path) -> Child {
    // The server ends with the test, also if the test is killed.
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig=KILL", "--"]).arg(program);
    if folder.join(CONFIG).exists() {
        command.arg("--config").arg(folder.join(CONFIG));
    } else {
        command.arg("--jetstream").arg("--store_dir").arg(folder.join("data"));
    }
    command
        .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

impl NatsServer {
    /// Starts a server; `None` if none is installed.
    pub(crate) fn start() -> Option<NatsServer> {
        NatsServer::start_with("")
    }

    /// Like [`NatsServer::start`], with this configuration.
    pub(crate) fn start_with(config: &str) -> Option<NatsServer> {
        let Some(program) = program() else {
            let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
            assert!(!strict, "nats-server is not installed: .ci/install installs it");
            println!("skipped: nats-server is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        if !config.is_empty() {
            fs_err::write(folder.path().join(CONFIG), config).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = spawn(&program, port, folder.path());
        Some(NatsServer { folder, program, port, server })
    }

    /// The address of the server.
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server, and deletes its data.
    pub(crate) fn kill_and_lose_all(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        fs_err::remove_dir_all(self.folder.path().join("data")).ok();
    }

    /// Starts the server again, at the same address.
    pub(crate) fn restart(&mut self) {
        self.server = spawn(&self.program, self.port, self.folder.path());
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}
