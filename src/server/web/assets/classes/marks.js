// Gradebook: progress of the judging, filters, the table of marks, and the details of a mark.

import { element, fill, onceAFrame } from "../dom.js";
import { count, verdictName } from "../format.js";
import { announce, toast } from "../toast.js";
import { filterRows, sortRows, standings } from "./book_model.js";
import { createGrid } from "./book_grid.js";
import { cellOf, followClass, readBook, readClass, steer } from "./class_api.js";
import { createLiveBar } from "./live_bar.js";
import { createSubmissionView } from "./submission_view.js";

export async function startMarks(part, id, reading) {
  const [about, book] = await Promise.all([reading, readBook(id)]);
  const rows = new Map(book.rows.map((row) => [row.student, row]));
  const places = new Map(book.problems.map(({ id: problem }, place) => [problem, place]));
  const order = { by: "student", descending: false };
  const filters = createFilters(book.problems, apply);
  const liveNode = element("div.live");
  const gridNode = element("div");
  fill(part, liveNode, filters.node, gridNode);

  const act = (action) => action().catch((error) => toast(error.message, { kind: "bad", help: error.help }));
  const live = createLiveBar(liveNode, { onSteer: (what) => act(async () => update(await steer(id, what))) });
  const view = createSubmissionView({ id, problems: book.problems, onChange: reload, onStep: step });
  const grid = createGrid(gridNode, {
    problems: book.problems,
    max: book.max,
    onOpen: (row, column) => view.open(row, column),
    onSort: (by) => {
      order.descending = order.by === by ? !order.descending : by !== "student";
      order.by = by;
      apply();
    },
  });
  let listed = [];
  let revision = 0;

  function apply() {
    listed = sortRows(filterRows([...rows.values()], filters.read()), order);
    grid.show(listed, order);
    filters.say(`${listed.length === rows.size ? "" : `${listed.length} of `}${count(rows.size, "student", "students")}`);
  }

  /** Draws the new marks at most once per frame, without reordering the rows. */
  const draw = onceAFrame(() => {
    grid.draw();
    drawFigures();
  });
  const drawFigures = slowly(() => {
    grid.drawFigures([...rows.values()]);
    filters.offer([...rows.values()]);
  }, 500);

  function receive(event) {
    if (event.event === "mark") {
      const row = rows.get(event.student);
      const place = places.get(event.mark.problem);
      if (!row || place === undefined) return;
      row.cells[place] = cellOf(event.mark);
      row.total = event.total;
      row.flags = row.cells.filter(({ flagged }) => flagged).length;
      row.version = (revision += 1);
      draw();
      if (event.mark.state === "judged") view.refresh(rows, event.student);
    } else if (event.event === "state" || event.event === "progress") {
      if (about.state === "running" && event.state === "finished") announce("All programs are judged");
      update(event);
      // The final counts are not part of the numbered events.
      if (event.event === "state") readClass(id).then(update, () => {});
    } else if (event.event === "rules" || event.event === "roster") reload();
  }

  const drawLive = onceAFrame(() => live.show(about));
  function update(facts) {
    Object.assign(about, facts);
    drawLive();
  }

  async function reload() {
    const fresh = await readBook(id);
    rows.clear();
    for (const row of fresh.rows) {
      rows.set(row.student, row);
      row.version = (revision += 1);
    }
    listed = listed.map((row) => rows.get(row.student)).filter(Boolean);
    grid.show(listed, order);
    draw();
    view.refresh(rows);
  }

  function step(row, column, by) {
    const at = listed.findIndex(({ student }) => student === row.student);
    const next = listed[at + by];
    if (!next) return;
    grid.focus(next.student, column);
    view.open(next, column);
  }

  apply();
  drawLive();
  // The marks are shown first, since the distributions take longer.
  requestAnimationFrame(() => setTimeout(drawFigures));
  followClass(id, book.lastEvent, { onEvent: receive });
}

/** Returns a function that runs `work` immediately, but at most once per `ms` milliseconds. */
function slowly(work, ms) {
  let last = -Infinity;
  let timer = null;
  return () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      last = performance.now();
      work();
    }, Math.max(last + ms - performance.now(), 0));
  };
}

function createFilters(problems, onChange) {
  const text = element("input", { type: "search", placeholder: "Search students", "aria-label": "Search students", oninput: onChange });
  const problem = element("select", { "aria-label": "Problem", onchange: onChange }, element("option", { value: "" }, "All problems"), ...problems.map(({ name }, place) => element("option", { value: place }, name)));
  const verdict = element("select", { "aria-label": "Verdict", onchange: onChange });
  const flagged = element("button.chip", { type: "button", "aria-pressed": "false", onclick: () => { flagged.setAttribute("aria-pressed", String(flagged.getAttribute("aria-pressed") !== "true")); onChange(); } }, "To review");
  const said = element("span.muted.push", { role: "status" });
  let offered = "";
  return {
    node: element("div.filters", { role: "search" }, text, problem, verdict, flagged, said),
    read: () => ({ text: text.value, column: problem.value === "" ? null : Number(problem.value), verdict: verdict.value, flagged: flagged.getAttribute("aria-pressed") === "true" }),
    say: (words) => { said.textContent = words; },
    /** Updates the list of verdicts that occur. */
    offer(rows) {
      const names = standings(rows).map(([name]) => name);
      const key = [...names].sort().join();
      if (key === offered) return;
      offered = key;
      const chosen = verdict.value;
      fill(verdict, element("option", { value: "" }, "All verdicts"), ...names.map((name) => element("option", { value: name, selected: name === chosen }, name === "missing" ? "nothing submitted" : verdictName(name))));
    },
  };
}
