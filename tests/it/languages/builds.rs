//! Tests of builds of sources in various forms, and of the build cache.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }
    folder
}

/// Builds and runs a program of one or several files, and returns its output.
fn printed(id: &str, files: &[(&str, &str)]) -> Option<String> {
    let toolchain = toolchain(id)?;
    let place = folder(files);
    let path = if let [(name, _)] = files { place.path().join(name) } else { place.path().to_owned() };
    let program = built(&load(id, &path), &toolchain).unwrap_or_else(|error| panic!("{id}: {error}")).program;
    Some(output(&program, ""))
}

fn refusal(id: &str, name: &str, text: &str) -> Option<String> {
    let toolchain = toolchain(id)?;
    let place = folder(&[(name, text)]);
    match built(&load(id, &place.path().join(name)), &toolchain) {
        Err(BuildError::Compile { output, .. }) => Some(output),
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_byte_order_mark_is_tolerated() {
    for (id, name, text) in [
        ("cpp", "a.cpp", "\u{feff}#include <cstdio>\nint main() { puts(\"hello\"); }"),
        ("c", "a.c", "\u{feff}#include <stdio.h>\nint main(void) { puts(\"hello\"); }"),
        ("python", "a.py", "\u{feff}print('hello')"),
        ("java", "a.java", "\u{feff}class A { public static void main(String[] a) { System.out.print(\"hello\"); } }"),
        ("lua", "a.lua", "\u{feff}print('hello')"),
        ("perl", "a.pl", "\u{feff}print 'hello'"),
    ] {
        assert!(printed(id, &[(name, text)]).is_none_or(|text| text == "hello"), "{id}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_folder_of_files_is_one_program() {
    for (id, files) in [
        (
            "cpp",
            [
                ("solve.cpp", "#include \"lib/a.hpp\"\nint one() { return 1; }"),
                ("lib/a.hpp", "int one();"),
                ("main.cpp", "#include <cstdio>\n#include \"lib/a.hpp\"\nint main() { printf(\"%d\", one()); }"),
            ],
        ),
        (
            "python",
            [("main.py", "from lib.a import one\nprint(one)"), ("lib/a.py", "one = 1"), ("lib/__init__.py", "")],
        ),
        (
            "java",
            [
                (
                    "Main.java",
                    "public class Main { public static void main(String[] a) { System.out.print(b.One.ONE); } }",
                ),
                (
                    "b/One.java",
                    "package b; public class One { public static int ONE = 1;
                             public static void main(String[] a) { System.out.print(2); } }",
                ),
                ("notes.txt", ""),
            ],
        ),
        (
            "rust",
            [
                ("main.rs", "mod one;\nfn main() { print!(\"{}\", one::ONE) }"),
                ("one.rs", "pub const ONE: i32 = 1;"),
                ("x.txt", ""),
            ],
        ),
        (
            "go",
            [
                ("main.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Print(one()) }"),
                ("a.go", "package main\nfunc one() int { return 1 }"),
                ("x.txt", ""),
            ],
        ),
        ("ruby", [("main.rb", "require_relative 'one'\nprint ONE"), ("one.rb", "ONE = 1"), ("x.txt", "")]),
        (
            "javascript",
            [("main.js", "console.log(require('./one.js'))"), ("one.js", "module.exports = 1"), ("x.txt", "")],
        ),
        (
            "haskell",
            [
                ("Main.hs", "import One\nmain = print one"),
                ("One.hs", "module One where\none = 1 :: Int"),
                ("x.txt", ""),
            ],
        ),
        (
            "pascal",
            [
                ("main.pas", "uses one;\nbegin write(1 * n) end."),
                ("one.pas", "unit one; interface const n = 1; implementation end."),
                ("x.txt", ""),
            ],
        ),
    ] {
        assert!(printed(id, &files).is_none_or(|text| text == "1"), "{id}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn java_starts_the_class_that_has_main() {
    let print = "public static void main(String... a) { System.out.print(";
    for (text, wanted) in [
        (format!("class A {{ {print}1); }} }} public class B {{ {print}2); }} }}"), "2"),
        (format!("class A {{ {print}1); }} }} class Main {{ {print}2); }} }}"), "2"),
        (format!("class Z {{ {print}1); }} }} class A {{ {print}2); }} }}"), "1"),
        (format!("public class A {{ }} class B {{ {print}3); }} }}"), "3"),
        (format!("package 游戏; public interface Ним {{ {print}4); }} }}"), "4"),
        (format!("public enum E {{ X; {print}5); }} }}"), "5"),
    ] {
        assert!(printed("java", &[("x.java", &text)]).is_none_or(|text| text == wanted), "{text}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn java_without_main_is_a_compile_error() {
    let text = fs_err::read_to_string(given("java", "mainless.java")).unwrap();
    let Some(output) = refusal("java", "x.java", &text) else { return };
    assert!(output.starts_with("no class has a method `public static void main(String[] args)`"), "{output}");
}

#[test]
fn a_unit_in_pascal_is_a_compile_error() {
    let Some(toolchain) = toolchain("pascal") else { return };
    let unit = "unit a;\ninterface\nprocedure p();\nimplementation\nprocedure p();\nbegin end;\nend.\n";
    // The first file by name is compiled.
    let place = folder(&[("a.pas", unit), ("b.pas", "program b;\nuses a;\nbegin p(); end.\n")]);
    match built(&load("pascal", place.path()), &toolchain) {
        Err(BuildError::Compile { output, .. }) => {
            assert_eq!(output, "the Pascal compiler created no program; the source needs an entry point");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn programs_that_get_no_memory_exceed_the_memory_limit() {
    // Each program requests far more than the limit in one allocation, so that its run-time system refuses it at once.
    for (id, name, text) in [
        ("cpp", "a.cpp", "#include <vector>\nint main() { std::vector<char> a(1ll << 40); return a[5]; }"),
        ("rust", "a.rs", "fn main() { let a = vec![1u8; 1 << 40]; print!(\"{}\", a[std::env::args().count()]); }"),
        ("python", "a.py", "a = [0] * 10 ** 11"),
        ("pypy", "a.py", "a = [0] * 10 ** 11"),
        ("java", "A.java", "class A { public static void main(String[] a) { int[] b = new int[1000000000]; } }"),
        ("kotlin", "a.kt", "fun main() { print(IntArray(1000000000).size) }"),
        ("go", "a.go", "package main\nfunc main() { a := make([]int, 1<<41); println(len(a)) }"),
        ("ocaml", "a.ml", "let () = print_int (Bytes.length (Bytes.create 10000000000000))"),
        ("ruby", "a.rb", "puts ('x' * (1 << 40)).size"),
    ] {
        let Some(toolchain) = toolchain(id) else { continue };
        let place = folder(&[(name, text)]);
        let program = built(&load(id, &place.path().join(name)), &toolchain).unwrap().program;
        let execution = run(&program, "", &limits()).execution;
        assert!(
            program.is_out_of_memory(&execution) || execution.breach == Some(Breach::Memory),
            "{id}: {execution:?}"
        );
    }
    let Some(toolchain) = toolchain("python") else { return };
    let place = folder(&[("a.py", "raise ValueError('no memory')"), ("b.py", "print('MemoryError')")]);
    for name in ["a.py", "b.py"] {
        let program = built(&load("python", &place.path().join(name)), &toolchain).unwrap().program;
        assert!(!program.is_out_of_memory(&run(&program, "", &limits()).execution), "{name}");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn compile_errors_contain_the_compiler_output() {
    for (id, name, text, words) in [
        ("cpp", "my nim.cpp", "Here is my solution:\nint main() { }", "my nim.cpp:1:1: error"),
        ("cpp", "two.cpp", "int main() { }\nint main() { }", "redefinition of"),
        ("cpp", "nothing.cpp", "// int main() { }", "undefined reference to `main'"),
        ("c", "late.c", "int main(void) { return x; }", "late.c:1:25"),
        ("python", "tabs.py", "if True:\n\tx = 1\n        y = 2\n", "TabError"),
        ("rust", "a b.rs", "fn main() { let x: i32 = \"\"; }", "a b.rs:1:26"),
    ] {
        assert!(refusal(id, name, text).is_none_or(|output| output.contains(words)), "{id} {name}");
    }
}

#[test]
fn python_may_start_threads_with_large_stacks() {
    let Some(toolchain) = toolchain("python") else { return };
    assert_eq!(output(&program("python", "thread.py", &toolchain), ""), "from a thread");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cpp_may_start_threads() {
    let text = "#include <iostream>\n#include <thread>\nint main() { std::thread([] { std::cout << 1; }).join(); }";
    assert!(printed("cpp", &[("a.cpp", text)]).is_none_or(|text| text == "1"));
}

#[test]
fn the_second_build_comes_from_the_cache_and_its_files_are_read_only() {
    let Some(toolchain) = toolchain("c") else { return };
    let cache = tempfile::tempdir().unwrap();
    let source = load("c", &given("c", "sum.c"));
    let make = || {
        let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits: compile_limits(), slot: 0 };
        build(&source, &toolchain, &context).unwrap()
    };
    let first = make();
    assert!(!first.cached && first.wall > TimeSpan::ZERO);
    assert!(make().cached);
    let path = PathBuf::from(first.program.argv(&limits()).remove(0));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o555);
    assert_eq!(output(&first.program, "2\n3 4\n"), "7");
    // A damaged program is rebuilt.
    fs_err::remove_file(&path).unwrap();
    fs_err::write(&path, "no program").unwrap();
    assert!(!make().cached);
    assert_eq!(output(&make().program, "2\n3 4\n"), "7");
}

#[test]
fn concurrent_builds_share_one_program() {
    let Some(toolchain) = toolchain("c") else { return };
    let cache = tempfile::tempdir().unwrap();
    let source = load("c", &given("c", "sum.c"));
    let sandbox = sandbox();
    let context = |slot| BuildContext { sandbox: &*sandbox, cache: cache.path(), limits: compile_limits(), slot };
    let argv = std::thread::scope(|scope| {
        let threads = (0..4).map(|slot| {
            let (source, toolchain) = (&source, &toolchain);
            scope.spawn(move || build(source, toolchain, &context(slot)).unwrap().program.argv(&limits()))
        });
        let threads = threads.collect::<Vec<_>>();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(argv.iter().all(|other| *other == argv[0]));
    assert!(Path::new(&argv[0][0]).is_file());
    let left = std::fs::read_dir(cache.path().join("builds")).unwrap().count();
    assert_eq!(left, 1, "only the entry's folder is left");
}

/// Returns the table that contains only this row, whose id is `id`, and its toolchain.
fn table_of(id: &str, row: &str) -> (LanguageTable, std::sync::Arc<Toolchain>) {
    let text = format!("format: 1\nlanguages:\n{row}\n");
    let table = LanguageTable::from_layers(&[nimatron::lang::TableLayer { origin: "test".to_owned(), text }]).unwrap();
    let language = table.choose(LanguageQuery::Named(id)).unwrap();
    let toolchain = Toolchains::new(HostEnvironment::current(), None).detect(language, &*sandbox()).unwrap();
    (table, toolchain)
}

/// Returns the text of a built-in row.
fn built_in_row(id: &str) -> &'static str {
    let rows = include_str!("../../../src/lang/languages.yaml");
    let row = &rows[rows.find(&format!("  {id}:\n")).unwrap()..];
    // The next row, or its comment, is indented like this one. The row itself may contain blank lines.
    let is_next = |(at, blank): &(usize, &str)| !row[at + blank.len()..].starts_with(' ');
    &row[..row.match_indices("\n\n  ").find(is_next).unwrap().0]
}

/// A row for Rust offers a crate, as the guide describes.
#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_row_can_offer_a_crate() {
    if toolchain("rust").is_none() {
        return;
    }
    let crates = folder(&[("twice.rs", "pub fn twice(n: i32) -> i32 { 2 * n }\n")]);
    let mut compiler = std::process::Command::new("rustc");
    let made = compiler.args(["--crate-type=rlib", "twice.rs"]).current_dir(crates.path()).status();
    assert!(made.unwrap().success());
    let place = crates.path().display();
    let row = built_in_row("rust")
        .replace("show: [\"{1}\"]", &format!("show: [\"{{1}}\", \"{place}\"]"))
        .replace("--crate-name=main", &format!("-L, \"{place}\", --extern, twice, --crate-name=main"));
    let (table, toolchain) = table_of("rust", &row);
    let program = folder(&[("main.rs", "fn main() { println!(\"{}\", twice::twice(21)); }\n")]);
    let source = Source::load(&table, &program.path().join("main.rs"), None).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits: compile_limits(), slot: 0 };
    let built = build(&source, &toolchain, &context).unwrap();
    assert_eq!(output(&built.program, ""), "42");
}

/// A row for Go compiles the standard library, as is necessary since Go 1.20, and the files of that compilation are
/// reused.
#[test]
#[ignore = "takes ten seconds of CPU time: Go's library is compiled"]
fn long_a_library_that_comes_as_source_is_compiled_once() {
    if toolchain("go").is_none() {
        return;
    }
    let row = built_in_row("go").replace("build, -ldflags", "build, -trimpath, -ldflags");
    let (table, toolchain) = table_of("go", &row);
    let cache = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let source = Source::load(&table, &given("go", name), None).unwrap();
        let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits: compile_limits(), slot: 0 };
        build(&source, &toolchain, &context)
    };
    let first = make("sum.go").unwrap();
    assert_eq!(output(&first.program, "2\n3 4\n"), "7");
    let second = make("deep.go").unwrap();
    eprintln!("first {} second {}", first.wall, second.wall);
    // Compiling the library takes many seconds of CPU time.
    let limits = Limits { cpu: TimeSpan::seconds(3), ..compile_limits() };
    let source = Source::load(&table, &given("go", "crash.go"), None).unwrap();
    let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits, slot: 0 };
    let third = build(&source, &toolchain, &context).unwrap();
    assert_eq!(run(&third.program, "", &super::limits()).execution.exit, Exit::Code(3));
    assert!(
        matches!(make("broken.go"), Err(BuildError::Compile { output, .. }) if output.contains("undefined: nowhere"))
    );
}

/// Builds the programs one after the other with the same cache, and returns for each the number of files of precompiled
/// headers that the cache then contains, and the output of the program or of the compiler.
fn built_in_turn(row: &str, name: &str, programs: &[&str]) -> Vec<(usize, String)> {
    let (table, toolchain) = table_of("own", row);
    let cache = tempfile::tempdir().unwrap();
    let count = || {
        let files = walkdir::WalkDir::new(cache.path()).into_iter().flatten();
        files.filter(|file| file.path().to_string_lossy().ends_with(".gch")).count()
    };
    let build = |text: &&str| {
        let place = folder(&[(name, text)]);
        let source = Source::load(&table, &place.path().join(name), None).unwrap();
        let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits: compile_limits(), slot: 0 };
        let said = match build(&source, &toolchain, &context) {
            Ok(built) => output(&built.program, ""),
            Err(BuildError::Compile { output, .. }) => output,
            Err(error) => panic!("{error}"),
        };
        (count(), said)
    };
    programs.iter().map(build).collect()
}

#[test]
fn a_header_is_precompiled_for_the_second_program_that_begins_with_it() {
    // The compiler creates a script that prints the additional arguments.
    let row = r##"
  own:
    name: Own
    extensions: [own]
    programs: { sh: [sh] }
    probe: { argv: ["{sh}", -c, "echo 1.0"] }
    compile: ["{sh}", -c, 'printf "#!/bin/sh\necho ${2##*/}\n" > "$1" && chmod +x "$1"', sh, "{program}"]
    precompiled_header:
      name: all/header
      text: "The text\n"
      compile: ["{sh}", -c, 'grep -q "^#include <all/header>$" "$1" && cp "$2" "$2.gch"', sh, "{source}",
                "{dir}/include/all/header"]
      give: ["{dir}/include"]
    run: ["{program}"]"##;
    let header = "#include <all/header>\n";
    let programs = [
        &format!("{header}1"),
        "// No header\n2",
        &format!("#define X\n{header}3"),
        &format!("{header}4"),
        &format!("// A comment\n{header}5"),
        &format!("#define X\n{header}6"),
    ];
    let built = built_in_turn(row, "a.own", &programs);
    let expected = [(0, ""), (0, ""), (0, ""), (1, "include"), (1, "include"), (1, "")];
    assert_eq!(built, expected.map(|(count, said)| (count, said.to_owned())));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_precompiled_header_of_cpp_is_used() {
    if toolchain("cpp").is_none() {
        return;
    }
    let row = built_in_row("cpp").replace("  cpp:\n", "  own:\n").replace("bits/stdc++.h", "bits/stl_pair.h");
    // A header that is found but cannot be used is an error.
    let strict = row.replace(" -w,", " -Winvalid-pch, -Werror,");
    let program = |begin: &str, value: &str| {
        format!("{begin}\nint main() {{ __builtin_printf(\"%ld\", std::make_pair(long({value}), 2).first); }}")
    };
    let begin = "#include <bits/stl_pair.h>";
    let once = ["1", "2", "3", "nowhere"].map(|value| program(begin, value));
    let built = built_in_turn(&strict, "a.cpp", &once.each_ref().map(String::as_str));
    assert_eq!(built[..3], [(0, "1".to_owned()), (1, "2".to_owned()), (1, "3".to_owned())]);
    assert!(built[3].1.contains("a.cpp:2:") && built[3].1.contains("nowhere"), "{built:?}");
    // The header is read again, in the same edition of the language.
    let again = [
        &program(begin, "1"),
        &program(&format!("{begin}\n{begin}"), "__cplusplus"),
        &program(&format!("{begin}\n#import <bits/stl_pair.h>"), "__cplusplus"),
        &program(&format!("{begin}\n#include <bits/extc++.h>\n{begin}"), "__cplusplus"),
        &program(&format!("#define long long\n{begin}"), "__cplusplus"),
    ];
    let built = built_in_turn(&row, "a.cpp", &again.map(String::as_str));
    assert!(built[1..].iter().all(|one| *one == (1, "202002".to_owned())), "{built:?}");
    // The compiler fails only once, and the programs are compiled without the header.
    let wrong = row.replace("-x, c++-header", "--no-such-option, -x, c++-header");
    let built = built_in_turn(&wrong, "a.cpp", &once.each_ref().map(String::as_str)[..3]);
    assert_eq!(built, ["1", "2", "3"].map(|said| (0, said.to_owned())));
    // The test notices if the header is compiled with other options than the program.
    let other = strict.replace("-x, c++-header", "-DNDEBUG, -x, c++-header");
    let (_, said) = built_in_turn(&other, "a.cpp", &once.each_ref().map(String::as_str)[..2]).pop().unwrap();
    assert!(said.contains("NDEBUG"), "{said}");
}

#[test]
fn python_has_the_installed_packages_and_runs_none_of_their_hooks() {
    let Some(toolchain) = toolchain("python") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.py");
    // The packages of the interpreter that was found are on its path; `exit` is defined by `site`.
    let text = "import sys\nassert sys.prefix != sys.base_prefix\nfolders = [p for p in sys.path if p.endswith('-packages')]\n\
                print(len([p for p in folders if not p.startswith(sys.prefix + '/')]) > 0)\nexit(0)\n";
    fs_err::write(&path, text).unwrap();
    let built = built(&load("python", &path), &toolchain).unwrap();
    assert_eq!(output(&built.program, ""), "True");
}

#[test]
fn ruby_has_the_bundled_gems_without_rubygems() {
    let Some(toolchain) = toolchain("ruby") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.rb");
    fs_err::write(&path, "require 'set'\nrequire 'prime'\nputs [defined?(Gem).nil?, Set[7.prime?].size].join(' ')\n")
        .unwrap();
    let built = built(&load("ruby", &path), &toolchain).unwrap();
    assert_eq!(output(&built.program, ""), "true 1");
}
