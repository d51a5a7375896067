//! The recorded dialogue of a program and an interactor.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::TimeSpan;

/// The two sides of a dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The submitted program.
    Program,
    /// The interactor of the problem.
    Interactor,
}

impl Side {
    /// Both sides, the program first.
    pub const BOTH: [Side; 2] = [Side::Program, Side::Interactor];

    /// Returns the index of the side: 0 for the program, 1 for the interactor.
    pub const fn index(self) -> usize {
        match self {
            Side::Program => 0,
            Side::Interactor => 1,
        }
    }

    /// Returns the name of the side in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Program => "program",
            Side::Interactor => "interactor",
        }
    }
}

/// Data that one side wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// The time since the start of the dialogue.
    pub at: TimeSpan,
    /// The number of the program's process that wrote or received the data, from 0. Only some interactors of sinol
    /// packages communicate with more than one process.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub process: u32,
    /// The side that wrote the data.
    pub side: Side,
    /// The data; empty if the side closed its output.
    pub said: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The recorded data of a dialogue, in the order in which the sides wrote it. Only the beginning and the end of a long
/// dialogue are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    head: Vec<Utterance>,
    tail: VecDeque<Utterance>,
    head_size: usize,
    tail_size: usize,
    /// The number of bytes that were dropped between `head` and `tail`.
    left_out: u64,
    /// The number of bytes that each side wrote, the program first.
    bytes: [u64; 2],
}

impl Transcript {
    /// The maximum size in bytes of the stored beginning, and also of the stored end, including the overhead of the
    /// utterances. If the last utterance alone is larger, it is stored completely.
    pub const KEPT: usize = 128 << 10;
    /// Approximate size of an utterance in memory without its data, in bytes.
    const OVERHEAD: usize = 48;

    /// Adds data that a side wrote in the dialogue with the process `process`, from 0.
    pub fn add(&mut self, at: TimeSpan, (process, side): (u32, Side), said: &[u8]) {
        self.bytes[side.index()] += said.len() as u64;
        self.push(Utterance { at, process, side, said: said.to_vec() });
    }

    /// Counts data of each side that was not stored, in bytes, at this place of the dialogue.
    pub fn leave_out(&mut self, bytes: [u64; 2]) {
        for (total, bytes) in self.bytes.iter_mut().zip(bytes) {
            *total += bytes;
            self.left_out += bytes;
        }
        if self.left_out > 0 {
            // Later data belongs to the end of the dialogue.
            self.head_size = Transcript::KEPT;
        }
    }

    /// Records that a side closed its output in the dialogue with the process `process`, from 0.
    pub fn end(&mut self, at: TimeSpan, (process, side): (u32, Side)) {
        self.push(Utterance { at, process, side, said: Vec::new() });
    }

    fn push(&mut self, utterance: Utterance) {
        let size = utterance.said.len() + Transcript::OVERHEAD;
        if self.tail.is_empty() && self.head_size + size <= Transcript::KEPT {
            self.head_size += size;
            self.head.push(utterance);
            return;
        }
        self.tail_size += size;
        self.tail.push_back(utterance);
        while self.tail_size > Transcript::KEPT && self.tail.len() > 1 {
            if let Some(old) = self.tail.pop_front() {
                self.tail_size -= old.said.len() + Transcript::OVERHEAD;
                self.left_out += old.said.len() as u64;
            }
        }
    }

    /// Returns the beginning of the dialogue, the earliest data first.
    pub fn head(&self) -> &[Utterance] {
        &self.head
    }

    /// Returns the number of bytes that were dropped between the beginning and the end.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Returns the end of the dialogue, the earliest data first. It is empty if the beginning is the whole dialogue.
    pub fn tail(&self) -> impl DoubleEndedIterator<Item = &Utterance> {
        self.tail.iter()
    }

    /// Returns the number of bytes that a side wrote, including dropped bytes.
    pub fn bytes(&self, side: Side) -> u64 {
        self.bytes[side.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        let mut transcript = Transcript::default();
        for number in 0..100_000_u32 {
            let side = Side::BOTH[number as usize % 2];
            transcript.add(TimeSpan::micros(u64::from(number)), (0, side), format!("{number}\n").as_bytes());
        }
        transcript.end(TimeSpan::seconds(1), (0, Side::Program));
        assert_eq!(transcript.head()[0].said, b"0\n");
        let last: Vec<&Utterance> = transcript.tail().rev().take(2).collect();
        assert_eq!((last[0].side, last[0].said.len()), (Side::Program, 0));
        assert_eq!(last[1].said, b"99999\n");
        assert!(transcript.left_out() > 0);
        let kept = transcript.head().iter().chain(transcript.tail()).map(|one| one.said.len() as u64).sum::<u64>();
        let said = transcript.bytes(Side::Program) + transcript.bytes(Side::Interactor);
        assert_eq!(kept + transcript.left_out(), said);
        assert!(transcript.head().len() + transcript.tail().count() < 6_000);
    }

    #[test]
    fn one_large_piece_is_kept_whole() {
        let mut transcript = Transcript::default();
        transcript.add(TimeSpan::ZERO, (0, Side::Program), &[b'x'; 1 << 20]);
        assert_eq!((transcript.left_out(), transcript.tail().count()), (0, 1));
    }
}
