//! Combinatorial games: rules as data, positions, exhaustive search, closed forms, Grundy values and a perfect player.
//! This crate depends on no other crate of the workspace.
//!
//! The crate has four parts, of which the last three are tested against each other:
//! * [`RulesSpec`] represents rules as written; [`RulesSpec::bind`] binds them to an input and returns a [`Game`];
//! * [`Solver`] searches a game exhaustively and uses no theorem;
//! * [`theory`] contains closed forms, each with its source;
//! * [`grundy`] computes tables of Grundy values and certifies their periods.
//!
//! [`PerfectPlayer`] combines all of them.

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
mod position_graph;
mod raw_rules;
mod removals;
mod rules_serde;
mod rules_spec;
#[cfg(test)]
mod rules_spec_tests;
mod search;
mod solver;
pub mod theory;
mod two_heaps;

pub use bind::{BindError, InputValues};
pub use bit_set::BitSet;
pub use bound_rules::{Board, BoundRules, Game};
pub use graph::{Dag, Graph};
pub use moves::Move;
pub use player::{Justification, MoveAdvice, PerfectPlayer};
pub use position::Position;
pub use position_graph::{PositionGraph, PositionNode};
pub use rules_spec::{
    AllowedAmounts, BoundAmounts, BoundMoveRule, CellsSpec, GamePhase, GraphPart, HeapChoice, LastMover, MoveRule,
    NumberExpr, NumberListExpr, Payoff, PositionSpec, RemovalRule, RulesSpec, SplitTotal,
};
pub use search::SolveError;
pub use solver::{ScoredOutcome, Solver};
pub use two_heaps::losing_pairs;
