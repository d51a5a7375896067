//! Naming patterns given by the user, such as `{student}/{problem}.{ext}`.

use crate::model::Diagnostic;

/// A pattern that matches whole paths of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<PatternPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternPart {
    Text(String),
    Field(PatternField),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternField {
    Student,
    Problem,
    Attempt,
    Ending,
    Any,
}

const FIELDS: [(&str, PatternField); 5] = [
    ("student", PatternField::Student),
    ("problem", PatternField::Problem),
    ("attempt", PatternField::Attempt),
    ("ext", PatternField::Ending),
    ("any", PatternField::Any),
];

/// The fields of a path that matched a pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Matched<'p> {
    pub(super) student: &'p str,
    pub(super) problem: Option<&'p str>,
    pub(super) attempt: Option<u64>,
}

impl std::str::FromStr for Pattern {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Pattern, Diagnostic> {
        let wrong = |what: String| {
            // `clap` prints the message after the name of the option, and does not print the help.
            Diagnostic::new(format!(
                "{what}; expected a pattern such as `{{student}}/{{problem}}.{{ext}}`, in which `{{attempt}}` and \
                 `{{any}}` are also allowed"
            ))
        };
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}').ok_or_else(|| wrong("`{` has no matching `}`".to_owned()))?;
            let field = FIELDS.iter().find(|(known, _)| *known == name).map(|(_, field)| *field);
            let field = field.ok_or_else(|| wrong(format!("unknown field `{{{name}}}`")))?;
            if !before.is_empty() {
                parts.push(PatternPart::Text(before.to_owned()));
            } else if matches!(parts.last(), Some(PatternPart::Field(_))) {
                return Err(wrong(format!("there is no separator between `{{{name}}}` and the field before it")));
            }
            parts.push(PatternPart::Field(field));
            rest = behind;
        }
        if !rest.is_empty() {
            parts.push(PatternPart::Text(rest.to_owned()));
        }
        let count = |wanted: PatternField| parts.iter().filter(|part| **part == PatternPart::Field(wanted)).count();
        if count(PatternField::Student) == 0 {
            return Err(wrong("the field `{student}` is missing".to_owned()));
        }
        let once = [PatternField::Student, PatternField::Problem, PatternField::Attempt];
        match FIELDS.iter().find(|(_, field)| once.contains(field) && count(*field) > 1) {
            Some((name, _)) => Err(wrong(format!("the field `{{{name}}}` occurs more than once"))),
            None => Ok(Pattern(parts)),
        }
    }
}

impl Pattern {
    /// Matches the pattern against a whole path. A field matches as few characters as possible, and never `/`. Returns
    /// `None` if the path does not match.
    pub(super) fn matched<'p>(&self, path: &'p str) -> Option<Matched<'p>> {
        fit(&self.0, path, Matched::default())
    }

    /// Returns whether the pattern contains `{problem}`.
    pub(super) fn names_problem(&self) -> bool {
        self.0.contains(&PatternPart::Field(PatternField::Problem))
    }
}

fn fit<'p>(parts: &[PatternPart], path: &'p str, so_far: Matched<'p>) -> Option<Matched<'p>> {
    let Some((part, rest)) = parts.split_first() else {
        return path.is_empty().then_some(so_far);
    };
    match part {
        PatternPart::Text(text) => fit(rest, path.strip_prefix(text.as_str())?, so_far),
        PatternPart::Field(field) => {
            let most = path.find('/').unwrap_or(path.len());
            let ends = path.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|end| *end <= most);
            for end in ends {
                let (taken, left) = path.split_at(end);
                if let Some(found) = so_far.clone().with(*field, taken).and_then(|so_far| fit(rest, left, so_far)) {
                    return Some(found);
                }
            }
            None
        }
    }
}

impl<'p> Matched<'p> {
    fn with(mut self, field: PatternField, taken: &'p str) -> Option<Matched<'p>> {
        match field {
            PatternField::Student => self.student = taken,
            PatternField::Problem => self.problem = Some(taken),
            PatternField::Attempt => self.attempt = Some(taken.parse().ok()?),
            PatternField::Ending if taken.contains('.') => return None,
            PatternField::Ending | PatternField::Any => {}
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pattern: &str, path: &str) -> Option<(String, Option<String>, Option<u64>)> {
        let pattern = pattern.parse::<Pattern>().unwrap();
        let matched = pattern.matched(path)?;
        Some((matched.student.to_owned(), matched.problem.map(str::to_owned), matched.attempt))
    }

    #[test]
    fn paths_are_matched() {
        let some = |student: &str, problem: &str, attempt| Some((student.into(), Some(problem.into()), attempt));
        assert_eq!(said("{student}/{problem}.{ext}", "ann/nim.py"), some("ann", "nim", None));
        assert_eq!(said("{student}/{problem}.{ext}", "ann/nim.tar.gz"), some("ann", "nim.tar", None));
        assert_eq!(said("{student}/{problem}.{ext}", "ann/b/nim.py"), None);
        assert_eq!(
            said("hw-{student}/{any}/{problem}_{attempt}.{ext}", "hw-Zoë/x/a_b_3.c"),
            some("Zoë", "a_b", Some(3))
        );
        assert_eq!(said("{student}.{ext}", "ann.py"), Some(("ann".into(), None, None)));
    }

    #[test]
    fn invalid_patterns_are_refused() {
        let wrong = |text: &str| text.parse::<Pattern>().unwrap_err().message;
        assert!(wrong("{problem}.{ext}").contains("student"));
        assert!(wrong("{student}{problem}").contains("between"));
        assert!(wrong("{studnet}").contains("{studnet}"));
        assert!(wrong("{student").contains("no matching"));
        assert!(wrong("{student}/{student}").contains("more than once"));
    }
}
