//! Checktestdata: the language of DOMjudge in which input grammars are written. Parsed and run here, without a process.

mod decimal;
mod grammar;
mod int;
mod lex;
mod machine;
mod parse;
mod posix;
mod reader;
mod value;
mod values;

pub use machine::{Grammar, check};
