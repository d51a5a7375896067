//! The checks that every request passes before its handler, and the headers that every response carries.
//!
//! The server listens on loopback, but any web page that is open in a browser can send requests there. The `Host` must be
//! one of the server's own names: otherwise a page could rebind its own name to this address and then read everything. A
//! write must carry the token, which no other page can read, and must not come from another origin.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::submissions::{now_ms, random_text};

use super::actor::Actor;
use super::class::page_token;
use super::error::{ErrorText, WebError};
use super::pages::{encoded, error_page};
use super::state::{WebState, blocking};
use super::token::same;

/// The header in which the page sends the token.
pub(super) const TOKEN_HEADER: &str = "x-nimatron-token";

/// What a response is made for.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// The nonce of the response, which its content security policy names.
    pub(super) nonce: Arc<str>,
    /// Who sent the request, if that is known.
    pub(super) actor: Option<Actor>,
    /// The token that the page sends with its writes.
    pub(super) token: Arc<str>,
    /// The secret of the session, if the request belongs to one.
    pub(super) session: Option<Arc<str>>,
}

/// The names under which the server is reached.
#[derive(Debug, Clone)]
pub(super) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The loopback names with this port, and further names. A name without a port stands for the default port too.
    pub(super) fn new(port: u16, further: &[String]) -> AllowedHosts {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let mut names = own.to_vec();
        for name in further {
            let name = name.to_ascii_lowercase();
            if !name.contains(':') || name.ends_with(']') {
                names.push(format!("{name}:{port}"));
            }
            names.push(name);
        }
        if port == 80 || port == 443 {
            names.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        AllowedHosts(names)
    }

    fn allows(&self, host: &str) -> bool {
        self.0.iter().any(|name| name.eq_ignore_ascii_case(host))
    }

    fn allows_origin(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.allows(host))
    }
}

/// Checks a request, runs its handler, and completes the response.
pub(super) async fn guard(State(state): State<Arc<WebState>>, mut request: Request, next: Next) -> Response {
    let wants_page = wants_page(&request);
    let nonce: Arc<str> = match random_text() {
        Ok(text) => text.into(),
        Err(fault) => return WebError::internal(fault.message).into_response(),
    };
    let is_head = request.method() == Method::HEAD;
    let nobody = Visit { nonce: nonce.clone(), actor: None, token: "".into(), session: None };
    // The frame of a page contains the token, which another host or origin must not get.
    let checked = check(&state, &request);
    let may_read_page = checked.is_ok();
    let visit = match checked {
        Ok(()) => identify(&state, request.headers(), nobody.clone()).await,
        Err(refusal) => Err(refusal),
    };
    let admitted = visit.as_ref().map_err(Clone::clone).and_then(|visit| admit(&state, &request, visit));
    let visit = visit.unwrap_or(nobody);
    let mut response = match admitted {
        Ok(()) => {
            request.extensions_mut().insert(visit.clone());
            next.run(request).await
        }
        Err(refusal) if wants_page && refusal.status == StatusCode::UNAUTHORIZED => login_page(request.uri()),
        Err(refusal) => refusal.into_response(),
    };
    // A page for people instead of the JSON of an error.
    if let (Some(error), true) =
        (response.extensions().get::<ErrorText>().cloned(), wants_page && may_read_page && !is_head)
    {
        let status = response.status();
        response = (status, error_page(&state, &visit, status, &error)).into_response();
    }
    complete(response.headers_mut(), &visit.nonce);
    response
}

/// Finds out who sent a request. Without accounts it is the owner.
async fn identify(state: &Arc<WebState>, headers: &HeaderMap, visit: Visit) -> Result<Visit, WebError> {
    let Some(class) = &state.class else {
        return Ok(Visit { actor: Some(Actor::owner()), token: state.token.as_str().into(), ..visit });
    };
    if let Some(token) = bearer(headers) {
        if same(&token, &state.token) {
            return Ok(Visit { actor: Some(Actor::owner()), ..visit });
        }
        let shared = state.clone();
        let account = blocking(move || Ok(shared.class()?.people.token(&token)?)).await?;
        let actor = account.ok_or_else(|| forbidden("the token is not valid"))?;
        return Ok(Visit { actor: Some(Actor::of(&actor)), ..visit });
    }
    let Some(session) = class.session_of(headers) else { return Ok(visit) };
    let (shared, secret) = (state.clone(), session.clone());
    let account = blocking(move || Ok(shared.class()?.people.session(&secret, now_ms())?)).await?;
    let Some(account) = account else { return Ok(visit) };
    let (token, session) = (page_token(&session).into(), Some(session.into()));
    Ok(Visit { actor: Some(Actor::of(&account)), token, session, ..visit })
}

/// What can be read without logging in.
fn is_public(path: &str) -> bool {
    matches!(path, "/login" | "/join" | "/setup" | "/favicon.ico" | "/healthz") || path.starts_with("/assets/")
}

/// The requests by which people get a session: they have no token to send yet, or that of another session.
fn is_entrance(path: &str) -> bool {
    matches!(path, "/api/v1/session" | "/api/v1/join" | "/api/v1/setup")
}

/// Decides whether this person may send the request: writes need the token, and with accounts everything else too needs a
/// person.
fn admit(state: &WebState, request: &Request, visit: &Visit) -> Result<(), WebError> {
    let path = request.uri().path();
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if state.class.is_some() {
        // A page of another origin can't send JSON without asking first, which this server does not allow.
        let is_json = text(request.headers(), header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        if request.method() == Method::POST && is_entrance(path) && is_json || !is_write && is_public(path) {
            return Ok(());
        }
        if visit.actor.is_none() {
            return Err(WebError::new(StatusCode::UNAUTHORIZED, "log in first")
                .help("open /login, or send a token as `Authorization: Bearer TOKEN`"));
        }
    }
    if is_write { check_token(state, request.headers(), visit) } else { Ok(()) }
}

/// The page on which a person logs in, and from which they return to this address.
fn login_page(wanted: &Uri) -> Response {
    let wanted = wanted.path_and_query().map_or("/", |wanted| wanted.as_str());
    Redirect::to(&format!("/login?next={}", encoded(wanted))).into_response()
}

/// Whether the client prefers HTML, as browsers do when a page is opened.
fn wants_page(request: &Request) -> bool {
    let accepted = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|kind| kind.trim().starts_with("text/html")) && !request.uri().path().starts_with("/api/")
}

fn check(state: &WebState, request: &Request) -> Result<(), WebError> {
    let headers = request.headers();
    let has_own_name = text(headers, header::HOST).is_some_and(|host| state.hosts.allows(&host));
    // A request line may name a host too.
    let other_target = request.uri().authority().is_some_and(|host| !state.hosts.allows(host.as_str()));
    if !has_own_name || other_target || headers.get_all(header::HOST).iter().count() > 1 {
        let status = StatusCode::MISDIRECTED_REQUEST;
        return Err(WebError::new(status, "this server has another name").help("open the address that it printed"));
    }
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return check_read(headers);
    }
    check_origin(state, headers)
}

/// A page of another site may link to this server, but not load anything from it: that could start a long search.
fn check_read(headers: &HeaderMap) -> Result<(), WebError> {
    let sent = |name: &'static str| text(headers, HeaderName::from_static(name)).unwrap_or_default();
    let is_foreign = ["cross-site", "same-site"].contains(&sent("sec-fetch-site").as_str());
    let is_link = sent("sec-fetch-mode") == "navigate" && sent("sec-fetch-dest") == "document";
    if is_foreign && !is_link {
        return Err(WebError::new(StatusCode::FORBIDDEN, "this request comes from a page of another site"));
    }
    Ok(())
}

/// A browser says which origin sent a write.
fn check_origin(state: &WebState, headers: &HeaderMap) -> Result<(), WebError> {
    if let Some(origin) = text(headers, header::ORIGIN)
        && !state.hosts.allows_origin(&origin)
    {
        return Err(forbidden("this request comes from a page of another origin"));
    }
    if text(headers, HeaderName::from_static("sec-fetch-site"))
        .is_some_and(|site| site != "same-origin" && site != "none")
    {
        return Err(forbidden("this request comes from a page of another site"));
    }
    Ok(())
}

/// A write carries the token of the server, a token of a person, or that of the page's session.
fn check_token(state: &WebState, headers: &HeaderMap, visit: &Visit) -> Result<(), WebError> {
    let bearer = bearer(headers);
    if state.class.is_some() && bearer.is_some() {
        // The person was found by it.
        return Ok(());
    }
    let expected = &*visit.token;
    match bearer.or_else(|| text(headers, HeaderName::from_static(TOKEN_HEADER))) {
        Some(token) if !expected.is_empty() && same(token.trim(), expected) => Ok(()),
        Some(_) => {
            Err(forbidden("the token is not valid").help("reload the page, or use the token that `serve` printed"))
        }
        None => Err(forbidden("a request that changes something needs the token")
            .help("send it as `Authorization: Bearer TOKEN`; `nimatron serve --json` prints it")),
    }
}

fn forbidden(message: &str) -> WebError {
    WebError::new(StatusCode::FORBIDDEN, message)
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = text(headers, header::AUTHORIZATION)?;
    value.strip_prefix("Bearer ").map(|token| token.trim().to_owned())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Adds the headers that restrict what a browser does with the response.
fn complete(headers: &mut HeaderMap, nonce: &str) {
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.entry(HeaderName::from_static(name)).or_insert(value);
        }
    };
    let mut policy = String::from("default-src 'none'; ");
    // Writing to a string does not fail.
    _ = write!(policy, "script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; ");
    policy += "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
               frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
    set("content-security-policy", &policy);
    set("x-content-type-options", "nosniff");
    set("x-frame-options", "DENY");
    set("referrer-policy", "no-referrer");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
    set("permissions-policy", "camera=(), geolocation=(), microphone=()");
    set("cache-control", "no-store");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_names_are_allowed() {
        let hosts = AllowedHosts::new(8707, &["lab.example".to_owned(), "judge.example:9000".to_owned()]);
        for host in
            ["127.0.0.1:8707", "LOCALHOST:8707", "[::1]:8707", "lab.example", "lab.example:8707", "judge.example:9000"]
        {
            assert!(hosts.allows(host), "{host}");
        }
        for host in
            ["", "127.0.0.1", "evil.example:8707", "127.0.0.1:8708", "127.0.0.1:8707.evil.example", "0.0.0.0:8707"]
        {
            assert!(!hosts.allows(host), "{host}");
        }
        assert!(hosts.allows_origin("http://localhost:8707"));
        for origin in ["null", "", "http://evil.example", "file://localhost:8707", "http://localhost:8707.evil.example"]
        {
            assert!(!hosts.allows_origin(origin), "{origin}");
        }
    }
}
