//! The API: `/api/v1`, JSON.

pub(super) mod games;
mod json;
pub(super) mod problems;
pub(super) mod runs;
pub(super) mod schema;
pub(super) mod service;

pub(super) use json::json_text;
