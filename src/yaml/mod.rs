//! Text a person wrote → values with their places, or a [`Diagnostic`](crate::model::Diagnostic).
//! The one module that names the YAML crate.

mod complaint;
mod foreign;
mod path;
mod unique;

pub use complaint::{nearest, parse};
pub use foreign::{Foreign, parse_foreign};
pub use path::{Step, Target, place};
pub use serde_yaml::Value;
pub use unique::Unique;
