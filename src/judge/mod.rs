//! Decides which cases of a run are judged, and computes verdicts and scores from their results ([`Session`]). An
//! [`EventSink`] receives the events.

mod checker_protocol;
mod classify;
mod custom_grader;
mod dmoj_protocol;
mod event_sink;
mod interaction_verdict;
mod plan;
pub mod retry;
mod scoring;
mod session;
mod sinol_protocol;
mod worst_case;

pub use checker_protocol::{CheckerResult, Feedback, NEXT_PASS, parse_result, parse_validation};
pub use classify::classify;
pub use custom_grader::{GraderQuestion, parse_grade};
pub use event_sink::{EventSink, emit_log, finish};
pub use interaction_verdict::{InteractionDecision, InteractorEnd, ProgramEnd, decide_interaction};
pub use plan::{CaseFiles, GroupRules, OutputUse, Plan, PlanCase, PlanGroup, Stop};
pub use scoring::{CaseState, GraderAnswers, GroupOutcome, grade, max_points};
pub use session::{Header, Job, JobResult, Session};
pub use sinol_protocol::{SINOL_RESULT, sinol_accepts};
pub use worst_case::decayed;
