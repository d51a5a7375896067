// Shows a search for a failing input while it runs: the number of inputs, the smallest failing input so far, and at the
// end the expected and the actual output with an explanation.
//
// `createStressView(parent, options)` fills `parent`. Space for the input is reserved from the start, so nothing moves.

import { requestOrToast } from "./api.js";
import { caseDetail, text } from "./case_detail.js";
import { diffTable } from "./diff.js";
import { element, fill, onceAFrame, verdictBadge } from "./dom.js";
import { followEvents } from "./events.js";
import { bytesText, count, size, verdictName } from "./format.js";
import { reasonPanel } from "./reason.js";
import { applyStress, newStressState, stressBadge, stressWords } from "./stress_state.js";
import { announce, toast } from "./toast.js";

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {number} options.seconds duration of a search
 * @param {(input: string) => void} [options.onUse] copies an input into the field for the user's own input
 * @param {(ended: boolean) => void} [options.onPhase]
 * @returns {{follow: (id: string) => void, close: () => void}}
 */
export function createStressView(parent, options) {
  let state = newStressState();
  let stream = null;
  let connected = true;
  let current = null;

  const badge = element("span");
  const words = element("span.state");
  const cancel = element("button.button.danger.small.push", { type: "button", id: "cancel-stress" }, "Cancel");
  const bar = element("progress", { max: options.seconds, value: 0, "aria-label": "Time of the search" });
  const facts = element("dl.run-facts.stress-facts");
  const smallest = element("pre.output.stress-input", { tabindex: 0, role: "region", "aria-label": "The smallest failing input so far" });
  const live = element("div.labelled", {}, element("span", {}, "The smallest failing input so far"), smallest);
  const below = element("div.stack");
  fill(parent, element("div.run-head", {}, badge, words, cancel), bar, facts, live, below);
  const redraw = onceAFrame(draw);

  cancel.addEventListener("click", async () => {
    cancel.disabled = true;
    await requestOrToast("DELETE", `/stress/${encodeURIComponent(current)}`);
    cancel.disabled = false;
  });

  /** Follows a search from its first event. */
  function follow(id) {
    close();
    [state, current, connected] = [newStressState(), id, true];
    fill(below);
    stream = followEvents(`/api/v1/stress/${encodeURIComponent(id)}/events`, {
      onEvent: (event) => {
        state = applyStress(state, event);
        if (event.event === "stress_finished") finished();
        redraw();
      },
      onConnection: (there) => { connected = there; redraw(); },
      onRefused: (status, message) => {
        toast(status === 404 ? "The search ended with the server. Start it again." : message, { kind: "bad" });
        Object.assign(state, { phase: "cancelled", doing: "" });
        options.onPhase?.(true);
        redraw();
      },
    });
    options.onPhase?.(false);
    draw();
  }

  function close() {
    stream?.close();
    stream = null;
  }

  function finished() {
    options.onPhase?.(true);
    announce(`${verdictName(stressBadge(state))}. ${stressWords(state)}`);
    drawResult();
  }

  function draw() {
    const now = stressBadge(state);
    fill(badge, verdictBadge(now === "JE" ? "none" : now, now === "none" ? "nothing found" : now === "JE" ? "not possible" : verdictName(now), "large"));
    const ended = state.phase === "finished" || state.phase === "cancelled";
    const doing = ended ? "" : state.doing;
    words.textContent = connected || ended ? doing : `${doing} · connecting again …`;
    cancel.hidden = ended;
    bar.value = ended || state.phase === "shrinking" ? bar.max : Math.min(state.seconds, bar.max);
    bar.dataset.verdict = now;
    const figures = [
      ["Inputs tried", state.tests.toLocaleString("en-US")],
      ["Rate", `${Math.round(state.rate).toLocaleString("en-US")}/s`],
      ["Largest", size(state.largest)],
      ["Failing input", state.foundSize === null ? "–" : state.size === state.foundSize ? size(state.size) : `${size(state.foundSize)} → ${size(state.size)}`],
      ["Tried to shrink", state.foundSize === null ? "–" : state.shrinkTests.toLocaleString("en-US")],
    ];
    fill(facts, ...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
    // The result contains the input together with the outputs.
    live.hidden = ended;
    smallest.textContent = state.shown ?? "";
  }

  function drawResult() {
    const { result } = state;
    const found = result.found && result.failure;
    const { answer = "", output = "" } = found || {};
    const plain = found && !found.result.difference && result.answered_by && bytesText(answer) !== "";
    const cut = found && result.size_after > bytesText(result.input).length && result.size_after > 65_536;
    const facts = [found && `found by input ${(result.test + 1).toLocaleString("en-US")}`, result.origin, result.answered_by && `expected output by ${result.answered_by}`].filter(Boolean);
    fill(below,
      element(result.error ? "p.notice.bad" : result.found ? "p" : "p.notice", {}, stressWords(state)),
      result.message && text("The compiler's output", result.message),
      result.broken_input && text("The input", result.broken_input),
      found && facts.length > 0 && element("p.muted", {}, facts.join(" · ")),
      found && caseDetail({ ...found.result, case: "The failing input" }, { failures: [{ ...found, result: { ...found.result, case: "The failing input" } }] }),
      plain && element("div.labelled", {}, element("span", {}, "Expected and found"), diffTable(bytesText(answer), bytesText(output))),
      cut && element("p.muted", {}, `The input is cut: it has ${count(result.size_after, "byte", "bytes")}.`),
      found && !cut && element("div.row", {}, ...actions()),
      found && result.why.length > 0 && element("section.stack", { "aria-labelledby": "why-right" }, element("h3", { id: "why-right" }, "Why the expected answer is right"), ...result.why.map(reasonPanel)));
  }

  function actions() {
    const use = element("button.button.small", { type: "button", onclick: () => options.onUse?.(bytesText(state.result.input)) }, "Use as own input");
    const keep = element("button.button.small", { type: "button", id: "keep-test", onclick: () => keepTest(keep) }, "Keep as a test");
    return [keep, use];
  }

  async function keepTest(button) {
    button.disabled = true;
    const kept = await requestOrToast("POST", `/stress/${encodeURIComponent(current)}/keep`);
    if (!kept) {
      button.disabled = false;
      return;
    }
    button.textContent = "Kept";
    toast(kept.message, { kind: "good" });
    options.onKept?.(kept);
  }

  return { follow, close };
}
