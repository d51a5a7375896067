//! Sources that attack the compiler: each build is stopped by a limit, and the message names the limit.

use nimatron::model::FaultKind;
use nimatron::sandbox::RlimitOnly;

use super::*;

/// Returns limits that are exceeded quickly.
fn small() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(4),
        wall: TimeSpan::seconds(20),
        memory: ByteSize::mib(512),
        output: ByteSize::mib(16),
        processes: 64,
    }
}

/// Returns the message for a source on which the compiler does not terminate.
fn told(id: &str, text: &str) -> Option<String> {
    let toolchain = toolchain(id)?;
    let extension = TABLE.choose(LanguageQuery::Named(id)).unwrap().extensions[0].clone();
    let name = format!("bad.{extension}");
    let source = Source::from_text(&TABLE, Path::new(&name), text.into(), Some(id)).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let context = BuildContext { sandbox: &*sandbox(), cache: cache.path(), limits: small(), slot: 0 };
    let told = match build(&source, &toolchain, &context) {
        Err(BuildError::Compile { output, .. }) => output,
        other => panic!("{id}: {other:?}"),
    };
    let left = std::fs::read_dir(cache.path().join("builds")).unwrap().count();
    assert_eq!(left, 0, "a failed build leaves no files");
    assert!(told.len() < 9_000 && told.lines().count() < 70, "{told}");
    Some(told)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_compiler_that_never_ends_is_stopped() {
    let endless = "constexpr int f(int n) { int s = 0; for (int i = 0; i < 250000; i++) s += f(n + i % 2); return s; }
        template <int N> struct A { static constexpr int v = A<N - 1>::v + A<N - 2>::v % 7; };
        template <int N, int M> struct B { static const long v = B<N - 1, 2 * M>::v + B<N - 1, 2 * M + 1>::v; };
        template <int M> struct B<0, M> { static const long v = M; };
        int main() { return B<26, 0>::v; }";
    let Some(told) = told("cpp", endless) else { return };
    assert!(told.contains("the compiler was stopped: it used more than"), "{told}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_endless_file_is_not_read_completely() {
    for (id, text) in [
        ("c", "#include \"/dev/zero\"\nint main(void) { return 0; }"),
        ("rust", "const X: &[u8] = include_bytes!(\"/dev/zero\"); fn main() { print!(\"{}\", X.len()) }"),
    ] {
        let Some(told) = told(id, text) else { continue };
        assert!(told.contains("bad.") || told.contains("the compiler was stopped"), "{id}: {told}");
    }
}

#[test]
fn a_huge_program_is_rejected() {
    let Some(told) = told("c", "int a[1 << 28] = { 1 };\nint main(void) { return a[5]; }") else { return };
    assert!(told.contains("the compiler was stopped: it wrote more than 16MiB"), "{told}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_flood_of_diagnostics_is_truncated() {
    let text = format!("{}int main() {{ }}", "x y z;\n".repeat(30_000));
    let Some(told) = told("cpp", &text) else { return };
    assert!(told.contains("bad.cpp:1:1: error") && told.contains("more"), "{told}");
}

#[test]
fn compiler_output_cannot_control_the_terminal() {
    let Some(told) = told("cpp", "#error \u{1b}[31mred\u{7}\u{202e}\nint main() { }") else { return };
    assert!(told.contains("red") && !told.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{told:?}");
}

#[test]
fn a_cancelled_build_is_not_a_compile_error() {
    let Some(toolchain) = toolchain("c") else { return };
    let cancel = Cancel::new().unwrap();
    let cancelled = RlimitOnly::new(env!("CARGO_BIN_EXE_nimatron").into(), cancel.clone()).unwrap();
    cancel.cancel();
    let source = load("c", &given("c", "sum.c"));
    let cache = tempfile::tempdir().unwrap();
    let context = BuildContext { sandbox: &cancelled, cache: cache.path(), limits: small(), slot: 0 };
    match build(&source, &toolchain, &context) {
        Err(BuildError::Fault(fault)) => assert_eq!(fault.kind, FaultKind::Cancelled),
        other => panic!("{other:?}"),
    }
}
