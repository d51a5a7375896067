//! Grading a class: who handed in what, judging it once, marks, and the books and pages that tell them.

pub mod attention;
pub mod book;
pub mod class;
pub mod exports;
pub mod intake;
pub mod key;
pub mod likeness;
pub mod marks;
pub mod overlay;
pub mod policy;
pub mod record;
pub mod report;
pub mod roster;
pub mod store;
pub mod submission;
pub mod time;
