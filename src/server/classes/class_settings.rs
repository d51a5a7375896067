//! Settings of a class: its name, problems, phase, rules and roster corrections.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grade::gradebook::MarkingRules;
use crate::grade::ledger::{StoredOverride, add_overrides};
use crate::grade::marks::Extensions;
use crate::grade::overlay::{Overlay, extensions};
use crate::grade::policy::Policy;
use crate::grade::roster::{Named, RosterCorrection};
use crate::model::{ByteSize, Diagnostic, Failure, Fault, FaultKind, Limits, ProblemId, TimeSpan, default_wall};

/// Shortest CPU time limit that a teacher may set, in milliseconds.
const LEAST_CPU_MS: u64 = 10;
/// Longest CPU time limit that a teacher may set, in milliseconds.
const MOST_CPU_MS: u64 = 600_000;
/// Smallest memory limit that a teacher may set, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;
/// Largest memory limit that a teacher may set, in bytes.
const MOST_MEMORY: u64 = 64 << 30;

/// The phase that the judging of a class has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassPhase {
    /// Judging has not been started.
    Draft,
    /// The programs are being judged.
    Running,
    /// Judging is paused: no further program is started.
    Paused,
    /// No program is left to judge.
    Finished,
}

impl ClassPhase {
    /// Returns the name of the phase in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            ClassPhase::Draft => "draft",
            ClassPhase::Running => "running",
            ClassPhase::Paused => "paused",
            ClassPhase::Finished => "finished",
        }
    }
}

/// Limits that a teacher set for a problem. If a limit is missing, the problem's own limit applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    /// CPU time limit, in milliseconds.
    #[serde(default)]
    pub cpu_ms: Option<u64>,
    /// Memory limit, in bytes.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
}

impl OwnLimits {
    /// Returns the limits in force: for each limit, the value that a teacher set, or otherwise the value in `own`.
    pub(super) fn applied(self, own: Limits) -> Limits {
        let mut limits = own;
        if let Some(cpu) = self.cpu_ms.map(TimeSpan::millis) {
            (limits.cpu, limits.wall) = (cpu, default_wall(cpu));
        }
        limits.memory = self.memory_bytes.map_or(own.memory, ByteSize::new);
        limits
    }

    fn check(self, problem: &str) -> Result<(), Diagnostic> {
        if let Some(cpu) = self.cpu_ms.filter(|cpu| !(LEAST_CPU_MS..=MOST_CPU_MS).contains(cpu)) {
            let message = format!("the CPU time limit of `{problem}` is {cpu} ms, which is out of range");
            return Err(Diagnostic::new(message).help(format!("expected {LEAST_CPU_MS} to {MOST_CPU_MS} ms")));
        }
        if let Some(memory) = self.memory_bytes.filter(|memory| !(LEAST_MEMORY..=MOST_MEMORY).contains(memory)) {
            let message = format!("the memory limit of `{problem}` is {memory} bytes, which is out of range");
            return Err(Diagnostic::new(message).help(format!("expected {LEAST_MEMORY} to {MOST_MEMORY} bytes")));
        }
        Ok(())
    }
}

/// Changes to the rules of a class. An omitted field leaves the rule unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRules {
    /// The grading policy, in YAML; empty for the default policy.
    #[serde(default)]
    pub policy: Option<String>,
    /// Extended due dates, in CSV; empty for no extensions.
    #[serde(default)]
    pub extensions: Option<String>,
    /// The new limits, by problem id. Problems that are not listed retain their limits; the value `{}` restores a
    /// problem's own limits.
    #[serde(default)]
    pub limits: Option<BTreeMap<String, OwnLimits>>,
}

/// The current rules of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClassRules {
    pub policy: String,
    pub extensions: String,
    pub limits: BTreeMap<String, OwnLimits>,
}

impl ClassRules {
    /// Returns a copy of the rules with the changes in `new` applied.
    ///
    /// # Errors
    /// Fails if the policy or the table of extensions is invalid, a problem is unknown, or a limit is out of range.
    pub(super) fn changed(&self, new: &NewRules, problems: &[ProblemId]) -> Result<ClassRules, Diagnostic> {
        let mut rules = self.clone();
        rules.policy = new.policy.clone().unwrap_or(rules.policy);
        rules.extensions = new.extensions.clone().unwrap_or(rules.extensions);
        for (problem, limits) in new.limits.iter().flatten() {
            known_problem(problems, problem)?;
            limits.check(problem)?;
            if *limits == OwnLimits::default() {
                rules.limits.remove(problem);
            } else {
                rules.limits.insert(problem.clone(), *limits);
            }
        }
        rules.marking(problems, &[])?;
        Ok(rules)
    }

    /// Parses the rules, and returns the marking rules with `overrides` added.
    pub(super) fn marking(
        &self,
        problems: &[ProblemId],
        overrides: &[StoredOverride],
    ) -> Result<MarkingRules, Diagnostic> {
        let policy = Policy::parse("policy", &self.policy, problems)?;
        let extensions = match self.extensions.trim() {
            "" => Extensions::new(),
            _ => extensions("extensions", &self.extensions, problems)?,
        };
        let mut rules = MarkingRules { policy, extensions, overlay: Overlay::new() };
        add_overrides(&mut rules, overrides, problems);
        Ok(rules)
    }
}

/// Returns the index of the problem with the id `problem` in `problems`, or an error that lists the known ids.
pub(super) fn known_problem(problems: &[ProblemId], problem: &str) -> Result<usize, Diagnostic> {
    problems.iter().position(|id| id.as_str() == problem).ok_or_else(|| {
        let known = problems.iter().map(ProblemId::as_str).collect::<Vec<_>>().join(", ");
        Diagnostic::new(format!("`{problem}` is not a problem of this class")).help(format!("expected one of: {known}"))
    })
}

/// The stored settings of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredClass {
    pub name: String,
    /// Creation time, in seconds since the Unix epoch.
    pub created: i64,
    /// Ids and names of the problems.
    pub problems: Vec<(String, String)>,
    pub phase: ClassPhase,
    pub rules: ClassRules,
    /// Manual corrections to the roster, by the path of the corrected program or file.
    pub corrections: BTreeMap<String, RosterCorrection>,
}

impl StoredClass {
    /// Returns the ids of the problems.
    pub(super) fn ids(&self) -> Vec<ProblemId> {
        self.problems.iter().filter_map(|(id, _)| id.parse().ok()).collect()
    }

    /// Creates the settings of a new class.
    pub(super) fn new(name: String, created: i64, problems: &[Named], phase: ClassPhase) -> StoredClass {
        let problems = problems.iter().map(|problem| (problem.id.to_string(), problem.name.clone())).collect();
        let (rules, corrections) = (ClassRules::default(), BTreeMap::new());
        StoredClass { name, created, problems, phase, rules, corrections }
    }
}

/// Serializes a value for the store as JSON.
pub(super) fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot write the state of a class").into())
}

/// Deserializes a value that [`to_json`] serialized.
pub(super) fn from_json<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot read the state of a class").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<ProblemId> {
        ["nim", "sum"].map(|id| id.parse().unwrap()).to_vec()
    }

    #[test]
    fn what_is_missing_in_new_rules_stays() {
        let limits = |cpu_ms| NewRules {
            limits: Some(BTreeMap::from([("nim".to_owned(), OwnLimits { cpu_ms, memory_bytes: None })])),
            ..NewRules::default()
        };
        let rules = ClassRules::default().changed(&limits(Some(500)), &ids()).unwrap();
        let policy = NewRules { policy: Some("select: best\n".to_owned()), ..NewRules::default() };
        let rules = rules.changed(&policy, &ids()).unwrap();
        assert_eq!((rules.policy.as_str(), rules.limits["nim"].cpu_ms), ("select: best\n", Some(500)));
        let rules = rules.changed(&limits(None), &ids()).unwrap();
        assert!(rules.limits.is_empty());
        assert!(rules.changed(&limits(Some(1)), &ids()).unwrap_err().message.contains("out of range"));
        let wrong = NewRules { policy: Some("selct: best\n".to_owned()), ..NewRules::default() };
        assert_eq!(rules.changed(&wrong, &ids()).unwrap_err().help.unwrap(), "did you mean `select`?");
    }

    #[test]
    fn limits_of_a_teacher_replace_those_of_the_problem() {
        let own = Limits {
            cpu: TimeSpan::seconds(1),
            wall: TimeSpan::seconds(9),
            memory: ByteSize::mib(64),
            output: ByteSize::mib(1),
            processes: 8,
        };
        assert_eq!(OwnLimits::default().applied(own), own);
        let changed = OwnLimits { cpu_ms: Some(200), memory_bytes: None }.applied(own);
        assert_eq!((changed.cpu, changed.wall), (TimeSpan::millis(200), TimeSpan::millis(900)));
        assert_eq!(changed.memory, own.memory);
    }
}
