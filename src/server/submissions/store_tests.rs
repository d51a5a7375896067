//! Tests of the store: written data is read back by later versions, by other connections, and after a crash.

use std::time::Instant;

use super::super::record::{EventsPage, StoredSubmission, SubmissionFilter, SubmissionKind};
use super::*;
use crate::model::ProblemId;
use crate::queue::Priority;

fn new(person: &str, problem: &str) -> NewSubmission {
    NewSubmission {
        person: person.to_owned(),
        problem: problem.parse().unwrap(),
        name: "a.py".to_owned(),
        language: None,
        source: b"print(1)\n\xff\0".to_vec(),
        kind: SubmissionKind::Submit,
        input: None,
        priority: Priority::Person,
    }
}

fn put(store: &SubmissionStore, new: &NewSubmission) -> SubmissionId {
    let id = SubmissionId::random().unwrap();
    store.insert(&id, new).unwrap();
    id
}

fn event(number: u64) -> StoredEvent {
    StoredEvent { number, json: format!("{{\"number\":{number}}}") }
}

fn ended(state: JudgingState, result: Option<(Verdict, Score, Score)>) -> SubmissionEnd {
    SubmissionEnd { state, result, language: None, error: None, report: None }
}

fn ids(submissions: &[StoredSubmission]) -> Vec<SubmissionId> {
    submissions.iter().map(|submission| submission.id.clone()).collect()
}

#[test]
fn a_submission_comes_back_equal() {
    let dir = tempfile::tempdir().unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let submitted = NewSubmission {
        kind: SubmissionKind::Input,
        input: Some(b"1 2\r\n".to_vec()),
        language: Some("Python 3".to_owned()),
        priority: Priority::Rejudge,
        ..new("Zoë 'x'", "sum")
    };
    let id = put(&store, &submitted);
    assert_eq!(store.submitted(&id).unwrap().as_ref(), Some(&submitted));
    assert_eq!(store.source(&id).unwrap(), Some(submitted.source));
    assert_eq!(store.input(&id).unwrap(), submitted.input);
    let row = store.get(&id).unwrap().unwrap();
    assert_eq!((row.state, row.verdict, row.language.as_deref()), (JudgingState::Queued, None, Some("Python 3")));
    store.start(&id).unwrap();
    assert!(store.get(&id).unwrap().unwrap().started >= Some(row.created));
    let points = (Verdict::Partial, Score::thousandths(1_500), Score::points(100));
    let ending = SubmissionEnd { language: Some("python".to_owned()), ..ended(JudgingState::Finished, Some(points)) };
    store.end(&id, &[event(0)], &ending).unwrap();
    let row = store.get(&id).unwrap().unwrap();
    assert_eq!((row.verdict, row.score, row.max_score), (Some(points.0), Some(points.1), Some(points.2)));
    assert_eq!((row.state, row.language.as_deref()), (JudgingState::Finished, Some("python")));
    let unknown = SubmissionId::random().unwrap();
    assert_eq!((store.get(&unknown).unwrap(), store.source(&unknown).unwrap()), (None, None));
    assert_eq!(store.events_after(&unknown, None).unwrap(), EventsPage { events: vec![], ended: true });
}

#[test]
fn events_are_read_from_any_number_and_end_with_the_submission() {
    let dir = tempfile::tempdir().unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let (id, other) = (put(&store, &new("a", "sum")), put(&store, &new("b", "sum")));
    store.append(&other, &[event(0)]).unwrap();
    store.append(&id, &(0..1_200).map(event).collect::<Vec<_>>()).unwrap();
    let page = store.events_after(&id, Some(1_198)).unwrap();
    assert_eq!(page, EventsPage { events: vec![event(1_199)], ended: false });
    store.end(&id, &[event(1_200)], &ended(JudgingState::Finished, None)).unwrap();
    let first = store.events_after(&id, None).unwrap();
    assert_eq!((first.events.len(), first.ended), (1_000, false));
    let second = store.events_after(&id, first.events.last().map(|event| event.number)).unwrap();
    assert!(second.ended);
    assert!(first.events.into_iter().chain(second.events).eq((0..=1_200).map(event)));
    assert_eq!(store.events_after(&id, Some(u64::MAX)).unwrap(), EventsPage { events: vec![], ended: true });
    assert!(store.append(&id, &[event(3)]).is_err(), "a stored event never changes");
}

#[test]
fn filters_select_and_pages_follow_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let all: Vec<SubmissionId> = ["a sum", "b sum", "a nim", "a sum", "b nim"]
        .iter()
        .map(|both| both.split_once(' ').map(|(person, problem)| put(&store, &new(person, problem))).unwrap())
        .collect();
    let newest = |places: &[usize]| places.iter().map(|&place| all[place].clone()).collect::<Vec<_>>();
    let list = |filter: &SubmissionFilter| ids(&store.list(filter).unwrap());
    let filter = SubmissionFilter::default;
    let sum: ProblemId = "sum".parse().unwrap();
    assert_eq!(list(&filter()), newest(&[4, 3, 2, 1, 0]));
    assert_eq!(list(&SubmissionFilter { person: Some("a".to_owned()), ..filter() }), newest(&[3, 2, 0]));
    assert_eq!(list(&SubmissionFilter { problem: Some(sum.clone()), ..filter() }), newest(&[3, 1, 0]));
    let both = SubmissionFilter { person: Some("a".to_owned()), problem: Some(sum), limit: Some(1), ..filter() };
    assert_eq!(list(&both), newest(&[3]));
    assert_eq!(list(&SubmissionFilter { before: Some(all[3].clone()), ..both }), newest(&[0]));
    assert_eq!(list(&SubmissionFilter { before: Some(SubmissionId::random().unwrap()), ..filter() }), []);
    store
        .end(&all[0], &[], &ended(JudgingState::Finished, Some((Verdict::Accepted, Score::ZERO, Score::ZERO))))
        .unwrap();
    assert_eq!(list(&SubmissionFilter { state: Some(JudgingState::Finished), ..filter() }), newest(&[0]));
    assert_eq!(list(&SubmissionFilter { kind: Some(SubmissionKind::Samples), ..filter() }), []);
    let standing = store.standing("a").unwrap();
    let shown: Vec<_> = standing
        .iter()
        .map(|problem| (problem.problem.as_str(), problem.solved, problem.last_verdict, problem.submissions))
        .collect();
    assert_eq!(shown, [("nim", false, None, 1), ("sum", true, None, 2)]);
}

#[test]
fn what_was_open_is_queued_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let all: Vec<SubmissionId> = (0..5).map(|_| put(&store, &new("a", "sum"))).collect();
    all[..4].iter().for_each(|id| store.start(id).unwrap());
    store.end(&all[0], &[], &ended(JudgingState::Finished, None)).unwrap();
    store.requeue(&all[2]).unwrap();
    store.request_cancel(&all[3..4]).unwrap();
    assert!(SubmissionStore::open(dir.path()).unwrap_err().to_string().contains("another nimatron process"));
    // Dropping the store writes nothing, so it has the same effect as a crash.
    drop(store);
    let store = SubmissionStore::open(dir.path()).unwrap();
    let open = store.reopen().unwrap();
    let open: Vec<_> = open.iter().map(|(entry, cancelled)| (entry.id.clone(), *cancelled)).collect();
    let expected: Vec<_> = all[1..].iter().enumerate().map(|(place, id)| (id.clone(), place == 2)).collect();
    assert_eq!(open, expected);
    assert!(
        store.list(&SubmissionFilter { state: Some(JudgingState::Running), ..Default::default() }).unwrap().is_empty()
    );
}

#[test]
fn a_database_of_version_1_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(SUBMISSIONS_FILE);
    Connection::open(&path).unwrap().execute_batch(include_str!("store_v1.sql")).unwrap();
    let tables = |connection: &Connection| -> Vec<String> {
        let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let store = SubmissionStore::open(dir.path()).unwrap();
    let empty = tempfile::tempdir().unwrap();
    let fresh = SubmissionStore::open(empty.path()).unwrap();
    assert_eq!(store.read(|c| Ok(tables(c))).unwrap(), fresh.read(|c| Ok(tables(c))).unwrap());
    let rows = store.list(&SubmissionFilter::default()).unwrap();
    let [third, second, first] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((first.verdict, first.score), (Some(Verdict::Partial), Some(Score::thousandths(30_500))));
    assert_eq!((second.kind, second.language.as_deref()), (SubmissionKind::Input, Some("C++")));
    assert_eq!((third.priority, third.state), (Priority::Batch, JudgingState::Queued));
    assert!(store.log(&second.id).unwrap().iter().all(Option::is_some));
    let open: Vec<_> = store.reopen().unwrap().into_iter().map(|(entry, cancelled)| (entry.id, cancelled)).collect();
    assert_eq!(open, [(second.id.clone(), false), (third.id.clone(), true)]);
    drop(store);
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let error = SubmissionStore::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("version 99"), "{error}");
}

#[test]
fn readers_do_not_wait_for_the_writer() {
    let dir = tempfile::tempdir().unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let id = put(&store, &new("a", "sum"));
    let read = store.write(Durability::Later, |batch| {
        append(batch, &id, &[event(0)])?;
        let start = Instant::now();
        let events = store.events_after(&id, None).unwrap().events;
        Ok((events, start.elapsed()))
    });
    let (events, waited) = read.unwrap();
    assert_eq!(events, [], "uncommitted events are not visible");
    assert!(waited < BUSY / 2, "{waited:?}");
    assert_eq!(store.events_after(&id, None).unwrap().events, [event(0)]);
}

/// Prints the time to store a submission. The time depends on the disk, so no limit is tested.
#[test]
#[ignore = "a measurement"]
fn long_time_of_a_submission() {
    let dir = tempfile::tempdir_in(".").unwrap();
    let store = SubmissionStore::open(dir.path()).unwrap();
    let submitted = NewSubmission { source: vec![b'x'; 4_000], ..new("a", "sum") };
    for threads in [1, 8] {
        let start = Instant::now();
        let mut times: Vec<u128> = std::thread::scope(|scope| {
            let work = || (0..400).map(|_| timed(|| _ = put(&store, &submitted))).collect::<Vec<_>>();
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        times.sort_unstable();
        let (all, count) = (start.elapsed(), times.len());
        println!(
            "{threads} threads: {:.0} a second, median {} us, p95 {} us",
            count as f64 / all.as_secs_f64(),
            times[count / 2],
            times[count * 95 / 100]
        );
    }
    let id = put(&store, &submitted);
    let batches: u64 = 2_000;
    let time =
        timed(|| (0..batches).for_each(|batch| store.append(&id, &[event(2 * batch), event(2 * batch + 1)]).unwrap()));
    println!("a batch of events: {} us", time / u128::from(batches));
}

fn timed(work: impl FnOnce()) -> u128 {
    let start = Instant::now();
    work();
    start.elapsed().as_micros()
}
