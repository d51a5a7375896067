//! The HTTP server: listening, limits on connections, and its orderly end.

use std::net::{IpAddr, SocketAddr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::submissions::{JudgingQueue, LocalHistory, QueueConfig, QueueLimits, SubmissionStore, random_text};

use super::actor::LOCAL_PERSON;
use super::guard::{AllowedHosts, guard};
use super::index::ProblemIndex;
use super::state::WebState;
use super::token::token_in;
use super::{api, assets, pages, peer};

/// Maximum number of open connections; further ones wait in the kernel's queue.
const MAX_CONNECTIONS: usize = 2_000;
/// Time in which a client must send the headers of its next request. An idle connection is closed after it.
const HEADER_TIME: Duration = Duration::from_secs(20);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Time that requests in progress get at the end.
const END_TIME: Duration = Duration::from_millis(500);
/// Interval at which cancellation is checked.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct WebConfig {
    /// The address to listen on. It must be a loopback address.
    pub listen: SocketAddr,
    /// The folder of the submissions.
    pub data: PathBuf,
    /// The folder of the history of runs.
    pub history: PathBuf,
    /// The file of the token; without one, each start has a new token.
    pub token_file: Option<PathBuf>,
}

/// A server that listens and has not yet answered a request.
pub struct Serving {
    listener: StdListener,
    address: SocketAddr,
    state: Arc<WebState>,
}

impl Serving {
    /// Listens, and starts judging what was submitted earlier.
    ///
    /// # Errors
    /// Fails if the address is not a loopback address or is in use, or if the data folder can't be used.
    pub fn start(config: &WebConfig, service: JudgeService, index: ProblemIndex) -> Result<Serving, Failure> {
        if !config.listen.ip().is_loopback() {
            let message = format!("{} can be reached from other machines", config.listen.ip());
            let help = "this server has no accounts, so it listens on loopback only: --listen 127.0.0.1:8707";
            return Err(Diagnostic::new(message).help(help).into());
        }
        let listener = StdListener::bind(config.listen).map_err(|error| {
            let message = format!("can't listen on {}: {error}", config.listen);
            Diagnostic::new(message)
                .help("another program may be listening there; --listen 127.0.0.1:0 takes a free port")
        })?;
        let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error);
        listener.set_nonblocking(true).map_err(internal)?;
        let address = listener.local_addr().map_err(internal)?;
        let token = config.token_file.as_deref().map_or_else(|| random_text().map_err(Failure::from), token_in)?;
        let index = Arc::new(index);
        let history = LocalHistory { person: LOCAL_PERSON.to_owned(), state: config.history.clone() };
        let queue = JudgingQueue::start(
            service.clone(),
            index.clone(),
            SubmissionStore::open(&config.data)?,
            QueueConfig { limits: QueueLimits::default(), history: Some(history) },
        )?;
        let hosts = AllowedHosts::new(address.port(), &[host_text(address.ip())]);
        let state = Arc::new(WebState::new(Arc::new(queue), service, index, token, hosts));
        Ok(Serving { listener, address, state })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The token for writes.
    pub fn token(&self) -> &str {
        &self.state.token
    }

    /// Answers requests until `cancel` is cancelled. Runs in progress are then stopped, and judged again after the next
    /// start.
    ///
    /// # Errors
    /// Fails if the threads of the server cannot be started, or if connections cannot be accepted.
    pub fn run(self, cancel: &Cancel) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("http")
            .enable_all()
            .build()
            .map_err(|error| {
                Fault::io(FaultKind::Internal, &error).context("cannot start the threads of the server")
            })?;
        let queue = self.state.queue.clone();
        let served = runtime.block_on(serve(self.listener, router(self.state), cancel.clone()));
        queue.shutdown();
        runtime.shutdown_timeout(END_TIME);
        served.map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot accept connections").into())
    }
}

/// An address as it is written in a URL.
fn host_text(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

fn router(state: Arc<WebState>) -> Router {
    let api = Router::new()
        .route("/problems", get(api::problems::list))
        .route("/problems/{id}", get(api::problems::show))
        .route("/languages", get(api::service::languages))
        .route("/runs", post(api::runs::submit).get(api::runs::list))
        .route("/runs/{id}", get(api::runs::show).delete(api::runs::cancel))
        .route("/runs/{id}/events", get(api::runs::events))
        .route("/runs/{id}/report", get(api::runs::report))
        .route("/runs/{id}/source", get(api::runs::source))
        .route("/games", post(api::games::create))
        .route("/games/{id}", get(api::games::show))
        .route("/games/{id}/moves", post(api::games::make_move))
        .route("/games/{id}/undo", post(api::games::undo))
        .route("/games/{id}/hint", post(api::games::hint))
        .route("/schema.json", get(api::schema::schema));
    Router::new()
        .route("/", get(pages::problems::page))
        .route("/problems/{id}", get(pages::problem::page))
        .route("/games", get(pages::games::page))
        .route("/games/octal", get(pages::octal::page))
        .route("/games/{id}", get(pages::game::page))
        .route("/games/{id}/theory", get(pages::theory::page))
        .route("/submissions", get(pages::submissions::page))
        .route("/submissions/{id}", get(pages::submission::page))
        .route("/assets/{version}/{*name}", get(assets::asset))
        .route("/favicon.ico", get(assets::no_icon))
        .route("/healthz", get(api::service::health))
        .route("/metrics", get(api::service::metrics))
        .nest("/api/v1", api)
        .fallback(api::service::not_found)
        .method_not_allowed_fallback(api::service::not_allowed)
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state)
}

/// Accepts connections until cancellation.
async fn serve(listener: StdListener, router: Router, cancel: Cancel) -> std::io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let (ending, ended) = watch::channel(());
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let free = async {
            let slot = slots.clone().acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            accepted = free => accepted,
            () = cancelled(&cancel) => break,
        };
        let Ok(slot) = slot else { break };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, client)) => {
                connections.spawn(connection(stream, client, router.clone(), slot, ended.clone()));
            }
            // The client is gone, or there are no descriptors left for the moment.
            Err(_) => tokio::time::sleep(CANCEL_CHECK).await,
        }
    }
    drop(listener);
    drop(ending);
    _ = tokio::time::timeout(END_TIME, async { while connections.join_next().await.is_some() {} }).await;
    Ok(())
}

async fn cancelled(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(CANCEL_CHECK).await;
    }
}

/// Serves one connection. At the end of the server it is closed after the response in progress.
async fn connection(
    stream: TcpStream,
    client: SocketAddr,
    router: Router,
    _slot: OwnedSemaphorePermit,
    mut ended: watch::Receiver<()>,
) {
    let Ok(server) = stream.local_addr() else { return };
    let is_owner = tokio::task::spawn_blocking(move || peer::is_owner(client, server)).await.unwrap_or(false);
    if !is_owner {
        return;
    }
    // Small events must not wait for more data.
    _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A broken connection concerns only its client.
        _ = connection.as_mut() => {}
        _ = ended.changed() => {
            connection.as_mut().graceful_shutdown();
            _ = connection.await;
        }
    }
}
