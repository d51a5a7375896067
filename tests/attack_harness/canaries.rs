//! Canaries that detect an escape, and a limit on the whole process in case the sandbox's limits fail.

use std::ffi::OsString;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nimatron::sandbox::CellOutput;

/// Files, sockets and processes that must not change.
pub(crate) struct Canaries {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) token: String,
    tcp: TcpListener,
    udp: UdpSocket,
    abstract_name: String,
    abstract_socket: UnixListener,
    victim: Child,
}

impl Canaries {
    pub(crate) fn new() -> Canaries {
        let folder = tempfile::tempdir().unwrap();
        let token = format!("token-{}-is-secret", std::process::id());
        fs_err::write(folder.path().join("secret"), &token).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        let abstract_name = format!("nimatron-canary-{}-{:p}", std::process::id(), &raw const folder);
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let abstract_socket = UnixListener::bind_addr(&address).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        abstract_socket.set_nonblocking(true).unwrap();
        let victim = Command::new("sleep").arg("100000").stdin(Stdio::null()).spawn().unwrap();
        Canaries { folder, token, tcp, udp, abstract_name, abstract_socket, victim }
    }

    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let port = self.tcp.local_addr().unwrap().port().to_string();
        vec![
            self.folder.path().into(),
            port.into(),
            self.abstract_name.clone().into(),
            self.victim.id().to_string().into(),
        ]
    }

    /// Returns the signs of an escape; empty if there are none.
    pub(crate) fn alarms(&mut self, run: &CellOutput) -> Vec<String> {
        let mut alarms = Vec::new();
        let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), run.execution.stderr.text);
        if said.contains("ESCAPED") {
            alarms.push(said.lines().find(|line| line.contains("ESCAPED")).unwrap_or("").to_owned());
        }
        let mut note = |happened: bool, what: &str| {
            if happened {
                alarms.push(what.to_owned());
            }
        };
        note(said.contains(&self.token), "the program printed the secret");
        let names: Vec<_> =
            fs_err::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        note(names != ["secret"], "the folder outside was changed");
        let secret = fs_err::read_to_string(self.folder.path().join("secret")).unwrap_or_default();
        note(secret != self.token, "the secret was changed");
        note(self.tcp.accept().is_ok(), "a program connected to the TCP port");
        note(self.udp.recv(&mut [0; 8]).is_ok(), "a datagram was received");
        note(self.abstract_socket.accept().is_ok(), "a program connected to the abstract socket");
        let stat = fs_err::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap_or_default();
        note(!stat.contains(") S "), "the victim process was stopped or killed");
        alarms
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        _ = self.victim.kill();
        _ = self.victim.wait();
    }
}

/// Returns the ids of processes whose program or arguments are in the folder.
pub(crate) fn survivors(folder: &Path) -> Vec<String> {
    let needle = folder.to_string_lossy().into_owned();
    let processes = fs_err::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok_and(|pid| pid != std::process::id()))
        .filter_map(|entry| {
            let line = fs_err::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).into_owned();
            line.contains(&needle).then_some(line)
        })
        .collect()
}

/// Limits everything that the tests start, so that a failure of the sandbox's limits does not affect the machine.
pub(crate) struct OuterBound(Option<(PathBuf, PathBuf)>);

impl OuterBound {
    const PROCESSES: u64 = 1_500;

    pub(crate) fn enter() -> OuterBound {
        let own = fs_err::read_to_string("/proc/self/cgroup").unwrap();
        let path = own.lines().find_map(|line| line.split_once(":pids:").map(|(_, path)| path.to_owned()));
        let home = path.map(|path| Path::new("/sys/fs/cgroup/pids").join(path.trim_start_matches('/')));
        if let Some(home) = home {
            let bound = home.join(format!("nimatron-attacks-{}", std::process::id()));
            let entered = fs_err::create_dir(&bound)
                .and_then(|()| put(&bound.join("pids.max"), &OuterBound::PROCESSES.to_string()))
                .and_then(|()| put(&bound.join("cgroup.procs"), "0"));
            if entered.is_ok() {
                return OuterBound(Some((home, bound)));
            }
        }
        let limit = rustix::process::Rlimit { current: Some(OuterBound::PROCESSES), maximum: None };
        _ = rustix::process::setrlimit(rustix::process::Resource::Nproc, limit);
        OuterBound(None)
    }
}

impl Drop for OuterBound {
    fn drop(&mut self) {
        if let Some((home, bound)) = &self.0 {
            _ = put(&home.join("cgroup.procs"), "0");
            for _ in 0..200 {
                if std::fs::remove_dir(bound).is_ok() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
    }
}

fn put(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    fs_err::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}
