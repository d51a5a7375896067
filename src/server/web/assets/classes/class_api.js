// Requests of the class pages. Responses are converted to the format that the pages use.

import { request } from "../api.js";
import { followEvents } from "../events.js";

const path = (id, ...parts) => `/classes/${[id, ...parts].map(encodeURIComponent).join("/")}`;

export const listClasses = () => request("GET", "/classes");
export const readClass = (id) => request("GET", path(id));
export const deleteClass = (id) => request("DELETE", path(id));

/** Uploads the submissions of a class. Judging must be started separately. */
export async function createClass({ name, problems, upload }) {
  const form = new FormData();
  if (name !== "") form.append("name", name);
  form.append("problems", problems.join(","));
  form.append("start", "false");
  form.append("submissions", upload, "submissions.zip");
  return (await request("POST", "/classes", { form })).id;
}

/** @param {"start" | "pause" | "resume"} what */
export const steer = (id, what) => request("POST", path(id, what));
/** Rejudges programs: those of a student, those of a problem, or all. */
export const rejudge = (id, what) => request("POST", path(id, "rejudge"), { body: what });

/** Reads the files of a class with their students and problems. */
export async function readRoster(id) {
  return entriesOf(await request("GET", path(id, "roster")));
}

/** Corrects the student and problem of a file, excludes the file, or resets the correction. */
export async function changeRoster(id, change) {
  return entriesOf(await request("PUT", path(id, "roster"), { body: [change] }));
}

/** Returns the entries of the table of files: programs, and other files with the reason for their exclusion in `left`. */
export function entriesOf({ claims, left }) {
  const program = ({ path: key, files, student, problem, counts, guesses, corrected }) =>
    ({ key, files: files.length, student, problem, corrected, left: null, guesses: counts ? guesses : [...guesses, "another attempt counts"], guessed: guesses.length > 0 });
  const other = ({ path: key, reason, corrected }) => ({ key, files: 1, student: null, problem: null, corrected, left: reason, guesses: [], guessed: false });
  return [...claims.map(program), ...left.map(other)];
}

/** Reads the gradebook: problems, rows and the maximum of the total. */
export async function readBook(id) {
  const { problems, max_total, students, last_event } = await request("GET", path(id, "gradebook"));
  return { lastEvent: last_event, problems: problems.map(({ id: problem, name, max_mark }) => ({ id: problem, name, max: max_mark })), max: max_total, rows: students.map(rowOf) };
}

export function rowOf({ student, total, marks }) {
  const row = { student, total, cells: marks.map(cellOf), version: 0 };
  return { ...row, flags: row.cells.filter(({ flagged }) => flagged).length };
}

export const cellOf = ({ state, verdict, mark, max_mark, formula, path: file, overridden, flags, late_seconds, attempts, comment }) =>
  ({ state, verdict, points: mark, max: max_mark, formula, path: file, overridden, flags, flagged: flags.length > 0, late: late_seconds > 0, attempts, comment });

/** Calls `onEvent` for the events of a class after the event `after`. */
export const followClass = (id, after, handlers) => followEvents(`/api/v1${path(id, "events")}${(after ?? null) === null ? "" : `?after=${after}`}`, handlers);

export const readSubmission = (id, student, problem, file) =>
  request("GET", `${path(id, "submissions", student, problem)}${file ? `?path=${encodeURIComponent(file)}` : ""}`);
export const setMark = (id, body) => request("POST", path(id, "overrides"), { body });
export const undoMark = (id, student, problem) => request("POST", path(id, "overrides", "undo"), { body: { student, problem } });
export const readLog = (id) => request("GET", path(id, "log"));
export const readTests = (id, problem) => request("GET", path(id, "tests", problem));
export const readSimilarity = (id) => request("GET", path(id, "similarity"));
export const readPair = (id, pair) => request("GET", path(id, "pairs", pair));
export const readGroups = (id) => request("GET", path(id, "groups"));
export const readRules = (id) => request("GET", path(id, "rules"));
export const previewRules = (id, rules) => request("POST", path(id, "rules", "preview"), { body: rules });
export const applyRules = (id, rules) => request("PUT", path(id, "rules"), { body: rules });
export const listDownloads = (id) => request("GET", path(id, "downloads"));
/** Fills in a table exported by another system, and returns it as text. */
export const fillDownload = (id, name, title, csv) =>
  request("POST", `${path(id, "downloads", name)}${title === "" ? "" : `?title=${encodeURIComponent(title)}`}`, { text: csv });
export const downloadUrl = (id, name) => `/api/v1${path(id, "downloads", name)}`;
