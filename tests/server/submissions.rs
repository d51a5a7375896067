//! Tests of the judging queue with real programs: its events, cancellation, problems that can't be prepared, restarts,
//! and a process that is killed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use nimatron::history::{HISTORY_FILE, HistoryFilter, HistoryStore, ProblemKey};
use nimatron::model::{ByteSize, Failure, ProblemId, Verdict};
use nimatron::sandbox::{Cancel, IsolationRequirement};
use nimatron::service::{JudgeService, ProblemSource, ServiceConfig};
use nimatron_server::submissions::{
    EventsPage, FoundProblem, JudgingQueue, JudgingState, LocalHistory, NewSubmission, Priority, ProblemFinder,
    QueueConfig, QueueLimits, StoredSubmission, SubmissionFilter, SubmissionId, SubmissionKind, SubmissionStore,
    SubmitError,
};

use crate::project::{BUILT, Project};

const RIGHT: &str = "read n; read a; s=0; for x in $a; do s=$((s+x)); done; echo $s";
const WRONG: &str = "read n; read a; [ $n -gt 3 ] && echo 1; s=0; for x in $a; do s=$((s+x)); done; echo $s";
const ENDLESS: &str = "while :; do :; done";
/// Takes long enough to be interrupted.
const SLOW: &str = "sleep 0.1; read n; read a; s=0; for x in $a; do s=$((s+x)); done; echo $s";

/// The longest time that a test waits for something.
const TEST_TIMEOUT: Duration = Duration::from_secs(120);
/// The folder of a project, for the process that is killed.
const FOLDER: &str = "NIMATRON_TEST_FOLDER";

/// Finds the problems in a folder.
struct ProblemFolder(PathBuf);

impl ProblemFinder for ProblemFolder {
    fn find(&self, problem: &ProblemId) -> Result<FoundProblem, Failure> {
        let folder = self.0.join(problem.as_str());
        if !folder.is_dir() {
            return Err(Failure::complaint(format!("there is no problem `{problem}` any more")));
        }
        let key = ProblemKey::at(&folder);
        Ok(FoundProblem { source: ProblemSource::of_path(folder), key })
    }
}

/// A queue on the problems, the data and the history of this folder. Two programs are judged at once, each on one slot.
fn queue_in(folder: &Path, cache: &Path) -> JudgingQueue {
    queue_with(folder, cache, None)
}

fn queue_with(folder: &Path, cache: &Path, storage_per_person: Option<ByteSize>) -> JudgingQueue {
    let config = ServiceConfig {
        fork_server: BUILT.into(),
        cache: cache.to_owned(),
        problems: None,
        jobs: 2,
        isolation: IsolationRequirement::default(),
        cells: 0,
    };
    let service = JudgeService::open(&config, &Cancel::new().unwrap()).unwrap();
    let limits = QueueLimits {
        slots_per_run: Some(1),
        per_person: 1,
        queued_per_person: 20,
        storage_per_person,
        ..QueueLimits::default()
    };
    let history = LocalHistory { person: "local".to_owned(), state: folder.join("state") };
    let config = QueueConfig { limits, history: Some(history) };
    let finder = Arc::new(ProblemFolder(folder.join("problems")));
    JudgingQueue::start(service, finder, SubmissionStore::open(&folder.join("data")).unwrap(), config).unwrap()
}

fn shared_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

fn queue(project: &Project) -> JudgingQueue {
    queue_in(&project.path("."), &shared_cache())
}

fn new(person: &str, source: &str) -> NewSubmission {
    NewSubmission {
        person: person.to_owned(),
        problem: "sum".parse().unwrap(),
        name: "a.sh".to_owned(),
        language: None,
        source: source.into(),
        kind: SubmissionKind::Submit,
        input: None,
        priority: Priority::Person,
    }
}

/// Waits until the submission is as wanted.
#[track_caller]
fn until(queue: &JudgingQueue, id: &SubmissionId, wanted: impl Fn(&StoredSubmission) -> bool) -> StoredSubmission {
    let start = Instant::now();
    loop {
        let row = queue.get(id).unwrap().unwrap();
        if wanted(&row) {
            return row;
        }
        assert!(start.elapsed() < TEST_TIMEOUT, "{row:?}, fault: {:?}", queue.fault());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[track_caller]
fn ended(queue: &JudgingQueue, id: &SubmissionId) -> StoredSubmission {
    until(queue, id, |row| row.state.ended())
}

/// The names of the events of a log that ended. Its numbers have no gaps, and its run is the submission.
#[track_caller]
fn log(queue: &JudgingQueue, id: &SubmissionId) -> Vec<String> {
    let EventsPage { events, ended } = queue.events_after(id, None).unwrap();
    assert!(ended);
    let name = |(place, event): (usize, &nimatron_server::submissions::StoredEvent)| {
        let json: serde_json::Value = serde_json::from_str(&event.json).unwrap();
        assert_eq!((event.number, &json["number"], &json["run"]), (place as u64, &place.into(), &id.as_str().into()));
        json["event"].as_str().unwrap().to_owned()
    };
    let names: Vec<String> = events.iter().enumerate().map(name).collect();
    assert_eq!(names.last().map(String::as_str), Some("run_finished"), "{names:?}");
    names
}

#[test]
fn a_submission_is_judged_live_and_recorded() {
    let project = Project::with_sum().own_data();
    let queue = queue_in(&project.path("."), &project.path("cache"));
    let changes = Arc::new(AtomicUsize::new(0));
    let counted = changes.clone();
    queue.on_change(Arc::new(move |_| _ = counted.fetch_add(1, Ordering::SeqCst)));
    let id = queue.submit(new("local", SLOW)).unwrap();
    let (mut position, mut live) = (0, Vec::new());
    let start = Instant::now();
    while !queue.get(&id).unwrap().unwrap().state.ended() {
        assert!(start.elapsed() < TEST_TIMEOUT);
        if let Some(page) = queue.live_after(&id, position) {
            position = page.next;
            for event in page.events {
                if let Some(number) = event.number {
                    let stored = queue.events_after(&id, number.checked_sub(1)).unwrap().events;
                    assert_eq!(stored[0].json, *event.json, "an event is stored before it is seen");
                }
                live.push(event);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let progress: Vec<serde_json::Value> = live
        .iter()
        .filter(|event| event.number.is_none())
        .map(|event| serde_json::from_str(&event.json).unwrap())
        .collect();
    for activity in ["making_test_data", "running_case", "judged_case"] {
        assert!(progress.iter().any(|event| event["activity"] == activity), "no {activity}: {progress:?}");
    }
    assert!(
        live.iter().filter_map(|event| event.number).eq((0..).take(live.iter().filter(|e| e.number.is_some()).count()))
    );
    // The end is stored shortly before the list is dropped.
    while queue.live_after(&id, 0).is_some() {
        assert!(start.elapsed() < TEST_TIMEOUT);
    }
    let row = ended(&queue, &id);
    assert_eq!((row.state, row.verdict, row.error), (JudgingState::Finished, Some(Verdict::Accepted), None));
    let names = log(&queue, &id);
    let report = queue.report(&id).unwrap().unwrap();
    assert_eq!(names.len(), report.log.len());
    assert!(changes.load(Ordering::SeqCst) > names.len() / 2);
    assert_eq!(queue.position(&id), None);
    let history = HistoryStore::read(&project.path("state")).unwrap().unwrap();
    let runs = history.runs(&HistoryFilter::default()).unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (runs[0].run.program.as_str(), runs[0].run.verdict, runs[0].run.whole),
        ("a.sh", Verdict::Accepted, true)
    );
    assert_eq!(queue.fault(), None);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cases_that_cannot_change_the_verdict_are_skipped_after_a_time_limit() {
    let project = Project::with_sum();
    let queue = queue(&project);
    let id = queue.submit(new("local", ENDLESS)).unwrap();
    assert_eq!(ended(&queue, &id).verdict, Some(Verdict::TimeLimit));
    let events = log(&queue, &id);
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    assert_eq!(count("case_finished"), 1, "{events:?}");
    assert!(count("case_skipped") > 1, "{events:?}");
}

#[test]
fn samples_and_an_input_are_judged_alone() {
    let project = Project::with_sum();
    let queue = queue(&project);
    let samples = queue.submit(NewSubmission { kind: SubmissionKind::Samples, ..new("a", WRONG) }).unwrap();
    let input = NewSubmission { kind: SubmissionKind::Input, input: Some(b"2\n3 4\n".to_vec()), ..new("b", RIGHT) };
    let [input, all] = [input, new("c", WRONG)].map(|new| queue.submit(new).unwrap());
    assert_eq!(ended(&queue, &samples).verdict, Some(Verdict::Accepted));
    assert_eq!(queue.report(&samples).unwrap().unwrap().summary.cases, 1);
    assert_eq!(ended(&queue, &input).verdict, Some(Verdict::Accepted));
    assert_eq!(&*queue.report(&input).unwrap().unwrap().output.unwrap().content, b"7\n");
    assert_eq!(ended(&queue, &all).verdict, Some(Verdict::WrongAnswer));
    assert_eq!(queue.report(&all).unwrap().unwrap().failures.len(), 1);
    assert!(HistoryStore::read(&project.path("state")).unwrap().is_none(), "others have no history");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cancelling_a_program_affects_no_other() {
    let project = Project::with_sum();
    let queue = queue(&project);
    // The data exists from here on.
    let first = queue.submit(new("a", RIGHT)).unwrap();
    ended(&queue, &first);
    let endless = queue.submit(new("a", ENDLESS)).unwrap();
    let waiting = queue.submit(new("a", RIGHT)).unwrap();
    until(&queue, &endless, |row| row.state == JudgingState::Running);
    let start = Instant::now();
    while queue.events_after(&endless, None).unwrap().events.is_empty() {
        assert!(start.elapsed() < TEST_TIMEOUT);
    }
    let others = ["b", "c"].map(|person| queue.submit(new(person, SLOW)).unwrap());
    assert_eq!(queue.get(&waiting).unwrap().unwrap().state, JudgingState::Queued, "one program of a person at a time");
    assert!(queue.cancel(&waiting).unwrap());
    assert_eq!(queue.get(&waiting).unwrap().unwrap().state, JudgingState::Cancelled);
    assert_eq!(log(&queue, &waiting), ["run_started", "run_finished"]);
    let start = Instant::now();
    assert!(queue.cancel(&endless).unwrap());
    let row = ended(&queue, &endless);
    let waited = start.elapsed();
    assert_eq!((row.state, row.verdict, row.error), (JudgingState::Cancelled, None, None));
    // The program is ended within 100 ms; a busy machine may be slow to say so.
    assert!(waited < Duration::from_secs(1), "cancelling took {waited:?}");
    log(&queue, &endless);
    for other in others {
        assert_eq!(ended(&queue, &other).verdict, Some(Verdict::Accepted));
    }
    for id in [&waiting, &endless, &first, &SubmissionId::random().unwrap()] {
        assert!(!queue.cancel(id).unwrap(), "it has ended, or does not exist");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_preparation_of_a_problem_can_be_interrupted() {
    let project = Project::with_sum();
    let open = || queue_in(&project.path("."), &project.path("cache"));
    let first = open();
    let ids = ["a", "b"].map(|person| first.submit(new(person, RIGHT)).unwrap());
    for id in &ids {
        until(&first, id, |row| row.state == JudgingState::Running);
    }
    // The reference is being compiled; that takes longer than this.
    std::thread::sleep(Duration::from_millis(50));
    let start = Instant::now();
    assert!(first.cancel(&ids[0]).unwrap());
    assert_eq!(first.get(&ids[0]).unwrap().unwrap().state, JudgingState::Cancelled, "it waits for no compiler");
    assert!(!first.cancel(&ids[0]).unwrap(), "it has ended");
    assert!(start.elapsed() < Duration::from_secs(1), "cancelling took {:?}", start.elapsed());
    first.shutdown();
    assert!(start.elapsed() < Duration::from_secs(3), "no program is waited for");
    assert_eq!(first.get(&ids[1]).unwrap().unwrap().state, JudgingState::Queued);
    drop(first);
    let second = open();
    assert_eq!(ended(&second, &ids[1]).verdict, Some(Verdict::Accepted));
    assert_eq!(
        (log(&second, &ids[0]), second.fault()),
        (vec!["run_started".to_owned(), "run_finished".to_owned()], None)
    );
}

#[test]
fn a_problem_or_a_language_that_is_broken_ends_its_submissions_only() {
    let project = Project::with_sum()
        .file("problems/broken/problem.yaml", "name: 3\nlimits: [")
        .file("problems/no-reference/problem.yaml", crate::project::SUM);
    let queue = queue(&project);
    let on = |problem: &str| NewSubmission { problem: problem.parse().unwrap(), ..new("a", RIGHT) };
    let unknown = NewSubmission { language: Some("Klingon".to_owned()), ..new("a", RIGHT) };
    let all = [on("gone"), on("broken"), on("no-reference"), unknown].map(|new| queue.submit(new).unwrap());
    let other = queue.submit(new("b", RIGHT)).unwrap();
    for (id, reason) in all.iter().zip(["any more", "problem.yaml", "no-reference", "Klingon"]) {
        let row = ended(&queue, id);
        assert_eq!((row.state, row.verdict), (JudgingState::Finished, None));
        assert!(row.error.as_ref().is_some_and(|error| error.contains(reason)), "{row:?}");
        assert_eq!(log(&queue, id), ["run_started", "run_finished"]);
    }
    assert_eq!(ended(&queue, &other).verdict, Some(Verdict::Accepted));
    assert_eq!(queue.fault(), None);
}

#[test]
fn a_person_has_a_limited_number_of_submissions() {
    let project = Project::with_sum();
    let queue = queue(&project);
    let ids: Vec<SubmissionId> = (0..20).map(|_| queue.submit(new("a", ENDLESS)).unwrap()).collect();
    assert_eq!(queue.submit(new("a", RIGHT)), Err(SubmitError::TooManyOfPerson { most: 20 }));
    let other = queue.submit(new("b", RIGHT)).unwrap();
    assert!(ids.iter().all(|id| queue.cancel(id).unwrap()));
    assert_eq!(ended(&queue, &other).verdict, Some(Verdict::Accepted), "others are judged meanwhile");
    until(&queue, &ids[0], |row| row.state.ended());
    let start = Instant::now();
    while queue.counts().running > 0 && start.elapsed() < TEST_TIMEOUT {}
    let again = queue.submit(new("a", RIGHT)).unwrap();
    assert_eq!(ended(&queue, &again).verdict, Some(Verdict::Accepted));
    queue.shutdown();
    assert_eq!(queue.submit(new("a", RIGHT)), Err(SubmitError::ShuttingDown));
}

#[test]
fn a_person_has_a_limited_storage() {
    let project = Project::with_sum();
    let most = ByteSize::kib(64);
    let limited = || queue_with(&project.path("."), &shared_cache(), Some(most));
    let queue = limited();
    let large = format!("{RIGHT}\n# {}", "x".repeat(20_000));
    let submit = |person: &str| queue.submit(new(person, &large)).map(|id| ended(&queue, &id));
    let accepted = (0..10).map_while(|_| submit("a").ok()).count();
    assert!((1..=4).contains(&accepted), "{accepted} submissions of 20 kB");
    assert_eq!(submit("a"), Err(SubmitError::StorageFull { most }));
    assert_eq!(submit("b").unwrap().verdict, Some(Verdict::Accepted), "others are judged");
    drop(queue);
    let queue = limited();
    assert_eq!(queue.submit(new("a", RIGHT)), Err(SubmitError::StorageFull { most }), "after a restart");
    assert_eq!(ended(&queue, &queue.submit(new("b", RIGHT)).unwrap()).verdict, Some(Verdict::Accepted));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_restart_goes_on_with_what_was_open() {
    let project = Project::with_sum();
    let first = queue(&project);
    let [running, queued, cancelled] = [SLOW, RIGHT, RIGHT].map(|source| first.submit(new("a", source)).unwrap());
    let start = Instant::now();
    let seen = loop {
        let events = first.events_after(&running, None).unwrap().events;
        if events.len() > 5 {
            break events;
        }
        assert!(start.elapsed() < TEST_TIMEOUT);
    };
    assert!(first.cancel(&cancelled).unwrap());
    let start = Instant::now();
    first.shutdown();
    assert!(start.elapsed() < Duration::from_secs(2), "no program is waited for");
    for id in [&running, &queued] {
        assert_eq!(first.get(id).unwrap().unwrap().state, JudgingState::Queued);
    }
    drop(first);
    let second = queue(&project);
    for id in [&running, &queued] {
        assert_eq!(ended(&second, id).verdict, Some(Verdict::Accepted));
        log(&second, id);
    }
    assert!(second.events_after(&running, None).unwrap().events.starts_with(&seen), "what was read never changes");
    let whole = second.report(&running).unwrap().unwrap().log.len();
    assert_eq!(second.events_after(&running, None).unwrap().events.len(), whole, "the log is continued");
    assert_eq!(second.get(&cancelled).unwrap().unwrap().state, JudgingState::Cancelled);
}

#[test]
fn a_store_that_fails_for_a_while_loses_no_submission() {
    let project = Project::with_sum();
    let queue = queue(&project);
    let database = rusqlite::Connection::open(project.path("data/submissions.sqlite")).unwrap();
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    let broken = "CREATE TRIGGER broken BEFORE UPDATE ON submissions WHEN NEW.state = 'finished'
        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
    database.execute_batch(broken).unwrap();
    let id = queue.submit(new("a", RIGHT)).unwrap();
    let start = Instant::now();
    while queue.fault().is_none_or(|fault| !fault.message.contains("the disk is full")) {
        assert!(start.elapsed() < TEST_TIMEOUT);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(!queue.get(&id).unwrap().unwrap().state.ended());
    database.execute_batch("DROP TRIGGER broken").unwrap();
    assert_eq!(ended(&queue, &id).verdict, Some(Verdict::Accepted));
    assert_eq!(log(&queue, &id).len(), queue.report(&id).unwrap().unwrap().log.len(), "the log is continued");
    while queue.fault().is_some() {
        assert!(start.elapsed() < TEST_TIMEOUT);
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_cancellation_that_cannot_be_stored_is_carried_out_later() {
    let project = Project::with_sum();
    let queue = queue(&project);
    ended(&queue, &queue.submit(new("a", RIGHT)).unwrap());
    let endless = queue.submit(new("a", ENDLESS)).unwrap();
    let waiting = queue.submit(new("a", RIGHT)).unwrap();
    let start = Instant::now();
    while queue.events_after(&endless, None).unwrap().events.is_empty() {
        assert!(start.elapsed() < TEST_TIMEOUT);
    }
    let database = rusqlite::Connection::open(project.path("data/submissions.sqlite")).unwrap();
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    let broken = "CREATE TRIGGER broken BEFORE UPDATE ON submissions
        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
    database.execute_batch(broken).unwrap();
    for id in [&waiting, &endless] {
        let refusal = queue.cancel(id).unwrap_err().to_string();
        assert!(refusal.contains("the disk is full"), "{refusal}");
    }
    assert!(queue.fault().is_some());
    std::thread::sleep(Duration::from_millis(500));
    for id in [&waiting, &endless] {
        assert!(!queue.get(id).unwrap().unwrap().state.ended(), "its end can't be stored");
    }
    database.execute_batch("DROP TRIGGER broken").unwrap();
    for id in [&waiting, &endless] {
        let row = ended(&queue, id);
        assert_eq!((row.state, row.verdict), (JudgingState::Cancelled, None), "it is not judged instead");
        log(&queue, id);
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_run_that_cannot_be_recorded_in_the_history_is_recorded_later() {
    let project = Project::with_sum();
    // A folder where the database of the history would be.
    let blocked = project.path("state").join(HISTORY_FILE);
    fs_err::create_dir_all(&blocked).unwrap();
    let queue = queue(&project);
    let first = queue.submit(new("local", RIGHT)).unwrap();
    assert_eq!(ended(&queue, &first).verdict, Some(Verdict::Accepted), "the result stands");
    let start = Instant::now();
    while queue.fault().is_none() {
        assert!(start.elapsed() < TEST_TIMEOUT);
        std::thread::sleep(Duration::from_millis(2));
    }
    // Another person's run does not hide that.
    ended(&queue, &queue.submit(new("other", RIGHT)).unwrap());
    assert!(queue.fault().is_some());
    fs_err::remove_dir(&blocked).unwrap();
    while queue.fault().is_some() {
        assert!(start.elapsed() < TEST_TIMEOUT, "{:?}", queue.fault());
        std::thread::sleep(Duration::from_millis(20));
    }
    let runs = HistoryStore::read(&project.path("state")).unwrap().unwrap().runs(&HistoryFilter::default()).unwrap();
    assert_eq!(runs.len(), 1);
}

/// The process that the next test kills. It prints what it acknowledges: submissions, cancellations, events.
#[test]
#[ignore = "started by the test of a killed process"]
fn judge_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let queue = queue_in(&folder, &shared_cache());
    let mut out = std::io::stdout();
    // With one thread, the test harness has begun this line with the name of the test.
    writeln!(out).unwrap();
    let mut say = |text: String| writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
    let mut read = BTreeMap::<SubmissionId, Option<u64>>::new();
    let start = Instant::now();
    for number in 0.. {
        if number < 9 {
            let id =
                queue.submit(new(&format!("p{}", number % 3), if number % 2 == 0 { SLOW } else { WRONG })).unwrap();
            say(format!("submitted {id}"));
            read.insert(id.clone(), None);
            if number == 7 {
                say(format!("cancelling {id}"));
                if queue.cancel(&id).unwrap() {
                    say(format!("cancelled {id}"));
                }
            }
        }
        for (id, last) in &mut read {
            for event in queue.events_after(id, *last).unwrap().events {
                say(format!("event {id} {}", event.json));
                *last = Some(event.number);
            }
        }
        assert!(start.elapsed() < TEST_TIMEOUT, "nobody killed this process");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_killed_process_loses_nothing_that_it_acknowledged() {
    let project = Project::with_sum();
    let warm = queue(&project);
    ended(&warm, &warm.submit(new("a", RIGHT)).unwrap());
    drop(warm);
    let mut events = BTreeMap::<SubmissionId, Vec<String>>::new();
    let (mut cancelling, mut cancelled) = (Vec::new(), Vec::new());
    for kill_after in [12, 40] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "submissions::judge_until_killed", "--ignored", "--nocapture"])
            .env(FOLDER, project.path("."))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut seen = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let mut words = line.splitn(3, ' ');
            let (what, id) = (words.next().unwrap(), words.next().and_then(|id| id.parse::<SubmissionId>().ok()));
            let Some(id) = id else { continue };
            match what {
                "submitted" => _ = events.entry(id).or_default(),
                "cancelling" => cancelling.push(id),
                "cancelled" => cancelled.push(id),
                "event" => events.get_mut(&id).unwrap().push(words.next().unwrap().to_owned()),
                _ => continue,
            }
            seen += 1;
            if seen == kill_after {
                child.kill().unwrap();
            }
        }
        assert!(!child.wait().unwrap().success() && seen >= kill_after, "it was killed after {seen} lines");
    }
    let queue = queue(&project);
    for (id, mut read) in events {
        let row = ended(&queue, &id);
        // A process killed in the middle of a cancellation may have stored it without saying so.
        match row.state {
            JudgingState::Cancelled => assert!(cancelling.contains(&id), "{row:?}"),
            _ => {
                assert!(!cancelled.contains(&id), "{row:?}");
                assert!([Some(Verdict::Accepted), Some(Verdict::WrongAnswer)].contains(&row.verdict), "{row:?}");
            }
        }
        log(&queue, &id);
        let rest = queue.events_after(&id, (read.len() as u64).checked_sub(1)).unwrap().events;
        read.extend(rest.into_iter().map(|event| event.json));
        let whole = queue.events_after(&id, None).unwrap().events;
        assert!(whole.into_iter().map(|event| event.json).eq(read), "what was read before and after is the log");
    }
    let open = |state| SubmissionFilter { state: Some(state), ..SubmissionFilter::default() };
    for state in [JudgingState::Queued, JudgingState::Running] {
        assert_eq!(queue.list(&open(state)).unwrap(), []);
    }
}
