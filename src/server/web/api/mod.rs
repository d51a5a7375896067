//! The JSON API, whose paths begin with `/api/v1`.

pub(super) mod assignments;
pub(super) mod class_marks;
pub(super) mod class_reviews;
pub(super) mod class_uploads;
pub(super) mod classes;
pub(super) mod games;
mod json;
pub(super) mod judgings;
pub(super) mod own_tests;
pub(super) mod people;
pub(super) mod problems;
mod program;
pub(super) mod runs;
pub(super) mod schema;
pub(super) mod service;
pub(super) mod stress;

pub(super) use json::json_text;
