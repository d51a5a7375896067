//! The priority of a job.

use serde::{Deserialize, Serialize};

/// The priority of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A person is waiting for the verdict.
    #[default]
    Person,
    /// The program is one of many that were submitted together.
    Batch,
    /// The program is judged again.
    Rejudge,
}

impl Priority {
    /// All priorities, the highest first.
    pub const ALL: [Priority; 3] = [Priority::Person, Priority::Batch, Priority::Rejudge];

    /// Returns the name of the priority in JSON and in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Priority::Person => "person",
            Priority::Batch => "batch",
            Priority::Rejudge => "rejudge",
        }
    }
}
