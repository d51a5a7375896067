//! Tests of the history: recorded runs are found again, and damaged files, newer versions and other processes cause no
//! loss of data.

use super::*;
use crate::model::ProblemId;

fn run(problem: &ProblemKey, program: &str, verdict: Verdict) -> NewRun {
    NewRun {
        problem: problem.clone(),
        id: "a".to_owned(),
        title: "Title".to_owned(),
        program: program.to_owned(),
        language: program.rsplit('.').next().unwrap().to_owned(),
        verdict,
        score: (Score::points(30), Score::points(100)),
        cases: (3, 10),
        time: Some(TimeSpan::millis(12)),
        memory: ByteSize::mib(7),
        whole: true,
    }
}

fn embedded(id: &str) -> ProblemKey {
    ProblemKey::embedded(&id.parse::<ProblemId>().unwrap())
}

fn put(history: &mut HistoryStore, at: i64, run: &NewRun) {
    history.write(|batch| insert_run(batch, run, at)).unwrap();
}

#[test]
fn the_log_stays_short_although_every_run_is_recorded_by_another_connection() {
    let dir = tempfile::tempdir().unwrap();
    for at in 0..200 {
        let mut history = HistoryStore::open(dir.path()).unwrap();
        put(&mut history, at, &run(&embedded("nim"), "x.py", Verdict::Accepted));
        drop(history);
        let log = write_ahead_log_size(&dir.path().join(HISTORY_FILE));
        assert!(log < LONG_LOG + (64 << 10), "{log} bytes after run {at}");
    }
    assert_eq!(HistoryStore::read(dir.path()).unwrap().unwrap().runs(&HistoryFilter::default()).unwrap().len(), 200);
}

#[test]
fn runs_come_back_equal_and_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    assert!(HistoryStore::read(dir.path()).unwrap().is_none());
    let (here, there) = (ProblemKey::at(dir.path()), embedded("nim"));
    let mut history = HistoryStore::open(dir.path()).unwrap();
    let runs = [
        (5, run(&here, "x.py", Verdict::WrongAnswer)),
        (5, NewRun { whole: false, time: None, ..run(&here, "y.cpp", Verdict::Accepted) }),
        (9, NewRun { id: "nim".to_owned(), ..run(&there, "z.py", Verdict::Accepted) }),
    ];
    runs.iter().for_each(|(at, run)| put(&mut history, *at, run));
    drop(history);
    let history = HistoryStore::read(dir.path()).unwrap().unwrap();
    let rows = |filter: &HistoryFilter| history.runs(filter).unwrap();
    let programs = |filter: HistoryFilter| rows(&filter).into_iter().map(|row| row.run.program).collect::<Vec<_>>();
    let all = rows(&HistoryFilter::default());
    let expected: Vec<_> = runs.iter().rev().map(|(at, run)| HistoryRow { at: *at, run: run.clone() }).collect();
    assert_eq!(all, expected);
    let filter = HistoryFilter::default;
    assert_eq!(programs(HistoryFilter { verdicts: vec![Verdict::Accepted], ..filter() }), ["z.py", "y.cpp"]);
    assert_eq!(programs(HistoryFilter { language: Some("py".to_owned()), since: Some(6), ..filter() }), ["z.py"]);
    assert_eq!(programs(HistoryFilter { limit: Some(2), ..filter() }), ["z.py", "y.cpp"]);
    let by = |key: &ProblemKey, id: &str| HistoryFilter { problem: Some((key.clone(), id.to_owned())), ..filter() };
    assert_eq!(programs(by(&here, "")), ["y.cpp", "x.py"]);
    assert_eq!(programs(by(&there, "a")), ["z.py", "y.cpp", "x.py"]);
    let above = ProblemKey::at(dir.path().parent().unwrap());
    assert_eq!(programs(by(&above, "")), ["y.cpp", "x.py"], "a folder contains the problems below it");
    let beside = ProblemKey::at(&dir.path().with_extension("x"));
    assert_eq!(programs(by(&beside, "")), Vec::<String>::new());
}

#[test]
fn a_problem_is_solved_by_a_run_on_all_cases() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = HistoryStore::open(dir.path()).unwrap();
    let key = embedded("nim");
    let standing = |history: &HistoryStore| {
        let known = history.problem(&key).unwrap().unwrap();
        let standing = known.standing.clone().unwrap();
        (known.solved(), standing.last_verdict.short(), standing.last_program, standing.runs)
    };
    assert_eq!(history.problem(&key).unwrap(), None);
    put(&mut history, 1, &NewRun { whole: false, ..run(&key, "a", Verdict::Accepted) });
    assert_eq!(standing(&history), (false, "AC", "a".to_owned(), 1));
    put(&mut history, 2, &run(&key, "b", Verdict::Accepted));
    put(&mut history, 2, &run(&key, "c", Verdict::TimeLimit));
    assert_eq!(standing(&history), (true, "TLE", "c".to_owned(), 3));
    // The clock may be set back.
    put(&mut history, 1, &run(&key, "d", Verdict::WrongAnswer));
    assert_eq!(standing(&history), (true, "TLE", "c".to_owned(), 4));
}

#[test]
fn received_problems_are_known_with_their_message() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = HistoryStore::open(dir.path()).unwrap();
    let key = ProblemKey::at(dir.path());
    let digest = Digest::of(b"message");
    let known = KnownProblem {
        key: key.clone(),
        id: "a".to_owned(),
        title: "A. Castle".to_owned(),
        url: "https://example.org/a".to_owned(),
        received: None,
        standing: None,
    };
    put(&mut history, 1, &run(&key, "x.py", Verdict::WrongAnswer));
    assert_eq!(history.message_digest(&key).unwrap(), None);
    history.receive(&known, Some(digest)).unwrap();
    history.receive(&known, None).unwrap();
    assert_eq!(history.message_digest(&key).unwrap(), Some(digest));
    put(&mut history, 2, &run(&key, "x.py", Verdict::WrongAnswer));
    let found = history.problems().unwrap().pop().unwrap();
    assert_eq!((found.title.as_str(), found.url.as_str()), ("A. Castle", "https://example.org/a"));
    assert!(found.received.is_some() && found.standing.is_some_and(|standing| standing.runs == 2));
}

#[test]
fn marks_of_earlier_versions_are_moved() {
    let dir = tempfile::tempdir().unwrap();
    let old = dir.path().join(OLD_FOLDER);
    fs_err::create_dir(&old).unwrap();
    fs_err::write(old.join("classic-nim"), "my.cpp\n").unwrap();
    fs_err::write(old.join("Not an id"), "").unwrap();
    let history = HistoryStore::read(dir.path()).unwrap().unwrap();
    assert!(history.problem(&embedded("classic-nim")).unwrap().unwrap().solved());
    assert_eq!(history.problems().unwrap().len(), 1);
    let names: Vec<_> = old.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["Not an id"], "other files stay");
    drop(history);
    assert_eq!(HistoryStore::open(dir.path()).unwrap().runs(&HistoryFilter::default()).unwrap().len(), 1);
}

#[test]
fn a_damaged_or_newer_database_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(HISTORY_FILE);
    fs_err::write(
        &path,
        "this is not a database, but it is long enough to have a header of a hundred bytes, you see".repeat(9),
    )
    .unwrap();
    for opened in [HistoryStore::open(dir.path()).map(Some), HistoryStore::read(dir.path())] {
        let error = opened.unwrap_err().to_string();
        assert!(error.contains(HISTORY_FILE) && error.contains("not a database"), "{error}");
    }
    fs_err::remove_file(&path).unwrap();
    let history = HistoryStore::open(dir.path()).unwrap();
    history.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(history);
    assert!(HistoryStore::open(dir.path()).unwrap_err().to_string().contains("version 99"));
}

#[test]
fn an_immutable_copy_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = HistoryStore::open(dir.path()).unwrap();
    put(&mut history, 1, &run(&embedded("nim"), "a", Verdict::Accepted));
    let copy = dir.path().join("odd %41 name?#.sqlite");
    history.connection.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    let copy = HistoryStore::immutable(&copy).unwrap();
    assert_eq!(copy.runs(&HistoryFilter::default()).unwrap().len(), 1);
}

#[test]
fn processes_that_start_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let dir = dir.path();
            scope.spawn(move || {
                let key = embedded("nim");
                let mut history = HistoryStore::open(dir).unwrap();
                for turn in 0..4 {
                    history.record(&run(&key, &format!("{number}-{turn}"), Verdict::Accepted)).unwrap();
                }
            });
        }
    });
    let history = HistoryStore::open(dir.path()).unwrap();
    assert_eq!(history.runs(&HistoryFilter::default()).unwrap().len(), 32);
}

#[test]
fn processes_may_create_the_history_at_the_same_time() {
    create_at_the_same_time(10);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn processes_may_create_the_history_at_the_same_time_many_times() {
    create_at_the_same_time(60);
}

/// Lets eight threads create and write a history, this many times.
fn create_at_the_same_time(rounds: u32) {
    for round in 0..rounds {
        let state = tempfile::tempdir().unwrap();
        let key = ProblemKey::at(state.path());
        let record = |number: usize| {
            let mut history = HistoryStore::open(state.path())?;
            history.record(&run(&key, &format!("{number}.cpp"), Verdict::Accepted))
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || record(number))).collect();
            for thread in threads {
                thread.join().unwrap().unwrap_or_else(|failure| panic!("round {round}: {failure}"));
            }
        });
        let history = HistoryStore::read(state.path()).unwrap().unwrap();
        assert_eq!(history.problems().unwrap()[0].standing.as_ref().unwrap().runs, 8);
    }
}
