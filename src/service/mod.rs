//! The judge as a service: it accepts requests to judge programs, and returns runs with their events and reports. The
//! service parses no arguments, prints nothing and uses no HTTP. The front ends, such as the command line and the web
//! server, use it.
//!
//! [`JudgeService::prepare`] reads a problem. [`JudgeService::submit`] starts a run of a program on it and returns a
//! [`RunHandle`], which returns the run's events, cancels only this run, and waits for its [`RunReport`].

#[cfg(test)]
#[path = "../model/strategies.rs"]
mod event_strategies;
mod game_reason;
mod game_source;
mod history_key;
mod judge_service;
mod prepared_problems;
mod prepared_run;
mod problem_entry;
mod recorded_run;
mod request;
mod run;
mod start_position;
mod statement;

pub use game_reason::{GameReason, ReasonMove, game_reasons};
pub use game_source::{GameSource, game_of, rules_of};
pub use history_key::{catalog_key, package_key, prepared_key};
pub use judge_service::{ExpectedRun, JudgeService, PreparationProgress, ServiceConfig};
pub use prepared_run::PreparedRun;
pub use problem_entry::{ListedProblem, ProblemEntry};
pub use recorded_run::{RunScope, recorded_run};
pub use request::{JudgeRequest, ProblemRef, RunOutput, RunReport};
pub use run::{RunEvents, RunHandle};
pub use start_position::start_position;
pub use statement::{ProblemStatement, StatementSample, statement_languages};

pub use crate::lang::{BundledFile, SourceBundle, SourceOrigin};
pub use crate::runner::{
    AnyProblem, BuildResult, BuiltProgram, CheckerOption, CustomInput, InstalledLanguage, JudgeOptions, JudgingTarget,
    MoveClient, MoveOutput, OwnAuxProgram, Prepared, PreparedProblem, ProblemSource, Timing, broken_lock, reference,
};
