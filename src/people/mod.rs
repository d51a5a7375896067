//! The people of a server: who they are and what they may do. No HTTP, no asynchronous code.

mod person_role;

pub use person_role::PersonRole;
