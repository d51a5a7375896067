import "../editor.mjs";
export { rustLanguage as default } from "@codemirror/lang-rust";
