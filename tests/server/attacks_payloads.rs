//! Attacks with texts: script in every field that strangers write, formulas in tables, letters that change how names
//! are read, and what answers allow a browser to do with them.

use std::io::{Cursor, Read};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};

use super::attacks::{School, id_of};
use super::class_browser::{Browser, PASSWORD, assignment, now, post, set_up};
use super::classes::{upload, zipped};
use super::client::{Answer, Server};
use super::roles::ROUTES;
use crate::project::Project;

/// Texts that would run a script if they were a part of a page: as an element, in an attribute, in a script, and in a
/// link.
const PAYLOADS: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></pre></code></textarea><svg onload=alert(1)>",
    "javascript:alert(1)//<a href=\"javascript:alert(1)\">",
    "\" autofocus onfocus=alert(1) x=\"",
];

/// All payloads in one text.
fn all() -> String {
    PAYLOADS.join(" ")
}

static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<([a-zA-Z!/][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>"#).unwrap());
static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?"#).unwrap());

/// What a browser would run, load or open because of a page, apart from the server's own script and style sheet.
fn harms(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for tag in TAG.captures_iter(page) {
        let name = tag[1].to_ascii_lowercase();
        let whole = || tag[0].to_owned();
        let own_script = name == "script" && tag[2].contains(" nonce=\"") && tag[2].contains(" src=\"/assets/");
        let forbidden = [
            "script",
            "iframe",
            "object",
            "embed",
            "base",
            "frame",
            "applet",
            "style",
            "foreignobject",
            "audio",
            "video",
        ];
        if forbidden.contains(&name.as_str()) && !own_script {
            found.push(whole());
        }
        for attribute in ATTRIBUTE.captures_iter(&tag[2]) {
            let key = attribute[1].to_ascii_lowercase();
            let value = [2, 3, 4].iter().find_map(|group| attribute.get(*group)).map_or("", |value| value.as_str());
            let address = value.trim().to_ascii_lowercase();
            let is_own = ["/", "?", "#"].iter().any(|start| address.starts_with(start)) && !address.starts_with("//");
            let is_harmless = match key.as_str() {
                "href" if name == "a" => {
                    is_own || ["https://", "http://", "mailto:"].iter().any(|start| address.starts_with(start))
                }
                "href" => is_own || (name == "link" && address.starts_with("data:image/svg+xml,%3csvg")),
                "src" => is_own || (name == "img" && address.starts_with("data:")),
                "action" | "data-then" | "data-send" => {
                    is_own
                        || ["reload", "get ", "post ", "put ", "patch ", "delete "]
                            .iter()
                            .any(|start| address.starts_with(start))
                }
                "style" | "srcdoc" | "formaction" | "xlink:href" | "ping" | "background" => false,
                "http-equiv" => false,
                key => !key.starts_with("on"),
            };
            if !is_harmless {
                found.push(whole());
            }
        }
    }
    found
}

#[test]
fn harms_are_found() {
    for harmful in PAYLOADS
        .iter()
        .filter(|text| text.starts_with(['<', '"']))
        .map(|text| format!("<p title=\"{text}\">{text}</p>"))
    {
        assert!(!harms(&harmful).is_empty(), "{harmful}");
    }
    for harmful in [
        "<a href=\"javascript:x\">",
        "<a href='//evil.example'>",
        "<img src=https://evil.example>",
        "<b style='x'>",
        "<script src=/assets/x>",
    ] {
        assert!(!harms(harmful).is_empty(), "{harmful}");
    }
    assert!(harms("<!DOCTYPE html><a href=\"/x?y=&quot; onclick=1\">&lt;script&gt;</a><script nonce=\"1\" src=\"/assets/1/app.js\"></script>").is_empty());
}

/// A statement of a stranger.
const STATEMENT: &str = "# <script>alert(1)</script>

<img src=x onerror=alert(1)> <svg/onload=alert(1)> <iframe src=//evil.example></iframe> <base href=//evil.example>

[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>alert(1)</script>) [d](//evil.example)
[e](vbscript:x \"\\\" onmouseover=alert(1)\") <javascript:alert(1)> ![f](https://evil.example/x.png)
![g](data:image/svg+xml,<svg onload=alert(1)>) ![h](\"onerror=alert(1))

$\\text{<img src=x onerror=alert(1)>}$ $\\href{javascript:alert(1)}{x}$ $\\operatorname{<script>}$ $\\style{x}{y}$

`<script>alert(1)</script>` [^x]

[^x]: <script>alert(1)</script>

```html\" onload=alert(1)
</code></pre><script>alert(1)</script>
```
";

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// Problems whose author is hostile.
fn hostile_project() -> Project {
    let spec = format!(
        "name: {}\nkeywords: [{}, {}]\nsource: {}\nlimits: {{ time: 1s, memory: 256MiB, output: 1MiB }}\ninput:\n  - n: 1..=9\nanswer:\n  - m: 1..=9\ntests:\n  \
         sample:\n    - {{ input: \"1\\n\", answer: \"1\\n\", note: {} }}\n  more: {{ every: {{ n: 1..=3 }} }}\n",
        quoted(&all()),
        quoted(PAYLOADS[0]),
        quoted(PAYLOADS[1]),
        quoted(&all()),
        quoted(STATEMENT),
    );
    Project::new()
        .file("problems/copy/problem.yaml", spec)
        .file("problems/copy/statement.md", STATEMENT)
        .file("solutions/copy/accepted/reference.py", "print(input())\n")
        .file("problems/<b onclick=alert(1)>/1.in", all())
        .file("problems/<b onclick=alert(1)>/1.out", all())
}

fn serve(project: &Project) -> Server {
    Server::start(
        project,
        &["problems", "problems/<b onclick=alert(1)>", "--class", "--data", "data", "--require", "D"],
    )
}

/// Everything that strangers write, in a class. Returns the pages and the answers of the API in which it may be.
fn hostile_class<'s>(server: &'s Server, school: &School<'s>) -> Vec<String> {
    let (ann, teacher) = (&school.ann, &school.teacher);
    let made = |browser: &Browser<'_>, method: &str, path: &str, body: &Value| {
        let answer = browser.send(method, path, body);
        assert!((200..300).contains(&answer.status), "{path}: {} {}", answer.status, answer.body);
        if answer.body.is_empty() { Value::Null } else { answer.json() }
    };
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let name = PAYLOADS[1];
    // An account, and an invitation that is not accepted.
    let link = made(teacher, "POST", "/api/v1/invitations", &json!({ "role": "student" }));
    let code = link[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let body = json!({ "code": code, "login": format!("evil{number}"), "name": payload, "password": PASSWORD });
        assert_eq!(post(server, "/api/v1/join", &body).status, 200);
    }
    made(teacher, "POST", "/api/v1/invitations", &json!({ "role": "student", "names": name }));
    made(ann, "POST", "/api/v1/me/tokens", &json!({ "name": PAYLOADS[3] }));
    let mut draft = assignment(now() - 1_000, now() + 3_600_000, "refuse", "full");
    (draft["name"], draft["problems"]) = (json!(name), json!(["copy"]));
    let week = id(&made(teacher, "POST", "/api/v1/assignments", &draft));
    // Submissions: the name, the text, the output, and what the compiler says.
    let runs = [
        json!({ "problem": "copy", "name": "\"><img src=x onerror=alert(1)>.py", "source": format!("print({})", quoted(&all())) }),
        json!({ "problem": "copy", "name": "' onmouseover='alert(1).py", "source": format!("{}\nx = (", all()) }),
        json!({ "problem": "copy", "name": "a.py", "source": format!("import sys\nsys.exit({})", quoted(&all())), "kind": "input", "input": all() }),
    ];
    let runs: Vec<String> = runs.iter().map(|run| id(&made(ann, "POST", "/api/v1/runs", run))).collect();
    let wrong = json!({ "problem": "copy", "name": name.replace('/', "") + ".py", "source": format!("print({})", quoted(&all())), "seconds": 20 });
    let search = id(&made(ann, "POST", "/api/v1/stress", &wrong));
    let zip = zipped(&[
        (&format!("{}/copy.py", PAYLOADS[2]), "print(input())"),
        ("\"><img src=x onerror=alert(1)>/copy.py", &format!("print({})", quoted(&all()))),
        ("=HYPERLINK(\"https:evil.example\")/copy.py", "print(input())"),
        ("@SUM(1)/copy.py", "print(1)"),
        ("<script>alert(1)<.txt", "x"),
    ]);
    let class_name = format!("{}{}", PAYLOADS[0], PAYLOADS[1]);
    let fields: [(&str, Option<&str>, &[u8]); 3] =
        [("problems", None, b"copy"), ("name", None, class_name.as_bytes()), ("submissions", Some("c.zip"), &zip)];
    let class = id(&upload(server, &fields).json());
    for run in runs.iter().chain([&search]) {
        _ = ann.get(&format!("/api/v1/runs/{run}/events"));
    }
    made(ann, "POST", &format!("/api/v1/stress/{search}/keep"), &Value::Null);
    let class = format!("/classes/{class}");
    let start = Instant::now();
    while teacher.get(&format!("/api/v1{class}")).json()["state"] != "finished" {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", teacher.get(&format!("/api/v1{class}")).body);
        std::thread::sleep(Duration::from_millis(50));
    }
    let mark = json!({ "student": PAYLOADS[2], "problem": "copy", "mark": 1, "reason": all(), "comment": all() });
    made(teacher, "POST", &format!("/api/v1{class}/overrides"), &mark);
    let ann_id = id_of(ann);
    let mut paths: Vec<String> = [
        "/",
        "/problems/copy",
        "/problems/b-onclick-alert-1",
        "/submissions",
        "/submissions?person=all",
        "/me",
        "/people",
        "/assignments",
        "/assignments/new",
        "/classes",
        "/classes/new",
        "/games",
        "/games/octal",
        "/api/v1/problems",
        "/api/v1/problems/copy",
        "/api/v1/runs?person=all",
        "/api/v1/stress",
        "/api/v1/me",
        "/api/v1/me/tokens",
        "/api/v1/people",
        "/api/v1/invitations",
        "/api/v1/assignments",
        "/api/v1/settings",
        "/api/v1/classes",
        "/api/v1/languages",
        "/api/v1/problems/copy/tests",
        "/api/v1/schema.json",
        "/metrics",
        "/cluster",
        "/api/v1/cluster",
        "/healthz",
    ]
    .map(str::to_owned)
    .into();
    for run in &runs {
        paths.push(format!("/submissions/{run}"));
        paths.extend(["", "/events", "/report", "/source"].map(|part| format!("/api/v1/runs/{run}{part}")));
    }
    paths.extend(["", "/events"].map(|part| format!("/api/v1/stress/{search}{part}")));
    paths.extend([
        format!("/submissions?person={ann_id}"),
        format!("/assignments/{week}"),
        format!("/assignments/{week}/edit"),
    ]);
    paths.extend(["", "/standings", "/standings.csv"].map(|part| format!("/api/v1/assignments/{week}{part}")));
    paths.extend(
        ["", "/files", "/tests", "/answers", "/likeness", "/rules", "/log"].map(|part| format!("{class}{part}")),
    );
    let parts = [
        "",
        "/roster",
        "/gradebook",
        "/gradebook.csv",
        "/gradebook.json",
        "/log",
        "/rules",
        "/similarity",
        "/groups",
        "/tests/copy",
        "/downloads",
    ];
    paths.extend(parts.map(|part| format!("/api/v1{class}{part}")));
    let student = encoded(PAYLOADS[2]);
    paths.push(format!("/api/v1{class}/submissions/{student}/copy"));
    let downloads = [
        "gradebook.csv",
        "gradebook.json",
        "report.zip",
        "likeness.csv",
        "likeness.json",
        "canvas.csv",
        "gradescope.zip",
        "junit.xml",
    ];
    paths.extend(downloads.map(|name| format!("/api/v1{class}/downloads/{name}")));
    // Texts in the address.
    for payload in PAYLOADS {
        let payload = encoded(payload);
        paths.extend([
            format!("/?q={payload}"),
            format!("/?tag={payload}"),
            format!("/problems/{payload}"),
            format!("/problems/copy?lang={payload}"),
            format!("/{payload}"),
            format!("/submissions/{payload}"),
            format!("/submissions?problem={payload}"),
            format!("/submissions?person={payload}"),
            format!("/submissions?before={payload}"),
            format!("/games/octal?code={payload}"),
            format!("/games/octal?to={payload}"),
            format!("/games/{payload}/theory?position={payload}"),
            format!("/login?next={payload}"),
            format!("/login?next=%2F{payload}"),
            format!("{class}/{payload}"),
            format!("/api/v1/problems/{payload}"),
            format!("/api/v1/runs?limit={payload}"),
            format!("/api/v1{class}/downloads/{payload}"),
            format!("/api/v1{class}/submissions/{payload}/{payload}"),
        ]);
    }
    paths
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn kind_of(answer: &Answer) -> String {
    let line = answer.head.lines().find(|line| line.to_lowercase().starts_with("content-type:"));
    line.map_or(String::new(), |line| line.split_once(':').unwrap().1.trim().to_owned())
}

/// The pages in a zip.
fn pages_in(zip: &[u8]) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut pages = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        if name.ends_with(".html") {
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            pages.push((name, text));
        }
    }
    pages
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn texts_of_strangers_run_nothing() {
    let project = hostile_project();
    let server = serve(&project);
    let school = School::open(&server);
    let paths = hostile_class(&server, &school);
    let mut wrong = Vec::new();
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for (who, browser) in [("the teacher", &school.teacher), ("the student", &school.ann)] {
        for path in &paths {
            // The stream of a class does not end; that of a run is tried.
            let headers = format!("Cookie: {}\r\nAccept: text/html\r\n", browser.cookie);
            let answer = server.request("GET", path, &headers, "");
            let kind = kind_of(&answer);
            *kinds.entry(kind.clone()).or_default() += 1;
            if kind.starts_with("text/html") {
                let harms = harms(&answer.body);
                if path.starts_with("/api/") || !harms.is_empty() {
                    wrong.push(format!("{path} for {who}: {} {harms:?}", answer.status));
                }
            } else if ![
                "application/json",
                "text/event-stream",
                "text/plain",
                "text/csv",
                "application/zip",
                "application/xml",
                "",
            ]
            .contains(&kind.split(';').next().unwrap())
            {
                wrong.push(format!("{path} for {who} is {kind}"));
            }
            if answer.status == 200 && path.ends_with("/copy") && path.starts_with("/api/v1/problems") {
                let statement = answer.json()["statement_html"].as_str().unwrap().to_owned();
                wrong.extend(harms(&statement).iter().map(|harm| format!("the statement: {harm}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kinds["text/html; charset=utf-8"] > 100 && kinds["application/json"] > 50, "{kinds:?}");
    // The pages of the report can be opened without the server, so no policy protects them.
    let path = paths.iter().find(|path| path.ends_with("report.zip")).unwrap();
    let report = school.teacher.bytes(path);
    let pages = pages_in(&report);
    assert!(pages.len() > 3, "{}", pages.len());
    for (name, page) in pages {
        let own = harms(&page).into_iter().filter(|harm| harm.contains("alert(1)")).collect::<Vec<_>>();
        assert!(own.is_empty() && !page.contains("<script>alert"), "{name}: {own:?}");
    }
    for table in ["gradebook.csv", "standings.csv", "canvas.csv"] {
        let path = paths.iter().find(|path| path.ends_with(table)).unwrap();
        let text = school.teacher.get(path).body;
        let formula = text.lines().find(|line| line.trim_start_matches('"').starts_with(['=', '+', '-', '@']));
        assert_eq!(formula, None, "{table}: a spreadsheet would compute it: {text}");
    }
}

/// The headers that each response has.
const HEADERS: [&str; 9] = [
    "content-security-policy: default-src 'none'; script-src 'nonce-",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "x-frame-options: deny",
    "x-content-type-options: nosniff",
    "referrer-policy: no-referrer",
    "cross-origin-opener-policy: same-origin",
    "cross-origin-resource-policy: same-origin",
];

#[test]
fn every_answer_forbids_framing_sniffing_and_foreign_scripts() {
    let project = hostile_project();
    let server = serve(&project);
    let teacher = set_up(&server);
    let mut nonces = std::collections::HashSet::new();
    for (method, route, _) in ROUTES {
        let path = route.replace(['{', '}', '*'], "");
        for (who, headers) in [("nobody", String::new()), ("the teacher", format!("Cookie: {}\r\n", teacher.cookie))] {
            for accept in ["text/html", "*/*"] {
                let sent = format!("{headers}Accept: {accept}\r\nContent-Type: application/json\r\n");
                let answer = server.request(method, &path, &sent, if *method == "GET" { "" } else { "{}" });
                let head = answer.head.to_lowercase();
                let missing: Vec<&str> = HEADERS.into_iter().filter(|header| !head.contains(header)).collect();
                assert!(
                    answer.status > 0 && missing.is_empty(),
                    "{method} {path} for {who}: {} lacks {missing:?}",
                    answer.status
                );
                assert!(!head.contains("unsafe-") && !head.contains("access-control-allow"), "{method} {path}: {head}");
                // What a person sees stays in no cache.
                assert!(head.contains("cache-control: no-store"), "{method} {path}: {head}");
                let nonce = head.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
                assert!(nonce.len() >= 22 && nonces.insert(nonce), "{method} {path}: the nonce is new each time");
            }
        }
    }
    // Files of the page may be kept: they are the same for everybody.
    let page = server.page("/login").body;
    let script = page.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let answer = server.get(script);
    assert!(
        answer.status == 200 && answer.head.contains("immutable") && kind_of(&answer).starts_with("text/javascript")
    );
    assert!(HEADERS.iter().all(|header| answer.head.to_lowercase().contains(header)), "{}", answer.head);
}

#[test]
fn names_cannot_change_how_others_are_read() {
    let project = hostile_project();
    let server = serve(&project);
    let school = School::open(&server);
    let teacher = &school.teacher;
    let link = teacher.send("POST", "/api/v1/invitations", &json!({ "role": "student" })).json();
    let code = link[0]["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let zip = zipped(&[("ann/copy.py", "print(1)")]);
    // Characters that turn the direction, and control characters, among them one that ends a text in C.
    for bad in [
        '\u{202e}', '\u{202a}', '\u{2066}', '\u{2069}', '\u{200f}', '\u{61c}', '\0', '\u{1b}', '\u{7f}', '\u{85}', '\r',
    ] {
        let name = format!("a{bad}b");
        let join = json!({ "code": code, "login": "n", "name": name, "password": PASSWORD });
        let mut draft = assignment(now(), now() + 1_000, "refuse", "full");
        (draft["name"], draft["problems"]) = (json!(name), json!(["copy"]));
        let fields: [(&str, Option<&str>, &[u8]); 3] =
            [("problems", None, b"copy"), ("name", None, name.as_bytes()), ("submissions", Some("c.zip"), &zip)];
        let mut statuses = vec![
            post(&server, "/api/v1/join", &join).status,
            teacher.send("POST", "/api/v1/assignments", &draft).status,
            teacher.send("POST", "/api/v1/me/tokens", &json!({ "name": name })).status,
            upload(&server, &fields).status,
            school
                .ann
                .send("POST", "/api/v1/runs", &json!({ "problem": "copy", "name": format!("{name}.py"), "source": "" }))
                .status,
        ];
        if !bad.is_whitespace() {
            // In a list, it may end a line.
            statuses
                .push(teacher.send("POST", "/api/v1/invitations", &json!({ "role": "student", "names": name })).status);
        } else {
            // Blanks are joined in the names of accounts, assignments and tokens.
            statuses = statuses.split_off(3);
        }
        assert!(statuses.iter().all(|status| *status == 422), "{bad:?}: {statuses:?}");
    }
    // A name that looks like another is written as that.
    let join =
        json!({ "code": code, "login": "zed", "name": "\u{feff}Z\u{200b}ed\u{ad}\u{2060}", "password": PASSWORD });
    assert_eq!(post(&server, "/api/v1/join", &join).json()["name"], "Zed");
    // A login is ASCII, so that no letter looks like another one.
    for login in ["t\u{435}ach", "teach\u{200b}", "te\u{301}ach", "teach/..", "te ach", "\u{ff54}each"] {
        let join = json!({ "code": code, "login": login, "name": "N", "password": PASSWORD });
        assert_eq!(post(&server, "/api/v1/join", &join).status, 422, "{login}");
    }
    // The name of a program is no path, no option of a compiler, and no hidden file.
    for name in ["../a.py", "/a.py", "a/b.py", "a\\b.py", ".a.py", "..", "-o.py", "@a.py", "", "a\u{2028}\0.py"] {
        let answer = school.ann.send("POST", "/api/v1/runs", &json!({ "problem": "copy", "name": name, "source": "" }));
        assert_eq!(answer.status, 422, "{name:?}");
    }
}

#[test]
fn errors_name_no_file_of_the_machine() {
    let project = hostile_project();
    let server = serve(&project);
    let school = School::open(&server);
    let folder = project.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let check = |what: &str, answer: &Answer| {
        assert!(answer.status >= 400, "{what}: {}", answer.status);
        for word in [folder, "/src/", ".rs:", "panicked", "sqlite", "SELECT"] {
            assert!(!answer.body.contains(word) && !answer.head.contains(word), "{what}: {word} in {}", answer.body);
        }
    };
    for path in [
        "/nowhere",
        "/problems/nothing",
        "/api/v1/runs/0",
        "/api/v1/runs?limit=x",
        "/games/copy",
        "/submissions/%ff",
        "/assets/x/y",
        "/classes/0/log",
        "/api/v1/nowhere",
    ] {
        for headers in [
            "Accept: text/html\r\n".to_owned(),
            format!("Cookie: {}\r\nAccept: text/html\r\n", school.ann.cookie),
            format!("Cookie: {}\r\n", school.ann.cookie),
        ] {
            let answer = server.request("GET", path, &headers, "");
            if answer.status != 303 {
                check(path, &answer);
            }
        }
    }
    check("a wrong body", &school.ann.send("POST", "/api/v1/runs", &json!({ "problem": 1 })));
    check("a wrong session", &post(&server, "/api/v1/session", &json!([])));
    // A broken store: the reason is for staff.
    let database = rusqlite::Connection::open(project.path("data/submissions.sqlite")).unwrap();
    database.execute("ALTER TABLE submissions RENAME TO gone", []).unwrap();
    for path in ["/api/v1/runs", "/submissions", "/api/v1/problems"] {
        let answer = school.ann.get(path);
        assert_eq!(answer.status, 500, "{path}");
        check(path, &answer);
    }
    let answer = school.ann.send("POST", "/api/v1/runs", &json!({ "problem": "copy", "name": "a.py", "source": "x" }));
    check("a submission", &answer);
    assert!(school.teacher.get("/api/v1/runs").body.contains("submissions.sqlite"), "staff see the reason");
    let health = server.get("/healthz");
    assert!(!health.body.contains(folder), "{}", health.body);
}

#[test]
fn a_search_text_costs_little_and_matches_as_text() {
    let project = hostile_project();
    let server = serve(&project);
    let school = School::open(&server);
    // As regular expressions, these would take years.
    for pattern in
        ["(a+)+$", "(.*)*(.*)*(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "%", "\u{0}", "\u{202e}", &"a".repeat(20_000)]
    {
        let answer = school.ann.get(&format!("/?q={}", encoded(pattern)));
        assert!(
            answer.status == 200 && answer.body.contains("No matching problems"),
            "{pattern:.40}: {}",
            answer.status
        );
    }
    for pattern in ["a ".repeat(4_000), "[".repeat(5_000), " ".repeat(5_000)] {
        assert_eq!(school.ann.get(&format!("/?q={}", encoded(&pattern))).status, 200);
    }
    assert_eq!(school.ann.get(&format!("/?q={}", "a".repeat(100_000))).status, 431);
}
