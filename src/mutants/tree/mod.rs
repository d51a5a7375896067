//! Syntax trees of programs in C, C++, Java, Python, JavaScript and Go, with only the detail that mutants require.
//!
//! The parser recognizes expressions, statements and functions, but does not resolve names or types. Code whose
//! interpretation is uncertain becomes an opaque node, inside which nothing is mutated. The parser therefore accepts
//! any text with balanced brackets.

mod binding;
mod cursor;
mod declaration;
mod expression;
mod function;
mod go;
mod header;
mod java_file;
mod node;
mod operand;
mod parse;
mod python;
mod python_operand;
mod script;
mod statement;
mod token;
mod types;

pub(super) use binding::binding;
pub(super) use header::go_header;
pub(super) use java_file::{JavaFile, java_file};
pub(super) use node::{MAIN, Node, NodeKind};
pub(super) use parse::parse;
