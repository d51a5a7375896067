//! What students see of the problems of an assignment: nothing before its start, and no hints for its games while it is
//! open.

use serde_json::{Value, json};

use super::class_browser::{Browser, assignment, class, joined, now, program, project, set_up};
use super::client::{Server, events_of};
use crate::project::Project;

const HOUR: i64 = 3_600_000;

/// The statuses of the page of `sum`, of its requests, and whether the list has it.
fn reach(person: &Browser<'_>) -> (u16, u16, u16, u16, bool) {
    let list = person.get("/api/v1/problems").body;
    (
        person.get("/problems/sum").status,
        person.get("/api/v1/problems/sum").status,
        person.get("/api/v1/problems/sum/tests").status,
        person.send("POST", "/api/v1/runs", &program("print(sum(a))")).status,
        list.contains("\"sum\""),
    )
}

#[test]
fn problems_of_an_assignment_that_has_not_started_are_hidden_from_students() {
    let project = project();
    let server = class(&project);
    let teacher = set_up(&server);
    let (assistant, ann) = (joined(&teacher, "assistant", "assi"), joined(&teacher, "student", "ann"));
    let (shown, hidden) = ((200, 200, 200, 202, true), (404, 404, 404, 404, false));
    assert_eq!(reach(&ann), shown, "no assignment has it");
    let make = |start: i64, end: i64| {
        let made =
            teacher.send("POST", "/api/v1/assignments", &assignment(now() + start, now() + end, "refuse", "full"));
        assert_eq!(made.status, 201, "{}", made.body);
        format!("/api/v1/assignments/{}", made.json()["id"].as_str().unwrap())
    };
    let upcoming = make(HOUR, 2 * HOUR);
    assert_eq!(reach(&ann), hidden);
    assert!(!ann.get("/").body.contains("/problems/sum"));
    // What the student has submitted stays.
    let runs = ann.get("/api/v1/runs").json();
    assert_eq!(runs.as_array().unwrap().len(), 1);
    assert_eq!(ann.get(&format!("/submissions/{}", runs[0]["id"].as_str().unwrap())).status, 200);
    for staff in [&assistant, &teacher] {
        assert_eq!(reach(staff), shown);
    }
    // An earlier assignment has already shown it.
    let ended = make(-2 * HOUR, -HOUR);
    assert_eq!(ann.get("/problems/sum").status, 200);
    assert_eq!(teacher.send("DELETE", &ended, &Value::Null).status, 204);
    assert_eq!(reach(&ann), hidden);
    let change = assignment(now() - HOUR, now() + HOUR, "refuse", "full");
    assert_eq!(teacher.send("PUT", &upcoming, &change).status, 200);
    assert_eq!(ann.get("/problems/sum").status, 200, "it has started");
}

#[test]
fn hints_and_theory_are_off_for_students_while_an_assignment_has_the_game() {
    let project = Project::new();
    let server = Server::start(&project, &["--class", "--data", "data"]);
    let teacher = set_up(&server);
    let ann = joined(&teacher, "student", "ann");
    let start = |person: &Browser<'_>, position: &str| {
        let body = json!({ "problem": "classic-nim", "level": "beginner", "position": position });
        let made = person.send("POST", "/api/v1/games", &body);
        assert_eq!(made.status, 201, "{}", made.body);
        format!("/api/v1/games/{}", made.json()["id"].as_str().unwrap())
    };
    let hint = |person: &Browser<'_>, game: &str| person.send("POST", &format!("{game}/hint"), &Value::Null);
    let (own, short, of_teacher) = (start(&ann, "3 5"), start(&ann, "1"), start(&teacher, "3 5"));
    assert_eq!((hint(&ann, &own).status, ann.get("/games/classic-nim/theory").status), (200, 200));
    let during = |start: i64, end: i64| json!({ "name": "Week <1>", "problems": ["classic-nim"], "start": now() + start, "end": now() + end, "feedback": "full" });
    let made = teacher.send("POST", "/api/v1/assignments", &during(-HOUR, HOUR));
    let path = format!("/api/v1/assignments/{}", made.json()["id"].as_str().unwrap());

    let refused = hint(&ann, &own);
    assert!(refused.status == 403 && refused.body.contains("`Week <1>` is open"), "{}", refused.body);
    assert_eq!(ann.get("/games/classic-nim/theory").status, 403);
    let page = ann.get("/games/classic-nim").body;
    assert!(page.contains("“Week &lt;1&gt;” is open") && !page.contains("/games/classic-nim/theory"), "{page}");
    let move_of = json!({ "move": [1, 1] });
    let ended = ann.send("POST", &format!("{short}/moves"), &move_of).json();
    assert_eq!((&ended["ended"], &ended["winner"], &ended["review"]), (&json!(true), &json!("you"), &json!([])));
    assert_eq!(ann.get("/games/split-nim/theory").status, 200, "another game");
    assert_eq!((hint(&teacher, &of_teacher).status, teacher.get("/games/classic-nim/theory").status), (200, 200));
    // A search shows the input that a program fails, but not why the position is won.
    let wrong = json!({ "problem": "classic-nim", "name": "a.py", "source": "print('Yes')", "seconds": 60 });
    let search = ann.send("POST", "/api/v1/stress", &wrong);
    assert_eq!(search.status, 202, "{}", search.body);
    let search = format!("/api/v1/stress/{}", search.json()["id"].as_str().unwrap());
    let last = events_of(&ann.get(&format!("{search}/events")).body).pop().unwrap().1;
    assert_eq!((&last["found"], &last["why"]), (&json!(true), &json!([])), "{last}");
    assert_eq!(ann.get(&search).json()["result"]["why"], json!([]));
    assert_eq!(ann.get("/api/v1/stress").json()[0]["result"]["why"], json!([]));
    assert_ne!(teacher.get(&search).json()["result"]["why"], json!([]));

    assert_eq!(teacher.send("PUT", &path, &during(-2 * HOUR, -HOUR)).status, 200);
    assert_eq!((hint(&ann, &own).status, ann.get("/games/classic-nim/theory").status), (200, 200), "it has ended");
    assert_ne!(ann.get(&short).json()["review"], json!([]));
    assert_ne!(ann.get(&search).json()["result"]["why"], json!([]));
}
