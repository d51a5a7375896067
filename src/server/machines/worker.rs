//! Runs a worker: connects to nats-server, and judges the jobs of a pool until the worker must end.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nimatron_cluster::{Client, ConnectError, NatsAddress, WorkerError, connect, run_worker};
use tokio::sync::watch;

use crate::clock::now_ms;
use crate::data::write_whole;
use crate::database::FileLock;
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind, check_cluster_name};
use crate::queue::{WorkerHello, WorkerId};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::submissions::random_text;

use super::canary::Canary;
use super::canary_problem::CanaryProblem;
use super::compiler_check::CompilerCheck;
use super::http_client::TrustedRoots;
use super::machine_traits::{calibration_us, machine_traits};
use super::problem_cache::ProblemCache;
use super::storage_limit::StorageLimit;
use super::worker_drain::{DrainRequest, RunningJobs, WorkerFiles};
use super::worker_judge::WorkerJudge;
use super::worker_upkeep::UpkeepPlan;

/// The name of the folder in the cache that contains the files of workers.
pub(super) const FOLDER: &str = "cluster";
/// The name of the file in this folder whose random text identifies the folder.
const MACHINE: &str = "machine";
/// The file whose content changes with each start of the machine.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
/// Time to wait until an earlier process with the worker's name has ended.
const LOCK: Duration = Duration::from_secs(2);
/// The pause between two attempts to reach nats-server at startup.
const PAUSE: Duration = Duration::from_secs(1);
/// Interval at which the size of test data and built programs is checked.
const SHRINK: Duration = Duration::from_secs(3_600);
/// The limit on the test data, and on the built programs. Systems may update the access time of a file only once a day.
const CACHE_LIMIT: StorageLimit = StorageLimit { bytes: 16 << 30, kept: Duration::from_secs(2 * 86_400) };
/// Interval at which the worker checks whether it must drain.
const WATCH: Duration = Duration::from_millis(100);
/// Time to wait for the tasks of the runtime at shutdown.
const TASKS_END: Duration = Duration::from_millis(500);
/// Time limit for sending the last messages at shutdown.
const LAST_FLUSH: Duration = Duration::from_secs(2);

/// The settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// The address of nats-server.
    pub nats: NatsAddress,
    /// The name of the worker, which no other worker may have.
    pub name: String,
    /// The pool whose jobs the worker judges.
    pub pool: String,
    /// Maximum number of concurrent jobs.
    pub slots: usize,
    /// The folder in which the worker stores problems.
    pub cache: PathBuf,
    /// Time between two canary runs; `None` disables them.
    pub canary_every: Option<Duration>,
    /// The calibration, in microseconds; `None` to measure it.
    pub calibration_us: Option<u64>,
}

/// Runs a worker until `drain` is cancelled, or [`drain_worker`](super::drain_worker) is called, and its jobs have
/// ended, or until a later process of the same worker exists on another machine. `report` is called with lines about
/// the jobs and the connection.
///
/// # Errors
/// Fails if nats-server is too old or accepts no subscription, if the file of the NKey or the certificate can't be
/// read, if the name of the worker or the pool is invalid, if the server refuses the worker, if the cache can't be
/// written, if another process with the name uses the cache, or if a thread can't be started.
pub fn run_cluster_worker(
    service: &JudgeService,
    settings: &WorkerSettings,
    drain: &Cancel,
    report: Arc<dyn Fn(&str) + Send + Sync>,
) -> Result<(), Failure> {
    for name in [&settings.name, &settings.pool] {
        check_cluster_name(name).map_err(|error| Diagnostic::new(error.to_string()))?;
    }
    let folder = settings.cache.join(FOLDER);
    fs_err::create_dir_all(&folder).map_err(|error| Failure::user_file(&error))?;
    let files = WorkerFiles::new(&settings.cache, &settings.name);
    let _lock = lock(&files.lock(), &settings.name)?;
    files.reset();
    let installed = service.host().languages().list();
    let languages = installed.into_iter().filter(|language| language.version.is_ok()).map(|language| language.id);
    let languages: BTreeSet<String> = languages.collect();
    let calibration = settings.calibration_us.unwrap_or_else(calibration_us);
    let ending = service.host().cancel().child()?;
    let known = Arc::new(CanaryProblem::new(service, &ending, &folder)?);
    let canary =
        settings.canary_every.and_then(|_| Canary::new(known.clone(), |language| languages.contains(language)));
    let hello = WorkerHello {
        worker: WorkerId::new(&settings.name),
        machine: machine(&folder)?,
        instance: next_instance(&files.instance())?,
        pool: settings.pool.clone(),
        slots: settings.slots,
        traits: Arc::new(machine_traits(service, &languages, calibration)?),
        canary: canary.as_ref().map(|canary| Arc::new(canary.judge())),
        languages,
        draining: false,
    };
    let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("worker")
        .enable_all()
        .build()
        .map_err(internal)?;
    let roots = TrustedRoots::load(settings.nats.ca.as_deref())?;
    let drain = DrainRequest { signal: drain.clone(), files };
    let ended = runtime.block_on(async {
        let Some(client) = connect_when_possible(settings, &drain, &*report).await? else { return Ok(()) };
        report(&format!("connected to `{}`", settings.nats.url));
        let told = report.clone();
        let judge = WorkerJudge {
            service: service.clone(),
            problems: ProblemCache::new(folder.join("problems")),
            runtime: runtime.handle().clone(),
            roots,
            slots: (service.host().jobs() / settings.slots.max(1)).max(1),
            running: RunningJobs::new(&drain.files),
            report,
            canary,
            compilers: CompilerCheck::new(known),
            plan: Mutex::new(UpkeepPlan::new(settings.canary_every, settings.calibration_us.is_some(), Instant::now())),
            calibration_us: Mutex::new(calibration),
        };
        let cache = settings.cache.clone();
        let shrinking = tokio::spawn(async move {
            loop {
                let cache = cache.clone();
                // The task fails only if it panics, and the next pass tries again.
                _ = tokio::task::spawn_blocking(move || shrink_cache(&cache)).await;
                tokio::time::sleep(SHRINK).await;
            }
        });
        let (drains, draining) = watch::channel(false);
        let watcher = tokio::spawn(async move {
            while !drain.is_made() {
                tokio::time::sleep(WATCH).await;
            }
            drains.send_replace(true);
            told("draining: the worker accepts no more programs");
            // The sender must exist while the worker reads the channel.
            std::future::pending::<()>().await;
        });
        let ran = run_worker(client.clone(), hello, Arc::new(judge), draining).await;
        watcher.abort();
        shrinking.abort();
        // The last messages are sent before the process ends. Without a connection, a flush never completes.
        _ = tokio::time::timeout(LAST_FLUSH, client.flush()).await;
        ran.map_err(|error| match error {
            WorkerError::Rejected(reason) => Diagnostic::new(reason.as_ref()).into(),
            WorkerError::Server(_) => Failure::fault(FaultKind::Internal, error.to_string()),
        })
    });
    // Stops a canary run that may be in progress.
    ending.cancel();
    runtime.shutdown_timeout(TASKS_END);
    ended
}

/// Removes the least recently used test data and built programs if either exceeds [`CACHE_LIMIT`].
fn shrink_cache(cache: &Path) {
    for folder in [cache.join("blobs"), cache.join("builds")] {
        CACHE_LIMIT.shrink(&folder, 2);
    }
}

/// Connects to nats-server, and retries while the server can't be reached. Returns `None` if the worker must end before
/// the connection exists.
async fn connect_when_possible(
    settings: &WorkerSettings,
    drain: &DrainRequest,
    report: &(dyn Fn(&str) + Send + Sync),
) -> Result<Option<Client>, Failure> {
    let mut is_first = true;
    while !drain.is_made() {
        match connect(&settings.nats, &settings.name).await {
            Ok(client) => return Ok(Some(client)),
            Err(error @ ConnectError::Unreachable { .. }) => {
                if is_first {
                    report(&format!("{error}; retrying"));
                }
                is_first = false;
            }
            Err(error) => return Err(Diagnostic::new(error.to_string()).into()),
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}

/// Locks the name of a worker in its cache. Dropping the returned lock releases the name.
///
/// # Errors
/// Fails if another process has locked the name, or if the file can't be written.
fn lock(path: &Path, name: &str) -> Result<FileLock, Failure> {
    let start = Instant::now();
    loop {
        match FileLock::acquire(path)? {
            Some(lock) => return Ok(lock),
            // A process that was killed may take a moment to end.
            None if start.elapsed() < LOCK => std::thread::sleep(WATCH),
            None => {
                let message = format!("a worker with the name `{name}` is already running on this machine");
                return Err(Diagnostic::new(message).help("choose another name with `--name`").into());
            }
        }
    }
}

/// Returns a number that identifies this machine. It is the same for all processes that use the folder `folder` until
/// the machine is restarted. The folder alone does not identify a machine, because it may be part of an image that
/// several machines use.
fn machine(folder: &Path) -> Result<u64, Failure> {
    let path = folder.join(MACHINE);
    let known = fs_err::read_to_string(&path).unwrap_or_default();
    let own = if known.is_empty() { random_text()? } else { known.clone() };
    if known.is_empty() {
        write_whole(&path, own.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
    }
    // Without this file, no number is known that changes with each start of the machine, so only the folder's text is
    // used.
    let started = fs_err::read(BOOT).unwrap_or_default();
    let digest = Digest::of_parts([own.as_bytes(), &started]);
    Ok(digest.bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Returns a number for this process that is higher than the numbers of the earlier processes of the worker, even if
/// the clock was set back.
fn next_instance(path: &Path) -> Result<u64, Failure> {
    let last: u64 = fs_err::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let next = u64::try_from(now_ms()).unwrap_or_default().max(last + 1);
    write_whole(path, next.to_string().as_bytes()).map_err(|error| Failure::unwritable(path, &error))?;
    Ok(next)
}
