//! Workers with different compilers and interpreters.

use crate::rig::{RIGHT, Rig};

/// Starts a worker whose user has this table of languages.
fn worker_with_table(rig: &Rig, name: &str, rows: &str) -> crate::rig::WorkerProcess {
    let config = rig.project.path(&format!("config-{name}"));
    fs_err::create_dir_all(config.join("nimatron")).unwrap();
    fs_err::write(config.join("nimatron/languages.yaml"), format!("format: 1\nlanguages:\n{rows}")).unwrap();
    rig.worker_by(name, &["env", &format!("XDG_CONFIG_HOME={}", config.display())])
}

/// A row for programs of bash that all print 0.
const ZERO: &str = "  bash: { name: Bash, extensions: [sh], programs: { bash: [bash] }, \
                    probe: { argv: ['{bash}', --version] }, keep: sources, run: ['{bash}', -c, 'echo 0'] }\n";
#[test]
fn the_result_of_another_interpreter_is_not_reused() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let odd = worker_with_table(&rig, "w1", ZERO);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "WA");
    odd.kill();
    let _worker = rig.worker("w2", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC", "the same program, with the usual interpreter");
}
