import "../editor.mjs";
export { cppLanguage as default } from "@codemirror/lang-cpp";
