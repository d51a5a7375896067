//! What a server with accounts adds: who a request comes from, and what students may see.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::sync::Semaphore;

use crate::people::{
    Admission, Assignment, AssignmentPhase, FeedbackLevel, LoginThrottle, PasswordHash, PeopleStore, SessionTimes,
    admission, feedback, secret_hash,
};
use crate::submissions::{StoredSubmission, now_ms};

use super::actor::Actor;
use super::error::{WebError, WebResult};
use super::feedback::JUDGE_ERROR;
use super::index::Listing;
use super::state::{WebState, blocking};

/// Number of passwords that are hashed at once. Each takes 19 MiB of memory.
const HASHED_AT_ONCE: usize = 2;
/// Longest wait for a password to be hashed.
const HASH_WAIT: Duration = Duration::from_secs(10);

/// The address of the client of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientAddress(pub(super) IpAddr);

/// The accounts of a server.
pub(super) struct ClassState {
    pub(super) people: PeopleStore,
    throttle: Mutex<LoginThrottle>,
    hashing: Semaphore,
    /// The name of the cookie. Cookies ignore ports, so it contains the port.
    cookie: String,
    /// Whether the server uses TLS.
    secure: bool,
}

impl ClassState {
    pub(super) fn new(people: PeopleStore, port: u16, secure: bool) -> ClassState {
        let cookie = format!("nimatron-{port}");
        let hashing = Semaphore::new(HASHED_AT_ONCE);
        ClassState { people, throttle: Mutex::default(), hashing, cookie, secure }
    }

    /// The secret of the session that a request names.
    pub(super) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.cookie).map(|(_, value)| value.to_owned())
    }

    /// The cookie of a session; without one, the cookie that ends it.
    pub(super) fn cookie(&self, session: Option<&str>) -> WebResult<HeaderValue> {
        let age = if session.is_some() { SessionTimes::LONGEST_SECONDS } else { 0 };
        let secure = if self.secure { "; Secure" } else { "" };
        let (name, value) = (&self.cookie, session.unwrap_or(""));
        let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::from_str(&text).map_err(|_| WebError::internal("a cookie can't be written"))
    }

    /// Counts an attempt to log in.
    pub(super) fn begin_login(&self, login: &str, client: ClientAddress) -> WebResult<()> {
        let mut throttle = self.throttle.lock().unwrap_or_else(PoisonError::into_inner);
        throttle.begin(login.trim(), &client.0.to_string(), now_ms()).map_err(|wait| {
            let seconds = (wait + 999) / 1_000;
            WebError::new(StatusCode::TOO_MANY_REQUESTS, "too many attempts to log in")
                .help(format!("try again in {seconds} s"))
        })
    }

    pub(super) fn login_succeeded(&self, login: &str, client: ClientAddress) {
        let mut throttle = self.throttle.lock().unwrap_or_else(PoisonError::into_inner);
        throttle.succeeded(login.trim(), &client.0.to_string());
    }

    /// Runs work that hashes a password: a few at a time.
    pub(super) async fn hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> WebResult<T> + Send + 'static,
    ) -> WebResult<T> {
        let busy = || WebError::new(StatusCode::SERVICE_UNAVAILABLE, "too many people log in").help("try again");
        let slot = tokio::time::timeout(HASH_WAIT, self.hashing.acquire()).await.map_err(|_| busy())?;
        let _slot = slot.map_err(|_| busy())?;
        blocking(work).await
    }

    /// Hashes a new password.
    pub(super) async fn hashed(&self, password: String) -> WebResult<PasswordHash> {
        crate::people::check_password(&password)?;
        self.hashing(move || Ok(PasswordHash::of(&password)?)).await
    }

    /// The assignments that a person sees: students see those that have started.
    pub(super) fn assignments_for(&self, actor: &Actor) -> WebResult<Vec<Assignment>> {
        let mut all = self.people.assignments()?;
        let now = now_ms();
        all.retain(|assignment| actor.sees_all() || assignment.phase(now) != AssignmentPhase::Upcoming);
        Ok(all)
    }
}

/// The token with which the pages of a session send writes. It does not tell the session's secret.
pub(super) fn page_token(session: &str) -> String {
    secret_hash(&format!("page token of session {session}"))
}

impl WebState {
    /// The accounts.
    ///
    /// # Errors
    /// Fails on a server without accounts.
    pub(super) fn class(&self) -> WebResult<&ClassState> {
        self.class.as_ref().ok_or_else(|| {
            WebError::missing("this server has no accounts").help("`nimatron serve --class` starts one that has")
        })
    }

    /// The problems that a person sees. If the class is restricted to its assignments, students see the problems of those
    /// that have started.
    pub(super) fn listing(&self, actor: &Actor) -> WebResult<Arc<Listing>> {
        let listing = self.index.listing()?;
        let Some(class) = self.class.as_ref().filter(|_| !actor.sees_all()) else { return Ok(listing) };
        if !class.people.is_restricted()? {
            return Ok(listing);
        }
        let assignments = class.assignments_for(actor)?;
        Ok(Arc::new(listing.only(|problem| assignments.iter().any(|assignment| assignment.has(problem.as_str())))))
    }

    /// What a person sees of the cases of a problem that are not samples.
    pub(super) fn feedback_for(&self, actor: &Actor, problem: &str) -> WebResult<FeedbackLevel> {
        match &self.class {
            Some(class) if !actor.sees_all() => Ok(feedback(&class.people.assignments()?, problem, now_ms())),
            _ => Ok(FeedbackLevel::Full),
        }
    }

    /// Why a run has no verdict, as far as a person may know. The judge's error may quote a checker.
    pub(super) fn shown_error(&self, actor: &Actor, run: &StoredSubmission) -> WebResult<Option<String>> {
        let Some(error) = &run.error else { return Ok(None) };
        let feedback = self.feedback_for(actor, run.problem.as_str())?;
        Ok(Some(if feedback == FeedbackLevel::Full { error.clone() } else { JUDGE_ERROR.to_owned() }))
    }

    /// Allows what shows a person answers of a problem, or inputs that a program fails, beyond the samples.
    pub(super) fn require_full_feedback(&self, actor: &Actor, problem: &str) -> WebResult<()> {
        match self.feedback_for(actor, problem)? {
            FeedbackLevel::Full => Ok(()),
            FeedbackLevel::Verdicts => {
                Err(WebError::new(StatusCode::FORBIDDEN, "this shows more than the verdicts of this problem")
                    .help("a teacher can allow it with an assignment whose feedback is `full`"))
            }
        }
    }

    /// Allows a submission for all tests, unless the assignment of the problem has ended.
    pub(super) fn require_admission(&self, actor: &Actor, problem: &str) -> WebResult<()> {
        let Some(class) = self.class.as_ref().filter(|_| !actor.sees_all()) else { return Ok(()) };
        match admission(&class.people.assignments()?, problem, now_ms()) {
            Admission::Ended(name) => {
                Err(WebError::new(StatusCode::FORBIDDEN, format!("the assignment `{name}` has ended"))
                    .help("you can still run the samples and your own input"))
            }
            Admission::Practice | Admission::OnTime | Admission::Late => Ok(()),
        }
    }
}
