// Tests of one problem: the verdict of each student on each case.

import { element, fill } from "../dom.js";
import { readBook, readTests } from "./class_api.js";
import { createHeatmap } from "./heatmap.js";
import { createSubmissionView } from "./submission_view.js";

const ORDERS = {
  name: { name: "by name", sort: () => 0 },
  worst: { name: "most failed first", sort: (one, other) => failed(other) - failed(one) },
  pattern: { name: "by first failed case", sort: (one, other) => firstFailed(one) - firstFailed(other) || failed(one) - failed(other) },
};
const isFailed = (verdict) => verdict !== null && verdict !== "AC";
const failed = ({ verdicts }) => verdicts.filter(isFailed).length;
/** Returns the index of the first failed case, for sorting; programs that fail no case are last. */
const firstFailed = ({ verdicts }) => {
  const place = verdicts.findIndex(isFailed);
  return place < 0 ? verdicts.length : place;
};

export async function startTests(part, id, reading) {
  const about = await reading;
  const wanted = new URLSearchParams(location.search).get("problem");
  const problem = element("select", { "aria-label": "Problem", onchange: show }, ...about.problems.map(({ id: value, name }) => element("option", { value, selected: value === wanted }, name)));
  const order = element("select", { "aria-label": "Order of the students", onchange: draw }, ...Object.entries(ORDERS).map(([value, { name }]) => element("option", { value }, name)));
  const figures = element("span.muted.push", { role: "status" });
  const place = element("div");
  fill(part, element("div.filters", {}, problem, order, figures), place);
  let found = null;
  let view = null;

  async function show() {
    history.replaceState(null, "", `?problem=${encodeURIComponent(problem.value)}`);
    const asked = problem.value;
    const answer = await readTests(id, asked);
    if (asked !== problem.value) return;
    found = answer;
    draw();
  }

  function draw() {
    const rows = [...found.students].sort(ORDERS[order.value].sort);
    if (rows.length === 0) {
      figures.textContent = "";
      fill(place, element("div.empty", {}, element("h2", {}, "Nothing is judged yet")));
      return;
    }
    const solved = rows.filter((row) => failed(row) === 0).length;
    figures.textContent = `${solved} of ${rows.length} fail no case`;
    createHeatmap(place, { cases: found.cases, rows, onOpen: openStudent });
  }

  async function openStudent(student) {
    const book = await readBook(id);
    view ??= createSubmissionView({ id, problems: book.problems, onChange: show });
    const row = book.rows.find((one) => one.student === student);
    const column = book.problems.findIndex(({ id: one }) => one === problem.value);
    if (row && column >= 0) view.open(row, column);
  }

  await show();
}
