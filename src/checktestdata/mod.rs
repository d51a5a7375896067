//! Checktestdata, DOMjudge's language for input grammars. Grammars are parsed and interpreted in this process.

use nimatron_model as model;

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
