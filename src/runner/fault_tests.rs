//! Tests that a fault during the detection of a language is not reported as a missing language.

use std::path::Path;

use super::custom_input::custom_input_plan;
use super::package_time::{known_limits, measured_limits};
use super::time_limit::{Measurement, derive};
use super::{CustomInput, Host, JudgeOptions};
use crate::model::{Activity, Failure, Fault, FaultKind};
use crate::sandbox::{Cancel, MockSandbox};

/// A table with two languages: the program of the first exists on every machine, that of the second on no machine.
const LANGUAGES: &str = "
format: 1
languages:
  here: { name: Here, extensions: [here], programs: { sh: [sh] }, probe: { argv: ['{sh}'] }, keep: sources, run: ['{sh}'] }
  gone: { name: Gone, extensions: [gone], programs: { no: [no-such-program] }, probe: { argv: ['{no}'] }, keep: sources, run: ['{no}'] }
";

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = dir.join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
}

/// Returns a host on which every run fails with a fault of the kind `kind`.
fn broken_host(dir: &Path, kind: FaultKind) -> Host {
    write(dir, &[("languages.yaml", LANGUAGES)]);
    let sandbox = MockSandbox::new(move |_, _| Err(Fault::new(kind, "no cell")));
    Host::new(Box::new(sandbox), &Cancel::new().unwrap(), &dir.join("cache"), Some(dir), 1).unwrap()
}

fn measurement<'a>(host: &'a Host, report: &'a mut dyn FnMut(Activity)) -> Measurement<'a> {
    Measurement { host, slots: &[0], report }
}

fn kind_of<T: std::fmt::Debug>(result: Result<T, Failure>) -> FaultKind {
    match result {
        Err(Failure::Fault(fault)) => fault.kind,
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[test]
fn derived_time_limit_of_a_problem_fails_with_the_fault() {
    for kind in [FaultKind::Sandbox, FaultKind::Cancelled] {
        let dir = tempfile::tempdir().unwrap();
        let host = broken_host(dir.path(), kind);
        let spec =
            "name: Nim\nlimits: { time: auto }\ninput:\n  - n: 1..=9\ntests:\n  sample:\n    - input: \"1\\n\"\n";
        let place = dir.path().join("nim");
        write(
            &place,
            &[("problem.yaml", spec), ("solutions/accepted/a.here", "x"), ("solutions/accepted/b.gone", "x")],
        );
        let problem = crate::problem::read("problem.yaml", spec, "nim".parse().unwrap(), &place).unwrap();
        assert_eq!(kind_of(derive(&mut measurement(&host, &mut |_| ()), &problem, &[])), kind);
    }
}

#[test]
fn measured_time_limit_of_a_package_fails_with_the_fault() {
    for kind in [FaultKind::Sandbox, FaultKind::Cancelled] {
        let dir = tempfile::tempdir().unwrap();
        let host = broken_host(dir.path(), kind);
        let package = package(dir.path());
        assert_eq!(kind_of(measured_limits(&mut measurement(&host, &mut |_| ()), &package)), kind);
        assert_eq!(known_limits(&host, &package, &JudgeOptions::default()), None);
    }
}

fn package(dir: &Path) -> crate::package::Package {
    let place = dir.join("sum");
    let files = [
        ("problem.yaml", "problem_format_version: 2023-07-draft\nname: Sum\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("submissions/accepted/a.here", "x"),
        ("submissions/accepted/b.gone", "x"),
    ];
    write(&place, &files);
    crate::package::open(&place, &dir.join("cache")).unwrap()
}

#[test]
fn language_is_missing_only_if_its_programs_are() {
    let dir = tempfile::tempdir().unwrap();
    let host = broken_host(dir.path(), FaultKind::Sandbox);
    let missing = |name: &str| {
        let source = host.languages().from_text(Path::new(name), b"x".to_vec()).unwrap();
        host.languages().missing(&source)
    };
    assert!(missing("a.gone").unwrap().unwrap().contains("is not installed"));
    assert_eq!(missing("a.here").unwrap_err().kind, FaultKind::Sandbox);
}

#[test]
fn what_a_worker_lacks_is_a_fault() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("languages.yaml", LANGUAGES)]);
    let sandbox = MockSandbox::new(|_, _| Ok(MockSandbox::wrote("1.0")));
    let host = Host::new(Box::new(sandbox), &Cancel::new().unwrap(), &dir.path().join("cache"), Some(dir.path()), 1);
    let host = host.unwrap();
    let source = host.languages().from_text(Path::new("a.gone"), b"x".to_vec()).unwrap();
    let build = |host: &Host| host.languages().build_own(&source, "the checker").unwrap_err();
    assert!(matches!(build(&host), Failure::Complaint(_)));
    assert!(matches!(build(&host.of_worker()), Failure::Fault(_)));
    // For a solution, a language that is not installed is not a fault, even on a worker: the solution is skipped.
    assert!(host.of_worker().languages().missing(&source).unwrap().is_some());
    assert_eq!(host.of_worker().languages().digest_if_installed(&source), Ok(None));
}

#[test]
fn a_validator_that_fails_on_a_worker_is_no_answer_to_an_input() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("languages.yaml", LANGUAGES)]);
    // The validator exits with code 0, but its protocol requires 42 or 43.
    let sandbox = MockSandbox::new(|_, _| Ok(MockSandbox::wrote("1.0")));
    let host = Host::new(Box::new(sandbox), &Cancel::new().unwrap(), &dir.path().join("cache"), Some(dir.path()), 1);
    let host = host.unwrap();
    let spec = "name: Nim\nvalidator: valid.here\ninput:\n  - n: 1..=9\ntests:\n  sample:\n    - input: \"1\\n\"\n";
    let place = dir.path().join("nim");
    write(&place, &[("problem.yaml", spec), ("programs/valid.here", "x")]);
    let problem = crate::problem::read("problem.yaml", spec, "nim".parse().unwrap(), &place).unwrap();
    let plan = |host: &Host, content: &str| {
        let content = content.as_bytes().to_vec().into();
        let input = CustomInput { name: "input".to_owned(), content, answered_by: None, answer: None };
        let options = JudgeOptions { inputs: vec![input], ..JudgeOptions::default() };
        custom_input_plan(host, &problem, &options).unwrap_err()
    };
    assert!(matches!(plan(&host, "1\n"), Failure::Complaint(_)));
    assert!(matches!(plan(&host.of_worker(), "1\n"), Failure::Fault(_)));
    // An error in the input itself is reported to the user.
    assert!(matches!(plan(&host.of_worker(), "no number\n"), Failure::Complaint(_)));
}
