//! The parts a program plays: what `main` returns.
//!
//! A checker or an interactor sees by its arguments which protocol is spoken: with `icpc` the third is the feedback
//! folder.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::args::Args;
use super::complaint::{Complaint, Whose};
use super::reader::Reader;
use super::verdict::{Protocol, Verdict, encode, failure, send};

/// The exit codes of a validator.
const ADMITTED: u8 = 42;
const REFUSED: u8 = 43;

/// What a checker is given.
pub struct Case {
    /// The input.
    pub input: Reader,
    /// What the contestant's program wrote.
    pub output: Reader,
    /// The answer.
    pub answer: Reader,
    /// The arguments behind the protocol's own.
    pub args: Vec<String>,
}

/// What an interactor is given.
pub struct Talk {
    /// The input.
    pub input: Reader,
    /// The answer.
    pub answer: Reader,
    /// What the contestant's program says.
    pub heard: Reader,
    /// The arguments behind the protocol's own.
    pub args: Vec<String>,
}

impl Talk {
    /// Says a line to the contestant's program, at once.
    pub fn say(&mut self, line: impl Display) -> Result<(), Complaint> {
        let mut out = io::stdout().lock();
        // A program that hears no more has ended; what it said until then decides.
        match writeln!(out, "{line}").and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("saying failed: {error}").into()),
            _ => Ok(()),
        }
    }
}

/// A generator: prints what it makes of its arguments. They end with `seed=NUMBER`.
pub fn generator(make: impl FnOnce(&Args) -> Result<String, Complaint>) -> ExitCode {
    let made = Args::from_command_line().and_then(|args| make(&args));
    let printed = made.and_then(|text| {
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("printing failed: {error}").into())
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => ended(&failure(&complaint.message).words, 3),
    }
}

/// A validator: looks at an input on standard input, with a strict reader, and says what is wrong with it.
pub fn validator(look: impl FnOnce(&mut Reader, &[String]) -> Result<(), Complaint>) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut input = Reader::new(Whose::Input, io::stdin()).strict();
    match look(&mut input, &args) {
        Ok(()) => ended("", ADMITTED),
        Err(complaint) if complaint.whose == Whose::Input => ended(&complaint.message, REFUSED),
        Err(complaint) => ended(&failure(&complaint.message).words, 3),
    }
}

/// A checker: looks at the output of a case. A complaint about the output (from its reader, with `?`) rejects it; one
/// about the input or the answer is a failure of the problem's.
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

/// An interactor: talks to the contestant's program. A complaint about what it said (from its reader, with `?`) rejects
/// it.
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
        let usage = "the judge gives INPUT ANSWER FEEDBACK_DIR/ (icpc) or INPUT OUTPUT ANSWER (testlib)";
        return ended(&failure(usage).words, 3);
    }
    let protocol = protocol(&words[2]);
    let reply = encode(&protocol, part(&words, &protocol));
    match send(&protocol, &reply) {
        Ok(code) => ExitCode::from(code),
        Err(error) => ended(&failure(&format!("the verdict can't be told: {error}")).words, 3),
    }
}

/// The protocol that has this third argument.
fn protocol(third: &str) -> Protocol {
    let path = Path::new(third);
    if third.ends_with('/') || path.is_dir() { Protocol::Icpc(path.to_owned()) } else { Protocol::Testlib }
}

fn ended(words: &str, code: u8) -> ExitCode {
    // Who listens to nothing still gets the exit code.
    if !words.is_empty() && writeln!(io::stderr(), "{words}").is_err() {
        return ExitCode::from(3);
    }
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_argument_tells_the_protocol() {
        assert_eq!(protocol("/box/"), Protocol::Icpc("/box/".into()));
        assert_eq!(protocol("/"), Protocol::Icpc("/".into()));
        assert_eq!(protocol("/case/answer"), Protocol::Testlib);
    }
}
