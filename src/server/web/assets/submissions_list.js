// List of a person's submissions to a problem, with buttons to show one, to reopen its source, and to compare two.
//
// DOM: fills the element `parent`.

import { requestOrToast } from "./api.js";
import { diffTable } from "./diff.js";
import { element, fill, verdictBadge } from "./dom.js";
import { moment } from "./format.js";

/** Names of the kinds of runs that are not submissions. */
const KINDS = { samples: "samples", input: "own input", tests: "my tests", judge: "judged for a class" };

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {string} options.problem
 * @param {(run: object) => void} options.onShow
 * @param {(run: object, source: string) => void} options.onReopen
 */
export function createSubmissionsList(parent, { problem, onShow, onReopen }) {
  const chosen = new Set();
  let runs = [];

  async function refresh() {
    const answer = await requestOrToast("GET", `/runs?problem=${encodeURIComponent(problem)}`);
    if (!Array.isArray(answer)) return;
    runs = answer;
    draw();
  }

  function draw() {
    if (runs.length === 0) {
      fill(parent, element("div.empty", {}, element("h3", {}, "No submissions yet"), element("p", {}, "What you submit is listed here, and can be opened again.")));
      return;
    }
    const heads = [["Compare", true], ["Verdict"], ["When"], ["Program"], ["Actions", true]];
    const head = element("tr", {}, ...heads.map(([name, hidden]) => element("th", { scope: "col" }, hidden ? element("span.visually-hidden", {}, name) : name)));
    const compare = element("button.button.small", { type: "button", disabled: chosen.size !== 2, onclick: showComparison }, "Compare two");
    fill(parent,
      element("div.table-scroll", { tabindex: 0, role: "region", "aria-label": "Submissions" }, element("table.table", {}, element("thead", {}, head), element("tbody", {}, ...runs.map(row)))),
      element("div.row", {}, compare, element("span.muted", {}, chosen.size === 2 ? "" : "Tick two to compare their sources.")));
  }

  function row(run) {
    const when = moment(run.created);
    const tick = element("input", { type: "checkbox", "aria-label": `Compare the submission of ${when}`, checked: chosen.has(run.id), onchange: () => toggle(run.id) });
    const result = run.state === "finished" ? (run.verdict ?? "JE") : run.state;
    const points = Number(run.max_score) > 0 && run.kind === "submit" ? ` ${run.score}` : "";
    return element("tr", {},
      element("td", {}, tick),
      element("td.whole", {}, verdictBadge(result), element("span.muted", {}, points)),
      element("td.whole", {}, element("time", { datetime: new Date(run.created).toISOString() }, when)),
      element("td", {}, [run.language, KINDS[run.kind]].filter(Boolean).join(" · ")),
      element("td.whole", {},
        element("button.button.quiet.small", { type: "button", onclick: () => onShow(run) }, "Result"),
        element("button.button.quiet.small", { type: "button", title: "Open the source in the editor", onclick: () => reopen(run) }, "Open")));
  }

  function toggle(id) {
    if (!chosen.delete(id)) chosen.add(id);
    // A third choice replaces the oldest one.
    if (chosen.size > 2) chosen.delete(chosen.values().next().value);
    const at = [...parent.querySelectorAll("input")].indexOf(document.activeElement);
    draw();
    parent.querySelectorAll("input")[at]?.focus();
  }

  async function reopen(run) {
    const source = await sourceOf(run);
    if (source !== null) onReopen(run, source);
  }

  async function showComparison() {
    const [newer, older] = runs.filter(({ id }) => chosen.has(id));
    const [before, after] = await Promise.all([sourceOf(older), sourceOf(newer)]);
    if (before === null || after === null) return;
    const names = [older, newer].map((run) => `${moment(run.created)} · ${run.verdict ?? run.state}`);
    const body = before === after ? element("p.muted", {}, "The two sources are equal.") : diffTable(before, after, { names, versions: true });
    const close = element("button.button.small", { type: "button", onclick: () => dialog.close() }, "Close");
    const dialog = element("dialog.wide", { "aria-labelledby": "comparison-title", onclose: () => dialog.remove() },
      element("header", {}, element("h2", { id: "comparison-title" }, "Two submissions"), close), body);
    document.body.append(dialog);
    dialog.showModal();
  }

  return { refresh };
}

async function sourceOf(run) {
  const source = await requestOrToast("GET", `/runs/${encodeURIComponent(run.id)}/source`);
  return source === null ? null : typeof source === "string" ? source : "";
}
