//! Searches for an input on which a program fails, and shrinks that input.
//!
//! A [`Pool`] creates numbered tests, which depend only on the problem and a seed. [`hunt`] runs a program on the tests
//! in parallel until the program fails. The reported failure is that of the test with the lowest number, even if
//! another test fails earlier. If a pool stores its tests ([`Pool::keeping`]), each test is created and answered only
//! once for many programs. [`shrink`] makes a failing input smaller, and [`minimize`] applies `shrink` to the result of
//! a search.
//!
//! A [`StressSearch`] performs all of these steps, from a request to a report. The command line and the web page use
//! it.
//!
//! A [`StressProblem`] need not have a `problem.yaml`: inputs may come from a generator program, and answers from other
//! programs. The format of the inputs is then guessed from examples.

mod add_case;
mod agreement;
mod enumerate_small;
mod event_json;
mod generator;
mod hunt;
mod make;
mod minimize;
mod pool;
mod problem;
mod schedule;
mod search;
mod shrink_text;
mod test_run;

pub use add_case::{AddedCase, add_case, check_addable};
pub use agreement::Agreement;
pub use event_json::LARGEST_TEXT;
pub use generator::{GeneratorCommand, InputGenerator};
pub use hunt::{Hunt, HuntEnd, HuntProgress, Hunted, hunt};
pub use minimize::{Minimized, MinimizedInput, ShrinkProgress, ShrinkWay, minimize, shrink};
pub use pool::{Broken, Pool, Test, TestAnswer, check_against};
pub use problem::{StressOptions, StressProblem, StressSample};
pub use search::{
    StressEvent, StressReport, StressRequest, StressSearch, Unsearchable, accepted_solution, check_searchable,
};
pub use test_run::{FailingInput, TestFailure};
