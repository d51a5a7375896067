// Keeps what a person types, for each problem and language, in the browser's storage.

const PAUSE_MS = 300;
const LANGUAGE = "language";

/** The drafts of one person on one problem. A browser that refuses storage keeps nothing; writing goes on. */
export function drafts(person, problem) {
  const key = (name) => `nimatron/${person}/${problem}/${name}`;
  let waiting = null;
  let timer;

  const flush = () => {
    clearTimeout(timer);
    if (waiting) put(key(`source/${waiting.language}`), waiting.getText());
    waiting = null;
  };
  // A page that is closed or hidden may never run a timer again.
  document.addEventListener("visibilitychange", () => document.hidden && flush());
  addEventListener("pagehide", flush);

  return {
    read: (language) => take(key(`source/${language}`)) ?? "",
    /** Writes soon; `getText` is called then. */
    changed(language, getText) {
      waiting = { language, getText };
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE_MS);
    },
    flush,
    language: () => take(key(LANGUAGE)) ?? take(`nimatron/${person}/${LANGUAGE}`),
    setLanguage(language) {
      put(key(LANGUAGE), language);
      put(`nimatron/${person}/${LANGUAGE}`, language);
    },
    input: () => take(key("input")),
    setInput: (text) => put(key("input"), text),
  };
}

function take(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function put(key, text) {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Full or forbidden: nothing is kept.
  }
}
