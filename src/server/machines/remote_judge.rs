//! Judges the submissions of a school class with `nimatron serve`, for `nimatron grade --cluster`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::SendRequest;
use hyper::{Method, Request, StatusCode, header};
use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::grade::class::{NextProgram, ProgramJudge, WhenJudged};
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::service::{JudgeRequest, JudgingTarget, RunReport};

use super::http_client::{HttpPeer, TrustedRoots};

/// Maximum number of concurrent runs on the server. It exceeds the number of slots of a typical cluster.
const AT_ONCE: usize = 128;
/// Interval between requests for the states of the runs.
const POLL: Duration = Duration::from_millis(200);
/// Time after which an unreachable server is an error. Until then, requests are repeated.
const RETRY_TIMEOUT: Duration = Duration::from_secs(120);
/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_secs(1);
/// Interval at which cancellation is checked.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// Time limit for a response.
const ANSWER: Duration = Duration::from_secs(60);
/// Time limit for the last request, which cancels the runs that are no longer needed.
const LAST_REQUEST: Duration = Duration::from_secs(5);
/// Maximum size of a response, in bytes. A report has at most 128 MiB.
const LARGEST_ANSWER: usize = 256 << 20;

/// The address of a server (`nimatron serve`), and the credential for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServeAddress {
    /// The URL: `http://HOST:PORT` or `https://HOST:PORT`.
    pub url: String,
    /// The token of a teacher, or the token of the server.
    pub token: String,
    /// The file with the certificate that signed the server's certificate; `None` for the certificates of the system.
    pub ca: Option<PathBuf>,
}

/// A judge that runs programs on a server (`nimatron serve`). The server must have the same problems as this machine.
pub struct RemoteJudge {
    url: String,
    token: String,
    peer: HttpPeer,
    cancel: Cancel,
    runtime: Runtime,
    connection: Mutex<Option<OpenHttp>>,
}

/// An open connection to the server, with the task that drives it.
struct OpenHttp {
    sender: SendRequest<Full<Bytes>>,
    _driver: JoinSet<hyper::Result<()>>,
}

/// A run that has not ended.
struct OpenRun {
    index: usize,
    /// The hash of the problem on this machine.
    problem: Digest,
}

/// The state of a run, as the server reports it. Further fields of the response are ignored.
#[derive(Debug, Deserialize)]
struct RunState {
    id: String,
    state: String,
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct NewId {
    id: String,
}

/// The body of the response with which the server refuses a request.
#[derive(Debug, Default, Deserialize)]
struct ServeRefusal {
    #[serde(default)]
    error: String,
    help: Option<String>,
}

/// The status and the body of a response.
type HttpAnswer = (StatusCode, Bytes);

impl RemoteJudge {
    /// Creates a judge without connecting to the server. Judging ends when `cancel` is cancelled.
    ///
    /// # Errors
    /// Fails if the URL is invalid, or if the file of the certificate can't be used.
    pub fn new(address: &ServeAddress, cancel: &Cancel) -> Result<RemoteJudge, Failure> {
        let roots = TrustedRoots::load(address.ca.as_deref())?;
        let peer = HttpPeer::new(&address.url, &roots).map_err(Diagnostic::new)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot create the HTTP client"))?;
        let (url, token) = (address.url.trim_end_matches('/').to_owned(), address.token.clone());
        Ok(RemoteJudge { url, token, peer, cancel: cancel.clone(), runtime, connection: Mutex::default() })
    }

    fn judge_open(
        &self,
        open: &mut HashMap<String, OpenRun>,
        next: NextProgram<'_>,
        judged: WhenJudged<'_>,
    ) -> Result<(), Failure> {
        let mut more = true;
        loop {
            while more && open.len() < AT_ONCE {
                let Some((index, request)) = next()? else {
                    more = false;
                    break;
                };
                match self.submit(&request)? {
                    Ok(id) => _ = open.insert(id, OpenRun { index, problem: request.problem.digest }),
                    Err(fault) => judged(index, Err(fault.into()))?,
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            self.wait(POLL)?;
            for run in self.ended(open)? {
                let report = self.report(&run, &open[&run.id])?;
                if let Some(OpenRun { index, .. }) = open.remove(&run.id) {
                    judged(index, report)?;
                }
            }
        }
    }

    /// Starts a run, and returns its id. The inner result is an error if the server refuses this program.
    fn submit(&self, request: &JudgeRequest) -> Result<Result<String, Fault>, Failure> {
        let body = serde_json::to_vec(request)
            .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot encode the request"))?;
        let (status, answer) = self.request(Method::POST, "/api/v1/judgings", body)?;
        match status {
            StatusCode::ACCEPTED => Ok(Ok(self.read::<NewId>(&answer)?.id)),
            StatusCode::UNPROCESSABLE_ENTITY | StatusCode::PAYLOAD_TOO_LARGE => {
                let ServeRefusal { error, .. } = serde_json::from_slice(&answer).unwrap_or_default();
                Ok(Err(Fault::new(FaultKind::Data, format!("`{}` refused the program: {error}", self.url))))
            }
            _ => Err(self.refused(status, &answer)),
        }
    }

    /// Returns the states of the runs in `open` that have ended on the server.
    fn ended(&self, open: &HashMap<String, OpenRun>) -> Result<Vec<RunState>, Failure> {
        let path = format!("/api/v1/runs?limit={}", 2 * AT_ONCE);
        let listed: Vec<RunState> = self.get(&path)?;
        let mut unlisted = open.keys().filter(|id| !listed.iter().any(|run| run.id == **id));
        // The server's list omits a run if too many later runs exist.
        let others = unlisted.try_fold(Vec::new(), |mut others, id| -> Result<_, Failure> {
            others.push(self.get(&format!("/api/v1/runs/{id}"))?);
            Ok(others)
        })?;
        let has_ended = |run: &RunState| run.state == "finished" || run.state == "cancelled";
        Ok(listed.into_iter().chain(others).filter(|run| open.contains_key(&run.id) && has_ended(run)).collect())
    }

    /// Returns the report of a run that has ended. The inner result is an error if the run has no report, or if the
    /// server judged another version of the problem.
    fn report(&self, run: &RunState, open: &OpenRun) -> Result<Result<RunReport, Failure>, Failure> {
        let fault = |message: String| Ok(Err(Failure::fault(FaultKind::Data, message)));
        if run.state == "cancelled" {
            return fault(format!("the run was cancelled on `{}`", self.url));
        }
        let (status, answer) = self.request(Method::GET, &format!("/api/v1/runs/{}/report", run.id), Vec::new())?;
        match status {
            StatusCode::OK => {}
            StatusCode::NO_CONTENT => return fault(run.error.clone().unwrap_or_else(|| "the judge failed".to_owned())),
            _ => return Err(self.refused(status, &answer)),
        }
        let report: RunReport = self.read(&answer)?;
        if report.problem.digest != open.problem {
            return fault(format!(
                "`{}` judged another version of the problem `{}`; use the same version on the server and on this machine",
                self.url, report.problem.id
            ));
        }
        Ok(Ok(report))
    }

    fn get<T: for<'a> Deserialize<'a>>(&self, path: &str) -> Result<T, Failure> {
        match self.request(Method::GET, path, Vec::new())? {
            (StatusCode::OK, answer) => self.read(&answer),
            (status, answer) => Err(self.refused(status, &answer)),
        }
    }

    fn read<T: for<'a> Deserialize<'a>>(&self, answer: &[u8]) -> Result<T, Failure> {
        serde_json::from_slice(answer).map_err(|error| {
            let message = format!("cannot parse the response of `{}`: {error}", self.url);
            Failure::fault(FaultKind::Data, message)
        })
    }

    /// Returns the failure for a response that refuses a request. Further programs would be refused for the same
    /// reason.
    fn refused(&self, status: StatusCode, answer: &[u8]) -> Failure {
        let ServeRefusal { error, help } = serde_json::from_slice(answer).unwrap_or_default();
        let error = if error.is_empty() { status.to_string() } else { error };
        let refusal = Diagnostic::new(format!("`{}` refused a request: {error}", self.url));
        match (status, help) {
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => refusal.help(
                "specify the token of a teacher or of the server in the environment variable `NIMATRON_TOKEN` or with `--token-file`",
            ),
            (_, Some(help)) => refusal.help(help),
            (_, None) => refusal,
        }
        .into()
    }

    /// Sends a request, and returns the response. The request is repeated while the server can't be reached or reports
    /// that it is busy.
    ///
    /// # Errors
    /// Fails if the server can't be reached for [`RETRY_TIMEOUT`], or if judging is cancelled.
    fn request(&self, method: Method, path: &str, body: Vec<u8>) -> Result<HttpAnswer, Failure> {
        let body = Bytes::from(body);
        let mut lost = None;
        loop {
            match self.until_cancelled(self.exchange(&method, path, body.clone()))? {
                Ok((StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE, _)) => lost = None,
                Ok(answer) => return Ok(answer),
                Err(reason) => {
                    let since = *lost.get_or_insert_with(Instant::now);
                    if since.elapsed() >= RETRY_TIMEOUT {
                        let message =
                            format!("cannot reach `{}`: {reason}; run the same command again to resume", self.url);
                        return Err(Failure::fault(FaultKind::Internal, message));
                    }
                }
            }
            self.wait(PAUSE)?;
        }
    }

    /// Sends a request without repetition. Reuses the connection of the previous request if that connection is still
    /// open.
    async fn exchange(&self, method: &Method, path: &str, body: Bytes) -> Result<HttpAnswer, String> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.peer.authority())
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))
            .map_err(|error| error.to_string())?;
        let known = self.connection.lock().unwrap_or_else(PoisonError::into_inner).take();
        let exchanged = tokio::time::timeout(ANSWER, async {
            let mut open = match known.filter(|open| !open.sender.is_closed()) {
                Some(open) => open,
                None => {
                    let mut driver = JoinSet::new();
                    OpenHttp { sender: self.peer.connect(&mut driver).await?, _driver: driver }
                }
            };
            open.sender.ready().await.map_err(|error| error.to_string())?;
            let answer = open.sender.send_request(request).await.map_err(|error| error.to_string())?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await;
            Ok((open, status, body.map_err(|error| error.to_string())?.to_bytes()))
        });
        let answered: Result<_, String> =
            exchanged.await.map_err(|_| format!("no response within {} s", ANSWER.as_secs()))?;
        let (open, status, body) = answered?;
        *self.connection.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        Ok((status, body))
    }

    fn wait(&self, time: Duration) -> Result<(), Failure> {
        // The timer must be created within the runtime.
        self.until_cancelled(async { tokio::time::sleep(time).await })
    }

    /// Waits for `work`, and returns its value. Fails if judging is cancelled.
    fn until_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let cancelled = async {
            while !self.cancel.is_cancelled() {
                tokio::time::sleep(CANCEL_CHECK).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                value = work => Ok(value),
                () = cancelled => Err(stopped()),
            }
        })
    }

    /// Cancels runs on the server with a single request. A failure is ignored, because the results of the runs are not
    /// needed.
    fn abandon(&self, open: &HashMap<String, OpenRun>) {
        let ids: Vec<&String> = open.keys().collect();
        let body = json!({ "ids": ids }).to_string();
        let request = self.exchange(&Method::POST, "/api/v1/runs/cancel", body.into());
        _ = self.runtime.block_on(async { tokio::time::timeout(LAST_REQUEST, request).await });
    }
}

impl ProgramJudge for RemoteJudge {
    /// Does nothing: the workers have the compilers, and report what they can't build.
    fn prepare(&self, _: &[&JudgingTarget]) -> Result<(), Failure> {
        Ok(())
    }

    fn judge_all(&self, next: NextProgram<'_>, judged: WhenJudged<'_>) -> Result<(), Failure> {
        let mut open = HashMap::new();
        let ended = self.judge_open(&mut open, next, judged);
        if !open.is_empty() {
            self.abandon(&open);
        }
        if !self.cancel.is_cancelled() {
            return ended;
        }
        open.into_values().try_for_each(|run| judged(run.index, Err(stopped())))
    }
}

fn stopped() -> Failure {
    Failure::fault(FaultKind::Cancelled, "judging was stopped")
}
