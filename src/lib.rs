//! Nimatron: an online judge on your own machine.
//!
//! [`service::JudgeService`] judges programs on problems. It prepares a problem, starts runs, and returns the events
//! and the report of each run. This example judges a program on a built-in problem and prints the events:
//!
//! ```standalone_crate
//! use nimatron::catalog::Catalog;
//! use nimatron::sandbox::{Cancel, ForkServer, IsolationRequirement, cell_main};
//! use nimatron::service::{JudgeRequest, JudgeService, ProblemSource, ServiceConfig, SourceBundle};
//!
//! fn main() -> std::process::ExitCode {
//!     // The sandbox executes this program again as the fork server of its cells.
//!     if std::env::args_os().nth(1).is_some_and(|argument| argument == "__cell") {
//!         return cell_main();
//!     }
//!     judge().unwrap();
//!     std::process::ExitCode::SUCCESS
//! }
//!
//! fn judge() -> Result<(), nimatron::model::Failure> {
//!     let folder = tempfile::tempdir().unwrap();
//!     let config = ServiceConfig {
//!         fork_server: ForkServer::new(std::env::current_exe().unwrap()),
//!         cache: folder.path().to_owned(),
//!         problems: None,
//!         jobs: 2,
//!         isolation: IsolationRequirement::default(),
//!     };
//!     let service = JudgeService::open(&config, &Cancel::new()?)?;
//!     let catalog = Catalog::new(&[], folder.path(), folder.path())?;
//!     let problem = service.prepare(&ProblemSource::find(&catalog, "classic-nim")?)?;
//!
//!     let source = SourceBundle::of_text("always_yes.sh", "read t; while read n && read a; do echo Yes; done");
//!     let mut run = service.submit(JudgeRequest::new(&problem, source))?;
//!     // A handle with which another thread can cancel this run.
//!     let _canceller = run.canceller();
//!     for event in run.events() {
//!         println!("{} ms: {:?}", event.at.as_micros() / 1_000, event.kind);
//!     }
//!     let report = run.wait()?;
//!     println!("{} of {} cases accepted", report.summary.accepted, report.summary.cases);
//!     assert!(report.summary.accepted < report.summary.cases && !report.failures.is_empty());
//!     Ok(())
//! }
//! ```
//!
//! The modules form layers. The pure core (`judge`, `check`, `games`) makes the decisions; the sandbox and the runner
//! execute programs; the service connects them; front ends such as the command line use the service. `ARCHITECTURE.md`
//! lists the layers: a module uses only modules of lower layers.

#[doc(inline)]
pub use nimatron_check as check;
#[doc(inline)]
pub use nimatron_checktestdata as checktestdata;
#[doc(inline)]
pub use nimatron_database as database;
#[doc(inline)]
pub use nimatron_games as games;
#[doc(inline)]
pub use nimatron_input as input;
#[doc(inline)]
pub use nimatron_lang as lang;
#[doc(inline)]
pub use nimatron_model as model;
#[doc(inline)]
pub use nimatron_mutants as mutants;
#[doc(inline)]
pub use nimatron_package as package;
#[doc(inline)]
pub use nimatron_problem as problem;
#[doc(inline)]
pub use nimatron_report as report;
#[doc(inline)]
pub use nimatron_sandbox as sandbox;
#[doc(inline)]
pub use nimatron_unzip as unzip;
#[doc(inline)]
pub use nimatron_yaml as yaml;

pub mod catalog;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod data;
pub mod export;
pub mod grade;
pub mod history;
pub mod judge;
pub mod listen;
pub mod play;
pub mod runner;
pub mod service;
pub mod stress;
pub mod verify;
pub mod workers;
