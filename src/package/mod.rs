//! Other people's problem packages: read as untrusted trees, told in one type, lowered to problems.

mod answers;
mod archive;
mod bare;
pub mod checktestdata;
mod dmoj;
mod folder;
mod glob;
mod icpc;
mod kept;
mod keys;
pub mod latex;
mod lower;
mod model;
mod open;
mod polygon;
mod stable_key;
mod tree;
mod xml;

pub use archive::unpack;
pub use glob::matches as glob_matches;
pub use model::{
    Bridged, Case, Format, InputArgs, Kind, OutputCheck, Package, PackageLimits, Proof, ProofWants, Recipe, Statement,
    Submission, Timing, Validator, ValidatorForm, Want, What,
};
pub use open::{is_bare, is_package, open};
pub use tree::{Entry, Tree};
