//! The lines of a grid, and the runs of occupied cells on a line or circle.

use super::bit_set::BitSet;

/// Returns the cell numbers of each line of a grid, one list for each line, axis by axis.
///
/// `sides` are the side lengths. Cells are numbered so that the coordinate along the last side varies fastest.
pub(super) fn lines(sides: &[usize]) -> Vec<Vec<usize>> {
    let cells: usize = sides.iter().product();
    let mut lines = Vec::new();
    let mut stride = cells;
    for side in sides {
        let block = stride;
        stride = stride.checked_div(*side).unwrap_or(0);
        for start in (0..cells).filter(|cell| (cell % block.max(1)) < stride) {
            lines.push((0..*side).map(|step| start + step * stride).collect());
        }
    }
    lines
}

/// Returns the maximal runs of occupied cells on a line of `length` cells, as (start, length).
pub(super) fn runs(cells: &BitSet, length: usize) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = None;
    for cell in 0..=length {
        match (cell < length && cells.has(cell), start) {
            (true, None) => start = Some(cell),
            (false, Some(first)) => {
                runs.push((first, cell - first));
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// Returns the maximal runs of occupied cells on a circle that is not full, as (start, length). A run may wrap around.
pub(super) fn circle_runs(cells: &BitSet, length: usize) -> Vec<(usize, usize)> {
    let mut runs = runs(cells, length);
    let joined = match (runs.first(), runs.last()) {
        (Some((0, head)), Some((start, tail))) if runs.len() > 1 && start + tail == length => {
            Some((*start, tail + head))
        }
        _ => None,
    };
    if let Some(run) = joined {
        runs.pop();
        runs.push(run);
        runs.remove(0);
    }
    runs
}
