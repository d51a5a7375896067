//! Configuration, startup and routes of the HTTP server.

use std::net::{SocketAddr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, patch, post};

use crate::classes::{ClassSetup, ClassTable};
use tokio_rustls::TlsAcceptor;

use crate::model::{ByteSize, Diagnostic, Failure, Fault, FaultKind};
use crate::people::PeopleStore;
use crate::sandbox::Cancel;
use crate::searches::SearchTable;
use crate::service::JudgeService;
use crate::submissions::{
    JudgingQueue, LocalHistory, PoolStart, QueueConfig, QueueLimits, SubmissionStore, random_text,
};

use super::actor::LOCAL_PERSON;
use super::class::ClassState;
use super::connections::{ConnectionRules, connections_allowed, serve};
use super::guard::{AllowedHosts, guard};
use super::index::ProblemIndex;
use super::state::WebState;
use super::tls::acceptor;
use super::token::token_in;
use super::{api, assets, pages};

/// Time limit for blocking work of handlers at shutdown.
const THREADS_END: Duration = Duration::from_millis(500);

/// Returns the queue limits of a server with accounts. At most one program per person is judged at a time.
fn class_limits(storage_per_person: ByteSize) -> QueueLimits {
    QueueLimits {
        at_once: None,
        per_person: 1,
        queued_per_person: 20,
        queued: 20_000,
        storage_per_person: Some(storage_per_person),
        slots_per_run: None,
    }
}

/// Name of the folder in the data folder that contains the classes.
const CLASSES_FOLDER: &str = "classes";

/// Configuration of the server.
#[derive(Debug, Clone)]
pub struct WebConfig {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Data folder, which contains submissions, accounts and classes.
    pub data: PathBuf,
    /// State folder, which contains the history of runs.
    pub history: PathBuf,
    /// File that contains the token of the server. If it is `None`, each start creates a new token.
    pub token_file: Option<PathBuf>,
    /// Whether the server has accounts.
    pub class: bool,
    /// Additional host names under which the server can be reached.
    pub hosts: Vec<String>,
    /// Certificate and key for TLS; `None` for plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Whether other machines may reach the server without accounts or without TLS.
    pub insecure_network: bool,
    /// Maximum storage for the submissions of one person on a server with accounts.
    pub person_storage: ByteSize,
}

/// PEM files for TLS.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// Certificate chain, with the server's certificate first.
    pub certificates: PathBuf,
    /// Private key of the server's certificate.
    pub key: PathBuf,
}

impl TlsFiles {
    /// Creates an acceptor for TLS 1.3.
    ///
    /// # Errors
    /// Fails if a file cannot be read or parsed, or if the key does not belong to the certificate.
    pub fn acceptor(&self) -> Result<TlsAcceptor, Failure> {
        acceptor(&self.certificates, &self.key)
    }
}

/// Returns an error if other machines can reach the server although accounts or TLS are missing, unless the
/// configuration allows it.
fn check_reach(config: &WebConfig) -> Result<(), Diagnostic> {
    if config.listen.ip().is_loopback() || config.insecure_network || (config.class && config.tls.is_some()) {
        return Ok(());
    }
    let (lacking, missing) = match (config.class, config.tls.is_some()) {
        (true, _) => ("TLS", "`--tls-cert` and `--tls-key`"),
        (false, true) => ("accounts", "`--class`"),
        (false, false) => ("accounts and TLS", "`--class`, `--tls-cert` and `--tls-key`"),
    };
    let ip = config.listen.ip();
    let message = format!("listening on `{ip}`, which other machines can reach, requires {lacking}");
    let help = format!(
        "add {missing}, accept only local connections with `--listen 127.0.0.1:8707`, or add `--insecure-network` \
         (see `nimatron help serve`)"
    );
    Err(Diagnostic::new(message).help(help))
}

/// A server that is listening but does not answer requests yet.
pub struct Serving {
    listener: StdListener,
    address: SocketAddr,
    state: Arc<WebState>,
    rules: ConnectionRules,
    /// Whether the first account must be created.
    needs_setup: bool,
    /// First additional name of the server, with its port; `None` if there is none.
    name: Option<String>,
}

impl Serving {
    /// Starts listening, and starts judging the submissions that are still queued. If `pool` is given, other machines
    /// judge the submissions; otherwise, this machine does.
    ///
    /// # Errors
    /// Fails if other machines could reach the server although accounts or TLS are missing, unless the configuration
    /// allows it; if the address cannot be bound; if the TLS files, the token file or the data folder cannot be used;
    /// or if no thread or file descriptor is available.
    pub fn start(
        config: &WebConfig,
        service: JudgeService,
        index: ProblemIndex,
        pool: Option<PoolStart>,
    ) -> Result<Serving, Failure> {
        check_reach(config)?;
        let tls = config.tls.as_ref().map(TlsFiles::acceptor).transpose()?;
        let listener = StdListener::bind(config.listen).map_err(|error| {
            let message = format!("cannot listen on {}: {error}", config.listen);
            Diagnostic::new(message)
                .help("choose another address with `--listen`; `--listen 127.0.0.1:0` chooses a free port")
        })?;
        let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error);
        listener.set_nonblocking(true).map_err(internal)?;
        let address = listener.local_addr().map_err(internal)?;
        let token = config.token_file.as_deref().map_or_else(|| random_text().map_err(Failure::from), token_in)?;
        let index = Arc::new(index);
        let history = LocalHistory { person: LOCAL_PERSON.to_owned(), state: config.history.clone() };
        let store = SubmissionStore::open(&config.data)?;
        let limits = if config.class { class_limits(config.person_storage) } else { QueueLimits::default() };
        let queue_config = QueueConfig { limits, history: Some(history) };
        let queue = match pool {
            None => JudgingQueue::start(service.clone(), index.clone(), store, queue_config)?,
            Some(pool) => JudgingQueue::start_remote(service.clone(), index.clone(), store, queue_config, pool)?,
        };
        let searches = SearchTable::new(service.clone(), index.clone())?;
        let queue = Arc::new(queue);
        let classes = Arc::new(open_classes(config, &service, &index, &queue)?);
        let people = config.class.then(|| PeopleStore::open(&config.data)).transpose()?;
        let needs_setup = people.as_ref().map_or(Ok(false), PeopleStore::is_empty)?;
        let class = people.map(|people| ClassState::new(people, address.port(), tls.is_some()));
        let names = [&config.hosts[..], &[address.to_string()]].concat();
        let hosts = AllowedHosts::new(address.port(), &names);
        let with_port =
            |name: &String| if name.contains(':') { name.clone() } else { format!("{name}:{}", address.port()) };
        let name = config.hosts.first().map(with_port);
        let connections = connections_allowed();
        // At most half of the connections may be event streams, so that the others are free for requests.
        let state = Arc::new(WebState::new(
            (queue, searches, classes),
            service,
            index,
            (token, class),
            hosts,
            connections.div_ceil(2),
        ));
        // Without accounts there is no login, so the owner of each connection is checked instead.
        let owners_only = !config.class && config.listen.ip().is_loopback();
        let rules = ConnectionRules { most: connections, owners_only, tls };
        Ok(Serving { listener, address, state, rules, needs_setup, name })
    }

    /// Returns the URL of the server.
    pub fn url(&self) -> String {
        let scheme = if self.rules.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}/", self.address)
    }

    /// Returns the URL of the page that creates the first account; `None` if the server has no accounts or the first
    /// account already exists.
    pub fn setup_url(&self) -> Option<String> {
        let url = match &self.name {
            Some(name) => self.url().replace(&self.address.to_string(), name),
            None => self.url(),
        };
        self.needs_setup.then(|| format!("{url}setup#{}", self.state.token))
    }

    /// Returns the token that permits writes.
    pub fn token(&self) -> &str {
        &self.state.token
    }

    /// Answers requests until `cancel` is cancelled. Runs in progress are then stopped; they are judged again after the
    /// next start.
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
        let early = state.clone();
        // Without this task, the first page of a problem would wait until the versions of the compilers are known.
        runtime.spawn(async move { early.languages().await.map(|_| ()) });
        let served = runtime.block_on(serve(self.listener, router(self.state), cancel.clone(), self.rules));
        state.searches.shutdown();
        state.classes.shutdown();
        state.queue.shutdown();
        runtime.shutdown_timeout(THREADS_END);
        served.map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot accept connections").into())
    }
}

/// Returns the routes of the endpoints for classes. The handler of uploads enforces its own size limit.
fn class_routes() -> Router<Arc<WebState>> {
    use api::{class_marks as marks, class_reviews as reviews, classes};
    Router::new()
        .route("/classes", post(api::class_uploads::create).layer(DefaultBodyLimit::disable()).get(classes::list))
        .route("/classes/{id}", get(classes::show).delete(classes::delete))
        .route("/classes/{id}/events", get(classes::events))
        .route("/classes/{id}/start", post(classes::start))
        .route("/classes/{id}/pause", post(classes::pause))
        .route("/classes/{id}/resume", post(classes::resume))
        .route("/classes/{id}/rejudge", post(marks::rejudge))
        .route("/classes/{id}/roster", get(classes::roster).put(classes::correct))
        .route("/classes/{id}/gradebook", get(marks::gradebook))
        .route("/classes/{id}/gradebook.csv", get(marks::gradebook_csv))
        .route("/classes/{id}/gradebook.json", get(marks::gradebook_json))
        .route("/classes/{id}/overrides", post(marks::set_override))
        .route("/classes/{id}/overrides/undo", post(marks::undo_override))
        .route("/classes/{id}/log", get(marks::log))
        .route("/classes/{id}/rules", get(marks::rules).put(marks::set_rules))
        .route("/classes/{id}/rules/preview", post(marks::preview))
        .route("/classes/{id}/similarity", get(reviews::similarity))
        .route("/classes/{id}/pairs/{pair}", get(reviews::pair))
        .route("/classes/{id}/groups", get(reviews::groups))
        .route("/classes/{id}/tests/{problem}", get(reviews::tests))
        .route("/classes/{id}/submissions/{student}/{problem}", get(reviews::submission))
        .route("/classes/{id}/downloads", get(reviews::downloads))
        .route("/classes/{id}/downloads/{name}", get(reviews::download).post(reviews::fill))
}

/// Opens the classes. A program of a class is started only when no other submission is queued and a slot is free.
fn open_classes(
    config: &WebConfig,
    service: &JudgeService,
    index: &Arc<ProblemIndex>,
    queue: &Arc<JudgingQueue>,
) -> Result<ClassTable, Failure> {
    let (queue, slots) = (queue.clone(), service.host().jobs());
    let may_start = move || {
        let counts = queue.counts();
        counts.queued == 0 && counts.running < slots
    };
    ClassTable::open(ClassSetup {
        root: config.data.join(CLASSES_FOLDER),
        service: service.clone(),
        finder: index.clone(),
        may_start: Arc::new(may_start),
    })
}

fn router(state: Arc<WebState>) -> Router {
    let api = Router::new()
        .route("/problems", get(api::problems::list))
        .route("/problems/{id}", get(api::problems::show))
        .route("/languages", get(api::service::languages))
        .route("/cluster", get(api::service::cluster))
        .route("/runs", post(api::runs::submit).get(api::runs::list))
        .route("/runs/cancel", post(api::runs::cancel_many))
        .route("/judgings", post(api::judgings::submit))
        .route("/runs/{id}", get(api::runs::show).delete(api::runs::cancel))
        .route("/runs/{id}/events", get(api::runs::events))
        .route("/runs/{id}/report", get(api::runs::report))
        .route("/runs/{id}/source", get(api::runs::source))
        .route("/stress", post(api::stress::start).get(api::stress::list))
        .route("/stress/{id}", get(api::stress::show).delete(api::stress::cancel))
        .route("/stress/{id}/keep", post(api::own_tests::keep))
        .route("/problems/{id}/tests", get(api::own_tests::list))
        .route("/problems/{id}/tests/{name}", delete(api::own_tests::remove))
        .route("/stress/{id}/events", get(api::stress::events))
        .route("/games", post(api::games::create))
        .route("/games/{id}", get(api::games::show))
        .route("/games/{id}/moves", post(api::games::make_move))
        .route("/games/{id}/undo", post(api::games::undo))
        .route("/games/{id}/hint", post(api::games::hint))
        .route("/session", post(api::people::log_in).delete(api::people::log_out))
        .route("/join", post(api::people::join))
        .route("/setup", post(api::people::set_up))
        .route("/me", get(api::people::me))
        .route("/me/password", post(api::people::change_password))
        .route("/me/tokens", get(api::people::tokens).post(api::people::add_token))
        .route("/me/tokens/{id}", delete(api::people::revoke_token))
        .route("/people", get(api::people::list))
        .route("/people/{id}", patch(api::people::change))
        .route("/people/{id}/reset", post(api::people::reset))
        .route("/invitations", get(api::people::invitations).post(api::people::invite))
        .route("/invitations/{id}", delete(api::people::revoke_invitation))
        .route("/assignments", get(api::assignments::list).post(api::assignments::add))
        .route(
            "/assignments/{id}",
            get(api::assignments::show).put(api::assignments::change).delete(api::assignments::remove),
        )
        .route("/assignments/{id}/standings", get(api::assignments::standings))
        .route("/assignments/{id}/standings.csv", get(api::assignments::standings_csv))
        .route("/settings", get(api::assignments::settings).put(api::assignments::change_settings))
        .route("/schema.json", get(api::schema::schema))
        .merge(class_routes());
    Router::new()
        .route("/", get(pages::problems::page))
        .route("/problems/{id}", get(pages::problem::page))
        .route("/games", get(pages::games::page))
        .route("/games/octal", get(pages::octal::page))
        .route("/games/{id}", get(pages::game::page))
        .route("/games/{id}/theory", get(pages::theory::page))
        .route("/submissions", get(pages::submissions::page))
        .route("/submissions/{id}", get(pages::submission::page))
        .route("/login", get(pages::people::login))
        .route("/join", get(pages::people::join))
        .route("/setup", get(pages::people::set_up))
        .route("/me", get(pages::people::me))
        .route("/people", get(pages::people::people))
        .route("/cluster", get(pages::cluster::page))
        .route("/assignments", get(pages::assignments::list))
        .route("/assignments/new", get(pages::assignments::new))
        .route("/assignments/{id}", get(pages::assignments::show))
        .route("/assignments/{id}/edit", get(pages::assignments::edit))
        .route("/classes", get(pages::classes::list))
        .route("/classes/new", get(pages::classes::new))
        .route("/classes/{id}", get(pages::classes::marks))
        .route("/classes/{id}/{part}", get(pages::classes::part))
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
