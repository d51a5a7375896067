//! Packages of Polygon: `problem.xml`, with checkers, validators and interactors made with testlib.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::{
    Aggregate, AggregateKind, Bytes, Diagnostic, Failure, Grading, Part, Points, ProblemId, Rule, Score, Span, Verdict,
};

use super::kept::{Kept, LastLine};
use super::model::{
    Case, Format, InputArgs, Kind, LeftOut, OutputCheck, Package, PackageLimits, Recipe, Statement, Submission, Timing,
    Validator, ValidatorForm, Want, What,
};
use super::tree::Tree;
use super::xml::Element;

/// Whether a tree is such a package.
pub(super) fn is_package(tree: &Tree) -> bool {
    tree.file("problem.xml").is_some()
}

/// Reads a package.
///
/// # Errors
/// What of it makes no sense.
pub(super) fn read(tree: &Tree, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let origin = tree.origin("problem.xml");
    let text = tree.text("problem.xml")?.unwrap_or_default();
    let root = Element::parse(&origin, &text)?;
    let complaint = |what: &str| Diagnostic::new(what).in_file(&origin);
    let mut notes = tree.notes().to_vec();
    let judging = root.at("judging").ok_or_else(|| complaint("`judging` is missing"))?;
    let mut sets: Vec<&Element> = judging.all("testset").collect();
    sets.sort_by_key(|set| set.get("name") != Some("tests"));
    let set = *sets.first().ok_or_else(|| complaint("there is no set of tests"))?;
    for (name, what) in [("input-file", "read"), ("output-file", "written")] {
        if judging.get(name).is_some_and(|file| !file.is_empty()) {
            notes.push(format!("programs are meant to use files ({name}); standard streams are {what} instead"));
        }
    }
    if judging.get("run-count").is_some_and(|count| count != "1") {
        let why = "programs are run several times on each test (`run-count`), which is not supported";
        return Err(complaint(why).into());
    }
    let making = Making::of(tree, &root);
    let mut left_out = Vec::new();
    let tests = tests(tree, set, &making, Kept::new(cache), &mut left_out)?;
    if tests.is_empty() {
        return Err(complaint("no test of the package has its files, and none can be made").into());
    }
    let number = |name: &str| set.at(name).and_then(|element| element.text().parse::<u64>().ok()).filter(|n| *n > 0);
    let time = Span::millis(number("time-limit").unwrap_or(1_000).min(3_600_000));
    let memory = Bytes::new(number("memory-limit").unwrap_or(256 << 20).clamp(1 << 20, 64 << 30));
    let scoring = tests.iter().any(|test| test.points > Points::ZERO);
    let names: BTreeMap<String, String> = root
        .at("names")
        .into_iter()
        .flat_map(|names| names.all("name"))
        .filter_map(|name| Some((language(name.get("language")?), name.get("value")?.to_owned())))
        .collect();
    let mut package = Package {
        root: tree.root().to_owned(),
        format: Format::Polygon,
        guess: None,
        names: if names.is_empty() { BTreeMap::from([("en".to_owned(), id.to_string())]) } else { names },
        id,
        text: text.clone(),
        author: None,
        source: None,
        license: None,
        keywords: tags(&root),
        kind: Kind { scoring, ..Kind::default() },
        limits: PackageLimits {
            time: Some(time),
            resolution: Span::millis(100),
            ac_to_limit: 2_000,
            limit_to_tle: 1_500,
            memory,
            output: Bytes::mib(64),
            code: Bytes::kib(64),
            validation_time: Span::seconds(60),
            validation_memory: Bytes::mib(2_048),
            validation_output: Bytes::mib(64),
        },
        constants: BTreeMap::new(),
        languages: Vec::new(),
        statements: statements(tree, &root),
        grading: grading(set, &tests, scoring),
        recipes: recipes(&tests),
        cases: tests.into_iter().map(|test| test.case).collect(),
        proofs: Vec::new(),
        input_validators: validators(tree, &root),
        output: output(tree, &root).ok_or_else(|| complaint("the checker's source is not there"))?,
        static_validator: None,
        grader: None,
        include: BTreeMap::new(),
        submissions: submissions(tree, &root, &mut notes),
        left_out,
        notes,
    };
    package.kind.interactive = matches!(&package.output, OutputCheck::Testlib { interactor: Some(_), .. });
    Ok(package)
}

/// The programs that make what is not in the package.
struct Making<'t> {
    generators: BTreeMap<String, &'t Path>,
    main: Option<&'t Path>,
}

impl<'t> Making<'t> {
    fn of(tree: &'t Tree, root: &Element) -> Making<'t> {
        let executables = root.at("files/executables").into_iter().flat_map(|all| all.all("executable"));
        let sources = executables.filter_map(|one| source(tree, one));
        let named = |path: &'t Path| Some((path.file_stem()?.to_str()?.to_owned(), path));
        let mut solutions = root.at("assets/solutions").into_iter().flat_map(|all| all.all("solution"));
        let main = solutions.find(|one| one.get("tag") == Some("main")).and_then(|one| source(tree, one));
        // In a dialogue there is no output that could be an answer.
        let main = main.filter(|_| root.at("assets/interactor").is_none());
        Making { generators: sources.filter_map(named).collect(), main }
    }

    /// The generator of a test with its arguments, as they are spelt out in `cmd`.
    fn input(&self, test: &Element) -> Option<(PathBuf, Vec<String>)> {
        let mut words = test.get("cmd")?.split_whitespace().map(str::to_owned);
        let program = self.generators.get(&words.next()?)?;
        // One run that writes several tests has no standard output.
        test.get("from-file").is_none().then(|| (program.to_path_buf(), words.collect()))
    }
}

/// What is to be made of the cases.
fn recipes(tests: &[Test]) -> Vec<Recipe> {
    let made = tests.iter().enumerate().filter(|(_, test)| test.made.0.is_some() || test.made.1.is_some());
    made.map(|(case, test)| Recipe { case, input: test.made.0.clone(), answer: test.made.1.clone() }).collect()
}

/// A test with its group and points, and with what makes its input and its answer if they are not there.
struct Test {
    case: Case,
    made: (Option<(PathBuf, Vec<String>)>, Option<PathBuf>),
    group: Option<String>,
    points: Points,
}

fn tests(
    tree: &Tree,
    set: &Element,
    making: &Making<'_>,
    kept: Kept<'_>,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Test>, Failure> {
    let pattern = |name: &str, other: &str| set.at(name).map_or(other, |element| element.text()).to_owned();
    let (inputs, answers) =
        (pattern("input-path-pattern", "tests/%02d"), pattern("answer-path-pattern", "tests/%02d.a"));
    let mut found = Vec::new();
    for (index, test) in set.at("tests").into_iter().flat_map(|tests| tests.all("test")).enumerate() {
        let (input, answer) = (numbered(&inputs, index + 1), numbered(&answers, index + 1));
        // Packages made on Windows have its line ends, which its own programs do not see.
        let lines = |path: &Path| kept.plain_lines(path, LastLine::AsItIs);
        let (input, answer) = (tree.file(&input).map(lines).transpose()?, tree.file(&answer).map(lines).transpose()?);
        let made_input = if input.is_none() { making.input(test) } else { None };
        let made_answer = making.main.filter(|_| answer.is_none()).map(Path::to_owned);
        let group = test.get("group").filter(|group| !group.is_empty()).map(plain);
        let folder = match (&group, test.get("sample")) {
            (Some(group), _) => group.clone(),
            (None, Some("true")) => "sample".to_owned(),
            (None, _) => "tests".to_owned(),
        };
        let name = format!("{folder}/{:03}", index + 1);
        let lost = match () {
            () if input.is_none() && made_input.is_none() => Some(("input", "generator")),
            () if answer.is_none() && made_answer.is_none() => Some(("answer", "main solution")),
            () => None,
        };
        if let Some((file, program)) = lost {
            let why = format!("for the package has neither the {file} nor a {program} that could make it");
            left_out.push(LeftOut { case: name, why });
            continue;
        }
        let points = test.get("points").and_then(|points| points.parse().ok()).and_then(Points::nearest);
        let mut args = vec!["--testset".to_owned(), "tests".to_owned()];
        args.extend(test.get("group").into_iter().flat_map(|group| ["--group".to_owned(), group.to_owned()]));
        let case = Case {
            name,
            input: input.unwrap_or_default(),
            answer,
            output: None,
            shown: [None, None],
            interaction: None,
            args: Vec::new(),
            files: Vec::new(),
            input_args: InputArgs::All(args),
            output_args: Vec::new(),
            hint: None,
            description: test.get("description").map(str::to_owned),
            text_args: None,
        };
        found.push(Test { case, made: (made_input, made_answer), group, points: points.unwrap_or_default() });
    }
    Ok(found)
}

/// A pattern such as `tests/%02d` with a number in it.
fn numbered(pattern: &str, number: usize) -> String {
    let Some((head, rest)) = pattern.split_once('%') else { return pattern.to_owned() };
    let Some((width, tail)) = rest.split_once('d') else { return pattern.to_owned() };
    let digits = width.trim_start_matches('0').parse::<usize>().unwrap_or(0).min(20);
    if width.starts_with('0') {
        format!("{head}{number:0digits$}{tail}")
    } else {
        format!("{head}{number:digits$}{tail}")
    }
}

/// A group's name in plain letters.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// The tree of groups in the order of their first tests; tests without a group count by themselves.
fn grading(set: &Element, tests: &[Test], scoring: bool) -> Grading {
    let rule = |kind, most: Points, require| {
        Rule::Aggregate(Aggregate { kind, most: Some(most.score()), require, scored: scoring, text: None })
    };
    let single = |index: usize, test: &Test| {
        let rule = rule(AggregateKind::PassFail, test.points, Vec::new());
        Part::Group(Grading { name: format!("{} alone", test.case.name), rule, parts: vec![Part::Case(index)] })
    };
    let known = |name: &str| {
        set.at("groups")
            .into_iter()
            .flat_map(|groups| groups.all("group"))
            .find(|group| group.get("name").map(plain).as_deref() == Some(name))
            .cloned()
    };
    let mut parts: Vec<Part> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        let Some(name) = &test.group else {
            parts.push(single(index, test));
            continue;
        };
        if done.contains(&name.as_str()) {
            continue;
        }
        done.push(name);
        let members: Vec<(usize, &Test)> =
            tests.iter().enumerate().filter(|(_, test)| test.group.as_deref() == Some(name)).collect();
        let points = members.iter().fold(Points::ZERO, |sum, (_, test)| sum.plus(test.points));
        let described = known(name);
        let each = described.as_ref().is_some_and(|group| group.get("points-policy") == Some("each-test"));
        let require: Vec<std::ops::Range<usize>> = described
            .iter()
            .filter_map(|group| group.at("dependencies"))
            .flat_map(|all| all.all("dependency"))
            .filter_map(|one| one.get("group").map(plain))
            .flat_map(|before| {
                let of = move |test: &Test| test.group.as_deref() == Some(before.as_str());
                tests.iter().enumerate().filter(move |(_, test)| of(test)).map(|(at, _)| at..at + 1).collect::<Vec<_>>()
            })
            .collect();
        let (kind, inner) = match each {
            true => (AggregateKind::Sum, members.iter().map(|(index, test)| single(*index, test)).collect()),
            false => (AggregateKind::PassFail, members.iter().map(|(index, _)| Part::Case(*index)).collect()),
        };
        parts.push(Part::Group(Grading { name: name.clone(), rule: rule(kind, points, require), parts: inner }));
    }
    let root =
        Aggregate { kind: AggregateKind::Sum, most: None::<Score>, require: Vec::new(), scored: scoring, text: None };
    Grading { name: String::new(), rule: Rule::Aggregate(root), parts }
}

/// The source of an element that has one.
fn source<'a>(tree: &'a Tree, element: &Element) -> Option<&'a Path> {
    element.at("source").and_then(|source| source.get("path")).and_then(|path| tree.file(path))
}

fn output(tree: &Tree, root: &Element) -> Option<OutputCheck> {
    let named = |place: &str| root.at(place).and_then(|program| source(tree, program)).map(Path::to_owned);
    let (checker, interactor) = (named("assets/checker"), named("assets/interactor"));
    let judged = checker.is_some() || interactor.is_some();
    judged.then_some(OutputCheck::Testlib { checker, interactor, full: None })
}

fn validators(tree: &Tree, root: &Element) -> Vec<Validator> {
    let all = root.at("assets/validators").into_iter().flat_map(|all| all.all("validator"));
    let one = |element: &Element| {
        let path = source(tree, element)?.to_owned();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(Validator { name, path, form: ValidatorForm::Testlib })
    };
    all.filter_map(one).collect()
}

fn submissions(tree: &Tree, root: &Element, notes: &mut Vec<String>) -> Vec<Submission> {
    let mut found = Vec::new();
    for solution in root.at("assets/solutions").into_iter().flat_map(|all| all.all("solution")) {
        let Some(path) = source(tree, solution) else {
            notes.push("a solution is left out: its file is not in the package".to_owned());
            continue;
        };
        let tag = solution.get("tag").unwrap_or_default();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let wants = wants(tag).map(|verdicts| Want { by: tag.to_owned(), of: None, what: What::Final(verdicts) });
        if wants.is_none() {
            notes.push(format!("`{file}`: the tag `{tag}` promises nothing that is known"));
        }
        found.push(Submission {
            name: format!("{tag}/{file}"),
            path: path.to_owned(),
            language: None,
            entry: None,
            wants: wants.into_iter().collect(),
            timing: Timing::None,
        });
    }
    found.sort_by_key(|submission| !submission.name.starts_with("main/"));
    found
}

/// The verdicts on the whole that a solution's tag allows.
fn wants(tag: &str) -> Option<Vec<Verdict>> {
    use Verdict::{
        Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError,
        RuntimeError, TimeLimit, WrongAnswer,
    };
    let rejected = vec![
        WrongAnswer,
        PresentationError,
        TimeLimit,
        IdleLimit,
        MemoryLimit,
        RuntimeError,
        OutputLimit,
        Forbidden,
        CompileError,
        Partial,
    ];
    Some(match tag {
        "main" | "accepted" => vec![Accepted],
        "wrong-answer" => vec![WrongAnswer, PresentationError, Partial],
        "presentation-error" => vec![PresentationError, WrongAnswer],
        "time-limit-exceeded" => vec![TimeLimit, IdleLimit],
        "time-limit-exceeded-or-accepted" => vec![TimeLimit, IdleLimit, Accepted],
        "time-limit-exceeded-or-memory-limit-exceeded" => vec![TimeLimit, IdleLimit, MemoryLimit],
        "memory-limit-exceeded" => vec![MemoryLimit],
        "rejected" | "failed" => rejected,
        _ => return None,
    })
}

fn tags(root: &Element) -> Vec<String> {
    let all = root.at("tags").into_iter().flat_map(|tags| tags.all("tag"));
    all.filter_map(|tag| tag.get("value")).map(str::to_owned).collect()
}

fn statements(tree: &Tree, root: &Element) -> Vec<Statement> {
    let all = root.at("statements").into_iter().flat_map(|all| all.all("statement"));
    let one = |element: &Element| {
        let path = tree.file(element.get("path")?)?.to_owned();
        Some(Statement { language: language(element.get("language")?), path })
    };
    let mut found: Vec<Statement> = all.filter_map(one).collect();
    found.sort_by_key(|statement| statement.language != "en");
    found
}

/// Polygon's name of a language as its code.
fn language(name: &str) -> String {
    let known = [("english", "en"), ("russian", "ru"), ("chinese", "zh"), ("ukrainian", "uk"), ("spanish", "es")];
    known.iter().find(|(long, _)| *long == name).map_or(name, |(_, code)| code).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut package = read(&Tree::scan(dir.path()).unwrap(), "a".parse().unwrap(), dir.path()).unwrap();
        assert_eq!(package.limits.time, Some(Span::millis(1_500)));
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["0/001", "1/002", "1/003", "2/004", "2/005"]);
        assert!(package.kind.scoring);
        let Rule::Aggregate(second) = &package.grading.find("2").unwrap().rule else { panic!() };
        assert_eq!((second.kind, second.most, second.require.len()), (AggregateKind::Sum, Some(Score::points(70)), 2));
        assert_eq!(package.submissions[0].name, "main/a.cpp");
        let why = "for the package has neither the input nor a generator that could make it";
        assert_eq!(package.omissions(), [format!("1 case is left out, {why}: tests/006")]);
        package.leave_out(&[(0, "for a".to_owned()), (2, "for a".to_owned())].into()).unwrap();
        assert_eq!(package.omissions()[1], "2 cases are left out, for a: 0/001, 1/003");
        let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!((names, package.grading.cases()), (vec!["1/002", "2/004", "2/005"], vec![0, 1, 2]));
        assert!(package.grading.find("0").is_none(), "nobody earns the points of a group without cases");
        let Rule::Aggregate(second) = &package.grading.find("2").unwrap().rule else { panic!() };
        assert_eq!(second.require, [0..1, 1..1]);
        assert!(package.leave_out(&(0..3).map(|place| (place, "for b".to_owned())).collect()).is_err());
    }
}
