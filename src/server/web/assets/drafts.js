// Stores drafts of programs in the browser, for each problem and language.

const PAUSE_MS = 300;
const LANGUAGE = "language";

/** Returns the drafts of one person for one problem. If the browser refuses storage, drafts are not saved. */
export function drafts(person, problem) {
  const key = (name) => `nimatron/${person}/${problem}/${name}`;
  let waiting = null;
  let timer;

  const flush = () => {
    clearTimeout(timer);
    if (waiting) put(key(`source/${waiting.language}`), waiting.getText());
    waiting = null;
  };
  // The timers of a closed or hidden page may never run.
  document.addEventListener("visibilitychange", () => document.hidden && flush());
  addEventListener("pagehide", flush);

  return {
    read: (language) => take(key(`source/${language}`)) ?? "",
    /** Schedules a save of the draft. `getText` is called at the time of the save. */
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
    /** Returns the saved fields of a search. */
    search() {
      try {
        return JSON.parse(take(key("search"))) ?? {};
      } catch {
        return {};
      }
    },
    setSearch: (fields) => put(key("search"), JSON.stringify(fields)),
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
    // The storage is full or not allowed, so the draft is not saved.
  }
}
