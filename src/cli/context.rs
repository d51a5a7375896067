//! Shared context of the subcommands: resolved global options, directories, the judge service, and output functions.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use crate::catalog::Catalog;
use crate::model::{Diagnostic, Failure};
use crate::package::{Package, PackageFormat, SampleQuery};
use crate::problem::Problem;
use crate::report::{render_diagnostic, safe, wrapped_diagnostic};
use crate::sandbox::{Cancel, ForkServer, IsolationRequirement};
use crate::service::{AnyProblem, JudgeService, PreparedProblem, ProblemSource, ServiceConfig};

use super::args::{Color, Global};
use super::output::PreparationScreen;

/// Global options resolved for this machine, with the state that commands share.
pub struct Context {
    global: Global,
    cache: PathBuf,
    state: PathBuf,
    cancel: Cancel,
    /// The fork server, or the error if the path of this program cannot be determined.
    fork_server: io::Result<ForkServer>,
    service: OnceLock<JudgeService>,
}

impl Context {
    /// Creates the context. Environment variables and defaults replace options that are not given.
    ///
    /// # Errors
    /// Fails if there is no home directory and neither `--cache` nor NIMATRON_CACHE is given.
    pub(crate) fn new(
        mut global: Global,
        cancel: Cancel,
        fork_server: io::Result<ForkServer>,
    ) -> Result<Context, Failure> {
        // The variable is not read by clap, because the usage lines of clap would show an option as required if a
        // variable sets it.
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        if let (true, Some(dirs)) = (global.problem_dirs.is_empty(), variable("NIMATRON_PROBLEMS")) {
            global.problem_dirs = std::env::split_paths(&dirs).filter(|dir| !dir.as_os_str().is_empty()).collect();
        }
        global.cache = global.cache.or_else(|| variable("NIMATRON_CACHE").map(PathBuf::from));
        let no_home = || {
            Diagnostic::new("cannot determine the home directory")
                .help("set `HOME` or `NIMATRON_CACHE`, or specify `--cache DIR`")
        };
        let author = || AppStrategyArgs { app_name: "nimatron".to_owned(), ..AppStrategyArgs::default() };
        let strategy = choose_app_strategy(author()).ok();
        let cache =
            global.cache.clone().or_else(|| strategy.as_ref().map(AppStrategy::cache_dir)).ok_or_else(no_home)?;
        let cache = std::path::absolute(&cache).unwrap_or(cache);
        let kept = |strategy: &_| AppStrategy::state_dir(strategy).unwrap_or_else(|| AppStrategy::data_dir(strategy));
        let state = strategy.as_ref().map_or_else(|| cache.join("state"), kept);
        Ok(Context { global, cache, state, cancel, fork_server, service: OnceLock::new() })
    }

    /// Returns the folder for builds and test data.
    pub fn cache(&self) -> &std::path::Path {
        &self.cache
    }

    /// Returns the folder for the history of runs.
    pub fn state(&self) -> &std::path::Path {
        &self.state
    }

    /// Returns the handle that cancels the running programs.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Creates the problem catalog for the current directory and the folders that `--problems` or NIMATRON_PROBLEMS
    /// specifies.
    pub fn catalog(&self) -> Result<Catalog, Failure> {
        let here = std::env::current_dir().unwrap_or_default();
        Catalog::new(&self.global.problem_dirs, &here, &self.cache)
    }

    /// Opens the problem `name` as a package. Returns `None` if it is a native problem. A package is an archive or a
    /// folder in another judge's format, a folder of tests, or a file with samples.
    pub(crate) fn package(&self, name: &str) -> Result<Option<Package>, Failure> {
        ProblemSource::find(&self.catalog()?, name)?.open_package(&self.cache)
    }

    /// Opens a package like [`Context::package`], for a command that requires a native problem. Also returns `None` if
    /// the name is unknown, so that the caller reports a missing problem instead of missing samples.
    pub(crate) fn package_if_any(&self, name: &str) -> Result<Option<Package>, Failure> {
        ProblemSource::find(&self.catalog()?, name).map_or(Ok(None), |source| source.open_package(&self.cache))
    }

    /// Checks that `name` is not a package, for a command that needs the rules of a game, which packages do not contain.
    ///
    /// # Errors
    /// Fails if `name` is a package, or if it is a package that can't be read.
    pub(crate) fn refuse_package(&self, name: &str) -> Result<(), Failure> {
        let Some(package) = self.package_if_any(name)? else { return Ok(()) };
        let what = if package.format == PackageFormat::Folder { "a folder of tests" } else { "a package" };
        Err(Diagnostic::new(format!("`{name}` is {what}, which does not contain the rules of a game"))
            .help("specify a problem with a `game:` in its `problem.yaml`; `nimatron list` shows the built-in problems")
            .into())
    }

    /// Reads the problems `names`, without running any program.
    pub(crate) fn read_problems(&self, names: &[String]) -> Result<Vec<AnyProblem>, Failure> {
        let catalog = self.catalog()?;
        names.iter().map(|name| ProblemSource::find(&catalog, name)?.read(&self.cache)).collect()
    }

    /// Loads the named problems, or all problems if `names` is empty.
    pub(crate) fn problems(&self, names: &[String]) -> Result<Vec<Problem>, Failure> {
        let catalog = self.catalog()?;
        if names.is_empty() {
            return catalog.list().iter().map(|(_, dir)| crate::problem::load(dir).map_err(Failure::from)).collect();
        }
        names.iter().map(|name| catalog.load(name).map_err(Failure::from)).collect()
    }

    /// Returns the judge service. The first call opens it.
    pub fn service(&self) -> Result<&JudgeService, Failure> {
        self.service_with_cells(0)
    }

    /// Like [`Context::service`], but if the service is opened, the processes of `cells` cells are started meanwhile.
    pub(crate) fn service_with_cells(&self, cells: usize) -> Result<&JudgeService, Failure> {
        if let Some(service) = self.service.get() {
            return Ok(service);
        }
        let fork_server = self.fork_server.as_ref().map_err(|error| {
            Failure::fault(
                crate::model::FaultKind::Sandbox,
                format!("cannot determine the path of the `nimatron` executable: {error}"),
            )
        })?;
        let Global { require: level, strict, instructions, .. } = self.global;
        let config = ServiceConfig {
            fork_server: fork_server.clone(),
            cache: self.cache.clone(),
            problems: Some(self.catalog()?.first()),
            jobs: self.jobs(),
            isolation: IsolationRequirement { level, strict, instructions },
            cells,
        };
        let service = JudgeService::open(&config, &self.cancel)?;
        Ok(self.service.get_or_init(|| service))
    }

    /// Finds the problem `name` and prepares it for judging. `query` narrows the search for samples.
    pub(crate) fn prepared_for(&self, name: &str, query: SampleQuery) -> Result<Arc<PreparedProblem>, Failure> {
        let source = ProblemSource::find_for(&self.catalog()?, name, query)?;
        let service = self.service()?;
        self.prepared_read(service, source.read(&self.cache)?)
    }

    /// Prepares a problem that has been read for judging, and shows the progress on standard error.
    pub(crate) fn prepared_read(
        &self,
        service: &JudgeService,
        problem: AnyProblem,
    ) -> Result<Arc<PreparedProblem>, Failure> {
        let (id, screen) = (problem.id().clone(), PreparationScreen::new(self));
        service.prepare_read(problem, &|activity| screen.show(&id, activity))
    }

    /// Returns the maximum number of programs that run concurrently.
    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.global.jobs.map_or_else(processors, usize::from)
    }

    /// Returns the folders that `--problems` or, without this option, NIMATRON_PROBLEMS specifies.
    pub(crate) fn problem_dirs(&self) -> &[PathBuf] {
        &self.global.problem_dirs
    }

    /// Returns whether only results are printed.
    pub fn quiet(&self) -> bool {
        self.global.quiet
    }

    /// Returns whether more details are printed.
    pub(crate) fn verbose(&self) -> bool {
        self.global.verbose
    }

    /// Returns whether standard output is a terminal.
    pub(crate) fn on_terminal(&self) -> bool {
        std::io::stdout().is_terminal()
    }

    /// Returns whether standard output is colored.
    pub(crate) fn color(&self) -> bool {
        colored(self.global.color, std::io::stdout().is_terminal())
    }

    /// Returns whether standard error is colored.
    pub(crate) fn color_errors(&self) -> bool {
        colored(self.global.color, std::io::stderr().is_terminal())
    }

    /// Prints an error about a user's file to standard error.
    pub(crate) fn complain(&self, complaint: &Diagnostic) {
        complain(complaint, self.global.color);
    }

    /// Returns whether progress bars are shown. They are shown if standard error is a terminal and `--quiet` is absent.
    pub(crate) fn progress(&self) -> bool {
        std::io::stderr().is_terminal() && !self.global.quiet
    }

    /// Returns the width of the terminal in columns, but at least 20; 100 if there is no terminal.
    pub(crate) fn width(&self) -> usize {
        terminal_width()
    }
}

/// Prints an error to standard error. Long lines are wrapped if standard error is a terminal.
pub(crate) fn complain(complaint: &Diagnostic, color: Color) {
    let terminal = std::io::stderr().is_terminal();
    let width = terminal_width();
    let complaint = if terminal { &wrapped_diagnostic(complaint, width) } else { complaint };
    let text = render_diagnostic(complaint, colored(color, terminal), width);
    anstream::eprintln!("{}", text.trim_end());
}

/// Returns the width of the terminal in columns, but at least 20; 100 if there is no terminal.
fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).max(20))
}

/// Returns whether to use colors. `Color::Auto` uses them in a terminal, unless NO_COLOR (no-color.org) is set or TERM
/// is `dumb`.
pub(crate) fn colored(requested: Color, terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match requested {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !set("NO_COLOR") && !dumb,
    }
}

/// Writes lines to standard output. Control characters in `text`, which may contain a student's name or a compiler's
/// message, are escaped so that they cannot affect the terminal.
pub fn say(text: &str) -> std::io::Result<()> {
    say_drawn(&safe(text))
}

/// Writes a JSON object to standard output as one line.
pub fn say_json(object: &serde_json::Value) -> std::io::Result<()> {
    say_drawn(&object.to_string())
}

/// Writes text to standard output without escaping, for output that contains color codes or is JSON.
pub(crate) fn say_drawn(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}
