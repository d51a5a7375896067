//! Checks whether a compiler that has rejected a program can compile any program. Without this check, an incomplete
//! installation, whose compiler reports its version but cannot compile, would cause a compile error for every program.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{Failure, Fault, FaultKind};
use crate::service::SourceBundle;

use super::canary_problem::CanaryProblem;

/// A program that does nothing: the id of its language, the name of its file, and its text.
type EmptyProgram = (&'static str, &'static str, &'static str);

/// The empty programs, for the languages whose compilers are checked.
const PROGRAMS: [EmptyProgram; 12] = [
    ("rust", "empty.rs", "fn main() {}\n"),
    ("c", "empty.c", "int main(void) { return 0; }\n"),
    ("cpp", "empty.cpp", "#include <iostream>\nint main() { std::cout << \"\\n\"; }\n"),
    ("python", "empty.py", "pass\n"),
    ("pypy", "empty.py", "pass\n"),
    ("java", "Main.java", "public class Main { public static void main(String[] args) {} }\n"),
    ("go", "empty.go", "package main\nfunc main() {}\n"),
    ("csharp", "empty.cs", "class Program { static void Main() {} }\n"),
    ("kotlin", "empty.kt", "fun main() {}\n"),
    ("haskell", "empty.hs", "main :: IO ()\nmain = return ()\n"),
    ("ocaml", "empty.ml", "let () = ()\n"),
    ("pascal", "empty.pas", "begin\nend.\n"),
];

/// A check that compiles an empty program after a compile error. Once the compiler of a language has compiled the empty
/// program, the language is not checked again.
pub(super) struct CompilerCheck {
    problem: Arc<CanaryProblem>,
    /// The languages whose compilers have compiled their empty programs.
    working: Mutex<BTreeSet<&'static str>>,
}

impl CompilerCheck {
    pub(super) fn new(problem: Arc<CanaryProblem>) -> CompilerCheck {
        CompilerCheck { problem, working: Mutex::default() }
    }

    /// Confirms that the compiler of the language can compile. A language without an empty program is not checked.
    ///
    /// # Errors
    /// Returns a fault if the compiler rejects the empty program, or the error if judging the empty program fails.
    pub(super) fn confirm(&self, language: &str) -> Result<(), Failure> {
        let Some((language, name, text)) = PROGRAMS.iter().find(|(id, ..)| *id == language) else { return Ok(()) };
        if self.working.lock().unwrap_or_else(PoisonError::into_inner).contains(language) {
            return Ok(());
        }
        let source = SourceBundle { language: Some((*language).to_owned()), ..SourceBundle::of_text(name, *text) };
        if let Some(output) = self.problem.judge(source)?.compile_error {
            let line = output.lines().find(|line| !line.trim().is_empty()).unwrap_or("the compiler printed nothing");
            let message =
                format!("the compiler of the language `{language}` rejects an empty program: {}", line.trim());
            return Err(Fault::new(FaultKind::Toolchain, message).into());
        }
        self.working.lock().unwrap_or_else(PoisonError::into_inner).insert(language);
        Ok(())
    }
}
