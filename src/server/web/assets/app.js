// Entry point of every page. It starts the scripts for the elements of the page, which README.md describes.

import { enableCopying } from "./copy.js";
import { moment } from "./format.js";
import { addCopyButtons, focusScrollers } from "./statement.js";

enableCopying();
document.querySelectorAll(".statement").forEach(addCopyButtons);
focusScrollers(document.querySelectorAll(".copyable > pre"));

// The server renders times in UTC. They are converted to the browser's time zone.
for (const node of document.querySelectorAll("time[datetime]")) {
  const ms = Date.parse(node.dateTime);
  if (!Number.isNaN(ms)) [node.textContent, node.title] = [moment(ms), node.textContent];
}

// A search field filters the rows of a table during typing.
for (const field of document.querySelectorAll("input[data-filter]")) {
  const rows = document.querySelectorAll(`${field.dataset.filter} tbody tr`);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
}

const forms = document.querySelectorAll("form[data-send]");
if (forms.length > 0) import("./forms.js").then(({ startForms }) => startForms(forms));

const ends = document.querySelectorAll("[data-until]");
if (ends.length > 0) import("./time_left.js").then(({ showTimeLeft }) => showTimeLeft(ends));

const panel = document.querySelector(".practise[data-problem]");
if (panel) import("./practise.js").then(({ startPractising }) => startPractising(panel));

const game = document.querySelector(".game[data-game]");
if (game) import("./game.js").then(({ startGame }) => startGame(game));

const classPart = document.querySelector(".class-part");
if (classPart) import("./classes/start.js").then(({ startClassPart }) => startClassPart(classPart));

const newClass = document.querySelector("form.new-class");
if (newClass) import("./classes/upload.js").then(({ startUpload }) => startUpload(newClass));

// The page of one submission.
const run = document.querySelector(".run[data-run]");
if (run) {
  import("./run_view.js").then(({ createRunView }) => {
    const { run: id, cases, cpuMs, memoryBytes } = run.dataset;
    createRunView(run, { cases: Number(cases) || 0, cpuMs: Number(cpuMs), memoryBytes: Number(memoryBytes) }).follow(id);
  });
}
