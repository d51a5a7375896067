//! Tests of `nimatron new`: its templates pass `verify` unchanged, in a problem set and in a separate folder.

use crate::project::Project;

const KINDS: [&str; 6] = ["sum", "interactive", "checker", "subtasks", "multipass", "games"];
const LANGUAGES: [&str; 7] = ["c", "cpp", "go", "java", "javascript", "python", "rust"];

/// Creates a problem of this kind in a separate folder and verifies it.
fn verifies(kind: &str, language: &str) {
    let project = Project::new();
    project.run(&["new", "./mine/example", "--kind", kind, "--language", language]).code(0).silent();
    let ran = project.run(&["verify", "mine/example", "--json", "--positions", "300"]).code(0).silent();
    for line in ran.json() {
        let (status, check) = (line["status"].as_str().unwrap_or(""), line["check"].as_str().unwrap_or(""));
        assert!(matches!(status, "" | "pass") || check == "lock" || check == "margins", "{kind} {language}: {line}");
    }
    assert!(
        ran.stdout.contains("accepted/reference.") && ran.stdout.contains("wrong_answer/"),
        "{kind} {language}: {ran:?}"
    );
    assert!(!project.path("solutions").exists() && !project.path("problems").exists());
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_template_of_each_kind_and_in_each_language_verifies() {
    // Each kind and each language is tested at least once; `.ci/long` tests all pairs. Languages that start slowly are
    // tested with the kind that has the fewest cases.
    for (kind, language) in [
        ("sum", "cpp"),
        ("interactive", "java"),
        ("interactive", "javascript"),
        ("interactive", "python"),
        ("checker", "c"),
        ("subtasks", "c"),
        ("multipass", "go"),
        ("games", "c"),
    ] {
        verifies(kind, language);
    }
}

#[test]
#[ignore = "takes minutes: 42 problems with 105 programs"]
fn long_every_template_verifies_in_every_language() {
    for kind in KINDS {
        for language in LANGUAGES {
            verifies(kind, language);
        }
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_kind_has_the_same_solutions_in_all_languages() {
    let project = Project::new();
    for kind in KINDS {
        let names = |language: &str| {
            let folder = format!("./{kind}-{language}");
            let ran = project.run(&["new", &folder, "--kind", kind, "--language", language]).code(0).silent();
            let name = |line: &str| Some(line.split_once("/solutions/")?.1.rsplit_once('.')?.0.to_owned());
            let mut names: Vec<String> = ran.stdout.lines().filter_map(name).collect();
            names.sort();
            names
        };
        let expected = names("rust");
        assert!(expected.len() >= 2, "{expected:?}");
        for language in &LANGUAGES[..6] {
            assert_eq!(names(language), expected, "{kind} {language}");
        }
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_problem_in_a_folder_of_its_own_works_in_every_command() {
    let project = Project::new();
    let ran = project.run(&["new", "course/sum-up", "--language", "c"]).code(0).silent();
    assert!(ran.stdout.contains("course/sum-up/solutions/accepted/reference.c"), "{ran:?}");
    let ran = ran.says("to check the problem: nimatron verify course/sum-up");
    assert!(!ran.stdout.contains("overflow.rs"), "{ran:?}");
    let program = "course/sum-up/solutions/wrong_answer/overflow.c";
    project.run(&["generate", "course/sum-up", "--update-lock"]).code(0).silent();
    project.run(&["verify", "course/sum-up", "--fail-fast"]).code(0).says("1 of 1 problems verified");
    project.run(&["show", "course/sum-up"]).code(0).says("Sum up").says("Sample 1");
    project.run(&["run", "course/sum-up", "course/sum-up/solutions/accepted/reference.c"]).code(0).says("AC");
    project.run(&["run", "./course/sum-up/", program, "--case", "large"]).code(1).says("WA");
    project.run(&["stress", "course/sum-up", program, "--count", "2000"]).code(1).says("fail");
    project.run(&["export", "course/sum-up", "--to", "icpc", "--out", "out"]).code(0);
    assert!(project.path("out/submissions/wrong_answer/overflow.c").is_file());
    project.run(&["verify", "out", "--fail-fast"]).code(0);
}

#[test]
fn a_path_into_a_problem_set_uses_its_folder_of_solutions() {
    let project = Project::with_sum();
    project.run(&["new", "problems/more", "--kind", "games"]).code(0).says("problems/more");
    assert!(project.path("solutions/more/accepted/reference.rs").is_file());
    assert!(project.path("problems/more/programs/heaps.rs").is_file());
    assert!(!project.path("problems/more/solutions").exists());
}

#[test]
fn names_that_cannot_be_used_are_reported() {
    let project = Project::with_sum().file("file", "x").file("mine/taken/notes.txt", "x");
    for (name, complaint) in [
        ("My-Problem", "lower-case letters, digits"),
        ("a b", "lower-case letters, digits"),
        ("./x/Übung", "lower-case letters, digits"),
        (".", "is not a valid id"),
        ("x/..", "is not a valid id"),
        ("sum", "already exists"),
        ("./mine/taken", "already exists"),
        ("./file", "already exists"),
        ("file/below", "is not a folder"),
    ] {
        project.run(&["new", name]).code(2).complains(complaint);
    }
    project.run(&["new", "fresh", "--language", "pyhton"]).code(2).complains("did you mean `python`?");
    project.run(&["new", "fresh", "--language", "ruby"]).code(2).complains("choose one of `c`, `cpp`, `go`");
    project.run(&["new", "fresh", "--kind", "sums"]).code(2).complains("sum");
    assert!(!project.path("problems/fresh").exists());
}

#[test]
fn help_shows_braces_and_only_what_is_required() {
    let project = Project::new();
    project
        .run(&["generate", "--help"])
        .code(0)
        .says("'{nn}.in {nn}.out'")
        .says("with a single `n`, not padded")
        .silent();
    let usage = project.run(&["show"]).code(2).stderr;
    assert!(usage.contains("Usage: nimatron show <PROBLEM>"), "{usage}");
}
