//! Relays the data between a program and an interactor, records the data with timestamps, and determines which side
//! ended first.
//!
//! The relay holds the other end of every pipe, so that a side can observe the end of the other side only after the
//! relay has observed it. If one poll reports the end of both sides, the program counts as the first side to end. A
//! side is read only after its previous data has been written to the other side. The buffers are therefore bounded, and
//! a side whose data is not read blocks, as with a pipe.

use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use crate::model::{Side, Transcript};

/// Size of the buffer for one read, in bytes.
const CHUNK: usize = 64 * 1024;

/// The pipe ends for the program, the interactor and the sandbox, and the relay with the opposite ends.
pub(super) struct Ends {
    /// The read ends of the pipes that are the standard inputs of the program and the interactor.
    pub(super) stdin: [OwnedFd; 2],
    /// The write ends of the pipes that are the standard outputs of the program and the interactor.
    pub(super) stdout: [OwnedFd; 2],
    /// The read end of a pipe that becomes readable when the interactor has ended before the program without accepting
    /// it. The remainder of the program's run is then irrelevant.
    pub(super) stop_program: OwnedFd,
    /// The relay, which holds the opposite ends of the pipes.
    pub(super) relay: Relay,
}

/// The result of relaying a dialogue.
pub(in crate::runner) struct RelayOutcome {
    /// The side that first ended or exceeded its output limit. If one poll finds that both sides have ended, so that
    /// neither could observe the end of the other, this is the program.
    pub(super) first: Side,
    /// The side that exceeded its output limit, if any.
    pub(super) flooded: Option<Side>,
    /// Whether the program ended first and was not answered: the interactor wrote nothing after the program's last
    /// output, or nothing at all.
    pub(super) unanswered: bool,
    /// The side that wrote last before one side ended; `None` if neither side wrote.
    pub(super) last: Option<Side>,
    /// The recorded dialogue.
    pub(super) transcript: Transcript,
}

/// A relay between the program and the interactor: its ends of the pipes, the output limits, and the recorded dialogue.
/// Arrays are indexed by [`Side`].
pub(super) struct Relay {
    ways: [Way; 2],
    /// The read end of a pipe that becomes readable when the interactor has ended without accepting the program.
    stop: OwnedFd,
    /// The write end of the pipe whose read end is [`Ends::stop_program`].
    stop_program: OwnedFd,
    limits: [u64; 2],
    started: Instant,
    first: Option<Side>,
    /// The side that wrote last before either side ended; `None` if neither wrote.
    spoke: Option<Side>,
    flooded: Option<Side>,
    /// Whether `stop` has become readable.
    stopped: bool,
    transcript: Transcript,
}

/// The connection from one side to the other.
struct Way {
    from: Option<OwnedFd>,
    to: Option<OwnedFd>,
    /// Data that has been read but not yet written.
    waiting: Vec<u8>,
    sent: usize,
    bytes: u64,
}

/// Creates a pipe, and returns its read end and its write end. The end that `ours` selects, which the relay uses, is
/// non-blocking.
fn pipe(ours: Ours) -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(if ours == Ours::Read { &read } else { &write }, true)?;
    Ok((read, write))
}

#[derive(PartialEq, Eq)]
enum Ours {
    Read,
    Write,
}

/// Creates the pipes and returns their ends. `stop` becomes readable when the program's output is no longer needed;
/// `limits` are the output limits of the program and of the interactor, in bytes.
pub(super) fn ends(stop: OwnedFd, limits: [u64; 2]) -> std::io::Result<Ends> {
    let (from_program, program_out) = pipe(Ours::Read)?;
    let (from_interactor, interactor_out) = pipe(Ours::Read)?;
    let (program_in, to_program) = pipe(Ours::Write)?;
    let (interactor_in, to_interactor) = pipe(Ours::Write)?;
    let (stopped_by, stop_program) = pipe_with(PipeFlags::CLOEXEC)?;
    let way = |from, to| Way { from: Some(from), to: Some(to), waiting: Vec::new(), sent: 0, bytes: 0 };
    let relay = Relay {
        ways: [way(from_program, to_interactor), way(from_interactor, to_program)],
        stop,
        stop_program,
        limits,
        started: Instant::now(),
        first: None,
        spoke: None,
        flooded: None,
        stopped: false,
        transcript: Transcript::default(),
    };
    let (stdin, stdout) = ([program_in, interactor_in], [program_out, interactor_out]);
    Ok(Ends { stdin, stdout, stop_program: stopped_by, relay })
}

/// An event that polling reported: the stop pipe has become readable, or a side's pipe is ready for reading or writing.
#[derive(Debug, Clone, Copy)]
enum What {
    Bell,
    Read(Side),
    Write(Side),
}

impl Relay {
    /// Relays data until both sides have ended.
    ///
    /// # Errors
    /// Fails if polling the pipes fails.
    pub(super) fn run(mut self) -> std::io::Result<RelayOutcome> {
        let mut buffer = vec![0; CHUNK];
        while self.ways.iter().any(|way| way.from.is_some() || !way.waiting.is_empty()) {
            // The descriptors of the program are handled first: if both sides ended since the last poll, neither side
            // has observed the end of the other, and the program counts as the first side to end.
            for what in self.wait()? {
                match what {
                    What::Bell => self.hang_up(),
                    What::Read(side) => {
                        self.read(side, &mut buffer);
                        self.write(side);
                    }
                    What::Write(side) => self.write(side),
                }
            }
            for way in self.ways.iter_mut().filter(|way| way.from.is_none() && way.waiting.is_empty()) {
                way.to = None;
            }
        }
        let first = self.first.unwrap_or(Side::Program);
        let unanswered = first == Side::Program && self.spoke != Some(Side::Interactor);
        Ok(RelayOutcome { first, flooded: self.flooded, unanswered, last: self.spoke, transcript: self.transcript })
    }

    /// Waits until a descriptor is ready, and returns an event for each ready descriptor. The result is empty if a
    /// signal interrupts the wait.
    fn wait(&self) -> std::io::Result<Vec<What>> {
        let (mut what, mut fds) = (Vec::with_capacity(5), Vec::with_capacity(5));
        for (side, way) in Side::BOTH.into_iter().zip(&self.ways) {
            if let Some(from) = way.from.as_ref().filter(|_| way.waiting.is_empty()) {
                fds.push(PollFd::new(from, PollFlags::IN));
                what.push(What::Read(side));
            }
            if let Some(to) = way.to.as_ref().filter(|_| !way.waiting.is_empty()) {
                fds.push(PollFd::new(to, PollFlags::OUT));
                what.push(What::Write(side));
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
    fn read(&mut self, side: Side, buffer: &mut [u8]) {
        let way = &mut self.ways[side.index()];
        let Some(from) = &way.from else { return };
        match rustix::io::read(from, &mut *buffer) {
            Ok(count) if count > 0 => {
                way.bytes += count as u64;
                if self.first.is_none() {
                    self.spoke = Some(side);
                }
                self.transcript.add(self.started.elapsed().into(), side, &buffer[..count]);
                way.waiting.extend_from_slice(&buffer[..count]);
                if way.bytes > self.limits[side.index()] {
                    self.flooded.get_or_insert(side);
                    way.waiting.clear();
                    self.ended(side);
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(_) | Err(_) => self.ended(side),
        }
    }

    /// Records that a side has ended or exceeded its output limit, and stops reading from it. Stops the program if the
    /// interactor rejected it first.
    fn ended(&mut self, side: Side) {
        self.first.get_or_insert(side);
        self.ways[side.index()].from = None;
        self.transcript.end(self.started.elapsed().into(), side);
        self.stop_program();
    }

    /// Stops the program if the interactor rejected it before the program ended.
    fn stop_program(&self) {
        if self.stopped && self.first == Some(Side::Interactor) {
            // If the pipe has no reader, the program has ended.
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

    /// Stops reading from and writing to the program, because the interactor has ended without accepting it.
    fn hang_up(&mut self) {
        self.stopped = true;
        for way in &mut self.ways {
            way.waiting.clear();
        }
        self.ways[Side::Program.index()].from = None;
        self.ways[Side::Interactor.index()].to = None;
        self.stop_program();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// Relays between a program that writes `words` bytes and reads at most `answers` replies, and an interactor. The
    /// interactor echoes the first `answers` bytes, waits until the program has ended, writes one more byte, and ends.
    fn relayed(words: usize, answers: usize) -> RelayOutcome {
        let (stop, _stop_writer) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let Ends { stdin, stdout, relay, .. } = ends(stop, [100, 100]).unwrap();
        let ([program_in, interactor_in], [program_out, interactor_out]) = (stdin, stdout);
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
        relay.join().unwrap()
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
