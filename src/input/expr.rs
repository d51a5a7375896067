//! Integer expressions over names, used for bounds and lengths in a description and as the operands of comparisons in
//! its `where` clauses.
//!
//! They are evaluated with checked 128-bit arithmetic, so that bounds near the ends of the 64-bit range are exact.

use super::instance::{Column, Instance};

/// An integer expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Number(i128),
    Name(NumberName),
    /// A fold, by its index in the description.
    Fold(usize),
    Minus(Box<Expr>),
    Binary(Sign, Box<Expr>, Box<Expr>),
    Least(Vec<Expr>),
    Greatest(Vec<Expr>),
}

/// A name whose value is a single number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberName {
    /// A variable of this description: a single number, or a column, which stands for its value in the current row.
    Own(usize),
    /// A single number of the input to which an answer belongs.
    Given(usize),
}

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
    Times,
    /// Division, rounded towards minus infinity.
    Over,
    /// Remainder, never negative.
    Modulo,
    Power,
}

/// The reason why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoValue {
    #[error("is too large to compute")]
    Overflow,
    #[error("divides by zero")]
    Zero,
    #[error("has a negative exponent")]
    Exponent,
    #[error("requires the minimum or maximum of an empty list")]
    Empty,
    #[error("depends on the input, which is not available")]
    NotGiven,
}

/// The values with which expressions are evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) columns: &'a [Column],
    /// Index of the current row in a block; 0 outside of blocks.
    pub(crate) row: usize,
    /// The results of the description's folds; `None` if a fold is not computed yet, or is the minimum or maximum of an
    /// empty list.
    pub(crate) folds: &'a [Option<i128>],
    pub(crate) given: Option<&'a Instance>,
}

impl Known<'_> {
    fn number(&self, name: NumberName) -> Result<i128, NoValue> {
        let column = match name {
            NumberName::Own(var) => self.columns.get(var),
            NumberName::Given(var) => Some(self.given.ok_or(NoValue::NotGiven)?.column(var)),
        };
        column.and_then(|column| column.number(self.row)).map(i128::from).ok_or(NoValue::NotGiven)
    }
}

impl Expr {
    /// Evaluates the expression.
    pub(crate) fn value(&self, known: &Known<'_>) -> Result<i128, NoValue> {
        match self {
            Expr::Number(number) => Ok(*number),
            Expr::Name(name) => known.number(*name),
            Expr::Fold(fold) => known.folds.get(*fold).copied().flatten().ok_or(NoValue::Empty),
            Expr::Minus(inner) => inner.value(known)?.checked_neg().ok_or(NoValue::Overflow),
            Expr::Binary(sign, left, right) => sign.apply(left.value(known)?, right.value(known)?),
            Expr::Least(all) => best(all, known, i128::min),
            Expr::Greatest(all) => best(all, known, i128::max),
        }
    }

    /// Evaluates an expression without names. Returns `None` if it has names or no value.
    pub(crate) fn constant(&self) -> Option<i128> {
        let mut free = true;
        self.visit(&mut |part| free &= !matches!(part, Expr::Name(_) | Expr::Fold(_)));
        let nothing = Known { columns: &[], row: 0, folds: &[], given: None };
        if free { self.value(&nothing).ok() } else { None }
    }

    /// Calls `see` with the expression and all of its subexpressions.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        match self {
            Expr::Number(_) | Expr::Name(_) | Expr::Fold(_) => {}
            Expr::Minus(inner) => inner.visit(see),
            Expr::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Expr::Least(all) | Expr::Greatest(all) => all.iter().for_each(|part| part.visit(see)),
        }
    }

    /// Returns the indices of the variables of this description that the expression names.
    pub(crate) fn own_names(&self) -> Vec<usize> {
        let mut names = Vec::new();
        self.visit(&mut |part| {
            if let Expr::Name(NumberName::Own(var)) = part {
                names.push(*var);
            }
        });
        names
    }

    /// Returns the indices of the folds that the expression uses.
    pub(crate) fn folds(&self) -> Vec<usize> {
        let mut folds = Vec::new();
        self.visit(&mut |part| {
            if let Expr::Fold(fold) = part {
                folds.push(*fold);
            }
        });
        folds
    }

    /// Returns bounds on the value, computed from the bounds that `range_of` returns for names. The bounds may be wider
    /// than necessary, but are never too narrow. Returns `None` if no bounds are known.
    pub(crate) fn span(&self, range_of: &dyn Fn(NumberName) -> Option<(i128, i128)>) -> Option<(i128, i128)> {
        match self {
            Expr::Number(number) => Some((*number, *number)),
            Expr::Name(name) => range_of(*name),
            Expr::Fold(_) => None,
            Expr::Minus(inner) => {
                let (least, greatest) = inner.span(range_of)?;
                Some((greatest.checked_neg()?, least.checked_neg()?))
            }
            Expr::Binary(sign, left, right) => corners(*sign, left.span(range_of)?, right.span(range_of)?),
            Expr::Least(all) => ends(all, range_of, i128::min),
            Expr::Greatest(all) => ends(all, range_of, i128::max),
        }
    }
}

fn best(all: &[Expr], known: &Known<'_>, better: fn(i128, i128) -> i128) -> Result<i128, NoValue> {
    let mut found = None;
    for part in all {
        let value = part.value(known)?;
        found = Some(found.map_or(value, |best| better(best, value)));
    }
    found.ok_or(NoValue::Empty)
}

fn ends(
    all: &[Expr],
    range_of: &dyn Fn(NumberName) -> Option<(i128, i128)>,
    better: fn(i128, i128) -> i128,
) -> Option<(i128, i128)> {
    let mut spans = all.iter().map(|part| part.span(range_of));
    let first = spans.next()??;
    spans.try_fold(first, |best, span| span.map(|span| (better(best.0, span.0), better(best.1, span.1))))
}

/// Returns the least and the greatest value of a sum, difference or product, which are attained at the ends of the
/// operands' ranges. Returns `None` for a quotient, remainder or power unless both operands are single numbers.
fn corners(sign: Sign, left: (i128, i128), right: (i128, i128)) -> Option<(i128, i128)> {
    let known = left.0 == left.1 && right.0 == right.1;
    if !known && !matches!(sign, Sign::Plus | Sign::Minus | Sign::Times) {
        return None;
    }
    let mut all = Vec::new();
    for a in [left.0, left.1] {
        for b in [right.0, right.1] {
            all.push(sign.apply(a, b).ok()?);
        }
    }
    Some((*all.iter().min()?, *all.iter().max()?))
}

impl Sign {
    fn apply(self, left: i128, right: i128) -> Result<i128, NoValue> {
        if right == 0 && matches!(self, Sign::Over | Sign::Modulo) {
            return Err(NoValue::Zero);
        }
        match self {
            Sign::Plus => left.checked_add(right),
            Sign::Minus => left.checked_sub(right),
            Sign::Times => left.checked_mul(right),
            Sign::Over => floor(left, right),
            Sign::Modulo => left.checked_rem_euclid(right),
            Sign::Power if right < 0 => return Err(NoValue::Exponent),
            Sign::Power => power(left, right),
        }
        .ok_or(NoValue::Overflow)
    }
}

fn floor(left: i128, right: i128) -> Option<i128> {
    let quotient = left.checked_div(right)?;
    let exact = left % right == 0;
    Some(if !exact && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
}

fn power(base: i128, exponent: i128) -> Option<i128> {
    match base {
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(sign: Sign, left: i128, right: i128) -> Result<i128, NoValue> {
        sign.apply(left, right)
    }

    #[test]
    fn division_rounds_down_and_remainders_are_never_negative() {
        assert_eq!(apply(Sign::Over, -7, 2), Ok(-4));
        assert_eq!(apply(Sign::Over, 7, 2), Ok(3));
        assert_eq!(apply(Sign::Over, -8, 2), Ok(-4));
        assert_eq!(apply(Sign::Modulo, -7, 3), Ok(2));
    }

    #[test]
    fn failed_evaluations_give_the_reason() {
        assert_eq!(apply(Sign::Power, 10, 60), Err(NoValue::Overflow));
        assert_eq!(apply(Sign::Power, 2, -1), Err(NoValue::Exponent));
        assert_eq!(apply(Sign::Over, 1, 0), Err(NoValue::Zero));
        assert_eq!(apply(Sign::Times, i128::MAX, 2), Err(NoValue::Overflow));
        assert_eq!(apply(Sign::Power, -1, 1 << 100), Ok(1));
    }

    #[test]
    fn a_span_covers_every_value() {
        let n = |_| Some((-3, 5));
        let square = Expr::Binary(
            Sign::Times,
            Box::new(Expr::Name(NumberName::Own(0))),
            Box::new(Expr::Minus(Box::new(Expr::Name(NumberName::Own(0))))),
        );
        let (least, greatest) = square.span(&n).unwrap();
        assert!((-3..=5_i128).all(|x| (least..=greatest).contains(&(x * -x))));
    }
}
