//! The output that a checker judges, and the facts about the run that produced the output. DMOJ passes these facts to
//! its checkers in Python.

use std::borrow::Cow;

use serde_json::json;

use crate::judge::classify;
use crate::model::{Execution, Exit, Limits, Verdict};

use super::text_source::TextSource;

/// The output of a program, and the run that produced it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CheckedOutput<'a> {
    /// The content of the output.
    pub(super) text: TextSource<'a>,
    /// The run and its limits; `None` if they are not known.
    pub(super) run: Option<(&'a Execution, &'a Limits)>,
}

/// The name of the JSON file that contains the facts about a run.
pub(super) const RUN_FACTS: &str = "run.json";
/// The name of the file that contains the source of the judged program.
pub(super) const SUBMISSION: &str = "submission";

impl<'a> CheckedOutput<'a> {
    /// Creates an output whose run is not known.
    pub(super) fn of(text: TextSource<'a>) -> CheckedOutput<'a> {
        CheckedOutput { text, run: None }
    }
}

/// Encodes the facts about a run as JSON, with times in seconds and sizes in KiB, as in DMOJ's judge. Unknown facts are
/// omitted. `language` is the id of the judged program's language.
pub(super) fn run_facts(run: Option<(&Execution, &Limits)>, language: Option<&str>) -> String {
    let mut facts = json!({});
    if let Some(id) = language {
        facts["submission_language"] = dmoj_language(id).into();
    }
    if let Some((execution, limits)) = run {
        let usage = &execution.usage;
        if let Some(verdict) = classify(execution, limits) {
            facts["failure"] = dmoj_failure(verdict, execution.exit).into();
        }
        facts["execution_time"] = usage.cpu.as_seconds_f64().into();
        facts["wall_clock_time"] = usage.wall.as_seconds_f64().into();
        facts["max_memory"] = (usage.memory.get() / 1024).into();
        facts["time_limit"] = limits.cpu.as_seconds_f64().into();
        facts["memory_limit"] = (limits.memory.get() / 1024).into();
    }
    facts.to_string()
}

/// Returns DMOJ's code for the failure of a run. An exit code other than 0 and a crash have different codes.
fn dmoj_failure(verdict: Verdict, exit: Exit) -> &'static str {
    match (verdict, exit) {
        (Verdict::TimeLimit | Verdict::IdleLimit, _) => "TLE",
        (Verdict::MemoryLimit, _) => "MLE",
        (Verdict::OutputLimit, _) => "OLE",
        (_, Exit::Code(_)) => "IR",
        (_, Exit::Signal(_)) => "RTE",
    }
}

/// Returns DMOJ's key for a language of the table. For C and C++, the key names the standard that the table uses.
fn dmoj_language(id: &str) -> Cow<'_, str> {
    Cow::Borrowed(match id {
        "c" => "C11",
        "cpp" => "CPP20",
        "python" => "PY3",
        "pypy" => "PYPY3",
        "javascript" => "NODEJS",
        "csharp" => "MONOCS",
        "haskell" => "HASK",
        "pascal" => "PAS",
        other => return Cow::Owned(other.to_ascii_uppercase()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ByteSize, Capture, TimeSpan, Usage};

    #[test]
    fn facts_are_in_the_units_of_dmoj() {
        let usage = Usage { cpu: TimeSpan::millis(250), memory: ByteSize::mib(2), ..Usage::default() };
        let limits = Limits { cpu: TimeSpan::seconds(3), ..crate::problem::AuxProgram::LIMITS };
        let (exit, breach, stderr) = (Exit::Code(1), None, Capture::default());
        let run = Execution { exit, breach, usage, stderr };
        let facts: serde_json::Value = serde_json::from_str(&run_facts(Some((&run, &limits)), Some("rust"))).unwrap();
        assert_eq!(
            (&facts["submission_language"], &facts["execution_time"], &facts["max_memory"], &facts["time_limit"]),
            (&json!("RUST"), &json!(0.25), &json!(2048), &json!(3.0))
        );
        assert_eq!(facts["failure"], "IR");
        assert_eq!(run_facts(None, None), "{}");
    }
}
