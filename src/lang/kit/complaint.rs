//! The error type of the kit, and the subjects of errors.

use std::fmt;

/// The subject of an error, which determines whether the submission or the problem is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The program's own arguments, or an error inside the program.
    Own,
    /// The input of the test case.
    Input,
    /// The output of the submission.
    Output,
    /// The answer of the test case.
    Answer,
}

/// An error with a message for users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The subject of the error.
    pub whose: Whose,
    /// The message, with the position if there is one.
    pub message: String,
}

impl Complaint {
    /// Creates an error.
    pub fn new(whose: Whose, message: impl Into<String>) -> Complaint {
        Complaint { whose, message: message.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Converts a message to an error of the program itself, so that `?` works on string errors.
impl From<String> for Complaint {
    fn from(message: String) -> Complaint {
        Complaint::new(Whose::Own, message)
    }
}

impl From<&str> for Complaint {
    fn from(message: &str) -> Complaint {
        Complaint::new(Whose::Own, message)
    }
}
