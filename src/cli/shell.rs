//! Commands that people are told to type.

use std::path::Path;

use super::context::Context;

/// A command of ours, word by word.
pub struct Typed(String);

impl Typed {
    /// `nimatron COMMAND PROBLEM PROGRAM`.
    pub fn new(command: &str, problem: &str, program: &Path) -> Typed {
        let program = program.display().to_string();
        // Else it would be read as an option.
        let program = if program.starts_with('-') { format!("./{program}") } else { program };
        Typed(format!("nimatron {command}")).word(problem).word(&program)
    }

    /// One word more, as a shell reads it back.
    pub fn word(mut self, word: &str) -> Typed {
        self.0 += " ";
        self.0 += &quoted(word);
        self
    }

    /// An option with its value, if there is one.
    pub fn option(self, name: &str, value: Option<impl std::fmt::Display>) -> Typed {
        match value {
            Some(value) => self.word(name).word(&value.to_string()),
            None => self,
        }
    }

    /// The whole command, with the folders of problems that were named.
    pub fn end(self, context: &Context) -> String {
        context.problem_dirs().iter().fold(self, |typed, dir| typed.option("--problems", Some(dir.display()))).0
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
