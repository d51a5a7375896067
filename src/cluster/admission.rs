//! Validates the messages of workers. A message is not handled before it has passed these checks.

use std::collections::BTreeSet;
use std::sync::Arc;

use nimatron_model::check_cluster_name;
use nimatron_queue::{CanaryResult, DispatchInput, DispatchOutput, JobAnswer, WorkerHello, WorkerId, WorkerTraits};

use super::coordinator_edge::CoordinatorHooks;
use super::wire_message::FromWorker;

/// Maximum number of concurrent jobs of a worker, which is more than the number of CPUs of any machine.
const MOST_SLOTS: usize = 1_024;
/// Maximum number of languages of a worker.
const MOST_LANGUAGES: usize = 512;
/// Maximum length of the id of a language, in bytes.
const LONGEST_LANGUAGE: usize = 64;
/// Maximum length of a text that describes a worker in its registration, in bytes.
const LONGEST_TRAIT: usize = 256;
/// Maximum number of pools, if the process accepts workers of any pool.
const MOST_POOLS: usize = 64;
/// Maximum length of the hash of the conditions, in bytes.
const LONGEST_CONDITIONS: usize = 256;
/// Maximum length of an outcome, in bytes: 100,000 cases have about ten bytes each.
const LONGEST_OUTCOME: usize = 4 << 20;
/// Maximum length of the reason for a fault, in bytes. A longer reason is truncated, because the fault must always be
/// reported.
const LONGEST_REASON: usize = 8 << 10;

/// The result of checking a worker's message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Admitted {
    /// The coordinator handles the event.
    Input(DispatchInput),
    /// The result in this event must be checked with [`checked`].
    Result(DispatchInput),
    /// The message is invalid, and this is the answer to its worker.
    Reply(DispatchOutput),
}

/// The checks of workers' messages, with the state that they need.
pub(super) struct MessageChecks {
    hooks: Arc<dyn CoordinatorHooks>,
    /// The pools for which workers have registered, if the process accepts workers of any pool; otherwise empty.
    seen: BTreeSet<String>,
}

/// Checks the registration of a worker.
///
/// # Errors
/// Fails with the reason if the registration is invalid.
pub(super) fn check_hello(hello: &WorkerHello) -> Result<(), String> {
    let WorkerHello { worker, pool, slots, languages, .. } = hello;
    check_cluster_name(&worker.0).and_then(|()| check_cluster_name(pool)).map_err(|error| error.to_string())?;
    if !(1..=MOST_SLOTS).contains(slots) {
        return Err(format!("{slots} is not a valid number of jobs; specify 1 to {MOST_SLOTS} with `--jobs`"));
    }
    if languages.len() > MOST_LANGUAGES {
        return Err(format!("the worker has {} languages; at most {MOST_LANGUAGES} are allowed", languages.len()));
    }
    match languages.iter().find(|id| id.is_empty() || id.len() > LONGEST_LANGUAGE || id.contains(char::is_control)) {
        None => check_traits(hello),
        Some(id) => {
            let start: String = id.chars().take(LONGEST_LANGUAGE).collect();
            Err(format!(
                "{start:?} is not a valid language id; expected 1 to {LONGEST_LANGUAGE} bytes without control characters"
            ))
        }
    }
}

/// Checks the number and the lengths of the texts that describe a worker.
fn check_traits(hello: &WorkerHello) -> Result<(), String> {
    let WorkerTraits { cpu, isolation, toolchains, calibration_us: _ } = &*hello.traits;
    if toolchains.len() > MOST_LANGUAGES {
        return Err(format!("the worker has {} compilers; at most {MOST_LANGUAGES} are allowed", toolchains.len()));
    }
    let canary = hello.canary.iter().flat_map(|canary| {
        let CanaryResult { program, expected, verdict, fault, at_ms: _ } = &**canary;
        [program, expected].into_iter().chain(verdict).chain(fault)
    });
    let texts = toolchains.iter().flat_map(|(language, digest)| [language, digest]);
    if [cpu, isolation].into_iter().chain(texts).chain(canary).any(|text| text.len() > LONGEST_TRAIT) {
        return Err(format!("a text in the registration of the worker is longer than {LONGEST_TRAIT} bytes"));
    }
    Ok(())
}

impl MessageChecks {
    pub(super) fn new(hooks: Arc<dyn CoordinatorHooks>) -> MessageChecks {
        MessageChecks { hooks, seen: BTreeSet::new() }
    }

    /// Checks a message from `worker`. Returns the event for the coordinator, or the reply to the worker if the message
    /// is invalid.
    pub(super) fn admit(&mut self, worker: &str, message: FromWorker) -> Admitted {
        Admitted::Input(match message.into_input(worker) {
            DispatchInput::Hello(hello) => match check_hello(&hello).and_then(|()| self.check_pool(&hello.pool)) {
                Ok(()) => DispatchInput::Hello(hello),
                Err(reason) => return rejected(hello.worker, hello.instance, reason),
            },
            DispatchInput::Beat { worker, instance, running, .. } if running.len() > MOST_SLOTS => {
                let reason =
                    format!("the worker reports {} running jobs; at most {MOST_SLOTS} are allowed", running.len());
                return rejected(worker, instance, reason);
            }
            done @ DispatchInput::Done { .. } => return Admitted::Result(done),
            DispatchInput::Faulted { worker, job, epoch, reason } => {
                let reason = cut(reason.as_ref().to_owned()).into();
                DispatchInput::Faulted { worker, job, epoch, reason }
            }
            other => other,
        })
    }

    /// Checks that the process accepts workers of a pool.
    fn check_pool(&mut self, pool: &str) -> Result<(), String> {
        let Some(pools) = self.hooks.pools() else {
            if self.seen.len() < MOST_POOLS || self.seen.contains(pool) {
                self.seen.insert(pool.to_owned());
                return Ok(());
            }
            return Err(format!(
                "cannot add the pool `{pool}`: there are already {MOST_POOLS} pools, the maximum; specify one of them \
                 with `--pool`"
            ));
        };
        if pools.contains(pool) {
            return Ok(());
        }
        let known: Vec<String> = pools.iter().map(|pool| format!("`{pool}`")).collect();
        Err(format!(
            "`nimatron serve` has no pool `{pool}` (existing pools: {}); change `--pool` of the worker or of \
             `nimatron serve`",
            known.join(", ")
        ))
    }
}

/// Returns the event for a result. A result that can't be read becomes a fault of the worker, so that the attempt
/// counts as failed and the program is judged again.
pub(super) async fn checked(done: DispatchInput, hooks: Arc<dyn CoordinatorHooks>) -> DispatchInput {
    let DispatchInput::Done { worker, job, epoch, answer } = done else { return done };
    match refused(&answer, hooks).await {
        None => DispatchInput::Done { worker, job, epoch, answer },
        Some(reason) => {
            let reason = cut(format!("the result from worker `{worker}` is refused: {reason}")).into();
            DispatchInput::Faulted { worker, job, epoch, reason }
        }
    }
}

/// Returns the reason why a result is refused; `None` if the result is accepted.
async fn refused(answer: &JobAnswer, hooks: Arc<dyn CoordinatorHooks>) -> Option<String> {
    if answer.conditions.len() > LONGEST_CONDITIONS {
        return Some(format!("the conditions of the result are longer than {LONGEST_CONDITIONS} bytes"));
    }
    if answer.outcome.len() > LONGEST_OUTCOME {
        return Some(format!("the outcome is longer than {} MiB", LONGEST_OUTCOME >> 20));
    }
    let answer = answer.clone();
    // Reading a long result takes a while.
    let checked = tokio::task::spawn_blocking(move || hooks.check(&answer)).await;
    checked.unwrap_or_else(|_| Err("the thread that checked the result panicked".to_owned())).err()
}

fn rejected(worker: WorkerId, instance: u64, reason: String) -> Admitted {
    Admitted::Reply(DispatchOutput::Reject { worker, instance, reason: reason.into() })
}

/// Truncates a reason that is too long.
fn cut(mut reason: String) -> String {
    if reason.len() > LONGEST_REASON {
        reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
        reason.push('…');
    }
    reason
}

#[cfg(test)]
#[path = "admission_tests.rs"]
mod tests;
