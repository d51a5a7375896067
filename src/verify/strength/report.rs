//! Reports the strength of the tests as text and as figures.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::data::Case;
use crate::model::{Verdict, counted};
use crate::mutants::Mutant;
use crate::problem::Problem;

use super::hunt::KillSearchResult;
use super::kill::MutantResult;
use crate::verify::check_result::{Check, Status};

/// Minimum percentage of killed mutants, among those for which a killing input is known, for the check to pass.
const ENOUGH: f64 = 95.0;
/// Maximum number of characters of an input that are shown.
const SHOWN: usize = 400;

/// Reason why a mutant survives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SurvivalReason {
    /// The compiler generates the same program from the mutant and from the original.
    Equivalent,
    /// The compiled programs differ or were not compared; contains the result of the search for an input that kills the
    /// mutant.
    Searched(KillSearchResult),
}

/// A mutant that no test kills.
#[derive(Debug)]
pub(super) struct Survivor<'a> {
    /// The surviving mutant.
    pub(super) mutant: &'a Mutant,
    /// Reason why the mutant survives.
    pub(super) reason: SurvivalReason,
}

/// Results of a measurement.
pub(super) struct StrengthReport<'a> {
    pub(super) problem: &'a Problem,
    pub(super) cases: &'a [Case],
    pub(super) source: &'a str,
    /// Name of the program that is mutated.
    pub(super) name: &'a str,
    /// Number of mutants that were chosen, including those that do not compile.
    pub(super) found: usize,
    /// Number of mutants that do not compile.
    pub(super) unviable: usize,
    pub(super) compilations: usize,
    pub(super) results: &'a [MutantResult],
    pub(super) survivors: Vec<Survivor<'a>>,
    pub(super) unreached: Vec<String>,
}

impl Survivor<'_> {
    /// Returns whether the mutant is proved to be equivalent to the original.
    fn proved(&self) -> bool {
        matches!(
            self.reason,
            SurvivalReason::Equivalent | SurvivalReason::Searched(KillSearchResult::Nothing { all: true, .. })
        )
    }

    /// Returns whether the search found an input that kills the mutant, so that the tests lack such an input.
    fn is_killable(&self) -> bool {
        matches!(self.reason, SurvivalReason::Searched(KillSearchResult::Found { .. }))
    }
}

impl StrengthReport<'_> {
    fn killed(&self) -> usize {
        self.results.iter().filter(|result| !result.kills.is_empty()).count()
    }

    /// Returns the percentage of killed mutants among those for which a killing input is known; 100 if there are none.
    fn strength(&self) -> f64 {
        let ought = self.killed() + self.survivors.iter().filter(|survivor| survivor.is_killable()).count();
        if ought == 0 { 100.0 } else { 100.0 * self.killed() as f64 / ought as f64 }
    }

    /// Returns, for each group, the number of mutants that only tests of this group kill. A mutant that exceeded
    /// a limit counts for no group, since it was not run on all tests.
    fn alone(&self) -> Vec<usize> {
        let mut alone = vec![0; self.problem.groups.len()];
        for result in self.results.iter().filter(|result| !result.by_limit()) {
            let mut groups: Vec<usize> = result.kills.iter().map(|(case, _)| self.cases[*case].group).collect();
            groups.dedup();
            if let [group] = groups[..] {
                alone[group] += 1;
            }
        }
        alone
    }

    /// Returns, for each group, the number of tests that kill at least one mutant that no other test kills. Mutants
    /// that exceeded a limit are ignored, since they were not run on all tests.
    fn needed(&self) -> Vec<usize> {
        let only =
            self.results.iter().filter(|result| !result.by_limit()).filter_map(|result| match result.kills[..] {
                [(case, _)] => Some(case),
                _ => None,
            });
        let mut cases: Vec<usize> = only.collect();
        cases.sort_unstable();
        cases.dedup();
        let mut needed = vec![0; self.problem.groups.len()];
        cases.into_iter().for_each(|case| needed[self.cases[case].group] += 1);
        needed
    }

    /// Returns the check with all results.
    pub(super) fn check(&self) -> Check {
        let (killed, strength) = (self.killed(), self.strength());
        let killable = self.survivors.iter().filter(|survivor| survivor.is_killable()).count();
        let equivalent = self.survivors.len() - killable;
        let same = self.survivors.iter().filter(|survivor| survivor.proved()).count();
        let status = match self.results.len() {
            0 => Status::Skip,
            _ if strength >= ENOUGH => Status::Pass,
            _ => Status::Fail,
        };
        let mut detail = format!("{strength:.1} %: {killed} of {} mutants killed", killed + killable);
        if equivalent > 0 {
            let _ = write!(detail, "; {} probably equivalent", counted(equivalent, "more is", "more are"));
        }
        let by_limit = self.results.iter().filter(|result| result.by_limit()).count();
        Check::new("strength", status, detail)
            .with("solution", self.name)
            .with("mutants", self.found)
            .with("unviable", self.unviable)
            .with("killed", killed)
            .with("killed_by_limits", by_limit)
            .with("survived", killable)
            .with("equivalent", equivalent)
            .with("proved_equivalent", same)
            .with("strength", (strength * 10.0).round() / 10.0)
            .with("compilations", self.compilations)
            .with("survivors", self.survivors.iter().map(|survivor| self.survivor_json(survivor)).collect::<Vec<_>>())
            .with("groups", self.groups_json())
            .with("killers", self.first())
            .with("unreached", self.unreached.clone())
            .with_notes(self.notes())
    }

    fn survivor_json(&self, survivor: &Survivor<'_>) -> Value {
        let Survivor { mutant, reason } = survivor;
        let mut object = json!({
            "id": mutant.id,
            "operator": mutant.operator.name(),
            "line": mutant.line,
            "column": mutant.column,
            "change": mutant.change(self.source),
            "diff": mutant.diff(self.source),
        });
        match reason {
            SurvivalReason::Equivalent => object["equivalent"] = json!("proved"),
            SurvivalReason::Searched(KillSearchResult::Nothing { tried, all }) => {
                object["equivalent"] = json!(if *all { "proved" } else { "probably" });
                object["tried"] = json!(tried);
            }
            SurvivalReason::Searched(KillSearchResult::Found { input, verdict }) => {
                object["killed_by"] = json!(String::from_utf8_lossy(input));
                object["verdict"] = json!(verdict.short());
            }
        }
        object
    }

    fn groups_json(&self) -> Vec<Value> {
        let figures = self.alone().into_iter().zip(self.needed());
        let groups = self.problem.groups.iter().zip(figures);
        groups
            .map(|(group, (alone, needed))| {
                json!({ "group": group.name, "cases": group.count(), "kills_alone": alone, "cases_needed": needed })
            })
            .collect()
    }

    fn notes(&self) -> String {
        let mut notes = format!(
            "{} of {}: {} not compile; built in {}\n",
            counted(self.found, "mutant", "mutants"),
            self.name,
            counted(self.unviable, "does", "do"),
            counted(self.compilations, "compilation", "compilations")
        );
        let (killable, equal): (Vec<_>, Vec<_>) = self.survivors.iter().partition(|survivor| survivor.is_killable());
        for survivor in &killable {
            self.survivor(&mut notes, survivor);
        }
        for survivor in &equal {
            self.survivor(&mut notes, survivor);
        }
        self.tests(&mut notes);
        if !self.unreached.is_empty() {
            let _ = writeln!(notes, "bounds that no test reaches: {}", self.unreached.join(", "));
        }
        notes
    }

    fn survivor(&self, notes: &mut String, survivor: &Survivor<'_>) {
        let mutant = survivor.mutant;
        let why = match &survivor.reason {
            SurvivalReason::Equivalent => {
                "the mutant is equivalent, because it compiles to the same program".to_owned()
            }
            SurvivalReason::Searched(KillSearchResult::Nothing { tried, all: true }) => {
                format!("the mutant is equivalent, because it is correct on every possible input ({tried} tried)")
            }
            SurvivalReason::Searched(KillSearchResult::Nothing { tried, all: false }) => {
                format!("the mutant is probably equivalent, because no input that kills it was found ({tried} tried)")
            }
            SurvivalReason::Searched(KillSearchResult::Found { input, verdict }) => {
                format!("{}: {}", killed_by(*verdict), shown(input))
            }
        };
        let mark = if survivor.is_killable() { "SURVIVES" } else { "lives" };
        let place = format!("{}:{}:{}", self.name, mutant.line, mutant.column);
        let _ = writeln!(notes, "{mark} {place} {}: {}", mutant.operator.name(), why);
        for line in mutant.diff(self.source).lines().filter(|line| !line.starts_with("@@")) {
            let _ = writeln!(notes, "    {line}");
        }
    }

    fn tests(&self, notes: &mut String) {
        let (alone, needed) = (self.alone(), self.needed());
        let spare = self.cases.len() - needed.iter().sum::<usize>();
        let of = self.cases.len();
        let _ = writeln!(
            notes,
            "redundant tests, which kill only mutants that other tests kill too or that exceed a limit: {spare} of \
             {of}{}",
            self.spared(&needed)
        );
        let groups = self.problem.groups.iter().zip(&alone);
        let (some, none): (Vec<_>, Vec<_>) = groups.partition(|(_, count)| **count > 0);
        let some: Vec<String> = some.iter().map(|(group, count)| format!("{} {count}", group.name)).collect();
        let none: Vec<&str> = none.iter().map(|(group, _)| group.name.as_str()).collect();
        if !some.is_empty() {
            let _ = writeln!(notes, "mutants killed by only one group: {}", some.join(", "));
        }
        if !none.is_empty() {
            let _ = writeln!(
                notes,
                "redundant groups, which kill only mutants that other groups kill too: {}",
                none.join(", ")
            );
        }
        let first = self.first();
        if !first.is_empty() {
            let _ = writeln!(notes, "subset of the tests that kills the same mutants: {}", first.join(", "));
        }
    }

    /// Returns each test that was the first to kill some mutant. Together these tests kill every mutant that any test
    /// kills.
    fn first(&self) -> Vec<&str> {
        let mut first: Vec<usize> =
            self.results.iter().filter_map(|result| result.kills.first().map(|(case, _)| *case)).collect();
        first.sort_unstable();
        first.dedup();
        first.into_iter().map(|case| self.cases[case].id.as_str()).collect()
    }

    /// Describes, for each group, the number of redundant tests. A test is redundant if other tests kill every mutant
    /// that it kills.
    fn spared(&self, needed: &[usize]) -> String {
        let groups = self.problem.groups.iter().zip(needed);
        let parts: Vec<String> = groups
            .filter(|(group, needed)| group.count() > **needed)
            .map(|(group, needed)| format!("{} {} of {}", group.name, group.count() - needed, group.count()))
            .collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }
}

fn killed_by(verdict: Verdict) -> String {
    format!("killed ({verdict}) by this input, which is not among the tests")
}

/// Formats at most [`SHOWN`] characters of an input as a quoted string on one line.
pub(super) fn shown(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let cut: String = text.chars().take(SHOWN).collect();
    let more = if cut.len() < text.len() { format!("… ({} bytes)", input.len()) } else { String::new() };
    format!("{cut:?}{more}")
}
