//! Determines student, problem and attempt of each file from its path, without access to files.

mod correct;
mod guess;
mod layout;
mod listing;
mod manifest;
mod naming;
mod pattern;
mod wrapper;

pub use correct::{RosterCorrection, correct};
pub use guess::guess;
pub use listing::{Claim, GuessedLanguage, Left, Listed, Named, Roster};
pub use manifest::{Manifest, ManifestRow, resolve};
pub use naming::composed;
pub use pattern::Pattern;
pub use wrapper::{strip_folder, without_wrapper};
