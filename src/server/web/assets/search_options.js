// Options of a search for a failing input: a description of the inputs, and a program that gives the answers. Each is needed
// only if the problem has none.
//
// DOM: `createSearchOptions` returns a closed `details`; its fields are kept in the browser.

import { element } from "./dom.js";
import { toast } from "./toast.js";

const LARGEST_FILE = 1 << 20;

/**
 * @param {{id: string, name: string, extensions: string[]}[]} languages
 * @param {{search: () => object, setSearch: (fields: object) => void}} kept
 * @returns {{node: HTMLDetailsElement, body: () => object, show: () => void}} `body` are the fields of the request
 */
export function createSearchOptions(languages, kept) {
  const inputs = element("input.mono.grow", { type: "text", id: "search-inputs", autocomplete: "off", spellcheck: "false", placeholder: "n: 1..=10; a[n]: 1..=100", "aria-describedby": "search-inputs-hint" });
  const answers = element("textarea.mono", { id: "search-answers", rows: 6, spellcheck: "false", "aria-describedby": "search-answers-hint" });
  const picker = element("select", { id: "search-language" }, ...languages.map(({ id, name }) => element("option", { value: id }, name)));
  const file = element("input", { type: "file", hidden: true, "aria-label": "File of the program that gives the answers" });
  const open = element("button.button.quiet", { type: "button", onclick: () => file.click() }, "Open file");
  const node = element("details.search-options", {},
    element("summary", {}, "Your own inputs and answers"),
    element("div.stack", {},
      element("div.field.wide", {},
        element("label", { for: "search-inputs" }, "Inputs"),
        inputs,
        element("span.hint", { id: "search-inputs-hint" }, "A description on one line, for a problem that has none.")),
      element("div.field.wide", {},
        element("label", { for: "search-answers" }, "Program that gives the answers"),
        answers,
        element("span.hint", { id: "search-answers-hint" }, "Correct, but it may be slow. It replaces the reference solution of the problem.")),
      element("div.row", {}, element("label.visually-hidden", { for: "search-language" }, "Language of that program"), picker, open, file)));

  const keep = () => kept.setSearch({ inputs: inputs.value, answers: answers.value, language: picker.value });
  for (const field of [inputs, answers, picker]) field.addEventListener("input", keep);
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    if (chosen.size > LARGEST_FILE) {
      toast(`${chosen.name} is larger than 1 MiB`, { kind: "bad" });
      return;
    }
    answers.value = await chosen.text();
    const extension = chosen.name.split(".").pop();
    picker.value = languages.find(({ extensions }) => extensions.includes(extension))?.id ?? picker.value;
    keep();
  });

  const last = kept.search();
  inputs.value = last.inputs ?? "";
  answers.value = last.answers ?? "";
  if (languages.some(({ id }) => id === last.language)) picker.value = last.language;
  node.open = inputs.value !== "" || answers.value !== "";

  function body() {
    const fields = {};
    if (inputs.value.trim() !== "") fields.input_spec = inputs.value.trim();
    if (answers.value.trim() !== "") {
      const [extension] = languages.find(({ id }) => id === picker.value)?.extensions ?? [];
      fields.against = { name: `answers.${extension}`, source: answers.value };
    }
    return fields;
  }

  function show() {
    node.open = true;
    inputs.focus();
  }

  return { node, body, show };
}
