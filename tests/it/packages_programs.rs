//! Tests of programs in ICPC packages: links, files in the working directory, and size limits.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::project::{Project, Ran};

const NEW: &str = "problem_format_version: 2025-09\nname: One\nlimits: {time_limit: 2}\n";
const OLD: &str = "name: One\nvalidation: custom\nlimits: {time_limit: 2, code: 100000}\n";
/// An output validator of the old version that accepts only the answer.
const JUDGE: &str = "\
import sys
right = open(sys.argv[2]).read().split() == sys.stdin.read().split()
sys.exit(42 if right else 43)
";

/// Creates a package with one case, whose answer is 1.
fn package(description: &str) -> Project {
    Project::new()
        .file("p/problem.yaml", description)
        .file("p/data/secret/1.in", "")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/submissions/accepted/one.py", "print(1)\n")
}

fn link(project: &Project, target: &str, name: &str) {
    let name = project.path(name);
    std::fs::create_dir_all(name.parent().unwrap()).unwrap();
    symlink(target, name).unwrap();
}

/// Returns the result of a program in the output of `verify`.
#[track_caller]
fn line(ran: &Ran, program: &str) -> serde_json::Value {
    let lines = ran.json();
    let line = lines.iter().find(|line| line["check"] == program);
    line.cloned().unwrap_or_else(|| panic!("no {program}: {ran:#?}"))
}

#[track_caller]
fn verified(project: &Project, programs: &[(&str, &str)]) {
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    for (program, verdict) in programs {
        let line = line(&ran, program);
        assert!(line["status"] == "pass" && line["verdict"] == *verdict, "{line}");
    }
}

#[test]
fn python_programs_run_with_pypy_if_it_is_installed() {
    let which = "import sys\nprint(sys.implementation.name)\n";
    let project = |answer: &str| {
        let project = package(OLD).file("p/output_validators/v.py", JUDGE).file("p/submissions/accepted/one.py", which);
        project.file("p/data/secret/1.ans", answer)
    };
    verified(&project("cpython\n"), &[("accepted/one.py", "AC")]);
    let installed = Command::new("pypy3").arg("--version").output().is_ok();
    assert!(installed || std::env::var_os("NIMATRON_STRICT").is_none(), "NIMATRON_STRICT: pypy3 is not installed");
    if installed {
        verified(&project("pypy\n").with_pypy(), &[("accepted/one.py", "AC")]);
    }
}

#[test]
fn programs_and_their_files_may_be_links_to_others_in_the_package() {
    let project = package(OLD)
        .file("p/shared/val/judge.py", JUDGE)
        .file("p/attachments/prog/main.py", "print(1)\n")
        .file("p/attachments/common.py", "ONE = 1\n")
        .file("p/attachments/lib/more.py", "import common\nONE = common.ONE\n")
        .file("p/submissions/accepted/ok/main.py", "import common\nfrom lib import more\nprint(more.ONE)\n")
        .file("p/submissions/wrong_answer/two.py", "print(2)\n");
    link(&project, "../shared/val", "p/output_validators/val");
    link(&project, "../../attachments/prog", "p/submissions/accepted/d");
    link(&project, "../../../attachments/common.py", "p/submissions/accepted/ok/common.py");
    link(&project, "../../../attachments/lib", "p/submissions/accepted/ok/lib");
    verified(&project, &[("accepted/d", "AC"), ("accepted/ok", "AC"), ("wrong_answer/two.py", "WA")]);
    project.run(&["run", "p", "p/submissions/accepted/ok"]).code(0).says("AC");
    // Links in a submitted folder must not point to neighbouring folders.
    let project = project.file("mine/main.py", "import common\nprint(common.ONE)\n");
    link(&project, "../p/attachments/common.py", "mine/common.py");
    let refused = project.run(&["run", "p", "mine"]).code(2);
    refused.complains("is a symbolic link to");
}

#[test]
fn a_link_out_of_the_package_is_rejected() {
    let imports = "from lib import common\nprint(common.ONE)\n";
    let project = package(NEW)
        .file("outside/common.py", "ONE = 1\n")
        .file("outside/deep/common.py", "ONE = 1\n")
        .file("outside/main.py", "print(1)\n");
    link(&project, "../outside", "p/through");
    link(&project, "../outside/deep", "p/deep");
    // The parent of a link's target differs from the parent of the link.
    let ways = [("direct", "../../../../outside"), ("again", "../../../through"), ("up", "../../../deep/..")];
    let project = ways.iter().fold(project, |project, (name, target)| {
        let project = project.file(&format!("p/submissions/accepted/{name}/main.py"), imports);
        link(&project, target, &format!("p/submissions/accepted/{name}/lib"));
        project
    });
    link(&project, "../../../outside", "p/submissions/accepted/whole");
    let ran = project.run(&["verify", "--json", "p"]);
    for (name, _) in ways {
        let line = line(&ran, &format!("accepted/{name}"));
        assert_eq!(line["status"], "skip");
        assert!(line["detail"].as_str().unwrap().contains("which is outside of"), "{line}");
    }
    assert!(ran.json().iter().all(|line| line["check"] != "accepted/whole"), "{ran:#?}");
}

#[test]
fn files_of_the_case_precede_those_of_the_program() {
    let reads = "print(open('words.txt').read() + open('lib/more.txt').read())\n";
    let project = package(NEW)
        .file("p/data/secret/1.ans", "a b\n")
        .file("p/data/secret/2.in", "")
        .file("p/data/secret/2.ans", "case b\n")
        .file("p/data/secret/2.files/words.txt", "case\n")
        .file("p/include/python3/lib/more.txt", "b\n")
        .file("p/submissions/accepted/folder/main.py", reads)
        .file("p/submissions/accepted/folder/words.txt", "a\n");
    std::fs::remove_file(project.path("p/submissions/accepted/one.py")).unwrap();
    // A modified file is restored for the next case.
    let single = "import os\nof_case = os.path.exists('words.txt')\n\
                  print('case' if of_case else 'a', open('lib/more.txt').read())\n\
                  open('lib/more.txt', 'w').write('changed')\n";
    let project = project.file("p/submissions/accepted/single.py", single);
    verified(&project, &[("accepted/folder", "AC"), ("accepted/single.py", "AC")]);
    // This also holds for a submission.
    let project = project.file("mine/main.py", reads).file("mine/words.txt", "a\n");
    project.run(&["run", "p", "mine"]).code(0);
}

#[test]
fn an_interactive_program_finds_its_files() {
    let talks = "import sys\nsys.exit(42 if input() == 'one' else 43)\n";
    let project = package(&NEW.replace("name", "type: interactive\nname"))
        .file("p/output_validator/talk.py", talks)
        .file("p/submissions/accepted/folder/main.py", "print(open('words.txt').read())\n")
        .file("p/submissions/accepted/folder/words.txt", "one");
    std::fs::remove_file(project.path("p/submissions/accepted/one.py")).unwrap();
    verified(&project, &[("accepted/folder", "AC")]);
}

/// Returns whether an installed C++ compiler supports this standard.
fn compiles(standard: &str) -> bool {
    understands(standard, "")
}

/// Returns whether a C++ compiler accepts this text under this standard.
fn understands(standard: &str, text: &str) -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs_err::write(&file, text).unwrap();
    let run = Command::new("g++").args([standard, "-fsyntax-only", "-x", "c++"]).arg(file.path()).output();
    run.is_ok_and(|run| run.status.success())
}

#[test]
fn a_compiled_validator_finds_its_files_and_may_be_large() {
    if !compiles("-std=gnu++20") {
        return;
    }
    // The checker reads the first word of a list next to the program. The list is as large as in real packages.
    let judge = "\
#include <cstdio>
#include <cstring>
#include <string>
int main(int, char **argv) {
    std::string list(argv[0]);
    list.resize(list.rfind('/') + 1);
    FILE *file = fopen((list + \"words.txt\").c_str(), \"r\");
    char right[16], said[16];
    if (!file || fscanf(file, \"%15s\", right) != 1 || scanf(\"%15s\", said) != 1) return 43;
    return strcmp(right, said) ? 43 : 42;
}
";
    let project = package(OLD)
        .file("p/output_validators/val/val.cpp", judge)
        .file("p/output_validators/val/words.txt", format!("1\n{}", "word\n".repeat(500_000)))
        .file("p/input_validators/v/v.py", "import sys\nsys.exit(42)\n")
        .file("p/input_validators/v/v.h.gch", vec![0; 3 << 20])
        .file("p/submissions/wrong_answer/two.py", "print(2)\n");
    verified(&project, &[("accepted/one.py", "AC"), ("wrong_answer/two.py", "WA")]);
    // The size limit of submissions does not change.
    let project = project.file("mine/main.py", "print(1)\n").file("mine/words.txt", vec![b'x'; 2 << 20]);
    project.run(&["run", "p", "mine"]).code(2).complains("a program may have at most 1048576 bytes (1.0 MiB)");
}

#[test]
fn cpp_programs_compile_under_both_standards() {
    if !compiles("-std=gnu++20") {
        return;
    }
    let own = "#include <bits/stdc++.h>\nusing namespace std;\nvector<int> expected;\n\
        int main() { expected.push_back(1); cout << expected.size() << endl; }\n";
    let project = package(NEW).file("p/submissions/accepted/own.cpp", own);
    verified(&project, &[("accepted/own.cpp", "AC")]);
    let needs = "#include <cstdio>\n#include <expected>\n\
        int main() { std::expected<int, int> one(1); printf(\"%d\\n\", *one); }\n";
    if understands("-std=gnu++23", "#include <expected>\nstd::expected<int, int> one(1);\n") {
        let project = package(NEW).file("p/submissions/accepted/needs.cpp", needs);
        verified(&project, &[("accepted/needs.cpp", "AC")]);
    }
    let edition = "#if __cplusplus > 202002L\n#error later\n#else\n#error sooner\n#endif\n";
    let refused = project.file("bad.cpp", edition).run(&["run", "p", "bad.cpp"]).code(1);
    assert!(refused.stdout.contains("sooner") && !refused.stdout.contains("later"), "{refused:#?}");
}

#[test]
fn a_solution_that_generates_answers_finds_its_files() {
    let lib = "<resources><file path='files/lib.py' type='python.3'><stages><stage name='COMPILE'/></stages>\
        <assets><asset name='SOLUTION'/></assets></file></resources>";
    let xml = format!(
        "<problem><judging><testset name='tests'><time-limit>1000</time-limit><tests><test/></tests></testset>\
        </judging><files>{lib}</files><assets><checker><source path='files/check.py'/></checker><solutions>\
        <solution tag='main'><source path='solutions/a.py'/></solution></solutions></assets></problem>"
    );
    let project = Project::new()
        .file("p/problem.xml", xml)
        .file("p/files/check.py", "import sys\nsys.exit(open(sys.argv[3]).read().split() != ['ONE=1'])\n")
        .file("p/files/lib.py", "ONE=1\n")
        .file("p/tests/01", "1\n")
        .file("p/solutions/a.py", "print(open('lib.py').read())\n");
    project.run(&["run", "p", "p/solutions/a.py"]).code(0).says("AC");
}

#[test]
fn an_empty_script_is_judged_with_a_note() {
    let project = package(NEW).file("p/submissions/wrong_answer/empty.py", "");
    let project = project.file("mine.py", "\n").file("mine.cpp", "").file("silent/1.in", "").file("silent/1.out", "");
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    let told = line(&ran, "wrong_answer/empty.py");
    assert_eq!((told["verdict"].as_str(), told["warnings"][0].as_str()), (Some("WA"), Some("the program is empty")));
    for program in ["mine.py", "p/submissions/wrong_answer/empty.py"] {
        project.run(&["run", "p", program]).code(1).says("note: the program is empty\n").says("WA");
    }
    project.run(&["run", "silent", "mine.py"]).code(0).says("AC");
    project.run(&["run", "p", "mine.cpp"]).code(2).complains("mine.cpp` is empty; expected a program");
}

#[test]
fn a_program_of_a_package_may_be_a_link_to_another_one() {
    let project = package(NEW).file("secret.py", "print(1)\n");
    link(&project, "../accepted/one.py", "p/submissions/wrong_answer/linked.py");
    link(&project, "../../../secret.py", "p/submissions/wrong_answer/out.py");
    let ran = project.run(&["verify", "--json", "p"]).code(1);
    assert_eq!(line(&ran, "wrong_answer/linked.py")["verdict"], "AC");
    assert!(ran.json().iter().all(|line| line["check"] != "wrong_answer/out.py"));
    project.run(&["run", "p", "p/submissions/wrong_answer/linked.py"]).code(0).says("AC");
    let refused = project.run(&["run", "p", "p/submissions/wrong_answer/out.py"]).code(2);
    refused.complains("is a symbolic link to");
    // A contestant's program does not become one of the package by a link to it.
    link(&project, "../p/submissions/accepted/one.py", "mine/a.py");
    project.run(&["run", "p", "mine/a.py"]).code(2).complains("is a symbolic link to");
}

#[test]
fn only_a_limit_of_the_package_itself_applies_to_its_own_large_programs() {
    let large = format!("print(1) # {}\n", "x".repeat(200 << 10));
    let with = |yaml: &str| package(yaml).file("p/submissions/accepted/large.py", &large).file("mine.py", &large);
    let note = "the size of the source is 200.0 KiB, which exceeds the format's default limit of 128.0 KiB; \
                `problem.yaml` sets no other limit";
    let project = with(NEW);
    let ran = project.run(&["verify", "--json", "--strict", "p"]);
    let told = line(&ran, "accepted/large.py");
    assert_eq!((told["status"].as_str(), told["warnings"][0].as_str()), (Some("pass"), Some(note)), "{told}");
    project.run(&["run", "p", "p/submissions/accepted/large.py"]).code(0).says(&format!("note: {note}"));
    project.run(&["run", "p", "mine.py"]).code(2).complains("the package format allows at most 128.0 KiB");
    let project = with(&NEW.replace("time_limit: 2", "time_limit: 2, code: 128"));
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    assert_eq!(line(&ran, "accepted/large.py")["status"], "skip");
    project.run(&["run", "p", "p/submissions/accepted/large.py"]).code(2).complains("at most 128.0 KiB");
    let project = with(&NEW.replace("time_limit: 2", "time_limit: 2, code: 256"));
    let told = line(&project.run(&["verify", "--json", "p"]).code(0), "accepted/large.py");
    assert!(told["status"] == "pass" && told["warnings"].is_null(), "{told}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn files_that_no_language_has_are_left_out() {
    let project = package(NEW)
        .file("p/submissions/accepted/program.cpp.template", "x")
        .file("p/submissions/accepted/a.exe", b"\x7fELF\x02")
        .file("p/submissions/accepted/old.f90", "print *, 1\nend\n");
    let ran = project.run(&["verify", "--json", "p"]).code(0);
    let warnings = line(&ran, "package")["warnings"].to_string();
    for name in ["program.cpp.template", "a.exe"] {
        let told = format!("`accepted/{name}` is not judged: its file extension belongs to no known language");
        assert!(warnings.contains(&told), "{warnings}");
    }
    let programs = line(&ran, "programs");
    assert_eq!(
        programs["detail"], "1 of 2 programs were not judged: accepted/old.f90",
        "a known language is no other file"
    );
    let problem = Project::with_sum()
        .file("solutions/sum/accepted/reference.cpp.template", "x")
        .file("solutions/sum/wrong_answer/README.md", "x")
        .file("solutions/sum/wrong_answer/zero.py", "print(0)\n");
    let ran = problem.run(&["verify", "--json", "sum"]).code(0);
    let told = ran.json().into_iter().find(|line| line["check"] == "solutions").unwrap();
    let names = "accepted/reference.cpp.template, wrong_answer/README.md";
    assert_eq!(
        told["warnings"][0],
        format!("files whose extension belongs to no known language are not judged: {names}")
    );
}

#[test]
fn a_program_that_floods_its_output_is_too_slow_for_a_package() {
    let flood = "while True: print('1' * 4096)\n";
    for yaml in [NEW, OLD] {
        let project = package(yaml).file("p/submissions/time_limit_exceeded/flood.py", flood);
        let project = project.file("p/output_validators/judge.py", JUDGE);
        let ran = project.run(&["verify", "--json", "p"]).code(0);
        assert_eq!(line(&ran, "time_limit_exceeded/flood.py")["verdict"], "OLE");
    }
    let project = Project::new().file("p/1.in", "").file("p/1.out", "1\n");
    let ran = project.file("p/solutions/time_limit_exceeded/flood.py", flood).run(&["verify", "--json", "p"]).code(0);
    let told = line(&ran, "time_limit_exceeded/flood.py");
    assert_eq!((told["verdict"].as_str(), told["status"].as_str()), (Some("OLE"), Some("pass")));
}
