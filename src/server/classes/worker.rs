//! The threads that judge the programs of classes. Each thread judges one program at a time.

use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::time::Duration;

use super::table::TableCore;

/// Maximum time that an idle thread sleeps.
const IDLE: Duration = Duration::from_millis(200);
/// Interval at which a thread that gives precedence to submissions by users checks whether any are still waiting.
const YIELD: Duration = Duration::from_millis(20);

/// Function that is called with the id of a class that changed.
pub(super) type ClassCallback = Arc<dyn Fn(&str) + Send + Sync>;

/// The signals that wake the threads, and the callback to which changes to classes are reported.
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

    /// Wakes the threads and calls the callback after a change to a class.
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

    /// Requests that the threads stop, and wakes them.
    pub(super) fn stop(&self) {
        *self.stopping.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.work.notify_all();
    }

    /// Sleeps until the thread is woken, but at most for `longest`. Returns false if the threads must stop.
    fn wait(&self, longest: Duration) -> bool {
        let stopping = self.stopping.lock().unwrap_or_else(PoisonError::into_inner);
        if *stopping {
            return false;
        }
        !*self.work.wait_timeout(stopping, longest).unwrap_or_else(PoisonError::into_inner).0
    }

    fn is_running(&self) -> bool {
        !*self.stopping.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs tasks of the classes until [`ClassSignals::stop`] is called.
pub(super) fn work(core: &TableCore) {
    while core.signals.is_running() {
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
