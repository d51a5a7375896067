//! Schedule of a worker's canary runs and calibrations.

use std::time::{Duration, Instant};

/// Time between two calibrations of a worker that receives jobs.
const MEASURE: Duration = Duration::from_secs(600);
/// Time between two calibrations of an excluded worker, whose calibration may have been disturbed.
const MEASURE_SOON: Duration = Duration::from_secs(30);

/// The schedule of a worker's canary runs and calibrations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UpkeepPlan {
    /// Time between two canary runs; `None` if canary runs are disabled.
    canary_every: Option<Duration>,
    canary_at: Instant,
    /// Time of the last calibration; `None` if the calibration is fixed.
    measured: Option<Instant>,
    /// Whether the worker is excluded from receiving jobs.
    pub is_excluded: bool,
}

/// The checks that a worker must carry out now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DueChecks {
    /// Whether a canary run is due.
    pub canary: bool,
    /// Whether the calibration is due.
    pub calibration: bool,
}

impl UpkeepPlan {
    /// Creates the plan of a worker that has just carried out a canary run and a calibration.
    pub(super) fn new(canary_every: Option<Duration>, is_calibration_fixed: bool, now: Instant) -> UpkeepPlan {
        let canary_at = now + canary_every.unwrap_or_default();
        let measured = (!is_calibration_fixed).then_some(now);
        UpkeepPlan { canary_every, canary_at, measured, is_excluded: false }
    }

    /// Returns the checks that are due, and schedules the following checks. A calibration is due only while the worker
    /// has no jobs.
    pub(super) fn due(&mut self, is_idle: bool, now: Instant) -> DueChecks {
        let mut due = DueChecks::default();
        if let Some(every) = self.canary_every
            && now >= self.canary_at
        {
            due.canary = true;
            self.canary_at = now + every;
        }
        let pause = if self.is_excluded { MEASURE_SOON } else { MEASURE };
        if let Some(measured) = &mut self.measured
            && is_idle
            && now.duration_since(*measured) >= pause
        {
            due.calibration = true;
            *measured = now;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: DueChecks = DueChecks { canary: true, calibration: false };
    const CALIBRATION: DueChecks = DueChecks { canary: false, calibration: true };
    const NOTHING: DueChecks = DueChecks { canary: false, calibration: false };

    #[test]
    fn known_programs_are_judged_at_intervals_and_idle_workers_are_measured() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut plan = UpkeepPlan::new(Some(Duration::from_secs(400)), false, start);
        assert_eq!(plan.due(true, at(399)), NOTHING);
        assert_eq!(plan.due(true, at(400)), CANARY);
        assert_eq!(plan.due(true, at(401)), NOTHING);
        assert_eq!(plan.due(false, at(700)), NOTHING, "a worker with jobs is not measured");
        assert_eq!(plan.due(true, at(701)), CALIBRATION);
        plan.is_excluded = true;
        assert_eq!(plan.due(true, at(730)), NOTHING);
        assert_eq!(plan.due(true, at(731)), CALIBRATION, "a worker that gets no jobs is measured soon");
        let mut fixed = UpkeepPlan::new(None, true, start);
        assert_eq!(fixed.due(true, at(10_000)), NOTHING);
    }
}
