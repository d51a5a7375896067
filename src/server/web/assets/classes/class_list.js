// The list of classes.

import { element, fill, verdictBadge } from "../dom.js";
import { moment } from "../format.js";
import { listClasses } from "./class_api.js";
import { dataTable } from "./data_table.js";

/** Badge style and name of each state of a class. */
export const STATES = { draft: ["none", "not started"], preparing: ["running", "preparing"], running: ["running", "judging"], paused: ["queued", "stopped"], finished: ["AC", "judged"], failed: ["JE", "failed"] };

/** Creates a badge for the state of a class. */
export const stateBadge = (state) => verdictBadge(...(STATES[state] ?? ["none", state]));

export async function startList(part) {
  const classes = await listClasses();
  if (classes.length === 0) {
    fill(part, element("div.empty", {}, element("h2", {}, "No classes yet"), element("p", {}, "Drop the zip of a course and see it graded here; nothing leaves this machine."), element("a.button", { href: "/classes/new" }, "Grade a class")));
    return;
  }
  const heads = ["Class", "State", "Students.number", "Programs.number.wide-only", "Problems.number.wide-only", "Created"];
  fill(part, dataTable("Classes", heads, element("tbody", {}, ...classes.map(row))));
}

function row({ id, name, state, students, programs, judged, problems, created }) {
  const href = state === "draft" ? `/classes/${id}/files` : `/classes/${id}`;
  const done = judged < programs ? `${judged} of ${programs}` : programs.toLocaleString("en-US");
  return element("tr", {},
    element("th", { scope: "row" }, element("a", { href }, name)),
    element("td.whole", {}, stateBadge(state)),
    element("td.number", {}, students),
    element("td.number.wide-only", {}, done),
    element("td.number.wide-only", {}, problems.length),
    element("td.whole", {}, element("time", { datetime: new Date(created * 1000).toISOString() }, moment(created * 1000))));
}
