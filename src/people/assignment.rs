//! Assignments: what is open when, what is late, and what a student may see. Pure.

use serde::{Deserialize, Serialize};

use crate::model::{Diagnostic, ProblemId};

use super::account::checked_name;

/// Maximum number of problems of an assignment.
const MOST_PROBLEMS: usize = 200;

/// What happens with programs that are submitted after the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LateRule {
    /// They are refused.
    #[default]
    Refuse,
    /// They are judged and marked as late.
    Accept,
}

/// What students see of the cases that are not samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackLevel {
    /// The verdict, time and memory of each.
    #[default]
    Verdicts,
    /// The input, the answer and the first difference of those that failed too.
    Full,
}

/// An assignment as a teacher writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewAssignment")]
pub struct AssignmentDraft {
    /// The name.
    pub name: String,
    /// The ids of the problems.
    #[schemars(with = "Vec<String>")]
    pub problems: Vec<ProblemId>,
    /// The start, in milliseconds since 1970.
    pub start: i64,
    /// The end, in milliseconds since 1970.
    pub end: i64,
    /// What happens after the end.
    #[serde(default)]
    pub late: LateRule,
    /// What students see.
    #[serde(default)]
    pub feedback: FeedbackLevel,
}

impl AssignmentDraft {
    /// Checks the values, and removes repeated problems.
    ///
    /// # Errors
    /// Fails if the name is empty, if there is no problem or too many, or if it ends before it starts.
    pub fn checked(mut self) -> Result<AssignmentDraft, Diagnostic> {
        self.name = checked_name(&self.name)?;
        let mut seen = std::collections::HashSet::new();
        self.problems.retain(|problem| seen.insert(problem.clone()));
        if self.problems.is_empty() || self.problems.len() > MOST_PROBLEMS {
            return Err(Diagnostic::new(format!("the assignment has {} problems", self.problems.len()))
                .help(format!("choose 1 to {MOST_PROBLEMS} problems")));
        }
        if self.end <= self.start {
            return Err(Diagnostic::new("the assignment ends before it starts").help("choose a later end"));
        }
        Ok(self)
    }
}

/// An assignment of the class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Assignment {
    /// The id: 32 hexadecimal digits.
    pub id: String,
    /// What the teacher wrote.
    #[serde(flatten)]
    pub draft: AssignmentDraft,
}

/// The part of its life in which an assignment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AssignmentPhase {
    /// It has not started: students do not see it.
    Upcoming,
    /// Students work on it.
    Open,
    /// It has ended.
    Ended,
}

impl Assignment {
    /// The phase at this time. The start belongs to the assignment, the end does not.
    pub fn phase(&self, now: i64) -> AssignmentPhase {
        if now < self.draft.start {
            AssignmentPhase::Upcoming
        } else if now < self.draft.end {
            AssignmentPhase::Open
        } else {
            AssignmentPhase::Ended
        }
    }

    /// Whether the assignment has this problem.
    pub fn has(&self, problem: &str) -> bool {
        self.draft.problems.iter().any(|own| own.as_str() == problem)
    }
}

/// Whether a student may submit a program for a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// No assignment that started has the problem.
    Practice,
    /// For an open assignment.
    OnTime,
    /// For an assignment that has ended and accepts late programs.
    Late,
    /// The assignment of this name has ended and refuses late programs.
    Ended(String),
}

/// Decides whether a student may submit a program for a problem now. An open assignment counts before one that accepts late
/// programs, and that before one that refuses them.
pub fn admission<'a>(assignments: impl IntoIterator<Item = &'a Assignment>, problem: &str, now: i64) -> Admission {
    let mut found = Admission::Practice;
    for assignment in assignments.into_iter().filter(|assignment| assignment.has(problem)) {
        match (assignment.phase(now), assignment.draft.late) {
            (AssignmentPhase::Upcoming, _) => {}
            (AssignmentPhase::Open, _) => return Admission::OnTime,
            (AssignmentPhase::Ended, LateRule::Accept) => found = Admission::Late,
            (AssignmentPhase::Ended, LateRule::Refuse) if found == Admission::Practice => {
                found = Admission::Ended(assignment.draft.name.clone());
            }
            (AssignmentPhase::Ended, LateRule::Refuse) => {}
        }
    }
    found
}

/// What a student sees of the hidden cases of a problem: everything only if each started assignment with this problem says
/// so, and there is one.
pub fn feedback<'a>(assignments: impl IntoIterator<Item = &'a Assignment>, problem: &str, now: i64) -> FeedbackLevel {
    let started =
        |assignment: &&Assignment| assignment.has(problem) && assignment.phase(now) != AssignmentPhase::Upcoming;
    let mut found = assignments.into_iter().filter(started).peekable();
    if found.peek().is_some() && found.all(|assignment| assignment.draft.feedback == FeedbackLevel::Full) {
        FeedbackLevel::Full
    } else {
        FeedbackLevel::Verdicts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assignment(name: &str, (start, end): (i64, i64), late: LateRule, feedback: FeedbackLevel) -> Assignment {
        let problems = vec!["sum".parse().unwrap()];
        let draft = AssignmentDraft { name: name.to_owned(), problems, start, end, late, feedback };
        Assignment { id: name.to_owned(), draft: draft.checked().unwrap() }
    }

    #[test]
    fn the_start_is_inside_and_the_end_outside() {
        let one = assignment("a", (10, 20), LateRule::Refuse, FeedbackLevel::Full);
        let phases = [9, 10, 19, 20].map(|now| one.phase(now));
        use AssignmentPhase::{Ended, Open, Upcoming};
        assert_eq!(phases, [Upcoming, Open, Open, Ended]);
    }

    #[test]
    fn late_programs_are_refused_or_marked_as_the_rule_says() {
        let refuse = assignment("strict", (10, 20), LateRule::Refuse, FeedbackLevel::Full);
        let accept = assignment("kind", (10, 30), LateRule::Accept, FeedbackLevel::Full);
        let ended = Admission::Ended("strict".to_owned());
        for (now, strict, kind, both) in [
            (5, Admission::Practice, Admission::Practice, Admission::Practice),
            (15, Admission::OnTime, Admission::OnTime, Admission::OnTime),
            (25, ended.clone(), Admission::OnTime, Admission::OnTime),
            (35, ended, Admission::Late, Admission::Late),
        ] {
            assert_eq!(admission([&refuse], "sum", now), strict, "{now}");
            assert_eq!(admission([&accept], "sum", now), kind, "{now}");
            assert_eq!(admission([&refuse, &accept], "sum", now), both, "{now}");
            assert_eq!(admission([&accept, &refuse], "sum", now), both, "{now}");
        }
        assert_eq!(admission([&refuse], "other", 25), Admission::Practice);
    }

    #[test]
    fn hidden_cases_are_shown_only_if_all_started_assignments_allow_it() {
        let full = assignment("full", (10, 20), LateRule::Refuse, FeedbackLevel::Full);
        let verdicts = assignment("verdicts", (15, 30), LateRule::Refuse, FeedbackLevel::Verdicts);
        assert_eq!(feedback([], "sum", 12), FeedbackLevel::Verdicts);
        assert_eq!(feedback([&full], "sum", 5), FeedbackLevel::Verdicts, "it has not started");
        assert_eq!(feedback([&full, &verdicts], "sum", 12), FeedbackLevel::Full);
        assert_eq!(feedback([&full, &verdicts], "sum", 16), FeedbackLevel::Verdicts);
        assert_eq!(feedback([&full], "sum", 25), FeedbackLevel::Full, "also after its end");
        assert_eq!(feedback([&full], "other", 12), FeedbackLevel::Verdicts);
    }

    #[test]
    fn impossible_assignments_are_refused() {
        let draft = assignment("a", (1, 2), LateRule::Refuse, FeedbackLevel::Full).draft;
        assert!(AssignmentDraft { end: 1, ..draft.clone() }.checked().is_err());
        assert!(AssignmentDraft { problems: vec![], ..draft.clone() }.checked().is_err());
        assert!(AssignmentDraft { name: " ".to_owned(), ..draft.clone() }.checked().is_err());
        let twice =
            AssignmentDraft { problems: [draft.problems.clone(), draft.problems.clone()].concat(), ..draft.clone() };
        assert_eq!(twice.checked().unwrap(), draft);
    }
}
