//! Looks for an input that a program fails, and shrinks it.
//!
//! A [`Pool`] has the tests, numbered: a function of the problem and a seed. [`hunt`] runs a program on one after another,
//! in parallel, until it fails; the failure that is told is that of the lowest number, whoever finishes first. A pool
//! that keeps its tests ([`Pool::keeping`]) makes and answers each only once for many programs. [`shrink`] makes a
//! failing input small, and [`minimize`] does so for what a hunt found.

mod enumerate_small;
mod hunt;
mod make;
mod minimize;
mod pool;
mod schedule;
mod trial;

pub use hunt::{End, Hunt, Hunted, Progress, hunt};
pub use minimize::{Minimized, Shrunk, minimize, shrink};
pub use pool::{Answer, Broken, Pool, Test};
pub use trial::{Found, Trial};
