//! Tests of grading a small class: every mark is correct, even after a kill, and nothing is judged twice.

use std::io::{BufRead, BufReader};

use nimatron::grade::ledger::StoredOverride;
use nimatron::grade::store::GradeStore;
use nimatron::model::Score;

use crate::class_programs::of_number;
use crate::project::{Project, Ran, SUM_C, SUM_RS, zipped};

const SUM: &str = "\
name: Sum
limits: { time: 300ms, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: \"2\\n1 2\\n\", answer: \"3\\n\" }
  tiny: { every: { n: 1..=1, a: 0..=2 } }
";

const TWICE: &str = "\
name: Twice a number
limits: { time: 300ms, memory: 256MiB, output: 1MiB }
input:
  - n: -100..=100
answer:
  - twice: -1000..=1000
tests:
  small: { every: { n: 0..=2 }, points: 30 }
  large: { count: 3, with: { n: -100..=-1 }, points: 70 }
";

const SUM_PY: &str = "input()\nprint(sum(map(int, input().split())))\n";

/// Adds the problems and their reference solutions.
fn problems() -> Project {
    Project::new()
        .file("problems/sum/problem.yaml", SUM)
        .file("solutions/sum/accepted/reference.c", SUM_C)
        .file("problems/twice/problem.yaml", TWICE)
        .file("solutions/twice/accepted/reference.c", of_number!("2 * n"))
}

/// Twelve students and their expected marks.
fn class() -> (Project, &'static str) {
    let project = problems()
        .file("class/ann/sum.c", SUM_C)
        .file("class/ann/twice.c", of_number!("2 * n"))
        .file("class/bob/sum.c", SUM_C)
        .file("class/bob/twice.c", of_number!("abs(2 * n)"))
        .file("class/cyd/sum.py", SUM_PY)
        .file("class/cyd/twice.c", "int main(void) { return 1 }\n")
        .file("class/dan/sum.c", of_number!("3"))
        .file("class/dan/twice.c", of_number!("-2 * n"))
        .file("class/eve/sum.py", "")
        .file("class/eve/twice.py", [0, 159, 146, 150])
        .file("class/fay/sum.c", "int main(void) { for (;;); }\n")
        .file("class/gus/Sum_1.c", of_number!("3"))
        .file("class/gus/Sum_2.c", SUM_C)
        .file("class/hal/twice.c", "#include <stdio.h>\nint main(void) { for (;;) printf(\"%0999d\\n\", 7); }\n")
        .file("class/ida/sum/main.py", "import piles\npiles.go()\n")
        .file("class/ida/sum/piles.py", "def go():\n    input()\n    print(sum(map(int, input().split())))\n")
        .file("class/Jos\u{e9} \u{17b}/sum.c", SUM_C)
        .file("class/kim/readme.txt", "I was ill.\n")
        .file("class/lea/sum.c", "int main(void) { return 3; }\n")
        .file("class/lea/twice.c", "#include <unistd.h>\nint main(void) { sleep(60); }\n");
    let expected = "\
student,sum,twice,total
Jos\u{e9} \u{17b},100,0,100
ann,100,100,200
bob,100,30,130
cyd,100,0,100
dan,0,0,0
eve,0,0,0
fay,0,0,0
gus,100,0,100
hal,0,0,0
ida,100,0,100
kim,0,0,0
lea,0,0,0
";
    (project, expected)
}

fn grade(project: &Project, more: &[&str]) -> Ran {
    // These tests are about marks, and must also pass without strong isolation.
    let mut args = vec!["grade", "sum", "twice", "class", "--require", "D"];
    args.extend(more);
    project.run(&args)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_class_is_graded_correctly_and_only_once() {
    let (project, expected) = class();
    let first = grade(&project, &["--out", "a", "--json", "--jobs", "2"]).code(0).silent();
    assert_eq!(project.read("a/gradebook.csv"), expected);
    let last = first.last_json();
    assert_eq!(last["event"], "grade_finished");
    assert_eq!((&last["submissions"], &last["judged"], &last["reused"]), (&17.into(), &14.into(), &3.into()));
    let of = |student: &str, problem: &str| {
        let lines = first.json();
        let line = lines.iter().find(|line| line["student"] == student && line["problem"] == problem);
        line.map(|line| line["verdict"].as_str().unwrap_or("").to_owned())
    };
    assert_eq!(of("bob", "twice").as_deref(), Some("PT"));
    assert_eq!(of("cyd", "twice").as_deref(), Some("CE"));
    assert_eq!(of("eve", "sum").as_deref(), Some("WA"), "an empty script prints nothing");
    assert_eq!(of("eve", "twice").as_deref(), Some("CE"));
    assert_eq!(of("fay", "sum").as_deref(), Some("TLE"));
    assert_eq!(of("lea", "sum").as_deref(), Some("RTE"));
    assert_eq!(of("kim", "sum"), None);
    let again = grade(&project, &["--out", "a", "--json"]).code(0).silent().last_json();
    assert_eq!((&again["judged"], &again["reused"]), (&0.into(), &17.into()));
    let other = grade(&project, &["--out", "b", "--jobs", "1", "-q"]).code(0).silent();
    assert!(other.stdout.starts_with("12 students, 17 programs"), "{other:?}");
    for book in ["gradebook.csv", "gradebook.json"] {
        assert_eq!(project.read(&format!("a/{book}")), project.read(&format!("b/{book}")), "{book}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn marks_given_by_hand_in_the_store_count() {
    let (project, expected) = class();
    grade(&project, &["--out", "o", "-q"]).code(0);
    let given = StoredOverride {
        student: "dan".to_owned(),
        problem: "sum".to_owned(),
        mark: Some(Score::points(40)),
        comment: None,
    };
    let store = GradeStore::open(&project.path("o")).unwrap();
    store.override_mark(&given, "ann", "a right idea", 1).unwrap();
    drop(store);
    grade(&project, &["--out", "o", "-q"]).code(0);
    assert_eq!(project.read("o/gradebook.csv"), expected.replace("dan,0,0,0", "dan,40,0,40"));
    let store = GradeStore::open(&project.path("o")).unwrap();
    assert!(store.undo_override("dan", "sum", "ann", 2).unwrap());
    drop(store);
    grade(&project, &["--out", "o", "-q"]).code(0);
    assert_eq!(project.read("o/gradebook.csv"), expected);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_killed_grader_resumes() {
    let (project, expected) = class();
    for lines in [1, 4, 9] {
        let args = ["grade", "sum", "twice", "class", "--require", "D", "--out", "k", "--json", "--jobs", "2"];
        let mut child = project.start(&args);
        let told = BufReader::new(child.stdout.take().unwrap()).lines().take(lines).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(told <= lines);
    }
    let last = grade(&project, &["--out", "k", "--json"]).code(0).last_json();
    assert!(last["reused"].as_u64().unwrap() > 3, "{last}");
    assert_eq!(project.read("k/gradebook.csv"), expected);
    grade(&project, &["--out", "u", "-q"]).code(0);
    assert_eq!(project.read("k/gradebook.json"), project.read("u/gradebook.json"));
}

#[test]
fn an_interrupted_grader_says_what_remains() {
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", SUM.replace("time: 300ms", "time: 20s"))
        .file("class/ann/sum.c", "int main(void) { for (;;); }\n");
    let mut child = project.start(&["grade", "sum", "class", "--out", "o", "--json"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("grade_started"));
    child.interrupt();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let [last] = &rest[..] else { panic!("{rest:#?}") };
    let last: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(last, serde_json::json!({ "event": "grade_stopped", "judged": 0, "remaining": 1 }));
}

#[test]
fn a_dry_run_shows_the_guess_and_runs_nothing() {
    let (project, _) = class();
    grade(&project, &["--dry-run", "--out", "d"])
        .code(0)
        .says("class/ida/sum".trim_start_matches("class/"))
        .says("kim/readme.txt: the text does not identify a programming language")
        .says("ignored: another attempt counts")
        .says("students without a program: kim")
        .silent();
    let objects = grade(&project, &["--dry-run", "--out", "d", "--json"]).code(0).silent().json();
    let (last, found) = objects.split_last().unwrap();
    assert!(found.iter().all(|line| line["event"] == "submission_found" && line["file"].is_string()), "{found:#?}");
    assert!(found.iter().any(|line| line["counts"] == false) && found.iter().any(|line| line["counts"] == true));
    assert_eq!((&last["event"], last["submissions"].as_u64()), (&"dry_run_finished".into(), Some(found.len() as u64)));
    assert!(last["students"].as_array().unwrap().contains(&"kim".into()), "{last}");
    let left = last["left"].as_array().unwrap();
    assert!(left.iter().any(|left| left["file"].as_str().unwrap().ends_with("kim/readme.txt")), "{last}");
    assert!(!project.path("d").exists());
}

#[test]
fn student_names_cannot_send_control_characters_to_the_terminal() {
    let project = Project::with_sum().file("class/ida\x1b[2J/sum.rs", SUM_RS);
    for more in [["--dry-run", "-v"], ["--preview", "-v"], ["--out", "w"]] {
        let ran = project.run(&[&["grade", "sum", "class"][..], &more].concat());
        assert!(!(ran.stdout.clone() + &ran.stderr).contains('\x1b'), "{ran:#?}");
    }
}

#[test]
fn what_changed_is_judged_again_and_a_preview_shows_what_would_change() {
    let project = problems().file("class/ann/sum.c", SUM_C).file("class/bob/sum.c", of_number!("3"));
    grade(&project, &["--out", "o", "-q"]).code(0);
    let before = project.read("o/gradebook.csv");
    let project = project.file("class/bob/sum.c", SUM_C);
    grade(&project, &["--out", "o", "--preview"])
        .code(0)
        .says("bob, sum: 0 → 100")
        .says("the gradebook was not changed");
    assert_eq!(project.read("o/gradebook.csv"), before);
    let objects = grade(&project, &["--out", "o", "--preview", "--json"]).code(0).json();
    let changed: Vec<_> = objects.iter().filter(|line| line["event"] == "mark_changed").collect();
    let [mark, total] = changed[..] else { panic!("{objects:#?}") };
    assert_eq!((&mark["student"], &mark["problem"]), (&"bob".into(), &"sum".into()));
    assert_eq!((&mark["was"], &mark["now"], &total["problem"]), (&"0".into(), &"100".into(), &"total".into()));
    assert_eq!(objects.last().unwrap()["event"], "grade_finished");
    assert_eq!(project.read("o/gradebook.csv"), before);
    let last = grade(&project, &["--out", "o", "--json"]).code(0).last_json();
    assert_eq!(last["judged"], 0, "the preview's results are stored: {last}");
    assert_eq!(project.read("o/gradebook.csv"), "student,sum,twice,total\nann,100,0,100\nbob,100,0,100\n");
    let project = project.file("problems/sum/problem.yaml", SUM.replace("a: 0..=2", "a: 0..=1"));
    grade(&project, &["--out", "o", "-v"]).code(0).says("1 submission to judge: changed: the problem's tests");
    let last = grade(&project, &["--out", "o", "--json", "--rejudge", "a louder machine"]).code(0).last_json();
    assert_eq!(last["judged"], 1, "the programs are identical: {last}");
}

#[test]
fn marks_follow_the_policy() {
    let policy = "select: best\ndue: 2026-03-01T12:00:00Z\nlate: { grace: 10min, off: 20, cap: 60 }\n\
                  problems: { twice: { weight: 0.5, points: 10 } }\nrubric: { style: 5 }\nfeedback: { large: none }\n";
    let list = "student,problem,file,submitted\nann,sum,ann.c,2026-03-02T11:00:00Z\n\
                bob,sum,bob.c,2026-03-02T11:00:00Z\n\
                ann,twice,a1.c,2026-03-01T11:00:00Z\nann,twice,a2.c,2026-03-01T12:05:00Z\n";
    let project = problems()
        .file("class/list.csv", list)
        .file("class/ann.c", SUM_C)
        .file("class/bob.c", SUM_C)
        .file("class/a1.c", of_number!("2 * n"))
        .file("class/a2.c", of_number!("abs(2 * n)"))
        .file("marks.yaml", policy)
        .file(
            "hand.yaml",
            "ann: { style: 4.5, comment: Fine. }\nbob: { twice: { mark: 3, comment: shown at the board } }\n",
        )
        .file("later.csv", "student,problem,until\nbob,,2026-03-02T12:00:00Z\n");
    let files = ["--policy", "marks.yaml", "--manual", "hand.yaml", "--extensions", "later.csv"];
    let mut args = vec!["grade", "sum", "twice", "class/list.csv", "--require", "D", "--out", "o", "-q"];
    args.extend(files);
    args.extend(["--gradescope", "--junit", "o/junit.xml", "--canvas", "--assignment", "Homework (7)"]);
    project.run(&args).code(0);
    assert_eq!(
        project.read("o/gradebook.csv"),
        "student,sum,twice,style,total\nann,80,10,4.5,89.5\nbob,100,3,,101.5\n"
    );
    let json: serde_json::Value = serde_json::from_str(&project.read("o/gradebook.json")).unwrap();
    assert_eq!(json["total"], "sum + 0.5 × twice + style");
    let formula = json["students"][0]["marks"][0]["formula"].as_str().unwrap();
    assert!(formula.contains("− 20 %"), "{formula}");
    assert_eq!(json["students"][0]["marks"][1]["file"], "a1.c");
    let scope: serde_json::Value = serde_json::from_str(&project.read("o/gradescope/ann.json")).unwrap();
    assert_eq!(scope["score"], 89.5);
    assert!(project.read("o/canvas.csv").contains("Homework (7)"));
    assert!(project.read("o/junit.xml").contains("<testsuite"));
    let page = project.read("o/report/students/ann.html");
    assert!(
        page.contains("Fine.")
            && page.contains("The verdicts and the data for these cases are not shown.")
            && !page.contains("<script")
    );
}

#[test]
fn the_only_folder_of_a_zip_is_opened_if_it_has_folders_of_students() {
    let (sum, three) = (SUM_C.as_bytes(), of_number!("3"));
    let class = zipped(&[("submissions/ann/sum.c", sum), ("submissions/bob/sum.c", three.as_bytes())]);
    let project = problems().file("hw.zip", class).file("one.zip", zipped(&[("ann/sum.c", sum)]));
    project.run(&["grade", "sum", "hw.zip", "--dry-run"]).code(0).says("a folder for each student, in `submissions`");
    project.run(&["grade", "sum", "hw.zip", "--require", "D", "--out", "o"]).code(0);
    assert_eq!(project.read("o/gradebook.csv"), "student,sum,total\nann,100,100\nbob,0,0\n");
    project.run(&["grade", "sum", "one.zip", "--require", "D", "--out", "p"]).code(0);
    assert_eq!(project.read("p/gradebook.csv"), "student,sum,total\nann,100,100\n");
}

#[test]
fn a_moodle_zip_with_zips_inside_is_read() {
    let inner = zipped(&[("sum.c", SUM_C.as_bytes()), ("../twice.c", b"x")]);
    let download = zipped(&[
        ("Ann Smith_41_assignsubmission_file/work.zip", &inner),
        ("Bob Lee_42_assignsubmission_file/sum.c", of_number!("3").as_bytes()),
    ]);
    let sheet = "\u{feff}Identifier,Full name,Grade,Feedback comments\r\nParticipant 41,Ann Smith,,\r\nParticipant 42,Bob Lee,,\r\n";
    let project = problems().file("hw.zip", download).file("sheet.csv", sheet);
    let args = ["grade", "sum", "hw.zip", "--require", "D", "--out", "o", "--moodle", "sheet.csv"];
    project.run(&args).code(0).says("it has the component `..` in its path").silent();
    assert_eq!(project.read("o/gradebook.csv"), "student,sum,total\nAnn Smith,100,100\nBob Lee,0,0\n");
    assert!(project.read("o/moodle.csv").contains("Participant 41,Ann Smith,100,sum: 100 of 100 (accepted)\r\n"));
}

#[test]
fn invalid_submissions_are_reported() {
    let project = problems().file("class/ann/sum.py", SUM_PY).file("bad.yaml", "late: { of: 10 }\n");
    project.run(&["grade", "sum", "nowhere"]).code(2).complains("does not exist");
    project.run(&["grade", "sum"]).code(2);
    project.run(&["grade", "sum", "sum", "class", "--dry-run"]).code(2).complains("is specified more than once");
    project.run(&["grade", "sum", "class", "--pattern", "{x}"]).code(2).complains("unknown field `{x}`");
    grade(&project, &["--policy", "bad.yaml"]).code(2).complains("did you mean `off`?");
}

#[test]
fn a_class_is_not_judged_with_less_than_level_b() {
    const BARE: &str = "for n in user mnt pid net ipc uts cgroup; do echo 0 > /proc/sys/user/max_${n}_namespaces || exit 77; \
                        done; exec \"$@\"";
    let project = problems().file("class/ann/sum.py", SUM_PY);
    let ran = project.run_by("unshare", &["-Ur", "sh", "-c", BARE, "sh"], &["grade", "sum", "class", "--out", "o"]);
    match ran {
        Some(ran) if ran.code == 3 => {
            assert!(ran.stderr.contains("isolation level B or better is required, but "), "{ran:?}");
            assert!(!project.path("o/gradebook.csv").exists());
        }
        Some(ran) if ran.code == 77 || ran.stderr.contains("unshare") => println!("skipped: {}", ran.stderr),
        None => println!("skipped: no unshare here"),
        Some(ran) => panic!("{ran:?}"),
    }
}

/// Runs git without user settings. Returns whether it succeeded, which it cannot if it is not installed.
fn git(folder: &std::path::Path, at: &str, args: &[&str]) -> bool {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=x", "-c", "user.email=x@y", "-c", "init.defaultBranch=main"]).args(args);
    git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_COMMITTER_DATE", at);
    git.stdout(std::process::Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn the_time_of_a_program_in_a_repository_is_its_commit_time() {
    let project = problems()
        .file("class/ann/sum.py", SUM_PY)
        .file("class/bob/sum.py", SUM_PY)
        .file("marks.yaml", "due: 2026-03-01T12:00:00Z\nlate: { per: day, off: 20 }\n");
    let (ann, bob) = (project.path("class/ann"), project.path("class/bob"));
    if !git(&ann, "", &["init", "-q"]) {
        return println!("skipped: no git here");
    }
    assert!(git(&bob, "", &["init", "-q"]));
    for folder in [&ann, &bob] {
        assert!(git(folder, "2026-03-01T11:00:00Z", &["add", "."]));
        assert!(git(folder, "2026-03-01T11:00:00Z", &["commit", "-qm", "one"]));
    }
    // A later commit of another file does not count, but a later commit of the program does.
    let project = project.file("class/ann/notes.txt", "late\n").file("class/bob/sum.py", format!("{SUM_PY}# late\n"));
    for folder in [&ann, &bob] {
        assert!(git(folder, "", &["add", "."]));
        assert!(git(folder, "2026-03-02T13:00:00Z", &["commit", "-qm", "two"]));
    }
    // These settings of the repository would run programs chosen by its owner.
    let trap = format!("touch {}", project.path("trapped").display());
    let settings = format!(
        "[core]\n\tfsmonitor = \"{trap}\"\n\tpager = \"{trap}\"\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = \"{trap}\"\n\
         [diff]\n\texternal = \"{trap}\"\n"
    );
    let config = ann.join(".git/config");
    let before = fs_err::read_to_string(&config).unwrap();
    fs_err::write(&config, before + &settings).unwrap();
    let args = ["grade", "sum", "class", "--require", "D", "--policy", "marks.yaml", "--out", "o", "-q"];
    project.run(&args).code(0);
    assert_eq!(project.read("o/gradebook.csv"), "student,sum,total\nann,100,100\nbob,60,60\n");
    assert!(!project.path("trapped").exists());
}

/// A program that is long enough to be compared.
const LONG_PY: &str = "\
def read_all():
    count = int(input())
    values = [int(word) for word in input().split()]
    if len(values) != count:
        raise SystemExit('bad input <b>')
    return values


def add_up(values):
    total, index = 0, 0
    while index < len(values):
        if values[index] >= 0:
            total += values[index]
        else:
            total -= abs(values[index])
        index += 1
    return total


print(add_up(read_all()))
";

#[test]
fn similar_programs_are_shown_side_by_side() {
    let copy = LONG_PY.replace("total", "s").replace("values", "xs").replace("index += 1", "index = index + 1  # mine");
    let own = "import sys\n\n\nclass Sum:\n    def __init__(self):\n        self.so_far = 0\n\n    def feed(self, line):\n        \
               for word in line.split():\n            self.so_far += int(word)\n\n\ns = Sum()\nfor number, line in \
               enumerate(sys.stdin):\n    if number > 0:\n        s.feed(line)\nprint(s.so_far)\n";
    let project = problems()
        .file("class/ann/sum.py", LONG_PY)
        .file("class/bob/sum.py", copy)
        .file("class/cyd/sum.py", own)
        .file("given/start.py", LONG_PY);
    let run = |more: &[&str]| {
        let mut args = vec!["grade", "sum", "class", "--require", "D", "--out", "o", "-q"];
        args.extend(more);
        project.run(&args).code(0);
        project.read("o/likeness.csv")
    };
    let alike = run(&[]);
    let lines: Vec<&str> = alike.lines().collect();
    // The programs have the same steps in other words; identical programs have no longest part.
    assert_eq!(lines[1..], ["sum,1.000,18,ann,bob"], "{alike}");
    let page = project.read("o/report/likeness/sum-1.html");
    assert!(page.contains("id=\"l1\"") && page.contains("id=\"r1\"") && page.contains("bad input &lt;b&gt;"), "{page}");
    assert!(!page.contains("<script") && !page.contains("http"), "{page}");
    assert!(project.read("o/report/index.html").contains("likeness/index.html"));
    assert_eq!(run(&["--given", "given"]).lines().count(), 1, "given code does not count");
    assert!(!project.path("o/report/likeness/sum-1.html").exists());
    run(&["--likeness", "0"]);
    assert!(!project.path("o/report/likeness").exists());
}

/// The program of [`LONG_PY`] in C++.
const LONG_CPP: &str = "\
#include <cstdlib>
#include <iostream>
#include <vector>

std::vector<long> read_all() {
    int count;
    std::cin >> count;
    std::vector<long> values;
    for (long x; std::cin >> x;) values.push_back(x);
    if ((int)values.size() != count) throw \"bad input <c>\";
    return values;
}

long add_up(const std::vector<long>& values) {
    long total = 0;
    for (int index = 0; index < (int)values.size(); ++index) {
        if (values[index] >= 0) {
            total += values[index];
        } else {
            total -= std::abs(values[index]);
        }
    }
    return total;
}

int main() {
    std::cout << add_up(read_all()) << std::endl;
}
";

#[test]
fn a_translated_program_is_listed_and_marked_on_both_sides() {
    let project = problems().file("class/ann/sum.py", LONG_PY).file("class/bob/sum.cpp", LONG_CPP);
    project.run(&["grade", "sum", "class", "--require", "D", "--out", "o", "-q"]).code(0);
    let list = project.read("o/likeness.csv");
    assert!(list.lines().nth(1).is_some_and(|line| line.ends_with(",ann,bob")), "{list}");
    let json = project.read("o/likeness.json");
    assert!(json.contains("\"across_languages\": true") && json.contains("\"usual\": 0.45"), "{json}");
    let page = project.read("o/report/likeness/sum-1.html");
    assert!(page.contains("different languages"), "{page}");
    for side in ["total += values[index]</span>", "total += values[index];"] {
        assert!(page.contains(side), "{side}: {page}");
    }
    assert!(page.contains("id=\"l1\"") && page.contains("id=\"r1\""), "{page}");
}

#[test]
fn similar_programs_form_groups() {
    let project = problems()
        .file("class/ann/sum.py", LONG_PY)
        .file("class/bob/sum.cpp", LONG_CPP)
        .file("class/cyd/sum.py", SUM_PY)
        .file("class/dan/sum.py", LONG_PY.replace("index += 1", "index = 1 + index"));
    project.run(&["grade", "sum", "class", "--require", "D", "--out", "o", "-q"]).code(0);
    let json: serde_json::Value = serde_json::from_str(&project.read("o/likeness.json")).unwrap();
    let groups = &json["problems"][0]["groups"];
    assert_eq!(groups[0]["students"], serde_json::json!(["ann", "bob", "dan"]), "{json:#}");
    assert!(groups.as_array().is_some_and(|groups| groups.len() == 1) && groups[0]["highest"] == 1.0, "{json:#}");
    assert!(project.read("o/report/likeness/index.html").contains("href=\"sum-group-1.html\""));
    let page = project.read("o/report/likeness/sum-group-1.html");
    assert!(page.contains("ann, bob, dan") && page.contains("all 2 other programs contain"), "{page}");
    assert!(
        page.contains("<span class=\"share\">2</span><span class=\"m m3\">            total += values[index]"),
        "{page}"
    );
    assert!(page.contains("href=\"sum-1.html\"") && !page.contains("<script"), "{page}");
}

#[test]
fn every_group_shows_its_first_failure() {
    let policy = "feedback: { default: full }\n";
    let project = problems().file("class/ann/twice.py", "print(7000 + int(input()))\n").file("marks.yaml", policy);
    let args = ["grade", "twice", "class", "--require", "D", "--policy", "marks.yaml", "--out", "o", "-q"];
    project.run(&args).code(0);
    let page = project.read("o/report/students/ann.html");
    assert_eq!(page.matches("Your output").count(), 2, "{page}");
}

#[test]
fn another_checker_judges_again_and_another_readme_does_not() {
    const CHECKER: &str = "import sys\nexpected = open(sys.argv[2]).read().split()\n\
                           sys.exit(42 if sys.stdin.read().split() == expected else 43)\n";
    let spec = SUM.replace("tests:", "checker: { program: checker.py }\ntests:");
    let project = problems()
        .file("problems/sum/problem.yaml", spec)
        .file("problems/sum/programs/checker.py", CHECKER)
        .file("problems/sum/programs/readme.txt", "one")
        .file("class/ann/sum.py", "print(3)\n");
    let judged = |project: &Project| {
        let args = ["grade", "sum", "class", "--require", "D", "--out", "o", "--json"];
        project.run(&args).code(0).last_json()["judged"].as_u64()
    };
    assert_eq!(judged(&project), Some(1));
    let project = project.file("problems/sum/programs/readme.txt", "two");
    assert_eq!(judged(&project), Some(0));
    let project = project.file("problems/sum/programs/checker.py", "import sys\nsys.exit(42)\n");
    assert_eq!(judged(&project), Some(1));
    assert_eq!(project.read("o/gradebook.csv"), "student,sum,total\nann,100,100\n");
}
