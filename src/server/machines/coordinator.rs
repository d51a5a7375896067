//! Starts the coordinator inside the `nimatron serve` process.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nimatron_cluster::{ConnectError, CoordinatorEdge, NatsAddress, connect};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;

use crate::clock::now_ms;
use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::queue::{Coordinator, DispatchPolicy, DispatchView, Moment, PostgresQueueStore, SqliteQueueStore};
use crate::submissions::{PoolStart, RemotePool, RemoteResults, SubmissionId};

use super::blob_server::{BlobServerLimits, listen, serve_blobs};
use super::blob_store::BlobStore;
use super::cluster_hooks::{ClusterHooks, SharedQueueStore, queue_failure};
use super::forwarder_backlog::ForwarderBacklog;
use super::order_secret::OrderSecret;
use super::problem_bundle::ProblemBundles;
use super::submission_forwarder::{ForwarderMessage, SubmissionForwarder};

/// The name of the cluster's folder in the data folder.
const FOLDER: &str = "cluster";
/// The file name of the queue's SQLite database in this folder. It is not used if a PostgreSQL database is configured.
const DATABASE: &str = "queue.sqlite";
/// Maximum number of attempts to reach nats-server at startup, with a pause of one second between two attempts.
const ATTEMPTS: u32 = 10;
/// Time limit for a view of the queue. The coordinator can't answer while it waits for its database.
const VIEW: Duration = Duration::from_secs(2);
/// Time to wait for the tasks of the runtime at shutdown.
const TASKS_END: Duration = Duration::from_millis(500);
/// Time to wait for the thread of the [`SubmissionForwarder`] at shutdown. The thread may be waiting for a database
/// that does not respond.
const THREAD_END: Duration = Duration::from_secs(2);
/// Interval at which the shutdown checks whether the thread of the [`SubmissionForwarder`] has ended.
const THREAD_CHECK: Duration = Duration::from_millis(5);

/// The settings of a coordinator.
#[derive(Clone)]
pub struct ClusterSettings {
    /// The address of nats-server.
    pub nats: NatsAddress,
    /// The connection string of a PostgreSQL database for the queue; `None` for a file in the data folder.
    pub database: Option<String>,
    /// The data folder.
    pub data: PathBuf,
    /// The address at which workers read the files of their jobs.
    pub listen: SocketAddr,
    /// The URL under which workers reach that address; `None` for `http://` and the address. The files are encrypted if
    /// it begins with `https://`.
    pub url: Option<String>,
    /// The certificate and the key of the server, if it has them; required for a URL with `https://`.
    pub tls: Option<TlsAcceptor>,
    /// The pool whose workers judge the submissions.
    pub pool: String,
    /// The limits and time spans that control how jobs are dispatched to workers.
    pub policy: DispatchPolicy,
}

/// The cluster's coordinator, in the form of a remote pool that the queue of submissions uses.
struct ClusterPool {
    sender: Sender<ForwarderMessage>,
    edge: Mutex<Option<Arc<CoordinatorEdge>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// A flag that is set at shutdown. Once it is set, `thread` reports no further results.
    is_ending: Arc<AtomicBool>,
    /// The runtime for the connection to nats-server and for the requests of workers.
    runtime: Mutex<Option<Runtime>>,
}

/// Returns the function that starts a coordinator, for [`JudgingQueue::start_remote`].
///
/// [`JudgingQueue::start_remote`]: crate::submissions::JudgingQueue::start_remote
pub fn cluster_pool(settings: ClusterSettings) -> PoolStart {
    Box::new(move |results| Ok(Box::new(start(&settings, results)?)))
}

/// Returns whether files at this URL are encrypted.
fn is_encrypted(url: &str) -> bool {
    url.starts_with("https://")
}

/// Checks that the URL at which workers read files has a supported scheme and, for `https://`, a certificate, or,
/// without a URL, that the listening address is not a wildcard address.
fn check_url(settings: &ClusterSettings) -> Result<(), Failure> {
    match &settings.url {
        Some(url) if is_encrypted(url) && settings.tls.is_none() => {
            let message = format!("`{url}` begins with `https://`, but the server has no certificate");
            Err(Diagnostic::new(message)
                .help("specify the certificate and its key with `--tls-cert` and `--tls-key`")
                .into())
        }
        Some(url) if !is_encrypted(url) && !url.starts_with("http://") => {
            let message = format!("`{url}` begins neither with `http://` nor with `https://`");
            Err(Diagnostic::new(message)
                .help("specify with `--cluster-url` the URL at which workers reach the address of `--cluster-listen`")
                .into())
        }
        None if settings.listen.ip().is_unspecified() => {
            let message = format!("`{}` is not an address at which workers can read files", settings.listen);
            Err(Diagnostic::new(message)
                .help("specify a URL that workers can reach, such as `--cluster-url http://judge.example:8708`")
                .into())
        }
        _ => Ok(()),
    }
}

fn start(settings: &ClusterSettings, results: RemoteResults) -> Result<ClusterPool, Failure> {
    let folder = settings.data.join(FOLDER);
    fs_err::create_dir_all(&folder).map_err(|error| Failure::user_file(&error))?;
    let store: SharedQueueStore = match &settings.database {
        Some(url) => Arc::new(PostgresQueueStore::connect(url)?),
        None => Arc::new(SqliteQueueStore::open(&folder.join(DATABASE))?),
    };
    let is_shared = settings.database.is_some();
    check_url(settings)?;
    let (listener, address) = listen(settings.listen)?;
    let (sender, inbox) = channel();
    // Open jobs remain in their pools even if the server is restarted with another pool.
    let open = if is_shared { Vec::new() } else { store.open_jobs().map_err(queue_failure)? };
    let pools = open.into_iter().map(|row| row.spec.pool.clone()).chain([settings.pool.clone()]);
    let hooks = Arc::new(ClusterHooks {
        sender: sender.clone(),
        store: store.clone(),
        service: results.service().clone(),
        finder: results.finder().clone(),
        bundles: ProblemBundles::new(BlobStore::new(folder.join("blobs"))),
        languages: Mutex::default(),
        secret: OrderSecret::open(&folder)?,
        pools: (!is_shared).then(|| pools.collect()),
        url: settings.url.clone().unwrap_or_else(|| format!("http://{address}")),
    });
    let now = Moment(u64::try_from(now_ms()).unwrap_or_default());
    let coordinator = Coordinator::open(store, settings.policy.clone(), is_shared, now).map_err(queue_failure)?;
    let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("cluster")
        .enable_all()
        .build()
        .map_err(internal)?;
    let edge = runtime.block_on(async {
        let client = connect_with_retries(&settings.nats).await?;
        let edge = CoordinatorEdge::start(client, coordinator, hooks.clone()).await;
        edge.map_err(|error| Failure::fault(FaultKind::Internal, format!("cannot start the coordinator: {error}")))
    })?;
    let edge = Arc::new(edge);
    let tls = settings.tls.clone().filter(|_| settings.url.as_deref().is_some_and(is_encrypted));
    runtime.spawn(serve_blobs((listener, tls), hooks.clone(), BlobServerLimits::default()));
    let is_ending = Arc::<AtomicBool>::default();
    let thread = SubmissionForwarder {
        results,
        hooks,
        edge: edge.clone(),
        runtime: runtime.handle().clone(),
        pool: settings.pool.clone(),
        is_shared,
        is_ending: is_ending.clone(),
        backlog: ForwarderBacklog::default(),
        cancelled: HashSet::new(),
        jobs: BTreeMap::new(),
        numbers: HashMap::new(),
        changed: BTreeSet::new(),
        ends: Vec::new(),
    };
    let thread = std::thread::Builder::new().name("forwarder".to_owned()).spawn(move || thread.run(&inbox));
    let thread = Mutex::new(Some(thread.map_err(internal)?));
    let (edge, runtime) = (Mutex::new(Some(edge)), Mutex::new(Some(runtime)));
    Ok(ClusterPool { sender, edge, thread, is_ending, runtime })
}

/// Connects to nats-server, which may be starting at the same time.
async fn connect_with_retries(address: &NatsAddress) -> Result<nimatron_cluster::Client, Failure> {
    let mut attempt = 1;
    loop {
        match connect(address, "serve").await {
            Ok(client) => return Ok(client),
            Err(ConnectError::Unreachable { .. }) if attempt < ATTEMPTS => attempt += 1,
            Err(error) => {
                let help = "see `nimatron guide cluster` for how to set up nats-server";
                return Err(Diagnostic::new(error.to_string()).help(help).into());
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Waits for at most `limit` until a thread has ended. A thread that does not end in time ends with the process.
fn join_within(thread: JoinHandle<()>, limit: Duration) {
    let start = Instant::now();
    while !thread.is_finished() && start.elapsed() < limit {
        std::thread::sleep(THREAD_CHECK);
    }
    if thread.is_finished() {
        // `join` fails if the thread panicked; the thread has ended in either case.
        _ = thread.join();
    }
}

impl ClusterPool {
    fn send(&self, message: ForwarderMessage) {
        // The message has no receiver if the thread has ended.
        _ = self.sender.send(message);
    }
}

impl RemotePool for ClusterPool {
    fn submit(&self, id: &SubmissionId) {
        self.send(ForwarderMessage::Submitted(id.clone()));
    }

    fn cancel(&self, ids: &[SubmissionId]) {
        self.send(ForwarderMessage::Cancelled(ids.to_vec()));
    }

    fn view(&self) -> Option<DispatchView> {
        let edge = self.edge.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.handle().clone();
        runtime.block_on(async { tokio::time::timeout(VIEW, edge.view()).await.ok()?.ok() })
    }

    fn shutdown(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
        self.send(ForwarderMessage::End);
        self.edge.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            join_within(thread, THREAD_END);
        }
        if let Some(runtime) = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_timeout(TASKS_END);
        }
    }
}
