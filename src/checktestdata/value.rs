//! Values of a grammar's variables, and arithmetic on them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::decimal::Decimal;
use super::integer::Integer;
use super::syntax_tree::BinaryOperator;

/// Size of a value, in bits, for each full multiple of which the weight of the value increases by 1.
pub(super) const UNIT_BITS: u64 = 128;

/// The value of a variable or an expression. The order, which is needed for lookups, sorts numbers by value and places
/// strings last.
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
            CtdValue::Text(_) => Err(format!("expected a number, found {}", self.display())),
        }
    }

    /// Formats the value for messages.
    pub(super) fn display(&self) -> String {
        match self {
            CtdValue::Int(number) => number.to_string(),
            CtdValue::Float(number) => number.to_string(),
            CtdValue::Text(text) => format!("`{}`", String::from_utf8_lossy(text)),
        }
    }

    /// Compares two numbers or two strings.
    ///
    /// # Errors
    /// Fails if one value is a number and the other value is a string.
    pub(super) fn compare(&self, other: &CtdValue) -> Result<Ordering, String> {
        match (self, other) {
            (CtdValue::Text(_), CtdValue::Int(_) | CtdValue::Float(_))
            | (CtdValue::Int(_) | CtdValue::Float(_), CtdValue::Text(_)) => {
                Err(format!("cannot compare a number with a string: {} and {}", self.display(), other.display()))
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

    /// Returns the size of the number or string in bits.
    pub(super) fn bits(&self) -> u64 {
        match self {
            CtdValue::Int(number) => number.bits(),
            CtdValue::Float(number) => number.bits(),
            CtdValue::Text(text) => text.len() as u64 * 8,
        }
    }

    /// Returns the approximate memory use of the value, in multiples of the memory use of a small value.
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

/// Returns the cost of an operation in steps, which is at least 1 and increases with the sizes of the operands and of
/// the result.
pub(super) fn cost(operator: BinaryOperator, left: &CtdValue, right: &CtdValue) -> u64 {
    let (a, b) = (left.bits() / 64, right.bits() / 64);
    if let Some(gap) = gap(left, right) {
        // A 64-bit word holds 19 decimal digits.
        let tokens = a.saturating_add(b).saturating_add(gap / 19);
        return 4 + match operator {
            // The base is squared and rounded at most 64 times. It may grow to 100 digits, which occupy six words.
            BinaryOperator::Power => 64 * a.max(6).saturating_mul(a.max(6)),
            BinaryOperator::Times | BinaryOperator::Divided => tokens.saturating_mul(tokens) / 8,
            _ => product(tokens),
        };
    }
    1 + match (operator, right) {
        // The power of an integer is not rounded, so its size is proportional to the exponent.
        (BinaryOperator::Power, CtdValue::Int(power)) => {
            product(left.bits().saturating_mul(power.to_u64().unwrap_or(0)).min(1 << 22) / 64)
        }
        (BinaryOperator::Times, _) => product(a + b),
        (BinaryOperator::Divided | BinaryOperator::Modulo, _) => a.saturating_mul(b) / 8 + a + b,
        _ => (a + b) / 8,
    }
}

/// Returns the cost in steps of comparing two values whose sizes add up to `bits`.
pub(super) fn cost_of_comparing(bits: u64) -> u64 {
    1 + product(bits / 64)
}

/// Returns the cost in steps of multiplying numbers whose total size is `tokens` 64-bit words.
fn product(tokens: u64) -> u64 {
    tokens.saturating_mul(tokens.isqrt()) / 4
}

/// Returns the number of digits by which one operand must be extended before addition or comparison, or `None` unless
/// both are numbers and at least one is not an integer.
fn gap(left: &CtdValue, right: &CtdValue) -> Option<u64> {
    match (left, right) {
        (CtdValue::Float(left), CtdValue::Float(right)) => Some(left.gap(right)),
        (CtdValue::Float(one), CtdValue::Int(other)) | (CtdValue::Int(other), CtdValue::Float(one)) => {
            Some(one.gap(&Decimal::from(other.clone())))
        }
        _ => None,
    }
}

/// Applies an arithmetic operator.
///
/// # Errors
/// Returns a message if the operator is not defined for these values, or if the result is too large.
pub(super) fn arithmetic(operator: BinaryOperator, left: &CtdValue, right: &CtdValue) -> Result<CtdValue, String> {
    if let BinaryOperator::Power = operator {
        let CtdValue::Int(power) = right else {
            return Err(format!("expected an integer as the exponent, found {}", right.display()));
        };
        let power = power.to_u64().ok_or_else(|| format!("expected an exponent from 0 to 2^64 - 1, found {power}"))?;
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
        _ => Err("the operator `%` requires integers".to_owned()),
    }
    .map(CtdValue::Float)
}
