// Builds the elements of the work panel.

import { element } from "./dom.js";

/**
 * Creates the elements of the panel, and returns them by name.
 *
 * @param {{id: string, name: string, version?: string, extensions: string[]}[]} languages
 */
export function practisePanel(languages) {
  const button = (kind, text, more) => element(`button.button${kind}`, { type: "button", ...more }, text);
  const parts = {
    picker: element("select", { id: "language" }, ...languages.map(option)),
    open: button(".quiet", "Open file"),
    file: element("input", { type: "file", hidden: true, "aria-label": "Program file" }),
    editor: element("div.editor"),
    submit: button(".primary", "Submit", { title: "Ctrl-Enter", id: "submit" }),
    samples: button("", "Run samples", { id: "run-samples" }),
    stress: button("", "Find the bug", { id: "find-bug", title: "Look for an input that the program fails" }),
    cancel: button(".danger.push", "Cancel", { id: "cancel", hidden: true }),
    nothing: element("div.empty", {}, element("p", {}, "Submit a program to see its verdict here, case by case.")),
    result: element("div.run", { hidden: true }),
    input: element("textarea.mono", { id: "own-input", rows: 6, spellcheck: "false" }),
    runInput: button("", "Run this input", { id: "run-input" }),
    search: element("div.run", { hidden: true }),
    noSearch: element("div.empty", {}, element("p", {}, "“Find the bug” tries small and large inputs until your program fails, then makes that input as small as possible.")),
    searchOptions: element("div"),
    tests: element("div.stack"),
    submissions: element("div.stack"),
  };
  const inputPanel = element("div.stack", {},
    element("div.field", {}, element("label", { for: "own-input" }, "Input"), parts.input),
    element("div", {}, parts.runInput));
  const tabs = [
    ["result", "Result", element("div", {}, parts.nothing, parts.result)],
    ["search", "Search", element("div.stack", {}, parts.noSearch, parts.search, parts.searchOptions)],
    ["input", "Own input", inputPanel],
    ["tests", "My tests", parts.tests],
    ["submissions", "Submissions", parts.submissions],
  ];
  parts.tabs = element("div.tabs", { role: "tablist", "aria-label": "Results" }, ...tabs.map(([name, text]) =>
    element("button", { type: "button", role: "tab", id: `tab-${name}`, data: { tab: name }, "aria-controls": `panel-${name}`, "aria-selected": String(name === "result") }, text)));
  const panels = tabs.map(([name, , content]) =>
    element("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` }, content));
  parts.all = [
    element("div.toolbar", {}, element("label.visually-hidden", { for: "language" }, "Language"), parts.picker, parts.open, parts.file),
    parts.editor,
    element("div.toolbar", {}, parts.submit, parts.stress, parts.samples, parts.cancel),
    parts.tabs,
    ...panels,
  ];
  return parts;
}

function option({ id, name, version, extensions }) {
  return element("option", { value: id, data: { extensions: extensions.join(" ") } }, version ? `${name} (${version})` : name);
}
