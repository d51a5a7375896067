//! The page and the API of `nimatron serve`: an HTTP server over the service and the submissions. It contains no judging
//! logic, and it is the only asynchronous module.
//!
//! A request passes the checks of `guard` (host, origin, token, size), then a handler in `api` (JSON) or `pages` (HTML).
//! Handlers call synchronous code of the library on threads for blocking work.

mod actor;
mod api;
mod assets;
mod class;
mod connections;
mod error;
mod extract;
mod feedback;
mod follow;
mod guard;
mod index;
mod matches;
mod pages;
mod peer;
mod server;
mod state;
mod statement;
mod tls;
mod token;

pub use index::ProblemIndex;
pub use server::{Serving, TlsFiles, WebConfig};
