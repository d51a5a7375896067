//! Workers with different compilers and interpreters.

use serde_json::json;

use crate::project::SUM;
use crate::rig::{RIGHT, Rig, wait_until};

/// Starts a worker whose user has this table of languages.
pub(crate) fn worker_with_table(rig: &Rig, name: &str, rows: &str) -> crate::rig::WorkerProcess {
    let config = rig.project.path(&format!("config-{name}"));
    fs_err::create_dir_all(config.join("nimatron")).unwrap();
    fs_err::write(config.join("nimatron/languages.yaml"), format!("format: 1\nlanguages:\n{rows}")).unwrap();
    rig.worker_by(name, &["env", &format!("XDG_CONFIG_HOME={}", config.display())], &["--canary", "1"])
}

/// A row for programs of bash that all print 0.
const ZERO: &str = "  bash: { name: Bash, extensions: [sh], programs: { bash: [bash] }, \
                    probe: { argv: ['{bash}', --version] }, keep: sources, run: ['{bash}', -c, 'echo 0'] }\n";
/// A row without programs.
const NO_PYTHON: &str = "  python: { name: Python, extensions: [py], programs: { no: [no-such-program] }, \
                         probe: { argv: ['{no}'] }, keep: sources, run: ['{no}', '{source}'] }\n";

#[test]
fn the_result_of_another_interpreter_is_not_reused() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let odd = worker_with_table(&rig, "w1", ZERO);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "WA");
    odd.kill();
    let _worker = rig.worker("w2", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC", "the same program, with the usual interpreter");
}

#[test]
fn a_worker_gets_no_program_whose_checker_it_cannot_run() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let spec = SUM.replacen("input:", "checker: { program: check.py }\ninput:", 1);
    fs_err::create_dir_all(rig.project.path("problems/sum/programs")).unwrap();
    let checker = "import sys\nanswer = open(sys.argv[2]).read()\n\
                   sys.exit(42 if sys.stdin.read().split() == answer.split() else 43)\n";
    fs_err::write(rig.project.path("problems/sum/programs/check.py"), checker).unwrap();
    fs_err::write(rig.project.path("problems/sum/problem.yaml"), spec).unwrap();
    let poor = worker_with_table(&rig, "w1", NO_PYTHON);
    let run = rig.submit(RIGHT);
    let view = || rig.server().get("/api/v1/cluster").json();
    wait_until("the worker does not connect", || view()["workers"][0]["state"] == "ready");
    wait_until("the queue does not get the program", || view()["pools"][0]["queued"] == 1);
    assert_eq!(view()["pools"][0]["missing_languages"], json!(["python"]));
    assert_eq!((rig.run(&run)["state"].as_str(), poor.started()), (Some("queued"), 0));
    let _worker = rig.worker("w2", 1);
    assert_eq!(rig.ended(&run)["verdict"], "AC", "{:?}", rig.run(&run));
    assert_eq!(rig.jobs().pop().unwrap().3.as_deref(), Some("w2"));
}

/// A row for programs of C whose compiler reports its version and rejects all programs.
const BROKEN_C: &str = "  c: { name: C, extensions: [c], programs: { bash: [bash] }, probe: { argv: ['{bash}', --version] }, \
                        compile: ['{bash}', -c, 'echo missing header >&2; exit 1'], run: ['{program}'] }\n";

#[test]
fn a_compiler_that_cannot_compile_gives_no_verdict() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let submit = |text: &str| rig.server().submit(&json!({ "problem": "sum", "name": "a.c", "source": text }));
    let broken = worker_with_table(&rig, "w1", BROKEN_C);
    let run = rig.ended(&submit("int main(void) { return 0; }\n"));
    let reason = "the compiler of the language `c` rejects an empty program: missing header";
    assert!(run["verdict"].is_null() && run["error"].as_str().unwrap().contains(reason), "{run}");
    broken.kill();
    let _worker = rig.worker("w2", 1);
    assert_eq!(rig.ended(&submit("int main(void) { return y; }\n"))["verdict"], "CE");
}
