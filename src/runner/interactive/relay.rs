//! Relays the data between the processes of a program and an interactor, records the data with timestamps, and determines
//! for each process which side ended first. Most problems have one process.
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

/// The pipe ends for the program and the interactor, and the relay with the opposite ends.
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

/// The result of relaying a dialogue.
pub(in crate::runner) struct RelayOutcome {
    /// The result for each process of the program.
    pub(super) links: Vec<LinkOutcome>,
    /// The recorded dialogue.
    pub(super) transcript: Transcript,
}

/// The result of relaying the dialogue of one process of the program and the interactor.
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
    started: Instant,
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

/// Creates the pipes for `processes` processes of the program, and returns their ends. `stop` becomes readable when the
/// program's output is no longer needed; `limits` are the output limits of a process and of the interactor, in bytes.
pub(super) fn ends(processes: usize, stop: OwnedFd, limits: [u64; 2]) -> std::io::Result<Ends> {
    let relay = Relay {
        links: Vec::with_capacity(processes),
        stop,
        limits,
        started: Instant::now(),
        stopped: false,
        transcript: Transcript::default(),
    };
    let mut ends = Ends { program: Vec::with_capacity(processes), interactor: Vec::with_capacity(processes), relay };
    let way = |from, to| Way { from: Some(from), to: Some(to), waiting: Vec::new(), sent: 0, bytes: 0 };
    for _ in 0..processes {
        let (from_program, program_out) = pipe(Ours::Read)?;
        let (from_interactor, interactor_out) = pipe(Ours::Read)?;
        let (program_in, to_program) = pipe(Ours::Write)?;
        let (interactor_in, to_interactor) = pipe(Ours::Write)?;
        let (stop, stop_program) = pipe_with(PipeFlags::CLOEXEC)?;
        ends.program.push(ProgramEnds { stdin: program_in, stdout: program_out, stop });
        ends.interactor.push([interactor_in, interactor_out]);
        let ways = [way(from_program, to_interactor), way(from_interactor, to_program)];
        ends.relay.links.push(Link { ways, stop_program, first: None, spoke: None, flooded: None });
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
    /// Relays data until both sides of all links have ended.
    ///
    /// # Errors
    /// Fails if polling the pipes fails.
    pub(super) fn run(mut self) -> std::io::Result<RelayOutcome> {
        self.started = Instant::now();
        let mut buffer = vec![0; CHUNK];
        while self.links.iter().any(Link::is_open) {
            // The descriptors of the program are handled first: if both sides ended since the last poll, neither side
            // has observed the end of the other, and the program counts as the first side to end.
            for what in self.wait()? {
                match what {
                    What::Bell => self.hang_up(),
                    What::Read(link, side) => {
                        self.read(link, side, &mut buffer);
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
        let Link { ways, first, spoke, flooded, .. } = &mut self.links[index];
        let way = &mut ways[side.index()];
        let Some(from) = &way.from else { return };
        match rustix::io::read(from, &mut *buffer) {
            Ok(count) if count > 0 => {
                way.bytes += count as u64;
                if first.is_none() {
                    *spoke = Some(side);
                }
                self.transcript.add(self.started.elapsed().into(), (index as u32, side), &buffer[..count]);
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
        let link = &mut self.links[index];
        link.first.get_or_insert(side);
        link.ways[side.index()].from = None;
        self.transcript.end(self.started.elapsed().into(), (index as u32, side));
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
