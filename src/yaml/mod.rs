//! Parses YAML files of users. Errors are [`Diagnostic`](crate::model::Diagnostic)s with positions. Only this module
//! uses the YAML crate.

use nimatron_model as model;

mod complaint;
mod foreign;
mod lines;
mod mistake;
mod path;
mod unique;
mod wrong_type;

pub use complaint::{nearest, parse};
pub use foreign::{Foreign, parse_foreign};
pub use path::{PathStep, Target, place};
pub use serde_yaml::Value;
pub use unique::Unique;
