//! The recorder, which is linked to interactors in C, C++ and Rust, and the file in which it records a dialogue.
//!
//! The recorder is a C file, `recorder.c`. The interactor can write to the file of the dialogue, so that none of its numbers
//! are trusted.

use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use crate::model::{Side, TimeSpan, Transcript};

use super::detect::Toolchain;
use super::recorder_filter::{TAG, initializer};
use super::source::Source;

/// The source of the recorder without the definitions.
const TEXT: &str = include_str!("recorder.c");

/// The name under which the source of the recorder is written to the build directory.
pub(super) const NAME: &str = "recorder.c";

/// Ways to open standard input or output once more. Nothing records what is read and written there.
const OTHER_NAMES: [&[u8]; 4] = [b"/dev/std", b"/dev/fd", b"/proc/self/fd", b"/dev/tty"];

impl Source {
    /// Returns this program as an interactor, to which the recorder may be linked unless its files name standard input or
    /// output by a path. Later changes to the program remove this property.
    #[must_use]
    pub fn as_interactor(mut self) -> Source {
        let names_a_path = |text: &[u8]| OTHER_NAMES.iter().any(|name| memchr::memmem::find(text, name).is_some());
        self.is_recordable = !self.files().iter().any(|file| names_a_path(&file.content));
        self
    }
}

/// The source of the recorder with the definitions of the layout and of the filter.
static DEFINED_TEXT: LazyLock<String> = LazyLock::new(|| {
    let definitions = [
        ("VERSION", VERSION.to_string()),
        ("HEADER_BYTES", HEADER.to_string()),
        ("SEGMENT_BYTES", SEGMENT.to_string()),
        ("SEGMENTS", SEGMENTS.to_string()),
        ("TAG", TAG.to_string()),
        ("FILTER", initializer()),
    ];
    let definitions = definitions.map(|(name, value)| format!("#define {name} {value}\n"));
    format!("{}#line 1\n{TEXT}", definitions.concat())
});

/// Returns the source of the recorder if it is linked to the program: the program is an interactor that can be recorded, and
/// its language supports the recorder on this machine. Compiler arguments of a problem author may select another kind of
/// program, such as one for 32-bit processors.
pub(super) fn linked_recorder(source: &Source, toolchain: &Toolchain) -> Option<&'static str> {
    let row = source.language().recorder.as_ref().filter(|_| source.is_recordable)?;
    let is_linked = toolchain.has_option(&row.option) && source.compiler_args().is_empty();
    is_linked.then(|| DEFINED_TEXT.as_str())
}

/// The environment variable with which an interactor is started that records its dialogue. Its value is that of
/// [`recorder_value`].
pub const RECORDER_VARIABLE: &str = "NIMATRON_DIALOGUE";

/// Returns the value of [`RECORDER_VARIABLE`]: the output limits of the program and of the interactor, in bytes, and the
/// path of the file that is created.
pub fn recorder_value([program, interactor]: [u64; 2], path: &Path) -> OsString {
    let mut value = OsString::from(format!("{program} {interactor} "));
    value.push(path);
    value
}

/// The maximum size of the file, in bytes.
pub const RECORD_MAX: usize = HEADER + SEGMENTS * SEGMENT;

/// The version of the layout.
const VERSION: u64 = 1;
/// The size of the header, in bytes.
const HEADER: usize = 4096;
/// The number of segments, and the size of each, in bytes.
const SEGMENTS: usize = 3;
const SEGMENT: usize = 128 << 10;
/// The size of a record without its data, in bytes.
const RECORD_HEADER: usize = 16;
/// Numbers of bytes above this one are invalid.
const BYTES_MAX: u64 = 1 << 60;
/// The alignment of records, in bytes.
const ALIGN: usize = 8;

/// A dialogue that an interactor recorded.
#[derive(Debug)]
pub struct DialogueRecord {
    /// The dialogue, with the end of the program's output if the interactor read it.
    pub transcript: Transcript,
    /// The number of bytes that each side wrote, indexed by [`Side`]. Output of the program that the interactor did not
    /// read is not included.
    pub bytes: [u64; 2],
    /// The side that exceeded its output limit, if any.
    pub flooded: Option<Side>,
    /// The side that wrote last before the program ended, as far as the interactor could observe it; `None` if neither wrote.
    pub last: Option<Side>,
    /// Whether the interactor read the end of the program's output.
    pub has_program_end: bool,
    /// Whether the interactor exited before the program ended. Otherwise, the interactor ended later, or by a signal.
    pub exited_first: bool,
}

impl DialogueRecord {
    /// Parses the file of a recorder. `started` is the start of the dialogue, in nanoseconds of the monotonic clock. Returns
    /// `None` if the recorder did not begin to record, or if the file is too short.
    pub fn parse(file: &[u8], started: u64) -> Option<DialogueRecord> {
        let mut header = file.get(..HEADER)?.chunks_exact(ALIGN).map(number);
        let mut next = || header.next();
        if next()? != VERSION {
            return None;
        }
        let flooded = next()?;
        let bytes = [next()?, next()?].map(|bytes| bytes.min(BYTES_MAX));
        let used = [next()?, next()?, next()?].map(|used| usize::try_from(used).unwrap_or(usize::MAX).min(SEGMENT));
        let (current, program_end, lost_output, exited_first) = (next()?, next()?, next()?, next()? != 0);
        let segment = |index: usize| {
            let start = HEADER + index * SEGMENT;
            records(file.get(start..start + used[index]).unwrap_or_default())
        };
        let (older, newer) = if current == 1 { (2, 1) } else { (1, 2) };
        let head: Vec<RecordedData<'_>> = segment(0).collect();
        let tail: Vec<RecordedData<'_>> = segment(older).chain(segment(newer)).collect();
        let [program_end, lost_output] = [program_end, lost_output].map(|time| Some(time).filter(|time| *time > 0));
        let was_heard = |record: &&RecordedData<'_>| {
            !record.is_after(program_end) && (record.side == Side::Program || !record.is_after(lost_output))
        };
        Some(DialogueRecord {
            transcript: transcript([&head, &tail], bytes, program_end, started),
            bytes,
            flooded: flooded.checked_sub(1).and_then(|side| Side::BOTH.get(usize::try_from(side).ok()?).copied()),
            last: head.iter().chain(&tail).rfind(was_heard).map(|record| record.side),
            has_program_end: program_end.is_some(),
            exited_first,
        })
    }
}

/// Data that one side wrote.
#[derive(Debug, Clone, Copy)]
struct RecordedData<'a> {
    /// The time, in nanoseconds of the monotonic clock.
    time: u64,
    side: Side,
    said: &'a [u8],
}

impl RecordedData<'_> {
    /// Returns whether the data was written at this time or later.
    fn is_after(&self, time: Option<u64>) -> bool {
        time.is_some_and(|time| self.time >= time)
    }
}

/// Returns the transcript with the records at the beginning and at the end of the dialogue. `bytes` are the numbers of bytes
/// that each side wrote in the whole dialogue.
fn transcript(parts: [&[RecordedData<'_>]; 2], bytes: [u64; 2], program_end: Option<u64>, started: u64) -> Transcript {
    let since_start = |time: u64| TimeSpan::micros(time.saturating_sub(started) / 1_000);
    let mut left_out = bytes;
    for record in parts.into_iter().flatten() {
        let left_out = &mut left_out[record.side.index()];
        *left_out = left_out.saturating_sub(record.said.len() as u64);
    }
    let [head, tail] = parts;
    let mut transcript = Transcript::default();
    let mut end = program_end;
    for (index, records) in [head, tail].into_iter().enumerate() {
        // The data that was not stored, if there is any, lies between the two parts.
        if index > 0 {
            transcript.leave_out(left_out);
        }
        // Data that was written at once may have several records, all with the same time.
        for written in records.chunk_by(|one, next| (one.time, one.side) == (next.time, next.side)) {
            if let Some(end) = end.take_if(|_| written[0].is_after(program_end)) {
                transcript.end(since_start(end), (0, Side::Program));
            }
            let said: Vec<u8> = written.iter().flat_map(|record| record.said).copied().collect();
            transcript.add(since_start(written[0].time), (0, written[0].side), &said);
        }
    }
    if let Some(end) = end {
        transcript.end(since_start(end), (0, Side::Program));
    }
    transcript
}

/// Returns the records of a segment, up to the first invalid one.
fn records(mut segment: &[u8]) -> impl Iterator<Item = RecordedData<'_>> {
    std::iter::from_fn(move || {
        let (header, rest) = segment.split_at_checked(RECORD_HEADER)?;
        let [side, size] =
            [8, 12].map(|at| u32::from_ne_bytes(*header[at..].first_chunk().unwrap_or(&[0; 4])) as usize);
        let said = rest.get(..size)?;
        segment = rest.get(size.next_multiple_of(ALIGN)..).unwrap_or_default();
        Some(RecordedData { time: number(header), side: *Side::BOTH.get(side)?, said })
    })
}

/// Returns the number in the first eight bytes, in the byte order of this machine.
fn number(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file with these segments, of which the one with the index `current` was used last.
    fn file(segments: [&[(u64, Side, &[u8])]; SEGMENTS], current: u64, header: impl FnOnce(&mut [u64])) -> Vec<u8> {
        let mut file = vec![0; RECORD_MAX];
        let mut numbers = vec![0; 11];
        numbers[0] = VERSION;
        numbers[7] = current;
        for (index, records) in segments.into_iter().enumerate() {
            let mut bytes = Vec::new();
            for (time, side, said) in records {
                bytes.extend(time.to_ne_bytes());
                bytes.extend([side.index() as u32, said.len() as u32].map(u32::to_ne_bytes).concat());
                bytes.extend(*said);
                bytes.resize(bytes.len().next_multiple_of(ALIGN), 0);
                numbers[2 + side.index()] += said.len() as u64;
            }
            let start = HEADER + index * SEGMENT;
            file[start..start + bytes.len()].copy_from_slice(&bytes);
            numbers[4 + index] = bytes.len() as u64;
        }
        header(&mut numbers);
        for (number, place) in numbers.iter().zip(file.chunks_exact_mut(ALIGN)) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        file
    }

    /// Returns the time in milliseconds, the side and the data of each utterance.
    fn utterances(transcript: &Transcript) -> Vec<(u64, Side, String)> {
        let all = transcript.head().iter().chain(transcript.tail());
        all.map(|one| (one.at.as_micros() / 1_000, one.side, String::from_utf8_lossy(&one.said).into_owned())).collect()
    }

    const MILLISECOND: u64 = 1_000_000;

    #[test]
    fn records_are_read_in_order_with_the_end_of_the_program() {
        use Side::{Interactor, Program};
        let [at2, at3, at4] = [2, 3, 4].map(|time| time * MILLISECOND);
        let head: &[(u64, Side, &[u8])] =
            &[(at2, Interactor, b"a"), (at2, Interactor, b"b"), (at3, Program, b"c"), (at4, Interactor, b"d")];
        let record =
            DialogueRecord::parse(&file([head, &[], &[]], 0, |numbers| numbers[8] = at4), MILLISECOND).unwrap();
        let said = |time, side, text: &str| (time, side, text.to_owned());
        let expected =
            [said(1, Interactor, "ab"), said(2, Program, "c"), said(3, Program, ""), said(3, Interactor, "d")];
        assert_eq!(utterances(&record.transcript), expected);
        assert_eq!((record.bytes, record.last, record.flooded), ([1, 3], Some(Program), None));
        assert!(record.has_program_end && !record.exited_first);
        let file = file([head, &[], &[]], 0, |numbers| (numbers[9], numbers[10]) = (at4, 1));
        let record = DialogueRecord::parse(&file, MILLISECOND).unwrap();
        assert_eq!(record.last, Some(Program), "the program did not receive the last output");
        assert!(!record.has_program_end && record.exited_first);
    }

    #[test]
    fn newer_segment_follows_the_older_one_and_a_gap() {
        use Side::Program;
        let segments: [&[(u64, Side, &[u8])]; 3] =
            [&[(1, Program, b"a")], &[(4, Program, b"d")], &[(3, Program, b"c")]];
        let file = file(segments, 1, |numbers| numbers[2] += 10);
        let record = DialogueRecord::parse(&file, 0).unwrap();
        let texts: Vec<String> = utterances(&record.transcript).into_iter().map(|(_, _, text)| text).collect();
        assert_eq!((texts.concat().as_str(), record.transcript.left_out()), ("acd", 10));
        assert_eq!(record.transcript.head().len(), 1, "the gap is before the end of the dialogue");
        assert_eq!((record.last, record.has_program_end), (Some(Program), false));
    }

    #[test]
    fn invalid_files_are_refused_or_cut() {
        use Side::{Interactor, Program};
        assert!(DialogueRecord::parse(&[], 0).is_none());
        assert!(DialogueRecord::parse(&[0; RECORD_MAX], 0).is_none(), "the recorder did not begin");
        let head: &[(u64, Side, &[u8])] = &[(1, Program, b"a"), (u64::MAX, Interactor, b"b")];
        let whole = file([head, &[], &[]], 7, |numbers| {
            numbers[1] = 9;
            numbers[2..].fill(u64::MAX);
        });
        for size in [HEADER, HEADER + RECORD_HEADER, HEADER + SEGMENT, RECORD_MAX] {
            let record = DialogueRecord::parse(&whole[..size], 5).unwrap();
            assert_eq!(record.flooded, None);
            assert!(record.transcript.left_out() > 0);
        }
        let mut side = file([head, &[], &[]], 0, |_| {});
        side[HEADER + 8] = 2;
        assert_eq!(DialogueRecord::parse(&side, 0).unwrap().last, None, "there is no third side");
    }
}
