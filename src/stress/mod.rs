//! The hunt for an input that a program fails, and the way from it to a small one.
//!
//! A [`Pool`] has the tests, numbered: a function of the problem and a seed. [`hunt`] runs a program on one after another,
//! in parallel, until it fails; the failure that is told is that of the lowest number, whoever finishes first. A pool
//! that keeps its tests ([`Pool::keeping`]) makes and answers each only once for many programs. [`shrink`] makes a
//! failing input small, and [`chase`] does so for what a hunt found.

mod chase;
mod hunt;
mod make;
mod pool;
mod schedule;
mod smallest;
mod trial;

pub use chase::{Chase, Shrunk, chase, shrink};
pub use hunt::{End, Hunt, Hunted, Progress, hunt};
pub use pool::{Answer, Broken, Pool, Test};
pub use trial::{Found, Trial};
