//! `nimatron stress`: searches for an input that a program fails, and shrinks it.

use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use nimatron::input::Description;
use nimatron::model::{ByteSize, Diagnostic, FORMAT, Failure, Limits, TimeSpan};
use nimatron::package::{Package, SampleQuery};
use nimatron::problem::Problem;
use nimatron::service::{
    BuildResult, BuiltProgram, CheckerOption, JudgeOptions, OwnAuxProgram, PreparedProblem, ProblemSource,
};
use nimatron::stress::{
    FailingInput, GeneratorCommand, Hunt, HuntEnd, Hunted, Pool, StressOptions, StressProblem, check_against, hunt,
    minimize,
};

use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::output::{make_data, show_measuring};
use super::save_counterexample::{add, keep};
use super::stress_args::Stress;

/// Name of `--input-spec` in messages.
const SPEC: &str = "--input-spec";

/// The context of one search.
pub struct StressSetup<'a> {
    pub context: &'a Context,
    pub args: &'a Stress,
    /// The native problem; `None` for a package or a folder.
    pub native: Option<&'a Problem>,
    pub limits: Limits,
}

/// Runs `nimatron stress` and returns how the command ended.
pub fn stress(context: &Context, args: &Stress) -> Result {
    let options = options(args)?;
    let service = context.service()?;
    let query = SampleQuery { program: Some(args.program.clone()), inputs_only: false, may_be_empty: true };
    let source = ProblemSource::find_for(&context.catalog()?, &args.problem, query)?;
    let is_native = matches!(source, ProblemSource::Native(_));
    if is_native && args.input_spec.is_some() {
        let message = format!("`{}` already has a description of its inputs", args.problem);
        return Err(Diagnostic::new(message).help("remove `--input-spec`").into());
    }
    let target = service.prepare(&source)?;
    match is_native {
        true => of_native(context, args, &target, options),
        false => of_package(context, args, &target, options),
    }
}

/// Reads the programs and texts that are given in addition to the problem, or in its place.
fn options(args: &Stress) -> std::result::Result<StressOptions, Failure> {
    let generator = args.generator.as_deref().map(|text| GeneratorCommand::parse(text, &|path| path.exists()));
    Ok(StressOptions {
        generator: generator.transpose()?,
        description: args.input_spec.as_deref().map(described).transpose()?,
        validator: args.validator.as_deref().map(OwnAuxProgram::read).transpose()?,
        checker: args.checker.as_deref().map(CheckerOption::read).transpose()?,
    })
}

/// Parses the description in this text, or in the file of this name.
fn described(text: &str) -> std::result::Result<Description, Failure> {
    if !Path::new(text).is_file() {
        let error = match Description::parse_one_line(SPEC, text) {
            Ok(description) => return Ok(description),
            Err(error) => error,
        };
        // A name without a colon is more likely a wrong path than a description.
        return Err(match text.contains(':') {
            true => error.into(),
            false => Diagnostic::new(format!("`{text}` is neither a file nor a description"))
                .help("a description is, for example, 'n: 1..=10; a[n]: 1..=100'")
                .into(),
        });
    }
    let content = fs_err::read_to_string(text).map_err(|error| Failure::user_file(&error))?;
    match content.lines().any(|line| line.starts_with("input:")) {
        true => Ok(nimatron::problem::read_input(text, &content)?),
        false => Ok(Description::parse_one_line(text, &content)?),
    }
}

/// Searches in a problem with a `problem.yaml`.
fn of_native(context: &Context, args: &Stress, target: &PreparedProblem, options: StressOptions) -> Result {
    let Some(problem) = target.problem() else { return Ok(Ending::Usage) };
    if args.add {
        super::save_counterexample::check(context, problem)?;
    }
    if !args.against.is_empty() {
        check_against(problem)?;
    }
    read_programs(context, args)?;
    let Some(data) = make_data(context, target)? else { return Ok(Ending::Usage) };
    let limits = limits(context, args, target)?;
    let setup = StressSetup { context, args, native: Some(problem), limits };
    let subject = StressProblem::of(problem, &data.made.cases).with(context.service()?.host(), options)?;
    setup.search(subject)
}

/// Searches in a package of another judge, or in a folder of samples or of programs.
fn of_package(context: &Context, args: &Stress, target: &PreparedProblem, options: StressOptions) -> Result {
    let Some(package) = target.package() else { return Ok(Ending::Usage) };
    if args.add {
        return Err(not_added(&args.problem).into());
    }
    let limits = limits(context, args, target)?;
    let setup = StressSetup { context, args, native: None, limits };
    let judging = JudgeOptions { checker: options.checker.clone(), ..judge_options(args) };
    let subject = StressProblem::of_package(package)?.with(context.service()?.host(), options)?;
    if args.against.is_empty() && !subject.judging.interactive() {
        return Err(no_answers(package).into());
    }
    if !(args.json || context.quiet()) {
        target.understood(&judging, &limits).iter().try_for_each(|line| say(line))?;
    }
    setup.search(subject)
}

fn judge_options(args: &Stress) -> JudgeOptions {
    JudgeOptions { time: args.time, memory: args.memory, ..JudgeOptions::default() }
}

fn limits(context: &Context, args: &Stress, target: &PreparedProblem) -> std::result::Result<Limits, Failure> {
    context.service()?.limits(target, &judge_options(args), &mut show_measuring(context, target))
}

/// Reads all programs, so that a wrong path is reported before test data is generated.
fn read_programs(context: &Context, args: &Stress) -> std::result::Result<(), Failure> {
    let languages = context.service()?.host().languages();
    languages.load(&args.program, args.language.as_deref())?;
    args.against.iter().try_for_each(|path| languages.load(path, None).map(drop))
}

fn not_added(problem: &str) -> Diagnostic {
    let message = format!("tests cannot be added to `{problem}`, which has no problem.yaml");
    Diagnostic::new(message).help("remove `--add`")
}

/// Returns the error for a problem without a source of answers.
fn no_answers(package: &Package) -> Diagnostic {
    let accepted = package.submissions.iter().find(|submission| submission.name.starts_with("accepted/"));
    let help = match accepted {
        Some(submission) => format!("specify one, for example --against {}", submission.path.display()),
        None => "specify a slow but correct program to compare with: --against brute.py".to_owned(),
    };
    Diagnostic::new("there is no program that computes the answers").help(help)
}

impl StressSetup<'_> {
    /// Builds the programs and searches.
    fn search(&self, subject: StressProblem) -> Result {
        let (args, service) = (self.args, self.context.service()?);
        let (host, languages) = (service.host(), service.host().languages());
        subject.check_inputs()?;
        let source = languages.load(&args.program, args.language.as_deref())?;
        let against: Vec<_> =
            args.against.iter().map(|path| languages.load(path, None)).collect::<std::result::Result<_, _>>()?;
        self.emit(&json!({
            "event": "stress_started", "format": FORMAT, "problem": subject.id, "program": args.program,
            "language": source.language().id, "seed": args.seed, "isolation": host.isolation().level.to_string(),
        }))?;
        let program = match BuiltProgram::build(host, &source, &args.program.display().to_string())? {
            BuildResult::Ready(program) => program,
            BuildResult::Rejected(output) => return self.refused(&output),
        };
        let mut pool = Pool::unanswered(host, subject, args.seed)?;
        if let (Some(problem), true) = (self.native, against.is_empty()) {
            pool = pool.answered_by_reference(problem)?;
        }
        for (source, path) in against.iter().zip(&args.against) {
            let program = BuiltProgram::build_valid(host, source, &path.display().to_string())?;
            pool = pool.against(program, &self.limits);
        }
        self.hunt(&pool, &program)
    }

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
            HuntEnd::Broken { number, input, broken } => self.broken(pool, *number, input, broken),
            HuntEnd::Spent | HuntEnd::All | HuntEnd::Cancelled => self.nothing(&hunted),
        }
    }

    /// Creates a status line for terminals.
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
        // A sample is already in a file.
        let file = match found.sample.is_some() && args.out.is_none() {
            true => None,
            false => Some(keep(&args.out, &pool.problem().id, &small.input)?),
        };
        // Adding the input would run the reference solution, which is not possible after cancellation.
        let added = match self.native {
            Some(problem) if args.add && !minimized.cancelled => Some(add(self.context, problem, &small.input)?),
            _ => None,
        };
        if args.json {
            say_json(&self.found_json(hunted, found, &minimized, file.as_deref(), added.is_some()))?;
            return Ok(Ending::Bad);
        }
        self.show(small, file.as_deref())?;
        say(&self.summary(hunted, found, &minimized, file.as_deref()))?;
        match added {
            Some(added) => say(&added)?,
            None if args.add => say("not added to the tests: stopped by the user")?,
            None => {}
        }
        Ok(Ending::Bad)
    }

    /// Prints an event as JSON if `--json` is given.
    fn emit(&self, event: &serde_json::Value) -> Result<()> {
        if self.args.json {
            say_json(event)?;
        }
        Ok(())
    }
}
