//! Checktestdata: the language of DOMjudge in which input grammars are written. Parsed and run here, without a process.

mod decimal;
mod input_cursor;
mod integer;
mod interpreter;
mod parse;
mod posix_regex;
mod syntax_tree;
mod tokens;
mod value;
mod variable_values;

pub use interpreter::{CtdGrammar, check};
