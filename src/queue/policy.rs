//! The limits and time intervals of the dispatch.

/// The limits and time intervals of the dispatch. Fields whose names end in `_ms` are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchPolicy {
    /// The length of a lease: a worker that is silent for this time loses its jobs.
    pub lease_ms: u64,
    /// The minimum difference between a lease in memory and the stored lease at which the stored lease is renewed.
    pub renew_ms: u64,
    /// The time after which an unanswered notification ([`DispatchOutput::Ring`](super::DispatchOutput::Ring)) is
    /// repeated.
    pub ring_ms: u64,
    /// The number of failed attempts after which a job is parked.
    pub attempts: u32,
    /// The delay before the third attempt, which doubles with each further attempt. The second attempt is not delayed,
    /// because most failures are caused by the worker and not by the job.
    pub backoff_ms: u64,
    /// The time without a message after which a worker that has no jobs is removed. A worker that was set aside remains
    /// set aside.
    pub forget_ms: u64,
    /// The number of faults of a worker, on jobs that other workers finished, after which the worker is set aside.
    pub strikes: usize,
    /// Maximum number of jobs with [`Priority::Person`](super::Priority::Person) of one person that run concurrently in
    /// a pool.
    pub per_person: usize,
    /// One of every `kept` slots, rounded up, is reserved for [`Priority::Person`](super::Priority::Person); a pool
    /// with a single slot reserves none.
    pub kept: usize,
    /// Maximum number of unanswered notifications for each free slot of a pool. When a pool has reached this maximum,
    /// no further notification is sent until one is answered or `ring_ms` has passed.
    pub rings_per_slot: usize,
    /// Whether workers are admitted to a pool although they differ from its other workers in CPU, compilers, isolation
    /// or calibration.
    pub admit_any: bool,
}

impl Default for DispatchPolicy {
    fn default() -> DispatchPolicy {
        DispatchPolicy {
            lease_ms: 14_000,
            renew_ms: 6_000,
            ring_ms: 5_000,
            attempts: 5,
            backoff_ms: 1_000,
            forget_ms: 30 * 86_400_000,
            strikes: 3,
            per_person: 2,
            kept: 10,
            rings_per_slot: 2,
            admit_any: false,
        }
    }
}

impl DispatchPolicy {
    /// Returns the delay, in milliseconds, before a job that had this number of attempts is granted again.
    pub fn backoff(&self, attempts: u32) -> u64 {
        match attempts.checked_sub(2) {
            None => 0,
            Some(doublings) => self.backoff_ms.saturating_mul(1 << doublings.min(20)),
        }
    }

    /// Returns how many of the `slots` slots of a pool may be used by jobs with lower priorities than
    /// [`Priority::Person`](super::Priority::Person).
    pub fn background_slots(&self, slots: usize) -> usize {
        let kept = if slots < 2 { 0 } else { slots.div_ceil(self.kept.max(1)) };
        slots - kept.min(slots)
    }
}
