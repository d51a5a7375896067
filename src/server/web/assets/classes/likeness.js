// Similar programs: a list of pairs, and a view of two programs side by side with their common parts.

import { element, fill } from "../dom.js";
import { count } from "../format.js";
import { toast } from "../toast.js";
import { readPair, readSimilarity } from "./class_api.js";
import { codeView } from "./code_view.js";
import { dataTable } from "./data_table.js";

/** Maximum number of students named on each side of a pair. */
const NAMED = 4;

export async function startLikeness(part, id) {
  const found = await readSimilarity(id);
  const pairs = found.flatMap((problem) => problem.pairs.map((pair) => ({ ...pair, problem: problem.problem, name: problem.name }))).sort((one, other) => other.likeness - one.likeness);
  const identical = found.flatMap(({ problem, name, identical: lists }) => lists.map((students) => ({ problem, name, students })));
  const note = element("p.lead", {}, "Shared code does not prove copying: students may write the same code independently, use the same book, or be allowed to cooperate. Read the shared parts first. 0 % is what two programs for the problem usually have in common, 100 % means equal steps.");
  if (pairs.length === 0 && identical.length === 0) {
    fill(part, note, element("div.empty", {}, element("h2", {}, "No similar programs")));
    return;
  }
  const problem = element("select", { "aria-label": "Problem", onchange: draw }, element("option", { value: "" }, "All problems"), ...found.map((one) => element("option", { value: one.problem }, one.name)));
  const search = element("input", { type: "search", placeholder: "Search students", "aria-label": "Search students", oninput: draw });
  const figures = element("span.muted.push", { role: "status" });
  const body = element("tbody");
  const same = element("section.stack");
  const more = element("p.muted");
  fill(part, note, element("div.filters", {}, search, problem, figures), same, dataTable("Similar programs", ["Similarity", "One", "Other", "Problem", "In common.number", "Longest part.number"], body), more);

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one, students) => (problem.value === "" || one.problem === problem.value) && words.every((word) => students.some((student) => student.toLowerCase().includes(word)));
    const listed = pairs.filter((pair) => fits(pair, [...pair.left, ...pair.right]));
    const equal = identical.filter((one) => fits(one, one.students));
    figures.textContent = count(listed.length, "pair", "pairs");
    fill(same, equal.length > 0 && element("h2", {}, "Identical but for names, comments and layout"), equal.length > 0 && element("ul.plain", {}, ...equal.map(({ name, students }) => element("li", {}, element("b", {}, students.join(", ")), element("span.muted", {}, ` · ${name}`)))));
    fill(body, ...listed.map((pair) => element("tr", {},
      element("th.whole", { scope: "row" }, element("button.button.quiet.small", { type: "button", onclick: () => open(pair) }, likenessBar(pair.likeness), percent(pair.likeness))),
      element("td", {}, named(pair.left)),
      element("td", {}, named(pair.right)),
      element("td", {}, pair.name, " ", pair.across_languages && element("span.chip", {}, "two languages")),
      element("td.number", {}, percent(pair.shared)),
      element("td.number", {}, count(pair.longest, "step", "steps")))));
    const hidden = found.filter((one) => problem.value === "" || one.problem === problem.value).reduce((sum, one) => sum + one.more, 0);
    more.textContent = hidden > 0 ? `… and ${count(hidden, "more pair", "more pairs")} with a lower similarity` : "";
  }

  async function open(pair) {
    try {
      showPair(pair, await readPair(id, pair.id));
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
    }
  }
  draw();
}

function showPair(pair, { left, right }) {
  const sides = [];
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const jump = (to) => (number) => sides[to].querySelector(`[data-part="${number}"]`)?.scrollIntoView({ block: "center", behavior });
  sides.push(side(left, jump(1)), side(right, jump(0)));
  const close = element("button.button.small", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = element("dialog.wide.pair", { "aria-labelledby": "pair-title", onclose: () => dialog.remove() },
    element("header", {}, element("h2", { id: "pair-title" }, `${percent(pair.likeness)} similarity`), element("span.muted", {}, `${pair.name} · a number leads to the same part on the other side`), close),
    element("div.sides", {}, ...sides));
  document.body.append(dialog);
  dialog.showModal();
}

function side({ students, files }, onMark) {
  const show = ({ name, text, regions }) => codeView(text, { label: `${name} of ${named(students)}`, marks: linesOf(text, regions), onMark });
  return element("section.side", {}, element("h3", {}, named(students)), ...files.map((file) => element("div.labelled", {}, element("span", {}, file.name), show(file))));
}

/** Converts regions from byte offsets in UTF-8 to line numbers. */
export function linesOf(text, regions) {
  const ends = [];
  let offset = 0;
  for (const line of text.split("\n")) ends.push((offset += new TextEncoder().encode(line).length + 1));
  const lineAt = (place) => ends.findIndex((end) => place < end) + 1 || ends.length;
  return regions.map(({ part, start, end }) => ({ number: part, from: lineAt(start), to: lineAt(Math.max(end - 1, start)) }));
}

function likenessBar(likeness) {
  const bar = element("span.bar", { "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.min(likeness / 1000, 1)));
  return bar;
}

const named = (students) => students.slice(0, NAMED).join(", ") + (students.length > NAMED ? ` and ${students.length - NAMED} more` : "");
const percent = (thousandths) => `${thousandths / 10} %`;
