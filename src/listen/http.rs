//! The part of HTTP/1.1 that the browser extension needs: one POST request with a JSON body per connection.
//!
//! The server listens on loopback, but any web page that is open in a browser can send requests there. A request is
//! refused if its `Host` is not a loopback name (DNS rebinding) or if it has an `Origin` that is not that of an
//! extension. No response contains a CORS header that would let a page read it.

use std::io::{self, Read, Write};

/// Maximum size of a message in bytes.
pub const MAX_BODY: u64 = 16 << 20;
/// Maximum number of bytes received before the headers of a request must be complete.
const MAX_HEAD: usize = 16 << 10;

/// The reason why a request is refused, which is sent in the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HttpRefusal {
    /// The status code.
    pub(super) status: u16,
    /// The reason, as a sentence without a full stop.
    pub(super) reason: String,
}

/// The properties of an accepted request that determine how its body is read.
#[derive(Debug, PartialEq, Eq)]
struct AcceptedHead {
    length: u64,
    /// Whether the client waits for an interim response before it sends the body.
    waits: bool,
}

fn refuse<T>(status: u16, reason: impl Into<String>) -> Result<T, HttpRefusal> {
    Err(HttpRefusal { status, reason: reason.into() })
}

/// Reads a request and returns its body. A request with a body larger than [`MAX_BODY`] is refused before the body is
/// read.
///
/// # Errors
/// Returns the refusal that is sent as the response.
pub(super) fn read_request(stream: &mut (impl Read + Write)) -> Result<Vec<u8>, HttpRefusal> {
    let (head, mut body) = read_head(stream)?;
    let head = check_head(&head)?;
    if head.waits && body.is_empty() {
        let sent = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        sent.or_else(|error| refuse(400, format!("cannot send the response `100 Continue`: {error}")))?;
    }
    let missing = head.length.saturating_sub(body.len() as u64);
    stream.take(missing).read_to_end(&mut body).or_else(|error| unreadable(&error))?;
    if body.len() as u64 != head.length {
        return refuse(400, format!("the body has {} bytes, but `Content-Length` is {}", body.len(), head.length));
    }
    Ok(body)
}

/// Reads the headers of a request, up to the empty line after them. Returns the headers without that line, and the
/// bytes after it that were read.
fn read_head(stream: &mut impl Read) -> Result<(Vec<u8>, Vec<u8>), HttpRefusal> {
    let mut read = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let count = stream.read(&mut chunk).or_else(|error| unreadable(&error))?;
        if count == 0 {
            return refuse(400, "the request ended before the end of its headers");
        }
        let searched = read.len().saturating_sub(3);
        read.extend_from_slice(&chunk[..count]);
        if let Some(at) = memchr::memmem::find(&read[searched..], b"\r\n\r\n") {
            let body = read.split_off(searched + at + 4);
            read.truncate(searched + at);
            return Ok((read, body));
        }
        if read.len() > MAX_HEAD {
            return refuse(431, format!("the headers are larger than the limit of {} KiB", MAX_HEAD >> 10));
        }
    }
}

fn unreadable<T>(error: &io::Error) -> Result<T, HttpRefusal> {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => refuse(408, "timed out while waiting for the request"),
        _ => refuse(400, format!("cannot read the request: {error}")),
    }
}

/// Checks the request line and the headers.
fn check_head(head: &[u8]) -> Result<AcceptedHead, HttpRefusal> {
    let head = str::from_utf8(head).or_else(|_| refuse(400, "the request line or a header is not UTF-8"))?;
    let mut lines = head.split("\r\n");
    let request = lines.next().unwrap_or("");
    let headers: Vec<(&str, &str)> = lines.map(header).collect::<Result<_, _>>()?;
    check_source(&headers)?;
    let words: Vec<&str> = request.split(' ').collect();
    let [method, path, version] = words[..] else {
        return refuse(400, "the first line does not have the form `METHOD PATH VERSION`");
    };
    if !["HTTP/1.1", "HTTP/1.0"].contains(&version) {
        let version = version.escape_debug();
        return refuse(505, format!("the version `{version}` is not supported; use HTTP/1.1 or HTTP/1.0"));
    }
    if method != "POST" {
        let method = method.escape_debug();
        let advice = "use `POST` to send a Competitive Companion message";
        return refuse(405, format!("the method `{method}` is not supported; {advice}"));
    }
    if path != "/" {
        return refuse(404, format!("the path `{}` does not exist; send messages to `/`", path.escape_debug()));
    }
    check_body(&headers)
}

/// Splits a header into its name and its value.
fn header(line: &str) -> Result<(&str, &str), HttpRefusal> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match line.split_once(':') {
        Some((name, value)) if !name.is_empty() && name.chars().all(plain) => Ok((name, value.trim())),
        _ => refuse(400, format!("the header `{}` does not have the form `Name: value`", line.escape_debug())),
    }
}

/// Returns the value of a header, or `None` if it is missing. A header that occurs more than once is refused.
fn single<'h>(headers: &[(&'h str, &'h str)], name: &str) -> Result<Option<&'h str>, HttpRefusal> {
    let mut values = headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => refuse(400, format!("the `{name}` header occurs more than once")),
    }
}

/// Refuses requests from web pages, and requests that are not addressed to this machine.
fn check_source(headers: &[(&str, &str)]) -> Result<(), HttpRefusal> {
    let Some(host) = single(headers, "Host")? else { return refuse(400, "the `Host` header is missing") };
    if !is_loopback(host) {
        return refuse(421, format!("expected the host `localhost`, `127.0.0.1` or `[::1]`, found `{host}`"));
    }
    match single(headers, "Origin")? {
        Some(origin) if !is_extension(origin) => {
            refuse(403, format!("expected the origin of a browser extension, found `{origin}`"))
        }
        _ => Ok(()),
    }
}

/// Returns whether a `Host` is a loopback name, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether an `Origin` is that of a browser extension: `chrome-extension://…`, `moz-extension://…`.
fn is_extension(origin: &str) -> bool {
    origin.split_once("://").is_some_and(|(scheme, _)| scheme.ends_with("-extension"))
}

/// Checks the type and the size of the body.
fn check_body(headers: &[(&str, &str)]) -> Result<AcceptedHead, HttpRefusal> {
    let media = single(headers, "Content-Type")?.unwrap_or("").split(';').next().unwrap_or("").trim();
    if media.is_empty() {
        return refuse(415, "the `Content-Type` header is missing; expected `application/json`");
    }
    if !media.eq_ignore_ascii_case("application/json") {
        return refuse(415, format!("`Content-Type` is `{media}`; expected `application/json`"));
    }
    if single(headers, "Transfer-Encoding")?.is_some() {
        return refuse(411, "`Transfer-Encoding` is not supported; send a `Content-Length` header");
    }
    let Some(length) = single(headers, "Content-Length")? else {
        return refuse(411, "the `Content-Length` header is missing");
    };
    let digits = !length.is_empty() && length.bytes().all(|b| b.is_ascii_digit());
    let Some(length) = digits.then(|| length.parse().unwrap_or(u64::MAX)) else {
        return refuse(400, format!("`Content-Length` is `{length}`; expected a number of bytes"));
    };
    if length > MAX_BODY {
        return refuse(413, format!("the message is larger than the limit of {} MiB", MAX_BODY >> 20));
    }
    let waits = single(headers, "Expect")?.is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
    Ok(AcceptedHead { length, waits })
}

/// Returns the bytes of a complete HTTP response, with `text` as the only line of its body.
pub(super) fn response(status: u16, text: &str) -> Vec<u8> {
    let phrase = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Internal Server Error",
    };
    let allow = if status == 405 { "Allow: POST\r\n" } else { "" };
    let length = text.len() + 1;
    format!(
        "HTTP/1.1 {status} {phrase}\r\n{allow}Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{text}\n"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that sends its bytes in pieces of at most `step` bytes, and records the response.
    struct Client {
        sent: io::Cursor<Vec<u8>>,
        step: usize,
        answered: Vec<u8>,
    }

    impl Read for Client {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.step);
            self.sent.read(&mut buffer[..count])
        }
    }

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.answered.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn client(sent: &str, step: usize) -> Client {
        Client { sent: io::Cursor::new(sent.as_bytes().to_vec()), step, answered: Vec::new() }
    }

    fn status(sent: &str) -> u16 {
        read_request(&mut client(sent, 4096)).map_or_else(|refusal| refusal.status, |_| 200)
    }

    fn post(headers: &str) -> String {
        format!("POST / HTTP/1.1\r\nContent-Length: 2\r\n{headers}\r\n{{}}")
    }

    const GOOD: &str = "Host: localhost:10043\r\nContent-Type: application/json\r\n";

    #[test]
    fn a_request_is_read_in_pieces_of_any_size() {
        let text = format!("POST / HTTP/1.1\r\n{GOOD}Origin: moz-extension://0-1\r\nContent-Length: 7\r\n\r\n[1, 2]\n");
        for step in [1, 2, 3, 5, 4096] {
            assert_eq!(read_request(&mut client(&text, step)).unwrap(), b"[1, 2]\n", "{step}");
        }
        // Bytes after the body are not part of it.
        assert_eq!(read_request(&mut client(&format!("{text}more"), 1)).unwrap(), b"[1, 2]\n");
    }

    #[test]
    fn only_extensions_and_programs_of_this_machine_may_send() {
        for origin in ["chrome-extension://cjnmckjnd", "moz-extension://1f-2", "safari-web-extension://X"] {
            assert_eq!(status(&post(&format!("{GOOD}Origin: {origin}\r\n"))), 200, "{origin}");
        }
        for origin in ["https://evil.example", "http://localhost:10043", "null", "", "extension", "file://"] {
            assert_eq!(status(&post(&format!("{GOOD}Origin: {origin}\r\n"))), 403, "{origin}");
        }
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1:27121", "[::1]", "[::1]:5"] {
            assert_eq!(status(&post(&format!("Host: {host}\r\nContent-Type: application/json\r\n"))), 200, "{host}");
        }
        for host in
            ["evil.example", "evil.example:10043", "localhost.evil.example", "127.0.0.1.nip.io", "localhost:x", ""]
        {
            assert_eq!(status(&post(&format!("Host: {host}\r\nContent-Type: application/json\r\n"))), 421, "{host}");
        }
    }

    #[test]
    fn malformed_requests_are_refused() {
        let body = format!("{GOOD}Content-Length: 2\r\n");
        for (sent, expected) in [
            (String::new(), 400),
            ("POST / HTTP/1.1\r\n".to_owned(), 400),
            ("POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".to_owned(), 400),
            (format!("GET / HTTP/1.1\r\n{body}\r\n{{}}"), 405),
            (format!("OPTIONS / HTTP/1.1\r\n{body}\r\n{{}}"), 405),
            (format!("POST /x HTTP/1.1\r\n{body}\r\n{{}}"), 404),
            (format!("POST / HTTP/2\r\n{body}\r\n{{}}"), 505),
            (format!("POST  / HTTP/1.1\r\n{body}\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{GOOD}\r\n{{}}"), 411),
            (format!("POST / HTTP/1.1\r\n{body}Transfer-Encoding: chunked\r\n\r\n{{}}"), 411),
            (format!("POST / HTTP/1.1\r\n{body}Content-Length: 2\r\n\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{GOOD}Content-Length: +2\r\n\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{GOOD}Content-Length: 3\r\n\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{GOOD}Content-Length: 99999999999999999999999\r\n\r\n{{}}"), 413),
            (format!("POST / HTTP/1.1\r\n{GOOD}Content-Length: 104857600\r\n\r\n"), 413),
            (format!("POST / HTTP/1.1\r\n{body} folded: x\r\n\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{body}no colon\r\n\r\n{{}}"), 400),
            (format!("POST / HTTP/1.1\r\n{body}Host: localhost\r\n\r\n{{}}"), 400),
            (post("Host: localhost\r\nContent-Type: text/plain\r\n"), 415),
            (post("Host: localhost\r\n"), 415),
            (format!("POST / HTTP/1.1\r\nX: {}\r\n", "x".repeat(MAX_HEAD)), 431),
        ] {
            assert_eq!(status(&sent), expected, "{sent:.200}");
        }
        assert_eq!(status(&post("Host: localhost\r\nContent-Type: Application/JSON; charset=utf-8\r\n")), 200);
    }

    #[test]
    fn a_client_that_waits_is_told_to_continue() {
        let head = format!("POST / HTTP/1.1\r\n{GOOD}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        let mut waiting = client(&format!("{head}{{}}"), head.len());
        assert_eq!(read_request(&mut waiting).unwrap(), b"{}");
        assert_eq!(waiting.answered, b"HTTP/1.1 100 Continue\r\n\r\n");
    }

    #[test]
    fn no_response_permits_a_page_to_read_it() {
        for status in [200, 400, 403, 405, 421, 503] {
            let text = String::from_utf8(response(status, "text")).unwrap();
            assert!(!text.to_lowercase().contains("access-control"), "{text}");
            assert!(text.ends_with("Content-Length: 5\r\nConnection: close\r\n\r\ntext\n"), "{text}");
        }
    }
}
