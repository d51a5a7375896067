//! The API as a program uses it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Server;
use crate::project::{Project, SUM, SUM_C};

/// A project with the problem `sum`, whose statement has a formula.
fn sum() -> Project {
    let spec = format!("{SUM}keywords: [arithmetic]\n");
    Project::with_sum()
        .file("problems/sum/problem.yaml", spec)
        .file("problems/sum/statement.md", "Print $\\sum a_i$.\n")
}

fn of(problem: &str, name: &str, source: &str) -> Value {
    json!({ "problem": problem, "name": name, "source": source })
}

const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int n, a, s = 0; scanf(\"%d\", &n); \
                     while (n-- && scanf(\"%d\", &a) == 1) s += abs(a); printf(\"%d\\n\", s); }\n";
const ENDLESS: &str = "while True:\n    pass\n";

#[test]
fn a_program_is_submitted_and_followed_to_its_verdict() {
    let project = sum();
    let server = Server::start(&project, &["problems"]);
    assert_eq!(server.get("/healthz").body, "ok\n");
    let problems = server.get("/api/v1/problems").json();
    assert_eq!(problems[0]["id"], "sum");
    assert_eq!(problems[0]["solved"], false);
    let details = server.get("/api/v1/problems/sum").json();
    assert!(details["statement_html"].as_str().unwrap().contains("<math"), "{details}");
    assert_eq!(details["samples"][0]["answer"], "3\n");

    let run = server.submit(&of("sum", "right.c", SUM_C));
    let events = server.events(&run, None);
    let numbered: Vec<u64> = events.iter().filter_map(|(number, _)| *number).collect();
    assert!(numbered.iter().copied().eq(0..numbered.len() as u64), "gapless: {numbered:?}");
    let kinds: Vec<&str> = events
        .iter()
        .filter(|(number, _)| number.is_some())
        .map(|(_, event)| event["event"].as_str().unwrap())
        .collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("run_started", "run_finished"));
    assert_eq!(kinds.iter().filter(|kind| **kind == "case_finished").count(), 18);
    assert!(events.iter().all(|(_, event)| event["run"] == run.as_str()), "each event names the run");
    let ended = server.get(&format!("/api/v1/runs/{run}")).json();
    assert_eq!((&ended["state"], &ended["verdict"]), (&json!("finished"), &json!("AC")));

    // A client that comes again gets the rest, and nothing twice.
    let rest = server.events(&run, Some(5));
    assert_eq!(rest.first().unwrap().0, Some(6));
    assert_eq!(rest.len(), numbered.len() - 6);

    let wrong = server.submit(&of("sum", "wrong.c", WRONG));
    assert_eq!(server.ended(&wrong)["verdict"], "WA");
    let report = server.get(&format!("/api/v1/runs/{wrong}/report")).json();
    assert!(report["failures"][0]["input"].is_string() || report["failures"][0]["input"].is_object(), "{report}");
    assert_eq!(server.get(&format!("/api/v1/runs/{wrong}/source")).body, WRONG);
    let listed = server.get("/api/v1/runs?problem=sum").json();
    assert_eq!((&listed[0]["id"], &listed[1]["id"]), (&json!(wrong), &json!(run)));
    let problems = server.get("/api/v1/problems").json();
    assert_eq!((&problems[0]["solved"], &problems[0]["last_verdict"]), (&json!(true), &json!("WA")));
    assert!(server.interrupt());
}

#[test]
fn only_the_samples_or_an_input_of_ones_own_can_be_run() {
    let project = sum();
    let server = Server::start(&project, &["problems"]);
    let mut body = of("sum", "right.c", SUM_C);
    body["kind"] = json!("samples");
    let run = server.submit(&body);
    let events = server.events(&run, None);
    assert_eq!(events.iter().filter(|(_, event)| event["event"] == "case_finished").count(), 1);
    body["kind"] = json!("input");
    body["input"] = json!("2\n40 2\n");
    let run = server.submit(&body);
    server.ended(&run);
    let report = server.get(&format!("/api/v1/runs/{run}/report")).json();
    assert!(report["output"]["content"].to_string().contains("42"), "{}", report["output"]);
    let solved = server.get("/api/v1/problems").json();
    assert_eq!(solved[0]["solved"], false, "neither of them is a submission");
}

#[test]
fn a_cancelled_run_ends_at_once_and_others_go_on() {
    let project = sum();
    let server = Server::start(&project, &["problems"]);
    let endless = server.submit(&of("sum", "endless.py", ENDLESS));
    let state = |run: &str| server.get(&format!("/api/v1/runs/{run}")).json()["state"].clone();
    let start = Instant::now();
    while state(&endless) != "running" {
        assert!(start.elapsed() < Duration::from_secs(300), "the run does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    let right = server.submit(&of("sum", "right.c", SUM_C));
    assert_eq!(server.write("DELETE", &format!("/api/v1/runs/{endless}"), &Value::Null).status, 204);
    assert_eq!(server.ended(&endless)["state"], "cancelled");
    assert_eq!(server.ended(&right)["verdict"], "AC");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn what_was_acknowledged_survives_a_kill() {
    let project = sum();
    let server = Server::start(&project, &["problems"]);
    let first = server.submit(&of("sum", "wrong.c", WRONG));
    let before = server.ended(&first);
    let runs: Vec<String> = (0..5).map(|_| server.submit(&of("sum", "right.c", SUM_C))).collect();
    server.kill();
    let server = Server::start(&project, &["problems"]);
    assert_eq!(server.get(&format!("/api/v1/runs/{first}")).json(), before);
    for run in &runs {
        assert_eq!(server.ended(run)["verdict"], "AC", "{run}");
    }
}

#[test]
fn pages_show_problems_and_submissions() {
    let project = sum();
    let server = Server::start(&project, &["problems"]);
    let run = server.submit(&of("sum", "<b>.c", WRONG));
    server.ended(&run);
    for (path, words) in [
        ("/", &["Sum", "arithmetic", "WA"][..]),
        ("/?q=SUM", &["Sum"]),
        ("/?q=nothing", &["No matching problems"]),
        ("/problems/sum", &["<math", "Sample 1", "data-problem=\"sum\""]),
        ("/submissions", &["&lt;b&gt;.c", "WA"]),
        (&format!("/submissions/{run}"), &["abs(a)", "&lt;b&gt;.c"]),
    ] {
        let answer = server.page(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        for word in words {
            assert!(answer.body.contains(word), "{path}: {word} in {}", answer.body);
        }
        assert!(!answer.body.contains("<b>.c"), "{path}");
    }
    let missing = server.page("/problems/none");
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("There is no problem `none`"), "{}", missing.body);
}

#[test]
fn a_wrong_path_is_reported_before_the_server_listens() {
    let project = sum();
    for (args, message) in [
        (&["serve", "nowhere"][..], "nowhere"),
        (&["serve", "--listen", "0.0.0.0:0", "problems"], "which other machines can reach, requires"),
        (&["serve", "--listen", "nonsense"], "invalid"),
    ] {
        let ended = project.run(args);
        assert_eq!(ended.code, 2, "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
    }
}
