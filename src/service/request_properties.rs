//! Property tests: requests and reports that are written as JSON are read back as equal values.

use proptest::prelude::*;

use super::*;
use crate::check::{Comparer, ComparisonRule};
use crate::lang::{AuthorFiles, BundledFile, SourceOrigin};
use crate::model::{ByteSize, RawBytes, Side, TimeSpan, Transcript};
use crate::problem::Protocol;
use crate::runner::{CheckerOption, CustomInput, OwnAuxProgram};
use crate::service::event_strategies::{case_result, kind, summary};

fn bytes() -> impl Strategy<Value = RawBytes> {
    prop::collection::vec(any::<u8>(), 0..30).prop_map(RawBytes)
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 ./\"\\\\]{0,12}"
}

fn bundle() -> impl Strategy<Value = SourceBundle> {
    let origins = vec![SourceOrigin::Contestant, SourceOrigin::Author, SourceOrigin::Package];
    let file = (name(), bytes()).prop_map(|(name, content)| BundledFile { name, content });
    let parts = (name(), prop::option::of(name()), any::<bool>(), prop::option::of(name()));
    (parts, prop::collection::vec(file, 0..3), prop::sample::select(origins)).prop_map(|(parts, files, origin)| {
        let (name, language, is_folder, entry) = parts;
        SourceBundle { name, language, is_folder, files, entry, origin }
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    (any::<[u32; 4]>(), any::<u32>()).prop_map(|(values, processes)| Limits {
        cpu: TimeSpan::micros(values[0].into()),
        wall: TimeSpan::micros(values[1].into()),
        memory: ByteSize::new(values[2].into()),
        output: ByteSize::new(values[3].into()),
        processes,
    })
}

fn aux_program() -> impl Strategy<Value = OwnAuxProgram> {
    let file = (name(), bytes()).prop_map(|(name, content)| BundledFile { name, content });
    let protocols = prop::sample::select(vec![Protocol::Icpc, Protocol::Testlib, Protocol::Plain]);
    (bundle(), prop::collection::vec(file, 0..2), protocols)
        .prop_map(|(program, headers, protocol)| OwnAuxProgram { files: AuthorFiles { program, headers }, protocol })
}

fn checker() -> impl Strategy<Value = CheckerOption> {
    let float = (0.0..1e9_f64, any::<bool>()).prop_map(|(tolerance, fold_case)| {
        let rule = ComparisonRule::Numbers { absolute: Some(tolerance), relative: None, spaces: false };
        CheckerOption::BuiltIn(Comparer { rule, fold_case })
    });
    prop_oneof![float, aux_program().prop_map(CheckerOption::Program)]
}

fn options() -> impl Strategy<Value = JudgeOptions> {
    let input = (name(), bytes(), prop::option::of(bundle()), prop::option::of(bytes()))
        .prop_map(|(name, content, answered_by, answer)| CustomInput { name, content, answered_by, answer });
    let switches = any::<(bool, bool, bool, bool, bool)>();
    let time = prop::option::of(any::<u32>().prop_map(|time| TimeSpan::micros(time.into())));
    let memory = prop::option::of(any::<u32>().prop_map(|size| ByteSize::new(size.into())));
    let own = (memory, prop::option::of(checker()), prop::option::of(aux_program()));
    (prop::collection::vec(name(), 0..3), switches, time, prop::collection::vec(input, 0..3), own).prop_map(
        |(only, (fail_fast, skip_certain, stop_groups, largest_first, alone), time, inputs, own)| JudgeOptions {
            only,
            fail_fast,
            skip_certain,
            stop_groups,
            time,
            largest_first,
            alone,
            inputs,
            memory: own.0,
            checker: own.1,
            interactor: own.2,
        },
    )
}

fn problem() -> impl Strategy<Value = ProblemRef> {
    ("[a-z0-9][a-z0-9_-]{0,20}", any::<[u8; 8]>())
        .prop_map(|(id, bytes)| ProblemRef { id: id.parse().unwrap(), digest: Digest::of(&bytes) })
}

fn request() -> impl Strategy<Value = JudgeRequest> {
    let rest = (prop::option::of(name()), prop::option::of(limits()), prop::option::of(0..99_usize));
    (problem(), bundle(), options(), rest).prop_map(|(problem, source, options, (program, limits, slots))| {
        JudgeRequest { problem, source, program, options, limits, slots }
    })
}

fn failed_case() -> impl Strategy<Value = FailedCase> {
    (case_result(), bytes(), bytes(), bytes()).prop_map(|(result, input, answer, output)| FailedCase {
        result,
        input,
        answer,
        output,
    })
}

fn dialogue() -> impl Strategy<Value = CaseDialogue> {
    let said = (any::<bool>(), any::<u32>(), prop::collection::vec(any::<u8>(), 0..9));
    (name(), prop::collection::vec(said, 0..4)).prop_map(|(case, said)| {
        let mut transcript = Transcript::default();
        for (is_program, at, bytes) in said {
            transcript.add(TimeSpan::micros(at.into()), (at % 3, Side::BOTH[usize::from(!is_program)]), &bytes);
        }
        CaseDialogue { case: crate::model::CaseId::named(case), transcript }
    })
}

fn report() -> impl Strategy<Value = RunReport> {
    let log = prop::collection::vec((kind(), any::<u64>()).prop_map(|(kind, number)| LogEntry { kind, number }), 0..3);
    let output = (bytes(), any::<bool>()).prop_map(|(content, checked)| RunOutput { content, checked });
    let output = prop::option::of(output);
    let evidence = (prop::collection::vec(failed_case(), 0..2), prop::option::of(dialogue()), log, output);
    let head = (name(), problem(), name(), prop::option::of(limits()));
    (head, summary(), prop::option::of(name()), evidence).prop_map(|(head, summary, compile_error, evidence)| {
        RunReport {
            run: RunId::new(head.0),
            problem: head.1,
            language: head.2,
            limits: head.3,
            summary,
            compile_error,
            failures: evidence.0,
            dialogue: evidence.1,
            output: evidence.3,
            log: evidence.2,
        }
    })
}

proptest! {
    #[test]
    fn requests_are_read_back_equal(request in request()) {
        let text = serde_json::to_string(&request).unwrap();
        prop_assert_eq!(serde_json::from_str::<JudgeRequest>(&text).unwrap(), request, "{}", text);
    }

    #[test]
    fn reports_are_read_back_equal(report in report()) {
        let text = serde_json::to_string(&report).unwrap();
        prop_assert_eq!(serde_json::from_str::<RunReport>(&text).unwrap(), report, "{}", text);
    }
}
