//! Tests of [`WorkerSession`].

use std::collections::BTreeSet;

use super::super::{JobHolder, JobSpec, JobStage, Moment, Priority, WorkerId};
use super::*;

fn session(slots: usize) -> WorkerSession {
    let hello = WorkerHello {
        worker: WorkerId::new("w"),
        machine: 1,
        instance: 7,
        pool: "main".to_owned(),
        slots,
        languages: BTreeSet::from(["c".to_owned()]),
        draining: false,
        traits: Arc::default(),
        canary: None,
    };
    let (session, acts) = WorkerSession::start(hello.clone());
    let registration = WorkerAct::Publish(DispatchInput::Hello(hello));
    assert_eq!(acts, [registration, WorkerAct::Wake(3_000, WorkerAlarm::Beat)]);
    session
}

fn grant(number: u64, epoch: u64, instance: u64, request: u64) -> DispatchOutput {
    let spec = JobSpec {
        submission: "s".to_owned(),
        pool: "main".to_owned(),
        priority: Priority::Person,
        owner: "a".to_owned(),
        needs: BTreeSet::new(),
        key: "k".to_owned(),
    };
    let holder = Some(JobHolder { worker: WorkerId::new("w"), instance, request });
    let row = JobRow::queued(JobNumber(number), spec, Moment(1));
    DispatchOutput::Grant(Box::new(JobRow { stage: JobStage::Running, epoch, holder, ..row }))
}

fn settled(number: u64, epoch: u64) -> DispatchOutput {
    DispatchOutput::Settled { worker: WorkerId::new("w"), job: JobNumber(number), epoch }
}

fn requests(acts: &[WorkerAct]) -> Vec<u64> {
    let request = |act: &WorkerAct| match act {
        WorkerAct::Send(DispatchInput::Start { request, .. }) => Some(*request),
        _ => None,
    };
    acts.iter().filter_map(request).collect()
}

#[test]
fn a_worker_asks_for_as_many_jobs_as_it_has_free_slots() {
    let mut session = session(2);
    assert_eq!(requests(&session.ask(Some(JobNumber(5)))), [1]);
    assert_eq!(requests(&session.ask(Some(JobNumber(6)))), [2]);
    assert_eq!(session.ask(Some(JobNumber(7))), []);
    let acts = session.take(grant(5, 1, 7, 1));
    assert!(matches!(&acts[..], [WorkerAct::Run(row)] if row.number == JobNumber(5)));
    assert_eq!((session.free_slots(), session.take(grant(5, 1, 7, 1)).len()), (0, 0), "the same grant comes again");
    let answer = JobAnswer { conditions: "".into(), outcome: "AC".into(), report: "{}".into() };
    let done = session.ended(JobNumber(5), 1, Ok(answer));
    assert!(matches!(&done[0], WorkerAct::Send(DispatchInput::Done { epoch: 1, .. })));
    // The worker retains the result until it is stored. Then the worker requests the next job.
    assert_eq!(session.wake(WorkerAlarm::Report(JobNumber(5), 1)), done);
    assert_eq!(requests(&session.take(settled(5, 1))), [3]);
    assert_eq!(session.wake(WorkerAlarm::Report(JobNumber(5), 1)), []);
}

#[test]
fn a_request_is_repeated_with_its_number_and_given_up_at_last() {
    let mut session = session(1);
    session.ask(None);
    for _ in 0..3 {
        assert_eq!(requests(&session.wake(WorkerAlarm::Request(1))), [1]);
    }
    assert_eq!(session.wake(WorkerAlarm::Request(1)), []);
    assert_eq!(session.free_slots(), 1);
    // The grant arrives after the request was given up.
    let acts = session.take(grant(5, 3, 7, 1));
    assert!(matches!(acts[..], [WorkerAct::Send(DispatchInput::Released { epoch: 3, .. })]));
    assert_eq!(session.take(grant(5, 3, 6, 1)), [], "a grant to an earlier process is ignored");
}

#[test]
fn a_cancelled_job_is_stopped() {
    let mut session = session(1);
    session.ask(None);
    session.take(grant(5, 1, 7, 1));
    let cancel = DispatchOutput::Cancel { worker: WorkerId::new("w"), job: JobNumber(5), epoch: 1 };
    assert_eq!(session.take(cancel.clone())[0], WorkerAct::Stop(JobNumber(5), 1));
    assert_eq!(session.take(cancel), []);
    let answer = JobAnswer { conditions: "".into(), outcome: "AC".into(), report: "{}".into() };
    assert_eq!(session.ended(JobNumber(5), 1, Ok(answer)), [], "the result of a stopped job is not sent");
}

#[test]
fn a_draining_worker_ends_its_jobs_first() {
    let mut session = session(2);
    session.ask(None);
    session.take(grant(5, 1, 7, 1));
    session.drain();
    assert_eq!(session.ask(None), []);
    let beat = session.wake(WorkerAlarm::Beat);
    assert!(matches!(&beat[0], WorkerAct::Publish(DispatchInput::Beat { draining: true, running, .. })
        if *running == [(JobNumber(5), 1)]));
    session.ended(JobNumber(5), 1, Err("no space left".into()));
    assert_eq!(session.take(settled(5, 1)), []);
    let last = session.wake(WorkerAlarm::Beat);
    assert!(
        matches!(&last[..], [WorkerAct::Publish(DispatchInput::Beat { draining: true, running, .. }), WorkerAct::Quit]
        if running.is_empty())
    );
}

#[test]
fn a_worker_registers_again_and_yields_to_a_later_process() {
    let mut session = session(1);
    let refuse =
        |instance, reason| DispatchOutput::Refuse { worker: WorkerId::new("w"), instance, request: None, reason };
    let acts = session.take(refuse(7, Denial::Unknown));
    assert!(matches!(&acts[..], [WorkerAct::Publish(DispatchInput::Hello(_))]));
    assert_eq!(session.take(refuse(6, Denial::Superseded)), [], "a refusal to an earlier process is ignored");
    assert_eq!(session.take(refuse(7, Denial::Superseded)), [WorkerAct::Quit]);
    let reject = |instance| DispatchOutput::Reject { worker: WorkerId::new("w"), instance, reason: "in use".into() };
    assert_eq!(session.take(reject(6)), []);
    assert_eq!(session.take(reject(7)), [WorkerAct::Fail("in use".into())]);
}

#[test]
fn a_worker_that_is_not_admitted_asks_for_no_jobs_and_registers_with_each_beat() {
    let mut session = session(2);
    let admission = |instance, reason: Option<&str>| DispatchOutput::Admission {
        worker: WorkerId::new("w"),
        instance,
        reason: reason.map(Arc::from),
    };
    assert_eq!(session.take(admission(7, None)), [], "nothing has changed");
    assert_eq!(session.take(admission(6, Some("slow"))), [], "a message to an earlier process is ignored");
    assert_eq!(session.take(admission(7, Some("slow"))), [WorkerAct::Tell(Some("slow".into()))]);
    assert_eq!(session.take(admission(7, Some("slow"))), [], "the reason is told once");
    assert_eq!((session.free_slots(), session.ask(Some(JobNumber(5))).len()), (0, 0));
    let beat = session.wake(WorkerAlarm::Beat);
    assert!(matches!(
        &beat[..],
        [
            WorkerAct::Publish(DispatchInput::Beat { .. }),
            WorkerAct::Publish(DispatchInput::Hello(_)),
            WorkerAct::Wake(_, WorkerAlarm::Beat)
        ]
    ));
    let again = session.take(admission(7, None));
    assert_eq!((again[0].clone(), requests(&again)), (WorkerAct::Tell(None), vec![1]));
    assert_eq!(session.wake(WorkerAlarm::Beat).len(), 2);
}

#[test]
fn news_about_a_worker_are_a_registration() {
    let mut session = session(1);
    assert_eq!(session.update_traits(None, None), []);
    let acts = session.update_traits(Some(20_000), None);
    assert!(matches!(&acts[..], [WorkerAct::Publish(DispatchInput::Hello(hello))]
        if hello.traits.calibration_us == 20_000));
    assert_eq!(session.update_traits(Some(20_000), None), [], "nothing has changed");
}
