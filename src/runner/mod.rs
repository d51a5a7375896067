//! Judges programs on problems, with the sandbox, the languages and the test data of this machine.

mod author_languages;
mod aux_program;
mod batch_runner;
mod cache;
mod case_names;
mod case_runner;
mod case_workers;
mod checked_output;
mod checker_option;
mod command;
mod content_digest;
mod custom_input;
mod data_programs;
mod description;
#[cfg(test)]
mod fault_tests;
mod host;
mod interactive;
mod judging;
mod languages;
mod move_client;
mod options;
mod output_check;
mod package_checks;
mod package_generate;
mod package_inputs;
mod package_plan;
mod package_source;
mod package_time;
mod prepared;
mod program_runner;
mod retry;
mod shared_session;
mod solutions;
mod target_digests;
mod test_data;
mod text_source;
mod time_limit;
mod timing;

pub use author_languages::author_languages;
pub use batch_runner::{BatchResult, BatchRunner};
pub use cache::Cache;
pub use checker_option::{CheckerOption, OwnAuxProgram};
pub use command::AUTHOR_LIMITS;
#[cfg(feature = "cluster")]
pub(crate) use content_digest::has_no_content;
pub(crate) use content_digest::own_digest;
pub use host::Host;
pub use judging::prepare_cells;
pub(crate) use judging::{JudgeJob, JudgedRun, aux_programs, build_aux_programs};
pub use languages::{BuildOutcome, InstalledLanguage, Languages};
pub use move_client::{MoveClient, MoveOutput};
pub use options::{CustomInput, JudgeOptions};
pub use output_check::{CheckOutcome, OutputChecker};
pub use package_checks::{Refusal, validate_inputs, validate_outputs};
pub use package_source::{submission_bundle, submission_source};
pub use package_time::{cases_in_time, generous_limits, keep_time_limit, ran_to_end};
pub use prepared::{AnyProblem, JudgingTarget, PreparedProblem, ProblemSource, broken_lock};
pub use program_runner::{BuildResult, BuiltProgram, ProgramRunner, SharedRetry};
pub use solutions::{Solution, accepted, reference, solutions};
#[cfg(test)]
pub(crate) use target_digests::digests_with;
pub(crate) use target_digests::{TargetDigests, VERSION as TARGET_VERSION, tail, target_digests};
pub use test_data::{Prepared, make_data, prepare_data};
pub use time_limit::{ACCEPTED_TO_LIMIT, least_too_slow};
pub use timing::Timing;
