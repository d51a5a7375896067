//! Tests that all stores must pass.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::memory_store::MemoryStore;
use super::*;

const LEASE: Moment = Moment(20_000);

/// A test that each store must pass.
pub(super) type StoreTest = fn(&dyn QueueStore);

/// Defines the tests for the stores that need no server, and the list of all tests.
macro_rules! tests_of_all_stores {
    ($($name:ident),* $(,)?) => {
        /// All tests of stores with their names. The test of the PostgreSQL store runs them.
        #[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "only the PostgreSQL store uses the list"))]
        pub(super) const ALL: &[(&str, StoreTest)] = &[$((stringify!($name), $name)),*];

        mod in_memory {
            $(#[test]
            fn $name() {
                super::$name(&super::MemoryStore::default());
            })*
        }

        mod in_sqlite {
            $(#[test]
            fn $name() {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("submissions.sqlite");
                super::$name(&super::SqliteQueueStore::open(&path).unwrap());
            })*
        }
    };
}

tests_of_all_stores!(
    a_submission_is_stored_once_and_read_back,
    a_claim_raises_the_epoch_and_only_the_current_epoch_finishes,
    a_job_that_is_given_back_has_no_attempt_more,
    leases_are_renewed_and_never_shortened,
    parked_and_cancelled_jobs_have_no_result,
    the_first_result_of_a_key_counts_and_differences_are_recorded,
    results_under_other_conditions_are_kept_apart,
    rejudging_compares_or_replaces,
    changes_are_made_in_their_order_each_by_itself,
    events_are_numbered_without_gaps_and_fenced,
    a_replaced_result_has_a_log_of_its_own,
    another_coordinator_reads_what_changed,
    what_ended_long_ago_is_forgotten,
);

pub(super) fn program(submission: &str, key: &str) -> NewProgram {
    let spec = JobSpec {
        submission: submission.to_owned(),
        pool: "main".to_owned(),
        priority: Priority::Batch,
        owner: "zoë".to_owned(),
        needs: BTreeSet::from(["c".to_owned(), "c++".to_owned()]),
        key: key.to_owned(),
    };
    NewProgram {
        spec,
        problem: "classic-nim".to_owned(),
        name: "a.c".to_owned(),
        language: Some("C".to_owned()),
        kind: "input".to_owned(),
        source: b"int main(){}\0\xff".to_vec(),
        input: Some(b"1\n".to_vec()),
        reuse: None,
    }
}

pub(super) fn holder(worker: &str, request: u64) -> JobHolder {
    JobHolder { worker: WorkerId::new(worker), instance: 7, request }
}

fn answer(outcome: &str, report: &str) -> JobAnswer {
    under("gcc 12", outcome, report)
}

fn under(conditions: &str, outcome: &str, report: &str) -> JobAnswer {
    JobAnswer { conditions: conditions.into(), outcome: outcome.into(), report: report.into() }
}

fn submit_one(store: &dyn QueueStore, submission: &str, key: &str) -> JobRow {
    store.submit(&[program(submission, key)], Moment(5)).unwrap().pop().unwrap()
}

#[track_caller]
fn stored(applied: Applied) -> JobRow {
    match applied {
        Applied::Stored(Some(row)) => *row,
        other => panic!("not stored: {other:?}"),
    }
}

#[track_caller]
fn refused(applied: Applied) -> JobRow {
    match applied {
        Applied::Refused(Some(row)) => *row,
        other => panic!("not refused: {other:?}"),
    }
}

/// Grants `job` to `worker`, and stores a result with the outcome `outcome`.
fn judge(store: &dyn QueueStore, job: &JobRow, worker: &str, outcome: &str) -> JobRow {
    let epoch = job.epoch + 1;
    stored(store.claim(job.number, epoch, holder(worker, 1), LEASE, Moment(6)).unwrap());
    let answer = answer(outcome, &format!("{{\"worker\":\"{worker}\"}}"));
    stored(store.finish(job.number, epoch, WorkerId::new(worker), answer, Moment(7)).unwrap())
}

fn a_submission_is_stored_once_and_read_back(store: &dyn QueueStore) {
    let rows = store.submit(&[program("s1", "k1"), program("s2", "k2")], Moment(5)).unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows[0].number < rows[1].number);
    assert_eq!(rows[0], JobRow::queued(rows[0].number, program("s1", "k1").spec, Moment(5)));
    assert_eq!(store.program("s1").unwrap(), Some(program("s1", "k1")));
    assert_eq!(store.program("s3").unwrap(), None);
    assert_eq!((store.job_of("s1").unwrap().as_ref(), store.job_of("s3").unwrap()), (Some(&rows[0]), None));
    // The same submission is repeated, together with a new one.
    let again = store.submit(&[program("s2", "k2"), program("s3", "k3")], Moment(9)).unwrap();
    assert_eq!(again[0], rows[1]);
    assert_eq!(store.open_jobs().unwrap(), [&rows[..], &again[1..]].concat());
    assert_eq!(store.job(rows[0].number).unwrap().as_ref(), Some(&rows[0]));
    assert_eq!(store.job(JobNumber(99)).unwrap(), None);
    assert_eq!(store.cancel(JobNumber(99), Moment(9)).unwrap(), Applied::Refused(None));
}

fn a_claim_raises_the_epoch_and_only_the_current_epoch_finishes(store: &dyn QueueStore) {
    let job = submit_one(store, "s", "k");
    let number = job.number;
    let (w1, w2) = (WorkerId::new("w1"), WorkerId::new("w2"));
    assert_eq!(refused(store.claim(number, 2, holder("w1", 1), LEASE, Moment(6)).unwrap()), job);
    let first = stored(store.claim(number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
    assert_eq!((first.stage, first.epoch, first.attempts), (JobStage::Running, 1, 1));
    assert_eq!((&first.holder, first.lease), (&Some(holder("w1", 1)), LEASE));
    // A repeated claim is already stored; the claim of another request is too late.
    assert_eq!(stored(store.claim(number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap()), first);
    assert_eq!(refused(store.claim(number, 1, holder("w2", 1), LEASE, Moment(6)).unwrap()), first);
    assert_eq!(refused(store.claim(number, 2, holder("w2", 1), LEASE, Moment(6)).unwrap()), first);

    let requeue = |epoch, reason: Option<&str>| JobChange::Requeue {
        epoch,
        due: Moment(30),
        avoid: Some(w1.clone()),
        reason: reason.map(Into::into),
    };
    let queued = stored(store.one(number, requeue(1, Some("silent")), Moment(8)).unwrap());
    assert_eq!((queued.stage, queued.epoch, queued.attempts), (JobStage::Queued, 1, 1));
    assert_eq!((&queued.holder, queued.due, queued.reason.as_deref()), (&None, Moment(30), Some("silent")));
    assert_eq!(queued.avoid, BTreeSet::from([w1.clone()]));
    let second = stored(store.claim(number, 2, holder("w2", 4), LEASE, Moment(9)).unwrap());
    assert_eq!((second.epoch, second.attempts), (2, 2));

    let stale = store.finish(number, 1, w1.clone(), answer("AC", "1"), Moment(10)).unwrap();
    assert_eq!(refused(stale), second);
    let forged = store.finish(number, 2, w1.clone(), answer("AC", "1"), Moment(10)).unwrap();
    assert_eq!(refused(forged), second);
    assert_eq!(refused(store.one(number, requeue(1, Some("late")), Moment(10)).unwrap()), second);
    let done = stored(store.finish(number, 2, w2.clone(), answer("WA", "2"), Moment(11)).unwrap());
    assert_eq!((done.stage, done.ended), (JobStage::Finished, Some(Moment(11))));
    assert_eq!(done.answer, Some(answer("WA", "2")));
    // Finishing twice is harmless, and nothing changes a job that has ended.
    let twice = store.finish(number, 2, w2.clone(), answer("AC", "3"), Moment(12)).unwrap();
    assert_eq!(stored(twice), done);
    assert_eq!(refused(store.cancel(number, Moment(12)).unwrap()), done);
    assert_eq!(refused(store.renew(number, 2, w2.clone(), Moment(99_000), Moment(12)).unwrap()), done);
    assert_eq!(store.job(number).unwrap(), Some(done));
    assert_eq!(store.open_jobs().unwrap(), []);
}

fn a_job_that_is_given_back_has_no_attempt_more(store: &dyn QueueStore) {
    let number = submit_one(store, "s", "k").number;
    stored(store.claim(number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
    let back = JobChange::Requeue { epoch: 1, due: Moment(0), avoid: None, reason: None };
    let queued = stored(store.one(number, back, Moment(8)).unwrap());
    assert_eq!((queued.epoch, queued.attempts, queued.reason), (1, 0, None));
}

fn leases_are_renewed_and_never_shortened(store: &dyn QueueStore) {
    let number = submit_one(store, "s", "k").number;
    let w1 = WorkerId::new("w1");
    stored(store.claim(number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
    let renewed = stored(store.renew(number, 1, w1.clone(), Moment(30_000), Moment(7)).unwrap());
    assert_eq!(renewed.lease, Moment(30_000));
    assert_eq!(stored(store.renew(number, 1, w1.clone(), LEASE, Moment(8)).unwrap()), renewed);
    assert_eq!(refused(store.renew(number, 0, w1, LEASE, Moment(8)).unwrap()), renewed);
    assert_eq!(refused(store.renew(number, 1, WorkerId::new("w2"), LEASE, Moment(8)).unwrap()), renewed);
}

fn parked_and_cancelled_jobs_have_no_result(store: &dyn QueueStore) {
    let (one, two, three) = (submit_one(store, "a", "k"), submit_one(store, "b", "k"), submit_one(store, "c", "k"));
    let park = |epoch| JobChange::Park { epoch, reason: "the worker ended".into() };
    assert_eq!(refused(store.one(one.number, park(0), Moment(6)).unwrap()), one);
    stored(store.claim(one.number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
    let parked = stored(store.one(one.number, park(1), Moment(7)).unwrap());
    assert_eq!((parked.stage, parked.reason.as_deref()), (JobStage::Parked, Some("the worker ended")));
    assert_eq!(parked.ended, Some(Moment(7)));
    let late = store.finish(one.number, 1, WorkerId::new("w1"), answer("AC", "1"), Moment(8)).unwrap();
    assert_eq!(refused(late), parked);

    stored(store.claim(three.number, 1, holder("w1", 2), LEASE, Moment(6)).unwrap());
    for job in [two, three] {
        let cancelled = stored(store.cancel(job.number, Moment(9)).unwrap());
        assert_eq!((cancelled.stage, cancelled.ended), (JobStage::Cancelled, Some(Moment(9))));
        assert_eq!(stored(store.cancel(job.number, Moment(10)).unwrap()), cancelled);
        let epoch = cancelled.epoch;
        let late = store.finish(job.number, epoch, WorkerId::new("w1"), answer("AC", "1"), Moment(11)).unwrap();
        assert_eq!(refused(late), cancelled);
    }
    assert_eq!(store.result("k", "gcc 12").unwrap(), None);
}

fn the_first_result_of_a_key_counts_and_differences_are_recorded(store: &dyn QueueStore) {
    let jobs = ["a", "b", "c", "d"].map(|name| submit_one(store, name, "k"));
    let first = judge(store, &jobs[0], "w1", "AC");
    assert_eq!(store.result("k", "gcc 12").unwrap().unwrap().job, jobs[0].number);
    // A later result with an equal outcome keeps its own report.
    let second = judge(store, &jobs[1], "w2", "AC");
    assert_eq!(second.answer, Some(answer("AC", "{\"worker\":\"w2\"}")));
    assert_eq!(store.differences().unwrap(), []);
    let third = judge(store, &jobs[2], "w3", "WA");
    assert_eq!(third.answer, first.answer);
    let difference = KeyDifference {
        key: "k".to_owned(),
        job: jobs[2].number,
        worker: WorkerId::new("w3"),
        outcome: Arc::from("WA"),
    };
    assert_eq!(store.differences().unwrap(), [difference]);
    assert_eq!(store.job(jobs[2].number).unwrap(), Some(third));
    // A program whose result is known need not be judged.
    let reusing = NewProgram { reuse: Some("gcc 12".to_owned()), ..program("e", "k") };
    let reused = store.submit(&[reusing], Moment(20)).unwrap().pop().unwrap();
    assert_eq!((reused.stage, reused.epoch, &reused.answer), (JobStage::Finished, 0, &first.answer));
    let reusing = NewProgram { reuse: Some("gcc 12".to_owned()), ..program("f", "other") };
    assert_eq!(store.submit(&[reusing], Moment(20)).unwrap()[0].stage, JobStage::Queued);
    let open: Vec<JobNumber> = store.open_jobs().unwrap().iter().map(|row| row.number).collect();
    assert_eq!(open.len(), 2);
    assert!(open.contains(&jobs[3].number) && !open.contains(&reused.number));
}

fn results_under_other_conditions_are_kept_apart(store: &dyn QueueStore) {
    let judge = |name: &str, worker: &str, answer: &JobAnswer| {
        let number = submit_one(store, name, "k").number;
        stored(store.claim(number, 1, holder(worker, 1), LEASE, Moment(6)).unwrap());
        stored(store.finish(number, 1, WorkerId::new(worker), answer.clone(), Moment(7)).unwrap()).answer.unwrap()
    };
    let (old, new) = (under("gcc 12", "CE", "1"), under("gcc 14", "AC", "2"));
    assert_eq!(judge("a", "w1", &old), old);
    // A result with another compiler version neither replaces the first result nor is replaced by it.
    assert_eq!(judge("b", "w2", &new), new);
    assert_eq!(store.differences().unwrap(), []);
    assert_eq!(judge("c", "w3", &under("gcc 12", "AC", "3")), old);
    assert_eq!(store.differences().unwrap().len(), 1);
    // A program reuses only a result with the conditions in `reuse`.
    let reused = |name: &str, conditions: &str| {
        let reusing = NewProgram { reuse: Some(conditions.to_owned()), ..program(name, "k") };
        store.submit(&[reusing], Moment(20)).unwrap().pop().unwrap().answer
    };
    assert_eq!(reused("d", "gcc 14"), Some(new));
    assert_eq!(reused("e", "gcc 12"), Some(old));
    assert_eq!(reused("f", "gcc 15"), None);
}

fn rejudging_compares_or_replaces(store: &dyn QueueStore) {
    let names = ["a".to_owned(), "b".to_owned(), "unknown".to_owned()];
    let (a, _open) = (submit_one(store, "a", "k"), submit_one(store, "b", "k2"));
    let first = judge(store, &a, "w1", "AC");
    let compared = store.rejudge(&names, Rejudging::Compare, Moment(9)).unwrap();
    assert_eq!(compared.len(), 1, "an open job and an unknown submission are left out");
    assert_eq!((compared[0].spec.priority, compared[0].created), (Priority::Rejudge, Moment(9)));
    assert_eq!(judge(store, &compared[0], "w2", "WA").answer, first.answer);
    assert_eq!(store.differences().unwrap().len(), 1);
    let replaced = store.rejudge(&names, Rejudging::Replace, Moment(10)).unwrap();
    assert_eq!(&*judge(store, &replaced[0], "w2", "WA").answer.unwrap().outcome, "WA");
    assert_eq!(store.result("k", "gcc 12").unwrap().unwrap().job, replaced[0].number);
    assert_eq!(store.differences().unwrap().len(), 1);
    assert_eq!(store.job_of("a").unwrap().unwrap().number, replaced[0].number);
    // Submitting a known submission again returns its latest job.
    assert_eq!(submit_one(store, "a", "k").number, replaced[0].number);
}

fn changes_are_made_in_their_order_each_by_itself(store: &dyn QueueStore) {
    let jobs = ["a", "b"].map(|name| submit_one(store, name, name));
    let claim = |job: &JobRow, worker: &str| {
        let change = JobChange::Claim { epoch: 1, holder: holder(worker, 1), lease: LEASE };
        StoreChange::Job(job.number, change)
    };
    let finish = JobChange::Finish { epoch: 1, worker: WorkerId::new("w1"), answer: answer("AC", "1") };
    let aside = WorkerChange::SetAside("three faults".into());
    let changes = [
        claim(&jobs[1], "w1"),
        StoreChange::Worker(WorkerId::new("w9"), aside),
        claim(&jobs[0], "w2"),
        StoreChange::Job(jobs[1].number, finish),
        StoreChange::Job(jobs[1].number, JobChange::Cancel),
        claim(&jobs[0], "w1"),
    ];
    let applied = store.apply(&changes, Moment(9)).unwrap();
    assert_eq!(stored(applied[0].clone()).stage, JobStage::Running);
    assert_eq!(applied[1], Applied::Stored(None));
    assert_eq!(stored(applied[2].clone()).holder, Some(holder("w2", 1)));
    assert_eq!(stored(applied[3].clone()).stage, JobStage::Finished);
    assert_eq!(refused(applied[4].clone()).stage, JobStage::Finished);
    assert_eq!(refused(applied[5].clone()).holder, Some(holder("w2", 1)));
    let aside = store.set_aside().unwrap();
    assert_eq!(aside.into_iter().collect::<Vec<_>>(), [(WorkerId::new("w9"), "three faults".into())]);
    let readmit = StoreChange::Worker(WorkerId::new("w9"), WorkerChange::Readmit);
    store.apply(&[readmit], Moment(10)).unwrap();
    assert!(store.set_aside().unwrap().is_empty());
}

fn events_are_numbered_without_gaps_and_fenced(store: &dyn QueueStore) {
    let number = submit_one(store, "s", "k").number;
    let event = |number: u64| (number, format!("{{\"number\":{number}}}"));
    assert!(!store.append_events(number, 0, &[event(0)]).unwrap(), "the job does not run");
    stored(store.claim(number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
    assert!(store.append_events(number, 1, &[event(0), event(1)]).unwrap());
    // One event is repeated, and one follows a gap.
    assert!(store.append_events(number, 1, &[event(1), event(2), event(9)]).unwrap());
    assert!(!store.append_events(number, 2, &[event(3)]).unwrap(), "another epoch");
    assert!(!store.append_events(JobNumber(99), 1, &[event(3)]).unwrap());
    let since = |after, limit| store.events_since("s", after, limit).unwrap();
    assert_eq!(since(None, 100), [event(0), event(1), event(2)]);
    assert_eq!(since(Some(0), 1), [event(1)]);
    assert_eq!(since(Some(2), 100), []);
    assert_eq!(store.events_since("other", None, 100).unwrap(), []);
}

fn a_replaced_result_has_a_log_of_its_own(store: &dyn QueueStore) {
    let judge = |job: &JobRow, event: &str| {
        stored(store.claim(job.number, 1, holder("w1", 1), LEASE, Moment(6)).unwrap());
        assert!(store.append_events(job.number, 1, &[(0, event.to_owned())]).unwrap());
        stored(store.finish(job.number, 1, WorkerId::new("w1"), answer("AC", "1"), Moment(7)).unwrap());
        store.events_since("s", None, 100).unwrap()
    };
    let again = |rejudging| store.rejudge(&["s".to_owned()], rejudging, Moment(9)).unwrap().pop().unwrap();
    assert_eq!(judge(&submit_one(store, "s", "k"), "first"), [(0, "first".to_owned())]);
    assert_eq!(judge(&again(Rejudging::Compare), "second"), [(0, "first".to_owned())]);
    assert_eq!(judge(&again(Rejudging::Replace), "third"), [(0, "third".to_owned())]);
}

fn another_coordinator_reads_what_changed(store: &dyn QueueStore) {
    let jobs = ["a", "b", "c"].map(|name| submit_one(store, name, name));
    stored(store.claim(jobs[1].number, 1, holder("w1", 1), LEASE, Moment(100)).unwrap());
    let cancelled = stored(store.cancel(jobs[2].number, Moment(200)).unwrap());
    let numbers = |since| {
        let rows = store.changed_since(Moment(since)).unwrap();
        rows.iter().map(|row| row.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0).len(), 3);
    assert_eq!(numbers(100), [jobs[1].number, jobs[2].number]);
    assert_eq!(store.changed_since(Moment(200)).unwrap(), [cancelled]);
}

fn what_ended_long_ago_is_forgotten(store: &dyn QueueStore) {
    let [old, open, again, newest] = ["old", "open", "again", "newest"].map(|id| submit_one(store, id, id));
    // These jobs end at time 7.
    for job in [&old, &again, &newest] {
        judge(store, job, "w1", "AC");
    }
    let repeated = store.rejudge(&["again".to_owned()], Rejudging::Compare, Moment(8)).unwrap().pop().unwrap();
    assert_eq!(store.remove_ended(Moment(7), 100).unwrap(), 0, "not before they ended");
    assert_eq!(store.remove_ended(Moment(9), 2).unwrap(), 2, "not more at once");
    assert_eq!((store.job(old.number).unwrap(), store.program("old").unwrap()), (None, None));
    assert_eq!(store.result("old", "gcc 12").unwrap(), None);
    assert!(store.program("again").unwrap().is_some(), "it has another job");
    assert_eq!(store.remove_ended(Moment(9), 2).unwrap(), 1);
    assert_eq!(store.open_jobs().unwrap(), [open, repeated.clone()]);
    // The last number is not used again, so that a late result of an earlier job cannot be accepted for a later job.
    judge(store, &repeated, "w1", "AC");
    assert_eq!(store.remove_ended(Moment(9), 100).unwrap(), 0);
    assert!(submit_one(store, "old", "old").number > repeated.number, "a forgotten submission is a new one");
}
