//! Judging: [`Session`] decides, an [`Executor`] runs cases, and [`drive`] is the loop between them and an [`EventSink`].

mod classify;
mod executor;
mod grade;
mod grader;
mod plan;
pub mod retry;
mod ruling;
mod session;
mod settle;
mod threads;

pub use classify::classify;
pub use executor::{EventSink, Executor, Update, drive, emit_log, finish};
pub use grade::{Graded, Known, Said, grade, most_points};
pub use grader::{Question, answered};
pub use plan::{CaseFiles, Plan, PlanCase, PlanGroup, Rules, Stop};
pub use ruling::{Feedback, NEXT_PASS, Ruling, admit, rule};
pub use session::{Done, Header, Job, Session};
pub use settle::{Counterpart, Part, Settled, settle};
pub use threads::{JobRunner, Report, Threads};
