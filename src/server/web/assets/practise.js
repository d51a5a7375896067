// Work panel of a problem: language, editor, runs, results, the user's own input, and submissions.
//
// DOM: an element `.practise[data-problem]`, whose content is replaced. It contains `select[data-language]` with an
// option for each language: `value`, text, `data-extensions` separated by blanks, `disabled` if it is not installed; or
// it has `data-languages`, the JSON of `[{id, name, version?, extensions}]`. Optional: `data-person`, and for the view
// of a run `data-cases`, `data-cpu-ms`, `data-memory-bytes`.

import { request, requestOrToast } from "./api.js";
import { drafts } from "./drafts.js";
import { createEditor } from "./editor/editor.js";
import { createOwnTests } from "./own_tests.js";
import { practisePanel } from "./practise_panel.js";
import { createRunView } from "./run_view.js";
import { createSearchOptions } from "./search_options.js";
import { createStressView } from "./stress_view.js";
import { createSubmissionsList } from "./submissions_list.js";
import { enableTabs } from "./tabs.js";
import { toast } from "./toast.js";

/** Duration of a search, in seconds. */
const SEARCH_S = 60;
const LARGEST_FILE = 1 << 20;

/** Builds the panel, and shows the run that it showed before a reload. */
export function startPractising(panel) {
  const { problem, person = "local", cases, cpuMs, memoryBytes } = panel.dataset;
  const languages = installedLanguages(panel);
  const parts = practisePanel(languages);
  const { picker, input } = parts;
  panel.replaceChildren(...parts.all);
  const kept = drafts(person, problem);
  const options = createSearchOptions(languages, kept);
  parts.searchOptions.replaceChildren(options.node);
  const tabs = enableTabs(parts.tabs);
  let language = startLanguage();
  let current = null;
  let sending = false;
  picker.value = language;

  const editor = createEditor({
    parent: parts.editor,
    doc: kept.read(language),
    language,
    nonce: document.querySelector("script[nonce]")?.nonce,
    label: "Your program",
    hint: "Write, paste or drop a program here",
    onChange: () => kept.changed(language, editor.getText),
    onSubmit: () => run("submit"),
    onFile: open,
  });

  const result = createRunView(parts.result, {
    cases: Number(cases) || 0,
    cpuMs: Number(cpuMs) || 0,
    memoryBytes: Number(memoryBytes) || 0,
    onErrors: (errors) => editor.setErrors(errors),
    onLine: (line) => editor.goTo(line),
    onPhase: (phase) => {
      const ended = phase === "finished" || phase === "cancelled";
      parts.cancel.hidden = ended;
      if (ended) list.refresh();
    },
  });
  const list = createSubmissionsList(parts.submissions, {
    problem,
    onShow: ({ id, kind }) => show(id, kind),
    onReopen: (submission, source) => {
      switchTo(submission.language);
      editor.setText(source);
      editor.focus();
      toast("The source is in the editor again. Undo brings back what was there.");
    },
  });

  const search = createStressView(parts.search, {
    seconds: SEARCH_S,
    onUse: useInput,
    onKept: () => tests.refresh(),
    onPhase: (ended) => { parts.stress.disabled = !ended; },
  });
  const tests = createOwnTests(parts.tests, { problem, onRun: () => run("tests") });

  function startLanguage() {
    const last = kept.language();
    return [...picker.options].some(({ value }) => value === last) ? last : picker.value;
  }

  /** Saves the draft of the current language, and opens the draft of another one. */
  function switchTo(id) {
    if (!id || id === language || ![...picker.options].some(({ value }) => value === id)) return;
    kept.changed(language, editor.getText);
    kept.flush();
    language = id;
    picker.value = id;
    kept.setLanguage(id);
    editor.setText(kept.read(id), { forget: true });
    editor.setLanguage(id);
  }

  async function open(file) {
    if (file.size > LARGEST_FILE) {
      toast(`${file.name} is larger than 1 MiB`, { kind: "bad" });
      return;
    }
    const text = await file.text();
    const extension = file.name.split(".").pop();
    const match = [...picker.options].find((option) => (option.dataset.extensions ?? "").split(" ").includes(extension));
    switchTo(match?.value);
    editor.setText(text);
    editor.focus();
  }

  /** Sends the program and returns the response; `null` if the program was not sent or an error was shown. */
  async function send(path, more, onRefused) {
    const source = editor.getText();
    if (sending) return null;
    if (source.trim() === "") {
      toast("The program is empty");
      editor.focus();
      return null;
    }
    sending = true;
    kept.flush();
    const answer = await requestOrToast("POST", path, { body: { problem, language, source, ...more }, onRefused });
    sending = false;
    return answer;
  }

  async function run(kind) {
    const answer = await send("/runs", { kind, ...(kind === "input" && { input: input.value }) });
    if (answer) show(answer.id, kind);
  }

  async function findBug() {
    const answer = await send("/stress", { seconds: SEARCH_S, ...options.body() }, ({ status }) => {
      // The problem has no description of its inputs or no answers, or those of the fields can't be used.
      if (status !== 422) return;
      tabs.select("search");
      options.show();
    });
    if (answer) showSearch(answer.id);
  }

  function showSearch(id) {
    remember(problem, { id, kind: "search" });
    tabs.select("search");
    parts.noSearch.hidden = true;
    parts.search.hidden = false;
    search.follow(id);
  }

  function useInput(text) {
    input.value = text;
    kept.setInput(text);
    tabs.select("input");
    input.focus();
  }

  function show(id, kind) {
    current = id;
    remember(problem, { id, kind });
    tabs.select("result");
    parts.nothing.hidden = true;
    parts.result.hidden = false;
    parts.cancel.hidden = false;
    result.follow(id, kind);
  }

  async function cancel() {
    parts.cancel.disabled = true;
    await requestOrToast("DELETE", `/runs/${encodeURIComponent(current)}`);
    parts.cancel.disabled = false;
  }

  // The focus stays on the list: with the keyboard, each arrow key changes the language.
  picker.addEventListener("change", () => switchTo(picker.value));
  parts.submit.addEventListener("click", () => run("submit"));
  parts.samples.addEventListener("click", () => run("samples"));
  parts.stress.addEventListener("click", findBug);
  parts.runInput.addEventListener("click", () => run("input"));
  parts.cancel.addEventListener("click", cancel);
  parts.open.addEventListener("click", () => parts.file.click());
  parts.file.addEventListener("change", ({ target }) => {
    if (target.files[0]) open(target.files[0]);
    target.value = "";
  });
  input.value = kept.input() ?? "";
  input.addEventListener("input", () => kept.setInput(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run("input");
  });
  // The button of a sample in the statement copies its input into the field.
  document.addEventListener("click", ({ target }) => {
    const sample = target.closest?.("[data-use-input]")?.closest(".copyable")?.querySelector("pre");
    if (sample) useInput(sample.textContent);
  });
  markDropTarget(parts.editor);
  list.refresh();
  tests.refresh();
  resume(problem).then((run) => {
    if (!run || current) return;
    if (run.kind === "search") showSearch(run.id);
    else show(run.id, run.kind);
  });
}

function installedLanguages(panel) {
  if (panel.dataset.languages) return JSON.parse(panel.dataset.languages);
  return [...panel.querySelectorAll("select[data-language] option")].filter(({ disabled }) => !disabled)
    .map((option) => ({ id: option.value, name: option.textContent.trim(), extensions: (option.dataset.extensions ?? "").split(" ") }));
}

/** Highlights an element while a file is dragged over it. */
function markDropTarget(node) {
  const mark = (dropping) => () => node.classList.toggle("dropping", dropping);
  node.addEventListener("dragenter", mark(true));
  node.addEventListener("dragover", mark(true));
  for (const name of ["dragleave", "drop", "dragend"]) node.addEventListener(name, mark(false));
}

const runKey = (problem) => `nimatron/run/${problem}`;

function remember(problem, run) {
  try {
    sessionStorage.setItem(runKey(problem), JSON.stringify(run));
  } catch {
    // Without storage, a reload does not show the result again. The list of submissions contains it.
  }
}

/** Returns the run that this tab showed before a reload, if the server still stores it. */
async function resume(problem) {
  try {
    const run = JSON.parse(sessionStorage.getItem(runKey(problem)));
    if (run) await request("GET", `/${run.kind === "search" ? "stress" : "runs"}/${encodeURIComponent(run.id)}`);
    return run;
  } catch {
    return null;
  }
}
