//! Requests that must be refused: of other hosts, other origins, without the token, too large, too slow or broken.

use std::io::{Read, Write};

use serde_json::json;

use super::client::{Server, read_answer};
use crate::project::Project;

/// A project with a folder of samples, and a server that offers it.
fn server(project: &Project) -> Server {
    Server::start(project, &["samples"])
}

fn samples() -> Project {
    Project::new().file("samples/1.in", "1 2\n").file("samples/1.out", "3\n")
}

#[test]
fn a_page_that_rebinds_its_name_reads_nothing() {
    let project = samples();
    let server = server(&project);
    let port = server.port;
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), "127.0.0.1:1".to_owned(), String::new()] {
        for path in ["/", "/api/v1/problems", "/healthz", "/assets/x/app.js", "/nowhere"] {
            let answer = server.raw(
                format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
                    .as_bytes(),
            );
            assert_eq!(answer.status, 421, "{host} {path}: {}", answer.body);
            assert!(!answer.body.contains(&server.token), "{host} {path}");
        }
    }
    let doubled =
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!([400, 421].contains(&server.raw(doubled.as_bytes()).status));
    let none = server.raw(b"GET / HTTP/1.0\r\n\r\n");
    assert_eq!(none.status, 421);
    let absolute = format!("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.raw(absolute.as_bytes()).status, 421);
    for name in ["localhost", "[::1]", "LOCALHOST"] {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.raw(request.as_bytes()).status, 200, "{name}");
    }
}

#[test]
fn a_write_needs_the_token_and_the_own_origin() {
    let project = samples();
    let server = server(&project);
    let body = json!({ "problem": "samples", "name": "a.py", "source": "print(3)" }).to_string();
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    let own = format!("X-Nimatron-Token: {}\r\n", server.token);
    let post = |headers: &str| server.request("POST", "/api/v1/runs", headers, &body).status;
    assert_eq!(post(""), 403);
    assert_eq!(post("Authorization: Bearer wrong\r\n"), 403);
    assert_eq!(post("Authorization: Bearer \r\n"), 403);
    assert_eq!(post(&format!("Authorization: Basic {}\r\n", server.token)), 403);
    assert_eq!(post(&format!("Cookie: token={}\r\n", server.token)), 403);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost", "file://"] {
        assert_eq!(post(&format!("{token}Origin: {origin}\r\n")), 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(post(&format!("{own}Sec-Fetch-Site: {site}\r\n")), 403, "{site}");
    }
    assert_eq!(post(&format!("{own}Origin: http://127.0.0.1:{}\r\nSec-Fetch-Site: same-origin\r\n", server.port)), 202);
    assert_eq!(post(&token), 202);
    let run = server.get("/api/v1/runs").json()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(server.request("DELETE", &format!("/api/v1/runs/{run}"), "", "").status, 403);
}

#[test]
fn a_page_of_another_site_may_link_but_not_load() {
    let project = samples();
    let server = server(&project);
    let get = |site: &str, mode: &str, dest: &str| {
        let headers = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {dest}\r\n");
        server.request("GET", "/problems/samples", &headers, "").status
    };
    assert_eq!(get("cross-site", "navigate", "document"), 200);
    assert_eq!(get("same-origin", "cors", "empty"), 200);
    for (site, mode, dest) in
        [("cross-site", "no-cors", "image"), ("same-site", "no-cors", "script"), ("cross-site", "navigate", "iframe")]
    {
        assert_eq!(get(site, mode, dest), 403, "{site} {mode} {dest}");
    }
}

#[test]
fn no_answer_may_be_read_or_framed_by_another_page() {
    let project = samples();
    let server = server(&project);
    for path in ["/", "/api/v1/problems", "/nowhere", "/problems/samples"] {
        let answer = server.request("GET", path, "Accept: text/html\r\nOrigin: https://evil.example\r\n", "");
        let head = answer.head.to_lowercase();
        assert!(!head.contains("access-control-allow"), "{path}: {head}");
        for wanted in [
            "x-frame-options: deny",
            "nosniff",
            "frame-ancestors 'none'",
            "default-src 'none'",
            "no-referrer",
            "no-store",
        ] {
            assert!(head.contains(wanted), "{path}: {wanted} in {head}");
        }
        let policy = head.lines().find(|line| line.starts_with("content-security-policy")).unwrap();
        assert!(!policy.contains("unsafe"), "{policy}");
    }
    let nonce = |answer: &super::client::Answer| {
        let start = answer.head.find("'nonce-").unwrap();
        answer.head[start..start + 40].to_owned()
    };
    let [first, second] = [server.page("/"), server.page("/")].map(|answer| nonce(&answer));
    assert_ne!(first, second, "each response has its own nonce");
    let options = server.request(
        "OPTIONS",
        "/api/v1/runs",
        "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n",
        "",
    );
    assert!(!options.head.to_lowercase().contains("access-control-allow"), "{}", options.head);
}

#[test]
fn broken_and_large_requests_are_refused_and_the_server_goes_on() {
    let project = samples();
    let server = server(&project);
    let post = |body: &str| server.write("POST", "/api/v1/runs", &serde_json::from_str(body).unwrap());
    for (body, status, words) in [
        (r#"{"problem": "nowhere", "name": "a.py", "source": ""}"#, 404, "there is no problem `nowhere`"),
        (r#"{"problem": "../../etc", "name": "a.py", "source": ""}"#, 404, "there is no problem"),
        (r#"{"problem": "samples", "language": "klingon", "source": ""}"#, 422, "installed languages: `rust`, "),
        (r#"{"problem": "samples", "name": "a.klingon", "source": ""}"#, 422, "has the extension `.klingon`"),
        (r#"{"problem": "samples", "name": "a.klingon", "source": ""}"#, 422, "installed languages: `rust`, "),
        (r#"{"problem": "samples", "name": "Makefile", "source": ""}"#, 422, "`language` is required"),
        (r#"{"problem": "samples", "source": ""}"#, 422, "neither a `name` nor a `language`"),
        (r#"{"problem": "samples", "name": "../a.py", "source": ""}"#, 422, "not a valid file name"),
        (r#"{"problem": "samples", "name": "", "source": ""}"#, 422, "not a valid file name"),
        (r#"{"problem": "samples", "name": "a.py", "source": "", "kind": "input"}"#, 422, "`input` is required"),
        (r#"{"problem": "samples", "name": "a.py", "source": "", "extra": 1}"#, 400, "unknown field `extra`"),
        (r#"{"name": "a.py", "source": ""}"#, 400, "missing field `problem`"),
        (r#"[1, 2]"#, 400, "not valid JSON for this request"),
    ] {
        let answer = post(body);
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        assert!(
            answer.json()["error"].as_str().unwrap().contains(words) || answer.body.contains(words),
            "{body}: {}",
            answer.body
        );
    }
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    assert_eq!(server.request("POST", "/api/v1/runs", &token, "{\"problem\": ").status, 400);
    assert_eq!(server.request("POST", "/api/v1/runs", &token, &"x".repeat(5 << 20)).status, 413);
    let large = json!({ "problem": "samples", "name": "a.py", "source": "x".repeat((1 << 20) + 1) });
    assert_eq!(server.write("POST", "/api/v1/runs", &large).status, 413);
    assert_eq!(server.request("PUT", "/api/v1/runs", &token, "").status, 405);
    for path in [
        "/api/v1/runs/1",
        "/api/v1/runs/../../etc/passwd",
        "/api/v1/runs/%2e%2e",
        "/api/v1/nowhere",
        "/%00",
        "/assets/x/../../Cargo.toml",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    for (path, words) in [
        ("/api/v1/runs?limit=many", "cannot parse the query of the URL"),
        ("/api/v1/runs?limit=-1", "cannot parse the query of the URL"),
        ("/api/v1/runs?limit=1&limit=2", "cannot parse the query of the URL"),
        ("/api/v1/runs/%ff%fe", "cannot parse the path of the URL"),
        ("/problems/%ff", "cannot parse the path of the URL"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        assert!(answer.json()["error"].as_str().unwrap().contains(words), "{path}: {}", answer.body);
    }
    let page = server.page("/games/octal?to=many");
    assert!(page.status == 400 && page.body.contains("<main"), "an error is a page for a browser: {page:?}");
    let many = (0..200).map(|number| format!("X-{number}: 1\r\n")).collect::<String>();
    assert_eq!(server.request("GET", "/", &many, "").status, 431);
    assert_eq!(server.request("GET", "/", &format!("X-Long: {}\r\n", "a".repeat(100 << 10)), "").status, 431);
    for bytes in
        [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let answer = server.raw(bytes);
        assert!(answer.status == 0 || answer.status >= 400, "{bytes:?}: {}", answer.status);
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn slow_clients_do_not_keep_others_waiting() {
    let project = samples();
    let server = server(&project);
    let mut slow = Vec::new();
    for _ in 0..300 {
        let mut stream = server.connect();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
        slow.push(stream);
    }
    assert_eq!(server.get("/healthz").status, 200);
    // A body that ends too early.
    let mut stream = server.connect();
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Length: 100\r\n\r\n{{",
        server.port, server.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let answer = read_answer(&mut stream);
    assert!(answer.status == 0 || answer.status == 400, "{answer:?}");
    drop(slow);
    assert_eq!(server.get("/api/v1/problems").status, 200);
}

#[test]
fn open_streams_end_with_the_server() {
    let project = samples();
    let server = server(&project);
    let run = server.submit(&json!({ "problem": "samples", "name": "a.py", "source": "while True: pass" }));
    let mut stream = server.connect();
    let request = format!("GET /api/v1/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    stream.write_all(request.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    let start = std::time::Instant::now();
    assert!(server.interrupt());
    assert!(start.elapsed().as_secs() < 5, "Ctrl-C took {:?}", start.elapsed());
}
