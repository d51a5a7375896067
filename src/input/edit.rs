//! Edits of an instance that keep its counts consistent: related lists and blocks are shortened or extended together.

use std::ops::Range as Places;
use std::sync::Arc;

use super::description::{Description, GraphClauses};
use super::expr::{Expr, Known, NumberName, Sign};
use super::instance::{Cells, Column, Instance};
use super::layout::{Range, Shape, ValueKind};

/// Lists and blocks with the same count, so that index 3 of one belongs to index 3 of the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Family {
    /// Lists on a single line.
    pub(crate) lists: Vec<usize>,
    /// Blocks, by item.
    pub(crate) blocks: Vec<usize>,
}

impl Description {
    /// Returns the families of lists and blocks outside of rows whose count is not a constant.
    pub(crate) fn families(&self) -> Vec<Family> {
        let mut families: Vec<(&Expr, Family)> = Vec::new();
        for (item, described) in self.layout.items.iter().enumerate() {
            if let Some(count) = &described.repeat {
                family_of(&mut families, &count.expr).blocks.push(item);
                continue;
            }
            for var in self.layout.vars_of(item) {
                if let Some(length) = &self.layout.vars[var].length {
                    family_of(&mut families, &length.expr).lists.push(var);
                }
            }
        }
        families.into_iter().filter(|(expr, _)| expr.constant().is_none()).map(|(_, family)| family).collect()
    }

    /// Returns the families of lists in the rows of blocks: lists of the same count in the same row.
    pub(crate) fn row_families(&self) -> Vec<Vec<usize>> {
        let mut families: Vec<(usize, &Expr, Vec<usize>)> = Vec::new();
        for (at, var) in self.layout.vars.iter().enumerate().filter(|(_, var)| var.shape() == Shape::Rows) {
            let Some(length) = var.length.as_ref().filter(|length| length.expr.constant().is_none()) else { continue };
            match families.iter_mut().find(|(item, expr, _)| *item == var.item && **expr == length.expr) {
                Some((_, _, lists)) => lists.push(at),
                None => families.push((var.item, &length.expr, vec![at])),
            }
        }
        families.into_iter().map(|(_, _, lists)| lists).collect()
    }

    /// Returns the length of the family in these columns.
    pub(crate) fn family_len(&self, family: &Family, columns: &[Column]) -> usize {
        let list = family.lists.first().map(|var| columns[*var].len());
        list.or(family.blocks.first().map(|item| self.block_len(*item, columns))).unwrap_or(0)
    }

    fn block_len(&self, item: usize, columns: &[Column]) -> usize {
        self.layout.vars_of(item).next().map_or(0, |var| match self.layout.vars[var].shape() {
            Shape::Rows => columns[var].ends.len(),
            _ => columns[var].len(),
        })
    }

    /// Removes these indices from every member of the family.
    pub(crate) fn remove(&self, columns: &mut [Column], family: &Family, places: Places<usize>) {
        for var in &family.lists {
            columns[*var].remove(places.clone());
        }
        for var in family.blocks.iter().flat_map(|item| self.layout.vars_of(*item)) {
            match self.layout.vars[var].shape() {
                Shape::Rows => remove_rows(&mut columns[var], places.clone()),
                _ => columns[var].remove(places.clone()),
            }
        }
    }

    /// Inserts a copy of index `from` of every member before index `to`, or at the end.
    pub(crate) fn copy_place(&self, columns: &mut [Column], family: &Family, from: usize, to: usize) {
        for var in &family.lists {
            copy_cell(&mut columns[*var], from, to);
        }
        for var in family.blocks.iter().flat_map(|item| self.layout.vars_of(*item)) {
            match self.layout.vars[var].shape() {
                Shape::Rows => copy_row(&mut columns[var], from, to),
                _ => copy_cell(&mut columns[var], from, to),
            }
        }
    }

    /// Sets the counts, the numbers determined by other numbers and the ranks of permutations, and returns the instance
    /// with these values if it is then valid.
    pub(crate) fn repaired(&self, mut columns: Vec<Column>) -> Option<Instance> {
        for (at, marks) in self.marks.iter().enumerate() {
            if marks.permutation && self.layout.vars[at].shape() == Shape::List {
                let (least, _) = self.bounds_of(at, 0, &columns)?;
                rank(&mut columns[at], least);
            }
        }
        self.infer_counts(&mut columns);
        self.set_exact(&mut columns);
        let instance = Instance { layout: Arc::clone(&self.layout), columns };
        let whole =
            self.layout.vars.iter().zip(&instance.columns).all(|(var, c)| var.shape() != Shape::One || c.len() == 1);
        let valid = whole && self.validate(instance.to_bytes(self).as_slice(), None).is_ok();
        valid.then_some(instance)
    }

    /// Clamps single numbers to their bounds after other values changed, such as `k: 1..=n` after `n` became smaller.
    pub(crate) fn bring_within(&self, columns: &mut [Column]) {
        self.infer_counts(columns);
        for (at, var) in self.layout.vars.iter().enumerate() {
            if var.shape() != Shape::One || !var.is_int() {
                continue;
            }
            let Some((lo, hi)) = self.bounds_of(at, 0, columns).filter(|(lo, hi)| lo <= hi) else { continue };
            numbers_mut(&mut columns[at]).iter_mut().for_each(|cell| *cell = (*cell).clamp(lo, hi));
        }
    }

    /// Returns the bounds of a variable in a row.
    pub(crate) fn bounds_of(&self, var: usize, row: usize, columns: &[Column]) -> Option<(i64, i64)> {
        let known = Known { columns, row, folds: &[], given: None };
        let folds = match &self.layout.vars[var].kind {
            ValueKind::Int(Range { lo, hi }) | ValueKind::Word { length: Range { lo, hi }, .. }
                if !lo.folds().is_empty() || !hi.folds().is_empty() =>
            {
                self.fold_all(&known, self.layout.vars[var].item)
            }
            _ => Vec::new(),
        };
        self.layout.vars[var].bounds(&Known { folds: &folds, ..known }).ok()
    }

    /// Sets each count to the length of its lists.
    fn infer_counts(&self, columns: &mut [Column]) {
        for item in 0..self.layout.items.len() {
            if let Some(repeat) = &self.layout.items[item].repeat {
                let count = self.block_len(item, columns);
                set_number(columns, 0, solve(&repeat.expr, count));
            }
            for var in self.layout.vars_of(item) {
                let described = &self.layout.vars[var];
                let Some(length) = &described.length else { continue };
                if described.shape() != Shape::Rows {
                    set_number(columns, 0, solve(&length.expr, columns[var].len()));
                    continue;
                }
                for row in 0..columns[var].ends.len() {
                    let solved = solve(&length.expr, columns[var].row(row).len());
                    set_number(columns, row, solved);
                }
            }
        }
    }

    /// Sets every number whose range contains a single value to that value.
    fn set_exact(&self, columns: &mut [Column]) {
        for (at, var) in self.layout.vars.iter().enumerate() {
            let exact = var.range().is_some_and(|range| range.lo == range.hi);
            if !exact || var.length.is_some() {
                continue;
            }
            for row in 0..columns[at].len() {
                if let Some((only, _)) = self.bounds_of(at, row, columns)
                    && let Cells::Numbers(cells) = &mut columns[at].cells
                {
                    cells[row] = only;
                }
            }
        }
    }

    /// Removes vertices from a graph: removes their edges and renumbers the other vertices in every variable that has
    /// the range of the vertices. With `into`, the edges lead to that vertex instead.
    pub(crate) fn remove_vertices(
        &self,
        columns: &mut [Column],
        graph: GraphClauses,
        gone: Places<i64>,
        into: Option<i64>,
    ) -> Option<()> {
        let range = self.layout.vars[graph.from].range()?;
        let (least, greatest) = self.bounds_of(graph.from, 0, columns)?;
        let lost = gone.end - gone.start;
        if let Some(into) = into {
            for var in [graph.from, graph.to] {
                numbers_mut(&mut columns[var]).iter_mut().filter(|v| gone.contains(v)).for_each(|v| *v = into);
            }
        }
        let (from, to) = (columns[graph.from].numbers().to_vec(), columns[graph.to].numbers().to_vec());
        let dead =
            |at: usize| gone.contains(&from[at]) || gone.contains(&to[at]) || into.is_some() && from[at] == to[at];
        let families = self.families();
        let edges = families.iter().find(|family| self.holds(family, graph.from));
        for at in (0..from.len()).rev().filter(|at| dead(*at)) {
            self.remove(columns, edges?, at..at + 1);
        }
        let counts_vertices = |family: &&Family| {
            !self.holds(family, graph.from) && self.family_len(family, columns) as i64 == greatest - least + 1
        };
        let per_vertex: Vec<&Family> = families.iter().filter(counts_vertices).collect();
        let place = |v: i64| usize::try_from(v - least).unwrap_or(0);
        for family in per_vertex.into_iter().filter(|family| self.counted_like(family, range)) {
            self.remove(columns, family, place(gone.start)..place(gone.end));
        }
        for (at, var) in self.layout.vars.iter().enumerate() {
            if var.range() == Some(range) {
                let last = (greatest - lost).max(least);
                numbers_mut(&mut columns[at]).iter_mut().for_each(|v| *v = renumbered(*v, &gone, last));
            }
        }
        let count = usize::try_from(greatest - lost - least + 1).ok()?;
        // The upper bound gives the number of vertices: it is `n`, or `n-1` if vertices count from 0.
        if let Some((var, _)) = solve(&range.hi, count) {
            let number = columns[var].number(0)? - lost;
            set_number(columns, 0, Some((var, i128::from(number))));
        }
        Some(())
    }

    /// Returns whether a variable belongs to the family.
    fn holds(&self, family: &Family, var: usize) -> bool {
        let described = &self.layout.vars[var];
        family.lists.contains(&var) || described.in_block && family.blocks.contains(&described.item)
    }

    /// Returns whether the family's count comes from the same name as the upper bound of the range.
    fn counted_like(&self, family: &Family, range: &Range) -> bool {
        let lists = family.lists.iter().filter_map(|var| self.layout.vars[*var].length.as_ref());
        let blocks = family.blocks.iter().filter_map(|item| self.layout.items[*item].repeat.as_ref());
        let named = |expr: &Expr| solve(expr, 0).map(|(var, _)| var);
        lists.chain(blocks).any(|length| named(&length.expr).is_some() && named(&length.expr) == named(&range.hi))
    }
}

fn family_of<'a, 'e>(families: &'a mut Vec<(&'e Expr, Family)>, expr: &'e Expr) -> &'a mut Family {
    let known = families.iter().position(|(other, _)| *other == expr);
    let at = known.unwrap_or_else(|| {
        families.push((expr, Family::default()));
        families.len() - 1
    });
    &mut families[at].1
}

fn renumbered(v: i64, gone: &Places<i64>, last: i64) -> i64 {
    let lost = gone.end - gone.start;
    if v >= gone.end {
        v - lost
    } else if v >= gone.start {
        gone.start.min(last)
    } else {
        v
    }
}

/// Returns the variable of an expression and the value with which the expression equals `count`. Supports `n`, `n + 1`,
/// `n - 1` and `2 * n`.
fn solve(expr: &Expr, count: usize) -> Option<(usize, i128)> {
    let count = count as i128;
    match expr {
        Expr::Name(NumberName::Own(var)) => Some((*var, count)),
        Expr::Binary(sign, left, right) => match (sign, &**left, &**right) {
            (Sign::Plus, Expr::Name(NumberName::Own(var)), Expr::Number(more)) => Some((*var, count - more)),
            (Sign::Plus, Expr::Number(more), Expr::Name(NumberName::Own(var))) => Some((*var, count - more)),
            (Sign::Minus, Expr::Name(NumberName::Own(var)), Expr::Number(less)) => Some((*var, count + less)),
            (Sign::Times, Expr::Name(NumberName::Own(var)), Expr::Number(each))
            | (Sign::Times, Expr::Number(each), Expr::Name(NumberName::Own(var)))
                if *each != 0 =>
            {
                Some((*var, count / each))
            }
            _ => None,
        },
        _ => None,
    }
}

fn set_number(columns: &mut [Column], row: usize, solved: Option<(usize, i128)>) {
    let Some((var, value)) = solved else { return };
    let Ok(value) = i64::try_from(value) else { return };
    let cells = numbers_mut(&mut columns[var]);
    let row = if cells.len() == 1 { 0 } else { row };
    if let Some(cell) = cells.get_mut(row) {
        *cell = value;
    }
}

pub(crate) fn numbers_mut(column: &mut Column) -> &mut [i64] {
    match &mut column.cells {
        Cells::Numbers(cells) => cells,
        Cells::Texts(_) => &mut [],
    }
}

/// Replaces each value by its rank, starting at `least`.
fn rank(column: &mut Column, least: i64) {
    let mut sorted = column.numbers().to_vec();
    sorted.sort_unstable();
    for cell in numbers_mut(column) {
        let rank = sorted.partition_point(|value| value < cell);
        *cell = least.saturating_add(i64::try_from(rank).unwrap_or(i64::MAX));
    }
}

fn remove_rows(column: &mut Column, rows: Places<usize>) {
    let start = rows.start.checked_sub(1).map_or(0, |before| column.ends[before]);
    let end = rows.end.checked_sub(1).map_or(0, |last| column.ends[last]);
    column.remove(start..end);
    column.ends.drain(rows.clone());
    column.ends[rows.start..].iter_mut().for_each(|row_end| *row_end -= end - start);
}

/// Removes these indices from one row.
pub(crate) fn remove_in_row(column: &mut Column, row: usize, places: Places<usize>) {
    let start = column.row(row).start;
    column.remove(start + places.start..start + places.end);
    column.ends[row..].iter_mut().for_each(|end| *end -= places.len());
}

fn copy_cell(column: &mut Column, from: usize, to: usize) {
    if let Some(cell) = column.cell(from) {
        column.insert(to.min(column.len()), cell);
    }
}

fn copy_row(column: &mut Column, from: usize, to: usize) {
    let cells: Vec<_> = column.row(from).filter_map(|at| column.cell(at)).collect();
    let to = to.min(column.ends.len());
    let start = to.checked_sub(1).map_or(0, |before| column.ends[before]);
    let length = cells.len();
    for (at, cell) in cells.into_iter().enumerate() {
        column.insert(start + at, cell);
    }
    column.ends[to..].iter_mut().for_each(|end| *end += length);
    column.ends.insert(to, start + length);
}
