// Short messages in the corner of the page. The live region is created with the first message.

import { element } from "./dom.js";

const SHOWN_MS = 6000;
let region;
let spoken;

/**
 * Shows a message. Errors stay until the user closes them.
 *
 * @param {string} text
 * @param {{kind?: "info" | "good" | "bad", help?: string}} [options]
 */
export function toast(text, { kind = "info", help } = {}) {
  region ??= document.body.appendChild(element("div.toasts", { role: "status" }));
  // A repeated message is not shown twice.
  [...region.children].find((other) => other.firstChild.textContent === text)?.remove();
  const close = element("button.button.quiet.small", { type: "button", "aria-label": "Close", onclick: () => message.remove() }, "✕");
  const message = element(`div.toast.${kind}`, {}, element("span", {}, text), close, help && element("span.help", {}, help));
  region.append(message);
  if (kind !== "bad") setTimeout(() => message.remove(), SHOWN_MS);
}

/** Announces a text to screen readers. */
export function announce(text) {
  spoken ??= document.body.appendChild(element("div.visually-hidden", { role: "status" }));
  spoken.textContent = text;
}
