//! The decisions of the dispatch about the admission of workers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dispatch::{Dispatch, KnownWorker};
use super::job::WorkerId;
use super::messages::{DispatchOutput, WorkerHello};
use super::pool_standard::PoolStandard;

impl Dispatch {
    /// Returns the reason why a worker is excluded from jobs: the worker was set aside, misjudged a canary program, or
    /// is not admitted to its pool. Returns `None` if the worker is not excluded.
    pub(super) fn excluded<'a>(&'a self, worker: &'a KnownWorker) -> Option<Arc<str>> {
        let aside = self.aside.get(&worker.hello.worker).cloned();
        aside.or_else(|| worker.hello.canary.as_ref()?.misjudged()).or_else(|| worker.refused.clone())
    }

    /// Returns the reason why a worker that registers is not admitted to its pool; `None` if it is admitted.
    pub(super) fn refusal_of(&mut self, hello: &WorkerHello) -> Option<Arc<str>> {
        if self.policy.admit_any || !may_count(hello) {
            return None;
        }
        let standard = self.standards.entry(hello.pool.clone()).or_default();
        standard.admit(&hello.worker, &hello.traits).err().map(Arc::from)
    }

    /// Determines again which workers are admitted. The worker that has run longest sets the standard of its pool, so
    /// that the result does not depend on the order of messages.
    pub(super) fn admit_all(&mut self) {
        if self.policy.admit_any {
            return;
        }
        let present = self.workers.values().filter(|worker| {
            self.is_present(worker) && may_count(&worker.hello) && !self.aside.contains_key(&worker.hello.worker)
        });
        let mut order: Vec<(u64, WorkerId)> =
            present.map(|worker| (worker.hello.instance, worker.hello.worker.clone())).collect();
        order.sort_unstable();
        if self.standard_order.as_ref() == Some(&order) {
            return;
        }
        let mut standards = BTreeMap::<String, PoolStandard>::new();
        let mut admitted = Vec::new();
        for (_, id) in &order {
            let Some(KnownWorker { hello, .. }) = self.workers.get(id) else { continue };
            let standard = match standards.get_mut(&hello.pool) {
                Some(standard) => standard,
                None => standards.entry(hello.pool.clone()).or_default(),
            };
            admitted.push((id.clone(), standard.admit(id, &hello.traits).err()));
        }
        self.standards = standards;
        self.standard_order = Some(order);
        for (id, reason) in admitted {
            if let Some(worker) = self.workers.get_mut(&id)
                && worker.refused.as_deref() != reason.as_deref()
            {
                worker.refused = reason.map(Arc::from);
            }
        }
    }

    /// Returns the message that informs a worker whether it receives jobs; `None` if the worker has not registered.
    pub(super) fn admission(&mut self, id: &WorkerId) -> Option<DispatchOutput> {
        let reason = self.excluded(self.workers.get(id)?);
        let worker = self.workers.get_mut(id)?;
        worker.told.clone_from(&reason);
        Some(DispatchOutput::Admission { worker: id.clone(), instance: worker.hello.instance, reason })
    }

    /// Returns the messages to the workers whose admission has changed.
    pub(super) fn changed_admissions(&mut self) -> Vec<DispatchOutput> {
        let changed = self.workers.values().filter(|worker| worker.told != self.excluded(worker));
        let changed: Vec<WorkerId> = changed.map(|worker| worker.hello.worker.clone()).collect();
        changed.iter().filter_map(|id| self.admission(id)).collect()
    }
}

/// Returns whether a worker may set the standard of its pool.
fn may_count(hello: &WorkerHello) -> bool {
    !hello.draining && hello.canary.as_ref().is_none_or(|canary| canary.misjudged().is_none())
}
