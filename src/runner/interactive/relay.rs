//! The judge between a program and an interactor: passes on what each says, writes it down with its time, and sees who
//! ends first.
//!
//! Neither hears of the other's end before the judge does, so it is known who went first. Each side is read only when
//! what it said last was passed on, so memory is bounded and a side that is not listened to waits, as with a pipe.

use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use crate::model::{Side, Transcript};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// The ends of the four pipes.
pub(super) struct Ends {
    /// The program's and the interactor's standard input.
    pub(super) stdin: [OwnedFd; 2],
    /// Their standard output.
    pub(super) stdout: [OwnedFd; 2],
    /// The judge's ends.
    pub(super) relay: Relay,
}

/// What the judge has seen of a dialogue.
pub(in crate::runner) struct RelayOutcome {
    /// Who ended first, as far as the other can have known.
    pub(super) first: Side,
    /// Who said more than allowed.
    pub(super) flooded: Option<Side>,
    /// The program ended without a word of the interactor since its own last one, or since the beginning.
    pub(super) unanswered: bool,
    /// What was said.
    pub(super) transcript: Transcript,
}

/// The judge's ends of the pipes; by [`Side`], the program's first.
pub(super) struct Relay {
    ways: [Way; 2],
    /// Becomes readable when the interactor has ended and does not want to hear more.
    bell: OwnedFd,
    limits: [u64; 2],
    started: Instant,
    first: Option<Side>,
    /// Who spoke last before one of them ended.
    spoke: Option<Side>,
    flooded: Option<Side>,
    /// Whether the bell was heard.
    rung: bool,
    transcript: Transcript,
}

/// The way from one side to the other.
struct Way {
    from: Option<OwnedFd>,
    to: Option<OwnedFd>,
    /// What was read and not passed on yet.
    waiting: Vec<u8>,
    sent: usize,
    bytes: u64,
}

/// A pipe with the given end of ours, which does not block: (read, write).
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

/// Makes the pipes. `bell` is rung when the program need not be heard any more; `limits` are the most bytes that the
/// program and the interactor may say.
pub(super) fn ends(bell: OwnedFd, limits: [u64; 2]) -> std::io::Result<Ends> {
    let (from_program, program_out) = pipe(Ours::Read)?;
    let (from_interactor, interactor_out) = pipe(Ours::Read)?;
    let (program_in, to_program) = pipe(Ours::Write)?;
    let (interactor_in, to_interactor) = pipe(Ours::Write)?;
    let way = |from, to| Way { from: Some(from), to: Some(to), waiting: Vec::new(), sent: 0, bytes: 0 };
    let relay = Relay {
        ways: [way(from_program, to_interactor), way(from_interactor, to_program)],
        bell,
        limits,
        started: Instant::now(),
        first: None,
        spoke: None,
        flooded: None,
        rung: false,
        transcript: Transcript::default(),
    };
    Ok(Ends { stdin: [program_in, interactor_in], stdout: [program_out, interactor_out], relay })
}

/// Something to do.
#[derive(Debug, Clone, Copy)]
enum What {
    Bell,
    Read(Side),
    Write(Side),
}

impl Relay {
    /// Passes on until both sides have ended.
    ///
    /// # Errors
    /// The system refuses to wait for the pipes.
    pub(super) fn run(mut self) -> std::io::Result<RelayOutcome> {
        let mut buffer = vec![0; CHUNK];
        while self.ways.iter().any(|way| way.from.is_some() || !way.waiting.is_empty()) {
            // The program first: if both ended since the last look, neither knew of the other.
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
        Ok(RelayOutcome { first, flooded: self.flooded, unanswered, transcript: self.transcript })
    }

    /// Waits until there is something to do.
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
        // Once it was heard it would ring for ever. It comes last: what was said before it is heard first.
        if !self.rung {
            fds.push(PollFd::new(&self.bell, PollFlags::IN));
            what.push(What::Bell);
        }
        match poll(&mut fds, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = fds.iter().zip(what).filter(|(fd, _)| !fd.revents().is_empty());
        Ok(ready.map(|(_, what)| what).collect())
    }

    /// Reads what a side says, and what it said last is the end.
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

    /// A side says no more.
    fn ended(&mut self, side: Side) {
        self.first.get_or_insert(side);
        self.ways[side.index()].from = None;
        self.transcript.end(self.started.elapsed().into(), side);
    }

    /// Passes on what waits, as much as the other side takes; when nothing waits and nothing can come, it hears the end.
    fn write(&mut self, side: Side) {
        let way = &mut self.ways[side.index()];
        if let Some(to) = &way.to {
            match rustix::io::write(to, &way.waiting[way.sent..]) {
                Ok(count) => way.sent += count,
                Err(Errno::AGAIN | Errno::INTR) => {}
                // The other side has ended. This one is heard on, so that it needs not mind.
                Err(_) => way.to = None,
            }
        }
        if way.to.is_none() || way.sent == way.waiting.len() {
            way.waiting.clear();
            way.sent = 0;
        }
    }

    /// The interactor has spoken: the program is neither heard nor answered any more.
    fn hang_up(&mut self) {
        self.rung = true;
        for way in &mut self.ways {
            way.waiting.clear();
        }
        self.ways[Side::Program.index()].from = None;
        self.ways[Side::Interactor.index()].to = None;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// What the judge hears of a program that says and then hears these numbers of bytes in turn, of an interactor that
    /// echoes the first `answers` of them, says one more word when the program has ended, and ends.
    fn heard(words: usize, answers: usize) -> RelayOutcome {
        let (bell, _rope) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let Ends { stdin, stdout, relay } = ends(bell, [100, 100]).unwrap();
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
            let heard = heard(words, answers);
            assert_eq!(
                (heard.first, heard.unanswered),
                (Side::Program, unanswered),
                "{words} words, {answers} answers"
            );
        }
    }
}
