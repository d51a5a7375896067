//! A session that worker threads share. Each worker takes cases from it and records their results.
//!
//! The coordinator, which passes the events to a sink and runs the custom grader, checks for events at intervals.
//! Workers wake the coordinator only if the run cannot continue without it. On a virtual machine, waking a thread on
//! another CPU takes as long as the judge's other work for a small case.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::judge::{EventSink, GraderQuestion, GroupOutcome, Job, JobResult, Session, finish};
use crate::model::{Activity, EventKind, Fault, FaultKind, RunSummary};

/// Maximum delay between the occurrence of an event and its receipt by the coordinator.
const EVENT_DELAY: Duration = Duration::from_millis(20);

/// A session that worker threads share, with the events that have not been passed to a sink yet.
pub(super) struct SharedSession {
    state: Mutex<SharedState>,
    /// The condition variable that is signaled when a job may be available, or when no jobs are left.
    for_workers: Condvar,
    /// The condition variable that is signaled when the coordinator must act.
    for_coordinator: Condvar,
}

struct SharedState {
    /// The session; `None` when the run is over.
    session: Option<Session>,
    events: Vec<(Option<u64>, EventKind)>,
    /// The number of workers that have not ended.
    workers: usize,
    /// The number of workers that wait for a job.
    waiting: usize,
}

impl SharedState {
    /// Returns whether the coordinator must act: the session is finished or has a question to the custom grader, or no
    /// worker is left.
    fn needs_coordinator(&self) -> bool {
        self.workers == 0
            || self.session.as_ref().is_none_or(|session| session.finished() || session.question().is_some())
    }

    /// Moves the new entries of the session's log to the pending events.
    fn collect(&mut self) {
        let entries = self.session.as_mut().map(Session::take_events).unwrap_or_default();
        self.events.extend(entries.into_iter().map(|entry| (Some(entry.number), entry.kind)));
    }

    /// Adds a progress event to the pending events, after the session's new log entries.
    fn progress(&mut self, activity: Activity) {
        self.collect();
        self.events.push((None, EventKind::Progress(activity)));
    }
}

impl SharedSession {
    /// Creates a shared session for `workers` workers.
    pub(super) fn new(session: Session, workers: usize) -> SharedSession {
        let state = SharedState { session: Some(session), events: Vec::new(), workers, waiting: 0 };
        SharedSession { state: Mutex::new(state), for_workers: Condvar::new(), for_coordinator: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a guard that ends the run when it is dropped, so that no worker waits for a coordinator that panicked.
    pub(super) fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }

    /// Drives the session to its end: passes its events to the sink, and calls `grade` to answer the session's
    /// questions to the custom grader.
    pub(super) fn coordinate(
        &self,
        sink: &mut dyn EventSink,
        mut grade: impl FnMut(&GraderQuestion) -> Result<GroupOutcome, Fault>,
    ) -> RunSummary {
        loop {
            let mut state = self.lock();
            if !state.needs_coordinator() {
                state = self.for_coordinator.wait_timeout(state, EVENT_DELAY).unwrap_or_else(PoisonError::into_inner).0;
            }
            state.collect();
            let events = std::mem::take(&mut state.events);
            let alive = state.workers > 0;
            let question = state.session.as_ref().and_then(Session::question);
            let ended = state.session.take_if(|session| session.finished());
            drop(state);
            events.into_iter().for_each(|(number, kind)| sink.emit(number, kind));
            sink.flush();
            if let Some(session) = ended {
                self.for_workers.notify_all();
                return finish(session, sink);
            }
            let answer = question.map(|question| (grade(&question), question));
            let mut state = self.lock();
            match (&mut state.session, answer) {
                (Some(session), Some((answer, question))) => session.answer(question, answer),
                (Some(session), None) if !alive => {
                    session.abort(&Fault::new(
                        FaultKind::Internal,
                        "all worker threads ended before the run was finished",
                    ));
                }
                _ => continue,
            }
            drop(state);
            self.for_workers.notify_all();
        }
    }
}

/// A worker's access to the session. Dropping it records that the worker has ended.
pub(super) struct SessionWorker<'a>(pub(super) &'a SharedSession);

impl SessionWorker<'_> {
    /// Waits for the next case to run and returns it; `None` if no case is left.
    pub(super) fn next_job(&self) -> Option<Job> {
        let mut state = self.0.lock();
        loop {
            let session = state.session.as_mut().filter(|session| !session.finished())?;
            // The custom grader's answer to a question may cause cases to be skipped.
            if session.question().is_none()
                && let Some(job) = session.next_job()
            {
                return Some(job);
            }
            state.waiting += 1;
            state = self.0.for_workers.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Returns the next case for the queue of the worker, in which `queued` cases are. Returns `None` if `most` cases are
    /// in the queue, or if no case can be started now. The queues become shorter towards the end of the run, so that all
    /// workers end at about the same time.
    pub(super) fn next_queued_job(&self, queued: usize, most: usize) -> Option<Job> {
        let mut state = self.0.lock();
        let workers = state.workers.max(1);
        let session = state.session.as_mut().filter(|session| !session.finished() && session.question().is_none())?;
        if queued < most.min(session.waiting() / (2 * workers)).max(1) { session.next_job() } else { None }
    }

    /// Puts back a case that was not run. It is run later, unless it is skipped.
    pub(super) fn put_back(&self, job: Job) {
        let mut state = self.0.lock();
        if let Some(session) = &mut state.session {
            session.put_back(job);
        }
        drop(state);
        self.0.for_workers.notify_all();
    }

    /// Reports the worker's current activity.
    pub(super) fn report(&self, activity: Activity) {
        self.0.lock().progress(activity);
    }

    /// Records the result of a job. The result is dropped if the run is over.
    pub(super) fn record(&self, job: Job, result: JobResult) {
        let mut state = self.0.lock();
        if let JobResult::Judged(result) = &result {
            state.progress(Activity::JudgedCase { case: result.case.clone(), verdict: result.verdict });
        }
        let Some(session) = &mut state.session else { return };
        session.record(job, result);
        state.collect();
        let (waiting, ready) = (state.waiting > 0, state.needs_coordinator());
        drop(state);
        if waiting {
            self.0.for_workers.notify_all();
        }
        if ready {
            self.0.for_coordinator.notify_one();
        }
    }
}

impl Drop for SessionWorker<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.workers -= 1;
        // The case that the worker was running will have no result.
        if std::thread::panicking()
            && let Some(session) = &mut state.session
        {
            session.abort(&Fault::new(FaultKind::Internal, "a worker thread panicked"));
        }
        drop(state);
        self.0.for_coordinator.notify_one();
        self.0.for_workers.notify_all();
    }
}

/// A guard that ends a run when it is dropped.
pub(super) struct EndOnDrop<'a>(&'a SharedSession);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().session = None;
        self.0.for_workers.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::judge::{CaseFiles, Header, Plan, PlanCase, PlanGroup, Stop};
    use crate::model::{Capture, CaseId, CaseResult, Credit, Exit, Isolation, Level, Outcome, Usage, Verdict};

    const CASES: usize = 40;
    /// The index of the case that fails.
    const FAILED: usize = 25;

    fn session() -> Session {
        let case = |number| PlanCase {
            id: CaseId::new("all", number),
            files: CaseFiles::default(),
            judging: Arc::default(),
            args: Vec::new(),
            beside: Vec::new(),
            output_file: None,
            text: None,
            limits: None,
        };
        let group = PlanGroup {
            name: "all".to_owned(),
            points: None,
            after: Vec::new(),
            cases: (1..=CASES).map(case).collect(),
        };
        let plan = Plan {
            groups: vec![group],
            stop: Stop::InRun,
            skip_certain: false,
            alone: false,
            part: false,
            rules: None,
            outputs: crate::judge::OutputUse::Checked,
        };
        let header = Header {
            problem: "classic-nim".parse().unwrap(),
            program: "a.rs".to_owned(),
            language: "rust".to_owned(),
            isolation: Isolation::of(Level::D),
        };
        Session::new(header, plan)
    }

    fn result(Job(index): Job) -> JobResult {
        let accepted = index != FAILED;
        JobResult::Judged(Box::new(CaseResult {
            case: CaseId::new("all", index + 1),
            group: "all".to_owned(),
            verdict: if accepted { Verdict::Accepted } else { Verdict::WrongAnswer },
            credit: if accepted { Credit::FULL } else { Credit::NONE },
            points: None,
            usage: Usage::default(),
            exit: Exit::Code(0),
            stderr: Capture::default(),
            difference: None,
            message: None,
        }))
    }

    #[derive(Default)]
    struct Log(Vec<(Option<u64>, EventKind)>);

    impl EventSink for Log {
        fn emit(&mut self, number: Option<u64>, kind: EventKind) {
            self.0.push((number, kind));
        }
    }

    /// Runs the session on `workers` threads, each of which ends after `most` jobs. After each job, a thread takes a queue
    /// of further jobs and puts every third one back.
    fn run(workers: usize, most: usize) -> (RunSummary, Vec<EventKind>) {
        let shared = SharedSession::new(session(), workers);
        let mut log = Log::default();
        let no_grader = |_: &GraderQuestion| Err(Fault::new(FaultKind::Internal, "no grader"));
        let work = |worker: SessionWorker<'_>| {
            for _ in 0..most {
                let Some(job) = worker.next_job() else { return };
                worker.report(Activity::RunningCase { case: CaseId::new("all", job.0 + 1) });
                worker.record(job, result(job));
                let mut queue = Vec::new();
                while most == CASES
                    && let Some(job) = worker.next_queued_job(queue.len(), 16)
                {
                    queue.push(job);
                }
                for (place, job) in queue.into_iter().enumerate() {
                    if place % 3 == 1 { worker.put_back(job) } else { worker.record(job, result(job)) }
                }
            }
        };
        let summary = std::thread::scope(|scope| {
            for _ in 0..workers {
                let worker = SessionWorker(&shared);
                scope.spawn(move || work(worker));
            }
            shared.coordinate(&mut log, no_grader)
        });
        let numbered: Vec<(u64, EventKind)> =
            log.0.into_iter().filter_map(|(number, kind)| Some((number?, kind))).collect();
        assert!(numbered.iter().enumerate().all(|(place, (number, _))| *number == place as u64), "{numbered:?}");
        (summary, numbered.into_iter().map(|(_, kind)| kind).collect())
    }

    #[test]
    fn log_and_summary_do_not_depend_on_the_number_of_workers() {
        let (summary, log) = run(1, CASES);
        assert!(matches!(summary.outcome, Outcome::Final { verdict: Verdict::WrongAnswer, .. }), "{summary:?}");
        assert!(matches!(log.last(), Some(EventKind::RunFinished(_))));
        for workers in [2, 3, 8] {
            assert_eq!(run(workers, CASES), (summary.clone(), log.clone()), "{workers} workers");
        }
    }

    #[test]
    fn a_panicking_worker_or_coordinator_ends_the_run() {
        let shared = SharedSession::new(session(), 2);
        let (first, second) = (SessionWorker(&shared), SessionWorker(&shared));
        std::thread::scope(|scope| {
            let panicking = scope.spawn(move || {
                let _first = first;
                std::panic::resume_unwind(Box::new("test"));
            });
            assert!(panicking.join().is_err());
            assert!(second.next_job().is_none(), "the session was aborted");
        });
        drop(second);
        let summary = shared.coordinate(&mut Log::default(), |_| unreachable!());
        assert!(matches!(summary.outcome, Outcome::Inconclusive { .. }), "{summary:?}");

        let shared = SharedSession::new(session(), 1);
        let worker = SessionWorker(&shared);
        assert!(worker.next_job().is_some());
        drop(shared.end_on_drop());
        assert!(worker.next_job().is_none(), "the coordinator is gone");
    }

    #[test]
    fn a_run_whose_workers_ended_is_inconclusive() {
        let (summary, _) = run(2, 3);
        assert!(matches!(summary.outcome, Outcome::Inconclusive { .. }), "{summary:?}");
    }
}
