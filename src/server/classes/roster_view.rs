//! The view of the roster of a class, and corrections to the roster.

use std::collections::BTreeMap;

use crate::grade::gradebook::wanted;
use crate::grade::roster::{RosterCorrection, composed};
use crate::model::{Diagnostic, ProblemId};
use crate::unzip::name::misleading_character;

use super::class_settings::known_problem;
use super::class_state::GradedClassState;
use super::class_views::{ClaimView, LeftView, RosterCorrectionJson, RosterView};

/// Maximum length of a student's name, in bytes.
const MAX_NAME: usize = 200;

/// Returns the view of the corrected roster, which is shown on the teacher's page.
pub(super) fn roster_view(state: &GradedClassState) -> RosterView {
    let (roster, files) = (&state.enrolled.roster, &state.enrolled.files);
    let corrections = &state.settings.corrections;
    let rules = state.settings.rules.marking(&state.settings.ids(), &[]);
    let counts = rules.map_or_else(|_| vec![true; roster.claims.len()], |rules| wanted(roster, &rules));
    let claims = roster.claims.iter().zip(counts).map(|(claim, counts)| ClaimView {
        path: claim.path.clone(),
        student: claim.student.clone(),
        problem: state.settings.problems[claim.problem].0.clone(),
        files: claim.files.iter().map(|&file| files[file].path.clone()).collect(),
        attempt: claim.attempt,
        counts,
        guesses: claim.guesses.clone(),
        corrected: corrections.contains_key(&claim.path),
    });
    let left = roster.left.iter().map(|left| LeftView {
        path: left.path.clone(),
        reason: left.reason.clone(),
        corrected: corrections.contains_key(&left.path),
    });
    RosterView {
        layout: roster.layout.clone(),
        claims: claims.collect(),
        students: roster.students.iter().cloned().collect(),
        left: left.collect(),
    }
}

/// Merges new corrections into the earlier corrections.
///
/// # Errors
/// Fails if a problem is unknown, the name of a student is invalid, or a correction is empty.
pub(super) fn with_corrections(
    mut all: BTreeMap<String, RosterCorrection>,
    new: &[RosterCorrectionJson],
    problems: &[ProblemId],
) -> Result<BTreeMap<String, RosterCorrection>, Diagnostic> {
    for correction in new {
        if correction.reset {
            all.remove(&correction.path);
            continue;
        }
        let student = correction.student.as_deref().map(student_name).transpose()?;
        let problem = correction.problem.as_deref().map(|id| known_problem(problems, id)).transpose()?;
        if student.is_none() && problem.is_none() && !correction.leave_out {
            let message = format!("the correction for `{}` is empty", correction.path);
            return Err(Diagnostic::new(message).help("specify `student`, `problem`, `leave_out` or `reset`"));
        }
        let before = all.remove(&correction.path).unwrap_or_default();
        all.insert(
            correction.path.clone(),
            RosterCorrection {
                student: student.or(before.student),
                problem: problem.or(before.problem),
                leave_out: correction.leave_out,
            },
        );
    }
    Ok(all)
}

fn student_name(name: &str) -> Result<String, Diagnostic> {
    let name = composed(name.trim());
    let length = name.len();
    let problem = if let Some(character) = misleading_character(&name) {
        format!("the name of the student contains {character}; remove it")
    } else if name.is_empty() {
        "the name of the student is empty".to_owned()
    } else if length > MAX_NAME {
        format!("the name of the student has {length} bytes, but at most {MAX_NAME} are allowed")
    } else {
        return Ok(name);
    };
    Err(Diagnostic::new(problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(path: &str) -> RosterCorrectionJson {
        RosterCorrectionJson { path: path.to_owned(), ..RosterCorrectionJson::default() }
    }

    #[test]
    fn corrections_of_a_path_add_up_until_they_are_reset() {
        let problems = ["nim", "sum"].map(|id| id.parse().unwrap());
        let student = RosterCorrectionJson { student: Some(" Zoe\u{308} ".to_owned()), ..given("a.py") };
        let problem = RosterCorrectionJson { problem: Some("sum".to_owned()), ..given("a.py") };
        let all = with_corrections(BTreeMap::new(), &[student, problem], &problems).unwrap();
        let expected = RosterCorrection { student: Some("Zoë".to_owned()), problem: Some(1), leave_out: false };
        assert_eq!(all["a.py"], expected);
        let reset = RosterCorrectionJson { reset: true, ..given("a.py") };
        assert!(with_corrections(all, &[reset], &problems).unwrap().is_empty());
        let wrong = |correction| with_corrections(BTreeMap::new(), &[correction], &problems).unwrap_err();
        assert!(wrong(given("a.py")).message.contains("is empty"));
        let unknown = RosterCorrectionJson { problem: Some("sun".to_owned()), ..given("a.py") };
        assert_eq!(wrong(unknown).help.unwrap(), "expected one of: nim, sum");
        let nobody = RosterCorrectionJson { student: Some("\u{7}".to_owned()), ..given("a.py") };
        assert!(wrong(nobody).message.contains("name"));
    }
}
