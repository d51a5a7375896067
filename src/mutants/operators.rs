//! Replacements for operators, literals and methods of Rust.

use syn::{BinOp, Lit};

use super::mutant::MutationOperator;

/// Returns the precedence of a binary operator. An operator with a higher number binds more tightly.
fn binding(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" => 7,
        "&" => 6,
        "^" => 5,
        "|" => 4,
        "&&" => 2,
        "||" => 1,
        // Comparisons are replaced only by comparisons, and assignments only by assignments, so they can have the
        // same precedence here.
        _ => 3,
    }
}

/// Returns whether one operator can replace the other without parentheses.
pub(super) fn binds_alike(a: &str, b: &str) -> bool {
    binding(a) == binding(b)
}

/// Returns the kind of mutation, the text of the operator and the operators that replace it. Returns `None` for an
/// operator that is not mutated.
pub(super) fn others(op: &BinOp) -> Option<(MutationOperator, &'static str, &'static [&'static str])> {
    use MutationOperator::{Arithmetic, Bitwise, Comparison, Logic};
    Some(match op {
        BinOp::Add(_) => (Arithmetic, "+", &["-", "*"]),
        BinOp::Sub(_) => (Arithmetic, "-", &["+", "*"]),
        BinOp::Mul(_) => (Arithmetic, "*", &["+", "/"]),
        BinOp::Div(_) => (Arithmetic, "/", &["*", "%"]),
        BinOp::Rem(_) => (Arithmetic, "%", &["/", "+"]),
        BinOp::BitXor(_) => (Bitwise, "^", &["|", "&", "+"]),
        BinOp::BitAnd(_) => (Bitwise, "&", &["|", "^"]),
        BinOp::BitOr(_) => (Bitwise, "|", &["&", "^"]),
        BinOp::Shl(_) => (Bitwise, "<<", &[">>"]),
        BinOp::Shr(_) => (Bitwise, ">>", &["<<"]),
        BinOp::Lt(_) => (Comparison, "<", &["<=", ">", "==", "!="]),
        BinOp::Le(_) => (Comparison, "<=", &["<", ">=", "==", "!="]),
        BinOp::Gt(_) => (Comparison, ">", &[">=", "<", "==", "!="]),
        BinOp::Ge(_) => (Comparison, ">=", &[">", "<=", "==", "!="]),
        BinOp::Eq(_) => (Comparison, "==", &["!=", "<=", ">="]),
        BinOp::Ne(_) => (Comparison, "!=", &["==", "<", ">"]),
        BinOp::And(_) => (Logic, "&&", &["||"]),
        BinOp::Or(_) => (Logic, "||", &["&&"]),
        BinOp::AddAssign(_) => (Arithmetic, "+=", &["-=", "="]),
        BinOp::SubAssign(_) => (Arithmetic, "-=", &["+=", "="]),
        BinOp::MulAssign(_) => (Arithmetic, "*=", &["+=", "/="]),
        BinOp::DivAssign(_) => (Arithmetic, "/=", &["*=", "%="]),
        BinOp::RemAssign(_) => (Arithmetic, "%=", &["/=", "="]),
        BinOp::BitXorAssign(_) => (Bitwise, "^=", &["|=", "&=", "="]),
        BinOp::BitAndAssign(_) => (Bitwise, "&=", &["|=", "="]),
        BinOp::BitOrAssign(_) => (Bitwise, "|=", &["&=", "^=", "="]),
        BinOp::ShlAssign(_) => (Bitwise, "<<=", &[">>="]),
        BinOp::ShrAssign(_) => (Bitwise, ">>=", &["<<="]),
        _ => return None,
    })
}

/// Returns whether the operator assigns to its left operand.
pub(super) fn assigns(op: &BinOp) -> bool {
    others(op).is_some_and(|(operator, sign, _)| sign.ends_with('=') && operator != MutationOperator::Comparison)
}

/// Returns whether the operators that [`others`] returns for the comparison `op` include its negation.
pub(super) fn has_opposite(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_))
}

/// Returns the method with which the method `name` is commonly confused, or `None` if there is none.
pub(super) fn other_method(name: &str) -> Option<&'static str> {
    const PAIRS: &[(&str, &str)] = &[
        ("min", "max"),
        ("any", "all"),
        ("min_by_key", "max_by_key"),
        ("is_some", "is_none"),
        ("is_ok", "is_err"),
        ("is_some_and", "is_none_or"),
        ("first", "last"),
        ("push_back", "push_front"),
        ("pop_back", "pop_front"),
        ("wrapping_add", "wrapping_sub"),
        ("count_ones", "count_zeros"),
        ("trailing_zeros", "leading_zeros"),
        ("and", "or"),
    ];
    PAIRS.iter().find_map(|(a, b)| match name {
        name if name == *a => Some(*b),
        name if name == *b => Some(*a),
        _ => None,
    })
}

/// Returns the literals that replace the literal `lit`; none if it is not mutated.
pub(super) fn other_literals(lit: &Lit) -> Vec<String> {
    match lit {
        Lit::Int(int) => {
            let Ok(value) = int.base10_parse::<u128>() else { return Vec::new() };
            let near = [value.checked_add(1), value.checked_sub(1)];
            near.into_iter().flatten().map(|value| format!("{value}{}", int.suffix())).collect()
        }
        Lit::Float(float) => {
            let Ok(value) = float.base10_parse::<f64>() else { return Vec::new() };
            let other = if value == 0.0 { 1.0 } else { 0.0 };
            vec![format!("{:?}{}", value + 1.0, float.suffix()), format!("{other:?}{}", float.suffix())]
        }
        Lit::Bool(bool) => vec![(!bool.value).to_string()],
        Lit::Char(char) => next_char(char.value()).map(|c| format!("{c:?}")).into_iter().collect(),
        Lit::Byte(byte) => {
            next_char(char::from(byte.value())).filter(char::is_ascii).map(|c| format!("b{c:?}")).into_iter().collect()
        }
        Lit::Str(text) => vec![if text.value().is_empty() { "\"?\"".to_owned() } else { "\"\"".to_owned() }],
        _ => Vec::new(),
    }
}

fn next_char(c: char) -> Option<char> {
    char::from_u32(u32::from(c) + 1)
}
