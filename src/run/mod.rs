//! The arena: sandbox, toolchains, data and judge put together, for one program on one problem.

mod arena;
mod hands;
mod options;
mod seat;
mod solutions;
mod time_limit;
mod timing;
mod trial;

pub use arena::{Arena, Found, Judgement, Prepared, Tell};
pub use options::Options;
pub use seat::Witness;
pub use solutions::{Solution, reference, solutions};
pub use timing::Timing;
pub use trial::{Stdin, Trials, Tried};
