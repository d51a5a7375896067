//! Derives a time limit from the solutions, with the multipliers of the ICPC package format.
//!
//! The limit is the smallest multiple of [`RESOLUTION`] that is at least [`ACCEPTED_TO_LIMIT`] times the CPU time of
//! the slowest accepted solution on its slowest case. Every too-slow solution must take longer than the limit
//! multiplied by [`LIMIT_TO_TLE`].

use crate::data::Case;
use crate::model::{
    Activity, Diagnostic, Digest, Failure, Fault, FaultKind, KeyWriter, Limits, Outcome, TimeSpan, Verdict,
    default_wall,
};
use crate::problem::Problem;

use super::host::Host;
use super::judging::{JudgeJob, NoEvents};
use super::options::JudgeOptions;
use super::solutions::{Solution, solutions};

/// All derived time limits are multiples of this unit.
const RESOLUTION: TimeSpan = TimeSpan::seconds(1);
/// The limit is at least this many times the time of the slowest accepted solution: `ac_to_time_limit` of the ICPC
/// package format.
pub const ACCEPTED_TO_LIMIT: u64 = 2;
/// The factor `time_limit_to_tle` of the ICPC package format, as numerator and denominator. Too-slow solutions must
/// take longer than the limit multiplied by this factor.
const LIMIT_TO_TLE: (u64, u64) = (3, 2);

/// The version of the keys of cached time limits.
pub(super) const KEY_VERSION: u32 = 2;

/// A derived time limit and its origin.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct DerivedTimeLimit {
    /// The limit, serialized in microseconds.
    #[serde(with = "micros")]
    pub(super) limit: TimeSpan,
    /// The name of the slowest accepted solution.
    slowest: String,
}

/// Serializes times as whole microseconds.
mod micros {
    use crate::model::TimeSpan;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(span: &TimeSpan, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(span.as_micros())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TimeSpan, D::Error> {
        u64::deserialize(deserializer).map(TimeSpan::micros)
    }
}

/// Returns the minimum time of a too-slow solution for this limit: the limit times `time_limit_to_tle` of the ICPC
/// package format.
pub fn least_too_slow(limit: TimeSpan) -> TimeSpan {
    TimeSpan::micros(limit.as_micros() * LIMIT_TO_TLE.0 / LIMIT_TO_TLE.1)
}

/// Returns the smallest positive multiple of [`RESOLUTION`] that is at least [`ACCEPTED_TO_LIMIT`] times `slowest`, the
/// time of the slowest accepted solution.
fn limit_for(slowest: TimeSpan) -> TimeSpan {
    let wanted = slowest.times(ACCEPTED_TO_LIMIT).as_micros();
    RESOLUTION.times(wanted.div_ceil(RESOLUTION.as_micros()).max(1))
}

/// Returns `limits` with the CPU time limit `cpu` and a matching wall limit.
pub(super) fn with_time(limits: &Limits, cpu: TimeSpan) -> Limits {
    Limits { cpu, wall: default_wall(cpu), ..*limits }
}

/// The environment of a measurement: the host and the slots on which solutions are run, and the function that reports
/// the progress.
pub(super) struct Measurement<'a> {
    pub(super) host: &'a Host,
    pub(super) slots: &'a [usize],
    pub(super) report: &'a mut dyn FnMut(Activity),
}

/// Derives the time limit. The same solutions and data are measured only once on a machine.
///
/// # Errors
/// Fails if the solutions can't be read, if a solution in the folder `accepted` is not accepted, if no accepted
/// solution can be run on this machine, if the time of a too-slow solution is too close to the limit, if the cache
/// can't be written, or if the judge itself fails.
pub(super) fn derive(
    measurement: &mut Measurement<'_>,
    problem: &Problem,
    cases: &[Case],
) -> Result<DerivedTimeLimit, Failure> {
    let host = measurement.host;
    let mut list = solutions(problem)?;
    list.retain(|solution| host.languages().may_be_program(&solution.path));
    let file = host.cache().time_limit(&key(host, problem, &list, cases)?.to_string());
    if let Some(known) = fs_err::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        return Ok(known);
    }
    let derived = measure(measurement, problem, &list, cases)?;
    let text = serde_json::to_vec(&derived).map_err(|error| Fault::io(FaultKind::Data, &error.into()))?;
    crate::data::write_whole(&file, &text).map_err(|error| Failure::unwritable(&file, &error))?;
    Ok(derived)
}

/// Returns the hash of the data on which the measurement depends: the limits, the number of slots, the solutions with
/// their compilers or interpreters, the auxiliary programs and the cases. A cache belongs to one machine, so the
/// machine is not part of the hash.
fn key(host: &Host, problem: &Problem, list: &[Solution], cases: &[Case]) -> Result<Digest, Failure> {
    let languages = host.languages();
    let mut key = KeyWriter::new("time limit", KEY_VERSION);
    key.field("limits", &problem.limits).field("judging", &problem.judging).field("jobs", &host.jobs());
    for solution in list {
        // A solution that can't be loaded is left out of the key. If it has to be measured, `measure` reports the
        // error.
        let Some(source) = unless_invalid(languages.load(&solution.path, None))? else { continue };
        let toolchain = languages.digest_if_installed(&source)?;
        key.field("solution", &solution.folder).field("source", &source.digest()).field("toolchain", &toolchain);
    }
    for aux_program in problem.judging.aux_programs() {
        let source = unless_invalid(languages.load_author(&aux_program.source, aux_program.language.as_deref()))?;
        key.field("auxiliary program", &source.map(|source| source.digest()));
    }
    for case in cases {
        key.field("input", &case.input.digest).field("answer", &case.answer.digest);
    }
    Ok(key.digest())
}

/// Converts a complaint, such as about an invalid file or a language that is not installed, to `None`. A fault of the
/// judge remains an error.
fn unless_invalid<T>(result: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Complaint(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn measure(
    measurement: &mut Measurement<'_>,
    problem: &Problem,
    list: &[Solution],
    cases: &[Case],
) -> Result<DerivedTimeLimit, Failure> {
    let mut slowest = (TimeSpan::ZERO, String::new());
    let with = |folder: &'static str| list.iter().filter(move |solution| solution.folder == folder);
    for solution in with("accepted") {
        match time_of(measurement, (problem, cases), solution, (&problem.limits, false))? {
            Some((time, Verdict::Accepted)) if time >= slowest.0 => slowest = (time, solution.name.clone()),
            Some((_, Verdict::Accepted)) | None => {}
            Some((_, verdict)) => {
                let message = format!(
                    "cannot derive the time limit of {}: the verdict of `{}` is `{}`, but must be `accepted`",
                    problem.id,
                    solution.name,
                    verdict.long()
                );
                let help = "correct the solution, or set a fixed limit, such as `time: 1s`";
                return Err(Diagnostic::new(message).help(help).into());
            }
        }
    }
    if slowest.1.is_empty() {
        let message = format!(
            "cannot derive the time limit of {}: none of the accepted solutions can be run on this machine",
            problem.id
        );
        return Err(Diagnostic::new(message)
            .help("run `nimatron doctor` to see how to install their languages")
            .into());
    }
    let limit = limit_for(slowest.0);
    let apart = least_too_slow(limit);
    for solution in with("time_limit_exceeded") {
        let judged = time_of(measurement, (problem, cases), solution, (&with_time(&problem.limits, apart), true))?;
        let other = judged.filter(|(_, verdict)| !matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit));
        if let Some((_, verdict)) = other {
            let message = format!(
                "cannot derive the time limit of {}: a limit of {limit} requires `{}` to run for more than {apart}, \
                 but its verdict is `{}`",
                problem.id,
                solution.name,
                verdict.long()
            );
            let help = match verdict {
                Verdict::Accepted => "add larger test cases, or set a fixed limit, such as `time: 1s`",
                _ => "correct the solution, or set a fixed limit, such as `time: 1s`",
            };
            return Err(Diagnostic::new(message).help(help).into());
        }
    }
    Ok(DerivedTimeLimit { limit, slowest: slowest.1 })
}

/// Returns the time of a solution's slowest case and the solution's verdict; `None` if the solution's language is not
/// installed. If `alone` is true, no other program runs at the same time.
fn time_of(
    measurement: &mut Measurement<'_>,
    (problem, cases): (&Problem, &[Case]),
    solution: &Solution,
    (limits, alone): (&Limits, bool),
) -> Result<Option<(TimeSpan, Verdict)>, Failure> {
    let host = measurement.host;
    let source = host.languages().load(&solution.path, None)?;
    if host.languages().missing(&source)?.is_some() {
        return Ok(None);
    }
    (measurement.report)(Activity::MeasuringTimeLimit { program: solution.name.clone() });
    let plan = JudgeOptions { fail_fast: true, alone, ..JudgeOptions::default() }.plan(problem, cases, host.store())?;
    let job = JudgeJob { problem: &problem.id, plan: &plan, source: &source, name: &solution.name };
    let summary = job.judge(host, measurement.slots, *limits, &mut NoEvents)?.summary;
    let time = summary.slowest.map_or(TimeSpan::ZERO, |(_, time)| time);
    match summary.outcome {
        Outcome::Final { verdict, .. } => Ok(Some((time, verdict))),
        Outcome::Inconclusive { faults } => Err(Fault::first_of(&faults).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_a_multiple_of_the_resolution_and_far_enough_above() {
        assert_eq!(limit_for(TimeSpan::ZERO), TimeSpan::seconds(1));
        assert_eq!(limit_for(TimeSpan::millis(500)), TimeSpan::seconds(1));
        assert_eq!(limit_for(TimeSpan::millis(501)), TimeSpan::seconds(2));
        assert_eq!(limit_for(TimeSpan::millis(2_600)), TimeSpan::seconds(6));
    }
}
