//! Attacks with the ids of other people's things, for every route of the table of roles.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::attacks::{School, id_of};
use super::class_browser::{Browser, assignment, now, program, project};
use super::classes::{upload, zipped};
use super::client::{Answer, Server};
use super::roles::{Access, ROUTES};

/// A text in everything that Ann writes.
const SECRET: &str = "written_by_ann";

/// Two ids that nothing has.
const MISSING: [&str; 2] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];

/// Makes one of each thing that belongs to Ann or to the teacher. Returns the values of the parameters of routes.
fn things(server: &Server, school: &School<'_>) -> HashMap<&'static str, String> {
    let made = |browser: &Browser<'_>, path: &str, body: &Value| {
        let answer = browser.send("POST", path, body);
        assert!((200..300).contains(&answer.status), "{path}: {} {}", answer.status, answer.body);
        answer.json()
    };
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let (ann, teacher) = (&school.ann, &school.teacher);
    let open = made(teacher, "/api/v1/assignments", &assignment(now() - 1_000, now() + 3_600_000, "refuse", "full"));
    let upcoming =
        made(teacher, "/api/v1/assignments", &assignment(now() + 3_600_000, now() + 7_200_000, "refuse", "full"));
    let run = made(ann, "/api/v1/runs", &program(&format!("print(sum(a)) # {SECRET}")));
    let wrong = json!({ "problem": "sum", "name": "a.py", "source": format!("print('{SECRET}')"), "seconds": 20 });
    let search = made(ann, "/api/v1/stress", &wrong);
    _ = ann.get(&format!("/api/v1/stress/{}/events", id(&search)));
    let kept = made(ann, &format!("/api/v1/stress/{}/keep", id(&search)), &Value::Null);
    assert_eq!(kept["kept"], "own", "{kept}");
    let game = made(ann, "/api/v1/games", &json!({ "problem": "classic-nim", "position": "3 5" }));
    let token = made(ann, "/api/v1/me/tokens", &json!({ "name": SECRET }));
    let invitation = made(teacher, "/api/v1/invitations", &json!({ "role": "student", "names": "Bob" }));
    let zip = zipped(&[("ann/sum.py", "print(1)")]);
    let fields: [(&str, Option<&str>, &[u8]); 3] =
        [("problems", None, b"sum"), ("start", None, b"false"), ("submissions", Some("c.zip"), &zip)];
    let class = upload(server, &fields).json();
    _ = ann.get(&format!("/api/v1/runs/{}/events", id(&run)));
    [
        ("run", id(&run)),
        ("search", id(&search)),
        ("ann", id_of(ann)),
        ("zoe", id_of(ann)),
        ("open", id(&open)),
        ("upcoming", id(&upcoming)),
        ("match", id(&game)),
        ("token", id(&token)),
        ("invitation", id(&invitation[0])),
        ("class", id(&class)),
        ("name", kept["name"].as_str().unwrap().to_owned()),
    ]
    .into()
}

/// The path of a route with these things. What everybody may name, such as a problem, is the same in all.
fn path_with(route: &str, things: &HashMap<&str, String>, missing: Option<&str>) -> String {
    let mut path = String::new();
    for (place, part) in route.split(['{', '}']).enumerate() {
        if place % 2 == 0 {
            path += part;
            continue;
        }
        path += match (part, missing) {
            ("sum", _) => "sum",
            ("game", _) => "classic-nim",
            ("pair", _) => "0",
            ("part", _) => "log",
            ("name", _) if route.contains("/classes/") => "gradebook.csv",
            (_, Some(missing)) => missing,
            // A new kind of thing is unknown here: the route is then tried without one.
            (name, None) => things.get(name).map_or(MISSING[0], String::as_str),
        };
    }
    path
}

fn body_of(method: &str, path: &str) -> Value {
    match method {
        "GET" | "DELETE" => Value::Null,
        _ if path.ends_with("/moves") => json!({ "move": [1, 1] }),
        _ => json!({}),
    }
}

/// What an answer tells, without the id that was asked for.
fn told(answer: &Answer, path: &str) -> (u16, String) {
    let ids = path.split(['/', '=', '?']).filter(|part| part.len() == 32);
    (answer.status, ids.fold(answer.body.clone(), |body, id| body.replace(id, "ID")))
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn ids_of_other_people_are_like_ids_of_nothing() {
    let project = project();
    // Without paths it has the built-in problems too, which have games.
    let server = Server::start(&project, &["--class", "--data", "data"]);
    let school = School::open(&server);
    let things = things(&server, &school);
    let own = |path: &str| school.ann.get(path).body;
    let match_path = format!("/api/v1/games/{}", things["match"]);
    let lists = [
        "/api/v1/runs",
        "/api/v1/stress",
        "/api/v1/problems/sum/tests",
        "/api/v1/me",
        "/api/v1/me/tokens",
        &match_path,
    ];
    let of_class =
        ["/api/v1/people", "/api/v1/invitations", "/api/v1/assignments", "/api/v1/settings", "/api/v1/classes"];
    let state = || {
        let of_class = of_class.map(|path| school.teacher.get(path).body);
        (lists.map(own), of_class)
    };
    let before = state();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (method, route, access) in ROUTES {
        if !route.contains('{') || matches!(access, Access::Public | Access::Person) {
            continue;
        }
        tried += 1;
        let real = path_with(route, &things, None);
        let nothing = MISSING.map(|missing| path_with(route, &things, Some(missing)));
        let body = body_of(method, &real);
        let ask = |browser: &Browser<'_>, path: &str| told(&browser.send(method, path, &body), path);
        let (found, missing) = (ask(&school.zoe, &real), nothing.each_ref().map(|path| ask(&school.zoe, path)));
        if ![403, 404].contains(&found.0) || missing.iter().any(|missing| *missing != found) {
            wrong.push(format!("{method} {real} as another student: {found:?}, and of nothing {missing:?}"));
        }
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let nobody =
            |path: &str| told(&server.request(method, path, "Content-Type: application/json\r\n", &text), path);
        let (found, missing) = (nobody(&real), nobody(&nothing[0]));
        if found.0 != 401 || found != missing {
            wrong.push(format!("{method} {real} as nobody: {found:?}, and of nothing {missing:?}"));
        }
        let staff = [
            (&school.assistant, !matches!(access, Access::Own | Access::Change | Access::Teacher)),
            (&school.teacher, *access != Access::Own),
        ];
        for (browser, _) in staff.into_iter().filter(|(_, may)| !may) {
            let found = ask(browser, &real);
            if ![403, 404].contains(&found.0) {
                wrong.push(format!("{method} {real} as staff: {found:?}"));
            }
        }
    }
    assert!(tried > 40, "{tried}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(state(), before, "nothing was changed");
    let person = format!("/api/v1/assignments/{}/standings", things["open"]);
    for path in [
        "/",
        "/submissions",
        "/me",
        "/api/v1/runs",
        "/api/v1/stress",
        "/api/v1/problems/sum/tests",
        "/api/v1/me/tokens",
        "/api/v1/assignments",
        &person,
    ] {
        let answer = school.zoe.get(path);
        assert_eq!(answer.status, 200, "{path}");
        for mine in [SECRET, &things["run"], &things["search"], &things["ann"]] {
            assert!(!answer.body.contains(mine), "{path} of another student: {mine}");
        }
    }
}

#[test]
fn ids_cannot_be_guessed() {
    let project = project();
    let server = Server::start(&project, &["--class", "--data", "data"]);
    let school = School::open(&server);
    let ann = &school.ann;
    let make = |path: &str, body: Value| ann.send("POST", path, &body).json()["id"].as_str().unwrap().to_owned();
    for (path, body) in [
        ("/api/v1/runs", program("print(1)")),
        ("/api/v1/games", json!({ "problem": "classic-nim" })),
        ("/api/v1/me/tokens", json!({ "name": "n" })),
    ] {
        let (one, other) = (make(path, body.clone()), make(path, body));
        let equal = one.bytes().zip(other.bytes()).filter(|(a, b)| a == b).count();
        assert!(one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()), "{path}: {one}");
        assert!(equal < 16, "{path}: {one} {other}");
    }
}

#[test]
fn a_submission_names_no_other_person() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let school = School::open(&server);
    let mut body = program("print(1)");
    for (key, value) in
        [("person", id_of(&school.ann)), ("priority", "rejudge".to_owned()), ("id", MISSING[0].to_owned())]
    {
        body[key] = json!(value);
        assert_eq!(school.zoe.send("POST", "/api/v1/runs", &body).status, 400, "{key}");
        body.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(school.ann.get("/api/v1/runs").body, "[]");
}

#[test]
fn a_program_tells_its_author_nothing_of_hidden_tests() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let school = School::open(&server);
    // It writes the input everywhere, and fails.
    let leak = "import sys, os\nt = 'leak' + str(len(a)) + '_' + str(a[0])\nprint(t)\nprint(t, file=sys.stderr)\nos._exit(3 + (a[0] == 0))";
    let run = school.ann.send("POST", "/api/v1/runs", &program(leak)).json()["id"].as_str().unwrap().to_owned();
    let events = school.ann.get(&format!("/api/v1/runs/{run}/events")).body;
    let answers = ["", "/report", "/events"].map(|part| school.ann.get(&format!("/api/v1/runs/{run}{part}")).body);
    let page = school.ann.get(&format!("/submissions/{run}")).body;
    for text in answers.iter().chain([&events, &page, &school.ann.get("/api/v1/runs").body]) {
        for hidden in ["leak1_0", "leak1_1", "leak1_-1"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }
    assert!(events.contains("leak2_1"), "the sample's is shown: {events}");
    assert!(!events.contains("\"exit_code\":4"), "{events}");
    // Nor do a search or the tests of the problem.
    let search = json!({ "problem": "sum", "name": "a.py", "source": leak, "seconds": 1 });
    assert_eq!(school.ann.send("POST", "/api/v1/stress", &search).status, 403);
    assert!(
        !server
            .request("GET", "/api/v1/problems/sum", &format!("Cookie: {}\r\n", school.ann.cookie), "")
            .body
            .contains("tiny")
    );
}
