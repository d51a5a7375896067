//! The arena: sandbox, toolchains, data and judge put together, for one program on one problem.

mod arena;
mod hands;
mod options;
mod seat;
mod solutions;
mod time_limit;
mod timing;

pub use arena::{Arena, Contest, Desk, Found, Judgement, Prepared, Tell};
pub use options::Options;
pub use seat::{Quiet, Witness};
pub use solutions::{Solution, reference, solutions};
pub use timing::Timing;
