//! The coordinator, which carries out the decisions of the dispatch in the store.

use std::ops::Deref;

use super::change::StoreChange;
use super::dispatch::Dispatch;
use super::job::{JobNumber, JobRow};
use super::messages::{DispatchInput, DispatchOutput, DispatchStep};
use super::moment::Moment;
use super::policy::DispatchPolicy;
use super::program::NewProgram;
use super::store::{Applied, QueueStore, QueueStoreError, Rejudging};

/// The overlap, in milliseconds, of two successive readings of other coordinators' changes. It is needed because a
/// transaction becomes visible later than the time that it records, and because clocks differ.
const OVERLAP_MS: u64 = 5_000;

/// A dispatch with its store. It does I/O only through the store, and reads no clock.
///
/// Several coordinators may use one store if each handles [`DispatchInput::Tick`] every second and was opened with
/// `is_shared`. Their clocks should differ by less than a second or two: a larger difference ends leases early, which
/// costs attempts.
#[derive(Debug)]
pub struct Coordinator<S> {
    store: S,
    dispatch: Dispatch,
    /// Whether a call that changes the store failed after the dispatch was last loaded. The store may have applied the
    /// changes of the call, so the dispatch may differ from the store.
    is_stale: bool,
    /// The time of the last reading of other coordinators' changes; `None` if the store is not shared.
    read: Option<Moment>,
}

impl<S: Deref<Target: QueueStore>> Coordinator<S> {
    /// Opens the queue in this store: reads the open jobs, and starts a new lease, in memory, for each running job, so
    /// that the worker of the job can reconnect.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn open(store: S, policy: DispatchPolicy, is_shared: bool, now: Moment) -> Result<Self, QueueStoreError> {
        let mut dispatch = Dispatch::new(policy);
        dispatch.load(store.open_jobs()?, store.set_aside()?, now, true);
        Ok(Coordinator { store, dispatch, is_stale: false, read: is_shared.then_some(now) })
    }

    /// Returns the store.
    pub fn store(&self) -> &S::Target {
        &self.store
    }

    /// Returns the dispatch.
    pub fn dispatch(&self) -> &Dispatch {
        &self.dispatch
    }

    /// Stores submissions, and returns their jobs and the outputs that the caller must process now. When this function
    /// returns `Ok`, the submissions are on the disk and will be judged.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub fn submit(
        &mut self,
        programs: &[NewProgram],
        now: Moment,
    ) -> Result<(Vec<JobNumber>, Vec<DispatchOutput>), QueueStoreError> {
        let rows = self.store.submit(programs, now).inspect_err(|_| self.is_stale = true)?;
        Ok(self.take_in(rows, now))
    }

    /// Adds jobs that judge submissions again, as [`QueueStore::rejudge`] does, and returns the jobs and the outputs
    /// that the caller must process now.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub fn rejudge(
        &mut self,
        submissions: &[String],
        rejudging: Rejudging,
        now: Moment,
    ) -> Result<(Vec<JobNumber>, Vec<DispatchOutput>), QueueStoreError> {
        let rows = self.store.rejudge(submissions, rejudging, now).inspect_err(|_| self.is_stale = true)?;
        Ok(self.take_in(rows, now))
    }

    /// Passes the open jobs in `rows` to the dispatch. Returns the numbers of all jobs in `rows`, and the outputs of
    /// the dispatch, which the caller must process now.
    fn take_in(&mut self, rows: Vec<JobRow>, now: Moment) -> (Vec<JobNumber>, Vec<DispatchOutput>) {
        let numbers = rows.iter().map(|row| row.number).collect();
        let open = rows.into_iter().filter(|row| row.stage.is_open());
        let steps = open.flat_map(|row| self.dispatch.handle(now, DispatchInput::Submitted(row)));
        let outputs = steps.flat_map(|step| step.then).collect();
        (numbers, outputs)
    }

    /// Handles events, and applies the changes of all events in one transaction. Returns the outputs that the caller
    /// must process now.
    ///
    /// # Errors
    /// Fails if the store can't be read or written. There is then no output to process, and the senders repeat their
    /// messages. If the store failed to apply the changes, the next call reads the open jobs again.
    pub fn handle(&mut self, inputs: Vec<DispatchInput>, now: Moment) -> Result<Vec<DispatchOutput>, QueueStoreError> {
        if self.is_stale {
            self.dispatch.load(self.store.open_jobs()?, self.store.set_aside()?, now, false);
            self.is_stale = false;
        }
        let is_tick = inputs.contains(&DispatchInput::Tick);
        if is_tick {
            self.read_others(now)?;
        }
        let steps: Vec<DispatchStep> = inputs.into_iter().flat_map(|input| self.dispatch.handle(now, input)).collect();
        let changes: Vec<StoreChange> = steps.iter().filter_map(|step| step.change.clone()).collect();
        let applied = if changes.is_empty() { Ok(Vec::new()) } else { self.store.apply(&changes, now) };
        let applied = applied.inspect_err(|_| self.is_stale = true)?;
        let mut applied = applied.into_iter();
        let mut outputs = Vec::new();
        for DispatchStep { change, then, otherwise } in steps {
            match change.as_ref().and_then(|_| applied.next()) {
                None | Some(Applied::Stored(None)) => outputs.extend(then),
                Some(Applied::Stored(Some(row))) => {
                    self.dispatch.replace(*row);
                    outputs.extend(then);
                }
                Some(Applied::Refused(row)) => {
                    match (row, change) {
                        (Some(row), _) => self.dispatch.replace(*row),
                        (None, Some(StoreChange::Job(number, _))) => self.dispatch.remove(number),
                        (None, _) => {}
                    }
                    outputs.extend(otherwise);
                }
            }
        }
        Ok(outputs)
    }

    /// Reads the changes that other coordinators made since the last reading.
    fn read_others(&mut self, now: Moment) -> Result<(), QueueStoreError> {
        let Some(read) = self.read else { return Ok(()) };
        let since = Moment(read.0.saturating_sub(OVERLAP_MS));
        for row in self.store.changed_since(since)? {
            self.dispatch.replace(row);
        }
        self.dispatch.set_aside(self.store.set_aside()?);
        self.read = Some(now.max(read));
        Ok(())
    }
}
