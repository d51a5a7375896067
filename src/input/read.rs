//! Validating and reading: the bytes of an input, checked as strictly as they are written, in one pass.
//!
//! Bytes, not tokens: one blank between values, none at the end, every line ended by one `\n`, nothing behind the last.
//! Validation keeps only the values that later lines, bounds or clauses need; what a clause folds is folded at once.

use std::collections::HashSet;
use std::io::{BufRead, Read};
use std::sync::Arc;

use super::clause::{Clause, Meaning};
use super::decide::{Breach, compare};
use super::description::{Description, Marks};
use super::expr::Known;
use super::fold::{Running, Source};
use super::instance::{Cell, Cells, Column, Instance};
use super::invalid::{Invalid, label};
use super::keep::Keep;
use super::layout::{Item, Kind, NoRange, Shape, Var};
use super::predicate::permutation_end;
use super::scan::{Scanner, Spot, decimal, quoted};

/// Integers read at once.
const BATCH: usize = 256;

/// What a list has been so far, for the predicates.
#[derive(Default)]
struct Past {
    seen: HashSet<Cell>,
    last: Option<Cell>,
}

impl Description {
    /// Checks that these bytes are an input of this description, byte by byte, keeping little of it.
    ///
    /// `given` is the input that an answer belongs to.
    ///
    /// # Errors
    /// The first place where something else was expected.
    pub fn validate(&self, reader: impl BufRead, given: Option<&Instance>) -> Result<(), Invalid> {
        let keep = (0..self.layout.vars.len()).map(|var| self.keep(var)).collect();
        Reader::new(self, reader, given, keep).run().map(drop)
    }

    /// Reads an input, as strictly as [`Description::validate`] checks it.
    ///
    /// # Errors
    /// The first place where something else was expected.
    pub fn read(&self, bytes: &[u8], given: Option<&Instance>) -> Result<Instance, Invalid> {
        let columns = Reader::new(self, bytes, given, vec![Keep::All; self.layout.vars.len()]).run()?;
        Ok(Instance { layout: Arc::clone(&self.layout), columns })
    }
}

/// One pass over an input.
struct Reader<'d, R> {
    d: &'d Description,
    scan: Scanner<R>,
    columns: Vec<Column>,
    given: Option<&'d Instance>,
    /// What the folds have come to.
    folds: Vec<Option<i128>>,
    running: Vec<Option<Running>>,
    /// The folds of each variable.
    folds_of: Vec<Vec<usize>>,
    past: Vec<Past>,
    keep: Vec<Keep>,
    /// The bounds that hold for a whole item.
    fixed: Vec<Option<(i64, i64)>>,
    /// Integers in rows of which nothing is asked but their bounds: most of the lines of long files.
    plain: Vec<bool>,
}

impl<'d, R: Read> Reader<'d, R> {
    fn new(d: &'d Description, reader: R, given: Option<&'d Instance>, keep: Vec<Keep>) -> Reader<'d, R> {
        let vars = &d.layout.vars;
        let mut folds_of = vec![Vec::new(); vars.len()];
        for (at, fold) in d.folds.iter().enumerate() {
            if let Source::Own(var) = fold.source {
                folds_of[var].push(at);
            }
        }
        let plain = (0..vars.len()).map(|at| {
            let unasked = d.marks[at] == Marks::default() && folds_of[at].is_empty() && keep[at] == Keep::Nothing;
            unasked && vars[at].is_int() && vars[at].in_block && vars[at].length.is_none()
        });
        let plain = plain.collect();
        let columns: Vec<Column> = vars.iter().map(|var| Column::new(&var.kind)).collect();
        let folds = d.fold_all(&Known { columns: &columns, row: 0, folds: &[], given }, 0);
        Reader {
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

    /// Complains about what stands here.
    #[cold]
    fn refuse(&mut self, expected: String) -> Invalid {
        let Spot { line, column } = self.scan.spot();
        let found = self.scan.found();
        let found = self.scan.failure().map_or(found, |error| format!("an input that cannot be read: {error}"));
        Invalid { line, column, expected, found }
    }

    #[cold]
    fn no_range(&self, why: &NoRange) -> Invalid {
        let Spot { line, column } = self.scan.spot();
        Invalid { line, column, expected: "values that fit together".to_owned(), found: format!("that {why}") }
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
                self.folds[*fold] = self.running[*fold].as_ref().and_then(Running::result);
            }
            self.past[var] = Past::default();
        }
        Ok(())
    }

    /// The bounds that are the same in all rows are computed once.
    fn fix_bounds(&mut self, number: usize, rows: usize) -> Result<(), Invalid> {
        for at in self.d.layout.vars_of(number) {
            let var = &self.d.layout.vars[at];
            if !var.in_block || !var.same_in_rows {
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
            if var.shape() == Shape::Rows && self.keep[*at] != Keep::Nothing {
                let end = self.columns[*at].len();
                self.columns[*at].ends.push(end);
            }
        }
        if self.scan.take_line_end() {
            return Ok(());
        }
        Err(self.refuse("the end of the line".to_owned()))
    }

    /// Takes a plain value, if it is there and right; otherwise takes nothing, and leaves the complaint to others.
    #[inline]
    fn plain_value(&mut self, at: usize, first: bool) -> bool {
        let Some(bounds) = self.fixed[at] else { return false };
        if !first {
            return self.scan.integers(bounds, &mut [0]) == 1;
        }
        match self.scan.integer() {
            Some((number, length)) if bounds.0 <= number && number <= bounds.1 => {
                self.scan.skip(length);
                true
            }
            _ => false,
        }
    }

    /// Gets ready for the values of a variable on a line.
    fn begin(&mut self, at: usize, var: &Var) -> Result<(), Invalid> {
        self.start_folds(at)?;
        if var.shape() == Shape::Rows {
            self.past[at] = Past::default();
        }
        if self.keep[at] == Keep::Row {
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
                let text = self.d.folds[*number].kind.name().to_owned();
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

    /// Reads the values of a variable that stand on this line.
    fn values(
        &mut self,
        at: usize,
        var: &Var,
        bounds: (i64, i64),
        row: usize,
        count: usize,
        first: bool,
    ) -> Result<(), Invalid> {
        let marks = self.d.marks[at];
        let marked = marks.distinct || marks.sorted || marks.permutation;
        let watched = marked || !self.folds_of[at].is_empty() || self.keep[at] != Keep::Nothing;
        let mut place = 0;
        while place < count {
            if var.is_int() && !marked && place > 0 {
                place += self.batch(at, bounds, count - place);
                if place == count {
                    break;
                }
            }
            if (place > 0 || !first) && !self.scan.take(b' ') {
                return Err(self.refuse(format!("a blank and {}", label(var, row, place))));
            }
            if var.is_int() {
                match self.scan.integer() {
                    Some((number, length)) if bounds.0 <= number && number <= bounds.1 => {
                        if watched {
                            self.number(at, number, marked, row, place)?;
                        }
                        self.scan.skip(length);
                        place += 1;
                        continue;
                    }
                    _ => return Err(self.refuse_value(var, bounds, row, place)),
                }
            }
            let (cell, length) = self.cell(var, bounds, row, place)?;
            self.other(at, cell, marked, row, place)?;
            self.scan.skip(length);
            place += 1;
        }
        Ok(())
    }

    /// Reads many integers at once, where nothing but their bounds, folds and keeping is asked. Tells how many.
    fn batch(&mut self, at: usize, bounds: (i64, i64), most: usize) -> usize {
        let mut numbers = [0; BATCH];
        let mut all = 0;
        loop {
            let room = BATCH.min(most - all);
            let count = self.scan.integers(bounds, &mut numbers[..room]);
            if count == 0 {
                return all;
            }
            all += count;
            for fold in &self.folds_of[at] {
                if let Some(running) = &mut self.running[*fold] {
                    running.add_all(&numbers[..count]);
                }
            }
            if self.keep[at] != Keep::Nothing
                && let Cells::Numbers(cells) = &mut self.columns[at].cells
            {
                cells.extend_from_slice(&numbers[..count]);
            }
        }
    }

    #[cold]
    fn refuse_value(&mut self, var: &Var, bounds: (i64, i64), row: usize, place: usize) -> Invalid {
        self.refuse(format!("{} ({})", var.expected(bounds), label(var, row, place)))
    }

    /// Takes note of an integer, before the scanner leaves it.
    #[inline]
    fn number(&mut self, at: usize, number: i64, marked: bool, row: usize, place: usize) -> Result<(), Invalid> {
        for fold in &self.folds_of[at] {
            if let Some(running) = &mut self.running[*fold] {
                running.add(number);
            }
        }
        if marked {
            self.check(at, &Cell::Number(number), row, place)?;
        }
        if self.keep[at] != Keep::Nothing {
            self.columns[at].push(Cell::Number(number));
        }
        Ok(())
    }

    /// Takes note of a value that is no integer.
    fn other(&mut self, at: usize, cell: Cell, marked: bool, row: usize, place: usize) -> Result<(), Invalid> {
        for fold in &self.folds_of[at] {
            if let Some(running) = &mut self.running[*fold] {
                running.skip(1);
            }
        }
        if marked {
            self.check(at, &cell, row, place)?;
        }
        if self.keep[at] != Keep::Nothing {
            self.columns[at].push(cell);
        }
        Ok(())
    }

    fn check(&mut self, at: usize, cell: &Cell, row: usize, place: usize) -> Result<(), Invalid> {
        let marks = self.d.marks[at];
        let var = &self.d.layout.vars[at];
        let past = &mut self.past[at];
        let expected = if marks.sorted && past.last.as_ref().is_some_and(|last| cell < last) {
            "a value not smaller than the one before"
        } else if (marks.distinct || marks.permutation) && !past.seen.insert(cell.clone()) {
            "a value that did not come before"
        } else {
            past.last = Some(cell.clone());
            return Ok(());
        };
        let refused = self.refuse(format!("{expected} ({})", label(var, row, place)));
        Err(match cell {
            Cell::Number(_) => refused,
            Cell::Text(word) => {
                Invalid { column: refused.column - word.len() as u64, found: quoted(word.as_bytes()), ..refused }
            }
        })
    }

    /// Reads a value that is no integer. Gives the bytes still to be skipped: a word, which may be long, is already.
    fn cell(&mut self, var: &Var, bounds: (i64, i64), row: usize, place: usize) -> Result<(Cell, usize), Invalid> {
        let found = match &var.kind {
            Kind::Choice { words, allowed } => {
                let token = self.scan.token();
                let length = token.len();
                let at = words.iter().position(|word| word.as_bytes() == token).filter(|at| allowed.contains(at));
                at.and_then(|at| i64::try_from(at).ok()).map(|at| (at, length))
            }
            Kind::Real { places, .. } => {
                decimal(self.scan.ahead(), *places).filter(|(units, _)| (bounds.0..=bounds.1).contains(units))
            }
            Kind::Word { letters, .. } => {
                return self.word(var, letters, bounds, row, place).map(|word| (Cell::Text(word), 0));
            }
            Kind::Int(_) => None,
        };
        let (number, length) = found.ok_or_else(|| self.refuse_value(var, bounds, row, place))?;
        Ok((Cell::Number(number), length))
    }

    /// Reads a word of letters, which may be longer than the window.
    fn word(
        &mut self,
        var: &Var,
        letters: &[u8],
        bounds: (i64, i64),
        row: usize,
        place: usize,
    ) -> Result<String, Invalid> {
        let (least, most) = (bounds.0.unsigned_abs(), bounds.1.unsigned_abs());
        let mut word = String::new();
        loop {
            let ahead = self.scan.ahead();
            let taken = ahead.iter().take_while(|b| letters.binary_search(b).is_ok()).count();
            let room = usize::try_from(most - word.len() as u64).unwrap_or(usize::MAX);
            let whole = taken < ahead.len();
            let taken = taken.min(room.saturating_add(1));
            word.extend(ahead[..taken].iter().map(|b| char::from(*b)));
            let length = word.len() as u64;
            let ended = whole || taken == 0;
            if length > most || ended && length < least {
                return Err(self.refuse_word(var, bounds, row, place, &word));
            }
            self.scan.skip(taken);
            if ended {
                return Ok(word);
            }
        }
    }

    #[cold]
    fn refuse_word(&mut self, var: &Var, bounds: (i64, i64), row: usize, place: usize, word: &str) -> Invalid {
        let refused = self.refuse_value(var, bounds, row, place);
        if word.is_empty() { refused } else { Invalid { found: quoted(word.as_bytes()), ..refused } }
    }

    fn row_clause(&self, clause: &Clause, row: usize) -> Result<(), Breach> {
        let Meaning::Graph { property, from, to } = &clause.meaning else {
            return compare(clause, &self.known(row));
        };
        let places = [*from, *to].map(|var| {
            let column = &self.columns[var];
            if self.keep[var] == Keep::Row { 0..column.len() } else { column.row(row) }
        });
        self.d.decide_edges(*property, *from, *to, places, &self.known(row))
    }

    /// Decides the clauses that can be decided after this item and were not decided on the way.
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
fn broken(clause: &Clause, line: u64, breach: Breach) -> Invalid {
    Invalid { line, column: 1, expected: format!("`{}` to hold", clause.text), found: breach.found }
}
