//! Tests of the roster on the layouts of real downloads.

use super::*;
use crate::grade::roster::without_wrapper;
use crate::model::Digest;

fn problems(ids: &[&str]) -> Vec<Named> {
    ids.iter().map(|id| Named { id: id.parse().unwrap(), name: id.replace('-', " ") }).collect()
}

fn listing(paths: &[&str]) -> Vec<Listed> {
    let source = |path: &str| [".py", ".c", ".cpp", ".rs"].iter().any(|end| path.ends_with(end));
    let listed = |path: &&str| Listed {
        path: (*path).to_owned(),
        modified: None,
        source: source(path) || path.ends_with(".code.txt"),
        guessed: path
            .ends_with(".code.txt")
            .then(|| GuessedLanguage { name: "Python".to_owned(), extension: "py".to_owned() }),
        content: Ok(Digest::of(path.as_bytes())),
    };
    paths.iter().map(listed).collect()
}

fn told(paths: &[&str], ids: &[&str], patterns: &[&str]) -> Vec<String> {
    let patterns: Vec<Pattern> = patterns.iter().map(|text| text.parse().unwrap()).collect();
    let (mut files, mut left) = (listing(paths), Vec::new());
    if patterns.is_empty() {
        without_wrapper(&mut files, &mut left, &problems(ids));
    }
    let roster = guess(&files, &left, &problems(ids), &patterns);
    let claimed: usize = roster.claims.iter().map(|claim| claim.files.len()).sum();
    assert_eq!(claimed + roster.left.len(), files.len(), "every file is claimed or left: {roster:#?}");
    let claim = |claim: &Claim| {
        let attempt = if claim.attempt > 0 { format!("#{}", claim.attempt) } else { String::new() };
        format!("{} {}{attempt}: {} ({})", claim.student, ids[claim.problem], claim.path, claim.files.len())
    };
    let left = roster.left.iter().map(|left| format!("- {}", left.path));
    std::iter::once(roster.layout.clone()).chain(roster.claims.iter().map(claim)).chain(left).collect()
}

const TWO: &[&str] = &["classic-nim", "split-nim"];

#[test]
fn folder_per_student() {
    let said = told(&["bob/classic_nim.py", "bob/notes.txt", "ann/SplitNim.c", "ann/helper.py", "readme.md"], TWO, &[]);
    assert_eq!(
        said,
        [
            "a folder for each student",
            "ann split-nim: ann/SplitNim.c (1)",
            "bob classic-nim: bob/classic_nim.py (1)",
            "- ann/helper.py",
            "- bob/notes.txt",
            "- readme.md"
        ]
    );
}

#[test]
fn folder_per_student_and_problem() {
    let paths = ["ann/split-nim/main.py", "ann/split-nim/piles.py", "ann/split-nim/data.txt", "bob/classic-nim/x.c"];
    let said = told(&paths, TWO, &[]);
    assert_eq!(said[1..], ["ann split-nim: ann/split-nim (3)", "bob classic-nim: bob/classic-nim/x.c (1)"]);
}

#[test]
fn attempts_in_one_folder() {
    let paths = ["ann/split-nim/try1.py", "ann/split-nim/try10.py", "ann/split-nim/try2.py", "bob/split-nim-2.py"];
    let said = told(&paths, TWO, &[]);
    assert_eq!(said[1], "ann split-nim#1: ann/split-nim/try1.py (1)");
    assert_eq!(said[3..], ["ann split-nim#10: ann/split-nim/try10.py (1)", "bob split-nim#2: bob/split-nim-2.py (1)"]);
    let folders = ["ann/split-nim/1/a.c", "ann/split-nim/1/b.c", "ann/split-nim/2/a.c"];
    let said = told(&folders, TWO, &[]);
    assert_eq!(said[1..], ["ann split-nim#1: ann/split-nim/1 (2)", "ann split-nim#2: ann/split-nim/2/a.c (1)"]);
}

#[test]
fn folder_of_files() {
    let paths = ["ann_classic-nim.py", "split-nim-Łukasz Żak.c", "classic-nim.py", "what.py"];
    let said = told(&paths, TWO, &[]);
    assert_eq!(
        said,
        [
            "a folder of files",
            "ann classic-nim: ann_classic-nim.py (1)",
            "Łukasz Żak split-nim: split-nim-Łukasz Żak.c (1)",
            "- classic-nim.py",
            "- what.py"
        ]
    );
    assert_eq!(told(&["ann.py", "bob.c"], &["split-nim"], &[])[1..].len(), 2);
}

#[test]
fn folder_per_problem() {
    let paths = ["classic-nim/ann.py", "split-nim/ann.py", "split-nim/bob/a.c", "split-nim/bob/b.c"];
    let said = told(&paths, TWO, &[]);
    assert_eq!(said[0], "a folder for each problem");
    assert_eq!(said[3], "bob split-nim: split-nim/bob (2)");
}

#[test]
fn moodle_download() {
    let paths = [
        "Zoë van Dam_11_assignsubmission_file/classic-nim.py",
        "Ann Smith_12_assignsubmission_file_/hw.zip/hw/split-nim.c",
        "Ann Smith_13_assignsubmission_file_/split-nim.c",
        "Ann Smith_13_assignsubmission_onlinetext/onlinetext.html",
    ];
    let said = told(&paths, TWO, &[]);
    assert_eq!(said[0], "a Moodle download");
    assert_eq!(said[1], "Ann Smith (12) split-nim: Ann Smith_12_assignsubmission_file_/hw.zip/hw/split-nim.c (1)");
    assert!(said[2].starts_with("Ann Smith (13) split-nim") && said[3].starts_with("Zoë van Dam classic-nim"));
}

#[test]
fn canvas_download() {
    let paths = [
        "smithann_LATE_12_345_classic-nim-1.py",
        "smithann_12_340_classic-nim.py",
        "leebob_13_346_work.zip/classic-nim/main.c",
        "leebob_13_346_work.zip/split-nim.py",
    ];
    let said = told(&paths, TWO, &[]);
    assert_eq!(said[0], "a Canvas download");
    assert_eq!(said[1], "leebob classic-nim: leebob_13_346_work.zip/classic-nim/main.c (1)");
    assert_eq!(said[4], "smithann classic-nim#1: smithann_LATE_12_345_classic-nim-1.py (1)");
}

#[test]
fn single_problem_takes_whole_folder_of_student() {
    let said = told(&["ann/main.py", "ann/lib/piles.py", "bob/x.c"], &["split-nim"], &[]);
    assert_eq!(said[1..], ["ann split-nim: ann (2)", "bob split-nim: bob/x.c (1)"]);
}

#[test]
fn pattern_overrides_guess() {
    let paths = ["week1/hw-ann/b.py", "week1/hw-bob/split nim.py", "week1/ann/a.py"];
    let said = told(&paths, TWO, &["{any}/hw-{student}/{problem}.{ext}"]);
    assert_eq!(
        said,
        [
            "the given pattern",
            "ann split-nim: week1/hw-ann/b.py (1)",
            "bob split-nim: week1/hw-bob/split nim.py (1)",
            "- week1/ann/a.py"
        ]
    );
}

proptest::proptest! {
    #[test]
    fn every_file_is_claimed_once_or_left(
        paths in proptest::collection::btree_set("[ab]{1,2}(_1_2_x|_3_assignsubmission_file)?/(split-nim/)?[a-c1-3]{1,3}[.](py|txt)", 0..12)
    ) {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        told(&paths, TWO, &[]);
        told(&paths, &TWO[..1], &[]);
    }
}

#[test]
fn student_without_program_is_listed() {
    let files = listing(&["ann/split-nim.py", "bob/readme.txt"]);
    let roster = guess(&files, &[Left::new("carol", "empty folder")], &problems(TWO), &[]);
    let students: Vec<&str> = roster.students.iter().map(String::as_str).collect();
    assert_eq!(students, ["ann", "bob", "carol"]);
}

#[test]
fn the_folder_of_all_submissions_is_opened() {
    // Each row contains the paths, and the expected path of the folder that contains all submissions.
    let rows: &[(&[&str], Option<&str>)] = &[
        (&["submissions/ann/sum.py", "submissions/bob/sum.c"], Some("submissions")),
        (&["submissions/ann/sum.py"], Some("submissions")),
        (&["Submissions HW1/ann_sum.py", "Submissions HW1/bob_sum.py"], Some("Submissions HW1")),
        (&["hw1/ann/sum.py", "hw1/bob/main.py", "marks.csv", "__MACOSX/hw1/._x"], Some("hw1")),
        (&["hw1/student1/sum.py", "hw1/student2/sum.py"], Some("hw1")),
        (&["hw1/submissions/ann/sum.py", "hw1/submissions/bob/sum.py"], Some("hw1/submissions")),
        (&["class.zip/class/ann/sum.py", "class.zip/class/bob/sum.py"], Some("class.zip/class")),
        (&["x/y/Ann_1_assignsubmission_file/a.py"], Some("x/y")),
        (&["x/annsmith_12_345_sum.py", "x/leebob_13_346_sum.py"], Some("x")),
        (&["submissions/sum/ann.py", "submissions/sum/bob.py"], Some("submissions")),
        // The top folder contains the program or the attempts of one student.
        (&["ann/sum.cpp"], None),
        (&["ann/sum/main.py", "ann/twice/main.py"], None),
        (&["ann/main.py", "ann/lib/piles.py", "ann/more/x.py"], None),
        (&["ann/src/main.c", "ann/include/piles.c"], None),
        (&["ann/try1/a.py", "ann/try2/a.py"], None),
        (&["ann/1/a.py", "ann/2/a.py"], None),
        (&["ann/submissions/sum.py"], None),
        // There is no single folder that contains all submissions.
        (&["hw1/ann/sum.py", "hw1/bob/sum.py", "carol/notes.txt"], None),
        (&["submissions/ann/sum.py", "carol/sum.py"], None),
        (&["Ann_1_assignsubmission_file/a/x.py", "Ann_1_assignsubmission_file/b/x.py"], None),
        (&["sum/ann/x.py", "sum/bob/x.py"], None),
        (&["readme.md"], None),
    ];
    for (paths, wrapper) in rows {
        for ids in [&["sum"][..], &["sum", "twice"]] {
            let (mut files, mut left) = (listing(paths), vec![Left::new(".git", "hidden")]);
            let found = without_wrapper(&mut files, &mut left, &problems(ids));
            assert_eq!(found.as_deref(), *wrapper, "{paths:?} {ids:?}");
        }
    }
    let (mut files, mut left) = (listing(&["submissions/ann/sum.py"]), vec![Left::new("bob", "empty folder")]);
    assert_eq!(without_wrapper(&mut files, &mut left, &problems(&["sum"])), None, "bob is a student");
}
