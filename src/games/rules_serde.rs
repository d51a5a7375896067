//! Deserializes values of rules that may be written as a word, a number, a list or a map.
//!
//! Values are deserialized by a visitor and not by `#[serde(untagged)]`, so that an error names the expected forms and
//! the line.

use super::raw_rules::RawMove;
use super::rules_spec::{AllowedAmounts, GraphPart, HeapChoice, MoveRule, NumberExpr, NumberListExpr, RemovalRule};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A value that can be written in several forms. Forms that a type does not override are rejected.
pub(super) trait RuleValue: Sized {
    /// The accepted forms, as the text after "expected" in error messages.
    const EXPECTED: &'static str;
    /// The keys of the map form; empty if there is no map form.
    const KEYS: &'static [&'static str] = &[];

    /// Parses the word form; returns `None` if the word is not accepted.
    fn word(_word: &str) -> Option<Self> {
        None
    }

    /// Converts the number form; returns `None` if the number is not accepted.
    fn number(_number: u64) -> Option<Self> {
        None
    }

    /// Deserializes the list form.
    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let _ = list;
        Err(de::Error::invalid_type(de::Unexpected::Seq, &Self::EXPECTED))
    }

    /// Deserializes the value of the key `key` in the map form.
    fn key<'de, A: MapAccess<'de>>(key: &str, _map: &mut A) -> Result<Self, A::Error> {
        Err(de::Error::unknown_field(key, Self::KEYS))
    }

    /// Deserializes the map form. The default implementation accepts a map with one of [`RuleValue::KEYS`] as its only
    /// key.
    fn map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        if Self::KEYS.is_empty() {
            return Err(de::Error::invalid_type(de::Unexpected::Map, &Self::EXPECTED));
        }
        let Some(key) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &Self::EXPECTED));
        };
        let value = Self::key(&hyphenated(&key), &mut map)?;
        match map.next_key::<String>()? {
            Some(more) => Err(de::Error::custom(format!("expected a single key, found `{key}` and `{more}`"))),
            None => Ok(value),
        }
    }
}

/// A visitor for a [`RuleValue`].
struct RuleValueVisitor<T>(PhantomData<T>);

impl<'de, T: RuleValue> Visitor<'de> for RuleValueVisitor<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<T, E> {
        T::word(word).ok_or_else(|| E::invalid_value(de::Unexpected::Str(word), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        T::number(number).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::map(map)
    }
}

/// Returns the word with underscores replaced by hyphens.
pub(super) fn hyphenated(word: &str) -> String {
    word.replace('_', "-")
}

/// Deserializes a [`RuleValue`].
fn deserialize_value<'de, T: RuleValue, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_any(RuleValueVisitor(PhantomData))
}

macro_rules! impl_deserialize {
    ($($type:ty),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                deserialize_value(from)
            }
        }
    )*};
}
impl_deserialize!(
    NumberExpr,
    NumberListExpr,
    AllowedAmounts,
    HeapChoice,
    UpperBound,
    GraphPart,
    RemovalRules,
    MoveRules
);

/// Collects the elements of a list.
fn items<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut list: A) -> Result<Vec<T>, A::Error> {
    let mut items = Vec::new();
    while let Some(item) = list.next_element()? {
        items.push(item);
    }
    Ok(items)
}

/// Returns true if the string is a valid name of an input value.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

impl NumberExpr {
    /// Parses a number such as `12`, a name such as `r`, or a name with an offset such as `L-1`. Returns `None` for
    /// other strings.
    fn parse(text: &str) -> Option<NumberExpr> {
        if let Ok(number) = text.parse() {
            return Some(NumberExpr::Literal(number));
        }
        let cut = text.find(['+', '-']).unwrap_or(text.len());
        let (name, offset) = text.split_at(cut);
        let offset: String = offset.chars().filter(|c| !c.is_whitespace()).collect();
        let offset = if offset.is_empty() { 0 } else { offset.parse().ok()? };
        is_name(name.trim_end()).then(|| NumberExpr::Named { name: name.trim_end().to_owned(), offset })
    }
}

impl RuleValue for NumberExpr {
    const EXPECTED: &'static str = "a number, or an input value such as `k` or `L-1`";

    fn word(word: &str) -> Option<NumberExpr> {
        NumberExpr::parse(word)
    }

    fn number(number: u64) -> Option<NumberExpr> {
        Some(NumberExpr::Literal(number))
    }
}

impl RuleValue for NumberListExpr {
    const EXPECTED: &'static str = "a number, an input value such as `a`, or a list of these";

    fn word(word: &str) -> Option<NumberListExpr> {
        match NumberExpr::parse(word)? {
            NumberExpr::Named { name, offset: 0 } => Some(NumberListExpr::Named(name)),
            number => Some(NumberListExpr::Listed(vec![number])),
        }
    }

    fn number(number: u64) -> Option<NumberListExpr> {
        Some(NumberListExpr::Listed(vec![NumberExpr::Literal(number)]))
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<NumberListExpr, A::Error> {
        items(list).map(NumberListExpr::Listed)
    }
}

impl RuleValue for AllowedAmounts {
    const EXPECTED: &'static str = "`any`, a number, an input value such as `k`, `{upto: r}` or `{in: [1, 3]}`";
    const KEYS: &'static [&'static str] = &["upto", "in"];

    fn word(word: &str) -> Option<AllowedAmounts> {
        match word {
            "any" => Some(AllowedAmounts::Any),
            _ => NumberExpr::parse(word).map(|number| AllowedAmounts::In(NumberListExpr::Listed(vec![number]))),
        }
    }

    fn number(number: u64) -> Option<AllowedAmounts> {
        Some(AllowedAmounts::In(NumberListExpr::Listed(vec![NumberExpr::Literal(number)])))
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<AllowedAmounts, A::Error> {
        match key {
            "upto" => map.next_value().map(AllowedAmounts::UpTo),
            "in" => map.next_value().map(AllowedAmounts::In),
            _ => Err(de::Error::unknown_field(key, Self::KEYS)),
        }
    }
}

/// An upper bound: a number, or `None` for `all`.
struct UpperBound(Option<NumberExpr>);

impl RuleValue for UpperBound {
    const EXPECTED: &'static str = "a number, an input value such as `k`, or `all`";

    fn word(word: &str) -> Option<UpperBound> {
        if word == "all" {
            Some(UpperBound(None))
        } else {
            NumberExpr::parse(word).map(|number| UpperBound(Some(number)))
        }
    }

    fn number(number: u64) -> Option<UpperBound> {
        Some(UpperBound(Some(NumberExpr::Literal(number))))
    }
}

impl RuleValue for HeapChoice {
    const EXPECTED: &'static str = "`1`, `one`, `{upto: k}`, `{upto: all}`, `all`, `largest` or `every`";
    const KEYS: &'static [&'static str] = &["upto"];

    fn word(word: &str) -> Option<HeapChoice> {
        match word {
            "one" => Some(HeapChoice::One),
            "all" => Some(HeapChoice::UpToAll),
            "largest" => Some(HeapChoice::Largest),
            "every" => Some(HeapChoice::Every),
            _ => None,
        }
    }

    fn number(number: u64) -> Option<HeapChoice> {
        (number == 1).then_some(HeapChoice::One)
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<HeapChoice, A::Error> {
        if key != "upto" {
            return Err(de::Error::unknown_field(key, Self::KEYS));
        }
        let UpperBound(bound) = map.next_value()?;
        Ok(bound.map_or(HeapChoice::UpToAll, HeapChoice::UpTo))
    }
}

impl RuleValue for GraphPart {
    const EXPECTED: &'static str = "`vertex`, `edge-ends`, `clique`, `connected` or `edges-at-vertex`";

    fn word(word: &str) -> Option<GraphPart> {
        Some(match hyphenated(word).as_str() {
            "vertex" => GraphPart::Vertex,
            "edge-ends" => GraphPart::EdgeEnds,
            "clique" => GraphPart::Clique,
            "connected" => GraphPart::Connected,
            "edges-at-vertex" => GraphPart::EdgesAtVertex,
            _ => return None,
        })
    }
}

/// The value of `remove`: one or several removals.
pub(super) struct RemovalRules(pub(super) Vec<RemovalRule>);

impl RuleValue for RemovalRules {
    const EXPECTED: &'static str = "`run`, `{run: {upto: k}}`, one of the parts `vertex`, `edge-ends`, `clique`, `connected` and `edges-at-vertex`, or a list of such parts";
    const KEYS: &'static [&'static str] = &["run"];

    fn word(word: &str) -> Option<RemovalRules> {
        match word {
            "run" => Some(RemovalRules(vec![RemovalRule::Run(AllowedAmounts::Any)])),
            _ => GraphPart::word(word).map(|part| RemovalRules(vec![RemovalRule::GraphPart(part)])),
        }
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<RemovalRules, A::Error> {
        let part: Vec<GraphPart> = items(list)?;
        Ok(RemovalRules(part.into_iter().map(RemovalRule::GraphPart).collect()))
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<RemovalRules, A::Error> {
        match key {
            "run" => map.next_value().map(|amount| RemovalRules(vec![RemovalRule::Run(amount)])),
            _ => Err(de::Error::unknown_field(key, Self::KEYS)),
        }
    }
}

/// The value of `move`: one or several kinds of moves.
pub(super) struct MoveRules(pub(super) Vec<MoveRule>);

impl RuleValue for MoveRules {
    const EXPECTED: &'static str = "a move such as `{take: any}`, a list of moves, or `nim`";

    fn word(word: &str) -> Option<MoveRules> {
        (word == "nim").then(|| MoveRules(vec![MoveRule::NIM]))
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<MoveRules, A::Error> {
        let move_rules: Vec<MoveRules> = items(list)?;
        Ok(MoveRules(move_rules.into_iter().flat_map(|MoveRules(move_rules)| move_rules).collect()))
    }

    fn map<'de, A: MapAccess<'de>>(map: A) -> Result<MoveRules, A::Error> {
        let raw = RawMove::deserialize(de::value::MapAccessDeserializer::new(map))?;
        raw.move_rules().map(MoveRules).map_err(de::Error::custom)
    }
}

impl MoveRule {
    /// The move of Nim: any amount from one heap.
    pub const NIM: MoveRule = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::One, same: false };
}
