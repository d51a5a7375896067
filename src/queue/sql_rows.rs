//! Converts between [`JobRow`] and rows of the SQL table of jobs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::job::{JobAnswer, JobHolder, JobNumber, JobRow, JobSpec, JobStage, WorkerId};
use super::moment::Moment;
use super::priority::Priority;
use super::sql::{SqlColumns, SqlRow, SqlValue};
use super::store::QueueStoreError;

/// The columns of the table of jobs, in the order in which [`job_row`] reads them.
pub(super) const JOB_COLUMNS: &str = "number, submission, pool, priority, owner, needs, key, created_ms, stage, epoch,
    attempts, worker, instance, request, lease_ms, due_ms, avoid, reason, conditions, outcome, report, ended_ms";

/// Parses a row with the columns [`JOB_COLUMNS`] as a job.
pub(super) fn job_row(row: SqlRow) -> Result<JobRow, QueueStoreError> {
    let mut columns = SqlColumns::of(row);
    let number = JobNumber(columns.number()?);
    let spec = JobSpec {
        submission: columns.text()?,
        pool: columns.text()?,
        priority: named(&columns.text()?, &Priority::ALL, Priority::name)?,
        owner: columns.text()?,
        needs: set(&columns.text()?)?,
        key: columns.text()?,
    };
    let created = Moment(columns.number()?);
    let stage = named(&columns.text()?, &JobStage::ALL, JobStage::name)?;
    let (epoch, attempts) = (columns.number()?, columns.number()?);
    let holder = (columns.maybe_text()?, columns.maybe_number()?, columns.maybe_number()?);
    let holder = match holder {
        (Some(worker), Some(instance), Some(request)) => {
            Some(JobHolder { worker: WorkerId::new(&worker), instance, request })
        }
        _ => None,
    };
    let (lease, due) = (Moment(columns.number()?), Moment(columns.number()?));
    let avoid = set(&columns.text()?)?.iter().map(|worker| WorkerId::new(worker)).collect();
    let reason = columns.maybe_text()?.map(Arc::from);
    let answer = match (columns.maybe_text()?, columns.maybe_text()?, columns.maybe_text()?) {
        (conditions, Some(outcome), Some(report)) => Some(JobAnswer {
            // Results that earlier versions stored have no conditions.
            conditions: conditions.unwrap_or_default().into(),
            outcome: outcome.into(),
            report: report.into(),
        }),
        _ => None,
    };
    let ended = columns.maybe_number()?.map(Moment);
    Ok(JobRow {
        number,
        spec: Arc::new(spec),
        stage,
        epoch,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        holder,
        lease,
        due,
        avoid,
        reason,
        answer,
        created,
        ended,
    })
}

/// Returns a job's values for the columns that can change: `stage` to `ended_ms`, in the order of [`JOB_COLUMNS`].
pub(super) fn row_values(row: &JobRow) -> Result<Vec<SqlValue>, QueueStoreError> {
    let holder = row.holder.as_ref();
    let answer = row.answer.as_ref();
    Ok(vec![
        row.stage.name().into(),
        row.epoch.into(),
        u64::from(row.attempts).into(),
        holder.map(|holder| &*holder.worker.0).into(),
        holder.map(|holder| holder.instance).into(),
        holder.map(|holder| holder.request).into(),
        row.lease.0.into(),
        row.due.0.into(),
        texts(row.avoid.iter().map(|worker| &worker.0))?,
        row.reason.as_deref().into(),
        answer.map(|answer| &*answer.conditions).into(),
        answer.map(|answer| &*answer.outcome).into(),
        answer.map(|answer| &*answer.report).into(),
        row.ended.map(|ended| ended.0).into(),
    ])
}

/// Encodes `texts` as a JSON array of strings.
pub(super) fn texts<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> Result<SqlValue, QueueStoreError> {
    let texts: Vec<String> = texts.map(|text| text.as_ref().to_owned()).collect();
    serde_json::to_string(&texts).map(SqlValue::Text).map_err(|error| QueueStoreError(error.to_string()))
}

fn set(json: &str) -> Result<BTreeSet<String>, QueueStoreError> {
    serde_json::from_str(json).map_err(|error| {
        QueueStoreError(format!("a column of the queue's database is not a JSON array of strings: {error}"))
    })
}

/// Returns the value in `all` whose name is `text`.
fn named<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, QueueStoreError> {
    let unknown = || QueueStoreError(format!("a column of the queue's database has the unknown value `{text}`"));
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(unknown)
}
