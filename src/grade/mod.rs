//! Grades a class: collects submissions, judges them, computes marks, and writes gradebooks and reports.

pub mod class;
pub mod class_files;
pub mod class_to_judge;
pub mod exports;
pub mod gradebook;
pub mod graded;
pub mod intake;
pub mod key;
mod key_v1;
pub mod ledger;
pub mod marks;
pub mod overlay;
pub mod policy;
pub mod record;
pub mod report;
pub mod review_flags;
pub mod roster;
pub mod roster_order;
pub mod similarity;
pub mod store;
pub mod submission;
pub mod time;
