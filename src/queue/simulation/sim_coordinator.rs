//! A coordinator of the simulation, which can crash and has its own clock.

use std::rc::Rc;

use super::super::{Coordinator, DispatchInput, DispatchPolicy, Moment};
use super::audit::AuditedStore;

pub(super) struct SimCoordinator {
    /// The coordinator in the process; `None` while the process is down.
    pub process: Option<Coordinator<Rc<AuditedStore>>>,
    /// The number of the process, which increases with each start, so that events of earlier processes are ignored.
    pub life: u64,
    /// The messages that have arrived and will be handled together.
    pub inbox: Vec<DispatchInput>,
    /// The time by which the clock is ahead; negative if the clock is behind.
    pub skew_ms: i64,
}

impl SimCoordinator {
    pub(super) fn clock(&self, now: u64) -> Moment {
        // The simulation begins a day after the Unix epoch, so that no clock shows a negative time.
        Moment((now + 86_400_000).saturating_add_signed(self.skew_ms))
    }

    /// Starts the process, and returns whether the store could be read.
    pub(super) fn open(&mut self, store: &Rc<AuditedStore>, is_shared: bool, now: u64) -> bool {
        let clock = self.clock(now);
        self.life += 1;
        self.inbox.clear();
        self.process = Coordinator::open(store.clone(), DispatchPolicy::default(), is_shared, clock).ok();
        self.process.is_some()
    }
}
