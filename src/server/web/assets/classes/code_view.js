// Shows a program with line numbers. Parts of it can be marked.

import { element } from "../dom.js";
import { count } from "../format.js";

/** Maximum number of lines shown of a program. */
const MOST_LINES = 3000;
/** Number of different colors of marks. */
const COLOURS = 6;

/**
 * @param {string} text
 * @param {object} [options]
 * @param {string} [options.label]
 * @param {{from: number, to: number, number: number}[]} [options.marks] parts by their first and last line, from 1
 * @param {(number: number) => void} [options.onMark] called when the user chooses a part
 */
export function codeView(text, { label = "Program", marks = [], onMark } = {}) {
  const lines = text.replace(/\n$/, "").split("\n");
  const list = element("ol");
  lines.slice(0, MOST_LINES).forEach((line, index) => {
    const mark = marks.find(({ from, to }) => index + 1 >= from && index + 1 <= to);
    const starts = mark?.from === index + 1;
    const jump = starts && onMark && element("button.part", { type: "button", "aria-label": `Part ${mark.number + 1} on the other side`, onclick: () => onMark(mark.number) }, mark.number + 1);
    list.append(element(mark ? `li.marked.m${mark.number % COLOURS}` : "li", { data: starts ? { part: mark.number } : {} }, jump, element("code", {}, line || "\u200b")));
  });
  const rest = lines.length > MOST_LINES && element("p.faint", {}, `… and ${count(lines.length - MOST_LINES, "more line", "more lines")}`);
  return element("div.code", { tabindex: 0, role: "region", "aria-label": label }, list, rest);
}
