//! The values of a grammar's variables, and the arithmetic of them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::decimal::Decimal;
use super::grammar::Operator;
use super::int::Int;

/// The bits of a value that is as light as any.
pub(super) const LIGHT: u64 = 128;

/// A value. They have an order so that they can be found again: numbers by what they are worth, then texts.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Int(Int),
    Float(Decimal),
    Text(Arc<[u8]>),
}

impl Value {
    fn decimal(&self) -> Result<Decimal, String> {
        match self {
            Value::Int(number) => Ok(Decimal::from(number.clone())),
            Value::Float(number) => Ok(number.clone()),
            Value::Text(_) => Err(format!("{} is no number", self.shown())),
        }
    }

    /// The value for people.
    pub(super) fn shown(&self) -> String {
        match self {
            Value::Int(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Text(text) => format!("`{}`", String::from_utf8_lossy(text)),
        }
    }

    /// How it compares with another of its kind.
    ///
    /// # Errors
    /// One is a number and one a text.
    pub(super) fn compare(&self, other: &Value) -> Result<Ordering, String> {
        match (self, other) {
            (Value::Text(_), Value::Int(_) | Value::Float(_)) | (Value::Int(_) | Value::Float(_), Value::Text(_)) => {
                Err(format!("{} and {} can't be compared", self.shown(), other.shown()))
            }
            _ => Ok(self.cmp(other)),
        }
    }

    pub(super) fn negated(&self) -> Result<Value, String> {
        match self {
            Value::Int(number) => Int::Small(0).minus(number).map(Value::Int),
            other => other.decimal()?.negated().map(Value::Float),
        }
    }

    /// How many bits its number has, or its text.
    pub(super) fn bits(&self) -> u64 {
        match self {
            Value::Int(number) => number.bits(),
            Value::Float(number) => number.bits(),
            Value::Text(text) => text.len() as u64 * 8,
        }
    }

    /// How many small values take as much memory.
    pub(super) fn weight(&self) -> u64 {
        1 + self.bits() / LIGHT
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(left), Value::Int(right)) => left.cmp(right),
            (Value::Float(left), Value::Float(right)) => left.cmp(right),
            (Value::Int(left), Value::Float(right)) => Decimal::from(left.clone()).cmp(right),
            (Value::Float(left), Value::Int(right)) => left.cmp(&Decimal::from(right.clone())),
            (Value::Text(left), Value::Text(right)) => left.cmp(right),
            (Value::Text(_), _) => Ordering::Greater,
            (_, Value::Text(_)) => Ordering::Less,
        }
    }
}

/// What an operation costs, in steps: one with small whole numbers costs one.
pub(super) fn cost(operator: Operator, left: &Value, right: &Value) -> u64 {
    let (a, b) = (left.bits() / 64, right.bits() / 64);
    if let Some(gap) = gap(left, right) {
        // Nineteen digits fill a word.
        let words = a.saturating_add(b).saturating_add(gap / 19);
        return 4 + match operator {
            // It is squared and cut up to 64 times, and keeps a hundred digits at least.
            Operator::Power => 64 * a.max(6).saturating_mul(a.max(6)),
            Operator::Times | Operator::Divided => words.saturating_mul(words) / 8,
            _ => product(words),
        };
    }
    1 + match (operator, right) {
        // A power of a whole number has all its digits.
        (Operator::Power, Value::Int(power)) => {
            product(left.bits().saturating_mul(power.to_u64().unwrap_or(0)).min(1 << 22) / 64)
        }
        (Operator::Times, _) => product(a + b),
        (Operator::Divided | Operator::Modulo, _) => a.saturating_mul(b) / 8 + a + b,
        _ => (a + b) / 8,
    }
}

/// What it costs to compare two values of so many bits together, whatever they are, in steps.
pub(super) fn cost_of_comparing(bits: u64) -> u64 {
    1 + product(bits / 64)
}

/// What it costs to multiply numbers of so many words.
fn product(words: u64) -> u64 {
    words.saturating_mul(words.isqrt()) / 4
}

/// How many digits one of two numbers must get before they can be added or compared; none if both are whole.
fn gap(left: &Value, right: &Value) -> Option<u64> {
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => Some(left.gap(right)),
        (Value::Float(one), Value::Int(other)) | (Value::Int(other), Value::Float(one)) => {
            Some(one.gap(&Decimal::from(other.clone())))
        }
        _ => None,
    }
}

/// What arithmetic makes of two values.
///
/// # Errors
/// In words: they are no numbers for it.
pub(super) fn arithmetic(operator: Operator, left: &Value, right: &Value) -> Result<Value, String> {
    if let Operator::Power = operator {
        let Value::Int(power) = right else { return Err("a power is a whole number".to_owned()) };
        let power = power.to_u64().ok_or_else(|| "a power is a whole number of 0 or more".to_owned())?;
        return match left {
            Value::Int(base) => base.power(power).map(Value::Int),
            base => base.decimal()?.power(power).map(Value::Float),
        };
    }
    if let (Value::Int(left), Value::Int(right)) = (left, right) {
        return match operator {
            Operator::Plus => left.plus(right),
            Operator::Minus => left.minus(right),
            Operator::Times => left.times(right),
            Operator::Modulo => left.modulo(right),
            _ => left.over(right),
        }
        .map(Value::Int);
    }
    let (left, right) = (left.decimal()?, right.decimal()?);
    match operator {
        Operator::Plus => left.plus(&right),
        Operator::Minus => left.minus(&right),
        Operator::Times => left.times(&right),
        Operator::Divided => left.over(&right),
        _ => Err("a remainder is of whole numbers".to_owned()),
    }
    .map(Value::Float)
}
