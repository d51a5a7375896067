//! Guesses the names of the values of a shape, and their ranges from the tokens of the examples.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::super::raw::{RawItem, RawValue};
use super::shape::{Count, InputShape, Row, ShapeField, ShapeItem, ShapeLength, plain_integer};

/// Names for single numbers that are outside of blocks or are counts.
const NUMBERS: &[&str] = &["n", "m", "k", "q", "p", "r", "t"];
/// Names for other single numbers in blocks.
const COLUMNS: &[&str] = &["x", "y", "z", "w"];
/// Names for lists of numbers.
const LISTS: &[&str] = &["a", "b", "c", "d", "e", "f"];
/// Names for words.
const WORDS: &[&str] = &["s", "u", "v"];
/// Maximum number of different words that are described as a choice.
const MOST_CHOICES: usize = 6;
/// Minimum average number of occurrences of each word of a choice.
const EACH_CHOICE: usize = 4;
/// Reciprocal of the minimum fraction of rows in which a field must reach the value of another field, so that the
/// other field is used as the upper bound.
const REACHED: usize = 25;
/// Minimum number of rows for which a relation between values is not considered a coincidence.
const EVIDENCE: usize = 6;

/// The fields of a shape with their names and ranges.
pub(super) struct ShapeValues<'s, 't> {
    shape: &'s InputShape<'t>,
    /// The fields by their ids.
    fields: BTreeMap<usize, FieldValues<'s, 't>>,
}

/// A field with its name and range.
pub(super) struct FieldValues<'s, 't> {
    pub(super) name: String,
    pub(super) rows: &'s [Row<'t>],
    pub(super) length: Option<ShapeLength>,
    /// Index of the item that contains the field.
    pub(super) item: usize,
    /// Whether the item that contains the field is a block.
    pub(super) in_block: bool,
    /// The integers of each row; `None` if the field has other values.
    pub(super) integers: Option<Vec<Vec<i64>>>,
    pub(super) value: RawValue,
}

impl<'s, 't> ShapeValues<'s, 't> {
    /// Names the fields and guesses their ranges. Returns `None` if a field has values that the notation cannot
    /// describe.
    pub(super) fn of(shape: &'s InputShape<'t>) -> Option<ShapeValues<'s, 't>> {
        let mut values = ShapeValues { shape, fields: BTreeMap::new() };
        for (item, lines) in shape.items.iter().enumerate() {
            let (lines, in_block) = match lines {
                ShapeItem::Line(fields) => (std::slice::from_ref(fields), false),
                ShapeItem::Block { lines, .. } => (lines.as_slice(), true),
            };
            for field in lines.iter().flatten() {
                let known = values.field(field, item, in_block)?;
                values.fields.insert(field.id, known);
            }
        }
        Some(values)
    }

    /// Returns the fields in the order of the input.
    pub(super) fn fields(&self) -> impl Iterator<Item = &FieldValues<'s, 't>> {
        self.fields.values()
    }

    /// Returns the items of a description of this shape.
    pub(super) fn items(&self) -> Vec<RawItem> {
        let line = |fields: &Vec<ShapeField<'_>>| -> IndexMap<String, RawValue> {
            fields.iter().filter_map(|field| self.fields.get(&field.id)).map(|field| self.pair(field)).collect()
        };
        let item = |item: &ShapeItem<'_>| match item {
            ShapeItem::Line(fields) => RawItem::Line(line(fields)),
            ShapeItem::Block { count, lines } => {
                RawItem::Repeat { repeat: self.count(*count), lines: lines.iter().map(line).collect() }
            }
        };
        self.shape.items.iter().map(item).collect()
    }

    /// Returns the name of the field with this id.
    pub(super) fn name(&self, field: usize) -> &str {
        self.fields.get(&field).map_or("", |field| &field.name)
    }

    /// Returns the value of the single-integer field `of` that belongs to this row of another field, or `None` if there
    /// is no such value.
    fn value_beside(&self, of: &FieldValues<'_, '_>, item: usize, rows: &[Row<'_>], row: usize) -> Option<i64> {
        let integers = of.integers.as_ref()?;
        let at = if of.in_block && of.item == item { row } else { rows.get(row)?.example };
        integers.get(at)?.first().copied()
    }

    fn count(&self, count: Count) -> String {
        count.text(self.name(count.field))
    }

    fn pair(&self, field: &FieldValues<'_, '_>) -> (String, RawValue) {
        let key = match field.length {
            None => field.name.clone(),
            Some(ShapeLength::Fixed(length)) => format!("{}[{length}]", field.name),
            Some(ShapeLength::Counted(count)) => format!("{}[{}]", field.name, self.count(count)),
        };
        (key, field.value.clone())
    }

    /// Names a field and guesses its kind and range. Returns `None` if no kind fits the values.
    fn field(&self, field: &'s ShapeField<'t>, item: usize, in_block: bool) -> Option<FieldValues<'s, 't>> {
        let numbers = |row: &Row<'_>| row.tokens.iter().map(|token| plain_integer(token)).collect::<Option<Vec<i64>>>();
        let integers: Option<Vec<Vec<i64>>> = field.rows.iter().map(numbers).collect();
        let names = match (&integers, field.length, in_block) {
            (None, ..) if !decimal(field) => WORDS,
            (_, Some(_), _) => LISTS,
            (_, None, true) if !self.counts(field.id) => COLUMNS,
            _ => NUMBERS,
        };
        let value = match &integers {
            Some(integers) => RawValue::Text(self.range(integers, field, item)?),
            None if decimal(field) => RawValue::Text(real(field)?),
            None => self.word(field, item)?,
        };
        let name = self.free(names);
        Some(FieldValues { name, rows: &field.rows, length: field.length, item, in_block, integers, value })
    }

    /// Returns whether a field is used as the count of a list or block.
    fn counts(&self, id: usize) -> bool {
        let counted = |count: &Count| count.field == id;
        self.shape.items.iter().any(|item| {
            let (lines, of_block) = match item {
                ShapeItem::Line(fields) => (std::slice::from_ref(fields), None),
                ShapeItem::Block { count, lines } => (lines.as_slice(), Some(count)),
            };
            let of_lists = lines
                .iter()
                .flatten()
                .any(|field| matches!(&field.length, Some(ShapeLength::Counted(count)) if counted(count)));
            of_lists || of_block.is_some_and(counted)
        })
    }

    /// Returns the first of these names that is not in use, with a number appended if all are in use.
    fn free(&self, names: &[&str]) -> String {
        let numbered = |number: usize| {
            names.iter().map(move |name| match number {
                0 => (*name).to_owned(),
                number => format!("{name}{number}"),
            })
        };
        let used: BTreeSet<&str> = self.fields.values().map(|field| field.name.as_str()).collect();
        (0..).flat_map(numbered).find(|name| !used.contains(name.as_str())).unwrap_or_default()
    }

    /// Returns the range of a field's integers. If all integers equal the same expression of an earlier field, the
    /// range is that expression. Otherwise, each bound of the range is derived from an earlier field that bounds the
    /// integers in all examples or, if there is no such field, from the extreme value in the examples.
    fn range(&self, integers: &[Vec<i64>], field: &ShapeField<'_>, item: usize) -> Option<String> {
        let all = || integers.iter().flatten().copied();
        let (lo, hi) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        let mut upper: Option<(i128, String)> = None;
        let mut lower = lo.to_string();
        let single = |other: &FieldValues<'_, '_>| other.length.is_none() && other.integers.is_some();
        for (id, other) in self.fields.iter().filter(|(_, other)| single(other)) {
            if other.in_block && other.item != item {
                continue;
            }
            let beside: Option<Vec<i64>> =
                (0..integers.len()).map(|row| self.value_beside(other, item, &field.rows, row)).collect();
            let Some(beside) = beside else { continue };
            let varies = beside.iter().any(|value| *value != beside[0]);
            if !varies || integers.len() < EVIDENCE {
                continue;
            }
            for plus in [0, -1, 1] {
                let end = |row: usize| i128::from(beside[row]) + i128::from(plus);
                let rows = || integers.iter().enumerate().filter(|(_, values)| !values.is_empty());
                let text = Count { field: 0, factor: 1, plus }.text(&other.name);
                let equal =
                    |(row, values): (usize, &Vec<i64>)| values.iter().all(|value| i128::from(*value) == end(row));
                if field.length.is_none() && rows().all(equal) {
                    return Some(text);
                }
                let bounded =
                    |(row, values): (usize, &Vec<i64>)| values.iter().all(|value| i128::from(*value) <= end(row));
                let reached =
                    |(row, values): &(usize, &Vec<i64>)| values.iter().any(|value| i128::from(*value) == end(*row));
                if rows().all(bounded) && rows().filter(reached).count() * REACHED >= integers.len() {
                    let slack = beside.iter().map(|value| i128::from(*value) + i128::from(plus)).sum();
                    if upper.as_ref().is_none_or(|(least, _)| slack < *least) {
                        upper = Some((slack, text));
                    }
                }
            }
            let above = |(row, values): (usize, &Vec<i64>)| values.iter().all(|value| *value >= beside[row]);
            let column = other.item == item && field.length.is_none() && !self.counts(*id);
            if column && integers.iter().enumerate().all(above) && other_range_overlaps(&beside, integers) {
                lower.clone_from(&other.name);
            }
        }
        let upper = upper.map_or_else(|| hi.to_string(), |(_, text)| text);
        Some(format!("{lower}..={upper}"))
    }

    /// Returns a choice of words, or a `word` with the letters and lengths of the examples. Returns `None` if a word
    /// contains a character that is not printable ASCII.
    fn word(&self, field: &ShapeField<'_>, item: usize) -> Option<RawValue> {
        let tokens = || field.rows.iter().flat_map(|row| row.tokens.iter().copied());
        let mut distinct: Vec<&str> = Vec::new();
        for token in tokens() {
            if !distinct.contains(&token) && distinct.len() <= MOST_CHOICES {
                distinct.push(token);
            }
        }
        if distinct.len() <= MOST_CHOICES && tokens().count() >= distinct.len() * EACH_CHOICE && !grid(&distinct) {
            return Some(RawValue::Words(distinct.into_iter().map(str::to_owned).collect()));
        }
        let letters: BTreeSet<u8> = tokens().flat_map(str::bytes).collect();
        if !letters.iter().all(u8::is_ascii_graphic) {
            return None;
        }
        let lengths = || tokens().map(str::len);
        let (lo, hi) = (lengths().min()?, lengths().max()?);
        let mut range = format!("{lo}..={hi}");
        for other in self.fields.values().filter(|other| other.length.is_none() && other.integers.is_some()) {
            if other.in_block && other.item != item {
                continue;
            }
            let length = |row: usize| self.value_beside(other, item, &field.rows, row);
            let equal = |(row, values): (usize, &Row<'_>)| {
                values.tokens.iter().all(|token| i64::try_from(token.len()).ok() == length(row))
            };
            if field.rows.len() >= 2 && lo < hi && field.rows.iter().enumerate().all(equal) {
                range = format!("{0}..={0}", other.name);
            }
        }
        Some(RawValue::Text(format!("word {} {range}", class(&letters))))
    }
}

/// Returns whether the values `before` of another column overlap the range of a column, so that the two columns may be
/// the ends of intervals. Returns `false` if there are fewer than [`EVIDENCE`] values.
fn other_range_overlaps(before: &[i64], integers: &[Vec<i64>]) -> bool {
    let least = integers.iter().flatten().min();
    before.len() >= EVIDENCE && before.iter().max() >= least
}

/// Returns whether words look like the rows of a grid rather than a choice.
fn grid(words: &[&str]) -> bool {
    words.iter().any(|word| word.len() > 1 && !word.bytes().any(|byte| byte.is_ascii_alphanumeric()))
        || words.len() == 1 && words[0].len() > 1 && words[0].bytes().all(|byte| byte == words[0].as_bytes()[0])
}

/// Returns the class of these letters in the notation of `word`.
fn class(letters: &BTreeSet<u8>) -> String {
    let dash = letters.contains(&b'-');
    let mut text = String::new();
    let mut left: Vec<u8> = letters.iter().copied().filter(|letter| *letter != b'-').collect();
    // If there are more than four lower-case letters, all letters between the first and the last are probably allowed.
    let lower = left.iter().filter(|letter| letter.is_ascii_lowercase()).count();
    if lower > 4 {
        let (first, last) =
            (left.iter().find(|b| b.is_ascii_lowercase()), left.iter().rfind(|b| b.is_ascii_lowercase()));
        if let (Some(first), Some(last)) = (first.copied(), last.copied()) {
            left.extend(first..=last);
            left.sort_unstable();
            left.dedup();
        }
    }
    let mut at = 0;
    while at < left.len() {
        let run = (at..left.len()).take_while(|next| usize::from(left[*next] - left[at]) == next - at).count();
        let (first, last) = (char::from(left[at]), char::from(left[at + run - 1]));
        if run > 2 && left[at].is_ascii_alphanumeric() {
            text.push_str(&format!("{first}-{last}"));
        } else {
            left[at..at + run].iter().for_each(|letter| text.push(char::from(*letter)));
        }
        at += run;
    }
    if dash {
        text.push('-');
    }
    text
}

/// Splits a decimal number into the parts before and after its decimal point. Returns `None` for other tokens.
fn decimal_parts(token: &str) -> Option<(&str, &str)> {
    let (whole, places) = token.split_once('.')?;
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (all_digits(digits) && all_digits(places)).then_some((whole, places))
}

fn decimal(field: &ShapeField<'_>) -> bool {
    let mut tokens = field.rows.iter().flat_map(|row| row.tokens.iter()).peekable();
    tokens.peek().is_some() && tokens.all(|token| decimal_parts(token).is_some())
}

/// Returns the range of decimal numbers, or `None` if they do not all have the same number of places, at most 18.
fn real(field: &ShapeField<'_>) -> Option<String> {
    let tokens = || field.rows.iter().flat_map(|row| row.tokens.iter().copied());
    let places = decimal_parts(tokens().next()?)?.1.len();
    if places > 18 || tokens().any(|token| decimal_parts(token).is_none_or(|(_, after)| after.len() != places)) {
        return None;
    }
    let number = |token: &&str| token.parse::<f64>().unwrap_or_default();
    let lo = tokens().min_by(|a, b| number(a).total_cmp(&number(b)))?;
    let hi = tokens().max_by(|a, b| number(a).total_cmp(&number(b)))?;
    Some(format!("real {lo}..={hi} places {places}"))
}
