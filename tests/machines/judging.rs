//! What a person sees: verdicts, events, reports, cancelling; what a worker does at its end.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::rig::{RIGHT, Rig, WRONG, slow, wait_until, wait_within};

#[test]
fn a_worker_judges_and_the_events_arrive_while_it_does() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let (right, wrong) = (rig.submit(RIGHT), rig.submit(WRONG));
    assert_eq!(rig.run(&right)["state"], "queued", "there is no worker yet");
    let view = || rig.server().get("/api/v1/cluster").json();
    wait_until("the queue does not show the programs", || view()["pools"][0]["queued"] == 2);
    assert_eq!(view()["pools"][0]["missing_languages"], json!(["bash", "rust"]));
    let worker = rig.worker("w1", 1);
    assert_eq!(rig.ended(&right)["verdict"], "AC");
    assert_eq!(rig.ended(&wrong)["verdict"], "WA");
    for run in [&right, &wrong] {
        let names = rig.events(run);
        assert_eq!((names[0].as_str(), names.last().unwrap().as_str()), ("run_started", "run_finished"), "{names:?}");
        assert_eq!(names.iter().filter(|name| *name == "case_finished").count(), 18, "{names:?}");
        let report = rig.server().get(&format!("/api/v1/runs/{run}/report")).json();
        assert_eq!(report["log"].as_array().unwrap().len(), names.len());
        let attempt = rig.jobs().into_iter().find(|(id, ..)| id == run).unwrap();
        assert_eq!((attempt.1.as_str(), attempt.2, attempt.3.as_deref()), ("finished", 1, Some("w1")));
    }
    assert_eq!(view()["workers"][0]["state"], "ready");
    let metrics = rig.server().get("/metrics").body;
    for line in [
        "nimatron_jobs_queued{pool=\"main\"} 0",
        "nimatron_slots{pool=\"main\"} 1",
        "nimatron_workers{state=\"ready\"} 1",
        "nimatron_attempts_total{end=\"finished\"} 2",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
    let page = rig.server().page("/cluster").body;
    assert!(page.contains("<td>w1</td>") && page.contains("aria-current=\"page\">Workers"), "{page}");
    // The data exists now. The stream shows cases before the end of the run.
    let run = rig.submit(&slow(0.2, 1));
    let start = Instant::now();
    let mut first_case = None;
    wait_until("no case is shown while the run lasts", || {
        let seen = rig.server().get(&format!("/api/v1/runs/{run}")).json();
        if first_case.is_none() && seen["state"] == "running" {
            first_case = Some(start.elapsed());
        }
        seen["state"] == "finished"
    });
    assert!(first_case.is_some());
    let events = rig.server().events(&run, None);
    let at = |name: &str| {
        let event = events.iter().find(|(_, json)| json["event"] == name).unwrap();
        event.1["at_ms"].as_f64().unwrap()
    };
    assert!(at("case_finished") > 100.0 && at("case_finished") + 2_000.0 < at("run_finished"), "{events:?}");
    let custom = json!({ "problem": "sum", "name": "a.sh", "source": RIGHT, "kind": "input", "input": "2\n20 3\n" });
    let custom = rig.server().submit(&custom);
    assert_eq!(rig.ended(&custom)["verdict"], "AC");
    let report = rig.server().get(&format!("/api/v1/runs/{custom}/report")).json();
    assert_eq!(report["output"]["content"], "23\n");
    let samples = json!({ "problem": "sum", "name": "a.sh", "source": WRONG, "kind": "samples" });
    assert_eq!(rig.ended(&rig.server().submit(&samples))["verdict"], "AC");
    // A program that can't be judged ends with the reason, at once.
    let large = format!("#{}\n{RIGHT}", "x".repeat(2 << 20));
    let refused =
        rig.server().write("POST", "/api/v1/runs", &json!({ "problem": "sum", "name": "a.sh", "source": large }));
    assert!(refused.status >= 400, "{refused:?}");
    worker.signal(Signal::TERM);
    assert!(worker.wait());
}

#[test]
fn a_worker_drains_and_a_cancelled_program_stops() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let worker = rig.worker("w1", 2);
    rig.ended(&rig.submit(RIGHT));
    let (long, waiting) = (rig.submit(&slow(0.2, 1)), rig.submit(&slow(0.2, 2)));
    wait_until("the programs do not start", || worker.started() == 3);
    let cancel = |run: &str| {
        let answer = rig.server().write("DELETE", &format!("/api/v1/runs/{run}"), &serde_json::Value::Null);
        assert!(answer.status < 300, "{answer:?}");
    };
    let start = Instant::now();
    cancel(&waiting);
    wait_within(Duration::from_secs(2), "the run is not cancelled", || rig.run(&waiting)["state"] == "cancelled");
    wait_within(Duration::from_secs(3), "the program does not stop", || worker.done() >= 2);
    println!("cancelled and stopped after {:.2} s", start.elapsed().as_secs_f64());
    worker.signal(Signal::TERM);
    wait_until("the worker does not drain", || worker.count("accepts no more programs") == 1);
    let queued = rig.submit(&slow(0.05, 3));
    assert!(worker.wait(), "the worker ends well after its last program");
    assert_eq!(rig.ended(&long)["verdict"], "AC");
    assert_eq!(rig.run(&queued)["state"], "queued", "a worker that drains takes no more");
    cancel(&queued);
    assert_eq!(rig.ended(&queued)["state"], "cancelled");
    assert_eq!(rig.events(&queued).last().unwrap(), "run_finished");
}

#[test]
fn workers_that_do_not_fit_are_refused() {
    let Some(rig) = Rig::start(None, 0) else { return };
    let first = rig.worker("w1", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    assert!(!rig.worker_elsewhere("w1").wait(), "another machine has the name");
    assert!(!rig.worker("w1", 1).wait(), "another process on this machine has the name");
    let pool = ["--pool".to_owned(), "mian".to_owned()];
    assert!(!rig.worker_with("w2", 1, &rig.nats.url(), &pool).wait(), "there is no such pool");
    assert!(!rig.worker("w3", 5_000).wait(), "no machine runs so many programs at once");
    assert_eq!(rig.ended(&rig.submit(&format!("{RIGHT} # 2")))["verdict"], "AC");
    assert_eq!(first.started(), 2, "the first worker was not disturbed");
    first.signal(Signal::TERM);
    assert!(first.wait());
    // The name is free at once.
    let moved = rig.worker_elsewhere("w1");
    assert_eq!(rig.ended(&rig.submit(&format!("{RIGHT} # 3")))["verdict"], "AC");
    assert_eq!(moved.started(), 1);
}
