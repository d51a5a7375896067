//! Input descriptions: what an input (or an answer) looks like, said once.
//!
//! A [`Description`] comes from the items and clauses of a problem's `input:` and `where:`, and is validator, reader,
//! writer, generator, enumerator, shrinker and mutator in one. It reads no YAML and opens no file: it is given strings,
//! and says what is wrong with them as a [`Complaint`] that knows its place.
//!
//! # The notation
//! An item is a line; its keys are the values on it, in order, one blank apart. `repeat` gives a block of lines that
//! comes several times, and whose names become columns.
//!
//! | written | means |
//! |---|---|
//! | `n: 1..=10^5` | an integer, both ends allowed; bounds are expressions over earlier names with `+ - * / % ^`, `min(,)`, `max(,)` and what `where` can ask of lists; 64 bits, signed |
//! | `m: n-1` | exactly this value |
//! | `a[n]: 0..=9` | `n` values on the line; for `n` = 0 nothing, and if nothing else stands there, an empty line |
//! | `w: [Yes, No]` | one of these words |
//! | `s: word a-z 1..=20` | so many letters of a class: ranges and single letters, `-` at an end for itself |
//! | `r: real -1.0..=1.0 places 3` | a decimal number with exactly three digits behind the point |
//!
//! `/` rounds down, `%` is never negative, `^` is the power.
//!
//! # The clauses
//! A comparison (`==`, `!=`, `<`, `<=`, `>`, `>=`) of two expressions, in which a list becomes a number by `sum(a)`,
//! `count(a)`, `count(a, v)`, `min(a)`, `max(a)` or `xor(a)`. A column named without such a function means its value in
//! every row: `u != v`. Or a predicate: `distinct(a)`; `sorted(a)` (never falling); `permutation(a)` (the least value the
//! range allows and its followers, each once); of the graph whose edges lead from `u` to `v`, `acyclic(u, v)`, and
//! without direction `tree(u, v)`, `connected(u, v)`, `simple(u, v)`. The vertices are all the values in the range of
//! `u`, which must be that of `v`. Of a list in every row of a block, a predicate is said of each.

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
mod instance;
mod invalid;
mod keep;
mod kind;
mod layout;
mod lists;
mod mutate;
mod names;
mod narrow;
mod predicate;
mod raw;
mod reach;
mod read;
mod replace;
mod rng;
mod scale;
mod scan;
mod shrink;
mod simpler;
mod small;
mod stable_key;
mod stand_alone;
mod token;
mod write;

pub use description::Description;
pub use enumerate::Enumeration;
pub use generate::Impossible;
pub use instance::{Instance, Real, Value};
pub use invalid::Invalid;
pub use raw::{At, Complaint, RawItem, RawValue};
pub use reach::Reach;
pub use rng::Rng;
pub use scale::Role;
pub use shrink::Shrunk;
pub use small::Growth;
pub use stand_alone::Answers;

#[cfg(test)]
mod complaints;
#[cfg(test)]
mod input_properties;
#[cfg(test)]
pub(crate) mod sample;
