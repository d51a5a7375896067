//! How rules are spelt: values that may be a word, a number, a list or a map with one key.
//!
//! Each is read by a visitor and not by trial (`untagged`), so that an error names what was expected and where.

use super::raw::RawMove;
use super::rules::{Choice, Corners, Kind, Number, Numbers, Removal, Taking};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A value that a person may spell in several ways. What a type does not override, it does not accept.
pub(super) trait Spelled: Sized {
    /// What is accepted, to follow "expected".
    const EXPECTED: &'static str;
    /// The keys of the map form.
    const KEYS: &'static [&'static str] = &[];

    /// The value of a word.
    fn word(_word: &str) -> Option<Self> {
        None
    }

    /// The value of a number.
    fn number(_number: u64) -> Option<Self> {
        None
    }

    /// The value of a list.
    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        let _ = list;
        Err(de::Error::invalid_type(de::Unexpected::Seq, &Self::EXPECTED))
    }

    /// The value of a map with this one key.
    fn key<'de, A: MapAccess<'de>>(key: &str, _map: &mut A) -> Result<Self, A::Error> {
        Err(de::Error::unknown_field(key, Self::KEYS))
    }

    /// The value of a map: here, of one with one key.
    fn map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        if Self::KEYS.is_empty() {
            return Err(de::Error::invalid_type(de::Unexpected::Map, &Self::EXPECTED));
        }
        let Some(key) = map.next_key::<String>()? else {
            return Err(de::Error::invalid_length(0, &Self::EXPECTED));
        };
        let value = Self::key(&plain(&key), &mut map)?;
        match map.next_key::<String>()? {
            Some(more) => Err(de::Error::custom(format!("unexpected key `{more}` beside `{key}`: expected one key"))),
            None => Ok(value),
        }
    }
}

/// The visitor of all spelt values.
struct Spelling<T>(PhantomData<T>);

impl<'de, T: Spelled> Visitor<'de> for Spelling<T> {
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

/// A word of the vocabulary, with hyphens for underscores.
pub(super) fn plain(word: &str) -> String {
    word.replace('_', "-")
}

/// Reads a spelt value.
fn spelt<'de, T: Spelled, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_any(Spelling(PhantomData))
}

macro_rules! spelt_types {
    ($($type:ty),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                spelt(from)
            }
        }
    )*};
}
spelt_types!(Number, Numbers, Taking, Choice, Bound, Corners, Removals, Moves);

/// All items of a list.
fn items<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut list: A) -> Result<Vec<T>, A::Error> {
    let mut items = Vec::new();
    while let Some(item) = list.next_element()? {
        items.push(item);
    }
    Ok(items)
}

/// Whether this can be the name of an input value.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

impl Number {
    /// Reads `12`, `r` or `L-1`.
    fn parse(text: &str) -> Option<Number> {
        if let Ok(number) = text.parse() {
            return Some(Number::Literal(number));
        }
        let cut = text.find(['+', '-']).unwrap_or(text.len());
        let (name, offset) = text.split_at(cut);
        let offset: String = offset.chars().filter(|c| !c.is_whitespace()).collect();
        let offset = if offset.is_empty() { 0 } else { offset.parse().ok()? };
        is_name(name.trim_end()).then(|| Number::Named { name: name.trim_end().to_owned(), offset })
    }
}

impl Spelled for Number {
    const EXPECTED: &'static str = "a number, or the name of an input value (`k`, `L-1`)";

    fn word(word: &str) -> Option<Number> {
        Number::parse(word)
    }

    fn number(number: u64) -> Option<Number> {
        Some(Number::Literal(number))
    }
}

impl Spelled for Numbers {
    const EXPECTED: &'static str = "the name of an input value, or a list of numbers and names";

    fn word(word: &str) -> Option<Numbers> {
        match Number::parse(word)? {
            Number::Named { name, offset: 0 } => Some(Numbers::Named(name)),
            number => Some(Numbers::Listed(vec![number])),
        }
    }

    fn number(number: u64) -> Option<Numbers> {
        Some(Numbers::Listed(vec![Number::Literal(number)]))
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Numbers, A::Error> {
        items(list).map(Numbers::Listed)
    }
}

impl Spelled for Taking {
    const EXPECTED: &'static str = "`any`, a number, `{upto: r}` or `{in: [..]}`";
    const KEYS: &'static [&'static str] = &["upto", "in"];

    fn word(word: &str) -> Option<Taking> {
        match word {
            "any" => Some(Taking::Any),
            _ => Number::parse(word).map(|number| Taking::In(Numbers::Listed(vec![number]))),
        }
    }

    fn number(number: u64) -> Option<Taking> {
        Some(Taking::In(Numbers::Listed(vec![Number::Literal(number)])))
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Taking, A::Error> {
        match key {
            "upto" => map.next_value().map(Taking::UpTo),
            "in" => map.next_value().map(Taking::In),
            _ => Err(de::Error::unknown_field(key, Self::KEYS)),
        }
    }
}

/// A number, or all there are.
struct Bound(Option<Number>);

impl Spelled for Bound {
    const EXPECTED: &'static str = "a number, the name of an input value, or `all`";

    fn word(word: &str) -> Option<Bound> {
        if word == "all" { Some(Bound(None)) } else { Number::parse(word).map(|number| Bound(Some(number))) }
    }

    fn number(number: u64) -> Option<Bound> {
        Some(Bound(Some(Number::Literal(number))))
    }
}

impl Spelled for Choice {
    const EXPECTED: &'static str = "`1`, `{upto: k}`, `{upto: all}`, `all`, `largest` or `every`";
    const KEYS: &'static [&'static str] = &["upto"];

    fn word(word: &str) -> Option<Choice> {
        match word {
            "one" => Some(Choice::One),
            "all" => Some(Choice::UpToAll),
            "largest" => Some(Choice::Largest),
            "every" => Some(Choice::Every),
            _ => None,
        }
    }

    fn number(number: u64) -> Option<Choice> {
        (number == 1).then_some(Choice::One)
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Choice, A::Error> {
        if key != "upto" {
            return Err(de::Error::unknown_field(key, Self::KEYS));
        }
        let Bound(bound) = map.next_value()?;
        Ok(bound.map_or(Choice::UpToAll, Choice::UpTo))
    }
}

impl Spelled for Corners {
    const EXPECTED: &'static str = "`vertex`, `edge-ends`, `clique`, `connected` or `edges-at-vertex`";

    fn word(word: &str) -> Option<Corners> {
        Some(match plain(word).as_str() {
            "vertex" => Corners::Vertex,
            "edge-ends" => Corners::EdgeEnds,
            "clique" => Corners::Clique,
            "connected" => Corners::Connected,
            "edges-at-vertex" => Corners::EdgesAtVertex,
            _ => return None,
        })
    }
}

/// What stands under `remove`: one thing or several to choose from.
pub(super) struct Removals(pub(super) Vec<Removal>);

impl Spelled for Removals {
    const EXPECTED: &'static str = "`{run: any}`, `{run: {upto: k}}`, or of `vertex`, `edge-ends`, `clique`, `connected`, `edges-at-vertex` one or a list";
    const KEYS: &'static [&'static str] = &["run"];

    fn word(word: &str) -> Option<Removals> {
        match word {
            "run" => Some(Removals(vec![Removal::Run(Taking::Any)])),
            _ => Corners::word(word).map(|corners| Removals(vec![Removal::Corners(corners)])),
        }
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Removals, A::Error> {
        let corners: Vec<Corners> = items(list)?;
        Ok(Removals(corners.into_iter().map(Removal::Corners).collect()))
    }

    fn key<'de, A: MapAccess<'de>>(key: &str, map: &mut A) -> Result<Removals, A::Error> {
        match key {
            "run" => map.next_value().map(|amount| Removals(vec![Removal::Run(amount)])),
            _ => Err(de::Error::unknown_field(key, Self::KEYS)),
        }
    }
}

/// What stands under `move`: one kind or several to choose from.
pub(super) struct Moves(pub(super) Vec<Kind>);

impl Spelled for Moves {
    const EXPECTED: &'static str = "a kind of move, a list of them, or `nim`";

    fn word(word: &str) -> Option<Moves> {
        (word == "nim").then(|| Moves(vec![Kind::NIM]))
    }

    fn list<'de, A: SeqAccess<'de>>(list: A) -> Result<Moves, A::Error> {
        let kinds: Vec<Moves> = items(list)?;
        Ok(Moves(kinds.into_iter().flat_map(|Moves(kinds)| kinds).collect()))
    }

    fn map<'de, A: MapAccess<'de>>(map: A) -> Result<Moves, A::Error> {
        let raw = RawMove::deserialize(de::value::MapAccessDeserializer::new(map))?;
        raw.kinds().map(Moves).map_err(de::Error::custom)
    }
}

impl Kind {
    /// Nim's move: any number from one heap.
    pub const NIM: Kind = Kind::Take { amount: Taking::Any, from: Choice::One, same: false };
}
