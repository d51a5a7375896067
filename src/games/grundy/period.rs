//! Periods of sequences of Grundy values, and certificates that prove them.

/// The period and preperiod of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The smallest index from which `g(n + period) = g(n)` holds.
    pub preperiod: usize,
    /// The length of the period.
    pub period: usize,
    /// Whether the repetition is proved for all indices from the preperiod on.
    pub certified: bool,
}

impl Period {
    /// Returns an index below `preperiod + period` at which the sequence has the same value as at `n`.
    pub fn index(&self, n: u64) -> usize {
        let beyond = n.saturating_sub(self.preperiod as u64);
        match n < self.preperiod as u64 {
            true => n as usize,
            false => self.preperiod + (beyond % (self.period.max(1) as u64)) as usize,
        }
    }
}

/// The kind of repetition that proves a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// Each value depends only on this number of values before it, so one repeated window of this length is a proof.
    Window(usize),
    /// A move takes at most this number `t` of objects and leaves at most two heaps. For a preperiod `n0` and a period
    /// `p`, it suffices that `g(n + p) = g(n)` for `n0 <= n < 2 n0 + p + t` (Guy and Smith 1956).
    GuySmith(usize),
    /// No bound is known. A repetition proves nothing.
    None,
}

impl Certificate {
    /// Returns the number of values, from index 0, that must be known to prove a period.
    fn needs(self, preperiod: usize, period: usize) -> usize {
        match self {
            Certificate::Window(window) => preperiod + period + window,
            Certificate::GuySmith(most) => 2 * preperiod + 2 * period + most,
            Certificate::None => usize::MAX,
        }
    }
}

/// Returns the smallest period of the values, with its smallest preperiod.
///
/// A certified period takes precedence. Otherwise returns an uncertified period that occurs at least three times and
/// repeats over at least half of the values, or `None`.
pub fn find_period(values: &[u32], certificate: Certificate) -> Option<Period> {
    let mut guess = None;
    for period in 1..=values.len() / 2 {
        let same = values.iter().rev().zip(values.iter().rev().skip(period)).take_while(|(a, b)| a == b).count();
        let preperiod = values.len() - period - same;
        // The certificates require that at least one whole period is repeated.
        if same >= period && certificate.needs(preperiod, period) <= values.len() {
            return Some(Period { preperiod, period, certified: true });
        }
        if guess.is_none() && same >= 2 * period && 2 * same >= values.len() {
            guess = Some(Period { preperiod, period, certified: false });
        }
    }
    guess
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_period_and_preperiod_are_found() {
        let values = [9, 9, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0];
        let found = find_period(&values, Certificate::Window(3)).unwrap();
        assert_eq!(found, Period { preperiod: 2, period: 3, certified: true });
    }

    #[test]
    fn too_few_values_certify_nothing() {
        let values = [0, 1, 2, 0, 1, 2, 0, 1, 2];
        let found = find_period(&values, Certificate::GuySmith(10)).unwrap();
        assert_eq!(found, Period { preperiod: 0, period: 3, certified: false });
        assert_eq!(find_period(&[0, 1, 2, 3], Certificate::Window(1)), None);
    }
}
