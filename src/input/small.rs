//! Restricts a description to small inputs, by limiting integers to a number of steps above their least value, and
//! words to a number of letters above their least length.

use super::description::Description;
use super::expr::{Expr, Sign};
use super::layout::{Range, ValueKind};

/// A name whose values can be limited by [`Description::small`], and the effect of raising the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// Name of the variable in the description.
    pub name: String,
    /// Number of steps from the least to the greatest value of the variable; `None` if the description does not
    /// determine these values.
    pub most: Option<u64>,
    /// Least length of a word; `None` for an integer, and for a word whose least length depends on other names.
    pub letters: Option<i128>,
    /// Whether each further step multiplies the number of inputs: the variable is a word, or a length, a row count or
    /// an upper bound depends on it.
    pub counts: bool,
}

impl Description {
    /// Returns the names that can be limited, in the order of their declaration: integers, and words by their length.
    /// Names whose upper bound depends on other names (`k: 1..=n`) are omitted.
    pub fn growths(&self) -> Vec<Growth> {
        let lengths = self.layout.vars.iter().filter_map(|var| var.length.as_ref());
        let repeats = self.layout.items.iter().filter_map(|item| item.repeat.as_ref());
        let tops = self.layout.vars.iter().filter_map(|var| match &var.kind {
            ValueKind::Int(range) | ValueKind::Word { length: range, .. } => Some(&range.hi),
            _ => None,
        });
        let sizes = lengths.chain(repeats).map(|length| &length.expr);
        let counted: Vec<usize> = sizes.chain(tops).flat_map(Expr::own_names).collect();
        let vars = self.layout.vars.iter().enumerate();
        let free = |kind: &ValueKind| match kind {
            ValueKind::Int(range) | ValueKind::Word { length: range, .. } => range.hi.own_names().is_empty(),
            _ => false,
        };
        vars.filter(|(_, var)| free(&var.kind))
            .map(|(at, var)| Growth {
                name: var.name.clone(),
                letters: match &var.kind {
                    ValueKind::Word { length, .. } => length.lo.span(&|_| None).map(|(least, _)| least),
                    _ => None,
                },
                most: var.span.and_then(|(least, greatest)| u64::try_from(greatest - least).ok()),
                counts: counted.contains(&at) || matches!(var.kind, ValueKind::Word { .. }),
            })
            .collect()
    }

    /// Returns this description with a lower maximum for each integer, and for the length of each word, that `steps`
    /// names: at most the minimum plus the number in `steps`.
    ///
    /// Every instance of the result is also an instance of this description.
    #[must_use]
    pub fn small(&self, steps: &[(&str, u64)]) -> Description {
        let mut layout = (*self.layout).clone();
        for (name, most) in steps {
            let Some(var) = layout.find(name) else { continue };
            if let ValueKind::Int(range) | ValueKind::Word { length: range, .. } = &mut layout.vars[var].kind {
                let above =
                    Expr::Binary(Sign::Plus, Box::new(range.lo.clone()), Box::new(Expr::Number(i128::from(*most))));
                *range = Range { lo: range.lo.clone(), hi: Expr::Least(vec![above, range.hi.clone()]) };
            }
        }
        for at in 0..layout.vars.len() {
            let place = super::kind::Place { vars: &layout.vars[..at], given: self.given.as_deref() };
            layout.vars[at].span = super::kind::span(&layout.vars[at].kind, &place);
        }
        let given = self.given.as_ref().map(std::sync::Arc::clone);
        Description::assemble(layout, self.folds.clone(), self.clauses.clone(), given)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::describe;

    #[test]
    fn small_inputs_stay_near_the_least_values() {
        let nim = describe("n: 1..=100000\na[n]: 0..=10^9\nwhere sum(a) > 0");
        let small = nim.small(&[("n", 1), ("a", 2)]);
        assert_eq!(small.count_up_to(1000), Some(2 + 8));
        let all: Vec<String> = small.enumerate().map(|one| String::from_utf8(one.to_bytes(&small)).unwrap()).collect();
        assert_eq!(all.last().map(String::as_str), Some("2\n2 2\n"));
        assert!(all.iter().all(|text| nim.validate(text.as_bytes(), None).is_ok()));
    }

    #[test]
    fn bounds_that_depend_on_other_names_are_kept() {
        let moore = describe("n: 1..=9; k: 1..=n\ns: word ab 2..=9");
        assert_eq!(moore.small(&[("n", 2), ("k", 9), ("s", 0)]).count_up_to(1000), Some((1 + 2 + 3) * 4));
        assert_eq!(moore.small(&[("n", 2), ("k", 0), ("s", 1)]).count_up_to(1000), Some(3 * (4 + 8)));
    }

    #[test]
    fn growths_have_their_limits() {
        let words = describe("k: 1..=9\ns: word ab 2..=9").growths();
        assert_eq!(words.iter().map(|growth| growth.letters).collect::<Vec<_>>(), [None, Some(2)]);
        let growths = describe("n: 1..=9; w: [A, B]\nrepeat n-1: u: 1..=n; v: 0..=8").growths();
        let told: Vec<_> = growths.iter().map(|g| (g.name.as_str(), g.most, g.counts)).collect();
        assert_eq!(told, [("n", Some(8), true), ("v", Some(8), false)]);
    }
}
