//! Evaluates clauses on stored values.

use super::clause::{Clause, GraphProperty, Meaning, Property};
use super::description::Description;
use super::expr::{Expr, Known, NoValue};
use super::fold::FoldSource;
use super::layout::Shape;
use super::predicate::{first_breach, graph_is};

/// A clause that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClauseViolation {
    /// Index of the row in which the clause does not hold; 0 outside of blocks.
    pub(crate) row: usize,
    /// Description of the actual values, for the message.
    pub(crate) found: String,
}

impl Description {
    /// Evaluates a clause. The error describes the violation.
    pub(crate) fn decide(&self, clause: &Clause, known: &Known<'_>) -> Result<(), ClauseViolation> {
        match &clause.meaning {
            Meaning::Compare { .. } => {
                let rows = clause.rows.map_or(1, |_| self.rows_named(clause, known));
                (0..rows).try_for_each(|row| compare(clause, &Known { row, ..*known }))
            }
            Meaning::List { property, var } => self.decide_list(*property, *var, known),
            Meaning::Graph { property, from, to } => self.decide_graph(*property, *from, *to, known),
        }
    }

    /// Returns whether a clause is evaluated at the end of each row, because it depends only on that row and on values
    /// before the block.
    pub(crate) fn in_row(&self, clause: &Clause) -> bool {
        let fold_inside = |side: &Expr, block: usize| {
            side.folds().into_iter().any(|fold| match self.folds[fold].source {
                FoldSource::Own(var) => self.layout.vars[var].item == block,
                FoldSource::Given(_) => false,
            })
        };
        match (&clause.meaning, clause.rows) {
            (Meaning::Compare { left, right, .. }, Some(block)) => {
                clause.ready == block && !fold_inside(left, block) && !fold_inside(right, block)
            }
            (Meaning::Graph { from, .. }, _) => self.layout.vars[*from].shape() == Shape::Rows,
            _ => false,
        }
    }

    /// Evaluates the comparisons that have no folds and whose last variable is `newest`, before the remaining values of
    /// the item are known. The error is the index of the first clause that does not hold.
    pub(crate) fn decide_early(&self, item: usize, newest: usize, known: &Known<'_>) -> Result<(), usize> {
        if self.layout.vars[newest].shape() != Shape::One {
            return Ok(());
        }
        for (at, clause) in self.clauses.iter().enumerate().filter(|(_, clause)| clause.ready == item) {
            let Meaning::Compare { left, right, .. } = &clause.meaning else { continue };
            let names = [left.own_names(), right.own_names()].concat();
            let plain = left.folds().is_empty() && right.folds().is_empty();
            if plain && names.iter().max() == Some(&newest) {
                compare(clause, known).map_err(|_| at)?;
            }
        }
        Ok(())
    }

    /// Returns the number of rows of the block that contains the variables named in a comparison.
    fn rows_named(&self, clause: &Clause, known: &Known<'_>) -> usize {
        let Meaning::Compare { left, right, .. } = &clause.meaning else { return 0 };
        let mut names = left.own_names().into_iter().chain(right.own_names());
        names.find(|var| self.layout.vars[*var].in_block).map_or(0, |var| known.columns[var].len())
    }

    /// Returns the index ranges of a list to which a predicate applies: the whole list, or each row.
    fn stretches(&self, var: usize, known: &Known<'_>) -> Vec<std::ops::Range<usize>> {
        let column = &known.columns[var];
        match self.layout.vars[var].shape() {
            Shape::Rows => (0..column.ends.len()).map(|row| column.row(row)).collect(),
            _ => std::iter::once(0..column.len()).collect(),
        }
    }

    fn decide_list(&self, property: Property, var: usize, known: &Known<'_>) -> Result<(), ClauseViolation> {
        for (row, stretch) in self.stretches(var, known).into_iter().enumerate() {
            if stretch.is_empty() {
                continue;
            }
            let least = self.layout.vars[var].bounds(&Known { row, ..*known }).map_or(0, |bounds| bounds.0);
            if let Some(at) = first_breach(property, &known.columns[var], stretch.clone(), least) {
                let found = format!("a violation at {}[{}]", self.layout.vars[var].name, at - stretch.start + 1);
                return Err(ClauseViolation { row, found });
            }
        }
        Ok(())
    }

    fn decide_graph(
        &self,
        property: GraphProperty,
        from: usize,
        to: usize,
        known: &Known<'_>,
    ) -> Result<(), ClauseViolation> {
        let rows = self.stretches(from, known).into_iter().zip(self.stretches(to, known)).enumerate();
        for (row, (a, b)) in rows {
            self.decide_edges(property, from, to, [a, b], &Known { row, ..*known })?;
        }
        Ok(())
    }

    /// Checks that the edges in the index ranges `places` form a graph with the property.
    pub(crate) fn decide_edges(
        &self,
        property: GraphProperty,
        from: usize,
        to: usize,
        places: [std::ops::Range<usize>; 2],
        known: &Known<'_>,
    ) -> Result<(), ClauseViolation> {
        let [a, b] = places;
        let breach = |found: String| ClauseViolation { row: known.row, found };
        let vertices = self.layout.vars[from].bounds(known).map_err(|why| breach(why.to_string()))?;
        let (u, v) = (&known.columns[from].numbers()[a], &known.columns[to].numbers()[b]);
        if graph_is(property, u, v, vertices) {
            Ok(())
        } else {
            Err(breach("a graph without this property".to_owned()))
        }
    }

    /// Computes the folds of variables in items before `upto` and, for an answer, the folds of variables of the input.
    /// Returns one value for each fold of the description. The value is `None` for a fold of any other variable, and
    /// for a fold without a value, such as the minimum of an empty list.
    pub(crate) fn fold_all(&self, known: &Known<'_>, upto: usize) -> Vec<Option<i128>> {
        let mut values: Vec<Option<i128>> = vec![None; self.folds.len()];
        for (at, fold) in self.folds.iter().enumerate() {
            let known = Known { folds: &values, ..*known };
            let value = match fold.source {
                FoldSource::Own(var) if self.layout.vars[var].item < upto => fold.of(&known.columns[var], &known),
                FoldSource::Own(_) => Ok(None),
                FoldSource::Given(var) => {
                    known.given.ok_or(NoValue::NotGiven).and_then(|given| fold.of(given.column(var), &known))
                }
            };
            values[at] = value.ok().flatten();
        }
        values
    }
}

/// Evaluates a comparison in the current row.
pub(crate) fn compare(clause: &Clause, known: &Known<'_>) -> Result<(), ClauseViolation> {
    let Meaning::Compare { left, order, right } = &clause.meaning else { return Ok(()) };
    let value = |side: &Expr| {
        side.value(known).map_err(|why| ClauseViolation { row: known.row, found: format!("an expression that {why}") })
    };
    let (left, right) = (value(left)?, value(right)?);
    if order.holds(left, right) {
        return Ok(());
    }
    Err(ClauseViolation { row: known.row, found: format!("{left} on the left and {right} on the right") })
}
