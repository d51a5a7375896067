//! What a server keeps: its address, private files, ids of problems, numbers of events, and its end in any state.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use nimatron::history::{HistoryStore, KnownProblem, ProblemKey};
use serde_json::json;

use super::client::{Server, read_answer};
use crate::project::{Project, SUM};

fn samples() -> Project {
    Project::new().file("samples/1.in", "1 2\n").file("samples/1.out", "3\n")
}

/// The ids of the problems that a server offers, in their order.
fn ids(server: &Server) -> Vec<String> {
    let problems = server.get("/api/v1/problems").json();
    problems.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_loopback_address_has_its_own_name() {
    let project = samples();
    let server = Server::start_at(&project, "127.0.0.2", &["samples"]);
    let port = server.port;
    let status = |host: &str| {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        server.raw(request.as_bytes()).status
    };
    assert_eq!(status(&format!("127.0.0.2:{port}")), 200);
    for host in [format!("127.0.0.3:{port}"), "127.0.0.2".to_owned(), format!("127.0.0.2:{}", port ^ 1)] {
        assert_eq!(status(&host), 421, "{host}");
    }
}

#[test]
fn the_folder_of_a_test_exists_until_its_server_has_ended() {
    let project = samples();
    let folder = project.path(".");
    let server = Server::start(&project, &["samples"]);
    drop(project);
    assert!(folder.exists(), "the server may still write");
    drop(server);
    assert!(!folder.exists());
}

#[test]
fn only_the_owner_can_read_the_submissions_and_the_token() {
    let project = samples();
    let server = Server::start(&project, &["samples", "--data", "data", "--token-file", "token"]);
    let run = server.submit(&json!({ "problem": "samples", "name": "a.py", "source": "print(3)" }));
    server.ended(&run);
    let mode = |path: &str| fs_err::metadata(project.path(path)).unwrap().permissions().mode() & 0o777;
    for file in ["data/submissions.sqlite", "data/submissions.sqlite-wal", "data/submissions.sqlite-shm", "token"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
    drop(server);
    fs_err::set_permissions(project.path("token"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let ended = project.run(&["serve", "samples", "--listen", "127.0.0.1:0", "--token-file", "token"]);
    ended.code(2).complains("other users have access to the token in").complains("chmod 600");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_problem_keeps_its_id_when_another_cannot_be_read() {
    let project = Project::new()
        .file("a/sum/problem.yaml", "name: [")
        .file("b/sum/problem.yaml", SUM)
        .file("c/sum/problem.yaml", SUM);
    let server = Server::start(&project, &["a/sum", "b/sum", "c/sum", "d/sum"]);
    assert_eq!(ids(&server), ["sum-2", "sum-3"]);
    let project = project.file("a/sum/problem.yaml", SUM);
    let start = Instant::now();
    while ids(&server) != ["sum", "sum-2", "sum-3"] {
        assert!(start.elapsed() < Duration::from_secs(300), "{:?}", ids(&server));
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(project);
}

#[test]
fn received_problems_keep_their_ids() {
    let project = Project::with_sum()
        .file("contests/x/cards/problem.yaml", SUM)
        .file("contests/y/cards/problem.yaml", SUM)
        .file("contests/z/sum/problem.yaml", SUM);
    let receive = |folder: &str| {
        let mut history = HistoryStore::open(&project.path("state/nimatron")).unwrap();
        let problem = KnownProblem {
            key: ProblemKey::at(&project.path(folder)),
            id: folder.rsplit('/').next().unwrap().to_owned(),
            title: folder.to_owned(),
            url: String::new(),
            received: None,
            standing: None,
        };
        history.receive(&problem, None).unwrap();
    };
    for folder in ["contests/y/cards", "contests/z/sum", "contests/x/cards"] {
        receive(folder);
    }
    let server = Server::start(&project, &[]);
    let expected = ["cards", "cards-2", "sum", "sum-2"];
    let received = |server: &Server| {
        let all = ids(server);
        expected.iter().filter(|id| all.iter().any(|one| one == *id)).copied().collect::<Vec<_>>()
    };
    assert_eq!(received(&server), expected);
    drop(server);
    // Received again, in another order, and one of them is gone.
    for folder in ["contests/x/cards", "contests/z/sum", "contests/y/cards"] {
        receive(folder);
    }
    fs_err::remove_dir_all(project.path("contests/x")).unwrap();
    assert_eq!(received(&Server::start(&project, &[])), ["cards-2", "sum", "sum-2"]);
}

#[test]
fn a_reader_that_returns_gets_no_old_progress() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let run = server.submit(&json!({ "problem": "samples", "name": "a.py", "source": "while True: pass" }));
    let path = format!("/api/v1/runs/{run}/events");
    // Reads until the case runs, and returns the text so far.
    let read = |last: Option<u64>| {
        let mut stream = server.connect();
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{last}\r\n", server.port);
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        let mut buffer = [0; 4096];
        while !text.contains("\"running_case\"") {
            let length = stream.read(&mut buffer).unwrap();
            assert!(length > 0, "{text}");
            text += &String::from_utf8_lossy(&buffer[..length]);
        }
        text
    };
    let first = read(None);
    let last = first.lines().filter_map(|line| line.strip_prefix("id: ")?.parse::<u64>().ok()).next_back().unwrap();
    let again = read(Some(last));
    assert!(!again.contains("\"id: "), "{again}");
    assert_eq!(again.matches("\"event\":\"progress\"").count(), 1, "what happens now, and nothing before: {again}");
    server.write("DELETE", &format!("/api/v1/runs/{run}"), &serde_json::Value::Null);
}

#[test]
fn a_huge_number_of_a_last_event_is_no_error() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let run = server.submit(&json!({ "problem": "samples", "name": "a.py", "source": "print(3)" }));
    let all = server.ended(&run);
    assert_eq!(all["verdict"], "AC");
    let whole = server.events(&run, None);
    let with = |last: &str| {
        let answer =
            server.request("GET", &format!("/api/v1/runs/{run}/events"), &format!("Last-Event-ID: {last}\r\n"), "");
        assert_eq!(answer.status, 200, "{last}");
        super::client::events_of(&answer.body).len()
    };
    for last in [u64::MAX.to_string(), i64::MAX.to_string(), (i64::MAX as u64 + 1).to_string()] {
        assert_eq!(with(&last), 0, "{last}");
    }
    for last in ["18446744073709551616", "-1", "1e3", "0x1", "nonsense", "1, 2"] {
        assert_eq!(with(last), whole.len(), "{last} is no number of an event");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_server_ends_while_all_its_connections_are_in_use() {
    let project = samples();
    // Few descriptors, so that few connections use all of them.
    let server = Server::start_limited(&project, 128, &["samples"]);
    let mut held = Vec::new();
    for _ in 0..100 {
        let mut stream = server.connect();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
        held.push(stream);
    }
    let mut honest = server.connect();
    let request = format!("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port);
    honest.write_all(request.as_bytes()).unwrap();
    assert_eq!(read_answer(honest).status, 200, "an idle connection is closed for it");
    let start = Instant::now();
    assert!(server.interrupt());
    assert!(start.elapsed() < Duration::from_secs(5), "Ctrl-C took {:?}", start.elapsed());
}
