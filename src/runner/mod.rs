//! The arena: sandbox, toolchains, data and judge put together, for one program on one problem.

mod arena;
mod ask;
mod converse;
mod desk;
mod examiner;
mod grader;
mod hands;
mod made;
mod options;
mod package;
mod relay;
mod seat;
mod single;
mod solutions;
mod stand;
mod time_limit;
mod timing;
mod trial;

pub use arena::{Arena, Contest, Desk, Found, Judgement, Prepared, Tell};
pub use ask::Asked;
pub use examiner::{Examined, Examiner};
pub use options::Options;
pub use package::{Said, ends};
pub use seat::Witness;
pub use single::Single;
pub use solutions::{Solution, reference, solutions};
pub use stand::{Entrant, Quiet, Stand};
pub use timing::Timing;
pub use trial::{Trials, Tried};
