//! Writes instances as bytes, in the only form that the validator accepts.

use super::description::Description;
use super::instance::{Column, Instance, decimal};
use super::layout::{Shape, ValueKind};

impl Description {
    /// Appends the bytes of the instance to `out`.
    pub fn write(&self, instance: &Instance, out: &mut Vec<u8>) {
        let layout = &instance.layout;
        for item in &layout.items {
            let rows = match &item.repeat {
                None => 1,
                Some(_) => item.lines.iter().flatten().next().map_or(0, |var| rows(instance, *var)),
            };
            if item.lines.iter().flatten().all(|var| plain(instance, *var)) {
                integer_rows(instance, &item.lines, rows, out);
                continue;
            }
            for row in 0..rows {
                for line in &item.lines {
                    let start = out.len();
                    for var in line {
                        values(instance, *var, row, start, out);
                    }
                    out.push(b'\n');
                }
            }
        }
    }
}

impl Instance {
    /// Returns the bytes of the instance in the format of `description`, from which the instance was created.
    pub fn to_bytes(&self, description: &Description) -> Vec<u8> {
        let mut out = Vec::new();
        description.write(self, &mut out);
        out
    }
}

/// Returns the number of rows of the block that contains this variable.
fn rows(instance: &Instance, var: usize) -> usize {
    let column = instance.column(var);
    match instance.layout.vars[var].shape() {
        Shape::Rows => column.ends.len(),
        _ => column.len(),
    }
}

/// Returns whether the variable is a single integer in each row of a block.
fn plain(instance: &Instance, var: usize) -> bool {
    let described = &instance.layout.vars[var];
    described.is_int() && described.in_block && described.length.is_none()
}

/// Writes rows of single integers, faster than [`values`] does. Most large files consist of such rows.
fn integer_rows(instance: &Instance, lines: &[Vec<usize>], rows: usize, out: &mut Vec<u8>) {
    let lines: Vec<Vec<&[i64]>> =
        lines.iter().map(|line| line.iter().map(|var| instance.column(*var).numbers()).collect()).collect();
    let mut digits = [0_u8; LONGEST + 1];
    for row in 0..rows {
        for line in &lines {
            for (at, column) in line.iter().enumerate() {
                let length = integer(column[row], &mut digits);
                digits[length] = if at + 1 == line.len() { b'\n' } else { b' ' };
                out.extend_from_slice(&digits[..=length]);
            }
        }
    }
}

/// Writes the values of a variable that belong to one line, which begins at offset `start` of `out`.
fn values(instance: &Instance, var: usize, row: usize, start: usize, out: &mut Vec<u8>) {
    let column = instance.column(var);
    let described = &instance.layout.vars[var];
    let cells = match (described.shape(), described.in_block) {
        (Shape::One, _) => 0..1,
        (Shape::List, true) => row..row + 1,
        (Shape::List, false) => 0..column.len(),
        (Shape::Rows, _) => column.row(row),
    };
    let mut first = out.len() == start;
    let mut part = || !std::mem::replace(&mut first, false);
    match &described.kind {
        ValueKind::Int(_) => integers(&column.numbers()[cells], part, out),
        ValueKind::Word { .. } => column.texts()[cells].iter().for_each(|word| {
            if part() {
                out.push(b' ');
            }
            out.extend_from_slice(word.as_bytes());
        }),
        kind => cells.for_each(|at| {
            if part() {
                out.push(b' ');
            }
            out.extend_from_slice(other(kind, column, at).as_bytes());
        }),
    }
}

fn other(kind: &ValueKind, column: &Column, at: usize) -> String {
    let number = column.numbers()[at];
    match kind {
        ValueKind::Real { places, .. } => decimal(number, *places),
        ValueKind::Choice { words, .. } => {
            usize::try_from(number).ok().and_then(|at| words.get(at)).cloned().unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn integers(numbers: &[i64], mut part: impl FnMut() -> bool, out: &mut Vec<u8>) {
    // The numbers are collected in a small buffer, so that the capacity of the vector is checked once per buffer and
    // not once per number.
    let mut buffer = [0_u8; BUFFER];
    let mut end = 0;
    for number in numbers {
        if end + 1 + LONGEST > BUFFER {
            out.extend_from_slice(&buffer[..end]);
            end = 0;
        }
        if part() {
            buffer[end] = b' ';
            end += 1;
        }
        end += integer(*number, &mut buffer[end..]);
    }
    out.extend_from_slice(&buffer[..end]);
}

/// Length of the longest integer: a sign and nineteen digits.
const LONGEST: usize = 20;
/// Size of the buffer in bytes.
const BUFFER: usize = 1 << 10;

/// The two digits of the numbers 00 to 99.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut at = 0;
    while at < 100 {
        pairs[at] = [b'0' + (at / 10) as u8, b'0' + (at % 10) as u8];
        at += 1;
    }
    pairs
};

/// Writes an integer to the start of `out`, two digits at a time from the last, and returns its length.
#[inline]
fn integer(number: i64, out: &mut [u8]) -> usize {
    if let 0..=9 = number {
        out[0] = b'0' + number as u8;
        return 1;
    }
    let mut rest = number.unsigned_abs();
    let sign = usize::from(number < 0);
    let length = sign + rest.checked_ilog10().map_or(1, |log| log as usize + 1);
    let out = &mut out[..length];
    let mut at = length;
    while rest >= 100 {
        at -= 2;
        out[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    let [tens, ones] = PAIRS[rest as usize];
    out[at - 1] = ones;
    if rest >= 10 {
        out[at - 2] = tens;
    }
    if number < 0 {
        out[0] = b'-';
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_match_the_standard_library() {
        for number in [0, 1, 9, 10, 99, 100, 101, 12_345, -1, -10, -987_654_321, i64::MAX, i64::MIN, i64::MIN + 1] {
            let mut out = Vec::new();
            integers(&[number], || false, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
        let many: Vec<i64> = (0..5000).map(|i| (i * i * i - 70_000) << (i % 20)).collect();
        let mut out = Vec::new();
        let mut first = true;
        integers(&many, || !std::mem::replace(&mut first, false), &mut out);
        let wanted = many.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
