//! Adds a given case to the text of a `problem.yaml`, preserving all comments and the order of keys.

use crate::model::Diagnostic;
use crate::yaml::{self, PathStep, Target};

use super::lower;
use super::resolved::{Given, Problem, Recipe};

/// Returns the text of the problem's spec after adding a case with the given `input` to the group `group`, which must
/// be a list of given cases. If the group does not exist, it is added after all other groups. `origin` is the name of
/// the file in messages.
///
/// # Errors
/// Fails if `tests:` is not in block style, if the group is not a list of cases, or if the edited text would not be
/// valid.
pub fn with_case(origin: &str, problem: &Problem, group: &str, input: &str) -> Result<String, Diagnostic> {
    let text = &problem.text;
    let item = format!("- input: {}", quoted(input));
    let by_hand = || {
        let cause = "`tests:` is not in block style, or the group is not a list in block style";
        Diagnostic::new(format!("cannot add the case to the group `{group}` in `{origin}`: {cause}"))
            .help(format!("add the case to a list of cases by hand:\n    {item}"))
    };
    let known = problem.groups.iter().find(|known| known.name == group);
    let edited = match known.map(|known| &known.recipe) {
        None => {
            let last = problem.groups.last().ok_or_else(by_hand)?;
            let key = line_of(text, &["tests".into(), last.name.as_str().into()]).ok_or_else(by_hand)?;
            let indent = indent_of(text, key);
            let more = format!("{indent}{group}:\n{indent}  {item}\n");
            inserted(text, end_of_block(text, key), &more)
        }
        Some(Recipe::Given(cases)) => {
            let path = ["tests".into(), group.into()];
            let key = line_of(text, &path).ok_or_else(by_hand)?;
            let last = cases.len().checked_sub(1).ok_or_else(by_hand)?;
            let place = yaml::place(text, &[&path[..], &[last.into(), "input".into()]].concat(), Target::Key);
            let last = place.map(|place| place.start).filter(|at| *at > key).ok_or_else(by_hand)?;
            let line = text[..last].rfind('\n').map_or(0, |at| at + 1);
            if !text[line..last].trim_start().starts_with('-') {
                return Err(by_hand());
            }
            let more = format!("{}{item}\n", indent_of(text, last));
            inserted(text, end_of_block(text, last), &more)
        }
        Some(_) => return Err(by_hand()),
    };
    let after = lower::read(origin, &edited, problem.id.clone(), &problem.dir).map_err(|_| by_hand())?;
    if same_but_one(problem, &after, group, input) { Ok(edited) } else { Err(by_hand()) }
}

/// Returns true if the groups of `after` equal those of `before` except for the added case.
fn same_but_one(before: &Problem, after: &Problem, group: &str, input: &str) -> bool {
    let mut expected: Vec<(&str, Recipe)> =
        before.groups.iter().map(|group| (group.name.as_str(), group.recipe.clone())).collect();
    let new = Given { input: input.to_owned(), answer: None, note: None };
    match before.groups.iter().position(|known| known.name == group) {
        Some(at) => {
            let Recipe::Given(cases) = &before.groups[at].recipe else { return false };
            let cases: Vec<Given> = cases.iter().cloned().chain([new]).collect();
            expected[at].1 = Recipe::Given(cases);
        }
        None => expected.push((group, Recipe::Given(vec![new]))),
    }
    let expected = expected.iter().map(|(name, recipe)| (*name, recipe));
    expected.eq(after.groups.iter().map(|group| (group.name.as_str(), &group.recipe)))
}

/// Returns the byte offset of the key to which the path leads; `None` if the key does not exist, or if anything other
/// than white space precedes it on its line.
fn line_of(text: &str, path: &[PathStep]) -> Option<usize> {
    let place = yaml::place(text, path, Target::Key)?;
    let line = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    text[line..place.start].trim().is_empty().then_some(place.start)
}

/// Returns the spaces at the start of the line that contains byte `at`.
fn indent_of(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches(' ').len()]
}

/// Returns the byte offset of the end of the block whose first line contains byte `at`. The block ends before the next
/// line that is not indented deeper, and before empty lines and comments that precede that line.
fn end_of_block(text: &str, at: usize) -> usize {
    let indent = indent_of(text, at).len();
    let mut end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
    let mut place = end;
    for line in text[end..].split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        let blank = content.trim().is_empty() || content.starts_with('#');
        if !blank && line.len() - content.len() <= indent {
            break;
        }
        place += line.len();
        if !blank {
            end = place;
        }
    }
    end
}

fn inserted(text: &str, at: usize, more: &str) -> String {
    let newline = if text[..at].ends_with('\n') || at == 0 { "" } else { "\n" };
    format!("{}{newline}{more}{}", &text[..at], &text[at..])
}

/// Formats a string as a double-quoted YAML scalar.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted += "\\n",
            '\t' => quoted += "\\t",
            '\r' => quoted += "\\r",
            c if c.is_control() => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const HEAD: &str = "name: Nim\ninput:\n  - n: 1..=9\n  - a[n]: 0..=9\n";

    fn added(tests: &str, group: &str, input: &str) -> Result<String, Diagnostic> {
        let text = format!("{HEAD}{tests}");
        let problem = lower::read("problem.yaml", &text, "nim".parse().unwrap(), Path::new(".")).unwrap();
        let edited = with_case("problem.yaml", &problem, group, input)?;
        Ok(edited.strip_prefix(HEAD).unwrap().to_owned())
    }

    #[test]
    fn new_groups_are_added_after_all_others() {
        let tests =
            "tests:\n  sample:\n    - input: \"1\\n2\\n\"\n  # small ones\n  tiny: { every: { n: 1..=1 } } # all\n";
        let found = "  found:\n    - input: \"1\\n0\\n\"\n";
        assert_eq!(added(tests, "found", "1\n0\n").unwrap(), format!("{tests}{found}"));
        let more = added(&format!("{tests}{found}"), "found", "1\n5\n").unwrap();
        assert_eq!(more, format!("{tests}{found}    - input: \"1\\n5\\n\"\n"));
    }

    #[test]
    fn comments_order_and_later_keys_are_preserved() {
        let tests = "tests:\n    found:\n    - input: |\n        1\n        2\n      note: x\n    # of the next\n\n    tiny: { count: 2 }\n\n# the end\nkeywords: [nim]\n";
        let wanted = tests.replace("note: x\n", "note: x\n    - input: \"1\\n0\\n\"\n");
        assert_eq!(added(tests, "found", "1\n0\n").unwrap(), wanted);
        let wanted = tests.replace("{ count: 2 }\n", "{ count: 2 }\n    more:\n      - input: \"1\\n0\\n\"\n");
        assert_eq!(added(tests, "more", "1\n0\n").unwrap(), wanted);
    }

    #[test]
    fn a_file_without_a_newline_at_its_end() {
        let tests = "tests:\n  tiny: { count: 2 }";
        assert_eq!(added(tests, "found", "1\n0\n").unwrap(), format!("{tests}\n  found:\n    - input: \"1\\n0\\n\"\n"));
    }

    #[test]
    fn other_styles_are_left_unchanged() {
        for tests in [
            "tests: { tiny: { count: 2 } }\n",
            "tests:\n  found: { count: 2 }\n",
            "tests:\n  found: [{ input: \"1\\n2\\n\" }]\n",
            "tests:\n  found:\n    cases:\n      - input: \"1\\n2\\n\"\n    points: 3\n",
        ] {
            let before = added(tests, "found", "1\n0\n");
            let Err(complaint) = before else { panic!("{tests}: {before:?}") };
            assert!(complaint.help.unwrap().contains("- input: \"1\\n0\\n\""), "{tests}");
        }
    }

    #[test]
    fn any_text_is_quoted() {
        assert_eq!(quoted("a\"b\\\n\t\u{7}é"), r#""a\"b\\\n\t\u0007é""#);
    }
}
