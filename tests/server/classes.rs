//! Classes: an upload is graded in the background as `nimatron grade` does it, also over a kill, and what a teacher
//! changes.

use std::io::{BufRead, BufReader, Cursor, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::client::{Answer, Server, events_of};
use crate::class_programs::of_number;
use crate::project::{Project, SUM_C};

const SUM: &str = "\
name: Sum
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: \"2\\n1 2\\n\", answer: \"3\\n\" }
  tiny: { every: { n: 1..=1, a: 0..=2 } }
";
const TWICE: &str = "\
name: Twice a number
limits: { time: 100ms, memory: 256MiB, output: 1MiB }
input:
  - n: -100..=100
answer:
  - twice: -1000..=1000
tests:
  small: { every: { n: 0..=2 }, points: 30 }
  large: { count: 3, with: { n: -100..=-1 }, points: 70 }
";
const TWICE_C: &str = of_number!("2 * n");

/// The files of a class and their contents.
const FILES: [(&str, &str); 9] = [
    ("ann/sum.c", SUM_C),
    ("ann/twice.c", TWICE_C),
    ("bob/sum.c", SUM_C),
    ("bob/twice.c", of_number!("abs(2 * n)")),
    ("cyd/sum.c", of_number!("3")),
    ("cyd/twice.c", of_number!("-2 * n")),
    ("dan/sum.c", concat!(of_number!("3"), "// also wrong\n")),
    ("Jos\u{e9} \u{17b}/twice.c", "int main(void) { for (;;); }\n"),
    ("kim/readme.txt", "I was ill.\n"),
];

const EXPECTED: &str = "\
student,sum,twice,total
Jos\u{e9} \u{17b},0,0,0
ann,100,100,200
bob,100,30,130
cyd,0,0,0
dan,0,0,0
kim,0,0,0
";

fn project() -> Project {
    Project::new()
        .file("problems/sum/problem.yaml", SUM)
        .file("solutions/sum/accepted/reference.c", SUM_C)
        .file("problems/twice/problem.yaml", TWICE)
        .file("solutions/twice/accepted/reference.c", TWICE_C)
}

fn serve(project: &Project) -> Server {
    // These tests are about marks, and must also pass without strong isolation.
    Server::start(project, &["problems", "--data", "data", "--require", "D"])
}

pub(super) fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Sends a form. A field with a file name is a file.
pub(super) fn upload(server: &Server, fields: &[(&str, Option<&str>, &[u8])]) -> Answer {
    let mut body = Vec::new();
    for (name, file, content) in fields {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.extend(format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes());
        body.extend_from_slice(content);
        body.extend(b"\r\n");
    }
    body.extend(b"--edge--\r\n");
    let (port, token, length) = (server.port, &server.token, body.len());
    let mut request = format!(
        "POST /api/v1/classes HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    request.extend(body);
    server.raw(&request)
}

/// Uploads a class for both problems, and returns its address.
fn class(server: &Server, zip: &[u8], more: &[(&str, Option<&str>, &[u8])]) -> String {
    let mut fields: Vec<(&str, Option<&str>, &[u8])> =
        vec![("problems", None, b"sum, twice"), ("submissions", Some("class.zip"), zip)];
    fields.extend_from_slice(more);
    let answer = upload(server, &fields);
    assert_eq!(answer.status, 202, "{}", answer.body);
    format!("/api/v1/classes/{}", answer.json()["id"].as_str().unwrap())
}

fn reached(server: &Server, class: &str, state: &str) -> Value {
    let start = Instant::now();
    loop {
        let overview = server.get(class).json();
        if overview["state"] == state {
            return overview;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{overview}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn ok(answer: Answer) -> Value {
    assert!(answer.status == 200 || answer.status == 202, "{} {}", answer.status, answer.body);
    answer.json()
}

fn mark<'a>(gradebook: &'a Value, student: &str, problem: &str) -> &'a Value {
    let rows = gradebook["students"].as_array().unwrap();
    let row = rows.iter().find(|row| row["student"] == student).unwrap();
    row["marks"].as_array().unwrap().iter().find(|mark| mark["problem"] == problem).unwrap()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_upload_has_the_gradebook_that_grade_writes() {
    let zip = zipped(&FILES);
    let project = project().file("class.zip", zip.as_slice());
    project.run(&["grade", "sum", "twice", "class.zip", "--require", "D", "--out", "own", "-q"]).code(0);
    assert_eq!(project.read("own/gradebook.csv"), EXPECTED);
    let server = serve(&project);
    let class = class(&server, &zip, &[]);
    let overview = reached(&server, &class, "finished");
    assert_eq!(
        (&overview["name"], &overview["students"], &overview["judged"]),
        (&json!("class"), &json!(6), &json!(8))
    );
    assert_eq!(overview["verdicts"], json!({ "AC": 3, "PT": 1, "WA": 3, "TLE": 1 }));
    for (ours, theirs) in [
        ("gradebook.csv", "gradebook.csv"),
        ("gradebook.json", "gradebook.json"),
        ("downloads/gradebook.csv", "gradebook.csv"),
        ("downloads/likeness.csv", "likeness.csv"),
        ("downloads/likeness.json", "likeness.json"),
    ] {
        assert_eq!(server.get(&format!("{class}/{ours}")).body, project.read(&format!("own/{theirs}")), "{ours}");
    }
    for download in ok(server.get(&format!("{class}/downloads"))).as_array().unwrap() {
        let name = download["name"].as_str().unwrap();
        let answer = server.get(&format!("{class}/downloads/{name}"));
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        assert!(answer.head.contains("attachment") && !answer.body.is_empty(), "{name}: {}", answer.head);
    }
    let worksheet = "Identifier,Full name,Grade,Feedback comments\nParticipant 1,bob,,\n";
    let filled = server.request(
        "POST",
        &format!("{class}/downloads/moodle.csv"),
        &format!("Authorization: Bearer {}\r\n", server.token),
        worksheet,
    );
    assert!(ok(filled)["text"].as_str().unwrap().contains("bob,130,"));
    assert_eq!(ok(server.get("/api/v1/classes")).as_array().unwrap().len(), 1);
    assert_eq!(server.write("DELETE", &class, &Value::Null).status, 204);
    assert_eq!(server.get(&class).status, 404);
    assert_eq!(server.get(&format!("{class}/gradebook.csv")).status, 404);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_killed_server_goes_on_and_a_calm_one_has_the_same_gradebook() {
    let zip = zipped(&FILES);
    let project = project();
    let mut server = serve(&project);
    let killed = class(&server, &zip, &[]);
    for judged in [1, 3, 6] {
        let start = Instant::now();
        while server.get(&killed).json()["judged"].as_u64().unwrap() < judged {
            assert!(start.elapsed() < Duration::from_secs(600));
            std::thread::sleep(Duration::from_millis(20));
        }
        server.kill();
        server = serve(&project);
    }
    reached(&server, &killed, "finished");
    let calm = class(&server, &zip, &[]);
    reached(&server, &calm, "finished");
    let read = |class: &str, name: &str| server.get(&format!("{class}/{name}")).body;
    assert_eq!(read(&killed, "gradebook.csv"), EXPECTED);
    assert_eq!(read(&killed, "gradebook.json"), read(&calm, "gradebook.json"));
    // Each program was judged once: its mark was told once, and the numbers have no gaps.
    let events = followed(&server, &killed, None, "\"finished\"");
    let numbers: Vec<u64> = events.iter().filter_map(|(number, _)| *number).collect();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
    let marks = events.iter().filter(|(_, event)| event["event"] == "mark").count();
    assert_eq!(marks, 8, "{events:?}");
    // A client that comes again gets the rest.
    let rest = followed(&server, &killed, Some(4), "\"finished\"");
    assert_eq!(rest[0].0, Some(5));
}

/// The events of a class after a number, until one contains `until`. The stream of a class does not end.
fn followed(server: &Server, class: &str, last: Option<u64>, until: &str) -> Vec<(Option<u64>, Value)> {
    let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
    let mut stream = server.connect();
    let port = server.port;
    write!(stream, "GET {class}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{last}\r\n").unwrap();
    let mut text = String::new();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    while !text.contains(until) {
        let line = lines.next().unwrap();
        // Of chunks, only the lines of events matter.
        if line.is_empty() || line.contains(':') {
            text += &format!("{line}\n");
        }
    }
    let body = text.split_once("\n\n").unwrap().1;
    events_of(&format!("{body}\n\n"))
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn marks_are_overridden_undone_and_logged() {
    let project = project();
    let server = serve(&project);
    let class = class(&server, &zipped(&FILES), &[("name", None, "Week 1".as_bytes())]);
    reached(&server, &class, "finished");
    let gradebook = || ok(server.get(&format!("{class}/gradebook")));
    assert_eq!(mark(&gradebook(), "bob", "twice")["mark"], 30.0);
    let set = |body: Value| server.write("POST", &format!("{class}/overrides"), &body);
    let new =
        json!({ "student": "bob", "problem": "twice", "mark": 55.5, "reason": "appeal", "comment": "see line 1" });
    let shown = ok(set(new.clone()));
    assert_eq!((&shown["mark"]["mark"], &shown["mark"]["overridden"]), (&json!(55.5), &json!(true)));
    let csv = server.get(&format!("{class}/gradebook.csv")).body;
    assert!(csv.contains("bob,100,55.5,155.5\n"), "{csv}");
    for (key, value, message) in [
        ("student", json!("bop"), "no student `bop`"),
        ("problem", json!("thrice"), "not a problem of this class"),
        ("mark", json!("ten"), "not a mark"),
        ("mark", json!(-1), "not a mark"),
        ("mark", json!(101), "exceeds the maximum mark for `twice`, which is 100"),
        ("reason", json!(" "), "no reason"),
    ] {
        let mut wrong = new.clone();
        wrong[key] = value;
        let answer = set(wrong);
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.body.contains(message), "{}", answer.body);
    }
    let undo = json!({ "student": "bob", "problem": "twice" });
    let undone = ok(server.write("POST", &format!("{class}/overrides/undo"), &undo));
    assert_eq!((&undone["mark"]["mark"], &undone["mark"]["overridden"]), (&json!(30.0), &json!(false)));
    assert_eq!(server.write("POST", &format!("{class}/overrides/undo"), &undo).status, 422);
    assert_eq!(server.get(&format!("{class}/gradebook.csv")).body, EXPECTED);
    let log = ok(server.get(&format!("{class}/log")));
    let entries: Vec<(&str, &str)> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["what"] != "mark")
        .map(|entry| (entry["what"].as_str().unwrap(), entry["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(entries, [("undo", ""), ("override", "appeal"), ("created", "")]);
    assert!(log.as_array().unwrap().iter().any(|entry| entry["what"] == "mark" && entry["after"] == "55.5"), "{log}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_draft_is_corrected_then_started_paused_and_resumed() {
    let project = project();
    let server = serve(&project);
    let mut files = FILES.to_vec();
    files.extend([("zed/strange.c", SUM_C), ("zed/notes.md", "x")]);
    let class = class(&server, &zipped(&files), &[("start", None, b"false")]);
    assert_eq!(server.get(&class).json()["state"], "draft");
    assert_eq!(server.get(&format!("{class}/gradebook")).status, 422);
    let roster = ok(server.get(&format!("{class}/roster")));
    assert_eq!(roster["claims"].as_array().unwrap().len(), 8);
    assert!(roster["left"].as_array().unwrap().iter().any(|left| left["path"] == "zed/strange.c"), "{roster}");
    let put = |body: Value| server.write("PUT", &format!("{class}/roster"), &body);
    let roster = ok(put(json!([
        { "path": "zed/strange.c", "student": "Zed", "problem": "sum" },
        { "path": "cyd/sum.c", "student": "dan", "problem": "twice" },
        { "path": "cyd/twice.c", "leave_out": true },
    ])));
    let claim = |path: &str| roster["claims"].as_array().unwrap().iter().find(|claim| claim["path"] == path).cloned();
    assert_eq!(claim("zed/strange.c").unwrap()["student"], "Zed");
    assert_eq!(claim("cyd/sum.c").unwrap()["problem"], "twice");
    assert_eq!(claim("cyd/twice.c"), None);
    for (wrong, message) in [
        (json!([{ "path": "../../etc/passwd", "student": "x", "problem": "sum" }]), "no file"),
        (json!([{ "path": "ann/sum.c", "problem": "sun" }]), "not a problem"),
        (json!([{ "path": "ann/sum.c", "student": "" }]), "name of the student"),
        (json!([{ "path": "ann/sum.c" }]), "is empty"),
        (json!([{ "path": "zed/notes.md", "student": "Zed", "problem": "sum" }]), "not a source file"),
    ] {
        let answer = put(wrong);
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.body.contains(message), "{}", answer.body);
    }
    ok(server.write("POST", &format!("{class}/start"), &Value::Null));
    assert_eq!(server.write("POST", &format!("{class}/start"), &Value::Null).status, 422);
    ok(server.write("POST", &format!("{class}/pause"), &Value::Null));
    let judged = reached(&server, &class, "paused")["judged"].as_u64().unwrap();
    assert!(judged < 8, "{judged}");
    server.kill();
    let server = serve(&project);
    assert_eq!(server.get(&class).json()["state"], "paused", "a paused class stays paused");
    ok(server.write("POST", &format!("{class}/resume"), &Value::Null));
    reached(&server, &class, "finished");
    let csv = server.get(&format!("{class}/gradebook.csv")).body;
    assert!(csv.contains("Zed,100,0,100\n") && csv.contains("cyd,0,0,0\n") && csv.contains("dan,0,0,0\n"), "{csv}");
    let missing = |student: &str, problem: &str| {
        mark(&ok(server.get(&format!("{class}/gradebook"))), student, problem)["state"] == "missing"
    };
    assert!(missing("cyd", "sum") && missing("cyd", "twice") && !missing("dan", "twice"));
    // A correction of a class that is graded is judged at once.
    let reset = json!([{ "path": "cyd/twice.c", "reset": true }, { "path": "cyd/sum.c", "reset": true }]);
    ok(server.write("PUT", &format!("{class}/roster"), &reset));
    reached(&server, &class, "finished");
    assert!(!missing("cyd", "sum") && !missing("cyd", "twice") && missing("dan", "twice"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn other_rules_are_previewed_before_they_are_applied() {
    let project = project();
    let server = serve(&project);
    // The sample takes a time between the first limit and the second, on any machine.
    let slow = SUM_C.replace("while(n--)", "while(n==2&&clock()<0.3*CLOCKS_PER_SEC);while(n--)");
    let slow = format!("#include <time.h>\n{slow}");
    let mut files = FILES.to_vec();
    files.push(("lea/sum.c", &slow));
    let class = class(&server, &zipped(&files), &[]);
    reached(&server, &class, "finished");
    let preview = |rules: &Value| {
        let start = Instant::now();
        loop {
            let view = ok(server.write("POST", &format!("{class}/rules/preview"), rules));
            if view["state"] == "ready" {
                return view;
            }
            assert!(start.elapsed() < Duration::from_secs(600), "{view}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let before = server.get(&format!("{class}/gradebook.json")).body;
    let rules = json!({ "limits": { "sum": { "cpu_ms": 100 } } });
    let view = preview(&rules);
    assert_eq!((&view["to_judge"], &view["judged"]), (&json!(4), &json!(4)), "identical programs are judged once");
    let change = json!({ "student": "lea", "problem": "sum", "before": 100.0, "after": 0.0,
        "verdict_before": "AC", "verdict_after": "TLE" });
    assert!(view["changes"].as_array().unwrap().contains(&change), "{view}");
    let policy = json!({ "policy": "partial: true\nproblems: { twice: { points: 10, weight: 2 } }\n" });
    let totals = preview(&policy);
    let expected = json!({ "student": "ann", "before": 200.0, "after": 120.0 });
    assert!(totals["totals"].as_array().unwrap().contains(&expected), "{totals}");
    assert_eq!(server.get(&format!("{class}/gradebook.json")).body, before, "a preview changes nothing");
    let put = |rules: &Value| server.write("PUT", &format!("{class}/rules"), rules);
    let applied = ok(put(&rules));
    assert_eq!((&applied["limits"][0]["cpu_ms"], &applied["limits"][0]["own_cpu_ms"]), (&json!(100.0), &json!(1000.0)));
    let overview = reached(&server, &class, "finished");
    assert_eq!(overview["queued"], 0, "what was judged for the preview is not judged again");
    assert!(server.get(&format!("{class}/gradebook.csv")).body.contains("lea,0,0,0\n"));
    ok(put(&json!({ "limits": { "sum": {} } })));
    reached(&server, &class, "finished");
    assert_eq!(server.get(&format!("{class}/gradebook.json")).body, before);
    for (wrong, message) in [
        (json!({ "policy": "selct: best\n" }), "did you mean"),
        (json!({ "limits": { "sum": { "cpu_ms": 1 } } }), "out of range"),
        (json!({ "limits": { "sun": {} } }), "not a problem"),
        (json!({ "extensions": "student,until\nann,soon\n" }), "not a time"),
    ] {
        for answer in [put(&wrong), server.write("POST", &format!("{class}/rules/preview"), &wrong)] {
            assert_eq!(answer.status, 422, "{}", answer.body);
            assert!(answer.body.contains(message), "{}", answer.body);
        }
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_teacher_reads_programs_answers_and_pairs_and_judges_again() {
    let project = project();
    let server = serve(&project);
    let long = "import sys\ndata = sys.stdin.read().split()\nn = int(data[0])\ntotal = 0\nfor i in range(n):\n    \
        value = int(data[1 + i])\n    if value > 0:\n        total += value\n    else:\n        total -= -value\nprint(total)\n";
    let renamed = long.replace("total", "s").replace("value", "v").replace("data", "d") + "# mine\n";
    let mut files = FILES.to_vec();
    files.extend([("lea/sum.py", long), ("max/sum.py", &renamed)]);
    let class = class(&server, &zipped(&files), &[]);
    reached(&server, &class, "finished");
    let get = |path: &str| ok(server.get(&format!("{class}/{path}")));
    let groups = get("groups");
    let sum = groups.as_array().unwrap().iter().find(|group| group["problem"] == "sum").unwrap();
    let students: Vec<&str> =
        sum["students"].as_array().unwrap().iter().map(|student| student["student"].as_str().unwrap()).collect();
    assert_eq!(students, ["cyd", "dan"], "both fail the same smallest input: {groups}");
    assert_eq!(sum["input"], "1\n0\n");
    let tests = get("tests/twice");
    assert_eq!(tests["cases"].as_array().unwrap().len(), 6);
    let row = tests["students"].as_array().unwrap().iter().find(|row| row["student"] == "bob").unwrap().clone();
    assert_eq!(row["verdicts"][0], "AC");
    assert_eq!(row["verdicts"][3], "WA");
    let submission = get("submissions/cyd/sum");
    assert_eq!((&submission["verdict"], &submission["files"][0]["text"]), (&json!("WA"), &json!(of_number!("3"))));
    assert_eq!(submission["failing"][0]["input"], "1\n0\n");
    assert_eq!(get("submissions/Jos%C3%A9%20%C5%BB/twice")["verdict"], "TLE");
    assert_eq!(get("submissions/kim/sum")["mark"]["state"], "missing");
    assert_eq!(server.get(&format!("{class}/submissions/nobody/sum")).status, 422);
    let similar = get("similarity");
    let identical = similar[0]["identical"].as_array().unwrap();
    let pairs = similar[0]["pairs"].as_array().unwrap();
    assert!(identical.contains(&json!(["lea", "max"])) || !pairs.is_empty(), "{similar}");
    for pair in pairs {
        let both = get(&format!("pairs/{}", pair["id"].as_str().unwrap()));
        let region = &both["left"]["files"][0]["regions"][0];
        assert!(region["start"].as_u64() < region["end"].as_u64(), "{both}");
    }
    assert_eq!(server.get(&format!("{class}/pairs/0123456789abcdef")).status, 404);

    let rejudge = |body: Value| server.write("POST", &format!("{class}/rejudge"), &body);
    assert_eq!(rejudge(json!({ "student": "cyd", "reason": "noise" })).json()["queued"], 2);
    reached(&server, &class, "finished");
    assert_eq!(rejudge(json!({ "problem": "sum" })).json()["queued"], 5);
    let overview = reached(&server, &class, "finished");
    assert_eq!(overview["judged"], 10);
    assert_eq!(rejudge(json!({ "student": "kim" })).status, 422);
    assert_eq!(rejudge(json!({ "problem": "sun" })).status, 422);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn folders_are_uploaded_and_bad_uploads_are_refused() {
    let project = project();
    let server = serve(&project);
    let parts: Vec<(String, &str)> = FILES.iter().map(|(name, text)| (format!("week 1/{name}"), *text)).collect();
    let mut fields: Vec<(&str, Option<&str>, &[u8])> = vec![("problems", None, b"sum"), ("problems", None, b"twice")];
    fields.extend(parts.iter().map(|(name, text)| ("submissions", Some(name.as_str()), text.as_bytes())));
    fields.push(("submissions", Some("week 1/.git/config"), b"[core]\n"));
    let answer = upload(&server, &fields);
    assert_eq!(answer.status, 202, "{}", answer.body);
    let class = format!("/api/v1/classes/{}", answer.json()["id"].as_str().unwrap());
    assert_eq!(reached(&server, &class, "finished")["name"], "week 1");
    assert_eq!(server.get(&format!("{class}/gradebook.csv")).body, EXPECTED);

    let zip = zipped(&FILES);
    let twice = |name| {
        vec![("problems", None, &b"sum"[..]), ("submissions", Some(name), b"x"), ("submissions", Some(name), b"x")]
    };
    for (fields, status, message) in [
        (
            vec![("problems", None, &b"sum"[..]), ("submissions", Some("x.zip"), b"no zip")],
            422,
            "the zip file cannot be read",
        ),
        (vec![("problems", None, b"nosuch"), ("submissions", Some("x.zip"), &zip)], 404, "no problem `nosuch`"),
        (vec![("problems", None, b"../sum"), ("submissions", Some("x.zip"), &zip)], 404, "no problem"),
        (vec![("problems", None, b"sum sum"), ("submissions", Some("x.zip"), &zip)], 422, "more than once"),
        (vec![("submissions", Some("x.zip"), &zip)], 422, "contains no problem ids"),
        (vec![("problems", None, b"sum")], 422, "no files"),
        (vec![("problems", None, b"sum"), ("submissions", Some("x.zip"), b"")], 422, "the zip file cannot be read"),
        (
            vec![("problems", None, b"sum"), ("submissions", Some("x.zip"), &zipped(&[]))],
            422,
            "contains no submissions",
        ),
        (vec![("problems", None, b"sum"), ("submissions", Some("../../x.py"), b"x")], 422, "cannot be the name"),
        (vec![("problems", None, b"sum"), ("submissions", Some("/etc/x.py"), b"x")], 422, "cannot be the name"),
        (twice("ann/sum.py"), 422, "already the name of another file"),
        (vec![("problems", None, b"sum"), ("submission", Some("x.zip"), &zip)], 422, "unknown field `submission`"),
        (
            vec![("problems", None, b"sum"), ("start", None, b"maybe"), ("submissions", Some("x.zip"), &zip)],
            422,
            "the field `start` has the invalid value `maybe`",
        ),
        (
            vec![("problems", None, b"sum"), ("policy", None, b"selct: best"), ("submissions", Some("x.zip"), &zip)],
            422,
            "select",
        ),
    ] {
        let answer = upload(&server, &fields);
        assert_eq!(answer.status, status, "{message}: {}", answer.body);
        assert!(answer.body.contains(message), "{message}: {}", answer.body);
    }
    let (port, token) = (server.port, &server.token);
    let head = |kind: &str, length: u64| {
        format!(
            "POST /api/v1/classes HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    assert_eq!(server.raw(head("multipart/form-data; boundary=edge", 2 << 30).as_bytes()).status, 413);
    assert_eq!(server.raw(head("application/json", 0).as_bytes()).status, 400);
    assert_eq!(server.request("POST", "/api/v1/classes", "", "").status, 403, "without the token");
    // What was refused leaves nothing behind, and nothing was written outside.
    assert_eq!(ok(server.get("/api/v1/classes")).as_array().unwrap().len(), 1);
    assert_eq!(std::fs::read_dir(project.path("data/classes")).unwrap().count(), 1);
}

#[test]
fn a_class_does_not_hold_up_a_person() {
    let project = project();
    let server = serve(&project);
    // Programs that are stopped at the time limit: together much longer than a person may wait.
    let files: Vec<(String, String)> =
        (0..12).map(|n| (format!("s{n:02}/sum.py"), format!("while True: pass # {n}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let class = class(&server, &zipped(&files), &[]);
    let start = Instant::now();
    while server.get(&class).json()["running"].as_u64().unwrap() == 0 {
        assert!(start.elapsed() < Duration::from_secs(600));
        std::thread::sleep(Duration::from_millis(20));
    }
    let run = server.submit(&json!({ "problem": "sum", "name": "a.c", "source": SUM_C }));
    assert_eq!(server.ended(&run)["verdict"], "AC");
    let overview = server.get(&class).json();
    assert_eq!(overview["state"], "running", "the person did not wait for the class: {overview}");
    assert!(overview["queued"].as_u64().unwrap() >= 4, "{overview}");
    assert_eq!(server.write("DELETE", &class, &Value::Null).status, 204);
}
