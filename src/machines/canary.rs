//! Canaries: known programs with known verdicts, which show whether a worker judges correctly. Their results reach
//! neither submissions nor gradebooks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::clock::now_ms;
use crate::data::write_whole;
use crate::model::{Failure, Outcome, TimeSpan};
use crate::queue::CanaryResult;
use crate::sandbox::Cancel;
use crate::service::{JudgeOptions, JudgeRequest, JudgeService, ProblemSource, SourceBundle};

/// The time limit of the known programs, which take a small part of it on any machine.
const TIME: TimeSpan = TimeSpan::seconds(10);
/// Maximum number of characters of the reason why the judge failed, in the result.
const LONGEST_REASON: usize = 60;

/// The problem, as an ICPC package that needs no program of its own: the sum of two numbers.
const PACKAGE: [(&str, &str); 7] = [
    ("problem.yaml", "problem_format_version: legacy\nname: Sum\n"),
    ("data/secret/1.in", "1 2\n"),
    ("data/secret/1.ans", "3\n"),
    ("data/secret/2.in", "-4 4\n"),
    ("data/secret/2.ans", "0\n"),
    ("data/secret/3.in", "2000000000 2000000000\n"),
    ("data/secret/3.ans", "4000000000\n"),
];

/// A known program in a language.
struct KnownProgram {
    language: &'static str,
    /// The ending of the file's name.
    ending: &'static str,
    accepted: &'static str,
    /// A program whose output is wrong in the last case.
    wrong: &'static str,
}

/// The known programs. A worker uses the first language that it has.
const PROGRAMS: [KnownProgram; 4] = [
    KnownProgram {
        language: "cpp",
        ending: "cpp",
        accepted: "#include <cstdio>\nint main() {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%lld\\n\", a + b);\n}\n",
        wrong: "#include <cstdio>\nint main() {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%d\\n\", (int)(unsigned)(a + b));\n}\n",
    },
    KnownProgram {
        language: "c",
        ending: "c",
        accepted: "#include <stdio.h>\nint main(void) {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%lld\\n\", a + b);\n}\n",
        wrong: "#include <stdio.h>\nint main(void) {\n    long long a, b;\n    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%d\\n\", (int)(unsigned)(a + b));\n}\n",
    },
    KnownProgram {
        language: "python",
        ending: "py",
        accepted: "print(sum(map(int, input().split())))\n",
        wrong: "print(sum(map(int, input().split())) % 3000000000)\n",
    },
    KnownProgram {
        language: "bash",
        ending: "sh",
        accepted: "read a b; echo $((a + b))\n",
        wrong: "read a b; echo $(((a + b) % 3000000000))\n",
    },
];

/// Judges known programs, the accepted and the wrong one in turn.
pub(super) struct Canary {
    service: JudgeService,
    folder: PathBuf,
    program: &'static KnownProgram,
    judged: AtomicUsize,
}

impl Canary {
    /// Writes the known problem into the folder of the worker. Returns `None` if the worker has none of the languages of
    /// the known programs.
    ///
    /// # Errors
    /// Fails if the files can't be written.
    pub(super) fn new(
        service: &JudgeService,
        cancel: &Cancel,
        folder: &Path,
        has: impl Fn(&str) -> bool,
    ) -> Result<Option<Canary>, Failure> {
        let Some(program) = PROGRAMS.iter().find(|program| has(program.language)) else { return Ok(None) };
        let folder = folder.join("canary");
        fs_err::create_dir_all(folder.join("data/secret")).map_err(|error| Failure::user_file(&error))?;
        for (name, content) in PACKAGE {
            let path = folder.join(name);
            write_whole(&path, content.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        let service = service.with_cancel(cancel).of_worker();
        Ok(Some(Canary { service, folder, program, judged: AtomicUsize::new(0) }))
    }

    /// Judges the next known program.
    pub(super) fn judge(&self) -> CanaryResult {
        let KnownProgram { language, ending, accepted, wrong } = self.program;
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
        let problem = self.service.prepare(&ProblemSource::Package(self.folder.clone()))?;
        let options = JudgeOptions { time: Some(TIME), ..JudgeOptions::default() };
        let request = JudgeRequest { options, slots: Some(1), ..JudgeRequest::new(&problem, source) };
        match self.service.submit(request)?.wait()?.summary.outcome {
            Outcome::Final { verdict, .. } => Ok(verdict.short().to_owned()),
            Outcome::Inconclusive { faults } => Err(crate::model::Fault::first_of(&faults).into()),
        }
    }
}
