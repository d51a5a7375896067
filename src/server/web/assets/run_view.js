// Shows a run while it is judged: its state, a square for each case, the failed cases, and the details of one case.
//
// `createRunView(parent, options)` fills `parent` (a `div.run`). Elements that grow are below those that do not, and
// the squares are drawn before their verdicts are known, so that nothing moves. The DOM is updated at most once per
// frame.

import { request } from "./api.js";
import { caseDetail, text } from "./case_detail.js";
import { compileErrors } from "./compile_errors.js";
import { element, fill, onceAFrame, verdictBadge } from "./dom.js";
import { followEvents } from "./events.js";
import { bytesText, count, size, time, verdictName } from "./format.js";
import { apply, failed, newRunState, overall } from "./run_state.js";
import { announce, toast } from "./toast.js";

/** Maximum number of failed cases listed before "show all". */
const LISTED = 5;

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {number} [options.cases] number of cases of a submission
 * @param {number} [options.cpuMs] time limit, for the bars
 * @param {number} [options.memoryBytes] memory limit, for the bars
 * @param {(errors: object[]) => void} [options.onErrors] called with the compile errors, in the format of the editor
 * @param {(line: number) => void} [options.onLine] called when the user chooses a line of a compile error
 * @param {(phase: string, summary: object | null) => void} [options.onPhase]
 */
export function createRunView(parent, options = {}) {
  let state = newRunState();
  let report = null;
  let stream = null;
  let chosen = null;
  let listAll = false;
  let connected = true;
  let shown = {};
  // The squares of the next submission are drawn when it starts.
  let total = options.cases || 0;

  const badge = element("span");
  const words = element("span.state");
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Cases judged" });
  const strip = element("ol.cases", { "aria-label": "Cases" });
  const facts = element("dl.run-facts");
  const below = element("div.stack");
  const detail = element("div");
  fill(parent, element("div.run-head", {}, badge, words), bar, strip, facts, below, detail);
  const redraw = onceAFrame(draw);

  strip.addEventListener("click", ({ target }) => choose(target.closest(".case")?.dataset.index));
  strip.addEventListener("keydown", moveFocus);

  /** Follows another run from its first event. `kind` is the kind of the run, such as `submit`. */
  function follow(id, kind = "submit") {
    close();
    state = newRunState(kind === "submit" ? total : 0);
    [report, chosen, listAll, connected, shown] = [null, null, false, true, {}];
    fill(detail);
    fill(below);
    options.onErrors?.([]);
    stream = followEvents(`/api/v1/runs/${encodeURIComponent(id)}/events`, {
      onEvent: (event) => receive(event, id),
      onConnection: (there) => { connected = there; redraw(); },
      onRefused: (status, message) => { toast(message, { kind: "bad" }); },
    });
    draw();
  }

  function receive(event, id) {
    state = apply(state, event);
    if (event.event === "run_started") {
      [chosen, shown] = [null, {}];
      total = Math.max(total, event.cases);
    }
    if (event.event === "build_finished" && event.error) options.onErrors?.(compileErrors(event.error));
    if (event.event === "run_finished") finished(id);
    redraw();
  }

  async function finished(id) {
    announce(`${verdictName(overall(state))}. ${summaryWords(state)}`);
    // A run that ended before its first case has no report.
    if (state.cases.length === 0 && state.compileError === null) return;
    const own = stream;
    report = (await request("GET", `/runs/${encodeURIComponent(id)}/report`).catch(() => null)) ?? null;
    if (own !== stream) return;
    chosen ??= failed(state)[0]?.case ?? report?.dialogue?.case ?? null;
    shown.detail = undefined;
    redraw();
  }

  function close() {
    stream?.close();
    stream = null;
  }

  function draw() {
    drawHead();
    drawStrip();
    drawBelow();
    drawDetail();
  }

  function drawHead() {
    const now = overall(state);
    if (shown.now !== now) {
      fill(badge, verdictBadge(now, state.phase === "finished" ? verdictName(now) : now, "large"));
      bar.dataset.verdict = now;
      if (shown.now !== undefined || now !== "queued") options.onPhase?.(state.phase, state.summary);
      shown.now = now;
    }
    const doing = state.phase === "queued" || state.phase === "running" ? progressWords(state) : summaryWords(state);
    words.textContent = connected ? doing : `${doing} · connecting again …`;
    bar.max = Math.max(state.total, 1);
    bar.value = state.phase === "finished" ? bar.max : state.settled;
    const summary = state.summary;
    const figures = [
      ["Slowest", summary?.slowest ? `${time(summary.slowest.cpu_ms)}${options.cpuMs ? ` of ${time(options.cpuMs)}` : ""}` : "–"],
      ["Memory", summary?.memory_bytes ? `${size(summary.memory_bytes)}${options.memoryBytes ? ` of ${size(options.memoryBytes)}` : ""}` : "–"],
      ["Isolation", state.isolation ?? "–"],
    ];
    fill(facts, ...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
    facts.title = state.missing.join("\n");
  }

  /** Updates only the squares that changed. */
  function drawStrip() {
    strip.hidden = facts.hidden = state.compileError !== null;
    while (strip.children.length > state.total) strip.lastChild.remove();
    while (strip.children.length < state.total) strip.append(element("li", {}, element("span.case")));
    shown.verdicts ??= [];
    state.cases.forEach((one, index) => {
      const key = `${one.verdict}${one.case === chosen ? "!" : ""}`;
      if (shown.verdicts[index] === key) return;
      shown.verdicts[index] = key;
      const old = strip.children[index].firstChild;
      const square = old.tagName === "BUTTON" ? old : element("button.case", { type: "button", tabindex: index === 0 ? 0 : -1, data: { index } });
      const usage = one.cpu_ms === undefined ? "" : `, ${time(one.cpu_ms)}, ${size(one.memory_bytes)}`;
      square.dataset.verdict = one.verdict;
      square.title = `${one.case}: ${verdictName(one.verdict)}${usage}`;
      square.setAttribute("aria-label", square.title);
      square.setAttribute("aria-pressed", String(one.case === chosen));
      if (square !== old) old.replaceWith(square);
    });
    for (let index = state.cases.length; index < (shown.filled ?? 0); index += 1) strip.children[index]?.replaceChildren(element("span.case"));
    shown.filled = state.cases.length;
  }

  function drawBelow() {
    const failures = failed(state);
    const key = [failures.length, listAll, chosen, state.compileError, state.summary?.verdict, report !== null].join();
    if (shown.below === key) return;
    shown.below = key;
    fill(below,
      state.compileError && compilePanel(state.compileError, options.onLine),
      ...(state.summary?.faults ?? []).filter(({ kind }) => kind !== "cancelled").map((fault) => element("p.notice.bad", {}, fault.message)),
      report?.output && text(report.output.checked ? "Output" : "Output (not checked: there is no answer for this input)", bytesText(report.output.content)),
      groupsTable(state.groups),
      failures.length > 0 && failedTable(failures));
  }

  function failedTable(failures) {
    const listed = listAll ? failures : failures.slice(0, LISTED);
    const head = ["Case", "Verdict", "Time", "Memory", ""].map((name) => element("th", { scope: "col" }, name || element("span.visually-hidden", {}, "Message")));
    const rows = listed.map((one) => element("tr", {},
      element("th", { scope: "row" }, element("button.button.quiet.small", { type: "button", "aria-pressed": String(one.case === chosen), onclick: () => choose(state.places.get(one.case)) }, one.case)),
      element("td", {}, verdictBadge(one.verdict)),
      element("td", {}, ...measured(one.cpu_ms, options.cpuMs, time)),
      element("td", {}, ...measured(one.memory_bytes, options.memoryBytes, size)),
      element("td.message", {}, one.message ?? one.difference?.message ?? "")));
    const more = failures.length - listed.length;
    return element("div.stack", {},
      element("div.table-scroll", { tabindex: 0, role: "region", "aria-label": "Failed cases" }, element("table.table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))),
      more > 0 && element("div", {}, element("button.button.small", { type: "button", onclick: () => { listAll = true; draw(); } }, `Show ${count(more, "more failed case", "more failed cases")}`)));
  }

  function drawDetail() {
    // The details are available only after the run, and the list above them grows until then.
    const one = state.cases[state.places.get(chosen)];
    const key = one && (state.phase !== "running") ? `${chosen} ${report !== null}` : "";
    if (shown.detail === key) return;
    shown.detail = key;
    fill(detail, key !== "" && caseDetail(one, report));
  }

  function choose(index) {
    const one = state.cases[index];
    if (!one) return;
    chosen = one.case;
    draw();
  }

  /** Only one square is in the tab order (roving tabindex); arrow keys move within the strip. */
  function moveFocus(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns(), Home: -Infinity, End: Infinity }[event.key];
    const from = Number(event.target.dataset?.index);
    if (step === undefined || Number.isNaN(from)) return;
    event.preventDefault();
    const to = Math.min(Math.max(from + step, 0), state.cases.length - 1);
    event.target.tabIndex = -1;
    strip.children[to].firstChild.tabIndex = 0;
    strip.children[to].firstChild.focus();
  }

  const columns = () => getComputedStyle(strip).gridTemplateColumns.split(" ").length;

  return { follow, close };
}

/** Renders the output of the compiler. Lines with a source position link to it. */
function compilePanel(output, onLine) {
  const positions = new Map(compileErrors(output).map((error) => [error.at, error.line]));
  const parts = output.split("\n").flatMap((line, at) => {
    const target = positions.get(at);
    const node = target && onLine ? element("button", { type: "button", onclick: () => onLine(target) }, line) : line;
    return at === 0 ? [node] : ["\n", node];
  });
  return element("div.labelled", {}, element("span", {}, "The compiler's output"), element("pre.compile-error", { tabindex: 0, role: "region", "aria-label": "The compiler's output" }, ...parts));
}

/** Renders the points of subtasks, if the problem has subtasks. */
function groupsTable(groups) {
  const withPoints = groups.filter(({ max_score }) => Number(max_score) > 0);
  if (withPoints.length < 2) return null;
  return element("ul.groups", { "aria-label": "Groups" }, ...withPoints.map(({ group, verdict, score, max_score }) =>
    element("li", {}, verdictBadge(verdict ?? "none", group), `${score} of ${max_score}`)));
}

/** Renders a value with a bar that shows its share of the limit. */
function measured(value, limit, format) {
  if (value === undefined) return ["–"];
  if (!limit) return [format(value)];
  const share = value / limit;
  const bar = element(share > 1 ? "span.bar.over" : share > 0.8 ? "span.bar.near" : "span.bar", { "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(share, 1)));
  return [bar, " ", element("span.measure", {}, format(value))];
}

function progressWords(state) {
  return state.settled > 0 ? `${state.doing === "Running" ? "" : `${state.doing} · `}${state.settled} of ${count(state.total, "case", "cases")}` : state.doing;
}

function summaryWords({ summary, settled }) {
  if (!summary) return "";
  if (summary.verdict === "CE" || summary.cases === 0) return "";
  if (summary.faults?.some(({ kind }) => kind === "cancelled")) return `after ${count(settled, "case", "cases")}`;
  const points = Number(summary.max_score) > 0 ? ` · ${summary.score} of ${summary.max_score} points` : "";
  return `${summary.accepted} of ${count(summary.cases, "case", "cases")}${points}`;
}
