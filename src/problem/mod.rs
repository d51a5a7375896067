//! `problem.yaml` as written ([`Spec`]) and as meant ([`Problem`]).

mod append;
mod lower;
mod meant;
mod shelf;
mod spec;

pub use append::with_case;
pub use lower::read;
pub use meant::{Balance, Given, Group, Problem, Recipe, Time};
pub use shelf::{SPEC_FILE, Shelf, load};
pub use spec::{FORMAT, Spec, schema};
