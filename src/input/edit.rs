//! Edits of an instance that keep its counts consistent: related lists and blocks are shortened or extended together.

use std::ops::Range as Places;
use std::sync::Arc;

use super::description::{Description, GraphClauses};
use super::expr::{Expr, Known, NumberName, Sign};
use super::instance::{Cells, Column, Instance};
use super::layout::{Range, Shape, ValueKind};

/// Lists and blocks with the same count, whose elements at the same index belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Family {
    /// Indices of the variables that are lists on a single line.
    pub(crate) lists: Vec<usize>,
    /// Indices of the items that are blocks.
    pub(crate) blocks: Vec<usize>,
}

impl Description {
    /// Returns the families of the blocks and of the lists outside of blocks, except families whose count is a
    /// constant.
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

    /// Returns the families of lists in the rows of blocks: lists in the same block with the same length in each row.
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

    /// Returns the number of elements or rows of each member of the family in these columns.
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

    /// Removes the elements at these indices from every member of the family.
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

    /// Removes the elements at the indices at which `gone` is true from every member of the family.
    pub(crate) fn remove_each(&self, columns: &mut [Column], family: &Family, gone: &[bool]) {
        let block = family.blocks.iter().flat_map(|item| self.layout.vars_of(*item));
        for var in family.lists.iter().copied().chain(block) {
            if self.layout.vars[var].shape() == Shape::Rows {
                for at in (0..gone.len()).rev().filter(|at| gone[*at]) {
                    remove_rows(&mut columns[var], at..at + 1);
                }
                continue;
            }
            let mut kept = gone.iter().map(|gone| !gone);
            let mut keep = || kept.next().unwrap_or(true);
            match &mut columns[var].cells {
                Cells::Numbers(cells) => cells.retain(|_| keep()),
                Cells::Texts(cells) => cells.retain(|_| keep()),
            }
        }
    }

    /// Returns whether every member of the family has equal values in both index ranges. Returns false if a member is a
    /// list in rows.
    pub(crate) fn same(
        &self,
        family: &Family,
        columns: &[Column],
        these: &Places<usize>,
        those: &Places<usize>,
    ) -> bool {
        let block = family.blocks.iter().flat_map(|item| self.layout.vars_of(*item));
        let mut vars = family.lists.iter().copied().chain(block);
        vars.all(|var| match &columns[var] {
            Column { ends, .. } if !ends.is_empty() => false,
            Column { cells: Cells::Numbers(cells), .. } => cells.get(these.clone()) == cells.get(those.clone()),
            Column { cells: Cells::Texts(cells), .. } => cells.get(these.clone()) == cells.get(those.clone()),
        })
    }

    /// Copies the element at index `from` of every member, and inserts the copy at index `to`, or at the end if `to`
    /// exceeds the length.
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

    /// Recomputes counts, numbers that are determined by other numbers, and permutations. Returns the resulting
    /// instance, or `None` if it is invalid.
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

    /// Returns the integer variables that [`Description::bring_within`] clamps: single values, and lists whose bounds
    /// use names but no folds, except permutations and the lists that contain the edges of `graphs`.
    pub(crate) fn dependent(&self, graphs: &[GraphClauses]) -> Vec<usize> {
        let vertex = |at: usize| graphs.iter().any(|graph| graph.from == at || graph.to == at);
        let dependent = |at: usize, range: &Range| {
            let ends = [&range.lo, &range.hi];
            let fixed =
                ends.iter().all(|end| end.constant().is_some()) || ends.iter().any(|end| !end.folds().is_empty());
            !fixed && !vertex(at) && !self.marks[at].permutation
        };
        let vars = self.layout.vars.iter().enumerate();
        let chosen = vars
            .filter(|(at, var)| var.range().is_some_and(|range| var.shape() == Shape::One || dependent(*at, range)));
        chosen.map(|(at, _)| at).collect()
    }

    /// Recomputes the counts, and then clamps the numbers of the variables `vars` to their bounds. This is necessary
    /// after other values have changed, such as for `k: 1..=n` after `n` has decreased.
    pub(crate) fn bring_within(&self, columns: &mut [Column], vars: &[usize]) {
        self.infer_counts(columns);
        for var in vars {
            for at in 0..columns[*var].len() {
                let row = columns[*var].row_of(at);
                let Some((lo, hi)) = self.bounds_of(*var, row, columns).filter(|(lo, hi)| lo <= hi) else { continue };
                let cell = &mut numbers_mut(&mut columns[*var])[at];
                *cell = (*cell).clamp(lo, hi);
            }
        }
    }

    /// Returns the bounds of a variable in a row, or `None` if they cannot be evaluated.
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

    /// Sets each variable that determines a length or a row count to the value that matches the lists and blocks.
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

    /// Sets the values of each variable that has no length and whose two bounds are the same expression.
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
}

fn family_of<'a, 'e>(families: &'a mut Vec<(&'e Expr, Family)>, expr: &'e Expr) -> &'a mut Family {
    let known = families.iter().position(|(other, _)| *other == expr);
    let at = known.unwrap_or_else(|| {
        families.push((expr, Family::default()));
        families.len() - 1
    });
    &mut families[at].1
}

/// Solves `expr == count` for the only variable in `expr`, and returns the variable and its value. For a constant
/// `c`, supports the forms `n`, `n + c`, `c + n`, `n - c`, `n * c` and `c * n`; returns `None` for other forms. The
/// value for a product is rounded towards zero.
pub(crate) fn solve(expr: &Expr, count: usize) -> Option<(usize, i128)> {
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

pub(crate) fn set_number(columns: &mut [Column], row: usize, solved: Option<(usize, i128)>) {
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

/// Replaces each value with its rank. The least value has rank `least`.
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

/// Removes the values at these indices of one row.
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
