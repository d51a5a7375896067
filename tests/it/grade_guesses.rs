//! Tests of the guesses of `grade` about submissions, and of its messages about names, times and tables that may be
//! wrong.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::project::{Project, Ran, zipped};

const PROBLEM: &str = "\
name: Sum of a list
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  tiny: { every: { n: 1..=1, a: 0..=2 } }
";
const PROGRAM: &str = "input()\nprint(sum(map(int, input().split())))\n";
/// A program with a comment in Windows-1252.
const PROGRAM_C: &[u8] = b"// L\xf6sung\n#include <stdio.h>\nint main(void) { int n, x, s = 0; scanf(\"%d\", &n); \
    while (n--) { scanf(\"%d\", &x); s += x; } printf(\"%d\\n\", s); }\n";

fn project() -> Project {
    Project::new()
        .file("problems/list-sum/problem.yaml", PROBLEM)
        .file("solutions/list-sum/accepted/reference.py", PROGRAM)
}

fn grade(project: &Project, from: &str, more: &[&str]) -> Ran {
    let mut args = vec!["grade", "list-sum", from, "--require", "D", "--out", "o"];
    args.extend(more);
    project.run(&args)
}

#[test]
fn misspelt_names_text_files_and_character_sets_are_guessed_and_told() {
    let project = project()
        .file("problems/other/problem.yaml", PROBLEM.replace("Sum of a list", "Other"))
        .file("class/ann/lst-sum.py", PROGRAM)
        .file("class/bob/list-sum.txt", format!("# my solution\n{PROGRAM}"))
        .file("class/bob/about list-sum.txt", "I added up the numbers.\n")
        .file("class/cyd/list-sum.py", PROGRAM)
        .file("class/cyd/list-sum.txt", PROGRAM)
        .file("class/dan/list-sun.py", PROGRAM)
        .file("class/eve/lost.py", PROGRAM)
        .file("class/fay/list-sum.TXT", PROGRAM_C);
    for name in [&b"Fran\xe7ois"[..], b"Zo\xeb M\xfcller"] {
        let folder = project.path("class").join(OsStr::from_bytes(name));
        fs_err::create_dir(&folder).unwrap();
        fs_err::write(folder.join("list-sum.py"), PROGRAM).unwrap();
    }
    let args = ["grade", "list-sum", "other", "class", "--require", "D", "--out", "o"];
    let dry = project.run(&[&args[..], &["--dry-run"]].concat()).code(0).silent();
    let dry = dry
        .says("`lst-sum` is interpreted as `list-sum`")
        .says("the program text is interpreted as Python")
        .says("bob/about list-sum.txt: the text does not identify a programming language")
        .says("cyd/list-sum.txt: text file; the student also has")
        .says("eve/lost.py: the name `lost.py` refers to none of the problems list-sum, other")
        .says("names that are not UTF-8 were decoded as windows-1252");
    dry.says("Zoë Müller");
    let args = ["grade", "list-sum", "class", "--require", "D", "--out", "o", "--pattern", "{student}/{problem}.{ext}"];
    let run = project.run(&args).code(0).complains("names that are not UTF-8 were decoded as windows-1252");
    let run =
        run.says("guessed problems and languages (4)").says("`list-sun` is interpreted as `list-sum`: dan/list-sun.py");
    run.says("the program text is interpreted as Python: bob/list-sum.txt");
    let book = project.read("o/gradebook.csv");
    for student in ["François", "Zoë Müller", "ann", "bob", "cyd", "dan", "fay"] {
        assert!(book.contains(&format!("\n{student},100,100\n")), "{student}: {book}");
    }
    assert!(project.read("o/report/students/bob.html").contains("list-sum.py"));
}

#[test]
fn names_in_a_zip_of_an_old_program_are_decoded() {
    let program = PROGRAM.as_bytes();
    let mut bytes = zipped(&[("Zo?/list-sum.py", program), ("M?ller/list-sum.py", program)]);
    // These are the same names in code page 437.
    for at in 0..bytes.len() - 6 {
        match &bytes[at..at + 6] {
            b"Zo?/li" => bytes[at + 2] = 0x89,
            b"M?ller" => bytes[at + 1] = 0x81,
            _ => {}
        }
    }
    let project = project().file("hw.zip", bytes);
    grade(&project, "hw.zip", &["--dry-run"])
        .code(0)
        .silent()
        .says("Müller")
        .says("Zoë")
        .says("decoded as code page 437");
}

const SHEET: &str = "\u{feff}Identifier,Full name,Grade,Maximum grade,Feedback comments\r\n\
                     Participant 1,ann,,10.00,\r\nParticipant 2,bob,,10.00,\r\n";
const LIST: &str = "student,problem,file,submitted\nann,list-sum,ann.py,2026-03-01T12:00:00Z\n\
                    bob,list-sum,bob.py,2026-03-03T15:30:00Z\n";

#[test]
fn lateness_other_maxima_and_unknown_students_are_told() {
    let project = project()
        .file("class/ann.py", PROGRAM)
        .file("class/bob.py", format!("{PROGRAM}# late\n"))
        .file("class/list.csv", LIST)
        .file("sheet.csv", SHEET)
        .file("marks.yaml", "due: 2026-03-02T12:00:00Z\nlate: { per: day, off: 10 }\n")
        .file("manual.yaml", "bobb: { list-sum: { mark: 5 } }\n");
    let policy = ["--policy", "marks.yaml", "--manual", "manual.yaml"];
    let preview = grade(&project, "class/list.csv", &[&policy[..], &["--preview"]].concat()).code(0).silent();
    preview
        .says("unknown students:")
        .says("bobb: has a manual mark or comment, but is not in the download; did you mean `bob`?");
    let run = grade(&project, "class/list.csv", &[&policy[..], &["--moodle", "sheet.csv"]].concat()).code(0);
    let run = run.complains("the maximum grade in the worksheet is 10, but the maximum total is 100");
    let run = run.complains("Moodle will skip the 2 grades above").says("late submissions (1)");
    assert!(run.says("1 d 3 h late, −20 %: bob, list-sum").stdout.lines().any(|line| line.contains(" late ")));
    let moodle = project.read("o/moodle.csv");
    assert!(moodle.contains("bob,80,10.00,\"list-sum: 80 of 100 (accepted), 1 d 3 h late, −20 %\""), "{moodle}");
    let page = project.read("o/report/students/bob.html");
    assert!(page.contains("1 d 3 h late, −20 %"), "{page}");
    let book: serde_json::Value = serde_json::from_str(&project.read("o/gradebook.json")).unwrap();
    assert_eq!(book["students"][1]["marks"][0]["late_seconds"], 99_000, "{book:#}");
    // The files of a folder are as old as this test, so all of them are late.
    let late = grade(&project, "class", &["--policy", "marks.yaml", "--json", "--pattern", "{student}.py"]).code(0);
    let late = late.complains("all 2 submissions are late");
    assert_eq!(late.last_json()["late"], 2);
    assert!(project.read("o/report/index.html").contains("all 2 submissions are late"));
}

#[test]
fn an_empty_script_is_judged_and_listed() {
    let project = project().file("class/ann/list-sum.py", "").file("class/bob/list-sum.py", PROGRAM);
    let ran = grade(&project, "class", &[]).code(0);
    ran.says("empty programs (1)")
        .says("the program is empty and prints nothing; the wrong file may have been submitted: ann, list-sum");
    let book = fs_err::read_to_string(project.path("o/gradebook.csv")).unwrap();
    assert!(book.contains("ann,") && book.contains("bob,100"), "{book}");
    let book = fs_err::read_to_string(project.path("o/gradebook.json")).unwrap();
    assert!(!book.contains("expected a program"), "{book}");
}
