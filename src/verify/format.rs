//! Checks that inputs and answers match their descriptions, and that malformed answers are rejected.

use std::collections::{BTreeMap, HashMap};

use crate::check::ComparisonResult;
use crate::data::{Case, Store};
use crate::input::{Description, Instance, Value};
use crate::model::{ByteSize, Digest, Failure, counted};
use crate::problem::{Judging, Problem};
use crate::runner::Prepared;

use super::check_result::{Check, Status};

/// Maximum number of pairs of equal inputs that the warning lists.
const NAMED: usize = 3;

/// Label of a mutation that changes the case of letters. The answer's description may permit both cases, but the
/// checker must distinguish them.
const OTHER_LETTERS: &str = "with upper and lower case exchanged";

/// Reads all inputs and answers, and returns the checks of the inputs, of the answers and of the answers' format.
///
/// # Errors
/// Fails if data can't be read.
pub(super) fn checks(problem: &Problem, prepared: &Prepared, store: &Store) -> Result<Vec<Check>, Failure> {
    let cases = &prepared.made.cases;
    let mut seen = FormatCounts::default();
    for case in cases {
        seen.inspect(problem, case, store)?;
    }
    Ok(vec![seen.inputs(cases, prepared.made.fresh), seen.answers(problem, cases), seen.format(problem)])
}

/// The findings of the format checks: invalid files, word counts of the answers, accepted malformed answers, and the
/// number of malformed answers that were tried.
#[derive(Default)]
struct FormatCounts {
    bad_inputs: Vec<String>,
    bad_answers: Vec<String>,
    /// For each choice of words in `answer:`, the number of occurrences of each word in the answers.
    words: BTreeMap<String, BTreeMap<String, usize>>,
    /// Malformed answers that are accepted.
    unnoticed: Vec<String>,
    /// Number of malformed answers that were tried.
    tried: usize,
}

impl FormatCounts {
    fn inspect(&mut self, problem: &Problem, case: &Case, store: &Store) -> Result<(), Failure> {
        let (input, answer) = (store.get(&case.input.digest)?, store.get(&case.answer.digest)?);
        let instance = match problem.input.read(&input, None) {
            Ok(instance) => instance,
            Err(invalid) => {
                self.bad_inputs.push(format!("{}: {invalid}", case.id));
                return Ok(());
            }
        };
        if let Some(description) = &problem.answer {
            match description.read(&answer, Some(&instance)) {
                Ok(values) => self.count(description, &values),
                Err(invalid) => self.bad_answers.push(format!("{}: {invalid}", case.id)),
            }
        }
        self.spoil(problem, case, &instance, &answer);
        Ok(())
    }

    fn count(&mut self, description: &Description, values: &Instance) {
        for name in description.names() {
            let Some(words) = description.words(name) else { continue };
            let counts = self.words.entry(name.to_owned()).or_default();
            for word in words {
                counts.entry(word.to_owned()).or_default();
            }
            let list = match values.value(name) {
                Some(Value::Word(word)) => vec![word],
                Some(Value::Words(words)) => words,
                Some(Value::WordRows(rows)) => rows.concat(),
                _ => Vec::new(),
            };
            for word in list {
                *counts.entry(word).or_default() += 1;
            }
        }
    }

    /// Tries malformed variants of an answer. The description of the answer must reject all variants except
    /// [`OTHER_LETTERS`], and a built-in checker must reject all variants.
    fn spoil(&mut self, problem: &Problem, case: &Case, input: &Instance, answer: &[u8]) {
        // Long answers are skipped: checking them takes longer without testing anything that short answers do not test.
        if answer.len() > 1 << 16 {
            return;
        }
        let own = problem.groups.get(case.group).and_then(|group| group.judging.as_ref());
        let comparer = match own.unwrap_or(&problem.judging) {
            Judging::Compare(comparer) => Some(comparer),
            // Checker and interactor programs are not run on malformed answers.
            Judging::Checker { .. } | Judging::Interactor { .. } => None,
        };
        for (what, spoilt) in spoilt(answer, comparer.is_none_or(|comparer| comparer.fold_case)) {
            self.tried += 1;
            if let Some(description) = &problem.answer
                && what != OTHER_LETTERS
                && description.read(&spoilt, Some(input)).is_ok()
            {
                self.unnoticed.push(format!("`answer:` accepts the answer of {} {what}", case.id));
            }
            if comparer.is_some_and(|comparer| comparer.compare_bytes(answer, &spoilt) == ComparisonResult::Same) {
                self.unnoticed.push(format!("the checker accepts the answer of {} {what}", case.id));
            }
        }
    }

    fn inputs(&self, cases: &[Case], fresh: usize) -> Check {
        if let Some(first) = self.bad_inputs.first() {
            let verb = if self.bad_inputs.len() == 1 { "does" } else { "do" };
            let (bad, all) = (self.bad_inputs.len(), cases.len());
            let detail = format!("{bad} of {all} inputs {verb} not match `input:`; the first is {first}");
            return Check::new("inputs", Status::Fail, detail);
        }
        let bytes: u64 = cases.iter().map(|case| case.input.size).sum();
        let detail = format!(
            "{}, {} in total, {fresh} newly generated",
            counted(cases.len(), "input matches `input:`", "inputs match `input:`"),
            ByteSize::new(bytes).human()
        );
        let check = Check::new("inputs", Status::Pass, detail).with("cases", cases.len()).with("bytes", bytes);
        match twins(cases).as_slice() {
            [] => check,
            all => {
                let named: Vec<&str> = all.iter().take(NAMED).map(String::as_str).collect();
                let more = if all.len() > NAMED { ", …" } else { "" };
                let what = match all.len() {
                    1 => "1 input is equal to an earlier input".to_owned(),
                    count => format!("{count} inputs are equal to earlier inputs"),
                };
                check.with("equal", all.len()).warn(format!("{what}: {}{more}", named.join(", ")))
            }
        }
    }

    fn answers(&self, problem: &Problem, cases: &[Case]) -> Check {
        if let Some(first) = self.bad_answers.first() {
            let verb = if self.bad_answers.len() == 1 { "does" } else { "do" };
            let (bad, all) = (self.bad_answers.len(), cases.len());
            let detail = format!("{bad} of {all} answers {verb} not match `answer:`; the first is {first}");
            return Check::new("answers", Status::Fail, detail);
        }
        if problem.answer.is_none() {
            let detail = match problem.judging {
                Judging::Interactor { .. } => "the problem is interactive, so there are no answers to check".to_owned(),
                _ => "the reference computes the answers, and they are not checked, since the problem has no `answer:`"
                    .to_owned(),
            };
            return Check::new("answers", Status::Pass, detail);
        }
        let shares = self.words.iter().map(|(name, words)| {
            let shares: Vec<String> = words.iter().map(|(word, count)| format!("{word} {count}")).collect();
            format!("{name}: {}", shares.join(", "))
        });
        let shares: Vec<String> = shares.collect();
        let shares = if shares.is_empty() { String::new() } else { format!("; {}", shares.join("; ")) };
        let matching = counted(cases.len(), "answer matches `answer:`", "answers match `answer:`");
        let mut check = Check::new("answers", Status::Pass, format!("{matching}{shares}"));
        for (name, words) in &self.words {
            for (word, _) in words.iter().filter(|(_, count)| **count == 0) {
                check = check.warn(format!("the word `{word}` of `{name}` does not occur in any answer"));
            }
        }
        check
    }

    fn format(&self, problem: &Problem) -> Check {
        let by = match (&problem.judging, problem.answer.is_some()) {
            (Judging::Compare(_), true) => "`answer:` and the checker",
            (Judging::Compare(_), false) => "the checker",
            (_, true) => "`answer:`",
            (_, false) => {
                return Check::new(
                    "format",
                    Status::Pass,
                    "a program judges the outputs, and there is no `answer:`, so no malformed answers are tried",
                );
            }
        };
        match self.unnoticed.first() {
            None if self.tried == 0 => {
                let why =
                    "no malformed answers to try: every answer is empty, is too long, or belongs to an invalid input";
                Check::new("format", Status::Skip, why)
            }
            None => {
                Check::new("format", Status::Pass, format!("{} malformed answers are rejected by {by}", self.tried))
            }
            Some(first) => {
                let more = self.unnoticed.len() - 1;
                let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                Check::new("format", Status::Fail, format!("malformed answers are accepted: {first}{more}"))
            }
        }
    }
}

/// Returns malformed answers derived from a correct answer, each with a description of the change; empty if the answer
/// contains only white space.
fn spoilt(answer: &[u8], fold_case: bool) -> Vec<(&'static str, Vec<u8>)> {
    let text = String::from_utf8_lossy(answer);
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let Some(last) = tokens.last() else { return Vec::new() };
    let body = text.trim_end();
    let head = &body[..body.len() - last.len()];
    let mut list = vec![
        ("without its last word", format!("{head}\n").into_bytes()),
        ("with its last word repeated", format!("{body} {last}\n").into_bytes()),
        ("with `~` inserted before its last word", format!("{head}~{last}\n").into_bytes()),
    ];
    let swapped: String =
        last.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect();
    if !fold_case && swapped != *last {
        list.push((OTHER_LETTERS, format!("{head}{swapped}\n").into_bytes()));
    }
    list
}

/// Returns the cases whose input equals that of an earlier case, in the form `case = earlier case`.
fn twins(cases: &[Case]) -> Vec<String> {
    let mut first: HashMap<Digest, &Case> = HashMap::new();
    let mut twins = Vec::new();
    for case in cases {
        match first.get(&case.input.digest) {
            Some(other) => twins.push(format!("{} = {}", case.id, other.id)),
            None => {
                first.insert(case.input.digest, case);
            }
        }
    }
    twins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_answers_are_derived() {
        let all: Vec<String> =
            spoilt(b"3\nYes\n", false).into_iter().map(|(_, text)| String::from_utf8(text).unwrap()).collect();
        assert_eq!(all, ["3\n\n", "3\nYes Yes\n", "3\n~Yes\n", "3\nyES\n"]);
        assert_eq!(spoilt(b"12\n", false).len(), 3);
        assert_eq!(spoilt(b"Yes\n", true).len(), 3);
        assert!(spoilt(b"\n", false).is_empty());
    }
}
