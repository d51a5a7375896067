//! Combinatorial game theory: rules as data, positions, exhaustive search, closed forms, Grundy tables and a
//! perfect player. It depends on no other module, so that people can use it by itself.
//!
//! Four ways to the same truth, each checking the others:
//! * [`Rules`] are what a person writes; [`Rules::bind`] gives them an input's values and makes a [`Game`];
//! * [`Solver`] searches a game to its end and believes no theorem;
//! * [`theory`] has the closed forms, each with its source;
//! * [`grundy`] computes tables of values and certifies their periods.
//!
//! [`Perfect`] plays with all of them.

mod after;
mod bind;
mod bits;
mod board;
mod graph;
pub mod grundy;
mod laws;
mod moves;
mod names;
mod player;
#[cfg(test)]
mod player_tests;
mod position;
mod raw;
mod removals;
mod rules;
#[cfg(test)]
mod rules_tests;
mod search;
mod solve;
mod spelling;
mod strategy;
pub mod theory;

pub use bind::{BindError, Values};
pub use bits::Bits;
pub use graph::{Dag, Graph};
pub use laws::{Arena, Game, Laws};
pub use moves::Move;
pub use player::{Advice, Perfect, Why};
pub use position::Position;
pub use rules::{
    Cells, Choice, Corners, Kind, LastMover, Number, Numbers, Payoff, Phase, Removal, Rules, Shape, Taking, Total,
};
pub use search::SolveError;
pub use solve::{Purse, Solver};
