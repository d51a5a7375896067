//! A child process of the judge, which is reaped when it is dropped.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, waitpid};

/// Time that a process has to exit before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// A child process that exits when its socket is closed. When this value is dropped, the process is killed if it does
/// not exit, and reaped.
#[derive(Debug)]
pub(super) struct ChildProcess(Pid);

impl ChildProcess {
    /// Returns the child with the process id `id`; `None` if `id` is not a valid process id.
    pub(super) fn new(id: u64) -> Option<ChildProcess> {
        i32::try_from(id).ok().filter(|id| *id > 0).and_then(Pid::from_raw).map(ChildProcess)
    }

    /// Returns the process id.
    pub(super) fn id(&self) -> u32 {
        self.0.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until the process has exited or the timeout has passed. Returns true if the process has exited.
    fn ends_within(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let Ok(handle) = pidfd_open(self.0, PidfdFlags::empty()) else {
            // If no pidfd can be opened, the process is polled.
            while Instant::now() < deadline {
                if !matches!(waitpid(Some(self.0), WaitOptions::NOHANG), Ok(None)) {
                    return true;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            return false;
        };
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match poll(&mut [PollFd::new(&handle, PollFlags::IN)], Timespec::try_from(left).ok().as_ref()) {
                Ok(count) => return count > 0,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if !self.ends_within(GRACE) {
            _ = kill_process(self.0, Signal::KILL);
        }
        while matches!(waitpid(Some(self.0), WaitOptions::empty()), Err(Errno::INTR)) {}
    }
}
