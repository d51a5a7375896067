//! Tests of judging on other machines, with `nimatron serve --cluster`, workers and a real `nats-server` on loopback.
//! The numbers of faults are small; `.ci/long` sets the variables for large ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints figures"
)]

#[path = "../server/client.rs"]
#[expect(dead_code, reason = "tests of the pages use the rest")]
mod client;
mod conformity;
mod credentials;
mod databases;
mod draining;
mod faults;
mod files;
mod grading;
mod judging;
#[path = "../cluster/nats_server.rs"]
mod nats_server;
mod pools;
mod postgres;
#[path = "../it/project.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod project;
mod proxy;
mod rig;
mod toolchains;

/// Returns the number in a variable of the environment, or a smaller one for quick tests.
fn count(variable: &str, quick: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(quick)
}
