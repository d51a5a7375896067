//! Folds: reductions of a list to one number, computed while the list is read so that it need not be stored.

use super::expr::{Expr, Known, NoValue};
use super::instance::Column;

/// A reduction of a list, such as `sum(a)` or `count(a, 0)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fold {
    pub(crate) source: FoldSource,
    pub(crate) kind: FoldKind,
}

/// The variable whose values are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoldSource {
    /// A variable of this description.
    Own(usize),
    /// A variable of the input to which an answer belongs.
    Given(usize),
}

/// The function that reduces the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FoldKind {
    Sum,
    Count,
    Least,
    Greatest,
    Xor,
    /// The number of values that equal the value of this expression.
    CountOf(Expr),
}

/// State of a fold while values are added.
#[derive(Debug, Clone)]
pub(crate) struct RunningFold {
    rule: FoldRule,
    value: i128,
    seen: u64,
}

#[derive(Debug, Clone, Copy)]
enum FoldRule {
    Sum,
    Count,
    Least,
    Greatest,
    Xor,
    CountOf(i128),
}

impl FoldKind {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            FoldKind::Sum => "sum",
            FoldKind::Count | FoldKind::CountOf(_) => "count",
            FoldKind::Least => "min",
            FoldKind::Greatest => "max",
            FoldKind::Xor => "xor",
        }
    }
}

impl Fold {
    pub(crate) fn start(&self, known: &Known<'_>) -> Result<RunningFold, NoValue> {
        let rule = match &self.kind {
            FoldKind::Sum => FoldRule::Sum,
            FoldKind::Count => FoldRule::Count,
            FoldKind::Least => FoldRule::Least,
            FoldKind::Greatest => FoldRule::Greatest,
            FoldKind::Xor => FoldRule::Xor,
            FoldKind::CountOf(wanted) => FoldRule::CountOf(wanted.value(known)?),
        };
        Ok(RunningFold { rule, value: 0, seen: 0 })
    }

    /// Computes the fold of a whole column.
    pub(crate) fn of(&self, column: &Column, known: &Known<'_>) -> Result<Option<i128>, NoValue> {
        let mut running = self.start(known)?;
        running.add_all(column.numbers());
        running.skip(column.texts().len());
        Ok(running.result())
    }
}

impl RunningFold {
    #[inline]
    pub(crate) fn add(&mut self, number: i64) {
        let wide = i128::from(number);
        match self.rule {
            // The sum of 2^64 values of 64 bits fits in 128 bits, so the addition cannot overflow.
            FoldRule::Sum => self.value += wide,
            FoldRule::Count => self.value += 1,
            FoldRule::Least => self.value = if self.seen == 0 { wide } else { self.value.min(wide) },
            FoldRule::Greatest => self.value = if self.seen == 0 { wide } else { self.value.max(wide) },
            FoldRule::Xor => self.value ^= wide,
            FoldRule::CountOf(wanted) => self.value += i128::from(wide == wanted),
        }
        self.seen += 1;
    }

    /// Adds several values. For sums and xors, this is faster than one call of `add` for each value.
    pub(crate) fn add_all(&mut self, numbers: &[i64]) {
        match self.rule {
            FoldRule::Sum => self.value += numbers.iter().map(|number| i128::from(*number)).sum::<i128>(),
            FoldRule::Xor => self.value ^= i128::from(numbers.iter().fold(0, |all, number| all ^ number)),
            _ => return numbers.iter().for_each(|number| self.add(*number)),
        }
        self.seen += numbers.len() as u64;
    }

    /// Adds `count` values that are not numbers, which affect only [`FoldKind::Count`].
    pub(crate) fn skip(&mut self, count: usize) {
        if matches!(self.rule, FoldRule::Count) {
            self.value += count as i128;
        }
    }

    /// Returns the result, or `None` for the minimum or maximum of an empty list.
    pub(crate) fn result(&self) -> Option<i128> {
        let empty = self.seen == 0 && matches!(self.rule, FoldRule::Least | FoldRule::Greatest);
        (!empty).then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::super::instance::Cells;
    use super::*;

    fn fold(kind: FoldKind, numbers: &[i64]) -> Option<i128> {
        let column = Column { cells: Cells::Numbers(numbers.to_vec()), ends: vec![] };
        let known = Known { columns: &[], row: 0, folds: &[], given: None };
        Fold { source: FoldSource::Own(0), kind }.of(&column, &known).unwrap()
    }

    #[test]
    fn folds_of_known_lists() {
        let numbers = [5, -3, 5, i64::MAX];
        assert_eq!(fold(FoldKind::Sum, &numbers), Some(7 + i128::from(i64::MAX)));
        assert_eq!(fold(FoldKind::Count, &numbers), Some(4));
        assert_eq!(fold(FoldKind::Least, &numbers), Some(-3));
        assert_eq!(fold(FoldKind::Greatest, &numbers), Some(i128::from(i64::MAX)));
        assert_eq!(fold(FoldKind::Xor, &numbers), Some(i128::from(-3 ^ i64::MAX)));
        assert_eq!(fold(FoldKind::CountOf(Expr::Number(5)), &numbers), Some(2));
        assert_eq!((fold(FoldKind::Least, &[]), fold(FoldKind::Sum, &[])), (None, Some(0)));
    }
}
