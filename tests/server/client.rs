//! A running server, and a small HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::project::{Project, ProjectProcess, peak_memory};

/// A response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// A running `nimatron serve --json` on a free port.
pub(super) struct Server {
    child: ProjectProcess,
    address: String,
    pub(super) port: u16,
    pub(super) token: String,
}

impl Server {
    pub(super) fn start(project: &Project, options: &[&str]) -> Server {
        Server::start_at(project, "127.0.0.1", options)
    }

    /// Like [`Server::start`], at another loopback address.
    pub(super) fn start_at(project: &Project, address: &str, options: &[&str]) -> Server {
        let listen = format!("{address}:0");
        let args: Vec<&str> = ["serve", "--json", "--listen", &listen].iter().chain(options).copied().collect();
        Server::ready(address, project.start(&args))
    }

    /// Like [`Server::start`], with at most this number of file descriptors.
    pub(super) fn start_limited(project: &Project, descriptors: u32, options: &[&str]) -> Server {
        let limit = format!("--nofile={descriptors}:{descriptors}");
        let args: Vec<&str> = ["serve", "--json", "--listen", "127.0.0.1:0"].iter().chain(options).copied().collect();
        Server::ready("127.0.0.1", project.start_by("prlimit", &[&limit], &args))
    }

    fn ready(address: &str, mut child: ProjectProcess) -> Server {
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let mut errors = String::new();
        if line.is_empty() {
            child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        }
        let first: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not serving: {line}{errors}"));
        assert_eq!(first["event"], "serving");
        let url = first["url"].as_str().unwrap();
        let port = url.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        Server { child, address: address.to_owned(), port, token: first["token"].as_str().unwrap().to_owned() }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((self.address.as_str(), self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are, and returns the response.
    pub(super) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may refuse the request before it has read all of it.
        _ = stream.write_all(request);
        read_answer(stream)
    }

    /// Sends a request with these header lines.
    pub(super) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let (port, length) = (self.port, body.len());
        self.raw(
            format!(
                "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", "")
    }

    /// Opens a page as a browser does.
    pub(super) fn page(&self, path: &str) -> Answer {
        self.request("GET", path, "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n", "")
    }

    /// Sends a write with the token.
    pub(super) fn write(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers = format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.token);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.request(method, path, &headers, &body)
    }

    /// Submits a program, and returns the id of the run.
    pub(super) fn submit(&self, body: &Value) -> String {
        let answer = self.write("POST", "/api/v1/runs", body);
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// The events of a run after a number, up to the end of the stream: the id of each, and its JSON.
    pub(super) fn events(&self, run: &str, last: Option<u64>) -> Vec<(Option<u64>, Value)> {
        let headers = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let answer = self.request("GET", &format!("/api/v1/runs/{run}/events"), &headers, "");
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.head.to_lowercase().contains("content-type: text/event-stream"), "{}", answer.head);
        events_of(&answer.body)
    }

    /// Waits for the end of a run, and returns it.
    pub(super) fn ended(&self, run: &str) -> Value {
        self.events(run, None);
        self.get(&format!("/api/v1/runs/{run}")).json()
    }

    /// The largest amount of memory that the server has used, in bytes.
    pub(super) fn peak_memory(&self) -> u64 {
        peak_memory(self.child.id()).unwrap()
    }

    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the server as Ctrl-C does, and returns whether it ended well.
    pub(super) fn interrupt(mut self) -> bool {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap().success()
    }
}

/// The events in the text of a stream.
pub(super) fn events_of(text: &str) -> Vec<(Option<u64>, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.contains("data:"));
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map(|value| value.trim_start().to_owned())
    };
    blocks
        .map(|block| {
            let number = field(block, "id").map(|id| id.parse().unwrap());
            (number, serde_json::from_str(&field(block, "data").unwrap()).unwrap())
        })
        .collect()
}

pub(super) fn read_answer(mut stream: impl Read) -> Answer {
    let mut bytes = Vec::new();
    // A server that refuses a request may close the connection with unread data, which resets it.
    _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { dechunked(body) } else { body.to_owned() };
    Answer { status, head: head.to_owned(), body }
}

fn dechunked(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") {
        let size = usize::from_str_radix(str::from_utf8(&rest[..end]).unwrap_or("0").trim(), 16).unwrap_or(0);
        let start = end + 2;
        if size == 0 || rest.len() < start + size {
            break;
        }
        out.extend_from_slice(&rest[start..start + size]);
        rest = &rest[(start + size + 2).min(rest.len())..];
    }
    String::from_utf8_lossy(&out).into_owned()
}
