//! Other people's problem packages: read as untrusted trees, told in one type, lowered to problems.

mod archive;
mod name;
mod tree;

pub use archive::unpack;
pub use tree::{Entry, Tree};
