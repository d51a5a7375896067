//! Tests that valid programs are accepted and that invalid programs are refused.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

use proptest::prelude::*;

use super::*;

fn load_from_package(table: &LanguageTable, path: &Path) -> Result<Source, SourceError> {
    Source::from_bundle(table, SourceBundle::read_from_package(path, None)?)
}

fn table() -> LanguageTable {
    LanguageTable::built_in().unwrap()
}

fn text(name: &str, content: &str, language: Option<&str>) -> Result<Source, SourceError> {
    Source::from_text(&table(), Path::new(name), content.into(), language)
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
    folder
}

fn load(path: &Path) -> Result<Source, SourceError> {
    Source::load(&table(), path, None)
}

#[test]
fn language_is_chosen_by_extension_or_by_name() {
    let source = text("a/my nim.py", "print(1)", None).unwrap();
    assert_eq!((source.language().id.as_str(), source.original_name()), ("python", Some("my nim.py")));
    assert_eq!(source.entry().name, "main.py");
    assert_eq!(text("x.py", "print(1)", Some("pypy")).unwrap().language().id, "pypy");
    assert_eq!(text("x", "print(1)", Some("PyPy")).unwrap().language().id, "pypy");
    assert!(matches!(text("x", "1", None), Err(SourceError::NoExtension { .. })));
    let unknown = text("x.pyy", "1", None).unwrap_err().to_string();
    assert!(unknown.contains("did you mean `.py`?") && unknown.contains(".rs"), "{unknown}");
}

#[test]
fn most_files_decide_for_packages_and_contestants_must_select() {
    let table = table();
    let language = |files: &[&str]| {
        let files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "x")).collect();
        let folder = folder(&files);
        assert!(matches!(load(folder.path()), Err(SourceError::Ambiguous { .. })), "{files:?}");
        load_from_package(&table, folder.path()).unwrap().language().id.clone()
    };
    assert_eq!(language(&["validate.cc", "test_tool.py"]), "cpp");
    assert_eq!(language(&["a.py", "b.py", "c.c"]), "python");
    assert_eq!(language(&["A.java", "b.rb"]), "java");
    assert_eq!(language(&["A.java", "b.rb", "c.rb"]), "java");
    assert_eq!(language(&["a.pl", "b.rb", "c.rb"]), "ruby");
}

#[test]
fn constants_are_filled_in_once() {
    let constants =
        [("a", "{{b}}"), ("b", "é"), ("long", "5")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let filled = |text: &str| fill_constants(text, &constants.clone().into());
    assert_eq!(filled("é{{a}}{{long}}{{{b}}}"), "é{{b}}5{é}");
    assert_eq!(filled("{{c}} {{ b }} {{b} {{"), "{{c}} {{ b }} {{b} {{", "unknown names stay");
    assert_eq!(fill_constants("{{a}}", &BTreeMap::new()), "{{a}}");
    let growing = [("a".to_owned(), "x".repeat(1 << 20))].into();
    assert!(fill_constants(&"{{a}}".repeat(1 << 10), &growing).len() < 18 << 20);
}

#[test]
fn same_code_is_the_same_submission_under_any_name() {
    let digest = |name: &str, content: &str, language| text(name, content, language).unwrap().digest();
    assert_eq!(digest("a.cpp", "int main(){}", None), digest("b.cc", "int main(){}", None));
    assert_eq!(digest("a.cpp", "\u{feff}int main(){}", None), digest("a.cpp", "int main(){}", None));
    assert_ne!(digest("a.py", "print(1)", None), digest("a.py", "print(1)", Some("pypy")));
    assert_ne!(digest("a.py", "print(1)", None), digest("a.py", "print(2)", None));
}

#[test]
fn byte_order_mark_is_removed() {
    assert_eq!(text("a.rs", "\u{feff}fn main() {}", None).unwrap().entry().content, b"fn main() {}");
}

#[test]
fn java_files_are_named_after_their_public_class() {
    let name = |content: &str| text("x.java", content, None).unwrap().entry().name.clone();
    assert_eq!(name("package a; public class 取石子 { }"), "取石子.java");
    assert_eq!(name("class A { }"), "Main.java");
}

#[test]
fn invalid_programs_are_refused_with_a_reason() {
    let refusal = |content: &[u8]| {
        Source::from_text(&table(), Path::new("a.cpp"), content.to_vec(), None).unwrap_err().to_string()
    };
    assert_eq!(refusal(b""), "`a.cpp` is empty; expected a program");
    assert_eq!(refusal(b"\xef\xbb\xbf \n\t"), "`a.cpp` contains only white space; expected a program");
    assert_eq!(refusal(b"\x7fELF\x02"), "`a.cpp` is a compiled program; submit its source");
    assert_eq!(refusal(b"int\0"), "`a.cpp` contains NUL bytes, so it is not a text file");
    assert_eq!(refusal(b"\xff\xfei\0"), "`a.cpp` begins with the byte order mark of UTF-16; save it as UTF-8");
    let large = refusal(&vec![b'x'; LARGEST_SOURCE as usize + 1]);
    assert_eq!(large, "`a.cpp` has at least 1048577 bytes, but a program may have at most 1048576 bytes (1.0 MiB)");
}

#[test]
fn non_utf8_sources_are_accepted() {
    let source = Source::from_text(&table(), Path::new("a.cpp"), b"// \xc4\xe3\nint main(){}".to_vec(), None);
    assert_eq!(source.unwrap().entry().content[3], 0xc4);
}

#[test]
fn special_files_are_refused_without_blocking() {
    let place = folder(&[("a.cpp", "x")]);
    let at = |name: &str| place.path().join(name);
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe.cpp"), rustix::fs::FileType::Fifo, 0o644.into(), 0).unwrap();
    assert!(load(&at("pipe.cpp")).unwrap_err().to_string().ends_with("is a named pipe, not a source file"));
    symlink("/dev/zero", at("zero.cpp")).unwrap();
    assert!(matches!(load(&at("zero.cpp")), Err(SourceError::LinkOut { .. })));
    assert!(load(Path::new("/dev/zero")).unwrap_err().to_string().contains("is a device"));
    assert!(matches!(load(&at("missing.cpp")), Err(SourceError::Unreadable { .. })));
    symlink("missing.cpp", at("dangling.cpp")).unwrap();
    assert!(matches!(load(&at("dangling.cpp")), Err(SourceError::Unreadable { .. })));
    symlink("a.cpp", at("b.cpp")).unwrap();
    assert!(load(&at("b.cpp")).is_ok());
}

#[test]
fn large_files_are_not_read_to_the_end() {
    let place = folder(&[]);
    let path = place.path().join("a.cpp");
    // A sparse file of 1 TiB.
    fs_err::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let error = load(&path).unwrap_err();
    assert_eq!(error, SourceError::TooLarge { path, bytes: 1 << 40, most: LARGEST_SOURCE });
}

#[test]
fn folder_is_one_program() {
    let place = folder(&[
        ("zeta.cpp", "int f() { return 1; }"),
        ("main.cpp", "int f(); int main() { return f(); }"),
        ("lib/f.hpp", ""),
        ("lib/a.cpp", ""),
        (".git/HEAD", "x"),
        ("__pycache__/x.pyc", "x"),
        ("data.bin", "\0"),
    ]);
    let source = load(place.path()).unwrap();
    assert_eq!(source.language().id, "cpp");
    assert_eq!(source.original_name(), None);
    let names = |files: Vec<&SourceFile>| files.into_iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(source.sources().collect()), ["main.cpp", "lib/a.cpp", "zeta.cpp"]);
    assert_eq!(names(source.files().iter().collect()), ["data.bin", "lib/a.cpp", "lib/f.hpp", "main.cpp", "zeta.cpp"]);
}

#[test]
fn invalid_folders_are_refused_with_a_reason() {
    let refusal = |files: &[(&str, &str)]| load(folder(files).path()).unwrap_err();
    assert!(matches!(refusal(&[("a.txt", "x")]), SourceError::NoSources { .. }));
    assert!(matches!(refusal(&[]), SourceError::NoSources { .. }));
    assert!(matches!(refusal(&[("a.cpp", "x"), ("b.py", "x")]), SourceError::Ambiguous { .. }));
    assert!(matches!(refusal(&[("main.cpp", " ")]), SourceError::Empty { .. }));
    assert!(matches!(refusal(&[("-o.cpp", "x")]), SourceError::BadName { .. }));
    assert!(matches!(refusal(&[("@args.java", "x")]), SourceError::BadName { .. }));
    assert!(matches!(refusal(&[("a\nb.cpp", "x")]), SourceError::BadName { .. }));
    let half = "x".repeat(LARGEST_SOURCE as usize / 2 + 1);
    assert!(matches!(refusal(&[("a.cpp", &half), ("b.cpp", &half)]), SourceError::TooLarge { .. }));
    let deep = format!("{}a.cpp", "d/".repeat(10));
    assert!(matches!(refusal(&[(&deep, "x")]), SourceError::TooMany { .. }));
    let many = (0..501).map(|n| format!("{n}.cpp")).collect::<Vec<_>>();
    let many = many.iter().map(|name| (name.as_str(), "x")).collect::<Vec<_>>();
    assert!(matches!(refusal(&many), SourceError::TooMany { .. }));
}

#[test]
fn link_out_of_a_folder_is_refused() {
    let place = folder(&[("main.cpp", "x")]);
    symlink("/etc/passwd", place.path().join("secret.hpp")).unwrap();
    assert!(matches!(load(place.path()), Err(SourceError::LinkOut { .. })));
}

#[test]
fn hidden_links_are_ignored() {
    let place = folder(&[("main.cpp", "x")]);
    for (target, name) in [("ann@home.17", ".#main.cpp"), ("/etc/passwd", ".secret"), (".", ".again"), ("/", ".root")] {
        symlink(target, place.path().join(name)).unwrap();
    }
    assert_eq!(load(place.path()).unwrap().files().len(), 1);
}

#[test]
fn only_author_programs_may_link_into_their_repository() {
    let place = folder(&[("shared.h", "#pragma once"), ("contest/a/check/main.cpp", "x"), ("contest/b.cpp", "x")]);
    let at = |name: &str| place.path().join(name);
    symlink("../../../shared.h", at("contest/a/check/v.h")).unwrap();
    symlink("../shared.h", at("contest/v.h")).unwrap();
    let own = |name: &str| Source::load_author(&table(), &at(name), None);
    assert!(matches!(own("contest/a/check"), Err(SourceError::LinkOut { .. })));
    assert_eq!(
        own("contest/b.cpp").unwrap().files().len(),
        1,
        "a header link that points out of the folder is ignored"
    );
    fs_err::create_dir(at(".git")).unwrap();
    assert_eq!(own("contest/a/check").unwrap().files().len(), 2);
    assert_eq!(own("contest/b.cpp").unwrap().files().len(), 2);
    assert!(matches!(load(&at("contest/a/check")), Err(SourceError::LinkOut { .. })));
}

#[test]
fn links_stay_within_the_package() {
    let place = folder(&[
        ("p/problem.yaml", ""),
        ("p/shared/prog/main.py", "import common"),
        ("p/shared/common.py", "1"),
        ("p/shared/lib/a.py", "1"),
        ("p/accepted/ok/main.py", "import common"),
        ("outside/main.py", "1"),
    ]);
    let at = |name: &str| place.path().join(name);
    let link = |target: &str, name: &str| symlink(target, at(name)).unwrap();
    let names = |name: &str| -> Result<Vec<String>, SourceError> {
        let source = load_from_package(&table(), &at(name))?;
        let own = Source::load_author(&table(), &at(name), None)?;
        assert_eq!(own.files(), source.files());
        Ok(source.files().iter().map(|file| file.name.clone()).collect::<Vec<_>>())
    };
    link("../shared/prog", "p/accepted/d");
    link("d", "p/accepted/again");
    for whole in ["p/accepted/d", "p/accepted/again", "p/accepted/../accepted/d"] {
        assert_eq!(names(whole), Ok(vec!["main.py".to_owned()]));
    }
    link("../../shared/common.py", "p/accepted/ok/common.py");
    link("../../shared/../shared/lib", "p/accepted/ok/lib");
    let all = ["common.py", "lib/a.py", "main.py"].map(str::to_owned).to_vec();
    assert_eq!(names("p/accepted/ok"), Ok(all));
    // Links of a contestant's program may point only within its own folder.
    assert!(matches!(load(&at("p/accepted/d")), Err(SourceError::LinkOut { .. })));
    assert!(matches!(load(&at("p/accepted/ok")), Err(SourceError::LinkOut { .. })));
    for (name, target) in [("out", "../../outside"), ("root", "/"), ("far", "../shared/far")] {
        link(target, &format!("p/accepted/{name}"));
        fs_err::create_dir(at(&format!("p/accepted/in_{name}"))).unwrap();
        fs_err::write(at(&format!("p/accepted/in_{name}/main.py")), "1").unwrap();
        link(&format!("../{name}"), &format!("p/accepted/in_{name}/lib"));
    }
    link("../../outside", "p/shared/far");
    for out in ["out", "root", "far", "in_out", "in_root", "in_far"] {
        let refused = names(&format!("p/accepted/{out}"));
        assert!(matches!(refused, Err(SourceError::LinkOut { .. })), "{out}: {refused:?}");
    }
}

#[test]
fn link_cycles_are_refused() {
    let place = folder(&[("problem.yaml", ""), ("self/main.py", "1"), ("a/main.py", "1"), ("b/main.py", "1")]);
    let at = |name: &str| place.path().join(name);
    let refused = |name: &str| load_from_package(&table(), &at(name)).unwrap_err();
    for (target, name) in [(".", "self/x"), ("../b", "a/b"), ("../a", "b/a"), ("round", "round")] {
        symlink(target, at(name)).unwrap();
    }
    for name in ["self", "a", "round"] {
        assert!(matches!(refused(name), SourceError::Unreadable { .. }), "{name}");
    }
    // The 4 links in each of 8 folders point to the next folder: there is no cycle, but there are 4^8 paths.
    for level in 0..8 {
        let folder = at(&format!("many/{level}"));
        fs_err::create_dir_all(&folder).unwrap();
        (0..4).for_each(|link| symlink(format!("../{}", level + 1), folder.join(link.to_string())).unwrap());
    }
    fs_err::create_dir(at("many/8")).unwrap();
    assert!(matches!(refused("many/0"), SourceError::TooMany { what: "folders", .. }));
}

#[test]
fn only_package_programs_may_be_large_and_only_scripts_of_contestants_empty() {
    let empty = [("empty.py", ""), ("blank/main.py", " \n"), ("empty.cpp", ""), ("blank.cpp/main.cpp", "\n")];
    let place = folder(&[&[("problem.yaml", ""), ("p/main.py", "1")], &empty[..]].concat());
    let at = |name: &str| place.path().join(name);
    let of_package = |name: &str| load_from_package(&table(), &at(name));
    let own = |name: &str| Source::load_author(&table(), &at(name), None);
    for name in ["empty.py", "blank", "empty.cpp", "blank.cpp"] {
        assert!(of_package(name).unwrap().entry().content.trim_ascii().is_empty());
        match name.ends_with("cpp") {
            true => assert!(matches!(load(&at(name)), Err(SourceError::Empty { .. })), "{name}"),
            false => assert_eq!(load(&at(name)).unwrap().language().id, "python"),
        }
        assert!(matches!(own(name), Err(SourceError::Empty { .. })), "an empty author program is an error");
    }
    fs_err::File::create(at("p/words.txt")).unwrap().set_len(3 << 20).unwrap();
    assert_eq!(of_package("p").unwrap().files().len(), 2);
    assert_eq!(own("p").unwrap().files().len(), 2);
    assert!(matches!(load(&at("p")), Err(SourceError::TooLarge { most: LARGEST_SOURCE, .. })));
    fs_err::File::create(at("p/more.txt")).unwrap().set_len(1 << 40).unwrap();
    let error = SourceError::TooLarge { path: at("p"), bytes: (1 << 40) + 1, most: LARGEST_AUTHOR_SOURCE };
    assert_eq!((of_package("p").unwrap_err(), own("p").unwrap_err()), (error.clone(), error));
}

#[test]
fn package_programs_find_files_by_their_original_names() {
    let file = |name: &str| SourceFile { name: name.to_owned(), content: name.into() };
    let alone = || text("sol.cpp", "int main(){}", None).unwrap();
    let laid = |source: &Source| source.working_dir_files().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(laid(&alone().with_files(Vec::new(), false)), Vec::<String>::new(), "nothing for a single file");
    let with = |more: &[&str]| alone().with_files(more.iter().map(|name| file(name)).collect(), false);
    assert_eq!(laid(&with(&["a.h", "lib/b.txt"])), ["sol.cpp", "a.h", "lib/b.txt"]);
    assert_eq!(laid(&with(&["sol.cpp"])), ["main.cpp", "sol.cpp"], "no two files have the same name");
    let constants = [("n".to_owned(), "1".to_owned())].into();
    assert_eq!(laid(&with(&["a.h"]).with_constants(&constants).with_entry("a.h")), ["main.cpp", "a.h"]);
    let large = SourceFile { name: "words.txt".to_owned(), content: vec![b'x'; LARGEST_WORKING_DIR] };
    assert_eq!(laid(&alone().with_files(vec![large], false)), Vec::<String>::new());
    let place = folder(&[("main.cpp", "x"), ("a.txt", "x")]);
    assert_eq!(laid(&load(place.path()).unwrap()), Vec::<String>::new(), "only package programs find their files");
}

#[test]
fn package_files_replace_conflicting_paths() {
    let with = |own: &[&str], more: &str| {
        let own: Vec<(&str, &str)> = own.iter().map(|name| (*name, "own")).collect();
        let more = SourceFile { name: more.to_owned(), content: b"more".to_vec() };
        let source = load(folder(&own).path()).unwrap().with_files(vec![more], false);
        let mut names: Vec<String> = source.files().iter().map(|file| file.name.clone()).collect();
        names.sort();
        (source.entry().name.clone(), names)
    };
    let are = |entry: &str, names: &[&str]| (entry.to_owned(), names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(with(&["main.py", "__main__.py/x"], "__main__.py"), are("__main__.py", &["__main__.py", "main.py"]));
    assert_eq!(with(&["__main__.py/main.py"], "__main__.py"), are("__main__.py", &["__main__.py"]));
    assert_eq!(with(&["a.cpp", "u.cpp/x", "u.cpp.x"], "u.cpp"), are("a.cpp", &["a.cpp", "u.cpp", "u.cpp.x"]));
    assert_eq!(with(&["main.cpp", "lib"], "lib/x.h"), are("main.cpp", &["lib/x.h", "main.cpp"]));
    assert_eq!(
        with(&["u.cpp/a.cpp"], "u.cpp"),
        are("u.cpp", &["u.cpp"]),
        "the entry itself conflicts with the new file"
    );
    assert_eq!(with(&["main.cpp", "b.cpp"], "main.cpp"), are("main.cpp", &["b.cpp", "main.cpp"]));
}

proptest! {
    #[test]
    fn any_bytes_are_accepted_or_refused(content in proptest::collection::vec(any::<u8>(), 0..200), java: bool) {
        let name = if java { "a.java" } else { "a.py" };
        if let Ok(source) = Source::from_text(&table(), Path::new(name), content.clone(), None) {
            prop_assert!(content.ends_with(&source.entry().content));
            prop_assert!(!source.entry().name.contains('/'));
        }
    }
}
