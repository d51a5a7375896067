// Details of a mark: the program, its failed cases, the attempts, and the override by a teacher.
//
// The details are a dialog on the right. Alt and an arrow key select the next or previous student of the table.

import { diffTable } from "../diff.js";
import { element, fill, verdictBadge } from "../dom.js";
import { count, moment, size, time, verdictName } from "../format.js";
import { toast } from "../toast.js";
import { points, standing } from "./book_model.js";
import { readLog, readSubmission, rejudge, setMark, undoMark } from "./class_api.js";
import { codeView } from "./code_view.js";
import { logList } from "./log.js";

/** Maximum number of failed cases whose data is shown. */
const FAILURES = 3;

/**
 * @param {object} options
 * @param {string} options.id the class
 * @param {{id: string, name: string}[]} options.problems
 * @param {() => Promise<void>} options.onChange called when a mark was changed
 * @param {(row: object, column: number, by: number) => void} [options.onStep] called to select another student
 */
export function createSubmissionView({ id, problems, onChange, onStep }) {
  const title = element("h2", { id: "submission-title" });
  const body = element("div.stack");
  const step = (by) => onStep?.(shown.row, shown.column, by);
  const stepButton = (by, sign, name) => element("button.button.quiet.small", { type: "button", title: `${name} student (Alt ${sign})`, "aria-label": `${name} student`, onclick: () => step(by) }, sign);
  const dialog = element("dialog.drawer", { "aria-labelledby": "submission-title", tabindex: -1 },
    element("header", {}, title, element("div.row.push", {}, onStep && stepButton(-1, "↑", "Previous"), onStep && stepButton(1, "↓", "Next"), element("button.button.small", { type: "button", onclick: () => dialog.close() }, "Close"))),
    body);
  document.body.append(dialog);
  let shown = null;
  dialog.addEventListener("keydown", (event) => {
    const by = event.altKey && { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());

  async function open(row, column, file = null) {
    const problem = problems[column];
    const cell = row.cells[column];
    const own = { row, column };
    shown = own;
    fill(title, row.student, element("span.muted", {}, ` · ${problem.name}`));
    if (!dialog.open) {
      fill(body, markRow(cell));
      dialog.showModal();
    }
    try {
      const [found, log] = await Promise.all([cell.state === "missing" ? null : readSubmission(id, row.student, problem.id, file), readLog(id)]);
      if (own === shown) draw(own, found, log.filter(({ student, problem: one }) => student === row.student && one === problem.id));
    } catch (error) {
      if (own === shown) fill(body, markRow(cell), element("p.notice.bad", {}, error.message));
    }
  }

  function draw({ row, column }, found, log) {
    const cell = row.cells[column];
    const again = found && element("button.button.small", { type: "button", onclick: () => act(() => rejudge(id, { student: row.student, problem: problems[column].id }), "The program is judged again") }, "Judge again");
    const failing = found?.failing ?? [];
    fill(body,
      markRow(cell, found, again),
      overrideForm(row, column, cell),
      found?.refusal && labelled("The compiler's output", element("pre.compile-error", { tabindex: 0, role: "region", "aria-label": "The compiler's output" }, found.refusal)),
      found?.cases.length > 0 && caseStrip(found.cases),
      ...failing.slice(0, FAILURES).map(failure),
      failing.length > FAILURES && element("p.muted", {}, `… and ${count(failing.length - FAILURES, "more failed group", "more failed groups")}`),
      ...(found?.files ?? []).map(({ name, text }) => labelled(name, codeView(text, { label: name }))),
      found?.attempts.length > 1 && labelled("Attempts", attempts(found, (file) => open(row, column, file))),
      log.length > 0 && labelled("What was changed", logList(log)));
    // The focused element may have been removed.
    if (!dialog.contains(document.activeElement)) dialog.focus();
  }

  async function act(action, done) {
    try {
      await action();
      toast(done, { kind: "good" });
      await onChange();
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
    }
  }

  function overrideForm(row, column, cell) {
    const mark = element("input", { type: "number", step: "any", min: 0, required: true, value: cell.points ?? "", id: "override-mark" });
    const reason = element("input", { type: "text", required: true, maxlength: 500, id: "override-reason", placeholder: "why" });
    const comment = element("input", { type: "text", maxlength: 500, id: "override-comment", value: cell.comment ?? "" });
    const problem = problems[column].id;
    const submit = (event) => {
      event.preventDefault();
      const body = { student: row.student, problem, mark: mark.value, reason: reason.value.trim() };
      if (comment.value.trim() !== "") body.comment = comment.value.trim();
      act(() => setMark(id, body), "The mark is changed");
    };
    const form = element("form.override", { onsubmit: submit },
      field("Mark", mark), field("Reason", reason, ".grow"), field("Comment for the student", comment, ".grow"),
      element("button.button", { type: "submit" }, "Override"));
    const undo = cell.overridden && element("div", {}, element("button.button.small", { type: "button", onclick: () => act(() => undoMark(id, row.student, problem), "The override is undone") }, "Undo the override"));
    return element("details.override-part", { open: cell.overridden }, element("summary", {}, cell.overridden ? "Overridden by hand" : "Override the mark"), element("div.stack", {}, form, undo));
  }

  return {
    open,
    /** Updates the view after the rows changed, if it is open; `student` restricts the update to one row. */
    refresh(rows, student = shown?.row.student) {
      const row = dialog.open && shown.row.student === student && rows.get(student);
      if (row) open(row, shown.column);
    },
  };
}

const field = (name, input, kind = "") => element(`div.field${kind}`, {}, element("label", { for: input.id }, name), input);
const labelled = (name, node) => element("div.labelled", {}, element("span", {}, name), node);

function markRow(cell, found, again) {
  const name = standing(cell);
  const badge = verdictBadge(name === "open" ? "JE" : name === "missing" ? "none" : name, name === "missing" ? "nothing submitted" : verdictName(name), "large");
  const facts = [cell.formula && `Mark: ${cell.formula}`, found?.language, found?.at && `submitted ${moment(found.at * 1000)}`, found?.path, cell.comment].filter(Boolean);
  return element("div.stack", {},
    element("div.row", {}, badge, element("span.points", {}, element("b", {}, points(cell.points)), ` of ${points(cell.max)}`), ...cell.flags.map((flag) => element("span.chip", {}, flag)), again && element("span.push", {}, again)),
    facts.length > 0 && element("p.muted", {}, facts.join(" · ")));
}

/** Renders the cases in order, with their time and memory in tooltips. */
function caseStrip(cases) {
  return element("ol.cases.still", { "aria-label": "Cases" }, ...cases.map(({ case: name, verdict, cpu_ms, memory_bytes }) => {
    const words = `${name}: ${verdictName(verdict ?? "none")}${verdict ? `, ${time(cpu_ms)}, ${size(memory_bytes)}` : ""}`;
    return element("li", {}, element("span.case", { data: { verdict: verdict ?? "none" }, title: words, role: "img", "aria-label": words }));
  }));
}

/** Renders the details of a failed case. */
function failure({ case: name, verdict, message, difference, input, expected, actual, stderr }) {
  const output = (label, text) => labelled(label, element("pre.output", { tabindex: 0, role: "region", "aria-label": `${label} of ${name}` }, text));
  return element("section.case-detail", { "aria-label": `Case ${name}` },
    element("header", {}, element("h3", {}, name), verdictBadge(verdict, verdictName(verdict)), element("span.muted", {}, [message, difference].filter(Boolean).join(" · "))),
    input && output("Input", input),
    (expected || actual) && labelled("First difference", diffTable(expected ?? "", actual ?? "", { label: `First difference of ${name}` })),
    stderr && output("Standard error", stderr));
}

function attempts({ attempts: list, path: shown }, onOpen) {
  return element("ul.plain", {}, ...list.map(({ path, at, counts, verdict, score }) => element("li.row", {},
    verdictBadge(verdict ?? "none", verdict ?? "not judged"),
    path === shown ? element("b.mono", {}, path) : element("button.button.quiet.small", { type: "button", onclick: () => onOpen(path) }, path),
    element("span.muted", {}, [at && moment(at * 1000), score !== null && `${points(score)} points`, counts && "counts"].filter(Boolean).join(" · ")))));
}
