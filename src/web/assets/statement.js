// Adds copy buttons to the code blocks of a statement.
//
// DOM: `.statement pre`. A short paragraph before a block that ends with a colon becomes its name, and neighbours (an
// input and its output) share a row. An input gets a button that `practise.js` handles.

import { element } from "./dom.js";

const LONGEST_NAME = 40;
const INPUT = /^(input|ввод|входн|输入)/i;

export function addCopyButtons(statement) {
  for (const block of statement.querySelectorAll("pre")) {
    if (block.closest(".copyable")) continue;
    const before = block.previousElementSibling;
    const text = before?.tagName === "P" ? before.textContent.trim() : "";
    const isName = text.length <= LONGEST_NAME && /[:：]$/.test(text);
    const name = isName ? text.slice(0, -1) : "";
    const button = (label, data) => element("button.button.quiet.small", { type: "button", data }, label);
    const box = element("div.copyable", {}, element("span.name", {}, name), INPUT.test(name) && button("Use", { useInput: "" }), button("Copy", { copy: "" }));
    const row = rowFor(isName ? before : block);
    if (isName) before.remove();
    block.replaceWith(row.isConnected ? "" : row);
    row.append(box);
    box.append(block);
  }
}

/** The row of the block just before a node if it has room, or a new one. */
function rowFor(node) {
  const last = node.previousElementSibling;
  return last?.matches(".sample") && last.children.length === 1 ? last : element("div.sample");
}
