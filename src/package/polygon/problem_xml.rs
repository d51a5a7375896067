//! Reads a Polygon package.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::model::{ByteSize, Diagnostic, Failure, Points, ProblemId, Score, TimeSpan};

use super::super::cache::{LastLine, PackageCache};
use super::super::package_model::{
    GeneratedCase, InputArgs, InputValidator, OutputCheck, Package, PackageCase, PackageFormat, PackageLimits,
    PackageStatement, ProblemType, SkippedCase, ValidatorKind,
};
use super::super::tree::PackageTree;
use super::super::xml::Element;
use super::grading::{PolygonPoints, points};
use super::programs::{include, language_of, solutions, source, submissions};

/// Returns whether a tree is a Polygon package.
pub(crate) fn is_package(tree: &PackageTree) -> bool {
    tree.file("problem.xml").is_some()
}

/// Reads a Polygon package.
///
/// # Errors
/// Fails if the package is invalid or requires a feature that is not supported, if a file can't be read, or if the
/// cache can't be written.
pub(crate) fn read(tree: &PackageTree, id: ProblemId, cache: &Path) -> Result<Package, Failure> {
    let origin = tree.origin("problem.xml");
    let text = tree.text("problem.xml")?.unwrap_or_default();
    let root = Element::parse(&origin, &text)?;
    let complaint = |what: &str| Diagnostic::new(what).in_file(&origin);
    let mut notes = tree.notes().to_vec();
    let judging = root.at("judging").ok_or_else(|| complaint("the element `judging` is missing"))?;
    let mut sets: Vec<&Element> = judging.all("testset").collect();
    sets.sort_by_key(|set| set.get("name") != Some("tests"));
    let set = *sets.first().ok_or_else(|| complaint("the element `judging/testset` is missing"))?;
    if let Some(why) = unsupported(&root, judging) {
        return Err(complaint(&format!("{why}, which is not supported")).into());
    }
    let generators = TestGenerators::of(tree, &root);
    let mut skipped_cases = Vec::new();
    let mut tests = tests(tree, set, &generators, PackageCache::new(cache), &mut skipped_cases)?;
    if tests.is_empty() {
        return Err(complaint("the package has no tests whose files exist or can be generated").into());
    }
    let number = |name: &str| set.at(name).and_then(|element| element.text().parse::<u64>().ok()).filter(|n| *n > 0);
    let time = TimeSpan::millis(number("time-limit").unwrap_or(1_000).min(3_600_000));
    let memory = ByteSize::new(number("memory-limit").unwrap_or(256 << 20).clamp(1 << 20, 64 << 30));
    if let Some(name) = stream_file(judging, "input-file", &mut notes) {
        tests.iter_mut().for_each(|test| test.case.files.push((name.clone(), test.case.input.clone())));
    }
    let output_file = stream_file(judging, "output-file", &mut notes);
    let set_points = PolygonPoints::new(set, &tests);
    let (pointed, full) = (set_points.scoring(), set_points.max_scores());
    let scorer = root.at("assets/scorer").is_some();
    if scorer {
        notes.push("points are not computed: the custom scorer `assets/scorer` is not supported".to_owned());
    }
    let scoring = pointed && !scorer;
    let percent = judging.get("treat-points-from-checker-as-percent") == Some("true");
    let grading = set_points.grading(scoring);
    let all = (pointed || percent).then(|| if scoring { set_points.total_range() } else { (0.0, 0.0) });
    let check = check(tree, &root).map_err(complaint)?;
    let interactive = matches!(&check, OutputCheck::Testlib { interactor: Some(_), .. });
    let output = match check {
        OutputCheck::Testlib { checker, interactor, .. } if percent => {
            OutputCheck::Testlib { checker, interactor, full: Some(Score::points(100)) }
        }
        check if pointed => check_per_test(check, &tests, &full),
        check => check,
    };
    let names: BTreeMap<String, String> = root
        .at("names")
        .into_iter()
        .flat_map(|names| names.all("name"))
        .filter_map(|name| Some((language(name.get("language")?), name.get("value")?.to_owned())))
        .collect();
    Ok(Package {
        root: tree.root().to_owned(),
        format: PackageFormat::Polygon,
        guess: None,
        content: None,
        default_limits: false,
        names: if names.is_empty() { BTreeMap::from([("en".to_owned(), id.to_string())]) } else { names },
        id,
        text: text.clone(),
        author: None,
        source: None,
        license: None,
        keywords: tags(&root),
        kind: ProblemType { scoring, interactive, ..ProblemType::default() },
        limits: PackageLimits {
            time: Some(time),
            resolution: TimeSpan::millis(100),
            ac_to_limit: 2_000,
            limit_to_tle: 1_500,
            memory,
            output: ByteSize::mib(64),
            code: None,
            validation_time: TimeSpan::seconds(60),
            validation_memory: ByteSize::mib(2_048),
            validation_output: ByteSize::mib(64),
        },
        constants: BTreeMap::new(),
        languages: Vec::new(),
        statements: statements(tree, &root),
        grading,
        case_limits: BTreeMap::new(),
        input_maker: None,
        generated_cases: generated_cases(&tests),
        cases: tests.into_iter().map(|test| test.case).collect(),
        validator_tests: Vec::new(),
        input_validators: validators(tree, &root),
        output,
        static_validator: None,
        grader: None,
        include: include(tree, &root, &mut notes),
        prelude: BTreeMap::new(),
        compiler_args: Default::default(),
        program_rules: Default::default(),
        output_file,
        submissions: submissions(tree, &root, all, &mut notes),
        skipped_cases,
        notes,
    })
}

/// Describes a feature of the package that changes judging and is not supported. Returns `None` if there is none.
fn unsupported(root: &Element, judging: &Element) -> Option<&'static str> {
    let count = judging.get("run-count");
    if count.is_some_and(|count| count != "1") {
        return Some("the package runs programs several times per test (`run-count`)");
    }
    if count.is_none() && tags(root).iter().any(|tag| tag == "run-twice") {
        return Some("the package runs programs twice per test (the tag `run-twice`)");
    }
    root.at("assets/strategy").map(|_| "the package judges tests with a custom program (`assets/strategy`)")
}

/// Returns the name of the file that programs use instead of a standard stream, or `None` if they use the stream. A
/// name with unsupported characters is ignored with a note.
fn stream_file(judging: &Element, which: &str, notes: &mut Vec<String>) -> Option<String> {
    let name = judging.get(which).filter(|name| !name.is_empty())?;
    let plain = crate::unzip::name::plain(name);
    if !plain {
        notes.push(format!("the name `{name}` in `{which}` is ignored, because it has unsupported characters"));
    }
    plain.then(|| name.to_owned())
}

/// The programs that generate missing files.
struct TestGenerators<'t> {
    by_name: BTreeMap<String, &'t Path>,
    /// The main solution, and its language if the package specifies it.
    main: Option<(&'t Path, Option<String>)>,
}

impl<'t> TestGenerators<'t> {
    fn of(tree: &'t PackageTree, root: &Element) -> TestGenerators<'t> {
        let executables = root.at("files/executables").into_iter().flat_map(|all| all.all("executable"));
        let sources: Vec<&Path> = executables.filter_map(|one| source(tree, one)).collect();
        // Commands may name a program with or without its extension.
        let named = |name: fn(&Path) -> Option<&OsStr>| {
            let named = move |path: &&'t Path| Some((name(path)?.to_str()?.to_owned(), *path));
            sources.iter().filter_map(named)
        };
        let by_name = named(Path::file_name).chain(named(Path::file_stem)).collect();
        let main = solutions(root).find(|one| one.get("tag") == Some("main"));
        let main = main.and_then(|one| Some((source(tree, one)?, language_of(one))));
        TestGenerators { by_name, main }
    }

    /// Returns the generator of a test's input and its arguments, parsed from `cmd`, or `None` if no generator can
    /// create the input.
    fn input(&self, test: &Element) -> Option<(PathBuf, Vec<String>)> {
        let mut words = words(test.get("cmd")?).into_iter();
        let program = self.by_name.get(&words.next()?)?;
        // A generator run that writes several tests does not use standard output.
        test.get("from-file").is_none().then(|| (program.to_path_buf(), words.collect()))
    }
}

/// Splits a command into words. Quotes may enclose spaces or an empty word. An unmatched quote is taken literally.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        let quoted = if c == '"' || c == '\'' { rest.as_str().split_once(c) } else { None };
        match quoted {
            Some((inside, after)) => {
                word.get_or_insert_default().push_str(inside);
                rest = after.chars();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Returns, for each test that lacks a file, the commands that generate the missing files.
fn generated_cases(tests: &[PolygonTest]) -> Vec<GeneratedCase> {
    let generated_cases = tests.iter().map(|test| test.generated.clone());
    generated_cases.filter(|generated| generated.input.is_some() || generated.answer.is_some()).collect()
}

/// A test with its group, its points, and the commands that generate its missing files.
pub(super) struct PolygonTest {
    pub(super) case: PackageCase,
    generated: GeneratedCase,
    pub(super) group: Option<String>,
    pub(super) points: Points,
}

fn tests(
    tree: &PackageTree,
    set: &Element,
    generators: &TestGenerators<'_>,
    cache: PackageCache<'_>,
    skipped_cases: &mut Vec<SkippedCase>,
) -> Result<Vec<PolygonTest>, Failure> {
    let pattern = |name: &str, other: &str| set.at(name).map_or(other, |element| element.text()).to_owned();
    let (inputs, answers) =
        (pattern("input-path-pattern", "tests/%02d"), pattern("answer-path-pattern", "tests/%02d.a"));
    let mut found = Vec::new();
    for (index, test) in set.at("tests").into_iter().flat_map(|tests| tests.all("test")).enumerate() {
        let (input, answer) = (numbered(&inputs, index + 1), numbered(&answers, index + 1));
        // Packages created on Windows have CRLF line terminators, which programs on Windows read as `\n`.
        let lines = |path: &Path| cache.with_unix_line_ends(path, LastLine::Unchanged);
        let (input, answer) = (tree.file(&input).map(lines).transpose()?, tree.file(&answer).map(lines).transpose()?);
        let generated_input = if input.is_none() { generators.input(test) } else { None };
        let generated_answer = generators.main.clone().filter(|_| answer.is_none());
        let generated_answer = generated_answer.map(|(path, language)| (path.to_owned(), language));
        let group = test.get("group").filter(|group| !group.is_empty()).map(plain_name);
        let folder = match (&group, test.get("sample")) {
            (Some(group), _) => group.clone(),
            (None, Some("true")) => "sample".to_owned(),
            (None, _) => "tests".to_owned(),
        };
        let name = format!("{folder}/{:03}", index + 1);
        let missing = match () {
            () if input.is_none() && generated_input.is_none() => Some(("input", "generator")),
            () if answer.is_none() && generated_answer.is_none() => Some(("answer", "main solution")),
            () => None,
        };
        if let Some((file, program)) = missing {
            let why = format!("the package has neither the {file} nor a {program} that could generate it");
            skipped_cases.push(SkippedCase { case: name, why });
            continue;
        }
        let mut args = vec!["--testset".to_owned(), "tests".to_owned()];
        args.extend(test.get("group").into_iter().flat_map(|group| ["--group".to_owned(), group.to_owned()]));
        let case = PackageCase {
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
        let (input, answer) = (generated_input, generated_answer);
        let generated = GeneratedCase { case: found.len(), input, answer, printed: None };
        found.push(PolygonTest { case, generated, group, points: points(test).unwrap_or_default() });
    }
    Ok(found)
}

/// Replaces the placeholder in a pattern such as `tests/%02d` with a number.
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

/// Replaces the special characters in the name of a group with `_`.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// Returns the check that the checker and the interactor perform. The error names the missing element, or the element
/// whose source file is missing.
fn check(tree: &PackageTree, root: &Element) -> Result<OutputCheck, &'static str> {
    let named = |place: &str| root.at(place).map(|program| source(tree, program).map(Path::to_owned));
    match (named("assets/checker"), named("assets/interactor")) {
        (_, Some(None)) => Err("the package does not contain the source file of `assets/interactor`"),
        (None, None) => Err("the element `assets/checker` is missing"),
        (Some(None), None) => Err("the package does not contain the source file of `assets/checker`"),
        (checker, interactor) => {
            let (checker, interactor) = (checker.flatten(), interactor.flatten());
            Ok(OutputCheck::Testlib { checker, interactor, full: None })
        }
    }
}

/// Creates a separate check for each test. `full` contains the maximum points of each test. A check that does not use
/// testlib is returned unchanged.
fn check_per_test(check: OutputCheck, tests: &[PolygonTest], full: &[Score]) -> OutputCheck {
    let OutputCheck::Testlib { checker, interactor, .. } = check else { return check };
    let own = |full: Score| {
        let full = Some(full);
        OutputCheck::Testlib { checker: checker.clone(), interactor: interactor.clone(), full }
    };
    OutputCheck::Each(tests.iter().zip(full).map(|(test, full)| (test.case.name.clone(), own(*full))).collect())
}

fn validators(tree: &PackageTree, root: &Element) -> Vec<InputValidator> {
    let all = root.at("assets/validators").into_iter().flat_map(|all| all.all("validator"));
    let one = |element: &Element| {
        let path = source(tree, element)?.to_owned();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(InputValidator { name, path, kind: ValidatorKind::Testlib })
    };
    all.filter_map(one).collect()
}

fn tags(root: &Element) -> Vec<String> {
    let all = root.at("tags").into_iter().flat_map(|tags| tags.all("tag"));
    all.filter_map(|tag| tag.get("value")).map(str::to_owned).collect()
}

fn statements(tree: &PackageTree, root: &Element) -> Vec<PackageStatement> {
    let all = root.at("statements").into_iter().flat_map(|all| all.all("statement"));
    let one = |element: &Element| {
        let path = tree.file(element.get("path")?)?.to_owned();
        Some(PackageStatement { language: language(element.get("language")?), path })
    };
    let mut found: Vec<PackageStatement> = all.filter_map(one).collect();
    found.sort_by_key(|statement| statement.language != "en");
    found
}

/// Converts Polygon's name for a language to the code of the language. An unknown name is returned unchanged.
fn language(name: &str) -> String {
    let known = [("english", "en"), ("russian", "ru"), ("chinese", "zh"), ("ukrainian", "uk"), ("spanish", "es")];
    known.iter().find(|(long, _)| *long == name).map_or(name, |(_, code)| code).to_owned()
}

#[cfg(test)]
#[path = "problem_xml_tests.rs"]
mod tests;
