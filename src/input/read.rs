//! Validates and reads an input in one pass, comparing it byte by byte with the format that the writer produces.
//!
//! There is exactly one space between values and none at the end of a line; every line ends with one `\n`, and nothing
//! follows the last line. Validation stores only the values that later lines, bounds or clauses need, and computes
//! folds while it reads.

use std::collections::HashSet;
use std::io::{BufRead, Read};
use std::sync::Arc;

use super::clause::{Clause, Meaning};
use super::decide::{ClauseViolation, compare};
use super::description::{Description, Marks};
use super::expr::Known;
use super::fold::{FoldSource, RunningFold};
use super::instance::{CellValue, Column, Instance};
use super::invalid::Invalid;
use super::keep::Retention;
use super::layout::{Item, NoRange, Shape, Var};
use super::predicate::permutation_end;
use super::scan::{Scanner, Spot};

/// The values of a list that have been read so far, in the form that its predicates need.
#[derive(Default)]
pub(crate) struct Past {
    pub(crate) seen: HashSet<CellValue>,
    pub(crate) last: Option<CellValue>,
}

impl Description {
    /// Checks that the bytes of `reader` are a valid input of this description. Stores only the values that later
    /// bounds and clauses need.
    ///
    /// `given` is the input to which an answer belongs.
    ///
    /// # Errors
    /// Returns an error with the first position at which the bytes violate the description or cannot be read.
    pub fn validate(&self, mut reader: impl BufRead, given: Option<&Instance>) -> Result<(), Invalid> {
        let keep = (0..self.layout.vars.len()).map(|var| self.keep(var)).collect();
        // `InputReader` is not generic, so it is compiled only once, with the optimization level of this crate.
        InputReader::new(self, &mut reader, given, keep).run().map(drop)
    }

    /// Reads an input and checks it as strictly as [`Description::validate`].
    ///
    /// # Errors
    /// Returns an error with the first position at which the bytes violate the description or cannot be read.
    pub fn read(&self, mut bytes: &[u8], given: Option<&Instance>) -> Result<Instance, Invalid> {
        let columns = InputReader::new(self, &mut bytes, given, vec![Retention::All; self.layout.vars.len()]).run()?;
        Ok(Instance { layout: Arc::clone(&self.layout), columns })
    }
}

/// State of one pass over an input.
pub(crate) struct InputReader<'d> {
    pub(crate) d: &'d Description,
    pub(crate) scan: Scanner<'d>,
    pub(crate) columns: Vec<Column>,
    pub(crate) given: Option<&'d Instance>,
    /// Results of the folds that are complete.
    pub(crate) folds: Vec<Option<i128>>,
    pub(crate) running: Vec<Option<RunningFold>>,
    /// Indices of the folds of each variable.
    pub(crate) folds_of: Vec<Vec<usize>>,
    pub(crate) past: Vec<Past>,
    pub(crate) keep: Vec<Retention>,
    /// Bounds of each variable, if they are the same in all rows of its block.
    pub(crate) fixed: Vec<Option<(i64, i64)>>,
    /// For each variable, whether it is a single integer in the rows of a block and is checked only against its bounds.
    /// Most lines of large files consist of such integers.
    pub(crate) plain: Vec<bool>,
}

impl<'d> InputReader<'d> {
    fn new(
        d: &'d Description,
        reader: &'d mut dyn Read,
        given: Option<&'d Instance>,
        keep: Vec<Retention>,
    ) -> InputReader<'d> {
        let vars = &d.layout.vars;
        let mut folds_of = vec![Vec::new(); vars.len()];
        for (at, fold) in d.folds.iter().enumerate() {
            if let FoldSource::Own(var) = fold.source {
                folds_of[var].push(at);
            }
        }
        let plain = (0..vars.len()).map(|at| {
            let unasked = d.marks[at] == Marks::default() && folds_of[at].is_empty() && keep[at] == Retention::Nothing;
            unasked && vars[at].is_int() && vars[at].in_block && vars[at].length.is_none()
        });
        let plain = plain.collect();
        let columns: Vec<Column> = vars.iter().map(|var| Column::new(&var.kind)).collect();
        let folds = d.fold_all(&Known { columns: &columns, row: 0, folds: &[], given }, 0);
        InputReader {
            d,
            scan: Scanner::new(reader),
            columns,
            given,
            folds,
            running: vec![None; d.folds.len()],
            folds_of,
            past: vars.iter().map(|_| Past::default()).collect(),
            keep,
            fixed: vec![None; vars.len()],
            plain,
        }
    }

    fn run(mut self) -> Result<Vec<Column>, Invalid> {
        for (number, item) in self.d.layout.items.iter().enumerate() {
            let start = self.scan.spot().line;
            self.item(number, item)?;
            self.clauses(number, start)?;
        }
        if self.scan.is_over() && self.scan.failure().is_none() {
            return Ok(self.columns);
        }
        Err(self.refuse("the end of the file".to_owned()))
    }

    fn known(&self, row: usize) -> Known<'_> {
        Known { columns: &self.columns, row, folds: &self.folds, given: self.given }
    }

    /// Returns the error for the bytes at the current position.
    #[cold]
    pub(crate) fn refuse(&mut self, expected: String) -> Invalid {
        let Spot { line, column } = self.scan.spot();
        let found = self.scan.found();
        let found = self.scan.failure().map_or(found, |error| format!("a read error: {error}"));
        Invalid { line, column, expected, found }
    }

    #[cold]
    fn no_range(&self, why: &NoRange) -> Invalid {
        let Spot { line, column } = self.scan.spot();
        Invalid { line, column, expected: "consistent values".to_owned(), found: format!("a contradiction: {why}") }
    }

    fn item(&mut self, number: usize, item: &Item) -> Result<(), Invalid> {
        let rows = match &item.repeat {
            None => 1,
            Some(count) => count.count(&self.known(0)).map_err(|why| self.no_range(&why))?,
        };
        if rows > 0 {
            self.fix_bounds(number, rows)?;
        }
        let in_rows: Vec<&Clause> =
            self.d.clauses.iter().filter(|clause| clause.ready == number && self.d.in_row(clause)).collect();
        for row in 0..rows {
            let start = self.scan.spot().line;
            for line in &item.lines {
                self.line(line, row)?;
            }
            for clause in &in_rows {
                self.row_clause(clause, row).map_err(|breach| broken(clause, start, breach))?;
            }
        }
        for var in self.d.layout.vars_of(number) {
            self.start_folds(var)?;
            for fold in &self.folds_of[var] {
                self.folds[*fold] = self.running[*fold].as_ref().and_then(RunningFold::result);
            }
            self.past[var] = Past::default();
        }
        Ok(())
    }

    /// Computes the bounds that are the same in all rows, so that they are not computed for each row.
    fn fix_bounds(&mut self, number: usize, rows: usize) -> Result<(), Invalid> {
        for at in self.d.layout.vars_of(number) {
            let var = &self.d.layout.vars[at];
            // The length of a permutation in a row is known only when that row is read.
            let by_row = var.shape() == Shape::Rows && self.d.marks[at].permutation;
            if !var.in_block || !var.same_in_rows || by_row {
                continue;
            }
            let Ok((lo, hi)) = var.bounds(&self.known(0)) else { continue };
            let one_list = var.shape() == Shape::List && self.d.marks[at].permutation;
            self.fixed[at] = Some((lo, if one_list { hi.min(permutation_end(lo, rows)) } else { hi }));
        }
        Ok(())
    }

    fn line(&mut self, vars: &[usize], row: usize) -> Result<(), Invalid> {
        let mut first = true;
        for at in vars {
            if self.plain[*at] && self.plain_value(*at, first) {
                first = false;
                continue;
            }
            let var = &self.d.layout.vars[*at];
            let count = match &var.length {
                None => 1,
                Some(length) => length.count(&self.known(row)).map_err(|why| self.no_range(&why))?,
            };
            self.begin(*at, var)?;
            if count > 0 {
                let bounds = match self.fixed[*at] {
                    Some(bounds) => bounds,
                    None => self.bounds(*at, var, row, count)?,
                };
                self.values(*at, var, bounds, row, count, first)?;
                first = false;
            }
            if var.shape() == Shape::Rows && self.keep[*at] != Retention::Nothing {
                let end = self.columns[*at].len();
                self.columns[*at].ends.push(end);
            }
        }
        if self.scan.take_line_end() {
            return Ok(());
        }
        Err(self.refuse("the end of the line".to_owned()))
    }

    /// Prepares the state for the values of a variable on a line.
    fn begin(&mut self, at: usize, var: &Var) -> Result<(), Invalid> {
        self.start_folds(at)?;
        if var.shape() == Shape::Rows {
            self.past[at] = Past::default();
        }
        if self.keep[at] == Retention::Row {
            self.columns[at].clear();
        }
        Ok(())
    }

    fn start_folds(&mut self, at: usize) -> Result<(), Invalid> {
        for number in &self.folds_of[at] {
            if self.running[*number].is_some() {
                continue;
            }
            let running = self.d.folds[*number].start(&self.known(0));
            self.running[*number] = Some(running.map_err(|why| {
                let text = format!("{}({}, …)", self.d.folds[*number].kind.name(), self.d.layout.vars[at].name);
                self.no_range(&NoRange::NoCount { text, why })
            })?);
        }
        Ok(())
    }

    fn bounds(&self, at: usize, var: &Var, row: usize, count: usize) -> Result<(i64, i64), Invalid> {
        let (lo, hi) = var.bounds(&self.known(row)).map_err(|why| self.no_range(&why))?;
        let one_list = var.length.is_some() && self.d.marks[at].permutation;
        Ok((lo, if one_list { hi.min(permutation_end(lo, count)) } else { hi }))
    }

    fn row_clause(&self, clause: &Clause, row: usize) -> Result<(), ClauseViolation> {
        let Meaning::Graph { property, from, to } = &clause.meaning else {
            return compare(clause, &self.known(row));
        };
        let places = [*from, *to].map(|var| {
            let column = &self.columns[var];
            if self.keep[var] == Retention::Row { 0..column.len() } else { column.row(row) }
        });
        self.d.decide_edges(*property, *from, *to, places, &self.known(row))
    }

    /// Evaluates the clauses that can first be evaluated after this item, except those that are evaluated in each row.
    fn clauses(&self, number: usize, line: u64) -> Result<(), Invalid> {
        let ready = self.d.clauses.iter().filter(|clause| clause.ready == number && !self.d.in_row(clause));
        for clause in ready {
            if !matches!(clause.meaning, Meaning::List { .. }) {
                self.d.decide(clause, &self.known(0)).map_err(|breach| broken(clause, line, breach))?;
            }
        }
        Ok(())
    }
}

#[cold]
fn broken(clause: &Clause, line: u64, breach: ClauseViolation) -> Invalid {
    Invalid { line, column: 1, expected: format!("`{}` to hold", clause.text), found: breach.found }
}
