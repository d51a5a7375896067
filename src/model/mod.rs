//! Owned, serializable data types that all layers share.
//!
//! This module opens no files, starts no processes and reads no clock.

/// Makes `crate::model` a valid path in this crate, for test files that other crates also include.
#[cfg(test)]
extern crate self as model;

mod cluster_name;
mod counted;
mod diagnostic;
mod dialogue;
mod event;
mod execution;
mod failed_case;
mod failure;
mod folder;
mod grading;
mod hex;
mod id;
mod isolation;
mod limits;
mod machine_load;
mod points;
mod raw_bytes;
mod stable_key;
#[cfg(test)]
mod strategies;
mod units;
mod verdict;
mod wildcard;
mod wire;
#[cfg(test)]
mod wire_properties;

pub use cluster_name::{InvalidClusterName, check_cluster_name};
pub use counted::counted;
pub use diagnostic::{Diagnostic, TextRange};
pub use dialogue::{Side, Transcript, Utterance};
pub use event::{Activity, CaseResult, Difference, Event, EventKind, FORMAT, GroupResult, LogEntry, RunId, RunSummary};
pub use execution::{Breach, Capture, Execution, Exit, Usage};
pub use failed_case::{CaseDialogue, FailedCase};
pub use failure::Failure;
pub use folder::folder_of;
pub use grading::{
    Aggregate, AggregateKind, Grader, Grading, Part, Points, Requirement, Rule, ScoreBasis, ScoreMode, VerdictMode,
    WorstCase,
};
pub use hex::{of_hex, to_hex};
pub use id::{CaseId, Digest, InvalidId, ProblemId};
pub use isolation::{Isolation, Level};
pub use limits::{CaseLimits, LimitChange, Limits, default_wall};
pub use machine_load::MachineLoad;
pub use points::{Credit, Score};
pub use raw_bytes::RawBytes;
pub use stable_key::{KeyWriter, StableKey};
pub use units::{ByteSize, TimeSpan, UnitError};
pub use verdict::{Fault, FaultKind, OsError, Outcome, Verdict};
pub use wildcard::wildcard_matches;
