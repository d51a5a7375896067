// Wrong answers of the class, grouped by the smallest input on which they fail.

import { element, fill, verdictBadge } from "../dom.js";
import { count, verdictName } from "../format.js";
import { readGroups } from "./class_api.js";

export async function startAnswers(part, id, reading) {
  const [about, groups] = await Promise.all([reading, readGroups(id)]);
  const names = new Map(about.problems.map(({ id: problem, name }) => [problem, name]));
  if (groups.length === 0) {
    fill(part, element("div.empty", {}, element("h2", {}, "No wrong answers"), element("p", {}, "Programs that fail a case are grouped here by the smallest input that they fail.")));
    return;
  }
  const byProblem = Map.groupBy(groups, ({ problem }) => problem);
  fill(part, element("div.stack", {}, ...[...byProblem].map(([problem, list]) => element("section.stack", {},
    element("h2", {}, names.get(problem) ?? problem),
    element("div.answers", {}, ...list.map(group))))));
}

function group({ problem, case: name, input, input_cut, expected, students }) {
  const of = `of ${name}, ${problem}`;
  const byOutput = [...Map.groupBy(students, ({ verdict, actual }) => `${verdict} ${verdict === "WA" ? (actual ?? "") : ""}`).values()];
  return element("article.panel.answer", {},
    element("header.row", {}, element("h3", {}, count(students.length, "student fails", "students fail")), element("span.faint", {}, name)),
    element("div.columns", {}, labelled("Input", input_cut ? `${input}…` : input, of), labelled("Expected", expected, of)),
    element("ul.plain", {}, ...byOutput.map((list, at) => element("li.output-group", {},
      verdictBadge(list[0].verdict, verdictName(list[0].verdict)),
      list[0].verdict === "WA" && element("pre.output.small", { tabindex: 0, role: "region", "aria-label": `Output ${at + 1} ${of}` }, list[0].actual || "(no output)"),
      element("span.names", {}, list.map(({ student }) => student).join(", "))))));
}

const labelled = (name, text, of) => element("div.labelled", {}, element("span", {}, name), element("pre.output", { tabindex: 0, role: "region", "aria-label": `${name} ${of}` }, text));
