//! Judges Polygon packages with the `nimatron` binary: points, tags of solutions, and generated tests. The programs
//! follow testlib's exit codes and streams without its header.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::project::{Project, Ran, pair, result};

/// A checker that exits with the code in the first line of the output and prints the rest as its message.
const OBEYING: &str = "import sys\ncode, _, said = open(sys.argv[2]).read().partition('\\n')\n\
    sys.stderr.write(said)\nsys.exit(int(code))\n";

/// Returns a `problem.xml` with these tests, elements after them, executables, assets after the checker, and solutions.
fn xml(tests: &str, beside: &str, executables: &str, assets: &str, solutions: &[(&str, &str)]) -> String {
    let solution =
        |(tag, file): &(&str, &str)| format!("<solution tag='{tag}'><source path='solutions/{file}'/></solution>");
    let solutions: String = solutions.iter().map(solution).collect();
    format!(
        "<problem><judging><testset name='tests'><time-limit>1000</time-limit><tests>{tests}</tests>{beside}</testset>\
        </judging><files><executables>{executables}</executables></files><assets>\
        <checker><source path='files/check.py'/></checker>{assets}<solutions>{solutions}</solutions></assets></problem>"
    )
}

/// Creates a package with this number of tests; the input of each is its number.
fn package(xml: &str, tests: usize) -> Project {
    let project = Project::new().file("p/problem.xml", xml).file("p/files/check.py", OBEYING);
    (1..=tests).fold(project, |project, test| {
        project.file(&format!("p/tests/0{test}"), format!("{test}\n")).file(&format!("p/tests/0{test}.a"), "0\nok\n")
    })
}

/// Returns the overall verdict and points of a program whose output makes the package's checker report this.
#[track_caller]
fn judged(package: &Project, said: &str) -> (String, String) {
    fs_err::write(package.path("a.py"), format!("import sys\nsys.stdout.write({said:?})\n")).unwrap();
    ended(&package.run(&["run", "p", "a.py", "--json"]))
}

/// Returns the overall verdict and points.
#[track_caller]
fn ended(ran: &Ran) -> (String, String) {
    let last = ran.last_json();
    let text = |key: &str| last[key].as_str().unwrap_or_else(|| panic!("no {key}: {ran:#?}")).to_owned();
    (text("verdict"), text("score"))
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn checker_points_are_capped_by_the_points_of_the_test() {
    let package = package(&xml("<test points='30'/>", "", "", "", &[]), 1);
    for (said, verdict, score) in [
        ("0\nok\n", "AC", "30"),
        ("7\npoints 80 more than there are\n", "AC", "30"),
        ("7\nn = 3\npoints 15\n", "PT", "15"),
        ("7\npoints 0\n", "PT", "0"),
        ("7\npoints points_info=a=1\n", "PT", "0"),
        ("0\npartially correct (0) nothing\n", "PT", "0"),
        ("3\npartially correct (3) a little\n", "PT", "0.45"),
        ("100\npartially correct (100) half\n", "PT", "15"),
        ("1\nwrong answer\n", "WA", "0"),
    ] {
        assert_eq!(judged(&package, said), pair(verdict, score), "{said}");
    }
}

#[test]
fn checker_points_without_test_points_are_partial() {
    let package = package(&xml("<test/>", "", "", "", &[("main", "a.py")]), 1)
        .file("p/solutions/a.py", "print('7\\npoints 37 ja=1 pa=38')\n");
    for (said, verdict) in [("7\npoints 37\n", "PT"), ("7\npoints 0\n", "PT"), ("0\nok\n", "AC")] {
        assert_eq!(judged(&package, said).0, verdict, "{said}");
    }
    // The main solution cannot earn more.
    let ran = package.run(&["verify", "--json", "p"]).code(0);
    assert_eq!(result(&ran, "main/a.py").0, "PT");
}

#[test]
fn a_test_without_points_does_not_fail_its_group() {
    let groups = "<groups><group name='0'/><group name='1'><dependencies><dependency group='0'/></dependencies></group>\
        </groups>";
    let tests = "<test group='0' points='0'/><test group='1' points='100'/>";
    let package = package(&xml(tests, groups, "", "", &[]), 2)
        .file("b.py", "print('7\\npoints 0' if input() == '1' else '0\\nok')\n");
    assert_eq!(ended(&package.run(&["run", "p", "b.py", "--json"]).code(0)), pair("AC", "100"));
}

#[test]
fn quoted_output_gives_no_points() {
    let package = package(&xml("<test points='40'/>", "", "", "", &[]), 1);
    for (said, verdict, score) in [
        ("7\npoints 1 found MSG\npoints 40\n", "PT", "1"),
        ("7\nfound points 40 points 1\n", "PT", "1"),
        ("1\nwrong answer found:\nnothing\npartially correct (1)\n", "WA", "0"),
        ("20\npartially correct (20) found:\npartially correct (200)\n", "PT", "4"),
    ] {
        assert_eq!(judged(&package, said), pair(verdict, score), "{said}");
    }
}

#[test]
fn partial_points_do_not_satisfy_a_dependency() {
    let groups = "<groups><group name='1' points-policy='complete-group'/><group name='2' \
        points-policy='complete-group'><dependencies><dependency group='1'/></dependencies></group></groups>";
    let tests = "<test group='1' points='40'/><test group='2' points='60'/>";
    let package = package(&xml(tests, groups, "", "", &[]), 2)
        .file("b.py", "print('7\\npoints 20' if input() == '1' else '0\\nok')\n");
    let ran = package.run(&["run", "p", "b.py", "--json"]);
    assert_eq!(ended(&ran).1, "0");
    assert!(ran.json().iter().all(|line| line["case"] != "2/002" || line["verdict"].is_null()), "{ran:#?}");
}

#[test]
fn a_main_solution_without_full_points_is_reported() {
    for (said, score) in [("7\\npoints 0", "0"), ("7\\npoints 99", "99")] {
        let package = package(&xml("<test points='100'/>", "", "", "", &[("main", "a.py")]), 1)
            .file("p/solutions/a.py", format!("print('{said}')\n"));
        let ran = package.run(&["verify", "--json", "p"]);
        assert_eq!(result(&ran, "main/a.py"), pair("PT", score));
        let said = format!("{:?}", ran.json());
        assert!(said.contains(&format!("expected a score of 99.999 to 100, found {score} points")), "{said}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_solution_that_fails_as_tagged_may_earn_partial_points() {
    let tests = "<test points='30'/><test points='70'/>";
    let solutions = [("main", "a.py"), ("time-limit-exceeded", "slow.py"), ("presentation-error", "form.py")];
    let xml = xml(tests, "", "", "", &solutions).replace("<time-limit>1000<", "<time-limit>300<");
    let package = package(&xml, 2)
        .file("p/solutions/a.py", "print('0\\nok')\n")
        .file("p/solutions/slow.py", "number = input()\nwhile number == '2':\n    pass\nprint('0\\nok')\n")
        .file("p/solutions/form.py", "print('0\\nok' if input() == '1' else '2\\nwrong output format')\n");
    let ran = package.run(&["verify", "--json", "p"]).code(0);
    assert_eq!(result(&ran, "main/a.py"), pair("AC", "100"));
    assert_eq!(result(&ran, "time-limit-exceeded/slow.py"), pair("PT", "30"));
    assert_eq!(result(&ran, "presentation-error/form.py"), pair("PT", "30"));
}

#[test]
fn quoted_words_of_a_command_are_one_argument() {
    let tests = "<test method='generated' cmd='gen.py \"a b\" c'/>";
    let generator = "<executable><source path='files/gen.py'/></executable>";
    let project = Project::new()
        .file("p/problem.xml", xml(tests, "", generator, "", &[("main", "a.py")]))
        .file("p/files/check.py", "import sys\nsys.exit(open(sys.argv[2]).read() != '2 a b\\n')\n")
        .file("p/files/gen.py", "import sys\nprint(len(sys.argv) - 1, sys.argv[1])\n")
        .file("p/solutions/a.py", "print(input())\n");
    project.run(&["run", "p", "p/solutions/a.py"]).code(0).says("AC");
}

#[test]
fn the_interactor_writes_the_answer_with_the_main_solution() {
    let interactor = "<interactor><source path='files/talk.py'/></interactor>";
    let talk = "import sys\nnumber, asked = int(open(sys.argv[1]).read()), 0\nopen(sys.argv[3]).read()\n\
        for line in iter(sys.stdin.readline, ''):\n    asked += 1\n    guess = int(line)\n\
        \x20   print('=' if guess == number else '<' if guess < number else '>', flush=True)\n\
        \x20   if guess == number:\n        open(sys.argv[2], 'w').write(str(asked))\n        sys.exit(0)\n\
        sys.exit(1)\n";
    let halving = "low, high = 1, 9\nwhile True:\n    middle = (low + high) // 2\n    print(middle, flush=True)\n\
        \x20   said = input()\n    if said == '=':\n        break\n\
        \x20   low, high = (middle + 1, high) if said == '<' else (low, middle)\n";
    let counting = "n = 1\nprint(n, flush=True)\nwhile input() != '=':\n    n += 1\n    print(n, flush=True)\n";
    let project = Project::new()
        .file("p/problem.xml", xml("<test/>", "", "", interactor, &[("main", "a.py"), ("wrong-answer", "b.py")]))
        .file("p/files/talk.py", talk)
        .file(
            "p/files/check.py",
            "import sys\nsys.exit(int(open(sys.argv[2]).read()) > int(open(sys.argv[3]).read()))\n",
        )
        .file("p/tests/01", "8\n")
        .file("p/solutions/a.py", halving)
        .file("p/solutions/b.py", counting);
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    assert_eq!((result(&ran, "main/a.py").0, result(&ran, "wrong-answer/b.py").0), ("AC".into(), "WA".into()));
    // A test is left out if the main solution and the interactor do not terminate on it.
    let failing = project
        .file("p/tests/02", "10\n")
        .file("p/problem.xml", xml("<test/><test/>", "", "", interactor, &[("main", "a.py")]));
    let failing = failing.file("p/solutions/a.py", halving.replace("while True:", "for _ in range(9):"));
    let said = failing.run(&["run", "p", "p/solutions/a.py"]).code(0).stdout;
    assert!(said.contains("1 case is left out because the interactor rejects solutions/a.py"), "{said}");
}

#[test]
fn a_class_is_graded_with_the_points_of_the_tests() {
    let package = package(&xml("<test points='30'/><test points='70'/>", "", "", "", &[]), 2)
        .file("class/ann/p.py", "print('0\\nok')\n")
        .file("class/bob/p.py", "print('0\\nok' if input() == '1' else '1\\nwrong')\n")
        .file("class/cyd/p.py", "print('7\\npoints 20')\n");
    let args = ["grade", "p", "class", "--require", "D", "--out", "o"];
    package.run(&args).code(0);
    let book = package.read("o/gradebook.csv");
    assert_eq!(book, "student,p,total\nann,100,100\nbob,30,30\ncyd,40,40\n");
    // All results are judged again with another checker, unless it does not compile.
    let package = package.file("p/files/check.py", "def check(:\n");
    package.run(&args).code(2).complains("check.py does not compile");
    assert_eq!(package.read("o/gradebook.csv"), book);
}
