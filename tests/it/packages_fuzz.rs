//! Fuzzes the package readers: packages with random changes of their files and archives are read or rejected without a
//! panic.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;

use nimatron::judge::max_points;
use nimatron::model::Failure;
use nimatron::package::{Package, open};

use crate::packages::{copy, files, package, zipped};

/// The packages to mutate.
const PACKAGES: [&str; 11] = [
    "answers",
    "beside",
    "dmoj",
    "flags",
    "folder",
    "newgroups",
    "oldgroups",
    "oldpoints",
    "owngrader",
    "talk",
    "text",
];

/// A `problem.xml` of a Polygon package.
const POLYGON: &str = "<?xml version='1.0'?>\n<problem short-name='p'><names><name language='english' value='P'/></names>\n\
    <judging input-file='' output-file=''><testset name='tests'><time-limit>1000</time-limit>\n\
    <memory-limit>268435456</memory-limit><test-count>3</test-count><input-path-pattern>tests/%02d</input-path-pattern>\n\
    <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test method='manual' sample='true' group='0' points='1.5'/>\n\
    <test cmd='gen 1 2' method='generated' group='1'/><test cmd='gen 3' method='generated'/></tests>\n\
    <groups><group feedback-policy='complete' name='0' points='3' points-policy='each-test'><dependencies>\n\
    <dependency group='1'/></dependencies></group></groups></testset></judging>\n\
    <files><executables><executable><source path='files/gen.py'/></executable></executables></files>\n\
    <assets><checker name='std::ncmp.cpp' type='testlib'><source path='files/check.cpp'/></checker>\n\
    <validators><validator><source path='files/val.cpp'/></validator></validators><solutions>\n\
    <solution tag='main'><source path='solutions/a.py'/></solution></solutions></assets></problem>\n";

/// Strings to insert into files: keywords, and values that are easily confused with them.
const WORDS: [&str; 66] = [
    "\0",
    "\n",
    ":",
    "- ",
    "  ",
    "\t",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a ",
    "!!str ",
    "<<: ",
    "%",
    "'",
    "\"",
    "|\n",
    "~",
    "\u{feff}",
    "-1",
    "0",
    "1e308",
    "-1e400",
    ".inf",
    ".nan",
    "99999999999999999999",
    "0x10",
    "1_000",
    "true",
    "scoring",
    "interactive",
    "multi-pass",
    "submit-answer",
    "min",
    "unbounded",
    "pass-fail",
    "custom",
    "range: inf -inf\n",
    "max_score: 1e9\n",
    "static_validation_score: 1\n",
    "accept_score: 1e300\n",
    "require_pass: secret/a\n",
    "{{factor}}",
    "limits:\n",
    "é",
    "\u{202e}",
    "validation_passes: 1e9\n",
    "<",
    "/>",
    "</",
    "&amp;",
    "&#x110000;",
    "<!--",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "%099d",
    "%s",
    "../",
    "test_cases:\n",
    "batched:\n- {points: 1}\n",
    "- {in: 1.in, out: 1.out, points: 1}\n",
    "points: 99999999999999999999\n",
    "dependencies: [9]\n",
    "input_format: '(?P<case>\\d+'\n",
    "checker: {name: floats, args: {precision: -9}}\n",
    "archive: p.zip\n",
];

/// One change of a text: offset, number of bytes removed, and replacement.
type Change = (Index, usize, Option<Index>);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((any::<Index>(), 0_usize..12, prop::option::of(any::<Index>())), 1..6)
}

fn changed(mut content: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for (at, gone, word) in changes {
        let start = at.index(content.len() + 1);
        let end = (start + gone).min(content.len());
        let word = word.map_or("", |word| WORDS[word.index(WORDS.len())]);
        content.splice(start..end, word.bytes());
    }
    content
}

/// Returns whether a file is part of the package's description, and not a test or program.
fn is_about(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["yaml", "yml", "ini"].iter().any(|about| end == *about))
        || path.ends_with(".timelimit")
}

/// Calls the functions of a package that `run` and `verify` use.
fn use_all(package: &Package) {
    for case in &package.cases {
        let _ = package.judging(case);
        let _ = package.text_validator(case);
        let _ = package.answer_among(case, &["a", "1.out", "secret/1.ans"]);
        for validator in &package.input_validators {
            let _ = package.input_validator(validator, case);
        }
    }
    let _ = (package.title(), package.custom_grader(), max_points(&package.grading));
    let _ = package.limits.time_for(nimatron::model::TimeSpan::seconds(3_600));
    assert!(package.grading.cases().iter().all(|case| *case < package.cases.len()));
    assert!(!package.cases.is_empty());
}

/// Reads the package at a path. A rejected package must give a complaint with a message and never a fault.
fn read(path: &Path, cache: &Path) {
    match open(path, cache) {
        Ok(package) => use_all(&package),
        Err(Failure::Complaint(complaint)) => assert!(!complaint.message.is_empty()),
        Err(Failure::Fault(fault)) => panic!("{fault:?}"),
    }
}

fn own(name: Index) -> PathBuf {
    PathBuf::from(package(PACKAGES[name.index(PACKAGES.len())]))
}

/// Returns the configuration of a property whose cases each write a package: a quarter of the usual number of cases.
fn writing() -> ProptestConfig {
    let config = ProptestConfig::default();
    let is_default = std::env::var_os("PROPTEST_CASES").is_none();
    ProptestConfig { cases: if is_default { config.cases / 4 } else { config.cases }, ..config }
}

proptest! {
    #![proptest_config(writing())]

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn a_package_with_changed_descriptions_is_read_or_refused(
        name in any::<Index>(),
        which in any::<Index>(),
        changes in changes(),
        beside in prop::option::of((0_usize..3, changes())),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        copy(&own(name), &root);
        let about: Vec<PathBuf> = files(&root).into_iter().filter(|path| is_about(path)).collect();
        // A folder of tests has no description, so nothing is changed in it.
        if !about.is_empty() {
            let file = &about[which.index(about.len())];
            fs_err::write(file, changed(fs_err::read(file).unwrap(), &changes)).unwrap();
        }
        if let Some((which, changes)) = beside {
            let (name, text) = [
                ("domjudge-problem.ini", "name = 'A'\ntimelimit = 2.5\n"),
                (".timelimit", "2.5\n"),
                ("submissions/submissions.yaml", "accepted/*:\n  permitted: [AC]\n  score: [1, 2]\n"),
            ][which];
            let file = root.join(name);
            fs_err::create_dir_all(file.parent().unwrap()).unwrap();
            fs_err::write(file, changed(text.into(), &changes)).unwrap();
        }
        read(&root, dir.path());
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn a_package_with_moved_files_is_read_or_refused(
        name in any::<Index>(),
        moves in prop::collection::vec((any::<Index>(), any::<Index>(), "[ -~é]{0,3}"), 1..8),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        copy(&own(name), &root);
        for (from, to, more) in moves {
            let all = files(&root);
            let (from, to) = (&all[from.index(all.len())], &all[to.index(all.len())]);
            // The file is placed next to another file, under the name of that file with a suffix. The system may reject
            // the name.
            let _ = std::fs::rename(from, format!("{}{}", to.display(), more.replace('/', "")));
        }
        read(&root, dir.path());
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn a_changed_package_of_polygon_is_read_or_refused(changes in changes()) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        for (name, text) in [("tests/01", "1\n"), ("tests/01.a", "1\n"), ("solutions/a.py", ""), ("files/gen.py", "")] {
            fs_err::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs_err::write(root.join(name), text).unwrap();
        }
        fs_err::write(root.join("problem.xml"), changed(POLYGON.into(), &changes)).unwrap();
        read(&root, dir.path());
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn a_broken_archive_is_read_or_refused(name in any::<Index>(), changes in changes(), keep in any::<Index>()) {
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = changed(zipped(&own(name), "p/"), &changes);
        if changes.len() == 1 {
            bytes.truncate(keep.index(bytes.len() + 1));
        }
        let path = dir.path().join("p.zip");
        fs_err::write(&path, bytes).unwrap();
        read(&path, dir.path());
    }
}

proptest! {
    #[test]
    fn a_grammar_is_read_or_refused(changes in changes(), input in "[0-9 \n-]{0,40}") {
        use nimatron::checktestdata::{CtdGrammar, check};
        let text = "SET(max=100)\nINT(1,max,n) NEWLINE\nREP(n,SPACE) INT(0,10**9,a[i]) END NEWLINE\n\
                    IF(MATCH(\"x\")) STRING(\"x\") END REGEX(\"[a-z]*\") NEWLINE EOF\n";
        let text = changed(text.into(), &changes);
        if let Ok(grammar) = CtdGrammar::parse("g.ctd", &String::from_utf8_lossy(&text)) {
            let _ = check(&grammar, input.as_bytes());
        }
    }
}
