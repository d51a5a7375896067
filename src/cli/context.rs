//! Shared context of the subcommands: resolved global options, directories, the judge service, and output functions.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use nimatron::history::ProblemKey;
use nimatron::model::{Diagnostic, Failure};
use nimatron::package::{Package, PackageFormat, SampleQuery};
use nimatron::problem::{Catalog, Problem};
use nimatron::report::{render_diagnostic, safe, wrapped_diagnostic};
use nimatron::sandbox::{Cancel, IsolationRequirement};
use nimatron::service::{JudgeService, PreparedProblem, ProblemSource, ServiceConfig, catalog_key};

use super::args::{Color, Global};

/// Global options resolved for this machine, with the state that commands share.
pub struct Context {
    global: Global,
    cache: PathBuf,
    state: PathBuf,
    cancel: Cancel,
    service: OnceLock<JudgeService>,
}

impl Context {
    /// Resolves the options on this machine.
    ///
    /// # Errors
    /// Fails if there is no home directory and `--cache` is not given.
    pub fn new(mut global: Global, cancel: Cancel) -> Result<Context, Failure> {
        // The variable is read here and not by clap, which would show an option that is set by a variable as required
        // in its usage lines.
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        if let (true, Some(dirs)) = (global.problem_dirs.is_empty(), variable("NIMATRON_PROBLEMS")) {
            global.problem_dirs = std::env::split_paths(&dirs).filter(|dir| !dir.as_os_str().is_empty()).collect();
        }
        global.cache = global.cache.or_else(|| variable("NIMATRON_CACHE").map(PathBuf::from));
        let no_home = || Diagnostic::new("there is no home directory").help("set HOME, or specify `--cache DIR`");
        let author = || AppStrategyArgs { app_name: "nimatron".to_owned(), ..AppStrategyArgs::default() };
        let strategy = choose_app_strategy(author()).ok();
        let cache =
            global.cache.clone().or_else(|| strategy.as_ref().map(AppStrategy::cache_dir)).ok_or_else(no_home)?;
        let cache = std::path::absolute(&cache).unwrap_or(cache);
        let kept = |strategy: &_| AppStrategy::state_dir(strategy).unwrap_or_else(|| AppStrategy::data_dir(strategy));
        let state = strategy.as_ref().map_or_else(|| cache.join("state"), kept);
        Ok(Context { global, cache, state, cancel, service: OnceLock::new() })
    }

    /// Folder for builds and test data.
    pub fn cache(&self) -> &std::path::Path {
        &self.cache
    }

    /// Directory for the history of runs.
    pub fn state(&self) -> &std::path::Path {
        &self.state
    }

    /// Token that stops running programs.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Creates the problem catalog of the current directory and `--problems`.
    pub fn catalog(&self) -> Result<Catalog, Failure> {
        let here = std::env::current_dir().unwrap_or_default();
        Catalog::new(&self.global.problem_dirs, &here, &self.cache)
    }

    /// Opens the package of this name; `None` if the name belongs to no package. A package is an archive or a folder in
    /// another judge's format.
    pub fn package(&self, name: &str) -> Result<Option<Package>, Failure> {
        self.package_of(&ProblemSource::find(&self.catalog()?, name)?)
    }

    /// Like [`Context::package`], for a command that requires a description of a problem. Returns `None` if there is
    /// neither a package nor samples, so that the error does not concern missing samples.
    pub fn package_if_any(&self, name: &str) -> Result<Option<Package>, Failure> {
        match ProblemSource::find(&self.catalog()?, name) {
            Ok(source) => self.package_of(&source),
            Err(_) => Ok(None),
        }
    }

    fn package_of(&self, source: &ProblemSource) -> Result<Option<Package>, Failure> {
        match source {
            ProblemSource::Package(path) => nimatron::package::open(path, &self.cache).map(Some),
            ProblemSource::Samples { path, query } => {
                nimatron::package::open_samples(path, query, &self.cache).map(Some)
            }
            ProblemSource::Native(_) => Ok(None),
        }
    }

    /// Loads the named problems, or all problems if `names` is empty.
    pub fn problems(&self, names: &[String]) -> Result<Vec<Problem>, Failure> {
        let catalog = self.catalog()?;
        if names.is_empty() {
            return catalog.list().iter().map(|(_, dir)| nimatron::problem::load(dir).map_err(Failure::from)).collect();
        }
        names.iter().map(|name| catalog.load(name).map_err(Failure::from)).collect()
    }

    /// The judge service, which is opened by the first call.
    pub fn service(&self) -> Result<&JudgeService, Failure> {
        if let Some(service) = self.service.get() {
            return Ok(service);
        }
        let cell_exe = std::env::current_exe().map_err(|error| {
            Failure::fault(
                nimatron::model::FaultKind::Sandbox,
                format!("cannot determine the path of this executable: {error}"),
            )
        })?;
        let Global { require: level, strict, instructions, .. } = self.global;
        let config = ServiceConfig {
            cell_exe,
            cache: self.cache.clone(),
            problems: Some(self.catalog()?.first()),
            jobs: self.jobs(),
            isolation: IsolationRequirement { level, strict, instructions },
        };
        let service = JudgeService::open(&config, &self.cancel)?;
        Ok(self.service.get_or_init(|| service))
    }

    /// Finds the problem of this name and prepares it for judging. `query` contains what is known about the use of
    /// samples.
    pub fn prepared_for(&self, name: &str, query: SampleQuery) -> Result<Arc<PreparedProblem>, Failure> {
        let source = ProblemSource::find_for(&self.catalog()?, name, query)?;
        self.service()?.prepare(&source)
    }

    /// Returns the key that identifies the prepared problem of this name in the history.
    pub fn problem_key(&self, name: &str, problem: &PreparedProblem) -> Result<ProblemKey, Failure> {
        match (problem.problem(), problem.package()) {
            (Some(native), _) => Ok(catalog_key(&self.catalog()?, &native.dir, &native.id)),
            (None, Some(package)) => Ok(package_key(name, package)),
            (None, None) => Ok(ProblemKey::at(std::path::Path::new(name))),
        }
    }

    /// Number of programs that run at once.
    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.global.jobs.map_or_else(processors, usize::from)
    }

    /// Directories given with `--problems`.
    pub fn problem_dirs(&self) -> &[PathBuf] {
        &self.global.problem_dirs
    }

    /// Whether only results are printed.
    pub fn quiet(&self) -> bool {
        self.global.quiet
    }

    /// Whether more details are printed.
    pub fn verbose(&self) -> bool {
        self.global.verbose
    }

    /// Whether standard output is a terminal.
    pub fn on_terminal(&self) -> bool {
        std::io::stdout().is_terminal()
    }

    /// Whether standard output is coloured.
    pub fn color(&self) -> bool {
        colored(self.global.color, std::io::stdout().is_terminal())
    }

    /// Whether standard error is coloured.
    pub fn color_errors(&self) -> bool {
        colored(self.global.color, std::io::stderr().is_terminal())
    }

    /// Prints an error in a user's file to standard error.
    pub fn complain(&self, complaint: &Diagnostic) {
        complain(complaint, self.global.color);
    }

    /// Whether progress bars are shown: only on a terminal and without `--quiet`.
    pub fn progress(&self) -> bool {
        std::io::stderr().is_terminal() && !self.global.quiet
    }

    /// Width of the terminal in columns; 100 if the output is not a terminal.
    pub fn width(&self) -> usize {
        terminal_width()
    }
}

/// Returns the key of a package. The key of an archive is the path of the archive, because its unpacked folder is in
/// the cache. A folder may contain the samples of several problems; their keys are their folders or the files of cph.
pub fn package_key(name: &str, package: &Package) -> ProblemKey {
    let path = std::path::Path::new(name);
    let whole = path.canonicalize().unwrap_or_default();
    let is_samples = package.format == PackageFormat::Folder && whole.is_dir();
    match package.content.as_deref() {
        Some([file]) if is_samples && file.extension().is_some_and(|end| end == "prob") => ProblemKey::at(file),
        _ if is_samples => ProblemKey::at(&package.root),
        _ if whole.is_file() || package.root.starts_with(&whole) => ProblemKey::at(path),
        _ => ProblemKey::at(&package.root),
    }
}

/// Prints an error to standard error. The text is wrapped for a terminal, and keeps long lines in a file or a pipe.
pub fn complain(complaint: &Diagnostic, color: Color) {
    let terminal = std::io::stderr().is_terminal();
    let width = terminal_width();
    let complaint = if terminal { &wrapped_diagnostic(complaint, width) } else { complaint };
    let text = render_diagnostic(complaint, colored(color, terminal), width);
    anstream::eprintln!("{}", text.trim_end());
}

/// Width of the terminal in columns; 100 if there is none.
fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).max(20))
}

/// Whether to use colours. `Color::Auto` uses them in a terminal, unless NO_COLOR (no-color.org) is set or TERM is
/// `dumb`.
pub fn colored(wish: Color, terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match wish {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !set("NO_COLOR") && !dumb,
    }
}

/// Writes lines to standard output. Control characters in `text`, such as in a student's name or a compiler's message,
/// are escaped so that they cannot affect the terminal.
pub fn say(text: &str) -> std::io::Result<()> {
    say_drawn(&safe(text))
}

/// Writes a JSON object to standard output as one line.
pub fn say_json(object: &serde_json::Value) -> std::io::Result<()> {
    say_drawn(&object.to_string())
}

/// Writes text to standard output without escaping, for output that contains colour codes or is JSON.
pub fn say_drawn(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}
