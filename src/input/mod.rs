//! Input descriptions: the format of an input or of an answer, declared once.
//!
//! A [`Description`] is built from the items and clauses of a problem's `input:` and `where:`. It has methods that
//! validate, read, write, generate, enumerate, shrink and mutate inputs. This crate parses no YAML and opens no file:
//! descriptions are passed as strings, and an error in them is a [`DescriptionError`] with its position.
//!
//! # The notation
//! An item is a line, or with `repeat` a block of lines that is repeated. The keys of a line name its values, in order.
//! The values are separated by a single space. The names in a block become columns.
//!
//! | written | means |
//! |---|---|
//! | `n: 1..=10^5` | an integer in this inclusive range; bounds are expressions over earlier names with `+ - * / % ^`, `min(,)`, `max(,)` and the list functions of `where`; values are signed 64-bit integers |
//! | `m: n-1` | exactly this value |
//! | `a[n]: 0..=9` | `n` values on the line; for `n` = 0 no values, and an empty line if the item has no other values |
//! | `w: [Yes, No]` | one of these words |
//! | `s: word a-z 1..=20` | a word of 1 to 20 letters of a class; the class lists ranges and single letters, and a `-` at either end is literal |
//! | `r: real -1.0..=1.0 places 3` | a decimal number with exactly three digits after the decimal point |
//!
//! `/` rounds down, the result of `%` is never negative, and `^` is exponentiation.
//!
//! # The clauses
//! A clause is a comparison or a predicate. A comparison (`==`, `!=`, `<`, `<=`, `>`, `>=`) has two expressions, in
//! which a list is reduced to a number by `sum(a)`, `count(a)`, `count(a, v)`, `min(a)`, `max(a)` or `xor(a)`. A column
//! named without such a function stands for its value in every row: `u != v`. Predicates of lists are `distinct(a)`,
//! `sorted(a)` (non-decreasing) and `permutation(a)` (the least value of the range and its successors, each once).
//! Predicates of the graph with the edges `u` to `v` are `acyclic(u, v)` for directed graphs, and `tree(u, v)`,
//! `connected(u, v)` and `simple(u, v)` for undirected ones. The vertices are all the values in the range of `u`, which
//! must equal the range of `v`. A predicate of a list in the rows of a block applies to the list of each row.

/// `sample/notation.rs` refers to this crate as `crate::input`, because the tests of `export` also include that file.
#[cfg(test)]
extern crate self as input;

use nimatron_model as model;

mod assemble;
mod cells;
mod clause;
mod decide;
mod description;
mod edit;
mod enumerate;
mod expr;
mod fold;
mod generate;
mod grammar;
mod graph;
mod guess;
mod instance;
mod invalid;
mod keep;
mod kind;
mod layout;
mod lists;
mod mutate;
mod names;
mod narrow;
mod one_line;
mod predicate;
mod raw;
mod reach;
mod read;
mod replace;
mod rng;
mod scale;
mod scan;
mod shrink;
mod shrink_pairs;
mod simpler;
mod small;
mod stable_key;
mod stand_alone;
mod token;
mod vertices;
mod write;

pub use description::Description;
pub use enumerate::Enumeration;
pub use generate::Impossible;
pub use guess::{FormatGuess, canonical_text, guess, plain_integer};

pub use instance::{Instance, Real, Value};
pub use invalid::Invalid;
pub use raw::{At, DescriptionError, RawItem, RawValue};
pub use reach::Reach;
pub use rng::Rng;
pub use scale::Role;
pub use shrink::Shrunk;
pub use small::Growth;
pub use stand_alone::ExitCodes;

#[cfg(test)]
mod complaints;
#[cfg(test)]
mod input_properties;
#[cfg(test)]
pub(crate) mod sample;
