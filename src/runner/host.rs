//! What judging needs of this machine: the sandbox, the languages, the cache, and the slots of the workers.

use std::path::Path;
use std::sync::Arc;

use crate::data::{Store, sweep};
use crate::model::{Diagnostic, Isolation};
use crate::sandbox::{Cancel, Sandbox};
use crate::workers::{ExclusiveGate, WorkerSlots};

use super::cache::Cache;
use super::languages::Languages;

/// The parts that judging is built from. Clones share everything; [`Host::with_cancel`] gives a clone whose programs can be
/// cancelled alone.
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
    /// A host that runs programs in this sandbox, keeps builds and test data below `cache`, and runs `jobs` programs at
    /// once. Languages are those of the built-in table, of the user's, and of the problem set's in `problems`.
    ///
    /// # Errors
    /// Fails if a table of languages is invalid.
    pub fn new(
        sandbox: Box<dyn Sandbox>,
        cancel: &Cancel,
        cache: &Path,
        problems: Option<&Path>,
        jobs: usize,
    ) -> Result<Host, Diagnostic> {
        let sandbox = sandbox.with_cancel(cancel.clone());
        let cache = Cache::new(cache);
        cache.store().sweep();
        sweep(&cache.made_data());
        Ok(Host {
            languages: Languages::new(sandbox.clone(), &cache, problems)?,
            sandbox,
            cancel: cancel.clone(),
            cache,
            slots: WorkerSlots::new(jobs),
            gate: Arc::default(),
        })
    }

    /// The same host, whose programs are ended by this handle.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Host {
        let sandbox = self.sandbox.with_cancel(cancel.clone());
        let languages = self.languages.in_sandbox(sandbox.clone());
        Host { sandbox, languages, cancel: cancel.clone(), ..self.clone() }
    }

    /// The sandbox in which all programs run.
    pub fn sandbox(&self) -> &dyn Sandbox {
        &*self.sandbox
    }

    /// The isolation in force.
    pub fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// The handle that ends this host's programs.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Finds languages, reads and builds programs.
    pub fn languages(&self) -> &Languages {
        &self.languages
    }

    /// The folder that keeps builds, test data and measured time limits.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The store of test data.
    pub fn store(&self) -> &Store {
        self.cache.store()
    }

    /// The slots of the workers.
    pub fn slots(&self) -> &WorkerSlots {
        &self.slots
    }

    /// The number of programs that run at once.
    pub fn jobs(&self) -> usize {
        self.slots.count()
    }

    /// The gate that lets one program run alone.
    pub fn gate(&self) -> &ExclusiveGate {
        &self.gate
    }
}
