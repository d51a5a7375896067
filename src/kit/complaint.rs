//! What is wrong, and with whose text.

use std::fmt;

/// Whose text or doing a complaint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The program's own arguments, or its own mistake.
    Own,
    /// The input of the case.
    Input,
    /// What the contestant's program wrote.
    Output,
    /// The answer of the case.
    Answer,
}

/// Something that is not as it must be, in words for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Whose it is.
    pub whose: Whose,
    /// What it is, and where.
    pub message: String,
}

impl Complaint {
    /// A complaint.
    pub fn new(whose: Whose, message: impl Into<String>) -> Complaint {
        Complaint { whose, message: message.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A text is a complaint about the program itself, so that `?` takes it.
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
