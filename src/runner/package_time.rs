//! Derives a time limit from the times of the package's own programs if the package does not set a time limit.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::model::{Activity, Diagnostic, EventKind, Failure, Fault, KeyWriter, Limits, Outcome, TimeSpan, Verdict};
use crate::package::{Package, PackageSubmission, TimeLimitUse, glob_matches};

use super::host::Host;
use super::judging::JudgeJob;
use super::options::JudgeOptions;
use super::package_plan::{package_plan, submit};
use super::package_source::submission_source;
use super::time_limit::{KEY_VERSION, Measurement};

/// The CPU time limit of programs while the time limit of the package is not known.
const LONGEST: TimeSpan = TimeSpan::seconds(30);

/// The serialized form of a derived time limit in the cache, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct KeptTimeLimit {
    micros: u64,
}

/// Returns the package's limits. If the package sets no time limit, the CPU time limit is 30 seconds, so that programs
/// can be measured.
pub fn generous_limits(package: &Package) -> Limits {
    package.limits.with_time(package.limits.time.unwrap_or(LONGEST))
}

/// Returns the limits if they are known without running a program. The time limit is taken from the options, the
/// package, or an earlier measurement on this machine.
pub(super) fn known_limits(host: &Host, package: &Package, options: &JudgeOptions) -> Option<Limits> {
    let kept = || {
        let text = fs_err::read(time_file(host, package)).ok()?;
        serde_json::from_slice::<KeptTimeLimit>(&text).ok().map(|kept| TimeSpan::micros(kept.micros))
    };
    options.time.or(package.limits.time).or_else(kept).map(|time| package.limits.with_time(time))
}

/// Derives the time limit from the times of the package's programs and caches it, so that the programs are measured
/// only once on a machine.
///
/// # Errors
/// Fails if none of the programs that determine the limit runs to completion on this machine, if the cache can't be
/// written, or if the judge itself fails.
pub(super) fn measured_limits(measurement: &mut Measurement<'_>, package: &Package) -> Result<Limits, Failure> {
    let host = measurement.host;
    let mut slowest = None;
    for submission in &package.submissions {
        let Some(only) = cases_in_time(package, submission) else { continue };
        let source = match submission_source(host, package, submission) {
            Ok(source) => source,
            Err(Failure::Complaint(_)) => continue,
            Err(fault) => return Err(fault),
        };
        if host.languages().missing(&source)?.is_some() {
            continue;
        }
        (measurement.report)(Activity::MeasuringTimeLimit { program: submission.name.clone() });
        let mut plan = package_plan(package, &JudgeOptions { only, ..JudgeOptions::default() })?;
        if package.kind.submit_answer {
            submit(package, &source, &mut plan);
        }
        let job = JudgeJob { problem: &package.id, plan: &plan, source: &source, name: &submission.name };
        let mut ended = AllEnded(true);
        let summary = job.judge(host, measurement.slots, generous_limits(package), &mut ended)?.summary;
        match summary.outcome {
            // If the program does not compile, it was not run on any case, and `summary.slowest` is `None`.
            Outcome::Final { .. } if ended.0 => slowest = slowest.max(summary.slowest.map(|(_, time)| time)),
            Outcome::Final { .. } => {}
            Outcome::Inconclusive { faults } => return Err(Fault::first_of(&faults).into()),
        }
    }
    let Some(slowest) = slowest else {
        let message = format!(
            "cannot derive the time limit of {}: none of the accepted programs ran to completion on this machine",
            package.id
        );
        let help =
            "specify a time limit in the package, or with an option of `run`, `stress` or `grade`, such as `--time 2s`";
        return Err(Diagnostic::new(message).help(help).into());
    };
    let time = package.limits.time_for(slowest);
    keep_time_limit(host, package, time)?;
    Ok(package.limits.with_time(time))
}

/// Returns the names of the cases in which the submission's time is a lower bound of the time limit, as
/// [`JudgeOptions::only`] lists them: an empty list stands for all cases. Returns `None` if there are none.
pub fn cases_in_time(package: &Package, submission: &PackageSubmission) -> Option<Vec<String>> {
    if submission.time_limit_use == TimeLimitUse::Lower {
        return Some(Vec::new());
    }
    let is_in_time = |case: &&str| submission.in_time_cases.iter().any(|pattern| glob_matches(pattern, case));
    let only: Vec<String> =
        package.cases.iter().map(|case| case.name.as_str()).filter(is_in_time).map(str::to_owned).collect();
    Some(only).filter(|only| !only.is_empty())
}

/// An event sink that records whether no case exceeded the time limit or the idle limit. Only then are the program's
/// times used to derive a time limit.
struct AllEnded(bool);

impl crate::judge::EventSink for AllEnded {
    fn emit(&mut self, _: Option<u64>, kind: EventKind) {
        if let EventKind::CaseFinished(result) = &kind {
            self.0 &= ran_to_end(result.verdict);
        }
    }
}

/// Returns whether a program with this verdict was not stopped at a time limit. Only the times of such programs are
/// used to derive a time limit.
pub fn ran_to_end(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit)
}

/// Caches a derived time limit.
///
/// # Errors
/// Fails if the cache can't be written.
pub fn keep_time_limit(host: &Host, package: &Package, time: TimeSpan) -> Result<(), Failure> {
    let file = time_file(host, package);
    let unwritable = |error: std::io::Error| Failure::unwritable(&file, &error);
    let text = serde_json::to_vec(&KeptTimeLimit { micros: time.as_micros() });
    let text = text.map_err(|error| unwritable(error.into()))?;
    crate::data::write_whole(&file, &text).map_err(unwritable)
}

/// Returns the file with a package's derived time limit. Its name depends on the settings, the submissions and the
/// inputs of the package, and on the number of slots.
fn time_file(host: &Host, package: &Package) -> PathBuf {
    let mut key = KeyWriter::new("time limit of a package", KEY_VERSION);
    key.field("limits", &package.limits).field("output", &package.output).field("jobs", &host.jobs());
    key.field("languages", &package.languages).field("constants", &package.constants);
    // The arguments are written only if there are any, so that the files of other packages keep the names that earlier
    // versions used.
    if !package.compiler_args.submissions.is_empty() {
        key.field("compiler_args", &package.compiler_args.submissions);
    }
    key.field("submissions", &package.submissions.len());
    for PackageSubmission { path, language, entry, time_limit_use, in_time_cases, .. } in &package.submissions {
        write_stamp(&mut key, path);
        key.field("language", language).field("entry", entry).field("timing", time_limit_use);
        if !in_time_cases.is_empty() {
            key.field("in_time_cases", in_time_cases);
        }
    }
    key.field("cases", &package.cases.len());
    package.cases.iter().for_each(|case| write_stamp(&mut key, &case.input));
    host.cache().time_limit(&format!("package-{}", key.digest()))
}

/// Adds a file's path, size and modification time to a key, so that the key changes when the file does.
fn write_stamp(key: &mut KeyWriter, path: &Path) {
    let about = fs_err::metadata(path).ok();
    key.field("path", path).field("size", &about.as_ref().map(|about| about.len()));
    key.field("modified", &about.map(|about| (about.mtime(), about.mtime_nsec())));
}
