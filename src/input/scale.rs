//! Scales a description down by narrowing its bounds, to obtain inputs of any size up to the maximum.

use super::description::Description;
use super::expr::Expr;
use super::kind::{self, Place};
use super::layout::{Length, Range, ValueKind, Var};

/// The role of a name whose bounds are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A number of values or rows, or the length of a word.
    Count,
    /// A value. The bounds of a real number are in units of its last digit.
    Value,
}

impl Description {
    /// Returns this description with the bounds of each name narrowed by `choose`.
    ///
    /// `choose` is called with the role and the inclusive bounds of every name whose bounds are constants, except
    /// choices of words, in the order of the names in the input. The result is intersected with these bounds. If the
    /// intersection is empty, the old bounds are kept. Bounds that depend on other values (`1..=n`) are narrowed
    /// indirectly. The returned description may have no valid input.
    #[must_use]
    pub fn scaled(&self, choose: &mut dyn FnMut(Role, (i64, i64)) -> (i64, i64)) -> Description {
        let mut layout = (*self.layout).clone();
        let counts = counts(&layout.vars, layout.items.iter().filter_map(|item| item.repeat.as_ref()));
        for at in 0..layout.vars.len() {
            let role = if counts.contains(&at) { Role::Count } else { Role::Value };
            let scaled = rescaled(&layout.vars[at].kind, role, choose);
            let var = &mut layout.vars[at];
            var.kind = scaled.unwrap_or_else(|| var.kind.clone());
            let place = Place { vars: &layout.vars[..at], given: self.given.as_deref() };
            layout.vars[at].span = kind::span(&layout.vars[at].kind, &place);
        }
        Description::assemble(layout, self.folds.clone(), self.clauses.clone(), self.given.clone())
    }

    /// Returns an upper bound on the number of values in an input of this description; `u64::MAX` if the description
    /// does not determine one.
    pub fn most_values(&self) -> u64 {
        let most = |length: &Option<Length>| match length {
            None => 1,
            Some(length) => length
                .expr
                .span(&|name| kind::span_of(name, &self.layout.vars, self.given.as_deref()))
                .map_or(u64::MAX, |(_, most)| u64::try_from(most.max(0)).unwrap_or(u64::MAX)),
        };
        let items = self.layout.items.iter().map(|item| {
            let row = item.lines.iter().flatten().map(|at| most(&self.layout.vars[*at].length));
            most(&item.repeat).saturating_mul(row.fold(0, u64::saturating_add))
        });
        items.fold(0, u64::saturating_add)
    }
}

/// Returns the indices of the variables that occur in counts or lengths.
fn counts<'a>(vars: &'a [Var], repeats: impl Iterator<Item = &'a Length>) -> Vec<usize> {
    let lengths = vars.iter().filter_map(|var| var.length.as_ref());
    repeats.chain(lengths).flat_map(|length| length.expr.own_names()).collect()
}

/// Returns the kind with the chosen bounds, or `None` if the bounds are kept.
fn rescaled(kind: &ValueKind, role: Role, choose: &mut dyn FnMut(Role, (i64, i64)) -> (i64, i64)) -> Option<ValueKind> {
    let mut inside = |role: Role, (lo, hi): (i64, i64)| {
        let chosen = choose(role, (lo, hi));
        let both = (chosen.0.max(lo), chosen.1.min(hi));
        (both.0 <= both.1).then_some(both)
    };
    let ends = |range: &Range| {
        let end = |expr: &Expr| expr.constant().and_then(|value| i64::try_from(value).ok());
        Some((end(&range.lo)?, end(&range.hi)?))
    };
    let range = |(lo, hi): (i64, i64)| Range { lo: Expr::Number(lo.into()), hi: Expr::Number(hi.into()) };
    Some(match kind {
        ValueKind::Int(old) => ValueKind::Int(range(inside(role, ends(old)?)?)),
        ValueKind::Word { letters, length } => {
            ValueKind::Word { letters: letters.clone(), length: range(inside(Role::Count, ends(length)?)?) }
        }
        ValueKind::Real { lo, hi, places } => {
            let (lo, hi) = inside(role, (*lo, *hi))?;
            ValueKind::Real { lo, hi, places: *places }
        }
        ValueKind::Choice { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Rng;
    use super::super::sample::{FORMATS, describe};
    use super::*;
    use crate::model::Digest;

    #[test]
    fn every_name_with_constant_bounds_is_scaled() {
        let description =
            describe("n: 1..=9; m: 0..=n; k: 3\na[n]: -5..=5\nrepeat m: s: word ab 1..=4; r: real 0..=1 places 1");
        let mut asked = Vec::new();
        let scaled = description.scaled(&mut |role, bounds| {
            asked.push((role, bounds));
            (bounds.0, bounds.0 + 1)
        });
        use Role::{Count, Value};
        assert_eq!(asked, [(Count, (1, 9)), (Value, (3, 3)), (Value, (-5, 5)), (Count, (1, 4)), (Value, (0, 10))]);
        assert_eq!(
            (scaled.span("n"), scaled.span("m"), scaled.span("a")),
            (Some((1, 2)), Some((0, 2)), Some((-5, -4)))
        );
        assert_eq!(scaled.most_values(), 3 + 2 + 2 * 2);
        let untouched = description.scaled(&mut |_, _| (100, 200));
        assert_eq!(untouched.span("n"), Some((1, 9)));
    }

    #[test]
    fn scaled_inputs_are_valid_in_the_full_description() {
        for text in FORMATS {
            let description = describe(text);
            let mut rng = Rng::from_digest(&Digest::of(text.as_bytes()));
            for _ in 0..20 {
                let scaled = description.scaled(&mut |_, (lo, hi)| {
                    let middle = rng.between(lo, hi.min(lo.saturating_add(9)));
                    (lo, middle)
                });
                let Ok(instance) = scaled.generate(&mut rng) else { continue };
                let bytes = instance.to_bytes(&scaled);
                assert_eq!(description.validate(&bytes[..], None), Ok(()), "{text}");
                assert!(instance.size() as u64 <= scaled.most_values(), "{text}");
            }
        }
    }
}
