//! The limits for files that are transferred between the coordinator and a worker.

use std::time::Duration;

/// Maximum size of a file, in bytes.
pub(super) const LARGEST_FILE: usize = 1 << 30;
/// The size of a part of a file, in bytes. A part must be transferred within [`PART_TIME`].
pub(super) const PART: usize = 1 << 20;
/// Time limit for each part of a file, and for the connection, the request and the start of the response together. The
/// limit is per part, so that a large file may take long on a slow network, while a process that hangs, or that sends
/// only a few bytes at a time, is detected.
pub(super) const PART_TIME: Duration = Duration::from_secs(30);
