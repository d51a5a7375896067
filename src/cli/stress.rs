//! `nimatron stress`: searches for an input that a program fails, and shrinks it.

use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use nimatron::model::{ByteSize, FORMAT, Failure, Limits, TimeSpan, Verdict};
use nimatron::problem::Problem;
use nimatron::report::{CaseTexts, Screen, explain};
use nimatron::service::{BuildResult, BuiltProgram, JudgeOptions, reference};
use nimatron::stress::{Broken, FailingInput, Hunt, HuntEnd, Hunted, Minimized, Pool, check_against, hunt, minimize};

use super::args::Stress;
use super::context::{Context, say, say_drawn, say_json};
use super::exit::{Ending, Result};
use super::output::{make_data, show_measuring};
use super::run::theme;
use super::save_counterexample::{add, keep};
use super::shell::Typed;

/// Context of one search.
struct StressSetup<'a> {
    context: &'a Context,
    args: &'a Stress,
    problem: &'a Problem,
    limits: Limits,
}

/// Runs the subcommand.
pub fn stress(context: &Context, args: &Stress) -> Result {
    let problem = context.catalog()?.load(&args.problem)?;
    if args.add {
        super::save_counterexample::check(context, &problem)?;
    }
    if args.against.is_some() {
        check_against(&problem)?;
    }
    let service = context.service()?;
    let host = service.host();
    let languages = host.languages();
    let source = languages.load(&args.program, args.language.as_deref())?;
    let against = args.against.as_ref().map(|path| Ok::<_, Failure>((languages.load(path, None)?, path)));
    let against = against.transpose()?;
    let target = service.prepare_problem(problem)?;
    let Some(data) = make_data(context, &target)? else { return Ok(Ending::Usage) };
    let Some(problem) = target.problem() else { return Ok(Ending::Usage) };
    let cases = &data.made.cases;
    let options = JudgeOptions { time: args.time, ..JudgeOptions::default() };
    let limits = service.limits(&target, &options, &mut show_measuring(context, &target))?;
    let about = StressSetup { context, args, problem, limits };
    about.emit(&json!({
        "event": "stress_started", "format": FORMAT, "problem": problem.id, "program": args.program,
        "language": source.language().id, "seed": args.seed, "isolation": host.isolation().level.to_string(),
    }))?;
    let program = match BuiltProgram::build(host, &source, &args.program.display().to_string())? {
        BuildResult::Ready(program) => program,
        BuildResult::Rejected(output) => return about.refused(&output),
    };
    let mut pool = Pool::new(host, problem, cases, args.seed)?;
    if let Some((source, path)) = &against {
        pool = pool.against(BuiltProgram::build_valid(host, source, &path.display().to_string())?, &limits);
    }
    about.hunt(&pool, &program)
}

impl StressSetup<'_> {
    fn hunt(&self, pool: &Pool<'_>, program: &BuiltProgram) -> Result {
        let args = self.args;
        let seconds = args.seconds.map(|seconds| TimeSpan::seconds(seconds.into()));
        let wanted = Hunt::bounded(seconds, args.count, self.limits);
        let bar = self.bar();
        let hunted = hunt(pool, program, &wanted, &mut |progress| {
            let rate = progress.tests as f64 / progress.time.as_seconds_f64().max(0.001);
            let largest = ByteSize::new(progress.largest).human();
            bar.set_message(format!(
                "{} tests, {rate:.0} a second, inputs up to {largest}, {:.0} s",
                progress.tests,
                progress.time.as_seconds_f64()
            ));
        });
        bar.finish_and_clear();
        let hunted = hunted?;
        match &hunted.end {
            HuntEnd::Found(found) => self.found(pool, program, &hunted, found),
            HuntEnd::Broken { number, input, broken } => self.broken(*number, input, broken),
            HuntEnd::Spent | HuntEnd::All | HuntEnd::Cancelled => self.nothing(&hunted),
        }
    }

    /// A status line for terminals.
    fn bar(&self) -> ProgressBar {
        let target = if self.context.progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        bar
    }

    /// Shrinks the failing input, writes it to a file and prints the result.
    fn found(&self, pool: &Pool<'_>, program: &BuiltProgram, hunted: &Hunted, found: &FailingInput) -> Result {
        let args = self.args;
        self.emit(&json!({
            "event": "stress_found", "verdict": found.failure.verdict.short(), "test": found.number,
            "size": found.input.len(), "seconds": hunted.progress.time.as_seconds_f64(),
        }))?;
        let bar = self.bar();
        let time = TimeSpan::seconds(args.shrink.into());
        let minimized = minimize(pool, program, found, &self.limits, time, &mut |size, trials| {
            let (first, size) = (ByteSize::new(found.input.len() as u64).human(), ByteSize::new(size).human());
            bar.set_message(format!("{}: shrunk from {first} to {size}, {trials} inputs tried", found.failure.verdict));
        });
        bar.finish_and_clear();
        let minimized = minimized?;
        let small = &minimized.found;
        let file = keep(&args.out, &self.problem.id, &small.input)?;
        // Adding the input would run the reference solution, which is not possible after cancellation.
        let added = match args.add && !minimized.cancelled {
            true => Some(add(self.context, self.problem, &small.input)?),
            false => None,
        };
        if args.json {
            let mut last = self.finished(hunted, Some(small.failure.verdict));
            if let Some(map) = last.as_object_mut() {
                map.insert("input".into(), json!(file));
                map.insert("size_before".into(), json!(found.input.len()));
                map.insert("size_after".into(), json!(small.input.len()));
                map.insert("minimal".into(), json!(minimized.minimal));
                map.insert("test".into(), json!(found.number));
                map.insert("shrink_seconds".into(), json!(minimized.time.as_seconds_f64()));
                map.insert("added".into(), json!(added.is_some()));
            }
            say_json(&last)?;
            return Ok(Ending::Bad);
        }
        self.show(small, &file)?;
        say(&self.summary(hunted, found, &minimized, &file))?;
        match added {
            Some(added) => say(&added)?,
            None if args.add => say("not added to the tests: stopped by the user")?,
            None => {}
        }
        Ok(Ending::Bad)
    }

    /// Prints the failed case in the format of `nimatron run`.
    fn show(&self, found: &FailingInput, file: &Path) -> Result<()> {
        if self.context.quiet() {
            return Ok(());
        }
        let screen = Screen { theme: theme(self.context), width: self.context.width(), limits: Some(self.limits) };
        let typed = Typed::new("run", &self.args.problem, &self.args.program);
        let typed = typed.option("--input", Some(file.display()));
        let typed = typed.option("--against", self.args.against.as_ref().map(|path| path.display()));
        let rerun = typed.option("--language", self.args.language.as_ref()).option("--time", self.args.time);
        let evidence = CaseTexts {
            input: &found.input,
            expected: found.failure.answer.as_deref().unwrap_or_default(),
            actual: &found.failure.output,
            rerun: &rerun.end(self.context),
        };
        let result = found.failure.result(&file.display().to_string());
        Ok(say_drawn(&format!("{}\n", explain(&result, &evidence, &screen).trim_end()))?)
    }

    /// The path and size of the input, and the command that finds it again.
    fn summary(&self, hunted: &Hunted, found: &FailingInput, minimized: &Minimized, file: &Path) -> String {
        let size = |bytes: &[u8]| ByteSize::new(bytes.len() as u64).human();
        let (before, after) = (size(&found.input), size(&minimized.found.input));
        let how = match minimized {
            _ if self.args.shrink == 0 => "not shrunk".to_owned(),
            Minimized { repeats: false, .. } => "not shrunk: the program does not fail on it every time".to_owned(),
            Minimized { minimal: true, .. } => "minimal: no single value can be removed or made smaller".to_owned(),
            Minimized { cancelled: true, .. } => "possibly not minimal: stopped by the user".to_owned(),
            _ => "possibly not minimal: out of time; increase it with `--shrink N`".to_owned(),
        };
        let size = if found.input == minimized.found.input { after } else { format!("{before}, made {after}") };
        let Hunted { progress, .. } = hunted;
        let again = self.again().option("--count", Some(found.number + 1)).end(self.context);
        format!(
            "{} in {}: {size}; {how}\nfound after {} tests in {:.1} s, with seed {}; again: {again}",
            minimized.found.failure.verdict.long(),
            file.display(),
            progress.tests,
            progress.time.as_seconds_f64(),
            self.args.seed,
        )
    }

    /// The command that repeats this search with the same seed.
    fn again(&self) -> Typed {
        let typed = Typed::new("stress", &self.args.problem, &self.args.program);
        let typed = typed.option("--against", self.args.against.as_ref().map(|path| path.display()));
        let typed = typed.option("--language", self.args.language.as_ref()).option("--time", self.args.time);
        typed.option("--seed", Some(self.args.seed))
    }

    /// Reports that the program which provides the answers failed, and writes its input to a file.
    fn broken(&self, number: u64, input: &[u8], broken: &Broken) -> Result {
        let file = keep(&self.args.out, &self.problem.id, input)?;
        let message = format!(
            "`{}`, which provides the answers, failed on an input: {} ({})",
            broken.name,
            broken.words,
            broken.verdict.long()
        );
        let program = match &self.args.against {
            Some(path) => path.clone(),
            None => reference(self.problem).map(|solution| solution.path)?,
        };
        let run = Typed::new("run", &self.args.problem, &program).option("--input", Some(file.display()));
        let help = format!("test {number} is in {}: {}", file.display(), run.end(self.context));
        Err(nimatron::model::Diagnostic::new(message).help(help).into())
    }

    fn nothing(&self, hunted: &Hunted) -> Result {
        let cancelled = hunted.end == HuntEnd::Cancelled;
        if self.args.json {
            say_json(&self.finished(hunted, None))?;
        } else {
            let progress = hunted.progress;
            let largest = ByteSize::new(progress.largest).human();
            let (tests, time) = (progress.tests, progress.time.as_seconds_f64());
            say(&match hunted.end {
                HuntEnd::All => format!("nothing found: the program is correct on all {tests} inputs"),
                _ if cancelled => format!("stopped after {tests} tests in {time:.1} s; nothing found"),
                _ => format!(
                    "nothing found in {tests} tests in {time:.1} s, with inputs up to {largest} and seed {}; \
                     try other tests with --seed {}",
                    self.args.seed,
                    self.args.seed.wrapping_add(1)
                ),
            })?;
            if let (Some(size), Some(against)) = (hunted.too_large, &self.args.against) {
                say(&format!(
                    "{} exceeds the time or memory limit on inputs of {} or more; \
                     {} tests were checked for crashes and limits only",
                    against.display(),
                    ByteSize::new(size).human(),
                    hunted.unanswered
                ))?;
            }
        }
        Ok(if cancelled { Ending::Fault } else { Ending::Good })
    }

    /// Reports a compile error of the program.
    fn refused(&self, words: &str) -> Result {
        if self.args.json {
            let mut last = self.finished(&nothing_run(), Some(Verdict::CompileError));
            if let Some(map) = last.as_object_mut() {
                map.insert("found".into(), json!(false));
                map.insert("message".into(), json!(words));
            }
            say_json(&last)?;
        } else {
            say(&format!("{}: {}\n{words}", self.args.program.display(), Verdict::CompileError.long()))?;
        }
        Ok(Ending::Bad)
    }

    fn finished(&self, hunted: &Hunted, verdict: Option<Verdict>) -> serde_json::Value {
        json!({
            "event": "stress_finished", "found": verdict.is_some(), "verdict": verdict.map(Verdict::short),
            "tests": hunted.progress.tests, "seconds": hunted.progress.time.as_seconds_f64(), "input": null,
            "size_before": null, "size_after": null, "minimal": null, "seed": self.args.seed,
            "largest": hunted.progress.largest, "unanswered": hunted.unanswered, "all": hunted.end == HuntEnd::All,
            "cancelled": hunted.end == HuntEnd::Cancelled,
        })
    }

    fn emit(&self, event: &serde_json::Value) -> Result<()> {
        if self.args.json {
            say_json(event)?;
        }
        Ok(())
    }
}

fn nothing_run() -> Hunted {
    Hunted { end: HuntEnd::Spent, progress: nimatron::stress::HuntProgress::default(), unanswered: 0, too_large: None }
}
