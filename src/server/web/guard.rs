//! Checks every request before its handler runs, and adds the security headers to every response.
//!
//! Any web page that is open in a browser can send requests to a server on loopback. The `Host` must be one of the
//! server's own names. Otherwise, a page could make its own host name resolve to this address and read all responses
//! (DNS rebinding). A write must carry the token, which no other page can read, and must not come from another origin.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::clock::now_ms;
use crate::submissions::random_text;

use super::actor::Actor;
use super::class::page_token;
use super::error::{ErrorText, WebError, WebResult};
use super::pages::{encoded, error_page};
use super::state::{WebState, blocking};
use super::token::same;

/// Header in which a page sends its token.
pub(super) const TOKEN_HEADER: &str = "x-nimatron-token";

/// Context of a request, for its handler and its response.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// Nonce of the response, used in its content security policy.
    pub(super) nonce: Arc<str>,
    /// Sender of the request; `None` if nobody is logged in.
    pub(super) actor: Option<Actor>,
    /// Token that the page sends with write requests; empty on a server with accounts if the request has no session.
    pub(super) token: Arc<str>,
    /// Secret of the session to which the request belongs, if there is one.
    pub(super) session: Option<Arc<str>>,
    /// API token of a person, if the request carries one.
    pub(super) personal_token: Option<Arc<str>>,
}

/// Names under which the server can be reached, with or without a port.
#[derive(Debug, Clone)]
pub(super) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// Allows the loopback names with this port, also without it if it is 80 or 443, and the names in `further`. A
    /// further name without a port is allowed both without a port and with this port.
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

/// Checks a request, runs its handler, and adds the security headers to the response.
pub(super) async fn guard(State(state): State<Arc<WebState>>, mut request: Request, next: Next) -> Response {
    let wants_page = wants_page(&request);
    let nonce: Arc<str> = match random_text() {
        Ok(text) => text.into(),
        Err(fault) => return WebError::internal(fault.message).into_response(),
    };
    let is_head = request.method() == Method::HEAD;
    let nobody = Visit { nonce: nonce.clone(), actor: None, token: "".into(), session: None, personal_token: None };
    // An error page contains the token, so it is sent only if the host and the origin of the request are allowed.
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
    let sees_reasons = visit.actor.as_ref().is_some_and(Actor::sees_all);
    if response.status() == StatusCode::INTERNAL_SERVER_ERROR && !sees_reasons {
        // The error may contain paths, so only staff can see it.
        response = WebError::internal("an internal error occurred")
            .help("only staff can see the reason; ask a teacher to open the same page")
            .into_response();
    }
    // Browsers receive an error page instead of JSON.
    if let (Some(error), true) =
        (response.extensions().get::<ErrorText>().cloned(), wants_page && may_read_page && !is_head)
    {
        let status = response.status();
        response = (status, error_page(&state, &visit, status, &error)).into_response();
    }
    complete(response.headers_mut(), &visit.nonce);
    response
}

/// Determines the sender of a request. On a server without accounts, this is the owner.
///
/// # Errors
/// Fails if the bearer token is not valid, or if the accounts cannot be read.
async fn identify(state: &Arc<WebState>, headers: &HeaderMap, visit: Visit) -> Result<Visit, WebError> {
    let Some(class) = &state.class else {
        return Ok(Visit { actor: Some(Actor::owner()), token: state.token.as_str().into(), ..visit });
    };
    if let Some(token) = bearer(headers) {
        if same(&token, &state.token) {
            return Ok(Visit { actor: Some(Actor::owner()), ..visit });
        }
        let (shared, secret) = (state.clone(), token.clone());
        let account = blocking(move || Ok(shared.class()?.people.token(&secret)?)).await?;
        let account = account.ok_or_else(|| {
            forbidden("the bearer token is neither the token of the server nor a person's API token")
                .help("create a token at `/me`, or use the token that `nimatron serve --json` printed")
        })?;
        return Ok(Visit { actor: Some(Actor::of(&account)), personal_token: Some(token.into()), ..visit });
    }
    let Some(session) = class.session_of(headers) else { return Ok(visit) };
    let (shared, secret) = (state.clone(), session.clone());
    let account = blocking(move || Ok(shared.class()?.people.session(&secret, now_ms())?)).await?;
    let Some(account) = account else { return Ok(visit) };
    let (token, session) = (page_token(&session).into(), Some(session.into()));
    Ok(Visit { actor: Some(Actor::of(&account)), token, session, ..visit })
}

/// Returns whether the session or token of a request is still valid and belongs to an account with the same name and
/// role. If not, the event stream of the request ends.
pub(super) async fn is_still_known(state: &Arc<WebState>, visit: &Visit) -> WebResult<bool> {
    // The token of the server is always valid, with and without accounts.
    if state.class.is_none() || (visit.session.is_none() && visit.personal_token.is_none()) {
        return Ok(true);
    }
    let (shared, visit) = (state.clone(), visit.clone());
    blocking(move || {
        let Some(class) = &shared.class else { return Ok(true) };
        let account = match (&visit.session, &visit.personal_token) {
            (Some(session), _) => class.people.live_session(session, now_ms())?,
            (None, Some(token)) => class.people.token(token)?,
            (None, None) => return Ok(true),
        };
        Ok(account.map(|account| Actor::of(&account)) == visit.actor)
    })
    .await
}

/// Returns whether this path can be read without a login.
fn is_public(path: &str) -> bool {
    matches!(path, "/login" | "/join" | "/setup" | "/favicon.ico" | "/healthz") || path.starts_with("/assets/")
}

/// Returns whether a `POST` to this path may create a session. The client then has no page token, or the page token of
/// another session.
fn is_entrance(path: &str) -> bool {
    matches!(path, "/api/v1/session" | "/api/v1/join" | "/api/v1/setup")
}

/// Checks that the sender may make the request. Writes require a token. On a server with accounts, all requests require
/// a login, except reads of public paths and requests that create a session.
fn admit(state: &WebState, request: &Request, visit: &Visit) -> Result<(), WebError> {
    let path = request.uri().path();
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if state.class.is_some() {
        // A page of another origin cannot send JSON without a CORS preflight, which this server does not approve.
        let is_json = text(request.headers(), header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        if request.method() == Method::POST && is_entrance(path) && is_json || !is_write && is_public(path) {
            return Ok(());
        }
        if visit.actor.is_none() {
            return Err(WebError::new(StatusCode::UNAUTHORIZED, "this request requires a login")
                .help("open `/login`, or send a token as `Authorization: Bearer TOKEN`"));
        }
    }
    if is_write { check_token(state, request.headers(), visit) } else { Ok(()) }
}

/// Redirects to the login page, which redirects to the requested address after the login.
fn login_page(wanted: &Uri) -> Response {
    let wanted = wanted.path_and_query().map_or("/", |wanted| wanted.as_str());
    Redirect::to(&format!("/login?next={}", encoded(wanted))).into_response()
}

/// Returns whether the client expects a page: it accepts HTML, and the path does not begin with `/api/`.
fn wants_page(request: &Request) -> bool {
    let accepted = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|kind| kind.trim().starts_with("text/html")) && !request.uri().path().starts_with("/api/")
}

fn check(state: &WebState, request: &Request) -> Result<(), WebError> {
    let headers = request.headers();
    let named = text(headers, header::HOST);
    // The request line may also contain a host.
    let target = request.uri().authority().map(|host| host.as_str().to_owned());
    let foreign = named.iter().chain(&target).find(|host| !state.hosts.allows(host));
    let problem = match foreign {
        _ if headers.get_all(header::HOST).iter().count() > 1 => {
            Some("the request has more than one `Host` header".to_owned())
        }
        Some(host) => Some(format!("the host `{host}` is not one of the host names of this server")),
        None if named.is_none() => Some("the request has no valid `Host` header".to_owned()),
        None => None,
    };
    if let Some(message) = problem {
        return Err(WebError::new(StatusCode::MISDIRECTED_REQUEST, message)
            .help("open the address that the server printed, or start the server with `--host NAME`"));
    }
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return check_read(headers);
    }
    check_origin(state, headers)
}

/// Rejects reads that are requested by pages of other sites, since a read can start a long search. Links to this server
/// are allowed.
fn check_read(headers: &HeaderMap) -> Result<(), WebError> {
    let sent = |name: &'static str| text(headers, HeaderName::from_static(name)).unwrap_or_default();
    let is_foreign = ["cross-site", "same-site"].contains(&sent("sec-fetch-site").as_str());
    let is_link = sent("sec-fetch-mode") == "navigate" && sent("sec-fetch-dest") == "document";
    if is_foreign && !is_link {
        return Err(forbidden("this request comes from a page with a different origin").help(
            "open the page on this server instead; pages from other origins may link to this server, but may not \
             send requests to it",
        ));
    }
    Ok(())
}

/// Rejects writes that the browser reports as sent by another origin or site.
fn check_origin(state: &WebState, headers: &HeaderMap) -> Result<(), WebError> {
    if let Some(origin) = text(headers, header::ORIGIN)
        && !state.hosts.allows_origin(&origin)
    {
        return Err(forbidden(&format!("this request comes from a page with a different origin, `{origin}`"))
            .help("open the address that the server printed, or start the server with `--host NAME`"));
    }
    if text(headers, HeaderName::from_static("sec-fetch-site"))
        .is_some_and(|site| site != "same-origin" && site != "none")
    {
        return Err(forbidden("this request comes from a page with a different origin").help(
            "open the page on this server instead; pages from other origins may link to this server, but may not \
             send requests to it",
        ));
    }
    Ok(())
}

/// Checks that a write carries a bearer token or the token of its page.
fn check_token(state: &WebState, headers: &HeaderMap, visit: &Visit) -> Result<(), WebError> {
    let bearer = bearer(headers);
    if state.class.is_some() && bearer.is_some() {
        // `identify` has already checked the bearer token.
        return Ok(());
    }
    let expected = &*visit.token;
    match bearer.or_else(|| text(headers, HeaderName::from_static(TOKEN_HEADER))) {
        Some(token) if !expected.is_empty() && same(token.trim(), expected) => Ok(()),
        Some(_) => Err(forbidden("the token is not valid")
            .help("reload the page, or use the token that `nimatron serve --json` printed")),
        None => Err(forbidden("a request that changes data requires a token")
            .help("send it as `Authorization: Bearer TOKEN`; `nimatron serve --json` prints the token of the server")),
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

/// Adds the headers that restrict what a browser may do with the response.
fn complete(headers: &mut HeaderMap, nonce: &str) {
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.entry(HeaderName::from_static(name)).or_insert(value);
        }
    };
    let mut policy = String::from("default-src 'none'; ");
    // Writing to a string cannot fail.
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
