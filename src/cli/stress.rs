//! `nimatron stress`: searches for an input that a program fails, and shrinks it.

use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use crate::input::Description;
use crate::model::{ByteSize, Diagnostic, Failure, TimeSpan};
use crate::package::SampleQuery;
use crate::report::count;
use crate::service::{CheckerOption, OwnAuxProgram};
use crate::stress::{
    GeneratorCommand, HuntProgress, ShrinkProgress, StressEvent, StressOptions, StressRequest, StressSearch,
};

use super::bar_terminal::bar_target;
use super::context::{Context, say, say_json};
use super::exit::Result;
use super::output::show_preparation;
use super::stress_args::Stress;

/// The name by which messages refer to the value of `--input-spec`.
const SPEC: &str = "--input-spec";

/// A search for a failing input, with its command-line context and arguments.
pub(crate) struct StressSetup<'a> {
    pub(crate) context: &'a Context,
    pub(crate) args: &'a Stress,
    pub(crate) search: StressSearch<'a>,
}

/// Runs `nimatron stress` and returns how the command ended.
pub(crate) fn stress(context: &Context, args: &Stress) -> Result {
    let options = options(args)?;
    let service = context.service()?;
    let target = context.prepared_for(&args.problem, SampleQuery::for_stress(&args.program))?;
    let request = request(context, args, options)?;
    let search = StressSearch::prepare(service, &target, request, &show_preparation(context, &target))?;
    if !(args.json || context.quiet()) {
        target.assumptions(&search.request().judging(), search.limits()).iter().try_for_each(|line| say(line))?;
    }
    StressSetup { context, args, search }.search()
}

/// Reads the judged program and the programs given with `--against`, and returns the request for the search.
fn request(context: &Context, args: &Stress, options: StressOptions) -> std::result::Result<StressRequest, Failure> {
    let languages = context.service()?.host().languages();
    let name = |path: &Path| path.display().to_string();
    Ok(StressRequest {
        program: name(&args.program),
        source: languages.load(&args.program, args.language.as_deref())?,
        against: (args.against.iter())
            .map(|path| languages.load(path, None).map(|source| (name(path), source)))
            .collect::<std::result::Result<_, _>>()?,
        options,
        limits: (args.time, args.memory),
        seconds: args.seconds.map(|seconds| TimeSpan::seconds(seconds.into())),
        count: args.count,
        seed: args.seed,
        shrink: TimeSpan::seconds(args.shrink.into()),
        add: args.add,
        slots: None,
    })
}

/// Reads the programs and the input description given by options, which replace or supplement those of the problem.
fn options(args: &Stress) -> std::result::Result<StressOptions, Failure> {
    let generator = args.generator.as_deref().map(|text| GeneratorCommand::parse(text, &|path| path.exists()));
    Ok(StressOptions {
        generator: generator.transpose()?,
        description: args.input_spec.as_deref().map(described).transpose()?,
        validator: args.validator.as_deref().map(OwnAuxProgram::read).transpose()?,
        checker: args.checker.as_deref().map(CheckerOption::read).transpose()?,
    })
}

/// Parses an input description, which is the content of the file `text` or, if there is no such file, `text` itself.
fn described(text: &str) -> std::result::Result<Description, Failure> {
    if !Path::new(text).is_file() {
        let error = match Description::parse_one_line(SPEC, text) {
            Ok(description) => return Ok(description),
            Err(error) => error,
        };
        // A name without a colon is more likely a wrong path than a description.
        return Err(match text.contains(':') {
            true => error.into(),
            false => Diagnostic::new(format!("`{text}` is neither a file nor a description of inputs"))
                .help("specify a description, for example `--input-spec 'n: 1..=10; a[n]: 1..=100'`")
                .into(),
        });
    }
    let content = fs_err::read_to_string(text).map_err(|error| Failure::user_file(&error))?;
    Ok(crate::problem::read_description(text, &content)?)
}

impl StressSetup<'_> {
    /// Runs the search, and prints its result.
    fn search(&self) -> Result {
        let bar = self.bar();
        let mut printed = Ok(());
        let mut first = None;
        let report = self.search.run(&mut |event| match &event {
            StressEvent::Started => printed = self.emit(&event),
            StressEvent::Tried(progress) => bar.set_message(progress_line(progress)),
            StressEvent::Found(found, _) => {
                first = Some((found.failure.verdict, ByteSize::new(found.input.len() as u64).human()));
                if printed.is_ok() {
                    printed = self.emit(&event);
                }
            }
            StressEvent::Shrinking(ShrinkProgress { trials, smaller: Some(input) }) => {
                let size = ByteSize::new(input.len() as u64).human();
                if let Some((verdict, first)) = &first {
                    let trials = count(usize::try_from(*trials).unwrap_or(usize::MAX), "input", "inputs");
                    bar.set_message(format!("{verdict}: shrunk from {first} to {size}, {trials} tried"));
                }
            }
            StressEvent::Shrinking(_) => {}
        });
        bar.finish_and_clear();
        printed?;
        self.show_report(&report?)
    }

    /// Creates the status line on standard error, which is hidden if progress is not shown.
    fn bar(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, bar_target(self.context.progress()));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        bar
    }

    /// Prints an event as JSON if `--json` is given.
    fn emit(&self, event: &StressEvent<'_>) -> std::io::Result<()> {
        if self.args.json { say_json(&self.search.event_json(event)) } else { Ok(()) }
    }
}

fn progress_line(progress: &HuntProgress) -> String {
    let (rate, largest) = (progress.rate(), ByteSize::new(progress.largest).human());
    let seconds = progress.time.as_seconds_f64();
    let tests = count(usize::try_from(progress.tests).unwrap_or(usize::MAX), "test", "tests");
    format!("{tests}, {rate:.0} per second, inputs up to {largest}, {seconds:.0} s")
}
