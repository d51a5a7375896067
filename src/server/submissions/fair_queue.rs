//! The order in which submissions are judged. This module does no I/O.

use std::collections::{HashMap, VecDeque};

use crate::queue::Priority;

use super::id::SubmissionId;

/// A submission in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueEntry {
    /// The id of the submission.
    pub id: SubmissionId,
    /// The id of the person who submitted the program.
    pub person: String,
    /// The priority of the submission.
    pub priority: Priority,
}

/// The queue of the waiting submissions, and the set of the running submissions.
///
/// Programs whose verdict a person is waiting for are judged first, then batches, then programs that are judged again.
/// Among programs of the same priority, people take turns: before a person's next program, at most one program of each
/// other person is started. A person's own programs are judged in the order of submission. If there are several slots,
/// one of them is reserved for submissions of [`Priority::Person`].
#[derive(Debug)]
pub struct FairQueue {
    slots: usize,
    per_person: usize,
    lines: [PriorityLine; Priority::ALL.len()],
    waiting: HashMap<SubmissionId, (Priority, String)>,
    running: HashMap<SubmissionId, (Priority, String)>,
}

/// The waiting submissions of one priority.
#[derive(Debug, Default)]
struct PriorityLine {
    /// The people with waiting submissions, in the order of their turns.
    people: VecDeque<String>,
    /// The waiting submissions of each person, the oldest first.
    submissions: HashMap<String, VecDeque<SubmissionId>>,
}

impl PriorityLine {
    fn push(&mut self, entry: &QueueEntry) {
        let own = self.submissions.entry(entry.person.clone()).or_default();
        if own.is_empty() {
            self.people.push_back(entry.person.clone());
        }
        own.push_back(entry.id.clone());
    }

    /// Removes and returns the oldest submission of the first person for whom `may_start` returns true, or returns
    /// `None` if there is no such person. The person's next turn follows the turns of all other people.
    fn take(&mut self, may_start: impl Fn(&str) -> bool) -> Option<SubmissionId> {
        let turn = self.people.iter().position(|person| may_start(person))?;
        let person = self.people.remove(turn)?;
        let own = self.submissions.get_mut(&person)?;
        let id = own.pop_front();
        if own.is_empty() {
            self.submissions.remove(&person);
        } else {
            self.people.push_back(person);
        }
        id
    }

    fn remove(&mut self, id: &SubmissionId, person: &str) {
        let Some(own) = self.submissions.get_mut(person) else { return };
        own.retain(|other| other != id);
        if own.is_empty() {
            self.submissions.remove(person);
            self.people.retain(|other| other != person);
        }
    }

    /// Returns the number of submissions of this priority that are started before the submission `id` of `person`, if
    /// no limit per person applies.
    fn before(&self, id: &SubmissionId, person: &str) -> usize {
        let own = self.submissions.get(person).and_then(|own| own.iter().position(|other| other == id)).unwrap_or(0);
        let mut turns = own + 1;
        let mut before = own;
        for other in &self.people {
            if other == person {
                // People who follow `person` in the order have one turn fewer before the submission is started.
                turns = own;
                continue;
            }
            before += self.submissions.get(other).map_or(0, |waiting| waiting.len().min(turns));
        }
        before
    }

    fn len(&self) -> usize {
        self.submissions.values().map(VecDeque::len).sum()
    }
}

impl FairQueue {
    /// Creates an empty queue that runs at most `slots` programs concurrently. At most `per_person` programs of the
    /// same person run concurrently with [`Priority::Person`]. A limit of 0 is treated as 1.
    pub fn new(slots: usize, per_person: usize) -> FairQueue {
        FairQueue {
            slots: slots.max(1),
            per_person: per_person.max(1),
            lines: Default::default(),
            waiting: HashMap::new(),
            running: HashMap::new(),
        }
    }

    /// Adds a submission, unless the queue already contains it.
    pub fn push(&mut self, entry: &QueueEntry) {
        if self.contains(&entry.id) {
            return;
        }
        self.lines[entry.priority as usize].push(entry);
        self.waiting.insert(entry.id.clone(), (entry.priority, entry.person.clone()));
    }

    /// Starts the next waiting submission and returns its id; `None` if no submission may start now.
    pub fn start_next(&mut self) -> Option<SubmissionId> {
        if self.running.len() >= self.slots {
            return None;
        }
        let mut by_person: HashMap<&str, usize> = HashMap::new();
        let mut background = 0;
        for (priority, person) in self.running.values() {
            match priority {
                Priority::Person => *by_person.entry(person).or_default() += 1,
                Priority::Batch | Priority::Rejudge => background += 1,
            }
        }
        let room = background < self.slots.saturating_sub(1).max(1);
        let may_start = |person: &str| by_person.get(person).is_none_or(|&running| running < self.per_person);
        let [people, batches, rejudges] = &mut self.lines;
        let id = match people.take(may_start) {
            Some(id) => id,
            None if room => batches.take(|_| true).or_else(|| rejudges.take(|_| true))?,
            None => return None,
        };
        let entry = self.waiting.remove(&id)?;
        self.running.insert(id.clone(), entry);
        Some(id)
    }

    /// Marks a waiting submission as running without checking the order and the limits. Used for submissions that other
    /// machines judge, since the queue of those machines applies its own order.
    pub fn start(&mut self, id: &SubmissionId) {
        if let Some(QueueEntry { id, person, priority }) = self.cancel(id) {
            self.running.insert(id, (priority, person));
        }
    }

    /// Removes a running submission and returns it; `None` if it is not running.
    pub fn finish(&mut self, id: &SubmissionId) -> Option<QueueEntry> {
        let (priority, person) = self.running.remove(id)?;
        Some(QueueEntry { id: id.clone(), person, priority })
    }

    /// Removes a waiting submission and returns it; `None` if it is not waiting.
    pub fn cancel(&mut self, id: &SubmissionId) -> Option<QueueEntry> {
        let (priority, person) = self.waiting.remove(id)?;
        self.lines[priority as usize].remove(id, &person);
        Some(QueueEntry { id: id.clone(), person, priority })
    }

    /// Returns the number of submissions that are started before the submission `id` if no further submission is added
    /// and no limit per person applies; `None` if the submission `id` is not waiting.
    pub fn position(&self, id: &SubmissionId) -> Option<usize> {
        let (priority, person) = self.waiting.get(id)?;
        let line = *priority as usize;
        let first: usize = self.lines[..line].iter().map(PriorityLine::len).sum();
        Some(first + self.lines[line].before(id, person))
    }

    /// Returns whether a submission is waiting or running.
    pub fn contains(&self, id: &SubmissionId) -> bool {
        self.waiting.contains_key(id) || self.running.contains_key(id)
    }

    /// Returns the number of waiting submissions.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the number of running submissions.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Returns the number of waiting and running submissions of this person with the priority [`Priority::Person`].
    pub fn open_of(&self, person: &str) -> usize {
        let running = self.running.values().filter(|entry| **entry == (Priority::Person, person.to_owned())).count();
        running + self.lines[Priority::Person as usize].submissions.get(person).map_or(0, VecDeque::len)
    }
}

#[cfg(test)]
#[path = "fair_queue_properties.rs"]
mod properties;
