// A person's own tests of a problem, which were found by searches. They can be run, downloaded and removed.
//
// DOM: fills the element `parent`.

import { requestOrToast } from "./api.js";
import { text } from "./case_detail.js";
import { element, fill } from "./dom.js";
import { moment, size } from "./format.js";

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {string} options.problem
 * @param {() => void} options.onRun runs the program on all own tests
 */
export function createOwnTests(parent, { problem, onRun }) {
  const path = `/problems/${encodeURIComponent(problem)}/tests`;
  let tests = [];

  async function refresh() {
    const answer = await requestOrToast("GET", path);
    if (!Array.isArray(answer)) return;
    tests = answer;
    draw();
  }

  function draw() {
    if (tests.length === 0) {
      fill(parent, element("div.empty", {}, element("h3", {}, "No tests of your own yet"), element("p", {}, "“Find the bug” looks for an input that your program fails. Kept as a test, it can be run again here.")));
      return;
    }
    const run = element("button.button.primary", { type: "button", id: "run-tests", onclick: onRun }, "Run my tests");
    fill(parent, element("div.row", {}, run), ...tests.map(entry));
  }

  function entry(test) {
    const remove = element("button.button.quiet.small", { type: "button", "aria-label": `Remove ${test.name}`, onclick: () => removeTest(test) }, "Remove");
    const save = (ending, content) => element("button.button.quiet.small", { type: "button", "aria-label": `Download ${test.name}.${ending}`, onclick: () => download(`${test.name}.${ending}`, content) }, `.${ending}`);
    return element("details", {},
      element("summary", {}, `${test.name} `, element("span.muted", {}, `${size(test.size)} · ${moment(test.created)}`)),
      element("div.stack", {},
        element("div.row", {}, save("in", test.input), test.answer !== null && save("ans", test.answer), remove),
        text("Input", test.input),
        test.answer !== null && text("Expected output", test.answer)));
  }

  async function removeTest({ name }) {
    if (await requestOrToast("DELETE", `${path}/${encodeURIComponent(name)}`)) await refresh();
  }

  return { refresh };
}

function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  element("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
