//! Reads the attacks in `tests/attacks`: their expected results, builds, and commands.

use std::env::consts::ARCH;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use nimatron::lang::start_hook_object;
use nimatron::model::{Breach, ByteSize, Digest, Execution, Exit, Level, Limits, TimeSpan};
use nimatron::sandbox::{CellCommand, Input, Mount, Output};

pub(crate) const LIMITS: Limits = Limits {
    cpu: TimeSpan::millis(300),
    wall: TimeSpan::millis(1_500),
    memory: ByteSize::mib(64),
    output: ByteSize::mib(1),
    processes: 16,
};

pub(crate) const COMPILER_LIMITS: Limits = Limits {
    cpu: TimeSpan::seconds(2),
    wall: TimeSpan::seconds(8),
    memory: ByteSize::mib(512),
    output: ByteSize::mib(16),
    processes: 32,
};

/// The environment variable that names the folder of prebuilt attacks, which
/// `attacks_are_built_for_a_machine_without_compilers` creates.
pub(crate) const BUILT: &str = "NIMATRON_ATTACKS_BUILT";

/// A program in `tests/attacks`.
#[derive(Debug)]
pub(crate) struct Attack {
    pub(crate) name: String,
    pub(crate) source: PathBuf,
    /// The levels, and the results that are permitted at each level.
    pub(crate) expected: Vec<(String, Vec<String>)>,
}

impl Attack {
    pub(crate) fn all() -> Vec<Attack> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
        let mut attacks: Vec<Attack> =
            fs_err::read_dir(folder).unwrap().flatten().filter_map(|entry| Attack::read(&entry.path())).collect();
        attacks.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(attacks.len() >= 60, "only {} attacks were found", attacks.len());
        attacks
    }

    /// Returns the program that checks whether the previous run left traces.
    pub(crate) fn check() -> Attack {
        Attack::helper("leave_check.c")
    }

    /// Returns the harmless program.
    pub(crate) fn none() -> Attack {
        Attack::helper("good.c")
    }

    /// Returns a program of the folder that is not itself an attack.
    fn helper(name: &str) -> Attack {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks").join(name);
        Attack { name: name.into(), source, expected: Vec::new() }
    }

    fn read(source: &Path) -> Option<Attack> {
        let text = fs_err::read_to_string(source).unwrap();
        let processor = text.lines().find_map(|line| line.strip_prefix("// only "));
        assert!(processor.is_none_or(|processor| processor == "x86_64"), "{}", source.display());
        if processor.is_some_and(|processor| processor != ARCH) {
            return None;
        }
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

    /// Returns whether [`build`] links the start hook to the attack.
    pub(crate) fn has_start_hook(&self) -> bool {
        self.name.ends_with(".c") && !self.is_for_compilers() && start_hook_object().is_some()
    }

    pub(crate) fn is_for_compilers(&self) -> bool {
        self.name.starts_with("compile_")
    }

    /// Returns the limits of a run of this attack. Time is short only where it may end the run: the other attacks end by
    /// themselves or at another limit, and a busy machine can take a second of CPU time to give them 64 MiB of memory.
    pub(crate) fn limits_at(&self, level: Level) -> Limits {
        let limits = if self.is_for_compilers() { COMPILER_LIMITS } else { LIMITS };
        let is_time = |outcome: &String| ["cpu", "wall", "starved", "idle", "any"].contains(&outcome.as_str());
        let ends_in_time = !self.expected_at(level).into_iter().flatten().any(is_time);
        if ends_in_time { ample(limits) } else { limits }
    }

    pub(crate) fn expected_at(&self, level: Level) -> Option<&[String]> {
        let level = level.to_string();
        let fits = |levels: &str| levels.split(' ').any(|one| one == level);
        self.expected.iter().find(|(levels, _)| fits(levels)).map(|(_, outcomes)| outcomes.as_slice())
    }
}

pub(crate) fn happened(execution: &Execution, outcome: &str) -> bool {
    let breach = execution.breach.map(|breach| match breach {
        Breach::Cpu => "cpu",
        Breach::Wall => "wall",
        Breach::Starved => "starved",
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

/// Builds an attack outside the sandbox and returns the command that runs it. Programs in C contain the start hook.
pub(crate) fn build(attack: &Attack, folder: &Path) -> Option<Vec<OsString>> {
    let name = attack.name.replace('.', "_");
    let program = folder.join(&name);
    // On a machine without compilers, prebuilt programs are used.
    if let Some(built) = std::env::var_os(BUILT)
        && attack.source.extension()? != "py"
    {
        fs_err::copy(Path::new(&built).join(&name), &program).ok()?;
        return Some(vec![program.into()]);
    }
    let command = |name: &str, arguments: &[&str]| {
        // Every level needs the same program, and each worker needs a copy in its own folder. The copy is made by the
        // separate process `cp`, so that no process forked in the meantime has the copy open for writing when it is
        // started.
        let built = compiled_once(attack, name, arguments)?;
        let copied = Command::new("cp").arg(built).arg(&program).status();
        assert!(copied.is_ok_and(|status| status.success()), "{} cannot be copied", attack.name);
        Some(vec![program.clone().into()])
    };
    match attack.source.extension()?.to_str()? {
        "c" => {
            let hook = start_hook_path();
            let hook = hook.iter().map(|path| path.to_str().unwrap());
            command("gcc", &["-O1", "-w", "-pthread"].into_iter().chain(hook).collect::<Vec<_>>())
        }
        "rs" => command("rustc", &["-O"]),
        "py" => {
            let copy = folder.join(&attack.name);
            fs_err::copy(&attack.source, &copy).unwrap();
            Path::new("/usr/bin/python3").exists().then(|| vec!["/usr/bin/python3".into(), copy.into()])
        }
        other => unreachable!("an attack in {other}"),
    }
}

/// Returns the path of the object file with the start hook, which the first call writes; `None` if there is none.
fn start_hook_path() -> Option<&'static Path> {
    static PATH: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let object = start_hook_object()?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attacks");
        fs_err::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("hook-{}.o", Digest::of(&object)));
        if !path.exists() {
            let fresh = tempfile::NamedTempFile::new_in(&folder).unwrap();
            fs_err::write(fresh.path(), object).unwrap();
            fresh.persist(&path).unwrap();
        }
        Some(path)
    });
    PATH.as_deref()
}

/// Compiles an attack, unless that was done before, and returns the path of the program. The program is kept in the
/// target folder under the hash of its sources.
fn compiled_once(attack: &Attack, compiler: &str, arguments: &[&str]) -> Option<PathBuf> {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attacks");
    fs_err::create_dir_all(&kept).unwrap();
    let header = attack.source.with_file_name("attack.h");
    let texts = [&attack.source, &header].map(|file| fs_err::read(file).unwrap());
    let command = arguments.join(" ");
    let program = kept.join(
        Digest::of_parts([compiler.as_bytes(), command.as_bytes(), texts[0].as_slice(), texts[1].as_slice()])
            .to_string(),
    );
    if !program.exists() {
        let fresh = tempfile::tempdir_in(&kept).unwrap();
        let made = fresh.path().join("program");
        let output = Command::new(compiler).args(arguments).arg("-o").arg(&made).arg(&attack.source).output().ok()?;
        assert!(output.status.success(), "{}: {}", attack.name, String::from_utf8_lossy(&output.stderr));
        fs_err::rename(made, &program).unwrap();
    }
    Some(program)
}

/// Returns the command that compiles an attack inside the sandbox, and the folders that it needs.
pub(crate) fn compiler(attack: &Attack, secret: &Path) -> Option<(Vec<OsString>, Vec<Mount>)> {
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
        _ if !Path::new("/usr/bin/g++").exists() => None,
        "cc" => Some((words(&["/usr/bin/g++", "-std=c++17", "-o", "a", &source[1..]]), Vec::new())),
        _ => {
            let define = format!("-DSECRET=\"{}\"", secret.display());
            Some((words(&["/usr/bin/gcc", &define, "-o", "a", &source[1..]]), Vec::new()))
        }
    }
}

/// Returns the limits with ten times as much time.
pub(crate) fn ample(limits: Limits) -> Limits {
    Limits { cpu: limits.cpu.times(10), wall: limits.wall.times(10), ..limits }
}

/// Returns the factor by which this machine is slower than usual, which an environment variable sets on emulated
/// machines.
fn slowness() -> u64 {
    std::env::var("NIMATRON_SLOWNESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

pub(crate) fn task(argv: Vec<OsString>, limits: Limits) -> CellCommand {
    CellCommand {
        argv,
        env: vec![("ATTACK".into(), "1".into())],
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: false,
        limits: Limits { cpu: limits.cpu.times(slowness()), wall: limits.wall.times(slowness()), ..limits },
        early_stop: None,
        address_space: None,
        keep_stderr: 100_000,
    }
}
