// Page on which the students and problems of the files are corrected, and judging is started.

import { element, fill } from "../dom.js";
import { count } from "../format.js";
import { toast } from "../toast.js";
import { changeRoster, readRoster, steer } from "./class_api.js";
import { createRoster } from "./roster_table.js";

export async function startFiles(part, id, reading) {
  const [about, entries] = await Promise.all([reading, readRoster(id)]);
  const facts = element("p.lead");
  const place = element("div");
  const start = element("button.button.primary", { type: "button", onclick: begin }, "Start grading");
  const bar = element("div.row.start-row", {}, element("span.muted", {}, "Correct what is wrong: Enter on a row, or double-click."), element("span.push"), start);
  const editable = about.state === "draft";
  fill(part, facts, editable ? bar : element("p.notice", {}, "Grading has started. A correction changes the marks at once; a program without a result for its problem is judged."), place);
  const roster = createRoster(place, { problems: about.problems, editable: true, onChange: change });

  function show(all) {
    const taken = all.filter(({ left }) => left === null);
    const guessed = all.filter((entry) => entry.guessed).length;
    const students = new Set(taken.map(({ student }) => student)).size;
    facts.textContent = `${count(taken.length, "program", "programs")} of ${count(students, "student", "students")} for ${count(about.problems.length, "problem", "problems")}; ${guessed} guessed, ${all.length - taken.length} left out.`;
    start.disabled = taken.length === 0;
    roster.show(all);
  }

  async function change({ key }, wanted) {
    try {
      show(await changeRoster(id, { path: key, ...wanted }));
      return true;
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
      return false;
    }
  }

  async function begin() {
    start.disabled = true;
    try {
      await steer(id, "start");
      location.assign(`/classes/${id}`);
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
      start.disabled = false;
    }
  }

  show(entries);
  if (editable && entries.some(({ guessed }) => guessed)) roster.choose("guessed");
}
