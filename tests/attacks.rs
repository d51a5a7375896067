//! Every program in `tests/attacks` against every level of the sandbox, with canaries that would show an escape.
//!
//! A program says in its head what must happen to it: `// expect A B: cpu|wall`. A level that it does not name is one
//! that does not stop it, which the guide tells; it is not run there. After each attack the same cell must be alive,
//! empty and unharmed. Everything runs under an outer bound on processes.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and tells what it skips")]

use std::ffi::OsString;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use nimatron::model::{Breach, Bytes, Execution, Exit, Level, Limits, Span};
use nimatron::sandbox::{Cancel, Cell, Contained, Input, Mount, Output, Plain, Room, Run, Sandbox, Task};

const LIMITS: Limits = Limits {
    cpu: Span::millis(300),
    wall: Span::millis(1_500),
    memory: Bytes::mib(64),
    output: Bytes::mib(1),
    processes: 16,
};

const COMPILER_LIMITS: Limits = Limits {
    cpu: Span::seconds(2),
    wall: Span::seconds(8),
    memory: Bytes::mib(512),
    output: Bytes::mib(16),
    processes: 32,
};

/// A program of the folder.
#[derive(Debug)]
struct Attack {
    name: String,
    source: PathBuf,
    /// Levels and what may happen there.
    expected: Vec<(String, Vec<String>)>,
}

impl Attack {
    fn all() -> Vec<Attack> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
        let mut attacks: Vec<Attack> =
            fs_err::read_dir(folder).unwrap().flatten().filter_map(|entry| Attack::read(&entry.path())).collect();
        attacks.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(attacks.len() >= 60, "only {} attacks were found", attacks.len());
        attacks
    }

    fn read(source: &Path) -> Option<Attack> {
        let text = fs_err::read_to_string(source).unwrap();
        let heads = text.lines().filter_map(|line| line.trim_start_matches(['/', '#']).strip_prefix(" expect "));
        let expected: Vec<_> = heads
            .map(|head| {
                let (levels, outcomes) = head.split_once(": ").unwrap();
                (levels.to_owned(), outcomes.split('|').map(str::to_owned).collect())
            })
            .collect();
        let name = source.file_name()?.to_string_lossy().into_owned();
        (!expected.is_empty()).then(|| Attack { name, source: source.to_path_buf(), expected })
    }

    fn is_for_compilers(&self) -> bool {
        self.name.starts_with("compile_")
    }

    fn expected_at(&self, level: Level) -> Option<&[String]> {
        let level = level.to_string();
        let fits = |levels: &str| levels.split(' ').any(|one| one == level);
        self.expected.iter().find(|(levels, _)| fits(levels)).map(|(_, outcomes)| outcomes.as_slice())
    }
}

fn happened(execution: &Execution, outcome: &str) -> bool {
    let breach = execution.breach.map(|breach| match breach {
        Breach::Cpu => "cpu",
        Breach::Wall => "wall",
        Breach::Idle => "idle",
        Breach::Memory => "memory",
        Breach::Output => "output",
        Breach::Processes => "processes",
        Breach::Syscall => "syscall",
    });
    match (outcome, breach, execution.exit) {
        ("any", ..) => true,
        ("blocked", None, exit) => exit.success(),
        ("fails", None, exit) => !exit.success(),
        (outcome, Some(breach), _) => outcome == breach,
        (outcome, None, Exit::Code(code)) => outcome == format!("exit {code}"),
        (outcome, None, Exit::Signal(signal)) => outcome == format!("signal {signal}"),
    }
}

/// What an escape would touch.
struct Canaries {
    folder: tempfile::TempDir,
    token: String,
    tcp: TcpListener,
    udp: UdpSocket,
    abstract_name: String,
    abstract_socket: UnixListener,
    victim: Child,
}

impl Canaries {
    fn new() -> Canaries {
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

    fn arguments(&self) -> Vec<OsString> {
        let port = self.tcp.local_addr().unwrap().port().to_string();
        vec![
            self.folder.path().into(),
            port.into(),
            self.abstract_name.clone().into(),
            self.victim.id().to_string().into(),
        ]
    }

    /// What shows that a program got out.
    fn alarms(&mut self, run: &Run) -> Vec<String> {
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
        note(said.contains(&self.token), "the secret was told");
        let names: Vec<_> =
            fs_err::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        note(names != ["secret"], "the folder outside changed");
        let secret = fs_err::read_to_string(self.folder.path().join("secret")).unwrap_or_default();
        note(secret != self.token, "the secret changed");
        note(self.tcp.accept().is_ok(), "somebody connected");
        note(self.udp.recv(&mut [0; 8]).is_ok(), "a datagram came");
        note(self.abstract_socket.accept().is_ok(), "somebody connected to the abstract socket");
        let stat = fs_err::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap_or_default();
        note(!stat.contains(") S "), "the victim was hurt");
        alarms
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        _ = self.victim.kill();
        _ = self.victim.wait();
    }
}

/// A bound around all that the tests start: if our own limits fail, the machine must not.
struct OuterBound(Option<(PathBuf, PathBuf)>);

impl OuterBound {
    const PROCESSES: u64 = 1_500;

    fn enter() -> OuterBound {
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

/// Builds an attack outside the sandbox: the command that runs it.
fn build(attack: &Attack, folder: &Path) -> Option<Vec<OsString>> {
    let program = folder.join(attack.name.replace('.', "_"));
    let command = |name: &str, arguments: &[&str]| {
        let output = Command::new(name).args(arguments).arg("-o").arg(&program).arg(&attack.source).output().ok()?;
        assert!(output.status.success(), "{}: {}", attack.name, String::from_utf8_lossy(&output.stderr));
        Some(vec![program.clone().into()])
    };
    match attack.source.extension()?.to_str()? {
        "c" => command("gcc", &["-O1", "-w", "-pthread"]),
        "rs" => command("rustc", &["-O"]),
        "py" => {
            let copy = folder.join(&attack.name);
            fs_err::copy(&attack.source, &copy).unwrap();
            Path::new("/usr/bin/python3").exists().then(|| vec!["/usr/bin/python3".into(), copy.into()])
        }
        other => unreachable!("an attack in {other}"),
    }
}

/// The command that compiles an attack inside the sandbox, and what it needs to see.
fn compiler(attack: &Attack, secret: &Path) -> Option<(Vec<OsString>, Vec<Mount>)> {
    let source = format!("/{}", attack.name);
    let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
    match attack.source.extension()?.to_str()? {
        "rs" => {
            let root = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
            let root = PathBuf::from(String::from_utf8(root.stdout).ok()?.trim());
            let program = root.join("bin/rustc");
            program
                .exists()
                .then(|| (vec![program.into(), "-o".into(), "a".into(), source[1..].into()], vec![Mount::read(root)]))
        }
        "cc" => Some((words(&["/usr/bin/g++", "-std=c++17", "-o", "a", &source[1..]]), Vec::new())),
        _ => {
            let define = format!("-DSECRET=\"{}\"", secret.display());
            Some((words(&["/usr/bin/gcc", &define, "-o", "a", &source[1..]]), Vec::new()))
        }
    }
}

fn task(argv: Vec<OsString>, limits: Limits) -> Task {
    Task {
        argv,
        env: vec![("ATTACK".into(), "1".into())],
        dir: None,
        files: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        limits,
        bound_address_space: false,
        keep_stderr: 100_000,
    }
}

/// The ids of processes whose program or arguments lie in the folder.
fn survivors(folder: &Path) -> Vec<String> {
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

struct Arena<'a> {
    sandbox: &'a dyn Sandbox,
    level: Level,
    programs: tempfile::TempDir,
    canaries: Canaries,
    failures: Vec<String>,
    count: usize,
}

impl Arena<'_> {
    fn judge(&mut self, attack: &Attack, run: &Run) {
        self.count += 1;
        let expected = attack.expected_at(self.level).unwrap();
        let mut complaints = self.canaries.alarms(run);
        if !expected.iter().any(|outcome| happened(&run.execution, outcome)) {
            let mut execution = run.execution.clone();
            execution.stderr.text.truncate(300);
            complaints.push(format!("expected {expected:?}, found {execution:?}"));
        }
        for left in survivors(self.programs.path()) {
            complaints.push(format!("still running: {left}"));
        }
        self.failures
            .extend(complaints.into_iter().map(|complaint| format!("{} at {}: {complaint}", attack.name, self.level)));
    }

    fn run_program(&mut self, cell: &mut dyn Cell, check: &[OsString], attack: &Attack) {
        let Some(mut argv) = build(attack, self.programs.path()) else {
            return println!("skipped: {} cannot be built here", attack.name);
        };
        argv.extend(self.canaries.arguments());
        match cell.run(task(argv, LIMITS)) {
            Ok(run) => self.judge(attack, &run),
            Err(fault) => self.failures.push(format!("{} at {}: {fault}", attack.name, self.level)),
        }
        let after = cell.run(task(check.to_vec(), LIMITS));
        let clean = after.as_ref().is_ok_and(|run| run.execution.exit.success() && run.execution.breach.is_none());
        if !clean {
            self.failures.push(format!("{} at {}: the next run found {after:?}", attack.name, self.level));
        }
    }

    fn run_compiler(&mut self, attack: &Attack) {
        let secret = self.canaries.folder.path().join("secret");
        let Some((argv, mut mounts)) = compiler(attack, &secret) else {
            return println!("skipped: no compiler for {}", attack.name);
        };
        let folder = tempfile::tempdir_in(self.programs.path()).unwrap();
        fs_err::copy(&attack.source, folder.path().join(&attack.name)).unwrap();
        mounts.push(Mount::write(folder.path()));
        let mut cell = self.sandbox.open(&Room { slot: 0, mounts, scratch: Bytes::mib(64) }).unwrap();
        let mut task = task(argv, COMPILER_LIMITS);
        task.dir = Some(folder.path().into());
        task.env = vec![("PATH".into(), "/usr/bin:/bin".into()), ("SECRET".into(), secret.into())];
        if self.level > Level::B {
            task.env.push(("TMPDIR".into(), folder.path().into()));
        }
        match cell.run(task) {
            Ok(run) => self.judge(attack, &run),
            Err(fault) => self.failures.push(format!("{} at {}: {fault}", attack.name, self.level)),
        }
        drop(cell);
        let made = fs_err::read(folder.path().join("a")).unwrap_or_default();
        let token = self.canaries.token.as_bytes();
        if made.windows(token.len()).any(|window| window == token) {
            self.failures.push(format!("{} at {}: the secret is in the program", attack.name, self.level));
        }
    }
}

/// Runs every attack at this level.
fn attack_level(level: Level) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock();
    let _bound = OuterBound::enter();
    let exe = PathBuf::from(env!("CARGO_BIN_EXE_nimatron"));
    let cancel = Cancel::new().unwrap();
    let sandbox: Box<dyn Sandbox> = match level {
        Level::D => Box::new(Plain::new(exe, cancel).unwrap()),
        _ => match Contained::at(level, exe, cancel) {
            Ok(sandbox) => Box::new(sandbox),
            Err(fault) => {
                assert!(std::env::var_os("NIMATRON_STRICT").is_none(), "{fault}");
                return println!("skipped: {fault}");
            }
        },
    };
    let programs = tempfile::tempdir().unwrap();
    let room = Room { slot: 0, mounts: vec![Mount::read(programs.path())], scratch: Bytes::mib(16) };
    let mut cell = sandbox.open(&room).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
    let check = Attack { name: "leave_check.c".into(), source: folder.join("leave_check.c"), expected: Vec::new() };
    let check = build(&check, programs.path()).unwrap();
    let canaries = Canaries::new();
    let mut arena = Arena { sandbox: &*sandbox, level, programs, canaries, failures: Vec::new(), count: 0 };
    for attack in Attack::all().iter().filter(|attack| attack.expected_at(level).is_some()) {
        if attack.is_for_compilers() {
            arena.run_compiler(attack);
        } else {
            arena.run_program(&mut *cell, &check, attack);
        }
    }
    println!("{} attacks at {level}", arena.count);
    assert!(arena.failures.is_empty(), "{}", arena.failures.join("\n"));
}

#[test]
fn level_a_holds_against_every_attack() {
    attack_level(Level::A);
}

#[test]
fn level_b_holds_against_every_attack() {
    attack_level(Level::B);
}

#[test]
fn level_c_holds_against_what_it_promises_to() {
    attack_level(Level::C);
}

#[test]
fn level_d_limits_and_leaves_nothing_running() {
    attack_level(Level::D);
}
