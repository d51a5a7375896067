//! Tests of `nimatron serve`: the API, the pages as HTML, and requests that must be refused.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking and prints what it skips")]

mod api;
mod assignment_problems;
mod attacks;
mod attacks_games;
mod attacks_ids;
mod attacks_load;
mod attacks_payloads;
mod attacks_requests;
mod attacks_sessions;
mod attacks_uploads;
mod class_browser;
mod classes;
mod client;
mod games;
mod judgings;
mod people;
mod refused;
mod roles;
mod serving;
mod stress;
