//! The section `game:` as written: the rules, and the question for each value of the answer.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::games::RulesSpec;

use super::rules::Question;

/// A game as written.
#[derive(Debug, Clone)]
pub struct GameSpec {
    /// The rules of the game.
    pub rules: RulesSpec,
    /// The question for each value of the answer; `None` if `asks:` is missing.
    pub asks: Option<AnswerQuestionsSpec>,
}

/// The questions for the values of the answer, as written.
#[derive(Debug, Clone)]
pub enum AnswerQuestionsSpec {
    /// One question, for the only value of the answer.
    Only(AnswerQuestionSpec),
    /// Several questions, keyed by the names of the values of the answer.
    Named(IndexMap<String, AnswerQuestionSpec>),
}

/// The question for one value of the answer, as a map.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a question such as `{ what: outcome, words: [W, L], each: n }`")]
pub struct AnswerQuestionMap {
    /// The question. Default: `outcome`.
    #[serde(default)]
    pub what: Option<QuestionSpec>,
    /// The words for the players' places, the best place first.
    #[serde(default)]
    pub words: Vec<String>,
    /// The name of an integer of the input. The question is asked once for each integer from 1 to the value of this
    /// integer; without a name, it is asked once.
    #[serde(default)]
    pub each: Option<String>,
}

/// The question for one value of the answer, as written in `asks:`: the name of a question, or a map such as
/// `{ what: outcome, words: [W, L] }`.
#[derive(Debug, Clone)]
pub struct AnswerQuestionSpec(pub AnswerQuestionMap);

/// A question that is written as its name.
#[derive(Debug, Clone, Copy)]
pub struct QuestionSpec(pub Question);

/// The names of all questions.
const QUESTIONS: [&str; 6] = ["outcome", "grundy", "winning-moves", "winning-heap", "winning-amount", "taken"];

/// The keys of a game that belong to its rules.
const KEYS: [&str; 9] = ["position", "move", "moves", "wins", "loses", "last_mover", "players", "payoff", "phases"];

fn question<E: Error>(word: &str) -> Result<Question, E> {
    let plain = word.replace('_', "-");
    let known = Question::ALL.iter().find(|(name, _)| *name == plain);
    known.map(|(_, question)| *question).ok_or_else(|| E::unknown_variant(word, &QUESTIONS))
}

impl<'de> Deserialize<'de> for QuestionSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<QuestionSpec, D::Error> {
        struct WordVisitor;
        impl Visitor<'_> for WordVisitor {
            type Value = QuestionSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a question such as `outcome`, `grundy` or `winning-moves`")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<QuestionSpec, E> {
                question(word).map(QuestionSpec)
            }
        }
        deserializer.deserialize_str(WordVisitor)
    }
}

impl<'de> Deserialize<'de> for AnswerQuestionSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnswerQuestionSpec, D::Error> {
        struct AnswerQuestionVisitor;
        impl<'de> Visitor<'de> for AnswerQuestionVisitor {
            type Value = AnswerQuestionSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a question such as `grundy`, or `{ what: outcome, words: [W, L], each: n }`")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<AnswerQuestionSpec, E> {
                let what = Some(QuestionSpec(question(word)?));
                Ok(AnswerQuestionSpec(AnswerQuestionMap { what, ..AnswerQuestionMap::default() }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AnswerQuestionSpec, A::Error> {
                AnswerQuestionMap::deserialize(MapAccessDeserializer::new(map)).map(AnswerQuestionSpec)
            }
        }
        deserializer.deserialize_any(AnswerQuestionVisitor)
    }
}

impl<'de> Deserialize<'de> for AnswerQuestionsSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnswerQuestionsSpec, D::Error> {
        struct AnswerQuestionsVisitor;
        impl<'de> Visitor<'de> for AnswerQuestionsVisitor {
            type Value = AnswerQuestionsSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a question such as `winning-moves`, or a map from names in `answer:` to questions")
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<AnswerQuestionsSpec, E> {
                let what = Some(QuestionSpec(question(word)?));
                Ok(AnswerQuestionsSpec::Only(AnswerQuestionSpec(AnswerQuestionMap {
                    what,
                    ..AnswerQuestionMap::default()
                })))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AnswerQuestionsSpec, A::Error> {
                IndexMap::deserialize(MapAccessDeserializer::new(map)).map(AnswerQuestionsSpec::Named)
            }
        }
        deserializer.deserialize_any(AnswerQuestionsVisitor)
    }
}

/// A map access that stores the value of `asks` and forwards all other keys of a game to its rules.
/// (`#[serde(flatten)]` would lose the positions of errors.)
struct Beside<'a, A> {
    map: A,
    asks: &'a mut Option<AnswerQuestionsSpec>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Beside<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            match key.as_str() {
                "asks" if self.asks.is_some() => return Err(A::Error::duplicate_field("asks")),
                "asks" => *self.asks = Some(self.map.next_value()?),
                "last-mover" => return seed.deserialize("last_mover".into_deserializer()).map(Some),
                key if KEYS.contains(&key) => return seed.deserialize(key.into_deserializer()).map(Some),
                strange => {
                    const ALL: [&str; 8] =
                        ["position", "moves", "wins", "loses", "last_mover", "players", "payoff", "asks"];
                    return Err(A::Error::unknown_field(strange, &ALL));
                }
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

impl<'de> Deserialize<'de> for GameSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameSpec, D::Error> {
        struct GameVisitor;
        impl<'de> Visitor<'de> for GameVisitor {
            type Value = GameSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the rules of a game, a map with keys such as `position` and `moves`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GameSpec, A::Error> {
                let mut asks = None;
                let beside = Beside { map, asks: &mut asks };
                let rules = RulesSpec::deserialize(MapAccessDeserializer::new(beside))?;
                Ok(GameSpec { rules, asks })
            }
        }
        deserializer.deserialize_map(GameVisitor)
    }
}

impl JsonSchema for GameSpec {
    fn schema_name() -> Cow<'static, str> {
        "Game".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let number = json_schema!({ "type": ["integer", "string"], "description": "a number, or an input value such as k or L-1" });
        let numbers = json_schema!({ "anyOf": [number, { "type": "array", "items": number }] });
        let taking = json_schema!({ "anyOf": [
            { "const": "any" }, { "type": "integer" }, { "type": "string" },
            { "type": "object", "properties": { "upto": number, "in": numbers }, "additionalProperties": false,
              "minProperties": 1, "maxProperties": 1 }
        ] });
        let choice = json_schema!({ "anyOf": [
            { "enum": [1, "one", "all", "largest", "every"] },
            { "type": "object", "properties": { "upto": number }, "additionalProperties": false, "required": ["upto"] }
        ] });
        let split = json_schema!({ "type": "object", "additionalProperties": false, "properties": {
            "parts": number, "min": number, "sizes": { "enum": ["any", "distinct"] }, "total": { "enum": ["same", "any"] }
        } });
        let add = json_schema!({ "type": "object", "additionalProperties": false, "required": ["to"],
            "properties": { "from": number, "to": number } });
        let step = json_schema!({ "anyOf": [{ "const": "nim" }, { "type": "object", "additionalProperties": false,
            "properties": {
                "take": taking, "heaps": choice, "from": choice, "same": { "type": "boolean" }, "split": split,
                "octal": { "type": ["number", "string"] }, "slide": taking, "to": { "const": "previous" },
                "first": { "enum": ["falls_off", "falls-off", "frozen"] },
                "remove": { "type": ["string", "array", "object"] }, "walk": { "const": "edge" }, "add": add,
                "limit": number
            } }] });
        let steps = json_schema!({ "anyOf": [step, { "type": "array", "items": step, "minItems": 1 }] });
        let pair = json_schema!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 });
        let position = json_schema!({ "type": "object", "additionalProperties": false, "properties": {
            "heaps": numbers, "keep_empty": { "type": "boolean" }, "row": numbers, "cells": { "type": "string" },
            "shape": { "enum": ["box", "row", "circle"] }, "size": numbers, "occupied": { "type": "string" },
            "graph": number, "edges": pair, "base": { "type": "integer" }, "tokens": numbers, "vertices": number,
            "counter": number, "stacks": number
        } });
        let question = json_schema!({ "enum": QUESTIONS });
        let ask = json_schema!({ "anyOf": [question, { "type": "object", "additionalProperties": false, "properties": {
            "what": question, "words": { "type": "array", "items": { "type": "string" } }, "each": { "type": "string" }
        } }] });
        json_schema!({
            "type": "object",
            "required": ["position"],
            "additionalProperties": false,
            "properties": {
                "position": position,
                "move": steps, "moves": steps,
                "wins": { "const": "last-mover" }, "loses": { "const": "last-mover" },
                "last_mover": { "enum": ["wins", "loses"] }, "last-mover": { "enum": ["wins", "loses"] },
                "players": number,
                "payoff": { "type": "array", "items": { "enum": ["win", "taken"] } },
                "phases": { "type": "array" },
                "asks": { "anyOf": [question, { "type": "object", "additionalProperties": ask }] }
            }
        })
    }
}
