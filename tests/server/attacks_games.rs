//! Attacks on what the server computes itself: positions, codes and descriptions that would cost any time and memory.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::attacks::School;
use super::client::{Server, read_answer};
use crate::project::{Project, SUM};

/// What the server may occupy in memory after all of them, in bytes. Without limits each of them takes some gigabytes.
const MOST_MEMORY: u64 = 600 << 20;

/// Positions of games in which no theorem decides, so that positions are searched.
const POSITIONS: [(&str, &str); 9] = [
    ("candy-nim", "100000 100000"),
    ("candy-nim", "3000 3001"),
    ("building-nim", "3000 3001"),
    ("grundys-game-misere", "90000 80000 70000"),
    ("bounded-moore-nim", "16000 15999 14000"),
    ("equal-nim", "500 501 502 503"),
    ("staircase-nim", "18446744073709551615 18446744073709551615 1"),
    ("split-nim-large", "18446744073709551615 1"),
    ("subtraction-game-misere", "18446744073709551615"),
];

fn wide(game: &str) -> (String, String) {
    (game.to_owned(), "9 ".repeat(195))
}

fn positions() -> Vec<(String, String)> {
    let owned = |(game, position): (&str, &str)| (game.to_owned(), position.to_owned());
    POSITIONS.map(owned).into_iter().chain(["candy-nim", "bounded-moore-nim", "split-nim"].map(wide)).collect()
}

fn encoded(text: &str) -> String {
    text.trim().replace(' ', "+")
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_huge_position_costs_bounded_memory() {
    let project = Project::new();
    let server = Server::start(&project, &["--data", "data"]);
    for (game, position) in positions() {
        let path = format!("/games/{game}/theory?position={}", encoded(&position));
        let answer = server.page(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let made = server.write("POST", "/api/v1/games", &json!({ "problem": game, "position": position }));
        assert!([201, 422].contains(&made.status), "{game} {position}: {} {}", made.status, made.body);
        if made.status == 201 {
            let path = format!("/api/v1/games/{}/hint", made.json()["id"].as_str().unwrap());
            let hint = server.write("POST", &path, &json!({}));
            assert!([200, 422].contains(&hint.status), "{game} {position}: {} {}", hint.status, hint.body);
        }
        assert!(server.peak_memory() < MOST_MEMORY, "{game} {position}: {} MiB", server.peak_memory() >> 20);
    }
}

#[test]
fn texts_of_positions_and_codes_are_bounded() {
    let project = Project::new();
    let server = Server::start(&project, &["--data", "data"]);
    for position in
        ["1 ".repeat(4_000), "1".repeat(5_000), "+".repeat(401), "-1".to_owned(), "1e9".to_owned(), "\0".to_owned()]
    {
        let made = server.write("POST", "/api/v1/games", &json!({ "problem": "classic-nim", "position": position }));
        assert_eq!(made.status, 422, "{position:.20}: {}", made.body);
        let page = server.page(&format!(
            "/games/classic-nim/theory?position={}",
            encoded(&position.replace('\0', "%00").replace('+', "%2B"))
        ));
        assert!(page.status == 200 && page.body.contains("role=\"alert\""), "{position:.20}: {}", page.status);
    }
    for moves in
        [json!(vec![1; 8_000]), json!("9".repeat(10_000)), json!([u64::MAX, u64::MAX]), json!([]), json!({ "a": 1 })]
    {
        let game =
            server.write("POST", "/api/v1/games", &json!({ "problem": "classic-nim", "position": "3 5" })).json();
        let path = format!("/api/v1/games/{}/moves", game["id"].as_str().unwrap());
        let answer = server.write("POST", &path, &json!({ "move": moves }));
        assert!([400, 413, 422].contains(&answer.status), "{moves:.40}: {} {}", answer.status, answer.body);
    }
    for (query, words) in [
        (format!("code=0.{}", "7".repeat(100)), "supports at most 40"),
        (format!("code={}", "7".repeat(20_000)), "supports at most 40"),
        ("code=0.8".to_owned(), "not an octal code"),
        ("code=%00".to_owned(), "not an octal code"),
        ("code=0.07&to=18446744073709551615".to_owned(), "value=\"2000\""),
        ("code=0.07&to=0".to_owned(), "value=\"1\""),
    ] {
        let answer = server.page(&format!("/games/octal?{query}"));
        assert!(answer.status == 200 && answer.body.contains(words), "{query:.40}: {words} in {}", answer.body);
    }
    for to in ["-1", "18446744073709551616", "1e3"] {
        assert_eq!(server.page(&format!("/games/octal?code=0.07&to={to}")).status, 400, "{to}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn one_person_does_not_take_the_processors() {
    let project = Project::new();
    let server = Server::start(&project, &["--class", "--data", "data"]);
    let school = School::open(&server);
    let path = format!("/games/octal?to=2000&code=0.{}", "7".repeat(38));
    let head = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\nCookie: {}\r\n\r\n", server.port, school.ann.cookie);
    let asked: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            write!(stream, "GET {path} HTTP/1.1\r\n{head}").unwrap();
            stream
        })
        .collect();
    // Another person is next, not the forty-first; what costs nothing does not wait at all.
    let start = Instant::now();
    let other = school.zoe.get("/games/octal?code=0.07");
    assert_eq!(other.status, 200, "after {:?}: {}", start.elapsed(), other.body);
    assert_eq!(school.ann.get("/").status, 200);
    let start = Instant::now();
    let mut statuses: Vec<u16> = Vec::new();
    for stream in asked {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        statuses.push(read_answer(stream).status);
    }
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert!(refused >= 30, "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [200, 429, 503].contains(status)),
        "after {:?}: {statuses:?}",
        start.elapsed()
    );
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_description_of_huge_inputs_is_refused_or_small() {
    let project = Project::new()
        .file("problems/folder/1.in", "2\n1 2\n")
        .file("problems/folder/1.out", "3\n")
        .file("problems/sum/problem.yaml", SUM);
    let server = Server::start(&project, &["problems/folder", "--data", "data"]);
    for spec in [
        "n: 1000000000..=1000000000; a[n]: 1..=9",
        "n: 1..=9223372036854775807; a[n][n][n]: 1..=9",
        "a[1000000000][1000000000]: 1..=9",
        "s: /(((a{1000}){1000}){1000}){1000}/",
        "s: /(a*)*b{1000000000}/",
        "n: 9..=1",
        "n: 1..=n",
        &"n: 1..=9; ".repeat(100_000),
        &"(".repeat(100_000),
        "",
        "\0",
    ] {
        let search = json!({
            "problem": "folder", "name": "a.py", "source": "print(1)", "seconds": 1, "input_spec": spec,
            "against": { "name": "b.py", "source": "print(1)" },
        });
        let started = server.write("POST", "/api/v1/stress", &search);
        assert!([202, 422, 413].contains(&started.status), "{spec:.60}: {} {}", started.status, started.body);
        if started.status == 202 {
            let path = format!("/api/v1/stress/{}", started.json()["id"].as_str().unwrap());
            std::thread::sleep(Duration::from_millis(500));
            server.write("DELETE", &path, &serde_json::Value::Null);
            _ = server.get(&format!("{path}/events"));
        }
        assert!(server.peak_memory() < 1 << 30, "{spec:.60}: {} MiB", server.peak_memory() >> 20);
        assert_eq!(server.get("/healthz").body, "ok\n");
    }
}
