// Log of the changes in a class.

import { element, fill } from "../dom.js";
import { moment } from "../format.js";
import { points } from "./book_model.js";
import { readLog } from "./class_api.js";
import { dataTable } from "./data_table.js";

export async function startLog(part, id) {
  const entries = await readLog(id);
  if (entries.length === 0) {
    fill(part, element("div.empty", {}, element("h2", {}, "Nothing yet"), element("p", {}, "Corrections, overrides, rejudging and changes of the rules are listed here.")));
    return;
  }
  fill(part, dataTable("Log", ["When", "Who", "What", "About", "Change", "Reason"], element("tbody", {}, ...entries.map(row))));
}

/** Descriptions of the kinds of log entries. */
const WORDS = { created: "created the class", started: "started", paused: "stopped", resumed: "went on", override: "overrode a mark", undo: "undid an override", rejudge: "judged again", rules: "changed the rules", roster: "corrected a file", mark: "mark changed" };

function row({ at, who, what, student, problem, before, after, reason, undone }) {
  return element(undone ? "tr.undone" : "tr", {},
    element("td.whole", {}, time(at)),
    element("td", {}, who),
    element("th", { scope: "row" }, WORDS[what] ?? what, undone && element("span.chip", {}, "undone")),
    element("td", {}, [student, problem].filter(Boolean).join(", ")),
    element("td.whole", {}, change(before, after)),
    element("td", {}, reason ?? ""));
}

/** Renders entries as a compact list. */
export const logList = (entries) => element("ul.plain", {}, ...entries.map(({ at, who, what, before, after, reason }) =>
  element("li", {}, time(at), ` · ${who} ${WORDS[what] ?? what} `, change(before, after), reason ? `: ${reason}` : "")));

const time = (at) => element("time", { datetime: new Date(at * 1000).toISOString() }, moment(at * 1000));
const shown = (value) => (typeof value === "number" ? points(value) : (value ?? "–"));

/** Renders a change of a value, such as `50 → 80`. */
export const change = (before, after) => ((before ?? after ?? null) === null ? "" : element("span.change", {}, element("span.old", {}, shown(before)), element("span.faint", { "aria-label": "to" }, " → "), element("b", {}, shown(after))));
