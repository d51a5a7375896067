//! Judging: [`Session`] decides, an [`Executor`] runs cases, and [`drive`] is the loop between them and an [`EventSink`].

mod checker_protocol;
mod classify;
mod custom_grader;
mod executor;
mod interaction_verdict;
mod plan;
pub mod retry;
mod scoring;
mod session;

pub use checker_protocol::{CheckerResult, Feedback, NEXT_PASS, parse_result, parse_validation};
pub use classify::classify;
pub use custom_grader::{GraderQuestion, parse_grade};
pub use executor::{EventSink, Executor, Update, drive, emit_log, finish};
pub use interaction_verdict::{InteractionDecision, InteractorEnd, ProgramEnd, decide_interaction};
pub use plan::{CaseFiles, GroupRules, OutputUse, Plan, PlanCase, PlanGroup, Stop};
pub use scoring::{CaseState, GraderAnswers, GroupOutcome, grade, max_points};
pub use session::{Header, Job, JobResult, Session};
