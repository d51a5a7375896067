//! An implementation of [`QueueStore`] on top of any [`SqlDatabase`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::{JobChange, StoreChange, Transition, WorkerChange};
use super::job::{JobAnswer, JobNumber, JobRow, JobSpec, JobStage, WorkerId};
use super::moment::Moment;
use super::program::NewProgram;
use super::sql::{RowLock, SqlColumns, SqlDatabase, SqlRow, SqlTransaction, SqlValue};
use super::sql_rows::{JOB_COLUMNS, job_row, row_values, texts};
use super::store::{Applied, KeyDifference, KeyResult, QueueStore, QueueStoreError, Rejudging, again, settle};

/// A [`QueueStore`] in an SQL database.
#[derive(Debug)]
pub struct SqlStore<D>(pub(super) D);

type Stored<T> = Result<T, QueueStoreError>;

impl<D: SqlDatabase> QueueStore for SqlStore<D> {
    fn submit(&self, programs: &[NewProgram], now: Moment) -> Stored<Vec<JobRow>> {
        self.0.write(&mut |batch| programs.iter().map(|program| add_program(batch, program, now)).collect())
    }

    fn apply(&self, changes: &[StoreChange], now: Moment) -> Stored<Vec<Applied>> {
        // Rows are locked in the order of their numbers, so that two coordinators cannot deadlock. Changes to the same
        // job are applied in their original order.
        let mut order: Vec<usize> = (0..changes.len()).collect();
        order.sort_by_key(|index| match &changes[*index] {
            StoreChange::Job(number, _) => Some(*number),
            StoreChange::Worker(..) => None,
        });
        self.0.write(&mut |batch| {
            let mut applied = vec![Applied::Refused(None); changes.len()];
            for index in &order {
                applied[*index] = match &changes[*index] {
                    StoreChange::Job(number, change) => change_job(batch, *number, change, now)?,
                    StoreChange::Worker(worker, change) => change_worker(batch, worker, change)?,
                };
            }
            Ok(applied)
        })
    }

    fn rejudge(&self, submissions: &[String], rejudging: Rejudging, now: Moment) -> Stored<Vec<JobRow>> {
        self.0.write(&mut |batch| {
            let mut rows = Vec::new();
            for submission in submissions {
                let Some(last) = last_job(batch, submission)?.filter(|last| !last.stage.is_open()) else { continue };
                let spec = again(&last.spec);
                if rejudging == Rejudging::Replace {
                    batch.execute("DELETE FROM results WHERE key = $1", &[spec.key.as_str().into()])?;
                    let sql = "DELETE FROM events WHERE submission = (SELECT number FROM submissions WHERE id = $1)";
                    batch.execute(sql, &[submission.as_str().into()])?;
                }
                let row = add_job(batch, &spec, now)?;
                note_state(batch, &row, now)?;
                rows.push(row);
            }
            Ok(rows)
        })
    }

    fn open_jobs(&self) -> Stored<Vec<JobRow>> {
        let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE stage IN ('queued', 'running') ORDER BY number");
        self.jobs(&sql, &[])
    }

    fn changed_since(&self, since: Moment) -> Stored<Vec<JobRow>> {
        let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE changed_ms >= $1 ORDER BY number");
        self.jobs(&sql, &[since.0.into()])
    }

    fn job(&self, number: JobNumber) -> Stored<Option<JobRow>> {
        self.0.read(&mut |batch| find_job(batch, number, RowLock::None))
    }

    fn job_of(&self, submission: &str) -> Stored<Option<JobRow>> {
        self.0.read(&mut |batch| last_job(batch, submission))
    }

    fn program(&self, submission: &str) -> Stored<Option<NewProgram>> {
        let sql = "SELECT problem, name, language, kind, source, input FROM submissions WHERE id = $1";
        self.0.read(&mut |batch| {
            let mut rows = batch.query(sql, &[submission.into()], RowLock::None)?;
            let Some(row) = rows.pop() else { return Ok(None) };
            let Some(last) = last_job(batch, submission)? else { return Ok(None) };
            let mut columns = SqlColumns::of(row);
            Ok(Some(NewProgram {
                spec: (*last.spec).clone(),
                problem: columns.text()?,
                name: columns.text()?,
                language: columns.maybe_text()?,
                kind: columns.text()?,
                source: columns.maybe_bytes()?.unwrap_or_default(),
                input: columns.maybe_bytes()?,
                reuse: None,
            }))
        })
    }

    fn set_aside(&self) -> Stored<BTreeMap<WorkerId, Arc<str>>> {
        let pair = |row: SqlRow| {
            let mut columns = SqlColumns::of(row);
            Ok((WorkerId::new(&columns.text()?), columns.text()?.into()))
        };
        let sql = "SELECT id, aside FROM workers WHERE aside IS NOT NULL";
        self.0.read(&mut |batch| batch.query(sql, &[], RowLock::None)?.into_iter().map(pair).collect())
    }

    fn append_events(&self, job: JobNumber, epoch: u64, events: &[(u64, String)]) -> Stored<bool> {
        let sql = "INSERT INTO events (submission, number, json) SELECT number, CAST($1 AS BIGINT), CAST($2 AS TEXT) FROM submissions
            WHERE id = $3 AND (SELECT coalesce(max(events.number) + 1, 0) FROM events
                WHERE events.submission = submissions.number) = $4";
        self.0.write(&mut |batch| {
            let row = find_job(batch, job, RowLock::Wait)?;
            let Some(row) = row.filter(|row| row.stage == JobStage::Running && row.epoch == epoch) else {
                return Ok(false);
            };
            for (number, json) in events {
                let submission = row.spec.submission.as_str();
                batch.execute(sql, &[(*number).into(), json.as_str().into(), submission.into(), (*number).into()])?;
            }
            Ok(true)
        })
    }

    fn events_since(&self, submission: &str, after: Option<u64>, limit: u32) -> Stored<Vec<(u64, String)>> {
        let sql = "SELECT events.number, json FROM events JOIN submissions ON submissions.number = events.submission
            WHERE id = $1 AND events.number >= $2 ORDER BY events.number LIMIT $3";
        let first = after.map_or(0, |after| after.saturating_add(1));
        let values: [SqlValue; 3] = [submission.into(), first.into(), u64::from(limit).into()];
        let event = |row: SqlRow| {
            let mut columns = SqlColumns::of(row);
            Ok((columns.number()?, columns.text()?))
        };
        let rows = self.0.read(&mut |batch| batch.query(sql, &values, RowLock::None))?;
        rows.into_iter().map(event).collect()
    }

    fn result(&self, key: &str, conditions: &str) -> Stored<Option<KeyResult>> {
        self.0.read(&mut |batch| first_result(batch, key, conditions))
    }

    fn remove_ended(&self, before: Moment, most: u32) -> Stored<u64> {
        self.0.write(&mut |batch| forget_jobs(batch, before, most))
    }

    fn differences(&self) -> Stored<Vec<KeyDifference>> {
        let sql = "SELECT key, job, worker, outcome FROM differences ORDER BY number";
        let difference = |row: SqlRow| {
            let mut columns = SqlColumns::of(row);
            Ok(KeyDifference {
                key: columns.text()?,
                job: JobNumber(columns.number()?),
                worker: WorkerId::new(&columns.text()?),
                outcome: columns.text()?.into(),
            })
        };
        self.0.read(&mut |batch| batch.query(sql, &[], RowLock::None)?.into_iter().map(difference).collect())
    }
}

impl<D: SqlDatabase> SqlStore<D> {
    fn jobs(&self, sql: &str, values: &[SqlValue]) -> Stored<Vec<JobRow>> {
        let rows = self.0.read(&mut |batch| batch.query(sql, values, RowLock::None))?;
        rows.into_iter().map(job_row).collect()
    }
}

/// Adds a submission with its first job, unless the submission is already in the store. Returns the latest job of the
/// submission.
fn add_program(batch: &mut dyn SqlTransaction, program: &NewProgram, now: Moment) -> Stored<JobRow> {
    let spec = &program.spec;
    let sql = "INSERT INTO submissions
        (id, person, problem, name, language, kind, priority, state, created_ms, source, input)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9, $10) ON CONFLICT (id) DO NOTHING";
    let added = batch.execute(
        sql,
        &[
            spec.submission.as_str().into(),
            spec.owner.as_str().into(),
            program.problem.as_str().into(),
            program.name.as_str().into(),
            program.language.as_deref().into(),
            program.kind.as_str().into(),
            spec.priority.name().into(),
            now.0.into(),
            program.source.as_slice().into(),
            program.input.as_deref().into(),
        ],
    )?;
    if added == 0 {
        let known = last_job(batch, &spec.submission)?;
        return known.ok_or_else(|| QueueStoreError(format!("submission `{}` has no job", spec.submission)));
    }
    let mut row = add_job(batch, spec, now)?;
    if let Some(conditions) = &program.reuse
        && let Some(result) = first_result(batch, &spec.key, conditions)?
    {
        row = row.reusing(&result, now);
        save(batch, &row, now)?;
        note_state(batch, &row, now)?;
    }
    Ok(row)
}

fn add_job(batch: &mut dyn SqlTransaction, spec: &JobSpec, now: Moment) -> Stored<JobRow> {
    let sql = "INSERT INTO jobs
        (submission, pool, priority, owner, needs, key, stage, epoch, attempts, lease_ms, due_ms, avoid, created_ms,
            changed_ms)
        VALUES ($1, $2, $3, $4, $5, $6, 'queued', 0, 0, 0, 0, '[]', $7, $8) RETURNING number";
    let mut added = batch.query(
        sql,
        &[
            spec.submission.as_str().into(),
            spec.pool.as_str().into(),
            spec.priority.name().into(),
            spec.owner.as_str().into(),
            texts(spec.needs.iter())?,
            spec.key.as_str().into(),
            now.0.into(),
            now.0.into(),
        ],
        RowLock::None,
    )?;
    let number = added
        .pop()
        .map(SqlColumns::of)
        .ok_or_else(|| QueueStoreError("the database returned no number for a new job".to_owned()));
    Ok(JobRow::queued(JobNumber(number?.number()?), spec.clone(), now))
}

fn find_job(batch: &mut dyn SqlTransaction, number: JobNumber, lock: RowLock) -> Stored<Option<JobRow>> {
    let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE number = $1");
    batch.query(&sql, &[number.0.into()], lock)?.pop().map(job_row).transpose()
}

fn last_job(batch: &mut dyn SqlTransaction, submission: &str) -> Stored<Option<JobRow>> {
    let sql = format!("SELECT {JOB_COLUMNS} FROM jobs WHERE submission = $1 ORDER BY number DESC LIMIT 1");
    batch.query(&sql, &[submission.into()], RowLock::None)?.pop().map(job_row).transpose()
}

fn first_result(batch: &mut dyn SqlTransaction, key: &str, conditions: &str) -> Stored<Option<KeyResult>> {
    let sql = "SELECT jobs.number, outcome, report FROM results JOIN jobs ON jobs.number = results.job
        WHERE results.key = $1 AND results.conditions = $2";
    let row = batch.query(sql, &[key.into(), conditions.into()], RowLock::None)?.pop();
    let Some(row) = row else { return Ok(None) };
    let mut columns = SqlColumns::of(row);
    let job = JobNumber(columns.number()?);
    let (outcome, report) = (columns.text()?.into(), columns.text()?.into());
    let answer = JobAnswer { conditions: conditions.into(), outcome, report };
    Ok(Some(KeyResult { job, answer }))
}

fn change_job(batch: &mut dyn SqlTransaction, number: JobNumber, change: &JobChange, now: Moment) -> Stored<Applied> {
    // A claim does not wait for the lock: if another coordinator is changing the job, the claim is too late.
    let lock = if matches!(change, JobChange::Claim { .. }) { RowLock::Skip } else { RowLock::Wait };
    let Some(row) = find_job(batch, number, lock)? else {
        return Ok(Applied::Refused(find_job(batch, number, RowLock::None)?.map(Box::new)));
    };
    let mut after = match row.change(change, now) {
        Transition::Conflict => return Ok(Applied::Refused(Some(Box::new(row)))),
        Transition::Already => return Ok(Applied::Stored(Some(Box::new(row)))),
        Transition::To(after) => after,
    };
    if let (JobStage::Finished, Some(answer)) = (after.stage, &after.answer) {
        let (key, conditions) = (after.spec.key.as_str(), &*answer.conditions);
        let sql = "INSERT INTO results (key, conditions, job) VALUES ($1, $2, $3)
            ON CONFLICT (key, conditions) DO NOTHING";
        if batch.execute(sql, &[key.into(), conditions.into(), number.0.into()])? == 0 {
            let first = first_result(batch, key, conditions)?;
            if let Some(difference) = settle(&mut after, first.as_ref()) {
                add_difference(batch, &difference)?;
            }
        }
    }
    save(batch, &after, now)?;
    if after.stage != row.stage {
        note_state(batch, &after, now)?;
    }
    Ok(Applied::Stored(Some(after)))
}

/// Writes the columns that can change to the row of a job.
fn save(batch: &mut dyn SqlTransaction, row: &JobRow, now: Moment) -> Stored<()> {
    let sql = "UPDATE jobs SET stage = $1, epoch = $2, attempts = $3, worker = $4, instance = $5, request = $6,
        lease_ms = $7, due_ms = $8, avoid = $9, reason = $10, conditions = $11, outcome = $12, report = $13,
        ended_ms = $14, changed_ms = $15 WHERE number = $16";
    let mut values = row_values(row)?;
    values.extend([now.0.into(), row.number.0.into()]);
    batch.execute(sql, &values).map(drop)
}

/// Copies the state, the times and the error of a job to the row of its submission, from which lists of submissions are
/// created.
fn note_state(batch: &mut dyn SqlTransaction, row: &JobRow, now: Moment) -> Stored<()> {
    let state = match row.stage {
        JobStage::Queued => "queued",
        JobStage::Running => "running",
        JobStage::Finished | JobStage::Parked => "finished",
        JobStage::Cancelled => "cancelled",
    };
    let started = (row.stage == JobStage::Running).then_some(now.0);
    let error = row.reason.as_deref().filter(|_| row.stage == JobStage::Parked);
    let sql = "UPDATE submissions SET state = $1, started_ms = coalesce($2, started_ms), ended_ms = $3, error = $4
        WHERE id = $5";
    let ended = row.ended.map(|ended| ended.0);
    let submission = row.spec.submission.as_str();
    batch.execute(sql, &[state.into(), started.into(), ended.into(), error.into(), submission.into()]).map(drop)
}

/// Removes at most `most` jobs that ended before the time `before`, with their results and differences, and submissions
/// that have no other job, with their events. Returns the number of removed jobs.
fn forget_jobs(batch: &mut dyn SqlTransaction, before: Moment, most: u32) -> Stored<u64> {
    // A database may reuse the number of the last job after its removal, so this job is retained.
    let sql = "SELECT number, submission FROM jobs WHERE ended_ms < $1 AND stage NOT IN ('queued', 'running')
        AND number < (SELECT max(number) FROM jobs) ORDER BY number LIMIT $2";
    let found = batch.query(sql, &[before.0.into(), u64::from(most).into()], RowLock::None)?;
    let removed = found.len() as u64;
    for row in found {
        let mut columns = SqlColumns::of(row);
        let (number, submission) = (columns.number()?, columns.text()?);
        for sql in [
            "DELETE FROM results WHERE job = $1",
            "DELETE FROM differences WHERE job = $1",
            "DELETE FROM jobs WHERE number = $1",
        ] {
            batch.execute(sql, &[number.into()])?;
        }
        if last_job(batch, &submission)?.is_none() {
            let sql = "DELETE FROM events WHERE submission = (SELECT number FROM submissions WHERE id = $1)";
            batch.execute(sql, &[submission.as_str().into()])?;
            batch.execute("DELETE FROM submissions WHERE id = $1", &[submission.as_str().into()])?;
        }
    }
    Ok(removed)
}

fn add_difference(batch: &mut dyn SqlTransaction, difference: &KeyDifference) -> Stored<()> {
    let KeyDifference { key, job, worker, outcome } = difference;
    let sql = "INSERT INTO differences (key, job, worker, outcome) VALUES ($1, $2, $3, $4)";
    let worker: &str = &worker.0;
    batch.execute(sql, &[key.as_str().into(), job.0.into(), worker.into(), (&**outcome).into()]).map(drop)
}

fn change_worker(batch: &mut dyn SqlTransaction, worker: &WorkerId, change: &WorkerChange) -> Stored<Applied> {
    let aside = match change {
        WorkerChange::SetAside(reason) => Some(&**reason),
        WorkerChange::Readmit => None,
    };
    let sql = "INSERT INTO workers (id, aside) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET aside = excluded.aside";
    let worker: &str = &worker.0;
    batch.execute(sql, &[worker.into(), aside.into()])?;
    Ok(Applied::Stored(None))
}
