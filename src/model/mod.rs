//! The nouns: plain, owned, serialisable data that every layer shares.
//!
//! Nothing here opens a file, starts a process or reads a clock.

mod diagnostic;
mod dialogue;
mod event;
mod execution;
mod failure;
mod folder;
mod grading;
mod id;
mod isolation;
mod limits;
mod score;
mod units;
mod verdict;

pub use diagnostic::{Diagnostic, TextRange};
pub use dialogue::{Side, Transcript, Utterance};
pub use event::{CaseResult, Difference, Event, EventKind, FORMAT, GroupResult, RunSummary};
pub use execution::{Breach, Capture, Execution, Exit, Usage};
pub use failure::Failure;
pub use folder::folder_of;
pub use grading::{Aggregate, AggregateKind, Grader, Grading, Part, Points, Requirement, Rule, ScoreMode, VerdictMode};
pub use id::{CaseId, Digest, InvalidId, ProblemId};
pub use isolation::{Isolation, Level};
pub use limits::Limits;
pub use score::{Credit, Score};
pub use units::{ByteSize, TimeSpan, UnitError};
pub use verdict::{Fault, FaultKind, Outcome, Verdict};
