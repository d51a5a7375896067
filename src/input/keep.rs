//! Determines how much of an input must be stored while it is validated.

use super::clause::{Clause, Meaning};
use super::description::Description;
use super::layout::{Range, Shape, ValueKind, Var};

/// The part of a variable's values that is stored during validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retention {
    Nothing,
    /// Only the current row.
    Row,
    All,
}

impl Description {
    /// Returns the part of the values of a variable that must be stored to evaluate later clauses, bounds and lengths.
    pub(crate) fn keep(&self, at: usize) -> Retention {
        let var = &self.layout.vars[at];
        let named = |clause: &&Clause| match &clause.meaning {
            Meaning::Compare { left, right, .. } => [left, right].iter().any(|side| side.own_names().contains(&at)),
            Meaning::Graph { from, to, .. } => [*from, *to].contains(&at),
            Meaning::List { .. } => false,
        };
        let mut naming = self.clauses.iter().filter(named).peekable();
        let bounds_others = var.in_block && self.layout.vars.iter().any(|other| names(other, at));
        match var.shape() {
            Shape::One => Retention::All,
            _ if naming.peek().is_some() && naming.any(|clause| !self.in_row(clause)) => Retention::All,
            _ if bounds_others || self.clauses.iter().any(|clause| named(&clause)) => Retention::Row,
            _ => Retention::Nothing,
        }
    }
}

/// Returns whether the bounds or the length of a variable use the variable `at`.
fn names(var: &Var, at: usize) -> bool {
    let in_bounds = match &var.kind {
        ValueKind::Int(Range { lo, hi }) | ValueKind::Word { length: Range { lo, hi }, .. } => {
            lo.own_names().contains(&at) || hi.own_names().contains(&at)
        }
        ValueKind::Choice { .. } | ValueKind::Real { .. } => false,
    };
    in_bounds || var.length.as_ref().is_some_and(|length| length.expr.own_names().contains(&at))
}
