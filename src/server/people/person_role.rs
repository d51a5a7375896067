//! Roles of people, and their permissions.

use serde::{Deserialize, Serialize};

/// The role of a person in a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PersonRole {
    /// The user who started the server, who has all permissions.
    Owner,
    /// A teacher, who has all permissions in the class.
    Teacher,
    /// An assistant, who can see the work of all students, but can't manage accounts, rules, marks or assignments.
    Assistant,
    /// A student, who can see only the student's own work.
    Student,
}

impl PersonRole {
    /// All roles, from the most to the fewest permissions.
    pub const ALL: [PersonRole; 4] =
        [PersonRole::Owner, PersonRole::Teacher, PersonRole::Assistant, PersonRole::Student];

    /// Returns the name of the role in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            PersonRole::Owner => "owner",
            PersonRole::Teacher => "teacher",
            PersonRole::Assistant => "assistant",
            PersonRole::Student => "student",
        }
    }

    /// Returns whether people with this role can see the work of all people.
    pub const fn sees_all(self) -> bool {
        !matches!(self, PersonRole::Student)
    }

    /// Returns whether people with this role can manage accounts, rules, marks and assignments.
    pub const fn manages(self) -> bool {
        matches!(self, PersonRole::Owner | PersonRole::Teacher)
    }
}
