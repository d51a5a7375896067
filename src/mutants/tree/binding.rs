//! Precedences of binary operators in each language.

use crate::MutantLanguage;

/// Returns the precedence of a binary operator, or `None` if the language has no such operator. An operator with a
/// higher number binds more tightly.
pub(crate) fn binding(language: MutantLanguage, sign: &str) -> Option<u8> {
    match language {
        MutantLanguage::Python => of_python(sign),
        MutantLanguage::Go => of_go(sign),
        _ => of_c(sign, language),
    }
}

fn of_python(sign: &str) -> Option<u8> {
    Some(match sign {
        "**" => 12,
        "*" | "/" | "//" | "%" | "@" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "&" => 7,
        "^" => 6,
        "|" => 5,
        "<" | "<=" | ">" | ">=" | "==" | "!=" | "in" | "is" | "not" => 4,
        "and" => 2,
        "or" => 1,
        _ => return None,
    })
}

fn of_go(sign: &str) -> Option<u8> {
    Some(match sign {
        "*" | "/" | "%" | "<<" | ">>" | "&" | "&^" => 5,
        "+" | "-" | "|" | "^" => 4,
        "<" | "<=" | ">" | ">=" | "==" | "!=" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

fn of_c(sign: &str, language: MutantLanguage) -> Option<u8> {
    let is_script = language == MutantLanguage::JavaScript;
    Some(match sign {
        "**" if is_script => 12,
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" | ">>>" => 8,
        "<" | "<=" | ">" | ">=" => 7,
        "instanceof" if !language.is_c_or_cpp() => 7,
        "in" if is_script => 7,
        "<=>" if language.is_c_or_cpp() => 7,
        "==" | "!=" | "===" | "!==" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" | "??" => 1,
        "and" if language == MutantLanguage::Cpp => 2,
        "or" if language == MutantLanguage::Cpp => 1,
        _ => return None,
    })
}
