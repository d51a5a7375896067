//! A temporary folder with a test's problems and programs, in which the `nimatron` binary is run.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Time in which a process must end after SIGTERM. Otherwise, it is killed.
const MOST_TO_END: Duration = Duration::from_secs(5);

/// A configuration in which PyPy is not found. Python programs of packages run with PyPy if it is installed, and PyPy takes
/// four times as long as Python to start. [`Project::with_pypy`] does without this configuration.
const WITHOUT_PYPY: &str = "\
format: 1
languages:
  pypy:
    name: PyPy
    extensions: []
    also: [py, py3]
    programs: { pypy: [pypy3-of-no-test] }
    probe: { argv: [\"{pypy}\", --version] }
    keep: sources
    run: [\"{pypy}\", \"{source}\"]
";

/// The configuration folder of projects without a folder `config`.
static CONFIGURATION: LazyLock<PathBuf> = LazyLock::new(|| {
    let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join("config");
    let folder = config.join("nimatron");
    fs_err::create_dir_all(&folder).unwrap();
    // The tests of another process may read the file at the same time.
    let mut file = tempfile::NamedTempFile::new_in(&folder).unwrap();
    file.write_all(WITHOUT_PYPY.as_bytes()).unwrap();
    file.persist(folder.join("languages.yaml")).unwrap();
    config
});

/// A temporary folder in which `nimatron` is run. It is removed after the last process that was started in it has
/// ended, because a process that is being ended may still write into the folder.
pub(crate) struct Project {
    dir: Arc<TempDir>,
    cache: PathBuf,
}

/// Calls `check` with all items at the same time, for checks that mostly wait.
pub(crate) fn at_once<T: Send>(items: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for item in items {
            scope.spawn(|| check(item));
        }
    });
}

/// A process that was started in a project. It is ended when the value is dropped.
pub(crate) struct ProjectProcess {
    /// `None` after its end.
    child: Option<Child>,
    _dir: Arc<TempDir>,
}

/// Exit code and output of a run of `nimatron`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Returns a zip with these files.
pub(crate) fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns the path of the tested binary: `NIMATRON_BIN` (such as a release build, which must be `nimatron-server` for
/// tests of the server), or the binary that was built with the tests.
fn binary() -> PathBuf {
    std::env::var_os("NIMATRON_BIN").map_or_else(|| BUILT.into(), PathBuf::from)
}

/// The path of the binary that was built with the tests: `nimatron-server` for tests of the server, otherwise `nimatron`.
pub(crate) const BUILT: &str =
    match (option_env!("CARGO_BIN_EXE_nimatron-server"), option_env!("CARGO_BIN_EXE_nimatron")) {
        (Some(server), _) => server,
        (None, Some(nimatron)) => nimatron,
        (None, None) => panic!("Cargo does not say which binary it has built"),
    };

/// Returns the root of the repository.
pub(crate) fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The package of the server is in `src/server`.
    package.ancestors().find(|folder| folder.join("problems").is_dir()).unwrap_or(package)
}

/// The spec of a small problem: the sum of n numbers.
pub(crate) const SUM: &str = "\
name: Sum
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: \"2\\n1 2\\n\", answer: \"3\\n\" }
  tiny: { every: { n: 1..=2, a: -1..=1 } }
  random: { count: 5, with: { n: 3..=9 } }
";

/// A correct program for [`SUM`].
pub(crate) const SUM_RS: &str = "\
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let total: i64 = text.split_whitespace().skip(1).map(|w| w.parse::<i64>().unwrap()).sum();
    println!(\"{total}\");
}
";

/// A correct program for [`SUM`] that is compiled and started quickly.
pub(crate) const SUM_C: &str = "#include <stdio.h>\nint main(void){int n,x,s=0;scanf(\"%d\",&n);\
    while(n--){scanf(\"%d\",&x);s+=x;}printf(\"%d\\n\",s);}\n";

impl Project {
    /// Creates an empty folder. The cache of builds and data is shared with other tests; its entries are named by
    /// content.
    pub(crate) fn new() -> Project {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        Project { dir: Arc::new(tempfile::tempdir().unwrap()), cache }
    }

    /// Sets whether the folder is kept after the test, and returns its path.
    pub(crate) fn keep(&mut self, stays: bool) -> &Path {
        Arc::get_mut(&mut self.dir).unwrap().disable_cleanup(stays);
        self.dir.path()
    }

    /// Creates a folder with the problem `sum` and its reference solution.
    pub(crate) fn with_sum() -> Project {
        Project::new()
            .file("problems/sum/problem.yaml", SUM)
            .file("problems/sum/statement.md", "Print the sum.\n")
            .file("solutions/sum/accepted/reference.rs", SUM_RS)
    }

    /// Uses an empty cache that is not shared with other tests.
    pub(crate) fn own_cache(mut self) -> Project {
        self.cache = self.dir.path().join("cache");
        self
    }

    /// Uses an empty cache that shares only detected languages and built programs with other tests.
    pub(crate) fn own_data(mut self) -> Project {
        let shared = std::mem::replace(&mut self.cache, self.dir.path().join("cache"));
        fs_err::create_dir(&self.cache).unwrap();
        for folder in ["builds", "toolchains"] {
            fs_err::create_dir_all(shared.join(folder)).unwrap();
            fs_err::os::unix::fs::symlink(shared.join(folder), self.cache.join(folder)).unwrap();
        }
        self
    }

    /// Adds a file.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Project {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    /// Lets Python programs of packages run with PyPy if it is installed.
    pub(crate) fn with_pypy(self) -> Project {
        fs_err::create_dir(self.path("config")).unwrap();
        self
    }

    fn command(&self, args: &[&str]) -> Command {
        let own = self.path("config");
        let config = if own.exists() { &own } else { &*CONFIGURATION };
        let mut command = Command::new(binary());
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("NIMATRON_CACHE", &self.cache)
            .env("XDG_STATE_HOME", self.dir.path().join("state"))
            .env("XDG_CONFIG_HOME", config)
            // Under `cargo test`, `nimatron` would otherwise let Cargo check that the server is up to date.
            .env_remove("CARGO")
            .env_remove("NIMATRON_PROBLEMS")
            .env_remove("NIMATRON_STRICT")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        command
    }

    /// Runs `nimatron` and waits for its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    /// Like [`Project::run`], with these environment variables.
    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let output = self.command(args).envs(env.iter().copied()).output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs `nimatron` through another program, which receives the command line after these arguments, and waits for
    /// it.
    pub(crate) fn run_by(&self, program: &str, before: &[&str], args: &[&str]) -> Option<Ran> {
        let output = self.wrapped(program, before, args).output().ok()?;
        Some(Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs `nimatron` with these lines on standard input, and waits for it.
    pub(crate) fn type_in(&self, args: &[&str], lines: &str) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A game that ends early does not read the remaining lines.
        let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Reads a text file of the project.
    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        fs_err::read_to_string(self.path(path)).unwrap()
    }

    /// Starts `nimatron` with piped output and does not wait for it.
    pub(crate) fn start(&self, args: &[&str]) -> ProjectProcess {
        self.start_with(args, &[])
    }

    /// Like [`Project::start`], with these environment variables.
    pub(crate) fn start_with(&self, args: &[&str], env: &[(&str, &str)]) -> ProjectProcess {
        self.spawn(self.command(args).envs(env.iter().copied()))
    }

    /// Like [`Project::start`], through another program, which receives the command line after these arguments.
    pub(crate) fn start_by(&self, program: &str, before: &[&str], args: &[&str]) -> ProjectProcess {
        self.spawn(&mut self.wrapped(program, before, args))
    }

    fn spawn(&self, command: &mut Command) -> ProjectProcess {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        ProjectProcess { child: Some(child), _dir: self.dir.clone() }
    }

    fn wrapped(&self, program: &str, before: &[&str], args: &[&str]) -> Command {
        let command = self.command(args);
        let mut by = Command::new(program);
        by.args(before).arg(command.get_program()).args(command.get_args()).current_dir(self.dir.path());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => by.env(name, value),
                None => by.env_remove(name),
            };
        }
        by.stdin(Stdio::null());
        by
    }

    /// Judges a program on `sum` and returns the verdict from the JSON lines.
    pub(crate) fn verdict(&self, program: &str) -> String {
        let ran = self.run(&["run", "sum", program, "--json"]);
        let last = ran.last_json();
        last["verdict"].as_str().unwrap_or_else(|| panic!("no verdict: {ran:?}")).to_owned()
    }
}

impl ProjectProcess {
    /// Sends SIGINT to the process, as Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        kill_process(Pid::from_child(self), Signal::INT).unwrap();
    }

    /// Waits for the end of the process, and returns what it has written.
    pub(crate) fn wait_with_output(mut self) -> std::io::Result<Output> {
        self.child.take().unwrap().wait_with_output()
    }
}

/// Returns the children of a process.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let is_child = |id: &u32| {
        let stat = fs_err::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        fields.split_ascii_whitespace().nth(1).and_then(|field| field.parse().ok()) == Some(parent)
    };
    let names = fs_err::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name());
    names.filter_map(|name: std::ffi::OsString| name.to_str()?.parse().ok()).filter(is_child).collect()
}

/// Returns the largest amount of memory that a process has used, in bytes; `None` if the process has ended.
pub(crate) fn peak_memory(process: u32) -> Option<u64> {
    let status = fs_err::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10)
}

impl Deref for ProjectProcess {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.child.as_ref().unwrap()
    }
}

impl DerefMut for ProjectProcess {
    fn deref_mut(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }
}

impl Drop for ProjectProcess {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            end(child);
        }
    }
}

/// Ends a process by SIGTERM, so that it removes its temporary files and control groups, or by SIGKILL if it takes too
/// long.
fn end(child: &mut Child) {
    // A process that was waited for gets no signal, since its id may belong to another process.
    if matches!(child.try_wait(), Ok(None)) {
        _ = kill_process(Pid::from_child(child), Signal::TERM);
    }
    if !holds_within(MOST_TO_END, || !matches!(child.try_wait(), Ok(None))) {
        _ = child.kill();
        _ = child.wait();
    }
}

/// Waits until a condition holds, for at most this time. Returns whether it holds.
pub(crate) fn holds_within(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        if condition() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns the verdicts of the cases in the JSON lines of a run, in order.
#[track_caller]
pub(crate) fn verdicts(ran: &Ran) -> Vec<String> {
    let lines = ran.json();
    let cases = lines.iter().filter(|line| line["event"] == "case_finished");
    cases.map(|line| line["verdict"].as_str().unwrap().to_owned()).collect()
}

impl Ran {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Asserts that standard output contains this text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "standard output lacks {text:?}: {self:#?}");
        self
    }

    /// Asserts that standard error contains this text.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "standard error lacks {text:?}: {self:#?}");
        self
    }

    /// Asserts that standard error is empty.
    #[track_caller]
    pub(crate) fn silent(self) -> Ran {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }

    /// Parses the lines of standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line:?}: {self:#?}"));
        self.stdout.lines().map(parse).collect()
    }

    #[track_caller]
    pub(crate) fn last_json(&self) -> serde_json::Value {
        self.json().pop().unwrap_or_else(|| panic!("nothing on standard output: {self:#?}"))
    }

    /// Returns the line with the result of a case, the first one if there are several.
    pub(crate) fn case_json(&self) -> serde_json::Value {
        let case = self.json().into_iter().find(|line| !line["verdict"].is_null() && !line["case"].is_null());
        case.unwrap_or_else(|| panic!("no result of a case: {self:#?}"))
    }

    /// Returns the verdict on the first case, and its message or fault.
    pub(crate) fn case_result(&self) -> (String, String) {
        let case = self.case_json();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        (text(&case["verdict"]), text(&case["message"]) + &text(&case["fault"]["message"]))
    }
}

/// Returns the verdict and the points of a program in the output of `verify`.
#[track_caller]
pub(crate) fn result(ran: &Ran, program: &str) -> (String, String) {
    let lines = ran.json();
    let line = lines.iter().find(|line| line["check"] == program).unwrap_or_else(|| panic!("no {program}: {ran:#?}"));
    (line["verdict"].as_str().unwrap().to_owned(), line["score"].as_str().unwrap().to_owned())
}

/// Formats a verdict and points as [`result`] returns them.
pub(crate) fn pair(verdict: &str, score: &str) -> (String, String) {
    (verdict.to_owned(), score.to_owned())
}
