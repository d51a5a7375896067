//! The doorbell: the stream of rings. A ring notifies a worker of a waiting job.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, Message};
use async_nats::{Client, jetstream};
use futures_util::StreamExt as _;
use nimatron_queue::JobNumber;

use super::subject::{RINGS, STREAM, rings_of};

/// The oldest supported version of the server: major, minor and patch version.
pub const OLDEST_SERVER: (u32, u32, u32) = (2, 12, 8);

/// The time after which the server drops a ring that no worker received. By then, the ring has been repeated.
const OLDEST_RING: Duration = Duration::from_secs(600);
/// Maximum number of rings that the server stores. It refuses further rings.
const MOST_RINGS: i64 = 100_000;
/// The time after which a ring that a worker received and did not acknowledge is delivered again.
const ACK_WAIT: Duration = Duration::from_secs(2);
/// The time for which one pull waits for a ring. If the server restarts meanwhile, the client waits five seconds
/// longer. Heartbeats are disabled: async-nats 0.51 does not wake up for a ring that arrives after the first heartbeat,
/// so that the ring is received only after its redelivery.
const PULL: Duration = Duration::from_secs(3);

/// Checks that the server is not older than [`OLDEST_SERVER`].
///
/// # Errors
/// Fails with a message if the server is too old or its version can't be parsed.
pub fn check_server(client: &Client) -> Result<(), String> {
    check_version(&client.server_info().version)
}

fn check_version(version: &str) -> Result<(), String> {
    let mut parts = version.split(['.', '-', '+']).map(str::parse::<u32>);
    let mut part = || parts.next().and_then(Result::ok);
    let (major, minor, patch) = OLDEST_SERVER;
    match (part(), part(), part()) {
        (Some(a), Some(b), Some(c)) if (a, b, c) >= OLDEST_SERVER => Ok(()),
        _ => Err(format!("nats-server has version `{version}`, but {major}.{minor}.{patch} or newer is required")),
    }
}

/// Creates the stream and the consumer of a pool, unless they exist. A server that lost its data has neither.
pub(super) async fn ensure(context: &Context, pool: &str) -> Result<(), async_nats::Error> {
    let config = Config {
        name: STREAM.to_owned(),
        subjects: vec![RINGS.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        storage: StorageType::Memory,
        max_age: OLDEST_RING,
        max_messages: MOST_RINGS,
        ..Config::default()
    };
    let stream = context.get_or_create_stream(config).await?;
    let config = pull::Config {
        durable_name: Some(pool.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        filter_subject: rings_of(pool),
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(pool, config).await?;
    Ok(())
}

/// Sends a ring for the job `job` to the pool `pool`. The server's confirmation is not awaited, because a ring that is
/// lost is repeated.
pub(super) async fn ring(context: &Context, pool: &str, job: JobNumber) -> Result<(), async_nats::Error> {
    context.publish(rings_of(pool), job.0.to_string().into()).await?;
    Ok(())
}

/// A receiver of the rings of a pool, for a worker.
pub(super) struct Rings {
    context: Context,
    pool: String,
    /// The consumer of the pool; `None` before the first pull, and after an error.
    consumer: Option<Consumer<pull::Config>>,
}

impl Rings {
    pub(super) fn new(client: &Client, pool: &str) -> Rings {
        Rings { context: jetstream::new(client.clone()), pool: pool.to_owned(), consumer: None }
    }

    /// Waits for a ring for at most the time [`PULL`], and returns the job of the ring; `None` if no ring arrived.
    pub(super) async fn next(&mut self) -> Result<Option<JobNumber>, async_nats::Error> {
        let consumer = match self.consumer.take() {
            Some(consumer) => consumer,
            None => self.context.get_consumer_from_stream(&self.pool, STREAM).await?,
        };
        // Rings are fetched one at a time: a second ring that is fetched together with the first would not reach
        // another worker before its redelivery.
        let mut rings = consumer.fetch().max_messages(1).expires(PULL).messages().await?;
        let mut job = None;
        while let Some(ring) = rings.next().await {
            job = rung_job(&ring?).await;
        }
        self.consumer = Some(consumer);
        Ok(job)
    }
}

/// Acknowledges a ring and returns its job; `None` if the payload is not a number.
async fn rung_job(ring: &Message) -> Option<JobNumber> {
    // If the acknowledgement is lost, the ring is delivered again, which is harmless.
    _ = ring.ack().await;
    std::str::from_utf8(&ring.payload).ok()?.parse().ok().map(JobNumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_servers_are_refused() {
        for version in ["2.12.8", "2.12.10", "2.13.0-RC.1", "2.15.1", "3.0.0"] {
            assert_eq!(check_version(version), Ok(()), "{version}");
        }
        for version in ["2.9.10", "2.12.7", "1.99.99", "", "nats"] {
            let message = check_version(version).unwrap_err();
            assert!(message.contains("but 2.12.8 or newer is required"), "{message}");
        }
    }
}
