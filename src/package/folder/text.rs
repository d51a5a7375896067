//! Splits a text with several samples, such as a part of a statement, into inputs and answers.

use super::Sample;

/// Minimum length of a separating line, in characters.
const SHORTEST_LINE: usize = 3;
/// Characters of which separating lines may consist; each line repeats one of them.
const SEPARATORS: [char; 6] = ['-', '=', '*', '#', '~', '_'];
/// Words that a heading may contain in addition to `input` or `output`, as in `Sample Input 1`.
const QUALIFIERS: [&str; 8] = ["sample", "samples", "example", "examples", "standard", "test", "case", "copy"];

/// A line that separates the parts of a text: a heading or a separating line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineMark {
    Input,
    Answer,
    Line(char),
}

/// Splits a text. Headings such as `Input` and `Sample Output 2` begin a part. In a text without headings of inputs,
/// lines of at least three `-`, `=`, `*`, `#`, `~` or `_` separate the parts, which are alternately inputs and answers.
/// If there are two kinds of such lines, the kind that occurs first after other text ends an input, and the other kind
/// ends an answer.
///
/// # Errors
/// Returns the reason why the text can't be split, as a fragment of a message.
pub(super) fn split(text: &str) -> Result<Vec<Sample>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let headings: Vec<(usize, LineMark)> = marks(&lines, heading);
    if headings.iter().any(|(_, mark)| *mark == LineMark::Input) {
        return by_headings(&lines, &headings);
    }
    let separators = marks(&lines, separator);
    if separators.is_empty() {
        return Err(
            "it has neither headings such as `Input` and `Output` nor lines such as `---` between an input and \
            its answer"
                .to_owned(),
        );
    }
    by_separators(&lines, &separators)
}

fn marks(lines: &[&str], mark: impl Fn(&str) -> Option<LineMark>) -> Vec<(usize, LineMark)> {
    lines.iter().enumerate().filter_map(|(at, line)| Some((at, mark(line)?))).collect()
}

/// Interprets a line such as `Input`, `Sample Input 1:` and `## Output`. Returns `None` for lines that are not
/// headings.
fn heading(line: &str) -> Option<LineMark> {
    let line = line.trim().trim_matches(['#', '*', '=', ':', '[', ']', '<', '>', '-']).trim();
    let mut found = None;
    for word in line.split_whitespace() {
        let word = word.trim_matches(['#', ':', '.', '(', ')']).to_lowercase();
        match word.as_str() {
            "input" | "in" | "inputcopy" if found.is_none() => found = Some(LineMark::Input),
            "output" | "out" | "answer" | "expected" | "outputcopy" if found.is_none() => {
                found = Some(LineMark::Answer)
            }
            "output" | "answer" if found == Some(LineMark::Answer) => {}
            word if QUALIFIERS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => return None,
        }
    }
    found
}

fn separator(line: &str) -> Option<LineMark> {
    let line = line.trim();
    let first = line.chars().next().filter(|first| SEPARATORS.contains(first))?;
    (line.chars().count() >= SHORTEST_LINE && line.chars().all(|c| c == first)).then_some(LineMark::Line(first))
}

fn by_headings(lines: &[&str], headings: &[(usize, LineMark)]) -> Result<Vec<Sample>, String> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut open: Option<String> = None;
    for (index, (at, mark)) in headings.iter().enumerate() {
        let end = headings.get(index + 1).map_or(lines.len(), |(next, _)| *next);
        let part = without_separators(&lines[at + 1..end]);
        match (mark, open.take()) {
            (LineMark::Input, None) => open = Some(part),
            (LineMark::Answer, Some(input)) => samples.push(Sample { input, answer: Some(part) }),
            (LineMark::Input, Some(_)) => {
                return Err(format!("the input before line {} has no answer", at + 1));
            }
            _ => return Err(format!("the answer on line {} has no input", at + 1)),
        }
    }
    match open {
        Some(_) => Err("the last input has no answer".to_owned()),
        None => Ok(samples),
    }
}

/// Returns the text of a part between headings, without the blank and separating lines at its start and end.
fn without_separators(lines: &[&str]) -> String {
    let is_content = |line: &&str| !line.trim().is_empty() && separator(line).is_none();
    let Some(first) = lines.iter().position(is_content) else { return String::new() };
    let last = lines.iter().rposition(is_content).unwrap_or(first);
    joined(&lines[first..=last])
}

fn by_separators(lines: &[&str], separators: &[(usize, LineMark)]) -> Result<Vec<Sample>, String> {
    let first_content = lines.iter().position(|line| !line.trim().is_empty() && separator(line).is_none()).unwrap_or(0);
    let Some((_, within)) = separators.iter().copied().find(|(at, _)| *at > first_content) else {
        return Err("no line such as `---` separates an input from its answer".to_owned());
    };
    let two_kinds = separators.iter().any(|(_, mark)| *mark != within);
    let mut parts: Vec<(String, usize)> = Vec::new();
    let mut start = 0;
    for &(at, mark) in separators {
        let ends_input = parts.len().is_multiple_of(2);
        let part = joined(&lines[start..at]);
        start = at + 1;
        if ends_input && part.trim().is_empty() {
            // The separator precedes the first input, or follows another separator after an answer.
            continue;
        }
        if two_kinds && ends_input != (mark == within) {
            let what = if ends_input {
                "ends an input, but differs from the separator after the first input"
            } else {
                "ends an answer, but equals the separator after the first input"
            };
            return Err(format!("the separator on line {} {what}", at + 1));
        }
        parts.push((part, at + 1));
    }
    let rest = joined(&lines[start..]);
    if !parts.len().is_multiple_of(2) || !rest.trim().is_empty() {
        parts.push((rest, lines.len()));
    }
    if !parts.len().is_multiple_of(2) {
        return Err(format!("it has {} parts, which is an odd number, so an input has no answer", parts.len()));
    }
    let pairs = parts.chunks(2).map(|pair| Sample { input: pair[0].0.clone(), answer: Some(pair[1].0.clone()) });
    Ok(pairs.collect())
}

/// Joins the lines, removes white space at the end of the text, and terminates the last line. Returns an empty string
/// if all lines are blank.
fn joined(lines: &[&str]) -> String {
    let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
    let kept = text.trim_end();
    if kept.is_empty() { String::new() } else { format!("{kept}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let samples = split(text).unwrap();
        samples.into_iter().map(|sample| (sample.input, sample.answer.unwrap())).collect()
    }

    fn wanted(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(input, answer)| ((*input).to_owned(), (*answer).to_owned())).collect()
    }

    #[test]
    fn samples_of_common_notations_are_split() {
        let two = wanted(&[("1 2\n", "3\n"), ("4\n5\n", "9\n")]);
        for text in [
            "1 2\n---\n3\n---\n4\n5\n---\n9\n",
            "1 2\n---\n3\n===\n4\n5\n---\n9",
            "=====\n1 2\n-----\n3\n=====\n4\n5\n-----\n9\n=====\n",
            "Input\n1 2\nOutput\n3\nInput\n4\n5\nOutput\n9\n",
            "Sample Input 1\n\n1 2\n\nSample Output 1\n3\n\nSample Input 2\n4\n5\n\nSample Output 2\n9\n",
            "## Input:\n1 2\n## Expected output:\n3\n---\n## Input:\n4\n5\n## Answer\n9\n",
            "InputCopy\n1 2\r\nOutputCopy\n3\nInputCopy\n4\n5\nOutputCopy\n9\n",
        ] {
            assert_eq!(pairs(text), two, "{text:?}");
        }
        assert_eq!(pairs("---\n1\n---\n"), wanted(&[("1\n", "")]), "an answer may be empty");
    }

    #[test]
    fn what_can_t_be_split_is_told_with_its_line() {
        for (text, part) in [
            ("1 2\n3\n", "neither headings"),
            ("1\n---\n2\n---\n3\n", "3 parts"),
            ("Input\n1\nInput\n2\nOutput\n3\n", "the input before line 3 has no answer"),
            ("Input\n1\nOutput\n2\nOutput\n3\n", "the answer on line 5 has no input"),
            ("Input\n1\n", "the last input has no answer"),
            ("1\n---\n2\n---\n3\n===\n4\n", "the separator on line 4 ends an answer, but equals"),
            ("", "neither headings"),
        ] {
            let error = split(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_split_or_refused(text in "([-=a1 ]{0,4}|---|===|Input|Output 1|\n){0,12}") {
            let _ = split(&text);
        }

        #[test]
        fn written_samples_come_back(samples in prop::collection::vec(("[0-9]{1,3}", "[0-9]{1,3}"), 1..5)) {
            let text: Vec<String> = samples.iter().map(|(input, answer)| format!("{input}\n---\n{answer}\n")).collect();
            let samples: Vec<(String, String)> =
                samples.into_iter().map(|(input, answer)| (input + "\n", answer + "\n")).collect();
            prop_assert_eq!(pairs(&text.join("===\n")), samples.clone());
            prop_assert_eq!(pairs(&text.join("---\n")), samples);
        }
    }
}
