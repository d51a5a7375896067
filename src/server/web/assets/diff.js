// Compares two texts line by line and shows them side by side with visible white space.

import { element } from "./dom.js";

/** Number of unchanged lines shown around a change. */
const CONTEXT = 3;
/** Maximum number of changed lines for which the shortest edit script is computed. */
const MOST_EDITS = 800;
/** Maximum number of characters shown of a line. */
const WIDEST = 400;

/**
 * Returns the rows of a side-by-side comparison: `[oldIndex | null, newIndex | null]`. Unchanged lines are on both sides.
 * Changed lines at the same place share a row.
 */
export function alignLines(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const kept = commonLines(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const rows = Array.from({ length: start }, (_, index) => [index, index]);
  let [old, now] = [start, start];
  const change = (toOld, toNow) => {
    while (old < toOld || now < toNow) rows.push([old < toOld ? old++ : null, now < toNow ? now++ : null]);
  };
  for (const [inOld, inNow] of kept) {
    change(start + inOld, start + inNow);
    rows.push([old++, now++]);
  }
  change(before.length - end, after.length - end);
  while (old < before.length) rows.push([old++, now++]);
  return rows;
}

/** Returns the pairs of equal lines of the shortest edit script (Myers, 1986); none if it has too many edits. */
function commonLines(before, after) {
  const most = Math.min(before.length + after.length, MOST_EDITS);
  const furthest = new Map([[1, 0]]);
  const trace = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = down(furthest, diagonal, edits) ? furthest.get(diagonal + 1) : furthest.get(diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(trace, before.length, after.length);
    }
  }
  return [];
}

const down = (furthest, diagonal, edits) =>
  diagonal === -edits || (diagonal !== edits && furthest.get(diagonal - 1) < furthest.get(diagonal + 1));

function walkBack(trace, x, y) {
  const pairs = [];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const diagonal = x - y;
    const from = down(trace[edits], diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : trace[edits].get(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) pairs.push([(x -= 1), (y -= 1)]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

/**
 * Renders a table that shows two texts side by side.
 *
 * @param {string} before
 * @param {string} after
 * @param {object} [options]
 * @param {[string, string]} [options.names] headings of the columns
 * @param {[number, number]} [options.firstLines] numbers of the first lines
 * @param {string} [options.label] accessible name of the region
 * @param {boolean} [options.versions] whether the texts are two versions of a program instead of an answer and an output
 */
export function diffTable(before, after, { names = ["Expected", "Found"], firstLines = [1, 1], label = `${names[0]} and ${names[1]}, side by side`, versions = false } = {}) {
  const [old, now] = [lines(before), lines(after)];
  const rows = alignLines(old.texts, now.texts);
  const isChange = ([left, right]) => left === null || right === null || old.texts[left] !== now.texts[right];
  const near = nearChanges(rows.map(isChange));
  const body = element("tbody");
  let left_out = 0;
  const flush = () => {
    if (left_out > 0) body.append(element("tr.skip", {}, element("td", { colspan: 4 }, `${left_out} equal ${left_out === 1 ? "line" : "lines"}`)));
    left_out = 0;
  };
  rows.forEach((row, at) => {
    if (!near[at]) { left_out += 1; return; }
    flush();
    body.append(drawRow(row, isChange(row), old, now, firstLines));
  });
  flush();
  const head = names.map((name) => element("th", { colspan: 2, scope: "colgroup" }, name));
  const columns = ["line", "text", "line", "text"].map((kind) => element(`col.${kind}`));
  const table = element(versions ? "table.diff.versions" : "table.diff", {}, element("colgroup", {}, ...columns), element("thead", {}, element("tr", {}, ...head)), body);
  return element("div.diff-scroll", { tabindex: 0, role: "region", "aria-label": label }, table);
}

function lines(text) {
  if (text === "") return { texts: [], open: false };
  const open = !text.endsWith("\n");
  return { texts: (open ? text : text.slice(0, -1)).split("\n"), open };
}

function nearChanges(changed) {
  const near = changed.map(() => false);
  changed.forEach((yes, at) => {
    if (yes) near.fill(true, Math.max(at - CONTEXT, 0), at + CONTEXT + 1);
  });
  // A single line takes no more space than the note that replaces omitted lines.
  return near.map((yes, at) => yes || ((near[at - 1] ?? true) && (near[at + 1] ?? true)));
}

function drawRow([left, right], isChange, old, now, [firstOld, firstNow]) {
  const other = left !== null && right !== null && isChange ? commonEnds(old.texts[left], now.texts[right]) : null;
  const side = (name, text, index, first) => {
    if (index === null) return [element(`td.line.${name}.gone`), element(`td.${name}.gone`)];
    const cell = element(`td.${name}`);
    const content = text.texts[index];
    if (isChange) cell.append(...visible(content, other ?? [0, 0], other !== null));
    else cell.append(content.slice(0, WIDEST));
    if (content.length > WIDEST) cell.append(element("span.faint", {}, `… ${content.length - WIDEST} more`));
    if (text.open && index === text.texts.length - 1) cell.append(element("span.faint", { title: "The text ends without a line break" }, " ⊘"));
    return [element(`td.line.${name}`, {}, index + first), cell];
  };
  return element(isChange ? "tr.changed" : "tr", {}, ...side("old", old, left, firstOld), ...side("new", now, right, firstNow));
}

/** Returns the lengths of the common prefix and suffix of two lines. */
function commonEnds(one, two) {
  const shorter = Math.min(one.length, two.length);
  let start = 0;
  while (start < shorter && one[start] === two[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === two.at(-1 - end)) end += 1;
  return [start, end];
}

/** Renders a changed line. Its changed middle part is marked, and white space is visible. */
function visible(text, [start, end], mark) {
  const shown = text.slice(0, WIDEST);
  const until = Math.max(Math.min(text.length - end, shown.length), start);
  const middle = shown.slice(start, until);
  return [
    ...signs(shown.slice(0, start)),
    ...(mark && middle !== "" ? [element("mark", {}, ...signs(middle))] : signs(middle)),
    ...signs(shown.slice(until)),
  ];
}

function signs(text) {
  return text.split(/([ \t\r])/).filter((part) => part !== "").map((part) => {
    const sign = { " ": "·", "\t": "→", "\r": "␍" }[part];
    return sign ? element("span.space", { data: { sign } }, part) : part;
  });
}
