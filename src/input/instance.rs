//! The values of one input, and access to them by name.

use std::fmt;
use std::sync::Arc;

use super::layout::{Layout, Shape, ValueKind};

/// The values of one name as a flat list, in the order of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) cells: Cells,
    /// End index of each row if the variable is a list in every row; otherwise empty.
    pub(crate) ends: Vec<usize>,
}

/// The values of a column. Integers, indices into a list of words and units of a real number are stored as numbers, and
/// other words as strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cells {
    Numbers(Vec<i64>),
    Texts(Vec<String>),
}

/// A single value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CellValue {
    Number(i64),
    Text(String),
}

impl Column {
    pub(crate) fn new(kind: &ValueKind) -> Column {
        let cells = match kind {
            ValueKind::Word { .. } => Cells::Texts(Vec::new()),
            _ => Cells::Numbers(Vec::new()),
        };
        Column { cells, ends: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.cells {
            Cells::Numbers(cells) => cells.len(),
            Cells::Texts(cells) => cells.len(),
        }
    }

    /// Returns the number in this row, or the last number if the column has fewer rows, because it is a single value
    /// outside of blocks or only stores the current row.
    pub(crate) fn number(&self, row: usize) -> Option<i64> {
        let numbers = self.numbers();
        numbers.get(row).or(numbers.last()).copied()
    }

    pub(crate) fn numbers(&self) -> &[i64] {
        match &self.cells {
            Cells::Numbers(cells) => cells,
            Cells::Texts(_) => &[],
        }
    }

    pub(crate) fn texts(&self) -> &[String] {
        match &self.cells {
            Cells::Texts(cells) => cells,
            Cells::Numbers(_) => &[],
        }
    }

    pub(crate) fn cell(&self, at: usize) -> Option<CellValue> {
        match &self.cells {
            Cells::Numbers(cells) => cells.get(at).map(|number| CellValue::Number(*number)),
            Cells::Texts(cells) => cells.get(at).map(|text| CellValue::Text(text.clone())),
        }
    }

    pub(crate) fn push(&mut self, cell: CellValue) {
        match (&mut self.cells, cell) {
            (Cells::Numbers(cells), CellValue::Number(number)) => cells.push(number),
            (Cells::Texts(cells), CellValue::Text(text)) => cells.push(text),
            (cells, cell) => debug_assert!(false, "{cell:?} does not belong in {cells:?}"),
        }
    }

    pub(crate) fn set(&mut self, at: usize, cell: CellValue) {
        match (&mut self.cells, cell) {
            (Cells::Numbers(cells), CellValue::Number(number)) => cells[at] = number,
            (Cells::Texts(cells), CellValue::Text(text)) => cells[at] = text,
            (cells, cell) => debug_assert!(false, "{cell:?} does not belong in {cells:?}"),
        }
    }

    pub(crate) fn remove(&mut self, range: std::ops::Range<usize>) {
        match &mut self.cells {
            Cells::Numbers(cells) => drop(cells.drain(range)),
            Cells::Texts(cells) => drop(cells.drain(range)),
        }
    }

    pub(crate) fn insert(&mut self, at: usize, cell: CellValue) {
        match (&mut self.cells, cell) {
            (Cells::Numbers(cells), CellValue::Number(number)) => cells.insert(at, number),
            (Cells::Texts(cells), CellValue::Text(text)) => cells.insert(at, text),
            (cells, cell) => debug_assert!(false, "{cell:?} does not belong in {cells:?}"),
        }
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        match &mut self.cells {
            Cells::Numbers(cells) => cells.truncate(length),
            Cells::Texts(cells) => cells.truncate(length),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
        self.ends.clear();
    }

    /// Returns the row that contains this index. For a column without lists in its rows, this is the index itself.
    pub(crate) fn row_of(&self, at: usize) -> usize {
        if self.ends.is_empty() { at } else { self.ends.partition_point(|end| *end <= at) }
    }

    /// Returns the index range of a row.
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        start..self.ends.get(row).copied().unwrap_or(start)
    }
}

/// The values of one input (or answer), in the order of its description.
#[derive(Clone)]
pub struct Instance {
    pub(crate) layout: Arc<Layout>,
    pub(crate) columns: Vec<Column>,
}

/// The values of a name, in the shape that the description declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A single integer.
    Int(i64),
    /// A list of integers, or a column of a block.
    Ints(Vec<i64>),
    /// A list of integers in every row of a block.
    IntRows(Vec<Vec<i64>>),
    /// A single word.
    Word(String),
    /// A list of words, or a column of a block.
    Words(Vec<String>),
    /// A list of words in every row of a block.
    WordRows(Vec<Vec<String>>),
    /// A single decimal number.
    Real(Real),
    /// A list of decimal numbers, or a column of a block.
    Reals(Vec<Real>),
    /// A list of decimal numbers in every row of a block.
    RealRows(Vec<Vec<Real>>),
}

/// An exact decimal number: `units` times 10^-`places`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Real {
    /// The number in units of the last digit.
    pub units: i64,
    /// Number of digits after the decimal point, at most 18.
    pub places: u8,
}

impl Real {
    /// Returns the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        decimal(self.units, self.places).parse().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal(self.units, self.places))
    }
}

/// Formats a number of units of 10^-`places` with all its digits, as in `-0.050`.
pub(crate) fn decimal(units: i64, places: u8) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let size = 10_u64.saturating_pow(u32::from(places));
    let (whole, rest) = (units.unsigned_abs() / size, units.unsigned_abs() % size);
    match places {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{rest:0width$}", width = usize::from(places)),
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Instance) -> bool {
        self.columns == other.columns && self.names().eq(other.names())
    }
}

impl Eq for Instance {}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.names().map(|name| (name, self.value(name)))).finish()
    }
}

impl Instance {
    pub(crate) fn column(&self, var: usize) -> &Column {
        &self.columns[var]
    }

    fn find(&self, name: &str) -> Option<(usize, &ValueKind, Shape)> {
        let var = self.layout.find(name)?;
        let described = &self.layout.vars[var];
        Some((var, &described.kind, described.shape()))
    }

    /// Returns the names of the values, in the order of the description.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.layout.vars.iter().map(|var| var.name.as_str())
    }

    /// Returns the integer with this name, or `None` if the name does not stand for a single integer.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.find(name)? {
            (var, ValueKind::Int(_), Shape::One) => self.columns[var].numbers().first().copied(),
            _ => None,
        }
    }

    /// Returns the integers of this name: a list, a column of a block, or all rows concatenated. Returns `None` for a
    /// single value and for values that are not integers.
    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.find(name)? {
            (_, _, Shape::One) => None,
            (var, ValueKind::Int(_), _) => Some(self.columns[var].numbers()),
            _ => None,
        }
    }

    /// Returns the integers of this name in each row, or `None` if it is not a list in every row.
    pub fn int_rows(&self, name: &str) -> Option<Vec<&[i64]>> {
        match self.find(name)? {
            (var, ValueKind::Int(_), Shape::Rows) => {
                let column = &self.columns[var];
                Some((0..column.ends.len()).map(|row| &column.numbers()[column.row(row)]).collect())
            }
            _ => None,
        }
    }

    /// Returns the word with this name, or `None` if the name does not stand for a single word.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.find(name)? {
            (var, ValueKind::Choice { words, .. }, Shape::One) => {
                let at = usize::try_from(*self.columns[var].numbers().first()?).ok()?;
                words.get(at).map(String::as_str)
            }
            (var, ValueKind::Word { .. }, Shape::One) => self.columns[var].texts().first().map(String::as_str),
            _ => None,
        }
    }

    /// Returns the total number of values of all names, as a measure of size.
    pub fn size(&self) -> usize {
        self.columns.iter().map(Column::len).sum()
    }

    /// Returns the values of this name, or `None` if the name is unknown.
    pub fn value(&self, name: &str) -> Option<Value> {
        let (var, kind, shape) = self.find(name)?;
        let column = &self.columns[var];
        Some(match kind {
            ValueKind::Int(_) => match arranged(column.numbers().to_vec(), column, shape)? {
                Arranged::One(one) => Value::Int(one),
                Arranged::List(list) => Value::Ints(list),
                Arranged::Rows(rows) => Value::IntRows(rows),
            },
            ValueKind::Real { places, .. } => {
                let reals = column.numbers().iter().map(|units| Real { units: *units, places: *places }).collect();
                match arranged(reals, column, shape)? {
                    Arranged::One(one) => Value::Real(one),
                    Arranged::List(list) => Value::Reals(list),
                    Arranged::Rows(rows) => Value::RealRows(rows),
                }
            }
            ValueKind::Word { .. } => words(column.texts().to_vec(), column, shape)?,
            ValueKind::Choice { words: list, .. } => {
                let word = |at: &i64| usize::try_from(*at).ok().and_then(|at| list.get(at)).cloned();
                words(column.numbers().iter().filter_map(word).collect(), column, shape)?
            }
        })
    }
}

enum Arranged<T> {
    One(T),
    List(Vec<T>),
    Rows(Vec<Vec<T>>),
}

fn arranged<T: Clone>(flat: Vec<T>, column: &Column, shape: Shape) -> Option<Arranged<T>> {
    Some(match shape {
        Shape::One => Arranged::One(flat.into_iter().next()?),
        Shape::List => Arranged::List(flat),
        Shape::Rows => {
            Arranged::Rows((0..column.ends.len()).filter_map(|row| Some(flat.get(column.row(row))?.to_vec())).collect())
        }
    })
}

fn words(flat: Vec<String>, column: &Column, shape: Shape) -> Option<Value> {
    Some(match arranged(flat, column, shape)? {
        Arranged::One(one) => Value::Word(one),
        Arranged::List(list) => Value::Words(list),
        Arranged::Rows(rows) => Value::WordRows(rows),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_their_zeros_and_their_sign() {
        assert_eq!(decimal(-50, 3), "-0.050");
        assert_eq!(decimal(12_345, 2), "123.45");
        assert_eq!(decimal(7, 0), "7");
        assert_eq!(decimal(i64::MIN, 18), "-9.223372036854775808");
        assert_eq!(Real { units: -1500, places: 3 }.to_f64(), -1.5);
    }
}
