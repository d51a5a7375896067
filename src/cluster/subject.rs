//! The NATS subjects of the messages.

use nimatron_model::check_cluster_name;

/// The name of the stream that contains the rings.
pub(super) const STREAM: &str = "NIM_JOBS";
/// The subjects of the messages in the stream.
pub(super) const RINGS: &str = "nim.v1.job.*";
/// The subjects of the workers' messages that all coordinators receive.
pub(super) const TO_ALL: &str = "nim.v1.worker.*.all";
/// The subjects of the workers' messages that are each delivered to a single coordinator.
pub(super) const TO_ONE: &str = "nim.v1.worker.*.one";
/// The subjects of the events of running jobs, which all coordinators receive.
pub(super) const EVENTS: &str = "nim.v1.worker.*.event";
/// The queue group of the coordinators. The server delivers each message to one member of the group.
pub(super) const GROUP: &str = "coordinators";

/// Returns the subject of the rings of a pool.
pub(super) fn rings_of(pool: &str) -> String {
    format!("nim.v1.job.{pool}")
}

/// Returns the subject of the messages to a worker.
pub(super) fn to_worker(worker: &str) -> String {
    format!("nim.v1.to.{worker}")
}

/// Returns the subject of a worker's messages: to all coordinators if `is_for_all` is true, otherwise to one
/// coordinator.
pub(super) fn from_worker(worker: &str, is_for_all: bool) -> String {
    format!("nim.v1.worker.{worker}.{}", if is_for_all { "all" } else { "one" })
}

/// Returns the subject of the events of a worker's jobs.
pub(super) fn events_of(worker: &str) -> String {
    format!("nim.v1.worker.{worker}.event")
}

/// Returns the worker that sent a message with this subject; `None` if the subject is not that of a worker's messages.
pub(super) fn sender(subject: &str) -> Option<&str> {
    let rest = subject.strip_prefix("nim.v1.worker.")?;
    let (worker, _) = rest.split_once('.')?;
    check_cluster_name(worker).is_ok().then_some(worker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sender_is_part_of_the_subject() {
        for is_for_all in [true, false] {
            assert_eq!(sender(&from_worker("lab-1", is_for_all)), Some("lab-1"));
        }
        assert_eq!(sender(&events_of("lab-1")), Some("lab-1"));
        for subject in ["nim.v1.to.lab-1", "nim.v1.worker.lab-1", "nim.v1.worker.*.all", "nim.v1.worker..all"] {
            assert_eq!(sender(subject), None, "{subject}");
        }
        for name in ["", "a.b", "*", "a b", "ä", &"a".repeat(65)] {
            assert!(check_cluster_name(name).is_err(), "{name}");
        }
    }
}
