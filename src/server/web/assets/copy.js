// Buttons that copy a text.
//
// DOM: `<button type="button" data-copy>` inside `.copyable` copies the text of the `pre` there;
// `data-copy="ID"` copies the text of the element with that id.

import { announce, toast } from "./toast.js";

const SHOWN_MS = 1500;

/** Handles all such buttons of the page, including those that are added later. */
export function enableCopying(root = document) {
  root.addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy]");
    if (!button) return;
    const source = button.dataset.copy ? document.getElementById(button.dataset.copy) : button.closest(".copyable")?.querySelector("pre");
    if (!source) return;
    if (await copyText(source.textContent)) confirm(button);
    else toast("The browser does not allow copying", { kind: "bad" });
  });
}

/** Copies a text to the clipboard; returns false if the browser refuses. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies with `execCommand`, since the Clipboard API is only available in secure contexts. */
function copySelected(text) {
  const area = document.createElement("textarea");
  area.className = "visually-hidden";
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

function confirm(button) {
  if (button.dataset.label !== undefined) return;
  button.dataset.label = button.textContent;
  // The width of the button is fixed, so that nothing beside it moves.
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = "Copied";
  announce("Copied");
  setTimeout(() => {
    button.textContent = button.dataset.label;
    delete button.dataset.label;
  }, SHOWN_MS);
}
