//! Verdicts of checkers and interactors, and their encoding in both protocols.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use super::complaint::{Complaint, Whose};

/// The verdict on the output of a submission, with a message for the judges.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The output is accepted.
    Accept(String),
    /// The output is wrong.
    Wrong(String),
    /// The output has the wrong format, such as a word instead of a number, or missing or extra tokens.
    Malformed(String),
    /// The output is partially correct. The number is the share of the points, from 0 to 1.
    Partial(f64, String),
    /// The program is to be run again with this input (multi-pass problems, protocol `icpc` only).
    Again(Vec<u8>),
}

/// Accepts the output.
pub fn accept(message: impl Into<String>) -> Result<Verdict, Complaint> {
    Ok(Verdict::Accept(message.into()))
}

/// Rejects the output as wrong.
pub fn wrong(message: impl Into<String>) -> Result<Verdict, Complaint> {
    Ok(Verdict::Wrong(message.into()))
}

/// Rejects the output as malformed.
pub fn malformed(message: impl Into<String>) -> Result<Verdict, Complaint> {
    Ok(Verdict::Malformed(message.into()))
}

/// Accepts the output in part, with a share of the points from 0 to 1.
pub fn partial(share: f64, message: impl Into<String>) -> Result<Verdict, Complaint> {
    Ok(Verdict::Partial(share, message.into()))
}

/// Requests another run of the program, with this input.
pub fn again(input: impl Into<Vec<u8>>) -> Result<Verdict, Complaint> {
    Ok(Verdict::Again(input.into()))
}

/// The protocol in which the verdict is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Protocol {
    /// The protocol of the ICPC package format: exit codes 42 and 43, and messages as files in this feedback directory.
    Icpc(PathBuf),
    /// The protocol of testlib: its exit codes, and messages on standard error.
    Testlib,
}

/// The reply to the judge: exit code, files in the feedback directory, and text on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProtocolReply {
    pub(super) code: u8,
    pub(super) files: Vec<(&'static str, Vec<u8>)>,
    pub(super) words: String,
}

/// Encodes the verdict for a protocol. Errors about the output reject the submission; all other errors are failures of
/// the problem.
pub(super) fn encode(protocol: &Protocol, said: Result<Verdict, Complaint>) -> ProtocolReply {
    let verdict = match said {
        Ok(Verdict::Partial(share, _)) if !(0.0..=1.0).contains(&share) => {
            return failure(&format!(
                "expected a share of the points from 0 to 1 in `Verdict::Partial`, found {share}"
            ));
        }
        Ok(Verdict::Again(_)) if *protocol == Protocol::Testlib => {
            return failure("the protocol `testlib` does not support `Verdict::Again`; only the protocol `icpc` does");
        }
        Ok(verdict) => verdict,
        Err(complaint) => match complaint.whose {
            Whose::Output => Verdict::Malformed(complaint.message),
            Whose::Own => return failure(&complaint.message),
            Whose::Input => return failure(&format!("in the input, {complaint}")),
            Whose::Answer => return failure(&format!("in the answer, {complaint}")),
        },
    };
    match protocol {
        Protocol::Icpc(_) => icpc(verdict),
        Protocol::Testlib => testlib(verdict),
    }
}

/// Returns the reply for a failure of the problem, which is not a verdict in any protocol.
pub(super) fn failure(message: &str) -> ProtocolReply {
    ProtocolReply { code: 3, files: Vec::new(), words: format!("FAIL {message}") }
}

fn icpc(verdict: Verdict) -> ProtocolReply {
    let message = |text: String| ("judgemessage.txt", text.into_bytes());
    let (code, files) = match verdict {
        Verdict::Accept(text) => (42, vec![message(text)]),
        Verdict::Wrong(text) | Verdict::Malformed(text) => (43, vec![message(text)]),
        Verdict::Partial(share, text) => {
            (42, vec![message(text), ("score_multiplier.txt", format!("{share:.9}").into_bytes())])
        }
        Verdict::Again(input) => (42, vec![("nextpass.in", input)]),
    };
    ProtocolReply { code, files, words: String::new() }
}

fn testlib(verdict: Verdict) -> ProtocolReply {
    let (code, words) = match verdict {
        Verdict::Accept(text) => (0, format!("ok {text}")),
        Verdict::Wrong(text) => (1, format!("wrong answer {text}")),
        Verdict::Malformed(text) => (2, format!("wrong output format {text}")),
        Verdict::Partial(share, text) => (7, format!("points {share:.9} {text}")),
        Verdict::Again(_) => (3, String::new()),
    };
    ProtocolReply { code, files: Vec::new(), words }
}

/// Writes the reply and returns the exit code.
pub(super) fn send(protocol: &Protocol, reply: &ProtocolReply) -> io::Result<u8> {
    if let Protocol::Icpc(folder) = protocol {
        for (name, content) in &reply.files {
            File::create(folder.join(name))?.write_all(content)?;
        }
    }
    if !reply.words.is_empty() {
        writeln!(io::stderr(), "{}", reply.words.trim_end())?;
    }
    Ok(reply.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_protocols_report_the_same_verdicts() {
        let icpc = Protocol::Icpc(PathBuf::from("/nowhere"));
        let codes = |said: Result<Verdict, Complaint>| {
            (encode(&icpc, said.clone()).code, encode(&Protocol::Testlib, said).code)
        };
        assert_eq!(codes(accept("")), (42, 0));
        assert_eq!(codes(wrong("x")), (43, 1));
        assert_eq!(codes(malformed("x")), (43, 2));
        assert_eq!(codes(partial(0.5, "x")), (42, 7));
        assert_eq!(codes(again("x")), (42, 3));
        assert_eq!(codes(partial(1.5, "x")), (3, 3));
        assert_eq!(codes(partial(f64::NAN, "x")), (3, 3));
        for whose in [Whose::Own, Whose::Input, Whose::Answer] {
            assert_eq!(codes(Err(Complaint::new(whose, "x"))), (3, 3));
        }
        assert_eq!(codes(Err(Complaint::new(Whose::Output, "x"))), (43, 2));
        let half = encode(&icpc, partial(0.5, "half"));
        assert_eq!(half.files[1], ("score_multiplier.txt", b"0.500000000".to_vec()));
        assert_eq!(encode(&Protocol::Testlib, partial(0.5, "half")).words, "points 0.500000000 half");
    }
}
