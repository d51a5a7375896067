//! Judges the programs of jobs on a worker.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use nimatron_cluster::{HeldJob, JobRunner, Upkeep};
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::model::{Activity, Event, EventKind, Failure, Fault, FaultKind, Outcome, RunId, TimeSpan};
use crate::queue::JobAnswer;
use crate::service::JudgeService;
use crate::submissions::ProgramOrder;

use super::blob_client::{BlobClient, FetchPolicy};
use super::canary::Canary;
use super::compiler_check::CompilerCheck;
use super::conditions::conditions;
use super::http_client::TrustedRoots;
use super::machine_traits::calibration_us;
use super::problem_cache::ProblemCache;
use super::work_order::{JobContent, WorkOrder, WorkResult};
use super::worker_drain::RunningJobs;
use super::worker_upkeep::UpkeepPlan;

/// The part of a worker that judges programs and carries out the worker's periodic checks.
pub(super) struct WorkerJudge {
    pub service: JudgeService,
    pub problems: ProblemCache,
    pub runtime: Handle,
    /// The root certificates with which the certificate of the coordinator is verified.
    pub roots: TrustedRoots,
    /// Maximum number of slots of a run.
    pub slots: usize,
    /// The jobs that are being judged.
    pub running: RunningJobs,
    /// The function that is called with each line of the worker's log, such as the start or the end of a job.
    pub report: Arc<dyn Fn(&str) + Send + Sync>,
    /// The canary programs; `None` if the worker has none of their languages.
    pub canary: Option<Canary>,
    pub compilers: CompilerCheck,
    pub plan: Mutex<UpkeepPlan>,
    /// The configured calibration time, or the shortest one measured so far, in microseconds.
    pub calibration_us: Mutex<u64>,
}

impl JobRunner for WorkerJudge {
    fn run(&self, job: &HeldJob) -> Result<JobAnswer, Arc<str>> {
        let attempt = format!("{}, attempt {}", job.row.number, job.row.epoch);
        let _running = self.running.enter(attempt.clone());
        (self.report)(&format!("{attempt}: started"));
        let result = match self.judge(job) {
            Ok(result) => result,
            Err(Failure::Complaint(complaint)) => WorkResult::Refused(complaint.to_string()),
            Err(Failure::Fault(fault)) => {
                (self.report)(&format!("{attempt}: {fault}"));
                return Err(fault.to_string().into());
            }
        };
        let outcome = result.outcome();
        // The text of an outcome is either a verdict followed by details, or the reason for a refusal, which may have
        // several lines. Only the verdict or the first line is reported.
        let told = match &result {
            WorkResult::Judged(_) => outcome.split(' ').next(),
            WorkResult::Refused(_) => outcome.lines().next(),
        };
        (self.report)(&format!("{attempt}: {}", told.unwrap_or_default()));
        let conditions = conditions(&self.service, &job.row.spec.needs, &result);
        let conditions = conditions.map_err(|failure| Arc::from(failure.to_string()))?.to_string();
        let report = result.to_text().map_err(|fault| Arc::from(fault.to_string()))?;
        Ok(JobAnswer { conditions: conditions.into(), outcome: outcome.into(), report: report.into() })
    }

    fn admission(&self, reason: Option<&str>) {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner).is_excluded = reason.is_some();
        (self.report)(&match reason {
            Some(reason) => format!("this worker receives no programs: {reason}"),
            None => "this worker receives programs again".to_owned(),
        });
    }

    fn upkeep(&self, is_idle: bool) -> Upkeep {
        let due = self.plan.lock().unwrap_or_else(PoisonError::into_inner).due(is_idle, Instant::now());
        let calibration_us = due.calibration.then(|| {
            let measured = calibration_us();
            let mut least = self.calibration_us.lock().unwrap_or_else(PoisonError::into_inner);
            *least = measured.min(*least);
            *least
        });
        let canary = self.canary.as_ref().filter(|_| due.canary).map(Canary::judge);
        Upkeep { calibration_us, canary }
    }
}

impl WorkerJudge {
    /// Fetches the problem and the program, and judges the program. A complaint is returned only if the submission is
    /// invalid: its source, or the inputs that are part of it. Any other failure is a fault, because another worker may
    /// be able to judge.
    fn judge(&self, job: &HeldJob) -> Result<WorkResult, Failure> {
        let order = order_of(&job.order)?;
        let cancel = self.service.host().cancel().child()?;
        let service = self.service.with_cancel(&cancel).of_worker();
        let (stops, stopped) = watch::channel(false);
        // From here on, the job can be stopped, even while its files are fetched.
        job.stop.when_set(move || {
            stops.send_replace(true);
            cancel.cancel();
        });
        let client = BlobClient {
            runtime: &self.runtime,
            order: &order,
            roots: &self.roots,
            job: job.row.number,
            epoch: job.row.epoch,
            stopped,
            policy: FetchPolicy::default(),
        };
        let unreadable = |error: serde_json::Error| {
            Fault::io(FaultKind::Data, &error.into()).context("cannot parse the request of a job")
        };
        let program: ProgramOrder = serde_json::from_slice(&client.fetch(order.request)?).map_err(unreadable)?;
        let (source, _held) = self.problems.problem(order.problem, &client)?;
        let problem = service.prepare(&source).map_err(|failure| failure.to_fault())?;
        problem.source(service.host(), &program.source)?;
        let progress = Mutex::new(());
        let report = |activity| {
            // Several threads generate data and report progress concurrently. The lock ensures that events are sent in
            // the order in which they are created.
            let _turn = progress.lock().unwrap_or_else(PoisonError::into_inner);
            job.send_events(vec![progress_json(activity)]);
        };
        let options = &program.options;
        service.make_data(&problem, options, &report).map_err(|failure| failure.to_fault())?;
        if program.limits.is_none() {
            service.limits(&problem, options, &report).map_err(|failure| failure.to_fault())?;
        }
        let is_of_submission = !options.inputs.is_empty() || !options.only.is_empty();
        let request = program.request(&problem, self.slots);
        let mut run = service.submit(request).map_err(|failure| failure.to_fault())?;
        let mut events = run.events();
        while let Some(batch) = events.next_batch() {
            job.send_events(batch.iter().filter_map(|event| serde_json::to_string(event).ok()).collect());
        }
        let report = match run.wait() {
            Err(complaint @ Failure::Complaint(_)) if is_of_submission => return Err(complaint),
            ended => ended.map_err(|failure| failure.to_fault())?,
        };
        if let Outcome::Inconclusive { faults } = &report.summary.outcome {
            return Err(Fault::first_of(faults).into());
        }
        if report.compile_error.is_some() {
            self.compilers.confirm(&report.language)?;
        }
        Ok(WorkResult::Judged(Box::new(report)))
    }
}

fn order_of(text: &str) -> Result<WorkOrder, Fault> {
    match serde_json::from_str(text) {
        Ok(JobContent::Order(order)) => Ok(order),
        Ok(JobContent::Unreadable(reason)) => Err(Fault::new(FaultKind::Data, reason)),
        Err(error) => Err(Fault::io(FaultKind::Data, &error.into()).context("cannot parse the content of the job")),
    }
}

fn progress_json(activity: Activity) -> String {
    let event =
        Event { kind: EventKind::Progress(activity), number: None, run: RunId::new("worker"), at: TimeSpan::ZERO };
    serde_json::to_string(&event).unwrap_or_default()
}
