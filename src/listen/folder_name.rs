//! Determines the folder of a received problem from the user's pattern and the message. The result is a relative path
//! with safe names.

use std::path::PathBuf;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

use crate::package::companion::CompanionProblem;
use crate::yaml::nearest;

/// Maximum length of a field in bytes. A path of several fields stays below the limits of file systems.
const MAX_FIELD: usize = 60;
/// Maximum length of a folder name in bytes.
const MAX_NAME: usize = 100;
/// Names that Windows reserves, with or without an extension, in addition to `com` and `lpt` with a digit. They are
/// avoided on all systems, since folders are often synchronized.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A pattern for the folder of a problem, such as `{group}/{index}-{title}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderPattern(Vec<FolderPart>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum FolderPart {
    Text(String),
    Field(Field),
}

/// A field of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    /// The names of the judge and the contest; only the name of the contest if it begins with the name of the judge.
    Group,
    /// The name of the judge, such as `Codeforces`.
    Judge,
    /// The name of the contest, or of the judge if the message contains no contest.
    Contest,
    /// The problem's label in the contest, such as `a` or `b2`; its number if it has none.
    Index,
    /// The problem's number in the contest; empty for a problem that was sent alone.
    Number,
    /// The problem's name without its label.
    Title,
}

impl Field {
    const ALL: [(&'static str, Field); 6] = [
        ("group", Field::Group),
        ("judge", Field::Judge),
        ("contest", Field::Contest),
        ("index", Field::Index),
        ("number", Field::Number),
        ("title", Field::Title),
    ];
}

impl Default for FolderPattern {
    /// Returns the pattern `{group}/{index}-{title}`.
    fn default() -> FolderPattern {
        let text = |text: &str| FolderPart::Text(text.to_owned());
        let fields = [Field::Group, Field::Index, Field::Title].map(FolderPart::Field);
        let [group, index, title] = fields;
        FolderPattern(vec![group, text("/"), index, text("-"), title])
    }
}

impl FromStr for FolderPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<FolderPattern, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or("`{` has no matching `}`")?;
            let field = Field::ALL.iter().find(|(known, _)| *known == name).map(|(_, field)| *field);
            pieces.push(FolderPart::Text(before.to_owned()));
            pieces.push(FolderPart::Field(field.ok_or_else(|| unknown(name))?));
            rest = after;
        }
        pieces.push(FolderPart::Text(rest.to_owned()));
        pieces.retain(|piece| *piece != FolderPart::Text(String::new()));
        if !pieces.iter().any(|piece| matches!(piece, FolderPart::Field(Field::Index | Field::Number | Field::Title))) {
            let message = "expected a field that differs between problems: `{title}`, `{index}` or `{number}`";
            return Err(message.to_owned());
        }
        let texts =
            pieces.iter().filter_map(|piece| if let FolderPart::Text(text) = piece { Some(text) } else { None });
        let wrong = texts.flat_map(|text| text.chars()).find(|c| c.is_control() || "\\:*?\"<>|}".contains(*c));
        if let Some(wrong) = wrong {
            return Err(format!("a folder name must not contain the character `{}`", wrong.escape_debug()));
        }
        if text.starts_with('/') || text.split('/').any(|part| part.is_empty() || part.starts_with('.')) {
            return Err(
                "expected folder names separated by `/`, none of which is empty or starts with a dot".to_owned()
            );
        }
        Ok(FolderPattern(pieces))
    }
}

fn unknown(name: &str) -> String {
    let names = || Field::ALL.iter().map(|(name, _)| *name);
    match nearest(name, names()) {
        Some(near) => format!("unknown field `{{{name}}}`; did you mean `{{{near}}}`?"),
        None => {
            let known: Vec<String> = names().map(|name| format!("`{{{name}}}`")).collect();
            format!("unknown field `{{{name}}}`; expected one of {}", known.join(", "))
        }
    }
}

/// The position of a problem among the problems that were sent together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchPosition {
    /// The number of the problem, from 1.
    pub(super) number: u32,
    /// The number of problems.
    pub(super) size: u32,
}

impl FolderPattern {
    /// Returns the relative path of a problem's folder. The folder names in it consist of letters and digits of any
    /// script, `-`, and characters of the pattern. No folder name is empty, begins with a dot or is reserved.
    pub(super) fn path(&self, message: &CompanionProblem, position: BatchPosition) -> PathBuf {
        let mut whole = String::new();
        for piece in &self.0 {
            match piece {
                FolderPart::Text(text) => whole += text,
                FolderPart::Field(field) => whole += &value(*field, message, position),
            }
        }
        whole.split('/').map(folder_name).collect()
    }
}

/// Returns the value of a field, normalized by [`plain`].
fn value(field: Field, message: &CompanionProblem, position: BatchPosition) -> String {
    let (judge, contest) = message.group.split_once(" - ").unwrap_or((&message.group, &message.group));
    let (label, title) = label_and_title(&message.name);
    let number = match position {
        BatchPosition { size: 0 | 1, .. } => String::new(),
        BatchPosition { number, size } => format!("{number:0width$}", width = size.to_string().len()),
    };
    let text = match field {
        Field::Group if plain(contest).starts_with(&plain(judge)) => contest,
        Field::Group => &message.group,
        Field::Judge => judge,
        Field::Contest => contest,
        Field::Index if label.is_empty() => &number,
        Field::Index => label,
        Field::Number => &number,
        Field::Title => title,
    };
    match (field, plain(text)) {
        (Field::Group | Field::Judge | Field::Contest, text) if text.is_empty() => "contest".to_owned(),
        (Field::Title, text) if text.is_empty() => "problem".to_owned(),
        (_, text) => text,
    }
}

/// Splits the name of a problem into the label that judges put before the title, and the title: `A. Castle`, `B1 -
/// Castle`, `Problem C: Castle`.
fn label_and_title(name: &str) -> (&str, &str) {
    let name = name.trim();
    let words = ["Problem ", "Task "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
    let end = words.find([' ', '.', ':', ')']).unwrap_or(words.len());
    let (label, rest) = words.split_at(end);
    let separators = [". ", ": ", ") ", " - ", " – ", " . "];
    let title = separators.iter().find_map(|separator| rest.strip_prefix(separator)).map(str::trim);
    match title {
        Some(title) if !title.is_empty() && is_label(label) => (label, title),
        _ => ("", name),
    }
}

/// Returns whether a string is a label: one or two capital letters with or without a number of at most two digits (`A`,
/// `B2`, `AA`), `Ex`, or a number of at most five digits.
fn is_label(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - letters.len();
    let word = letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_uppercase());
    let alone = letters.is_empty() && (1..=5).contains(&digits);
    text == "Ex" || alone || (word && !letters.is_empty() && digits <= 2)
}

/// Converts a string to lower case, replaces each run of characters that are not letters or digits by `-`, and removes
/// such runs at the beginning and the end. Returns at most [`MAX_FIELD`] bytes.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.nfc().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            plain.push(c);
        } else if !plain.is_empty() && !plain.ends_with('-') {
            plain.push('-');
        }
        if plain.len() > MAX_FIELD {
            plain.truncate(plain.floor_char_boundary(MAX_FIELD));
            break;
        }
    }
    plain.truncate(plain.trim_end_matches('-').len());
    plain
}

/// Removes the separators that empty fields leave, limits the length, replaces an empty name, and appends `-` to a
/// reserved name.
fn folder_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c != '-' || !name.ends_with('-') {
            name.push(c);
        }
    }
    let name = name.trim_start_matches(['-', '.', ' ', '_']);
    let name = name[..name.floor_char_boundary(MAX_NAME)].trim_end_matches(['-', '.', ' ', '_']);
    let stem = name.split('.').next().unwrap_or("").to_ascii_lowercase();
    let device = ["com", "lpt"].iter().any(|word| {
        stem.strip_prefix(word).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    });
    match name {
        "" => "problem".to_owned(),
        _ if device || RESERVED.contains(&stem.as_str()) => format!("{name}-"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(name: &str, group: &str) -> CompanionProblem {
        let json = serde_json::json!({ "name": name, "group": group });
        CompanionProblem::parse(json.to_string().as_bytes()).unwrap()
    }

    fn path(pattern: &str, name: &str, group: &str, position: (u32, u32)) -> String {
        let position = BatchPosition { number: position.0, size: position.1 };
        let pattern: FolderPattern = pattern.parse().unwrap();
        pattern.path(&message(name, group), position).display().to_string()
    }

    #[test]
    fn names_of_real_judges_become_folders() {
        let default = "{group}/{index}-{title}";
        assert_eq!(default.parse(), Ok(FolderPattern::default()));
        for (name, group, position, wanted) in [
            (
                "G. Castle Defense",
                "Codeforces - Educational Codeforces Round 40 (Rated for Div. 2)",
                (7, 7),
                "codeforces-educational-codeforces-round-40-rated-for-div-2/g-castle-defense",
            ),
            ("A. B", "Codeforces - Codeforces Round 900 (Div. 3)", (1, 6), "codeforces-round-900-div-3/a-b"),
            ("A - Product", "AtCoder - Beginner Contest 086", (1, 4), "atcoder-beginner-contest-086/a-product"),
            ("Ex - Add One", "AtCoder", (8, 8), "atcoder/ex-add-one"),
            ("Weird Algorithm", "CSES - CSES Problem Set", (1, 1), "cses-problem-set/weird-algorithm"),
            ("Weird Algorithm", "CSES", (3, 300), "cses/003-weird-algorithm"),
            ("Problem B1: Two (hard)", "X", (1, 1), "x/b1-two-hard"),
            ("1. Two Sum", "LeetCode", (1, 1), "leetcode/1-two-sum"),
            ("数列求和", "洛谷", (1, 1), "洛谷/数列求和"),
            ("Е. Ёлка", "Тимус", (1, 1), "тимус/е-ёлка"),
            ("../../etc/passwd", "..", (1, 1), "contest/etc-passwd"),
            ("", "", (1, 1), "contest/problem"),
            ("CON", "nul", (1, 1), "nul-/con-"),
            ("a\0\x1b[31m\u{202e}b", "C:\\x", (1, 1), "c-x/a-31m-b"),
        ] {
            assert_eq!(path(default, name, group, position), wanted);
        }
        assert_eq!(path("{judge}/{contest}/{number}_{title}", "A. B", "J - C - D", (2, 12)), "j/c-d/02_b");
        assert_eq!(path("{number}-{index}-{title}", "B", "J", (1, 1)), "b");
    }

    #[test]
    fn bad_patterns_are_refused() {
        for (pattern, word) in [
            ("{group}", "differs between problems"),
            ("", "differs between problems"),
            ("{titel}", "did you mean `{title}`"),
            ("{x", "no matching"),
            ("/{title}", "separated"),
            ("../{title}", "dot"),
            ("a//{title}", "separated"),
            ("{title}/", "separated"),
            (".{title}", "dot"),
            ("a:{title}", "must not contain"),
            ("{title}}", "must not contain"),
        ] {
            let error = pattern.parse::<FolderPattern>().unwrap_err();
            assert!(error.contains(word), "{pattern}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_message_gives_a_safe_path(name in ".{0,300}", group in ".{0,300}", number in 1_u32..400) {
            let position = BatchPosition { number, size: 400 };
            let path = FolderPattern::default().path(&message(&name, &group), position);
            prop_assert_eq!(path.components().count(), 2);
            for part in path.components() {
                let std::path::Component::Normal(part) = part else { panic!("{path:?}") };
                let part = part.to_str().unwrap();
                prop_assert!((1..=MAX_NAME + 1).contains(&part.len()) && !part.starts_with(['.', '-']), "{}", part);
                prop_assert!(part.chars().all(|c| c.is_alphanumeric() || c == '-'), "{}", part);
            }
        }
    }
}
