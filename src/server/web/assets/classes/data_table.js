// Tables that scroll on narrow screens.

import { element } from "../dom.js";

/**
 * Creates a table in a scrollable region.
 *
 * @param {string} label
 * @param {string[]} heads names of the columns, with classes after dots, such as `Name.number.wide-only`
 * @param {HTMLElement} body
 * @param {string} [kind] additional classes, such as `.changes`
 */
export function dataTable(label, heads, body, kind = "") {
  const cells = heads.map((head) => {
    const [name, ...classes] = head.split(".");
    return element(["th", ...classes].join("."), { scope: "col" }, name);
  });
  return element("div.table-scroll", { tabindex: 0, role: "region", "aria-label": label }, element(`table.table${kind}`, {}, element("thead", {}, element("tr", {}, ...cells)), body));
}
