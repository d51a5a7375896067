//! Checks whether a compiler that has rejected a program can compile at all. A compiler that reports its version and can do
//! no more, because a file of its installation is missing, would otherwise give every program a compile error.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{Failure, Fault, FaultKind};
use crate::service::SourceBundle;

use super::canary_problem::CanaryProblem;

/// A program that does nothing: the id of its language, the name of its file, and its text.
type EmptyProgram = (&'static str, &'static str, &'static str);

/// The programs for the compiled languages of the table of languages.
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

/// Compiles an empty program after the first compile error in a language.
pub(super) struct CompilerCheck {
    problem: Arc<CanaryProblem>,
    /// The languages whose compilers have compiled the program.
    working: Mutex<BTreeSet<&'static str>>,
}

impl CompilerCheck {
    pub(super) fn new(problem: Arc<CanaryProblem>) -> CompilerCheck {
        CompilerCheck { problem, working: Mutex::default() }
    }

    /// Confirms that the compiler of the language can compile. A language without an empty program is not checked.
    ///
    /// # Errors
    /// Returns a fault if the compiler rejects the empty program, and the errors of judging it.
    pub(super) fn confirm(&self, language: &str) -> Result<(), Failure> {
        let Some((language, name, text)) = PROGRAMS.iter().find(|(id, ..)| *id == language) else { return Ok(()) };
        if self.working.lock().unwrap_or_else(PoisonError::into_inner).contains(language) {
            return Ok(());
        }
        let source = SourceBundle { language: Some((*language).to_owned()), ..SourceBundle::of_text(name, *text) };
        if let Some(output) = self.problem.judge(source)?.compile_error {
            let line = output.lines().find(|line| !line.trim().is_empty()).unwrap_or("it wrote nothing");
            let message =
                format!("the compiler of the language `{language}` rejects an empty program: {}", line.trim());
            return Err(Fault::new(FaultKind::Toolchain, message).into());
        }
        self.working.lock().unwrap_or_else(PoisonError::into_inner).insert(language);
        Ok(())
    }
}
