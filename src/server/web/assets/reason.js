// Renders explanations of game positions: sentences, and the numbers that decide a position in binary.

import { element } from "./dom.js";

/** Renders a sentence. Texts between backquotes become code. */
export const codeWords = (sentence) => sentence.split("`").map((piece, index) => (index % 2 === 1 ? element("code", {}, piece) : piece));

/**
 * Renders the numbers that decide a position: name, number and binary digits of each part, and of the sum in the last line.
 *
 * @param {[string, string, string][]} lines
 * @param {string} what meaning of the numbers; empty if they are sizes
 */
export function bitsTable(lines, what) {
  const row = ([name, number, digits], index) => element(index === lines.length - 1 ? "tr.sum" : "tr", {},
    element("th", { scope: "row" }, name), element("td.number", {}, number),
    ...digits.split(" ").map((digit) => element(digit === "0" ? "td.bit" : "td.bit.one", {}, digit)));
  return element("table.bits", {}, what && element("caption", {}, what), element("tbody", {}, ...lines.map(row)));
}

/** Renders the `why` of a search, which explains why a position is won or lost: numbers, sentences and a perfect game. */
export function reasonPanel(why) {
  const player = (turn) => (turn % 2 === 0 ? "first player" : "second player");
  const step = ({ text, after }, turn) => element("li", {}, element("span.muted", {}, `${player(turn)} `), element("code", {}, text), ` → ${after}`);
  const verdict = why.wins ? "the player to move wins" : "the player to move loses";
  return element("section.reason", {},
    element("p", {}, "From ", element("code", {}, why.position), `, ${verdict} with perfect play. `, element("span.muted", {}, why.rules)),
    why.table.length > 0 && bitsTable(why.table, why.table_of),
    ...why.sentences.map((sentence) => element("p", {}, ...codeWords(sentence))),
    why.line.length > 0 && element("div.labelled", {}, element("span", {}, "A perfect game"),
      element("ol.game-history", { tabindex: 0, "aria-label": "A perfect game" }, ...why.line.map(step), !why.ended && element("li", {}, "…"))));
}
