import "../editor.mjs";
export { javaLanguage as default } from "@codemirror/lang-java";
