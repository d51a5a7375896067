//! Games over the API, and their pages.

use serde_json::{Value, json};

use super::client::Server;
use crate::project::Project;

/// A problem for each kind of position and of move, with a start position that is won for the player who moves first.
const GAMES: [(&str, &str); 14] = [
    ("classic-nim", "3 4 5"),
    ("misere-nim", "1 1 3"),
    ("moore-nim", "3 4 5"),
    ("greedy-nim", "2 3 3 3"),
    ("split-nim", "2 3"),
    ("grundys-game-heaps", "5 6"),
    ("wythoff", "4 5"),
    ("staircase-nim", "3 1 2"),
    ("twenty-one", "2"),
    ("circular-nim", "##.#."),
    ("building-nim", ""),
    ("candy-nim", "1 4 5 2"),
    ("graph-nim", ""),
    ("dag-sg", ""),
];

fn start(server: &Server, body: &Value) -> Value {
    let answer = server.write("POST", "/api/v1/games", body);
    assert_eq!(answer.status, 201, "{body}: {}", answer.body);
    answer.json()
}

/// Follows the hints to the end of a match, and returns its last state.
fn follow_hints(server: &Server, mut state: Value) -> Value {
    let path = format!("/api/v1/games/{}", state["id"].as_str().unwrap());
    for _ in 0..200 {
        if state["ended"] == true {
            return state;
        }
        let hint = server.write("POST", &format!("{path}/hint"), &Value::Null).json();
        let made = server.write("POST", &format!("{path}/moves"), &json!({ "move": hint["numbers"] }));
        assert_eq!(made.status, 200, "{hint}: {}", made.body);
        state = made.json();
    }
    panic!("the match does not end: {state}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_perfect_players_hints_win_each_kind_of_game() {
    let project = Project::new();
    let server = Server::start(&project, &[]);
    for (problem, position) in GAMES {
        let mut body = json!({ "problem": problem, "level": "beginner" });
        if !position.is_empty() {
            body["position"] = json!(position);
        }
        let state = start(&server, &body);
        assert_eq!((&state["ended"], &state["turn"]), (&json!(false), &json!(0)), "{problem}");
        let path = format!("/api/v1/games/{}", state["id"].as_str().unwrap());
        let hint = server.write("POST", &format!("{path}/hint"), &Value::Null).json();
        assert_eq!(hint["wins"], true, "{problem} from {}: {hint}", state["position"]["text"]);
        let listed = state["moves"].as_array().unwrap().iter().any(|legal| legal["numbers"] == hint["numbers"]);
        assert!(listed || state["complete"] == false, "{problem}: {hint}");

        let ended = follow_hints(&server, state);
        assert_eq!(ended["winner"], "you", "{problem}: {ended}");
        assert!(ended["result"].as_str().unwrap().contains("You win"), "{problem}: {}", ended["result"]);
        let review = ended["review"].to_string();
        assert!(review.contains("From the start position, you win with perfect play."), "{problem}: {review}");
        assert_eq!(server.get(&path).json(), ended, "{problem}");
    }
    // With three players the winner has the first place.
    let state = start(&server, &json!({ "problem": "three-player-nim", "position": "1" }));
    let ended = follow_hints(&server, state);
    assert_eq!((&ended["winner"], ended["players"].as_array().unwrap().len()), (&json!("you"), 3));
}

#[test]
fn moves_are_checked_and_can_be_taken_back() {
    let project = Project::new();
    let server = Server::start(&project, &[]);
    let first = start(&server, &json!({ "problem": "classic-nim", "position": "3 4 5" }));
    let path = format!("/api/v1/games/{}", first["id"].as_str().unwrap());
    assert_eq!(
        first["position"],
        json!({
            "kind": "heaps", "numbers": [3, 4, 5], "text": "(3 4 5)", "to_place": null, "limit": null, "grid": null, "circle": null,
            "vertices": null, "edges": null, "removes_edges": false, "splits": false
        })
    );
    assert_eq!(first["moves"].as_array().unwrap().len(), 12);
    for (body, status, words) in [
        (json!({ "move": [1, 4] }), 422, "There are only 3 objects in heap 1."),
        (json!({ "move": [4, 1] }), 422, "There is no heap 4"),
        (json!({ "move": "nonsense" }), 422, "expected a move, found `nonsense`"),
        (json!({ "move": [1, 1], "more": 1 }), 400, "not valid JSON for this request"),
        (json!({ "move": [-1] }), 400, "not valid JSON for this request"),
    ] {
        let answer = server.write("POST", &format!("{path}/moves"), &body);
        assert_eq!((answer.status, answer.body.contains(words)), (status, true), "{body}: {}", answer.body);
    }
    assert_eq!(server.write("POST", &format!("{path}/undo"), &Value::Null).status, 422);
    let moved = server.write("POST", &format!("{path}/moves"), &json!({ "move": "take 2 from heap 1" })).json();
    assert_eq!(
        moved["history"][0],
        json!({ "player": 0, "numbers": [1, 2], "text": "take 2 from heap 1", "before": "(3 4 5)" })
    );
    assert_eq!(moved["history"].as_array().unwrap().len(), 2, "the machine has answered");
    assert_eq!(server.write("POST", &format!("{path}/undo"), &Value::Null).json(), first);

    // The token is needed, and an unknown match or problem is missing.
    let text = json!({ "move": [1, 1] }).to_string();
    assert_eq!(server.request("POST", &format!("{path}/moves"), "", &text).status, 403);
    assert_eq!(server.request("POST", "/api/v1/games", "", "{\"problem\": \"classic-nim\"}").status, 403);
    let unknown = server.get("/api/v1/games/00000000000000000000000000000000");
    assert_eq!((unknown.status, unknown.body.contains("start a new match")), (404, true), "{}", unknown.body);
    assert_eq!(server.write("POST", "/api/v1/games", &json!({ "problem": "nothing" })).status, 404);
    let bad = server.write("POST", "/api/v1/games", &json!({ "problem": "classic-nim", "position": "x" }));
    assert_eq!((bad.status, bad.body.contains("expected numbers")), (422, true), "{}", bad.body);
}

#[test]
fn the_machine_begins_if_it_is_asked_to_and_wins_a_won_position() {
    let project = Project::new();
    let server = Server::start(&project, &[]);
    let state = start(&server, &json!({ "problem": "classic-nim", "position": "3 4 5", "first": "nimatron" }));
    assert_eq!((&state["turn"], &state["history"][0]["player"]), (&json!(1), &json!(0)));
    let ended = follow_hints(&server, state);
    assert_eq!(ended["winner"], "nimatron");
    assert!(
        ended["review"].to_string().contains("From the start position, Nimatron wins with perfect play."),
        "{ended}"
    );
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn pages_show_games_and_their_theory() {
    let project = Project::new();
    let server = Server::start(&project, &[]);
    for (path, words) in [
        ("/games", &["Classic Nim", "/games/dag-sg", "staircase", "/games/wythoff/theory"][..]),
        (
            "/games/classic-nim",
            &["data-game=\"classic-nim\"", "take any number of objects", "nimatron play classic-nim"],
        ),
        ("/games/wythoff/theory", &["golden ratio", "Wythoff 1907", "(0, 0), (1, 2), (3, 5)", "class=\"lost\""]),
        ("/games/set-nim/theory?position=3+5", &["nim-sum", "Grundy values", "N-position"]),
        ("/games/classic-nim/theory?position=3+5+6", &["P-position, the player to move loses"]),
        ("/games/classic-nim/theory?position=x", &["expected numbers from 0 to 2^64 - 1, found `x`"]),
        ("/games/grundys-game-misere/theory", &["Nimatron has no criterion"]),
        (
            "/games/octal",
            &["0.137", "Period 34 from heap size 52 on, certified", "<title>Grundy values of octal 0.137</title>"],
        ),
        ("/games/octal?code=%3Cb%3E", &["not an octal code", "&lt;b&gt;"]),
        ("/games/octal?code=0.07&to=5000000", &["Period 34"]),
    ] {
        let answer = server.page(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        for word in words {
            assert!(answer.body.contains(word), "{path}: {word} in {}", answer.body);
        }
        assert!(!answer.body.contains("style="), "{path}: the policy forbids it");
    }
    for path in ["/games/nothing", "/games/nothing/theory"] {
        assert_eq!(server.page(path).status, 404, "{path}");
    }
    let listed = server.page("/games").body;
    for (path, name) in listed.split("href=\"/games/").skip(1).filter_map(|part| part.split_once('"')) {
        let answer = server.page(&format!("/games/{path}"));
        assert_eq!(answer.status, 200, "{path} of {name:.0}: {}", answer.body);
    }
}
