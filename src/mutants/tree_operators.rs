//! Replacements of operators, literals, functions and returned values, for languages other than Rust.

use super::language::MutantLanguage;
use super::mutant::MutationOperator;

/// The kind of a mutation, and the operators that replace the original operator.
type Replacement = (MutationOperator, &'static [&'static str]);

/// Returns the replacements of a binary operator or assignment, or `None` if it is not mutated.
pub(super) fn replacements(language: MutantLanguage, sign: &str) -> Option<Replacement> {
    use MutationOperator::{Arithmetic, Bitwise, Comparison, Logic};
    let of_language: Option<Replacement> = match (language, sign) {
        (MutantLanguage::Python, "/") => Some((Arithmetic, &["*", "//"])),
        (MutantLanguage::Python, "*") => Some((Arithmetic, &["+", "//"])),
        (MutantLanguage::Python, "//") => Some((Arithmetic, &["*", "%"])),
        (MutantLanguage::Python, "%") => Some((Arithmetic, &["//", "+"])),
        (MutantLanguage::Python, "*=") => Some((Arithmetic, &["+=", "//="])),
        (MutantLanguage::Python, "//=") => Some((Arithmetic, &["*=", "%="])),
        (MutantLanguage::Python, "%=") => Some((Arithmetic, &["//=", "="])),
        (MutantLanguage::Python, "and") => Some((Logic, &["or"])),
        (MutantLanguage::Python, "or") => Some((Logic, &["and"])),
        (MutantLanguage::Python, "in") => Some((Comparison, &["not in"])),
        (MutantLanguage::Python, "not in") => Some((Comparison, &["in"])),
        (MutantLanguage::Python, "is") => Some((Comparison, &["is not"])),
        (MutantLanguage::Python, "is not") => Some((Comparison, &["is"])),
        (MutantLanguage::Cpp, "and") => Some((Logic, &["or"])),
        (MutantLanguage::Cpp, "or") => Some((Logic, &["and"])),
        (MutantLanguage::JavaScript, "<") => Some((Comparison, &["<=", ">", "===", "!=="])),
        (MutantLanguage::JavaScript, "<=") => Some((Comparison, &["<", ">=", "===", "!=="])),
        (MutantLanguage::JavaScript, ">") => Some((Comparison, &[">=", "<", "===", "!=="])),
        (MutantLanguage::JavaScript, ">=") => Some((Comparison, &[">", "<=", "===", "!=="])),
        (MutantLanguage::JavaScript, "===") => Some((Comparison, &["!==", "<=", ">="])),
        (MutantLanguage::JavaScript, "!==") => Some((Comparison, &["===", "<", ">"])),
        (MutantLanguage::Go, "&^") => Some((Bitwise, &["&", "|"])),
        (_, "**") => Some((Arithmetic, &["*"])),
        (_, ">>>") => Some((Bitwise, &["<<"])),
        (_, ">>>=") => Some((Bitwise, &["<<="])),
        _ => None,
    };
    of_language.or_else(|| shared(sign))
}

/// Returns the replacements that are the same in all languages.
fn shared(sign: &str) -> Option<Replacement> {
    use MutationOperator::{Arithmetic, Bitwise, Comparison, Logic};
    Some(match sign {
        "+" => (Arithmetic, &["-", "*"]),
        "-" => (Arithmetic, &["+", "*"]),
        "*" => (Arithmetic, &["+", "/"]),
        "/" => (Arithmetic, &["*", "%"]),
        "%" => (Arithmetic, &["/", "+"]),
        "^" => (Bitwise, &["|", "&", "+"]),
        "&" => (Bitwise, &["|", "^"]),
        "|" => (Bitwise, &["&", "^"]),
        "<<" => (Bitwise, &[">>"]),
        ">>" => (Bitwise, &["<<"]),
        "<" => (Comparison, &["<=", ">", "==", "!="]),
        "<=" => (Comparison, &["<", ">=", "==", "!="]),
        ">" => (Comparison, &[">=", "<", "==", "!="]),
        ">=" => (Comparison, &[">", "<=", "==", "!="]),
        "==" => (Comparison, &["!=", "<=", ">="]),
        "!=" => (Comparison, &["==", "<", ">"]),
        "&&" => (Logic, &["||"]),
        "||" => (Logic, &["&&"]),
        "+=" => (Arithmetic, &["-=", "="]),
        "-=" => (Arithmetic, &["+=", "="]),
        "*=" => (Arithmetic, &["+=", "/="]),
        "/=" => (Arithmetic, &["*=", "%="]),
        "%=" => (Arithmetic, &["/=", "="]),
        "^=" => (Bitwise, &["|=", "&=", "="]),
        "&=" => (Bitwise, &["|=", "="]),
        "|=" => (Bitwise, &["&=", "^=", "="]),
        "<<=" => (Bitwise, &[">>="]),
        ">>=" => (Bitwise, &["<<="]),
        _ => return None,
    })
}

/// Returns whether the [`replacements`] of the comparison `sign` include its negation.
pub(super) fn has_opposite(sign: &str) -> bool {
    matches!(sign, "==" | "!=" | "===" | "!==" | "in" | "not in" | "is" | "is not")
}

/// Returns the function with which the function `name` is commonly confused, or `None` if there is none.
pub(super) fn other_function(language: MutantLanguage, name: &str) -> Option<&'static str> {
    const ALL: &[(&str, &str)] = &[("min", "max")];
    let own: &[(&str, &str)] = match language {
        MutantLanguage::C | MutantLanguage::Cpp => &[
            ("min_element", "max_element"),
            ("lower_bound", "upper_bound"),
            ("any_of", "all_of"),
            ("push_back", "push_front"),
            ("pop_back", "pop_front"),
            ("front", "back"),
            ("fmin", "fmax"),
            ("__builtin_ctz", "__builtin_clz"),
            ("__builtin_ctzll", "__builtin_clzll"),
        ],
        MutantLanguage::Java => &[
            ("addFirst", "addLast"),
            ("pollFirst", "pollLast"),
            ("peekFirst", "peekLast"),
            ("anyMatch", "allMatch"),
            ("floorKey", "ceilingKey"),
            ("first", "last"),
            ("bitCount", "numberOfLeadingZeros"),
            ("numberOfTrailingZeros", "numberOfLeadingZeros"),
        ],
        MutantLanguage::Python => &[
            ("any", "all"),
            ("append", "appendleft"),
            ("pop", "popleft"),
            ("bisect_left", "bisect_right"),
            ("bisect", "bisect_left"),
        ],
        MutantLanguage::JavaScript => &[("some", "every"), ("push", "unshift"), ("pop", "shift")],
        MutantLanguage::Go => &[("TrailingZeros", "LeadingZeros"), ("Min", "Max")],
        MutantLanguage::Rust => &[],
    };
    own.iter().chain(ALL).find_map(|(a, b)| match name {
        name if name == *a => Some(*b),
        name if name == *b => Some(*a),
        _ => None,
    })
}

/// Returns whether the first string among the arguments of the function `name` is a format, an encoding, a file name or
/// a module name. Such strings are not mutated.
pub(super) fn takes_format(name: &str) -> bool {
    const NAMES: [&str; 22] = [
        "printf",
        "fprintf",
        "sprintf",
        "snprintf",
        "scanf",
        "sscanf",
        "fscanf",
        "freopen",
        "fopen",
        "format",
        "formatted",
        "Printf",
        "Sprintf",
        "Fprintf",
        "Errorf",
        "Sscanf",
        "Scanf",
        "Fscanf",
        "require",
        "readFileSync",
        "open",
        "encode",
    ];
    NAMES.contains(&name)
}

/// Returns the replacements of a number, with the same suffix. An integer is replaced with the next greater integer
/// and, unless it is 0, with the next smaller integer. A floating-point number is replaced with its value plus 1, and
/// with 0, or 1 if its value is 0. Returns no replacements if the number is not mutated, such as an octal number in C,
/// which begins with `0`.
pub(super) fn other_numbers(language: MutantLanguage, text: &str) -> Vec<String> {
    let plain: String = text.chars().filter(|c| !matches!(c, '_' | '\'')).collect();
    let lower = plain.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return with_radix(&plain[2..], digits, prefix, radix);
        }
    }
    let is_octal = lower.len() > 1 && lower.starts_with('0') && lower.bytes().all(|byte| byte.is_ascii_digit());
    if is_octal && language != MutantLanguage::Python {
        return Vec::new();
    }
    let end = lower.find(|c: char| !c.is_ascii_digit()).unwrap_or(lower.len());
    let (digits, suffix) = plain.split_at(end);
    if suffix.chars().all(|c| "ulUL".contains(c) || c == 'n') {
        let Ok(value) = digits.parse::<u128>() else { return Vec::new() };
        let near = [value.checked_add(1), value.checked_sub(1)];
        return near.into_iter().flatten().map(|value| format!("{value}{suffix}")).collect();
    }
    let end = plain.find(|c: char| "fFdDlLjJi".contains(c)).unwrap_or(plain.len());
    let (digits, suffix) = plain.split_at(end);
    let Ok(value) = digits.parse::<f64>() else { return Vec::new() };
    let other = if value == 0.0 { 1.0 } else { 0.0 };
    vec![format!("{:?}{suffix}", value + 1.0), format!("{other:?}{suffix}")]
}

fn with_radix(plain: &str, digits: &str, prefix: &str, radix: u32) -> Vec<String> {
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let suffix = &plain[end..];
    let (Ok(value), true) = (u128::from_str_radix(&digits[..end], radix), suffix.chars().all(|c| "ulULn".contains(c)))
    else {
        return Vec::new();
    };
    let near = [value.checked_add(1), value.checked_sub(1)].into_iter().flatten();
    near.map(|value| match radix {
        16 => format!("{prefix}{value:x}{suffix}"),
        2 => format!("{prefix}{value:b}{suffix}"),
        _ => format!("{prefix}{value:o}{suffix}"),
    })
    .collect()
}

/// Returns a literal with the next character, or `None` if the literal is not a single ASCII character or the next
/// character would need an escape.
pub(super) fn other_character(text: &str) -> Option<String> {
    let (before, inner) = text.strip_suffix('\'')?.split_once('\'')?;
    let mut chars = inner.chars();
    let c = chars.next().filter(|c| c.is_ascii() && *c != '\\' && chars.next().is_none())?;
    let next = char::from_u32(u32::from(c) + 1).filter(|next| !matches!(next, '\'' | '\\' | '\u{7f}'))?;
    Some(format!("{before}'{next}'"))
}

/// Returns the replacement of a string: an empty string, or `?` for an empty string. Returns `None` for a raw string of
/// C++ and for text without quotes.
pub(super) fn other_text(text: &str) -> Option<String> {
    let quote = text.find(['"', '\'', '`'])?;
    let (prefix, rest) = text.split_at(quote);
    // A raw string of C++ is delimited by `R"(` and `)"`, so its contents cannot be replaced by this function.
    if prefix.ends_with('R') && rest.starts_with("\"") && rest.contains('(') {
        return None;
    }
    let sign = rest.chars().next()?;
    Some(if rest.len() == 2 { format!("{prefix}{sign}?{sign}") } else { format!("{prefix}{sign}{sign}") })
}

/// Returns the values that may replace a returned value of the type `kind`, or no values if values of this type are not
/// replaced.
pub(super) fn other_values(language: MutantLanguage, kind: &str) -> Vec<String> {
    const NUMBERS: &[&str] = &[
        "int",
        "long",
        "long long",
        "long long int",
        "long int",
        "short",
        "unsigned",
        "unsigned int",
        "unsigned long",
        "unsigned long long",
        "size_t",
        "std::size_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "ll",
        "ull",
        "i64",
        "u64",
        "lint",
        "__int128",
        "byte",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    ];
    let kind = kind.trim();
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    match kind {
        "bool" | "boolean" => texts(&language.truths()),
        "double" | "float" | "long double" | "float64" | "float32" => texts(&["0.0", "1.0"]),
        "string" | "String" if language != MutantLanguage::Cpp => texts(&["\"\""]),
        kind if NUMBERS.contains(&kind) => texts(&["0", "1"]),
        kind if language == MutantLanguage::Cpp && is_container(kind) => vec![format!("{kind}()")],
        kind if language == MutantLanguage::Go && kind.starts_with("[]") => texts(&["nil"]),
        _ => Vec::new(),
    }
}

fn is_container(kind: &str) -> bool {
    let plain = kind.strip_prefix("std::").unwrap_or(kind);
    plain == "string" || plain.starts_with("vector<") && plain.ends_with('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_suffix_and_base() {
        let of = |text: &str| other_numbers(MutantLanguage::Cpp, text);
        assert_eq!(of("1'000LL"), ["1001LL", "999LL"]);
        assert_eq!(of("0"), ["1"]);
        assert_eq!(of("0xFFu"), ["0x100u", "0xfeu"]);
        assert_eq!(of("0b11"), ["0b100", "0b10"]);
        assert_eq!(of("017"), [""; 0]);
        assert_eq!(of("1e9"), ["1000000001.0", "0.0"]);
        assert_eq!(of("0.0f"), ["1.0f", "1.0f"]);
        assert_eq!(of("1."), ["2.0", "0.0"]);
    }

    #[test]
    fn texts_and_characters_keep_their_quotes() {
        assert_eq!(other_text("\"Yes\"").as_deref(), Some("\"\""));
        assert_eq!(other_text("b''").as_deref(), Some("b'?'"));
        assert_eq!(other_text("\"\"\"a\"\"\"").as_deref(), Some("\"\""));
        assert_eq!(other_text("R\"(a)\""), None);
        assert_eq!(other_character("'a'").as_deref(), Some("'b'"));
        assert_eq!(other_character("'\\n'"), None);
        assert_eq!(other_character("'&'"), None);
    }
}
