//! A class for tests: a problem, accounts, and browsers that are logged in.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::client::{Answer, Server};
use crate::project::Project;

pub(super) const PASSWORD: &str = "correct horse";
const SPEC: &str = r#"name: Sum
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: "2\n1 2\n", answer: "3\n" }
  tiny: { every: { n: 1..=1, a: -1..=1 } }
"#;
const READ: &str = "input()\na = list(map(int, input().split()))\n";

/// A problem with a sample and hidden tests.
pub(super) fn project() -> Project {
    Project::new()
        .file("problems/sum/problem.yaml", SPEC)
        .file("problems/sum/statement.md", "Add.\n")
        .file("solutions/sum/accepted/reference.py", format!("{READ}print(sum(a))\n"))
}

/// The options of a class with the data folder `data`.
pub(super) fn class(project: &Project) -> Server {
    Server::start(project, &["problems", "--class", "--data", "data"])
}

pub(super) fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// A browser that is logged in.
pub(super) struct Browser<'s> {
    pub(super) server: &'s Server,
    pub(super) cookie: String,
    pub(super) token: String,
}

impl<'s> Browser<'s> {
    /// The browser after this response, whose cookie it keeps.
    pub(super) fn after(server: &'s Server, answer: &Answer) -> Browser<'s> {
        assert_eq!(answer.status, 200, "{}", answer.body);
        let cookie = cookie_of(answer).unwrap();
        let page = server.request("GET", "/", &format!("Cookie: {cookie}\r\nAccept: text/html\r\n"), "");
        assert_eq!(page.status, 200, "{}", page.head);
        Browser { server, token: token_of(&page), cookie }
    }

    pub(super) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers = format!(
            "Cookie: {}\r\nX-Nimatron-Token: {}\r\nContent-Type: application/json\r\n",
            self.cookie, self.token
        );
        self.server.request(method, path, &headers, &text(body))
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.server.request("GET", path, &format!("Cookie: {}\r\n", self.cookie), "")
    }

    /// The body of a response as bytes.
    pub(super) fn bytes(&self, path: &str) -> Vec<u8> {
        use std::io::{Read, Write};
        let mut stream = self.server.connect();
        let (port, cookie) = (self.server.port, &self.cookie);
        write!(stream, "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        bytes.split_off(end + 4)
    }

    /// A token for programs of this person.
    pub(super) fn personal_token(&self) -> String {
        let made = self.send("POST", "/api/v1/me/tokens", &json!({ "name": "test" }));
        made.json()["token"].as_str().unwrap().to_owned()
    }
}

fn text(body: &Value) -> String {
    if body.is_null() { String::new() } else { body.to_string() }
}

/// The cookie that a response sets, as `name=value`.
pub(super) fn cookie_of(answer: &Answer) -> Option<String> {
    let line = answer.head.lines().find(|line| line.to_lowercase().starts_with("set-cookie:"))?;
    Some(line.split_once(':')?.1.split(';').next()?.trim().to_owned())
}

fn token_of(page: &Answer) -> String {
    let start = page.body.find("name=\"token\" content=\"").unwrap() + 22;
    page.body[start..].split('"').next().unwrap().to_owned()
}

/// Sends JSON without a session.
pub(super) fn post(server: &Server, path: &str, body: &Value) -> Answer {
    server.request("POST", path, "Content-Type: application/json\r\n", &text(body))
}

pub(super) fn log_in(server: &Server, login: &str, password: &str) -> Answer {
    post(server, "/api/v1/session", &json!({ "login": login, "password": password }))
}

/// Makes the first account.
pub(super) fn set_up(server: &Server) -> Browser<'_> {
    let body = json!({ "token": server.token, "login": "teach", "name": "Teacher", "password": PASSWORD });
    Browser::after(server, &post(server, "/api/v1/setup", &body))
}

/// Invites a person, who joins.
pub(super) fn joined<'s>(teacher: &Browser<'s>, role: &str, login: &str) -> Browser<'s> {
    let made = teacher.send("POST", "/api/v1/invitations", &json!({ "role": role, "names": login })).json();
    let code = made[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let body = json!({ "code": code, "login": login, "password": PASSWORD });
    Browser::after(teacher.server, &post(teacher.server, "/api/v1/join", &body))
}

pub(super) fn assignment(start: i64, end: i64, late: &str, feedback: &str) -> Value {
    json!({ "name": "Week", "problems": ["sum"], "start": start, "end": end, "late": late, "feedback": feedback })
}

pub(super) fn program(source: &str) -> Value {
    json!({ "problem": "sum", "name": "a.py", "source": format!("{READ}{source}") })
}
