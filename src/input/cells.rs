//! Reads and checks the values of variables while an input is scanned.

use super::instance::{CellValue, Cells};
use super::invalid::{Invalid, label};
use super::keep::Retention;
use super::layout::{ValueKind, Var};
use super::read::InputReader;
use super::scan::{decimal, quoted};

/// Maximum number of integers that are read in one batch.
const BATCH: usize = 256;

impl InputReader<'_> {
    /// Reads a value of a variable for which `InputReader::plain` is true, and returns whether the value is valid. An
    /// invalid value is not consumed, so that [`InputReader::values`] reports the error.
    #[inline]
    pub(crate) fn plain_value(&mut self, at: usize, first: bool) -> bool {
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

    /// Reads the `count` values of a variable on the current line.
    pub(crate) fn values(
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
        let watched = marked || !self.folds_of[at].is_empty() || self.keep[at] != Retention::Nothing;
        let mut place = 0;
        while place < count {
            if var.is_int() && !marked && place > 0 {
                place += self.batch(at, bounds, count - place);
                if place == count {
                    break;
                }
            }
            if (place > 0 || !first) && !self.scan.take(b' ') {
                return Err(self.refuse(format!("a space and {}", label(var, row, place))));
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

    /// Reads a batch of integers of a variable whose values are only checked against their bounds, folded and stored.
    /// Returns the number of integers read.
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
            if self.keep[at] != Retention::Nothing
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

    /// Checks, folds and stores an integer before the scanner moves past it.
    #[inline]
    fn number(&mut self, at: usize, number: i64, marked: bool, row: usize, place: usize) -> Result<(), Invalid> {
        for fold in &self.folds_of[at] {
            if let Some(running) = &mut self.running[*fold] {
                running.add(number);
            }
        }
        if marked {
            self.check(at, &CellValue::Number(number), row, place)?;
        }
        if self.keep[at] != Retention::Nothing {
            self.columns[at].push(CellValue::Number(number));
        }
        Ok(())
    }

    /// Checks, folds and stores a value that is not an integer.
    fn other(&mut self, at: usize, cell: CellValue, marked: bool, row: usize, place: usize) -> Result<(), Invalid> {
        for fold in &self.folds_of[at] {
            if let Some(running) = &mut self.running[*fold] {
                running.skip(1);
            }
        }
        if marked {
            self.check(at, &cell, row, place)?;
        }
        if self.keep[at] != Retention::Nothing {
            self.columns[at].push(cell);
        }
        Ok(())
    }

    fn check(&mut self, at: usize, cell: &CellValue, row: usize, place: usize) -> Result<(), Invalid> {
        let marks = self.d.marks[at];
        let var = &self.d.layout.vars[at];
        let past = &mut self.past[at];
        let expected = if marks.sorted && past.last.as_ref().is_some_and(|last| cell < last) {
            "a value not less than its predecessor"
        } else if (marks.distinct || marks.permutation) && !past.seen.insert(cell.clone()) {
            "a value that differs from all earlier values"
        } else {
            past.last = Some(cell.clone());
            return Ok(());
        };
        let refused = self.refuse(format!("{expected} ({})", label(var, row, place)));
        Err(match cell {
            CellValue::Number(_) => refused,
            CellValue::Text(word) => {
                Invalid { column: refused.column - word.len() as u64, found: quoted(word.as_bytes()), ..refused }
            }
        })
    }

    /// Reads a value that is not an integer. Also returns the number of bytes still to be skipped: 0 for a word of
    /// letters, whose bytes are skipped while they are read.
    fn cell(&mut self, var: &Var, bounds: (i64, i64), row: usize, place: usize) -> Result<(CellValue, usize), Invalid> {
        let found = match &var.kind {
            ValueKind::Choice { words, allowed } => {
                let token = self.scan.token();
                let length = token.len();
                let at = words.iter().position(|word| word.as_bytes() == token).filter(|at| allowed.contains(at));
                at.and_then(|at| i64::try_from(at).ok()).map(|at| (at, length))
            }
            ValueKind::Real { places, .. } => {
                decimal(self.scan.ahead(), *places).filter(|(units, _)| (bounds.0..=bounds.1).contains(units))
            }
            ValueKind::Word { letters, .. } => {
                return self.word(var, letters, bounds, row, place).map(|word| (CellValue::Text(word), 0));
            }
            ValueKind::Int(_) => None,
        };
        let (number, length) = found.ok_or_else(|| self.refuse_value(var, bounds, row, place))?;
        Ok((CellValue::Number(number), length))
    }

    /// Reads a word over `letters`. The word may be longer than the window of the scanner.
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
}
