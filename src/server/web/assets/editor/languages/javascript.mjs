import "../editor.mjs";
export { javascriptLanguage as default } from "@codemirror/lang-javascript";
