//! Parses the teacher's files: manual marks and comments, and extended due dates.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::{Diagnostic, ProblemId, Score, TextRange};
use crate::yaml::{self, PathStep, Target, Unique, nearest};

use super::marks::{Extensions, Override};
use super::policy::{EXPECTED_NUMBER, Policy, points, unknown_problem};
use super::roster::composed;
use super::time;

/// Manual marks and comments for one student.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByHand {
    /// Manual marks and comments by problem, which is an index into the list of problems.
    pub problems: BTreeMap<usize, Override>,
    /// Points in the order of the rubric; `None` for a criterion without points.
    pub rubric: Vec<Option<Score>>,
    /// Comment for the student; `None` if there is none.
    pub comment: Option<String>,
}

/// Manual marks and comments, by student.
pub type Overlay = BTreeMap<String, ByHand>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOverride {
    mark: Option<yaml::Value>,
    comment: Option<String>,
}

/// Message for a value that is not a map with the keys of [`WrittenOverride`].
const EXPECTED_OVERRIDE: &str =
    "expected a map with a `mark`, a `comment` string, or both, as in `{ mark: 80, comment: \"why\" }`";

/// Parses `student: { problem: { mark, comment }, rubric-name: points, comment: … }`.
///
/// # Errors
/// Returns a diagnostic with the position of the first error.
pub fn overlay(origin: &str, text: &str, problems: &[ProblemId], policy: &Policy) -> Result<Overlay, Diagnostic> {
    let written: Unique<Unique<yaml::Value>> =
        if text.trim().is_empty() { Unique::default() } else { yaml::parse(origin, text)? };
    let complain = |path: &[PathStep], target: Target, message: &str| {
        let place = yaml::place(text, path, target).unwrap_or(TextRange { start: 0, end: 0 });
        Diagnostic::new(message).at(origin, text, place)
    };
    let mut found = Overlay::new();
    for (student, entries) in written.iter() {
        let mut by_hand = ByHand { rubric: vec![None; policy.rubric.len()], ..ByHand::default() };
        for (key, value) in entries.iter() {
            let path: [PathStep; 2] = [student.as_str().into(), key.as_str().into()];
            let wrong = |message: &str| complain(&path, Target::Value, message);
            if key == "comment" {
                by_hand.comment = Some(
                    value
                        .as_str()
                        .ok_or_else(|| wrong("expected a string as the comment, such as `\"see line 3\"`"))?
                        .to_owned(),
                );
            } else if let Some(index) = policy.rubric.iter().position(|(name, _)| name == key) {
                let most = policy.rubric[index].1;
                let given = points(value).ok_or_else(|| wrong(EXPECTED_NUMBER))?;
                if given > most {
                    return Err(wrong(&format!("expected at most {most} points for `{key}`, found {given}")));
                }
                by_hand.rubric[index] = Some(given);
            } else if let Some(index) = problems.iter().position(|id| id.as_str() == key) {
                let written: WrittenOverride =
                    WrittenOverride::deserialize(value.clone()).map_err(|_| wrong(EXPECTED_OVERRIDE))?;
                let of_mark: [PathStep; 3] = [student.as_str().into(), key.as_str().into(), "mark".into()];
                let mark = written
                    .mark
                    .as_ref()
                    .map(|mark| points(mark).ok_or_else(|| complain(&of_mark, Target::Value, EXPECTED_NUMBER)));
                by_hand.problems.insert(index, Override { mark: mark.transpose()?, comment: written.comment });
            } else {
                let known = problems.iter().map(ProblemId::as_str);
                let known: Vec<&str> =
                    known.chain(policy.rubric.iter().map(|(name, _)| name.as_str())).chain(["comment"]).collect();
                let wrong = complain(
                    &path,
                    Target::Key,
                    &format!("`{key}` is neither a graded problem nor a criterion in the rubric"),
                );
                return Err(match nearest(key, known.iter().copied()) {
                    Some(near) => wrong.help(format!("did you mean `{near}`?")),
                    None => wrong.help(format!("expected one of: `{}`", known.join("`, `"))),
                });
            }
        }
        found.insert(composed(student), by_hand);
    }
    Ok(found)
}

/// Parses extended due dates: `student,problem,until`. A row without a problem applies to all problems.
///
/// # Errors
/// Returns a diagnostic that points to the first invalid line.
pub fn extensions(origin: &str, text: &str, problems: &[ProblemId]) -> Result<Extensions, Diagnostic> {
    let text = text.trim_start_matches('\u{feff}');
    let complain = |line: u64, message: String| {
        let line = usize::try_from(line.saturating_sub(1)).unwrap_or(0);
        let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let end = start + text[start..].lines().next().unwrap_or("").len();
        Diagnostic::new(message).at(origin, text, TextRange { start, end })
    };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| complain(1, error.to_string()))?.clone();
    let column = |name: &str| header.iter().position(|known| known.eq_ignore_ascii_case(name));
    let required = |name: &str| {
        column(name).ok_or_else(|| {
            complain(1, format!("missing column `{name}`"))
                .help("expected the columns `student` and `until`, and optionally `problem`")
        })
    };
    let (student, until) = (required("student")?, required("until")?);
    let mut found = Extensions::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| complain(error.position().map_or(1, csv::Position::line), error.to_string()))?;
        let line = record.position().map_or(1, csv::Position::line);
        let cell = |column: usize| record.get(column).unwrap_or("");
        let name = column("problem").map(cell).unwrap_or("");
        let problem = match name.is_empty() {
            true => None,
            false => Some(
                problems
                    .iter()
                    .position(|id| id.as_str() == name)
                    .ok_or_else(|| unknown_problem(|message| complain(line, message), name, problems))?,
            ),
        };
        let until = time::parse(cell(until)).ok_or_else(|| {
            complain(line, format!("`{}` is not a time; expected a time such as `2026-03-01T23:59:00Z`", cell(until)))
        })?;
        found.insert((composed(cell(student)), problem), until);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems() -> [ProblemId; 2] {
        ["classic-nim", "split-nim"].map(|id| id.parse().unwrap())
    }

    fn policy() -> Policy {
        Policy { rubric: vec![("style".to_owned(), Score::points(10))], ..Policy::plain(2) }
    }

    #[test]
    fn manual_marks_are_parsed() {
        let text = "ann:\n  classic-nim: { mark: 80.5, comment: hard-coded }\n  style: 8\n  comment: Well done.\n";
        let overlay = overlay("hand.yaml", text, &problems(), &policy()).unwrap();
        let ann = &overlay["ann"];
        assert_eq!(ann.problems[&0].mark, Some(Score::thousandths(80_500)));
        assert_eq!((ann.rubric[0], ann.comment.as_deref()), (Some(Score::points(8)), Some("Well done.")));
        let wrong = |text: &str| super::overlay("hand.yaml", text, &problems(), &policy()).unwrap_err();
        assert_eq!(wrong("ann: { clasic-nim: { mark: 1 } }\n").help.unwrap(), "did you mean `classic-nim`?");
        assert!(wrong("ann: { style: 11 }\n").message.contains("at most 10"));
        assert!(wrong("ann: { split-nim: 80 }\n").message.contains("mark"));
    }

    #[test]
    fn extensions_are_parsed() {
        let found =
            extensions("x.csv", "student,problem,until\nann,split-nim,1970-01-02\nbob,,1970-01-03\n", &problems());
        let found = found.unwrap();
        assert_eq!(found[&("ann".to_owned(), Some(1))], 86_400);
        assert_eq!(found[&("bob".to_owned(), None)], 172_800);
        let wrong = extensions("x.csv", "student,until\nann,soon\n", &problems()).unwrap_err();
        assert_eq!(wrong.line_and_column(), Some((2, 1)));
    }
}
