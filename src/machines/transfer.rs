//! The limits for files that travel between the coordinator and a worker.

use std::time::Duration;

/// Maximum size of a file, in bytes.
pub(super) const LARGEST_FILE: usize = 1 << 30;
/// The part of a file, in bytes, that must pass within [`PART_TIME`].
pub(super) const PART: usize = 1 << 20;
/// Time limit for each part of a file, and for what comes before the first part: connection, request and the beginning
/// of the answer. So a slow network may take its time for a large file, and a process that is stuck, or that lets a few
/// bytes through now and then, is noticed.
pub(super) const PART_TIME: Duration = Duration::from_secs(30);
