//! Programs that are judged with options and limits of their own, and the cancellation of many runs at once.

use serde_json::{Value, json};

use super::class_browser::{Browser, class, joined, program, project, set_up};
use super::client::Server;
use crate::project::{Project, SUM};

const SUM_PY: &str = "input()\nprint(sum(map(int, input().split())))\n";

/// A request to judge a program on the problem `sum`, whose hash is that of a run's report.
fn order(digest: &Value, file: &str, source: &str) -> Value {
    json!({
        "problem": { "id": "sum", "digest": digest },
        "source": { "name": file, "files": [{ "name": file, "content": source }] },
    })
}

#[test]
fn a_program_is_judged_as_ordered() {
    let project = project();
    let server = Server::start(&project, &["problems", "--data", "data"]);
    let run = server.submit(&json!({ "problem": "sum", "name": "a.py", "source": SUM_PY }));
    server.ended(&run);
    let report = server.get(&format!("/api/v1/runs/{run}/report")).json();
    let (digest, limits) = (&report["problem"]["digest"], &report["limits"]);
    let send = |body: &Value| server.write("POST", "/api/v1/judgings", body);
    let mut sleeping = order(digest, "a.py", &format!("import time\ntime.sleep(1.5)\n{SUM_PY}"));
    sleeping["limits"] = limits.clone();
    sleeping["limits"]["wall"] = json!("200ms");
    sleeping["program"] = json!("ann/sum.py");
    let sent = send(&sleeping);
    assert_eq!(sent.status, 202, "{}", sent.body);
    let run = sent.json()["id"].as_str().unwrap().to_owned();
    let ended = server.ended(&run);
    assert_eq!((&ended["kind"], &ended["name"]), (&json!("judge"), &json!("sum.py")));
    assert_ne!(ended["verdict"], "AC", "the limits of the order count: {ended}");
    let report = server.get(&format!("/api/v1/runs/{run}/report")).json();
    assert_eq!(report["limits"], sleeping["limits"]);
    // It is neither a submission to the problem nor a run of another kind.
    assert_eq!(server.get("/api/v1/problems/sum").json()["solved"], true);
    let plain = json!({ "problem": "sum", "name": "a.py", "source": SUM_PY, "kind": "judge" });
    assert_eq!(server.write("POST", "/api/v1/runs", &plain).status, 422);
    let other = "0".repeat(64);
    for (body, status) in [
        (order(&json!(other), "a.py", SUM_PY), 409),
        (order(digest, "../a.py", SUM_PY), 422),
        (order(digest, "/a.py", SUM_PY), 422),
        (json!({ "problem": { "id": "other", "digest": digest }, "source": { "name": "a.py", "files": [] } }), 404),
        (json!({}), 400),
    ] {
        let refused = send(&body);
        assert_eq!(refused.status, status, "{body}: {}", refused.body);
    }
    let mut own = order(digest, "a.py", SUM_PY);
    own["options"] = json!({ "inputs": [{ "name": "a", "content": "1\n1\n" }] });
    assert_eq!(send(&own).status, 422);
}

#[test]
fn many_runs_are_cancelled_at_once() {
    // The programs sleep until they are cancelled.
    let spec = SUM.replace("time: 1s,", "time: 1s, wall: 600s,");
    let project = Project::with_sum().file("problems/sum/problem.yaml", spec);
    let server = class(&project);
    let teacher = set_up(&server);
    let (ann, zoe) = (joined(&teacher, "student", "ann"), joined(&teacher, "student", "zoe"));
    let submit = |browser: &Browser<'_>| {
        let sent = browser.send("POST", "/api/v1/runs", &program("import time\ntime.sleep(900)"));
        assert_eq!(sent.status, 202, "{}", sent.body);
        sent.json()["id"].as_str().unwrap().to_owned()
    };
    let cancel = |browser: &Browser<'_>, body: Value| {
        let answer = browser.send("POST", "/api/v1/runs/cancel", &body);
        if answer.status == 200 { Ok(answer.json()["cancelled"].as_u64().unwrap()) } else { Err(answer.status) }
    };
    let own: Vec<String> = (0..4).map(|_| submit(&ann)).collect();
    let others: Vec<String> = (0..3).map(|_| submit(&zoe)).collect();
    assert_eq!(cancel(&zoe, json!({ "ids": [&own[0]] })), Err(404), "the work of others does not exist");
    assert_eq!(cancel(&zoe, json!({ "person": "all" })), Err(403));
    assert_eq!(cancel(&ann, json!({ "ids": [&own[0]], "problem": "sum" })), Err(422));
    assert_eq!(cancel(&ann, json!({ "ids": [&own[0], &own[3]] })), Ok(2));
    let ended = |run: &String| {
        // The stream ends with the run.
        let events = format!("/api/v1/runs/{run}/events");
        assert_eq!(teacher.get(&events).status, 200);
        teacher.get(&format!("/api/v1/runs/{run}")).json()["state"].clone()
    };
    assert_eq!([ended(&own[0]), ended(&own[3])], ["cancelled", "cancelled"]);
    assert_eq!(cancel(&ann, json!({ "problem": "other" })), Ok(0));
    assert_eq!(cancel(&ann, json!({ "problem": "sum" })), Ok(2));
    assert!(own.iter().all(|run| ended(run) == "cancelled"));
    assert_eq!(cancel(&teacher, json!({ "person": "all" })), Ok(3), "those of the other student had not ended");
    assert!(others.iter().all(|run| ended(run) == "cancelled"));
}
