//! The arena: sandbox, toolchains, data and judge put together, for one program on one problem.

mod arena;
mod converse;
mod desk;
mod hands;
mod options;
mod package;
mod seat;
mod solutions;
mod time_limit;
mod timing;

pub use arena::{Arena, Found, Judgement, Prepared, Tell};
pub use options::Options;
pub use package::Said;
pub use seat::Witness;
pub use solutions::{Solution, reference, solutions};
pub use timing::Timing;
