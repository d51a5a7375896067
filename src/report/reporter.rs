//! The trait for receivers of a run's events, and a reporter that forwards to several others.

use std::io;

use crate::model::Event;

/// A receiver of the events of a run, in the order in which they occur.
pub trait Reporter {
    /// Reports one event.
    ///
    /// # Errors
    /// Returns an error if the event can't be written.
    fn emit(&mut self, event: &Event) -> io::Result<()>;

    /// Ends the report and flushes buffered output.
    ///
    /// # Errors
    /// Returns an error if the output can't be written.
    fn finish(&mut self) -> io::Result<()>;
}

/// A reporter that forwards events to several reporters. If one fails, the others still receive the event, and the
/// first error is returned.
#[derive(Default)]
pub struct Fanout<'a> {
    reporters: Vec<Box<dyn Reporter + 'a>>,
}

impl<'a> Fanout<'a> {
    /// Creates a reporter that forwards to no other reporter.
    pub fn new() -> Fanout<'a> {
        Fanout::default()
    }

    /// Adds a reporter.
    #[must_use]
    pub fn with(mut self, reporter: impl Reporter + 'a) -> Fanout<'a> {
        self.reporters.push(Box::new(reporter));
        self
    }

    fn all(&mut self, mut emit: impl FnMut(&mut dyn Reporter) -> io::Result<()>) -> io::Result<()> {
        let mut told = Ok(());
        for reporter in &mut self.reporters {
            told = told.and(emit(reporter.as_mut()));
        }
        told
    }
}

impl Reporter for Fanout<'_> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
        self.all(|reporter| reporter.emit(event))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.all(|reporter| reporter.finish())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::samples;

    /// A reporter that records each call, and then fails if requested.
    struct RecordingReporter<'a> {
        name: &'static str,
        fails: bool,
        told: &'a RefCell<Vec<&'static str>>,
    }

    impl Reporter for RecordingReporter<'_> {
        fn emit(&mut self, _: &Event) -> io::Result<()> {
            self.finish()
        }

        fn finish(&mut self) -> io::Result<()> {
            self.told.borrow_mut().push(self.name);
            if self.fails { Err(io::Error::other(self.name)) } else { Ok(()) }
        }
    }

    #[test]
    fn all_receive_events_even_if_one_fails() {
        let told = RefCell::new(Vec::new());
        let recording = |name, fails| RecordingReporter { name, fails, told: &told };
        let mut fanout = Fanout::new()
            .with(recording("first", false))
            .with(recording("second", true))
            .with(recording("third", true));
        let event = &samples::accepted()[0];
        assert_eq!(fanout.emit(event).unwrap_err().to_string(), "second");
        assert_eq!(fanout.finish().unwrap_err().to_string(), "second");
        assert_eq!(*told.borrow(), ["first", "second", "third", "first", "second", "third"]);
    }
}
