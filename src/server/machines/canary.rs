//! Canary runs: a worker judges programs with known verdicts, to check that it judges correctly. The results are not
//! stored in submissions or gradebooks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::clock::now_ms;
use crate::model::{Failure, Fault, Outcome};
use crate::queue::CanaryResult;
use crate::service::SourceBundle;

use super::canary_problem::CanaryProblem;

/// Maximum number of characters of [`CanaryResult::fault`].
const LONGEST_REASON: usize = 60;

/// The canary programs of a language.
struct CanaryProgram {
    language: &'static str,
    /// The extension of the canary programs' file names, without the dot.
    ending: &'static str,
    accepted: &'static str,
    /// A program whose output is wrong in the last case.
    wrong: &'static str,
}

/// The canary programs, by language. A worker uses only the programs of the first language that it has.
const PROGRAMS: [CanaryProgram; 4] = [
    CanaryProgram {
        language: "cpp",
        ending: "cpp",
        accepted: "#include <cstdio>\nint main() {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%lld\\n\", a + b);\n}\n",
        wrong: "#include <cstdio>\nint main() {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%d\\n\", (int)(unsigned)(a + b));\n}\n",
    },
    CanaryProgram {
        language: "c",
        ending: "c",
        accepted: "#include <stdio.h>\nint main(void) {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%lld\\n\", a + b);\n}\n",
        wrong: "#include <stdio.h>\nint main(void) {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%d\\n\", (int)(unsigned)(a + b));\n}\n",
    },
    CanaryProgram {
        language: "python",
        ending: "py",
        accepted: "print(sum(map(int, input().split())))\n",
        wrong: "print(sum(map(int, input().split())) % 3000000000)\n",
    },
    CanaryProgram {
        language: "bash",
        ending: "sh",
        accepted: "read a b; echo $((a + b))\n",
        wrong: "read a b; echo $(((a + b) % 3000000000))\n",
    },
];

/// The canary runs of a worker, which alternate between the accepted and the wrong program of one language.
pub(super) struct Canary {
    problem: Arc<CanaryProblem>,
    program: &'static CanaryProgram,
    judged: AtomicUsize,
}

impl Canary {
    /// Creates the canary runs for the first language in [`PROGRAMS`] that the worker has. Returns `None` if the worker
    /// has none of the languages.
    pub(super) fn new(problem: Arc<CanaryProblem>, has: impl Fn(&str) -> bool) -> Option<Canary> {
        let program = PROGRAMS.iter().find(|program| has(program.language))?;
        Some(Canary { problem, program, judged: AtomicUsize::new(0) })
    }

    /// Judges the next canary program.
    pub(super) fn judge(&self) -> CanaryResult {
        let CanaryProgram { language, ending, accepted, wrong } = self.program;
        let is_accepted = self.judged.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        let (name, expected, source) = match is_accepted {
            true => ("accepted", "AC", accepted),
            false => ("wrong_answer", "WA", wrong),
        };
        let program = format!("{name}.{ending}");
        let source =
            SourceBundle { language: Some((*language).to_owned()), ..SourceBundle::of_text(&program, *source) };
        let (verdict, fault) = match self.verdict(source) {
            Ok(verdict) => (Some(verdict), None),
            Err(failure) => (None, Some(failure.to_string().chars().take(LONGEST_REASON).collect())),
        };
        let at_ms = u64::try_from(now_ms()).unwrap_or_default();
        CanaryResult { program, expected: expected.to_owned(), verdict, fault, at_ms }
    }

    fn verdict(&self, source: SourceBundle) -> Result<String, Failure> {
        match self.problem.judge(source)?.summary.outcome {
            Outcome::Final { verdict, .. } => Ok(verdict.short().to_owned()),
            Outcome::Inconclusive { faults } => Err(Fault::first_of(&faults).into()),
        }
    }
}
