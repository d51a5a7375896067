// Menu of a class: downloads, rejudging, and deletion.
//
// DOM: `[data-menu]` in the title of the page.

import { element, fill } from "../dom.js";
import { count } from "../format.js";
import { toast } from "../toast.js";
import { deleteClass, downloadUrl, fillDownload, listDownloads, rejudge } from "./class_api.js";

/** Tables of other systems that can be filled in with the marks. */
const FILLED = { "moodle.csv": "Fill a Moodle grading worksheet …", "canvas.csv": "Fill a Canvas gradebook …" };

/**
 * @param {HTMLElement} place
 * @param {string} id the class
 * @param {{name: string, problems: {id: string, name: string}[]}} about
 */
export function createClassMenu(place, id, about) {
  const downloads = element("div.menu-list", {}, element("p.muted", {}, "…"));
  const download = menu("Download", downloads, async () => {
    const all = await listDownloads(id);
    fill(downloads,
      ...all.map(({ name, title }) => element("a", { href: downloadUrl(id, name), download: name }, title, element("span.faint", {}, name))),
      ...Object.entries(FILLED).map(([name, label]) => element("button", { type: "button", onclick: () => fillTable(id, name) }, label)));
  });
  const problems = about.problems.map((problem) => element("button", { type: "button", onclick: () => again(problem.name, { problem: problem.id }) }, `Judge ${problem.name} again`));
  const more = menu("More", element("div.menu-list", {},
    element("button", { type: "button", onclick: () => again("all programs", {}) }, "Judge all programs again"),
    ...problems,
    element("button.danger", { type: "button", onclick: remove }, "Delete the class …")));
  fill(place, download, more);

  async function again(what, body) {
    const reason = await askFor({ title: `Judge ${what} again`, label: "Reason, for the log", button: "Judge again" });
    if (reason === null) return;
    try {
      const { queued } = await rejudge(id, reason === "" ? body : { ...body, reason });
      toast(`${count(queued, "program", "programs")} queued`, { kind: "good" });
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
    }
  }

  async function remove() {
    const name = await askFor({ title: `Delete “${about.name}”`, label: "The submissions, marks and log of the class are deleted. Type the name of the class to confirm.", button: "Delete", wanted: about.name, danger: true });
    if (name === null) return;
    try {
      await deleteClass(id);
      location.assign("/classes");
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
    }
  }
}

/** Creates a button with a list below it. */
function menu(name, list, onOpen) {
  const node = element("details.menu", {}, element("summary.button", {}, name), list);
  node.addEventListener("toggle", () => node.open && onOpen?.().catch((error) => toast(error.message, { kind: "bad" })));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    node.firstChild.focus();
  });
  list.addEventListener("click", ({ target }) => { if (target.closest("a, button")) node.open = false; });
  document.addEventListener("click", ({ target }) => { if (!node.contains(target)) node.open = false; });
  return node;
}

/** Asks for a text in a dialog; resolves to `null` if the dialog is cancelled. */
function askFor({ title, label, button, wanted, danger = false }) {
  return new Promise((done) => {
    const input = element("input", { type: "text", id: "asked", maxlength: 500 });
    const submit = element(danger ? "button.button.danger" : "button.button.primary", { type: "submit", disabled: wanted !== undefined }, button);
    if (wanted !== undefined) input.addEventListener("input", () => { submit.disabled = input.value !== wanted; });
    let answer = null;
    const form = element("form.stack", { onsubmit: (event) => { event.preventDefault(); answer = input.value.trim(); dialog.close(); } },
      element("div.field.wide", {}, element("label", { for: "asked" }, label), input),
      element("footer.row", {}, element("button.button.quiet.push", { type: "button", onclick: () => dialog.close() }, "Cancel"), submit));
    const dialog = element("dialog", { "aria-labelledby": "asked-title", onclose: () => { dialog.remove(); done(answer); } }, element("header", {}, element("h2", { id: "asked-title" }, title)), form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Uploads a table exported by another system, and saves it with the marks. */
function fillTable(id, name) {
  const input = element("input", { type: "file", accept: ".csv", onchange: async () => {
    const file = input.files[0];
    if (!file) return;
    try {
      save(name, await fillDownload(id, name, name === "canvas.csv" ? file.name.replace(/\.csv$/i, "") : "", await file.text()));
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
    }
  } });
  input.click();
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = element("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
