//! `nimatron run`: compiles a program, runs it on every test case of a problem, and judges it.

use std::io;

use crate::model::{CaseDialogue, Event, FailedCase, Failure, Outcome};
use crate::package::SampleQuery;
use crate::report::{
    CaseTexts, Detail, Fanout, JsonLines, Junit, ProgressReporter, Reporter, RunLayout, Screen, Terminal, Theme,
    dialogue, explain, safe, wrap,
};
use crate::service::{
    CheckerOption, JudgeOptions, JudgeService, OwnAuxProgram, PreparedProblem, RunHandle, RunReport, RunScope,
};

use super::args::Run;
use super::bar_terminal::bar_target;
use super::context::{Context, say, say_drawn};
use super::exit::{EarlyExit, Ending, Result};
use super::output::show_preparation;
use super::run_input::{custom_input, is_plain_run, show_checked_output, show_plain_run, write_events};
use super::shell::Typed;
use super::standing::{OpeningHistory, record};

/// Number of lines at the end of the dialogue that are shown for a failed case without `--transcript`.
const LAST_LINES: usize = 12;

/// A function that is called with the report of a run.
pub(crate) type OnReport<'s> = &'s mut dyn FnMut(&RunReport) -> io::Result<()>;

/// Runs `nimatron run` and returns how the command ended.
pub(crate) fn run(context: &Context, args: &Run) -> Result {
    run_and_report(context, args, &mut |_| Ok(()))
}

/// Runs `nimatron run` like [`run`]. Calls `on_report` with the report at the end of the run, unless the run was
/// cancelled or its result could not be shown.
pub(crate) fn run_and_report(context: &Context, args: &Run, on_report: OnReport<'_>) -> Result {
    let cells = if args.cases.is_empty() && args.input.is_none() { context.jobs() } else { 1 };
    let service = context.service_with_cells(cells)?;
    let program = (args.program.as_path(), args.language.as_deref());
    let _expected = service.expect_run(program, cells);
    let problem = context.prepared_for(&args.problem, sample_query(args))?;
    let result = judge(context, args, (service, &problem), on_report);
    if let (true, Err(EarlyExit::Failure(Failure::Fault(fault)))) = (args.json, &result) {
        // JSON output must end with the event that ends a run, even if the judge fails before the run starts.
        let mut lines = JsonLines::new(io::stdout());
        let events = service.failed_run(problem.id(), &args.program.display().to_string(), fault);
        events.iter().try_for_each(|event| lines.emit(event))?;
    }
    result
}

/// Builds the query for samples from the arguments.
pub(crate) fn sample_query(args: &Run) -> SampleQuery {
    SampleQuery::for_run(&args.program, args.interactor.is_some(), args.input.is_some())
}

fn judge(
    context: &Context,
    args: &Run,
    (service, problem): (&JudgeService, &PreparedProblem),
    on_report: OnReport<'_>,
) -> Result {
    let source = problem.read_source(&args.program, args.language.as_deref())?;
    let options = options(args)?;
    let prepared = service.prepare_run(problem, options, &show_preparation(context, problem))?;
    if !args.json && !context.quiet() {
        announce(context, args, &prepared.announcement(&source))?;
    }
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(prepared.limits()) };
    let scope = prepared.scope();
    let run = service.submit(prepared.request(source))?;
    let (report, shown) = match scope {
        RunScope::OwnInput => show_input(context, args, (problem, run), screen)?,
        RunScope::Whole | RunScope::Part => {
            let history = OpeningHistory::start(context);
            let (report, shown) = show_run(context, args, (problem, run), screen)?;
            record(context, args, (problem, scope), &report, history);
            (report, shown)
        }
    };
    let ending = shown?;
    if !context.cancel().is_cancelled() {
        on_report(&report)?;
    }
    Ok(ending)
}

fn options(args: &Run) -> std::result::Result<JudgeOptions, Failure> {
    Ok(JudgeOptions {
        only: args.cases.clone(),
        fail_fast: args.fail_fast,
        skip_certain: !args.all_cases,
        time: args.time,
        memory: args.memory,
        checker: args.checker.as_deref().map(CheckerOption::read).transpose()?,
        interactor: args.interactor.as_deref().map(OwnAuxProgram::read).transpose()?,
        inputs: custom_input(args)?.into_iter().collect(),
        ..JudgeOptions::default()
    })
}

/// Prints the announcement of a run. With `--input` and without `--against`, the text goes to standard error, since
/// standard output is used only for the program's output.
fn announce(context: &Context, args: &Run, lines: &[String]) -> Result<()> {
    for line in lines {
        let lines = if context.on_terminal() { wrap(line, context.width()).join("\n") } else { line.clone() };
        match args.input.is_some() && args.against.is_none() {
            true => anstream::eprintln!("{}", safe(&lines)),
            false => say(&lines)?,
        }
    }
    Ok(())
}

/// Shows the events of a run as they arrive, and the result of the run. Returns the report, and how the command ended
/// or why the result could not be shown.
fn show_run(
    context: &Context,
    args: &Run,
    (problem, mut run): (&PreparedProblem, RunHandle),
    screen: Screen,
) -> Result<(RunReport, Result)> {
    let mut reporter = reporters(context, args, problem, screen)?;
    let mut unwritten = None;
    for event in run.events() {
        if let Err(error) = reporter.emit(&event) {
            // If the output can't be written, no result can be reported, so the run is cancelled.
            unwritten = Some(error);
            run.cancel();
            break;
        }
    }
    let report = run.wait();
    let written = match unwritten {
        None => reporter.finish(),
        Some(error) => Err(error),
    };
    drop(reporter);
    let report = report?;
    let shown = match written {
        Ok(()) => after(context, args, &report, &screen),
        // The reader closed the pipe, so the result was not reported and must not count as success.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Fault),
        Err(error) => Err(EarlyExit::Output(error)),
    };
    Ok((report, shown))
}

/// Waits for a run on the input given with `--input`, and shows the result of the run: the output of the program and,
/// if there is an answer, the result of comparing the output with it. Returns the report, and how the command ended or
/// why the result could not be shown.
fn show_input(
    context: &Context,
    args: &Run,
    (problem, mut run): (&PreparedProblem, RunHandle),
    screen: Screen,
) -> Result<(RunReport, Result)> {
    let events: Vec<Event> = run.events().collect();
    let report = run.wait()?;
    let shown = show_output(context, args, (problem, &events, &report), screen);
    Ok((report, shown))
}

fn show_output(
    context: &Context,
    args: &Run,
    (problem, events, report): (&PreparedProblem, &[Event], &RunReport),
    screen: Screen,
) -> Result {
    let plain = is_plain_run(report) && !args.json;
    if args.json {
        write_events(events, report)?;
    }
    let mut reporter = if args.json || plain {
        junit(args)?
    } else if report.compile_error.is_some() && args.against.is_none() {
        // Standard output is used only for the output of the program.
        junit(args)?.with(Terminal::new(io::stderr(), screen, Detail::Failures))
    } else {
        reporters(context, args, problem, screen)?
    };
    events.iter().try_for_each(|event| reporter.emit(event))?;
    reporter.finish()?;
    if plain && !context.cancel().is_cancelled() {
        return show_plain_run(context, args, report, screen);
    }
    let ending = after(context, args, report, &screen)?;
    if !args.json && !context.quiet() {
        show_checked_output(report, &screen)?;
    }
    Ok(ending)
}

pub(crate) fn theme(context: &Context) -> Theme {
    if context.color() { Theme::colored() } else { Theme::plain() }
}

/// Creates the reporters of the run: terminal or JSON, and optionally a JUnit file.
fn reporters(
    context: &Context,
    args: &Run,
    problem: &PreparedProblem,
    screen: Screen,
) -> std::result::Result<Fanout<'static>, Failure> {
    let fanout = junit(args)?;
    Ok(if args.json {
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
        fanout.with(ProgressReporter::new(terminal, bar_target(bar)))
    })
}

/// Creates the reporter of the JUnit file, if one is requested.
fn junit(args: &Run) -> std::result::Result<Fanout<'static>, Failure> {
    match &args.junit {
        None => Ok(Fanout::new()),
        Some(path) => {
            let file = fs_err::File::create(path).map_err(|error| Failure::user_file(&error))?;
            Ok(Fanout::new().with(Junit::new(file)))
        }
    }
}

/// Shows the first failure and the dialogue, and returns how the command ended.
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

/// Explains a failed case. The answer of an interactive case is not shown.
fn show(context: &Context, args: &Run, failed: &FailedCase, interactive: bool, screen: &Screen) -> Result<()> {
    let expected: &[u8] = if interactive { &[] } else { &failed.answer };
    let rerun = rerun(context, args, failed.result.case.as_str());
    let evidence = CaseTexts { input: &failed.input, expected, actual: &failed.output, rerun: &rerun };
    let text = explain(&failed.result, &evidence, screen);
    say_drawn(&format!("\n{}", text.trim_end()))?;
    Ok(())
}

/// Returns the command that runs only the case `case`, or the input given with `--input`.
pub(crate) fn rerun(context: &Context, args: &Run, case: &str) -> String {
    let typed = Typed::new("run", &args.problem, &args.program);
    let typed = match &args.input {
        Some(file) => typed.option("--input", Some(file.display())),
        None => typed.option("--case", Some(case)),
    };
    let typed = typed.option("--against", args.against.as_ref().map(|path| path.display()));
    let typed = typed.option("--checker", args.checker.as_ref()).option("--interactor", args.interactor.as_ref());
    let typed = typed.option("--language", args.language.as_ref());
    typed.option("--time", args.time).option("--memory", args.memory).end(context)
}
