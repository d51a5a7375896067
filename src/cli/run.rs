//! `nimatron run`: compile a program, run it on every test of a problem, judge it.

use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::ProgressDrawTarget;

use nimatron::data::{Case, Lock};
use nimatron::model::{
    ByteSize, Diagnostic, Event, EventKind, Failure, Fault, FaultKind, Outcome, ProblemId, RunSummary, Score,
};
use nimatron::package::Package;
use nimatron::problem::Problem;
use nimatron::report::{
    Detail, Evidence, Fanout, JsonLines, Junit, Progress, Reporter, Screen, Terminal, Theme, dialogue, explain,
};
use nimatron::runner::{Judgement, Options, Single, Tell, Witness};

use super::args::Run;
use super::context::{Context, say, say_drawn};
use super::exit::{Ending, Result, Stop};
use super::generate::broken;
use super::output::making;
use super::shell::Typed;
use super::solved::Solved;

/// How many lines of a dialogue are shown if nobody asks for more.
const LAST_LINES: usize = 12;

/// The largest part of an input or answer that is read to be shown, in bytes.
const SHOWN: u64 = 4 << 20;

/// What a program is judged on.
enum On {
    Cases(Vec<Case>),
    One(Single, String),
}

/// Judges a program.
pub fn run(context: &Context, args: &Run) -> Result {
    let mut told = 0;
    let (id, result) = match context.package(&args.problem)? {
        Some(mut package) => (package.id.clone(), judged_on_package(context, args, &mut package, &mut told)),
        None => {
            let problem = context.catalog()?.load(&args.problem)?;
            (problem.id.clone(), judged(context, args, &problem, &mut told))
        }
    };
    if let (true, Err(Stop::Failure(Failure::Fault(fault)))) = (args.json, &result) {
        confess(context, args, &id, told, fault)?;
    }
    result
}

/// The last line for a reader of JSON, who is promised one, where our own failure ended the run before it.
fn confess(context: &Context, args: &Run, problem: &ProblemId, number: u64, fault: &Fault) -> Result<()> {
    // Without an arena there is no isolation to name; the message on standard error is all there is to say.
    let Ok(arena) = context.arena() else { return Ok(()) };
    let summary = RunSummary {
        problem: problem.clone(),
        program: args.program.display().to_string(),
        outcome: Outcome::Inconclusive { faults: vec![fault.clone()] },
        max_score: Score::ZERO,
        cases: 0,
        accepted: 0,
        slowest: None,
        memory: ByteSize::new(0),
        isolation: arena.isolation().level,
    };
    JsonLines::following(io::stdout(), number).tell(&Event { number, kind: EventKind::RunFinished(summary) })?;
    Ok(())
}

/// Judges a program, and counts the events that were told.
fn judged(context: &Context, args: &Run, problem: &Problem, told: &mut u64) -> Result {
    let arena = context.arena()?;
    let source = arena.source(&args.program, args.language.as_deref())?;
    let (only, fail_fast, time) = (args.cases.clone(), args.fail_fast, args.time);
    let options = Options { only, fail_fast, time, ..Options::default() };
    let (on, limits) = match &args.input {
        Some(file) => {
            let (single, name) = single(context, args, problem, file)?;
            let limits = arena.limits_with(problem, args.time, || cases(context, problem))?;
            (On::One(single, name), limits)
        }
        None => {
            let cases = cases(context, problem)?;
            let limits = arena.limits(problem, &cases, &options)?;
            options.check_names(problem, &cases)?;
            (On::Cases(cases), limits)
        }
    };
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(limits) };
    report(context, args, &problem.id, &screen, told, |name, tell| match &on {
        On::Cases(cases) => arena.judge(problem, cases, &source, name, &options, tell),
        On::One(single, case) => arena.judge_single(problem, single, case, limits, &source, name, tell),
    })
}

/// Judges a program on a package, and counts the events that were told.
fn judged_on_package(context: &Context, args: &Run, package: &mut Package, told: &mut u64) -> Result {
    if args.input.is_some() {
        let message = "a package has no reference that could answer another input";
        return Err(Diagnostic::new(message).help("leave `--input` out").into());
    }
    let arena = context.arena()?;
    arena.complete(package)?;
    let source = arena.package_source(package, &args.program, args.language.as_deref())?;
    let options =
        Options { only: args.cases.clone(), fail_fast: args.fail_fast, time: args.time, ..Options::default() };
    arena.package_plan(package, &options)?;
    let limits = match arena.known_limits(package, &options) {
        Some(limits) => limits,
        None => {
            if context.progress() {
                anstream::eprintln!("measuring the accepted programs of {} for its time limit, once …", package.id);
            }
            arena.measured_limits(package)?
        }
    };
    if !args.json && !context.quiet() {
        package.guess.iter().try_for_each(|guess| say(&format!("{} ({guess})", package.format.name())))?;
        package.omissions().iter().try_for_each(|omission| say(&format!("note: {omission}")))?;
    }
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(limits) };
    report(context, args, &package.id, &screen, told, |name, tell| {
        arena.judge_package(package, limits, &source, name, &options, tell)
    })
}

/// Judges, tells whoever is to be told, and ends as the judgement says.
fn report(
    context: &Context,
    args: &Run,
    problem: &ProblemId,
    screen: &Screen,
    told: &mut u64,
    judge: impl FnOnce(&str, Tell<'_>) -> std::result::Result<Judgement, Failure>,
) -> Result {
    let mut reporter = reporters(context, args, *screen)?;
    let mut broken_pipe = None;
    let name = args.program.display().to_string();
    let mut tell = |event: &Event| {
        *told = event.number + 1;
        reporter.tell(event).map_err(|error| {
            let kind = error.kind();
            broken_pipe.get_or_insert(error);
            kind.into()
        })
    };
    let judged = judge(&name, &mut tell);
    if let Some(error) = broken_pipe {
        // Whoever reads us has gone, and with it the verdict: that is not "accepted".
        return if error.kind() == io::ErrorKind::BrokenPipe { Ok(Ending::Fault) } else { Err(Stop::Output(error)) };
    }
    reporter.finish()?;
    let judged = judged?;
    drop(reporter);
    after(context, args, problem, &judged, screen)
}

/// The problem's cases, made now if need be; they must be what the lock says.
pub fn cases(context: &Context, problem: &Problem) -> std::result::Result<Vec<Case>, Failure> {
    let prepared = making(context, problem)?;
    match &prepared.lock {
        Lock::Broken(lines) => Err(Diagnostic::new(broken(problem, lines)).into()),
        _ => Ok(prepared.made.cases),
    }
}

/// The input of a file with its answer, and what it is called.
fn single(
    context: &Context,
    args: &Run,
    problem: &Problem,
    file: &Path,
) -> std::result::Result<(Single, String), Failure> {
    let arena = context.arena()?;
    let input = fs_err::read(file).map_err(|error| Failure::complaint(error.to_string()))?;
    let name = file.display().to_string();
    let other =
        args.against.as_ref().map(|path| Ok::<_, Failure>((arena.source(path, None)?, path.display().to_string())));
    let other = other.transpose()?;
    let against = other.as_ref().map(|(source, name)| (source, name.as_str()));
    Ok((arena.single(problem, &input, &name, against)?, name))
}

pub fn theme(context: &Context) -> Theme {
    if context.color() { Theme::colored() } else { Theme::plain() }
}

/// Who is told: the terminal or whoever reads JSON, and a JUnit file.
fn reporters(context: &Context, args: &Run, screen: Screen) -> std::result::Result<Fanout<'static>, Failure> {
    let fanout = Fanout::new();
    let fanout = if args.json {
        fanout.with(JsonLines::new(io::stdout()))
    } else {
        let detail = match (context.quiet(), context.verbose()) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Every,
            (false, false) => Detail::Failures,
        };
        let terminal = Terminal::new(io::stdout(), screen, detail);
        let bar = context.progress() && io::stdout().is_terminal();
        let target = if bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        fanout.with(Progress::new(terminal, target))
    };
    match &args.junit {
        None => Ok(fanout),
        Some(path) => {
            let file = fs_err::File::create(path).map_err(|error| Failure::complaint(error.to_string()))?;
            Ok(fanout.with(Junit::new(file)))
        }
    }
}

/// What is left when the run is over: the screen for the first failure, the memory of what is solved, the exit code.
fn after(context: &Context, args: &Run, problem: &ProblemId, judged: &Judgement, screen: &Screen) -> Result {
    let ending = Ending::of(&judged.summary.outcome);
    if context.cancel().is_cancelled() {
        return Ok(Ending::Fault);
    }
    let sure = matches!(judged.summary.outcome, Outcome::Final { .. });
    if let (true, false, false, Some(witness)) = (sure, args.json, context.quiet(), judged.failures.first()) {
        show(context, args, witness, judged.dialogue.is_some(), screen)?;
    }
    if let Some((case, transcript)) = &judged.dialogue {
        let failed = !judged.failures.is_empty() && !args.json && !context.quiet();
        match (args.transcript, failed) {
            (true, _) => say_drawn(&format!("\n{case}: {}", dialogue(transcript, None, screen).trim_end()))?,
            (false, true) => say_drawn(&format!("\n{}", dialogue(transcript, Some(LAST_LINES), screen).trim_end()))?,
            (false, false) => {}
        }
    }
    let whole = args.cases.is_empty() && args.input.is_none() && args.time.is_none();
    if let (Outcome::Final { verdict, .. }, true) = (&judged.summary.outcome, whole)
        && verdict.accepted()
    {
        Solved::read(context.state()).add(problem, &judged.summary.program);
    }
    Ok(ending)
}

/// The screen for a case that was not accepted.
fn show(context: &Context, args: &Run, witness: &Witness, spoken: bool, screen: &Screen) -> Result<()> {
    let input = head(&witness.files.input)?;
    let expected = if spoken { Vec::new() } else { head(&witness.files.answer)? };
    let rerun = rerun(context, args, witness);
    let evidence = Evidence { input: &input, expected: &expected, actual: &witness.output, rerun: &rerun };
    let text = explain(&witness.result, &evidence, screen);
    say_drawn(&format!("\n{}", text.trim_end()))?;
    Ok(())
}

/// The command that runs this case alone.
fn rerun(context: &Context, args: &Run, witness: &Witness) -> String {
    let typed = Typed::new("run", &args.problem, &args.program);
    let typed = match &args.input {
        Some(file) => typed.option("--input", Some(file.display())),
        None => typed.option("--case", Some(&witness.result.case)),
    };
    let typed = typed.option("--against", args.against.as_ref().map(|path| path.display()));
    typed.option("--language", args.language.as_ref()).option("--time", args.time).end(context)
}

/// The first part of a file.
fn head(path: &Path) -> std::result::Result<Vec<u8>, Failure> {
    use std::io::Read;
    let fault = |error: io::Error| Failure::fault(FaultKind::Data, error.to_string());
    let mut bytes = Vec::new();
    fs_err::File::open(path).map_err(fault)?.take(SHOWN).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}
