//! Checktestdata: the language of DOMjudge in which input grammars are written. Parsed and run here, without a process.

mod grammar;
mod lex;
mod machine;
mod parse;
mod reader;

pub use machine::{Grammar, check};
