//! Reads a program's output streams during a run, and sends the cell a stop frame at the output limit.

use std::fs::File;
use std::io::{Error, Result, Write};
use std::num::NonZeroU64;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::Cancel;
use super::wire::{self, Frame, FrameKind};

const CHUNK: usize = 64 * 1024;
/// The time at the start of a run during which the pipes are not read. Most small programs end within this time, and
/// waking the judge for their output would interrupt them. Each pipe buffers 64 KiB.
const UNREAD: Duration = Duration::from_millis(2);
/// The time after which a cell that has queued runs is asked for the results of those that have ended. It is longer than
/// most queued runs take until their results are sent together.
const UNREAD_QUEUED: Duration = Duration::from_millis(8);
/// The slack of the timer that ends [`UNREAD`] and [`UNREAD_QUEUED`], in nanoseconds. It is longer than the period of the
/// scheduler's clock (at most 10 ms), so that the timer expires together with a tick of that clock. An additional timer
/// interrupt costs a virtual machine 20 to 30 µs, which is a large part of what a cell adds to a short program.
const UNREAD_SLACK: NonZeroU64 = NonZeroU64::new(10_000_000).unwrap();
/// The time that a program may continue to run after its output is no longer needed. Most programs exit on their own
/// within this time, and report the reason on standard error.
const STOP_DELAY: Duration = Duration::from_millis(100);

/// The reason why waiting for a run ended.
#[derive(Debug)]
pub(super) enum WaitResult {
    /// The cell sent a frame.
    Frame(Frame),
    /// The cell closed its socket.
    Gone,
    /// The timeout expired.
    Overdue,
    /// The run was cancelled.
    Cancelled,
    /// The temporary file for a large output cannot be written.
    Unwritable(Error),
}

/// The judge's sockets to a cell.
pub(super) struct CellSockets<'a> {
    /// The socket for requests and replies.
    pub(super) socket: &'a OwnedFd,
    /// The socket on which a run is stopped.
    pub(super) control: &'a OwnedFd,
}

/// The run whose reply the judge waits for.
#[derive(Debug, Clone, Copy)]
pub(super) struct AwaitedRun {
    /// The number of the run.
    pub(super) number: u64,
    /// Whether the cell may hold back the reply until further queued runs have ended.
    pub(super) is_queued: bool,
}

/// A captured stream: the read end of its pipe, which is closed at the end of the stream, the bytes that are kept, and
/// the number of bytes read.
#[derive(Debug)]
struct CapturedStream {
    end: Option<OwnedFd>,
    /// The first `memory` bytes.
    kept: Vec<u8>,
    /// The number of bytes to keep in memory.
    memory: usize,
    /// The first `most` bytes, if more than `memory` bytes were read.
    spilled: Option<File>,
    /// The time that writing to `spilled` took.
    spill_time: Duration,
    /// The number of bytes to keep.
    most: u64,
    bytes: u64,
}

/// The captured output of a run.
#[derive(Debug)]
pub(super) struct CapturedOutput {
    /// The beginning of standard output: all of it if it was not spilled.
    pub(super) stdout: Vec<u8>,
    /// The file with the whole standard output, if it was spilled.
    pub(super) spilled: Option<File>,
    /// The time that writing this file took. The program may have waited for this time.
    pub(super) spill_time: Duration,
    /// The beginning of standard error.
    pub(super) stderr: Vec<u8>,
    /// The size of standard error in bytes.
    pub(super) stderr_bytes: u64,
}

/// The capture of a program's standard output (unless it is a pipe of the caller) and standard error.
#[derive(Debug)]
pub(super) struct StreamCapture {
    stdout: CapturedStream,
    stderr: CapturedStream,
    /// The judge's copies of the write ends of the pipes. They are kept open during the run, because `poll` would
    /// otherwise report a hang-up as soon as the program closes its ends. The end of a stream need not be detected,
    /// since the cell reports the end of the run.
    held: Vec<OwnedFd>,
    /// The read end of the stop pipe; see [`Output::StoppablePipe`](super::Output::StoppablePipe). `None` if there is
    /// no such pipe or it was read.
    stop: Option<OwnedFd>,
    limit: u64,
    /// The read buffer, which is allocated on the first read.
    buffer: Vec<u8>,
    /// Whether both streams together exceeded the limit.
    pub(super) over_limit: bool,
}

/// Creates a pipe whose read end is non-blocking. Returns (read end, write end).
pub(super) fn stream_pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&read, true)?;
    Ok((read, write))
}

/// Returns the folder of the temporary files for large outputs: `TMPDIR`, or `/var/tmp`, which is on a disk even if
/// `/tmp` is in memory.
pub(super) fn spill_dir() -> PathBuf {
    let disk = Path::new("/var/tmp");
    if std::env::var_os("TMPDIR").is_none() && disk.is_dir() { disk.to_owned() } else { std::env::temp_dir() }
}

/// Sets the timer slack of this thread to `slack` nanoseconds, calls `wait`, and restores the default slack.
fn with_slack<T>(slack: NonZeroU64, wait: impl FnOnce() -> T) -> T {
    // If the slack cannot be set, the timers expire earlier, which only costs time.
    let _ = rustix::thread::set_current_timer_slack(Some(slack));
    let result = wait();
    let _ = rustix::thread::set_current_timer_slack(None);
    result
}

/// Sends a cell a frame without a body. If the cell has exited, this is no error: the next poll reports the exit.
fn tell(control: &OwnedFd, kind: FrameKind, number: u64) -> Result<()> {
    wire::unless_closed(wire::send(control, kind, number, &[], &[]))
}

impl CapturedStream {
    /// Creates the capture of a stream that keeps the first `most` bytes, of which the first `memory` are in memory.
    fn new(end: Option<OwnedFd>, most: u64, memory: usize) -> CapturedStream {
        let memory = memory.min(usize::try_from(most).unwrap_or(usize::MAX));
        CapturedStream { end, kept: Vec::new(), memory, spilled: None, spill_time: Duration::ZERO, most, bytes: 0 }
    }

    /// Reads available bytes once: no more than `allowed` + 1, and no more than fit in `buffer`.
    fn read(&mut self, buffer: &mut [u8], allowed: u64) -> Result<()> {
        let Some(end) = &self.end else { return Ok(()) };
        let room = buffer.len().min(usize::try_from(allowed.saturating_add(1)).unwrap_or(usize::MAX));
        match rustix::io::read(end, &mut buffer[..room]) {
            Ok(0) => self.end = None,
            Ok(count) => self.store(&buffer[..count])?,
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.end = None,
        }
        Ok(())
    }

    /// Stores bytes that were read, up to the limits of this stream.
    ///
    /// # Errors
    /// Fails if the temporary file can't be written.
    fn store(&mut self, read: &[u8]) -> Result<()> {
        let left = usize::try_from(self.most.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        let kept = &read[..read.len().min(left)];
        self.bytes += read.len() as u64;
        let in_memory = kept.len().min(self.memory - self.kept.len());
        if in_memory == kept.len() && self.spilled.is_none() {
            self.kept.extend_from_slice(kept);
            return Ok(());
        }
        let start = Instant::now();
        let file = match &mut self.spilled {
            Some(file) => file,
            None => {
                let mut file = tempfile::tempfile_in(spill_dir())?;
                file.write_all(&self.kept)?;
                self.spilled.insert(file)
            }
        };
        file.write_all(kept)?;
        self.spill_time += start.elapsed();
        self.kept.extend_from_slice(&kept[..in_memory]);
        Ok(())
    }
}

impl StreamCapture {
    /// Creates the capture of the streams with the read ends `stdout` and `stderr`. Stores at most `limit` bytes of
    /// standard output, of which `memory` bytes are in memory, and `keep_stderr` bytes of standard error. `limit` also
    /// bounds the total size of both streams.
    pub(super) fn new(
        (stdout, stderr): (Option<OwnedFd>, OwnedFd),
        stop: Option<OwnedFd>,
        limit: u64,
        (memory, keep_stderr): (usize, usize),
    ) -> StreamCapture {
        StreamCapture {
            stdout: CapturedStream::new(stdout, limit, memory),
            stderr: CapturedStream::new(Some(stderr), keep_stderr as u64, keep_stderr),
            held: Vec::new(),
            stop,
            limit,
            buffer: Vec::new(),
            over_limit: false,
        }
    }

    /// Stores the judge's write ends after they have been sent to the cell. Closes the write end of a stream that is
    /// not captured.
    pub(super) fn hold(&mut self, stdout: OwnedFd, stderr: OwnedFd) {
        self.held.extend(self.stdout.end.is_some().then_some(stdout));
        self.held.push(stderr);
    }

    /// Returns the number of bytes read from both streams.
    pub(super) fn bytes(&self) -> u64 {
        self.stdout.bytes + self.stderr.bytes
    }

    /// Returns the captured output.
    pub(super) fn finish(self) -> CapturedOutput {
        let (stdout, stderr) = (self.stdout, self.stderr);
        CapturedOutput {
            stdout: stdout.kept,
            spilled: stdout.spilled,
            spill_time: stdout.spill_time,
            stderr: stderr.kept,
            stderr_bytes: stderr.bytes,
        }
    }

    /// Reads the streams until the cell sends a frame, the run is cancelled or the timeout has passed. Sends the cell a
    /// stop frame for the run `run` when the output limit is exceeded, and [`STOP_DELAY`] after a byte arrived on the
    /// stop pipe. If the run is queued, asks the cell for the result after [`UNREAD_QUEUED`].
    pub(super) fn wait(
        &mut self,
        cell: &CellSockets<'_>,
        run: AwaitedRun,
        cancel: &Cancel,
        timeout: Duration,
    ) -> Result<WaitResult> {
        let CellSockets { socket, control } = cell;
        let AwaitedRun { number, mut is_queued } = run;
        let unread_time = if is_queued { UNREAD_QUEUED } else { UNREAD };
        let start = Instant::now();
        let deadline = start + timeout;
        let mut stop_at = None;
        loop {
            let now = Instant::now();
            let unread = unread_time.checked_sub(now - start).filter(|left| !left.is_zero());
            if unread.is_none() && std::mem::take(&mut is_queued) {
                tell(control, FrameKind::Report, number)?;
            }
            if stop_at.is_some_and(|at: Instant| now >= at) {
                stop_at = None;
                tell(control, FrameKind::Stop, number)?;
            }
            let left = deadline.saturating_duration_since(now);
            if left.is_zero() {
                return Ok(WaitResult::Overdue);
            }
            let until_stop = stop_at.map_or(left, |at| at.saturating_duration_since(now));
            let until = left.min(until_stop).min(unread.unwrap_or(Duration::MAX));
            let ready = match unread {
                Some(_) => with_slack(UNREAD_SLACK, || self.poll(socket, cancel, until, false))?,
                None => self.poll(socket, cancel, until, true)?,
            };
            if ready.cancelled {
                return Ok(WaitResult::Cancelled);
            }
            if let Some(stop) = self.stop.take_if(|_| ready.stop) {
                // If the pipe was closed before a byte was written, the program is not stopped.
                stop_at = (rustix::io::read(&stop, &mut [0; 1]) == Ok(1)).then(|| now + STOP_DELAY);
            }
            if let Err(error) = self.read(ready.out, ready.err, CHUNK) {
                return Ok(WaitResult::Unwritable(error));
            }
            if self.bytes() > self.limit && !self.over_limit {
                self.over_limit = true;
                // After the read ends are closed, writers receive SIGPIPE. The cell kills programs that ignore it.
                (self.stdout.end, self.stderr.end) = (None, None);
                self.held.clear();
                tell(control, FrameKind::Stop, number)?;
            }
            if ready.has_frame {
                return Ok(match wire::receive(socket)? {
                    Some(frame) => WaitResult::Frame(frame),
                    None => WaitResult::Gone,
                });
            }
        }
    }

    /// Reads once from each stream that has output. The first read allocates a buffer of `size` bytes.
    fn read(&mut self, out: bool, err: bool, size: usize) -> Result<()> {
        if (out || err) && self.buffer.is_empty() {
            self.buffer = vec![0; size];
        }
        if out {
            let allowed = self.limit.saturating_sub(self.bytes());
            self.stdout.read(&mut self.buffer, allowed)?;
        }
        if err {
            let allowed = self.limit.saturating_sub(self.bytes());
            self.stderr.read(&mut self.buffer, allowed)?;
        }
        Ok(())
    }

    /// Waits for a frame, for cancellation, for the stop pipe and, if `reading`, for output. Waits no longer than the
    /// time `left`.
    fn poll(&self, socket: &OwnedFd, cancel: &Cancel, left: Duration, reading: bool) -> Result<ReadyStreams> {
        let [out, err] =
            [&self.stdout, &self.stderr].map(|stream| stream.end.as_ref().filter(|_| reading).map(AsFd::as_fd));
        let stop = self.stop.as_ref().map(AsFd::as_fd);
        // The indices of `fds` are fixed, so a closed stream is replaced by a descriptor without requested events.
        let entry = |end: Option<BorrowedFd<'_>>| match end {
            Some(_) => PollFlags::IN,
            None => PollFlags::empty(),
        };
        let event = cancel.event();
        let mut fds = [
            PollFd::new(socket, PollFlags::IN),
            PollFd::from_borrowed_fd(event, PollFlags::IN),
            PollFd::from_borrowed_fd(out.unwrap_or(event), entry(out)),
            PollFd::from_borrowed_fd(err.unwrap_or(event), entry(err)),
            PollFd::from_borrowed_fd(stop.unwrap_or(event), entry(stop)),
        ];
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(ReadyStreams::default()),
            Err(error) => return Err(Error::from(error)),
        }
        let ready = |place: usize| !fds[place].revents().is_empty();
        Ok(ReadyStreams {
            has_frame: ready(0),
            cancelled: ready(1),
            out: out.is_some() && ready(2),
            err: err.is_some() && ready(3),
            stop: stop.is_some() && ready(4),
        })
    }

    /// Reads the remaining contents of the pipes, up to the output limit. Must be called after all writers have exited,
    /// so that no more bytes can arrive.
    ///
    /// # Errors
    /// Fails if the temporary file for a large output can't be written.
    pub(super) fn read_remaining(&mut self) -> Result<()> {
        self.held.clear();
        while !self.over_limit {
            let before = self.bytes();
            let left = |stream: &CapturedStream| {
                stream.end.as_ref().map_or(0, |end| rustix::io::ioctl_fionread(end).unwrap_or(0))
            };
            let (out, err) = (left(&self.stdout), left(&self.stderr));
            // If the buffer is not allocated yet, nothing has been read, and a buffer of the size of the output
            // suffices.
            self.read(out > 0, err > 0, usize::try_from(out.max(err)).unwrap_or(CHUNK).min(CHUNK))?;
            self.over_limit = self.bytes() > self.limit;
            // No more bytes can arrive. More may be left, also after a short read: a program can set its pipe to a mode in
            // which each read returns one packet.
            if self.bytes() == before || self.bytes() - before == out + err {
                break;
            }
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct ReadyStreams {
    has_frame: bool,
    cancelled: bool,
    out: bool,
    err: bool,
    stop: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fork_server::sockets;
    use rustix::fs::{OFlags, fcntl_setfl};

    #[test]
    fn the_exit_of_a_cell_is_reported_also_if_the_cell_cannot_be_told_to_stop() {
        let (read, mut write) = std::io::pipe().unwrap();
        let (read_stderr, _write_stderr) = stream_pipe().unwrap();
        let (socket, cell) = sockets().unwrap();
        let (control, _) = sockets().unwrap();
        let sockets = CellSockets { socket: &socket, control: &control };
        let run = AwaitedRun { number: 1, is_queued: true };
        let mut capture = StreamCapture::new((Some(read.into()), read_stderr), None, 2, (2, 2));
        write.write_all(b"more than the limit").unwrap();
        let mut wait = || capture.wait(&sockets, run, &Cancel::new().unwrap(), Duration::from_millis(500)).unwrap();
        assert!(matches!(wait(), WaitResult::Overdue));
        drop(cell);
        assert!(matches!(wait(), WaitResult::Gone));
        assert!(capture.over_limit);
    }

    #[test]
    fn everything_that_is_left_is_read_also_from_a_pipe_that_keeps_packets_apart() {
        let (read, write) = stream_pipe().unwrap();
        let (read_stderr, _write_stderr) = stream_pipe().unwrap();
        fcntl_setfl(&write, OFlags::DIRECT).unwrap();
        for number in 0..3 {
            rustix::io::write(&write, format!("{number}\n").as_bytes()).unwrap();
        }
        let mut capture = StreamCapture::new((Some(read), read_stderr), None, 100, (100, 100));
        capture.read_remaining().unwrap();
        assert_eq!(capture.finish().stdout, b"0\n1\n2\n");
    }
}
