//! The problem format: `problem.yaml` as written ([`Spec`]) and resolved ([`Problem`]).

use nimatron_check as check;
use nimatron_games as games;
use nimatron_input as input;
use nimatron_model as model;
use nimatron_yaml as yaml;

mod append;
mod checker_spec;
mod game;
mod judging;
mod load;
mod lower;
mod lower_judging;
mod oracle;
mod resolved;
mod rules;
mod spec;
#[cfg(test)]
mod spelling_tests;
mod stable_key;

pub use append::with_case;
pub use checker_spec::{CheckerSpec, ProgramLimits, ProgramSpec, ProtocolSpec, RuleSpec};
pub use judging::{AuxProgram, Judging, PointsMeaning, Protocol};
pub use load::{SPEC_FILE, load};
pub use lower::{read, read_description};
pub use oracle::Oracle;
pub use resolved::{Balance, Given, Group, Problem, Recipe, SAMPLE_GROUP, TimeLimitSource};
pub use rules::{Answer, AnswerQuestion, GameRules, Question, Unanswered};
pub use spec::{FORMAT, Spec, schema};
