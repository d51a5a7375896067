//! A run: the thread that judges the program, and the handle for its caller.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::judge::{EventSink, Header, OutputUse, Plan, Session, Stop, emit_log, finish};
use crate::model::{
    Activity, Event, EventKind, Failure, Fault, FaultKind, Isolation, Limits, LogEntry, ProblemId, RawBytes, RunId,
    TimeSpan,
};
use crate::runner::{Host, JudgeJob, JudgedRun, PreparedProblem};
use crate::sandbox::Cancel;

use super::request::{JudgeRequest, ProblemRef, RunOutput, RunReport};

/// A handle to a run that was started. Dropping the handle does not end the run.
#[derive(Debug)]
pub struct RunHandle {
    id: RunId,
    cancel: Cancel,
    events: Option<Receiver<Vec<Event>>>,
    thread: JoinHandle<Result<RunReport, Failure>>,
}

/// An iterator over the events of a run up to its end. A call of `next` waits until an event is available or the run
/// has ended.
#[derive(Debug)]
pub struct RunEvents {
    batches: Option<Receiver<Vec<Event>>>,
    /// The events of the last batch that have not been returned yet.
    batch: std::vec::IntoIter<Event>,
}

impl RunEvents {
    /// Waits until at least one event is available, and returns all available events; `None` at the end of the run.
    pub fn next_batch(&mut self) -> Option<Vec<Event>> {
        let mut batch: Vec<Event> = std::mem::take(&mut self.batch).collect();
        let batches = self.batches.as_ref()?;
        if batch.is_empty() {
            batch = batches.recv().ok()?;
        }
        batches.try_iter().for_each(|more| batch.extend(more));
        Some(batch)
    }
}

impl Iterator for RunEvents {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            match self.batch.next() {
                None => self.batch = self.batches.as_ref()?.recv().ok()?.into_iter(),
                event => return event,
            }
        }
    }
}

impl RunHandle {
    /// Returns the id of this run, which is part of every event of the run.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// Takes the receiver of the events, which may be moved to another thread. A second call returns an empty iterator.
    pub fn events(&mut self) -> RunEvents {
        RunEvents { batches: self.events.take(), batch: Vec::new().into_iter() }
    }

    /// Cancels only this run, within 100 ms. Its outcome is then inconclusive.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Returns a handle with which another thread can cancel this run, as [`RunHandle::cancel`] does.
    pub fn canceller(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Waits for the end of the run, and returns its report.
    ///
    /// # Errors
    /// Fails if the program can't be judged at all: the program is invalid, its language is not installed or not
    /// allowed, the options are invalid for the problem, the test data can't be generated, the time limit can't be
    /// derived, or an auxiliary program does not compile. Errors of the judge during the run are part of the report.
    pub fn wait(self) -> Result<RunReport, Failure> {
        // Nothing reads the events any more. Without a receiver, they are not buffered.
        drop(self.events);
        self.thread
            .join()
            .unwrap_or_else(|_| Err(Failure::fault(FaultKind::Internal, "the thread of the run panicked")))
    }
}

/// A sink that adds the id of the run and the time to events, stores the log, and sends the events to the reader in
/// batches, because each message wakes the reader.
struct Recorder {
    run: RunId,
    start: Instant,
    sender: Sender<Vec<Event>>,
    batch: Vec<Event>,
    log: Vec<LogEntry>,
}

impl EventSink for Recorder {
    fn emit(&mut self, number: Option<u64>, kind: EventKind) {
        if let Some(number) = number {
            self.log.push(LogEntry { number, kind: kind.clone() });
        }
        self.batch.push(Event { run: self.run.clone(), number, at: TimeSpan::from(self.start.elapsed()), kind });
    }

    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if !batch.is_empty() {
            // The receiver may have been dropped; the run still continues to create its report.
            let _ = self.sender.send(batch);
        }
    }
}

/// A guard that calls a function when it is dropped, even during a panic.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(call) = self.0.take() {
            call();
        }
    }
}

/// Starts the thread of a run, which calls `finished` when it ends.
pub(super) fn start(
    host: &Host,
    problem: Arc<PreparedProblem>,
    request: JudgeRequest,
    id: RunId,
    finished: impl FnOnce() + Send + 'static,
) -> Result<RunHandle, Failure> {
    let cancel = host.cancel().child()?;
    let host = host.with_cancel(&cancel);
    let (sender, events) = channel();
    let recorder = Recorder { run: id.clone(), start: Instant::now(), sender, batch: Vec::new(), log: Vec::new() };
    let thread = std::thread::Builder::new()
        .name(format!("run {id}"))
        .spawn(move || {
            let _finished = OnDrop(Some(finished));
            judge(&host, &problem, &request, recorder)
        })
        .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread"))?;
    Ok(RunHandle { id, cancel, events: Some(events), thread })
}

/// Judges the program of a request. Returns an error if the run cannot be started, or if an invalid file or option of
/// the user prevents a result. Errors of the judge after the start are reported in the events and in the report
/// instead.
fn judge(
    host: &Host,
    problem: &PreparedProblem,
    request: &JudgeRequest,
    mut recorder: Recorder,
) -> Result<RunReport, Failure> {
    let source = problem.source(host, &request.source)?;
    // A language that is not installed is returned as an error of this call, not as the outcome of the run.
    host.languages().toolchain_digest(&source)?;
    let plan = problem.plan(host, Some(&source), &request.options)?;
    let name = request.program.as_deref().unwrap_or(&request.source.name);
    let job = JudgeJob { problem: problem.id(), plan: &plan, source: &source, name };
    let mut session = job.session(host);
    emit_log(&mut session, &mut recorder);
    let mut limits = request.limits;
    let judged = lease_and_judge(host, problem, request, &job, session, &mut limits, &mut recorder);
    let judged = match judged {
        Ok(judged) => judged,
        Err((session, failure)) => failed(*session, failure, &mut recorder)?,
    };
    let JudgedRun { summary, compile_error, mut failures, dialogue, output } = judged;
    // Cases that were run ahead of time and then skipped have no result in the log, so their failures are not reported.
    failures.retain(|failed| {
        recorder.log.iter().any(|entry| match &entry.kind {
            EventKind::CaseFinished(result) => result.case == failed.result.case,
            _ => false,
        })
    });
    Ok(RunReport {
        run: recorder.run,
        problem: ProblemRef::from(problem),
        language: source.language().id.clone(),
        limits,
        summary,
        compile_error,
        failures,
        dialogue,
        output: output
            .map(|content| RunOutput { content: RawBytes(content), checked: plan.outputs != OutputUse::Kept }),
        log: recorder.log,
    })
}

fn lease_and_judge(
    host: &Host,
    problem: &PreparedProblem,
    request: &JudgeRequest,
    job: &JudgeJob<'_>,
    session: Session,
    limits: &mut Option<Limits>,
    recorder: &mut Recorder,
) -> Result<JudgedRun, (Box<Session>, Failure)> {
    let most = request.slots.unwrap_or(usize::MAX).min(job.plan.cases().max(1));
    let mut progress = |activity: Activity| {
        recorder.emit(None, EventKind::Progress(activity));
        recorder.flush();
    };
    let lease = match host.slots().lease(most, host.cancel(), &mut || progress(Activity::WaitingForSlot)) {
        Ok(lease) => lease,
        Err(fault) => return Err((Box::new(session), fault.into())),
    };
    let in_force = match limits {
        Some(limits) => *limits,
        None => match problem.limits(host, lease.slots(), &request.options, &mut progress) {
            Ok(known) => *limits.insert(known),
            Err(failure) => return Err((Box::new(session), failure)),
        },
    };
    job.drive(host, lease.slots(), in_force, session, recorder)
}

/// Ends a run that failed outside of a case. A fault is the outcome of the run; a complaint is also returned to the
/// caller as an error.
fn failed(mut session: Session, failure: Failure, recorder: &mut Recorder) -> Result<JudgedRun, Failure> {
    let (fault, complaint) = match failure {
        Failure::Fault(fault) => (fault, None),
        Failure::Complaint(complaint) => {
            (Fault::new(FaultKind::Toolchain, complaint.to_string()), Some(Failure::Complaint(complaint)))
        }
    };
    session.fail(fault);
    let summary = finish(session, recorder);
    match complaint {
        Some(complaint) => Err(complaint),
        None => Ok(JudgedRun::without_evidence(summary)),
    }
}

/// Returns the events of a run that failed before it started.
pub(super) fn failed_run(
    isolation: &Isolation,
    run: RunId,
    (problem, program): (&ProblemId, &str),
    fault: &Fault,
) -> Vec<Event> {
    let header = Header {
        problem: problem.clone(),
        program: program.to_owned(),
        language: String::new(),
        isolation: isolation.clone(),
    };
    let mut session = Session::new(
        header,
        Plan {
            groups: Vec::new(),
            stop: Stop::Never,
            skip_certain: false,
            alone: false,
            part: true,
            rules: None,
            outputs: OutputUse::Checked,
        },
    );
    session.fail(fault.clone());
    let (_, entries) = session.into_summary();
    let event =
        |entry: LogEntry| Event { run: run.clone(), number: Some(entry.number), at: TimeSpan::ZERO, kind: entry.kind };
    entries.into_iter().map(event).collect()
}
