// Form for a new class: its files, problems and name.
//
// DOM: `form.new-class` with `.drop`, `input[type=file][data-zip]`, `input[type=file][data-folder]`, `[data-chosen]`,
// `input[name=problem]` checkboxes, `[data-count]`, and `button[type=submit]`.

import { element, fill } from "../dom.js";
import { count, size } from "../format.js";
import { toast } from "../toast.js";
import { createClass } from "./class_api.js";
import { chosenFiles, commonFolder, droppedFiles, insideFolder, isZip } from "./drop.js";
import { zipOf } from "./zip.js";

/** @param {HTMLFormElement} form */
export function startUpload(form) {
  const drop = form.querySelector(".drop");
  const chosen = form.querySelector("[data-chosen]");
  const name = form.querySelector("input[name=name]");
  const submit = form.querySelector("button[type=submit]");
  const boxes = [...form.querySelectorAll("input[name=problem]")];
  const counter = form.querySelector("[data-count]");
  const all = form.querySelector("[data-all]");
  const fields = form.querySelectorAll("input[type=file]");
  let files = [];

  function take(found) {
    files = found;
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
    const folder = commonFolder(files);
    const what = files.length === 0 ? "Nothing chosen" : isZip(files) ? files[0].path : `${count(files.length, "file", "files")}${folder === null ? "" : ` of ${folder}`}`;
    fill(chosen, element("strong", {}, what), files.length > 0 && element("span", {}, size(bytes)));
    if (name.value === "") name.value = folder ?? (isZip(files) ? files[0].path.replace(/\.zip$/i, "") : "");
    refresh();
  }

  function refresh() {
    const number = boxes.filter(({ checked }) => checked).length;
    counter.textContent = `${number} of ${boxes.length} chosen`;
    const visible = boxes.filter((box) => !box.closest("li").hidden);
    all.textContent = visible.every(({ checked }) => checked) ? "None" : "All";
    submit.disabled = files.length === 0 || number === 0;
  }

  for (const button of form.querySelectorAll("[data-choose]")) button.addEventListener("click", () => form.querySelector(`input[data-${button.dataset.choose}]`).click());
  for (const field of fields) field.addEventListener("change", () => field.files.length > 0 && take(chosenFiles(field.files)));
  // The whole page accepts drops, so that the browser never opens a dropped file instead.
  addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  addEventListener("dragleave", (event) => { if (event.relatedTarget === null) drop.classList.remove("over"); });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    try {
      take(await droppedFiles(event.dataTransfer));
    } catch (error) {
      toast(`The files cannot be taken: ${error.message}`, { kind: "bad" });
    }
  });
  form.addEventListener("change", refresh);
  const search = form.querySelector("[data-search]");
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const box of boxes) {
      const item = box.closest("li");
      item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
    }
    refresh();
  });
  all.addEventListener("click", () => {
    const visible = boxes.filter((box) => !box.closest("li").hidden);
    const on = !visible.every(({ checked }) => checked);
    for (const box of visible) box.checked = on;
    refresh();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const label = submit.textContent;
    submit.textContent = "Reading the files …";
    try {
      const upload = isZip(files) ? files[0].file : await zipOf(insideFolder(files));
      const id = await createClass({ name: name.value.trim(), problems: boxes.filter(({ checked }) => checked).map(({ value }) => value), upload });
      location.assign(`/classes/${id}/files`);
    } catch (error) {
      toast(error.message, { kind: "bad", help: error.help });
      submit.textContent = label;
      refresh();
    }
  });
  refresh();
  // The user may have chosen files before this script was loaded.
  for (const field of fields) if (field.files.length > 0) take(chosenFiles(field.files));
}
