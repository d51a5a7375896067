//! The worker's side of the connection to the coordinators.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures_util::StreamExt as _;
use nimatron_queue::{
    CanaryResult, DispatchInput, JobAnswer, JobNumber, JobRow, WorkerAct, WorkerAlarm, WorkerHello, WorkerId,
    WorkerSession,
};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::admission::check_hello;
use super::doorbell::Rings;
use super::subject::{events_of, from_worker, to_worker};
use super::wire_message::{FromWorker, JobEvents, ToWorker, panicked, to_json};

/// Interval between two calls of [`JobRunner::upkeep`].
const UPKEEP: Duration = Duration::from_secs(5);
/// The pause after a failed attempt to receive a ring: the server is down, or does not have the stream yet.
const PAUSE: Duration = Duration::from_millis(500);

/// A flag that is set when a job must stop, because its result will be ignored.
#[derive(Clone, Default)]
pub struct StopFlag(Arc<StopState>);

#[derive(Default)]
struct StopState {
    is_set: AtomicBool,
    /// The function that is called when the flag is set.
    callback: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl StopFlag {
    /// Returns whether the job must stop.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::SeqCst)
    }

    /// Calls `callback` when the flag is set, or immediately if it is already set. Replaces an earlier callback.
    pub fn when_set(&self, callback: impl FnOnce() + Send + 'static) {
        *self.callback() = Some(Box::new(callback));
        if self.is_set() {
            self.call();
        }
    }

    fn callback(&self) -> MutexGuard<'_, Option<Box<dyn FnOnce() + Send>>> {
        self.0.callback.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(&self) {
        let callback = self.callback().take();
        if let Some(callback) = callback {
            callback();
        }
    }

    fn set(&self) {
        self.0.is_set.store(true, Ordering::SeqCst);
        self.call();
    }
}

/// A job that a worker has, with its content, its stop flag, and the sender of its events.
pub struct HeldJob {
    /// The job, with its submission, key and epoch.
    pub row: JobRow,
    /// The content of the job, from [`CoordinatorHooks::order`](super::CoordinatorHooks::order).
    pub order: String,
    /// Whether the job must stop.
    pub stop: StopFlag,
    events: mpsc::UnboundedSender<WorkerEvent>,
}

impl HeldJob {
    /// Sends events, each as JSON, to the coordinators. They may be lost.
    pub fn send_events(&self, events: Vec<String>) {
        let events = JobEvents { job: self.row.number.0, epoch: self.row.epoch, events };
        // The event has no receiver if the worker has ended.
        _ = self.events.send(WorkerEvent::Events(events));
    }
}

/// The part of a worker that judges programs.
pub trait JobRunner: Send + Sync + 'static {
    /// Judges the program of a job, and returns the result. The call may block its thread.
    ///
    /// # Errors
    /// Fails with the reason if the judge fails.
    fn run(&self, job: &HeldJob) -> Result<JobAnswer, Arc<str>>;

    /// Handles a change of the worker's admission: `reason` is the reason why the worker receives no jobs, or `None` if
    /// it receives jobs again.
    fn admission(&self, reason: Option<&str>) {
        _ = reason;
    }

    /// Performs the checks of the worker that are due. The call may block its thread; the next call follows a few
    /// seconds after its end. `is_idle` is true if no job ran at the beginning.
    fn upkeep(&self, is_idle: bool) -> Upkeep {
        _ = is_idle;
        Upkeep::default()
    }
}

/// New measurements of a worker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// The calibration, in microseconds; `None` if it was not measured.
    pub calibration_us: Option<u64>,
    /// Result of a canary run; `None` if there was none.
    pub canary: Option<CanaryResult>,
}

/// An event that the session of a worker handles.
enum WorkerEvent {
    Rung(JobNumber),
    Alarm(WorkerAlarm),
    Events(JobEvents),
    Ended(JobNumber, u64, Result<JobAnswer, Arc<str>>),
    UpkeepDue,
    Upkept(Upkeep),
}

/// The resources with which a worker carries out the actions that its session returns.
struct WorkerTasks {
    client: Client,
    id: WorkerId,
    runner: Arc<dyn JobRunner>,
    events: mpsc::UnboundedSender<WorkerEvent>,
    tasks: JoinSet<()>,
    running: HashMap<(JobNumber, u64), StopFlag>,
    /// The content of the job in the last grant that was received.
    order: String,
}

/// The reason why a worker could not start or had to end.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// A coordinator refuses the worker, or its registration is invalid.
    #[error("{0}")]
    Rejected(Arc<str>),
    /// The worker could not subscribe to its messages on the server, for this reason.
    #[error("cannot subscribe to messages on nats-server: {0}")]
    Server(String),
}

/// Runs a worker until `drain` becomes true and the worker's jobs have ended, until a later process of the same worker
/// exists, or until the connection is closed.
///
/// # Errors
/// Fails if the registration of the worker is invalid or a coordinator refuses the worker, or if the subscription can't
/// be sent to the server.
pub async fn run_worker(
    client: Client,
    hello: WorkerHello,
    runner: Arc<dyn JobRunner>,
    mut drain: watch::Receiver<bool>,
) -> Result<(), WorkerError> {
    check_hello(&hello).map_err(|reason| WorkerError::Rejected(reason.into()))?;
    let id = hello.worker.clone();
    let subscribed = client.subscribe(to_worker(&id.0)).await;
    let mut messages = subscribed.map_err(|error| WorkerError::Server(error.to_string()))?;
    let (events, mut inbox) = mpsc::unbounded_channel();
    let (free, free_slots) = watch::channel(0);
    let mut tasks = JoinSet::new();
    tasks.spawn(listen(Rings::new(&client, &hello.pool), free_slots, events.clone()));
    let mut worker = WorkerTasks { client, id, runner, events, tasks, running: HashMap::new(), order: String::new() };
    let (mut session, mut acts) = WorkerSession::start(hello);
    worker.plan_upkeep();
    loop {
        if let Some(end) = worker.carry_out(acts).await {
            return end;
        }
        free.send_replace(session.free_slots());
        acts = tokio::select! {
            message = messages.next() => {
                let Some(message) = message else { return Ok(()) };
                let read = serde_json::from_slice::<ToWorker>(&message.payload).ok();
                if let Some(ToWorker::Grant(granted)) = &read {
                    // The order is stored first: if the session accepts the grant, it returns an action that runs the
                    // job with this order.
                    worker.order.clone_from(&granted.order);
                }
                read.map(|read| session.take(read.into_output(&worker.id))).unwrap_or_default()
            }
            event = inbox.recv() => match event {
                Some(WorkerEvent::Rung(job)) => session.ask(Some(job)),
                Some(WorkerEvent::Alarm(alarm)) => session.wake(alarm),
                Some(WorkerEvent::Events(events)) => {
                    worker.send_events(&events).await;
                    Vec::new()
                }
                Some(WorkerEvent::Ended(job, epoch, end)) => {
                    worker.running.remove(&(job, epoch));
                    session.ended(job, epoch, worker.sendable(job, epoch, end))
                }
                Some(WorkerEvent::UpkeepDue) => {
                    worker.keep_up(session.is_idle());
                    Vec::new()
                }
                Some(WorkerEvent::Upkept(Upkeep { calibration_us, canary })) => {
                    worker.plan_upkeep();
                    session.update_traits(calibration_us, canary)
                }
                None => return Ok(()),
            },
            // If the sender is dropped, this branch is disabled, and the worker never drains.
            Ok(()) = async { drain.wait_for(|drain| *drain).await.map(|_| ()) }, if !session.hello().draining => {
                session.drain();
                Vec::new()
            }
        };
    }
}

/// Receives the messages that announce available jobs while slots are free, and sends an event for each announced job.
async fn listen(mut rings: Rings, mut free: watch::Receiver<usize>, events: mpsc::UnboundedSender<WorkerEvent>) {
    loop {
        if free.wait_for(|slots| *slots > 0).await.is_err() {
            return;
        }
        match rings.next().await {
            Ok(job) => job.into_iter().for_each(|job| _ = events.send(WorkerEvent::Rung(job))),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

impl WorkerTasks {
    /// Carries out actions. Returns the result with which the worker ends, or `None` if it does not end.
    async fn carry_out(&mut self, acts: Vec<WorkerAct>) -> Option<Result<(), WorkerError>> {
        for act in acts {
            match act {
                WorkerAct::Send(input) => self.send(&input, false).await,
                WorkerAct::Publish(input) => self.send(&input, true).await,
                WorkerAct::Wake(after, alarm) => {
                    let events = self.events.clone();
                    self.tasks.spawn(async move {
                        tokio::time::sleep(Duration::from_millis(after)).await;
                        // The event has no receiver if the worker has ended.
                        _ = events.send(WorkerEvent::Alarm(alarm));
                    });
                }
                WorkerAct::Run(row) => self.run(*row),
                WorkerAct::Stop(job, epoch) => {
                    if let Some(stop) = self.running.remove(&(job, epoch)) {
                        stop.set();
                    }
                }
                WorkerAct::Tell(reason) => self.runner.admission(reason.as_deref()),
                WorkerAct::Quit => return Some(Ok(())),
                WorkerAct::Fail(reason) => return Some(Err(WorkerError::Rejected(reason))),
            }
        }
        // Tasks that have ended are removed from the set.
        while self.tasks.try_join_next().is_some() {}
        None
    }

    /// Sends a message. A message that can't be sent is dropped: the session repeats the messages that must arrive.
    async fn send(&self, input: &DispatchInput, is_for_all: bool) {
        let Some(Ok(json)) = FromWorker::of(input).map(|message| to_json(&message)) else { return };
        _ = self.client.publish(from_worker(&self.id.0, is_for_all), json.into()).await;
    }

    /// Replaces a result that is too long for the server with a fault. Otherwise, the result would be sent again and
    /// again, and the job would never end.
    fn sendable(&self, job: JobNumber, epoch: u64, end: Result<JobAnswer, Arc<str>>) -> Result<JobAnswer, Arc<str>> {
        let Ok(answer) = &end else { return end };
        let done = DispatchInput::Done { worker: self.id.clone(), job, epoch, answer: answer.clone() };
        let size = FromWorker::of(&done).and_then(|message| to_json(&message).ok()).map_or(0, |json| json.len());
        let most = self.client.server_info().max_payload;
        if size <= most {
            return end;
        }
        Err(format!(
            "the message with the result has {size} bytes, but nats-server accepts at most {most} bytes; increase \
             `max_payload` in the configuration of nats-server"
        )
        .into())
    }

    /// Sends events of a job. Without a connection to the server, the events are dropped.
    async fn send_events(&mut self, events: &JobEvents) {
        let is_connected = self.client.connection_state() == State::Connected;
        if let (true, Ok(json)) = (is_connected, to_json(events)) {
            _ = self.client.publish(events_of(&self.id.0), json.into()).await;
        }
    }

    fn plan_upkeep(&mut self) {
        let events = self.events.clone();
        self.tasks.spawn(async move {
            tokio::time::sleep(UPKEEP).await;
            // The event has no receiver if the worker has ended.
            _ = events.send(WorkerEvent::UpkeepDue);
        });
    }

    fn keep_up(&mut self, is_idle: bool) {
        let (runner, events) = (self.runner.clone(), self.events.clone());
        self.tasks.spawn(async move {
            let upkept = tokio::task::spawn_blocking(move || runner.upkeep(is_idle)).await;
            _ = events.send(WorkerEvent::Upkept(upkept.unwrap_or_default()));
        });
    }

    fn run(&mut self, row: JobRow) {
        let stop = StopFlag::default();
        let (job, epoch) = (row.number, row.epoch);
        self.running.insert((job, epoch), stop.clone());
        let (runner, events) = (self.runner.clone(), self.events.clone());
        let order = std::mem::take(&mut self.order);
        let running = HeldJob { row, order, stop, events: events.clone() };
        self.tasks.spawn(async move {
            let judged = tokio::task::spawn_blocking(move || runner.run(&running)).await;
            _ = events.send(WorkerEvent::Ended(job, epoch, judged.unwrap_or_else(|_| Err(panicked()))));
        });
    }
}

impl Drop for WorkerTasks {
    fn drop(&mut self) {
        self.running.values().for_each(StopFlag::set);
    }
}
