//! The checker and the other auxiliary programs of a `problem.yaml`, as written.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::model::{ByteSize, TimeSpan};

use super::spec::{Peek, Scalar, arguments};

/// A checker as written: a name, a name with options, or a program.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckerSpec {
    /// A built-in checker.
    BuiltIn {
        /// The comparison rule.
        rule: RuleSpec,
        /// Whether the case of ASCII letters is ignored.
        fold_case: bool,
    },
    /// A checker program.
    Program(ProgramSpec),
}

/// A comparison rule as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RuleSpec {
    /// Outputs must be equal byte for byte.
    Exact,
    /// Outputs are compared line by line. White space at the ends of lines and empty lines at the end are ignored.
    Lines,
    /// Outputs are compared token by token. The kind and amount of white space are ignored.
    Tokens,
    /// Outputs are compared token by token. Numbers may differ: the absolute or the relative error must be within its
    /// bound.
    Numbers {
        /// The maximum absolute error, if one is given.
        absolute: Option<f64>,
        /// The maximum error relative to the answer, if one is given.
        relative: Option<f64>,
    },
    /// Outputs must consist of the lines of the answer, in any order.
    Unordered,
}

/// The options of the built-in checkers.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "options such as `{ absolute: 1e-6 }`")]
struct CheckerOptions {
    /// Whether the case of ASCII letters is ignored.
    #[serde(default)]
    fold_case: bool,
    /// Maximum absolute error, for `numbers`.
    #[serde(default)]
    absolute: Option<f64>,
    /// Maximum error relative to the answer, for `numbers`.
    #[serde(default)]
    relative: Option<f64>,
}

const CHECKERS: [&str; 5] = ["exact", "lines", "tokens", "numbers", "unordered"];

impl CheckerSpec {
    fn built_in<E: Error>(name: &str, options: &CheckerOptions) -> Result<CheckerSpec, E> {
        let CheckerOptions { fold_case, absolute, relative } = *options;
        let tolerant = absolute.is_some() || relative.is_some();
        if tolerant && name != "numbers" && CHECKERS.contains(&name) {
            return Err(E::custom(format!("the checker `{name}` does not support a tolerance; use `numbers`")));
        }
        if let Some(wrong) = [absolute, relative].into_iter().flatten().find(|bound| !(0.0..=1e300).contains(bound)) {
            return Err(E::custom(format!("expected a tolerance from 0 to 1e300, such as 1e-6, found {wrong:?}")));
        }
        let rule = match name {
            "exact" => RuleSpec::Exact,
            "lines" => RuleSpec::Lines,
            "tokens" => RuleSpec::Tokens,
            "unordered" => RuleSpec::Unordered,
            "numbers" if tolerant => RuleSpec::Numbers { absolute, relative },
            "numbers" => {
                return Err(E::custom(
                    "`numbers` requires `absolute` or `relative`, as in `numbers: { relative: 1e-6 }`",
                ));
            }
            _ if name.contains('.') => {
                return Err(E::custom(format!(
                    "a checker program must be written as `checker: {{ program: {name} }}`"
                )));
            }
            _ => return Err(E::unknown_variant(name, &CHECKERS)),
        };
        Ok(CheckerSpec::BuiltIn { rule, fold_case })
    }
}

impl<'de> Deserialize<'de> for CheckerSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CheckerSpec, D::Error> {
        struct Checker;
        impl<'de> Visitor<'de> for Checker {
            type Value = CheckerSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a checker such as `tokens`, `numbers: { absolute: 1e-6 }` or `{ program: check.rs }`")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<CheckerSpec, E> {
                CheckerSpec::built_in(name, &CheckerOptions::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CheckerSpec, A::Error> {
                let mut map = Peek::new(map);
                if map.first_key()?.is_some_and(|key| PROGRAM_KEYS.contains(&key.as_str())) {
                    let fields = ProgramFields::deserialize(MapAccessDeserializer::new(map))?;
                    return Ok(CheckerSpec::Program(fields.into()));
                }
                let Some(name) = map.next_key::<String>()? else {
                    return Err(A::Error::custom("expected the name of a checker, found an empty map"));
                };
                let options = map.next_value::<Option<CheckerOptions>>()?.unwrap_or_default();
                if let Some(second) = map.next_key::<String>()? {
                    return Err(A::Error::custom(format!(
                        "expected one checker, found the keys `{name}` and `{second}`; \
                         write options in braces, such as `numbers: {{ absolute: 1e-6 }}`"
                    )));
                }
                CheckerSpec::built_in(&name, &options)
            }
        }
        deserializer.deserialize_any(Checker)
    }
}

impl JsonSchema for CheckerSpec {
    fn schema_name() -> Cow<'static, str> {
        "Checker".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let options = generator.subschema_for::<CheckerOptions>();
        let program = generator.subschema_for::<ProgramFields>();
        let rows: serde_json::Map<String, serde_json::Value> =
            CHECKERS.iter().map(|name| ((*name).to_owned(), options.clone().to_value())).collect();
        json_schema!({ "anyOf": [
            { "enum": CHECKERS },
            { "type": "object", "properties": rows, "additionalProperties": false, "minProperties": 1, "maxProperties": 1 },
            program
        ] })
    }
}

/// An auxiliary program as written: its file or folder in `programs/`, or a map with the file or folder and options.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramSpec {
    /// The program's file or folder in `programs/`.
    pub program: String,
    /// The protocol by which the program is called and returns its result.
    pub protocol: ProtocolSpec,
    /// Arguments that follow those of the protocol, separated by spaces.
    pub args: String,
    /// Limits of one run.
    pub limits: ProgramLimits,
    /// Maximum points that the program can award; `None` if the points are a fraction from 0 to 1.
    pub points: Option<u32>,
}

/// A protocol as written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolSpec {
    /// The protocol of the ICPC package format: exit code 42 accepts, 43 rejects.
    #[default]
    Icpc,
    /// The protocol of testlib.
    Testlib,
}

/// Limits of one run of an auxiliary program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "limits such as `{ time: 10s, memory: 1GiB }`")]
pub struct ProgramLimits {
    /// CPU time. Default: 10s.
    #[serde(default)]
    pub time: Option<TimeSpan>,
    /// Peak memory. Default: 1GiB.
    #[serde(default)]
    pub memory: Option<ByteSize>,
    /// Number of bytes written. Default: 64MiB.
    #[serde(default)]
    pub output: Option<ByteSize>,
    /// Wall time. Default: twice the CPU time plus half a second.
    #[serde(default)]
    pub wall: Option<TimeSpan>,
}

/// The map form of an auxiliary program.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a program such as `{ program: check.rs }`")]
#[schemars(rename = "Program")]
struct ProgramFields {
    /// The program's file or folder in `programs/`.
    program: String,
    /// The protocol by which the program is called and returns its result. Default: `icpc`.
    #[serde(default)]
    protocol: ProtocolSpec,
    /// Arguments that follow those of the protocol, separated by spaces.
    #[serde(default, deserialize_with = "arguments")]
    args: Option<Scalar>,
    /// Limits of one run.
    #[serde(default)]
    limits: ProgramLimits,
    /// Maximum points that the program can award. Without it, the points are a fraction from 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000000))]
    points: Option<u32>,
}

const PROGRAM_KEYS: [&str; 5] = ["program", "protocol", "args", "limits", "points"];

impl From<ProgramFields> for ProgramSpec {
    fn from(fields: ProgramFields) -> ProgramSpec {
        ProgramSpec {
            program: fields.program,
            protocol: fields.protocol,
            args: fields.args.map(|args| args.0).unwrap_or_default(),
            limits: fields.limits,
            points: fields.points,
        }
    }
}

impl<'de> Deserialize<'de> for ProgramSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProgramSpec, D::Error> {
        struct ProgramVisitor;
        impl<'de> Visitor<'de> for ProgramVisitor {
            type Value = ProgramSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "the name of a program in `programs/`, or a map such as `{ program: check.rs, protocol: testlib }`",
                )
            }

            fn visit_str<E: Error>(self, program: &str) -> Result<ProgramSpec, E> {
                Ok(ProgramSpec {
                    program: program.to_owned(),
                    protocol: ProtocolSpec::default(),
                    args: String::new(),
                    limits: ProgramLimits::default(),
                    points: None,
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProgramSpec, A::Error> {
                ProgramFields::deserialize(MapAccessDeserializer::new(map)).map(ProgramSpec::from)
            }
        }
        deserializer.deserialize_any(ProgramVisitor)
    }
}

impl JsonSchema for ProgramSpec {
    fn schema_name() -> Cow<'static, str> {
        "ProgramFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string" }, generator.subschema_for::<ProgramFields>()] })
    }
}
