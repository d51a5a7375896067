//! What a solution's folder promises: `accepted`, `wrong_answer`, … (the ICPC package format's names).

use crate::model::Verdict;

/// What the verdicts of a solution's cases must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectation {
    /// The folder.
    pub folder: &'static str,
    /// Verdicts that may occur beside accepted ones.
    permitted: &'static [Verdict],
}

use Verdict::{
    CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError, RuntimeError, TimeLimit,
    WrongAnswer,
};

/// All folders that promise something.
pub const EXPECTATIONS: [Expectation; 8] = [
    Expectation { folder: "accepted", permitted: &[] },
    Expectation { folder: "wrong_answer", permitted: &[WrongAnswer, PresentationError] },
    Expectation { folder: "time_limit_exceeded", permitted: &[TimeLimit, IdleLimit] },
    Expectation { folder: "run_time_error", permitted: &[RuntimeError] },
    Expectation { folder: "memory_limit_exceeded", permitted: &[MemoryLimit] },
    Expectation { folder: "output_limit_exceeded", permitted: &[OutputLimit] },
    Expectation { folder: "compile_error", permitted: &[CompileError] },
    Expectation {
        folder: "rejected",
        permitted: &[
            WrongAnswer,
            PresentationError,
            TimeLimit,
            IdleLimit,
            RuntimeError,
            MemoryLimit,
            OutputLimit,
            Forbidden,
            CompileError,
            Partial,
        ],
    },
];

impl Expectation {
    /// What this folder promises, if anything.
    pub fn of_folder(name: &str) -> Option<Expectation> {
        EXPECTATIONS.into_iter().find(|expectation| expectation.folder == name)
    }

    /// Whether the solutions are to be accepted.
    pub fn accepted(&self) -> bool {
        self.permitted.is_empty()
    }

    /// Whether the solutions are to run into a time limit.
    pub fn slow(&self) -> bool {
        self.permitted.contains(&Verdict::TimeLimit)
    }

    /// Holds the verdicts of all cases against the promise: each is accepted or permitted, and one at least is
    /// permitted, unless all are to be accepted.
    ///
    /// # Errors
    /// What is otherwise, in words.
    pub fn check(&self, verdicts: &[Verdict]) -> Result<(), String> {
        if let Some(other) = verdicts.iter().find(|v| !v.accepted() && !self.permitted.contains(v)) {
            return Err(format!("{} ({}) in {}", other, other.long(), self.folder));
        }
        if !self.accepted() && verdicts.iter().all(|verdict| verdict.accepted()) {
            return Err(format!("accepted by every test, in {}", self.folder));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::Accepted;

    #[test]
    fn a_folder_is_a_promise() {
        let check = |folder: &str, verdicts: &[Verdict]| Expectation::of_folder(folder).unwrap().check(verdicts);
        assert!(check("accepted", &[Accepted, Accepted]).is_ok());
        assert!(check("accepted", &[Accepted, WrongAnswer]).is_err());
        assert!(check("wrong_answer", &[Accepted, WrongAnswer]).is_ok());
        assert!(check("wrong_answer", &[Accepted, Accepted]).is_err());
        assert!(check("wrong_answer", &[WrongAnswer, RuntimeError]).is_err());
        assert!(check("rejected", &[WrongAnswer, RuntimeError]).is_ok());
        assert!(check("compile_error", &[CompileError]).is_ok());
        assert_eq!(Expectation::of_folder("mixed"), None);
    }
}
