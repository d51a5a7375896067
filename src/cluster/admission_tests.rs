//! Tests for the validation of workers' messages.

use nimatron_queue::{JobNumber, JobRow};

use super::super::coordinator_edge::ReceivedEvents;
use super::*;

/// Callbacks that accept only the result `{}`, and only workers of the contained pools.
struct Hooks(Option<BTreeSet<String>>);

impl CoordinatorHooks for Hooks {
    fn pools(&self) -> Option<BTreeSet<String>> {
        self.0.clone()
    }

    fn changed(&self, _: JobNumber) {}

    fn order(&self, _: &JobRow) -> String {
        String::new()
    }

    fn check(&self, answer: &JobAnswer) -> Result<(), String> {
        if &*answer.report == "{}" { Ok(()) } else { Err("x".repeat(1 << 20)) }
    }

    fn events(&self, _: ReceivedEvents) {}
}

fn admit(admission: &mut MessageChecks, message: FromWorker) -> Admitted {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    match admission.admit("w1", message) {
        Admitted::Result(done) => Admitted::Input(runtime.block_on(checked(done, admission.hooks.clone()))),
        other => other,
    }
}

fn admission(pools: Option<&[&str]>) -> MessageChecks {
    MessageChecks::new(Arc::new(Hooks(pools.map(|pools| pools.iter().map(|pool| (*pool).to_owned()).collect()))))
}

fn hello(pool: &str, slots: usize, languages: &[String]) -> FromWorker {
    let languages = languages.iter().cloned().collect();
    let (pool, traits, canary) = (pool.to_owned(), Arc::default(), None);
    FromWorker::Hello { machine: 1, instance: 7, pool, slots, languages, draining: false, traits, canary }
}

#[test]
fn a_registration_that_cannot_be_true_is_refused_with_a_reason() {
    let mut one = admission(Some(&["main"]));
    let good = hello("main", 1_024, &["c".to_owned()]);
    assert!(matches!(admit(&mut one, good), Admitted::Input(DispatchInput::Hello(_))));
    let many: Vec<String> = (0..=MOST_LANGUAGES).map(|number| number.to_string()).collect();
    for (message, expected) in [
        (hello("a.b", 1, &[]), "is not a valid name"),
        (hello(&"a".repeat(1 << 20), 1, &[]), "is not a valid name"),
        (hello("mian", 1, &[]), "has no pool `mian` (existing pools: `main`); change `--pool`"),
        (hello("main", 0, &[]), "0 is not a valid number of jobs"),
        (hello("main", usize::MAX, &[]), "specify 1 to 1024 with `--jobs`"),
        (hello("main", 1, &many), "513 languages"),
        (hello("main", 1, &["x".repeat(1 << 20)]), "is not a valid language id"),
        (hello("main", 1, &["a\nb".to_owned()]), "\"a\\nb\" is not a valid language id"),
        (FromWorker::Beat { instance: 7, draining: false, running: vec![(1, 1); 2_000] }, "reports 2000 running jobs"),
    ] {
        let Admitted::Reply(DispatchOutput::Reject { instance: 7, reason, .. }) = admit(&mut one, message) else {
            unreachable!("{expected}")
        };
        assert!(reason.contains(expected) && reason.len() < 500, "{reason}");
    }
}

#[test]
fn any_pool_is_accepted_up_to_a_number() {
    let mut any = admission(None);
    for number in 0..MOST_POOLS {
        let admitted = admit(&mut any, hello(&format!("p{number}"), 1, &[]));
        assert!(matches!(admitted, Admitted::Input(_)), "{admitted:?}");
    }
    assert!(matches!(admit(&mut any, hello("p64", 1, &[])), Admitted::Reply(_)));
    assert!(matches!(admit(&mut any, hello("p0", 1, &[])), Admitted::Input(_)));
}

#[test]
fn a_result_that_is_refused_is_a_fault_and_long_reasons_are_cut() {
    let mut one = admission(None);
    let done = |report: &str, outcome: usize| FromWorker::Done {
        job: 1,
        epoch: 1,
        conditions: String::new(),
        outcome: "x".repeat(outcome),
        report: report.to_owned(),
    };
    assert!(matches!(admit(&mut one, done("{}", 2)), Admitted::Input(DispatchInput::Done { .. })));
    let long = FromWorker::Faulted { job: 1, epoch: 1, reason: "ä".repeat(1 << 20) };
    for message in [done("[]", 2), done("{}", LONGEST_OUTCOME + 1), long] {
        let Admitted::Input(DispatchInput::Faulted { reason, .. }) = admit(&mut one, message) else { unreachable!() };
        assert!(reason.len() <= LONGEST_REASON + "…".len(), "{}", reason.len());
    }
}
