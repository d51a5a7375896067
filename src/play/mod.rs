//! Playing a game in the terminal: what is typed goes in, what is shown and who is to move comes out.
//!
//! A [`Match`] is a state machine without I/O. Who sits where is told once; then each line a person types, and each
//! move a program makes, is answered by a [`MatchReply`]. The machine's own moves are made on the way.

mod command;
mod draw;
mod hint;
mod level;

mod match_state;
mod rules_text;
mod start_position;
#[cfg(test)]
mod tests;

pub use command::parse_numbers;
pub use level::Level;
pub use match_state::{Match, MatchReply, MatchSetup, NextInput, PlayerKind, ProgramReply};
pub use start_position::{easy_to_play, parse_position, trim_position};
