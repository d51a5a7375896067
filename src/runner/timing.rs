//! Measures how much CPU times vary on this machine, by running a fixed loop many times.

use rustix::time::{ClockId, clock_gettime};

use crate::model::TimeSpan;

/// The number of runs of the loop.
const ROUNDS: usize = 200;
/// The number of steps of the loop, which together take a few milliseconds of CPU time. Without optimization, a step takes ten
/// times as long.
const STEPS: u64 = if cfg!(debug_assertions) { 400_000 } else { 4_000_000 };

/// Statistics of the CPU times of a fixed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Timing {
    /// The number of runs.
    pub rounds: usize,
    /// The shortest time.
    pub least: TimeSpan,
    /// The median time.
    pub median: TimeSpan,
    /// The 95th percentile of the times.
    pub high: TimeSpan,
    /// The longest time.
    pub greatest: TimeSpan,
}

impl Timing {
    /// Runs the fixed loop many times, on the CPU that the operating system chooses.
    pub fn measure() -> Timing {
        let mut times: Vec<TimeSpan> = (0..ROUNDS).map(|_| once()).collect();
        times.sort_unstable();
        let at = |part: usize| times[(ROUNDS - 1) * part / 100];
        Timing { rounds: ROUNDS, least: at(0), median: at(50), high: at(95), greatest: at(100) }
    }

    /// Returns the percentage by which the 95th percentile exceeds the shortest time.
    pub fn spread(&self) -> f64 {
        100.0 * (self.high.as_seconds_f64() / self.least.as_seconds_f64().max(1e-9) - 1.0)
    }
}

fn once() -> TimeSpan {
    let start = thread_time();
    let mut state = std::hint::black_box(1_u64);
    for _ in 0..STEPS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).rotate_left(7);
    }
    std::hint::black_box(state);
    TimeSpan::micros(thread_time().as_micros().saturating_sub(start.as_micros()))
}

/// Returns the CPU time that this thread has used so far.
fn thread_time() -> TimeSpan {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    TimeSpan::seconds(u64::try_from(time.tv_sec).unwrap_or(0))
        .plus(TimeSpan::micros(u64::try_from(time.tv_nsec).unwrap_or(0) / 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_order_and_not_nothing() {
        let timing = Timing::measure();
        assert!(TimeSpan::ZERO < timing.least && timing.least <= timing.median);
        assert!(timing.median <= timing.high && timing.high <= timing.greatest);
        assert!(timing.spread() >= 0.0);
    }
}
