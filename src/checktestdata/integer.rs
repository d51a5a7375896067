//! Integers of arbitrary size, with a fast representation for small numbers.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

/// Maximum size of a result in bits, about 1.2 million decimal digits. The size is limited because grammars are
/// untrusted.
const MOST_BITS: u64 = 4_000_000;
/// Maximum length of the text of a number, in bytes.
const MOST_DIGITS: usize = 1_200_000;
/// Maximum number of digits for which every number fits in an `i128`.
const SMALL_DIGITS: usize = 38;
/// Maximum number of digits of a number that is displayed in full. For a longer number, only the approximate number of
/// its digits is displayed.
const MOST_SHOWN: u64 = 1000;

/// An integer, stored as [`Integer::Small`] if and only if it fits in an `i128`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Integer {
    Small(i128),
    Large(Arc<BigInt>),
}

impl From<BigInt> for Integer {
    fn from(number: BigInt) -> Integer {
        i128::try_from(&number).map_or_else(|_| Integer::Large(Arc::new(number)), Integer::Small)
    }
}

impl From<u64> for Integer {
    fn from(number: u64) -> Integer {
        Integer::Small(i128::from(number))
    }
}

impl Integer {
    /// Parses decimal digits with an optional minus sign.
    ///
    /// # Errors
    /// Fails if there are too many digits, or if the text is not an integer.
    pub(super) fn parse(text: &str) -> Result<Integer, String> {
        if text.len() < SMALL_DIGITS
            && let Ok(number) = text.parse()
        {
            return Ok(Integer::Small(number));
        }
        if text.len() > MOST_DIGITS {
            return Err(too_large());
        }
        BigInt::parse_bytes(text.as_bytes(), 10).map(Integer::from).ok_or_else(|| format!("`{text}` is not an integer"))
    }

    /// Parses octal digits. Returns `None` if there are too many digits or if a digit is not octal.
    pub(super) fn octal(text: &str) -> Option<Integer> {
        let short = text.len() <= MOST_DIGITS;
        short.then(|| BigInt::parse_bytes(text.as_bytes(), 8)).flatten().map(Integer::from)
    }

    fn big(&self) -> Cow<'_, BigInt> {
        match self {
            Integer::Small(number) => Cow::Owned(BigInt::from(*number)),
            Integer::Large(number) => Cow::Borrowed(number),
        }
    }

    /// Returns the size of the absolute value in bits.
    pub(super) fn bits(&self) -> u64 {
        match self {
            Integer::Small(number) => u64::from(128 - number.unsigned_abs().leading_zeros()),
            Integer::Large(number) => number.bits(),
        }
    }

    /// Returns the number of decimal digits, with an error of at most one.
    pub(super) fn length(&self) -> u64 {
        self.bits() * 30_103 / 100_000 + 1
    }

    /// Compares the number with 0.
    pub(super) fn sign(&self) -> Ordering {
        match self {
            Integer::Small(number) => number.cmp(&0),
            Integer::Large(number) => match number.sign() {
                Sign::Minus => Ordering::Less,
                _ => Ordering::Greater,
            },
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Integer::Small(0))
    }

    pub(super) fn to_u64(&self) -> Option<u64> {
        match self {
            Integer::Small(number) => u64::try_from(*number).ok(),
            Integer::Large(_) => None,
        }
    }

    fn apply(
        &self,
        other: &Integer,
        small: fn(i128, i128) -> Option<i128>,
        large: fn(&BigInt, &BigInt) -> BigInt,
    ) -> Result<Integer, String> {
        if let (Integer::Small(left), Integer::Small(right)) = (self, other)
            && let Some(result) = small(*left, *right)
        {
            return Ok(Integer::Small(result));
        }
        let result = Integer::from(large(&self.big(), &other.big()));
        if result.bits() > MOST_BITS { Err(too_large()) } else { Ok(result) }
    }

    pub(super) fn plus(&self, other: &Integer) -> Result<Integer, String> {
        self.apply(other, i128::checked_add, |left, right| left + right)
    }

    pub(super) fn minus(&self, other: &Integer) -> Result<Integer, String> {
        self.apply(other, i128::checked_sub, |left, right| left - right)
    }

    pub(super) fn times(&self, other: &Integer) -> Result<Integer, String> {
        if self.bits() + other.bits() > MOST_BITS {
            return Err(too_large());
        }
        self.apply(other, i128::checked_mul, |left, right| left * right)
    }

    /// Divides by `other`, and rounds the quotient toward zero.
    pub(super) fn divided_by(&self, other: &Integer) -> Result<Integer, String> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        self.apply(other, i128::checked_div, |left, right| left / right)
    }

    /// Returns the remainder, which has the sign of `self`.
    pub(super) fn modulo(&self, other: &Integer) -> Result<Integer, String> {
        if other.is_zero() {
            return Err(division_by_zero());
        }
        self.apply(other, i128::checked_rem, |left, right| left % right)
    }

    pub(super) fn power(&self, power: u64) -> Result<Integer, String> {
        if let Integer::Small(base @ -1..=1) = self {
            return Ok(Integer::Small(if power == 0 || (*base < 0 && power.is_multiple_of(2)) { 1 } else { *base }));
        }
        let exponent = u32::try_from(power).map_err(|_| too_large())?;
        if let Integer::Small(base) = self
            && let Some(result) = base.checked_pow(exponent)
        {
            return Ok(Integer::Small(result));
        }
        if (self.bits() - 1).saturating_mul(power) > MOST_BITS {
            return Err(too_large());
        }
        let result = Integer::from(self.big().pow(exponent));
        if result.bits() > MOST_BITS { Err(too_large()) } else { Ok(result) }
    }

    /// Returns 10 to the given power.
    pub(super) fn power_of_ten(power: u64) -> Result<Integer, String> {
        Integer::Small(10).power(power)
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (self, other) {
            (Integer::Small(left), Integer::Small(right)) => left.cmp(right),
            (Integer::Large(left), Integer::Large(right)) => left.cmp(right),
            // A large number is outside of the range of small numbers, so its sign determines the order.
            (Integer::Large(_), Integer::Small(_)) => self.sign(),
            (Integer::Small(_), Integer::Large(_)) => other.sign().reverse(),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(number) => number.fmt(f),
            Integer::Large(number) if self.length() <= MOST_SHOWN => number.fmt(f),
            Integer::Large(_) => write!(f, "a number of about {} digits", self.length()),
        }
    }
}

pub(super) fn too_large() -> String {
    "the number exceeds the supported range".to_owned()
}

pub(super) fn division_by_zero() -> String {
    "division by zero".to_owned()
}
