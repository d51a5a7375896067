//! Tests of `nimatron listen`: messages of Competitive Companion become folders, and all other requests are refused.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::ChildStdout;

use serde_json::{Value, json};

use crate::project::{Project, ProjectProcess, peak_memory};

/// A running `nimatron listen --json` on a free port.
struct Listening {
    child: ProjectProcess,
    events: std::io::Lines<BufReader<ChildStdout>>,
    port: u16,
}

impl Listening {
    fn start(project: &Project, options: &[&str]) -> Listening {
        let args: Vec<&str> = ["listen", "--json", "--port", "0"].iter().chain(options).copied().collect();
        let mut child = project.start(&args);
        let events = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut listening = Listening { child, events, port: 0 };
        let first = listening.event();
        assert_eq!(first["event"], "listening");
        listening.port = u16::try_from(first["ports"][0].as_u64().unwrap()).unwrap();
        listening
    }

    fn event(&mut self) -> Value {
        let line = self.events.next().unwrap_or_else(|| panic!("no more events")).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// Sends bytes and returns the status of the response.
    fn send(&self, request: &[u8]) -> u16 {
        let mut stream = self.connect();
        // The server may refuse the request before it has read all of it.
        let _ = stream.write_all(request);
        status(stream)
    }

    /// Sends a body as the extension does, with additional headers.
    fn post(&self, body: &str, headers: &str) -> u16 {
        let (port, length) = (self.port, body.len());
        self.send(
            format!(
                "POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n{headers}\
                 Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Sends a message, and returns the event for the received problem.
    fn receive(&mut self, message: &Value) -> Value {
        assert_eq!(
            self.post(&message.to_string(), "Origin: chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl\r\n"),
            200
        );
        self.event()
    }

    /// The largest amount of memory that the process has used, in KiB.
    fn peak_memory(&self) -> u64 {
        peak_memory(self.child.id()).unwrap() >> 10
    }

    /// Ends the process as Ctrl-C does, and returns its standard error.
    fn interrupt(mut self) -> String {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), rustix::process::Signal::INT)
            .unwrap();
        self.ended()
    }

    /// Waits for the process to end successfully, and returns its standard error.
    fn ended(&mut self) -> String {
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        stderr
    }
}

fn status(mut stream: TcpStream) -> u16 {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer.split(' ').nth(1).unwrap_or_else(|| panic!("no response: {answer:?}")).parse().unwrap()
}

/// Creates a message in the form in which the extension sends it.
fn message(name: &str, batch: (&str, u32)) -> Value {
    json!({
        "name": name,
        "group": "Codeforces - Codeforces Round 900 (Div. 3)",
        "url": format!("https://codeforces.com/contest/1/problem/{}", name.replace(' ', "")),
        "interactive": false,
        "memoryLimit": 256,
        "timeLimit": 1500,
        "tests": [{"input": "1 2\n", "output": "3\n"}, {"input": "4 5\n", "output": "9\n"}],
        "testType": "single",
        "input": {"type": "stdin"},
        "output": {"type": "stdout"},
        "languages": {"java": {"mainClass": "Main", "taskClass": "ACastle"}},
        "batch": {"id": batch.0, "size": batch.1}
    })
}

const CONTEST: &str = "in/codeforces-round-900-div-3";

#[test]
fn a_contest_becomes_folders_that_are_run() {
    let project = Project::new().file("template.py", "print(sum(map(int, input().split())))\n");
    let mut listening = Listening::start(&project, &["--into", "in", "--template", "template.py", "--once"]);
    let first = listening.receive(&message("A. Castle", ("x", 3)));
    assert_eq!((&first["status"], &first["number"], &first["size"]), (&json!("new"), &json!(1), &json!(3)));
    assert_eq!(first["written"], json!(["1.in", "1.out", "2.in", "2.out", "problem.json", "main.py"]));
    let mut guess = message("B. Guess", ("x", 3));
    guess["interactive"] = json!(true);
    assert_eq!(listening.receive(&guess)["interactive"], true);
    let mut files = message("C. Files", ("x", 3));
    files["input"] = json!({"type": "regex", "pattern": "c_.*\\.txt"});
    files["output"] = json!({"type": "file", "fileName": "c_out.txt"});
    listening.receive(&files);
    // The contest is complete.
    assert_eq!(listening.ended(), "");
    for folder in ["a-castle", "b-guess", "c-files"] {
        let folder = format!("{CONTEST}/{folder}");
        assert_eq!(fs_err::read_to_string(project.path(&format!("{folder}/2.in"))).unwrap(), "4 5\n");
        let kept = fs_err::read_to_string(project.path(&format!("{folder}/problem.json"))).unwrap();
        assert!(kept.contains("https://codeforces.com") && kept.contains("taskClass"), "{kept}");
    }
    let files = fs_err::read_to_string(project.path(&format!("{CONTEST}/c-files/problem.json"))).unwrap();
    assert!(files.contains("c_.*\\\\.txt") && files.contains("c_out.txt"), "{files}");
    let program = format!("{CONTEST}/a-castle/main.py");
    project.run(&["run", &format!("{CONTEST}/a-castle"), &program, "-q"]).code(0).says("2 of 2 cases");
}

#[test]
fn nothing_of_the_user_is_overwritten() {
    let project = Project::new();
    let sent = message("A. Castle", ("x", 1));
    let mut listening = Listening::start(&project, &["--into", "in", "--count", "3"]);
    listening.receive(&sent);
    let folder = project.path(&format!("{CONTEST}/a-castle"));
    fs_err::write(folder.join("3.in"), "mine\n").unwrap();
    fs_err::write(folder.join("1.out"), "mine\n").unwrap();
    let mut corrected = message("A. Castle", ("y", 1));
    corrected["tests"] = json!([
        {"input": "1 2\n", "output": "3\n"}, {"input": "4 5\n", "output": "10\n"}, {"input": "7\n", "output": "7\n"}
    ]);
    let event = listening.receive(&corrected);
    assert_eq!(event["status"], "updated");
    assert_eq!(event["written"], json!(["2.in", "2.out", "4.in", "4.out", "5.in", "5.out", "problem.json"]));
    assert_eq!(event["kept"], json!(["1.out", "3.in"]));
    for (file, content) in
        [("3.in", "mine\n"), ("1.out", "mine\n"), ("2.out", "10\n"), ("4.out", "3\n"), ("5.in", "7\n")]
    {
        assert_eq!(fs_err::read_to_string(folder.join(file)).unwrap(), content, "{file}");
    }
    // The user's own limit is kept too.
    let path = folder.join("problem.json");
    let text = fs_err::read_to_string(&path).unwrap().replace("1500", "9000");
    fs_err::write(&path, &text).unwrap();
    let event = listening.receive(&message("A. Castle", ("z", 1)));
    assert!(event["kept"].as_array().unwrap().contains(&json!("problem.json")), "{event}");
    assert_eq!(fs_err::read_to_string(&path).unwrap(), text);
    listening.ended();
}

#[test]
fn only_messages_of_the_extension_are_taken() {
    let project = Project::new();
    let mut listening = Listening::start(&project, &["--into", "in"]);
    let body = message("A. Castle", ("x", 1)).to_string();
    for (headers, expected) in [
        ("Origin: https://evil.example\r\n", 403),
        ("Origin: http://localhost:3000\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Host: evil.example\r\n", 400),
    ] {
        assert_eq!(listening.post(&body, headers), expected, "{headers}");
        assert_eq!((&listening.event()["event"], expected != 200), (&json!("refused"), true));
    }
    let request = |line: &str, host: &str, media: &str| {
        let length = body.len();
        format!("{line}\r\nHost: {host}\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    for (sent, expected) in [
        (request("POST / HTTP/1.1", "rebound.example:10043", "application/json"), 421),
        (request("POST / HTTP/1.1", "localhost", "text/plain"), 415),
        (request("GET / HTTP/1.1", "localhost", "application/json"), 405),
        (request("OPTIONS / HTTP/1.1", "localhost", "application/json"), 405),
        (request("POST /../x HTTP/1.1", "localhost", "application/json"), 404),
        ("\0\0\0\0\r\n\r\n".to_owned(), 400),
    ] {
        assert_eq!(listening.send(sent.as_bytes()), expected, "{sent:.80}");
        assert_eq!(listening.event()["status"], expected);
    }
    assert_eq!(project.path("in").read_dir().unwrap().count(), 0);
    listening.interrupt();
}

#[test]
fn broken_messages_are_refused_and_the_next_is_taken() {
    let project = Project::new();
    let mut listening = Listening::start(&project, &["--into", "in"]);
    for body in ["", "{", "[]", "\"x\"", r#"{"name": 3}"#, r#"{"name": "x", "tests": [3]}"#, "\u{0}\u{1}"] {
        assert_eq!(listening.post(body, ""), 400, "{body}");
        let event = listening.event();
        assert!(event["reason"].as_str().unwrap().contains("invalid Competitive Companion message"), "{event}");
    }
    // This name is hostile to file systems and terminals.
    let mut hostile = message("../../../\u{1b}]2;x\u{7}\u{0}/etc", ("x", 1));
    hostile["group"] = json!("..");
    let folder = listening.receive(&hostile)["folder"].as_str().unwrap().to_owned();
    assert_eq!(std::path::Path::new(&folder), fs_err::canonicalize(project.path("in/contest/2-x-etc")).unwrap());
    listening.interrupt();
}

#[test]
fn a_large_message_costs_no_memory() {
    let project = Project::new();
    let mut listening = Listening::start(&project, &["--into", "in"]);
    assert_eq!(listening.post("{", ""), 400);
    listening.event();
    let before = listening.peak_memory();
    let mut stream = listening.connect();
    let size = 100 << 20;
    let head = format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = vec![b' '; 1 << 20];
    for _ in 0..100 {
        if stream.write_all(&chunk).is_err() {
            break;
        }
    }
    assert_eq!(status(stream), 413);
    assert_eq!(listening.event()["status"], 413);
    let grown = listening.peak_memory() - before;
    assert!(grown < 8 << 10, "{grown} KiB");
    listening.interrupt();
}

#[test]
fn slow_and_silent_clients_do_not_block_others() {
    let project = Project::new();
    let mut listening = Listening::start(&project, &["--into", "in"]);
    let silent: Vec<TcpStream> = (0..3).map(|_| listening.connect()).collect();
    let mut slow = listening.connect();
    slow.write_all(b"POST / HTTP/1.1\r\nHost: local").unwrap();
    assert_eq!(listening.receive(&message("A. Castle", ("x", 1)))["status"], "new");
    // The command ends without waiting for these connections.
    listening.interrupt();
    drop((silent, slow));
}

#[test]
fn too_many_connections_are_refused() {
    let project = Project::new();
    let listening = Listening::start(&project, &[]);
    let open: Vec<TcpStream> = (0..8).map(|_| listening.connect()).collect();
    assert_eq!(status(listening.connect()), 503);
    drop(open);
    listening.interrupt();
}

#[test]
fn wrong_options_are_reported() {
    let project = Project::new().file("template", "x").file("file", "");
    project.run(&["listen", "--name", "{titel}"]).code(2).complains("did you mean `{title}`?");
    project.run(&["listen", "--template", "template"]).code(2).complains("no extension");
    project.run(&["listen", "--template", "nowhere.py"]).code(2).complains("nowhere.py");
    project.run(&["listen", "--into", "file"]).code(2).complains("file");
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    project.run(&["listen", "--port", &port]).code(2).complains(&format!("port {port}")).complains("--port");
}

#[test]
fn the_screen_has_a_line_for_each_problem() {
    let project = Project::new();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    drop(taken);
    let mut child = project.start(&["listen", "--into", "in", "--port", &port.to_string(), "--once"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains(&format!("listening on port {port}")) && first.contains("`in`"), "{first}");
    let body = message("A. Castle\u{1b}[31m", ("x", 1)).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length:";
    stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
    assert_eq!(status(stream), 200);
    assert_eq!(lines.next().unwrap().unwrap(), format!("{CONTEST}/a-castle-31m: 2 samples, 1500ms, 256MiB"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_users_editor_is_run_for_new_folders() {
    let project = Project::new();
    let log = project.path("opened");
    let command = format!("sh -c 'echo \"$1\" >> \"$0\"' '{}'", log.display());
    let mut listening = Listening::start(&project, &["--into", "in", "--open", &command]);
    let opened = |lines: usize| {
        // The command does not wait for the editor.
        loop {
            let text = fs_err::read_to_string(&log).unwrap_or_default();
            if text.lines().count() >= lines && text.ends_with('\n') {
                return text.lines().map(|line| line.rsplit('/').next().unwrap().to_owned()).collect::<Vec<_>>();
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    listening.receive(&message("A. One", ("x", 2)));
    listening.receive(&message("B. Two", ("x", 2)));
    assert_eq!(opened(1), ["codeforces-round-900-div-3"]);
    listening.receive(&message("A. One", ("y", 1)));
    listening.receive(&message("C. Three", ("z", 1)));
    assert_eq!(opened(2), ["codeforces-round-900-div-3", "c-three"]);
    listening.interrupt();
}
