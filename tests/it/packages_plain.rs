//! Verifies and judges DMOJ packages and plain folders of tests with the `nimatron` binary.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use crate::project::{Project, Ran, verdicts};

fn package(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(name);
    path.to_str().unwrap().to_owned()
}

/// Returns the verdict and the points of a program in the output of `verify`.
#[track_caller]
fn result(ran: &Ran, program: &str) -> (String, String) {
    let lines = ran.json();
    let line = lines.iter().find(|line| line["check"] == program).unwrap_or_else(|| panic!("no {program}: {ran:#?}"));
    (line["verdict"].as_str().unwrap().to_owned(), line["score"].as_str().unwrap().to_owned())
}

#[test]
fn dmoj_batches_pretests_and_checkers_are_supported() {
    let ran = Project::new().run(&["verify", "--json", &package("dmoj")]).code(0);
    let pair = |verdict: &str, score: &str| (verdict.to_owned(), score.to_owned());
    assert_eq!(result(&ran, "accepted/double.py"), pair("AC", "100"));
    assert_eq!(result(&ran, "partially_accepted/small.py"), pair("PT", "40"));
    // The program earns half of the points of a batch without a wrong answer.
    assert_eq!(result(&ran, "partially_accepted/sign.py"), pair("PT", "85"));
    assert_eq!(result(&ran, "wrong_answer/pretest.py"), pair("WA", "0"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_dmoj_checker_is_supported() {
    // Each entry is an output, an answer, and whether the checker accepts the output.
    let table = [
        ("standard", "1 2\n\n3\n", "1  2 \n3", true),
        ("standard", "1\n2\n3\n", "1 2\n3\n", false),
        ("easy", "bA c\n", "C A B\n", true),
        ("easy", "ab\n", "abb\n", false),
        ("floats", "x 0.9999999\n", "x 1\n", true),
        ("floats", "x 1.0 nan\n", "x 1 2\n", false),
        ("{name: floats, args: {precision: 1}}", "10.5\n", "10\n", true),
        ("{name: floatsabs, args: {precision: 1}}", "10.5\n", "10\n", false),
        ("{name: floatsrel, args: {precision: 1}}", "10.5\n", "10\n", true),
        ("identical", "1 2\n", "1 2", true),
        ("identical", "1  2\n", "1 2\n", false),
        ("linecount", "a\nb\n", "a\nb\n", true),
        ("rstripped", "a \nb\n", "a\nb\n", true),
        ("rstripped", " a\nb\n", "a\nb\n", false),
        ("sorted", "2 1\n3\n", "3\n2  1\n", true),
        ("sorted", "1 2\n3\n", "3\n2 1\n", false),
        ("unordered", "1 2\n3\n", "3 2\n1\n", true),
        ("{name: linematches, args: {point_distribution: [1, 1]}}", "a\nb\n", "a\nb\n", true),
    ];
    let mut init = "test_cases:\n".to_owned();
    let mut project = Project::new()
        .file("p/echo.c", "#include <stdio.h>\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }\n");
    for (index, (checker, output, answer, _)) in table.iter().enumerate() {
        init += &format!("- {{in: {index}.in, out: {index}.out, points: 1, checker: {checker}}}\n");
        project = project.file(&format!("p/{index}.in"), output).file(&format!("p/{index}.out"), answer);
    }
    let ran = project.file("p/init.yml", init).run(&["run", "p", "p/echo.c", "--json"]).code(1);
    for ((checker, output, answer, right), verdict) in table.iter().zip(verdicts(&ran)) {
        assert_eq!(verdict == "AC", *right, "{checker} {output:?} {answer:?}: {verdict}");
    }
    assert_eq!(verdicts(&ran).len(), table.len());
}

#[test]
fn dmoj_partial_points_are_partial() {
    let project = Project::new()
        .file("p/init.yml", "checker: linecount\ntest_cases:\n- {in: a, out: b, points: 30}\n")
        .file("p/a", "")
        .file("p/b", "1\n2\n3\n")
        .file("two.py", "print('1\\n5\\n3')\n");
    let last = project.run(&["run", "p", "two.py", "--json"]).code(1).last_json();
    assert_eq!((last["verdict"].as_str(), last["score"].as_str()), (Some("PT"), Some("20")));
}

#[test]
fn cases_are_found_by_the_names_in_the_archive_and_dialogues_are_held() {
    let guess = "import sys\n_, answer = sys.argv[1:3]\nprint(open(sys.argv[1]).read().strip(), flush=True)\n\
        sys.exit(input() != open(answer).read().strip())\n";
    let project = Project::new()
        .file("p/init.yml", "archive: cases.zip\ninteractive: {files: [talk.py], lang: PY3}\n")
        .file("p/talk.py", guess)
        .file("double.py", "print(2 * int(input()), flush=True)\n")
        .file("same.py", "print(int(input()), flush=True)\n");
    let mut zip = zip::ZipWriter::new(fs_err::File::create(project.path("p/cases.zip")).unwrap());
    for (name, content) in [("10.in", "5"), ("10.out", "10"), ("9.in", "0"), ("9.out", "0")] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let ran = project.run(&["run", "p", "double.py", "--json"]).code(0);
    assert_eq!(verdicts(&ran), ["AC", "AC"]);
    assert_eq!(verdicts(&project.run(&["run", "p", "same.py", "--json"]).code(1)), ["AC", "WA"]);
    let said = project.run(&["run", "p", "double.py"]).code(0);
    assert!(
        said.stdout.contains("no positive points are specified, so a case or batch without points is worth 1 point"),
        "{}",
        said.stdout
    );
}

#[test]
fn unsupported_dmoj_features_are_rejected_with_their_position() {
    let cases = "test_cases: [{in: a, out: a}]\n";
    for (init, wanted) in [
        (format!("custom_judge: j.py\n{cases}"), "`custom_judge`: the file `j.py` does not exist"),
        (format!("signature_grader: {{}}\n{cases}"), "`entry`: the key is missing"),
        (format!("custom_judge: a\n{cases}"), "only graders that are derived from `InteractiveGrader` are supported"),
        (format!("checker: flaots\n{cases}"), "did you mean `floats`?"),
        (format!("checker: nowhere.py\n{cases}"), "the file `nowhere.py` does not exist"),
        (format!("checker: {{name: bridged, args: {{files: a, type: bai}}}}\n{cases}"), "unsupported type `bai`"),
        (format!("archive: no.zip\n{cases}"), "file `no.zip` does not exist"),
        ("test_cases: [{in: a, out: b}]\n".to_owned(), "the file `b`, which a case requires, is not in the"),
        ("test_cases: [{generator: g.cpp}]\n".to_owned(), "file `g.cpp` does not exist"),
        ("test_cases: [{in: a, out: a, points: -1}]\n".to_owned(), "expected a number of points from 0"),
        ("test_cases++: '[]'\n".to_owned(), "contain Python code"),
        ("test_cases: [{batched: []}]\n".to_owned(), "the batch has no cases"),
        (
            "test_cases: [{dependencies: [1], batched: [{in: a, out: a}]}]\n".to_owned(),
            "item 1 depends on batch 1, but no earlier batch has this number",
        ),
        ("test_cases: []\n".to_owned(), "the package has no test cases"),
        ("points: 1\n".to_owned(), "because the package has no `archive`"),
    ] {
        let project = Project::new().file("p/init.yml", &init).file("p/a", "1\n").file("x.py", "print(1)\n");
        let ran = project.run(&["run", "p", "x.py"]).code(2);
        assert!(ran.stderr.contains(wanted) && ran.stderr.contains("init.yml"), "{init}: {}", ran.stderr);
    }
}

#[test]
fn a_folder_of_tests_is_judged_and_the_guess_is_shown() {
    let folder = package("folder");
    let project = Project::new().file("one.py", "print(sum(map(int, input().split())) or 1)\n");
    let ran = project.run(&["run", &folder, "one.py", "--json"]).code(1);
    assert_eq!(verdicts(&ran), ["AC", "AC", "WA", "AC"]);
    let guess = "4 cases from `in/*.in` and `out/*.out`; left out: `in/abc2a.in`;";
    project.run(&["run", &folder, "one.py"]).code(1).says(guess);
    let shown = project.run(&["show", &folder]).code(0);
    for part in ["left out: in/abc2a.in", "--time", "There is no statement", "1 2"] {
        let words = shown.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part), "{part}: {words}");
    }
    let verified = project.run(&["verify", &folder]).code(0);
    assert!(verified.stdout.contains(guess), "{}", verified.stdout);
    assert!(verified.stdout.contains("group10"), "{}", verified.stdout);
}

#[test]
fn other_meanings_of_a_name_precede_a_folder_of_tests() {
    let project = Project::with_sum()
        .file("sum/1.in", "5\n")
        .file("sum/1.out", "5\n")
        .file("echo.py", "print(input())\n")
        .file("mine/problem.yaml", "name: Broken\n")
        .file("mine/1.in", "5\n")
        .file("mine/1.out", "5\n")
        .file("catalog/1.in", "5\n")
        .file("catalog/1.out", "5\n")
        .file("catalog/inner/problem.yaml", "name: Broken\n")
        .file("catalog/inner/2.in", "5\n")
        .file("catalog/inner/2.out", "6\n")
        .file("set/inner/problem.yaml", "name: Broken\n");
    // A bare name selects the problem of the catalog; the folder needs a path.
    project.run(&["run", "sum", "echo.py"]).code(1);
    project.run(&["run", "./sum", "echo.py"]).code(0).says("1 case from `*.in` and `*.out`");
    project.run(&["run", "mine", "echo.py"]).code(2).complains("mine/problem.yaml");
    // A problem below a folder of tests is not part of it.
    project.run(&["run", "./catalog", "echo.py"]).code(0).says("1 case from `*.in` and `*.out`");
    project.run(&["run", "./set", "echo.py"]).code(2).complains("contains problems in `inner`");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn missing_polygon_tests_are_generated_with_unix_line_endings() {
    let xml = "<problem><names><name language='english' value='A'/></names><judging input-file='' output-file=''>\
        <testset name='tests'><time-limit>1500</time-limit><memory-limit>268435456</memory-limit>\
        <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
        <tests><test method='manual'/><test method='generated' cmd='gen 20 1'/><test method='generated' cmd='other 1'/>\
        <test method='generated' cmd='gen x 1'/></tests>\
        </testset></judging><files><executables><executable><source path='files/gen.py'/></executable></executables></files>\
        <assets><checker name='x'><source path='files/check.py'/></checker><solutions>\
        <solution tag='main'><source path='solutions/a.py'/></solution>\
        <solution tag='wrong-answer'><source path='solutions/b.py'/></solution></solutions></assets></problem>";
    let project = Project::new()
        .file("p/problem.xml", xml)
        .file("p/tests/01", "4\r\n")
        .file("p/files/gen.py", "import sys\nprint(int(sys.argv[1]) + int(sys.argv[2]))\n")
        .file("p/files/check.py", "import sys\nsys.exit(open(sys.argv[2]).read() != open(sys.argv[3]).read())\n")
        .file("p/solutions/a.py", "text = open(0, newline='').read()\nassert text[-2] != '\\r'\nprint(2 * int(text))\n")
        .file("p/solutions/b.py", "print(8)\n");
    let ran = project.run(&["verify", "-v", "--json", "p"]).code(0);
    assert_eq!(result(&ran, "main/a.py").0, "AC", "{ran:#?}");
    assert_eq!(result(&ran, "wrong-answer/b.py").0, "WA");
    let said = project.run(&["verify", "-v", "p"]).code(0);
    assert!(said.stdout.contains("Polygon: 2 cases"), "{}", said.stdout);
    let unknown = "1 case is left out because the package has neither the input nor a generator that could generate it: tests/003";
    let failing = "1 case is left out because files/gen.py failed: exit code 1: tests/004";
    for why in [unknown, failing] {
        assert!(said.stdout.contains(&format!("warning: {why}\n")), "{}", said.stdout);
        assert!(project.run(&["run", "p", "p/solutions/a.py"]).code(0).stdout.contains(&format!("note: {why}\n")));
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn programs_that_use_files_and_parts_of_a_test_s_points_are_judged() {
    let xml = "<problem><judging input-file='sum.in' output-file='sum.out'><testset name='tests'>\
        <tests><test points='10'/><test method='generated' cmd='gen 7' points='10'/></tests></testset></judging>\
        <files><executables><executable><source path='files/gen.py'/></executable></executables></files>\
        <assets><checker><source path='files/check.py'/></checker><solutions>\
        <solution tag='main'><source path='solutions/a.py' type='python.3'/></solution>\
        <solution tag='rejected'><source path='solutions/b.py' type='python.3'/></solution>\
        <solution tag='accepted'><source path='solutions/c.py' type='python.2'/></solution></solutions></assets></problem>";
    let double =
        "number = int(open('sum.in').read())\nprint('not this')\nprint(2 * number, file=open('sum.out', 'w'))\n";
    let check = "import sys\nright = open(sys.argv[2]).read() == open(sys.argv[3]).read()\n\
        print('points', 10 if right else 3.5, file=sys.stderr)\nsys.exit(7)\n";
    let project = Project::new()
        .file("p/problem.xml", xml)
        .file("p/tests/01", "4\n")
        .file("p/files/gen.py", "import sys\nprint(sys.argv[1])\n")
        .file("p/files/check.py", check)
        .file("p/solutions/a.py", double)
        // This program uses the standard streams, which are also available.
        .file("p/solutions/b.py", "print(int(input()) + 4)\n")
        .file("p/solutions/c.py", "print 1\n");
    let ran = project.run(&["verify", "-v", "--json", "p"]).code(0);
    let pair = |verdict: &str, score: &str| (verdict.to_owned(), score.to_owned());
    assert_eq!(result(&ran, "main/a.py"), pair("AC", "20"));
    assert_eq!(result(&ran, "rejected/b.py"), pair("PT", "13.5"));
    project.run(&["verify", "-v", "p"]).code(0).says("`accepted/c.py` is ignored: Python 2 is not supported");
    let init = "file_io: {input: n.in, output: n.out}\ntest_cases:\n- &c {in: 1.in, out: 1.out, points: 5}\n- {<<: *c, points: 2, points: 7}\n";
    let project = Project::new()
        .file("p/init.yml", init)
        .file("p/1.in", "4\n")
        .file("p/1.out", "8\n")
        .file("a.py", double.replace("sum.", "n."));
    let last = project.run(&["run", "p", "a.py", "--json"]).code(0).last_json();
    assert_eq!((last["verdict"].as_str(), last["score"].as_str()), (Some("AC"), Some("12")));
    // Links to the standard streams are equivalent to such files.
    let links =
        init.replace("{input: n.in, output: n.out}", "{n.in: /dev/stdin, n.out: /dev/stdout, key: /etc/passwd}");
    let project = project.file("p/init.yml", links.replace("file_io", "symlinks"));
    let last = project.run(&["run", "p", "a.py", "--json"]).code(0).last_json();
    assert_eq!(last["score"].as_str(), Some("12"));
    project.run(&["verify", "-v", "p"]).says("the symbolic link `key` is ignored");
}

#[test]
fn polygon_graders_are_compiled_with_solutions() {
    let xml = "<problem><judging><testset name='tests'><tests><test/><test/></tests></testset></judging>\
        <files><resources><file path='files/grader.py' for-types='python.*'><stages><stage name='COMPILE'/></stages>\
        <assets><asset name='SOLUTION'/></assets></file></resources></files>\
        <assets><checker><source path='files/check.py'/></checker><solutions><solution tag='main'>\
        <source path='files/main.py' type='python.3'/></solution></solutions></assets></problem>";
    let main = "import grader\nprint(2 * grader.read())\n";
    let project = Project::new()
        .file("p/problem.xml", xml)
        .file("p/tests/01", "4\n")
        .file("p/tests/01.a", "8\n")
        .file("p/files/grader.py", "def read():\n    return int(input())\n")
        .file("p/files/check.py", "import sys\nsys.exit(open(sys.argv[2]).read() != open(sys.argv[3]).read())\n")
        .file("p/tests/02", "5\n")
        .file("p/files/main.py", main)
        .file("a.py", main);
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(0);
    assert_eq!(verdicts(&ran), ["AC", "AC"], "the missing answer is generated with them too");
}

/// Writes a zip with these files, with names as written on Unix or by an old Windows program.
fn zip(path: &Path, files: &[(&str, &str)], system: zip::System) {
    let mut zip = zip::ZipWriter::new(fs_err::File::create(path).unwrap());
    for (name, content) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default().system(system)).unwrap();
        std::io::Write::write_all(&mut zip, content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn a_windows_zip_with_a_folder_for_each_test_is_judged() {
    let project = Project::new().file("echo.py", "print(input())\n");
    let files = [
        ("t\\1\\input.txt", "5\n"),
        ("t\\1\\output.txt", "5\n"),
        ("t\\2\\input.txt", "6\n"),
        ("t\\2\\output.txt", "7\n"),
    ];
    zip(&project.path("t.zip"), &files, zip::System::Dos);
    let ran = project.run(&["run", "t.zip", "echo.py", "--json"]).code(1);
    assert_eq!(verdicts(&ran), ["AC", "WA"]);
    project.run(&["run", "t.zip", "echo.py"]).code(1).says("2 cases from `*/input.txt` and `*/output.txt`");
    for _ in 0..2 {
        project.run(&["verify", "-v", "t.zip"]).says("is read as `/`");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn links_of_a_zip_cannot_reach_the_surrounding_repository() {
    let project = Project::new().own_cache().file("echo.py", "print(input())\n").file("secret.txt", "secret\n");
    fs_err::create_dir(project.path(".git")).unwrap();
    let mut zip = zip::ZipWriter::new(fs_err::File::create(project.path("t.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("1.in", options).unwrap();
    zip.add_symlink("a/b/c/d/e/l", "../../../../../z", options).unwrap();
    zip.add_symlink("1.out", "a/b/c/d/e/l/../../../../secret.txt", options).unwrap();
    zip.finish().unwrap();
    let ran = project.run(&["run", "t.zip", "echo.py"]).code(2).complains("might be outside of the package");
    assert!(!format!("{ran:?}").contains("secret\\n"), "{ran:#?}");
}
