//! What a person may do. Pure.

use serde::{Deserialize, Serialize};

/// The part of a person in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PersonRole {
    /// The user who started the server: may do everything.
    Owner,
    /// May do everything in the class.
    Teacher,
    /// Sees all work, and changes neither people nor rules nor assignments.
    Assistant,
    /// Sees their own work.
    Student,
}

impl PersonRole {
    /// All roles.
    pub const ALL: [PersonRole; 4] =
        [PersonRole::Owner, PersonRole::Teacher, PersonRole::Assistant, PersonRole::Student];

    /// The name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            PersonRole::Owner => "owner",
            PersonRole::Teacher => "teacher",
            PersonRole::Assistant => "assistant",
            PersonRole::Student => "student",
        }
    }

    /// Whether people of this role see the work of everybody.
    pub const fn sees_all(self) -> bool {
        !matches!(self, PersonRole::Student)
    }

    /// Whether people of this role change what concerns others: people, rules, marks, assignments.
    pub const fn manages(self) -> bool {
        matches!(self, PersonRole::Owner | PersonRole::Teacher)
    }
}
