// Starts the script of the part of a class that a page shows.

import { element, fill } from "../dom.js";
import { readClass } from "./class_api.js";
import { createClassMenu } from "./class_menu.js";

const PARTS = {
  list: () => import("./class_list.js").then(({ startList }) => startList),
  marks: () => import("./marks.js").then(({ startMarks }) => startMarks),
  files: () => import("./files.js").then(({ startFiles }) => startFiles),
  tests: () => import("./tests.js").then(({ startTests }) => startTests),
  answers: () => import("./answers.js").then(({ startAnswers }) => startAnswers),
  likeness: () => import("./likeness.js").then(({ startLikeness }) => startLikeness),
  rules: () => import("./rules.js").then(({ startRules }) => startRules),
  log: () => import("./log.js").then(({ startLog }) => startLog),
};

/** @param {HTMLElement} part element with `data-part`, and with `data-class` except for the list */
export async function startClassPart(part) {
  try {
    const { part: name, class: id } = part.dataset;
    const reading = id && readClass(id);
    const start = await PARTS[name]();
    const menu = document.querySelector("[data-menu]");
    await Promise.all([start(part, id, reading), menu && reading.then((about) => createClassMenu(menu, id, about))]);
  } catch (error) {
    if (error.status === undefined) throw error;
    fill(part, element("div.empty", {}, element("h2", {}, error.message), error.help && element("p", {}, error.help)));
  }
}
