//! A class that `nimatron grade --cluster` sends to a server: marks, kills and refusals.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::count;
use crate::project::{Project, Ran, SUM};
use crate::rig::{RIGHT, Rig, WRONG, slow};

/// Adds students whose programs have many verdicts. `slowness` is the time in seconds that some of them sleep on each
/// case.
fn add_class(rig: &Rig, students: usize, slowness: f64) {
    for student in 0..students {
        let program = match student % 6 {
            0 => slow(slowness, student),
            1 => format!("{WRONG} # {student}"),
            2 => format!("exit 3 # {student}"),
            3 => "while :; do :; done".to_owned(),
            4 => "if".to_owned(),
            _ => RIGHT.to_owned(),
        };
        let folder = rig.project.path(&format!("class/s{student}"));
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(folder.join("sum.sh"), program).unwrap();
    }
    // A program of several files.
    let folder = rig.project.path("class/zoe/sum");
    fs_err::create_dir_all(&folder).unwrap();
    fs_err::write(folder.join("main.py"), "import adding\nadding.go()\n").unwrap();
    let adding = "def go():\n    input()\n    print(sum(map(int, input().split())))\n";
    fs_err::write(folder.join("adding.py"), adding).unwrap();
}

fn arguments<'a>(out: &'a str, url: Option<&'a str>) -> Vec<&'a str> {
    let args = ["grade", "sum", "class", "--require", "D", "--json", "--out", out];
    args.into_iter().chain(url.iter().flat_map(|url| ["--cluster", url])).collect()
}

fn url(rig: &Rig) -> String {
    format!("http://127.0.0.1:{}", rig.server().port)
}

fn grade(rig: &Rig, out: &str, url: Option<&str>) -> Ran {
    rig.project.run_with(&arguments(out, url), &[("NIMATRON_TOKEN", &rig.server().token)])
}

#[track_caller]
fn assert_equal_books(rig: &Rig, a: &str, b: &str) {
    for book in ["gradebook.csv", "gradebook.json"] {
        assert_eq!(rig.project.read(&format!("{a}/{book}")), rig.project.read(&format!("{b}/{book}")), "{book}");
    }
}

#[test]
fn a_class_gets_the_same_marks_from_a_server_as_from_this_machine() {
    let Some(rig) = Rig::start(None, 0) else { return };
    add_class(&rig, 12, 0.01);
    let local = grade(&rig, "local", None).code(0).silent().last_json();
    let (_w1, _w2) = (rig.worker("w1", 1), rig.worker("w2", 1));
    let remote = grade(&rig, "remote", Some(&url(&rig))).code(0).silent().last_json();
    assert_eq!(local, remote);
    assert_equal_books(&rig, "local", "remote");
    assert!(rig.project.read("remote/gradebook.csv").contains("zoe,100,"));
    let judged = rig.jobs().len();
    assert_eq!(local["judged"], judged, "each program that was judged was judged at the server");
    let again = grade(&rig, "remote", Some(&url(&rig))).code(0).last_json();
    assert_eq!((&again["judged"], rig.jobs().len()), (&json!(0), judged));
    // A file has the token as well, and the runs are listed as those of a class.
    fs_err::write(rig.project.path("token"), format!("{}\n", rig.server().token)).unwrap();
    let address = url(&rig);
    let args = [arguments("file", Some(&address)), vec!["--token-file", "token"]].concat();
    rig.project.run(&args).code(0);
    assert_equal_books(&rig, "local", "file");
    let runs = rig.server().get("/api/v1/runs?limit=1000").json();
    assert!(runs.as_array().unwrap().iter().all(|run| run["kind"] == "judge"), "{runs}");
}

#[test]
fn a_grader_that_is_killed_resumes() {
    let Some(rig) = Rig::start(None, 0) else { return };
    add_class(&rig, 24, 0.05);
    grade(&rig, "calm", None).code(0);
    let _worker = rig.worker("w1", 2);
    let address = url(&rig);
    for kill in 0..count("NIMATRON_CLUSTER_GRADE_KILLS", 2) {
        let token = [("NIMATRON_TOKEN", rig.server().token.as_str())];
        let mut grader = rig.project.start_with(&arguments("killed", Some(&address)), &token);
        grader.stdout.take();
        std::thread::sleep(Duration::from_millis(300 * (kill as u64 + 1)));
        grader.kill().unwrap();
        grader.wait().unwrap();
    }
    grade(&rig, "killed", Some(&address)).code(0);
    assert_equal_books(&rig, "calm", "killed");
}

#[test]
fn a_server_that_cannot_judge_the_class_says_why() {
    let Some(rig) = Rig::start(None, 0) else { return };
    add_class(&rig, 1, 0.01);
    let address = url(&rig);
    let refused = rig.project.run_with(&arguments("out", Some(&address)), &[("NIMATRON_TOKEN", "wrong")]).code(2);
    assert!(refused.stderr.contains("NIMATRON_TOKEN"), "{refused:?}");
    let other = Project::with_sum()
        .file("problems/sum/problem.yaml", SUM.replace("count: 5", "count: 6"))
        .file("class/ann/sum.sh", RIGHT);
    let token = [("NIMATRON_TOKEN", rig.server().token.as_str())];
    let refused = other.run_with(&arguments("out", Some(&address)), &token).code(2);
    assert!(refused.stderr.contains("a different version of the problem `sum`"), "{refused:?}");
    let refused = other.run_with(&arguments("out", Some("nats://127.0.0.1:1")), &token).code(2);
    assert!(refused.stderr.contains("does not begin with `http://`"), "{refused:?}");
    let with_checker = [arguments("out", Some(&address)), vec!["--checker", "tokens"]].concat();
    let refused = other.run_with(&with_checker, &token).code(2);
    assert!(refused.stderr.contains("'--cluster <URL>' cannot be used with '--checker"), "{refused:?}");
    assert!(rig.jobs().is_empty());
}

#[test]
fn a_class_is_graded_on_a_package() {
    let Some(mut rig) = Rig::start(None, 0) else { return };
    let spec = "problem_format_version: 2025-09\nname: Add\ntype: pass-fail\nlimits: { time_limit: 2.0 }\n\
        uuid: 00000000-0000-4000-8000-000000000001\n";
    for (name, content) in [
        ("problems/add/problem.yaml", spec),
        ("problems/add/data/sample/1.in", "1 2\n"),
        ("problems/add/data/sample/1.ans", "3\n"),
        ("problems/add/data/secret/2.in", "-3 5\n"),
        ("problems/add/data/secret/2.ans", "2\n"),
        ("class/ann/add.sh", "read a b; echo $((a + b))\n"),
        ("class/bob/add.sh", "echo 3\n"),
    ] {
        let path = rig.project.path(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
    // The server finds its problems when it starts.
    rig.restart();
    let _worker = rig.worker("w1", 2);
    let address = url(&rig);
    let token = [("NIMATRON_TOKEN", rig.server().token.as_str())];
    for (out, more) in [("local", &[][..]), ("remote", &["--cluster", &address])] {
        let args = [&["grade", "add", "class", "--require", "D", "--time", "3s", "--out", out][..], more].concat();
        rig.project.run_with(&args, &token).code(0);
    }
    assert_eq!(rig.project.read("remote/gradebook.csv"), "student,add,total\nann,100,100\nbob,0,0\n");
    assert_equal_books(&rig, "local", "remote");
    assert_eq!(rig.jobs().len(), 2);
}

#[test]
fn four_workers_judge_many_programs_as_one_does() {
    let programs = count("NIMATRON_CLUSTER_MANY", 24);
    let Some(rig) = Rig::start(None, 0) else { return };
    for student in 0..programs {
        let program = if student % 3 == 0 { WRONG } else { RIGHT };
        let folder = rig.project.path(&format!("class/s{student:05}"));
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(folder.join("sum.sh"), format!("{program} # {student}")).unwrap();
    }
    let workers: Vec<_> = ["w1", "w2", "w3", "w4"].map(|name| rig.worker(name, 1)).into();
    rig.ended(&rig.submit(RIGHT));
    let start = Instant::now();
    grade(&rig, "out", Some(&url(&rig))).code(0);
    let seconds = start.elapsed().as_secs_f64();
    let book = rig.project.read("out/gradebook.csv");
    let marks = (0..programs).map(|student| {
        let mark = if student % 3 == 0 { 0 } else { 100 };
        format!("s{student:05},{mark},{mark}\n")
    });
    assert_eq!(book, std::iter::once("student,sum,total\n".to_owned()).chain(marks).collect::<String>());
    let jobs = rig.jobs();
    assert_eq!(jobs.len(), programs + 1, "no program was judged twice");
    assert!(jobs.iter().all(|(_, state, ..)| state == "finished"));
    let shares: Vec<usize> = workers.iter().map(|worker| worker.done()).collect();
    assert!(shares.iter().all(|share| *share > 0), "{shares:?}");
    println!(
        "{programs} programs with four workers in {seconds:.0} s, {:.1} a second, {shares:?} each; serve took at most {} MiB",
        programs as f64 / seconds,
        rig.server().peak_memory() >> 20,
    );
}
