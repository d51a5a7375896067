//! Playing a game in the terminal: what is typed goes in, what is shown and who is to move comes out.
//!
//! A [`Match`] is a state machine without I/O. Who sits where is told once; then each line a person types, and each
//! move a program makes, is answered by a [`Reply`]. The machine's own moves are made on the way.

mod command;
mod draw;
mod explain;
mod level;

mod matches;
mod rules;
mod start;
#[cfg(test)]
mod tests;

pub use command::numbers;
pub use level::Level;
pub use matches::{Awaits, Match, Reply, Said, Seat, Setup};
pub use start::{easy_to_play, position_of, trimmed};
