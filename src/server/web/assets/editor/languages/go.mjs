import "../editor.mjs";
export { goLanguage as default } from "@codemirror/lang-go";
