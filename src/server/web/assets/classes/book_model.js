// Data of the gradebook: filtering and sorting of its rows, and statistics of its columns.
//
// A row is `{student, total, flags, cells}`; a cell is `{state, verdict, points, max, …}` with the state `missing`,
// `queued`, `running`, `judged` or `open` (the judge failed). Points are numbers, or `null` while there is no mark.

/** Number of bars in a distribution. */
export const BINS = 10;

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Returns the value by which a cell is filtered: its verdict, or its state if it is not judged. */
export const standing = (cell) => (cell.state === "judged" ? cell.verdict : cell.state);

/**
 * Returns the rows that contain all words of `text`, that have the verdict or state `verdict` in the column `column`, or in
 * any column if it is `null`, and that are flagged if `flagged` is set.
 */
export function filterRows(rows, { text = "", column = null, verdict = "", flagged = false }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const cells = (row) => (column === null ? row.cells : [row.cells[column]]);
  const has = (cell) => (verdict === "" || standing(cell) === verdict) && (!flagged || column === null || cell.flagged);
  return rows.filter((row) =>
    words.every((word) => row.student.toLowerCase().includes(word)) &&
    (!flagged || row.flags > 0) &&
    ((verdict === "" && (column === null || !flagged)) || cells(row).some(has)));
}

/** Returns the rows sorted by a column: `student`, `total` or the index of a problem. Rows without a mark are last. */
export function sortRows(rows, { by = "student", descending = false } = {}) {
  const names = (one, other) => byName.compare(one.student, other.student);
  if (by === "student") return [...rows].sort((one, other) => (descending ? -1 : 1) * names(one, other));
  const value = (row) => (by === "total" ? row.total : row.cells[by].points);
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null) || names(one, other);
    return (descending ? b - a : a - b) || names(one, other);
  });
}

/** Returns the number of values in each tenth of `max`. The maximum belongs to the last tenth. */
export function distribution(values, max) {
  const bins = Array(BINS).fill(0);
  for (const value of values) bins[Math.min(Math.max(Math.floor((value / (max || 1)) * BINS), 0), BINS - 1)] += 1;
  return bins;
}

/** Returns the mean and the median; `null` if there are no values. */
export function middle(values) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[Math.floor(half)];
  return { mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length, median };
}

/** Returns statistics of a column: how many programs were submitted, are accepted or waiting, and the marks. */
export function columnFigures(rows, column) {
  const cells = rows.map((row) => row.cells[column]);
  const points = cells.filter((cell) => cell.points !== null && cell.state !== "missing").map((cell) => cell.points);
  return {
    submitted: cells.filter(({ state }) => state !== "missing").length,
    accepted: cells.filter(({ verdict }) => verdict === "AC").length,
    waiting: cells.filter(({ state }) => state === "queued" || state === "running").length,
    points,
    middle: middle(points),
  };
}

/** Returns the verdicts and states that occur, with the number of each, the most frequent first. */
export function standings(rows, column = null) {
  const counts = new Map();
  for (const row of rows) {
    for (const cell of column === null ? row.cells : [row.cells[column]]) {
      const name = standing(cell);
      if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

/** Returns the share of the maximum as a level from 0 to 5; only full marks are 5. */
export function level({ points, max }) {
  if (points === null) return null;
  if (points >= max) return 5;
  return points <= 0 ? 0 : Math.min(1 + Math.floor((points / max) * 4), 4);
}

/** Formats points with at most three decimal places. */
export const points = (value) => (value === null || value === undefined ? "–" : String(Math.round(value * 1000) / 1000));

/** Formats points for a narrow cell, with at most one decimal place. */
export const shortPoints = (value) => (value === null ? "–" : String(Math.round(value * 10) / 10));
