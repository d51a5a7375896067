// Tables that scroll on narrow screens.

import { element } from "../dom.js";

/**
 * A table in a region that scrolls.
 *
 * @param {string} label
 * @param {string[]} heads names of columns; `Name.number.wide-only` has classes after dots
 * @param {HTMLElement} body
 * @param {string} [kind] further classes, such as `.changes`
 */
export function dataTable(label, heads, body, kind = "") {
  const cells = heads.map((head) => {
    const [name, ...classes] = head.split(".");
    return element(["th", ...classes].join("."), { scope: "col" }, name);
  });
  return element("div.table-scroll", { tabindex: 0, role: "region", "aria-label": label }, element(`table.table${kind}`, {}, element("thead", {}, element("tr", {}, ...cells)), body));
}
