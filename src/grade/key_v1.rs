//! Digests of a problem as stored in grading databases of version 1: hashes of `Debug` output.
//!
//! This file must not change. It reproduces the output of the derived `Debug` of version 1, whatever the current names
//! of the types are, so that results of version 1 are found and their programs are not judged again.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::check::{Comparer, ComparisonRule};
use crate::judge::Stop;
use crate::model::{Digest, Failure, Limits, Score};
use crate::problem::{AuxProgram, Judging, PointsMeaning, Protocol};
use crate::runner::{Host, JudgingTarget, TargetDigests, tail};

/// Computes the digests of a problem as version 1 did.
///
/// # Errors
/// Fails if a checker or an interactor can't be read, or if its language is not installed.
pub(super) fn of_target(host: &Host, target: &JudgingTarget) -> Result<TargetDigests, Failure> {
    target_digests(target, &|aux_program| host.languages().aux_digest_v1(aux_program))
}

pub(super) fn target_digests(
    target: &JudgingTarget,
    aux_digest: &dyn Fn(&AuxProgram) -> Result<Digest, Failure>,
) -> Result<TargetDigests, Failure> {
    let mut parts: Vec<Vec<u8>> = vec![target.problem.as_str().into()];
    parts.push(match target.plan.stop {
        Stop::Never => b"every case".to_vec(),
        Stop::InGroup => b"groups end at a failure".to_vec(),
        Stop::InRun => b"the run ends at a failure".to_vec(),
    });
    let mut last: Option<&Arc<Judging>> = None;
    for group in &target.plan.groups {
        parts.push(format!("{} {} {:?}", group.name, score(group.points), group.after).into());
        for case in &group.cases {
            if last.is_none_or(|last| !Arc::ptr_eq(last, &case.judging)) {
                parts.push(judging(&case.judging, aux_digest)?.into());
                last = Some(&case.judging);
            }
            let beside = case.beside.iter().map(|(name, path)| (name.as_str(), path));
            parts.push(format!("{} {:?}", case.id, case.args).into());
            for (name, path) in [("in", &case.files.input), ("out", &case.files.answer)].into_iter().chain(beside) {
                parts.push([name.as_bytes(), tail(path.as_os_str().as_encoded_bytes())].join(&b' '));
            }
        }
    }
    let data = Digest::of_parts(parts.iter().map(Vec::as_slice));
    Ok(TargetDigests { data, limits: Digest::of(limits(&target.limits).as_bytes()) })
}

fn judging(judging: &Judging, aux_digest: &dyn Fn(&AuxProgram) -> Result<Digest, Failure>) -> Result<String, Failure> {
    let mut text = match judging {
        Judging::Compare(rule) => format!("compare {}", comparer(rule)),
        Judging::Checker { passes, .. } => format!("checker, {passes} passes"),
        Judging::Interactor { passes, .. } => format!("interactor, {passes} passes"),
    };
    for aux_program in judging.aux_programs() {
        let digest = aux_digest(aux_program)?;
        // Writing to a `String` can't fail.
        let _ = write!(text, "; {digest} {}", aux(aux_program));
    }
    Ok(text)
}

fn aux(aux_program: &AuxProgram) -> String {
    let AuxProgram { protocol, file_args, args, worth, full, among_files, .. } = aux_program;
    // Version 1 did not have `file_args`, so no stored result has such a key.
    let file_args = file_args.as_ref().map(|own| format!("{own:?} ")).unwrap_or_default();
    let protocol = match protocol {
        Protocol::Icpc => "Icpc",
        Protocol::Testlib => "Testlib",
        Protocol::Plain => "Plain",
        // Version 1 did not have these protocols, so no stored result has such a key.
        Protocol::Dmoj => "Dmoj",
        Protocol::Coci => "Coci",
        Protocol::Peg => "Peg",
        Protocol::Sinol => "Sinol",
    };
    let worth = match worth {
        PointsMeaning::Share => "Share".to_owned(),
        PointsMeaning::Points => "Points".to_owned(),
        PointsMeaning::Case(None) => "Case(None)".to_owned(),
        PointsMeaning::Case(Some(most)) => format!("Case(Some(Points({})))", most.as_millionths()),
        PointsMeaning::Whole => "Whole".to_owned(),
        PointsMeaning::Nothing => "Nothing".to_owned(),
    };
    format!("{file_args}{protocol} {args:?} {} {worth} {} {among_files}", limits(&aux_program.limits), score(*full))
}

fn comparer(Comparer { rule, fold_case }: &Comparer) -> String {
    let rule = match rule {
        ComparisonRule::Exact => "Exact".to_owned(),
        ComparisonRule::Lines => "Lines".to_owned(),
        ComparisonRule::Tokens => "Tokens".to_owned(),
        ComparisonRule::Numbers { absolute, relative, spaces } => {
            format!("Numbers {{ absolute: {absolute:?}, relative: {relative:?}, spaces: {spaces} }}")
        }
        ComparisonRule::Unordered => "Unordered".to_owned(),
    };
    format!("Comparer {{ rule: {rule}, fold_case: {fold_case} }}")
}

fn score(score: Option<Score>) -> String {
    score.map_or("None".to_owned(), |score| format!("Some(Score({}))", score.as_thousandths()))
}

fn limits(Limits { cpu, wall, memory, output, processes }: &Limits) -> String {
    let (cpu, wall) = (cpu.as_micros(), wall.as_micros());
    let (memory, output) = (memory.get(), output.get());
    format!(
        "Limits {{ cpu: Span({cpu}), wall: Span({wall}), memory: Bytes({memory}), output: Bytes({output}), \
         processes: {processes} }}"
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::grade::key::Key;
    use crate::grade::store::GradeStore;
    use crate::judge::{CaseFiles, Plan, PlanCase, PlanGroup};
    use crate::model::{ByteSize, CaseId, Level, Points, TimeSpan};

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::millis(2500),
        wall: TimeSpan::seconds(6),
        memory: ByteSize::mib(256),
        output: ByteSize::kib(64),
        processes: 7,
    };

    /// Returns the judging target whose results version 1 stored in `store_v1.sql`.
    fn target() -> JudgingTarget {
        let case = |id: &str, judging: &Arc<Judging>| PlanCase {
            id: CaseId::named(id),
            files: CaseFiles { input: "/c/blobs/ab/cdef".into(), answer: "/c/blobs/01/2345".into() },
            judging: judging.clone(),
            args: vec!["x".to_owned(), "y z".to_owned()],
            beside: vec![("data.txt".to_owned(), PathBuf::from("/c/blobs/aa/bb"))],
            output_file: None,
            text: None,
            limits: None,
        };
        let tokens = Arc::new(Judging::Compare(Comparer::new(ComparisonRule::Tokens)));
        let numbers = ComparisonRule::Numbers { absolute: Some(1e-6), relative: Some(1e-9), spaces: false };
        let numbers = Arc::new(Judging::Compare(Comparer::new(numbers)));
        let sample = vec![case("sample/001", &tokens)];
        let large = vec![case("large/001", &tokens), case("large/002", &numbers)];
        let groups = vec![
            PlanGroup { name: "sample".to_owned(), points: None, after: vec![], cases: sample },
            PlanGroup { name: "large".to_owned(), points: Some(Score::points(40)), after: vec![0], cases: large },
        ];
        let plan = Plan {
            groups,
            stop: Stop::InGroup,
            skip_certain: false,
            alone: false,
            part: false,
            rules: None,
            outputs: crate::judge::OutputUse::Checked,
        };
        JudgingTarget { problem: "nim".parse().unwrap(), title: "Nim".to_owned(), plan, limits: LIMITS }
    }

    fn none(_: &AuxProgram) -> Result<Digest, Failure> {
        unreachable!("there are no auxiliary programs")
    }

    fn key_of(TargetDigests { data, limits }: TargetDigests) -> Key {
        let [source, toolchain] = ["source", "toolchain"].map(|text| Digest::of(text.as_bytes()));
        Key { source, data, limits, toolchain, isolation: Level::A }
    }

    #[test]
    fn keys_are_those_of_version_1() {
        let digests = target_digests(&target(), &none).unwrap();
        assert_eq!(digests.data.to_string(), "c0b3081dcbf1d917bc294a7e2f3a6aa588f61205318d4e0048c47367a23567aa");
        assert_eq!(digests.limits.to_string(), "3a45f48a3231ff420da071cc6af267d228945d7f23271e6f4318465a0eef5903");
        assert_eq!(
            key_of(digests).whole().to_string(),
            "62a1a982437a01d2b0d3b9608a9bed75bc136d24e17821d4cfa271901bdd9ef7"
        );
    }

    #[test]
    fn texts_are_those_of_version_1() {
        assert_eq!(
            limits(&LIMITS),
            "Limits { cpu: Span(2500000), wall: Span(6000000), memory: Bytes(268435456), output: Bytes(65536), \
             processes: 7 }"
        );
        let numbers = |absolute, relative, spaces| ComparisonRule::Numbers { absolute, relative, spaces };
        for (rule, text) in [
            (ComparisonRule::Exact, "Comparer { rule: Exact, fold_case: false }"),
            (ComparisonRule::Lines, "Comparer { rule: Lines, fold_case: false }"),
            (ComparisonRule::Tokens, "Comparer { rule: Tokens, fold_case: true }"),
            (ComparisonRule::Unordered, "Comparer { rule: Unordered, fold_case: false }"),
            (
                numbers(Some(1e-6), None, false),
                "Comparer { rule: Numbers { absolute: Some(1e-6), relative: None, spaces: false }, fold_case: false }",
            ),
            (
                numbers(Some(0.0), Some(1.5e300), true),
                "Comparer { rule: Numbers { absolute: Some(0.0), relative: Some(1.5e300), spaces: true }, \
                 fold_case: false }",
            ),
        ] {
            assert_eq!(comparer(&Comparer::new(rule).fold_case(rule == ComparisonRule::Tokens)), text);
        }
        let of = |protocol, worth, full: Option<u64>| {
            let mut program = AuxProgram::new("/x/check.cpp", protocol);
            program.args = vec!["a \"b\"\n\u{e9}\u{7}'".to_owned(), "\u{200b}".to_owned()];
            (program.worth, program.among_files) = (worth, full.is_some());
            program.full = full.map(Score::thousandths);
            aux(&program)
        };
        let middle = r#"["a \"b\"\né\u{7}'", "\u{200b}"] Limits { cpu: Span(10000000), wall: Span(21000000), memory: Bytes(1073741824), output: Bytes(67108864), processes: 64 }"#;
        let below_zero = PointsMeaning::Case(Some(Points::millionths(-5)));
        for (text, first, last) in [
            (of(Protocol::Testlib, PointsMeaning::Share, None), "Testlib", "Share None false"),
            (of(Protocol::Icpc, PointsMeaning::Points, Some(12_500)), "Icpc", "Points Some(Score(12500)) true"),
            (of(Protocol::Plain, PointsMeaning::Case(None), None), "Plain", "Case(None) None false"),
            (of(Protocol::Icpc, below_zero, None), "Icpc", "Case(Some(Points(-5))) None false"),
            (of(Protocol::Icpc, PointsMeaning::Whole, None), "Icpc", "Whole None false"),
            (of(Protocol::Icpc, PointsMeaning::Nothing, None), "Icpc", "Nothing None false"),
        ] {
            assert_eq!(text, format!("{first} {middle} {last}"));
        }
    }

    #[test]
    fn result_of_version_1_is_found_under_its_current_key() {
        let dir = tempfile::tempdir().unwrap();
        let file = rusqlite::Connection::open(dir.path().join(crate::grade::store::STORE_FILE)).unwrap();
        file.execute_batch(include_str!("store_v1.sql")).unwrap();
        drop(file);
        let target = target();
        let v1 = key_of(target_digests(&target, &none).unwrap());
        let current = key_of(crate::runner::digests_with(&target, &none).unwrap());
        let store = GradeStore::open(dir.path()).unwrap();
        assert_eq!(store.has(&current.whole()).unwrap(), None);
        assert_eq!(store.older(&current.source, "nim").unwrap(), Some((v1.clone(), 1)));
        store.adopt(&v1, &current).unwrap();
        assert_eq!(store.has(&v1.whole()).unwrap(), None);
        assert_eq!(
            store.older(&current.source, "nim").unwrap(),
            Some((current.clone(), crate::runner::TARGET_VERSION))
        );
        let kept = store.result(&current.whole()).unwrap().unwrap();
        assert_eq!(kept.record.refusal.as_deref(), Some("it is empty"));
        // The rest of the database is unchanged.
        assert_eq!(store.content(&Digest::of(b"int main(){}")).unwrap(), b"int main(){}");
        assert_eq!(store.begin_rejudge("new tests", 9).unwrap(), 1);
    }

    #[test]
    fn records_of_version_1_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = rusqlite::Connection::open(dir.path().join(crate::grade::store::STORE_FILE)).unwrap();
        file.execute_batch(include_str!("store_v1.sql")).unwrap();
        drop(file);
        let store = GradeStore::open(dir.path()).unwrap();
        let record = store.result(&"ab".repeat(32).parse().unwrap()).unwrap().unwrap().record;
        assert_eq!((record.groups.len(), record.cases.len(), record.failing.len()), (1, 2, 2));
        assert!(record.failing[0].difference.is_some());
    }
}
