import "../editor.mjs";
export { pythonLanguage as default } from "@codemirror/lang-python";
