//! A problem that programs can be judged on. It is the common interface to the cases, limits, plans and sources of
//! native problems and packages.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::catalog::Catalog;
use crate::data::{Case, LOCK_FILE, Lock};
use crate::judge::{Plan, Stop};
use crate::lang::{Source, SourceBundle};
use crate::model::{Activity, Diagnostic, Digest, Failure, Limits, ProblemId, TimeSpan};
use crate::package::{Package, PackageFormat, SampleQuery, is_package, look_for_samples, open_samples};
use crate::problem::{Problem, TimeLimitSource};

use super::content_digest::content_digest;
use super::custom_input::{custom_input_plan, package_input_plan};
use super::host::Host;
use super::options::JudgeOptions;
use super::package_generate::generate_files;
use super::package_inputs::make_inputs;
use super::package_plan::{package_plan, submit};
use super::package_source::{own_submission, package_source, source_notes, submission_bundle};
use super::package_time::{known_limits, measured_limits};
use super::solutions::reference;
use super::test_data::{Prepared, prepare_data};
use super::time_limit::{Measurement, derive, with_time};

/// The location of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemSource {
    /// The folder of a native problem.
    Native(PathBuf),
    /// The folder or the archive of a package in another judge's format.
    Package(PathBuf),
    /// A folder of tests without a problem description, or a file with samples.
    Samples {
        /// The path of the folder or the file.
        path: PathBuf,
        /// The query that selects the samples.
        query: SampleQuery,
    },
}

impl ProblemSource {
    /// Finds the problem that `name` specifies: a path to a package, a problem of the catalog, a folder of tests, or a
    /// file with samples.
    ///
    /// # Errors
    /// Fails if there is no such problem; the message suggests the closest name, or lists the locations that were
    /// searched.
    pub fn find(catalog: &Catalog, name: &str) -> Result<ProblemSource, Diagnostic> {
        ProblemSource::find_for(catalog, name, SampleQuery::default())
    }

    /// Like [`ProblemSource::find`], but `query` selects the samples if `name` specifies samples.
    ///
    /// # Errors
    /// Returns the errors of [`ProblemSource::find`], and fails if there are samples of several problems and the
    /// program matches none of them.
    pub fn find_for(catalog: &Catalog, name: &str, query: SampleQuery) -> Result<ProblemSource, Diagnostic> {
        let path = Path::new(name);
        if path.exists() && is_package(path) {
            return Ok(ProblemSource::Package(path.to_owned()));
        }
        let error = match catalog.find(name) {
            Ok(folder) => return Ok(ProblemSource::of_path(folder)),
            Err(error) => error,
        };
        // Samples are recognized by guessing, so every other interpretation of the name takes precedence.
        match look_for_samples(path, &query) {
            Some(found) => found.map(|()| ProblemSource::Samples { path: path.to_owned(), query }),
            None if path.is_file() => Err(Diagnostic::new(format!("the file `{}` is not a problem", path.display()))
                .help(
                    "specify the problem as an id, a folder, a `.zip` or `.kpp` archive, or a file with samples, \
                     such as a `.prob`, `.json` or `.txt` file; \
                     the problem is the first argument of `nimatron run PROBLEM PROGRAM`",
                )),
            None => Err(error),
        }
    }

    /// Returns the location of the problem at `path`.
    pub fn of_path(path: PathBuf) -> ProblemSource {
        if is_package(&path) { ProblemSource::Package(path) } else { ProblemSource::Native(path) }
    }

    /// Reads the problem, without running any program. `cache` is the folder into which archives are unpacked.
    ///
    /// # Errors
    /// Fails if the problem can't be read or is invalid.
    pub fn read(&self, cache: &Path) -> Result<AnyProblem, Failure> {
        Ok(match self.open_package(cache)? {
            Some(package) => AnyProblem::Package(Box::new(package)),
            None => AnyProblem::Native(Box::new(crate::problem::load(self.path())?)),
        })
    }

    /// Opens the package at this location; `None` for a native problem. `cache` is the folder into which archives are
    /// unpacked.
    ///
    /// # Errors
    /// Fails if the package or the samples can't be read.
    pub fn open_package(&self, cache: &Path) -> Result<Option<Package>, Failure> {
        match self {
            ProblemSource::Package(path) => crate::package::open(path, cache).map(Some),
            ProblemSource::Samples { path, query } => open_samples(path, query, cache).map(Some),
            ProblemSource::Native(_) => Ok(None),
        }
    }

    /// Returns the path of the problem.
    pub fn path(&self) -> &Path {
        match self {
            ProblemSource::Native(path) | ProblemSource::Package(path) | ProblemSource::Samples { path, .. } => path,
        }
    }
}

/// A native problem or a package, as it was read.
#[derive(Debug)]
pub enum AnyProblem {
    /// A native problem.
    Native(Box<Problem>),
    /// A package in another judge's format, or samples.
    Package(Box<Package>),
}

impl AnyProblem {
    /// Returns the id of the problem, for events and messages.
    pub fn id(&self) -> &ProblemId {
        match self {
            AnyProblem::Native(problem) => &problem.id,
            AnyProblem::Package(package) => &package.id,
        }
    }

    /// Returns the problem's title.
    pub fn title(&self) -> &str {
        match self {
            AnyProblem::Native(problem) => &problem.name,
            AnyProblem::Package(package) => package.title(),
        }
    }

    /// Returns the native problem; `None` for a package.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            AnyProblem::Native(problem) => Some(problem),
            AnyProblem::Package(_) => None,
        }
    }

    /// Returns the package; `None` for a native problem.
    pub fn package(&self) -> Option<&Package> {
        match self {
            AnyProblem::Native(_) => None,
            AnyProblem::Package(package) => Some(package),
        }
    }

    /// Returns the error that the problem is interactive but has no interactor, because it consists of samples; `None` for
    /// other problems. What the user can do depends on the command, so the caller adds the help.
    pub fn missing_interactor(&self) -> Option<Diagnostic> {
        let samples = self.package().is_some_and(|package| {
            package.format == PackageFormat::Folder && package.kind.interactive && package.submissions.is_empty()
        });
        let message = || format!("{} is interactive, but its samples do not include an interactor", self.id());
        samples.then(|| Diagnostic::new(message()))
    }
}

/// A problem that programs can be judged on.
#[derive(Debug)]
pub struct PreparedProblem {
    kind: AnyProblem,
    /// The test data of a native problem, once it has been generated.
    data: OnceLock<Prepared>,
    digest: Digest,
    /// The limits in force, once the time limit has been measured.
    measured: OnceLock<Limits>,
}

/// The plan and the limits of a native problem or a package, for judging programs with the same options.
#[derive(Debug, Clone)]
pub struct JudgingTarget {
    /// The id of the problem, for events and messages.
    pub problem: ProblemId,
    /// The title of the problem.
    pub title: String,
    /// The cases, in the order in which they are judged.
    pub plan: Plan,
    /// The limits in force.
    pub limits: Limits,
}

impl PreparedProblem {
    /// Reads a problem. The test data of a native problem is generated when it is needed; files that a package's own
    /// programs generate are created immediately.
    ///
    /// # Errors
    /// Fails if the problem is invalid, or if the judge itself fails.
    pub fn open(host: &Host, source: &ProblemSource) -> Result<PreparedProblem, Failure> {
        PreparedProblem::of_read(host, source.read(host.cache().root())?, &|_, _| {})
    }

    /// Prepares a problem that has been read. `progress` is that of [`PreparedProblem::of_package`].
    ///
    /// # Errors
    /// Returns the errors of [`PreparedProblem::of_problem`] and [`PreparedProblem::of_package`].
    pub fn of_read(
        host: &Host,
        problem: AnyProblem,
        progress: &dyn Fn(usize, usize),
    ) -> Result<PreparedProblem, Failure> {
        match problem {
            AnyProblem::Native(problem) => PreparedProblem::of_problem(host, *problem),
            AnyProblem::Package(package) => PreparedProblem::of_package(host, *package, progress),
        }
    }

    /// Prepares a native problem that has been read.
    ///
    /// # Errors
    /// Fails if its files can't be read.
    pub fn of_problem(host: &Host, problem: Problem) -> Result<PreparedProblem, Failure> {
        let digest = content_digest(host.cache(), &native_paths(&problem))?;
        Ok(PreparedProblem::new(AnyProblem::Native(Box::new(problem)), digest))
    }

    /// Prepares a package that has been read. Generates the files that it defines only by commands, and calls `progress`
    /// with the number of finished cases and the total if programs must be run.
    ///
    /// # Errors
    /// Fails if no case can be generated, if its files can't be read, or if the judge itself fails.
    pub fn of_package(
        host: &Host,
        mut package: Package,
        progress: &dyn Fn(usize, usize),
    ) -> Result<PreparedProblem, Failure> {
        let digest = content_digest(host.cache(), package.content_paths())?;
        make_inputs(host, &mut package, progress)?;
        generate_files(host, &mut package, progress)?;
        Ok(PreparedProblem::new(AnyProblem::Package(Box::new(package)), digest))
    }

    fn new(kind: AnyProblem, digest: Digest) -> PreparedProblem {
        PreparedProblem { kind, data: OnceLock::new(), digest, measured: OnceLock::new() }
    }

    /// Returns the id of the problem, for events and messages.
    pub fn id(&self) -> &ProblemId {
        self.kind.id()
    }

    /// Returns the problem's title.
    pub fn title(&self) -> &str {
        self.kind.title()
    }

    /// Returns the hash of the problem's files, which is the same on every machine.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns whether the problem's files have not changed since they were read.
    pub(crate) fn is_unchanged(&self, host: &Host) -> bool {
        let paths = match &self.kind {
            AnyProblem::Native(problem) => native_paths(problem),
            AnyProblem::Package(package) => package.content_paths().to_vec(),
        };
        content_digest(host.cache(), &paths).is_ok_and(|digest| digest == self.digest)
    }

    /// Returns the native problem; `None` for a package.
    pub fn problem(&self) -> Option<&Problem> {
        self.kind.problem()
    }

    /// Returns the package; `None` for a native problem.
    pub fn package(&self) -> Option<&Package> {
        self.kind.package()
    }

    /// Returns the test data of a native problem and generates it if necessary; `None` for a package, which contains
    /// its data. Calls `progress` with the number of finished cases and the total.
    ///
    /// # Errors
    /// Returns the errors of [`prepare_data`].
    pub fn data(&self, host: &Host, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Option<&Prepared>, Failure> {
        let AnyProblem::Native(problem) = &self.kind else { return Ok(None) };
        if self.data.get().is_none() {
            // Two threads may generate the data concurrently; the results are equal.
            let _ = self.data.set(prepare_data(host, problem, progress)?);
        }
        Ok(self.data.get())
    }

    /// Returns the cases of a native problem; empty for a package.
    ///
    /// # Errors
    /// Returns the errors of [`PreparedProblem::data`], and fails if the data does not match the lock.
    pub fn cases(&self, host: &Host, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<&[Case], Failure> {
        match (self.data(host, progress)?, self.problem()) {
            (Some(data), Some(problem)) => match broken_lock(problem, &data.lock) {
                Some(complaint) => Err(complaint.into()),
                None => Ok(&data.made.cases),
            },
            _ => Ok(&[]),
        }
    }

    /// Returns the names of the known cases. The cases of a native problem are known only after its data has been
    /// generated.
    pub fn case_names(&self) -> Vec<String> {
        match &self.kind {
            AnyProblem::Native(_) => {
                let cases = self.data.get().into_iter().flat_map(|data| &data.made.cases);
                cases.map(|case| case.id.as_str().to_owned()).collect()
            }
            AnyProblem::Package(package) => package.cases.iter().map(|case| case.name.clone()).collect(),
        }
    }

    /// Returns whether programs can earn points on this problem. Otherwise, a program only passes or fails.
    pub fn has_points(&self) -> bool {
        match &self.kind {
            AnyProblem::Native(problem) => problem.groups.iter().any(|group| group.points.is_some()),
            AnyProblem::Package(package) => package.kind.scoring,
        }
    }

    /// Reads a program to judge on this problem: a file, a folder, or answers if the problem requires submitted
    /// answers.
    ///
    /// # Errors
    /// Fails if the files can't be read or are not a valid program.
    pub fn read_source(&self, path: &Path, language: Option<&str>) -> Result<SourceBundle, Failure> {
        if let Some(submission) = self.package().and_then(|package| own_submission(package, path)) {
            let bundle = submission_bundle(submission)?;
            let (name, language) = (path.display().to_string(), language.map(str::to_owned).or(bundle.language));
            return Ok(SourceBundle { name, language, ..bundle });
        }
        let bundle = match self.package().is_some_and(|package| package.kind.submit_answer) {
            true => SourceBundle::read_answers(path),
            false => SourceBundle::read(path, language),
        };
        bundle.map_err(Failure::from)
    }

    /// Returns notes for the user: the cases of a package that are left out, and [`PreparedProblem::source_notes`].
    pub fn notes(&self, bundle: &SourceBundle) -> Vec<String> {
        let mut notes = self.package().map(Package::skipped_case_notes).unwrap_or_default();
        notes.extend(self.source_notes(bundle));
        notes
    }

    /// Returns notes for the user, for a program that is empty or whose source exceeds a limit that is not enforced.
    pub fn source_notes(&self, bundle: &SourceBundle) -> Vec<String> {
        source_notes(self.package(), bundle)
    }

    /// Prepares a submitted program for this problem.
    ///
    /// # Errors
    /// Fails if the files are not a valid program, if the problem does not allow the program, or if the judge itself
    /// fails.
    pub fn source(&self, host: &Host, bundle: &SourceBundle) -> Result<Source, Failure> {
        match &self.kind {
            AnyProblem::Native(_) => host.languages().from_bundle(bundle),
            AnyProblem::Package(package) => package_source(host, package, bundle),
        }
    }

    /// Creates the plan for a program. `source` is used only if the problem requires submitted answers.
    ///
    /// # Errors
    /// Fails if a requested case or group does not exist, if the custom input is invalid or can't be answered, if the
    /// options specify neither an interactor nor a checker nor an input for an interactive problem that consists of
    /// samples, or if the checker or the interactor of the options can't be used. Returns the errors of
    /// [`PreparedProblem::cases`].
    pub(crate) fn plan(&self, host: &Host, source: Option<&Source>, options: &JudgeOptions) -> Result<Plan, Failure> {
        self.check_interactor(options)?;
        let mut plan = match (&self.kind, options.inputs.is_empty()) {
            (AnyProblem::Native(problem), false) => custom_input_plan(host, problem, options)?,
            (AnyProblem::Native(problem), true) => {
                options.plan(problem, self.cases(host, &|_, _| {})?, host.store())?
            }
            (AnyProblem::Package(package), false) => package_input_plan(host, package, options)?,
            (AnyProblem::Package(package), true) => {
                let mut plan = package_plan(package, options)?;
                if let Some(source) = source.filter(|_| package.kind.submit_answer) {
                    submit(package, source, &mut plan);
                }
                plan
            }
        };
        options.replace_judging(self.id(), &mut plan, host.cache())?;
        Ok(plan)
    }

    /// Checks that the options determine how an interactive problem that consists of samples is judged, since samples
    /// have no interactor.
    fn check_interactor(&self, options: &JudgeOptions) -> Result<(), Diagnostic> {
        let is_given = options.interactor.is_some() || options.checker.is_some() || !options.inputs.is_empty();
        match self.kind.missing_interactor().filter(|_| !is_given) {
            None => Ok(()),
            Some(missing) => Err(missing.help(
                "specify an interactor with `--interactor PROGRAM`, compare outputs with `--checker tokens`, \
                 or use `--input FILE`",
            )),
        }
    }

    /// Returns the limits in force if they are known without running programs.
    ///
    /// # Errors
    /// Fails if the time limit of the options is 0.
    pub fn known_limits(&self, host: &Host, options: &JudgeOptions) -> Result<Option<Limits>, Failure> {
        Ok(self.known_by_time(host, options)?.map(|limits| options.with_memory(limits)))
    }

    /// Like [`PreparedProblem::known_limits`], but ignores the memory limit of the options.
    fn known_by_time(&self, host: &Host, options: &JudgeOptions) -> Result<Option<Limits>, Failure> {
        if options.time == Some(TimeSpan::ZERO) {
            return Err(Diagnostic::new("the time limit must be greater than 0").into());
        }
        if let (Some(limits), None) = (self.measured.get(), options.time) {
            return Ok(Some(*limits));
        }
        Ok(match &self.kind {
            AnyProblem::Package(package) => known_limits(host, package, options),
            AnyProblem::Native(problem) => match (options.time, problem.time) {
                (Some(time), _) => {
                    let limits = with_time(&problem.limits, time);
                    Some(Limits { wall: limits.wall.max(problem.limits.wall), ..limits })
                }
                (None, TimeLimitSource::Fixed) => Some(problem.limits),
                (None, TimeLimitSource::Auto) => None,
            },
        })
    }

    /// Returns the limits in force. A time limit that is derived from the problem's programs is measured on these
    /// slots. It is measured only once on a machine.
    ///
    /// # Errors
    /// Fails if the time limit of the options is 0, if the time limit can't be derived, if the test data can't be
    /// generated or does not match the lock, or if the judge itself fails.
    pub fn limits(
        &self,
        host: &Host,
        slots: &[usize],
        options: &JudgeOptions,
        report: &mut dyn FnMut(Activity),
    ) -> Result<Limits, Failure> {
        if let Some(limits) = self.known_limits(host, options)? {
            return Ok(limits);
        }
        let mut measurement = Measurement { host, slots, report };
        let limits = match &self.kind {
            AnyProblem::Package(package) => measured_limits(&mut measurement, package)?,
            AnyProblem::Native(problem) => {
                let cases = self.cases(host, &|_, _| {})?;
                with_time(&problem.limits, derive(&mut measurement, problem, cases)?.limit)
            }
        };
        // Two threads may measure the limit concurrently; the first result is kept.
        Ok(options.with_memory(*self.measured.get_or_init(|| limits)))
    }

    /// Creates the plan and the limits for judging with `options`. Slots are leased only if test data must be generated
    /// or a time limit must be measured.
    ///
    /// # Errors
    /// Returns the errors of [`PreparedProblem::limits`], and fails if the cases, the inputs, the checker or the
    /// interactor of the options can't be used.
    pub fn target(
        &self,
        host: &Host,
        options: &JudgeOptions,
        report: &mut dyn FnMut(Activity),
    ) -> Result<JudgingTarget, Failure> {
        let plan = self.plan(host, None, options)?;
        let limits = self.limits_on_free_slots(host, options, report)?;
        Ok(JudgingTarget { problem: self.id().clone(), title: self.title().to_owned(), plan, limits })
    }

    /// Like [`PreparedProblem::limits`], but leases the free slots itself, and waits if no slot is free. Slots are
    /// leased only if a time limit must be measured.
    ///
    /// # Errors
    /// Fails for the reasons given at [`PreparedProblem::limits`].
    pub fn limits_on_free_slots(
        &self,
        host: &Host,
        options: &JudgeOptions,
        report: &mut dyn FnMut(Activity),
    ) -> Result<Limits, Failure> {
        if let Some(limits) = self.known_limits(host, options)? {
            return Ok(limits);
        }
        // The data is generated before slots are leased, because the generation leases slots too.
        self.cases(host, &|_, _| {})?;
        let lease = host.slots().lease(usize::MAX, host.cancel(), &mut || {})?;
        self.limits(host, lease.slots(), options, report)
    }
}

/// Returns the folder of a native problem, followed by the path of its reference solution if it has one.
fn native_paths(problem: &Problem) -> Vec<PathBuf> {
    let reference = reference(problem).ok().map(|solution| solution.path);
    std::iter::once(problem.dir.clone()).chain(reference).collect()
}

impl JudgingTarget {
    /// Returns the rule by which cases are skipped after a failure.
    pub fn stop(&self) -> Stop {
        self.plan.stop
    }
}

/// Returns the error for test data that differs from the lock file, or for a damaged lock file, with advice. Returns
/// `None` if the data matches the file or if there is no file.
pub fn broken_lock(problem: &Problem, lock: &Lock) -> Option<Diagnostic> {
    let (message, purpose) = match lock {
        Lock::Absent | Lock::Holds => return None,
        Lock::Damaged(damage) => (damage.clone(), "create the file again"),
        Lock::Broken(lines) => {
            let shown = lines.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let more = lines.len().saturating_sub(5);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!("the test data of {} differs from `{LOCK_FILE}`: {shown}{more}", problem.id);
            (message, "accept the new data")
        }
    };
    let help = format!("to {purpose}, run `nimatron generate {} --update-lock`", problem.dir.display());
    Some(Diagnostic::new(message).help(help))
}
