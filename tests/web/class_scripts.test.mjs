// The parts of the class pages that need no page: order and filters of the marks, figures, whose files, zips.

import assert from "node:assert/strict";
import test from "node:test";
import { columnFigures, distribution, filterRows, level, middle, points, sortRows, standings } from "../../src/server/web/assets/classes/book_model.js";
import { entriesOf } from "../../src/server/web/assets/classes/class_api.js";
import { insideFolder } from "../../src/server/web/assets/classes/drop.js";
import { linesOf } from "../../src/server/web/assets/classes/likeness.js";
import { facts, span } from "../../src/server/web/assets/classes/live_bar.js";
import { chosenEntries } from "../../src/server/web/assets/classes/roster_table.js";
import { crc32, zipOf } from "../../src/server/web/assets/classes/zip.js";

const judged = (verdict, points, more = {}) => ({ state: "judged", verdict, points, max: 100, ...more });
const missing = { state: "missing", verdict: null, points: 0, max: 100 };
const open = { state: "open", verdict: null, points: null, max: 100 };
const ROWS = [
  { student: "Ann 10", total: 150, flags: 0, cells: [judged("AC", 100), judged("PT", 50)] },
  { student: "Ann 9", total: null, flags: 1, cells: [open, judged("WA", 0, { flagged: true })] },
  { student: "Zoë", total: 150, flags: 0, cells: [judged("AC", 100), missing] },
  { student: "Bob", total: 0, flags: 0, cells: [missing, judged("WA", 0)] },
];
const names = (rows) => rows.map(({ student }) => student);

test("rows are sorted by name, total and mark, with open marks last", () => {
  assert.deepEqual(names(sortRows(ROWS)), ["Ann 9", "Ann 10", "Bob", "Zoë"]);
  assert.deepEqual(names(sortRows(ROWS, { by: "total", descending: true })), ["Ann 10", "Zoë", "Bob", "Ann 9"]);
  assert.deepEqual(names(sortRows(ROWS, { by: "total", descending: false })), ["Bob", "Ann 10", "Zoë", "Ann 9"]);
  assert.deepEqual(names(sortRows(ROWS, { by: 0, descending: true })).at(-1), "Ann 9");
});

test("rows are filtered by words, verdict, problem and flag", () => {
  assert.deepEqual(names(filterRows(ROWS, { text: "ANN 1" })), ["Ann 10"]);
  assert.deepEqual(names(filterRows(ROWS, { verdict: "WA" })), ["Ann 9", "Bob"]);
  assert.deepEqual(names(filterRows(ROWS, { verdict: "WA", column: 0 })), []);
  assert.deepEqual(names(filterRows(ROWS, { verdict: "missing", column: 0 })), ["Bob"]);
  assert.deepEqual(names(filterRows(ROWS, { flagged: true })), ["Ann 9"]);
  assert.deepEqual(names(filterRows(ROWS, { flagged: true, column: 0 })), []);
  assert.deepEqual(names(filterRows(ROWS, { flagged: true, column: 1 })), ["Ann 9"]);
  assert.equal(filterRows(ROWS, { column: 1 }).length, 4);
});

test("figures of a column", () => {
  assert.deepEqual(distribution([0, 9, 10, 55, 99, 100], 100), [2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
  assert.deepEqual(middle([3, 1, 2, 10]), { mean: 4, median: 2.5 });
  assert.equal(middle([]), null);
  const figures = columnFigures(ROWS, 1);
  assert.deepEqual([figures.submitted, figures.accepted, figures.points], [3, 0, [50, 0, 0]]);
  assert.deepEqual(standings(ROWS, 1)[0], ["WA", 2]);
  assert.deepEqual([0, 1, 50, 99.9, 100].map((value) => level({ points: value, max: 100 })), [0, 1, 3, 4, 5]);
  assert.deepEqual([33.3333, 100, null].map(points), ["33.333", "100", "–"]);
});

test("the bar says how far the judging is, and when it ends", () => {
  const about = { state: "running", programs: 1200, judged: 300, running: 2, rate: 90, seconds_left: 600, faults: 0, verdicts: {} };
  const said = (more) => facts({ ...about, ...more }).map((pair) => pair.join("")).join(", ");
  assert.equal(said({}), "300 of 1,200 programs judged, 2 running, 1.5 per second, about 10 min left");
  assert.equal(said({ state: "paused" }), "300 of 1,200 programs judged, stopped");
  assert.equal(said({ state: "finished", judged: 1199, faults: 1 }), "1,199 of 1,200 programs judged, 1 not judged because of an error");
  assert.equal(said({ rate: null, seconds_left: null, running: 0 }), "300 of 1,200 programs judged");
  assert.deepEqual([0.2, 59, 61, 3600, 5400].map(span), ["1 s", "59 s", "1 min", "1 h 0 min", "1 h 30 min"]);
});

test("regions by offsets in UTF-8 are lines", () => {
  const text = "# Zoë\nfor x in y:\n    pass\n";
  assert.deepEqual(linesOf(text, [{ part: 0, start: 0, end: 7 }, { part: 1, start: 7, end: 27 }, { part: 2, start: 19, end: 20 }]), [
    { number: 0, from: 1, to: 1 },
    { number: 1, from: 2, to: 3 },
    { number: 2, from: 3, to: 3 },
  ]);
});

test("files are chosen by kind and words", () => {
  const claim = (path, more) => ({ path, files: [path], student: "ann", problem: "nim", counts: true, guesses: [], corrected: false, ...more });
  const all = entriesOf({ claims: [claim("a.py"), claim("b.py", { guesses: ["misspelt"] }), claim("d.py", { counts: false, corrected: true })], left: [{ path: "c.txt", reason: "no program", corrected: false }] });
  const keys = (kind, text = "") => chosenEntries(all, kind, text).map(({ key }) => key);
  assert.deepEqual(keys("all"), ["a.py", "b.py", "d.py", "c.txt"]);
  assert.deepEqual([keys("guessed"), keys("left"), keys("corrected"), keys("all", "ANN b")], [["b.py"], ["c.txt"], ["d.py"], ["b.py"]]);
  assert.deepEqual(all[2].guesses, ["another attempt counts"]);
});

test("a folder that contains all files is no student", () => {
  const paths = (...all) => insideFolder(all.map((path) => ({ path, file: null }))).map(({ path }) => path);
  assert.deepEqual(paths("week 4/ann/a.py", "week 4/bob.py"), ["ann/a.py", "bob.py"]);
  assert.deepEqual(paths("ann/a.py", "bob/a.py"), ["ann/a.py", "bob/a.py"]);
  assert.deepEqual(paths("week/a.py", "b.py"), ["week/a.py", "b.py"]);
});

test("a zip has the checksums and places of its files", async () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const file = (text) => Object.assign(new Blob([text]), { lastModified: Date.UTC(2026, 1, 3) });
  const bytes = new DataView(await (await zipOf([{ path: "Zoë/a.py", file: file("print(1)\n") }, { path: "b.c", file: file("") }])).arrayBuffer());
  const end = bytes.byteLength - 22;
  assert.equal(bytes.getUint32(end, true), 0x06054b50);
  assert.equal(bytes.getUint16(end + 10, true), 2);
  const central = bytes.getUint32(end + 16, true);
  assert.equal(bytes.getUint32(central, true), 0x02014b50);
  assert.equal(bytes.getUint32(central + 16, true), crc32(new TextEncoder().encode("print(1)\n")));
  assert.equal(end - central, bytes.getUint32(end + 12, true));
  const second = central + 46 + bytes.getUint16(central + 28, true);
  assert.equal(bytes.getUint32(bytes.getUint32(second + 42, true), true), 0x04034b50);
});
