//! `problem.yaml` as written ([`Spec`]) and as meant ([`Problem`]).

mod append;
mod checker_spec;
mod game;
mod judging;
mod lower;
mod lower_judging;
mod meant;
mod oracle;
mod rules;
mod shelf;
mod spec;

pub use append::with_case;
pub use checker_spec::{CheckerSpec, ProgramLimits, ProgramSpec, ProtocolSpec, RuleSpec};
pub use judging::{Companion, Judging, Protocol, Worth};
pub use lower::read;
pub use meant::{Balance, Given, Group, Problem, Recipe, Time};
pub use oracle::Oracle;
pub use rules::{Answer, Ask, GameRules, Question, Unanswered};
pub use shelf::{SPEC_FILE, Shelf, load};
pub use spec::{FORMAT, Spec, schema};
