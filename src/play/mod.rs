//! Plays a game in the terminal. This module performs no I/O.
//!
//! A [`Match`] is a state machine. Its inputs are the lines that the user types and the moves that a program prints. It
//! makes the machine's moves itself, and returns a [`MatchReply`] with the text to show and the expected next input. A
//! front end that draws the match itself uses the accessors of [`Match`] instead.

mod command;
mod draw;
mod hint;
mod level;
mod match_state;
mod reason;
mod rules_text;
mod start_position;
#[cfg(test)]
mod tests;
mod view;

pub use command::parse_numbers;
pub use hint::{BinaryLine, BinaryTable, Hint};
pub use level::{BUDGET, PlayLevel, WORK};
pub use match_state::{Match, MatchReply, MatchSetup, NextInput, PlayerKind, ProgramReply, turn_order};
pub use reason::{PositionReason, explain_position};
pub use rules_text::describe_rules;
pub use start_position::{easy_to_play, parse_position, trim_position};
pub use view::PlayedMove;
