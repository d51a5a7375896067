//! Statistics of a class: the number of programs with each verdict, by case.

use std::collections::BTreeMap;

use crate::model::{CaseId, Score, Verdict};

use super::super::record::Record;

/// Statistics of a case, over all programs that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CaseCounts {
    pub(super) case: CaseId,
    pub(super) group: String,
    /// Number of programs with each verdict, in the order of [`Verdict::ALL`].
    pub(super) verdicts: [usize; Verdict::ALL.len()],
    /// Number of programs that were not run on the case.
    pub(super) left_out: usize,
}

impl CaseCounts {
    /// Returns the number of programs that were run on the case.
    pub(super) fn run(&self) -> usize {
        self.verdicts.iter().sum()
    }
}

/// Statistics of a problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Statistics of each case, in the order of the cases.
    pub(super) cases: Vec<CaseCounts>,
    /// Number of programs in each language.
    pub(super) languages: BTreeMap<String, usize>,
    /// Number of programs.
    pub(super) programs: usize,
}

impl Counts {
    /// Adds the record of a program to the statistics.
    pub(super) fn add(&mut self, record: &Record) {
        self.programs += 1;
        let language = if record.language.is_empty() { "none" } else { &record.language };
        *self.languages.entry(language.to_owned()).or_default() += 1;
        if self.cases.is_empty() {
            let fresh = |mark: &super::super::record::CaseMark| CaseCounts {
                case: mark.case.clone(),
                group: record.groups.get(mark.group).map(|group| group.group.clone()).unwrap_or_default(),
                verdicts: [0; Verdict::ALL.len()],
                left_out: 0,
            };
            self.cases = record.cases.iter().map(fresh).collect();
        }
        for (counts, mark) in self.cases.iter_mut().zip(&record.cases) {
            match mark.verdict.and_then(|verdict| Verdict::ALL.iter().position(|other| *other == verdict)) {
                Some(index) => counts.verdicts[index] += 1,
                None => counts.left_out += 1,
            }
        }
    }
}

/// Returns the mean and the lower median, or `None` if there are no scores.
pub(super) fn middle(mut scores: Vec<Score>) -> Option<(Score, Score)> {
    scores.sort_unstable();
    let count = scores.len() as u64;
    let median = *scores.get(scores.len().checked_sub(1)? / 2)?;
    let sum: u64 = scores.iter().map(|score| score.as_thousandths()).sum();
    // The mean is rounded down to a tenth, since it is only displayed.
    Some((Score::thousandths(sum / count / 100 * 100), median))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_median() {
        let points = |all: &[u32]| all.iter().map(|&points| Score::points(points)).collect::<Vec<_>>();
        assert_eq!(middle(points(&[])), None);
        assert_eq!(middle(points(&[7])), Some((Score::points(7), Score::points(7))));
        assert_eq!(middle(points(&[100, 0, 0])), Some((Score::thousandths(33_300), Score::ZERO)));
    }
}
