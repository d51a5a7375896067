//! Why bytes are no input, and how it is said.

use super::layout::{Shape, Var};

/// Why bytes are no input of this description.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct Invalid {
    /// The line, from 1.
    pub line: u64,
    /// The byte in that line, from 1.
    pub column: u64,
    /// What should stand there.
    pub expected: String,
    /// What does.
    pub found: String,
}

/// What a person calls the value: `n`, `a[3]`, in a block `u[2]` or `x[2][3]`.
pub(crate) fn label(var: &Var, row: usize, place: usize) -> String {
    let (name, row, place) = (&var.name, row + 1, place + 1);
    match (var.shape(), var.in_block) {
        (Shape::One, _) => name.clone(),
        (Shape::List, true) => format!("{name}[{row}]"),
        (Shape::List, false) => format!("{name}[{place}]"),
        (Shape::Rows, _) => format!("{name}[{row}][{place}]"),
    }
}
