//! Guesses a description from examples, such as the outputs of a generator.
//!
//! The guess is narrow: it allows only the ranges of values in the examples, and it requires properties that all
//! examples have, such as sorted lists and edges that form a tree. An input that matches it is therefore likely to be
//! valid. The guess is used to shrink inputs, not as a validator.

mod clauses;
mod shape;
mod values;

use super::description::Description;
use super::one_line::write_one_line;
use clauses::Rising;
pub use shape::{canonical_text, plain_integer};

/// Maximum total size of the examples that are used, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// A description that matches all examples.
#[derive(Debug, Clone)]
pub struct FormatGuess {
    /// The guessed description.
    pub description: Description,
    /// The description in the notation of [`Description::parse_one_line`].
    pub text: String,
    /// Properties of the examples that the notation cannot express.
    rising: Vec<Rising>,
    /// Whether empty lines at the end are ignored.
    trim: bool,
}

impl FormatGuess {
    /// Returns whether an input matches the description and has the other properties of the examples.
    pub fn accepts(&self, input: &[u8]) -> bool {
        let Ok(instance) = self.description.read(input, None) else { return false };
        self.rising.iter().all(|rising| instance.ints(&rising.name).is_none_or(|list| rising.holds(list)))
    }

    /// Returns the input with one space between the values of a line and a line feed after each line, or `None` if the
    /// input is not UTF-8 or if the result is not accepted.
    pub fn normalized(&self, input: &[u8]) -> Option<Vec<u8>> {
        let bytes = shape::canonical_text(&shape::lines(std::str::from_utf8(input).ok()?, self.trim));
        self.accepts(&bytes).then_some(bytes)
    }
}

/// Guesses the description of the shortest examples, up to a total of 4 MiB. Returns `None` if no description is found
/// that matches all of them, or if an example is not UTF-8.
///
/// White space at the start and end of lines is ignored, and several spaces in a row count as one. Empty lines at the
/// end are ignored if a description matches without them.
pub fn guess(examples: &[&[u8]]) -> Option<FormatGuess> {
    let mut texts: Vec<&str> =
        examples.iter().map(|bytes| std::str::from_utf8(bytes)).collect::<Result<_, _>>().ok()?;
    texts.sort_by_key(|text| text.len());
    texts.dedup();
    let mut size = 0;
    texts.retain(|text| {
        size += text.len();
        size <= MOST_BYTES
    });
    // An empty line at the end may be an empty list.
    guess_from(&texts, true).or_else(|| guess_from(&texts, false))
}

fn guess_from(texts: &[&str], trim: bool) -> Option<FormatGuess> {
    let examples: Vec<Vec<Vec<&str>>> = texts.iter().map(|text| shape::lines(text, trim)).collect();
    let shape = shape::find(&examples)?;
    let values = values::ShapeValues::of(&shape)?;
    let items = values.items();
    let clauses = clauses::find(&values);
    let described = |clauses: &[String]| {
        let description = Description::parse(&items, clauses).ok()?;
        let valid = |lines: &Vec<Vec<&str>>| description.validate(&shape::canonical_text(lines)[..], None).is_ok();
        examples.iter().all(valid).then_some(description)
    };
    let (description, clauses) = match described(&clauses) {
        Some(description) => (description, clauses),
        None => (described(&[])?, Vec::new()),
    };
    let text = write_one_line(&items, &clauses);
    Some(FormatGuess { description, text, rising: clauses::rising(&values), trim })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::model::Digest;

    /// Generates inputs of a description, and returns the text of the description that is guessed from these inputs.
    fn guessed(text: &str) -> String {
        let description = Description::parse_one_line("spec", text).unwrap();
        let mut rng = Rng::from_digest(&Digest::of(text.as_bytes()));
        let inputs: Vec<Vec<u8>> =
            (0..60).filter_map(|_| Some(description.generate(&mut rng).ok()?.to_bytes(&description))).collect();
        let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        guess(&inputs).map_or("none".to_owned(), |guess| guess.text)
    }

    #[test]
    fn common_formats_are_recognised() {
        for (text, expected) in [
            ("n: 1..=5; a[n]: 0..=3", "n: 1..=5; a[n]: 0..=3"),
            ("n: 1..=9, x: 1..=n; a[n]: 0..=3", "n: 1..=9, m: 1..=n; a[n]: 0..=3"),
            ("n: 3..=9; p[n]: 1..=n; where permutation(p)", "n: 3..=9; a[n]: 1..=n; where permutation(a)"),
            ("n: 1..=6; repeat n { u: 1..=4, v: 0..=9 }", "n: 1..=6; repeat n { x: 1..=4, y: 0..=9 }"),
            ("t: 1..=4; repeat t { n: 1..=5; a[n]: 1..=9 }", "n: 1..=4; repeat n { m: 1..=5; a[m]: 1..=9 }"),
            (
                "n: 2..=9; repeat n-1 { u: 1..=n, v: 1..=n }; where tree(u, v)",
                "n: 2..=9; repeat n-1 { x: 1..=n, y: 1..=n }; where tree(x, y)",
            ),
            ("n: 2..=6, m: 2..=6; repeat n { s: word .# m..=m }", "n: 2..=6, m: 2..=6; repeat n { s: word #. m..=m }"),
            ("n: 1..=6, m: 1..=5; repeat n { a[m]: 1..=8 }", "n: 1..=6, m: 1..=5; repeat n { a[m]: 1..=8 }"),
            (
                "n: 1..=6, q: 1..=5; a[n]: 1..=8; repeat q { l: 1..=n, r: l..=n }",
                "n: 1..=6, m: 1..=5; a[n]: 1..=8; repeat m { x: 1..=n, y: x..=n }",
            ),
            ("s: word ab 1..=9", "s: word ab 1..=9"),
            ("k: 1..=4, a[k]: 5..=9", "n: 1..=4, a[n]: 5..=9"),
            ("q: 1..=9; repeat q { w: [add, get], x: 1..=5 }", "n: 1..=9; repeat n { s: [add, get], x: 1..=5 }"),
            ("x: real 0.0..=9.0 places 2", "none"),
        ] {
            let guess = guessed(text);
            let sorted = |text: &str| text.replace("[get, add]", "[add, get]");
            if expected == "none" {
                assert!(guess.starts_with("n: real 0."), "{guess}");
            } else {
                assert_eq!(sorted(&guess), expected, "from {text}");
            }
        }
    }

    #[test]
    fn sloppy_white_space_is_ignored() {
        let guess = guess(&[b"2\n1 2 \n", b"3\n1  2 3\n\n", b"1\n7"]).unwrap();
        assert_eq!(guess.text, "n: 1..=3; a[n]: 1..=7");
        assert_eq!(guess.normalized(b"2 \n3  4").unwrap(), b"2\n3 4\n");
        assert_eq!(guess.normalized(b"2 \n3  8"), None);
    }

    #[test]
    fn one_example_suffices_for_a_list() {
        assert_eq!(guess(&[b"3\n4 5 6\n"]).unwrap().text, "n: 3..=3; a[n]: 4..=6");
    }

    #[test]
    fn parents_stay_before_their_children() {
        let inputs: Vec<String> = (3..12_usize)
            .map(|n| {
                let parents: Vec<String> = (2..=n).map(|v| (1 + (v * v * 7 + n) % (v - 1)).to_string()).collect();
                format!("{n}\n{}\n", parents.join(" "))
            })
            .collect();
        let guess = guess(&inputs.iter().map(String::as_bytes).collect::<Vec<_>>()).unwrap();
        assert!(guess.accepts(b"4\n1 2 1\n") && !guess.accepts(b"4\n2 1 1\n"), "{}", guess.text);
    }

    #[test]
    fn texts_without_a_common_form_have_no_guess() {
        assert!(guess(&[b"2\n1 2 3\n", b"3\n1\n", b"1\n1 1 1 1\n1"]).is_none());
        assert!(guess(&[b"\xff"]).is_none());
        assert!(guess(&[]).is_none());
    }
}
