//! Workers that differ from their pool, and workers whose canary runs get wrong verdicts.

use std::collections::BTreeSet;

use crate::rig::{RIGHT, Rig, wait_until};
use crate::toolchains::worker_with_table;

/// A row with a Python that prints 0.
const BROKEN_PYTHON: &str = "  python: { name: Python, extensions: [py], programs: { bash: [bash] }, \
                             probe: { argv: ['{bash}', --version] }, keep: sources, run: ['{bash}', -c, 'echo 0'] }\n";
/// A row for programs of bash with an option more.
const OTHER_BASH: &str = "  bash: { name: Bash, extensions: [sh], programs: { bash: [bash] }, \
                          probe: { argv: ['{bash}', --version] }, keep: sources, run: ['{bash}', -f, '{source}'] }\n";

/// Returns a row for a language that is not installed.
fn missing(language: &str) -> String {
    format!(
        "  {language}: {{ name: {language}, extensions: [{language}], programs: {{ no: [no-such-program] }}, \
         probe: {{ argv: ['{{no}}'] }}, keep: sources, run: ['{{no}}', '{{source}}'] }}\n"
    )
}

/// Waits until a worker has judged both canary programs in this language correctly.
#[track_caller]
fn judges_both_canary_programs(rig: &Rig, worker: &str, ending: &str) {
    let mut seen = BTreeSet::new();
    wait_until("the worker does not judge both canary programs", || {
        let view = rig.view_of(worker);
        let canary = &view["canary"];
        // The judge may fail on a busy machine, and the worker then goes on.
        if canary["verdict"].is_null() {
            return false;
        }
        assert_eq!((&view["state"], &canary["verdict"]), (&"ready".into(), &canary["expected"]), "{view}");
        seen.insert(canary["program"].as_str().unwrap().to_owned());
        seen.len() == 2
    });
    assert_eq!(seen, ["accepted", "wrong_answer"].map(|name| format!("{name}.{ending}")).into());
}

fn calibration(us: &str) -> [String; 2] {
    ["--calibration".to_owned(), us.to_owned()]
}

#[test]
fn a_slower_worker_gets_no_programs_while_the_others_are_there() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let first = rig.worker("w1", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    let near = rig.worker_with("w2", 1, &rig.nats.url(), &calibration("10500"));
    let slow = rig.worker_with("w3", 2, &rig.nats.url(), &calibration("10501"));
    rig.wait_for_state("w2", "ready");
    rig.wait_for_state("w3", "not_admitted");
    let reason = "its calibration is 10.501 ms, but that of worker `w1` is 10.000 ms";
    assert!(rig.view_of("w3")["reason"].as_str().unwrap().contains(reason), "{}", rig.view_of("w3"));
    wait_until("the worker does not tell", || slow.has_told(&format!("this worker receives no programs: {reason}")));
    let page = rig.server().page("/cluster").body;
    assert!(page.contains("not_admitted: its calibration is 10.501 ms"), "{page}");
    let metrics = rig.server().get("/metrics").body;
    for line in ["nimatron_workers{state=\"not_admitted\"} 1", "nimatron_slots{pool=\"main\"} 2"] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
    let runs: Vec<String> = (0..4).map(|number| rig.submit(&format!("{RIGHT} # {number}"))).collect();
    runs.iter().for_each(|run| assert_eq!(rig.ended(run)["verdict"], "AC"));
    assert_eq!((slow.started(), first.started() + near.started()), (0, 5));
    // The other workers end, so that the slow one is the first of the pool.
    first.kill();
    near.kill();
    assert_eq!(rig.ended(&rig.submit(&format!("{RIGHT} # last")))["verdict"], "AC");
    assert!(slow.has_told("this worker receives programs again"), "{:?}", slow.lines());
    assert_eq!((slow.started(), rig.view_of("w3")["state"].as_str()), (1, Some("ready")));
}

#[test]
fn a_worker_with_another_compiler_is_admitted_only_if_any_worker_is() {
    let Some(mut rig) = Rig::start(None, 0) else { return };
    let _first = rig.worker("w1", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    let _other = worker_with_table(&rig, "w2", OTHER_BASH);
    rig.wait_for_state("w2", "not_admitted");
    let reason = rig.view_of("w2")["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("the language `bash` differs from that of worker `w1`"), "{reason}");
    rig.restart_with("--admit-any");
    rig.wait_for_state("w1", "ready");
    rig.wait_for_state("w2", "ready");
}

#[test]
fn a_worker_that_misjudges_a_known_program_is_set_aside_until_it_is_restarted() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let broken = worker_with_table(&rig, "w1", &(missing("c") + &missing("cpp") + BROKEN_PYTHON));
    rig.wait_for_state("w1", "aside");
    let reason = "judged the canary program `accepted.py` as WA instead of AC";
    assert!(rig.view_of("w1")["reason"].as_str().unwrap().contains(reason), "{}", rig.view_of("w1"));
    wait_until("the worker does not tell", || broken.has_told(reason));
    let page = rig.server().page("/cluster").body;
    assert!(page.contains("wrong (WA instead of AC), "), "{page}");
    let right = |value: u64| {
        let metrics = rig.server().get("/metrics").body;
        metrics.lines().any(|line| line == format!("nimatron_worker_canary_right{{worker=\"w1\"}} {value}"))
    };
    assert!(right(0));
    let run = rig.submit(RIGHT);
    wait_until("the queue does not get the program", || !rig.jobs().is_empty());
    assert_eq!((rig.run(&run)["state"].as_str(), broken.started()), (Some("queued"), 0));
    broken.kill();
    let repaired = rig.worker_with("w1", 1, &rig.nats.url(), &["--canary".to_owned(), "1".to_owned()]);
    assert_eq!(rig.ended(&run)["verdict"], "AC");
    // Known programs are judged again and again, and are no submissions.
    judges_both_canary_programs(&rig, "w1", "cpp");
    assert!(right(1));
    assert_eq!((rig.jobs().len(), repaired.started()), (1, 1));
    let runs = rig.server().get("/api/v1/runs").json();
    assert_eq!(runs.as_array().map_or(0, Vec::len), 1, "{runs}");
}

#[test]
fn the_known_programs_get_the_expected_verdicts_in_each_of_their_languages() {
    let Some(rig) = Rig::start_with(None, 0, vec!["--admit-any".to_owned()]) else { return };
    let languages = [("cpp", "cpp"), ("c", "c"), ("python", "py"), ("bash", "sh")];
    let mut lacking = missing("java");
    let workers: Vec<_> = languages
        .iter()
        .map(|(language, _)| {
            // Detected languages are not shared with other tests, which may have removed what was detected.
            fs_err::create_dir(rig.cache_of(language)).unwrap();
            let worker = worker_with_table(&rig, language, &lacking);
            lacking += &missing(language);
            worker
        })
        .collect();
    languages.iter().for_each(|(language, ending)| judges_both_canary_programs(&rig, language, ending));
    assert!(workers.iter().all(|worker| worker.started() == 0));
}
