// Tests of the scripts that need no browser.

import assert from "node:assert/strict";
import test from "node:test";

const asset = (name) => import(new URL(`../../src/server/web/assets/${name}`, import.meta.url));
const { compileErrors } = await asset("compile_errors.js");
const { alignLines } = await asset("diff.js");
const { messageSplitter } = await asset("events.js");
const format = await asset("format.js");
const { applyStress, newStressState, stressBadge, stressWords } = await asset("stress_state.js");
const { apply, failed, newRunState, overall } = await asset("run_state.js");

const positions = (output) => compileErrors(output).map(({ line, column, message, severity }) => [line, column, message, severity]);

test("positions are found in the output of each compiler", () => {
  assert.deepEqual(positions("a.cpp: In function ‘int main()’:\na.cpp:3:13: error: ‘y’ was not declared\n    3 |  int x = y;\n      |          ^\na.cpp:4:1: warning: unused [-Wunused]"), [
    [3, 13, "‘y’ was not declared", "error"],
    [4, 1, "unused [-Wunused]", "warning"],
  ]);
  assert.deepEqual(positions("Main.java:3: error: ';' expected\n    int x = 1\n             ^\n1 error"), [[3, undefined, "';' expected", "error"]]);
  assert.deepEqual(positions("error[E0425]: cannot find value `y` in this scope\n --> main.rs:2:13\n  |\n2 |     let x = y;\n"), [[2, 13, "error[E0425]: cannot find value `y` in this scope", "error"]]);
  assert.deepEqual(positions('  File "main.py", line 3\n    print(\n         ^\nSyntaxError: \'(\' was never closed'), [[3, undefined, "SyntaxError: '(' was never closed", "error"]]);
  assert.deepEqual(positions("main.js:2\nlet = ;\n    ^\n\nSyntaxError: Unexpected token ';'\n"), [[2, 5, "SyntaxError: Unexpected token ';'", "error"]]);
  assert.deepEqual(positions("./main.go:5:2: undefined: x"), [[5, 2, "undefined: x", "error"]]);
  assert.deepEqual(positions("main.cs(3,13): error CS1002: ; expected"), [[3, 13, "; expected", "error"]]);
  assert.deepEqual(positions("main.pas(4,5) Fatal: Syntax error"), [[4, 5, "Syntax error", "error"]]);
  assert.deepEqual(positions('File "main.ml", line 1, characters 8-9:\n1 | let x = y\n            ^\nError: Unbound value y'), [[1, 8, "Error: Unbound value y", "error"]]);
  assert.deepEqual(positions("main.kt:3:5: error: unresolved reference: y"), [[3, 5, "unresolved reference: y", "error"]]);
  assert.deepEqual(positions("syntax error at main.pl line 3, near \"}\""), [[3, undefined, "syntax error", "error"]]);
  assert.deepEqual(positions("collect2: error: ld returned 1 exit status\n"), []);
});

test("aligned lines hold both texts in order, and equal lines stand beside each other", () => {
  const letters = ["a", "b", "c"];
  let seed = 1;
  const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
  for (let round = 0; round < 2000; round += 1) {
    const [one, two] = [0, 0].map(() => Array.from({ length: random(9) }, () => letters[random(3)]));
    const rows = alignLines(one, two);
    assert.deepEqual(rows.map(([old]) => old).filter((old) => old !== null), [...one.keys()]);
    assert.deepEqual(rows.map(([, now]) => now).filter((now) => now !== null), [...two.keys()]);
    const kept = rows.filter(([old, now]) => old !== null && now !== null && one[old] === two[now]).length;
    assert.ok(kept >= longestCommon(one, two), `${one} ${two}`);
  }
});

function longestCommon(one, two) {
  const table = Array.from({ length: one.length + 1 }, () => Array(two.length + 1).fill(0));
  one.forEach((left, i) => two.forEach((right, j) => {
    table[i + 1][j + 1] = left === right ? table[i][j] + 1 : Math.max(table[i][j + 1], table[i + 1][j]);
  }));
  return table[one.length][two.length];
}

test("texts with nothing in common are aligned in time", () => {
  const [one, two] = ["a", "b"].map((name) => Array.from({ length: 5000 }, (_, index) => name + index));
  const start = performance.now();
  assert.equal(alignLines(one, two).length, 5000);
  assert.ok(performance.now() - start < 2000);
});

test("a stream of events may be cut anywhere", () => {
  const stream = ": hello\r\n\r\nid: 1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:x\n\nid:7\ndata: é\n\nretry: 3\n\n";
  const expected = [{ id: "1", data: '{"a":\n1}' }, { id: undefined, data: "x" }, { id: "7", data: "é" }];
  for (let cut = 0; cut <= stream.length; cut += 1) {
    for (const second of [cut, Math.min(cut + 1, stream.length)]) {
      const received = [];
      const split = messageSplitter((message) => received.push(message));
      [stream.slice(0, cut), stream.slice(cut, second), stream.slice(second)].forEach(split);
      assert.deepEqual(received, expected, `${cut} ${second}`);
    }
  }
});

const started = { event: "run_started", cases: 3, isolation: "A", missing: [] };
const caseEvents = (id, verdict) => [{ event: "case_started", case: id, group: "g" }, { event: "case_finished", case: id, group: "g", verdict, cpu_ms: 1 }];
const after = (events) => events.reduce(apply, newRunState(9));

test("a run is followed case by case", () => {
  const state = after([started, { event: "build_finished", error: null }, ...caseEvents("g/1", "AC"), ...caseEvents("g/2", "WA"), { event: "case_skipped", case: "g/3", group: "g", reason: "no" }]);
  assert.deepEqual(state.cases.map(({ verdict }) => verdict), ["AC", "WA", "skipped"]);
  assert.deepEqual([state.total, state.settled, overall(state)], [3, 3, "running"]);
  assert.deepEqual(failed(state).map((one) => one.case), ["g/2"]);
  assert.equal(overall(apply(state, { event: "run_finished", verdict: "WA", faults: [] })), "WA");
});

test("a verdict that comes before its turn is shown when the case is", () => {
  const early = { event: "progress", activity: "judged_case", case: "g/2", verdict: "TLE" };
  const state = after([started, early, { event: "case_started", case: "g/2", group: "g" }]);
  assert.equal(state.cases[0].verdict, "TLE");
  assert.equal(state.settled, 0);
});

test("a run that starts again forgets what it showed, and a cancelled one has no verdict", () => {
  const again = after([started, ...caseEvents("g/1", "WA"), started, ...caseEvents("g/1", "AC")]);
  assert.deepEqual(again.cases.map(({ verdict }) => verdict), ["AC"]);
  const cancelled = after([started, { event: "case_started", case: "g/1", group: "g" }, { event: "run_finished", verdict: "JE", faults: [{ kind: "cancelled", message: "" }] }]);
  assert.deepEqual([overall(cancelled), cancelled.cases[0].verdict], ["cancelled", "none"]);
});

test("events of a newer server change nothing", () => {
  assert.deepEqual(after([started, { event: "later" }]), after([started]));
});

test("figures are written as in the terminal", () => {
  assert.deepEqual([0.5, 9.421, 12.34, 148.2, 2500].map(format.time), ["0.5 ms", "9.42 ms", "12.3 ms", "148 ms", "2.5 s"]);
  assert.deepEqual([0, 900, 4_194_304, 16_384_000, 536_870_912].map(format.size), ["0 B", "900 B", "4 MiB", "15.6 MiB", "512 MiB"]);
  assert.deepEqual(["5810us", "33ms", "2s", "1min"].map(format.spanMs), [5.81, 33, 2000, 60_000]);
  assert.deepEqual([format.bytesText("é"), format.bytesText({ hex: "c3a9ff" }), format.bytesText([104, 105])], ["é", "é\ufffd", "hi"]);
});

test("a search is followed from its turn to its smallest input", () => {
  const state = newStressState();
  assert.equal(stressBadge(state), "queued");
  applyStress(state, { event: "stress_progress", activity: "making_test_data", done: 1, total: 9 });
  assert.deepEqual([stressBadge(state), state.doing], ["running", "Making test data: 1 of 9"]);
  applyStress(state, { event: "stress_started" });
  applyStress(state, { event: "stress_progress", tests: 40, seconds: 2, largest: 9, rate: 20 });
  assert.deepEqual([state.tests, state.rate, state.largest, state.doing], [40, 20, 9, "Trying inputs"]);
  applyStress(state, { event: "stress_found", verdict: "WA", size: 80, tests: 50, seconds: 2.5, largest: 80, shown: "…" });
  applyStress(state, { event: "stress_shrunk", size: 8, shrink_tests: 3, shown: "1\n1\n" });
  applyStress(state, { event: "stress_progress", shrink_tests: 7 });
  assert.deepEqual([stressBadge(state), state.foundSize, state.size, state.shrinkTests], ["WA", 80, 8, 7]);
  const last = { event: "stress_finished", found: true, verdict: "WA", minimal: true, repeats: true, size_before: 80, size_after: 4, shrink_tests: 9, tests: 50 };
  applyStress(state, last);
  assert.deepEqual([state.phase, stressBadge(state), state.size], ["finished", "WA", 4]);
  assert.match(stressWords(state), /Minimal/);
  for (const [more, badge, words] of [
    [{ found: false, verdict: null }, "none", /proves nothing/],
    [{ found: false, verdict: null, all: true }, "none", /right on all/],
    [{ found: false, verdict: null, cancelled: true }, "cancelled", /Cancelled/],
    [{ found: false, verdict: "CE" }, "CE", /does not compile/],
    [{ found: false, verdict: null, error: "the reference failed" }, "JE", /reference failed/],
    [{ cancelled: true, minimal: false }, "WA", /smaller input may exist/],
    [{ repeats: false, minimal: false }, "WA", /not always fail on this input/],
  ]) {
    const ended = applyStress(newStressState(), { ...last, ...more });
    assert.deepEqual([stressBadge(ended), words.test(stressWords(ended))], [badge, true], JSON.stringify(more));
  }
});
