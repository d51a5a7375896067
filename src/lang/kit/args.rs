//! Parses the program's arguments, each of the form `key=value`.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::complaint::Complaint;
use super::random::Random;

/// The arguments of the program, by key.
#[derive(Debug, Clone, Default)]
pub struct Args(BTreeMap<String, String>);

impl Args {
    /// Parses the arguments of the command line.
    pub fn from_command_line() -> Result<Args, Complaint> {
        Args::new(std::env::args().skip(1))
    }

    /// Parses `words` as arguments. Fails if an argument is not of the form `key=value` or if a key is repeated.
    pub fn new(words: impl Iterator<Item = String>) -> Result<Args, Complaint> {
        let mut args = BTreeMap::new();
        for word in words {
            let pair =
                word.split_once('=').ok_or_else(|| format!("expected an argument `key=value`, found `{word}`"))?;
            if args.insert(pair.0.to_owned(), pair.1.to_owned()).is_some() {
                return Err(format!("the argument `{}=` is given twice", pair.0).into());
            }
        }
        Ok(Args(args))
    }

    /// Returns the text of an argument. Fails if the key is missing.
    pub fn text(&self, key: &str) -> Result<&str, Complaint> {
        self.0.get(key).map(String::as_str).ok_or_else(|| format!("the argument `{key}=` is missing").into())
    }

    /// Returns the parsed value of an argument. Fails if the key is missing or the value cannot be parsed.
    pub fn get<T: FromStr>(&self, key: &str) -> Result<T, Complaint> {
        let text = self.text(key)?;
        text.parse().map_err(|_| format!("expected {} for `{key}=`, found `{text}`", kind::<T>()).into())
    }

    /// Returns the parsed value of an argument, or `otherwise` if the key is missing. Fails if the value cannot be
    /// parsed.
    pub fn get_or<T: FromStr>(&self, key: &str, otherwise: T) -> Result<T, Complaint> {
        if self.0.contains_key(key) { self.get(key) } else { Ok(otherwise) }
    }

    /// Returns the index of an argument's value in `words`. Fails if the key is missing or the value is not one of the
    /// words.
    pub fn choice(&self, key: &str, words: &[&str]) -> Result<usize, Complaint> {
        let text = self.text(key)?;
        let place = words.iter().position(|word| *word == text);
        place.ok_or_else(|| {
            format!("expected one of `{}` as the value of `{key}=`, found `{text}`", words.join("`, `")).into()
        })
    }

    /// Returns a random number generator that is seeded with the argument `seed`, which the judge passes.
    pub fn random(&self) -> Result<Random, Complaint> {
        self.get("seed").map(Random::new)
    }
}

/// Returns a description of the values of type `T`, for messages.
fn kind<T>() -> String {
    let name = std::any::type_name::<T>();
    match name {
        "f32" | "f64" => "a number".to_owned(),
        "bool" => "`true` or `false`".to_owned(),
        _ => format!("a value of the type `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<Args, Complaint> {
        Args::new(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn values_are_parsed_and_errors_are_reported() {
        let all = args("n=3 shape=path big=18446744073709551615 seed=5").unwrap();
        assert_eq!((all.get::<usize>("n"), all.get("big")), (Ok(3), Ok(u64::MAX)));
        assert_eq!(all.choice("shape", &["star", "path"]), Ok(1));
        assert_eq!(all.get_or("m", 9), Ok(9));
        assert!(all.random().is_ok());
        let said = |complaint: Result<u32, Complaint>| complaint.unwrap_err().to_string();
        assert_eq!(said(all.get("m")), "the argument `m=` is missing");
        assert_eq!(said(all.get("shape")), "expected a value of the type `u32` for `shape=`, found `path`");
        assert_eq!(said(all.get("big")), "expected a value of the type `u32` for `big=`, found `18446744073709551615`");
        let other = all.choice("shape", &["star"]).unwrap_err().to_string();
        assert_eq!(other, "expected one of `star` as the value of `shape=`, found `path`");
        assert_eq!(args("n").unwrap_err().to_string(), "expected an argument `key=value`, found `n`");
        assert_eq!(args("n=1 n=2").unwrap_err().to_string(), "the argument `n=` is given twice");
    }
}
