//! The coordinator's callbacks for jobs: they create the content of each job, and send messages to the thread that
//! stores the results of submissions.

use std::collections::{BTreeSet, HashMap};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use nimatron_cluster::{CoordinatorHooks, ReceivedEvents};

use crate::model::{Digest, Failure, Fault, FaultKind, ProblemId};
use crate::queue::{JobAnswer, JobNumber, JobRow, QueueStore, QueueStoreError};
use crate::service::{JudgeService, ProblemSource};
use crate::submissions::ProblemFinder;

use super::order_secret::OrderSecret;
use super::problem_bundle::ProblemBundles;
use super::submission_forwarder::ForwarderMessage;
use super::work_order::{JobContent, WorkOrder, WorkResult};

/// The store of the cluster's queue.
pub(super) type SharedQueueStore = Arc<dyn QueueStore + Send + Sync>;

/// The coordinator's callbacks for jobs.
pub(super) struct ClusterHooks {
    pub sender: Sender<ForwarderMessage>,
    pub store: SharedQueueStore,
    pub service: JudgeService,
    pub finder: Arc<dyn ProblemFinder>,
    pub bundles: ProblemBundles,
    /// The languages of the problems' own programs, by the hashes of the problems' manifests.
    pub languages: Mutex<HashMap<Digest, BTreeSet<String>>>,
    pub secret: OrderSecret,
    /// The pools of the queue's jobs; `None` if other coordinators, which have their own pools, use the queue too.
    pub pools: Option<BTreeSet<String>>,
    /// The address at which workers read files.
    pub url: String,
}

/// Returns the failure for an error of the queue's store.
pub(super) fn queue_failure(error: QueueStoreError) -> Failure {
    Failure::fault(FaultKind::Data, format!("the store of the cluster's queue failed: {}", error.0))
}

impl ClusterHooks {
    /// Puts the files of a problem into the store of blobs, and returns the hash of the manifest. If no file has
    /// changed since the last call, the files are read again only if `again` is true.
    pub(super) fn bundle(&self, problem: &ProblemId, again: bool) -> Result<Digest, Failure> {
        self.bundles.bundle(&self.finder.find(problem)?.source, again)
    }

    /// Returns the languages of the problem's own programs. `manifest` is the hash of the problem's manifest.
    pub(super) fn languages(&self, source: &ProblemSource, manifest: Digest) -> Result<BTreeSet<String>, Failure> {
        let known = self.languages.lock().unwrap_or_else(PoisonError::into_inner).get(&manifest).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let languages = self.service.author_languages(source)?;
        self.languages.lock().unwrap_or_else(PoisonError::into_inner).insert(manifest, languages.clone());
        Ok(languages)
    }
    fn content(&self, row: &JobRow) -> Result<WorkOrder, Failure> {
        let program = self.store.program(&row.spec.submission).map_err(queue_failure)?;
        let missing = || format!("the submission `{}` is not in the queue of the cluster", row.spec.submission);
        let program = program.ok_or_else(|| Failure::fault(FaultKind::Data, missing()))?;
        let invalid = || format!("`{}` is not the id of a problem", program.problem);
        let problem = program.problem.parse().map_err(|_| Fault::new(FaultKind::Data, invalid()))?;
        Ok(WorkOrder {
            url: self.url.clone(),
            token: self.secret.token(row.number, row.epoch),
            problem: self.bundle(&problem, false)?,
            request: Digest::of(&program.source),
        })
    }

    /// Returns the content of the file with the hash `digest` for an open job with the epoch `epoch`; `None` if there
    /// is no such job or no such file. A file that the store of blobs lacks, or that is damaged there, is read again
    /// from the submission or the problem.
    pub(super) fn blob(&self, job: JobNumber, epoch: u64, digest: Digest) -> Result<Option<Vec<u8>>, Failure> {
        let row = self.store.job(job).map_err(queue_failure)?;
        let Some(row) = row.filter(|row| row.epoch == epoch && row.stage.is_open()) else { return Ok(None) };
        if let Some(content) = self.bundles.blobs.get(digest) {
            return Ok(Some(content));
        }
        let Some(program) = self.store.program(&row.spec.submission).map_err(queue_failure)? else { return Ok(None) };
        if Digest::of(&program.source) == digest {
            return Ok(Some(program.source));
        }
        let Ok(problem) = program.problem.parse() else { return Ok(None) };
        self.bundle(&problem, true)?;
        Ok(self.bundles.blobs.get(digest))
    }
}

impl CoordinatorHooks for ClusterHooks {
    fn pools(&self) -> Option<BTreeSet<String>> {
        self.pools.clone()
    }

    fn changed(&self, job: JobNumber) {
        // The message has no receiver if the process is about to end.
        _ = self.sender.send(ForwarderMessage::Changed(job));
    }

    fn order(&self, row: &JobRow) -> String {
        let content = match self.content(row) {
            Ok(order) => JobContent::Order(order),
            Err(failure) => JobContent::Unreadable(failure.to_string()),
        };
        serde_json::to_string(&content).unwrap_or_default()
    }

    fn check(&self, answer: &JobAnswer) -> Result<(), String> {
        WorkResult::of_text(&answer.report).map(drop).map_err(|fault| fault.to_string())
    }

    fn events(&self, events: ReceivedEvents) {
        _ = self.sender.send(ForwarderMessage::Events(events));
    }
}
