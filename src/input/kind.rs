//! Parses the set of allowed values: `0..=9`, `word a-z 1..=20`, `real -1.0..=1.0 places 3`, `[Yes, No]`.

use super::expr::{Expr, NumberName};
use super::grammar::Grammar;
use super::layout::{Layout, Range, ValueKind, Var};
use super::names::Names;
use super::raw::{RawValue, Slip};

/// Maximum length of a word in a list of words.
const LONGEST_CHOICE: usize = 1000;

/// The variables that are declared before the value being parsed and, for an answer, the variables of the input.
pub(crate) struct Place<'a> {
    pub(crate) vars: &'a [Var],
    pub(crate) given: Option<&'a Layout>,
}

/// Parses the allowed values that a key declares.
pub(crate) fn parse(value: &RawValue, place: &Place<'_>, names: &mut Names<'_>) -> Result<ValueKind, Slip> {
    let text = match value {
        RawValue::Words(words) => return choice(words),
        RawValue::Text(text) => text,
    };
    let trimmed = text.trim_start();
    let offset = text.len() - trimmed.len();
    let rest_of = |keyword: &str| {
        trimmed.strip_prefix(keyword).filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    match (rest_of("word"), rest_of("real")) {
        (Some(rest), _) => word(rest, place, names).map_err(|slip| slip.shifted(offset + 4)),
        (_, Some(rest)) => real(rest).map_err(|slip| slip.shifted(offset + 4)),
        _ => range(text, place, names).map(ValueKind::Int),
    }
}

fn choice(words: &[String]) -> Result<ValueKind, Slip> {
    if words.is_empty() {
        return Err(Slip::whole("expected at least one word, found an empty list"));
    }
    for (at, word) in words.iter().enumerate() {
        if word.is_empty() || !word.bytes().all(|b| b.is_ascii_graphic()) || word.len() > LONGEST_CHOICE {
            return Err(Slip::whole(format!(
                "`{word}` is not a valid word; a word consists of 1 to {LONGEST_CHOICE} visible ASCII characters other \
                 than spaces"
            )));
        }
        if words[..at].contains(word) {
            return Err(Slip::whole(format!("the word `{word}` occurs twice in the list")));
        }
    }
    Ok(ValueKind::Choice { words: words.to_vec(), allowed: (0..words.len()).collect() })
}

/// Parses `lo..=hi`. Rejects constants beyond 64 bits, and ranges that are empty for all values of the names in them.
fn range(text: &str, place: &Place<'_>, names: &mut Names<'_>) -> Result<Range, Slip> {
    let [(lo, at_lo), (hi, at_hi)] = Grammar::new(text, names)?.range()?;
    for (end, at) in [(&lo, &at_lo), (&hi, &at_hi)] {
        if end.constant().is_some_and(|value| i64::try_from(value).is_err()) {
            let help = "bounds are limited to -2^63..=2^63-1";
            return Err(Slip::new(at.clone(), "this bound does not fit in a signed 64-bit integer").help(help));
        }
    }
    let span = |expr: &Expr| expr.span(&|name| span_of(name, place.vars, place.given));
    if let (Some((least, _)), Some((_, most))) = (span(&lo), span(&hi))
        && least > most
    {
        let message = match (lo.constant(), hi.constant()) {
            (Some(lo), Some(hi)) => format!("the range is empty: its lower bound {lo} exceeds its upper bound {hi}"),
            _ => "the range is always empty: its lower bound exceeds its upper bound".to_owned(),
        };
        return Err(Slip::new(at_lo.start..at_hi.end, message));
    }
    Ok(Range { lo, hi })
}

/// Returns bounds on the values of a name, or `None` if the description does not determine them.
pub(crate) fn span_of(name: NumberName, vars: &[Var], given: Option<&Layout>) -> Option<(i128, i128)> {
    match name {
        NumberName::Own(var) => vars.get(var)?.span,
        NumberName::Given(var) => given?.vars.get(var)?.span,
    }
}

/// Returns bounds on the values of an integer kind, or `None` if the description does not determine them.
pub(crate) fn span(kind: &ValueKind, place: &Place<'_>) -> Option<(i128, i128)> {
    let ValueKind::Int(range) = kind else { return None };
    let known = |name: NumberName| span_of(name, place.vars, place.given);
    Some((range.lo.span(&known)?.0, range.hi.span(&known)?.1))
}

/// Returns whether the bounds of a kind use no name of this item, so that they are the same in all rows of a block.
pub(crate) fn same_in_rows(kind: &ValueKind, item: usize, vars: &[Var]) -> bool {
    let (ValueKind::Int(range) | ValueKind::Word { length: range, .. }) = kind else { return true };
    let names = [range.lo.own_names(), range.hi.own_names()].concat();
    names.into_iter().all(|var| vars[var].item != item)
}

fn word(text: &str, place: &Place<'_>, names: &mut Names<'_>) -> Result<ValueKind, Slip> {
    let trimmed = text.trim_start();
    let offset = text.len() - trimmed.len();
    let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
    let example = "write, for example, `word a-z 1..=20`";
    if length == 0 {
        return Err(Slip::whole("expected letters and a length after `word`").help(example));
    }
    let letters = letters(&trimmed[..length]).map_err(|message| Slip::new(offset..offset + length, message))?;
    let rest = &trimmed[length..];
    if rest.trim().is_empty() {
        let slip = Slip::new(offset..offset + length, "expected a length after the letters");
        return Err(slip.help(example));
    }
    let range = range(rest, place, names).map_err(|slip| slip.shifted(offset + length))?;
    if range.lo.constant().is_some_and(|lo| lo < 1) {
        return Err(Slip::whole("expected a length of at least 1, because a word has at least one letter"));
    }
    Ok(ValueKind::Word { letters, length: range })
}

/// Parses a class of letters: `a-z`, `WL`, `a-zA-Z0-9_`. A `-` at either end is literal.
fn letters(class: &str) -> Result<Vec<u8>, String> {
    if let Some(strange) = class.chars().find(|c| !c.is_ascii_graphic()) {
        return Err(format!("the letter `{}` is not a visible ASCII character", strange.escape_debug()));
    }
    let bytes = class.as_bytes();
    let mut letters = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (first, last) = match bytes.get(at + 1..at + 3) {
            Some([b'-', last]) => (bytes[at], *last),
            _ => (bytes[at], bytes[at]),
        };
        if first > last {
            let (first, last) = (char::from(first), char::from(last));
            return Err(format!("the ends of `{first}-{last}` are reversed; write `{last}-{first}`"));
        }
        at += if bytes.get(at + 1) == Some(&b'-') && at + 2 < bytes.len() { 3 } else { 1 };
        letters.extend(first..=last);
    }
    letters.sort_unstable();
    letters.dedup();
    Ok(letters)
}

/// Returns `digit` or `digits`, depending on whether `count` is 1.
pub(crate) fn digits(count: u8) -> &'static str {
    if count == 1 { "digit" } else { "digits" }
}

fn real(text: &str) -> Result<ValueKind, Slip> {
    let help = "write, for example, `real -10.0..=10.0 places 3`";
    let Some((range, places)) = text.split_once("places") else {
        return Err(Slip::whole("expected `places` and the number of digits after the decimal point").help(help));
    };
    let at_places = text.len() - places.len();
    let place_count = places.trim().parse::<u8>().ok().filter(|count| *count <= 18);
    let Some(count) = place_count else {
        return Err(Slip::new(at_places..text.len(), "expected a number of decimal places from 0 to 18").help(help));
    };
    let Some((lo, hi)) = range.split_once("..=") else {
        return Err(Slip::new(0..range.len(), "expected a range `lo..=hi`").help(help));
    };
    let at_hi = range.len() - hi.len();
    let end = |text: &str, at: usize| {
        let place = at..at + text.len();
        units(text.trim(), count).ok_or_else(|| {
            let digits = digits(count);
            let message = format!(
                "expected a number that has at most {count} {digits} after the decimal point and, multiplied by \
                 10^{count}, fits in 64 bits"
            );
            Slip::new(place, message).help(help)
        })
    };
    let (low, high) = (end(lo, 0)?, end(hi, at_hi)?);
    if low > high {
        return Err(Slip::new(
            0..range.trim_end().len(),
            format!("the range is empty: its lower bound {} exceeds its upper bound {}", lo.trim(), hi.trim()),
        ));
    }
    Ok(ValueKind::Real { lo: low, hi: high, places: count })
}

/// Parses a decimal number, or a power such as `10^9`, as a number of units of 10^-`places`. Returns `None` for other
/// strings, and for results that do not fit in 64 bits.
fn units(text: &str, places: u8) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if let Some((base, exponent)) = digits.split_once('^') {
        let power = base.parse::<u32>().ok()?;
        let power = i128::from(power).checked_pow(exponent.parse().ok()?)?;
        let units = power.checked_mul(10_i128.pow(u32::from(places)))?;
        return i64::try_from(if negative { -units } else { units }).ok();
    }
    let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{behind}");
    if whole.is_empty() || behind.len() > usize::from(places) || !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let zeros = u32::from(places) - u32::try_from(behind.len()).ok()?;
    let units = all.parse::<i128>().ok()?.checked_mul(10_i128.pow(zeros))?;
    i64::try_from(if negative { -units } else { units }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_letters() {
        assert_eq!(letters("WL").unwrap(), b"LW");
        assert_eq!(letters("a-c0-2").unwrap(), b"012abc");
        assert_eq!(letters("a-").unwrap(), b"-a");
        assert_eq!(letters("-a").unwrap(), b"-a");
        assert_eq!(letters("aa-b").unwrap(), b"ab");
        assert!(letters("z-a").is_err());
        assert!(letters("é").is_err());
    }

    #[test]
    fn decimal_bounds() {
        assert_eq!(units("-10.0", 3), Some(-10_000));
        assert_eq!(units("0.125", 3), Some(125));
        assert_eq!(units("7", 0), Some(7));
        assert_eq!(units("-10^9", 3), Some(-1_000_000_000_000));
        for bad in ["0.1234", ".5", "", "-", "1.2.3", "1e3", "10^", "10^99", "99999999999999999999"] {
            assert_eq!(units(bad, 3), None, "{bad}");
        }
    }
}
