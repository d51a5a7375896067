//! The threads that judge the programs of classes, one program each at a time.

use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::time::Duration;

use super::table::TableCore;

/// Longest time that an idle thread sleeps.
const IDLE: Duration = Duration::from_millis(200);
/// Time after which a thread looks again whether people wait.
const YIELD: Duration = Duration::from_millis(20);

/// Called with the id of a class that changed.
pub(super) type ClassCallback = Arc<dyn Fn(&str) + Send + Sync>;

/// Wakes the threads, and those who follow a class.
#[derive(Default)]
pub(super) struct ClassSignals {
    stopping: Mutex<bool>,
    work: Condvar,
    callback: RwLock<Option<ClassCallback>>,
}

impl ClassSignals {
    pub(super) fn on_change(&self, callback: ClassCallback) {
        *self.callback.write().unwrap_or_else(PoisonError::into_inner) = Some(callback);
    }

    /// Tells that a class changed.
    pub(super) fn changed(&self, id: &str) {
        self.wake();
        let callback = self.callback.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(callback) = callback {
            callback(id);
        }
    }

    /// Wakes the threads.
    pub(super) fn wake(&self) {
        self.work.notify_all();
    }

    /// Ends the threads.
    pub(super) fn stop(&self) {
        *self.stopping.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.work.notify_all();
    }

    /// Sleeps until there may be work, or for this time. Returns false at the end.
    fn wait(&self, longest: Duration) -> bool {
        let stopping = self.stopping.lock().unwrap_or_else(PoisonError::into_inner);
        if *stopping {
            return false;
        }
        !*self.work.wait_timeout(stopping, longest).unwrap_or_else(PoisonError::into_inner).0
    }

    fn goes_on(&self) -> bool {
        !*self.stopping.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Judges programs of classes until the table is closed.
pub(super) fn work(core: &TableCore) {
    while core.signals.goes_on() {
        let free = (core.may_start)();
        if free && let Some((class, task)) = core.next_task() {
            class.carry_out(task);
            continue;
        }
        if !core.signals.wait(if free { IDLE } else { YIELD }) {
            return;
        }
    }
}
