//! The enumerator: produces all inputs of a description one at a time, in lexicographic order of their values.
//!
//! It assigns one value at a time, and backtracks where a clause does not hold.

use std::sync::Arc;

use super::clause::GraphProperty;
use super::description::Description;
use super::expr::Known;
use super::instance::{CellValue, Column, Instance};
use super::layout::{Shape, ValueKind};
use super::predicate::permutation_end;

/// Number of steps per input: [`Description::count_up_to`] and [`Description::sift`] may take `limit` times this number
/// of steps.
const STEPS_EACH: u64 = 20;
/// Number of steps that [`Description::count_up_to`] and [`Description::sift`] may always take, even if `limit` is
/// small.
const STEPS: u64 = 1_000_000;

/// An iterator over all inputs of a description, created by [`Description::enumerate`].
pub struct Enumeration<'a> {
    d: &'a Description,
    given: Option<&'a Instance>,
    columns: Vec<Column>,
    folds: Vec<Option<i128>>,
    stack: Vec<EnumerationFrame>,
    /// Position of the next value; `None` if the enumeration must backtrack to the last value that has a successor.
    next: Option<EnumerationStep>,
    steps: u64,
}

/// A position in the input.
#[derive(Debug, Clone, Copy, Default)]
struct EnumerationStep {
    item: usize,
    rows: Option<usize>,
    row: usize,
    line: usize,
    key: usize,
    count: Option<usize>,
    place: usize,
}

/// An assigned value, and the state before its assignment.
struct EnumerationFrame {
    step: EnumerationStep,
    var: usize,
    cell: CellValue,
    bounds: (i64, i64),
    lengths: Vec<(usize, usize)>,
    folds: Vec<Option<i128>>,
}

/// The result of moving to the next position: a value to assign, the end of the input, or a dead end.
enum Ahead {
    Value(EnumerationStep, usize, (i64, i64)),
    End,
    Dead,
}

impl Description {
    /// Returns a lazy iterator over all inputs of this description in lexicographic order of their values. Words are
    /// ordered by length, then by letters.
    pub fn enumerate(&self) -> Enumeration<'_> {
        self.enumerate_given(None)
    }

    /// Returns a lazy iterator over all answers of this description to the input `given`, in the order of
    /// [`Description::enumerate`].
    pub fn enumerate_given<'a>(&'a self, given: Option<&'a Instance>) -> Enumeration<'a> {
        let columns: Vec<Column> = self.layout.vars.iter().map(|var| Column::new(&var.kind)).collect();
        let folds = self.fold_all(&Known { columns: &columns, row: 0, folds: &[], given }, 0);
        Enumeration {
            d: self,
            given,
            columns,
            folds,
            stack: Vec::new(),
            next: Some(EnumerationStep::default()),
            steps: 0,
        }
    }

    /// Returns the number of inputs, or `None` if it exceeds `limit` or the enumeration takes too many steps.
    pub fn count_up_to(&self, limit: u64) -> Option<u64> {
        let mut all = self.enumerate();
        let max_steps = limit.saturating_mul(STEPS_EACH).max(STEPS);
        let mut count = 0;
        loop {
            match all.advance(max_steps) {
                Some(true) => count += 1,
                Some(false) => return Some(count),
                None => return None,
            }
            if count > limit {
                return None;
            }
        }
    }

    /// Returns all inputs in the order of [`Description::enumerate`]. Returns `None` if there are more than `limit`, or
    /// if the enumeration takes more than `steps` steps.
    pub fn all_within(&self, limit: usize, steps: u64) -> Option<Vec<Instance>> {
        let mut all = self.enumerate();
        let mut found = Vec::new();
        while all.advance(steps)? {
            if found.len() == limit {
                return None;
            }
            found.push(all.instance());
        }
        Some(found)
    }
}

impl Description {
    /// Returns the inputs for which `easy` holds, in the order of [`Description::enumerate`], and whether these are all
    /// inputs of the description. Returns `None` if there are more than `limit`, or if the enumeration takes too many
    /// steps.
    ///
    /// If `easy` does not hold for an input, larger inputs are skipped. Let `v` be the last value of the input that is
    /// not the least of its range: all inputs with the same values before `v`, and an equal or greater value instead of
    /// `v`, are skipped.
    pub fn sift(&self, limit: usize, easy: &mut dyn FnMut(&Instance) -> bool) -> Option<(Vec<Instance>, bool)> {
        let mut all = self.enumerate();
        let max_steps = (limit as u64).saturating_mul(STEPS_EACH).max(STEPS);
        let (mut found, mut whole) = (Vec::new(), true);
        while all.advance(max_steps)? {
            let input = all.instance();
            if !easy(&input) {
                whole = false;
                all.pass_over();
            } else if found.len() == limit {
                return None;
            } else {
                found.push(input);
            }
        }
        Some((found, whole))
    }
}

impl Iterator for Enumeration<'_> {
    type Item = Instance;

    fn next(&mut self) -> Option<Instance> {
        let found = self.advance(u64::MAX)?;
        found.then(|| self.instance())
    }
}

impl Enumeration<'_> {
    /// Returns the current input.
    fn instance(&self) -> Instance {
        Instance { layout: Arc::clone(&self.d.layout), columns: self.columns.clone() }
    }

    fn known(&self, row: usize) -> Known<'_> {
        Known { columns: &self.columns, row, folds: &self.folds, given: self.given }
    }

    /// Moves to the next input. Returns `Some(false)` if there is no further input, and `None` once the enumeration has
    /// taken `max_steps` steps in total.
    fn advance(&mut self, max_steps: u64) -> Option<bool> {
        loop {
            self.steps += 1;
            if self.steps > max_steps {
                return None;
            }
            match self.next.take() {
                Some(step) => match self.settle(step) {
                    Ahead::End => return Some(true),
                    Ahead::Dead => {}
                    Ahead::Value(step, var, bounds) => self.descend(step, var, bounds),
                },
                None if self.stack.is_empty() => return Some(false),
                None => self.turn(),
            }
        }
    }

    /// Assigns the least value within `bounds` to the variable `var`.
    fn descend(&mut self, step: EnumerationStep, var: usize, bounds: (i64, i64)) {
        let Some(cell) = first(&self.d.layout.vars[var].kind, bounds) else { return };
        let lengths = self.columns.iter().map(|column| (column.len(), column.ends.len())).collect();
        let folds = self.folds.clone();
        self.stack.push(EnumerationFrame { step, var, cell: cell.clone(), bounds, lengths, folds });
        self.enter(step, var, cell);
    }

    /// Removes the newest value, and assigns its successor if there is one.
    fn turn(&mut self) {
        let Some(mut frame) = self.stack.pop() else { return };
        for (column, (cells, ends)) in self.columns.iter_mut().zip(&frame.lengths) {
            column.truncate(*cells);
            column.ends.truncate(*ends);
        }
        self.folds.clone_from(&frame.folds);
        if let Some(cell) = successor(&self.d.layout.vars[frame.var].kind, &frame.cell, frame.bounds) {
            frame.cell = cell.clone();
            let (step, var) = (frame.step, frame.var);
            self.stack.push(frame);
            self.enter(step, var, cell);
        }
    }

    /// Removes the newest values, up to and including the last value that is not the least of its range. The
    /// enumeration thereby skips all greater values at the position of that value.
    fn pass_over(&mut self) {
        while let Some(frame) = self.stack.pop() {
            if first(&self.d.layout.vars[frame.var].kind, frame.bounds).as_ref() != Some(&frame.cell) {
                return;
            }
        }
    }

    fn enter(&mut self, step: EnumerationStep, var: usize, cell: CellValue) {
        self.columns[var].push(cell);
        // The checks below scan the earlier values, so the time for this scan is counted as steps.
        self.steps += self.columns[var].len() as u64 / 32;
        let early = self.d.decide_early(step.item, var, &self.known(0));
        if early.is_ok() && self.promising(var) {
            self.next = Some(EnumerationStep { place: step.place + 1, ..step });
        }
    }

    /// Returns whether the predicates of lists and graphs can still hold after the newest value.
    fn promising(&self, var: usize) -> bool {
        let marks = self.d.marks[var];
        let column = &self.columns[var];
        let start =
            if self.d.layout.vars[var].shape() == Shape::Rows { column.ends.last().copied().unwrap_or(0) } else { 0 };
        let last = column.len() - 1;
        let newest = column.cell(last);
        if marks.sorted && last > start && newest < column.cell(last - 1) {
            return false;
        }
        if (marks.distinct || marks.permutation) && (start..last).any(|at| column.cell(at) == newest) {
            return false;
        }
        self.graphs_promising(var)
    }

    /// Returns whether the graph predicates that use the variable `var` can still hold. Only `acyclic` and `simple` are
    /// checked, because only their violations cannot be resolved by later edges.
    fn graphs_promising(&self, var: usize) -> bool {
        let lasting = [GraphProperty::Acyclic, GraphProperty::Simple];
        self.d.graphs.iter().filter(|graph| graph.from == var || graph.to == var).all(|graph| {
            let edges = self.columns[graph.from].len().min(self.columns[graph.to].len());
            let wholes = self.d.layout.vars[var].shape() == Shape::List;
            let asked = [graph.acyclic, graph.simple];
            !wholes
                || lasting.iter().zip(asked).filter(|(_, asked)| *asked).all(|(property, _)| {
                    let places = [0..edges, 0..edges];
                    self.d.decide_edges(*property, graph.from, graph.to, places, &self.known(0)).is_ok()
                })
        })
    }

    /// Moves from a position to the next value, past the ends of lists, lines and items.
    fn settle(&mut self, mut step: EnumerationStep) -> Ahead {
        let d = self.d;
        loop {
            let Some(item) = d.layout.items.get(step.item) else { return Ahead::End };
            let rows = match (step.rows, &item.repeat) {
                (Some(rows), _) => rows,
                (None, None) => 1,
                (None, Some(count)) => match count.count(&self.known(0)) {
                    Ok(rows) => rows,
                    Err(_) => return Ahead::Dead,
                },
            };
            step.rows = Some(rows);
            if step.row == rows {
                if !self.item_holds(step.item) {
                    return Ahead::Dead;
                }
                step = EnumerationStep { item: step.item + 1, ..EnumerationStep::default() };
                continue;
            }
            let Some(line) = item.lines.get(step.line) else {
                if !self.row_holds(step) {
                    return Ahead::Dead;
                }
                step = EnumerationStep { row: step.row + 1, line: 0, key: 0, count: None, place: 0, ..step };
                continue;
            };
            let Some(at) = line.get(step.key) else {
                step = EnumerationStep { line: step.line + 1, key: 0, count: None, place: 0, ..step };
                continue;
            };
            let var = &d.layout.vars[*at];
            let count = match (step.count, &var.length) {
                (Some(count), _) => count,
                (None, None) => 1,
                (None, Some(length)) => match length.count(&self.known(step.row)) {
                    Ok(count) => count,
                    Err(_) => return Ahead::Dead,
                },
            };
            step.count = Some(count);
            if step.place == count {
                if var.shape() == Shape::Rows {
                    let end = self.columns[*at].len();
                    self.columns[*at].ends.push(end);
                }
                step = EnumerationStep { key: step.key + 1, count: None, place: 0, ..step };
                continue;
            }
            let Ok((lo, hi)) = var.bounds(&self.known(step.row)) else { return Ahead::Dead };
            let size = if var.length.is_some() { count } else { rows };
            let hi = if d.marks[*at].permutation { hi.min(permutation_end(lo, size)) } else { hi };
            return if lo <= hi { Ahead::Value(step, *at, (lo, hi)) } else { Ahead::Dead };
        }
    }

    fn item_holds(&mut self, item: usize) -> bool {
        self.steps += self.columns.iter().map(|column| column.len() as u64).sum::<u64>() / 32;
        if !self.d.folds.is_empty() {
            self.folds = self.d.fold_all(&self.known(0), item + 1);
        }
        let ready = self.d.clauses.iter().filter(|clause| clause.ready == item);
        ready.into_iter().all(|clause| self.d.decide(clause, &self.known(0)).is_ok())
    }

    fn row_holds(&self, step: EnumerationStep) -> bool {
        let rows = self.d.clauses.iter().filter(|clause| clause.rows == Some(step.item) && self.d.in_row(clause));
        rows.into_iter().all(|clause| super::decide::compare(clause, &self.known(step.row)).is_ok())
    }
}

/// Returns the least value of a kind within the bounds, or `None` if there is none.
fn first(kind: &ValueKind, bounds: (i64, i64)) -> Option<CellValue> {
    Some(match kind {
        ValueKind::Int(_) | ValueKind::Real { .. } => CellValue::Number(bounds.0),
        ValueKind::Choice { allowed, .. } => CellValue::Number(i64::try_from(*allowed.first()?).ok()?),
        ValueKind::Word { letters, .. } => {
            let length = usize::try_from(bounds.0).ok()?;
            CellValue::Text(char::from(*letters.first()?).to_string().repeat(length))
        }
    })
}

/// Returns the successor of a value, or `None` if it is the greatest one.
fn successor(kind: &ValueKind, cell: &CellValue, bounds: (i64, i64)) -> Option<CellValue> {
    match (kind, cell) {
        (ValueKind::Choice { allowed, .. }, CellValue::Number(number)) => {
            let now = usize::try_from(*number).ok()?;
            let next = allowed.iter().find(|at| **at > now)?;
            i64::try_from(*next).ok().map(CellValue::Number)
        }
        (_, CellValue::Number(number)) => (*number < bounds.1).then(|| CellValue::Number(number + 1)),
        (ValueKind::Word { letters, .. }, CellValue::Text(word)) => {
            next_word(letters, word, bounds.1).map(CellValue::Text)
        }
        _ => None,
    }
}

/// Returns the next word of these letters, ordered by length and then by letters, or `None` if it would have more than
/// `longest` letters.
fn next_word(letters: &[u8], word: &str, longest: i64) -> Option<String> {
    let mut bytes = word.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        let place = letters.iter().position(|letter| letter == byte)?;
        if let Some(next) = letters.get(place + 1) {
            *byte = *next;
            return String::from_utf8(bytes).ok();
        }
        *byte = *letters.first()?;
    }
    let longer = i64::try_from(word.len()).ok()? < longest;
    let first = char::from(*letters.first()?).to_string();
    longer.then(|| first.repeat(word.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_inputs_than_a_hard_one_are_skipped() {
        let nim = super::super::sample::describe("n: 1..=3\na[n]: 1..=1000000");
        let mut asked = 0;
        let mut small = |input: &Instance| {
            asked += 1;
            input.ints("a").is_some_and(|sizes| sizes.iter().product::<i64>() <= 4)
        };
        assert!(nim.sift(24, &mut small).is_none());
        let (found, whole) = nim.sift(100, &mut small).unwrap();
        // There are 4, 8 and 13 lists of lengths 1, 2 and 3 whose product is at most 4.
        assert_eq!((found.len(), whole), (4 + 8 + 13, false));
        assert!(asked < 120, "{asked}");
        assert_eq!(
            nim.small(&[("n", 1), ("a", 1)]).sift(9, &mut |_| true).map(|(all, whole)| (all.len(), whole)),
            Some((6, true))
        );
    }

    #[test]
    fn words_are_ordered_by_length_and_then_by_letters() {
        let mut word = "a".to_owned();
        let mut all = vec![word.clone()];
        while let Some(next) = next_word(b"ab", &word, 2) {
            word = next;
            all.push(word.clone());
        }
        assert_eq!(all, ["a", "b", "aa", "ab", "ba", "bb"]);
    }
}
