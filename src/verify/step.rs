//! The current step of a verification, which progress bars show.

use std::time::Duration;

/// The current step of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Description of the step, such as `judging accepted/sum.py`.
    pub text: String,
    /// Number of finished parts and of all parts; `None` if the step has no parts.
    pub parts: Option<(usize, usize)>,
    /// Estimated time of the remaining parts; `None` if it is not known.
    pub left: Option<Duration>,
}

impl Step {
    /// Creates a step without parts.
    pub(super) fn new(text: impl Into<String>) -> Step {
        Step { text: text.into(), parts: None, left: None }
    }

    /// Creates the step that generates test data; `done` of `total` parts are finished.
    pub(super) fn generating(done: usize, total: usize) -> Step {
        Step { parts: Some((done, total)), ..Step::new("generating the test data") }
    }
}

/// Estimates the remaining time, assuming that the remaining parts take as long as the parts that were finished in
/// `elapsed`. Returns `None` if no part is finished.
pub(super) fn time_left(elapsed: Duration, done: usize, all: usize) -> Option<Duration> {
    let left = u32::try_from(all.saturating_sub(done)).ok()?;
    Some(elapsed.checked_div(u32::try_from(done).ok()?)? * left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_time_is_in_proportion() {
        assert_eq!(time_left(Duration::from_secs(9), 0, 4), None);
        assert_eq!(time_left(Duration::from_secs(9), 3, 4), Some(Duration::from_secs(3)));
        assert_eq!(time_left(Duration::from_secs(9), 4, 4), Some(Duration::ZERO));
    }
}
