//! Property tests of the fair queue with random submissions, starts, ends and cancellations.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Push {
        person: u8,
        priority: Priority,
    },
    Start,
    /// Finishes the running submission with this index, modulo the number of running submissions.
    Finish(usize),
    /// Cancels the submission with this index, modulo the number of all submissions.
    Cancel(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let priority = prop::sample::select(vec![Priority::Person, Priority::Person, Priority::Batch, Priority::Rejudge]);
    prop_oneof![
        4 => (0..4_u8, priority).prop_map(|(person, priority)| Step::Push { person, priority }),
        4 => Just(Step::Start),
        3 => any::<usize>().prop_map(Step::Finish),
        1 => any::<usize>().prop_map(Step::Cancel),
    ]
}

fn entry(number: usize, person: u8, priority: Priority) -> QueueEntry {
    QueueEntry { id: format!("{number:032x}").parse().unwrap(), person: format!("p{person}"), priority }
}

/// A simple model of the queue, which searches lists linearly.
struct Model {
    slots: usize,
    per_person: usize,
    waiting: Vec<QueueEntry>,
    running: Vec<QueueEntry>,
    /// For each priority and each person whose next program may be started, the number of programs of each other person
    /// that were started while that program was waiting.
    turns: BTreeMap<(Priority, String), BTreeMap<String, usize>>,
}

impl Model {
    fn may_start(&self, entry: &QueueEntry) -> bool {
        if self.running.len() >= self.slots {
            return false;
        }
        let own = |other: &&QueueEntry| other.priority == Priority::Person && other.person == entry.person;
        match entry.priority {
            Priority::Person => self.running.iter().filter(own).count() < self.per_person,
            _ => {
                let background = |other: &&QueueEntry| other.priority != Priority::Person;
                self.running.iter().filter(background).count() < (self.slots - 1).max(1)
            }
        }
    }

    fn started(&mut self, id: Option<&SubmissionId>) {
        let Some(id) = id else {
            let missed = self.waiting.iter().find(|entry| self.may_start(entry));
            assert_eq!(missed, None, "a submission could have been started");
            return;
        };
        let place = self.waiting.iter().position(|entry| entry.id == *id).expect("the submission waits");
        let started = self.waiting[place].clone();
        assert!(self.may_start(&started), "{started:?}");
        let earlier = self.waiting[..place]
            .iter()
            .find(|entry| entry.priority == started.priority && entry.person == started.person);
        assert_eq!(earlier, None, "the oldest of a person comes first");
        let urgent = self.waiting.iter().find(|entry| entry.priority < started.priority && self.may_start(entry));
        assert_eq!(urgent, None, "higher priorities come first");
        let others: Vec<QueueEntry> = self
            .waiting
            .iter()
            .filter(|entry| entry.priority == started.priority && self.may_start(entry))
            .cloned()
            .collect();
        self.turns.remove(&(started.priority, started.person.clone()));
        let mut counted = std::collections::BTreeSet::new();
        for entry in others.iter().filter(|entry| entry.person != started.person) {
            if counted.insert(&entry.person) {
                let turns = self.turns.entry((entry.priority, entry.person.clone())).or_default();
                let turn = turns.entry(started.person.clone()).or_default();
                *turn += 1;
                assert!(*turn <= 1, "{} waits for two programs of {}", entry.person, started.person);
            }
        }
        self.running.push(self.waiting.remove(place));
    }

    fn removed(&mut self, entry: &QueueEntry) {
        let same = |other: &QueueEntry| (other.priority, &other.person) == (entry.priority, &entry.person);
        if !self.waiting.iter().any(same) {
            self.turns.remove(&(entry.priority, entry.person.clone()));
        }
    }
}

proptest! {
    #[test]
    fn people_take_turns(
        slots in 1..4_usize,
        per_person in 1..3_usize,
        steps in prop::collection::vec(step(), 0..80),
    ) {
        let mut queue = FairQueue::new(slots, per_person);
        let mut model =
            Model { slots, per_person, waiting: vec![], running: vec![], turns: BTreeMap::new() };
        let mut all = Vec::new();
        for step in steps {
            match step {
                Step::Push { person, priority } => {
                    let entry = entry(all.len(), person, priority);
                    queue.push(&entry);
                    queue.push(&entry);
                    model.waiting.push(entry.clone());
                    all.push(entry);
                }
                Step::Start => {
                    let id = queue.start_next();
                    model.started(id.as_ref());
                }
                Step::Finish(index) if !model.running.is_empty() => {
                    let entry = model.running.remove(index % model.running.len());
                    prop_assert_eq!(queue.finish(&entry.id), Some(entry));
                }
                Step::Cancel(index) if !all.is_empty() => {
                    let entry: &QueueEntry = &all[index % all.len()];
                    let place = model.waiting.iter().position(|waiting| waiting == entry);
                    prop_assert_eq!(queue.cancel(&entry.id).is_some(), place.is_some());
                    if let Some(place) = place {
                        model.waiting.remove(place);
                        model.removed(entry);
                    }
                }
                Step::Finish(_) | Step::Cancel(_) => {}
            }
            prop_assert_eq!((queue.waiting(), queue.running()), (model.waiting.len(), model.running.len()));
            for person in ["p0", "p1", "p2", "p3"] {
                let open = model.waiting.iter().chain(&model.running);
                let own = open.filter(|entry| entry.person == person && entry.priority == Priority::Person).count();
                prop_assert_eq!(queue.open_of(person), own);
            }
        }
    }

    /// With one slot, the position of a submission is the number of submissions that are started before it.
    #[test]
    fn the_position_is_right(people in prop::collection::vec((0..4_u8, prop::sample::select(Priority::ALL.to_vec())), 1..20)) {
        let mut queue = FairQueue::new(1, 1);
        for (number, (person, priority)) in people.iter().enumerate() {
            queue.push(&entry(number, *person, *priority));
        }
        let ids = (0..people.len()).map(|number| entry(number, 0, Priority::Person).id);
        let expected: BTreeMap<SubmissionId, Option<usize>> = ids.map(|id| (id.clone(), queue.position(&id))).collect();
        for place in 0..people.len() {
            let id = queue.start_next().expect("a submission waits");
            prop_assert_eq!(expected[&id], Some(place));
            prop_assert_eq!(queue.position(&id), None);
            queue.finish(&id);
        }
        prop_assert_eq!(queue.start_next(), None);
    }
}
