//! Tests of how `nimatron` finds, builds and executes `nimatron-server`. The server is a shell script here.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::project::BUILT;

/// Prints its process and its arguments, in place of the server.
const SERVER: &str = "#!/bin/sh\necho \"$$ $0: $*\"\nexit 7\n";

/// Records its arguments, and creates the server beside `nimatron`.
const CARGO: &str = r#"#!/bin/sh
echo "output of cargo"
echo "$*" >>"$PWD/cargo.log"
[ -e "$PWD/broken" ] && exit 101
cp "$PWD/server" "$(dirname "$(find "$PWD/target" -name nimatron)")/nimatron-server"
"#;

/// A folder with a copy of `nimatron`, on the file system of the target folder, so that the copy is a link.
struct Installed {
    folder: tempfile::TempDir,
    nimatron: PathBuf,
}

/// Result of `nimatron`, with its process.
struct Answer {
    pid: u32,
    code: i32,
    stdout: String,
    stderr: String,
}

fn write_program(path: &Path, text: &str) {
    fs_err::write(path, text).unwrap();
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

impl Installed {
    /// Installs `nimatron` in this folder below a new folder.
    fn at(below: &str) -> Installed {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let nimatron = folder.path().join(below).join("nimatron");
        fs_err::create_dir_all(nimatron.parent().unwrap()).unwrap();
        fs_err::hard_link(BUILT, &nimatron).unwrap();
        Installed { folder, nimatron }
    }

    /// Creates a checkout with a build of `nimatron` in this folder, and a `cargo` that makes [`SERVER`].
    fn checkout(below: &str) -> Installed {
        let built = Installed::at(below);
        fs_err::write(built.path("target/.rustc_info.json"), "{}").unwrap();
        fs_err::create_dir_all(built.path("src/server")).unwrap();
        fs_err::write(built.path("src/server/Cargo.toml"), "[package]\nname = \"nimatron-server\"\n").unwrap();
        write_program(&built.path("server"), SERVER);
        write_program(&built.path("cargo"), CARGO);
        built
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn server(&self) -> PathBuf {
        self.nimatron.with_file_name("nimatron-server")
    }

    /// Runs `nimatron` with these environment variables in place of those that Cargo sets for the tests. In `PATH`, the
    /// folder itself comes first.
    fn run(&self, args: &[&str], env: &[(&str, &str)]) -> Answer {
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        let mut command = Command::new(&self.nimatron);
        command.args(args).env("PATH", path).env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
        command.envs(env.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let pid = child.id();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap();
        Answer { pid, code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The command lines of all calls of `cargo`.
    fn calls(&self) -> Vec<String> {
        let log = fs_err::read_to_string(self.path("cargo.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }
}

#[test]
fn the_server_takes_the_place_of_the_process() {
    let installed = Installed::at("bin");
    write_program(&installed.server(), SERVER);
    for args in [
        &["serve", "--class", "a folder"][..],
        &["serve", "--cluster", "nats://127.0.0.1:4222"],
        &["worker", "--connect", "nats://127.0.0.1:4222"],
        &["grade", "classic-nim", "submissions", "--cluster", "http://127.0.0.1:1"],
    ] {
        let answer = installed.run(args, &[]);
        let expected = format!("{} {}: {}\n", answer.pid, installed.server().display(), args.join(" "));
        assert_eq!((answer.stdout, answer.code, answer.stderr), (expected, 7, String::new()), "{args:?}");
    }
    // The other commands do not need it, and wrong arguments are refused before it is executed.
    assert_eq!(installed.run(&["guide", "serve"], &[]).code, 0);
    let wrong = installed.run(&["worker", "--connect", "nats://127.0.0.1", "--name", "a b"], &[]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("`a b` is not a valid name of a worker"), "{}", wrong.stderr);
}

#[test]
fn a_missing_server_is_reported_with_the_way_to_install_it() {
    let installed = Installed::at("bin");
    for (args, command) in [
        (&["serve"][..], "`cargo install --path src/server`"),
        (&["worker", "--connect", "nats://127.0.0.1"], "`cargo install --path src/server --features cluster`"),
    ] {
        let answer = installed.run(args, &[]);
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
        assert!(answer.stderr.contains("bin/nimatron-server` does not exist"), "{}", answer.stderr);
        assert!(answer.stderr.contains(command), "{}", answer.stderr);
    }
}

#[test]
fn a_link_to_nimatron_is_not_the_server() {
    let installed = Installed::at("bin");
    std::os::unix::fs::symlink("nimatron", installed.server()).unwrap();
    let answer = installed.run(&["serve"], &[]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("is not the server, but a link to `nimatron`"), "{}", answer.stderr);
}

#[test]
fn a_checkout_builds_the_server_when_it_is_needed() {
    let built = Installed::checkout("target/release");
    let target = built.path("target");
    let common = format!(
        "build --package nimatron-server --bin nimatron-server --profile release --target-dir {}",
        target.display()
    );
    let first = built.run(&["serve"], &[]);
    assert_eq!(first.code, 7, "{}", first.stderr);
    assert!(!first.stdout.contains("output of cargo"), "{}", first.stdout);
    assert!(first.stderr.contains("building `nimatron-server`"), "{}", first.stderr);
    assert_eq!(built.calls(), std::slice::from_ref(&common));
    // The server is newer than `nimatron`, so it is up to date.
    assert_eq!((built.run(&["serve"], &[]).code, built.calls().len()), (7, 1));
    // `cargo run` rebuilds what was changed, also if only the server was.
    let cargo = built.path("cargo").display().to_string();
    let again = built.run(&["serve"], &[("CARGO", &cargo)]);
    assert_eq!((again.code, built.calls().len()), (7, 2), "{}", again.stderr);
    assert!(!again.stderr.contains("building"), "{}", again.stderr);
    // An older server is from another version.
    let old = fs_err::File::options().write(true).open(built.server()).unwrap();
    old.set_modified(SystemTime::now() - Duration::from_secs(86_400 * 365)).unwrap();
    drop(old);
    assert_eq!((built.run(&["serve"], &[]).code, built.calls().len()), (7, 3));
    // Whether the server can judge on other machines is visible only to Cargo.
    let worker = built.run(&["worker", "--connect", "nats://127.0.0.1", "--quiet"], &[]);
    assert_eq!(worker.code, 7);
    assert_eq!(built.calls().last(), Some(&format!("{common} --features cluster --quiet")));
    // Without Cargo, the server is used as it is.
    fs_err::remove_file(built.path("cargo")).unwrap();
    assert_eq!(built.run(&["worker", "--connect", "nats://127.0.0.1"], &[]).code, 7);
    fs_err::remove_file(built.server()).unwrap();
    let answer = built.run(&["serve"], &[]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("cannot run `cargo`"), "{}", answer.stderr);
}

#[test]
fn the_server_is_built_with_the_profile_and_for_the_target_of_nimatron() {
    for (below, options) in [
        ("target/debug", "--profile dev --target-dir TARGET"),
        ("target/tiny", "--profile tiny --target-dir TARGET"),
        ("target/a-b-c/release", "--profile release --target-dir TARGET --target a-b-c"),
    ] {
        let built = Installed::checkout(below);
        assert_eq!(built.run(&["serve"], &[]).code, 7, "{below}");
        let options = options.replace("TARGET", &built.path("target").display().to_string());
        assert!(built.calls()[0].ends_with(&options), "{below}: {:?}", built.calls());
    }
    // `cargo run` names its checkout, which need not contain the target folder.
    let (built, other) = (Installed::checkout("target/debug"), Installed::checkout("target/debug"));
    let folder = other.folder.path().display().to_string();
    built.run(&["serve"], &[("CARGO_MANIFEST_DIR", &folder)]);
    assert_eq!((built.calls().len(), other.calls().len()), (0, 1));
}

/// The real Cargo builds a small package with the name of the server, whose build script reads variables that `cargo run`
/// sets.
#[test]
fn the_environment_of_cargo_run_builds_nothing_again() {
    let built = Installed::checkout("target/debug");
    fs_err::remove_file(built.path("target/.rustc_info.json")).unwrap();
    fs_err::create_dir_all(built.path("src/server/src")).unwrap();
    fs_err::write(built.path("Cargo.toml"), "[workspace]\nmembers = [\"src/server\"]\nresolver = \"3\"\n").unwrap();
    fs_err::write(
        built.path("src/server/Cargo.toml"),
        "[package]\nname = \"nimatron-server\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )
    .unwrap();
    let names = ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "RUST_TEST_THREADS", "OUT_DIR"];
    let reads = names.map(|name| format!("println!(\"cargo::rerun-if-env-changed={name}\");")).concat();
    fs_err::write(built.path("src/server/build.rs"), format!("fn main() {{ {reads} }}")).unwrap();
    fs_err::write(built.path("src/server/src/main.rs"), "fn main() { std::process::exit(7) }").unwrap();
    let path = std::env::var("PATH").unwrap();
    let cargo = [("CARGO", env!("CARGO")), ("PATH", &path)];
    let checked = Command::new(env!("CARGO")).arg("check").current_dir(built.folder.path()).status().unwrap();
    assert!(checked.success());
    let first = built.run(&["serve"], &cargo);
    assert_eq!(first.code, 7, "{}", first.stderr);
    assert!(first.stderr.contains("Compiling nimatron-server"), "{}", first.stderr);
    let folder = built.folder.path().display().to_string();
    let of_cargo_run = [
        ("CARGO_MANIFEST_DIR", folder.as_str()),
        ("CARGO_PKG_NAME", "nimatron"),
        ("RUST_TEST_THREADS", "4"),
        ("OUT_DIR", "/tmp"),
    ];
    let again = built.run(&["serve"], &[&cargo[..], &of_cargo_run].concat());
    assert_eq!(again.code, 7, "{}", again.stderr);
    assert!(!again.stderr.contains("Compiling"), "{}", again.stderr);
}

#[test]
fn a_build_that_fails_is_an_error_of_the_judge() {
    let built = Installed::checkout("target/release");
    fs_err::write(built.path("broken"), "").unwrap();
    let answer = built.run(&["serve"], &[]);
    assert_eq!((answer.code, answer.stdout.as_str()), (3, ""));
    assert!(answer.stderr.contains("cannot build `nimatron-server`"), "{}", answer.stderr);
}
