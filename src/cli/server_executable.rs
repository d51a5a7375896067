//! Starts `nimatron-server`, the executable that has all commands, in place of this process. The executable `nimatron` of
//! a checkout does not contain the server, so that the first build is short. It builds the server when it is first needed.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::model::{Diagnostic, Failure, Fault, FaultKind};

use super::place::shown_path;
use super::server::ServerPart;

/// The name of the executable, and of its package.
const SERVER: &str = "nimatron-server";

/// Executes `nimatron-server` with the arguments of this process, in place of this process.
///
/// # Errors
/// Fails if there is no such executable, if it cannot be built, or if it cannot be executed.
pub(crate) fn execute(part: ServerPart, quiet: bool) -> Result<Infallible, Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot determine the path of `nimatron`"))?;
    let server = own.with_file_name(SERVER);
    match BuildFolder::of(&own) {
        Some(folder) if needs_build(part, &own, &server) => folder.build(part, quiet, server.exists())?,
        None if !server.exists() => return Err(missing(part, &server).into()),
        _ => {}
    }
    if server.canonicalize().is_ok_and(|target| target == own) {
        return Err(Failure::complaint(format!(
            "`{}` is not the server, but a link to `nimatron`",
            shown_path(&server)
        )));
    }
    let error = Command::new(&server).arg0("nimatron").args(std::env::args_os().skip(1)).exec();
    Err(Fault::io(FaultKind::Internal, &error).context(format!("cannot execute `{}`", server.display())).into())
}

fn missing(part: ServerPart, server: &Path) -> Diagnostic {
    Diagnostic::new(format!("the server is an executable of its own, and `{}` does not exist", shown_path(server)))
        .help(format!(
            "in a clone of the repository, run `{}`; `{SERVER}` must be in the same folder as `nimatron`",
            part.installation()
        ))
}

/// Returns whether Cargo has to check that the server is up to date. Cargo sets a variable for the programs that it runs,
/// as in `cargo run`. Whether a server has the feature `cluster` is not visible from outside.
fn needs_build(part: ServerPart, own: &Path, server: &Path) -> bool {
    let changed =
        |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    part == ServerPart::Cluster || std::env::var_os("CARGO").is_some() || changed(server) < changed(own)
}

/// The folders of an executable that Cargo has built in a checkout.
#[derive(Debug, PartialEq, Eq)]
struct BuildFolder {
    checkout: PathBuf,
    /// Cargo's target folder.
    target: PathBuf,
    profile: String,
    /// The triple given by `--target`.
    triple: Option<String>,
}

impl BuildFolder {
    /// Returns the folders of this executable; `None` if it was installed, or if the checkout is unknown.
    fn of(own: &Path) -> Option<BuildFolder> {
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let profile = own.parent()?;
        let (target, triple) = match profile.parent()? {
            target if is_target(target) => (target, None),
            triple => (triple.parent().filter(|target| is_target(target))?, name(triple)),
        };
        let of_cargo = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let checkout = of_cargo
            .into_iter()
            .chain(target.ancestors().skip(1).map(Path::to_owned))
            .find(|folder| is_checkout(folder))?;
        let profile = name(profile).map(|name| if name == "debug" { "dev".to_owned() } else { name })?;
        Some(BuildFolder { checkout, target: target.to_owned(), profile, triple })
    }

    /// Builds the server with Cargo, which shows its progress on standard error. If Cargo is not installed, a server that
    /// exists is left as it is.
    fn build(&self, part: ServerPart, quiet: bool, exists: bool) -> Result<(), Failure> {
        if !exists && !quiet {
            let duration = if part == ServerPart::Cluster { "about three minutes" } else { "one to two minutes" };
            anstream::eprintln!("building `{SERVER}`, which contains the server; this takes {duration}");
        }
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.checkout)
            .args(["build", "--package", SERVER, "--bin", SERVER, "--profile", &self.profile])
            .arg("--target-dir")
            .arg(&self.target)
            .args(self.triple.iter().flat_map(|triple| ["--target", triple]))
            .args(part.features())
            .args(quiet.then_some("--quiet"))
            // Standard output is for the output of the command.
            .stdout(std::io::stderr());
        std::env::vars_os().map(|(name, _)| name).filter(|name| is_of_cargo_run(name)).for_each(|name| {
            cargo.env_remove(name);
        });
        match cargo.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                let message = format!("cannot build `{SERVER}`: `cargo` failed ({status})");
                Err(Failure::fault(FaultKind::Internal, message))
            }
            Err(error) if exists && error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Diagnostic::new(format!("cannot run `cargo`, which builds the server: {error}"))
                .help("install Rust from rustup.rs")
                .into()),
        }
    }
}

/// Returns whether `cargo run` sets this variable for the program that it runs. Build scripts read some of these
/// variables. If they differed from those of the last build, crates would be compiled again.
fn is_of_cargo_run(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    [&b"CARGO_PKG_"[..], b"CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start))
        || [&b"OUT_DIR"[..], b"RUST_TEST_THREADS"].contains(&name)
}

/// Returns whether a folder is a target folder of Cargo, which keeps this file there.
fn is_target(folder: &Path) -> bool {
    folder.join(".rustc_info.json").is_file()
}

/// Returns whether a folder contains the sources of the server.
fn is_checkout(folder: &Path) -> bool {
    let manifest = fs_err::read_to_string(folder.join("src/server/Cargo.toml")).unwrap_or_default();
    manifest.contains(&format!("name = \"{SERVER}\""))
}
