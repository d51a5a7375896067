//! A class: logging in, sessions, hidden tests, assignments, invitations and TLS.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};

use super::class_browser::{
    Browser, PASSWORD, assignment, class, cookie_of, joined, log_in, now, post, program, project, set_up,
};
use super::client::{Answer, Server, events_of, read_answer};
use crate::project::{Project, repository};

#[test]
fn the_first_account_needs_the_token_and_is_made_once() {
    let project = project();
    let server = class(&project);
    let body = |token: &str| json!({ "token": token, "login": "teach", "name": "Teacher", "password": PASSWORD });
    assert_eq!(post(&server, "/api/v1/setup", &body("wrong")).status, 403);
    let short = json!({ "token": server.token, "login": "teach", "name": "T", "password": "short" });
    assert_eq!(post(&server, "/api/v1/setup", &short).status, 422);
    assert_eq!(post(&server, "/api/v1/setup", &body(&server.token)).status, 200);
    let again = post(&server, "/api/v1/setup", &body(&server.token));
    assert!(again.status == 422 && again.body.contains("set up already"), "{}", again.body);
}

#[test]
fn pages_lead_to_the_login_and_back() {
    let project = project();
    let server = class(&project);
    let answer = server.page("/problems/sum?lang=en");
    assert_eq!(answer.status, 303);
    assert!(
        answer.head.to_lowercase().contains("location: /login?next=%2fproblems%2fsum%3flang%3den"),
        "{}",
        answer.head
    );
    let page = server.page("/login?next=%2Fproblems%2Fsum");
    assert!(page.body.contains("data-then=\"/problems/sum\""), "{}", page.body);
    let page = server.page("/login?next=%2F%2Fevil.example");
    assert!(page.body.contains("data-then=\"/\"") && !page.body.contains("evil"), "{}", page.body);
    assert!(!page.body.contains(&server.token), "the token of the server");
}

#[test]
fn a_planted_session_is_not_used_after_logging_in() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let name = teacher.cookie.split('=').next().unwrap();
    assert_eq!(name, format!("nimatron-{}", server.port), "cookies ignore ports");
    let body = json!({ "login": "teach", "password": PASSWORD }).to_string();
    let planted = ["0123456789abcdef0123456789abcdef", teacher.cookie.split('=').nth(1).unwrap()];
    for planted in planted {
        let headers = format!("Cookie: {name}={planted}\r\nContent-Type: application/json\r\n");
        let answer = server.request("POST", "/api/v1/session", &headers, &body);
        let cookie = cookie_of(&answer).unwrap();
        assert!(!cookie.contains(planted), "{cookie}");
        let line = answer.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie")).unwrap();
        assert!(line.contains("HttpOnly") && line.contains("SameSite=Strict") && line.contains("Path=/"), "{line}");
        assert!(!line.contains("Secure"), "without TLS");
        let as_planted = server.request("GET", "/api/v1/me", &format!("Cookie: {name}={planted}\r\n"), "");
        assert_eq!(as_planted.status, 401, "the old session has ended");
        assert_eq!(server.request("GET", "/api/v1/me", &format!("Cookie: {cookie}\r\n"), "").status, 200);
    }
}

#[test]
fn a_write_of_a_session_needs_its_own_token() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let zoe = joined(&teacher, "student", "zoe");
    let body = program("print(sum(a))").to_string();
    let cookie = format!("Cookie: {}\r\nContent-Type: application/json\r\n", zoe.cookie);
    let send = |more: &str| server.request("POST", "/api/v1/runs", &format!("{cookie}{more}"), &body).status;
    assert_eq!(send(""), 403);
    assert_eq!(send(&format!("X-Nimatron-Token: {}\r\n", teacher.token)), 403, "of another session");
    assert_eq!(send(&format!("X-Nimatron-Token: {}\r\n", server.token)), 403, "of the server");
    assert_eq!(send("X-Nimatron-Token: \r\n"), 403);
    let own = format!("X-Nimatron-Token: {}\r\n", zoe.token);
    assert_eq!(send(&format!("{own}Origin: https://evil.example\r\n")), 403);
    assert_eq!(send(&format!("{own}Sec-Fetch-Site: cross-site\r\n")), 403);
    assert_eq!(send(&own), 202);
    // A form of another page can't log somebody in: it can't send JSON.
    let login = json!({ "login": "teach", "password": PASSWORD }).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let answer = server.request("POST", "/api/v1/session", &format!("Content-Type: {kind}\r\n"), &login);
        assert_eq!(answer.status, 401, "{kind}");
    }
    let foreign = "Content-Type: application/json\r\nOrigin: https://evil.example\r\n";
    assert_eq!(server.request("POST", "/api/v1/session", foreign, &login).status, 403);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_answer_does_not_tell_whether_a_login_exists_and_guesses_are_slowed() {
    let project = project();
    let server = class(&project);
    set_up(&server);
    let timed = |login: &str| {
        let start = Instant::now();
        let answer = log_in(&server, login, "wrong password");
        (answer.status, answer.body, start.elapsed())
    };
    let (known, unknown) = (timed("teach"), timed("nobody"));
    assert_eq!((known.0, &known.1), (unknown.0, &unknown.1));
    assert_eq!(known.0, 403);
    // A password is hashed in both cases; the library's tests compare the cost.
    let least = Duration::from_millis(5);
    assert!(known.2 >= least && unknown.2 >= least, "{:?} {:?}", known.2, unknown.2);
    for login in ["teach", "nobody"] {
        let statuses: Vec<u16> = (0..10).map(|_| log_in(&server, login, "wrong password").status).collect();
        assert_eq!(statuses[..4], [403; 4], "{login}");
        assert!(statuses[4..].contains(&429), "{login}: {statuses:?}");
    }
    // The right password works after the wait.
    while log_in(&server, "teach", PASSWORD).status == 429 {
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(log_in(&server, "teach", PASSWORD).status, 200);
}

#[test]
fn sessions_survive_a_restart_and_end_when_they_are_old() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let old_cookie = teacher.cookie.clone();
    let secret = old_cookie.split('=').nth(1).unwrap().to_owned();
    server.kill();
    let server = class(&project);
    // The name contains the port, which has changed.
    let headers = format!("Cookie: nimatron-{}={secret}\r\n", server.port);
    assert_eq!(server.request("GET", "/api/v1/me", &headers, "").status, 200);
    let database = rusqlite::Connection::open(project.path("data/people.sqlite")).unwrap();
    let shift = |column: &str, hours: i64| {
        database.execute(&format!("UPDATE sessions SET {column} = {column} - {}", hours * 3_600_000), []).unwrap();
        server.request("GET", "/api/v1/me", &headers, "").status
    };
    assert_eq!(shift("seen_ms", 11), 200);
    assert_eq!(shift("seen_ms", 13), 401, "idle for twelve hours");
    assert_eq!(shift("seen_ms", -13), 200);
    assert_eq!(shift("created_ms", 721), 401, "thirty days old");
}

#[test]
fn logging_out_and_a_new_password_end_sessions() {
    let project = project();
    let server = class(&project);
    let first = set_up(&server);
    let second = Browser::after(&server, &log_in(&server, "TEACH", PASSWORD));
    let change =
        |old: &str, new: &str| second.send("POST", "/api/v1/me/password", &json!({ "old": old, "new": new })).status;
    assert_eq!(change("wrong one", "another password"), 403);
    assert_eq!(change(PASSWORD, "short"), 422);
    assert_eq!(change(PASSWORD, "another password"), 204);
    assert_eq!(first.get("/api/v1/me").status, 401);
    assert_eq!(second.get("/api/v1/me").status, 200);
    let out = second.send("DELETE", "/api/v1/session", &Value::Null);
    assert!(out.status == 204 && out.head.contains("Max-Age=0"), "{}", out.head);
    assert_eq!(second.get("/api/v1/me").status, 401);
    assert_eq!(log_in(&server, "teach", PASSWORD).status, 403);
    assert_eq!(log_in(&server, "teach", "another password").status, 200);
}

#[test]
fn a_student_sees_the_evidence_of_samples_alone_unless_the_assignment_allows_more() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let ann = joined(&teacher, "student", "ann");
    // It fails the sample and hidden cases, and writes the input to standard error.
    let wrong = program("import sys\nprint('leak', a, file=sys.stderr)\nprint(sum(a) + 7)");
    let run = ann.send("POST", "/api/v1/runs", &wrong).json()["id"].as_str().unwrap().to_owned();
    let seen = |person: &Browser<'_>| {
        let events = events_of(&person.get(&format!("/api/v1/runs/{run}/events")).body);
        let hidden: Vec<Value> = events
            .into_iter()
            .map(|(_, event)| event)
            .filter(|event| event["event"] == "case_finished" && event["group"] == "tiny")
            .collect();
        assert_eq!(hidden.len(), 3);
        let report = person.get(&format!("/api/v1/runs/{run}/report")).json();
        let groups = report["failures"]
            .as_array()
            .unwrap()
            .iter()
            .map(|failure| failure["result"]["group"].as_str().unwrap().to_owned());
        (hidden, groups.collect::<Vec<_>>(), report.to_string())
    };
    let (hidden, groups, report) = seen(&ann);
    for event in &hidden {
        assert!(event["verdict"] == "WA" && event["difference"].is_null() && event["stderr"].is_null(), "{event}");
    }
    assert_eq!(groups, ["sample"]);
    assert!(!report.contains("leak [0]") && !report.contains("leak [1]"), "{report}");
    let stress = json!({ "problem": "sum", "name": "a.py", "source": "print(1)", "seconds": 1 });
    assert_eq!(ann.send("POST", "/api/v1/stress", &stress).status, 403);
    let (hidden, groups, _) = seen(&teacher);
    assert!(
        hidden[0]["difference"]["expected"].is_string() && hidden[0]["stderr"]["text"].is_string(),
        "{}",
        hidden[0]
    );
    assert_eq!(groups, ["sample", "tiny"]);
    teacher.send("POST", "/api/v1/assignments", &assignment(now() - 1_000, now() + 3_600_000, "refuse", "full"));
    assert_eq!(seen(&ann).1, ["sample", "tiny"]);
    assert_eq!(ann.send("POST", "/api/v1/stress", &stress).status, 202);
}

#[test]
fn an_assignment_decides_what_is_seen_and_submitted() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let ann = joined(&teacher, "student", "ann");
    assert_eq!(ann.get("/api/v1/problems/sum").status, 200, "all problems are for practice");
    let set = |restricted: bool| teacher.send("PUT", "/api/v1/settings", &json!({ "restricted": restricted })).status;
    assert_eq!(set(true), 200);
    let week =
        teacher.send("POST", "/api/v1/assignments", &assignment(now() + 60_000, now() + 120_000, "refuse", "verdicts"));
    let path = format!("/api/v1/assignments/{}", week.json()["id"].as_str().unwrap());
    let submit = || ann.send("POST", "/api/v1/runs", &program("print(sum(a))"));
    assert_eq!(ann.get("/api/v1/problems/sum").status, 404, "it has not started");
    assert_eq!((ann.get("/problems/sum").status, submit().status), (404, 404));
    assert_eq!(ann.get("/api/v1/problems").json(), json!([]));
    let change = |start: i64, end: i64, late: &str| {
        let answer = teacher.send("PUT", &path, &assignment(now() + start, now() + end, late, "verdicts"));
        assert_eq!(answer.status, 200, "{}", answer.body);
    };
    change(-60_000, 60_000, "refuse");
    assert_eq!(ann.get("/problems/sum").status, 200);
    let run = submit();
    assert_eq!(run.status, 202);
    _ = ann.get(&format!("/api/v1/runs/{}/events", run.json()["id"].as_str().unwrap()));
    change(-60_000, -1, "refuse");
    let late = submit();
    assert!(late.status == 403 && late.body.contains("`Week` has ended"), "{}", late.body);
    let samples = json!({ "problem": "sum", "name": "a.py", "source": "print(3)", "kind": "samples" });
    assert_eq!(ann.send("POST", "/api/v1/runs", &samples).status, 202, "samples can be run");
    assert_eq!(teacher.send("POST", "/api/v1/runs", &program("print(1)")).status, 202, "a teacher tries a program");
    change(-60_000, -1, "accept");
    assert_eq!(submit().status, 202);
    let csv = teacher.get(&format!("{path}/standings.csv"));
    assert!(csv.body.contains("\nann,ann,"), "{}", csv.body);
    let standings = teacher.get(&format!("{path}/standings")).json();
    assert_eq!((standings["rows"].as_array().unwrap().len(), &standings["rows"][0]["login"]), (1, &json!("ann")));
    assert_eq!(ann.get(&format!("{path}/standings")).json()["rows"].as_array().unwrap().len(), 1);
    let unknown = json!({ "name": "x", "problems": ["nowhere"], "start": 1, "end": 2 });
    assert_eq!(teacher.send("POST", "/api/v1/assignments", &unknown).status, 422);
}

#[test]
fn one_link_invites_many_and_guesses_of_codes_are_slowed() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let invite = |body: Value| teacher.send("POST", "/api/v1/invitations", &body);
    let made = invite(json!({ "role": "student" })).json();
    let code = made[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let about = post(&server, "/api/v1/join", &json!({ "code": code })).json();
    assert_eq!((&about["invitation"]["role"], &about["reset"]), (&json!("student"), &json!(false)));
    for login in ["a", "b"] {
        let body = json!({ "code": code, "login": login, "name": "<b>Name</b>", "password": PASSWORD });
        assert_eq!(post(&server, "/api/v1/join", &body).status, 200);
    }
    let taken = json!({ "code": code, "login": "a", "name": "N", "password": PASSWORD });
    assert!(post(&server, "/api/v1/join", &taken).body.contains("another account has the login"));
    let page = teacher.get("/people");
    assert!(page.body.contains("&lt;b&gt;Name&lt;/b&gt;") && !page.body.contains("<b>Name"), "{}", page.body);
    assert_eq!(invite(json!({ "role": "owner" })).status, 422);
    let links = invite(json!({ "role": "student", "names": "name;mail\n\"Ann, A\";x\nZoë;y\n" })).json();
    assert_eq!((&links[0]["name"], &links[1]["name"]), (&json!("Ann, A"), &json!("Zoë")));
    let guesses: Vec<u16> = (0..8).map(|_| post(&server, "/api/v1/join", &json!({ "code": "guess" })).status).collect();
    assert_eq!((guesses[0], guesses[7]), (404, 429), "{guesses:?}");
}

#[test]
fn another_address_needs_accounts_and_tls() {
    let project = project();
    let (cert, key) = tls_files();
    let refused = |options: &[&str], missing: &str| {
        let args = ["serve", "problems", "--listen", "0.0.0.0:0"];
        project.run(&[&args[..], options].concat()).code(2).complains(missing);
    };
    refused(&[], "add `--class`, `--tls-cert` and `--tls-key`");
    refused(&["--class"], "add `--tls-cert` and `--tls-key`");
    refused(&["--tls-cert", &cert, "--tls-key", &key], "add `--class`");
    refused(&["--class", "--tls-cert", &key, "--tls-key", &key], "cannot be used for TLS");
    refused(&["--class", "--tls-cert", &cert, "--tls-key", &cert], "cannot be used for TLS");
    let open = Server::start_at(&project, "0.0.0.0", &["problems", "--class", "--insecure-network", "--data", "data"]);
    let request = |host: &str| {
        open.raw(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).status
    };
    assert_eq!((request(&format!("localhost:{}", open.port)), request("judge.example")), (200, 421));
    drop(open);
    let options = ["problems", "--class", "--data", "data", "--host", "judge.example"];
    let named = Server::start(&project, &options);
    let request = |host: &str| {
        named.raw(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).status
    };
    assert_eq!((request("judge.example"), request(&format!("Judge.example:{}", named.port))), (200, 200));
    assert_eq!(request("other.example"), 421);
}

fn tls_files() -> (String, String) {
    let folder = repository().join("tests/server/tls");
    let path = |name: &str| folder.join(name).display().to_string();
    (path("cert.pem"), path("key.pem"))
}

/// A class with TLS.
pub(super) fn tls_class(project: &Project) -> Server {
    let (cert, key) = tls_files();
    Server::start(project, &["problems", "--class", "--data", "data", "--tls-cert", &cert, "--tls-key", &key])
}

/// Sends a request over TLS.
pub(super) fn tls_send(server: &Server, request: &str) -> Answer {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(tls_files().0).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = rustls::StreamOwned::new(client, server.connect());
    stream.write_all(request.as_bytes()).unwrap();
    read_answer(stream)
}

#[test]
fn tls_protects_a_class() {
    let project = project();
    let server = tls_class(&project);
    let send = |request: &str| tls_send(&server, request);
    let (port, token) = (server.port, &server.token);
    let body = json!({ "token": token, "login": "teach", "name": "Teacher", "password": PASSWORD }).to_string();
    let head = format!("Host: localhost:{port}\r\nConnection: close\r\n");
    let set_up = send(&format!(
        "POST /api/v1/setup HTTP/1.1\r\n{head}Content-Type: application/json\r\nOrigin: https://localhost:{port}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert_eq!(set_up.status, 200, "{}", set_up.body);
    assert!(set_up.head.contains("; Secure"), "{}", set_up.head);
    let cookie = cookie_of(&set_up).unwrap();
    assert_eq!(send(&format!("GET /people HTTP/1.1\r\n{head}Cookie: {cookie}\r\n\r\n")).status, 200);
    // A client without TLS, and one that breaks off, do not disturb it.
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\n\r\n").status, 0);
    drop(server.connect());
    assert_eq!(send(&format!("GET /healthz HTTP/1.1\r\n{head}\r\n")).status, 200);
}
