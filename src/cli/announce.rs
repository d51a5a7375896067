//! Shows verdicts in the title of the terminal (OSC 2), and as desktop notifications (OSC 9 or 777).
//!
//! The sequences contain only verdicts, numbers, fixed words and ids of problems, which consist of lower-case letters,
//! digits, `-` and `_`. They never contain the name or the output of a program, which may contain control characters.

use std::io::{self, IsTerminal, Write};

use crate::model::{Outcome, ProblemId, RunSummary};

/// The sequence that saves the title. Terminals that do not support it ignore it.
const SAVE_TITLE: &str = "\x1b[22;2t";
/// The sequence that restores the saved title.
const RESTORE_TITLE: &str = "\x1b[23;2t";

/// The kind of escape sequence that makes the terminal show a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notification {
    /// `OSC 9 ; text`, for iTerm2, Windows Terminal, kitty, WezTerm and Ghostty.
    Osc9,
    /// `OSC 777 ; notify ; title ; text`, for foot, rxvt-unicode and VTE-based terminals.
    Osc777,
}

/// An announcer of verdicts. It writes nothing if standard output is not a terminal that supports the sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Announcer {
    title: bool,
    notification: Option<Notification>,
}

impl Announcer {
    /// Creates an announcer that writes to standard output. Environment variables determine which sequences the
    /// terminal supports. Notifications are sent only if `notify` is true.
    pub(crate) fn of_terminal(notify: bool) -> Announcer {
        Announcer::choose(io::stdout().is_terminal(), notify, |name| std::env::var(name).ok())
    }

    fn choose(terminal: bool, notify: bool, variable: impl Fn(&str) -> Option<String>) -> Announcer {
        let term = variable("TERM").unwrap_or_default();
        // The consoles of Linux and BSD, and simple terminals, would print these sequences as text.
        let plain = ["", "dumb", "linux", "cons25"].contains(&term.as_str()) || term.starts_with("vt");
        let title = terminal && !plain;
        let by_777 = term.starts_with("foot") || term.starts_with("rxvt") || variable("VTE_VERSION").is_some();
        let kind = if by_777 { Notification::Osc777 } else { Notification::Osc9 };
        Announcer { title, notification: (title && notify).then_some(kind) }
    }

    /// Creates an announcer that announces nothing.
    pub(crate) fn silent() -> Announcer {
        Announcer { title: false, notification: None }
    }

    /// Saves the title.
    pub(crate) fn start(self) -> io::Result<()> {
        self.write(SAVE_TITLE)
    }

    /// Shows in the title that a program is being judged.
    pub(crate) fn judging(self) -> io::Result<()> {
        self.write(&title("judging"))
    }

    /// Announces the result of a run.
    pub(crate) fn judged(self, summary: &RunSummary) -> io::Result<()> {
        self.write(&self.sequences(&headline(&summary.outcome, (summary.accepted, summary.cases), &summary.problem)))
    }

    /// Announces an error in a user's file, because of which there is no result.
    pub(crate) fn failed(self) -> io::Result<()> {
        self.write(&self.sequences("error"))
    }

    /// Restores the title.
    pub(crate) fn end(self) -> io::Result<()> {
        self.write(RESTORE_TITLE)
    }

    fn sequences(self, text: &str) -> String {
        let notification = match self.notification {
            None => String::new(),
            Some(Notification::Osc9) => format!("\x1b]9;nimatron: {text}\x07"),
            Some(Notification::Osc777) => format!("\x1b]777;notify;nimatron;{text}\x07"),
        };
        title(text) + &notification
    }

    fn write(self, sequences: &str) -> io::Result<()> {
        if !self.title {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(sequences.as_bytes())?;
        out.flush()
    }
}

fn title(text: &str) -> String {
    format!("\x1b]2;{text}\x07")
}

/// Returns a short form of the result of a run, such as `WA 3/10 sum` or `CE sum`.
fn headline(outcome: &Outcome, (accepted, cases): (usize, usize), problem: &ProblemId) -> String {
    match outcome {
        Outcome::Final { verdict, .. } if cases == 0 => format!("{verdict} {problem}"),
        Outcome::Final { verdict, .. } => format!("{verdict} {accepted}/{cases} {problem}"),
        Outcome::Inconclusive { .. } => format!("JE {problem}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Score, Verdict};

    use super::*;

    fn announcer(terminal: bool, notify: bool, variables: &[(&str, &str)]) -> Announcer {
        Announcer::choose(terminal, notify, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn sequences_depend_on_the_terminal() {
        for (variables, wanted) in [
            (&[("TERM", "xterm-256color")][..], Some(Notification::Osc9)),
            (&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")], Some(Notification::Osc777)),
            (&[("TERM", "foot")], Some(Notification::Osc777)),
            (&[("TERM", "rxvt-unicode-256color")], Some(Notification::Osc777)),
            (&[("TERM", "dumb")], None),
            (&[("TERM", "linux")], None),
            (&[], None),
        ] {
            let found = announcer(true, true, variables);
            assert_eq!((found.title, found.notification), (wanted.is_some(), wanted), "{variables:?}");
            assert_eq!(announcer(true, false, variables).notification, None);
            assert_eq!(announcer(false, true, variables), Announcer { title: false, notification: None });
        }
    }

    #[test]
    fn a_result_is_announced_in_a_few_words() {
        let problem = "sum".parse().unwrap();
        let judged = |verdict| Outcome::Final { verdict, score: Score::default() };
        assert_eq!(headline(&judged(Verdict::WrongAnswer), (3, 10), &problem), "WA 3/10 sum");
        assert_eq!(headline(&judged(Verdict::CompileError), (0, 0), &problem), "CE sum");
        assert_eq!(headline(&Outcome::Inconclusive { faults: Vec::new() }, (0, 1), &problem), "JE sum");
        let both = announcer(true, true, &[("TERM", "foot")]).sequences("AC 1/1 sum");
        assert_eq!(both, "\x1b]2;AC 1/1 sum\x07\x1b]777;notify;nimatron;AC 1/1 sum\x07");
        let plain = announcer(true, true, &[("TERM", "xterm")]).sequences("AC 1/1 sum");
        assert_eq!(plain, "\x1b]2;AC 1/1 sum\x07\x1b]9;nimatron: AC 1/1 sum\x07");
    }
}
