//! Compares the bounds in a statement's formulas, such as `$1 \le n \le 10^5$`, with the input description.

use std::collections::BTreeMap;

use crate::input::Description;

/// Result of comparing formulas with the description.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BoundsComparison {
    /// Descriptions of differences.
    pub(super) wrong: Vec<String>,
    /// Names whose stated bounds agree with the description.
    pub(super) agreeing: Vec<String>,
    /// Names with more than one possible value whose bounds are not stated.
    pub(super) unstated: Vec<String>,
}

/// The bounds that a statement contains for one name. There may be several, for subtasks and examples.
#[derive(Debug, Default)]
struct Stated {
    least: Vec<ChainEnd>,
    greatest: Vec<ChainEnd>,
}

/// Compares formulas with the description. If several bounds are stated for a name, one of them must equal the bound in
/// the description. Bounds that are not next to the name may differ.
pub(super) fn compare(input: &Description, formulas: &[String]) -> BoundsComparison {
    let mut stated: BTreeMap<&str, Stated> = BTreeMap::new();
    for formula in formulas {
        for bound in chains(formula) {
            if let Some(name) = known(input, &bound.name) {
                let entry = stated.entry(name).or_default();
                entry.least.extend(bound.least);
                entry.greatest.extend(bound.greatest);
            }
        }
    }
    let mut compared = BoundsComparison::default();
    for name in input.names() {
        let Some((least, greatest)) = input.span(name).filter(|(least, greatest)| least < greatest) else { continue };
        let Some(stated) = stated.get(name) else {
            compared.unstated.push(name.to_owned());
            continue;
        };
        let wrong = compared.wrong.len();
        for (real, all, what) in [(least, &stated.least, "least"), (greatest, &stated.greatest, "greatest")] {
            let agrees = all.iter().any(|end| end.number == real);
            if let (false, Some(first)) = (agrees, all.iter().find(|end| end.beside)) {
                let number = first.number;
                let message =
                    format!("the {what} value of `{name}` is {number} in the statement, but {real} in the spec");
                compared.wrong.push(message);
            }
        }
        if compared.wrong.len() == wrong {
            compared.agreeing.push(name.to_owned());
        }
    }
    compared
}

/// Finds the name in the input description that a name in a formula denotes. For example, `r_1` denotes `r_1`, `r1` or
/// `r`, whichever exists. If none of them exists, the search is repeated without regard to the case of letters. Returns
/// `None` if this finds no name either.
fn known<'a>(input: &'a Description, name: &str) -> Option<&'a str> {
    let names = [name.to_owned(), name.replace('_', ""), name.split('_').next().unwrap_or_default().to_owned()];
    let exact = |name: &String| input.names().find(|known| known == name);
    let alike = |name: &String| input.names().find(|known| known.eq_ignore_ascii_case(name));
    names.iter().find_map(exact).or_else(|| names.iter().find_map(alike))
}

/// The bounds of one name in a chain of inequalities.
#[derive(Debug, PartialEq, Eq)]
struct StatedBound {
    name: String,
    least: Option<ChainEnd>,
    greatest: Option<ChainEnd>,
}

/// A number that bounds a name in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChainEnd {
    number: i128,
    /// Whether the number is next to the name in the chain. In `1 ≤ p ≤ n`, the 1 is also a lower bound of `n`, but
    /// need not be the minimum of `n`.
    beside: bool,
}

/// A term of a chain.
#[derive(Debug)]
enum Term {
    Number(i128),
    Names(Vec<String>),
    Other,
}

/// Returns the bounds of the names in a formula that is a chain of `≤` and `<`, or of `≥` and `>`; empty for any other
/// formula.
fn chains(formula: &str) -> Vec<StatedBound> {
    let (terms, signs) = links(formula);
    if signs.is_empty() {
        return Vec::new();
    }
    let rising = signs.iter().all(|sign| matches!(sign, Relation::AtMost | Relation::Less));
    let falling = signs.iter().all(|sign| matches!(sign, Relation::AtLeast | Relation::Greater));
    if !rising && !falling {
        return Vec::new();
    }
    let mut terms: Vec<Term> = terms.iter().map(|term| Term::read(term)).collect();
    let mut strict: Vec<bool> = signs.iter().map(|sign| matches!(sign, Relation::Less | Relation::Greater)).collect();
    if falling {
        terms.reverse();
        strict.reverse();
    }
    let mut bounds = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let Term::Names(names) = term else { continue };
        // A bound need not be next to the name: in `1 ≤ k ≤ n ≤ 9`, the 9 is also an upper bound of `k`.
        let steps = |range: std::ops::Range<usize>| strict[range].iter().filter(|strict| **strict).count() as i128;
        let number = |(place, term): (usize, &Term)| match term {
            Term::Number(number) => Some((place, *number)),
            _ => None,
        };
        let least = terms[..at].iter().enumerate().rev().find_map(number);
        let greatest = terms.iter().enumerate().skip(at + 1).find_map(number);
        for name in names {
            let end = |place: usize, number: i128| ChainEnd { number, beside: place.abs_diff(at) == 1 };
            bounds.push(StatedBound {
                name: name.clone(),
                least: least.map(|(place, number)| end(place, number + steps(place..at))),
                greatest: greatest.map(|(place, number)| end(place, number - steps(at..place))),
            });
        }
    }
    bounds
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    AtMost,
    Less,
    AtLeast,
    Greater,
}

/// Spellings of the relation signs. A spelling precedes all others that are prefixes of it.
const SIGNS: [(&str, Relation); 18] = [
    ("\\leqslant", Relation::AtMost),
    ("\\leqq", Relation::AtMost),
    ("\\leq", Relation::AtMost),
    ("\\le", Relation::AtMost),
    ("≤", Relation::AtMost),
    ("⩽", Relation::AtMost),
    ("<=", Relation::AtMost),
    ("\\lt", Relation::Less),
    ("<", Relation::Less),
    ("\\geqslant", Relation::AtLeast),
    ("\\geqq", Relation::AtLeast),
    ("\\geq", Relation::AtLeast),
    ("\\ge", Relation::AtLeast),
    ("≥", Relation::AtLeast),
    ("⩾", Relation::AtLeast),
    (">=", Relation::AtLeast),
    ("\\gt", Relation::Greater),
    (">", Relation::Greater),
];

/// Splits a formula into terms and the signs between them.
fn links(formula: &str) -> (Vec<String>, Vec<Relation>) {
    let (mut terms, mut signs, mut rest) = (vec![String::new()], Vec::new(), formula);
    while let Some(next) = rest.chars().next() {
        // `\left` begins with `\le`, but is not a sign.
        let ends =
            |sign: &str, tail: &str| !sign.starts_with('\\') || !tail.starts_with(|c: char| c.is_ascii_alphabetic());
        let sign = SIGNS.iter().find(|(sign, _)| rest.strip_prefix(sign).is_some_and(|tail| ends(sign, tail)));
        match sign {
            Some((text, sign)) => {
                signs.push(*sign);
                terms.push(String::new());
                rest = &rest[text.len()..];
            }
            None => {
                if let Some(term) = terms.last_mut() {
                    term.push(next);
                }
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    (terms, signs)
}

impl Term {
    fn read(text: &str) -> Term {
        let plain = plain(text);
        if let Some(number) = number(&plain) {
            return Term::Number(number);
        }
        let mut depth = 0;
        let between = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        };
        let names: Option<Vec<String>> = plain.split(between).map(name).collect();
        names.map_or(Term::Other, Term::Names)
    }
}

/// Removes white space, spacing commands, thousands separators, and sizing commands for brackets.
fn plain(text: &str) -> String {
    let mut text = text.replace("{,}", "");
    for space in ["\\,", "\\;", "\\:", "\\!", "\\ ", "\\quad", "\\left", "\\right", "~", "\u{a0}", "\u{202f}"] {
        text = text.replace(space, "");
    }
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Parses a name such as `a`, `a_i`, `a_{i,j}` or `\mathit{len}`, and returns it without its index. An index that is a
/// number is kept as part of the name: both `r_1` and `r_{1}` become `r_1`. Returns `None` if the text is not a name.
fn name(text: &str) -> Option<String> {
    let head = text.split(['_', '[']).next()?;
    let index = text.strip_prefix(head)?.strip_prefix('_').map(|index| index.trim_matches(['{', '}']));
    let number = index.filter(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()));
    let inner = ["\\mathit{", "\\text{", "\\mathrm{", "\\textit{", "\\operatorname{"]
        .iter()
        .find_map(|start| head.strip_prefix(start)?.strip_suffix('}'));
    let name = inner.unwrap_or(head);
    let good = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && !name.starts_with(|c: char| c.is_ascii_digit());
    good.then(|| number.map_or(name.to_owned(), |number| format!("{name}_{number}")))
}

/// Parses a number: a sum of products of powers, such as `2 \cdot 10^5`, `2^{63} - 1` or `-10^9`. Returns `None` if the
/// text is not a number, or if the number does not fit in 128 bits.
fn number(text: &str) -> Option<i128> {
    let text = text.replace("\\cdot", "*").replace("\\times", "*").replace(['·', '×'], "*").replace(['−', '–'], "-");
    let mut sum: i128 = 0;
    let mut start = 0;
    let bytes = text.as_bytes();
    for at in 1..=text.len() {
        let ends = at == text.len()
            || (matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'*' | b'^' | b'{' | b'+' | b'-'));
        if ends {
            sum = sum.checked_add(product(text.get(start..at)?)?)?;
            start = at;
        }
    }
    (!text.is_empty()).then_some(sum)
}

fn product(text: &str) -> Option<i128> {
    let (minus, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut all: i128 = 1;
    for factor in text.split('*') {
        all = all.checked_mul(power(factor)?)?;
    }
    Some(if minus { -all } else { all })
}

fn power(text: &str) -> Option<i128> {
    let braced = |text: &str| text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text).to_owned();
    let digits = |text: &str| {
        let text = braced(text).replace(['\'', ','], "");
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse::<i128>().ok())?
    };
    match text.split_once('^') {
        None => digits(text),
        Some((base, exponent)) => digits(base)?.checked_pow(u32::try_from(digits(exponent)?).ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed() {
        let cases = [
            ("100\\,000", Some(100_000)),
            ("10^5", Some(100_000)),
            ("2 \\cdot 10^{5}", Some(200_000)),
            ("2^{63} - 1", Some(i128::from(i64::MAX))),
            ("-10^9", Some(-1_000_000_000)),
            ("10^9+7", Some(1_000_000_007)),
            ("1{,}000", Some(1000)),
            ("n-1", None),
            ("", None),
            ("10^{99}", None),
        ];
        for (text, expected) in cases {
            assert_eq!(number(&plain(text)), expected, "{text}");
        }
    }

    fn told(formula: &str) -> Vec<String> {
        let end = |end: Option<ChainEnd>| end.map_or("?".to_owned(), |end| end.number.to_string());
        chains(formula).iter().map(|b| format!("{} {}..{}", b.name, end(b.least), end(b.greatest))).collect()
    }

    #[test]
    fn chains_give_bounds_of_all_names() {
        assert_eq!(told("1 \\le n \\le 100\\,000"), ["n 1..100000"]);
        assert_eq!(told("0 \\le a_i < 2^{63}"), ["a 0..9223372036854775807"]);
        assert_eq!(told("1 \\le k \\le n \\leq 9"), ["k 1..9", "n 1..9"]);
        assert_eq!(told("1 \\le k, n \\le 100"), ["k 1..100", "n 1..100"]);
        assert_eq!(told("1 \\le r_1, r_{2} \\le 9"), ["r_1 1..9", "r_2 1..9"]);
        assert_eq!(told("1 \\le p_i \\le n"), ["p 1..?", "n 1..?"]);
        assert_eq!(told("10 > x_{i,j} \\ge -3"), ["x -3..9"]);
        assert!(told("3 \\oplus 5 = 6").is_empty());
        assert!(told("a \\le b > 3").is_empty());
        assert!(told("\\left(n\\right)").is_empty());
    }

    fn held(formulas: &[&str]) -> BoundsComparison {
        use crate::input::{RawItem, RawValue};
        let line = |pairs: &[(&str, &str)]| {
            RawItem::Line(pairs.iter().map(|(k, v)| ((*k).to_owned(), RawValue::Text((*v).to_owned()))).collect())
        };
        let items = [line(&[("n", "2..=100"), ("k", "1..=n")]), line(&[("a[n]", "0..=10^9")])];
        let input = Description::parse(&items, &[]).unwrap();
        compare(&input, &formulas.iter().map(|formula| (*formula).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn bounds_are_compared_with_description() {
        let good = held(&["2 \\le n \\le 100", "1 \\le k \\le n", "0 \\le a_i \\le 10^9", "n \\le 5"]);
        assert_eq!((good.wrong.len(), good.unstated.len()), (0, 0), "{good:?}");
        let wrong = held(&["2 \\le n \\le 100", "0 \\le a_i < 10^9"]);
        assert_eq!(
            wrong.wrong,
            ["the greatest value of `a` is 999999999 in the statement, but 1000000000 in the spec"]
        );
        assert_eq!(wrong.unstated, ["k"]);
        assert_eq!(held(&["1 \\le N \\le 100"]).wrong.len(), 1);
    }
}
