//! The resources of this machine for judging: sandbox, languages, cache, and slots of the workers.

use std::path::Path;
use std::sync::Arc;

use crate::data::{Store, remove_unfinished};
use crate::model::{Diagnostic, Isolation};
use crate::sandbox::{Cancel, Sandbox};
use crate::workers::{ExclusiveGate, WorkerSlots};

use super::cache::Cache;
use super::languages::Languages;

/// The resources of this machine for judging. Clones share all resources; [`Host::with_cancel`] returns a clone whose
/// programs can be cancelled separately.
#[derive(Clone)]
pub struct Host {
    sandbox: Arc<dyn Sandbox>,
    cancel: Cancel,
    languages: Languages,
    cache: Cache,
    slots: WorkerSlots,
    gate: Arc<ExclusiveGate>,
}

impl Host {
    /// Creates a host that runs programs in this sandbox, stores builds and test data in the folder `cache`, and runs
    /// up to `jobs` programs concurrently. Its languages are those of the built-in table, the user's table, and the
    /// table of the problem set in `problems`.
    ///
    /// # Errors
    /// Fails if a table of languages can't be read or is invalid.
    pub fn new(
        sandbox: Box<dyn Sandbox>,
        cancel: &Cancel,
        cache: &Path,
        problems: Option<&Path>,
        jobs: usize,
    ) -> Result<Host, Diagnostic> {
        let sandbox = sandbox.with_cancel(cancel.clone());
        let cache = Cache::new(cache);
        cache.store().remove_unfinished();
        remove_unfinished(&cache.made_data());
        Ok(Host {
            languages: Languages::new(sandbox.clone(), &cache, problems)?,
            sandbox,
            cancel: cancel.clone(),
            cache,
            slots: WorkerSlots::new(jobs),
            gate: Arc::default(),
        })
    }

    /// Returns a clone of this host whose programs `cancel` cancels.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Host {
        let sandbox = self.sandbox.with_cancel(cancel.clone());
        let languages = self.languages.in_sandbox(sandbox.clone());
        Host { sandbox, languages, cancel: cancel.clone(), ..self.clone() }
    }

    /// Returns a clone of this host for a worker of a cluster. On the clone, a missing language or a problem author's
    /// program that does not compile is a fault.
    #[must_use]
    pub fn of_worker(&self) -> Host {
        Host { languages: self.languages.of_worker(), ..self.clone() }
    }

    /// Returns the sandbox in which all programs run.
    pub fn sandbox(&self) -> &dyn Sandbox {
        &*self.sandbox
    }

    /// Returns the isolation that the sandbox enforces.
    pub fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// Returns the handle that cancels this host's programs.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the languages of this machine, which read and build programs.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// Returns the cache of builds, test data and measured time limits.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Returns the store of test data.
    pub fn store(&self) -> &Store {
        self.cache.store()
    }

    /// Returns the slots of the workers, which are leased to runs.
    pub fn slots(&self) -> &WorkerSlots {
        &self.slots
    }

    /// Returns the maximum number of programs that run concurrently.
    pub fn jobs(&self) -> usize {
        self.slots.count()
    }

    /// Returns the gate that excludes all other programs while one program runs alone.
    pub fn gate(&self) -> &Arc<ExclusiveGate> {
        &self.gate
    }
}
