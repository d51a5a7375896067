//! Relays the data between the processes of a program and an interactor, records the data with timestamps, and determines
//! for each process which side ended first. Most problems have one process.
//!
//! If the interactor records its dialogue itself, pipes connect it directly with the program. The relay then only completes
//! the dialogue: when the interactor has ended, it determines which side ended first, and reads what is left.
//!
//! The relay holds the other end of every pipe, or a copy of the interactor's end, so that a side can observe the end of
//! the other side only after the relay has observed it. If one poll reports the end of both sides, the program counts as
//! the first side to end. A side is read only after its previous data has been written to the other side. The buffers are
//! therefore bounded, and a side whose data is not read blocks, as with a pipe.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use rustix::time::{ClockId, clock_gettime};

use crate::lang::DialogueRecord;
use crate::model::{Side, TimeSpan, Transcript};

/// Size of the buffer for one read, in bytes.
const CHUNK: usize = 64 * 1024;

/// The pipe ends for the program and the interactor, and the relay with the opposite ends or with copies.
pub(super) struct Ends {
    /// The ends for each process of the program.
    pub(super) program: Vec<ProgramEnds>,
    /// The interactor's read end and write end for each process of the program.
    pub(super) interactor: Vec<[OwnedFd; 2]>,
    /// The relay, which holds the opposite ends of the pipes.
    pub(super) relay: Relay,
}

/// The pipe ends for one process of the program, and for the sandbox in which it runs.
pub(super) struct ProgramEnds {
    /// The read end of the pipe that is the standard input.
    pub(super) stdin: OwnedFd,
    /// The write end of the pipe that is the standard output.
    pub(super) stdout: OwnedFd,
    /// The read end of a pipe that becomes readable when the interactor has ended before the process without accepting
    /// the program. The remainder of the process's run is then irrelevant.
    pub(super) stop: OwnedFd,
}

/// The result of a dialogue.
pub(in crate::runner) struct RelayOutcome {
    /// The result for each process of the program.
    pub(super) links: Vec<LinkOutcome>,
    /// The recorded dialogue.
    pub(super) transcript: Transcript,
}

/// The result of the dialogue of one process of the program and the interactor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runner) struct LinkOutcome {
    /// The side that first ended or exceeded its output limit. If one poll finds that both sides have ended, so that
    /// neither could observe the end of the other, this is the program.
    pub(super) first: Side,
    /// The side that exceeded its output limit, if any.
    pub(super) flooded: Option<Side>,
    /// Whether the process ended first and was not answered: the interactor wrote nothing after the last output of the
    /// process, or nothing at all.
    pub(super) unanswered: bool,
    /// The side that wrote last before one side ended; `None` if neither side wrote.
    pub(super) last: Option<Side>,
}

/// A relay between the program and the interactor: its ends of the pipes, the output limits, and the recorded dialogue.
pub(super) struct Relay {
    /// The link to each process of the program.
    links: Vec<Link>,
    /// The read end of a pipe that becomes readable when the interactor has ended without accepting the program.
    stop: OwnedFd,
    /// The output limits of a process and of the interactor on one link, in bytes, indexed by [`Side`].
    limits: [u64; 2],
    /// The start of the dialogue, in nanoseconds of the monotonic clock.
    started: u64,
    /// Whether `stop` has become readable.
    stopped: bool,
    transcript: Transcript,
}

/// The connection between one process of the program and the interactor.
struct Link {
    /// The connection from each side to the other, indexed by [`Side`].
    ways: [Way; 2],
    /// The write end of the pipe whose read end is [`ProgramEnds::stop`].
    stop_program: OwnedFd,
    first: Option<Side>,
    /// The side that wrote last before either side ended; `None` if neither wrote.
    spoke: Option<Side>,
    flooded: Option<Side>,
}

/// The connection from one side to the other.
#[derive(Default)]
struct Way {
    from: Option<OwnedFd>,
    to: Option<OwnedFd>,
    /// Data that has been read but not yet written.
    waiting: Vec<u8>,
    sent: usize,
    bytes: u64,
}

/// Returns the time of the monotonic clock, in nanoseconds.
fn monotonic_nanoseconds() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(|number| u64::try_from(number).unwrap_or(0));
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// Creates a pipe, and returns its read end and its write end. The end that `ours` selects, which the relay uses, is
/// non-blocking.
fn pipe(ours: Ours) -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(if ours == Ours::Read { &read } else { &write }, true)?;
    Ok((read, write))
}

/// Creates a pipe that holds as much data as a relay and the pipes to both of its sides, if the system allows it, and returns
/// its read end and its write end. Otherwise, more dialogues would block whose sides write much before they read.
fn large_pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    _ = fcntl_setpipe_size(&write, 4 * CHUNK);
    Ok((read, write))
}

#[derive(PartialEq, Eq)]
enum Ours {
    Read,
    Write,
}

/// Creates pipes that connect one process of the program directly with an interactor, and returns their ends. The relay,
/// which continues with [`Relay::run_after`], holds copies of the interactor's ends, so that the program cannot observe the
/// end of the interactor before the relay does. `stop` and `limits` are those of [`ends`].
pub(super) fn direct_ends(stop: OwnedFd, limits: [u64; 2]) -> std::io::Result<Ends> {
    let mut relay = Relay::new(stop, limits);
    let (interactor_in, stdout) = large_pipe()?;
    let (stdin, interactor_out) = large_pipe()?;
    let (stop, stop_program) = pipe_with(PipeFlags::CLOEXEC)?;
    let from_program = Way { from: Some(interactor_in.try_clone()?), ..Way::default() };
    let to_program = Way { to: Some(interactor_out.try_clone()?), ..Way::default() };
    relay.links.push(Link::new([from_program, to_program], stop_program));
    let program = vec![ProgramEnds { stdin, stdout, stop }];
    Ok(Ends { program, interactor: vec![[interactor_in, interactor_out]], relay })
}

/// Creates the pipes for `processes` processes of the program, and returns their ends. `stop` becomes readable when the
/// program's output is no longer needed; `limits` are the output limits of a process and of the interactor, in bytes.
pub(super) fn ends(processes: usize, stop: OwnedFd, limits: [u64; 2]) -> std::io::Result<Ends> {
    let relay = Relay::new(stop, limits);
    let mut ends = Ends { program: Vec::with_capacity(processes), interactor: Vec::with_capacity(processes), relay };
    let way = |from, to| Way { from: Some(from), to: Some(to), ..Way::default() };
    for _ in 0..processes {
        let (from_program, program_out) = pipe(Ours::Read)?;
        let (from_interactor, interactor_out) = pipe(Ours::Read)?;
        let (program_in, to_program) = pipe(Ours::Write)?;
        let (interactor_in, to_interactor) = pipe(Ours::Write)?;
        let (stop, stop_program) = pipe_with(PipeFlags::CLOEXEC)?;
        ends.program.push(ProgramEnds { stdin: program_in, stdout: program_out, stop });
        ends.interactor.push([interactor_in, interactor_out]);
        let ways = [way(from_program, to_interactor), way(from_interactor, to_program)];
        ends.relay.links.push(Link::new(ways, stop_program));
    }
    Ok(ends)
}

/// An event that polling reported: the stop pipe has become readable, or a side's pipe of the link with this index is
/// ready for reading or writing.
#[derive(Debug, Clone, Copy)]
enum What {
    Bell,
    Read(usize, Side),
    Write(usize, Side),
}

impl Relay {
    fn new(stop: OwnedFd, limits: [u64; 2]) -> Relay {
        let (links, transcript) = Default::default();
        Relay { links, stop, limits, started: monotonic_nanoseconds(), stopped: false, transcript }
    }

    /// Returns the start of the dialogue, in nanoseconds of the monotonic clock.
    pub(super) fn started(&self) -> u64 {
        self.started
    }

    /// Returns the time since the start of the dialogue.
    fn elapsed(&self) -> TimeSpan {
        TimeSpan::micros(monotonic_nanoseconds().saturating_sub(self.started) / 1_000)
    }

    /// Relays data until both sides of all links have ended.
    ///
    /// # Errors
    /// Fails if polling the pipes fails.
    pub(super) fn run(mut self) -> std::io::Result<RelayOutcome> {
        self.started = monotonic_nanoseconds();
        self.run_to_end(&mut vec![0; CHUNK])
    }

    /// Continues after the interactor, whose pipes connected it directly with the program, has ended: reads the output of
    /// the program that the interactor did not read, until the program has ended. `record` is the dialogue that the
    /// interactor recorded.
    ///
    /// # Errors
    /// Fails if polling the pipes fails.
    pub(super) fn run_after(mut self, record: DialogueRecord) -> std::io::Result<RelayOutcome> {
        let DialogueRecord { transcript, bytes, flooded, last, has_program_end, exited_first } = record;
        self.transcript = transcript;
        let mut buffer = vec![0; CHUNK];
        for link in &mut self.links {
            (link.spoke, link.flooded) = (last, flooded);
            for (way, bytes) in link.ways.iter_mut().zip(bytes) {
                way.bytes = bytes;
                // The interactor, which has ended, shared this mode of the pipe.
                if let Some(from) = &way.from {
                    rustix::io::ioctl_fionbio(from, true)?;
                }
            }
            if has_program_end {
                link.first = Some(Side::Program);
                link.ways[Side::Program.index()].from = None;
            }
        }
        for index in 0..self.links.len() {
            match flooded {
                Some(side) => self.ended(index, side),
                // The program ended before the interactor, since it could not observe the end of the interactor.
                None if !exited_first => {
                    while self.links[index].has_program_ended() {
                        self.read(index, Side::Program, &mut buffer);
                        self.links[index].write(Side::Program);
                    }
                }
                None => {}
            }
            if flooded != Some(Side::Interactor) {
                self.ended(index, Side::Interactor);
            }
            self.links[index].ways[Side::Interactor.index()].to = None;
        }
        self.run_to_end(&mut buffer)
    }

    /// Stops the program, because the interactor, whose pipes connected it directly with the program, did not record the
    /// dialogue.
    pub(super) fn abandon(mut self) {
        for link in &mut self.links {
            link.first = Some(Side::Interactor);
        }
        self.hang_up();
    }

    fn run_to_end(mut self, buffer: &mut [u8]) -> std::io::Result<RelayOutcome> {
        while self.links.iter().any(Link::is_open) {
            // The descriptors of the program are handled first: if both sides ended since the last poll, neither side
            // has observed the end of the other, and the program counts as the first side to end.
            for what in self.wait()? {
                match what {
                    What::Bell => self.hang_up(),
                    What::Read(link, side) => {
                        self.read(link, side, buffer);
                        self.links[link].write(side);
                    }
                    What::Write(link, side) => self.links[link].write(side),
                }
            }
            let ways = self.links.iter_mut().flat_map(|link| &mut link.ways);
            for way in ways.filter(|way| way.from.is_none() && way.waiting.is_empty()) {
                way.to = None;
            }
        }
        Ok(RelayOutcome { links: self.links.iter().map(Link::outcome).collect(), transcript: self.transcript })
    }

    /// Waits until a descriptor is ready, and returns an event for each ready descriptor, those of the program first.
    /// The result is empty if a signal interrupts the wait.
    fn wait(&self) -> std::io::Result<Vec<What>> {
        let most = 4 * self.links.len() + 1;
        let (mut what, mut fds) = (Vec::with_capacity(most), Vec::with_capacity(most));
        for side in Side::BOTH {
            for (index, link) in self.links.iter().enumerate() {
                let way = &link.ways[side.index()];
                if let Some(from) = way.from.as_ref().filter(|_| way.waiting.is_empty()) {
                    fds.push(PollFd::new(from, PollFlags::IN));
                    what.push(What::Read(index, side));
                }
                if let Some(to) = way.to.as_ref().filter(|_| !way.waiting.is_empty()) {
                    fds.push(PollFd::new(to, PollFlags::OUT));
                    what.push(What::Write(index, side));
                }
            }
        }
        // The stop pipe stays readable, so it is not polled again after it has become readable. It is polled last, so
        // that pending output is relayed first.
        if !self.stopped {
            fds.push(PollFd::new(&self.stop, PollFlags::IN));
            what.push(What::Bell);
        }
        match poll(&mut fds, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = fds.iter().zip(what).filter(|(fd, _)| !fd.revents().is_empty());
        Ok(ready.map(|(_, what)| what).collect())
    }

    /// Reads data from a side. An empty read means that the side has ended.
    fn read(&mut self, index: usize, side: Side, buffer: &mut [u8]) {
        let now = self.elapsed();
        let Link { ways, first, spoke, flooded, .. } = &mut self.links[index];
        let way = &mut ways[side.index()];
        let Some(from) = &way.from else { return };
        match rustix::io::read(from, &mut *buffer) {
            Ok(count) if count > 0 => {
                way.bytes += count as u64;
                if first.is_none() {
                    *spoke = Some(side);
                }
                self.transcript.add(now, (index as u32, side), &buffer[..count]);
                way.waiting.extend_from_slice(&buffer[..count]);
                if way.bytes > self.limits[side.index()] {
                    flooded.get_or_insert(side);
                    way.waiting.clear();
                    self.ended(index, side);
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(_) | Err(_) => self.ended(index, side),
        }
    }

    /// Records that a side has ended or exceeded its output limit, and stops reading from it. Stops the process if the
    /// interactor rejected the program first.
    fn ended(&mut self, index: usize, side: Side) {
        let now = self.elapsed();
        let link = &mut self.links[index];
        link.first.get_or_insert(side);
        link.ways[side.index()].from = None;
        self.transcript.end(now, (index as u32, side));
        if self.stopped {
            link.stop_if_rejected();
        }
    }

    /// Stops reading from and writing to the program, because the interactor has ended without accepting it.
    fn hang_up(&mut self) {
        self.stopped = true;
        for link in &mut self.links {
            for way in &mut link.ways {
                way.waiting.clear();
            }
            link.ways[Side::Program.index()].from = None;
            link.ways[Side::Interactor.index()].to = None;
            link.stop_if_rejected();
        }
    }
}

impl Link {
    fn new(ways: [Way; 2], stop_program: OwnedFd) -> Link {
        Link { ways, stop_program, first: None, spoke: None, flooded: None }
    }

    /// Returns whether all write ends of the program's output are closed.
    fn has_program_ended(&self) -> bool {
        let Some(from) = &self.ways[Side::Program.index()].from else { return false };
        let mut fds = [PollFd::new(from, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().contains(PollFlags::HUP)
    }

    /// Returns whether data can still arrive, or is still to be written.
    fn is_open(&self) -> bool {
        self.ways.iter().any(|way| way.from.is_some() || !way.waiting.is_empty())
    }

    fn outcome(&self) -> LinkOutcome {
        let first = self.first.unwrap_or(Side::Program);
        let unanswered = first == Side::Program && self.spoke != Some(Side::Interactor);
        LinkOutcome { first, flooded: self.flooded, unanswered, last: self.spoke }
    }

    /// Stops the process if the interactor, which has rejected the program, ended before the process.
    fn stop_if_rejected(&self) {
        if self.first == Some(Side::Interactor) {
            // If the pipe has no reader, the process has ended.
            _ = rustix::io::write(&self.stop_program, &[0]);
        }
    }

    /// Writes as much of a side's pending data as the other side accepts. If the other side has ended, the data is
    /// dropped.
    fn write(&mut self, side: Side) {
        let way = &mut self.ways[side.index()];
        if let Some(to) = &way.to {
            match rustix::io::write(to, &way.waiting[way.sent..]) {
                Ok(count) => way.sent += count,
                Err(Errno::AGAIN | Errno::INTR) => {}
                // The other side has ended. This side is still read, so that its writes do not fail.
                Err(_) => way.to = None,
            }
        }
        if way.to.is_none() || way.sent == way.waiting.len() {
            way.waiting.clear();
            way.sent = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// Relays between a program that writes `words` bytes and reads at most `answers` replies, and an interactor. The
    /// interactor echoes the first `answers` bytes, waits until the program has ended, writes one more byte, and ends.
    fn relayed(words: usize, answers: usize) -> LinkOutcome {
        let (stop, _stop_writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let Ends { mut program, mut interactor, relay } = ends(1, stop, [100, 100]).unwrap();
        let ProgramEnds { stdin: program_in, stdout: program_out, .. } = program.pop().unwrap();
        let [interactor_in, interactor_out] = interactor.pop().unwrap();
        let relay = std::thread::spawn(move || relay.run().unwrap());
        let interactor = std::thread::spawn(move || {
            let (mut hears, mut says) = (std::fs::File::from(interactor_in), std::fs::File::from(interactor_out));
            let mut byte = [0];
            for _ in 0..answers {
                hears.read_exact(&mut byte).unwrap();
                says.write_all(&byte).unwrap();
            }
            while hears.read(&mut byte).unwrap() > 0 {}
            says.write_all(b"!").unwrap();
        });
        let (mut hears, mut says) = (std::fs::File::from(program_in), std::fs::File::from(program_out));
        for word in 0..words {
            says.write_all(b"?").unwrap();
            if word < answers {
                hears.read_exact(&mut [0]).unwrap();
            }
        }
        drop((hears, says));
        interactor.join().unwrap();
        relay.join().unwrap().links[0]
    }

    /// Completes a dialogue in which the interactor recorded `record` and then ended. The program wrote `unread` bytes that the
    /// interactor did not read, and has ended before the relay continues.
    fn completed(record: DialogueRecord, unread: usize) -> (LinkOutcome, u64) {
        let (stop, _stop_writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let Ends { program, interactor, relay } = direct_ends(stop, [100, 100]).unwrap();
        for ends in program {
            std::fs::File::from(ends.stdout).write_all(&vec![b'?'; unread]).unwrap();
        }
        drop(interactor);
        let outcome = relay.run_after(record).unwrap();
        (outcome.links[0], outcome.transcript.bytes(Side::Program))
    }

    #[test]
    fn recorded_dialogue_is_completed() {
        use Side::{Interactor, Program};
        let record = |exited_first: bool, has_program_end: bool, flooded: Option<Side>| DialogueRecord {
            transcript: Transcript::default(),
            bytes: [30, 30],
            flooded,
            last: Some(Interactor),
            has_program_end,
            exited_first,
        };
        let outcome = |first, flooded, unanswered, last| LinkOutcome { first, flooded, unanswered, last: Some(last) };
        for (record, unread, expected, bytes) in [
            // The program ended while the interactor was running, and wrote more, or less, than its limit.
            (record(false, false, None), 0, outcome(Program, None, false, Interactor), 0),
            (record(false, false, None), 50, outcome(Program, None, true, Program), 50),
            (record(false, false, None), 90, outcome(Program, Some(Program), true, Program), 90),
            // It ended after the interactor.
            (record(true, false, None), 50, outcome(Interactor, None, false, Interactor), 50),
            (record(true, false, None), 90, outcome(Interactor, Some(Program), false, Interactor), 90),
            // The interactor read to the end, or one side exceeded its limit.
            (record(false, true, None), 0, outcome(Program, None, false, Interactor), 0),
            (record(false, false, Some(Program)), 50, outcome(Program, Some(Program), false, Interactor), 0),
            (record(false, false, Some(Interactor)), 0, outcome(Interactor, Some(Interactor), false, Interactor), 0),
        ] {
            assert_eq!(completed(record, unread), (expected, bytes));
        }
    }

    #[test]
    fn who_had_no_answer_is_known() {
        for (words, answers, unanswered) in [(0, 0, true), (1, 0, true), (2, 1, true), (1, 1, false), (3, 3, false)] {
            let outcome = relayed(words, answers);
            assert_eq!(
                (outcome.first, outcome.unanswered),
                (Side::Program, unanswered),
                "{words} words, {answers} answers"
            );
        }
    }
}
