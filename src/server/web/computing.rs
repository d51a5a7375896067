//! Limits the number of searches and tables that are computed at the same time for requests: one per person, and in
//! total one for every two processors, rounded up. On a machine with several processors, one person therefore cannot
//! occupy all of them.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::actor::Actor;
use super::error::{WebError, WebResult};
use super::per_person::{PerPerson, PersonUse};
use super::state::{WebState, blocking};

/// Maximum number of requests of one person that can run a computation or wait for a turn at the same time.
const MOST_OF_PERSON: usize = 8;
/// Maximum time that a request waits for its turn.
const TURN_WAIT: Duration = Duration::from_secs(20);

/// Turns for requests that compute. A request waits until a turn is free.
#[derive(Debug)]
pub(super) struct ComputingTurns {
    free: Arc<Semaphore>,
    people: PerPerson<OwnTurn>,
    wait: Duration,
}

/// The turn of a person. Only one request of the person can hold the turn at a time.
#[derive(Debug)]
struct OwnTurn(Arc<Semaphore>);

impl Default for OwnTurn {
    fn default() -> OwnTurn {
        OwnTurn(Arc::new(Semaphore::new(1)))
    }
}

/// Permission to compute. The turn is free again when this value is dropped.
#[derive(Debug)]
struct ComputingTurn {
    _free: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
    _counted: PersonUse<OwnTurn>,
}

impl ComputingTurns {
    /// Creates turns for `at_once` concurrent requests. Other requests wait for at most `wait`.
    fn new(at_once: usize, wait: Duration) -> ComputingTurns {
        ComputingTurns { free: Arc::new(Semaphore::new(at_once.max(1))), people: PerPerson::new(), wait }
    }

    /// Creates one turn for every two processors, so that the other processors are free for judging.
    pub(super) fn of_machine() -> ComputingTurns {
        let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        ComputingTurns::new(cpus.div_ceil(2), TURN_WAIT)
    }

    fn count(&self, person: &str) -> WebResult<PersonUse<OwnTurn>> {
        self.people.begin(person, MOST_OF_PERSON).ok_or_else(|| {
            let message = format!("at most {MOST_OF_PERSON} of your requests can run or wait at the same time");
            WebError::new(StatusCode::TOO_MANY_REQUESTS, message)
                .help("wait until one of them has ended, and try again")
        })
    }

    async fn turn(&self, person: &str) -> WebResult<ComputingTurn> {
        let counted = self.count(person)?;
        let busy = || {
            let message =
                format!("the server is busy: other computations did not end within {} s", self.wait.as_secs());
            WebError::new(StatusCode::SERVICE_UNAVAILABLE, message).help("try again")
        };
        let both = async {
            let own = counted.shared.0.clone().acquire_owned().await.map_err(|_| busy())?;
            Ok::<_, WebError>((own, self.free.clone().acquire_owned().await.map_err(|_| busy())?))
        };
        let (own, free) = tokio::time::timeout(self.wait, both).await.map_err(|_| busy())??;
        Ok(ComputingTurn { _free: free, _own: own, _counted: counted })
    }
}

impl WebState {
    /// Waits for a turn of the actor, and then runs `work`, which may take some seconds, such as the search of a game.
    pub(super) async fn computing<T: Send + 'static>(
        self: Arc<Self>,
        actor: Actor,
        work: impl FnOnce(&WebState, &Actor) -> WebResult<T> + Send + 'static,
    ) -> WebResult<T> {
        let turn = self.turns.turn(actor.person()).await?;
        blocking(move || {
            // The work continues after the client has disconnected, so the turn is held until the work ends.
            let _turn = turn;
            work(&self, &actor)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_person_computes_one_thing_at_a_time_and_others_go_on() {
        let turns = ComputingTurns::new(2, Duration::from_millis(20));
        let first = turns.turn("ann").await.unwrap();
        assert_eq!(
            turns.turn("ann").await.unwrap_err().status,
            StatusCode::SERVICE_UNAVAILABLE,
            "the second request times out"
        );
        let other = turns.turn("zoë").await.unwrap();
        assert!(turns.turn("bob").await.is_err(), "two requests are being computed");
        drop(first);
        assert!(turns.turn("ann").await.is_ok());
        drop(other);
        assert!(turns.people.is_empty());
    }

    #[tokio::test]
    async fn a_person_has_a_limited_number_of_requests() {
        let turns = ComputingTurns::new(2, TURN_WAIT);
        let counted: Vec<_> = (0..MOST_OF_PERSON).map(|_| turns.count("ann").unwrap()).collect();
        assert_eq!(turns.count("ann").unwrap_err().status, StatusCode::TOO_MANY_REQUESTS);
        assert!(turns.count("zoë").is_ok());
        drop(counted);
        assert!(turns.count("ann").is_ok());
    }
}
