//! Builds and runs programs in every installed language: a program with a large input, one that recurses deeply, one
//! that does not compile, and one that sets its exit code.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking and prints what it skips"
)]

mod builds;
mod detection;
mod hostile;
mod prestarted;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use nimatron::lang::{
    BuildContext, BuildError, DetectError, HostEnvironment, LanguageQuery, LanguageTable, Program, ReadyBuild, Source,
    Toolchain, Toolchains, build, compile_limits,
};
use nimatron::model::{Breach, ByteSize, Exit, Level, Limits, TimeSpan};
use nimatron::sandbox::{Cancel, CellCommand, CellOutput, CellSpec, Input, Output, Sandbox, best_available};

static TABLE: LazyLock<LanguageTable> = LazyLock::new(|| LanguageTable::built_in().unwrap());
/// The build cache, emptied once for each test run so that builds of older versions are not used.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages");
    fs_err::create_dir_all(&cache).unwrap();
    fs_err::remove_dir_all(&cache).unwrap();
    cache
});
static TOOLCHAINS: LazyLock<Toolchains> =
    LazyLock::new(|| Toolchains::new(HostEnvironment::current(), Some(CACHE.clone())));

/// Creates the strongest available sandbox. The caller owns it, so that it is removed when the test ends.
fn sandbox() -> Box<dyn Sandbox> {
    let open = |level| best_available(env!("CARGO_BIN_EXE_nimatron").into(), Cancel::new().unwrap(), level, (None, 0));
    open(None).or_else(|_| open(Some(Level::D))).unwrap()
}

fn limits() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(20),
        wall: TimeSpan::seconds(60),
        memory: ByteSize::mib(512),
        output: ByteSize::mib(1),
        processes: 16,
    }
}

/// Returns the toolchain of a language. If it is not installed, prints the reason and returns `None`.
fn toolchain(id: &str) -> Option<std::sync::Arc<Toolchain>> {
    let language = TABLE.choose(LanguageQuery::Named(id)).unwrap();
    match TOOLCHAINS.detect(language, &*sandbox()) {
        Ok(toolchain) => Some(toolchain),
        Err(error @ DetectError::Missing { .. }) => {
            let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
            assert!(!strict || language.install.debian.is_empty(), "NIMATRON_STRICT: {error}");
            eprintln!("skipped {id}: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn given(id: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/programs").join(id).join(name)
}

fn load(id: &str, path: &Path) -> Source {
    Source::load(&TABLE, path, Some(id)).unwrap_or_else(|error| panic!("{error}"))
}

fn built(source: &Source, toolchain: &Toolchain) -> Result<ReadyBuild, BuildError> {
    build(source, toolchain, &BuildContext { sandbox: &*sandbox(), cache: &CACHE, limits: compile_limits(), slot: 0 })
}

fn program(id: &str, name: &str, toolchain: &Toolchain) -> Program {
    built(&load(id, &given(id, name)), toolchain).unwrap_or_else(|error| panic!("{id} {name}: {error}")).program
}

/// Returns the command that runs a program on this input in a cell whose working directory is `private`.
fn task(program: &Program, input: &str, limits: &Limits, private: &Path) -> CellCommand {
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, input.as_bytes()).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    CellCommand {
        argv: program.argv(limits),
        env: program.env(limits, private),
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::File(file),
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: program.has_start_hook(),
        limits: program.limits(limits),
        early_stop: None,
        address_space: program.address_space(limits),
        keep_stderr: 4096,
    }
}

/// Runs a program on this input.
fn run(program: &Program, input: &str, limits: &Limits) -> CellOutput {
    let room = CellSpec { slot: 0, mounts: program.mounts().to_vec(), scratch: ByteSize::mib(16) };
    let mut cell = sandbox().open(&room).unwrap();
    let task = task(program, input, limits, cell.private_dir());
    cell.run(task).unwrap()
}

/// Runs a program, asserts that it succeeds, and returns its output.
fn output(program: &Program, input: &str) -> String {
    let run = run(program, input, &limits());
    let execution = &run.execution;
    assert!(execution.breach.is_none() && execution.exit.success(), "{} {execution:?}", program.language());
    // A warning of the run-time system would be part of every program's standard error.
    assert_eq!(execution.stderr.text, "", "{}", program.language());
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

/// Returns an input of a hundred thousand numbers, and their sum.
fn many_numbers() -> (String, String) {
    let numbers = (0..100_000_u64).map(|n| n * 7919 % 1_000_000_007).collect::<Vec<_>>();
    let words = numbers.iter().map(u64::to_string).collect::<Vec<_>>();
    (format!("{}\n{}\n", words.len(), words.join(" ")), numbers.iter().sum::<u64>().to_string())
}

/// Computes the output of the programs named `deep`. The recursion can't be compiled to a loop, and its result does not
/// overflow.
fn fold(depth: u64) -> u64 {
    (1..=depth).fold(0, |value, n| (value / 2 + n) % 1_000_003)
}

/// Expected properties of a language.
struct Case {
    id: &'static str,
    extension: &'static str,
    /// Recursion depth that must be reached in 512 MiB.
    depth: u64,
    /// Text in the compiler's output for the program that does not compile.
    complaint: &'static str,
}

impl Case {
    fn check(&self) {
        let Some(toolchain) = toolchain(self.id) else { return };
        eprintln!("{} {}: {:?}", self.id, toolchain.version, toolchain.first_program());
        assert!(toolchain.version.starts_with(|c: char| c.is_ascii_digit()), "{}", toolchain.version);
        let program = |name: &str| program(self.id, &format!("{name}.{}", self.extension), &toolchain);
        let (input, sum) = many_numbers();
        assert_eq!(output(&program("sum"), &input), sum);
        assert_eq!(output(&program("deep"), &format!("{}\n", self.depth)), fold(self.depth).to_string());
        assert_eq!(run(&program("crash"), "", &limits()).execution.exit, Exit::Code(3));
        self.check_compile_error(&toolchain);
    }

    fn check_compile_error(&self, toolchain: &Toolchain) {
        let name = format!("broken.{}", self.extension);
        match built(&load(self.id, &given(self.id, &name)), toolchain) {
            Err(BuildError::Compile { output, .. }) => {
                eprintln!("{output}\n");
                assert!(output.contains(self.complaint) && output.contains(&name), "{output}");
                assert!(!output.contains(CACHE.to_str().unwrap()), "{output}");
            }
            other => panic!("{other:?}"),
        }
    }
}

macro_rules! languages {
    ($($(#[$attribute:meta])* $name:ident: $id:literal, $extension:literal, $depth:literal, $complaint:literal;)*) => {
        const CASES: &[Case] = &[$(
            Case { id: $id, extension: $extension, depth: $depth, complaint: $complaint },
        )*];

        $(#[test]
        $(#[$attribute])*
        fn $name() {
            CASES.iter().find(|case| case.id == $id).unwrap().check();
        })*
    };
}

languages! {
    #[ignore = "slow; .ci/run runs it"]
    rust_works: "rust", "rs", 1_000_000, "cannot find value `nowhere`";
    c_works: "c", "c", 1_000_000, "‘nowhere’ undeclared";
    #[ignore = "slow; .ci/run runs it"]
    cpp_works: "cpp", "cpp", 1_000_000, "‘nowhere’ was not declared";
    python_works: "python", "py", 500_000, "SyntaxError";
    #[ignore = "slow; .ci/run runs it"]
    pypy_works: "pypy", "py", 200_000, "SyntaxError";
    #[ignore = "slow; .ci/run runs it"]
    java_works: "java", "java", 1_000_000, "cannot find symbol";
    #[ignore = "slow; .ci/run runs it"]
    javascript_works: "javascript", "js", 1_000_000, "SyntaxError";
    #[ignore = "slow; .ci/run runs it"]
    go_works: "go", "go", 1_000_000, "undefined: nowhere";
    #[ignore = "slow; .ci/run runs it"]
    csharp_works: "csharp", "cs", 1_000_000, "`nowhere' does not exist";
    #[ignore = "kotlinc takes ten seconds of CPU time; `nimatron verify` compiles a solution in Kotlin"]
    long_kotlin_works: "kotlin", "kt", 1_000_000, "unresolved reference: nowhere";
    #[ignore = "slow; .ci/run runs it"]
    haskell_works: "haskell", "hs", 1_000_000, "not in scope: nowhere";
    #[ignore = "slow; .ci/run runs it"]
    ocaml_works: "ocaml", "ml", 1_000_000, "Unbound value nowhere";
    #[ignore = "slow; .ci/run runs it"]
    pascal_works: "pascal", "pas", 1_000_000, "Identifier not found \"nowhere\"";
    #[ignore = "slow; .ci/run runs it"]
    ruby_works: "ruby", "rb", 500_000, "syntax error";
    lua_works: "lua", "lua", 150_000, "unexpected symbol";
    bash_works: "bash", "sh", 1_000, "unexpected end of file";
    #[ignore = "slow; .ci/run runs it"]
    perl_works: "perl", "pl", 500_000, "syntax error";
}

#[test]
fn every_language_of_the_table_works() {
    let all = TABLE.rows();
    let mut rows = all.iter().map(|row| row.id.as_str()).collect::<Vec<_>>();
    let mut tried = CASES.iter().map(|case| case.id).collect::<Vec<_>>();
    rows.sort_unstable();
    tried.sort_unstable();
    assert_eq!(rows, tried);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_library_is_a_compile_error() {
    let Some(toolchain) = toolchain("go") else { return };
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("a.go"), "package library\n\nfunc main() {}\n").unwrap();
    match built(&load("go", &folder.path().join("a.go")), &toolchain) {
        Err(BuildError::Compile { output, .. }) => assert!(output.contains("no executable program"), "{output}"),
        other => panic!("{other:?}"),
    }
}
