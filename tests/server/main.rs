//! Tests of the server: the API, the pages as HTML, requests that must be refused, and the queue of submissions.

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
#[path = "../it/class_programs.rs"]
mod class_programs;
mod classes;
mod client;
mod fuzz_corpus;
mod games;
mod guide_api;
#[path = "../it/guide_blocks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod guide_blocks;
#[path = "../it/guide_shell.rs"]
mod guide_shell;
mod judgings;
mod people;
#[path = "../it/project.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod project;
mod refused;
mod roles;
mod serving;
mod stress;
mod submissions;
#[cfg(not(feature = "cluster"))]
mod without_cluster;
