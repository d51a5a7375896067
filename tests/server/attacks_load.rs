//! Attacks that use up the machine: connections, clients that are slow, streams of events, and submissions.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use super::attacks::School;
use super::class_browser::{program, project, set_up};
use super::classes::{upload, zipped};
use super::client::{Server, read_answer};
use crate::project::{Project, SUM_C};

/// The longest time until an honest request is answered while the server is attacked. It is far below the times after
/// which the server gives clients up.
const ANSWERED: Duration = Duration::from_secs(12);

fn samples() -> Project {
    Project::new().file("samples/1.in", "1 2\n").file("samples/1.out", "3\n")
}

fn program_in_c(source: &str) -> Value {
    json!({ "problem": "sum", "name": "a.c", "source": source })
}

/// Whether the server answers a few requests in time.
fn answers(server: &Server) -> bool {
    let start = Instant::now();
    let all = (0..3).all(|_| server.get("/healthz").status == 200);
    all && start.elapsed() < ANSWERED
}

/// Connects and sends the start of a request.
fn begun(server: &Server, request: &str) -> TcpStream {
    let mut stream = server.connect();
    let request = request.replace("{own}", &format!("127.0.0.1:{}", server.port));
    // The server may have closed the connection to make room for another.
    _ = stream.write_all(request.as_bytes());
    stream
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn headers_that_never_end_give_way() {
    let project = samples();
    // Few descriptors, so that few connections use all of them.
    let server = Server::start_limited(&project, 128, &["samples"]);
    let held: Vec<TcpStream> = (0..300).map(|_| begun(&server, "GET / HTTP/1.1\r\nHost: {own}\r\nX-Slow: a")).collect();
    assert!(answers(&server));
    drop(held);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn bodies_that_never_end_give_way() {
    let project = project();
    let server = Server::start_limited(&project, 192, &["problems", "--class", "--data", "data"]);
    // Nobody has to log in for these.
    let request = "POST /api/v1/session HTTP/1.1\r\nHost: {own}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{";
    let held: Vec<TcpStream> = (0..200).map(|_| begun(&server, request)).collect();
    assert!(answers(&server));
    drop(held);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn clients_that_read_nothing_give_way() {
    let project = project();
    let server = Server::start_limited(&project, 192, &["problems", "--class", "--data", "data"]);
    let page = server.page("/login").body;
    let script = page.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    // More than the buffers of the system hold.
    let request =
        format!("GET {} HTTP/1.1\r\nHost: {{own}}\r\n\r\n", script.replace("app.js", "editor/core.js")).repeat(60);
    let held: Vec<TcpStream> = (0..160).map(|_| begun(&server, &request)).collect();
    assert!(answers(&server));
    drop(held);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn ten_thousand_connections_are_answered_or_closed() {
    let limit = getrlimit(Resource::Nofile);
    _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    // Other tests of this process need some too.
    let allowed = getrlimit(Resource::Nofile).current.map_or(20_000, |most| usize::try_from(most).unwrap_or(20_000));
    let count = allowed.saturating_sub(1_500).min(10_000);
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let mut held = Vec::new();
    for number in 0..count {
        // The kernel may refuse some.
        held.extend(TcpStream::connect(("127.0.0.1", server.port)));
        if number % 2_500 == 0 {
            assert!(answers(&server), "with {number} connections");
        }
    }
    assert!(answers(&server), "with {count} connections");
    drop(held);
    assert!(answers(&server), "after they were closed");
    assert!(server.peak_memory() < 400 << 20, "{} MiB", server.peak_memory() >> 20);
}

#[test]
fn one_person_does_not_take_all_streams_of_events() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let school = School::open(&server);
    // The stream of a class does not end by itself.
    let zip = zipped(&[("ann/sum.py", "print(1)")]);
    let fields: [(&str, Option<&str>, &[u8]); 3] =
        [("problems", None, b"sum"), ("start", None, b"false"), ("submissions", Some("c.zip"), &zip)];
    let path = format!("/api/v1/classes/{}/events", upload(&server, &fields).json()["id"].as_str().unwrap());
    let open = |cookie: &str| {
        let mut stream = begun(&server, &format!("GET {path} HTTP/1.1\r\nHost: {{own}}\r\nCookie: {cookie}\r\n\r\n"));
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        (String::from_utf8_lossy(&start[9..]).into_owned(), stream)
    };
    let own: Vec<_> = (0..40).map(|_| open(&school.teacher.cookie)).collect();
    let opened = own.iter().filter(|(status, _)| status == "200").count();
    assert!((6..40).contains(&opened), "{opened}");
    assert!(own.iter().all(|(status, _)| status == "200" || status == "429"));
    let other = open(&school.assistant.cookie);
    assert_eq!(other.0, "200", "others open theirs");
    assert!(answers(&server));
    drop((own, other));
    let start = Instant::now();
    while open(&school.teacher.cookie).0 != "200" {
        assert!(start.elapsed() < Duration::from_secs(30), "closed streams count no longer");
        std::thread::sleep(Duration::from_millis(50));
    }
    // A request for the headers of a stream opens none.
    for _ in 0..60 {
        let answer = server.request("HEAD", &path, &format!("Cookie: {}\r\n", school.teacher.cookie), "");
        assert!([200, 429].contains(&answer.status), "{}", answer.status);
    }
    assert_eq!(open(&school.assistant.cookie).0, "200");
}

#[test]
fn numbers_of_events_that_are_none_are_ignored() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let teacher = set_up(&server);
    let run = teacher.send("POST", "/api/v1/runs", &program("print(sum(a))")).json()["id"].as_str().unwrap().to_owned();
    let read = |last: &str| {
        let headers = format!("Cookie: {}\r\nLast-Event-ID: {last}\r\n", teacher.cookie);
        let answer = server.request("GET", &format!("/api/v1/runs/{run}/events"), &headers, "");
        assert_eq!(answer.status, 200, "{last}");
        super::client::events_of(&answer.body).len()
    };
    let whole = read("");
    assert!(whole > 3);
    for last in
        ["-1", "-9223372036854775808", "18446744073709551616", "1e9", "NaN", "0x0", "0 OR 1=1", "\u{ff11}", "null"]
    {
        assert_eq!(read(last), read(""), "{last}");
    }
    for last in ["9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999"] {
        assert_eq!(read(last), 0, "{last}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn one_person_does_not_use_up_the_judge() {
    // Each hostile program runs until it is stopped at twice the limit.
    let spec = project().read("problems/sum/problem.yaml").replace("time: 1s", "time: 300ms");
    let project = project().file("problems/sum/problem.yaml", spec);
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let school = School::open(&server);
    // Fork bombs and endless programs.
    let hostile = |number: usize| {
        program_in_c(if number.is_multiple_of(2) {
            "int main(void) { for (;;); }\n"
        } else {
            "#include <unistd.h>\nint main(void) { for (;;) fork(); }\n"
        })
    };
    let statuses: Vec<(u16, Value)> = (0..30)
        .map(|number| {
            let answer = school.ann.send("POST", "/api/v1/runs", &hostile(number));
            (answer.status, answer.json())
        })
        .collect();
    let accepted: Vec<&Value> =
        statuses.iter().filter(|(status, _)| *status == 202).map(|(_, run)| &run["id"]).collect();
    assert!((20..=22).contains(&accepted.len()), "{statuses:?}");
    assert!(statuses.iter().all(|(status, _)| [202, 429].contains(status)), "{statuses:?}");
    // Another person waits for the program that runs, and not for those that wait.
    let run = school.zoe.send("POST", "/api/v1/runs", &program_in_c(SUM_C)).json()["id"].as_str().unwrap().to_owned();
    let waiting = school.zoe.get(&format!("/api/v1/runs/{run}")).json();
    assert!(waiting["position"].as_u64().unwrap_or(0) <= 2, "{waiting}");
    _ = school.zoe.get(&format!("/api/v1/runs/{run}/events"));
    assert_eq!(school.zoe.get(&format!("/api/v1/runs/{run}")).json()["verdict"], "AC");
    let left = school.ann.get("/api/v1/runs").json();
    assert!(left.as_array().unwrap().iter().any(|run| run["state"] == "queued"), "hers still wait");
    for id in accepted {
        let cancelled = school.ann.send("DELETE", &format!("/api/v1/runs/{}", id.as_str().unwrap()), &Value::Null);
        assert_eq!(cancelled.status, 204);
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_is_hard_to_compile_holds_up_nobody() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let school = School::open(&server);
    let languages = school.ann.get("/api/v1/languages").json();
    let has = |id: &str| languages.as_array().unwrap().iter().any(|language| language["id"] == id);
    // Macros that expand to more than any memory, and templates without end.
    let doubled: String = (1..40).map(|n| format!("#define A{n} A{} A{}\n", n - 1, n - 1)).collect();
    let sources = [
        ("c", "a.c", format!("#define A0 x +\n{doubled}int main() {{ int x = 0; return A39 0; }}\n")),
        ("cpp", "a.cpp", "template<int N> struct T { typename T<N + 1>::type a; typename T<N + 2>::type b; };\nT<0> t;\nint main() {}\n".to_owned()),
        ("c", "b.c", "#include \"/dev/zero\"\nint main() {}\n".to_owned()),
        ("python", "a.py", format!("x = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000))),
    ];
    let runs: Vec<Value> = sources
        .iter()
        .filter(|(language, ..)| has(language))
        .map(|(_, name, source)| {
            school.ann.send("POST", "/api/v1/runs", &json!({ "problem": "sum", "name": name, "source": source })).json()
        })
        .collect();
    assert!(!runs.is_empty());
    let start = Instant::now();
    let run =
        school.zoe.send("POST", "/api/v1/runs", &program("print(sum(a))")).json()["id"].as_str().unwrap().to_owned();
    _ = school.zoe.get(&format!("/api/v1/runs/{run}/events"));
    assert_eq!(school.zoe.get(&format!("/api/v1/runs/{run}")).json()["verdict"], "AC", "after {:?}", start.elapsed());
    for run in &runs {
        let path = format!("/api/v1/runs/{}", run["id"].as_str().unwrap());
        school.ann.send("DELETE", &path, &Value::Null);
        _ = school.ann.get(&format!("{path}/events"));
        let ended = school.ann.get(&path).json();
        assert!(
            ended["state"] == "cancelled"
                || ["CE", "RE", "TLE", "MLE", "WA"].contains(&ended["verdict"].as_str().unwrap_or("")),
            "{ended}"
        );
    }
}

#[test]
fn one_person_has_one_search_and_a_class_has_some() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let teacher = set_up(&server);
    let search = json!({ "problem": "sum", "name": "a.py", "source": "input()\nprint(sum(map(int, input().split())))", "seconds": 600 });
    let first = teacher.send("POST", "/api/v1/stress", &search);
    assert_eq!(first.status, 202, "{}", first.body);
    for _ in 0..5 {
        assert_eq!(teacher.send("POST", "/api/v1/stress", &search).status, 429);
    }
    for seconds in [json!(601), json!(0), json!(-1), json!(1e300), json!(4_294_967_296_u64)] {
        let mut body = search.clone();
        body["seconds"] = seconds;
        assert!([400, 422].contains(&teacher.send("POST", "/api/v1/stress", &body).status), "{body}");
    }
    let path = format!("/api/v1/stress/{}", first.json()["id"].as_str().unwrap());
    assert_eq!(teacher.send("DELETE", &path, &Value::Null).status, 204);
}

#[test]
fn another_protocol_and_silence_cost_nothing() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let tls = [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], &[0; 64]].concat();
    for bytes in [&tls[..], b"SSH-2.0-x\r\n", b"\0\0\0\0", b"EHLO evil.example\r\n", b"\r\n\r\n\r\n", b"GET", b""] {
        let mut stream = server.connect();
        stream.write_all(bytes).unwrap();
        _ = stream.shutdown(std::net::Shutdown::Write);
        let answer = read_answer(stream);
        assert!(answer.status == 0 || answer.status >= 400, "{bytes:?}: {answer:?}");
    }
    assert!(answers(&server));
}
