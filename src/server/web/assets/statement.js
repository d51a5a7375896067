// Adds copy buttons to the code blocks of a statement, and makes blocks that scroll reachable by keyboard.
//
// DOM: `.statement pre`. A short paragraph that ends with a colon becomes the name of the block after it. Adjacent
// blocks, such as an input and its output, share a row. An input gets a button that `practise.js` handles.

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

/** Makes the blocks that scroll at their current width, in any direction, reachable by keyboard. */
export function focusScrollers(blocks) {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const block of blocks) sizes.observe(block);
}

/** Returns the row of the block directly before a node if it has space, and otherwise a new row. */
function rowFor(node) {
  const last = node.previousElementSibling;
  return last?.matches(".sample") && last.children.length === 1 ? last : element("div.sample");
}
