//! Input descriptions: parse, validate, generate, enumerate.

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
mod read;
mod rng;
mod scan;
mod shrink;
mod token;
mod write;

pub use description::Description;
pub use enumerate::Enumeration;
pub use generate::Impossible;
pub use instance::{Instance, Real, Value};
pub use invalid::Invalid;
pub use raw::{At, Complaint, RawItem, RawValue};
pub use rng::Rng;
pub use shrink::Shrunk;

#[cfg(test)]
mod complaints;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod sample;
