//! Tests of the detection of languages on the machine, and of the messages for missing languages.

use std::os::unix::fs::PermissionsExt;

use nimatron::model::{Fault, FaultKind};
use nimatron::sandbox::MockSandbox;

use super::*;

fn language(id: &str) -> &'static std::sync::Arc<nimatron::lang::Language> {
    TABLE.choose(LanguageQuery::Named(id)).unwrap()
}

/// Creates a `HostEnvironment` whose PATH consists of a folder of scripts, followed by these folders.
fn environment(scripts: &[(&str, &str)], then: &[&str]) -> (tempfile::TempDir, HostEnvironment) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in scripts {
        let path = folder.path().join(name);
        fs_err::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::iter::once(folder.path().to_owned()).chain(then.iter().map(PathBuf::from)).collect();
    (folder, HostEnvironment { path, ..HostEnvironment::default() })
}

#[test]
fn a_missing_language_is_reported_with_install_instructions() {
    let (_folder, host) = environment(&[], &[]);
    let error = Toolchains::new(host, None).detect(language("go"), &*sandbox()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Go is not installed: found no `go` on the PATH; to install it: apt-get install golang-go"
    );
    assert_eq!(Fault::from(error).kind, FaultKind::Toolchain);
}

#[test]
fn a_broken_compiler_is_reported_with_its_output() {
    let (folder, host) = environment(&[("go", "echo out of order >&2; exit 1")], &[]);
    let error = Toolchains::new(host, None).detect(language("go"), &*sandbox()).unwrap_err().to_string();
    let program = folder.path().join("go");
    let wanted =
        format!("Go does not work on this machine: `{}` failed with the output `out of order`; to", program.display());
    assert!(error.starts_with(&wanted), "{error}");
}

#[test]
fn the_first_working_compiler_is_used() {
    let (folder, host) = environment(&[("gcc", "exit 1"), ("clang", "echo clang version 99.1.2")], &[]);
    let chain = Toolchains::new(host, None).detect(language("c"), &*sandbox()).unwrap();
    assert_eq!(chain.version, "99.1.2");
    assert_eq!(chain.programs["gcc"], folder.path().canonicalize().unwrap().join("clang"));
    assert_eq!(chain.mounts.len(), 1, "{:?}", chain.mounts);
}

#[test]
fn a_shim_is_resolved_to_the_real_program() {
    let real = "if [ \"$1\" = --version ]; then echo Python 3.99.1; else
        echo \"${0%/*}/real\"; echo /opt; fi";
    let (folder, host) = environment(&[("python3", real), ("real", "echo Python 3.99.2")], &[]);
    let chain = Toolchains::new(host, None).detect(language("python"), &*sandbox()).unwrap();
    assert_eq!(chain.programs["python"], folder.path().canonicalize().unwrap().join("real"));
    assert_eq!(chain.version, "3.99.2");
}

#[test]
fn detection_results_are_cached() {
    let (folder, host) = environment(&[("go", "echo go version go9.8.7")], &[]);
    let cache = tempfile::tempdir().unwrap();
    let toolchains = || Toolchains::new(host.clone(), Some(cache.path().to_owned()));
    let first = toolchains().detect(language("go"), &*sandbox()).unwrap();
    let nobody = MockSandbox::new(|_, _| Err(Fault::new(FaultKind::Sandbox, "something was started")));
    let second = toolchains().detect(language("go"), &nobody).unwrap();
    assert_eq!((second.version.as_str(), second.digest), ("9.8.7", first.digest));
    // A replaced program is probed again.
    let path = folder.path().join("go");
    fs_err::write(&path, "#!/bin/sh\necho go version go9.8.10\n").unwrap();
    let third = toolchains().detect(language("go"), &*sandbox()).unwrap();
    assert_eq!(third.version, "9.8.10");
    assert_ne!(third.digest, first.digest);
}

#[test]
fn a_fault_is_not_reported_as_a_missing_language() {
    let (_folder, host) = environment(&[("go", "echo go version go9.8.7")], &[]);
    let toolchains = Toolchains::new(host, None);
    let cancelled = MockSandbox::new(|_, _| Err(Fault::new(FaultKind::Cancelled, "stopped")));
    assert!(matches!(toolchains.detect(language("go"), &cancelled), Err(DetectError::Fault(_))));
    assert!(toolchains.detect(language("go"), &*sandbox()).is_ok(), "the fault is not cached");
}
