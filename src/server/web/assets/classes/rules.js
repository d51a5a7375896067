// Limits and marking rules. A preview shows their effects before they are applied.

import { element, fill } from "../dom.js";
import { count } from "../format.js";
import { toast } from "../toast.js";
import { applyRules, previewRules, readRules } from "./class_api.js";
import { dataTable } from "./data_table.js";
import { change } from "./log.js";

/** Maximum number of listed changes. */
const LISTED = 300;
/** Interval at which the progress of a preview is polled, in milliseconds. */
const AGAIN_MS = 700;

/** Examples of common marking rules. */
const EXAMPLES = [
  ["Best attempt", "select: best"],
  ["Share of cases", "partial: true"],
  ["Due date", "due: 2026-12-01T23:59:00Z"],
  ["Late: −10 % a day", "late: { off: 10, per: day, cap: 50, grace: 10min }"],
  ["Points of a problem", "problems:\n  PROBLEM: { points: 20, weight: 1.5 }"],
  ["Marks by hand", "rubric: { style: 10 }"],
];

export async function startRules(part, id, reading) {
  const [about, rules] = await Promise.all([reading, readRules(id)]);
  const fields = createFields(rules, about.problems);
  const preview = element("button.button", { type: "submit" }, "Show what would change");
  const apply = element("button.button.primary", { type: "button", disabled: true, onclick: applyNow }, "Apply");
  const result = element("section.stack", { "aria-live": "polite" });
  fill(part, element("form.stack.rules", { onsubmit: showPreview, oninput: changed }, ...fields.nodes, element("div.row", {}, preview, apply)), result);
  let asked = 0;
  let shown = null;

  /** Removes the preview, which does not apply to changed rules. */
  function changed() {
    asked += 1;
    shown = null;
    apply.disabled = true;
    preview.disabled = false;
    result.classList.add("stale");
  }

  async function showPreview(event) {
    event.preventDefault();
    changed();
    const own = asked;
    const wanted = fields.read();
    preview.disabled = true;
    result.classList.remove("stale");
    fill(result, element("p.muted", {}, "Computing …"));
    try {
      for (;;) {
        const found = await previewRules(id, wanted);
        if (own !== asked) return;
        drawPreview(result, found, about.problems);
        if (found.state === "ready") break;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
        if (own !== asked) return;
      }
      shown = wanted;
      apply.disabled = false;
    } catch (error) {
      if (own === asked) fill(result, complaint(error));
    } finally {
      if (own === asked) preview.disabled = false;
    }
  }

  async function applyNow() {
    apply.disabled = true;
    try {
      fields.show(await applyRules(id, shown));
      toast("The rules are applied", { kind: "good" });
      fill(result);
    } catch (error) {
      fill(result, complaint(error));
    }
  }
}

const complaint = (error) => element("div.notice.bad", {}, element("pre.complaint", {}, error.message), error.help && element("p", {}, error.help));

function createFields(rules, problems) {
  const policy = element("textarea.mono", { id: "policy", rows: 9, spellcheck: "false", "aria-describedby": "policy-hint" });
  const insert = (text) => {
    const lines = text.replace("PROBLEM", problems[0]?.id ?? "problem");
    policy.value = `${policy.value.trimEnd()}${policy.value.trim() === "" ? "" : "\n"}${lines}\n`;
    policy.dispatchEvent(new Event("input", { bubbles: true }));
    policy.focus();
  };
  const examples = EXAMPLES.map(([name, text]) => element("button.chip", { type: "button", onclick: () => insert(text) }, name));
  const rows = rules.limits.map((limit) => {
    const name = problems.find(({ id }) => id === limit.problem)?.name ?? limit.problem;
    const number = (label, own) => element("input", { type: "number", min: 0, step: "any", "aria-label": `${label} of ${name}`, placeholder: own });
    const inputs = [number("Time limit in seconds", limit.own_cpu_ms / 1000), number("Memory limit in MiB", limit.own_memory_bytes / 2 ** 20)];
    return { limit, inputs, node: element("tr", {}, element("th", { scope: "row" }, name), ...inputs.map((input) => element("td.number", {}, input)), element("td.muted", {}, `${limit.own_cpu_ms / 1000} s, ${limit.own_memory_bytes / 2 ** 20} MiB`)) };
  });
  const value = (input, unit) => (input.value === "" ? undefined : Math.round(Number(input.value) * unit));

  /** Fills the fields. An empty field means the limit of the problem. */
  function show({ policy: text, limits }) {
    policy.value = text;
    for (const { limit, inputs } of rows) {
      const now = limits.find(({ problem }) => problem === limit.problem) ?? limit;
      inputs[0].value = now.cpu_ms === now.own_cpu_ms ? "" : now.cpu_ms / 1000;
      inputs[1].value = now.memory_bytes === now.own_memory_bytes ? "" : now.memory_bytes / 2 ** 20;
    }
  }
  show(rules);
  return {
    nodes: [
      element("section.panel.stack", {}, element("h2", {}, "Marks"),
        element("div.field.policy", {}, element("label", { for: "policy" }, "Marking rules"), policy,
          element("span.hint", { id: "policy-hint" }, "The lines of a policy file, as for `nimatron grade --policy`. Without any, the last attempt counts, and its points are the mark.")),
        element("div.row", { role: "group", "aria-label": "Insert" }, element("span.muted", {}, "Insert"), ...examples)),
      element("section.stack", {}, element("h2", {}, "Limits"), dataTable("Limits", ["Problem", "Time, s.number", "Memory, MiB.number", "The problem's own"], element("tbody", {}, ...rows.map(({ node }) => node)), ".rule-table")),
    ],
    read: () => ({
      policy: policy.value,
      limits: Object.fromEntries(rows.map(({ limit, inputs }) => [limit.problem, { cpu_ms: value(inputs[0], 1000), memory_bytes: value(inputs[1], 2 ** 20) }])),
    }),
    show,
  };
}

function drawPreview(result, { state, to_judge, judged, changes, totals }, problems) {
  const waiting = state !== "ready" && [element("p", { role: "status" }, `Judging with the new limits: ${judged} of ${count(to_judge, "program", "programs")}`), element("progress", { max: Math.max(to_judge, 1), value: judged, "aria-label": "Judged" })];
  const name = new Map(problems.map((problem) => [problem.id, problem.name]));
  const way = ({ before, after }) => Math.sign((after ?? 0) - (before ?? 0));
  const [up, down] = [1, -1].map((sign) => changes.filter((one) => way(one) === sign).length);
  const facts = [`${count(changes.length, "mark", "marks")} would change`, up > 0 && `${up} up`, down > 0 && `${down} down`].filter(Boolean).join(", ");
  const rows = changes.slice(0, LISTED).map((one) => element("tr", {},
    element("th", { scope: "row" }, one.student),
    element("td", {}, name.get(one.problem) ?? one.problem),
    element("td.whole", { data: { way: way(one) } }, change(one.before, one.after)),
    element("td.whole", {}, one.verdict_before === one.verdict_after ? (one.verdict_after ?? "") : change(one.verdict_before, one.verdict_after))));
  fill(result,
    ...(waiting || []),
    changes.length === 0 && state === "ready" ? element("p.notice", {}, "No mark would change.") : element("h2", {}, facts),
    changes.length > 0 && dataTable("What would change", ["Student", "Problem", "Mark", "Verdict"], element("tbody", {}, ...rows), ".changes"),
    changes.length > LISTED && element("p.muted", {}, `… and ${changes.length - LISTED} more`),
    totals.length > 0 && element("p.muted", {}, `${count(totals.length, "total", "totals")} would change.`));
}
