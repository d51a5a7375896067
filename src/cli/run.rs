//! `nimatron run`: compiles a program, runs it on every test case of a problem, and judges it.

use std::io;

use indicatif::ProgressDrawTarget;

use nimatron::model::{CaseDialogue, FailedCase, Failure, Outcome};
use nimatron::report::{
    CaseTexts, Detail, Fanout, JsonLines, Junit, ProgressReporter, Reporter, RunLayout, Screen, Terminal, Theme,
    dialogue, explain,
};
use nimatron::service::{
    CheckerOption, CustomInput, JudgeOptions, JudgeRequest, JudgeService, OwnAuxProgram, PreparedProblem, RunReport,
    SourceBundle,
};

use super::args::Run;
use super::context::{Context, say, say_drawn};
use super::exit::{EarlyExit, Ending, Result};
use super::output::{make_cases, show_measuring};
use super::shell::Typed;
use super::standing::record;

/// Number of dialogue lines shown at the end of a failed case unless `--transcript` is given.
const LAST_LINES: usize = 12;

/// What is done with the report of a run.
pub type Seen<'s> = &'s mut dyn FnMut(&RunReport) -> io::Result<()>;

/// Runs the subcommand.
pub fn run(context: &Context, args: &Run) -> Result {
    run_seen(context, args, &mut |_| Ok(()))
}

/// Like [`run`], and hands over the report after it was shown.
pub fn run_seen(context: &Context, args: &Run, seen: Seen<'_>) -> Result {
    let service = context.service()?;
    let one_case = !args.cases.is_empty() || args.input.is_some();
    service.expect_run(if one_case { 1 } else { context.jobs() });
    let problem = context.prepared(&args.problem)?;
    let result = judge(context, args, (service, &problem), seen);
    if let (true, Err(EarlyExit::Failure(Failure::Fault(fault)))) = (args.json, &result) {
        // JSON output always ends with the last event of a run, even if the judge fails before the run starts.
        let mut lines = JsonLines::new(io::stdout());
        let events = service.failed_run(problem.id(), &args.program.display().to_string(), fault);
        events.iter().try_for_each(|event| lines.emit(event))?;
    }
    result
}

fn judge(
    context: &Context,
    args: &Run,
    (service, problem): (&JudgeService, &PreparedProblem),
    seen: Seen<'_>,
) -> Result {
    let source = problem.read_source(&args.program, args.language.as_deref())?;
    let options = JudgeOptions {
        only: args.cases.clone(),
        fail_fast: args.fail_fast,
        skip_certain: !args.all_cases,
        time: args.time,
        memory: args.memory,
        checker: args.checker.as_deref().map(CheckerOption::read).transpose()?,
        interactor: args.interactor.as_deref().map(OwnAuxProgram::read).transpose()?,
        input: custom_input(args)?,
        ..JudgeOptions::default()
    };
    if options.input.is_none() {
        make_cases(context, problem)?;
    }
    let limits = service.limits(problem, &options, &mut show_measuring(context, problem))?;
    if let (Some(package), false) = (problem.package(), args.json || context.quiet()) {
        package.guess.iter().try_for_each(|guess| say(&format!("{} ({guess})", package.format.name())))?;
        package.skipped_case_notes().iter().try_for_each(|omission| say(&format!("note: {omission}")))?;
    }
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(limits) };
    let mut reporter = reporters(context, args, problem, screen)?;
    let mut run = service.submit(JudgeRequest { options, ..JudgeRequest::new(problem, source) })?;
    let mut unwritten = None;
    for event in run.events() {
        if let Err(error) = reporter.emit(&event) {
            // Without output no result can be reported, so the run is cancelled.
            unwritten = Some(error);
            run.cancel();
            break;
        }
    }
    let report = run.wait();
    if let Some(error) = unwritten {
        return if error.kind() == io::ErrorKind::BrokenPipe {
            Ok(Ending::Fault)
        } else {
            Err(EarlyExit::Output(error))
        };
    }
    reporter.finish()?;
    drop(reporter);
    let report = report?;
    let ending = after(context, args, &report, &screen)?;
    if !context.cancel().is_cancelled() {
        record(context, args, problem, &report);
        seen(&report)?;
    }
    Ok(ending)
}

/// The input of `--input`, with the program that provides the answer.
fn custom_input(args: &Run) -> std::result::Result<Option<CustomInput>, Failure> {
    let Some(file) = &args.input else { return Ok(None) };
    let content = fs_err::read(file).map_err(|error| Failure::user_file(&error))?;
    let read = |path: &std::path::PathBuf| SourceBundle::read(path, None);
    let answered_by = args.against.as_ref().map(read).transpose()?;
    Ok(Some(CustomInput { name: file.display().to_string(), content: content.into(), answered_by }))
}

pub fn theme(context: &Context) -> Theme {
    if context.color() { Theme::colored() } else { Theme::plain() }
}

/// The reporters of the run: terminal or JSON, and optionally a JUnit file.
fn reporters(
    context: &Context,
    args: &Run,
    problem: &PreparedProblem,
    screen: Screen,
) -> std::result::Result<Fanout<'static>, Failure> {
    let fanout = Fanout::new();
    let fanout = if args.json {
        fanout.with(JsonLines::new(io::stdout()))
    } else {
        let detail = match (context.quiet(), context.verbose()) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Every,
            (false, false) => Detail::Failures,
        };
        let names = problem.case_names();
        let layout = RunLayout::new(names.iter().map(String::as_str), problem.has_points());
        let terminal = Terminal::new(io::stdout(), screen, detail).with_layout(layout);
        let bar = context.progress() && context.on_terminal();
        let target = if bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        fanout.with(ProgressReporter::new(terminal, target))
    };
    match &args.junit {
        None => Ok(fanout),
        Some(path) => {
            let file = fs_err::File::create(path).map_err(|error| Failure::user_file(&error))?;
            Ok(fanout.with(Junit::new(file)))
        }
    }
}

/// Shows the first failure, and returns the ending.
fn after(context: &Context, args: &Run, report: &RunReport, screen: &Screen) -> Result {
    let outcome = &report.summary.outcome;
    if context.cancel().is_cancelled() {
        return Ok(Ending::Fault);
    }
    let shows = matches!(outcome, Outcome::Final { .. }) && !args.json && !context.quiet();
    if let Some(failed) = report.failures.first().filter(|_| shows) {
        show(context, args, failed, report.dialogue.is_some(), screen)?;
    }
    if let Some(CaseDialogue { case, transcript }) = &report.dialogue {
        let failed = !report.failures.is_empty() && !args.json && !context.quiet();
        match (args.transcript, failed) {
            (true, _) => say_drawn(&format!("\n{case}: {}", dialogue(transcript, None, screen).trim_end()))?,
            (false, true) => say_drawn(&format!("\n{}", dialogue(transcript, Some(LAST_LINES), screen).trim_end()))?,
            (false, false) => {}
        }
    }
    Ok(Ending::of(outcome))
}

/// Shows a failed case.
fn show(context: &Context, args: &Run, failed: &FailedCase, interactive: bool, screen: &Screen) -> Result<()> {
    let expected: &[u8] = if interactive { &[] } else { &failed.answer };
    let rerun = rerun(context, args, failed);
    let evidence = CaseTexts { input: &failed.input, expected, actual: &failed.output, rerun: &rerun };
    let text = explain(&failed.result, &evidence, screen);
    say_drawn(&format!("\n{}", text.trim_end()))?;
    Ok(())
}

/// The command that runs only this case.
fn rerun(context: &Context, args: &Run, failed: &FailedCase) -> String {
    let typed = Typed::new("run", &args.problem, &args.program);
    let typed = match &args.input {
        Some(file) => typed.option("--input", Some(file.display())),
        None => typed.option("--case", Some(&failed.result.case)),
    };
    let typed = typed.option("--against", args.against.as_ref().map(|path| path.display()));
    typed.option("--language", args.language.as_ref()).option("--time", args.time).end(context)
}
