//! Combinatorial game theory: rules as data, positions, exhaustive search, closed forms, Grundy tables and a
//! perfect player. It depends on no other module, so that people can use it by itself.
//!
//! Four ways to the same truth, each checking the others:
//! * [`RulesSpec`] are what a person writes; [`RulesSpec::bind`] gives them an input's values and makes a [`Game`];
//! * [`Solver`] searches a game to its end and believes no theorem;
//! * [`theory`] has the closed forms, each with its source;
//! * [`grundy`] computes tables of values and certifies their periods.
//!
//! [`PerfectPlayer`] plays with all of them.

mod apply_move;
mod bind;
mod bit_set;
mod bound_rules;
mod cell_lines;
mod closed_form;
mod graph;
pub mod grundy;
mod input_names;
mod moves;
mod player;
#[cfg(test)]
mod player_tests;
mod position;
mod raw_rules;
mod removals;
mod rules_serde;
mod rules_spec;
#[cfg(test)]
mod rules_spec_tests;
mod search;
mod solver;
pub mod theory;

pub use bind::{BindError, InputValues};
pub use bit_set::BitSet;
pub use bound_rules::{Board, BoundRules, Game};
pub use graph::{Dag, Graph};
pub use moves::Move;
pub use player::{Justification, MoveAdvice, PerfectPlayer};
pub use position::Position;
pub use rules_spec::{
    AllowedAmounts, BoundAmounts, BoundMoveRule, CellsSpec, GamePhase, GraphPart, HeapChoice, LastMover, MoveRule,
    NumberExpr, NumberListExpr, Payoff, PositionSpec, RemovalRule, RulesSpec, SplitTotal,
};
pub use search::SolveError;
pub use solver::{ScoredOutcome, Solver};
