//! The input, the output or the answer of a case, and the comparison of an output with an answer.
//!
//! A text may be larger than the memory of the judge. Large texts stay in files, and are compared while they are read.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use crate::check::{Comparer, ComparisonResult};
use crate::model::{Fault, FaultKind};
use crate::sandbox::Input;

use super::command::temp_file_with;

/// The largest size of a text that is kept in memory, in bytes.
pub(super) const MOST_IN_MEMORY: usize = 4 << 20;

/// The location of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextSource<'a> {
    /// A file of the test data.
    File(&'a Path),
    /// An open file with a large output. The position in the file is not specified.
    Spilled(&'a File),
    /// Bytes in memory.
    Bytes(&'a [u8]),
}

/// The content of a text that is compared.
enum TextContent<'a> {
    /// At most [`MOST_IN_MEMORY`] bytes that were read from a file.
    Read(Vec<u8>),
    /// Bytes in memory.
    Bytes(&'a [u8]),
    /// A file with more bytes, at its start.
    File(File),
}

/// A file, or bytes in memory.
trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'a> TextSource<'a> {
    /// Returns the content as the standard input of a program. Bytes are written to a temporary file.
    pub(super) fn as_input(self) -> Result<Input, Fault> {
        match self {
            TextSource::File(path) => open(path).map(Input::File),
            TextSource::Spilled(file) => rewound(file).map(Input::File).map_err(|error| unreadable(&error)),
            TextSource::Bytes(bytes) => temp_file_with(bytes).map(Input::File),
        }
    }

    /// Reads the content for a comparison, unless it is large.
    fn content(self) -> Result<TextContent<'a>, Fault> {
        let read = || match self {
            TextSource::File(path) => read_beginning(fs_err::File::open(path)?.into()),
            TextSource::Spilled(file) => rewound(file).map(TextContent::File),
            TextSource::Bytes(bytes) => Ok(TextContent::Bytes(bytes)),
        };
        read().map_err(|error| unreadable(&error))
    }
}

impl TextContent<'_> {
    /// Returns the bytes, if they are in memory.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            TextContent::Read(bytes) => Some(bytes),
            TextContent::Bytes(bytes) => Some(bytes),
            TextContent::File(_) => None,
        }
    }

    /// Returns a reader of the content.
    fn reader(&mut self) -> Box<dyn ReadSeek + '_> {
        match self {
            TextContent::Read(bytes) => Box::new(Cursor::new(bytes.as_slice())),
            TextContent::Bytes(bytes) => Box::new(Cursor::new(*bytes)),
            TextContent::File(file) => Box::new(file),
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
) -> Result<ComparisonResult, Fault> {
    let (mut expected, mut actual) = (expected.content()?, actual.content()?);
    match (expected.bytes(), actual.bytes()) {
        (Some(expected), Some(actual)) => Ok(comparer.compare_bytes(expected, actual)),
        _ => comparer.compare_files(expected.reader(), actual.reader()).map_err(|error| unreadable(&error)),
    }
}

/// Reads a file into memory if it has at most [`MOST_IN_MEMORY`] bytes. Does not query its size first, since most files
/// of test data are small.
fn read_beginning(mut file: File) -> io::Result<TextContent<'static>> {
    let mut bytes = Vec::with_capacity(4 << 10);
    // `read_to_end` of a `Take` does not query the size of the file.
    (&mut file).take(MOST_IN_MEMORY as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() <= MOST_IN_MEMORY {
        true => Ok(TextContent::Read(bytes)),
        false => file.rewind().map(|()| TextContent::File(file)),
    }
}

/// Opens a file of the test data.
pub(super) fn open(path: &Path) -> Result<File, Fault> {
    fs_err::File::open(path).map(Into::into).map_err(|error| unreadable(&error))
}

/// Moves the position in a file to its start, and returns a second descriptor, which shares the position.
pub(super) fn rewound(mut file: &File) -> io::Result<File> {
    file.rewind()?;
    file.try_clone()
}

fn unreadable(error: &io::Error) -> Fault {
    Fault::io(FaultKind::Data, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::ComparisonRule;
    use crate::model::Verdict;

    #[test]
    fn small_and_large_texts_are_compared_in_the_same_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer");
        let comparer = Comparer::new(ComparisonRule::Tokens);
        for lines in [1, MOST_IN_MEMORY / 2 - 1, MOST_IN_MEMORY / 2, MOST_IN_MEMORY / 2 + 1, MOST_IN_MEMORY] {
            let answer = "7\n".repeat(lines);
            fs_err::write(&path, &answer).unwrap();
            let wrong = format!("{}8\n", &answer[2..]);
            for (output, expected) in
                [(&answer, None), (&answer.replace('\n', " "), None), (&wrong, Some(Verdict::WrongAnswer))]
            {
                let spilled = temp_file_with(output.as_bytes()).unwrap();
                let verdicts =
                    [TextSource::Bytes(output.as_bytes()), TextSource::Spilled(&spilled)].map(|output| match compare(
                        &comparer,
                        TextSource::File(&path),
                        output,
                    )
                    .unwrap()
                    {
                        ComparisonResult::Same => None,
                        ComparisonResult::Differs { verdict, .. } => Some(verdict),
                    });
                assert_eq!(verdicts, [expected; 2], "{lines} lines");
            }
        }
    }
}
