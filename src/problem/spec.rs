//! `problem.yaml` as written. Deserialization checks the structure and the keys, but not whether the values are
//! consistent with each other.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::model::{ByteSize, TimeSpan, UnitError};
use crate::yaml::Unique;

use super::game::GameSpec;

use super::checker_spec::{CheckerSpec, ProgramSpec};

/// The newest version of the format of `problem.yaml`.
pub const FORMAT: u32 = 1;

/// A problem as written by its author.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a map with keys such as `name`, `input` and `tests`")]
#[schemars(title = "A Nimatron problem", description = "The spec of a problem: problem.yaml")]
pub struct Spec {
    /// Version of the format. Default: 1.
    #[serde(default = "newest_format")]
    pub format: u32,
    /// The displayed name of the problem.
    pub name: String,
    /// Origin of the problem, such as a contest.
    #[serde(default)]
    pub source: Option<String>,
    /// Keywords for searching.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// License of the statement and the data, such as `cc by-sa`.
    #[serde(default)]
    pub license: Option<String>,
    /// Limits of a submission in each test case.
    #[serde(default)]
    pub limits: LimitsSpec,
    /// Description of the input. Each item is a line or a block of lines.
    pub input: Vec<ItemSpec>,
    /// Constraints that ranges can't express, such as `sum(a) > 0` or `acyclic(u, v)`.
    #[serde(default, rename = "where")]
    pub clauses: Vec<String>,
    /// Description of the answer, in the notation of the input.
    #[serde(default)]
    pub answer: Vec<ItemSpec>,
    /// The checker, which compares outputs with answers. Default: `tokens`.
    #[serde(default)]
    pub checker: Option<CheckerSpec>,
    /// The program that communicates with submissions. A problem with an interactor is interactive.
    #[serde(default)]
    pub interactor: Option<ProgramSpec>,
    /// Maximum number of runs of a submission per case. The checker or interactor provides the input of further runs.
    /// Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    pub passes: Option<u32>,
    /// A program that validates every input, for constraints that the description can't express.
    #[serde(default)]
    pub validator: Option<ProgramSpec>,
    /// The rules of the game, from which a brute-force oracle is derived.
    #[serde(default)]
    pub game: Option<GameSpec>,
    /// The test groups, in the order of judging.
    pub tests: Unique<GroupSpec>,
}

fn newest_format() -> u32 {
    FORMAT
}

/// The limits of a problem as written. Missing limits have defaults.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "limits such as `{ time: 1s, memory: 256MiB }`")]
pub struct LimitsSpec {
    /// CPU time such as `2s`, or `auto` to derive it from the solutions. Default: 1s.
    #[serde(default)]
    pub time: Option<TimeSpec>,
    /// Peak memory. Default: 512MiB.
    #[serde(default)]
    pub memory: Option<ByteSize>,
    /// Number of bytes written. Default: 64MiB.
    #[serde(default)]
    pub output: Option<ByteSize>,
    /// Wall time. Default: twice the CPU time plus half a second.
    #[serde(default)]
    pub wall: Option<TimeSpan>,
    /// Maximum number of concurrent processes and threads. Default: 64.
    #[serde(default)]
    #[schemars(range(min = 1, max = 4096))]
    pub processes: Option<u32>,
}

/// A time limit as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSpec {
    /// The limit is derived from the solutions.
    Auto,
    /// The limit is this time.
    Fixed(TimeSpan),
}

impl<'de> Deserialize<'de> for TimeSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeSpec, D::Error> {
        struct TimeVisitor;
        impl Visitor<'_> for TimeVisitor {
            type Value = TimeSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as `2s`, or `auto`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<TimeSpec, E> {
                if text == "auto" {
                    return Ok(TimeSpec::Auto);
                }
                text.parse().map(TimeSpec::Fixed).map_err(|error: UnitError| E::custom(format!("{error}, or `auto`")))
            }
        }
        deserializer.deserialize_str(TimeVisitor)
    }
}

impl JsonSchema for TimeSpec {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "const": "auto" }, generator.subschema_for::<TimeSpan>()] })
    }
}

/// An item of an input description as written.
#[derive(Debug, Clone)]
pub enum ItemSpec {
    /// A line: its values by name, in the order of the line.
    Line(Unique<ValueSpec>),
    /// A block of lines that is repeated.
    Repeat(RepeatSpec),
}

/// A block of lines as written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a block with `repeat: n` and `line:` or `lines:`")]
pub struct RepeatSpec {
    /// Number of repetitions: an expression over earlier names.
    pub repeat: Scalar,
    /// The values of the repeated line, if the block repeats a single line.
    #[serde(default)]
    pub line: Option<Unique<ValueSpec>>,
    /// The values of the repeated lines, if the block repeats several lines.
    #[serde(default)]
    pub lines: Option<Vec<Unique<ValueSpec>>>,
}

impl<'de> Deserialize<'de> for ItemSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ItemSpec, D::Error> {
        struct ItemVisitor;
        impl<'de> Visitor<'de> for ItemVisitor {
            type Value = ItemSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a line such as `n: 1..=10`, or a block with `repeat: n` and `line:` or `lines:`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ItemSpec, A::Error> {
                let mut peek = Peek::new(map);
                match peek.first_key()?.as_deref() {
                    Some("repeat" | "line" | "lines") => {
                        RepeatSpec::deserialize(MapAccessDeserializer::new(peek)).map(ItemSpec::Repeat)
                    }
                    _ => Unique::deserialize(MapAccessDeserializer::new(peek)).map(ItemSpec::Line),
                }
            }
        }
        deserializer.deserialize_map(ItemVisitor)
    }
}

/// A map access whose first key can be inspected before the map is deserialized. (An untagged enum would lose the
/// positions of errors.)
pub(super) struct Peek<A> {
    map: A,
    first: Option<String>,
}

impl<'de, A: MapAccess<'de>> Peek<A> {
    pub(super) fn new(map: A) -> Peek<A> {
        Peek { map, first: None }
    }

    pub(super) fn first_key(&mut self) -> Result<Option<String>, A::Error> {
        self.first = self.map.next_key()?;
        Ok(self.first.clone())
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Peek<A> {
    type Error = A::Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        use serde::de::IntoDeserializer;
        match self.first.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: serde::de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

impl JsonSchema for ItemSpec {
    fn schema_name() -> Cow<'static, str> {
        "Item".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let line = <Unique<ValueSpec>>::json_schema(generator);
        json_schema!({ "anyOf": [generator.subschema_for::<RepeatSpec>(), line] })
    }
}

/// A string or number, such as `1..=9` or `7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar(pub String);

/// The description of a value: a string or number, or a list of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSpec {
    /// A range, pattern or expression, such as `1..=9`, `word a-z 1..=20` or `7`.
    Text(String),
    /// A choice of words, such as `[Yes, No]`.
    Words(Vec<String>),
}

impl<'de> Deserialize<'de> for ValueSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ValueSpec, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        deserializer.deserialize_any(ScalarVisitor("a string or a number")).map(Scalar)
    }
}

/// Deserializes the arguments of a program from a string or a number.
pub(super) fn arguments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Scalar>, D::Error> {
    let expected = ScalarVisitor("one string with the arguments separated by spaces, such as `5 10`");
    deserializer.deserialize_any(expected).map(|text| Some(Scalar(text)))
}

/// A visitor for a string or a number. Error messages describe the expected value with the contained text.
struct ScalarVisitor(&'static str);

impl Visitor<'_> for ScalarVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = ValueSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a range such as `1..=9`, a pattern such as `word a-z 1..=20`, or a list of words such as `[W, L]`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ValueSpec, E> {
        Ok(ValueSpec::Text(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ValueSpec, E> {
        Ok(ValueSpec::Text(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ValueSpec, E> {
        Ok(ValueSpec::Text(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<ValueSpec, A::Error> {
        let words: Vec<Scalar> = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(ValueSpec::Words(words.into_iter().map(|word| word.0).collect()))
    }
}

impl JsonSchema for ValueSpec {
    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "description": "`lo..=hi`, an expression, `word a-z 1..=20`, or `real lo..=hi places 3`" },
            { "type": "integer" },
            { "type": "array", "items": { "type": ["string", "integer"] }, "minItems": 1, "description": "one of these words" }
        ] })
    }
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"] })
    }
}

/// A test group as written: a list of given cases, or a recipe for generating cases.
#[derive(Debug, Clone)]
pub enum GroupSpec {
    /// A list of given cases.
    Given(Vec<GivenSpec>),
    /// A recipe for generating cases.
    Recipe(Box<RecipeSpec>),
}

/// A case whose input is given.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a case such as `{ input: \"1\\n2\\n\" }`")]
pub struct GivenSpec {
    /// The input, byte for byte.
    pub input: String,
    /// The answer. The reference solution must print the same answer.
    #[serde(default)]
    pub answer: Option<String>,
    /// An explanation of the case for the statement.
    #[serde(default)]
    pub note: Option<String>,
}

/// The method by which the cases of a group are created.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a map that describes the cases, such as `{ count: 10 }`")]
pub struct RecipeSpec {
    /// A list of given cases.
    #[serde(default)]
    pub cases: Option<Vec<GivenSpec>>,
    /// Narrower ranges for values. The cases are all inputs that satisfy them.
    #[serde(default)]
    pub every: Option<Unique<ValueSpec>>,
    /// Number of cases that are generated at random or by a program.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100000))]
    pub count: Option<usize>,
    /// Narrower ranges for random cases.
    #[serde(default)]
    pub with: Option<Unique<ValueSpec>>,
    /// Name in the answer whose words must be equally frequent among the cases.
    #[serde(default)]
    pub balance: Option<String>,
    /// The generator in `programs/`.
    #[serde(default)]
    pub program: Option<String>,
    /// The generator's arguments, separated by spaces. The alternatives in `{a,b}` are assigned to the cases in turn.
    #[serde(default, deserialize_with = "arguments")]
    pub args: Option<Scalar>,
    /// Number of points for the group. A group with points is a subtask.
    #[serde(default)]
    #[schemars(range(max = 1000000))]
    pub points: Option<u32>,
    /// Earlier groups that must be accepted first.
    #[serde(default)]
    pub after: Vec<String>,
}

impl<'de> Deserialize<'de> for GroupSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GroupSpec, D::Error> {
        struct GroupVisitor;
        impl<'de> Visitor<'de> for GroupVisitor {
            type Value = GroupSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of cases with their `input`, or a map that describes them, such as `{ count: 10 }`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<GroupSpec, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(GroupSpec::Given)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GroupSpec, A::Error> {
                RecipeSpec::deserialize(MapAccessDeserializer::new(map)).map(|r| GroupSpec::Recipe(Box::new(r)))
            }
        }
        deserializer.deserialize_any(GroupVisitor)
    }
}

impl JsonSchema for GroupSpec {
    fn schema_name() -> Cow<'static, str> {
        "Group".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let given = generator.subschema_for::<GivenSpec>();
        json_schema!({ "anyOf": [{ "type": "array", "items": given }, generator.subschema_for::<RecipeSpec>()] })
    }
}

/// Returns the JSON Schema of `problem.yaml`, for editors.
pub fn schema() -> Schema {
    schemars::schema_for!(Spec)
}
