//! State of a server with accounts: sessions, login throttling, and rules on what students may see.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::sync::Semaphore;

use crate::clock::now_ms;
use crate::people::{
    Admission, Assignment, AssignmentPhase, FeedbackLevel, LoginThrottle, PasswordHash, PeopleStore, SessionTimes,
    admission, feedback, is_held_back, running, secret_hash,
};
use crate::submissions::StoredSubmission;

use super::actor::Actor;
use super::error::{WebError, WebResult};
use super::feedback::JUDGE_ERROR;
use super::index::Listing;
use super::state::{WebState, blocking};

/// Maximum number of passwords that are hashed concurrently. Each hash takes 19 MiB of memory.
const HASHED_AT_ONCE: usize = 2;
/// Maximum time to wait until the hashing of a password starts.
const HASH_WAIT: Duration = Duration::from_secs(10);

/// IP address of the client that sent a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientAddress(pub(super) IpAddr);

impl ClientAddress {
    /// Returns the key under which login attempts of this client are counted. A host can use any IPv6 address of its
    /// network, so all IPv6 addresses of a network have the same key.
    fn counted_as(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let network = address.segments();
                format!("{:x}:{:x}:{:x}:{:x}::/64", network[0], network[1], network[2], network[3])
            }
        }
    }
}

/// State of a server with accounts.
pub(super) struct ClassState {
    pub(super) people: PeopleStore,
    throttle: Mutex<LoginThrottle>,
    hashing: Arc<Semaphore>,
    /// Name of the session cookie. It contains the port, since browsers share cookies between ports.
    cookie: String,
    /// Whether the server uses TLS.
    secure: bool,
}

impl ClassState {
    pub(super) fn new(people: PeopleStore, port: u16, secure: bool) -> ClassState {
        // Browsers accept a cookie with this prefix only over TLS and only from the host itself, so no other host can
        // set it.
        let prefix = if secure { "__Host-" } else { "" };
        let cookie = format!("{prefix}nimatron-{port}");
        let hashing = Arc::new(Semaphore::new(HASHED_AT_ONCE));
        ClassState { people, throttle: Mutex::default(), hashing, cookie, secure }
    }

    /// Returns the secret of the session in the cookie of a request, or `None` if there is no such cookie.
    pub(super) fn session_of(&self, headers: &HeaderMap) -> Option<String> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.cookie).map(|(_, value)| value.to_owned())
    }

    /// Returns the `Set-Cookie` header that stores a session, or that deletes the cookie if `session` is `None`.
    pub(super) fn cookie(&self, session: Option<&str>) -> WebResult<HeaderValue> {
        let age = if session.is_some() { SessionTimes::LONGEST_SECONDS } else { 0 };
        let secure = if self.secure { "; Secure" } else { "" };
        let (name, value) = (&self.cookie, session.unwrap_or(""));
        let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::from_str(&text).map_err(|_| WebError::internal("the session cookie is not a valid header value"))
    }

    /// Counts a login attempt.
    ///
    /// # Errors
    /// Fails if too many attempts have failed for this login or from this client, and the waiting time has not passed.
    pub(super) fn begin_login(&self, login: &str, client: ClientAddress) -> WebResult<()> {
        let mut throttle = self.throttle.lock().unwrap_or_else(PoisonError::into_inner);
        throttle.begin(login.trim(), &client.counted_as(), now_ms()).map_err(|wait| {
            let seconds = (wait + 999) / 1_000;
            WebError::new(StatusCode::TOO_MANY_REQUESTS, "too many failed attempts")
                .help(format!("try again in {seconds} s"))
        })
    }

    pub(super) fn login_succeeded(&self, login: &str, client: ClientAddress) {
        let mut throttle = self.throttle.lock().unwrap_or_else(PoisonError::into_inner);
        throttle.succeeded(login.trim(), &client.counted_as());
    }

    /// Runs `work`, which hashes a password. At most [`HASHED_AT_ONCE`] passwords are hashed concurrently.
    pub(super) async fn hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> WebResult<T> + Send + 'static,
    ) -> WebResult<T> {
        let busy = || {
            let message = format!(
                "the server is busy: other logins and password changes did not finish within {} s",
                HASH_WAIT.as_secs()
            );
            WebError::new(StatusCode::SERVICE_UNAVAILABLE, message).help("try again")
        };
        let slot = tokio::time::timeout(HASH_WAIT, self.hashing.clone().acquire_owned()).await.map_err(|_| busy())?;
        let slot = slot.map_err(|_| busy())?;
        blocking(move || {
            // The work continues after the client has disconnected, so the slot is held until the work ends.
            let _slot = slot;
            work()
        })
        .await
    }

    /// Checks and hashes a new password.
    pub(super) async fn hashed(&self, password: String) -> WebResult<PasswordHash> {
        crate::people::check_password(&password)?;
        self.hashing(move || Ok(PasswordHash::of(&password)?)).await
    }

    /// Returns the assignments visible to the actor. Students see only assignments that have started.
    pub(super) fn assignments_for(&self, actor: &Actor) -> WebResult<Vec<Assignment>> {
        let mut all = self.people.assignments()?;
        let now = now_ms();
        all.retain(|assignment| actor.sees_all() || assignment.phase(now) != AssignmentPhase::Upcoming);
        Ok(all)
    }
}

/// Returns the token that pages of this session send with writes. It does not reveal the secret of the session.
pub(super) fn page_token(session: &str) -> String {
    secret_hash(&format!("page token of session {session}"))
}

impl WebState {
    /// Returns the state of a server with accounts.
    ///
    /// # Errors
    /// Fails on a server without accounts.
    pub(super) fn class(&self) -> WebResult<&ClassState> {
        self.class.as_ref().ok_or_else(|| {
            WebError::missing("this server has no accounts").help("start the server with `nimatron serve --class`")
        })
    }

    /// Returns the problems visible to the actor. Students do not see the problems of assignments that have not
    /// started. If the class is restricted to its assignments, they see only the problems of assignments that have
    /// started.
    pub(super) fn listing(&self, actor: &Actor) -> WebResult<Arc<Listing>> {
        let listing = self.index.listing()?;
        let Some(class) = self.class.as_ref().filter(|_| !actor.sees_all()) else { return Ok(listing) };
        let (assignments, restricted, now) = (class.people.assignments()?, class.people.is_restricted()?, now_ms());
        let has_started = |assignment: &&Assignment| assignment.phase(now) != AssignmentPhase::Upcoming;
        if !restricted && assignments.iter().all(|assignment| has_started(&assignment)) {
            return Ok(listing);
        }
        Ok(Arc::new(listing.only(|problem| {
            if restricted {
                assignments.iter().filter(has_started).any(|assignment| assignment.has(problem.as_str()))
            } else {
                !is_held_back(&assignments, problem.as_str(), now)
            }
        })))
    }

    /// Returns the name of an open assignment with this problem if the actor is a student; otherwise `None`. Hints and
    /// theory of the problem's game are disabled while there is such an assignment.
    pub(super) fn closed_by(&self, actor: &Actor, problem: &str) -> WebResult<Option<String>> {
        let Some(class) = self.class.as_ref().filter(|_| !actor.sees_all()) else { return Ok(None) };
        let assignments = class.people.assignments()?;
        Ok(running(&assignments, problem, now_ms()).map(|assignment| assignment.draft.name.clone()))
    }

    /// Requires access to the theory of a problem's game, which students lack while an assignment with the problem is
    /// open.
    pub(super) fn require_theory(&self, actor: &Actor, problem: &str) -> WebResult<()> {
        match self.closed_by(actor, problem)? {
            None => Ok(()),
            Some(name) => {
                let message =
                    format!("hints and theory for this game are disabled while the assignment `{name}` is open");
                Err(WebError::new(StatusCode::FORBIDDEN, message).help("you can still play against the machine"))
            }
        }
    }

    /// Returns the level of feedback for the actor on the hidden cases of a problem: all cases except the samples.
    pub(super) fn feedback_for(&self, actor: &Actor, problem: &str) -> WebResult<FeedbackLevel> {
        match &self.class {
            Some(class) if !actor.sees_all() => Ok(feedback(&class.people.assignments()?, problem, now_ms())),
            _ => Ok(FeedbackLevel::Full),
        }
    }

    /// Returns the error of a run without a verdict, or `None` if the run has no error. For an actor without full
    /// feedback, a generic message replaces the error, since it may quote a checker.
    pub(super) fn shown_error(&self, actor: &Actor, run: &StoredSubmission) -> WebResult<Option<String>> {
        let Some(error) = &run.error else { return Ok(None) };
        let feedback = self.feedback_for(actor, run.problem.as_str())?;
        Ok(Some(if feedback == FeedbackLevel::Full { error.clone() } else { JUDGE_ERROR.to_owned() }))
    }

    /// Requires full feedback on a problem, for responses that contain answers or failing inputs beyond the samples.
    pub(super) fn require_full_feedback(&self, actor: &Actor, problem: &str) -> WebResult<()> {
        match self.feedback_for(actor, problem)? {
            FeedbackLevel::Full => Ok(()),
            FeedbackLevel::Verdicts => {
                let message =
                    format!("failing inputs and answers for the problem `{problem}` are hidden from students");
                Err(WebError::new(StatusCode::FORBIDDEN, message)
                    .help("ask a teacher to set the feedback to `full` in all assignments that contain the problem"))
            }
        }
    }

    /// Rejects a student's submission if the assignment of the problem has ended and does not accept late submissions.
    pub(super) fn require_admission(&self, actor: &Actor, problem: &str) -> WebResult<()> {
        let Some(class) = self.class.as_ref().filter(|_| !actor.sees_all()) else { return Ok(()) };
        match admission(&class.people.assignments()?, problem, now_ms()) {
            Admission::Ended(name) => {
                let message = format!("the assignment `{name}` has ended and does not accept late submissions");
                Err(WebError::new(StatusCode::FORBIDDEN, message)
                    .help("you can still run the samples, your own input and your own tests"))
            }
            Admission::Practice | Admission::OnTime | Admission::Late => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_ipv6_network_count_as_one() {
        let counted = |text: &str| ClientAddress(text.parse().unwrap()).counted_as();
        assert_eq!(counted("2001:db8:1:2::1"), counted("2001:db8:1:2:ffff::9"));
        assert_ne!(counted("2001:db8:1:2::1"), counted("2001:db8:1:3::1"));
        assert_eq!(counted("::ffff:10.0.0.1"), counted("10.0.0.1"));
        assert_ne!(counted("10.0.0.1"), counted("10.0.0.2"));
    }
}
