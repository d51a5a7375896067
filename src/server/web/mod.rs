//! The HTTP server of `nimatron serve`: HTML pages and a JSON API for the service and the submissions. It contains no
//! judging logic. The modules that it uses, except `machines`, are synchronous.
//!
//! A request passes the checks of `guard` (host, origin, login, token) and then reaches a handler in `api` (JSON) or
//! `pages` (HTML). Handlers call synchronous code of the library on threads for blocking work.

mod actor;
mod api;
mod assets;
mod class;
mod computing;
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
mod per_person;
mod server;
mod slow_clients;
mod sock_diag;
mod state;
mod statement;
mod stream_slots;
mod tls;
mod token;

pub use index::ProblemIndex;
pub use server::{Serving, TlsFiles, WebConfig};
