//! Every route as each role: who may use it, and that nobody else reaches what it gives.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::{Value, json};

use super::class_browser::{Browser, assignment, joined, now, program, project, set_up};
use super::client::Server;
use crate::project::Project;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody, also without an account.
    Public,
    /// Everybody with an account.
    Person,
    /// The person whose work it is; teachers and assistants.
    Work,
    /// The person whose work it is, and teachers.
    Change,
    /// The person whose thing it is.
    Own,
    Staff,
    /// Teachers and assistants; for others it does not exist.
    Hidden,
    Teacher,
}

/// Every route with who may use it. `{…}` is replaced by the id of a thing, of Ann if it belongs to a person.
pub(super) const ROUTES: &[(&str, &str, Access)] = &[
    ("GET", "/", Access::Person),
    ("GET", "/problems/{sum}", Access::Person),
    ("GET", "/games", Access::Person),
    ("GET", "/games/octal", Access::Person),
    ("GET", "/games/{game}", Access::Person),
    ("GET", "/games/{game}/theory", Access::Person),
    ("GET", "/classes", Access::Staff),
    ("GET", "/classes/new", Access::Teacher),
    ("GET", "/classes/{class}", Access::Staff),
    ("GET", "/classes/{class}/{part}", Access::Staff),
    ("GET", "/submissions", Access::Person),
    ("GET", "/submissions?person={ann}", Access::Work),
    ("GET", "/submissions?person=all", Access::Staff),
    ("GET", "/submissions/{run}", Access::Work),
    ("GET", "/login", Access::Public),
    ("GET", "/join", Access::Public),
    ("GET", "/setup", Access::Public),
    ("GET", "/me", Access::Person),
    ("GET", "/people", Access::Staff),
    ("GET", "/assignments", Access::Person),
    ("GET", "/assignments/new", Access::Teacher),
    ("GET", "/assignments/{open}", Access::Person),
    ("GET", "/assignments/{upcoming}", Access::Hidden),
    ("GET", "/assignments/{open}/edit", Access::Teacher),
    ("GET", "/assets/{version}/{*name}", Access::Public),
    ("GET", "/favicon.ico", Access::Public),
    ("GET", "/healthz", Access::Public),
    ("GET", "/metrics", Access::Staff),
    ("GET", "/cluster", Access::Staff),
    ("GET", "/api/v1/cluster", Access::Staff),
    ("GET", "/api/v1/problems", Access::Person),
    ("GET", "/api/v1/problems/{sum}", Access::Person),
    ("GET", "/api/v1/languages", Access::Person),
    ("POST", "/api/v1/runs", Access::Person),
    ("POST", "/api/v1/judgings", Access::Teacher),
    ("POST", "/api/v1/runs/cancel", Access::Person),
    ("GET", "/api/v1/runs", Access::Person),
    ("GET", "/api/v1/runs?person={ann}", Access::Work),
    ("GET", "/api/v1/runs?person=all", Access::Staff),
    ("GET", "/api/v1/runs?before={run}", Access::Work),
    ("GET", "/api/v1/runs/{run}", Access::Work),
    ("GET", "/api/v1/runs/{run}/events", Access::Work),
    ("GET", "/api/v1/runs/{run}/report", Access::Work),
    ("GET", "/api/v1/runs/{run}/source", Access::Work),
    ("DELETE", "/api/v1/runs/{run}", Access::Change),
    ("GET", "/api/v1/stress", Access::Person),
    ("POST", "/api/v1/stress", Access::Person),
    ("GET", "/api/v1/stress/{search}", Access::Work),
    ("GET", "/api/v1/stress/{search}/events", Access::Work),
    ("DELETE", "/api/v1/stress/{search}", Access::Change),
    ("POST", "/api/v1/stress/{search}/keep", Access::Change),
    ("GET", "/api/v1/problems/{sum}/tests", Access::Person),
    ("DELETE", "/api/v1/problems/{sum}/tests/{name}", Access::Person),
    ("POST", "/api/v1/games", Access::Person),
    ("GET", "/api/v1/games/{match}", Access::Own),
    ("POST", "/api/v1/games/{match}/hint", Access::Own),
    ("POST", "/api/v1/games/{match}/undo", Access::Own),
    ("POST", "/api/v1/games/{match}/moves", Access::Own),
    ("POST", "/api/v1/session", Access::Public),
    ("DELETE", "/api/v1/session", Access::Person),
    ("POST", "/api/v1/join", Access::Public),
    ("POST", "/api/v1/setup", Access::Public),
    ("GET", "/api/v1/me", Access::Person),
    ("POST", "/api/v1/me/password", Access::Person),
    ("GET", "/api/v1/me/tokens", Access::Person),
    ("POST", "/api/v1/me/tokens", Access::Person),
    ("DELETE", "/api/v1/me/tokens/{token}", Access::Own),
    ("GET", "/api/v1/people", Access::Staff),
    ("PATCH", "/api/v1/people/{zoe}", Access::Teacher),
    ("POST", "/api/v1/people/{ann}/reset", Access::Teacher),
    ("GET", "/api/v1/invitations", Access::Teacher),
    ("POST", "/api/v1/invitations", Access::Teacher),
    ("DELETE", "/api/v1/invitations/{invitation}", Access::Teacher),
    ("GET", "/api/v1/assignments", Access::Person),
    ("POST", "/api/v1/assignments", Access::Teacher),
    ("GET", "/api/v1/assignments/{open}", Access::Person),
    ("GET", "/api/v1/assignments/{upcoming}", Access::Hidden),
    ("GET", "/api/v1/assignments/{open}/standings", Access::Person),
    ("GET", "/api/v1/assignments/{upcoming}/standings", Access::Hidden),
    ("GET", "/api/v1/assignments/{open}/standings.csv", Access::Staff),
    ("PUT", "/api/v1/assignments/{open}", Access::Teacher),
    ("DELETE", "/api/v1/assignments/{upcoming}", Access::Teacher),
    ("GET", "/api/v1/settings", Access::Staff),
    ("PUT", "/api/v1/settings", Access::Teacher),
    ("GET", "/api/v1/classes", Access::Staff),
    ("POST", "/api/v1/classes", Access::Teacher),
    ("GET", "/api/v1/classes/{class}", Access::Staff),
    ("GET", "/api/v1/classes/{class}/events", Access::Staff),
    ("GET", "/api/v1/classes/{class}/roster", Access::Staff),
    ("GET", "/api/v1/classes/{class}/gradebook", Access::Staff),
    ("GET", "/api/v1/classes/{class}/gradebook.csv", Access::Staff),
    ("GET", "/api/v1/classes/{class}/gradebook.json", Access::Staff),
    ("GET", "/api/v1/classes/{class}/log", Access::Staff),
    ("GET", "/api/v1/classes/{class}/rules", Access::Staff),
    ("GET", "/api/v1/classes/{class}/similarity", Access::Staff),
    ("GET", "/api/v1/classes/{class}/pairs/{pair}", Access::Staff),
    ("GET", "/api/v1/classes/{class}/groups", Access::Staff),
    ("GET", "/api/v1/classes/{class}/tests/{sum}", Access::Staff),
    ("GET", "/api/v1/classes/{class}/submissions/{ann}/{sum}", Access::Staff),
    ("GET", "/api/v1/classes/{class}/downloads", Access::Staff),
    ("GET", "/api/v1/classes/{class}/downloads/{name}", Access::Staff),
    ("POST", "/api/v1/classes/{class}/downloads/{name}", Access::Staff),
    ("POST", "/api/v1/classes/{class}/start", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/pause", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/resume", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/rejudge", Access::Teacher),
    ("PUT", "/api/v1/classes/{class}/roster", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/overrides", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/overrides/undo", Access::Teacher),
    ("PUT", "/api/v1/classes/{class}/rules", Access::Teacher),
    ("POST", "/api/v1/classes/{class}/rules/preview", Access::Teacher),
    ("DELETE", "/api/v1/classes/{class}", Access::Teacher),
    ("GET", "/api/v1/schema.json", Access::Person),
];

/// The routes of the router, as method and path with `{}` for each parameter.
fn routes_of_the_router() -> BTreeSet<(String, String)> {
    let source = include_str!("../../src/server/web/server.rs");
    let parameter = Regex::new(r"\{[^}]*\}").unwrap();
    let method = Regex::new(r"\b(get|post|put|patch|delete)\(").unwrap();
    let mut found = BTreeSet::new();
    let (classes, api) = source.split_once("let api = Router::new()").unwrap();
    let (api, pages) = api.split_once("Router::new()").unwrap();
    for (prefix, part) in [("/api/v1", classes), ("/api/v1", api), ("", pages.split(".nest(").next().unwrap())] {
        for call in part.split(".route(").skip(1) {
            let path = call.split('"').nth(1).unwrap();
            let path = parameter.replace_all(&format!("{prefix}{path}"), "{}").into_owned();
            for method in method.captures_iter(call.split_once(',').unwrap().1) {
                found.insert((method[1].to_uppercase(), path.clone()));
            }
        }
    }
    found
}

#[test]
fn every_route_is_in_the_table_of_roles() {
    let parameter = Regex::new(r"\{[^}]*\}").unwrap();
    let listed = ROUTES.iter().map(|(method, path, _)| {
        let path = path.split('?').next().unwrap();
        ((*method).to_owned(), parameter.replace_all(path, "{}").into_owned())
    });
    let (listed, router) = (listed.collect::<BTreeSet<_>>(), routes_of_the_router());
    assert!(router.len() > 50, "{router:?}");
    let missing: Vec<_> = router.symmetric_difference(&listed).collect();
    assert!(missing.is_empty(), "these are only in the router or only in the table: {missing:?}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn each_role_reaches_what_it_may_and_nothing_else() {
    let project = project();
    let server = Server::start(&project, &["problems", "--class", "--data", "data"]);
    let teacher = set_up(&server);
    let assistant = joined(&teacher, "assistant", "assi");
    let (ann, zoe) = (joined(&teacher, "student", "ann"), joined(&teacher, "student", "zoe"));
    let id = |browser: &Browser<'_>| browser.get("/api/v1/me").json()["id"].as_str().unwrap().to_owned();
    let make = |draft: &Value| {
        let made = teacher.send("POST", "/api/v1/assignments", draft);
        assert_eq!(made.status, 201, "{}", made.body);
        made.json()["id"].as_str().unwrap().to_owned()
    };
    let open = make(&assignment(now() - 1_000, now() + 3_600_000, "refuse", "full"));
    let upcoming = make(&assignment(now() + 3_600_000, now() + 7_200_000, "refuse", "verdicts"));
    let started = |path: &str, body: Value, status: u16| {
        let answer = ann.send("POST", path, &body);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        answer.json()["id"].as_str().unwrap().to_owned()
    };
    let run = started("/api/v1/runs", program("print(sum(a))"), 202);
    _ = ann.get(&format!("/api/v1/runs/{run}/events"));
    let search =
        started("/api/v1/stress", json!({ "problem": "sum", "name": "a.py", "source": "print(1)", "seconds": 1 }), 202);
    let spare =
        ann.send("POST", "/api/v1/me/tokens", &json!({ "name": "spare" })).json()["id"].as_str().unwrap().to_owned();
    let invitation = teacher.send("POST", "/api/v1/invitations", &json!({ "role": "student" }));
    let invitation = invitation.json()[0]["id"].as_str().unwrap().to_owned();
    let (ann_id, zoe_id) = (id(&ann), id(&zoe));
    let things = [
        ("{run}", &*run),
        ("{search}", &search),
        ("{ann}", &ann_id),
        ("{zoe}", &zoe_id),
        ("{open}", &open),
        ("{upcoming}", &upcoming),
        ("{token}", &spare),
        ("{invitation}", &invitation),
        ("{sum}", "sum"),
        // There is no such class; the role is checked before.
        ("{class}", "0123456789abcdef0123456789abcdef"),
        ("{pair}", "0"),
        ("{part}", "log"),
        ("{name}", "gradebook.csv"),
    ];
    let tokens = [&zoe, &assistant, &ann, &teacher].map(|browser| Some(browser.personal_token()));
    let [zoe, assistant, ann, teacher] = tokens;
    let people = [None, zoe, assistant, ann, teacher, Some(server.token.clone())];
    let mut wrong = Vec::new();
    for (method, path, access) in ROUTES {
        if path.contains("{game}") || path.contains("{match}") || path.contains("{version}") {
            // Matches are tested below; a game needs a problem with one, and files are the same for all.
            continue;
        }
        let of_class = path.contains("{class}");
        let path = things.iter().fold((*path).to_owned(), |path, (name, id)| path.replace(name, id));
        let body = if matches!(*method, "GET" | "DELETE") { String::new() } else { "{}".to_owned() };
        // Nobody, another student, an assistant, the student, a teacher, the owner.
        let expected = match access {
            Access::Public => [true; 6],
            Access::Person => [false, true, true, true, true, true],
            Access::Work => [false, false, true, true, true, true],
            Access::Change => [false, false, false, true, true, true],
            Access::Own => [false, false, false, true, false, false],
            Access::Staff | Access::Hidden => [false, false, true, false, true, true],
            Access::Teacher => [false, false, false, false, true, true],
        };
        for (at, (person, expected)) in people.iter().zip(expected).enumerate() {
            let bearer = person.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
            let headers = format!("{bearer}Content-Type: application/json\r\n");
            let answer = server.request(method, &path, &headers, &body);
            let refused = match answer.status {
                401 => Some("nobody"),
                404 if of_class => None,
                403 | 404 => Some("role"),
                _ => None,
            };
            // Own tests are the caller's; here nobody has one.
            let is_gone = answer.status == 404 && *method == "DELETE" && (at > 3 || path.contains("/tests/"));
            let owner_without_account = at == 5 && path.starts_with("/api/v1/me");
            let right =
                if expected { refused.is_none() || is_gone || owner_without_account } else { refused.is_some() };
            let hides = matches!(access, Access::Work | Access::Change | Access::Own | Access::Hidden) && at == 1;
            if !right
                || (at == 0 && !expected && answer.status != 401)
                || (hides && answer.status != 404 && !path.contains("person="))
            {
                wrong.push(format!("{method} {path} as number {at}: {} {}", answer.status, answer.body));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_match_belongs_to_its_player() {
    let project = Project::new();
    let server = Server::start(&project, &["--class", "--data", "data"]);
    let teacher = set_up(&server);
    let (ann, zoe) = (joined(&teacher, "student", "ann"), joined(&teacher, "student", "zoe"));
    let made = ann.send("POST", "/api/v1/games", &json!({ "problem": "classic-nim", "position": "3 5" }));
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/api/v1/games/{}", made.json()["id"].as_str().unwrap());
    for other in [&zoe, &teacher] {
        assert_eq!(other.get(&path).status, 404);
        for what in ["moves", "undo", "hint"] {
            let answer = other.send("POST", &format!("{path}/{what}"), &json!({ "move": [1, 1] }));
            assert_eq!(answer.status, 404, "{what}");
        }
    }
    assert_eq!(ann.get(&path).status, 200);
    assert_eq!(ann.get("/games/classic-nim").status, 200);
}
