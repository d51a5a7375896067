//! The pages, one file each.

mod layout;
pub(super) mod problem;
pub(super) mod problems;
pub(super) mod submission;
pub(super) mod submissions;

pub(super) use layout::error_page;
