//! The functions that `main` calls in a generator, validator, checker or interactor.
//!
//! A checker or an interactor detects the protocol from its arguments: in the protocol `icpc`, the third argument is
//! the feedback directory.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::args::Args;
use super::complaint::{Complaint, Whose};
use super::reader::Reader;
use super::verdict::{Protocol, Verdict, encode, failure, send};

/// Exit code of a validator for a valid input.
const ADMITTED: u8 = 42;
/// Exit code of a validator for an invalid input.
const REFUSED: u8 = 43;

/// The files that a checker reads, and its additional arguments.
pub struct Case {
    /// The input of the test case.
    pub input: Reader,
    /// The output of the submission.
    pub output: Reader,
    /// The answer of the test case.
    pub answer: Reader,
    /// The arguments after those of the protocol.
    pub args: Vec<String>,
}

/// The files that an interactor reads, and the connection to the submission.
pub struct Talk {
    /// The input of the test case.
    pub input: Reader,
    /// The answer of the test case.
    pub answer: Reader,
    /// The output of the submission, read as it arrives.
    pub heard: Reader,
    /// The arguments after those of the protocol.
    pub args: Vec<String>,
}

impl Talk {
    /// Sends a line to the submission and flushes the stream.
    pub fn say(&mut self, line: impl Display) -> Result<(), Complaint> {
        let mut out = io::stdout().lock();
        // A broken pipe means that the submission closed its input or exited. Its output so far determines the verdict.
        match writeln!(out, "{line}").and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("cannot write to the submission: {error}").into())
            }
            _ => Ok(()),
        }
    }
}

/// Runs a generator: prints the text that `make` returns for the arguments. The last argument is `seed=NUMBER`.
pub fn generator(make: impl FnOnce(&Args) -> Result<String, Complaint>) -> ExitCode {
    let made = Args::from_command_line().and_then(|args| make(&args));
    let printed = made.and_then(|text| {
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("cannot write the generated input to standard output: {error}").into())
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => ended(&failure(&complaint.message).words, 3),
    }
}

/// Runs a validator: checks standard input with a strict reader. The exit code is 42 for a valid input, 43 for an
/// invalid input and 3 for any other error.
pub fn validator(look: impl FnOnce(&mut Reader, &[String]) -> Result<(), Complaint>) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut input = Reader::new(Whose::Input, io::stdin()).strict();
    match look(&mut input, &args) {
        Ok(()) => ended("", ADMITTED),
        Err(complaint) if complaint.whose == Whose::Input => ended(&complaint.message, REFUSED),
        Err(complaint) => ended(&failure(&complaint.message).words, 3),
    }
}

/// Runs a checker on the output for a test case. If `look` returns an error about the output, such as an error from
/// [`Case::output`], the output is rejected. Any other error is a failure of the problem.
pub fn checker(look: impl FnOnce(&mut Case) -> Result<Verdict, Complaint>) -> ExitCode {
    play(|words, protocol| {
        let (input, output, answer) = match protocol {
            Protocol::Icpc(_) => (&words[0], Reader::new(Whose::Output, io::stdin()), &words[1]),
            Protocol::Testlib => (&words[0], Reader::open(Whose::Output, &words[1])?, &words[2]),
        };
        let (input, answer) = (Reader::open(Whose::Input, input)?, Reader::open(Whose::Answer, answer)?);
        look(&mut Case { input, output, answer, args: words[3..].to_vec() })
    })
}

/// Runs an interactor. If `talk` returns an error about the output of the submission, such as an error from
/// [`Talk::heard`], the submission is rejected. Any other error is a failure of the problem.
pub fn interactor(talk: impl FnOnce(&mut Talk) -> Result<Verdict, Complaint>) -> ExitCode {
    play(|words, protocol| {
        let answer = if *protocol == Protocol::Testlib { &words[2] } else { &words[1] };
        let (input, answer) = (Reader::open(Whose::Input, &words[0])?, Reader::open(Whose::Answer, answer)?);
        talk(&mut Talk { input, answer, heard: Reader::new(Whose::Output, io::stdin()), args: words[3..].to_vec() })
    })
}

fn play(part: impl FnOnce(&[String], &Protocol) -> Result<Verdict, Complaint>) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() < 3 {
        let usage = format!(
            "expected the arguments `INPUT ANSWER FEEDBACK_DIR/` (protocol `icpc`) or `INPUT OUTPUT ANSWER` (protocol \
             `testlib`), found {} of the 3 arguments",
            words.len()
        );
        return ended(&failure(&usage).words, 3);
    }
    let protocol = protocol(&words[2]);
    let reply = encode(&protocol, part(&words, &protocol));
    match send(&protocol, &reply) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let place = match &protocol {
                Protocol::Icpc(folder) => format!("the folder `{}`", folder.display()),
                Protocol::Testlib => "standard error".to_owned(),
            };
            ended(&failure(&format!("cannot write the verdict to {place}: {error}")).words, 3)
        }
    }
}

/// Detects the protocol from the third argument: `icpc` if the argument ends in `/` or is a directory, and `testlib`
/// otherwise.
fn protocol(third: &str) -> Protocol {
    let path = Path::new(third);
    if third.ends_with('/') || path.is_dir() { Protocol::Icpc(path.to_owned()) } else { Protocol::Testlib }
}

fn ended(words: &str, code: u8) -> ExitCode {
    // If the message cannot be written, the exit code reports a failure.
    if !words.is_empty() && writeln!(io::stderr(), "{words}").is_err() {
        return ExitCode::from(3);
    }
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_argument_selects_the_protocol() {
        assert_eq!(protocol("/box/"), Protocol::Icpc("/box/".into()));
        assert_eq!(protocol("/"), Protocol::Icpc("/".into()));
        assert_eq!(protocol("/case/answer"), Protocol::Testlib);
    }
}
