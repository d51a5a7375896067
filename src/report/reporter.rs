//! Who is told what happens, and how several are told at once.

use std::io;

use crate::model::Event;

/// Somebody who is told what happens, event by event, in order.
pub trait Reporter {
    /// Tells one event.
    ///
    /// # Errors
    /// When it cannot be written.
    fn tell(&mut self, event: &Event) -> io::Result<()>;

    /// Says that no event follows, so that what was held back is written.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(&mut self) -> io::Result<()>;
}

/// Tells several reporters. One that fails keeps nobody else from being told; the first error is given back.
#[derive(Default)]
pub struct Fanout<'a> {
    reporters: Vec<Box<dyn Reporter + 'a>>,
}

impl<'a> Fanout<'a> {
    /// Nobody yet.
    pub fn new() -> Fanout<'a> {
        Fanout::default()
    }

    /// Tells this one too.
    #[must_use]
    pub fn with(mut self, reporter: impl Reporter + 'a) -> Fanout<'a> {
        self.reporters.push(Box::new(reporter));
        self
    }

    fn all(&mut self, mut tell: impl FnMut(&mut dyn Reporter) -> io::Result<()>) -> io::Result<()> {
        let mut told = Ok(());
        for reporter in &mut self.reporters {
            told = told.and(tell(reporter.as_mut()));
        }
        told
    }
}

impl Reporter for Fanout<'_> {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        self.all(|reporter| reporter.tell(event))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.all(|reporter| reporter.finish())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::report::samples;

    /// Writes down that it was told, then fails if it shall.
    struct RecordingReporter<'a> {
        name: &'static str,
        fails: bool,
        told: &'a RefCell<Vec<&'static str>>,
    }

    impl Reporter for RecordingReporter<'_> {
        fn tell(&mut self, _: &Event) -> io::Result<()> {
            self.finish()
        }

        fn finish(&mut self) -> io::Result<()> {
            self.told.borrow_mut().push(self.name);
            if self.fails { Err(io::Error::other(self.name)) } else { Ok(()) }
        }
    }

    #[test]
    fn all_are_told_even_if_one_fails() {
        let told = RefCell::new(Vec::new());
        let recording = |name, fails| RecordingReporter { name, fails, told: &told };
        let mut fanout = Fanout::new()
            .with(recording("first", false))
            .with(recording("second", true))
            .with(recording("third", true));
        let event = &samples::accepted()[0];
        assert_eq!(fanout.tell(event).unwrap_err().to_string(), "second");
        assert_eq!(fanout.finish().unwrap_err().to_string(), "second");
        assert_eq!(*told.borrow(), ["first", "second", "third", "first", "second", "third"]);
    }
}
