//! Assignments: their phases, late submissions, and feedback for students.

use serde::{Deserialize, Serialize};

use crate::model::{Diagnostic, ProblemId};

use super::account::checked_name;

/// Maximum number of problems in an assignment.
const MOST_PROBLEMS: usize = 200;

/// The rule for programs that are submitted after the end of an assignment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LateRule {
    /// Late programs are refused.
    #[default]
    Refuse,
    /// Late programs are judged and marked as late.
    Accept,
}

/// The amount of feedback that students receive on cases other than samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackLevel {
    /// Students see the verdict, the time and the memory of each case.
    #[default]
    Verdicts,
    /// Students also see the input, the answer and the first difference of each failed case.
    Full,
}

/// The settings of an assignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewAssignment")]
pub struct AssignmentDraft {
    /// The name of the assignment.
    pub name: String,
    /// The ids of the problems.
    #[schemars(with = "Vec<String>")]
    pub problems: Vec<ProblemId>,
    /// The time at which the assignment starts, in milliseconds since the Unix epoch.
    pub start: i64,
    /// The time at which the assignment ends, in milliseconds since the Unix epoch.
    pub end: i64,
    /// Rule for late programs.
    #[serde(default)]
    pub late: LateRule,
    /// The amount of feedback for students.
    #[serde(default)]
    pub feedback: FeedbackLevel,
}

impl AssignmentDraft {
    /// Validates the settings, and removes duplicate problems.
    ///
    /// # Errors
    /// Fails if the name is invalid, if there are no problems or too many, or if the end is not after the start.
    pub fn checked(mut self) -> Result<AssignmentDraft, Diagnostic> {
        self.name = checked_name(&self.name)?;
        let mut seen = std::collections::HashSet::new();
        self.problems.retain(|problem| seen.insert(problem.clone()));
        match self.problems.len() {
            0 => return Err(Diagnostic::new("the assignment has no problems").help("choose at least one problem")),
            1..=MOST_PROBLEMS => {}
            found => {
                let message = format!("the assignment has {found} problems, but at most {MOST_PROBLEMS} are allowed");
                return Err(Diagnostic::new(message).help("split the assignment"));
            }
        }
        if self.end <= self.start {
            return Err(Diagnostic::new("the end of the assignment is not after its start").help("choose a later end"));
        }
        Ok(self)
    }
}

/// An assignment of the class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Assignment {
    /// The id: 32 hexadecimal digits.
    pub id: String,
    /// The settings of the assignment.
    #[serde(flatten)]
    pub draft: AssignmentDraft,
}

/// The phase of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AssignmentPhase {
    /// The assignment has not started. Students do not see it.
    Upcoming,
    /// The assignment has started and has not ended.
    Open,
    /// The assignment has ended.
    Ended,
}

impl Assignment {
    /// Returns the phase at the time `now`, in milliseconds since the Unix epoch. The start is inclusive, and the end
    /// is exclusive.
    pub fn phase(&self, now: i64) -> AssignmentPhase {
        if now < self.draft.start {
            AssignmentPhase::Upcoming
        } else if now < self.draft.end {
            AssignmentPhase::Open
        } else {
            AssignmentPhase::Ended
        }
    }

    /// Returns whether the assignment contains this problem.
    pub fn has(&self, problem: &str) -> bool {
        self.draft.problems.iter().any(|own| own.as_str() == problem)
    }
}

/// The decision on whether a student may submit a program for a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// Admitted: no started assignment contains the problem.
    Practice,
    /// Admitted for an open assignment.
    OnTime,
    /// Admitted for an assignment that has ended and accepts late programs.
    Late,
    /// Refused: the assignment with this name has ended and refuses late programs.
    Ended(String),
}

/// Decides whether a student may submit a program for a problem now. An open assignment takes precedence over an ended
/// assignment that accepts late programs, which takes precedence over an ended assignment that refuses them.
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

/// Returns the feedback on the hidden cases of a problem. It is full if at least one started assignment contains the
/// problem, and all started assignments that contain the problem allow full feedback.
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

/// Returns whether a problem is hidden from students. It is hidden if an assignment that has not started contains it,
/// and no assignment that has started contains it.
pub fn is_held_back<'a>(assignments: impl IntoIterator<Item = &'a Assignment>, problem: &str, now: i64) -> bool {
    let mut is_upcoming = false;
    for assignment in assignments.into_iter().filter(|assignment| assignment.has(problem)) {
        if assignment.phase(now) != AssignmentPhase::Upcoming {
            return false;
        }
        is_upcoming = true;
    }
    is_upcoming
}

/// Returns the open assignment that contains this problem and ends last; `None` if there is none. Until that assignment
/// ends, students receive no hints for the game of the problem.
pub fn running<'a>(
    assignments: impl IntoIterator<Item = &'a Assignment>,
    problem: &str,
    now: i64,
) -> Option<&'a Assignment> {
    let is_running =
        |assignment: &&Assignment| assignment.has(problem) && assignment.phase(now) == AssignmentPhase::Open;
    assignments.into_iter().filter(is_running).max_by_key(|assignment| assignment.draft.end)
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
        assert_eq!(feedback([&full], "sum", 5), FeedbackLevel::Verdicts, "the assignment has not started");
        assert_eq!(feedback([&full, &verdicts], "sum", 12), FeedbackLevel::Full);
        assert_eq!(feedback([&full, &verdicts], "sum", 16), FeedbackLevel::Verdicts);
        assert_eq!(feedback([&full], "sum", 25), FeedbackLevel::Full, "also after the end of the assignment");
        assert_eq!(feedback([&full], "other", 12), FeedbackLevel::Verdicts);
    }

    #[test]
    fn a_problem_is_held_back_until_the_first_of_its_assignments_starts() {
        let first = assignment("first", (10, 20), LateRule::Refuse, FeedbackLevel::Full);
        let second = assignment("second", (30, 40), LateRule::Refuse, FeedbackLevel::Full);
        assert!(!is_held_back([], "sum", 5), "no assignment contains the problem");
        assert!(is_held_back([&first], "sum", 9) && is_held_back([&second, &first], "sum", 9));
        assert!(!is_held_back([&first, &second], "sum", 10) && !is_held_back([&second, &first], "sum", 25));
        assert!(is_held_back([&second], "sum", 25));
        assert!(!is_held_back([&first], "other", 9));
    }

    #[test]
    fn an_assignment_runs_from_its_start_to_its_end() {
        let short = assignment("short", (10, 20), LateRule::Accept, FeedbackLevel::Full);
        let long = assignment("long", (15, 30), LateRule::Accept, FeedbackLevel::Full);
        let name = |problem: &str, now: i64| running([&short, &long], problem, now).map(|found| found.id.clone());
        let found = [9, 10, 17, 29, 30].map(|now| name("sum", now));
        assert_eq!(found.each_ref().map(Option::as_deref), [None, Some("short"), Some("long"), Some("long"), None]);
        assert_eq!(name("other", 17), None);
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
