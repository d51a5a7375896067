//! Attacks on who somebody is: sessions, passwords, invitations, tokens, roles and cookies.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::attacks::{School, id_of};
use super::class_browser::{Browser, PASSWORD, class, cookie_of, joined, log_in, post, program, project, set_up};
use super::classes::{upload, zipped};
use super::client::{Answer, Server};
use super::people::{tls_class, tls_send};

/// The longest time until an open stream ends after its session: the interval of the check, and time for a slow
/// machine.
const STREAM_END: Duration = Duration::from_secs(15);

fn cookie_line(answer: &Answer) -> String {
    let line = answer.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie:"));
    line.unwrap_or_else(|| panic!("no cookie: {}", answer.head)).to_owned()
}

fn me(server: &Server, headers: &str) -> u16 {
    server.request("GET", "/api/v1/me", headers, "").status
}

/// A link from an answer that made invitations.
fn code_of(answer: &Answer) -> String {
    answer.json()[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

#[test]
fn a_session_is_new_after_each_login() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let name = teacher.cookie.split('=').next().unwrap();
    let planted = format!("{name}={}", "0".repeat(32));
    let body = json!({ "login": "teach", "password": PASSWORD }).to_string();
    // A cookie that another page planted, and one that comes first of two.
    for cookie in [planted.clone(), format!("{planted}; {}", teacher.cookie), teacher.cookie.clone()] {
        let headers = format!("Cookie: {cookie}\r\nContent-Type: application/json\r\n");
        let answer = server.request("POST", "/api/v1/session", &headers, &body);
        let fresh = cookie_of(&answer).unwrap();
        assert!(!cookie.contains(fresh.split_once('=').unwrap().1), "{fresh}");
        assert_eq!(me(&server, &format!("Cookie: {fresh}\r\n")), 200);
        assert_eq!(me(&server, &format!("Cookie: {planted}\r\n")), 401);
    }
    assert_eq!(teacher.get("/api/v1/me").status, 401, "the session that logged in again has ended");
}

#[test]
fn a_cookie_is_for_this_server_alone_and_hidden_from_scripts() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let out = teacher.send("DELETE", "/api/v1/session", &Value::Null);
    let login = log_in(&server, "teach", PASSWORD);
    for line in [cookie_line(&login), cookie_line(&out)] {
        for flag in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(line.contains(flag), "{flag}: {line}");
        }
        assert!(!line.contains("Domain"), "{line}");
        assert!(line.contains(&format!("nimatron-{}=", server.port)), "cookies ignore ports: {line}");
    }
    // Neither the page nor an answer of the API tells the secret.
    let browser = Browser::after(&server, &login);
    let secret = browser.cookie.split_once('=').unwrap().1;
    for path in ["/", "/me", "/api/v1/me"] {
        assert!(!browser.get(path).body.contains(secret), "{path}");
    }
}

#[test]
fn a_session_ends_with_the_logout_the_password_and_the_role() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let ann = joined(&teacher, "student", "ann");
    let submit = |browser: &Browser<'_>| browser.send("POST", "/api/v1/runs", &program("print(1)")).status;
    assert_eq!(submit(&ann), 202);
    ann.send("DELETE", "/api/v1/session", &Value::Null);
    assert_eq!((ann.get("/api/v1/me").status, submit(&ann)), (401, 401), "after logging out");
    let stolen = Browser::after(&server, &log_in(&server, "ann", PASSWORD));
    let own = Browser::after(&server, &log_in(&server, "ann", PASSWORD));
    let changed = own.send("POST", "/api/v1/me/password", &json!({ "old": PASSWORD, "new": "another password" }));
    assert_eq!(changed.status, 204, "{}", changed.body);
    assert_eq!((stolen.get("/api/v1/me").status, submit(&stolen)), (401, 401), "after a new password");
    assert_eq!(own.get("/api/v1/me").status, 200);
    // A session keeps no role: a teacher that becomes a student is one at once, also with a token.
    let other = joined(&teacher, "teacher", "other");
    let token = format!("Authorization: Bearer {}\r\n", other.personal_token());
    let id = id_of(&other);
    assert_eq!(server.request("GET", "/api/v1/people", &token, "").status, 200);
    assert_eq!(teacher.send("PATCH", &format!("/api/v1/people/{id}"), &json!({ "role": "student" })).status, 200);
    assert_eq!(other.get("/api/v1/people").status, 401, "the session has ended");
    assert_eq!(server.request("GET", "/api/v1/people", &token, "").status, 403, "the token has the new role");
    assert_eq!(teacher.send("PATCH", &format!("/api/v1/people/{id}"), &json!({ "disabled": true })).status, 200);
    assert_eq!(me(&server, &token), 403);
    assert_eq!(log_in(&server, "other", PASSWORD).status, 403);
}

/// Opens a stream of events, and waits for its first bytes.
fn stream(server: &Server, path: &str, headers: &str) -> std::net::TcpStream {
    let mut stream = server.connect();
    let port = server.port;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n").unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    stream
}

/// Whether a stream ends in time.
fn ends(mut stream: std::net::TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let (start, mut buffer, mut received) = (Instant::now(), vec![0; 1 << 16], Vec::new());
    while start.elapsed() < STREAM_END {
        match stream.read(&mut buffer) {
            Ok(0) => return true,
            Ok(length) => received.extend_from_slice(&buffer[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return true,
        }
        if received.ends_with(b"\r\n0\r\n\r\n") {
            return true;
        }
    }
    false
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_open_stream_of_events_ends_with_its_session() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let other = joined(&teacher, "teacher", "other");
    // The stream of a class has no end of its own.
    let zip = zipped(&[("ann/sum.py", "print(1)")]);
    let fields: [(&str, Option<&str>, &[u8]); 3] =
        [("problems", None, b"sum"), ("start", None, b"false"), ("submissions", Some("c.zip"), &zip)];
    let made = upload(&server, &fields);
    assert_eq!(made.status, 202, "{}", made.body);
    let path = format!("/api/v1/classes/{}/events", made.json()["id"].as_str().unwrap());
    let of = |browser: &Browser<'_>| format!("Cookie: {}\r\n", browser.cookie);
    let again = || Browser::after(&server, &log_in(&server, "other", PASSWORD));
    let (out, reset, kept) = (again(), again(), again());
    let tokens =
        ["revoked", "kept"].map(|name| other.send("POST", "/api/v1/me/tokens", &json!({ "name": name })).json());
    let bearer = |token: &Value| format!("Authorization: Bearer {}\r\n", token["token"].as_str().unwrap());
    let honest = stream(&server, &path, &of(&teacher));

    let streams = [stream(&server, &path, &of(&out)), stream(&server, &path, &bearer(&tokens[0]))];
    assert_eq!(out.send("DELETE", "/api/v1/session", &Value::Null).status, 204);
    let token = format!("/api/v1/me/tokens/{}", tokens[0]["id"].as_str().unwrap());
    assert_eq!(other.send("DELETE", &token, &Value::Null).status, 204);
    let ended = streams.map(ends);
    assert_eq!(ended, [true; 2], "after the logout, and after the token was revoked");

    let streams = [stream(&server, &path, &of(&reset)), stream(&server, &path, &of(&kept))];
    let changed = kept.send("POST", "/api/v1/me/password", &json!({ "old": PASSWORD, "new": "another password" }));
    assert_eq!(changed.status, 204, "{}", changed.body);
    let [reset, kept] = streams;
    assert!(ends(reset), "after a new password");
    let patch = |body: Value| teacher.send("PATCH", &format!("/api/v1/people/{}", id_of(&other_again(&server))), &body);
    let with_token = stream(&server, &path, &bearer(&tokens[1]));
    assert_eq!(patch(json!({ "role": "student" })).status, 200);
    let ended = [kept, with_token].map(ends);
    assert_eq!(ended, [true; 2], "after the person got another role, with a session and with a token");
    assert!(is_open(honest), "the streams of others go on");
}

fn other_again(server: &Server) -> Browser<'_> {
    Browser::after(server, &log_in(server, "other", "another password"))
}

/// Whether nothing but events arrives for a moment.
fn is_open(mut stream: std::net::TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn a_login_tells_nothing_about_accounts() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let gone = joined(&teacher, "student", "gone");
    teacher.send("PATCH", &format!("/api/v1/people/{}", id_of(&gone)), &json!({ "disabled": true }));
    let [known, unknown, disabled, strange] =
        [("teach", "wrong password"), ("nobody", "wrong password"), ("gone", PASSWORD), ("' OR 1=1 --", "x")]
            .map(|(login, password)| log_in(&server, login, password));
    for other in [&unknown, &disabled, &strange] {
        assert_eq!((known.status, &known.body), (other.status, &other.body));
        let lines = |answer: &Answer| {
            answer.head.lines().filter(|line| !line.starts_with("date:") && !line.contains("nonce")).count()
        };
        assert_eq!(lines(&known), lines(other));
    }
    // A password longer than all is wrong at once, and no reset or other page tells about accounts.
    assert_eq!(log_in(&server, "teach", &"x".repeat(10_000)).status, 403);
    assert_eq!(log_in(&server, "teach", &"x".repeat(20_000)).status, 413);
}

#[test]
fn guesses_are_slowed_however_the_login_is_written() {
    let project = project();
    let server = class(&project);
    set_up(&server);
    let spellings = ["teach", "TEACH", " teach", "Teach ", "tEACH", "teaCH", "TeAcH", "\tteach\n"];
    let statuses: Vec<u16> = spellings.iter().map(|login| log_in(&server, login, "wrong password").status).collect();
    assert_eq!((&statuses[..5], statuses.last()), (&[403; 5][..], Some(&429)), "{statuses:?}");
    // The token of the server for the first account is slowed too.
    let guess = |token: &str| {
        let body = json!({ "token": token, "login": "x", "name": "X", "password": PASSWORD });
        post(&server, "/api/v1/setup", &body).status
    };
    let statuses: Vec<u16> = (0..7).map(|number| guess(&format!("{number:032}"))).collect();
    assert_eq!((statuses[0], statuses[6]), (403, 429), "{statuses:?}");
}

#[test]
fn logins_that_are_broken_off_do_not_use_up_the_memory() {
    let project = project();
    let server = class(&project);
    set_up(&server);
    let body = json!({ "login": "teach", "password": "wrong password" }).to_string();
    // Each hash takes 19 MiB; the clients are gone before it is computed.
    for number in 0..50 {
        let mut stream = server.connect();
        let body = body.replace("teach", &format!("login{number}"));
        let (port, length) = (server.port, body.len());
        let head =
            format!("Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(format!("POST /api/v1/session HTTP/1.1\r\n{head}{body}").as_bytes()).unwrap();
        // The request is read, and then the client is gone.
        std::thread::sleep(Duration::from_millis(2));
        _ = stream.shutdown(Shutdown::Both);
    }
    assert_eq!(server.get("/healthz").status, 200);
    assert!(server.peak_memory() < 250 << 20, "{} MiB", server.peak_memory() >> 20);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_person_has_a_limited_number_of_sessions() {
    let project = project();
    let server = class(&project);
    let first = set_up(&server);
    for _ in 0..22 {
        assert_eq!(log_in(&server, "teach", PASSWORD).status, 200);
    }
    assert_eq!(first.get("/api/v1/me").status, 401, "the oldest has ended");
    let database = rusqlite::Connection::open(project.path("data/people.sqlite")).unwrap();
    let count: i64 = database.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 20);
}

#[test]
fn an_invitation_is_accepted_once_in_time_and_unless_revoked() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let invite = |body: Value| teacher.send("POST", "/api/v1/invitations", &body);
    let join = |code: &str, login: &str| {
        let body = json!({ "code": code, "login": login, "name": "N", "password": PASSWORD });
        post(&server, "/api/v1/join", &body).status
    };
    let named = code_of(&invite(json!({ "role": "student", "names": "Ann" })));
    assert_eq!((join(&named, "ann"), join(&named, "again")), (200, 404), "used");
    let assistant = code_of(&invite(json!({ "role": "assistant" })));
    assert_eq!((join(&assistant, "assi"), join(&assistant, "again")), (200, 404), "a link for staff works once");
    let made = invite(json!({ "role": "student" }));
    let revoked = code_of(&made);
    let id = made.json()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(teacher.send("DELETE", &format!("/api/v1/invitations/{id}"), &Value::Null).status, 204);
    assert_eq!(join(&revoked, "late"), 404, "revoked");
    let old = code_of(&invite(json!({ "role": "student" })));
    let database = rusqlite::Connection::open(project.path("data/people.sqlite")).unwrap();
    database.execute("UPDATE invitations SET expires_ms = 1", []).unwrap();
    assert_eq!(join(&old, "late"), 404, "expired");
    let role = json!({ "code": old, "login": "x", "name": "N", "password": PASSWORD, "role": "teacher" });
    assert_eq!(post(&server, "/api/v1/join", &role).status, 400, "the role is that of the invitation");
    // The codes are not in the database, and lists do not have them.
    let fresh = code_of(&invite(json!({ "role": "student" })));
    assert!(!teacher.get("/api/v1/invitations").body.contains(&fresh));
    assert!(!teacher.get("/people").body.contains(&fresh));
    let stored = fs_err::read(project.path("data/people.sqlite-wal")).unwrap();
    assert!(!stored.windows(fresh.len()).any(|window| window == fresh.as_bytes()));
}

#[test]
fn a_link_for_a_new_password_works_once_and_not_after_another_change() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let ann = joined(&teacher, "student", "ann");
    let path = format!("/api/v1/people/{}/reset", id_of(&ann));
    let link = || {
        let made = teacher.send("POST", &path, &Value::Null).json();
        made[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
    };
    let reset = |code: &str, password: &str| {
        post(&server, "/api/v1/join", &json!({ "code": code, "password": password })).status
    };
    let (first, second) = (link(), link());
    assert_eq!((reset(&first, "second password"), reset(&first, "third password")), (200, 404), "used");
    assert_eq!(reset(&second, "third password"), 404, "an older link, after the password was changed");
    let third = link();
    let own = Browser::after(&server, &log_in(&server, "ann", "second password"));
    let change = json!({ "old": "second password", "new": "fourth password" });
    assert_eq!(own.send("POST", "/api/v1/me/password", &change).status, 204);
    assert_eq!(reset(&third, "fifth password"), 404, "the person has changed the password");
    assert_eq!(ann.send("POST", &path, &Value::Null).status, 401, "a student makes no links");
    assert_eq!(own.send("POST", &path, &Value::Null).status, 403);
}

#[test]
fn a_student_gets_no_other_role() {
    let project = project();
    let server = class(&project);
    let school = School::open(&server);
    let (ann, zoe) = (&school.ann, &school.zoe);
    let id = id_of(ann);
    for body in [json!({ "role": "teacher" }), json!({ "role": "owner" }), json!({ "disabled": false })] {
        assert_eq!(ann.send("PATCH", &format!("/api/v1/people/{id}"), &body).status, 403, "{body}");
        assert_eq!(zoe.send("PATCH", &format!("/api/v1/people/{id}"), &body).status, 403, "{body}");
        assert_eq!(school.assistant.send("PATCH", &format!("/api/v1/people/{id}"), &body).status, 403, "{body}");
    }
    assert_eq!(school.teacher.send("PATCH", &format!("/api/v1/people/{id}"), &json!({ "role": "owner" })).status, 422);
    for role in ["student", "teacher", "owner"] {
        assert_eq!(ann.send("POST", "/api/v1/invitations", &json!({ "role": role })).status, 403, "{role}");
    }
    let again = json!({ "token": server.token, "login": "second", "name": "S", "password": PASSWORD });
    assert_eq!(post(&server, "/api/v1/setup", &again).status, 422, "the class has been set up");
    assert_eq!(ann.get("/api/v1/me").json()["role"], "student");
}

#[test]
fn secrets_of_another_data_folder_are_worth_nothing() {
    let (project, other) = (project(), project_of_other_class());
    let (server, foreign) = (class(&project), class(&other));
    let (teacher, stranger) = (set_up(&server), set_up(&foreign));
    let token = stranger.personal_token();
    for secret in [&foreign.token, &token] {
        let headers = format!("Authorization: Bearer {secret}\r\n");
        assert_eq!(me(&server, &headers), 403);
        assert_eq!(server.request("POST", "/api/v1/runs", &headers, &program("print(1)").to_string()).status, 403);
    }
    // Under the name that the cookie has here.
    let secret = stranger.cookie.split_once('=').unwrap().1;
    assert_eq!(me(&server, &format!("Cookie: nimatron-{}={secret}\r\n", server.port)), 401);
    assert_eq!(me(&server, &format!("Cookie: {}\r\nX-Nimatron-Token: {}\r\n", stranger.cookie, teacher.token)), 401);
    let code = code_of(&stranger.send("POST", "/api/v1/invitations", &json!({ "role": "teacher" })));
    let body = json!({ "code": code, "login": "evil", "name": "E", "password": PASSWORD });
    assert_eq!(post(&server, "/api/v1/join", &body).status, 404);
    // The token of a session's pages is no token for programs.
    assert_eq!(me(&server, &format!("Authorization: Bearer {}\r\n", teacher.token)), 403);
}

fn project_of_other_class() -> crate::project::Project {
    project()
}

#[test]
fn another_page_can_neither_log_in_nor_write() {
    let project = project();
    let server = class(&project);
    let school = School::open(&server);
    let body = program("print(1)").to_string();
    let write = |more: &str| {
        let headers = format!("Cookie: {}\r\nContent-Type: application/json\r\n{more}", school.ann.cookie);
        server.request("POST", "/api/v1/runs", &headers, &body).status
    };
    let own = format!("X-Nimatron-Token: {}\r\n", school.ann.token);
    assert_eq!(write(""), 403, "the cookie alone");
    assert_eq!(write(&format!("X-Nimatron-Token: {}\r\n", school.zoe.token)), 403, "the token of another session");
    assert_eq!(write(&format!("{own}Origin: null\r\n")), 403);
    assert_eq!(write(&format!("{own}Sec-Fetch-Site: same-site\r\n")), 403);
    assert_eq!(write(&own), 202);
    let login = json!({ "login": "zoe", "password": PASSWORD }).to_string();
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; charset=x", ""]
    {
        for path in ["/api/v1/session", "/api/v1/join", "/api/v1/setup"] {
            let answer = server.request("POST", path, &format!("Content-Type: {kind}\r\n"), &login);
            assert!(answer.status == 401 && cookie_of(&answer).is_none(), "{path} {kind}: {}", answer.status);
        }
    }
    let logout = server.request("DELETE", "/api/v1/session", &format!("Cookie: {}\r\n", school.zoe.cookie), "");
    assert_eq!(logout.status, 403, "logging somebody out is a write");
    assert_eq!(school.zoe.get("/api/v1/me").status, 200);
}

#[test]
fn the_page_after_the_login_is_one_of_this_server() {
    let project = project();
    let server = class(&project);
    for next in [
        "https:%2F%2Fevil.example",
        "%2F%2Fevil.example",
        "%2F%5Cevil.example",
        "%5C%5Cevil.example",
        "javascript:alert(1)",
        "%2F%09%2Fevil.example",
        "%2F%0A%2Fevil.example",
        "data:text%2Fhtml,x",
        "evil.example",
        "%20%2F%2Fevil.example",
        "http:evil.example",
    ] {
        let page = server.page(&format!("/login?next={next}"));
        assert!(page.body.contains("data-then=\"/\"") && !page.body.contains("evil.example"), "{next}: {}", page.body);
    }
    for path in ["//evil.example/", "/%2F%2Fevil.example", "/\\evil.example", "/http://evil.example"] {
        let answer = server.page(path);
        let place = answer.head.lines().find(|line| line.to_lowercase().starts_with("location:")).unwrap_or("");
        assert!(place.is_empty() || place.contains("/login?next=%2F"), "{path}: {place}");
    }
}

#[test]
fn tls_cannot_be_lowered_or_left_out() {
    let project = project();
    let server = tls_class(&project);
    let body = json!({ "token": server.token, "login": "teach", "name": "T", "password": PASSWORD }).to_string();
    let head = format!("Host: localhost:{}\r\nConnection: close\r\nContent-Type: application/json\r\n", server.port);
    let length = body.len();
    let answer =
        tls_send(&server, &format!("POST /api/v1/setup HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    // Another site of the host, or one without TLS, can't plant a cookie with this prefix.
    let line = cookie_line(&answer);
    let name = format!("__Host-nimatron-{}=", server.port);
    assert!(line.contains(&name) && line.contains("; Secure") && line.contains("Path=/;"), "{line}");
    let planted = cookie_of(&answer).unwrap().replace("__Host-", "");
    let answer = tls_send(&server, &format!("GET /api/v1/me HTTP/1.1\r\n{head}Cookie: {planted}\r\n\r\n"));
    assert_eq!(answer.status, 401);
    // Without TLS nothing is answered, and nothing leads to the page with TLS.
    let plain = server.get("/login");
    assert!(plain.status == 0 && !plain.head.contains("HTTP"), "{plain:?}");
    // Clients that offer TLS 1.2, 1.1 or 1.0 at most get an alert, and no handshake.
    for version in [3, 2, 1_u8] {
        let hello = [&[3, version][..], &[7; 32], &[0, 0, 2, 0xc0, 0x2f, 1, 0]].concat();
        let length = u8::try_from(hello.len()).unwrap();
        let handshake = [&[1, 0, 0, length][..], &hello].concat();
        let record = [&[22, 3, 1, 0, length + 4][..], &handshake].concat();
        let mut stream = server.connect();
        stream.write_all(&record).unwrap();
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        assert!(answer.first().is_none_or(|kind| *kind == 21), "{version}: {answer:?}");
    }
    assert_eq!(tls_send(&server, &format!("GET /healthz HTTP/1.1\r\n{head}\r\n")).body, "ok\n");
}
