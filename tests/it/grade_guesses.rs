//! What `grade` guesses about submissions, and tells a teacher.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::project::Project;

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

fn project() -> Project {
    Project::new()
        .file("problems/list-sum/problem.yaml", PROBLEM)
        .file("solutions/list-sum/accepted/reference.py", PROGRAM)
}

fn read(project: &Project, path: &str) -> String {
    fs_err::read_to_string(project.path(path)).unwrap()
}

#[test]
fn misspelt_names_and_text_files_are_guessed_and_told() {
    let project = project()
        .file("problems/other/problem.yaml", PROBLEM.replace("Sum of a list", "Other"))
        .file("class/ann/lst-sum.py", PROGRAM)
        .file("class/bob/list-sum.txt", format!("# my solution\n{PROGRAM}"))
        .file("class/bob/about list-sum.txt", "I added up the numbers.\n")
        .file("class/cyd/list-sum.py", PROGRAM)
        .file("class/cyd/list-sum.txt", PROGRAM)
        .file("class/dan/list-sun.py", PROGRAM)
        .file("class/eve/lost.py", PROGRAM);
    let args = ["grade", "list-sum", "other", "class", "--require", "D", "--out", "o"];
    let dry = project.run(&[&args[..], &["--dry-run"]].concat()).code(0).silent();
    dry.says("`lst-sum` is taken for list-sum")
        .says("its text is taken for Python")
        .says("bob/about list-sum.txt: no language is recognised in its text")
        .says("cyd/list-sum.txt: a text file")
        .says("eve/lost.py: its name contains none of the problems list-sum, other");
    let args = ["grade", "list-sum", "class", "--require", "D", "--out", "o", "--pattern", "{student}/{problem}.{ext}"];
    let run = project.run(&args).code(0);
    let run = run.says("guessed names and languages (3)").says("`list-sun` is taken for list-sum: dan/list-sun.py");
    run.says("its text is taken for Python: bob/list-sum.txt");
    let book = read(&project, "o/gradebook.csv");
    for student in ["ann", "bob", "cyd", "dan"] {
        assert!(book.contains(&format!("\n{student},100,100\n")), "{student}: {book}");
    }
    assert!(read(&project, "o/report/students/bob.html").contains("list-sum.py"));
}
