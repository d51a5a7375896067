//! Builds `nimatron` commands that messages suggest to the user.

use std::path::Path;

use super::context::Context;

/// A `nimatron` command with quoted arguments.
pub(crate) struct Typed(String);

impl Typed {
    /// Creates the command `nimatron COMMAND PROBLEM PROGRAM`.
    pub(crate) fn new(command: &str, problem: &str, program: &Path) -> Typed {
        let program = program.display().to_string();
        // A path that starts with `-` would be parsed as an option.
        let program = if program.starts_with('-') { format!("./{program}") } else { program };
        Typed(format!("nimatron {command}")).word(problem).word(&program)
    }

    /// Appends an argument, quoted for a shell if necessary.
    pub(crate) fn word(mut self, word: &str) -> Typed {
        self.0 += " ";
        self.0 += &quoted(word);
        self
    }

    /// Appends an option, if `value` is not `None`.
    pub(crate) fn option(self, name: &str, value: Option<impl std::fmt::Display>) -> Typed {
        match value {
            Some(value) => self.word(name).word(&value.to_string()),
            None => self,
        }
    }

    /// Appends the `--problems` options of this invocation and returns the command.
    pub(crate) fn end(self, context: &Context) -> String {
        context.problem_dirs().iter().fold(self, |typed, dir| typed.option("--problems", Some(dir.display()))).0
    }
}

/// Quotes an argument for a POSIX shell.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
