//! Generates random lists that satisfy given predicates and comparisons of folds.

use std::collections::HashSet;

use super::clause::CompareOp;
use super::description::Marks;
use super::fold::FoldKind;
use super::instance::Cells;
use super::layout::{ValueKind, Var};
use super::predicate::permutation_end;
use super::rng::Rng;

/// Maximum number of draws to find a word that is not in the list yet, or a number that can replace another number in
/// the list.
const TRIES: usize = 1000;
/// Maximum length of a generated word, which bounds memory even if the description allows longer words.
const LONGEST_WORD: i64 = 1 << 26;
/// Maximum length of a list that is drawn several times before its values are changed to meet its aims, since a
/// random list often meets them.
const SHORT: usize = 10_000;

/// A comparison of a fold with a number, which the generated list must satisfy.
#[derive(Debug, Clone)]
pub(crate) struct Aim {
    pub(crate) fold: FoldKind,
    pub(crate) order: CompareOp,
    pub(crate) value: i128,
}

/// Generates `count` values of the variable within `bounds`. Returns `None` if no such list exists or none was found.
pub(crate) fn list(
    var: &Var,
    marks: Marks,
    aims: &[Aim],
    bounds: (i64, i64),
    count: usize,
    rng: &mut Rng,
) -> Option<Cells> {
    match &var.kind {
        ValueKind::Word { letters, .. } => words(letters, marks, bounds, count, rng).map(Cells::Texts),
        ValueKind::Choice { allowed, .. } => {
            let last = i64::try_from(allowed.len()).ok()? - 1;
            let places = numbers(marks, &[], (0, last), count, rng)?;
            let value = |place: i64| i64::try_from(*allowed.get(usize::try_from(place).ok()?)?).ok();
            places.into_iter().map(value).collect::<Option<Vec<i64>>>().map(Cells::Numbers)
        }
        ValueKind::Int(_) | ValueKind::Real { .. } => numbers(marks, aims, bounds, count, rng).map(Cells::Numbers),
    }
}

/// Generates a random word whose length is within `bounds`.
pub(crate) fn word(letters: &[u8], bounds: (i64, i64), rng: &mut Rng) -> String {
    let length = rng.between(bounds.0, bounds.1.min(LONGEST_WORD)).min(LONGEST_WORD);
    (0..length).map(|_| char::from(rng.choose(letters).copied().unwrap_or(b'?'))).collect()
}

fn words(letters: &[u8], marks: Marks, bounds: (i64, i64), count: usize, rng: &mut Rng) -> Option<Vec<String>> {
    let mut all: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..count {
        let mut fresh = (0..TRIES).map(|_| word(letters, bounds, rng));
        let word = if marks.distinct { fresh.find(|word| seen.insert(word.clone()))? } else { fresh.next()? };
        all.push(word);
    }
    if marks.sorted {
        all.sort_unstable();
    }
    Some(all)
}

fn numbers(marks: Marks, aims: &[Aim], bounds: (i64, i64), count: usize, rng: &mut Rng) -> Option<Vec<i64>> {
    let (lo, hi) = within(aims, bounds)?;
    let mut numbers = if marks.permutation {
        let last = permutation_end(lo, count);
        if count > 0 && last > hi {
            return None;
        }
        let mut all: Vec<i64> = if count > 0 { (lo..=last).collect() } else { Vec::new() };
        rng.shuffle(&mut all);
        all
    } else if marks.distinct {
        let mut all = distinct(lo, hi, count, rng)?;
        for aim in aims {
            if !aim.met(&all) {
                aim.meet_count(&mut all, (lo, hi), true, rng)?;
            }
        }
        all
    } else {
        aimed(aims, (lo, hi), count, rng)?
    };
    if marks.sorted {
        numbers.sort_unstable();
    }
    Some(numbers)
}

/// Narrows the bounds by the aims for the greatest and the least value. Returns `None` if the bounds become empty.
fn within(aims: &[Aim], (lo, hi): (i64, i64)) -> Option<(i64, i64)> {
    let (mut lo, mut hi) = (i128::from(lo), i128::from(hi));
    for aim in aims {
        match (&aim.fold, aim.order) {
            (FoldKind::Greatest, CompareOp::AtMost | CompareOp::Equal) => hi = hi.min(aim.value),
            (FoldKind::Greatest, CompareOp::Less) => hi = hi.min(aim.value - 1),
            (FoldKind::Least, CompareOp::AtLeast | CompareOp::Equal) => lo = lo.max(aim.value),
            (FoldKind::Least, CompareOp::Greater) => lo = lo.max(aim.value + 1),
            _ => {}
        }
    }
    let bounds = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
    (bounds.0 <= bounds.1).then_some(bounds)
}

fn distinct(lo: i64, hi: i64, count: usize, rng: &mut Rng) -> Option<Vec<i64>> {
    let width = i128::from(hi) - i128::from(lo) + 1;
    if width < count as i128 {
        return None;
    }
    if width <= 4 * count as i128 {
        let mut all: Vec<i64> = (lo..=hi).collect();
        // Only the first `count` steps of the shuffle are needed.
        for at in 0..count {
            let other = at + rng.place(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        return Some(all);
    }
    let mut seen = HashSet::with_capacity(count);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let number = rng.between(lo, hi);
        if seen.insert(number) {
            all.push(number);
        }
    }
    Some(all)
}

fn aimed(aims: &[Aim], bounds: (i64, i64), count: usize, rng: &mut Rng) -> Option<Vec<i64>> {
    let free = |rng: &mut Rng| rng.many_between(bounds.0, bounds.1, count);
    let mut numbers = free(rng);
    let tries = if count <= SHORT { 8 } else { 1 };
    for _ in 1..tries {
        if aims.iter().all(|aim| aim.met(&numbers)) {
            break;
        }
        numbers = free(rng);
    }
    for aim in aims {
        if !aim.met(&numbers) {
            aim.meet(&mut numbers, bounds, rng)?;
        }
    }
    Some(numbers)
}

impl Aim {
    fn met(&self, numbers: &[i64]) -> bool {
        let wide = numbers.iter().map(|number| i128::from(*number));
        let value = match &self.fold {
            FoldKind::Sum => Some(wide.sum()),
            FoldKind::Xor => Some(wide.fold(0, |a, b| a ^ b)),
            FoldKind::Least => wide.min(),
            FoldKind::Greatest => wide.max(),
            FoldKind::CountOf(of) => of.constant().map(|of| wide.filter(|number| *number == of).count() as i128),
            FoldKind::Count => return true,
        };
        value.is_some_and(|value| self.order.holds(value, self.value))
    }

    /// Changes the numbers to meet the aim. Returns `None` if no suitable change is found. An aim with `!=`, and an aim
    /// for an xor with an operator other than `==`, may still be unmet afterwards.
    fn meet(&self, numbers: &mut [i64], bounds: (i64, i64), rng: &mut Rng) -> Option<()> {
        match &self.fold {
            FoldKind::Sum => {
                let total = self.total(numbers.len(), bounds, rng)?;
                split(total, numbers, bounds, rng);
            }
            FoldKind::Xor if self.order == CompareOp::Equal => {
                let at = rng.place(numbers.len());
                let rest = numbers.iter().enumerate().filter(|(place, _)| *place != at);
                let rest = rest.fold(0, |all, (_, number)| all ^ number);
                let wanted = i64::try_from(self.value).ok()? ^ rest;
                *numbers.get_mut(at)? = Some(wanted).filter(|wanted| (bounds.0..=bounds.1).contains(wanted))?;
            }
            FoldKind::Least | FoldKind::Greatest => {
                let (least, greatest) = allowed(self.order, self.value, bounds)?;
                let at = rng.place(numbers.len());
                *numbers.get_mut(at)? = rng.between(least, greatest);
            }
            FoldKind::CountOf(_) => self.meet_count(numbers, bounds, false, rng)?,
            _ => {}
        }
        Some(())
    }

    /// Adds or overwrites occurrences of the counted value until their number meets the aim. Returns `None` if the aim
    /// cannot be met, or if no other value is found in [`TRIES`] draws.
    fn meet_count(&self, numbers: &mut [i64], bounds: (i64, i64), distinct: bool, rng: &mut Rng) -> Option<()> {
        let FoldKind::CountOf(of) = &self.fold else { return Some(()) };
        let of = i64::try_from(of.constant()?).ok().filter(|of| (bounds.0..=bounds.1).contains(of))?;
        let most = if distinct { numbers.len().min(1) } else { numbers.len() };
        let (least, most) = allowed(self.order, self.value, (0, i64::try_from(most).ok()?))?;
        let wanted = usize::try_from(rng.between(least, most)).ok()?;
        let mut there = numbers.iter().filter(|number| **number == of).count();
        for at in rng.permutation(numbers.len()) {
            if there < wanted && numbers[at] != of {
                numbers[at] = of;
                there += 1;
            } else if there > wanted && numbers[at] == of {
                let mut other = (0..TRIES).map(|_| rng.between(bounds.0, bounds.1));
                numbers[at] = other.find(|other| *other != of && !(distinct && numbers.contains(other)))?;
                there -= 1;
            }
        }
        Some(())
    }

    /// Draws a sum that is possible for `count` values within the bounds and that meets the aim, except that `!=`
    /// excludes no sum. Returns `None` if there is none.
    fn total(&self, count: usize, bounds: (i64, i64), rng: &mut Rng) -> Option<i128> {
        let count = count as i128;
        let (mut least, mut most) = (count * i128::from(bounds.0), count * i128::from(bounds.1));
        match self.order {
            CompareOp::Equal => (least, most) = (least.max(self.value), most.min(self.value)),
            CompareOp::AtMost => most = most.min(self.value),
            CompareOp::Less => most = most.min(self.value - 1),
            CompareOp::AtLeast => least = least.max(self.value),
            CompareOp::Greater => least = least.max(self.value + 1),
            CompareOp::Unequal => {}
        }
        if least > most {
            return None;
        }
        // The sum is one of the 2^64 least possible sums, which provides enough variety.
        let width = u64::try_from(most - least).unwrap_or(u64::MAX - 1);
        Some(least + i128::from(rng.below(width.saturating_add(1))))
    }
}

/// Returns the range of the numbers within the bounds for which the comparison with `value` holds, or `None` if there
/// are none. `!=` excludes no number.
fn allowed(order: CompareOp, value: i128, (lo, hi): (i64, i64)) -> Option<(i64, i64)> {
    let (lo, hi) = (i128::from(lo), i128::from(hi));
    let (lo, hi) = match order {
        CompareOp::Equal => (lo.max(value), hi.min(value)),
        CompareOp::AtMost => (lo, hi.min(value)),
        CompareOp::Less => (lo, hi.min(value - 1)),
        CompareOp::AtLeast => (lo.max(value), hi),
        CompareOp::Greater => (lo.max(value + 1), hi),
        CompareOp::Unequal => (lo, hi),
    };
    let bounds = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
    (bounds.0 <= bounds.1).then_some(bounds)
}

/// Distributes `total` over the numbers at random. Each number stays within the bounds, which must allow the total.
fn split(total: i128, numbers: &mut [i64], (lo, hi): (i64, i64), rng: &mut Rng) {
    let count = numbers.len();
    let room = i128::from(hi) - i128::from(lo);
    let mut extra = total - i128::from(lo) * count as i128;
    // Random cuts divide the extra amount into shares. The parts of shares that exceed `room` are distributed below.
    let mut cuts: Vec<i128> = (1..count).map(|_| random_upto(extra, rng)).collect();
    cuts.sort_unstable();
    let mut last = 0;
    for (at, number) in numbers.iter_mut().enumerate() {
        let cut = cuts.get(at).copied().unwrap_or(extra);
        let share = (cut - last).min(room);
        last = cut;
        *number = (i128::from(lo) + share) as i64;
    }
    extra -= numbers.iter().map(|number| i128::from(*number) - i128::from(lo)).sum::<i128>();
    for at in rng.permutation(count) {
        let more = extra.min(i128::from(hi) - i128::from(numbers[at]));
        numbers[at] = (i128::from(numbers[at]) + more) as i64;
        extra -= more;
    }
}

fn random_upto(most: i128, rng: &mut Rng) -> i128 {
    let width = u64::try_from(most).unwrap_or(u64::MAX - 1);
    i128::from(rng.below(width.saturating_add(1)))
}

#[cfg(test)]
mod tests {
    use super::super::expr::Expr;
    use super::*;
    use crate::model::Digest;

    #[test]
    fn satisfiable_aims_are_met() {
        let mut rng = Rng::from_digest(&Digest::of(b"aims"));
        let orders = [CompareOp::Equal, CompareOp::AtMost, CompareOp::Less, CompareOp::AtLeast, CompareOp::Greater];
        for order in orders {
            for value in -12..=40 {
                let aim = Aim { fold: FoldKind::Sum, order, value };
                let found = numbers(Marks::default(), std::slice::from_ref(&aim), (-2, 7), 5, &mut rng);
                let possible = (-10..=35).any(|sum| order.holds(sum, value));
                assert_eq!(found.is_some(), possible, "{aim:?}");
                let fine = |list: Vec<i64>| aim.met(&list) && list.iter().all(|x| (-2..=7).contains(x));
                assert!(found.is_none_or(fine), "{aim:?}");
                let of = Expr::Number(3);
                let aim = Aim { fold: FoldKind::CountOf(of), order, value };
                for marks in [Marks::default(), Marks { distinct: true, ..Marks::default() }] {
                    let found = numbers(marks, std::slice::from_ref(&aim), (-2, 7), 5, &mut rng);
                    let most = if marks.distinct { 1 } else { 5 };
                    assert_eq!(found.is_some(), (0..=most).any(|count| order.holds(count, value)), "{aim:?}");
                    assert!(found.is_none_or(|list| aim.met(&list)), "{aim:?}");
                }
                let aim = Aim { fold: FoldKind::Greatest, order, value };
                let found = numbers(Marks::default(), std::slice::from_ref(&aim), (-2, 7), 5, &mut rng);
                assert_eq!(found.is_some(), (-2..=7).any(|max| order.holds(max, value)), "{aim:?}");
                assert!(found.is_none_or(|list| aim.met(&list)), "{aim:?}");
            }
        }
    }

    #[test]
    fn extreme_sum_is_distributed_over_the_list() {
        let mut rng = Rng::from_digest(&Digest::of(b"spread"));
        let aim = Aim { fold: FoldKind::Sum, order: CompareOp::AtMost, value: 200_000 };
        let list = numbers(Marks::default(), &[aim], (1, 200_000), 100_000, &mut rng).unwrap();
        assert!(list.iter().sum::<i64>() <= 200_000);
        assert!(list.iter().all(|x| *x >= 1));
    }

    #[test]
    fn distinct_lists_fill_even_a_range_that_is_just_wide_enough() {
        let mut rng = Rng::from_digest(&Digest::of(b"distinct"));
        for (lo, hi, count) in [(1, 10, 10), (i64::MIN, i64::MAX, 100), (0, 1000, 20), (5, 5, 1), (5, 5, 0)] {
            let list = distinct(lo, hi, count, &mut rng).unwrap();
            assert_eq!(list.iter().collect::<HashSet<_>>().len(), count);
            assert!(list.iter().all(|x| (lo..=hi).contains(x)));
        }
        assert_eq!(distinct(1, 3, 4, &mut rng), None);
    }
}
