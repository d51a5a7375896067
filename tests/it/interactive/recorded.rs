//! Dialogues that the interactor records itself, while pipes connect it directly with the program: verdicts, messages and
//! transcripts must be those of relayed dialogues.

use crate::project::{Project, at_once};

/// A problem whose input selects what the interactor and the program do.
const SPEC: &str = "\
name: Modes
limits: { time: 200ms, wall: 600ms, memory: 256MiB, output: 1MiB }
input:
  - mode: 0..=99
interactor: { program: modes.c, limits: { time: 300ms, wall: 5s, memory: 64MiB, output: 1MiB } }
tests: { TESTS }
";

/// The beginning of the interactor: it sends the mode to the program. The case of a mode follows, and ends with `end`.
const INTERACTOR: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
static char *folder;
/* Ends with a verdict, and says whether the dialogue is recorded by this process. */
static void end(int code, const char *message) {
    char path[4096];
    snprintf(path, sizeof path, "%s/judgemessage.txt", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "%s: %s\n", getenv("NIMATRON_DIALOGUE") ? "recorded" : "relayed", message);
    fclose(file);
    exit(code);
}
static void say(const char *text) {
    printf("%s\n", text);
    fflush(stdout);
}
static const char *hear(void) {
    static char line[100];
    return fgets(line, sizeof line, stdin) ? line : "nothing\n";
}
static void expect(const char *text) {
    const char *heard = hear();
    if (strncmp(heard, text, strlen(text)) != 0) end(43, heard);
}
static void *hear_in_thread(void *unused) {
    expect("one");
    return unused;
}
static void fill(size_t size) {
    while (size-- > 0) putchar('x');
    say("");
}
int main(int argc, char **argv) {
    FILE *input = fopen(argv[1], "r");
    int mode;
    if (argc < 4 || fscanf(input, "%d", &mode) != 1) return 1;
    folder = argv[3];
    char text[20];
    snprintf(text, sizeof text, "%d", mode);
    say(text);
    switch (mode) {
MODES
    }
}
"#;

/// The beginning of the program, which receives the mode.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void say(const char *text) {
    printf("%s\n", text);
    fflush(stdout);
}
static int hear(void) {
    static char line[100];
    return fgets(line, sizeof line, stdin) != 0;
}
static void fill(size_t size) {
    while (size-- > 0) putchar('y');
    say("");
}
static size_t read_line(void) {
    size_t size = 0;
    for (int next; (next = getchar()) != EOF && next != '\n';) size++;
    return size;
}
int main(void) {
    char mode[20];
    if (!fgets(mode, sizeof mode, stdin)) return 1;
    switch (atoi(mode)) {
MODES
    }
}
"#;

/// What an interactor and a program do.
struct Mode {
    interactor: &'static str,
    program: &'static str,
    /// The verdict, and a part of the message without the word that says how the dialogue was recorded.
    verdict: &'static str,
    message: &'static str,
    /// Whether the interactor can record the dialogue.
    is_recorded: bool,
    /// The lines of the transcript that must be the same; none if their order depends on the scheduler.
    shown: &'static [&'static str],
}

const fn mode(
    (interactor, program): (&'static str, &'static str),
    (verdict, message): (&'static str, &'static str),
    shown: &'static [&'static str],
) -> Mode {
    Mode { interactor, program, verdict, message, is_recorded: true, shown }
}

/// A mode that the interactor cannot record.
const fn relayed(
    (interactor, program): (&'static str, &'static str),
    (verdict, message): (&'static str, &'static str),
    shown: &'static [&'static str],
) -> Mode {
    Mode { is_recorded: false, ..mode((interactor, program), (verdict, message), shown) }
}

/// The ends of an accepted dialogue in which the program ends first, and of one in which it reads to the end.
const MODES: &[Mode] = &[
    mode(
        ("say(\"a\"); expect(\"one\"); say(\"b\"); end(42, \"good\");", "hear(); say(\"one\"); hear(); hear();"),
        ("AC", "good"),
        &["interactor a", "program one", "interactor b", "interactor (ended)", "program (ended)"],
    ),
    mode(
        ("expect(\"two\"); end(42, \"good\");", "say(\"one\"); hear(); hear();"),
        ("WA", "one"),
        &["program one", "interactor (ended)"],
    ),
    // The program ends first, and the interactor does not fail when it writes.
    mode(
        ("expect(\"one\"); hear(); say(\"a\"); say(\"b\"); end(43, \"too short\");", "say(\"one\");"),
        ("WA", "too short (the program ended first)"),
        &["program one", "program (ended)", "interactor a", "interactor b", "interactor (ended)"],
    ),
    // The program ends first, and the interactor does not read its last line.
    mode(
        ("expect(\"one\"); usleep(100000); end(42, \"good\");", "say(\"one\"); usleep(20000); say(\"two\");"),
        ("AC", "good"),
        &["program one", "program two", "program (ended)", "interactor (ended)"],
    ),
    mode(
        ("expect(\"one\"); usleep(100000); end(43, \"bad\");", "say(\"one\"); usleep(20000); say(\"two\");"),
        ("WA", "bad (the program ended first)"),
        &["program one", "program two", "program (ended)", "interactor (ended)"],
    ),
    mode(
        ("expect(\"one\"); hear(); end(43, \"bad\");", "say(\"one\"); exit(3);"),
        ("RTE", ""),
        &["program one", "program (ended)", "interactor (ended)"],
    ),
    mode(
        ("expect(\"one\"); end(43, \"bad\");", "say(\"one\"); hear(); hear(); exit(3);"),
        ("WA", "bad"),
        &["program one", "interactor (ended)"],
    ),
    mode(("while (getchar() != EOF) continue; end(42, \"good\");", "fill(2000000);"), ("OLE", ""), &[]),
    mode(("expect(\"one\"); end(42, \"good\");", "say(\"one\"); fill(2000000);"), ("OLE", ""), &[]),
    mode(("fill(2000000); end(42, \"good\");", "read_line();"), ("JE", "exceeded its output limit of 1MiB"), &[]),
    // Both sides write more than a pipe of the default size holds.
    mode(
        (
            "fill(150000); size_t size = 0; while (getchar() != '\\n') size++; end(size == 150000 ? 42 : 43, \"large\");",
            "fill(150000); return read_line() != 150000;",
        ),
        ("AC", "large"),
        &[],
    ),
    // Only the beginning and the end of a long dialogue are stored.
    mode(
        (
            "for (int round = 10000; round < 13000; round++) { printf(\"%d %60s\\n\", round, \"\"); fflush(stdout); \
             if (atoi(hear()) != round) end(43, \"bad\"); } end(42, \"good\");",
            "int round; while (scanf(\"%d\", &round) == 1) printf(\"%d %60s\\n\", round, \"\"), fflush(stdout);",
        ),
        ("AC", "good"),
        &[
            "interactor 10000",
            "program 10000",
            "interactor 10500",
            "program 10500",
            "(left out)",
            "program 12500",
            "interactor 12999",
            "program 12999",
            "interactor (ended)",
            "program (ended)",
        ],
    ),
    mode(("say(\"a\"); hear(); end(43, \"bad\");", "hear(); hear();"), ("ILE", "must flush"), &[]),
    mode(("expect(\"one\"); end(43, \"bad\");", "for (;;) continue;"), ("TLE", ""), &[]),
    mode(("expect(\"one\"); abort();", "say(\"one\"); hear();"), ("JE", "SIGABRT"), &[]),
    mode(("expect(\"one\"); abort();", "say(\"one\"); if (!hear()) exit(3);"), ("JE", "SIGABRT"), &[]),
    mode(("expect(\"one\"); for (;;) continue;", "say(\"one\"); hear();"), ("JE", "limit"), &[]),
    mode(
        ("expect(\"one\"); fclose(stdin); usleep(50000); end(42, \"good\");", "say(\"one\"); say(\"two\"); hear();"),
        ("AC", "good"),
        &[],
    ),
    mode(
        (
            "pthread_t id; pthread_create(&id, 0, hear_in_thread, 0); pthread_join(id, 0); end(42, \"good\");",
            "say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["program one", "interactor (ended)"],
    ),
    mode(
        (
            "char half[2], rest[10]; struct iovec in[] = {{half, 0}, {half, 2}, {rest, 10}}; struct iovec out[] = {{(char *)\"a\", 1}, \
             {(char *)\"b\\n\", 2}}; writev(1, out, 2); end(readv(0, in, 3) == 4 ? 42 : 43, \"good\");",
            "hear(); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor ab", "program one", "interactor (ended)"],
    ),
    mode(
        (
            "struct pollfd in = {0, POLLIN, 0}; if (poll(&in, 1, 0) != 0) end(43, \"early\"); say(\"a\"); poll(&in, 1, -1); \
             expect(\"one\"); end(42, \"good\");",
            "hear(); usleep(20000); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor a", "program one", "interactor (ended)", "program (ended)"],
    ),
    // The files of the interactor do not belong to the dialogue, even if they have its descriptor.
    mode(
        (
            "expect(\"one\"); close(0); char text[10]; if (open(argv[1], O_RDONLY) != 0 || read(0, text, 10) < 2) end(43, \"bad\"); \
             end(42, \"good\");",
            "say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["program one", "interactor (ended)", "program (ended)"],
    ),
    mode(
        (
            "struct iovec none = {argv[1], 0}; if (readv(0, &none, 1) != 0) end(43, \"bad\"); expect(\"one\"); end(43, \"no\");",
            "say(\"one\"); hear(); exit(3);",
        ),
        ("WA", "no"),
        &["program one", "interactor (ended)"],
    ),
    // A reply to a program that has ended was not received, also if the interactor handles the signal.
    mode(
        (
            "signal(SIGPIPE, SIG_DFL); expect(\"one\"); usleep(900000); say(\"a\"); end(42, \"good\");",
            "say(\"one\"); hear();",
        ),
        ("ILE", "the interactor did not reply"),
        &["program one", "interactor a", "interactor (ended)"],
    ),
    relayed(
        (
            "pthread_t id; pthread_create(&id, 0, hear_in_thread, 0); usleep(20000); pthread_cancel(id); pthread_join(id, 0); \
             end(42, \"good\");",
            "hear();",
        ),
        ("AC", "good"),
        &["interactor (ended)"],
    ),
    relayed(
        (
            "expect(\"one\"); fclose(stdin); fill(300000); end(42, \"good\");",
            "say(\"one\"); fill(600000); read_line();",
        ),
        ("AC", "good"),
        &[],
    ),
    relayed(
        ("say(\"3\"); fclose(stdout); expect(\"one\"); end(42, \"good\");", "while (hear()) continue; say(\"one\");"),
        ("AC", "good"),
        &["interactor 3", "interactor (ended)", "program one"],
    ),
    relayed(
        (
            "if (fork() == 0) { say(\"a\"); _exit(0); } wait(0); expect(\"one\"); end(42, \"good\");",
            "hear(); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        ("system(\"echo a\"); expect(\"one\"); end(42, \"good\");", "hear(); say(\"one\"); hear();"),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        ("dup2(1, 9); write(9, \"a\\n\", 2); expect(\"one\"); end(42, \"good\");", "hear(); say(\"one\"); hear();"),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        (
            "write(fcntl(1, F_DUPFD, 20), \"a\\n\", 2); expect(\"one\"); end(42, \"good\");",
            "hear(); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        ("syscall(SYS_write, 1, \"a\\n\", 2L); expect(\"one\"); end(42, \"good\");", "hear(); say(\"one\"); hear();"),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        (
            "say(\"a\"); char text[4]; syscall(SYS_read, 0, text, 4L); end(42, \"good\");",
            "hear(); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
    relayed(
        (
            "say(\"a\"); int ends[2]; pipe(ends); if (splice(0, 0, ends[1], 0, 4, 0) != 4) end(43, \"bad\"); end(42, \"good\");",
            "hear(); say(\"one\"); hear();",
        ),
        ("AC", "good"),
        &["interactor a", "program one"],
    ),
];

/// Returns the problem with these modes. A comment in the interactor decides whether the recorder is linked to it.
fn project(comment: &str) -> Project {
    let cases = |part: fn(&Mode) -> &str| {
        let case = |(number, mode): (usize, &Mode)| format!("case {number}: {{ {} break; }}\n", part(mode));
        MODES.iter().enumerate().map(case).collect::<String>()
    };
    let tests: Vec<String> = (0..MODES.len()).map(|mode| format!("m{mode}: [{{ input: \"{mode}\\n\" }}]")).collect();
    let interactor = INTERACTOR.replace("MODES", &cases(|mode| mode.interactor));
    Project::new()
        .file("problems/modes/problem.yaml", SPEC.replace("TESTS", &tests.join(", ")))
        .file("problems/modes/programs/modes.c", format!("/* {comment} */\n{interactor}"))
        .file("solutions/modes/accepted/reference.c", PROGRAM.replace("MODES", &cases(|mode| mode.program)))
}

/// Judges the program on one mode. Returns the verdict with its message or fault, and the lines of the transcript without
/// times and without the first one, which sends the mode. Data that was left out is a line `(left out)`.
fn judged(project: &Project, mode: usize) -> (String, String, Vec<String>) {
    let case = format!("m{mode}/001");
    let program = "solutions/modes/accepted/reference.c";
    let (verdict, message) = project.run(&["run", "modes", program, "--json", "--case", &case]).case_result();
    let shown = project.run(&["run", "modes", program, "--case", &case, "--transcript"]).stdout;
    let lines = shown.lines().skip_while(|line| !line.contains("dialogue (milliseconds")).skip(1);
    let lines = lines.filter(|line| ["  interactor  ", "  program  ", "… "].iter().any(|part| line.contains(part)));
    let lines = lines.map(|line| if line.contains("… ") { "0 (left out)" } else { line });
    let lines = lines.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")).skip(1).collect();
    (verdict, message, lines)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn recorded_and_relayed_dialogues_are_judged_alike() {
    let linked = project("the recorder is linked");
    let unlinked = project("not linked, since it names /dev/stdin");
    at_once([(linked, true), (unlinked, false)], |(project, may_record)| {
        let mut wrong = Vec::new();
        for (number, mode) in MODES.iter().enumerate() {
            let (verdict, message, shown) = judged(&project, number);
            let mut rest = shown.iter();
            let is_shown = mode.shown.iter().all(|line| rest.any(|other| other == line));
            let how = ["recorded", "relayed"].into_iter().find(|how| message.contains(how));
            let is_recorded = how.is_none_or(|how| (how == "recorded") == (may_record && mode.is_recorded));
            if !(verdict == mode.verdict && message.contains(mode.message) && is_shown && is_recorded) {
                wrong.push(format!("mode {number}, recorder {may_record}: {verdict} {message} {shown:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// Interactors in C++ and Rust, whose libraries call `read` and `write` in other ways than that of C.
const CPP: &str = r#"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
int main(int, char **argv) {
    std::ios::sync_with_stdio(false);
    std::string heard;
    std::cout << 1 << ' ' << 2 << std::endl;
    std::cin >> heard;
    std::ofstream(std::string(argv[3]) + "/judgemessage.txt") << (std::getenv("NIMATRON_DIALOGUE") ? "recorded" : "relayed");
    return heard == "3" ? 42 : 43;
}
"#;
const RUST: &str = r#"
use std::io::{BufRead, Write};
fn main() {
    writeln!(std::io::stdout(), "1 2").unwrap();
    let heard = std::io::stdin().lock().lines().next().unwrap().unwrap();
    let how = if std::env::var_os("NIMATRON_DIALOGUE").is_some() { "recorded" } else { "relayed" };
    let folder = std::env::args().nth(3).unwrap();
    std::fs::write(folder + "judgemessage.txt", how).unwrap();
    std::process::exit(if heard == "3" { 42 } else { 43 });
}
"#;
/// The same interactor in C, and a program that replies.
const C: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char path[4096];
    int heard = 0;
    puts("1 2");
    fflush(stdout);
    scanf("%d", &heard);
    snprintf(path, sizeof path, "%s/judgemessage.txt", argv[3]);
    fputs(getenv("NIMATRON_DIALOGUE") ? "recorded" : "relayed", fopen(path, "w"));
    return heard == 3 ? 42 : 43;
}
"#;
const SUM: &str =
    "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";

/// Returns a problem with this interactor.
fn sum_project(name: &str, text: &str) -> Project {
    let spec =
        format!("name: Sum\ninput: [{{ n: 0..=9 }}]\ninteractor: {name}\ntests: {{ all: [{{ input: \"1\\n\" }}] }}\n");
    Project::new()
        .file("problems/sum/problem.yaml", spec)
        .file(&format!("problems/sum/programs/{name}"), text)
        .file("solutions/sum/accepted/reference.c", SUM)
}

/// Runs the reference solution, and returns the message of the interactor and the number of lines of the transcript.
fn sum_message(project: &Project) -> (String, usize) {
    let args = ["run", "sum", "solutions/sum/accepted/reference.c", "--transcript"];
    let shown = project.run(&args).code(0).stdout;
    let lines = shown.lines().filter(|line| line.ends_with("interactor    1 2") || line.ends_with("program       3"));
    let (_, message) = project.run(&[&args[..3], &["--json"]].concat()).case_result();
    (message, lines.count())
}

#[test]
fn interactors_in_c_cpp_and_rust_record_their_dialogues() {
    // Functions with the names of others of the C library are not called by the recorder.
    let own = ["poll", "ppoll", "open", "fcntl"].map(|name| format!("int {name}(void) {{ abort(); }}\n")).concat();
    let own = C.replace("int main(", &format!("{own}int main("));
    at_once([("ask.c", C), ("own.c", &own), ("ask.cpp", CPP), ("ask.rs", RUST)], |(name, text)| {
        assert_eq!(sum_message(&sum_project(name, text)), ("recorded".to_owned(), 2), "{name}");
    });
}

#[test]
fn an_interactor_with_its_own_read_is_not_linked_to_the_recorder() {
    let own = "int read(void) { int number = 0; scanf(\"%d\", &number); return number; }\nint main(";
    let text = C.replace("int main(", own).replace("scanf(\"%d\", &heard);", "heard = read();");
    assert_eq!(sum_message(&sum_project("ask.c", &text)), ("relayed".to_owned(), 2));
}

#[test]
fn a_recorder_that_cannot_be_compiled_is_not_linked() {
    let rows = fs_err::read_to_string("src/lang/languages.yaml").unwrap();
    let row = rows.split("\n  c:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let broken = row.replace("[\"{recorder}\"", "[-include, \"{recorder}.h\", \"{recorder}\"");
    assert_ne!(broken, row);
    let project =
        sum_project("ask.c", C).file("problems/languages.yaml", format!("format: 1\nlanguages:\n  c:\n{broken}\n"));
    // The interactor is told to record before it is known that it does not.
    assert_eq!(sum_message(&project), ("relayed".to_owned(), 2));
}
