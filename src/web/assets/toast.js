// Short messages in the corner of the page. The region is created at the first one, and read out by screen readers.

import { element } from "./dom.js";

const SHOWN_MS = 6000;
let region;
let spoken;

/**
 * Shows a message. Errors stay until they are closed.
 *
 * @param {string} text
 * @param {{kind?: "info" | "good" | "bad", help?: string}} [options]
 */
export function toast(text, { kind = "info", help } = {}) {
  region ??= document.body.appendChild(element("div.toasts", { role: "status" }));
  // The same message twice says nothing new.
  [...region.children].find((other) => other.firstChild.textContent === text)?.remove();
  const close = element("button.button.quiet.small", { type: "button", "aria-label": "Close", onclick: () => message.remove() }, "✕");
  const message = element(`div.toast.${kind}`, {}, element("span", {}, text), close, help && element("span.help", {}, help));
  region.append(message);
  if (kind !== "bad") setTimeout(() => message.remove(), SHOWN_MS);
}

/** Tells screen readers what others see. */
export function announce(text) {
  spoken ??= document.body.appendChild(element("div.visually-hidden", { role: "status" }));
  spoken.textContent = text;
}
