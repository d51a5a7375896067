//! `nimatron run`: compile a program, run it on every test of a problem, judge it.

use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::ProgressDrawTarget;

use nimatron::data::Lock;
use nimatron::model::{Diagnostic, Event, Failure, FaultKind, Outcome, ProblemId};
use nimatron::package::Package;
use nimatron::report::{
    Detail, Evidence, Fanout, JsonLines, Junit, Progress, Reporter, Screen, Terminal, Theme, explain,
};
use nimatron::run::{Judgement, Options, Tell, Witness};

use super::args::Run;
use super::context::{Context, say};
use super::exit::{Ending, Result, Stop};
use super::generate::broken;
use super::output::making;
use super::solved::Solved;

/// The largest part of an input or answer that is read to be shown, in bytes.
const SHOWN: u64 = 4 << 20;

/// Judges a program.
pub fn run(context: &Context, args: &Run) -> Result {
    if let Some(package) = context.package(&args.problem)? {
        return run_package(context, args, &package);
    }
    let problem = context.shelf()?.load(&args.problem)?;
    let arena = context.arena()?;
    let source = arena.source(&args.program, args.language.as_deref())?;
    let prepared = making(context, &problem)?;
    if let Lock::Broken(lines) = &prepared.lock {
        return Err(Diagnostic::new(broken(&problem, lines)).into());
    }
    let options = Options { only: args.cases.clone(), fail_fast: args.fail_fast, time: args.time };
    let cases = &prepared.made.cases;
    let limits = arena.limits(&problem, cases, &options)?;
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(limits) };
    options.check_names(&problem, cases)?;
    report(context, args, &screen, &problem.id, |name, tell| {
        arena.judge(&problem, cases, &source, name, &options, tell)
    })
}

/// Judges a program on a package.
fn run_package(context: &Context, args: &Run, package: &Package) -> Result {
    let arena = context.arena()?;
    let source = arena.package_source(package, &args.program, args.language.as_deref())?;
    let options = Options { only: args.cases.clone(), fail_fast: args.fail_fast, time: args.time };
    arena.package_plan(package, &options)?;
    let limits = arena.package_limits(package, &options)?;
    let screen = Screen { theme: theme(context), width: context.width(), limits: Some(limits) };
    report(context, args, &screen, &package.id, |name, tell| {
        arena.judge_package(package, limits, &source, name, &options, tell)
    })
}

/// Judges, tells whoever is to be told, and ends as the judgement says.
fn report(
    context: &Context,
    args: &Run,
    screen: &Screen,
    problem: &ProblemId,
    judge: impl FnOnce(&str, Tell<'_>) -> std::result::Result<Judgement, Failure>,
) -> Result {
    let mut reporter = reporters(context, args, *screen)?;
    let mut broken_pipe = None;
    let name = args.program.display().to_string();
    let judged = judge(&name, &mut |event: &Event| {
        reporter.tell(event).map_err(|error| {
            let kind = error.kind();
            broken_pipe.get_or_insert(error);
            kind.into()
        })
    });
    if let Some(error) = broken_pipe {
        // Whoever reads us has gone, and with it the verdict: that is not "accepted".
        return if error.kind() == io::ErrorKind::BrokenPipe { Ok(Ending::Fault) } else { Err(Stop::Output(error)) };
    }
    reporter.finish()?;
    let judged = judged?;
    drop(reporter);
    after(context, args, problem, &judged, screen)
}

fn theme(context: &Context) -> Theme {
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
    if let (true, false, false, Some(witness)) = (sure, args.json, context.quiet(), &judged.first_failure) {
        show(context, args, witness, screen)?;
    }
    let whole = args.cases.is_empty() && args.time.is_none();
    if let (Outcome::Final { verdict, .. }, true) = (&judged.summary.outcome, whole)
        && verdict.accepted()
    {
        Solved::read(context.state()).add(problem, &judged.summary.program);
    }
    Ok(ending)
}

/// The screen for a case that was not accepted.
fn show(context: &Context, args: &Run, witness: &Witness, screen: &Screen) -> Result<()> {
    let input = head(&witness.files.input)?;
    let expected = head(&witness.files.answer)?;
    let rerun = rerun(context, args, witness);
    let evidence = Evidence { input: &input, expected: &expected, actual: &witness.output, rerun: &rerun };
    let text = explain(&witness.result, &evidence, screen);
    say(&format!("\n{}", text.trim_end()))?;
    Ok(())
}

/// The command that runs this case alone.
fn rerun(context: &Context, args: &Run, witness: &Witness) -> String {
    let language = args.language.as_ref().map(|language| format!(" --language {language}")).unwrap_or_default();
    let plain = |word: String| if word.starts_with('-') { format!("./{word}") } else { word };
    let words = [args.problem.clone(), plain(args.program.display().to_string())].map(|word| quoted(&word));
    let time = args.time.map(|time| format!(" --time {time}")).unwrap_or_default();
    let shelves = context.shelves().iter().map(|dir| format!(" --problems {}", quoted(&dir.display().to_string())));
    let shelves: String = shelves.collect();
    format!("nimatron run {} {} --case {}{language}{time}{shelves}", words[0], words[1], witness.result.case)
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The first part of a file.
fn head(path: &Path) -> std::result::Result<Vec<u8>, Failure> {
    use std::io::Read;
    let fault = |error: io::Error| Failure::fault(FaultKind::Data, error.to_string());
    let mut bytes = Vec::new();
    fs_err::File::open(path).map_err(fault)?.take(SHOWN).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}
