//! Searches for an input that a program fails, and shrinks it.
//!
//! A [`Pool`] has the tests, numbered: a function of the problem and a seed. [`hunt`] runs a program on one after
//! another, in parallel, until it fails; the reported failure is that of the test with the lowest number, whichever
//! finishes first. A pool that keeps its tests ([`Pool::keeping`]) creates and answers each only once for many
//! programs. [`shrink`] reduces a failing input, and [`minimize`] applies it to the result of a search.

mod enumerate_small;
mod hunt;
mod make;
mod minimize;
mod pool;
mod schedule;
mod test_run;

pub use hunt::{Hunt, HuntEnd, HuntProgress, Hunted, hunt};
pub use minimize::{Minimized, MinimizedInput, minimize, shrink};
pub use pool::{Broken, Pool, Test, TestAnswer, check_against};
pub use test_run::{FailingInput, TestFailure};
