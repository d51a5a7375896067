//! How marks are made of results, as a person writes it: `marks.yaml`.

use serde::Deserialize;

use crate::model::{Diagnostic, ProblemId, Score, TextRange, TimeSpan};
use crate::yaml::{self, Step, Target, Unique, nearest};

use super::time;

/// Which of several attempts counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The one with the best mark, after what lateness takes off; of equal ones the newest.
    Best,
    /// The newest.
    #[default]
    Last,
    /// The best of those in time; if none is, the newest.
    BestBeforeDue,
}

impl std::str::FromStr for Select {
    type Err = String;

    fn from_str(text: &str) -> Result<Select, String> {
        match text {
            "best" => Ok(Select::Best),
            "last" => Ok(Select::Last),
            "best-before-due" => Ok(Select::BestBeforeDue),
            _ => Err("write best, last or best-before-due".to_owned()),
        }
    }
}

/// What a student may see of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feedback {
    /// Everything: input, answer, output and their differences.
    Full,
    /// The verdict and how the program failed, without the data.
    Hint,
    /// The verdict.
    Verdict,
    /// Only what its group came to.
    None,
}

/// Points off for lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Late {
    /// Lateness up to this counts as none.
    pub grace: TimeSpan,
    /// The length of a step; a step that has begun counts.
    pub per: TimeSpan,
    /// Percent off for each step.
    pub off: u32,
    /// The most percent off.
    pub cap: u32,
    /// How many steps each student has free, over all problems.
    pub bank: u64,
}

/// How a problem's results become marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worth {
    /// The most that can be had, in place of the problem's own points.
    pub points: Option<Score>,
    /// What its mark is multiplied with in the total.
    pub weight: Score,
    /// When it is due, in seconds since 1970.
    pub due: Option<i64>,
}

/// How marks are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Which attempt counts.
    pub select: Select,
    /// Whether each case of a problem without subtasks earns its share, in place of all or nothing.
    pub partial: bool,
    /// What lateness takes off.
    pub late: Option<Late>,
    /// For each problem, in their order.
    pub problems: Vec<Worth>,
    /// What is marked by hand: names and the most points.
    pub rubric: Vec<(String, Score)>,
    /// What students see of the cases of these groups.
    pub feedback: Vec<(String, Feedback)>,
    /// What they see of the others.
    pub otherwise: Feedback,
}

impl Policy {
    /// Marks are the points of the last attempt, and all problems weigh the same.
    pub fn plain(problems: usize) -> Policy {
        let worth = Worth { points: None, weight: Score::points(1), due: None };
        Policy {
            select: Select::Last,
            partial: false,
            late: None,
            problems: vec![worth; problems],
            rubric: Vec::new(),
            feedback: vec![("sample".to_owned(), Feedback::Full)],
            otherwise: Feedback::Verdict,
        }
    }

    /// What students see of the cases of this group.
    pub fn sees(&self, group: &str) -> Feedback {
        self.feedback.iter().find(|(name, _)| name == group).map_or(self.otherwise, |(_, feedback)| *feedback)
    }
}

/// The file as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
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
    feedback: Unique<Feedback>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
struct WrittenWorth {
    points: Option<yaml::Value>,
    weight: Option<yaml::Value>,
    due: Option<String>,
}

/// A number of points as YAML has it: `12`, `1.5`.
pub(super) fn points(value: &yaml::Value) -> Option<Score> {
    match value {
        yaml::Value::Number(number) => decimal(&number.to_string()),
        yaml::Value::String(text) => decimal(text),
        _ => None,
    }
}

/// Reads `12` or `12.345`, exactly.
pub(super) fn decimal(text: &str) -> Option<Score> {
    serde_json::from_value(serde_json::Value::String(text.trim().to_owned())).ok()
}

impl Policy {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn parse(origin: &str, text: &str, problems: &[ProblemId]) -> Result<Policy, Diagnostic> {
        let written: Written = if text.trim().is_empty() { Written::default() } else { yaml::parse(origin, text)? };
        let complain = |path: &[Step], target: Target, message: String| {
            let place = yaml::place(text, path, target).unwrap_or(TextRange { start: 0, end: 0 });
            Diagnostic::new(message).at(origin, text, place)
        };
        let moment = |path: &[Step], text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => time::parse(text).map(Some).ok_or_else(|| {
                complain(path, Target::Value, format!("`{text}` is not a time: write `2026-03-01T23:59:00Z`"))
            }),
        };
        let number = |path: &[Step], value: &yaml::Value| {
            points(value).ok_or_else(|| complain(path, Target::Value, "write a number, such as 10 or 1.5".to_owned()))
        };
        for name in written.problems.keys() {
            let known = || problems.iter().map(ProblemId::as_str);
            if !known().any(|id| id == name) {
                let path = ["problems".into(), name.as_str().into()];
                let wrong = complain(&path, Target::Key, format!("`{name}` is none of the problems that are graded"));
                return Err(match nearest(name, known()) {
                    Some(near) => wrong.help(format!("did you mean `{near}`?")),
                    None => wrong.help(format!("they are {}", known().collect::<Vec<_>>().join(", "))),
                });
            }
        }
        let due = moment(&["due".into()], &written.due)?;
        let mut worths = Vec::new();
        for id in problems {
            let path = |key: &str| ["problems".into(), id.as_str().into(), key.into()];
            let own = written.problems.get(id.as_str());
            let asked =
                |key: &str, value: Option<&yaml::Value>| value.map(|value| number(&path(key), value)).transpose();
            worths.push(Worth {
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
                complain(&at("per"), Target::Value, format!("`{}` is no step: write day, hour or `30min`", late.per))
            })?;
            for (key, percent) in [("off", late.off), ("cap", late.cap)] {
                if percent > 100 {
                    return Err(complain(&at(key), Target::Value, "percent go up to 100".to_owned()));
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
    fn a_whole_file_is_read() {
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
        assert_eq!([policy.sees("sample"), policy.sees("large")], [Feedback::Full, Feedback::None]);
        assert_eq!(policy.sees("tiny"), Feedback::Hint);
        assert_eq!(parse("").unwrap(), Policy::plain(2));
    }

    #[test]
    fn what_is_wrong_is_marked() {
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
