//! Judges a program on a built-in problem and prints the events. `cargo run --example judge` runs it.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use nimatron::catalog::Catalog;
use nimatron::sandbox::{Cancel, ForkServer, IsolationRequirement, cell_main};
use nimatron::service::{JudgeRequest, JudgeService, ProblemSource, ServiceConfig, SourceBundle};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // The sandbox executes this program again as the fork server of its cells.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__cell") {
        return Ok(cell_main());
    }
    let folder = tempfile::tempdir()?;
    let config = ServiceConfig {
        fork_server: ForkServer::new(std::env::current_exe()?),
        cache: folder.path().to_owned(),
        problems: None,
        jobs: 2,
        isolation: IsolationRequirement::default(),
        cells: 0,
    };
    let service = JudgeService::open(&config, &Cancel::new()?)?;
    let catalog = Catalog::new(&[], folder.path(), folder.path())?;
    let problem = service.prepare(&ProblemSource::find(&catalog, "classic-nim")?)?;

    let source = SourceBundle::of_text("always_yes.sh", "echo Yes");
    let mut run = service.submit(JudgeRequest::new(&problem, source))?;
    // A handle with which another thread can cancel this run.
    let _canceller = run.canceller();
    let mut output = std::io::stdout().lock();
    for event in run.events() {
        writeln!(output, "{} ms: {:?}", event.at.as_micros() / 1_000, event.kind)?;
    }
    let report = run.wait()?;
    writeln!(output, "{} of {} cases accepted", report.summary.accepted, report.summary.cases)?;
    Ok(ExitCode::SUCCESS)
}
