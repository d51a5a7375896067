//! The HTTP server: its configuration, its start and its routes.

use std::net::{SocketAddr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::searches::SearchTable;
use crate::service::JudgeService;
use crate::submissions::{JudgingQueue, LocalHistory, QueueConfig, QueueLimits, SubmissionStore, random_text};

use super::actor::LOCAL_PERSON;
use super::connections::{connections_allowed, serve};
use super::guard::{AllowedHosts, guard};
use super::index::ProblemIndex;
use super::state::WebState;
use super::token::token_in;
use super::{api, assets, pages};

/// Time that threads of handlers get at the end.
const THREADS_END: Duration = Duration::from_millis(500);

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
    /// Maximum number of connections.
    connections: usize,
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
        let searches = SearchTable::new(service.clone(), index.clone())?;
        let hosts = AllowedHosts::new(address.port(), &[address.to_string()]);
        let connections = connections_allowed();
        // Half of the connections may be streams of events, so that some are left for requests.
        let state =
            Arc::new(WebState::new((Arc::new(queue), searches), service, index, token, hosts, connections.div_ceil(2)));
        Ok(Serving { listener, address, state, connections })
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
        let state = self.state.clone();
        let served = runtime.block_on(serve(self.listener, router(self.state), cancel.clone(), self.connections));
        state.searches.shutdown();
        state.queue.shutdown();
        runtime.shutdown_timeout(THREADS_END);
        served.map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot accept connections").into())
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
        .route("/stress", post(api::stress::start).get(api::stress::list))
        .route("/stress/{id}", get(api::stress::show).delete(api::stress::cancel))
        .route("/stress/{id}/events", get(api::stress::events))
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
