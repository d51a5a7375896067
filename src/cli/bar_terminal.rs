//! The terminal to which progress bars are drawn.

use std::io;

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// The number of columns of `^C`, which a terminal writes at the cursor when the user presses Ctrl-C.
const ECHO: u16 = 2;
/// The maximum number of times per second at which bars are redrawn; the default of `indicatif`.
const REDRAWS: u8 = 20;

/// Returns the target to which progress bars are drawn: standard error, or nothing unless `shown` is true.
pub(crate) fn bar_target(shown: bool) -> ProgressDrawTarget {
    match shown {
        true => ProgressDrawTarget::term_like_with_hz(Box::new(BarTerminal(Term::buffered_stderr())), REDRAWS),
        false => ProgressDrawTarget::hidden(),
    }
}

/// Standard error without the last columns of the terminal. A bar fills its line, and the cursor stays at its end. The
/// `^C` of a terminal therefore needs the last columns, since in the next line it would move the cursor away from the
/// line of the bar, which then could not be removed.
#[derive(Debug)]
struct BarTerminal(Term);

impl TermLike for BarTerminal {
    fn width(&self) -> u16 {
        TermLike::width(&self.0).saturating_sub(ECHO).max(1)
    }

    fn height(&self) -> u16 {
        TermLike::height(&self.0)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.0.write_line(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
