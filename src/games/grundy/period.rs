//! Periods of Grundy sequences, and what makes a repetition a proof.

/// From where on and how a sequence repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first index from which on `g(n + period) = g(n)`.
    pub preperiod: usize,
    /// After how many values the sequence repeats.
    pub period: usize,
    /// Whether the repetition seen proves that it goes on for ever.
    pub certified: bool,
}

impl Period {
    /// The first index at which the sequence has the value it has at `n`; below `preperiod + period`.
    pub fn index(&self, n: u64) -> usize {
        let beyond = n.saturating_sub(self.preperiod as u64);
        match n < self.preperiod as u64 {
            true => n as usize,
            false => self.preperiod + (beyond % (self.period.max(1) as u64)) as usize,
        }
    }
}

/// How much repetition proves that a sequence repeats for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// Each value depends on the last `window` values only, so a window repeated is enough.
    Window(usize),
    /// A move takes at most `most` objects and leaves at most two heaps: `g(n + p) = g(n)` for
    /// `n0 <= n < 2 n0 + p + most` is enough (Guy and Smith 1956).
    GuySmith(usize),
    /// No bound is known; a repetition is only a guess.
    None,
}

impl Certificate {
    /// How many values from index 0 on must be known.
    fn needs(self, preperiod: usize, period: usize) -> usize {
        match self {
            Certificate::Window(window) => preperiod + period + window,
            Certificate::GuySmith(most) => 2 * preperiod + 2 * period + most,
            Certificate::None => usize::MAX,
        }
    }
}

/// The smallest period of the values, with the smallest pre-period that goes with it.
///
/// A certified one if the values are enough for it, otherwise one that has been seen at least three times and over
/// half of the values, otherwise none.
pub fn find_period(values: &[u32], certificate: Certificate) -> Option<Period> {
    let mut guess = None;
    for period in 1..=values.len() / 2 {
        let same = values.iter().rev().zip(values.iter().rev().skip(period)).take_while(|(a, b)| a == b).count();
        let preperiod = values.len() - period - same;
        // A repetition that has just begun cannot be certified: at least one whole period must be seen twice.
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
