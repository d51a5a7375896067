// The source editor of Nimatron's pages: CodeMirror 6 with the languages that it highlights.
//
// All colours come from the variables of style.css (`--code-*`, `--surface`, …), so that one editor fits the light and
// the dark theme. `nonce` is the page's nonce: CodeMirror adds its style sheet with it.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap,
  lineNumbers, placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import "@lezer/lr";

/**
 * Language ids of Nimatron that are highlighted, with the import of the grammar. All others are plain text. A grammar
 * is loaded when it is needed, since the six of them are as large as the editor.
 */
const LANGUAGES = {
  c: () => import("./languages/cpp.mjs"),
  cpp: () => import("./languages/cpp.mjs"),
  go: () => import("./languages/go.mjs"),
  java: () => import("./languages/java.mjs"),
  javascript: () => import("./languages/javascript.mjs"),
  pypy: () => import("./languages/python.mjs"),
  python: () => import("./languages/python.mjs"),
  rust: () => import("./languages/rust.mjs"),
};

const HELP = "Tab indents. To leave the editor with the keyboard, press Escape and then Tab.";

const highlighting = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.moduleKeyword, tags.operatorKeyword, tags.modifier, tags.self], color: "var(--code-keyword)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment, tags.docComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.string, tags.character, tags.special(tags.string), tags.regexp, tags.escape], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.literal], color: "var(--code-number)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.typeName)], color: "var(--code-type)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.function(tags.definition(tags.variableName)), tags.macroName], color: "var(--code-function)" },
  { tag: [tags.meta, tags.processingInstruction, tags.annotation], color: "var(--code-meta)" },
  { tag: [tags.operator, tags.punctuation, tags.bracket, tags.separator], color: "var(--code-text)" },
  { tag: tags.invalid, color: "var(--bad-text)" },
]));

/** The look of the editor. `dark` only tells CodeMirror which of its own defaults apply where nothing is set here. */
const look = (dark) => EditorView.theme({
  "&": { color: "var(--code-text)", backgroundColor: "var(--surface)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)", borderLeftWidth: "1.5px" },
  ".cm-gutters": { color: "var(--text-faint)", backgroundColor: "var(--surface)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "32px", padding: "0 6px 0 4px" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-activeLineGutter": { color: "var(--text)", backgroundColor: "var(--code-line)" },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--code-selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--code-match)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-match)", outline: "1px solid var(--line-strong)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--code-match)", outline: "1px solid var(--line-strong)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--code-selection)" },
  ".cm-placeholder": { color: "var(--text-faint)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--surface-2)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-panel.cm-search [name=close]": { color: "var(--text)", minWidth: "24px", minHeight: "24px" },
  ".cm-textfield": { color: "var(--text)", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "4px", fontSize: "13px" },
  ".cm-button": { color: "var(--text)", backgroundColor: "var(--surface)", backgroundImage: "none", border: "1px solid var(--line-strong)", borderRadius: "4px", fontSize: "13px" },
  ".cm-button:active": { backgroundColor: "var(--surface-2)", backgroundImage: "none" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "4px" },
  ".cm-diagnostic": { padding: "4px 8px", fontFamily: "var(--sans)", fontSize: "13px", maxWidth: "60ch" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { color: "var(--text)", backgroundColor: "var(--code-selection)" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "4px 2px 0" },
  ".cm-lint-marker": { width: "10px", height: "10px" },
}, { dark });

let editors = 0;

/**
 * Creates an editor at the end of `parent`.
 *
 * @param {object} options
 * @param {HTMLElement} options.parent
 * @param {string} [options.doc] the text at the start
 * @param {string} [options.language] a language id; an unknown one is plain text
 * @param {string} [options.nonce] the nonce of the page's Content-Security-Policy
 * @param {boolean} [options.dark] by default as the browser prefers, followed while the page is open
 * @param {string} [options.label] the accessible name
 * @param {string} [options.hint] shown while the editor is empty
 * @param {boolean} [options.readOnly]
 * @param {() => void} [options.onChange] after each change of the text
 * @param {() => void} [options.onSubmit] at Ctrl-Enter or Cmd-Enter
 * @param {(file: File) => void} [options.onFile] when a file is dropped; without it the file's text is inserted
 */
export function createEditor(options) {
  const { parent, doc = "", language, nonce, readOnly = false, onChange, onSubmit, onFile } = options;
  const languageSlot = new Compartment();
  const themeSlot = new Compartment();
  const preference = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => options.dark ?? preference.matches;
  const help = describe(parent);
  let current;

  const submit = () => { onSubmit?.(); return true; };
  const drop = (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file || !onFile) return false;
    event.preventDefault();
    onFile(file);
    return true;
  };
  const extensions = () => [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
    bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }),
    readOnly ? [EditorState.readOnly.of(true)] : [highlightActiveLine(), highlightActiveLineGutter()],
    keymap.of([
      { key: "Mod-Enter", run: submit, preventDefault: true },
      ...closeBracketsKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
    ]),
    EditorState.tabSize.of(4),
    EditorView.contentAttributes.of({ "aria-label": options.label ?? "Source code", "aria-describedby": help.id }),
    EditorView.domEventHandlers({ drop, beforeinput: replaceSelection }),
    EditorView.updateListener.of((update) => { if (update.docChanged) onChange?.(); }),
    options.hint ? placeholder(options.hint) : [],
    highlighting,
    languageSlot.of(languageSupport(current)),
    themeSlot.of(look(dark())),
  ];
  const freshState = (text) => EditorState.create({ doc: text, extensions: extensions() });

  const view = new EditorView({ state: freshState(doc), parent });
  const follow = () => view.dispatch({ effects: themeSlot.reconfigure(look(dark())) });
  preference.addEventListener("change", follow);
  const setLanguage = async (id) => {
    current = { id };
    view.dispatch({ effects: languageSlot.reconfigure(languageSupport(current)) });
    const loading = current;
    loading.grammar = await grammar(id);
    // Another language may have been chosen, or the editor removed, while the grammar was loaded.
    if (current === loading) view.dispatch({ effects: languageSlot.reconfigure(languageSupport(loading)) });
  };
  setLanguage(language);

  return {
    getText: () => view.state.doc.toString(),
    /** Replaces the text. The change can be undone, unless `forget` starts a new history. */
    setText(text, { forget = false } = {}) {
      if (forget) view.setState(freshState(text));
      else view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setLanguage,
    /** Marks errors: lines and columns from 1, severity `error`, `warning` or `info`. An empty list removes the marks. */
    setErrors(errors) {
      view.dispatch(setDiagnostics(view.state, errors.flatMap((error) => diagnostic(view.state.doc, error))));
    },
    /** Moves the cursor to a line, from 1, and scrolls it into view. */
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy() {
      current = undefined;
      preference.removeEventListener("change", follow);
      help.remove();
      view.destroy();
    },
  };
}

function languageSupport(language) {
  return [language?.grammar ?? [], indentUnit.of(language?.id === "go" ? "\t" : "    ")];
}

/**
 * Types over a selection. Left to itself, Chromium keeps the style of what it replaces in a `style` attribute, which
 * the page's policy reports.
 */
function replaceSelection(event, view) {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  const text = event.data;
  if (event.inputType !== "insertText" || !text || empty || view.composing || state.readOnly) return false;
  event.preventDefault();
  const insert = () => state.update(state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handlers = state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
  return true;
}

/** The grammar of a language; `undefined` for plain text, also if it cannot be loaded. */
async function grammar(id) {
  if (!Object.hasOwn(LANGUAGES, id ?? "")) return undefined;
  try {
    return (await LANGUAGES[id]()).default;
  } catch {
    return undefined;
  }
}

/** Adds the description of the keys for screen readers. */
function describe(parent) {
  const help = document.createElement("p");
  help.id = `editor-help-${editors += 1}`;
  help.className = "visually-hidden";
  help.textContent = HELP;
  parent.append(help);
  return help;
}

/** The marked range of an error: the word at its column, or the line without its indentation. */
function diagnostic(doc, { line, column, message, severity = "error" }) {
  if (!(line >= 1 && line <= doc.lines)) return [];
  const { from, to, text } = doc.line(line);
  const indentation = text.length - text.trimStart().length;
  const start = column ? Math.min(from + column - 1, to) : from + indentation;
  const word = column ? /^\w+|^./.exec(text.slice(start - from))?.[0].length ?? 0 : to - start;
  return [{ from: start, to: start + word, message, severity }];
}
