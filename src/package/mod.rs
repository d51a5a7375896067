//! Other people's problem packages: read as untrusted trees, told in one type, lowered to problems.

mod answers;
mod archive;
pub mod checktestdata;
mod glob;
mod icpc;
mod keys;
pub mod latex;
mod lower;
mod model;
mod open;
mod polygon;
mod tree;
mod xml;

pub use archive::unpack;
pub use glob::matches as glob_matches;
pub use model::{
    Case, Format, InputArgs, Kind, OutputCheck, Package, PackageLimits, Proof, ProofWants, Statement, Submission,
    Timing, Validator, ValidatorForm, Want, What,
};
pub use open::{is_package, open};
pub use tree::{Entry, Tree};
