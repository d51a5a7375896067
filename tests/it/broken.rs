//! Tests of invalid specs, files and arguments: each causes a clear message and the right exit code.

use crate::project::{Project, SUM, SUM_RS};

/// Asserts that a correct program for `sum` is refused with this message after a change of the spec.
#[track_caller]
fn refuses(from: &str, to: &str, complaint: &str) {
    assert!(SUM.contains(from), "{from:?} is not in the spec");
    let project = Project::with_sum().file("problems/sum/problem.yaml", SUM.replacen(from, to, 1)).file("a.rs", SUM_RS);
    let ran = project.run(&["run", "sum", "a.rs"]).code(2).complains(complaint);
    assert!(ran.stderr.contains("problem.yaml"), "the file is named: {}", ran.stderr);
}

#[test]
fn an_unknown_key_is_rejected_with_a_suggestion() {
    refuses("limits:", "limtis:", "did you mean `limits`?");
}

#[test]
fn a_wrong_type_is_rejected() {
    refuses("name: Sum", "name: [Sum]", "expected a string, found a list");
}

#[test]
fn a_limit_with_an_unknown_unit_is_rejected() {
    refuses("time: 1s", "time: 1parsec", "is not a time");
}

#[test]
fn a_reversed_range_is_rejected() {
    refuses("1..=100\n", "100..=1\n", "100..=1");
}

#[test]
fn cyclic_names_are_rejected() {
    refuses("n: 1..=100\n  - a[n]", "n: 1..=m\n  - m: 1..=n\n  - a[n]", "`m`");
}

#[test]
fn an_unknown_group_in_after_is_rejected() {
    refuses("random: { count: 5,", "random: { count: 5, after: [tinny],", "did you mean `tiny`?");
}

#[test]
fn a_huge_count_is_rejected() {
    refuses("count: 5", "count: 5000000", "expected 1 to 100000");
}

#[test]
fn too_many_points_are_rejected() {
    refuses("count: 5,", "count: 5, points: 1000001,", "the 1000001 points of the group exceed the limit of 1000000");
}

#[test]
fn a_sample_that_does_not_match_its_description_is_rejected() {
    let ran = Project::with_sum()
        .file("problems/sum/problem.yaml", SUM.replace("2\\n1 2\\n", "2\\n1  2\\n"))
        .file("a.rs", SUM_RS)
        .run(&["run", "sum", "a.rs"])
        .code(2);
    assert!(ran.stderr.contains("sample/001") && ran.stderr.contains("line 2, column 3"), "{}", ran.stderr);
}

#[test]
fn a_sample_with_a_wrong_answer_is_rejected() {
    Project::with_sum()
        .file("problems/sum/problem.yaml", SUM.replace("answer: \"3\\n\"", "answer: \"4\\n\""))
        .file("a.rs", SUM_RS)
        .run(&["run", "sum", "a.rs"])
        .code(2)
        .complains("the output of the reference solution differs");
}

#[test]
fn a_missing_statement_is_reported() {
    let project = Project::with_sum();
    std::fs::remove_file(project.path("problems/sum/statement.md")).unwrap();
    project.run(&["show", "sum"]).code(2).complains("statement.md");
    project.run(&["verify", "sum"]).code(1).says("`statement.md` is missing");
}

#[test]
fn a_missing_reference_is_reported() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    std::fs::remove_file(project.path("solutions/sum/accepted/reference.rs")).unwrap();
    project.run(&["run", "sum", "a.rs"]).code(2).complains("reference");
}

#[test]
fn a_reference_that_does_not_compile_is_reported_with_the_compiler_output() {
    Project::with_sum()
        .file("solutions/sum/accepted/reference.rs", "fn main() { nonsense(); }")
        .file("a.rs", SUM_RS)
        .run(&["run", "sum", "a.rs"])
        .code(2)
        .complains("cannot find function `nonsense`");
}

#[test]
fn a_reference_that_crashes_is_reported_with_the_case() {
    Project::with_sum()
        .file("solutions/sum/accepted/reference.rs", "fn main() { panic!(\"no idea\"); }")
        .file("a.rs", SUM_RS)
        .run(&["run", "sum", "a.rs"])
        .code(2)
        .complains("no idea");
}

#[test]
fn wrong_paths_are_reported() {
    let project = Project::with_sum().file("a.rs", SUM_RS).file("folder/readme.txt", "x");
    project.run(&["run", "summ", "a.rs"]).code(2).complains("did you mean `sum`?");
    project.run(&["run", "no/where", "a.rs"]).code(2).complains("no/where");
    project.run(&["run", "sum", "b.rs"]).code(2).complains("b.rs");
    project.run(&["run", "sum", "folder"]).code(2).complains("folder");
    project.run(&["--problems", "nowhere", "list"]).code(2).complains("nowhere");
}

#[test]
fn an_unreadable_file_is_reported() {
    let project = Project::with_sum().file("a.rs", b"\xff\xfe\x00\x01").file("b.rs", SUM_RS);
    let verdict = project.run(&["run", "sum", "a.rs"]);
    assert!([1, 2].contains(&verdict.code), "{verdict:?}");
    assert!(!verdict.stdout.contains("AC") || verdict.stdout.contains("CE"), "{verdict:?}");
    fs_err::write(project.path("problems/sum/problem.yaml"), b"name: \xff\n").unwrap();
    project.run(&["run", "sum", "b.rs"]).code(2).complains("UTF-8");
}

#[test]
fn an_unknown_language_is_reported() {
    let project = Project::with_sum().file("a.xyz", "x").file("a.rs", SUM_RS).file("a", "x");
    project.run(&["run", "sum", "a.xyz"]).code(2).complains("xyz");
    project.run(&["run", "sum", "a"]).code(2);
    project.run(&["run", "sum", "a.rs", "--language", "rsut"]).code(2).complains("rust");
}

#[test]
fn a_missing_compiler_is_reported_with_install_instructions() {
    let row = "format: 1\nlanguages:\n  klingon:\n    name: Klingon\n    extensions: [kl]\n    programs: { klc: [klingon-compiler-xyz] }\n    probe: { argv: [\"{klc}\"] }\n    run: [\"{klc}\", \"{source}\"]\n    install: { debian: [klingon] }\n";
    Project::with_sum()
        .file("config/nimatron/languages.yaml", row)
        .file("a.kl", "Qapla'")
        .run(&["run", "sum", "a.kl"])
        .code(2)
        .complains("klingon");
}

#[test]
fn an_empty_program_is_reported() {
    Project::with_sum().file("a.rs", "").run(&["run", "sum", "a.rs"]).code(2).complains("empty");
}

#[test]
fn unknown_cases_are_reported() {
    let project = Project::with_sum().file("a.rs", SUM_RS);
    project.run(&["run", "sum", "a.rs", "--case", "tini"]).code(2).complains("did you mean `tiny`?");
}

#[test]
fn usage_errors_have_exit_code_2() {
    let project = Project::new();
    project.run(&["rum"]).code(2).complains("run");
    project.run(&["run"]).code(2);
    project.run(&["--jobs", "0", "list"]).code(2);
    project.run(&["guide", "imput"]).code(2).complains("did you mean `input`?");
}

#[test]
fn an_unwritable_cache_is_reported() {
    let project = Project::with_sum().file("a.rs", SUM_RS).file("occupied", "x");
    project.run(&["--cache", "occupied/cache", "run", "sum", "a.rs"]).code(3).complains("occupied");
}

#[test]
fn a_folder_that_is_not_empty_is_not_written_into() {
    let project = Project::with_sum().file("out/old.in", "x");
    project.run(&["generate", "sum", "--out", "out"]).code(2).complains("empty");
    project.run(&["generate", "sum", "--out", "new", "--names", "{x}.in {n}.out"]).code(2).complains("{x}.in");
    project.run(&["generate", "sum", "--out", "new", "--names", "a.in b.out"]).code(2).complains("a.in");
}
