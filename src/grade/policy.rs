//! The grading policy, which determines how results become marks, read from a YAML file.

use serde::Deserialize;

use crate::model::{Diagnostic, ProblemId, Score, TextRange, TimeSpan};
use crate::runner::JudgeOptions;
use crate::yaml::{self, PathStep, Target, Unique, nearest};

use super::time;

/// Rule that selects the attempt that counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The attempt with the best mark after deductions for lateness; if several attempts have this mark, the newest.
    Best,
    /// The newest attempt.
    #[default]
    Last,
    /// The best attempt up to the due date, or the newest attempt if all are late.
    BestBeforeDue,
}

impl std::str::FromStr for Select {
    type Err = String;

    fn from_str(text: &str) -> Result<Select, String> {
        match text {
            "best" => Ok(Select::Best),
            "last" => Ok(Select::Last),
            "best-before-due" => Ok(Select::BestBeforeDue),
            _ => Err("expected `best`, `last` or `best-before-due`".to_owned()),
        }
    }
}

/// The information that a student sees about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackPolicy {
    /// Input, answer, output and their difference.
    Full,
    /// The verdict and the kind of failure, without test data.
    Hint,
    /// Only the verdict.
    Verdict,
    /// Only the result of the group.
    None,
}

/// Deductions for late submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Late {
    /// Maximum lateness that causes no deduction.
    pub grace: TimeSpan,
    /// Length of a late step. A step that has started counts as a full step.
    pub per: TimeSpan,
    /// Percentage deducted for each step.
    pub off: u32,
    /// Maximum percentage deducted.
    pub cap: u32,
    /// Number of late steps, over all problems, that each student may use without a deduction.
    pub bank: u64,
}

/// Settings for the mark on a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkingScheme {
    /// Maximum mark; `None` if it is the maximum score of the problem.
    pub points: Option<Score>,
    /// Weight of the mark in the total.
    pub weight: Score,
    /// Due date, in seconds since the Unix epoch; `None` if there is none.
    pub due: Option<i64>,
}

/// A grading policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Rule that selects the attempt that counts.
    pub select: Select,
    /// Whether a program with a score of 0 receives points in proportion to its accepted cases.
    pub partial: bool,
    /// Deductions for late submissions.
    pub late: Option<Late>,
    /// Settings of each problem, in the order of the problems.
    pub problems: Vec<MarkingScheme>,
    /// Names and maximum points of manually marked criteria.
    pub rubric: Vec<(String, Score)>,
    /// Names of groups, and their feedback levels.
    pub feedback: Vec<(String, FeedbackPolicy)>,
    /// Feedback level of the groups that `feedback` does not name.
    pub otherwise: FeedbackPolicy,
}

impl Policy {
    /// Returns the options for judging submissions. If `all_cases` is true, cases that cannot change the marks are also
    /// run.
    pub fn judge_options(&self, all_cases: bool) -> JudgeOptions {
        let skips = !all_cases && !self.partial;
        JudgeOptions { stop_groups: skips, skip_certain: skips, ..JudgeOptions::default() }
    }

    /// Returns the default policy: marks are the points of the last attempt, and all problems have the same weight.
    pub fn plain(problems: usize) -> Policy {
        let worth = MarkingScheme { points: None, weight: Score::points(1), due: None };
        Policy {
            select: Select::Last,
            partial: false,
            late: None,
            problems: vec![worth; problems],
            rubric: Vec::new(),
            feedback: vec![("sample".to_owned(), FeedbackPolicy::Full)],
            otherwise: FeedbackPolicy::Verdict,
        }
    }

    /// Returns the feedback level of a group.
    pub fn sees(&self, group: &str) -> FeedbackPolicy {
        self.feedback.iter().find(|(name, _)| name == group).map_or(self.otherwise, |(_, feedback)| *feedback)
    }
}

/// The contents of a policy file, before validation.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a map with keys such as `select`, `late` and `problems`")]
struct PolicyFile {
    #[serde(default)]
    select: Select,
    #[serde(default)]
    partial: bool,
    due: Option<String>,
    late: Option<WrittenLate>,
    #[serde(default)]
    problems: Unique<WrittenWorth>,
    #[serde(default)]
    rubric: Unique<yaml::Value>,
    #[serde(default)]
    feedback: Unique<FeedbackPolicy>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a map such as `{ grace: 10min, off: 10 }`")]
struct WrittenLate {
    #[serde(default)]
    grace: TimeSpan,
    #[serde(default = "day")]
    per: String,
    off: u32,
    #[serde(default = "all")]
    cap: u32,
    #[serde(default)]
    bank: u64,
}

fn day() -> String {
    "day".to_owned()
}

fn all() -> u32 {
    100
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a map such as `{ weight: 2, points: 20 }`")]
struct WrittenWorth {
    points: Option<yaml::Value>,
    weight: Option<yaml::Value>,
    due: Option<String>,
}

/// The message for a value that is not a number of points.
pub const EXPECTED_NUMBER: &str = "expected a non-negative number with at most three decimal places, such as 8 or 7.5";

/// Creates the diagnostic for a name that does not refer to a graded problem. `complain` creates a diagnostic from a
/// message.
pub(super) fn unknown_problem(
    complain: impl FnOnce(String) -> Diagnostic,
    name: &str,
    problems: &[ProblemId],
) -> Diagnostic {
    let known = || problems.iter().map(ProblemId::as_str);
    let wrong = complain(format!("`{name}` is not one of the graded problems"));
    match nearest(name, known()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("expected one of: `{}`", known().collect::<Vec<_>>().join("`, `"))),
    }
}

/// Parses a number of points from YAML, such as `12` or `1.5`. Returns `None` for other values.
pub(super) fn points(value: &yaml::Value) -> Option<Score> {
    match value {
        yaml::Value::Number(number) => decimal(&number.to_string()),
        yaml::Value::String(text) => decimal(text),
        _ => None,
    }
}

/// Parses a decimal number such as `12` or `12.345` exactly. Returns `None` for other strings.
pub fn decimal(text: &str) -> Option<Score> {
    serde_json::from_value(serde_json::Value::String(text.trim().to_owned())).ok()
}

impl Policy {
    /// Parses a policy file.
    ///
    /// # Errors
    /// Returns a diagnostic with the position of the first error.
    pub fn parse(origin: &str, text: &str, problems: &[ProblemId]) -> Result<Policy, Diagnostic> {
        let written: PolicyFile =
            if text.trim().is_empty() { PolicyFile::default() } else { yaml::parse(origin, text)? };
        let complain = |path: &[PathStep], target: Target, message: String| {
            let place = yaml::place(text, path, target).unwrap_or(TextRange { start: 0, end: 0 });
            Diagnostic::new(message).at(origin, text, place)
        };
        let moment = |path: &[PathStep], text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => time::parse(text).map(Some).ok_or_else(|| {
                complain(
                    path,
                    Target::Value,
                    format!("`{text}` is not a time; expected a time such as `2026-03-01T23:59:00Z`"),
                )
            }),
        };
        let number = |path: &[PathStep], value: &yaml::Value| {
            points(value).ok_or_else(|| complain(path, Target::Value, EXPECTED_NUMBER.to_owned()))
        };
        for name in written.problems.keys() {
            if !problems.iter().any(|id| id.as_str() == name) {
                let path: [PathStep; 2] = ["problems".into(), name.as_str().into()];
                return Err(unknown_problem(|message| complain(&path, Target::Key, message), name, problems));
            }
        }
        let due = moment(&["due".into()], &written.due)?;
        let mut worths = Vec::new();
        for id in problems {
            let path = |key: &str| ["problems".into(), id.as_str().into(), key.into()];
            let own = written.problems.get(id.as_str());
            let asked =
                |key: &str, value: Option<&yaml::Value>| value.map(|value| number(&path(key), value)).transpose();
            worths.push(MarkingScheme {
                points: asked("points", own.and_then(|own| own.points.as_ref()))?,
                weight: asked("weight", own.and_then(|own| own.weight.as_ref()))?.unwrap_or(Score::points(1)),
                due: match own.map(|own| moment(&path("due"), &own.due)).transpose()?.flatten() {
                    Some(own) => Some(own),
                    None => due,
                },
            });
        }
        let late = written.late.map(|late| {
            let at = |key: &str| ["late".into(), key.into()];
            let per = match late.per.as_str() {
                "day" => Some(TimeSpan::seconds(86_400)),
                "hour" => Some(TimeSpan::seconds(3_600)),
                other => other.parse().ok().filter(|per| *per > TimeSpan::ZERO),
            };
            let per = per.ok_or_else(|| {
                complain(
                    &at("per"),
                    Target::Value,
                    format!(
                        "`{}` is not a valid interval for late deductions; expected `day`, `hour` or a positive \
                         duration such as `30min`",
                        late.per
                    ),
                )
            })?;
            for (key, percent) in [("off", late.off), ("cap", late.cap)] {
                if percent > 100 {
                    let message = format!("expected a percentage of at most 100, found {percent}");
                    return Err(complain(&at(key), Target::Value, message));
                }
            }
            Ok(Late { grace: late.grace, per, off: late.off, cap: late.cap, bank: late.bank })
        });
        let rubric = written.rubric.iter().map(|(name, value)| {
            let most = number(&["rubric".into(), name.as_str().into()], value)?;
            Ok((name.clone(), most))
        });
        let plain = Policy::plain(0);
        let mut feedback: Vec<_> = written.feedback.iter().map(|(name, level)| (name.clone(), *level)).collect();
        let otherwise =
            feedback.iter().find(|(name, _)| name == "default").map_or(plain.otherwise, |(_, level)| *level);
        feedback.extend(plain.feedback);
        Ok(Policy {
            select: written.select,
            partial: written.partial,
            late: late.transpose()?,
            problems: worths,
            rubric: rubric.collect::<Result<_, Diagnostic>>()?,
            feedback,
            otherwise,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Policy, Diagnostic> {
        Policy::parse("marks.yaml", text, &["classic-nim", "split-nim"].map(|id| id.parse().unwrap()))
    }

    #[test]
    fn full_policy_is_parsed() {
        let policy = parse(
            "select: best-before-due\npartial: true\ndue: 2026-03-01T23:59:00Z\n\
             late: { grace: 10min, off: 10, cap: 50, bank: 2 }\n\
             problems:\n  split-nim: { weight: 1.5, points: 20, due: 2026-03-08 }\n\
             rubric: { style: 10 }\nfeedback: { default: hint, large: none }\n",
        )
        .unwrap();
        assert_eq!(policy.select, Select::BestBeforeDue);
        assert_eq!(policy.problems[0].weight, Score::points(1));
        assert_eq!(policy.problems[1].weight, Score::thousandths(1_500));
        assert_eq!(policy.problems[1].due.unwrap() - policy.problems[0].due.unwrap(), 6 * 86_400 + 60);
        assert_eq!(policy.late.unwrap().per, TimeSpan::seconds(86_400));
        assert_eq!([policy.sees("sample"), policy.sees("large")], [FeedbackPolicy::Full, FeedbackPolicy::None]);
        assert_eq!(policy.sees("tiny"), FeedbackPolicy::Hint);
        assert_eq!(parse("").unwrap(), Policy::plain(2));
    }

    #[test]
    fn errors_have_positions() {
        let wrong = |text: &str| {
            let complaint = parse(text).unwrap_err();
            let marked = complaint.place.map(|place| complaint.text[place.start..place.end].to_owned());
            (marked.unwrap_or_default(), complaint.help.unwrap_or_default())
        };
        assert_eq!(wrong("due: soon\n").0, "soon");
        assert_eq!(
            wrong("problems: { split-nym: { weight: 1 } }\n"),
            ("split-nym".into(), "did you mean `split-nim`?".into())
        );
        assert_eq!(wrong("problems: { split-nim: { weight: -1 } }\n").0, "-1");
        assert_eq!(wrong("late: { off: 110 }\n").0, "110");
        assert_eq!(wrong("late: { off: 10, per: fortnight }\n").0, "fortnight");
        assert_eq!(wrong("selct: best\n").1, "did you mean `select`?");
    }
}
