//! The queue of a pool: its waiting jobs in the order in which they start, and the counts that determine which of them
//! may start.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::job::{JobNumber, JobRow, JobSpec, WorkerId};
use super::moment::Moment;
use super::policy::DispatchPolicy;
use super::priority::Priority;

/// The position of a job in the order of its pool: its priority, its turn among the jobs of the priority, and its
/// number.
pub(super) type LinePlace = (Priority, u64, JobNumber);

/// The waiting jobs of a pool that need the same languages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LineGroup {
    /// The positions of all jobs of the group.
    pub waiting: BTreeSet<LinePlace>,
    /// The positions of the jobs for which no notification of the workers is pending.
    pub not_rung: BTreeSet<LinePlace>,
}

/// The turns of one priority.
///
/// Each job of a person has a later turn than the person's previous job, and a person without waiting jobs joins at the
/// current turn. The first job of a person therefore does not wait for all jobs of another person.
#[derive(Debug, Default)]
struct Turns {
    /// The highest turn of a job that was granted to a worker.
    served: u64,
    /// The last turn of each person. Turns lower than `served` have no effect, and each tick removes them.
    last: BTreeMap<String, u64>,
}

/// The waiting jobs of a pool, and the counts that determine which of the jobs may start.
#[derive(Debug)]
pub(super) struct PoolLine {
    /// The waiting jobs, by the languages that they need. The jobs of people for whom [`PoolLine::is_busy`] returns
    /// true are left out, so that a search need not skip them.
    pub groups: BTreeMap<BTreeSet<String>, LineGroup>,
    /// The waiting jobs with [`Priority::Person`], by their owners.
    pub of_owner: BTreeMap<String, BTreeMap<LinePlace, Arc<JobSpec>>>,
    /// The jobs whose notifications await an answer, with their positions and the times at which the notifications may
    /// be repeated.
    pub rung: BTreeMap<JobNumber, (LinePlace, Moment)>,
    turns: [Turns; Priority::ALL.len()],
    /// The number of running jobs with lower priorities than [`Priority::Person`].
    pub background: usize,
    /// The numbers of running jobs with [`Priority::Person`], by their owners.
    running_of: BTreeMap<String, usize>,
    /// Maximum number of running jobs with [`Priority::Person`] of one person.
    per_person: usize,
    /// The number of slots of the workers that take jobs.
    pub slots: usize,
    /// The number of free slots of the workers that take jobs.
    pub free: usize,
    /// The workers that have a free slot.
    pub ready: BTreeSet<WorkerId>,
}

impl PoolLine {
    /// Creates the queue of a pool, without jobs and workers.
    pub(super) fn new(policy: &DispatchPolicy) -> PoolLine {
        PoolLine {
            groups: BTreeMap::new(),
            of_owner: BTreeMap::new(),
            rung: BTreeMap::new(),
            turns: Default::default(),
            background: 0,
            running_of: BTreeMap::new(),
            per_person: policy.per_person.max(1),
            slots: 0,
            free: 0,
            ready: BTreeSet::new(),
        }
    }

    /// Returns the turn of a person's next job, and records that the turn is taken.
    pub(super) fn turn(&mut self, priority: Priority, owner: &str) -> u64 {
        let turns = &mut self.turns[priority as usize];
        let next = turns.last.get(owner).map_or(turns.served, |last| turns.served.max(last + 1));
        turns.last.insert(owner.to_owned(), next);
        next
    }

    /// Records that a job with this turn is granted to a worker.
    pub(super) fn serve(&mut self, (priority, turn, _): LinePlace) {
        let turns = &mut self.turns[priority as usize];
        turns.served = turns.served.max(turn);
    }

    /// Removes the people whose last turn is lower than the current turn.
    pub(super) fn forget_served(&mut self) {
        for turns in &mut self.turns {
            let served = turns.served;
            turns.last.retain(|_, last| *last >= served);
        }
    }

    /// Returns whether a person has the maximum number of running jobs with [`Priority::Person`].
    pub(super) fn is_busy(&self, owner: &str) -> bool {
        self.running_of.get(owner).is_some_and(|&running| running >= self.per_person)
    }

    /// Adds a waiting job.
    pub(super) fn push(&mut self, row: &JobRow, place: LinePlace) {
        let spec = &row.spec;
        if spec.priority == Priority::Person {
            self.of_owner.entry(spec.owner.clone()).or_default().insert(place, spec.clone());
            if self.is_busy(&spec.owner) {
                return;
            }
        }
        self.enter(spec, place);
    }

    /// Removes a waiting job.
    pub(super) fn remove(&mut self, row: &JobRow, place: LinePlace) {
        if let Some(own) = self.of_owner.get_mut(&row.spec.owner) {
            own.remove(&place);
            if own.is_empty() {
                self.of_owner.remove(&row.spec.owner);
            }
        }
        self.leave(&row.spec, place);
    }

    fn enter(&mut self, spec: &JobSpec, place: LinePlace) {
        let group = self.groups.entry(spec.needs.clone()).or_default();
        group.waiting.insert(place);
        group.not_rung.insert(place);
    }

    fn leave(&mut self, spec: &JobSpec, place: LinePlace) {
        self.rung.remove(&place.2);
        if let Some(group) = self.groups.get_mut(&spec.needs) {
            group.waiting.remove(&place);
            group.not_rung.remove(&place);
            if group.waiting.is_empty() {
                self.groups.remove(&spec.needs);
            }
        }
    }

    /// Counts a running job. If the owner of the job is now busy, the owner's waiting jobs are removed from the groups.
    pub(super) fn count_running(&mut self, row: &JobRow) {
        if row.spec.priority != Priority::Person {
            self.background += 1;
            return;
        }
        *self.running_of.entry(row.spec.owner.clone()).or_default() += 1;
        if self.is_busy(&row.spec.owner) {
            for (place, spec) in self.waiting_of(&row.spec.owner) {
                self.leave(&spec, place);
            }
        }
    }

    /// Removes a running job from the counts. If the owner of the job was busy and no longer is, the owner's waiting
    /// jobs are added to the groups again.
    pub(super) fn uncount_running(&mut self, row: &JobRow) {
        if row.spec.priority != Priority::Person {
            self.background -= 1;
            return;
        }
        let was_busy = self.is_busy(&row.spec.owner);
        if let Some(count) = self.running_of.get_mut(&row.spec.owner) {
            *count -= 1;
            if *count == 0 {
                self.running_of.remove(&row.spec.owner);
            }
        }
        if was_busy && !self.is_busy(&row.spec.owner) {
            for (place, spec) in self.waiting_of(&row.spec.owner) {
                self.enter(&spec, place);
            }
        }
    }

    fn waiting_of(&self, owner: &str) -> Vec<(LinePlace, Arc<JobSpec>)> {
        let own = self.of_owner.get(owner).into_iter().flatten();
        own.map(|(place, spec)| (*place, spec.clone())).collect()
    }

    /// Returns whether a job with this priority may use a slot of the pool.
    fn has_room(&self, policy: &DispatchPolicy, priority: Priority) -> bool {
        priority == Priority::Person || self.background < policy.background_slots(self.slots)
    }

    /// Returns the first waiting job that needs only these languages, satisfies `is_allowed`, and may use a slot.
    pub(super) fn first(
        &self,
        policy: &DispatchPolicy,
        languages: &BTreeSet<String>,
        is_allowed: impl Fn(JobNumber) -> bool,
    ) -> Option<LinePlace> {
        let groups = self.groups.iter().filter(|(needs, _)| needs.is_subset(languages));
        let first = |(_, group): (_, &LineGroup)| group.waiting.iter().find(|place| is_allowed(place.2)).copied();
        groups.filter_map(first).filter(|place| self.has_room(policy, place.0)).min()
    }

    /// Returns the first waiting job that has no pending notification, may use a slot, and needs only languages that
    /// some ready worker supports.
    pub(super) fn first_not_rung(
        &self,
        policy: &DispatchPolicy,
        has_ready: impl Fn(&BTreeSet<String>) -> bool,
    ) -> Option<LinePlace> {
        let first = self.groups.iter().filter_map(|(needs, group)| Some((needs, *group.not_rung.first()?)));
        let startable = first.filter(|(needs, place)| self.has_room(policy, place.0) && has_ready(needs));
        startable.map(|(_, place)| place).min()
    }

    /// Records that workers were notified of a job. The notification may be repeated from the time `until` on.
    pub(super) fn ring(&mut self, place: LinePlace, row: &JobRow, until: Moment) {
        self.rung.insert(place.2, (place, until));
        if let Some(group) = self.groups.get_mut(&row.spec.needs) {
            group.not_rung.remove(&place);
        }
    }

    /// Ends the notification of a job, after a worker has answered it or the time for an answer has passed. If the job
    /// is still waiting, the notification may then be repeated.
    pub(super) fn end_ring(&mut self, row: &JobRow) {
        let Some((place, _)) = self.rung.remove(&row.number) else { return };
        if let Some(group) = self.groups.get_mut(&row.spec.needs)
            && group.waiting.contains(&place)
        {
            group.not_rung.insert(place);
        }
    }

    /// Returns the number of waiting jobs, including the jobs that are left out of `groups`.
    pub(super) fn waiting(&self) -> usize {
        let busy = self.of_owner.iter().filter(|(owner, _)| self.is_busy(owner));
        let left_out: usize = busy.map(|(_, own)| own.len()).sum();
        left_out + self.groups.values().map(|group| group.waiting.len()).sum::<usize>()
    }
}
