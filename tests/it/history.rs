//! Tests of the history of runs: `nimatron history`, the marks of `list` and `show`, and commands that can't write the
//! history.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::project::{Project, Ran, SUM_RS};

const RIGHT: &str = "print(sum(map(int, input().split())))\n";
const WRONG: &str = "print(0)\n";

/// Creates a project with a folder of samples that contains a right and a wrong program.
fn with_samples() -> Project {
    Project::new()
        .file("contest/a/1.in", "1 2\n")
        .file("contest/a/1.out", "3\n")
        .file("contest/a/2.in", "4 5\n")
        .file("contest/a/2.out", "9\n")
        .file("contest/a/right.py", RIGHT)
        .file("contest/a/wrong.py", WRONG)
}

fn run(project: &Project, program: &str, code: i32) {
    project.run(&["run", "contest/a", &format!("contest/a/{program}"), "-q", "-l", "python"]).code(code);
}

/// Returns the value of a key in every line.
fn column(ran: &Ran, key: &str) -> Vec<String> {
    ran.json().iter().map(|row| row[key].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn runs_are_recorded_and_filtered() {
    let project = with_samples();
    project.run(&["history"]).code(0).says("no runs are recorded yet");
    run(&project, "wrong.py", 1);
    run(&project, "right.py", 0);
    project.run(&["run", "contest/a", "contest/a/right.py", "--case", "tests/1", "-q", "-l", "python"]).code(0);
    let all = project.run(&["history", "--json"]).code(0).silent();
    assert_eq!(column(&all, "verdict"), ["AC", "AC", "WA"]);
    let rows = all.json();
    assert_eq!((&rows[0]["all_cases"], &rows[1]["all_cases"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(
        (&rows[2]["accepted"], &rows[2]["cases"], &rows[2]["language"]),
        (&0.into(), &2.into(), &"python".into())
    );
    assert!(rows[2]["program"].as_str().unwrap().ends_with("/contest/a/wrong.py"), "{rows:?}");
    for (filter, count) in [
        (&["--verdict", "wa"][..], 1),
        (&["--verdict", "AC", "--verdict", "WA"], 3),
        (&["--verdict", "TLE"], 0),
        (&["--limit", "2"], 2),
        (&["--since", "1h"], 3),
        (&["--since", "2999-01-01"], 0),
        (&["--language", "cpp"], 0),
        (&["contest/a"], 3),
        (&["a"], 3),
        (&["contest/b"], 0),
        (&["classic-nim"], 0),
    ] {
        let args: Vec<&str> = ["history", "--json"].iter().chain(filter).copied().collect();
        assert_eq!(project.run(&args).code(0).json().len(), count, "{filter:?}");
    }
    let screen = project.run(&["history"]).code(0).says("contest/a").says("1/1 (part)").says("wrong.py");
    assert!(screen.stdout.lines().nth(1).unwrap().contains("just now"), "{screen:?}");
    project.run(&["history", "--verdict", "no"]).code(2).complains("AC, PT, WA");
    project.run(&["history", "--since", "yesterday"]).code(2).complains("2026-10-01");
}

#[test]
fn list_and_show_know_folders() {
    let project = with_samples();
    let row = |project: &Project| {
        let rows = project.run(&["list", "--json"]).code(0).json();
        rows.into_iter().find(|row| row["folder"].as_str().is_some_and(|folder| folder.ends_with("contest/a")))
    };
    assert_eq!(row(&project), None);
    run(&project, "right.py", 0);
    run(&project, "wrong.py", 1);
    let known = row(&project).unwrap();
    assert_eq!((&known["solved"], &known["last"]["verdict"]), (&true.into(), &"WA".into()));
    project
        .run(&["list"])
        .code(0)
        .says("folders with problems that were run or received")
        .says("✓")
        .says("WA just now")
        .says("contest/a");
    project.run(&["list", "nosuchword"]).code(0).says("no matching problems");
    let shown = project.run(&["show", "contest/a"]).code(0);
    shown.says("solved · last WA just now with wrong.py · 2 runs");
    // A folder that no longer exists stays in the history but is not listed.
    std::fs::rename(project.path("contest"), project.path("moved")).unwrap();
    assert_eq!(row(&project), None);
    assert_eq!(project.run(&["history", "--json", "contest/a"]).code(0).json().len(), 2);
}

#[test]
fn problems_of_one_name_are_kept_apart() {
    let project = with_samples()
        .file("problems/sum/problem.yaml", crate::project::SUM)
        .file("problems/sum/statement.md", "Print the sum.\n")
        .file("solutions/sum/accepted/reference.rs", SUM_RS)
        .file("other/a/1.in", "1 2\n")
        .file("other/a/1.out", "3\n");
    run(&project, "right.py", 0);
    project.run(&["run", "other/a", "contest/a/wrong.py", "-q"]).code(1);
    project.run(&["run", "sum", "solutions/sum/accepted/reference.rs", "-q"]).code(0);
    let rows = project.run(&["list", "--json"]).code(0).json();
    let solved = |end: &str| {
        rows.iter().find(|row| row["folder"].as_str().is_some_and(|folder| folder.ends_with(end))).unwrap()["solved"]
            .clone()
    };
    assert_eq!((solved("contest/a"), solved("other/a")), (true.into(), false.into()));
    assert!(rows.iter().any(|row| row["id"] == "sum" && row["solved"] == true && row["folder"].is_null()), "{rows:?}");
    // A problem of the catalog has the same history by id and by path.
    for name in ["sum", "problems/sum"] {
        assert_eq!(project.run(&["history", "--json", name]).code(0).json().len(), 1, "{name}");
    }
}

#[test]
fn marks_of_earlier_versions_are_moved() {
    let project = Project::new().file("state/nimatron/solved/classic-nim", "my.cpp\n");
    let rows = project.run(&["list", "--json"]).code(0).silent().json();
    assert!(rows.iter().any(|row| row["id"] == "classic-nim" && row["solved"] == true));
    assert!(!project.path("state/nimatron/solved").exists());
    project.run(&["show", "classic-nim"]).code(0).says("solved · last AC");
    assert_eq!(column(&project.run(&["history", "--json"]).code(0), "program"), ["my.cpp"]);
    project.run(&["history"]).code(0).says("classic-nim");
}

#[test]
fn a_damaged_history_never_changes_a_result() {
    let project =
        with_samples().file("state/nimatron/history.sqlite", "not a database, and longer than a header ".repeat(9));
    for (program, code) in [("right.py", 0), ("wrong.py", 1)] {
        let args = ["run", "contest/a", &format!("contest/a/{program}"), "-l", "python"];
        project
            .run(&args)
            .code(code)
            .complains("warning: the run was not recorded in the history")
            .complains("history.sqlite");
    }
    project.run(&["list"]).code(0).says("classic-nim").complains("warning: earlier runs are not shown");
    project.run(&["show", "contest/a"]).code(0).complains("warning: earlier runs are not shown");
    project.run(&["history"]).code(3).complains("history.sqlite").complains("not a database");
}

#[test]
fn a_history_that_cannot_be_written_never_changes_a_result() {
    let project = with_samples();
    // Not even root can create a folder at this path.
    let state = [("XDG_STATE_HOME", "/proc")];
    let args = ["run", "contest/a", "contest/a/right.py", "-l", "python"];
    project.run_with(&args, &state).code(0).says("AC").complains("warning: the run was not recorded in the history");
    let json = project.run_with(&["run", "contest/a", "contest/a/wrong.py", "-l", "python", "--json"], &state).code(1);
    assert_eq!(json.last_json()["verdict"], "WA");
    project.run_with(&["list"], &state).code(0).silent();
    project.run_with(&["history"], &state).code(0).says("no runs are recorded yet").silent();
}

#[test]
fn a_locked_history_delays_no_result() {
    let project = with_samples();
    run(&project, "right.py", 0);
    let lock = rusqlite::Connection::open(project.path("state/nimatron/history.sqlite")).unwrap();
    lock.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE runs SET at = at").unwrap();
    let mut child = project.start(&["run", "contest/a", "contest/a/right.py", "-l", "python"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("accepted")));
    // If the result waited for the history, the lock would have been waited for in vain, and the run would not be recorded.
    drop(lock);
    lines.for_each(drop);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    assert_eq!(project.run(&["history", "--json"]).code(0).json().len(), 2);
}

#[test]
fn runs_at_the_same_time_are_all_recorded() {
    let project = with_samples();
    let children: Vec<_> =
        (0..6).map(|_| project.start(&["run", "contest/a", "contest/a/right.py", "-q", "-l", "python"])).collect();
    for child in children {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    }
    assert_eq!(project.run(&["history", "--json"]).code(0).json().len(), 6);
}
