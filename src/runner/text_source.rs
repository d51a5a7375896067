//! The input, the output or the answer of a case, and the comparison of an output with an answer.
//!
//! A text may be larger than the memory of the judge. Large texts stay in files, and are compared while they are read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use crate::check::{Comparer, ComparisonResult};
use crate::model::{Fault, FaultKind};
use crate::sandbox::Input;

use super::command::temp_file_with;

/// Texts of up to this many bytes are compared in memory. Of a larger standard output, only this many bytes are in
/// memory.
pub(super) const MOST_IN_MEMORY: usize = 4 << 20;

/// The location of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextSource<'a> {
    /// A file of the test data.
    File(&'a Path),
    /// An open file with a large output. The position in the file is not specified. It is not the input of a program,
    /// which could write to it.
    Spilled(&'a File),
    /// Bytes in memory.
    Bytes(&'a [u8]),
}

/// The content of a text that is compared: the bytes of a small text, or a reader of a large one.
enum TextContent<'a> {
    Bytes(Cow<'a, [u8]>),
    Reader(Box<dyn ReadSeek + 'a>),
}

/// A file, or bytes in memory.
trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'a> TextSource<'a> {
    /// Returns the content as the standard input of a program. Bytes are written to a temporary file.
    pub(super) fn as_input(self) -> Result<Input, Fault> {
        match self {
            TextSource::File(path) => open(path).map(Input::File),
            TextSource::Spilled(_) => Err(Fault::new(FaultKind::Internal, "a spilled output is not an input")),
            TextSource::Bytes(bytes) => temp_file_with(bytes).map(Input::File),
        }
    }

    /// Returns the content for a comparison. A file of the test data is read into memory unless it is large or
    /// `in_memory` is false.
    fn content(self, in_memory: bool) -> io::Result<TextContent<'a>> {
        match self {
            TextSource::File(path) if in_memory => read_beginning(fs_err::File::open(path)?),
            TextSource::File(path) => Ok(TextContent::Reader(Box::new(fs_err::File::open(path)?))),
            TextSource::Spilled(mut file) => file.rewind().map(|()| TextContent::Reader(Box::new(file))),
            TextSource::Bytes(bytes) => Ok(TextContent::Bytes(bytes.into())),
        }
    }
}

impl<'a> TextContent<'a> {
    fn into_reader(self) -> Box<dyn ReadSeek + 'a> {
        match self {
            TextContent::Bytes(bytes) => Box::new(Cursor::new(bytes)),
            TextContent::Reader(reader) => reader,
        }
    }
}

/// Compares the output `actual` with the answer `expected`.
///
/// # Errors
/// Fails if one of them can't be read.
pub(super) fn compare(
    comparer: &Comparer,
    expected: TextSource<'_>,
    actual: TextSource<'_>,
) -> io::Result<ComparisonResult> {
    let actual = actual.content(true)?;
    let expected = expected.content(matches!(actual, TextContent::Bytes(_)))?;
    match (expected, actual) {
        (TextContent::Bytes(expected), TextContent::Bytes(actual)) => Ok(comparer.compare_bytes(&expected, &actual)),
        (expected, actual) => comparer.compare_files(expected.into_reader(), actual.into_reader()),
    }
}

/// Reads a file into memory if it has at most [`MOST_IN_MEMORY`] bytes. Does not query its size first, since most files
/// of test data are small.
fn read_beginning(mut file: fs_err::File) -> io::Result<TextContent<'static>> {
    let mut bytes = Vec::with_capacity(4 << 10);
    // `read_to_end` of a `Take` does not query the size of the file.
    (&mut file).take(MOST_IN_MEMORY as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() <= MOST_IN_MEMORY {
        true => Ok(TextContent::Bytes(bytes.into())),
        false => file.rewind().map(|()| TextContent::Reader(Box::new(file))),
    }
}

/// Opens a file of the test data.
pub(super) fn open(path: &Path) -> Result<File, Fault> {
    fs_err::File::open(path).map(Into::into).map_err(|error| Fault::io(FaultKind::Data, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::ComparisonRule;

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn small_and_large_texts_are_compared_in_the_same_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        let rules = [ComparisonRule::Exact, ComparisonRule::Lines, ComparisonRule::Tokens];
        for bytes in [6, MOST_IN_MEMORY - 1, MOST_IN_MEMORY, MOST_IN_MEMORY + 1, MOST_IN_MEMORY + 100_000] {
            let answer = "12 45\n".repeat(bytes / 6 + 1).split_at(bytes).0.to_owned();
            fs_err::write(&path, &answer).unwrap();
            let outputs = [answer.clone(), answer.replace('\n', " \n"), format!("{}7\n", answer.split_at(bytes - 1).0)];
            for (rule, output) in rules.iter().flat_map(|rule| outputs.iter().map(move |output| (*rule, output))) {
                let comparer = Comparer::new(rule);
                let expected = comparer.compare_bytes(answer.as_bytes(), output.as_bytes());
                let spilled = temp_file_with(output.as_bytes()).unwrap();
                for output in [TextSource::Bytes(output.as_bytes()), TextSource::Spilled(&spilled)] {
                    let found = compare(&comparer, TextSource::File(&path), output).unwrap();
                    assert_eq!(found, expected, "{rule:?}, {bytes} bytes");
                }
            }
        }
    }
}
