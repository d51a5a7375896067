//! Connects the coordinator to NATS: passes requests and the messages of workers to the coordinator, and sends its
//! messages to the workers.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::{Client, jetstream};
use nimatron_queue::{
    Coordinator, DispatchInput, DispatchOutput, DispatchView, JobAnswer, JobNumber, JobRow, Moment, NewProgram,
    QueueStore, QueueStoreError, WorkerId,
};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

use super::admission::{Admitted, MessageChecks, checked};
use super::doorbell;
use super::intake::{IntakeShare, WaitingMessage, take_in};
use super::subject::{EVENTS, GROUP, TO_ALL, TO_ONE, to_worker};
use super::wire_message::{FromWorker, JobEvents, ToWorker, to_json};

/// Maximum number of commands that are handled together.
const BATCH: usize = 64;
/// Maximum number of commands that wait for the coordinator.
const BACKLOG: usize = 10_000;
/// Maximum number of waiting messages to workers. Further messages are dropped.
const OUTPUTS: usize = 10_000;
/// Maximum number of results that are checked concurrently, because each is read into memory.
const CHECKS: usize = 2;
/// Interval of the coordinator's ticks, at which it detects expired leases and unanswered rings.
const TICK: Duration = Duration::from_secs(1);
/// The number of ticks after which the stream and its consumers are created again, if the server lost them.
const ENSURE_TICKS: u64 = 3;

/// The error of a request to the coordinator.
#[derive(Debug, thiserror::Error)]
pub enum ClusterRequestError {
    /// The store failed, so it is unknown whether the request was carried out.
    #[error(transparent)]
    Store(#[from] QueueStoreError),
    /// The coordinator has ended.
    #[error("the coordinator has stopped")]
    Ended,
}

/// The callbacks of the coordinator's process for jobs.
pub trait CoordinatorHooks: Send + Sync + 'static {
    /// Returns the pools whose workers are accepted; `None` if the workers of any pool are accepted.
    fn pools(&self) -> Option<BTreeSet<String>>;

    /// Handles a change of a job's state in the store. The call must not wait, because it delays the coordinator.
    fn changed(&self, job: JobNumber);

    /// Returns the content of a job that is about to be granted to a worker, for [`HeldJob`](super::HeldJob). The call
    /// may block its thread.
    fn order(&self, job: &JobRow) -> String;

    /// Checks a result before it is stored. The call may block its thread.
    ///
    /// # Errors
    /// Fails with the reason if the result can't be read. The attempt then counts as failed.
    fn check(&self, answer: &JobAnswer) -> Result<(), String>;

    /// Handles events of a running job. Events may be repeated, lost or out of order, may come from a worker that does
    /// not have the job, and may belong to the job of another coordinator. The call must not wait.
    fn events(&self, events: ReceivedEvents);
}

/// Events of a job, with the worker that sent them. The message with the events counts towards the limits on waiting
/// messages until the value is dropped.
#[derive(Debug)]
pub struct ReceivedEvents {
    /// The worker that sent the events.
    pub worker: WorkerId,
    /// The events.
    pub events: JobEvents,
    _share: IntakeShare,
}

enum EdgeCommand {
    /// An event for the coordinator, with the share of the event's message in the limits on waiting messages.
    Input(DispatchInput, Option<IntakeShare>),
    Submit(Vec<NewProgram>, oneshot::Sender<Result<Vec<JobNumber>, QueueStoreError>>),
    Cancel(Vec<JobNumber>, oneshot::Sender<Result<(), QueueStoreError>>),
    View(oneshot::Sender<DispatchView>),
}

/// A coordinator that assigns jobs to the workers of a cluster. Dropping the value ends the coordinator; the jobs stay
/// in the store.
pub struct CoordinatorEdge {
    commands: mpsc::Sender<EdgeCommand>,
    /// The tasks that transfer messages. Dropping the set ends the tasks.
    _tasks: JoinSet<()>,
    /// The thread of the coordinator, which ends when all senders of commands have been dropped.
    _thread: JoinHandle<()>,
}

impl CoordinatorEdge {
    /// Starts a coordinator.
    ///
    /// # Errors
    /// Fails if a subscription can't be sent to the server, or if the thread of the coordinator can't be started.
    pub async fn start<S>(
        client: Client,
        coordinator: Coordinator<S>,
        hooks: Arc<dyn CoordinatorHooks>,
    ) -> Result<CoordinatorEdge, async_nats::Error>
    where
        S: Deref<Target: QueueStore> + Send + 'static,
    {
        let (commands, inbox) = mpsc::channel(BACKLOG);
        let (outputs, outbox) = mpsc::channel(OUTPUTS);
        let (messages, waiting) = mpsc::unbounded_channel();
        let (events, waiting_events) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(take_in(client.subscribe(TO_ALL).await?, messages.clone()));
        tasks.spawn(take_in(client.queue_subscribe(TO_ONE, GROUP.to_owned()).await?, messages));
        tasks.spawn(take_in(client.subscribe(EVENTS).await?, events));
        tasks.spawn(receive(
            waiting,
            commands.clone(),
            MessageChecks::new(hooks.clone()),
            (client.clone(), hooks.clone()),
        ));
        tasks.spawn(receive_events(waiting_events, hooks.clone()));
        tasks.spawn(tick(commands.clone()));
        tasks.spawn(send(client, outbox, hooks.clone()));
        let thread = std::thread::Builder::new()
            .name("coordinator".to_owned())
            .spawn(move || coordinate(coordinator, inbox, &outputs, &*hooks))?;
        Ok(CoordinatorEdge { commands, _tasks: tasks, _thread: thread })
    }

    /// Stores submissions, and returns their jobs. When this function returns `Ok`, the submissions are on the disk and
    /// will be judged.
    ///
    /// # Errors
    /// Fails if the store can't be written, or if the coordinator has ended. The same submissions may be submitted
    /// again.
    pub async fn submit(&self, programs: Vec<NewProgram>) -> Result<Vec<JobNumber>, ClusterRequestError> {
        let (answer, answered) = oneshot::channel();
        let command = EdgeCommand::Submit(programs, answer);
        self.commands.send(command).await.map_err(|_| ClusterRequestError::Ended)?;
        Ok(answered.await.map_err(|_| ClusterRequestError::Ended)??)
    }

    /// Cancels jobs, in one transaction.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if the coordinator has ended.
    pub async fn cancel(&self, jobs: Vec<JobNumber>) -> Result<(), ClusterRequestError> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(EdgeCommand::Cancel(jobs, answer)).await.map_err(|_| ClusterRequestError::Ended)?;
        Ok(answered.await.map_err(|_| ClusterRequestError::Ended)??)
    }

    /// Returns a view of the pools, the workers and the ended attempts.
    ///
    /// # Errors
    /// Fails if the coordinator has ended.
    pub async fn view(&self) -> Result<DispatchView, ClusterRequestError> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(EdgeCommand::View(answer)).await.map_err(|_| ClusterRequestError::Ended)?;
        answered.await.map_err(|_| ClusterRequestError::Ended)
    }
}

/// Passes the messages of workers to the coordinator, and answers invalid messages. Messages that can't be parsed are
/// ignored.
async fn receive(
    mut messages: mpsc::UnboundedReceiver<WaitingMessage>,
    commands: mpsc::Sender<EdgeCommand>,
    mut admission: MessageChecks,
    (client, hooks): (Client, Arc<dyn CoordinatorHooks>),
) {
    let turns = Arc::new(Semaphore::new(CHECKS));
    let mut checks = JoinSet::new();
    while let Some(WaitingMessage { worker, payload, share }) = messages.recv().await {
        let Ok(read) = serde_json::from_slice::<FromWorker>(&payload) else { continue };
        drop(payload);
        match admission.admit(&worker, read) {
            Admitted::Input(input) => {
                if commands.send(EdgeCommand::Input(input, Some(share))).await.is_err() {
                    return;
                }
            }
            Admitted::Result(done) => {
                let (turns, commands, hooks) = (turns.clone(), commands.clone(), hooks.clone());
                // The result is checked in a separate task, because leases would expire if heartbeats had to wait for
                // the check of a long result.
                checks.spawn(async move {
                    let Ok(_turn) = turns.acquire_owned().await else { return };
                    // The coordinator may have ended.
                    _ = commands.send(EdgeCommand::Input(checked(done, hooks).await, Some(share))).await;
                });
                while checks.try_join_next().is_some() {}
            }
            Admitted::Reply(reply) => publish(&client, ToWorker::of(&reply, |_| String::new())).await,
        }
    }
}

/// Passes the events of jobs to the process of the coordinator.
async fn receive_events(mut messages: mpsc::UnboundedReceiver<WaitingMessage>, hooks: Arc<dyn CoordinatorHooks>) {
    while let Some(WaitingMessage { worker, payload, share }) = messages.recv().await {
        if let Ok(events) = serde_json::from_slice(&payload) {
            hooks.events(ReceivedEvents { worker: WorkerId::new(&worker), events, _share: share });
        }
    }
}

async fn tick(commands: mpsc::Sender<EdgeCommand>) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        interval.tick().await;
        if commands.send(EdgeCommand::Input(DispatchInput::Tick, None)).await.is_err() {
            return;
        }
    }
}

/// Messages to the task that runs [`send`].
enum Outgoing {
    Output(DispatchOutput),
    /// The pools whose consumers must exist.
    Pools(Vec<String>),
}

/// Sends the coordinator's outputs to the workers. A message that can't be sent is dropped, as if the server had lost
/// the message.
async fn send(client: Client, mut outbox: mpsc::Receiver<Outgoing>, hooks: Arc<dyn CoordinatorHooks>) {
    let context = jetstream::new(client.clone());
    let mut grants = JoinSet::new();
    while let Some(outgoing) = outbox.recv().await {
        match outgoing {
            Outgoing::Pools(pools) => {
                for pool in pools {
                    _ = doorbell::ensure(&context, &pool).await;
                }
            }
            Outgoing::Output(DispatchOutput::Ring { pool, job, .. }) => {
                _ = doorbell::ring(&context, &pool, job).await;
            }
            Outgoing::Output(output @ DispatchOutput::Grant(_)) => {
                // Reading the content of a job may take a while, so other messages do not wait for it.
                let (client, hooks) = (client.clone(), hooks.clone());
                grants.spawn(async move {
                    let message = tokio::task::spawn_blocking(move || ToWorker::of(&output, |row| hooks.order(row)));
                    publish(&client, message.await.ok().flatten()).await;
                });
                while grants.try_join_next().is_some() {}
            }
            Outgoing::Output(output) => publish(&client, ToWorker::of(&output, |_| String::new())).await,
        }
    }
}

async fn publish(client: &Client, message: Option<(WorkerId, ToWorker)>) {
    let Some((worker, message)) = message else { return };
    if let Ok(json) = to_json(&message) {
        _ = client.publish(to_worker(&worker.0), json.into()).await;
    }
}

/// Runs the coordinator until all senders of commands or the receiver of `outbox` have been dropped. The messages of
/// workers that arrived since the last transaction, at most [`BATCH`], are handled in one transaction.
fn coordinate<S: Deref<Target: QueueStore>>(
    mut coordinator: Coordinator<S>,
    mut inbox: mpsc::Receiver<EdgeCommand>,
    outbox: &mpsc::Sender<Outgoing>,
    hooks: &dyn CoordinatorHooks,
) {
    let mut batch = Vec::new();
    let mut pools = Vec::<String>::new();
    let mut ticks = 0_u64;
    while inbox.blocking_recv_many(&mut batch, BATCH) > 0 {
        let mut inputs = Vec::new();
        let mut shares = Vec::new();
        let mut outputs = Vec::new();
        let mut is_pool_new = false;
        for command in batch.drain(..) {
            match command {
                EdgeCommand::Input(input, share) => {
                    shares.extend(share);
                    if let DispatchInput::Hello(hello) = &input
                        && !pools.contains(&hello.pool)
                    {
                        pools.push(hello.pool.clone());
                        is_pool_new = true;
                    }
                    ticks += u64::from(input == DispatchInput::Tick);
                    inputs.push(input);
                }
                EdgeCommand::Submit(programs, answer) => {
                    let stored = coordinator.submit(&programs, now());
                    // The answer has no receiver if the caller has dropped its future.
                    _ = answer.send(stored.map(|(jobs, rings)| {
                        outputs.extend(rings);
                        jobs
                    }));
                }
                // The answer has no receiver if the caller has dropped its future.
                EdgeCommand::View(answer) => _ = answer.send(coordinator.dispatch().view()),
                EdgeCommand::Cancel(jobs, answer) => {
                    let cancels = jobs.into_iter().map(DispatchInput::Cancel).collect();
                    _ = answer.send(coordinator.handle(cancels, now()).map(|own| outputs.extend(own)));
                }
            }
        }
        let is_due = is_pool_new || ticks >= ENSURE_TICKS;
        let ensured = is_due.then(|| Outgoing::Pools(pools.clone()));
        if is_due {
            ticks = 0;
        }
        // If the store fails, the workers repeat their messages.
        outputs.extend(coordinator.handle(inputs, now()).unwrap_or_default());
        drop(shares);
        // The start of a job is reported to the process before the worker can send events of the job.
        let (changes, messages): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| matches!(output, DispatchOutput::Changed(_)));
        for change in changes {
            if let DispatchOutput::Changed(job) = change {
                hooks.changed(job);
            }
        }
        for outgoing in ensured.into_iter().chain(messages.into_iter().map(Outgoing::Output)) {
            if let Err(TrySendError::Closed(_)) = outbox.try_send(outgoing) {
                return;
            }
        }
    }
}

fn now() -> Moment {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(u64::try_from(passed.as_millis()).unwrap_or(u64::MAX))
}
