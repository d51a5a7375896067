//! Who handed in what: from the names of files to students, problems and attempts. Pure.

mod guess;
mod layout;
mod listing;
mod manifest;
mod naming;
mod pattern;

pub use guess::guess;
pub use listing::{Claim, Left, Listed, Named, Roster};
pub use manifest::{Manifest, Row, resolve};
pub(super) use naming::composed;
pub use pattern::Pattern;
