//! Parses numbers as ICPC's default validator does, and decides whether two numbers are close enough.
//!
//! The grammar is `[+-]? (d*.d+ | d+. | d+) ([eE][+-]?d+)?`: no hexadecimal, no `nan`, no `inf`.
//! [`Number`] is rounded correctly to the nearest double. The faster [`Short`] may have rounding errors, which
//! [`close_short`] takes into account.

/// The bounds on the difference between a number in the output and the corresponding number in the answer. One
/// satisfied bound suffices; without bounds, the numbers must be equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerance {
    pub(super) absolute: Option<f64>,
    pub(super) relative: Option<f64>,
}

impl Tolerance {
    /// Returns true if `actual` is within the tolerance of `expected`. Both must be finite.
    pub(super) fn allows(self, expected: f64, actual: f64) -> bool {
        let off = (actual - expected).abs();
        off == 0.0
            || self.absolute.is_some_and(|bound| off <= bound)
            || self.relative.is_some_and(|bound| off <= bound * expected.abs())
    }
}

/// Returns whether `actual` is within the tolerance of `expected`. If a value is not correctly rounded, returns `None`
/// unless the numbers are within the tolerance despite the largest possible rounding errors.
pub(super) fn close_short(expected: Short, actual: Short, tolerance: Tolerance) -> Option<bool> {
    /// A bound on the total rounding error of both numbers and of their difference, relative to the sum of their
    /// absolute values.
    const SLACK: f64 = 1.0 / (1_u64 << 49) as f64;
    let (a, b) = (expected.value, actual.value);
    if expected.exact && actual.exact {
        return Some(tolerance.allows(a, b));
    }
    let (off, slack) = ((a - b).abs(), (a.abs() + b.abs()) * SLACK);
    let absolute = tolerance.absolute.is_some_and(|bound| off + slack <= bound);
    let relative = tolerance.relative.is_some_and(|bound| off + slack * (1.0 + bound) <= bound * a.abs());
    (absolute || relative).then_some(true)
}

/// The powers of ten that a double represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number that [`short`] parsed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Short {
    /// The value, with at most two rounding errors.
    value: f64,
    /// Whether the value is correctly rounded.
    exact: bool,
    /// The number of bytes that were parsed.
    pub(super) length: usize,
}

/// Parses a short number (at most 19 digits, with a power of ten that a double represents exactly) at the start of
/// `bytes`. Returns `None` for all other bytes, which the caller must parse with [`Scan`].
///
/// If the digits without the dot are an integer of at most 2^53, the only rounding is that of one multiplication or
/// division, so the value is correctly rounded.
pub(super) fn short(bytes: &[u8]) -> Option<Short> {
    let signed = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let (mut mantissa, mut at) = digits(0, bytes, signed);
    let mut count = at - signed;
    let mut power = 0;
    if bytes.get(at) == Some(&b'.') {
        let (all, end) = digits(mantissa, bytes, at + 1);
        let places = end - at - 1;
        (mantissa, at) = (all, end);
        count += places;
        power = -(places as i64);
    }
    if count == 0 || count > 19 {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let negative = bytes.get(at + 1) == Some(&b'-');
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let (exponent, end) = digits(0, bytes, from);
        if end == from || end > from + 3 {
            return None;
        }
        power += if negative { -(exponent as i64) } else { exponent as i64 };
        at = end;
    }
    let scale = POWERS.get(power.unsigned_abs() as usize)?;
    let size = if power < 0 { mantissa as f64 / scale } else { mantissa as f64 * scale };
    let value = if bytes[0] == b'-' { -size } else { size };
    Some(Short { value, exact: mantissa <= 1 << 53, length: at })
}

/// Appends to `mantissa` the run of decimal digits that starts at index `at`, wrapping on overflow. Returns the new
/// mantissa and the index after the last digit.
fn digits(mut mantissa: u64, bytes: &[u8], mut at: usize) -> (u64, usize) {
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (mantissa, at)
}

/// The state of [`Scan`] in the grammar of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberState {
    Start,
    Signed,
    Whole,
    /// The state after a dot without a preceding digit.
    BareDot,
    Fraction,
    Exponent,
    ExponentSigned,
    ExponentDigits,
    Wrong,
}

/// Maximum number of digits that are stored. For correct rounding to a double, 800 digits suffice if it is also known
/// whether a nonzero digit follows.
const KEPT: usize = 800;

/// A parser that reads a number of any length in chunks and uses bounded memory.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    state: NumberState,
    negative: bool,
    /// The significant digits as ASCII; the first one is not zero.
    digits: Vec<u8>,
    /// Whether a nonzero digit was dropped.
    more: bool,
    /// The exponent of the power of ten by which the stored digits, read as an integer, are multiplied, before the
    /// written exponent is added.
    scale: i64,
    exponent_negative: bool,
    exponent: i64,
}

impl Scan {
    pub(super) fn new() -> Scan {
        Scan {
            state: NumberState::Start,
            negative: false,
            digits: Vec::new(),
            more: false,
            scale: 0,
            exponent_negative: false,
            exponent: 0,
        }
    }

    /// Parses the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.state == NumberState::Wrong {
                return;
            }
            self.state = self.next(byte);
        }
    }

    fn next(&mut self, byte: u8) -> NumberState {
        use NumberState::{BareDot, Exponent, ExponentDigits, ExponentSigned, Fraction, Signed, Start, Whole, Wrong};
        match (self.state, byte) {
            (Start, b'+' | b'-') => {
                self.negative = byte == b'-';
                Signed
            }
            (Start | Signed | Whole, b'0'..=b'9') => {
                self.digit(byte, false);
                Whole
            }
            (Start | Signed, b'.') => BareDot,
            (Whole, b'.') => Fraction,
            (BareDot | Fraction, b'0'..=b'9') => {
                self.digit(byte, true);
                Fraction
            }
            (Whole | Fraction, b'e' | b'E') => Exponent,
            (Exponent, b'+' | b'-') => {
                self.exponent_negative = byte == b'-';
                ExponentSigned
            }
            (Exponent | ExponentSigned | ExponentDigits, b'0'..=b'9') => {
                self.exponent = self.exponent.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
                ExponentDigits
            }
            _ => Wrong,
        }
    }

    fn digit(&mut self, byte: u8, fraction: bool) {
        let kept = if self.digits.is_empty() && byte == b'0' {
            true
        } else if self.digits.len() < KEPT {
            self.digits.push(byte);
            true
        } else {
            self.more |= byte != b'0';
            false
        };
        match (kept, fraction) {
            (true, true) => self.scale -= 1,
            (false, false) => self.scale += 1,
            _ => {}
        }
    }

    /// Returns true if the bytes so far are not the start of a number.
    pub(super) fn wrong(&self) -> bool {
        self.state == NumberState::Wrong
    }

    /// Returns the number, or `None` if the bytes are not a number.
    pub(super) fn finish(self) -> Option<Number> {
        if !matches!(self.state, NumberState::Whole | NumberState::Fraction | NumberState::ExponentDigits) {
            return None;
        }
        let exponent = if self.exponent_negative { -self.exponent } else { self.exponent };
        let mut number =
            Number { negative: self.negative, digits: self.digits, exponent: exponent.saturating_add(self.scale) };
        if self.more {
            number.digits.push(b'1');
            number.exponent = number.exponent.saturating_sub(1);
        }
        Some(number)
    }
}

/// A decimal number: `digits` as an integer, times ten to the power of `exponent`.
#[derive(Debug, Clone)]
pub(super) struct Number {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Number {
    /// Parses a whole token; returns `None` if it is not a number.
    pub(super) fn read(token: &[u8]) -> Option<Number> {
        let mut scan = Scan::new();
        scan.feed(token);
        scan.finish()
    }

    /// Returns the nearest double, which is infinite for a number that is too large.
    pub(super) fn value(&self) -> f64 {
        self.shifted(0)
    }

    /// Returns the double that is nearest to this number times ten to the power of `by`.
    fn shifted(&self, by: i64) -> f64 {
        let digits = if self.digits.is_empty() { "0" } else { std::str::from_utf8(&self.digits).unwrap_or("0") };
        let sign = if self.negative { "-" } else { "" };
        let exponent = self.exponent.saturating_add(by);
        // The parser of the standard library accepts this form for any 64-bit exponent, and rounds correctly.
        format!("{sign}{digits}e{exponent}").parse().unwrap_or(0.0)
    }

    /// Returns the exponent of the smallest power of ten that is greater than the absolute value.
    fn magnitude(&self) -> i64 {
        self.exponent.saturating_add(self.digits.len() as i64)
    }
}

/// Returns true if `actual` is within the tolerance of `expected`.
///
/// If one of the numbers is too large for a double, both are scaled down, and only the relative bound applies.
pub(super) fn close(expected: &Number, actual: &Number, tolerance: Tolerance) -> bool {
    let (a, b) = (expected.value(), actual.value());
    if a.is_finite() && b.is_finite() {
        return tolerance.allows(a, b);
    }
    let by = expected.magnitude().max(actual.magnitude()).saturating_neg();
    Tolerance { absolute: None, ..tolerance }.allows(expected.shifted(by), actual.shifted(by))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> Option<f64> {
        Number::read(text.as_bytes()).map(|number| number.value())
    }

    #[test]
    fn grammar_is_that_of_icpc() {
        for text in ["0", "-0", "+1", "1.", ".5", "-.5", "1.5", "1e5", "1E+5", "1.e-5", ".5e0", "007", "1e0005"] {
            assert_eq!(value(text), Some(text.parse().unwrap()), "{text}");
        }
        for text in [
            "", "+", "-", ".", "+.", "e5", ".e5", "1e", "1e+", "1e5.", "1.2.3", "0x10", "0x1p3", "inf", "nan", "NaN",
            "Infinity", "-inf", "1f", "1_000", "1,5", "--1", "+-1", "1-", " 1", "1\0", "١",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_rounded_correctly() {
        let half = "9007199254740993"; // 2^53 + 1: exactly between two doubles
        assert_eq!(value(half), Some(9007199254740992.0));
        let above = format!("{half}.{}1", "0".repeat(2000));
        assert_eq!(value(&above), Some(9007199254740994.0));
        let tiny = format!("0.{}1", "0".repeat(3000));
        assert_eq!(value(&tiny), Some(0.0));
        let long = format!("1{}e-3000", "0".repeat(3000));
        assert_eq!(value(&long), Some(1.0));
        for (text, expected) in [
            ("1e400", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            ("1e-400", 0.0),
            ("0e999999999999999999999", 0.0),
            ("1e-999999999999999999999", 0.0),
            ("4.9406564584124654e-324", 5e-324),
            ("1.7976931348623157e308", f64::MAX),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn either_tolerance_suffices() {
        let near = |a: &str, b: &str, absolute, relative| {
            let read = |text: &str| Number::read(text.as_bytes()).unwrap();
            close(&read(a), &read(b), Tolerance { absolute, relative })
        };
        assert!(near("1000000", "1000001", None, Some(1e-6)));
        assert!(!near("1000000", "1000001", Some(1e-6), None));
        assert!(near("0", "0.000001", Some(1e-6), Some(1e-6)));
        assert!(!near("0", "0.000001", None, Some(1e-6)));
        assert!(near("1.0", "1", None, None));
        assert!(near("-0", "0.0", None, None));
        assert!(!near("1", "1.0000001", None, None));
        assert!(!near("1", "-1", Some(1e-6), Some(1e-6)));
        assert!(near("1e999", "10e998", None, None));
        assert!(near("1e999", "1.0000001e999", None, Some(1e-6)));
        assert!(!near("1e999", "1e1000", Some(1e300), Some(1e-6)));
        assert!(!near("1e999", "-1e999", Some(1.0), Some(1e-6)));
        assert!(!near("1", "1e999", Some(1.0), Some(1.0)));
    }

    proptest! {
        #[test]
        fn short_numbers_match_the_standard_library(text in "[+-]?[0-9]{0,12}(\\.[0-9]{0,12})?([eE ][+-]?[0-9]{0,2})?") {
            if let Some(Short { value, exact, length }) = short(text.as_bytes()) {
                let right = text[..length].parse::<f64>().unwrap();
                prop_assert!(value.to_bits() == right.to_bits() || !exact && (value - right).abs() <= right.abs() * 5e-16);
            }
        }

        #[test]
        fn fast_path_agrees_with_the_general_parser(
            a in "-?[0-9]{0,3}\\.[0-9]{1,16}(e-?[0-9])?",
            change in -3_i64..4,
            bound in proptest::sample::select(vec![0.0, 1e-16, 2e-16, 1e-15, 1e-9, 2.0]),
        ) {
            let (x, y) = (a.clone(), match a.split_once('e') {
                Some((digits, exponent)) => format!("{}{}e{exponent}", &digits[..digits.len() - 1], change.unsigned_abs()),
                None => format!("{}{}", &a[..a.len() - 1], change.unsigned_abs()),
            });
            let (long_x, long_y) = (Number::read(x.as_bytes()).unwrap(), Number::read(y.as_bytes()).unwrap());
            for tolerance in [
                Tolerance { absolute: Some(bound), relative: None },
                Tolerance { absolute: None, relative: Some(bound) },
            ] {
                if let (Some(short_x), Some(short_y)) = (short(x.as_bytes()), short(y.as_bytes()))
                    && let Some(answer) = close_short(short_x, short_y, tolerance)
                {
                    prop_assert_eq!(answer, close(&long_x, &long_y, tolerance), "{} {} {:?}", x, y, tolerance);
                }
            }
        }

        #[test]
        fn long_numbers_match_the_standard_library(text in "[+-]?([0-9]{0,30}\\.[0-9]{1,30}|[0-9]{1,900}\\.?)([eE][+-]?[0-9]{1,3})?") {
            prop_assert_eq!(value(&text).unwrap().to_bits(), text.parse::<f64>().unwrap().to_bits());
        }

        #[test]
        fn split_numbers_are_parsed_like_whole_ones(text in "[+-]?[0-9.]{0,20}([eE][+-]?[0-9]{0,3})?", cut: proptest::sample::Index) {
            let cut = cut.index(text.len() + 1);
            let mut scan = Scan::new();
            scan.feed(&text.as_bytes()[..cut]);
            scan.feed(&text.as_bytes()[cut..]);
            prop_assert_eq!(scan.finish().map(|number| number.value()), value(&text));
        }
    }
}
