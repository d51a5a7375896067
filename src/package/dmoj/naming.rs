//! Finds cases by file names. One pattern matches the names of inputs, and another the names of answers. Each pattern
//! captures the number of the case and optionally the number of its batch.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

/// Maximum memory of a compiled pattern, in bytes.
const MOST: usize = 1 << 20;

/// Batch and case of a file, derived from its name.
type CasePosition = (Option<NameKey>, NameKey);

/// A number or word that a pattern captures from a name. Words sort before numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKey {
    Word(String),
    Number(u64),
}

/// A pattern for the names of inputs or answers.
#[derive(Debug)]
pub(super) struct NamePattern {
    /// A second pattern, which must match at the start of the name; `None` if there is none.
    required: Option<Regex>,
    whole: Regex,
}

/// The files of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilePair {
    pub(super) input: Option<String>,
    pub(super) answer: Option<String>,
}

/// A single case or a batch that was found by file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FoundCases {
    Case(FilePair),
    Batch(Vec<FilePair>),
}

impl NamePattern {
    /// Returns the default pattern. `kind` is `in` or `out`.
    pub(super) fn default_for(kind: &str) -> Result<NamePattern, String> {
        let whole = r"^.*?(?:(?:^|\W)(?P<batch>[0-9]+)[^0-9\s]+)?(?P<case>[0-9]+)[^0-9\s]*$";
        Ok(NamePattern { required: Some(regex(&format!(r"^(?:.*?\.{kind}|{kind})"))?), whole: regex(whole)? })
    }

    /// Compiles a pattern of a package.
    ///
    /// # Errors
    /// Returns a message if the pattern is not supported or has no group `case`.
    pub(super) fn custom(text: &str) -> Result<NamePattern, String> {
        let whole = regex(&format!("^(?:{text})"))?;
        match whole.capture_names().flatten().any(|name| name == "case") {
            true => Ok(NamePattern { required: None, whole }),
            false => Err("the pattern has no named group `(?P<case>…)`".to_owned()),
        }
    }

    fn position(&self, name: &str) -> Option<CasePosition> {
        if self.required.as_ref().is_some_and(|required| !required.is_match(name)) {
            return None;
        }
        let found = self.whole.captures(name)?;
        let key = |group: &str| {
            let text = found.name(group)?.as_str();
            Some(text.parse().map_or_else(|_| NameKey::Word(text.to_owned()), NameKey::Number))
        };
        Some((key("batch"), key("case")?))
    }
}

fn regex(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text).case_insensitive(true).size_limit(MOST).dfa_size_limit(MOST).build();
    built.map_err(|error| {
        let why = error.to_string();
        let last = why.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        format!("unsupported pattern: {last}")
    })
}

/// Pairs inputs with answers. A case without a batch is ordered among the batches by its own number, and belongs to the
/// batch with that number if there is one.
pub(super) fn pair(names: &[String], inputs: &NamePattern, answers: &NamePattern) -> Vec<FoundCases> {
    let mut places: BTreeMap<NameKey, (bool, BTreeMap<NameKey, FilePair>)> = BTreeMap::new();
    for (pattern, input) in [(inputs, true), (answers, false)] {
        for name in names {
            let Some((batch, case)) = pattern.position(name) else { continue };
            let (batched, cases) = places.entry(batch.clone().unwrap_or_else(|| case.clone())).or_default();
            *batched |= batch.is_some();
            let pair = cases.entry(case).or_default();
            let half = if input { &mut pair.input } else { &mut pair.answer };
            *half = Some(name.clone());
        }
    }
    let found = places.into_values().flat_map(|(batched, cases)| {
        let cases: Vec<FilePair> = cases.into_values().collect();
        if batched { vec![FoundCases::Batch(cases)] } else { cases.into_iter().map(FoundCases::Case).collect() }
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let pairs = pair(&names, &NamePattern::default_for("in").unwrap(), &NamePattern::default_for("out").unwrap());
        let shown = |pair: &FilePair| {
            format!("{}+{}", pair.input.as_deref().unwrap_or("-"), pair.answer.as_deref().unwrap_or("-"))
        };
        pairs
            .iter()
            .map(|found| match found {
                FoundCases::Case(pair) => shown(pair),
                FoundCases::Batch(pairs) => format!("[{}]", pairs.iter().map(shown).collect::<Vec<_>>().join(" ")),
            })
            .collect()
    }

    #[test]
    fn cases_and_batches_are_ordered_by_number() {
        assert_eq!(found(&["10.in", "10.out", "9.in", "9.OUT"]), ["9.in+9.OUT", "10.in+10.out"]);
        let names = ["1.in", "2.1.in", "2.2.in", "3.in", "1.out", "2.1.out", "2.2.out", "3.out"];
        assert_eq!(found(&names), ["1.in+1.out", "[2.1.in+2.1.out 2.2.in+2.2.out]", "3.in+3.out"]);
        assert_eq!(found(&["test-batch-1-case-2.in"]), ["[test-batch-1-case-2.in+-]"]);
        assert_eq!(found(&["problem.p0.1.in", "readme.txt"]), ["problem.p0.1.in+-"]);
        assert_eq!(found(&["input1.txt", "output1.txt"]), ["input1.txt+output1.txt"]);
    }

    #[test]
    fn packages_may_define_patterns() {
        let own = |text: &str| NamePattern::custom(text).map(|_| ());
        assert_eq!(own(r"(?P<case>\d+)\.i$"), Ok(()));
        assert!(own(r"(\d+)\.i").unwrap_err().contains("(?P<case>"));
        assert!(own(r"(?=a)(?P<case>\d+)").unwrap_err().contains("look-around"));
        assert!(own(r"(?P<case>(").is_err());
        let names = ["a1.i", "b1.i", "a1.o", "b1.o"].map(str::to_owned);
        let pattern = |end: &str| NamePattern::custom(&format!(r"(?P<batch>[a-z])(?P<case>\d)\.{end}$")).unwrap();
        assert_eq!(pair(&names, &pattern("i"), &pattern("o")).len(), 2);
    }
}
