//! The notation of built-in checkers on one line, such as `tokens`, `float:1e-6` and `lines:fold_case`.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::comparer::{Comparer, ComparisonRule};

/// The names of the built-in checkers. `numbers` is accepted as an alias of `float`.
pub const CHECKER_NAMES: [&str; 5] = ["exact", "lines", "tokens", "float", "unordered"];

/// The largest tolerance that the notation accepts.
const LARGEST: f64 = 1e300;

/// An error in the notation of a built-in checker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// There is no built-in checker with this name.
    #[error("unknown checker `{0}`; expected `exact`, `lines`, `tokens`, `unordered`, or `float` as in `float:1e-6`")]
    Name(String),
    /// The checker does not have this option, or the option's value is invalid.
    #[error("the checker `{checker}` does not accept the option `{option}`; {known}")]
    Option {
        /// Name of the checker.
        checker: String,
        /// The option as written.
        option: String,
        /// The part of the message that lists the options that the checker accepts.
        known: &'static str,
    },
    /// The options of `float` specify no tolerance.
    #[error("`float` requires a tolerance, such as `float:1e-6`, `float:abs=1e-6` or `float:rel=1e-9`")]
    NoTolerance,
}

impl FromStr for Comparer {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Comparer, NotationError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let (mut fold_case, mut spaces) = (false, false);
        let (mut absolute, mut relative) = (None, None);
        let float = name == "float" || name == "numbers";
        if !float && !CHECKER_NAMES.contains(&name) {
            return Err(NotationError::Name(name.to_owned()));
        }
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let tolerance = |text: &str| text.parse::<f64>().ok().filter(|value| (0.0..=LARGEST).contains(value));
            let (key, value) = option.split_once('=').map_or(("", option), |(key, value)| (key, value));
            match (key, value, tolerance(value)) {
                ("", "fold_case", _) => fold_case = true,
                ("", "spaces", _) if float => spaces = true,
                ("", _, Some(both)) if float => (absolute, relative) = (Some(both), Some(both)),
                ("abs", _, Some(value)) if float => absolute = Some(value),
                ("rel", _, Some(value)) if float => relative = Some(value),
                _ => {
                    let known = if float {
                        "expected `fold_case`, `spaces`, or a tolerance such as `1e-6`, `abs=1e-6` or `rel=1e-9`"
                    } else {
                        "expected `fold_case`"
                    };
                    return Err(NotationError::Option { checker: name.to_owned(), option: option.to_owned(), known });
                }
            }
        }
        let rule = match name {
            "exact" => ComparisonRule::Exact,
            "lines" => ComparisonRule::Lines,
            "tokens" => ComparisonRule::Tokens,
            "unordered" => ComparisonRule::Unordered,
            _ if absolute.is_none() && relative.is_none() => return Err(NotationError::NoTolerance),
            _ => ComparisonRule::Numbers { absolute, relative, spaces },
        };
        Ok(Comparer { rule, fold_case })
    }
}

impl fmt::Display for Comparer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        let name = match self.rule {
            ComparisonRule::Exact => "exact",
            ComparisonRule::Lines => "lines",
            ComparisonRule::Tokens => "tokens",
            ComparisonRule::Unordered => "unordered",
            ComparisonRule::Numbers { absolute, relative, spaces } => {
                match (absolute, relative) {
                    (Some(both), Some(relative)) if both == relative => options.push(format!("{both:e}")),
                    (absolute, relative) => {
                        options.extend(absolute.map(|value| format!("abs={value:e}")));
                        options.extend(relative.map(|value| format!("rel={value:e}")));
                    }
                }
                options.extend(spaces.then(|| "spaces".to_owned()));
                "float"
            }
        };
        options.extend(self.fold_case.then(|| "fold_case".to_owned()));
        f.write_str(name)?;
        if options.is_empty() { Ok(()) } else { write!(f, ":{}", options.join(",")) }
    }
}

impl Serialize for Comparer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Comparer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Comparer, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_checker_has_a_notation() {
        let float = |absolute, relative| Comparer::new(ComparisonRule::Numbers { absolute, relative, spaces: false });
        for (text, wanted) in [
            ("exact", Comparer::new(ComparisonRule::Exact)),
            ("lines:fold_case", Comparer::new(ComparisonRule::Lines).fold_case(true)),
            ("tokens", Comparer::new(ComparisonRule::Tokens)),
            ("unordered", Comparer::new(ComparisonRule::Unordered)),
            ("float:1e-6", float(Some(1e-6), Some(1e-6))),
            ("float:0.001", float(Some(1e-3), Some(1e-3))),
            ("numbers:abs=1e-9", float(Some(1e-9), None)),
            ("float:rel=1e-9,fold_case", float(None, Some(1e-9)).fold_case(true)),
        ] {
            assert_eq!(text.parse::<Comparer>().as_ref(), Ok(&wanted), "{text}");
        }
    }

    #[test]
    fn errors_name_the_part_that_is_wrong() {
        for (text, part) in [
            ("token", "unknown checker `token`"),
            ("float", "requires a tolerance"),
            ("float:", "requires a tolerance"),
            ("float:-1", "does not accept the option `-1`"),
            ("float:nan", "does not accept the option `nan`"),
            ("float:abs=x", "does not accept the option `abs=x`"),
            ("tokens:1e-6", "expected `fold_case`"),
            ("tokens:spaces", "does not accept the option `spaces`"),
            ("", "unknown checker ``"),
        ] {
            let error = text.parse::<Comparer>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn the_notation_comes_back_equal(
            rule in 0..5_u8,
            absolute in prop::option::of(0.0..1e300_f64),
            relative in prop::option::of(0.0..1.0_f64),
            (spaces, fold_case) in any::<(bool, bool)>(),
        ) {
            let rule = match rule {
                0 => ComparisonRule::Exact,
                1 => ComparisonRule::Lines,
                2 => ComparisonRule::Tokens,
                3 => ComparisonRule::Unordered,
                _ if absolute.is_none() && relative.is_none() => ComparisonRule::Tokens,
                _ => ComparisonRule::Numbers { absolute, relative, spaces },
            };
            let comparer = Comparer { rule, fold_case };
            prop_assert_eq!(comparer.to_string().parse::<Comparer>(), Ok(comparer));
        }
    }
}
