//! Tests of reading Polygon packages.

use super::*;
use crate::model::{AggregateKind, Part, Requirement, Rule};

/// Reads a package that consists of these files.
fn package(files: &[(&str, &str)]) -> Package {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    read(&PackageTree::scan(dir.path()).unwrap(), "a".parse().unwrap(), dir.path()).unwrap()
}

/// Creates a `problem.xml` with these attributes of `judging`, tests, further elements of `testset`, resources and
/// solutions.
fn xml(judging: &str, tests: &str, beside: &str, resources: &str, solutions: &str) -> String {
    format!(
        "<problem><judging {judging}><testset name='tests'><tests>{tests}</tests>{beside}</testset></judging>\
        <files><resources>{resources}</resources></files><assets><checker><source path='check.cpp'/></checker>\
        <solutions>{solutions}</solutions></assets></problem>"
    )
}

/// Returns the maximum points that the checker awards in a test.
fn full(package: &Package, case: &str) -> Option<Score> {
    let OutputCheck::Each(each) = &package.output else { panic!("{:?}", package.output) };
    let OutputCheck::Testlib { full, .. } = &each[case] else { panic!("{each:?}") };
    *full
}

/// Returns the kind of a group's rule, the maximum points of the group, and the numbers of its subgroups and cases.
fn shape(package: &Package, group: &str) -> (AggregateKind, Option<Score>, usize, usize) {
    let group = package.grading.find(group).unwrap();
    let Rule::Aggregate(rule) = &group.rule else { panic!("{group:?}") };
    let groups = group.parts.iter().filter(|part| matches!(part, Part::Group(_))).count();
    (rule.kind, rule.most, groups, group.parts.len() - groups)
}

const FILES: [(&str, &str); 9] = [
    ("check.cpp", ""),
    ("tests/01", "1\n"),
    ("tests/01.a", "1\n"),
    ("tests/02", "2\n"),
    ("tests/02.a", "2\n"),
    ("tests/03", "3\n"),
    ("tests/03.a", "3\n"),
    ("tests/04", "4\n"),
    ("tests/04.a", "4\n"),
];

/// Returns the first line of the diagnostic that refuses a package with this `problem.xml`.
fn refused(xml: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in FILES.iter().chain(&[("problem.xml", xml)]) {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }
    let refused = read(&PackageTree::scan(dir.path()).unwrap(), "a".parse().unwrap(), dir.path()).unwrap_err();
    refused.to_string().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn commands_are_split_at_blanks_outside_of_quotes() {
    let table: [(&str, &[&str]); 6] = [
        ("gen 1  2\t3", &["gen", "1", "2", "3"]),
        ("gen \"a b\" c", &["gen", "a b", "c"]),
        ("gen 'a \"b' -n=\"x y\"z", &["gen", "a \"b", "-n=x yz"]),
        ("gen '' \"\"", &["gen", "", ""]),
        ("gen don't 5", &["gen", "don't", "5"]),
        (" ", &[]),
    ];
    for (command, wanted) in table {
        assert_eq!(words(command), wanted, "{command}");
    }
}

#[test]
fn commands_name_generators_with_or_without_extension() {
    let commands = ["gen.cpp 1", "gen 2", "gen.py 3", "gen.java 4"];
    let tests = commands.map(|command| format!("<test method='generated' cmd='{command}'/>"));
    let main = xml("", &tests.concat(), "", "", "<solution tag='main'><source path='a.py'/></solution>");
    let executables = "<files><executables><executable><source path='files/gen.cpp'/></executable></executables>";
    let main = main.replace("<files>", executables);
    let package = package(&[("problem.xml", main.as_str()), ("check.cpp", ""), ("a.py", ""), ("files/gen.cpp", "")]);
    let made: Vec<_> =
        package.generated_cases.iter().filter_map(|generated| generated.input.clone()).map(|(_, args)| args).collect();
    assert_eq!(made, [["1"], ["2"]]);
    assert_eq!(package.skipped_cases.len(), 2);
}

#[test]
fn unsupported_ways_of_judging_are_refused() {
    let of = |judging: &str, beside: &str| xml(judging, "<test/>", "", "", "").replace("<assets>", beside);
    let twice = "<tags><tag value='run-twice'/></tags><assets>";
    for (judging, beside, wanted) in [
        ("run-count='2'", "<assets>", "(`run-count`), which is not supported"),
        ("", twice, "(the tag `run-twice`), which is not supported"),
        ("", "<assets><strategy><source path='s.py'/></strategy>", "(`assets/strategy`), which is not supported"),
        (
            "",
            "<assets><interactor><source path='no.cpp'/></interactor>",
            "the package does not contain the source file of `assets/interactor`",
        ),
    ] {
        let said = refused(&of(judging, beside));
        assert!(said.contains(wanted), "{said}");
    }
    let once = of("run-count='1'", twice);
    assert!(!package(&[&FILES[..], &[("problem.xml", once.as_str())]].concat()).kind.interactive);
}

#[test]
fn packages_with_a_scorer_have_no_points() {
    let scorer = "<assets><scorer><source path='score.cpp'/></scorer>";
    let xml = xml("", "<test points='7'/>", "", "", "").replace("<assets>", scorer);
    let package = package(&[&FILES[..], &[("problem.xml", xml.as_str())]].concat());
    assert_eq!((package.kind.scoring, full(&package, "tests/001")), (false, Some(Score::points(7))));
    let note = "points are not computed: the custom scorer `assets/scorer` is not supported";
    assert_eq!(package.notes, [note]);
}

#[test]
fn failing_solutions_may_earn_partial_points() {
    use crate::ExpectedOutcome;
    use crate::model::Verdict::{Accepted, MemoryLimit, Partial, PresentationError, TimeLimit, WrongAnswer};
    for (tag, wanted) in [
        ("main", Accepted),
        ("wrong-answer", WrongAnswer),
        ("presentation-error", PresentationError),
        ("time-limit-exceeded", TimeLimit),
        ("time-limit-exceeded-or-accepted", TimeLimit),
        ("time-limit-exceeded-or-memory-limit-exceeded", TimeLimit),
        ("memory-limit-exceeded", MemoryLimit),
        ("rejected", WrongAnswer),
    ] {
        let solution = format!("<solution tag='{tag}'><source path='a.py'/></solution>");
        let xml = xml("", "<test/>", "", "", &solution);
        let package = package(&[&FILES[..], &[("a.py", ""), ("problem.xml", xml.as_str())]].concat());
        let ExpectedOutcome::Final(verdicts) = &package.submissions[0].expectations[0].outcome else { panic!("{tag}") };
        assert!(verdicts.contains(&Partial), "{tag}");
        assert_eq!((verdicts[0], verdicts.contains(&Accepted)), (wanted, tag == "main" || tag.ends_with("accepted")));
    }
}

#[test]
fn correct_solutions_earn_all_points_if_the_total_is_known() {
    use crate::ExpectedOutcome;
    use crate::model::Verdict::{Accepted, Partial};
    let solution = "<solution tag='main'><source path='a.py'/></solution>";
    let expectations = |judging: &str, tests: &str| {
        let xml = xml(judging, tests, "", "", solution);
        let package = package(&[&FILES[..], &[("a.py", ""), ("problem.xml", xml.as_str())]].concat());
        package.submissions[0].expectations.iter().map(|want| want.outcome.clone()).collect::<Vec<_>>()
    };
    let percent = "treat-points-from-checker-as-percent='true'";
    assert_eq!(expectations("", "<test/>"), [ExpectedOutcome::Final(vec![Accepted, Partial])]);
    assert_eq!(expectations(percent, "<test/>"), [ExpectedOutcome::Final(vec![Accepted])]);
    let pointed = expectations("", "<test points='30'/><test points='70'/>");
    let [ExpectedOutcome::Final(verdicts), ExpectedOutcome::Score(low, high)] = pointed.as_slice() else {
        panic!("{pointed:?}")
    };
    assert_eq!((verdicts.as_slice(), *low, *high), (&[Accepted][..], 99.998, 100.0));
}

#[test]
fn patterns_are_filled_in() {
    assert_eq!(numbered("tests/%02d.a", 7), "tests/07.a");
    assert_eq!(numbered("tests/%d", 123), "tests/123");
    assert_eq!(numbered("tests/%03d", 1234), "tests/1234");
    assert_eq!(numbered("a", 1), "a");
}

#[test]
fn a_package_is_read_with_its_groups() {
    let dir = tempfile::tempdir().unwrap();
    let file = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    };
    let xml = "<problem><names><name language='english' value='A'/></names><judging input-file='' output-file=''>\
        <testset name='tests'><time-limit>1500</time-limit><memory-limit>268435456</memory-limit>\
        <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
        <tests><test sample='true' group='0'/><test group='1' points='30'/><test group='1'/><test group='2' points='40'/>\
        <test group='2' points='30'/><test method='generated'/></tests><groups><group name='1' points-policy='complete-group'/>\
        <group name='2' points-policy='each-test'><dependencies><dependency group='1'/></dependencies></group></groups>\
        </testset></judging><assets><checker name='x'><source path='files/check.cpp'/></checker><solutions>\
        <solution tag='main'><source path='solutions/a.cpp'/></solution></solutions></assets></problem>";
    file("problem.xml", xml);
    (1..=5).for_each(|n| (file(&format!("tests/0{n}"), "1\n"), file(&format!("tests/0{n}.a"), "1\n")).1);
    file("files/check.cpp", "");
    file("solutions/a.cpp", "");
    let mut package = read(&PackageTree::scan(dir.path()).unwrap(), "a".parse().unwrap(), dir.path()).unwrap();
    assert_eq!(package.limits.time, Some(TimeSpan::millis(1_500)));
    let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["0/001", "1/002", "1/003", "2/004", "2/005"]);
    assert!(package.kind.scoring);
    let Rule::Aggregate(second) = &package.grading.find("2").unwrap().rule else { panic!() };
    assert_eq!((second.kind, second.most, second.require.len()), (AggregateKind::Sum, Some(Score::points(70)), 2));
    assert_eq!(package.submissions[0].name, "main/a.cpp");
    let why = "the package has neither the input nor a generator that could generate it";
    assert_eq!(package.skipped_case_notes(), [format!("1 case is left out because {why}: tests/006")]);
    package.skip_cases(&[(0, "a".to_owned()), (2, "a".to_owned())].into()).unwrap();
    assert_eq!(package.skipped_case_notes()[1], "2 cases are left out because a: 0/001, 1/003");
    let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!((names, package.grading.cases()), (vec!["1/002", "2/004", "2/005"], vec![0, 1, 2]));
    assert!(package.grading.find("0").is_none(), "a group without cases is removed");
    let Rule::Aggregate(second) = &package.grading.find("2").unwrap().rule else { panic!() };
    let required = |cases| Requirement { cases, part_passes: false };
    assert_eq!(second.require, [required(0..1), required(1..1)]);
    assert!(package.skip_cases(&(0..3).map(|place| (place, "b".to_owned())).collect()).is_err());
}

#[test]
fn checker_points_are_relative_to_the_test_s_points() {
    let tests = "<test points='10'/><test group='e' points='4'/><test group='e'/><test group='w' points='7'/>";
    let groups = "<groups><group name='e' points-policy='each-test'/><group name='w'/></groups>";
    let package = package(&[&FILES[..], &[("problem.xml", xml("", tests, groups, "", "").as_str())]].concat());
    let points = |points| Some(Score::points(points));
    assert_eq!(full(&package, "tests/001"), points(10));
    assert_eq!((full(&package, "e/002"), full(&package, "e/003")), (points(4), points(0)));
    assert_eq!(shape(&package, "tests/001 alone"), (AggregateKind::Sum, points(10), 0, 1));
    assert_eq!(shape(&package, "e"), (AggregateKind::Sum, points(4), 2, 0));
    assert_eq!(shape(&package, "e/002 alone"), (AggregateKind::Sum, points(4), 0, 1));
    assert_eq!(shape(&package, "w"), (AggregateKind::PassFail, points(7), 0, 1));
    assert_eq!(package.judging(&package.cases[0]).unwrap().aux_programs().next().unwrap().full, points(10));
}

#[test]
fn group_points_are_used_if_tests_have_none() {
    let tests = "<test group='e'/><test group='e'/><test group='w'/><test/>";
    let groups = "<groups><group name='e' points='40.0' points-policy='each-test'/>\
        <group name='w' points='60.0' points-policy='complete-group'/></groups>";
    let package = package(&[&FILES[..], &[("problem.xml", xml("", tests, groups, "", "").as_str())]].concat());
    let points = |points| Some(Score::points(points));
    assert!(package.kind.scoring);
    assert_eq!(shape(&package, "e"), (AggregateKind::Sum, points(40), 0, 2));
    assert_eq!(shape(&package, "w"), (AggregateKind::PassFail, points(60), 0, 1));
    assert_eq!((full(&package, "e/001"), full(&package, "w/003")), (points(20), points(0)));
}

#[test]
fn packages_without_points_have_one_check() {
    let package = package(&[&FILES[..], &[("problem.xml", xml("", "<test/>", "", "", "").as_str())]].concat());
    assert!(!package.kind.scoring && matches!(package.output, OutputCheck::Testlib { full: None, .. }));
}

#[test]
fn points_of_checkers_may_be_percents() {
    let xml = xml("treat-points-from-checker-as-percent='true'", "<test points='7'/>", "", "", "");
    let package = package(&[&FILES[..], &[("problem.xml", xml.as_str())]].concat());
    assert!(matches!(package.output, OutputCheck::Testlib { full: Some(full), .. } if full == Score::points(100)));
    assert_eq!(shape(&package, "tests/001 alone"), (AggregateKind::Sum, Some(Score::points(7)), 0, 1));
}

#[test]
fn input_and_output_files_are_read() {
    let judging = "input-file='sum.in' output-file='sum.out'";
    let read = package(&[&FILES[..], &[("problem.xml", xml(judging, "<test/>", "", "", "").as_str())]].concat());
    assert_eq!(read.cases[0].files, [("sum.in".to_owned(), read.cases[0].input.clone())]);
    assert_eq!(read.output_file.as_deref(), Some("sum.out"));
    assert!(read.notes.is_empty(), "{:?}", read.notes);
    let judging = "input-file='../sum.in' output-file=''";
    let read = package(&[&FILES[..], &[("problem.xml", xml(judging, "<test/>", "", "", "").as_str())]].concat());
    assert_eq!((read.cases[0].files.len(), read.output_file, read.notes.len()), (0, None, 1));
}

#[test]
fn resources_are_added_to_solutions_of_their_languages() {
    let asset = "<stages><stage name='COMPILE'/></stages><assets><asset name='SOLUTION'/></assets></file>";
    let resources = format!(
        "<file path='files/testlib.h' type='h.g++'/>\
        <file path='files/grader.cpp' type='cpp.g++17' for-types='cpp.*'>{asset}\
        <file path='files/grader.h' type='h.g++' for-type='cpp.*;c.*'>{}\
        <file path='files/lib.py' type='python.3'>{asset}\
        <file path='files/old.py' for-types='python.2'>{asset}\
        <file path='files/none.cpp' for-types='cpp.*'>{asset}\
        <file path='files/run.txt' for-types='*'><stages><stage name='RUN'/></stages>\
        <assets><asset name='SOLUTION'/></assets></file>",
        asset.to_lowercase()
    );
    let files = ["testlib.h", "grader.cpp", "grader.h", "lib.py", "old.py", "run.txt"];
    let paths = files.map(|file| format!("files/{file}"));
    let mut all = FILES.to_vec();
    let main = xml("", "<test/>", "", &resources, "");
    all.extend(paths.iter().map(|path| (path.as_str(), "")).chain([("problem.xml", main.as_str())]));
    let package = package(&all);
    let beside: Vec<(&str, Vec<&str>)> = package
        .include
        .iter()
        .map(|(language, files)| (language.as_str(), files.iter().map(|(name, _)| name.as_str()).collect()))
        .collect();
    assert_eq!(
        beside,
        [("c", vec!["grader.h"]), ("cpp", vec!["grader.cpp", "grader.h"]), ("python3", vec!["lib.py"]),]
    );
    assert_eq!(package.notes.len(), 3, "{:?}", package.notes);
}

#[test]
fn source_types_determine_languages_of_solutions() {
    let types = [
        ("a.cpp", "cpp.gcc14-64-msys2-g++23", Some("cpp")),
        ("a.c", "c.gcc", Some("c")),
        ("a.txt", "java21", Some("java")),
        ("a3.py", "python.3", Some("python")),
        ("p3.py", "python.pypy3-64", None),
        ("a.dpr", "pas.dpr", Some("pascal")),
        ("a.cs", "csharp.mono", Some("csharp")),
        ("a.js", "javascript.v8", Some("javascript")),
        ("a.d", "d", None),
        ("a2.py", "python.2", Some("left out")),
        ("p2.py", "python.pypy2", Some("left out")),
    ];
    let solutions =
        types.map(|(file, of, _)| format!("<solution tag='accepted'><source path='{file}' type='{of}'/></solution>"));
    let main = xml("", "<test/>", "", "", &solutions.concat());
    let mut all = FILES.to_vec();
    all.extend(types.iter().map(|(file, ..)| (*file, "")).chain([("problem.xml", main.as_str())]));
    let package = package(&all);
    for (file, _, wanted) in types {
        let name = format!("accepted/{file}");
        let found = package.submissions.iter().find(|submission| submission.name == name);
        assert_eq!(found.map_or(Some("left out"), |submission| submission.language.as_deref()), wanted, "{file}");
    }
    let why = "is ignored: Python 2 is not supported";
    assert_eq!(package.notes, [format!("`accepted/a2.py` {why}"), format!("`accepted/p2.py` {why}")]);
}
