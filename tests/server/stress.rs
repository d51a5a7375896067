//! Searches for failing inputs as a program starts and follows them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Server;
use crate::project::{Project, SUM_C};

/// Wrong if a number is below -7.
const WRONG: &str = "#include <stdio.h>\nint main(void) { int n, a, least = 0, s = 0; scanf(\"%d\", &n); \
                     while (n--) { scanf(\"%d\", &a); s += a; if (a < least) least = a; } \
                     printf(\"%d\\n\", s + (least < -7)); }\n";
const ENDLESS: &str = "int main(void) { for (;;); }\n";
/// Starts processes until it is stopped.
const FORKS: &str = "#include <unistd.h>\nint main(void) { for (;;) fork(); }\n";
/// Wrong for the game of Nim: the sum counts in place of the nim-sum.
const PARITY: &str = "#include <stdio.h>\nint main(void) { unsigned long n, a, s = 0; scanf(\"%lu\", &n); \
                      while (n--) scanf(\"%lu\", &a), s += a; puts(s % 2 ? \"Yes\" : \"No\"); }\n";

fn of(source: &str) -> Value {
    json!({ "problem": "sum", "name": "a.c", "source": source, "seconds": 30 })
}

impl Server {
    /// Starts a search, and returns its id.
    fn search(&self, body: &Value) -> String {
        let answer = self.write("POST", "/api/v1/stress", body);
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    fn searched(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/stress/{id}")).json()
    }

    fn cancel_search(&self, id: &str) {
        assert_eq!(self.write("DELETE", &format!("/api/v1/stress/{id}"), &Value::Null).status, 204);
    }
}

/// The numbers of the events, and their names.
fn numbered(events: &[(Option<u64>, Value)]) -> Vec<(u64, &str)> {
    events.iter().filter_map(|(number, event)| Some(((*number)?, event["event"].as_str().unwrap()))).collect()
}

/// Calls `done` until it returns true.
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what} does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_failing_input_is_found_and_shrunk_before_the_clients_eyes() {
    let project = Project::with_sum();
    let server = Server::start(&project, &["problems"]);
    let id = server.search(&of(WRONG));
    let path = |root: &str| format!("/api/v1/{root}/{id}/events");
    // A search has the addresses of a run too.
    let events = server.events(&id, None);
    let known = numbered(&events);
    assert!(known.iter().map(|(number, _)| *number).eq(0..known.len() as u64), "gapless: {known:?}");
    let names: Vec<&str> = known.iter().map(|(_, name)| *name).collect();
    assert_eq!((names[0], names[1], names[names.len() - 1]), ("stress_started", "stress_found", "stress_finished"));
    assert!(names.contains(&"stress_shrunk"), "{names:?}");
    let sizes: Vec<u64> = events
        .iter()
        .filter(|(_, event)| event["event"] == "stress_shrunk")
        .map(|(_, event)| event["size"].as_u64().unwrap())
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let last = &events.last().unwrap().1;
    assert_eq!((&last["found"], &last["verdict"], &last["minimal"]), (&json!(true), &json!("WA"), &json!(true)));
    assert_eq!((&last["input"], &last["size_after"]), (&json!("1\n-8\n"), &json!(5)));
    assert_eq!((&last["failure"]["answer"], &last["failure"]["output"]), (&json!("-8\n"), &json!("-7\n")));
    assert!(last["shrink_tests"].as_u64() > Some(1) && last["tests"].as_u64() > Some(0), "{last}");

    // A client that comes again gets the rest, and nothing twice.
    for root in ["stress", "runs"] {
        let rest = server.request("GET", &path(root), "Last-Event-ID: 1\r\n", "");
        let rest = super::client::events_of(&rest.body);
        assert_eq!(numbered(&rest), known[2..], "{root}");
        let nothing = server.request("GET", &path(root), &format!("Last-Event-ID: {}\r\n", known.len() - 1), "");
        assert_eq!((nothing.status, &*nothing.body), (200, ""), "{root}");
    }
    let ended = server.searched(&id);
    assert_eq!(
        (&ended["state"], &ended["language"], &ended["result"]["input"]),
        (&json!("finished"), &json!("c"), &json!("1\n-8\n"))
    );
    assert_eq!(server.get("/api/v1/stress").json()[0]["id"], id.as_str());
    assert_eq!(server.get("/api/v1/runs").json(), json!([]), "a search is no submission");

    let id = server.search(&json!({ "problem": "sum", "language": "c", "source": SUM_C, "seconds": 1 }));
    let last = server.events(&id, None).pop().unwrap().1;
    assert_eq!((&last["found"], &last["cancelled"], &last["verdict"]), (&json!(false), &json!(false), &Value::Null));
    assert!(last["largest"].as_u64() > Some(4), "{last}");
    let id = server.search(&json!({ "problem": "sum", "language": "python", "source": "x = (", "seconds": 1 }));
    let last = server.events(&id, None).pop().unwrap().1;
    assert_eq!(
        (&last["verdict"], last["message"].as_str().unwrap().contains("was never closed")),
        (&json!("CE"), true)
    );
    assert!(server.interrupt());
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_search_is_cancelled_at_once_and_only_one_runs_for_a_person() {
    let project = Project::with_sum();
    let server = Server::start(&project, &["problems"]);
    let id = server.search(&json!({ "problem": "sum", "name": "a.c", "source": SUM_C, "seconds": 600 }));
    let again = server.write("POST", "/api/v1/stress", &of(WRONG));
    assert_eq!((again.status, again.body.contains("has not ended")), (429, true), "{}", again.body);
    wait_for("the search", || server.searched(&id)["state"] == "running");
    std::thread::sleep(Duration::from_millis(500));
    server.cancel_search(&id);
    let start = Instant::now();
    wait_for("the end", || server.searched(&id)["state"] == "cancelled");
    assert!(start.elapsed() < Duration::from_millis(1_000), "{:?}", start.elapsed());
    let last = server.events(&id, None).pop().unwrap().1;
    assert_eq!((&last["event"], &last["cancelled"]), (&json!("stress_finished"), &json!(true)));
    server.cancel_search(&id);
    let id = server.search(&of(WRONG));
    server.events(&id, None);
    assert_eq!(server.searched(&id)["result"]["found"], true, "another one may be started");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_search_gives_way_to_submissions_and_survives_a_hostile_program() {
    let project = Project::with_sum();
    // One slot, which the search has.
    let server = Server::start(&project, &["problems", "--jobs", "1"]);
    let submit = || server.ended(&server.submit(&json!({ "problem": "sum", "name": "a.c", "source": SUM_C })));
    assert_eq!(submit()["verdict"], "AC");
    let id = server.search(&json!({ "problem": "sum", "name": "a.c", "source": SUM_C, "seconds": 600 }));
    wait_for("the search", || server.searched(&id)["state"] == "running");
    let start = Instant::now();
    assert_eq!(submit()["verdict"], "AC");
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
    assert_eq!(server.searched(&id)["state"], "running");
    server.cancel_search(&id);
    wait_for("the end", || server.searched(&id)["state"] == "cancelled");
    for source in [FORKS, ENDLESS] {
        let id = server.search(&of(source));
        wait_for("the search", || server.searched(&id)["state"] == "running");
        server.cancel_search(&id);
        wait_for("the end", || server.searched(&id)["state"] != "running");
        assert_eq!(submit()["verdict"], "AC");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn searches_that_are_not_possible_are_refused_with_the_reason() {
    let project = Project::with_sum()
        .file("problems/bare/problem.yaml", crate::project::SUM)
        .file("problems/folder/1.in", "2\n1 2\n")
        .file("problems/folder/1.out", "3\n");
    let server = Server::start(&project, &["problems", "problems/folder"]);
    let post = |body: &Value| server.write("POST", "/api/v1/stress", body);
    for (body, status, words) in [
        (json!({ "problem": "nowhere", "name": "a.py", "source": "x" }), 404, "there is no problem `nowhere`"),
        (json!({ "problem": "sum", "language": "klingon", "source": "" }), 422, "installed languages: "),
        (json!({ "problem": "sum", "source": "" }), 422, "neither a `name` nor a `language`"),
        (json!({ "problem": "sum", "name": "../a.py", "source": "" }), 422, "not a valid file name"),
        (json!({ "problem": "sum", "name": "a.py", "source": "x", "seconds": 0 }), 422, "between 1 and 600"),
        (json!({ "problem": "sum", "name": "a.py", "source": "x", "seconds": 100_000 }), 422, "between 1 and 600"),
        (
            json!({ "problem": "sum", "name": "a.py", "source": "x", "input_spec": "n: 1..=2" }),
            422,
            "already has a description",
        ),
        (json!({ "problem": "sum", "name": "a.nothing", "source": "x" }), 422, "extension `.nothing`"),
        (json!({ "problem": "bare", "name": "a.py", "source": "x" }), 422, "bare"),
        (json!({ "problem": "folder", "name": "a.py", "source": "x" }), 422, "no program that computes the answers"),
        (json!({ "problem": "sum", "name": "a.py", "source": "x".repeat((1 << 20) + 1) }), 413, "larger than"),
        (json!({ "problem": "sum", "name": "a.py", "source": "x", "more": 1 }), 400, "unknown field `more`"),
    ] {
        let answer = post(&body);
        assert_eq!((answer.status, answer.body.contains(words)), (status, true), "{words}: {}", answer.body);
    }
    let text = of(SUM_C).to_string();
    assert_eq!(server.request("POST", "/api/v1/stress", "", &text).status, 403);
    assert_eq!(server.request("POST", "/api/v1/stress", "Origin: https://evil.example\r\n", &text).status, 403);
    for path in ["1", "00000000000000000000000000000000", "%2e%2e"] {
        assert_eq!(server.get(&format!("/api/v1/stress/{path}")).status, 404, "{path}");
        assert_eq!(server.get(&format!("/api/v1/stress/{path}/events")).status, 404, "{path}");
        assert_eq!(server.write("DELETE", &format!("/api/v1/stress/{path}"), &Value::Null).status, 404, "{path}");
    }
    // A folder of samples can be searched with a description and another program.
    let id = server.search(&json!({
        "problem": "folder", "name": "a.c", "source": WRONG, "seconds": 30, "input_spec": "n: 1..=5; a[n]: -9..=9",
        "against": { "name": "slow.c", "source": SUM_C },
    }));
    let last = server.events(&id, None).pop().unwrap().1;
    assert_eq!((&last["input"], &last["answered_by"]), (&json!("1\n-8\n"), &json!("slow.c")), "{last}");
    assert_eq!(server.get("/healthz").body, "ok\n");
}

#[test]
fn the_reason_of_a_game_is_part_of_the_result() {
    let project = Project::new();
    let server = Server::start(&project, &[]);
    let id = server.search(&json!({ "problem": "classic-nim", "name": "a.c", "source": PARITY, "seconds": 30 }));
    let last = server.events(&id, None).pop().unwrap().1;
    assert_eq!((&last["found"], &last["verdict"]), (&json!(true), &json!("WA")), "{last}");
    let why = &last["why"][0];
    assert!(why["sentences"][0].as_str().unwrap().contains("nim-sum"), "{why}");
    assert!(why["line"][0]["text"].is_string() && why["ended"] == true, "{why}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_failing_input_is_kept_as_a_test_of_the_folder() {
    let project = Project::with_sum();
    let server = Server::start(&project, &["problems"]);
    let id = server.search(&of(WRONG));
    let keep = format!("/api/v1/stress/{id}/keep");
    server.events(&id, None);
    assert_eq!(server.request("POST", &keep, "", "").status, 403);
    let kept = server.write("POST", &keep, &Value::Null);
    assert_eq!((kept.status, &kept.json()["kept"]), (200, &json!("problem")), "{}", kept.body);
    let spec = fs_err::read_to_string(project.path("problems/sum/problem.yaml")).unwrap();
    assert!(spec.contains("found:\n    - input: \"1\\n-8\\n\"\n"), "{spec}");
    let again = server.write("POST", &keep, &Value::Null);
    assert!(again.json()["message"].as_str().unwrap().contains("already contains this input"), "{}", again.body);
    assert_eq!(server.get("/api/v1/problems/sum/tests").json(), json!([]));
    assert_eq!(server.write("POST", &keep.replace(&id, "x"), &Value::Null).status, 404);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_failing_input_of_a_built_in_problem_is_kept_as_an_own_test_and_run() {
    let project = Project::new().own_data();
    let server = Server::start(&project, &[]);
    let right = PARITY.replace("s += a", "s ^= a").replace("s % 2", "s");
    let body = |source: &str| json!({ "problem": "classic-nim", "name": "a.c", "source": source });
    let tests = "/api/v1/problems/classic-nim/tests";
    let run = |source: &str| {
        let mut body = body(source);
        body["kind"] = json!("tests");
        server.ended(&server.submit(&body))
    };
    assert!(run(&right)["error"].as_str().unwrap().contains("no tests of your own"));
    for _ in 0..2 {
        let id = server.search(&body(PARITY));
        server.events(&id, None);
        let kept = server.write("POST", &format!("/api/v1/stress/{id}/keep"), &Value::Null);
        assert_eq!((&kept.json()["kept"], &kept.json()["name"]), (&json!("own"), &json!("my-1")), "{}", kept.body);
    }
    let own = server.get(tests).json();
    assert_eq!((own.as_array().unwrap().len(), &own[0]["name"]), (1, &json!("my-1")), "{own}");
    assert!(own[0]["answer"].is_string(), "{own}");
    assert_eq!(run(PARITY)["verdict"], "WA");
    assert_eq!(run(&right)["verdict"], "AC");
    let solved = server.get("/api/v1/problems/classic-nim").json();
    assert_eq!(solved["solved"], false, "it is no submission");
    // The tests survive the server.
    server.kill();
    let server = Server::start(&project, &[]);
    assert_eq!(server.get(tests).json(), own);
    assert_eq!(server.request("DELETE", &format!("{tests}/my-1"), "", "").status, 403);
    assert_eq!(server.write("DELETE", &format!("{tests}/my-1"), &Value::Null).status, 204);
    assert_eq!(server.write("DELETE", &format!("{tests}/my-1"), &Value::Null).status, 404);
    assert_eq!(server.get(tests).json(), json!([]));
}
