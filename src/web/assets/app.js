// The script of every page. It starts what the page contains; README.md says what a page must provide.

import { enableCopying } from "./copy.js";

enableCopying();

const panel = document.querySelector("[data-practise]");
if (panel) import("./practise.js").then(({ startPractising }) => startPractising(panel));

// The page of one submission.
const run = document.querySelector("[data-run]");
if (run) {
  import("./run_view.js").then(({ createRunView }) => {
    const { run: id, kind, cases, cpuMs, memoryBytes } = run.dataset;
    createRunView(run, { cases: Number(cases), cpuMs: Number(cpuMs), memoryBytes: Number(memoryBytes) }).follow(id, kind);
  });
}
