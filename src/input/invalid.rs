//! The error for the first invalid position of an input, and the labels of values in its message.

use super::layout::{Shape, Var};

/// The first position at which bytes violate the description.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct Invalid {
    /// Line number, from 1.
    pub line: u64,
    /// Byte column in the line, from 1.
    pub column: u64,
    /// Description of the expected value or separator.
    pub expected: String,
    /// Description of the value or separator at this position.
    pub found: String,
}

/// Returns the label of a value in messages: `n`, `a[3]`, or in a block `u[2]` or `x[2][3]`.
pub(crate) fn label(var: &Var, row: usize, place: usize) -> String {
    let (name, row, place) = (&var.name, row + 1, place + 1);
    match (var.shape(), var.in_block) {
        (Shape::One, _) => name.clone(),
        (Shape::List, true) => format!("{name}[{row}]"),
        (Shape::List, false) => format!("{name}[{place}]"),
        (Shape::Rows, _) => format!("{name}[{row}][{place}]"),
    }
}
