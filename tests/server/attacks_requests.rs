//! Attacks in one request: of another host or origin, without the token, of doubtful length, too large, or broken.

use super::client::{Answer, Server};
use crate::project::Project;

/// A request that must be refused.
struct ForgedRequest {
    /// What is tried, as in the table of attacks.
    attack: &'static str,
    /// The request; `{own}` is the address of the server, `{port}` its port, `{token}` its token; `{long}` and
    /// `{huge}` are long texts.
    request: &'static str,
    /// The statuses with which it may be refused; 0 if the connection is closed without an answer.
    refusals: &'static [u16],
}

const fn forged(attack: &'static str, request: &'static str, refusals: &'static [u16]) -> ForgedRequest {
    ForgedRequest { attack, request, refusals }
}

/// The end of the headers of a request that submits a program.
macro_rules! submit {
    ($headers:literal) => {
        concat!(
            "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n",
            $headers,
            "Content-Length: 54\r\n\r\n{\"problem\":\"samples\",\"name\":\"a.py\",\"source\":\"print()\"}"
        )
    };
}

macro_rules! get {
    ($path:literal, $host:literal, $headers:literal) => {
        concat!("GET ", $path, " HTTP/1.1\r\nHost: ", $host, "\r\nConnection: close\r\n", $headers, "\r\n")
    };
}

const FORGED: &[ForgedRequest] = &[
    // A page whose name was rebound to the address of the server.
    forged("rebound name", get!("/", "evil.example:{port}", ""), &[421]),
    forged("rebound name in the API", get!("/api/v1/problems", "evil.example", ""), &[421]),
    forged("own address with another port", get!("/", "127.0.0.1:1", ""), &[421]),
    forged("own address without a port", get!("/", "127.0.0.1", ""), &[421]),
    forged("own address as the start of a name", get!("/", "127.0.0.1:{port}.evil.example", ""), &[421, 400]),
    forged("own name with a final dot", get!("/", "localhost.:{port}", ""), &[421]),
    forged("own address as one number", get!("/", "2130706433:{port}", ""), &[421]),
    forged("address of every interface", get!("/", "0.0.0.0:{port}", ""), &[421]),
    forged("mapped IPv6 address", get!("/", "[::ffff:127.0.0.1]:{port}", ""), &[421]),
    forged("blank before the own name", get!("/", "evil.example {own}", ""), &[421, 400]),
    forged("two hosts", get!("/", "{own}", "Host: evil.example\r\n"), &[421, 400]),
    forged("two hosts in one header", get!("/", "{own}, evil.example", ""), &[421, 400]),
    forged("empty host", get!("/", "", ""), &[421]),
    forged("no host", "GET / HTTP/1.0\r\n\r\n", &[421]),
    forged("absolute target of another host", get!("http://evil.example/", "{own}", ""), &[421]),
    forged("own address as a user in the target", get!("http://{own}@evil.example/", "{own}", ""), &[421, 400]),
    forged("X-Forwarded-Host", get!("/", "evil.example", "X-Forwarded-Host: {own}\r\n"), &[421]),
    forged("Forwarded", get!("/", "evil.example", "Forwarded: host={own};proto=https\r\nX-Host: {own}\r\n"), &[421]),
    // A write of a page of another origin.
    forged("write without a token", submit!(""), &[403]),
    forged("write with a wrong token", submit!("X-Nimatron-Token: 00000000000000000000000000000000\r\n"), &[403]),
    forged("write with an empty token", submit!("Authorization: Bearer \r\nX-Nimatron-Token:\r\n"), &[403]),
    forged("token in a cookie", submit!("Cookie: token={token}; nimatron-{port}={token}\r\n"), &[403]),
    forged("token for Basic authentication", submit!("Authorization: Basic {token}\r\n"), &[403]),
    forged(
        "token in the address",
        "DELETE /api/v1/runs/0?token={token} HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n",
        &[403],
    ),
    forged("foreign origin", submit!("Authorization: Bearer {token}\r\nOrigin: https://evil.example\r\n"), &[403]),
    forged("origin null", submit!("Authorization: Bearer {token}\r\nOrigin: null\r\n"), &[403]),
    forged(
        "origin with another port",
        submit!("Authorization: Bearer {token}\r\nOrigin: http://127.0.0.1:1\r\n"),
        &[403],
    ),
    forged(
        "own address as the start of an origin",
        submit!("Authorization: Bearer {token}\r\nOrigin: http://{own}.evil.example\r\n"),
        &[403],
    ),
    forged("origin of another scheme", submit!("Authorization: Bearer {token}\r\nOrigin: file://{own}\r\n"), &[403]),
    forged(
        "write from another site without an origin",
        submit!("X-Nimatron-Token: {token}\r\nSec-Fetch-Site: cross-site\r\n"),
        &[403],
    ),
    forged("write from a sibling site", submit!("X-Nimatron-Token: {token}\r\nSec-Fetch-Site: same-site\r\n"), &[403]),
    forged("form as plain text", submit!("Content-Type: text/plain\r\n"), &[403]),
    forged("form", submit!("Content-Type: application/x-www-form-urlencoded\r\n"), &[403]),
    forged("form with parts", submit!("Content-Type: multipart/form-data; boundary=x\r\n"), &[403]),
    forged("method override of a write", submit!("X-HTTP-Method-Override: GET\r\nX-Method-Override: GET\r\n"), &[403]),
    forged(
        "method override of a read",
        get!("/api/v1/session?_method=DELETE", "{own}", "X-HTTP-Method-Override: DELETE\r\n"),
        &[405],
    ),
    forged(
        "image of another site",
        get!(
            "/games/octal",
            "{own}",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n"
        ),
        &[403],
    ),
    forged(
        "frame of another site",
        get!("/", "{own}", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"),
        &[403],
    ),
    forged("TRACE", "TRACE / HTTP/1.1\r\nHost: {own}\r\nX-Secret: {token}\r\nConnection: close\r\n\r\n", &[403, 405]),
    forged(
        "CONNECT",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n",
        &[421, 400, 403],
    ),
    forged("unknown method", "PROPFIND / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n", &[403, 405]),
    // Requests whose end a proxy could see elsewhere.
    forged(
        "two lengths that differ",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n",
        &[400],
    ),
    forged("negative length", "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nContent-Length: -1\r\n\r\n", &[400]),
    forged("length with a sign", "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nContent-Length: +2\r\n\r\n{}", &[400]),
    forged(
        "length that overflows",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        &[400],
    ),
    forged(
        "unknown transfer encoding",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        &[400],
    ),
    forged(
        "chunked that is not last",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        &[400],
    ),
    forged(
        "blank before the colon",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nContent-Length : 5\r\n\r\nhello",
        &[400],
    ),
    forged("folded header", "GET / HTTP/1.1\r\nHost: {own}\r\nX-Fold: a\r\n b\r\n\r\n", &[400]),
    forged("NUL in a header", "GET / HTTP/1.1\r\nHost: {own}\r\nX-Nul: a\0b\r\n\r\n", &[400]),
    forged("carriage return in a header", "GET / HTTP/1.1\r\nHost: {own}\r\nX: a\rSet-Cookie: b\r\n\r\n", &[400]),
    forged(
        "chunk size that overflows",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
        &[400],
    ),
    forged("HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &[0, 400, 505]),
    // Too much of something.
    forged("huge header", get!("/", "{own}", "X-Long: {long}\r\n"), &[431]),
    forged("huge address", get!("/?q={long}", "{own}", ""), &[414, 431]),
    forged(
        "body larger than announced as possible",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: 6000000\r\n\r\n{huge}",
        &[413],
    ),
    // Paths and texts that are none.
    forged("path out of the files of the page", get!("/assets/x/../../../../etc/passwd", "{own}", ""), &[404]),
    forged(
        "encoded path out of the files of the page",
        get!("/assets/x/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "{own}", ""),
        &[404],
    ),
    forged("backslashes out of the files of the page", get!("/assets/x/..%5c..%5cetc%5cpasswd", "{own}", ""), &[404]),
    forged("overlong dots", get!("/assets/x/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd", "{own}", ""), &[400, 404]),
    forged("path as the id of a run", get!("/api/v1/runs/..%2f..%2f..%2fetc%2fpasswd/source", "{own}", ""), &[404]),
    forged("path as the id of a problem", get!("/api/v1/problems/..%2f..%2fetc", "{own}", ""), &[404]),
    forged("path as the id of a class", get!("/api/v1/classes/..%2f..%2fdata/gradebook.csv", "{own}", ""), &[404]),
    forged("path as the name of a download", get!("/api/v1/classes/0/downloads/..%2f..%2ftoken", "{own}", ""), &[404]),
    forged("path as the id of a match", get!("/api/v1/games/..%2f", "{own}", ""), &[404]),
    forged(
        "path as the name of a test",
        "DELETE /api/v1/problems/samples/tests/..%2f..%2f1.in HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n",
        &[404],
    ),
    forged("NUL in a path", get!("/api/v1/problems/samples%00.yaml", "{own}", ""), &[404]),
    forged("invalid UTF-8 in a path", get!("/problems/%ff%fe", "{own}", ""), &[400]),
    forged("invalid UTF-8 in a query", get!("/api/v1/runs?problem=%ff%fe", "{own}", ""), &[400, 404]),
    forged("redirect to another host by the path", get!("//evil.example/..", "{own}", ""), &[404]),
    forged(
        "compressed body",
        "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {token}\r\nContent-Encoding: gzip\r\nConnection: close\r\nContent-Length: 4\r\n\r\n\u{1f}\u{8}\0\0",
        &[400],
    ),
];

/// The names of the attacks of this file's table.
pub(super) fn forged_attacks() -> impl Iterator<Item = &'static str> {
    FORGED.iter().map(|forged| forged.attack)
}

fn samples() -> Project {
    Project::new().file("samples/1.in", "1 2\n").file("samples/1.out", "3\n")
}

fn filled(server: &Server, request: &str) -> String {
    let own = format!("127.0.0.1:{}", server.port);
    let (long, huge) = ("a".repeat(100_000), "a".repeat(6_000_000));
    let values = [
        ("{own}", own),
        ("{port}", server.port.to_string()),
        ("{token}", server.token.clone()),
        ("{long}", long),
        ("{huge}", huge),
    ];
    values.iter().fold(request.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[test]
fn forged_requests_are_refused() {
    let project = samples();
    let server = Server::start(&project, &["samples", "--data", "data"]);
    let mut succeeded = Vec::new();
    for ForgedRequest { attack, request, refusals } in FORGED {
        let answer = server.raw(filled(&server, request).as_bytes());
        let leaks = answer.body.contains(&server.token) || answer.body.contains("root:");
        let redirects = answer.head.to_lowercase().contains("\nlocation:");
        if !refusals.contains(&answer.status) || leaks || redirects {
            succeeded.push(format!("{attack}: {} {}", answer.status, answer.body.get(..300).unwrap_or(&answer.body)));
        }
    }
    assert!(succeeded.is_empty(), "{}", succeeded.join("\n"));
    assert_eq!(server.get("/api/v1/runs").body, "[]", "nothing was submitted");
    let honest = server.raw(filled(&server, submit!("Authorization: Bearer {token}\r\n")).as_bytes());
    assert_eq!(honest.status, 202, "the request without an attack is accepted: {}", honest.body);
    assert_eq!(server.get("/healthz").body, "ok\n");
}

#[test]
fn headers_of_a_proxy_change_nothing() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let headers = "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nX-Original-URL: /evil.example\r\n\
                   X-Rewrite-URL: /evil.example\r\nForwarded: host=evil.example\r\nAccept: text/html\r\n";
    let answer = server.request("GET", "/nowhere", headers, "");
    assert_eq!(answer.status, 404);
    assert!(!answer.body.contains("evil.example") && !answer.head.contains("evil.example"), "{answer:?}");
}

/// The responses in what a connection received.
fn statuses(answer: &Answer) -> Vec<String> {
    let text = format!("{}\r\n\r\n{}", answer.head, answer.body);
    let starts = text.match_indices("HTTP/1.1 ").map(|(at, _)| text[at + 9..at + 12].to_owned());
    starts.collect()
}

#[test]
fn a_request_with_two_lengths_hides_no_other() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let hidden = "GET /healthz HTTP/1.1\r\nHost: {own}\r\n\r\n";
    for lengths in [
        format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", hidden.len() + 5),
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n".to_owned(),
        "Transfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n".to_owned(),
    ] {
        let request = format!(
            "POST /api/v1/runs HTTP/1.1\r\nHost: {{own}}\r\nAuthorization: Bearer {{token}}\r\n{lengths}{hidden}"
        );
        let answer = server.raw(filled(&server, &request).as_bytes());
        assert_eq!(statuses(&answer), ["400"], "{lengths}: {answer:?}");
    }
}

#[test]
fn the_body_of_a_refused_request_is_no_request() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let hidden = filled(&server, "GET /healthz HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n");
    let request =
        format!("POST /api/v1/runs HTTP/1.1\r\nHost: {{own}}\r\nContent-Length: {}\r\n\r\n{hidden}", hidden.len());
    let answer = server.raw(filled(&server, &format!("{request}{hidden}")).as_bytes());
    // The request after it is answered, or the connection is closed.
    let statuses = statuses(&answer);
    assert!(statuses == ["403"] || statuses == ["403", "200"], "{answer:?}");
}

#[test]
fn each_request_of_a_pipeline_is_checked() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let request = "GET /healthz HTTP/1.1\r\nHost: {own}\r\n\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n\
                   DELETE /api/v1/runs/0 HTTP/1.1\r\nHost: {own}\r\n\r\nGET /healthz HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n";
    let answer = server.raw(filled(&server, request).as_bytes());
    assert_eq!(statuses(&answer), ["200", "421", "403", "200"], "{answer:?}");
}

#[test]
fn a_preflight_permits_nothing() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let asked = "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\
                 Access-Control-Request-Headers: authorization\r\nAccess-Control-Request-Private-Network: true\r\n";
    for path in ["/api/v1/runs", "/", "/api/v1/session"] {
        let answer = server.request("OPTIONS", path, asked, "");
        assert!(!answer.head.to_lowercase().contains("access-control-allow"), "{path}: {}", answer.head);
    }
}

#[test]
fn json_that_is_deep_repeated_or_not_utf8_is_refused() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    let post = |body: &str| server.request("POST", "/api/v1/runs", &token, body).status;
    assert_eq!(post(&"[".repeat(1 << 20)), 400);
    assert_eq!(post(&"{\"problem\":".repeat(200_000)), 400);
    assert_eq!(post(&format!("{{\"problem\":{}}}", "1".repeat(1 << 20))), 400);
    assert_eq!(post(r#"{"problem":"samples","problem":"samples","name":"a.py","source":""}"#), 400, "given twice");
    assert_eq!(post(r#"{"problem":"samples","name":"a.py","source":"","__proto__":{}}"#), 400);
    let bytes = [b"{\"problem\":\"", &b"\xff\xfe\xc0\x80"[..], b"\",\"name\":\"a.py\",\"source\":\"\"}"].concat();
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: {{own}}\r\nConnection: close\r\n{token}Content-Length: {}\r\n\r\n",
        bytes.len()
    );
    assert_eq!(server.raw(&[filled(&server, &head).into_bytes(), bytes].concat()).status, 400, "not UTF-8");
}

#[test]
fn many_headers_are_refused() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let many = |count: usize| (0..count).map(|number| format!("X-{number}: 1\r\n")).collect::<String>();
    for count in [65, 200, 5_000] {
        assert_eq!(server.request("GET", "/", &many(count), "").status, 431, "{count}");
    }
    let cookies = format!("Cookie: {}\r\n", "a=1; ".repeat(4_000));
    assert_eq!(server.request("GET", "/", &cookies, "").status, 200, "they are read once");
}

#[test]
fn a_body_without_end_is_refused_at_its_limit() {
    use std::io::Write;
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let mut stream = server.connect();
    let head = "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {token}\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(filled(&server, head).as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    // 32 MiB, or until the server closes the connection.
    let refused = (0..512).any(|_| stream.write_all(chunk.as_bytes()).is_err());
    let answer = super::client::read_answer(stream);
    assert!(answer.status == 413 || (refused && answer.status == 0), "{answer:?}");
}

#[test]
fn a_client_that_waits_for_permission_is_refused_before_it_sends() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    let head = "POST /api/v1/runs HTTP/1.1\r\nHost: {own}\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 4000000\r\n\r\n";
    let answer = server.raw(filled(&server, head).as_bytes());
    assert_eq!(answer.status, 403, "no 100: {answer:?}");
}

#[test]
fn an_upgrade_is_not_carried_out() {
    let project = samples();
    let server = Server::start(&project, &["samples"]);
    for kind in ["websocket", "h2c"] {
        let headers =
            format!("Upgrade: {kind}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nHTTP2-Settings: AAMAAABk\r\n");
        let answer = server.request("GET", "/healthz", &headers, "");
        assert_eq!((answer.status, &*answer.body), (200, "ok\n"), "{kind}");
    }
}
