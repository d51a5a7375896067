// Table of the files with their students and problems, and of the excluded files with the reasons. Rows are edited in
// place.
//
// Keys: arrows move between rows, Enter edits and saves a row, Escape cancels, Delete excludes a file.

import { element, fill } from "../dom.js";
import { count } from "../format.js";
import { dataTable } from "./data_table.js";

/** Number of rows that are rendered initially and in each further step. */
const PAGE = 100;

const KINDS = {
  all: { name: "All", has: () => true },
  guessed: { name: "Guessed", has: ({ guessed }) => guessed },
  left: { name: "Left out", has: ({ left }) => left !== null },
  corrected: { name: "Corrected", has: ({ corrected }) => corrected },
};

/** Returns the entries of a kind that contain all words of a text. */
export function chosenEntries(entries, kind, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hay = ({ student, problem, key }) => `${student ?? ""} ${problem ?? ""} ${key}`.toLowerCase();
  return entries.filter((entry) => KINDS[kind].has(entry) && words.every((word) => hay(entry).includes(word)));
}

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {{id: string, name: string}[]} options.problems
 * @param {boolean} options.editable
 * @param {(entry: object, change: {student?: string, problem?: string, leave_out?: boolean, reset?: boolean}) => Promise<boolean>} options.onChange
 *   resolves to whether the change was saved
 */
export function createRoster(parent, { problems, editable, onChange }) {
  let entries = [];
  let kind = "all";
  let text = "";
  let shown = PAGE;
  let editing = null;
  let active = null;

  const names = element("datalist", { id: "students" });
  const chips = element("div.row", { role: "group", "aria-label": "Which files" });
  const search = element("input", { type: "search", placeholder: "Search students and files", "aria-label": "Search students and files", oninput: () => { text = search.value; shown = PAGE; draw(); } });
  const heads = ["Student", "Problem", "File", "Note"];
  const body = element("tbody");
  const more = element("button.button", { type: "button", onclick: () => { shown += PAGE * 5; draw(); } }, "Show more");
  const rest = element("div.row", {}, more);
  parent.classList.add("stack");
  fill(parent, element("div.filters", {}, search, chips), dataTable("Files", heads, body, ".roster"), rest, names);

  function draw() {
    fill(chips, ...Object.entries(KINDS).map(([id, { name, has }]) => {
      const number = entries.filter(has).length;
      return (id === "all" || number > 0) && element("button.chip", { type: "button", "aria-pressed": String(kind === id), onclick: () => { kind = id; shown = PAGE; draw(); } }, name, element("span.count", {}, number.toLocaleString("en-US")));
    }));
    const chosen = chosenEntries(entries, kind, text);
    const listed = chosen.slice(0, shown);
    if (active === null || !listed.some(({ key }) => key === active)) active = listed[0]?.key ?? null;
    fill(body, ...listed.map((entry) => (entry.key === editing ? editor(entry) : row(entry))));
    if (listed.length === 0) fill(body, element("tr", {}, element("td.nothing", { colspan: heads.length }, "No file matches.")));
    rest.hidden = chosen.length <= shown;
    more.textContent = `Show more of ${count(chosen.length - listed.length, "further file", "further files")}`;
  }

  function row(entry) {
    const notes = entry.left !== null ? [entry.left] : entry.guesses;
    const problem = problems.find(({ id }) => id === entry.problem);
    return element(entry.left !== null ? "tr.left" : "tr", { tabindex: editable && entry.key === active ? 0 : -1, data: { key: entry.key } },
      element("th", { scope: "row" }, entry.student ?? element("span.faint", {}, "nobody")),
      element("td", {}, problem ? problem.name : element("span.faint", {}, "none")),
      element("td.path", {}, element("span.mono", { title: entry.key }, entry.key), entry.files > 1 && element("span.faint", {}, ` and ${entry.files - 1} more`)),
      element("td.note", {}, entry.corrected && element("span.chip", {}, "corrected"), " ", notes.join("; "), editable && element("button.button.quiet.small.edit", { type: "button", tabindex: -1, "aria-label": `Correct ${entry.key}`, onclick: () => edit(entry.key) }, "Correct")));
  }

  function editor(entry) {
    const student = element("input", { type: "text", list: "students", value: entry.student ?? "", "aria-label": "Student", maxlength: 200, required: true });
    const problem = element("select", { "aria-label": "Problem" }, element("option", { value: "" }, "none"), ...problems.map(({ id, name }) => element("option", { value: id, selected: id === entry.problem }, name)));
    const save = () => change(entry, { student: student.value.trim(), problem: problem.value });
    const cell = element("td.note", {}, element("div.row", {},
      element("button.button.primary.small", { type: "button", onclick: save }, "Save"),
      entry.left === null && element("button.button.small", { type: "button", onclick: () => change(entry, { leave_out: true }) }, "Leave out"),
      entry.corrected && element("button.button.small", { type: "button", onclick: () => change(entry, { reset: true }) }, "As guessed"),
      element("button.button.quiet.small", { type: "button", onclick: stop }, "Cancel")));
    const node = element("tr.editing", { data: { key: entry.key }, onkeydown: (event) => {
      if (event.key === "Escape") stop();
      else if (event.key === "Enter" && event.target.tagName !== "BUTTON") save();
      else return;
      event.preventDefault();
      event.stopPropagation();
    } }, element("td", {}, student), element("td", {}, problem), element("td.path", {}, element("span.mono", {}, entry.key)), cell);
    return node;
  }

  function edit(key) {
    [editing, active] = [key, key];
    fill(names, ...[...new Set(entries.map(({ student }) => student).filter(Boolean))].map((student) => element("option", { value: student })));
    draw();
    const field = body.querySelector(".editing input");
    field?.focus();
    field?.select();
  }

  function stop() {
    editing = null;
    draw();
    focusRow(active);
  }

  async function change(entry, wanted) {
    if (wanted.student !== undefined && (wanted.student === "" || wanted.problem === "")) {
      body.querySelector(wanted.student === "" ? ".editing input" : ".editing select")?.focus();
      return;
    }
    const next = body.querySelector(".editing")?.nextElementSibling?.dataset.key;
    if (!(await onChange(entry, wanted))) return;
    editing = null;
    if (next) active = next;
    draw();
    focusRow(active);
  }

  function focusRow(key) {
    for (const node of body.querySelectorAll('tr[tabindex="0"]')) node.tabIndex = -1;
    const node = [...body.children].find(({ dataset }) => dataset.key === key);
    if (!node) return;
    active = key;
    node.tabIndex = 0;
    node.focus();
  }

  body.addEventListener("keydown", (event) => {
    if (event.target.parentNode !== body || !editable) return;
    const key = event.target.dataset.key;
    const to = { ArrowDown: event.target.nextElementSibling, ArrowUp: event.target.previousElementSibling, Home: body.firstElementChild, End: body.lastElementChild }[event.key];
    if (to) focusRow(to.dataset.key);
    else if (event.key === "Enter") edit(key);
    else if (event.key === "Delete") change(entries.find((entry) => entry.key === key), { leave_out: true });
    else return;
    event.preventDefault();
  });
  body.addEventListener("dblclick", ({ target }) => {
    const key = target.closest("tr")?.dataset.key;
    if (editable && key && key !== editing) edit(key);
  });

  return {
    /** Shows these entries. */
    show(all) {
      entries = all;
      draw();
    },
    /** Selects the files to list: `all`, `guessed`, `left` or `corrected`. */
    choose(wanted) {
      kind = wanted;
      draw();
    },
  };
}
