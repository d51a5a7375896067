//! The resources that a program may use in one run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ByteSize, TimeSpan};

/// The limits of one run. Every limit is required; for a resource that needs no limit, set a large number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu: TimeSpan,
    /// Wall time from start to end.
    pub wall: TimeSpan,
    /// Peak memory of the whole process tree. The stack may use all of it.
    pub memory: ByteSize,
    /// Total number of bytes written to standard output, standard error and files.
    pub output: ByteSize,
    /// Number of processes and threads alive at the same time.
    pub processes: u32,
}

/// Returns the default wall time limit for the CPU time limit `cpu`: twice `cpu` plus half a second. The wall time
/// limit stops a program that sleeps and therefore does not reach the CPU time limit.
pub fn default_wall(cpu: TimeSpan) -> TimeSpan {
    cpu.times(2).plus(TimeSpan::millis(500))
}

/// The limits of a case that override the limits of its problem, and whether the score of the case depends on the time
/// of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseLimits {
    /// The changes for programs in all languages.
    pub usual: LimitChange,
    /// The changes for programs in specific languages, by the id of the language. They take precedence over `usual`.
    pub languages: BTreeMap<String, LimitChange>,
    /// Whether an accepted program earns less if it takes more than half of the time limit.
    pub decay: bool,
}

/// Changes to the limits of a problem.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LimitChange {
    /// The new CPU time limit; `None` for no change.
    pub time: Option<TimeSpan>,
    /// The new memory limit; `None` for no change.
    pub memory: Option<ByteSize>,
}

impl CaseLimits {
    /// Returns the limits of a program in the language with the id `language`, where `limits` are those of the problem.
    /// If the CPU time limit changes, the wall time limit is derived from it.
    pub fn of(&self, language: &str, limits: &Limits) -> Limits {
        let own = self.languages.get(language).copied().unwrap_or_default();
        let cpu = own.time.or(self.usual.time).unwrap_or(limits.cpu);
        let wall = if cpu == limits.cpu { limits.wall } else { default_wall(cpu) };
        Limits { cpu, wall, memory: own.memory.or(self.usual.memory).unwrap_or(limits.memory), ..*limits }
    }

    /// Removes the changes to the time limit if `time` is true, and to the memory limit if `memory` is true.
    #[must_use]
    pub fn without(mut self, time: bool, memory: bool) -> CaseLimits {
        for change in self.languages.values_mut().chain([&mut self.usual]) {
            change.time = change.time.filter(|_| !time);
            change.memory = change.memory.filter(|_| !memory);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_takes_precedence_over_a_case_and_a_case_over_the_problem() {
        let time = |millis| LimitChange { time: Some(TimeSpan::millis(millis)), memory: None };
        let case = CaseLimits { usual: time(300), languages: [("rust".to_owned(), time(200))].into(), decay: false };
        let cpu = TimeSpan::millis(100);
        let (memory, output) = (ByteSize::mib(1), ByteSize::mib(1));
        let problem = Limits { cpu, wall: default_wall(cpu), memory, output, processes: 1 };
        let times = |case: &CaseLimits| ["rust", "cpp"].map(|language| case.of(language, &problem).cpu);
        assert_eq!(times(&case), [TimeSpan::millis(200), TimeSpan::millis(300)]);
        assert_eq!(case.of("cpp", &problem).wall, TimeSpan::millis(1_100));
        assert_eq!(times(&case.without(true, false)), [cpu; 2]);
    }
}
