//! Tests of the messages: a message is equal after it is written and read, and the JSON does not change.

use super::*;

fn worker() -> WorkerId {
    WorkerId::new("lab-1")
}

fn grant() -> DispatchOutput {
    let spec = JobSpec {
        submission: "s1".to_owned(),
        pool: "main".to_owned(),
        priority: Priority::Batch,
        owner: "zoë".to_owned(),
        needs: BTreeSet::from(["c".to_owned()]),
        key: "k1".to_owned(),
    };
    let row = JobRow::queued(JobNumber(5), spec, Moment::default());
    let holder = Some(JobHolder { worker: worker(), instance: 7, request: 9 });
    DispatchOutput::Grant(Box::new(JobRow { stage: JobStage::Running, epoch: 3, holder, ..row }))
}

#[test]
fn messages_of_workers_come_back_equal() {
    let (worker, job, epoch) = (worker(), JobNumber(5), 3);
    let languages = BTreeSet::from(["c".to_owned(), "python".to_owned()]);
    let hello = WorkerHello {
        worker: worker.clone(),
        machine: 3,
        instance: 7,
        pool: "main".to_owned(),
        slots: 4,
        languages,
        draining: false,
        traits: Arc::new(WorkerTraits { cpu: "Ryzen".to_owned(), calibration_us: 20_000, ..WorkerTraits::default() }),
        canary: Some(Arc::new(CanaryResult {
            program: "accepted.py".to_owned(),
            expected: "AC".to_owned(),
            verdict: Some("WA".to_owned()),
            fault: None,
            at_ms: 5,
        })),
    };
    let answer = JobAnswer { conditions: "gcc 12".into(), outcome: "AC".into(), report: "{\"a\":\"\\u0000\"}".into() };
    let inputs = [
        DispatchInput::Hello(hello),
        DispatchInput::Start { worker: worker.clone(), instance: 7, request: 1, rung: Some(job) },
        DispatchInput::Beat { worker: worker.clone(), instance: 7, draining: true, running: vec![(job, epoch)] },
        DispatchInput::Done { worker: worker.clone(), job, epoch, answer },
        DispatchInput::Faulted { worker: worker.clone(), job, epoch, reason: "no space left".into() },
        DispatchInput::Released { worker, job, epoch },
    ];
    for input in inputs {
        let json = to_json(&FromWorker::of(&input).unwrap()).unwrap();
        let message: FromWorker = serde_json::from_slice(&json).unwrap();
        assert_eq!(message.into_input("lab-1"), input);
    }
    assert_eq!(FromWorker::of(&DispatchInput::Tick), None);
}

#[test]
fn messages_to_workers_come_back_equal() {
    let (job, epoch) = (JobNumber(5), 3);
    let refuse = |(reason, _)| DispatchOutput::Refuse { worker: worker(), instance: 7, request: Some(1), reason };
    let others = [
        grant(),
        DispatchOutput::Settled { worker: worker(), job, epoch },
        DispatchOutput::Cancel { worker: worker(), job, epoch },
        DispatchOutput::Reject { worker: worker(), instance: 7, reason: "in use".into() },
        DispatchOutput::Admission { worker: worker(), instance: 7, reason: Some("its CPU".into()) },
        DispatchOutput::Admission { worker: worker(), instance: 7, reason: None },
    ];
    for output in others.into_iter().chain(DENIALS.map(refuse)) {
        let (to, message) = ToWorker::of(&output, |row| format!("order of {}", row.number)).unwrap();
        let message: ToWorker = serde_json::from_slice(&to_json(&message).unwrap()).unwrap();
        assert_eq!(message.into_output(&to), output);
    }
    assert_eq!(ToWorker::of(&DispatchOutput::Changed(job), |_| String::new()), None);
}

#[test]
fn the_json_is_fixed() {
    let json = String::from_utf8(to_json(&ToWorker::of(&grant(), |_| "{}".to_owned()).unwrap().1).unwrap()).unwrap();
    let wanted = concat!(
        r#"{"message":"grant","job":5,"epoch":3,"instance":7,"request":9,"submission":"s1","pool":"main","#,
        r#""priority":"batch","owner":"zoë","needs":["c"],"key":"k1","order":"{}"}"#
    );
    assert_eq!(json, wanted);
    let start: FromWorker =
        serde_json::from_str(r#"{"message":"start","instance":7,"request":1,"rung":null}"#).unwrap();
    assert_eq!(start, FromWorker::Start { instance: 7, request: 1, rung: None });
    for text in ["", "{}", r#"{"message":"stop"}"#, r#"{"message":"released","job":-1,"epoch":1}"#] {
        assert!(serde_json::from_str::<FromWorker>(text).is_err(), "{text}");
    }
}
