//! `problem.yaml` as written ([`Spec`]) and as meant ([`Problem`]).

mod append;
mod game;
mod lower;
mod meant;
mod oracle;
mod rules;
mod shelf;
mod spec;

pub use append::with_case;
pub use lower::read;
pub use meant::{Balance, Given, Group, Problem, Recipe, Time};
pub use oracle::Oracle;
pub use rules::{Answer, Ask, GameRules, Question, Unanswered};
pub use shelf::{SPEC_FILE, Shelf, load};
pub use spec::{FORMAT, Spec, schema};
