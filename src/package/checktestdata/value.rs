//! The values of a grammar's variables, and the arithmetic of them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::decimal::Decimal;
use super::integer::Integer;
use super::syntax_tree::BinaryOperator;

/// The bits of a value that is as light as any.
pub(super) const UNIT_BITS: u64 = 128;

/// A value. They have an order so that they can be found again: numbers by what they are worth, then texts.
#[derive(Debug, Clone)]
pub(super) enum CtdValue {
    Int(Integer),
    Float(Decimal),
    Text(Arc<[u8]>),
}

impl CtdValue {
    fn decimal(&self) -> Result<Decimal, String> {
        match self {
            CtdValue::Int(number) => Ok(Decimal::from(number.clone())),
            CtdValue::Float(number) => Ok(number.clone()),
            CtdValue::Text(_) => Err(format!("{} is no number", self.display())),
        }
    }

    /// The value for people.
    pub(super) fn display(&self) -> String {
        match self {
            CtdValue::Int(number) => number.to_string(),
            CtdValue::Float(number) => number.to_string(),
            CtdValue::Text(text) => format!("`{}`", String::from_utf8_lossy(text)),
        }
    }

    /// How it compares with another of its kind.
    ///
    /// # Errors
    /// One is a number and one a text.
    pub(super) fn compare(&self, other: &CtdValue) -> Result<Ordering, String> {
        match (self, other) {
            (CtdValue::Text(_), CtdValue::Int(_) | CtdValue::Float(_))
            | (CtdValue::Int(_) | CtdValue::Float(_), CtdValue::Text(_)) => {
                Err(format!("{} and {} can't be compared", self.display(), other.display()))
            }
            _ => Ok(self.cmp(other)),
        }
    }

    pub(super) fn negated(&self) -> Result<CtdValue, String> {
        match self {
            CtdValue::Int(number) => Integer::Small(0).minus(number).map(CtdValue::Int),
            other => other.decimal()?.negated().map(CtdValue::Float),
        }
    }

    /// How many bits its number has, or its text.
    pub(super) fn bits(&self) -> u64 {
        match self {
            CtdValue::Int(number) => number.bits(),
            CtdValue::Float(number) => number.bits(),
            CtdValue::Text(text) => text.len() as u64 * 8,
        }
    }

    /// How many small values take as much memory.
    pub(super) fn weight(&self) -> u64 {
        1 + self.bits() / UNIT_BITS
    }
}

impl PartialEq for CtdValue {
    fn eq(&self, other: &CtdValue) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for CtdValue {}

impl PartialOrd for CtdValue {
    fn partial_cmp(&self, other: &CtdValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CtdValue {
    fn cmp(&self, other: &CtdValue) -> Ordering {
        match (self, other) {
            (CtdValue::Int(left), CtdValue::Int(right)) => left.cmp(right),
            (CtdValue::Float(left), CtdValue::Float(right)) => left.cmp(right),
            (CtdValue::Int(left), CtdValue::Float(right)) => Decimal::from(left.clone()).cmp(right),
            (CtdValue::Float(left), CtdValue::Int(right)) => left.cmp(&Decimal::from(right.clone())),
            (CtdValue::Text(left), CtdValue::Text(right)) => left.cmp(right),
            (CtdValue::Text(_), _) => Ordering::Greater,
            (_, CtdValue::Text(_)) => Ordering::Less,
        }
    }
}

/// What an operation costs, in steps: one with small whole numbers costs one.
pub(super) fn cost(operator: BinaryOperator, left: &CtdValue, right: &CtdValue) -> u64 {
    let (a, b) = (left.bits() / 64, right.bits() / 64);
    if let Some(gap) = gap(left, right) {
        // Nineteen digits fill a word.
        let tokens = a.saturating_add(b).saturating_add(gap / 19);
        return 4 + match operator {
            // It is squared and cut up to 64 times, and keeps a hundred digits at least.
            BinaryOperator::Power => 64 * a.max(6).saturating_mul(a.max(6)),
            BinaryOperator::Times | BinaryOperator::Divided => tokens.saturating_mul(tokens) / 8,
            _ => product(tokens),
        };
    }
    1 + match (operator, right) {
        // A power of a whole number has all its digits.
        (BinaryOperator::Power, CtdValue::Int(power)) => {
            product(left.bits().saturating_mul(power.to_u64().unwrap_or(0)).min(1 << 22) / 64)
        }
        (BinaryOperator::Times, _) => product(a + b),
        (BinaryOperator::Divided | BinaryOperator::Modulo, _) => a.saturating_mul(b) / 8 + a + b,
        _ => (a + b) / 8,
    }
}

/// What it costs to compare two values of so many bits together, whatever they are, in steps.
pub(super) fn cost_of_comparing(bits: u64) -> u64 {
    1 + product(bits / 64)
}

/// What it costs to multiply numbers of so many tokens.
fn product(tokens: u64) -> u64 {
    tokens.saturating_mul(tokens.isqrt()) / 4
}

/// How many digits one of two numbers must get before they can be added or compared; none if both are whole.
fn gap(left: &CtdValue, right: &CtdValue) -> Option<u64> {
    match (left, right) {
        (CtdValue::Float(left), CtdValue::Float(right)) => Some(left.gap(right)),
        (CtdValue::Float(one), CtdValue::Int(other)) | (CtdValue::Int(other), CtdValue::Float(one)) => {
            Some(one.gap(&Decimal::from(other.clone())))
        }
        _ => None,
    }
}

/// What arithmetic makes of two values.
///
/// # Errors
/// In tokens: they are no numbers for it.
pub(super) fn arithmetic(operator: BinaryOperator, left: &CtdValue, right: &CtdValue) -> Result<CtdValue, String> {
    if let BinaryOperator::Power = operator {
        let CtdValue::Int(power) = right else { return Err("a power is a whole number".to_owned()) };
        let power = power.to_u64().ok_or_else(|| "a power is a whole number of 0 or more".to_owned())?;
        return match left {
            CtdValue::Int(base) => base.power(power).map(CtdValue::Int),
            base => base.decimal()?.power(power).map(CtdValue::Float),
        };
    }
    if let (CtdValue::Int(left), CtdValue::Int(right)) = (left, right) {
        return match operator {
            BinaryOperator::Plus => left.plus(right),
            BinaryOperator::Minus => left.minus(right),
            BinaryOperator::Times => left.times(right),
            BinaryOperator::Modulo => left.modulo(right),
            _ => left.divided_by(right),
        }
        .map(CtdValue::Int);
    }
    let (left, right) = (left.decimal()?, right.decimal()?);
    match operator {
        BinaryOperator::Plus => left.plus(&right),
        BinaryOperator::Minus => left.minus(&right),
        BinaryOperator::Times => left.times(&right),
        BinaryOperator::Divided => left.divided_by(&right),
        _ => Err("a remainder is of whole numbers".to_owned()),
    }
    .map(CtdValue::Float)
}
