//! Description of a worker: its CPU, isolation level, toolchains and calibration, and the result of its last canary
//! run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::moment::Moment;

/// The properties of a worker on which the times and the results of programs depend.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerTraits {
    /// The model of the CPU.
    pub cpu: String,
    /// The name of the isolation that the worker's sandbox enforces.
    pub isolation: String,
    /// The hashes of the compilers and interpreters, by language id.
    pub toolchains: BTreeMap<String, String>,
    /// The CPU time of a fixed workload, in microseconds; 0 if it was not measured.
    pub calibration_us: u64,
}

/// Result of a canary run: a worker judged a program with a known verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanaryResult {
    /// The name of the canary program, such as `accepted.py`.
    pub program: String,
    /// The verdict that a correct judge returns for the program.
    pub expected: String,
    /// The verdict that the worker returned; `None` if the judge failed.
    pub verdict: Option<String>,
    /// The reason why the judge failed, if it did.
    pub fault: Option<String>,
    /// The time at which the worker judged the program, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

impl CanaryResult {
    /// Returns the time at which the worker judged the program.
    pub const fn at(&self) -> Moment {
        Moment(self.at_ms)
    }

    /// Returns the reason why a worker with this result receives no jobs; `None` if it receives jobs. A failure of the
    /// judge does not exclude the worker, because a failure is not a wrong verdict and may be temporary.
    pub fn misjudged(&self) -> Option<Arc<str>> {
        let verdict = self.verdict.as_ref().filter(|verdict| **verdict != self.expected)?;
        let CanaryResult { program, expected, .. } = self;
        Some(
            format!(
                "the worker judged the canary program `{program}` as {verdict} instead of {expected}; repair the \
                 machine and restart the worker"
            )
            .into(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wrong_verdict_on_a_known_program_excludes_a_worker() {
        let result = |verdict: Option<&str>, fault: Option<&str>| CanaryResult {
            program: "wrong.py".to_owned(),
            expected: "WA".to_owned(),
            verdict: verdict.map(str::to_owned),
            fault: fault.map(str::to_owned),
            at_ms: 5,
        };
        assert_eq!(result(Some("WA"), None).misjudged(), None);
        assert_eq!(result(None, Some("no space left")).misjudged(), None);
        let reason = result(Some("AC"), None).misjudged().unwrap();
        assert!(reason.contains("`wrong.py` as AC instead of WA"), "{reason}");
    }
}
