// Formats times, sizes and words like the output in the terminal.

const NAMES = {
  AC: "accepted", PT: "partially accepted", WA: "wrong answer", PE: "presentation error", RTE: "run-time error",
  TLE: "time limit exceeded", ILE: "idle limit exceeded", MLE: "memory limit exceeded", OLE: "output limit exceeded",
  SEC: "forbidden system call", CE: "compile error", JE: "judge error", queued: "queued", running: "running",
  cancelled: "cancelled", skipped: "skipped", none: "not run",
};

/** Returns the long name of a verdict or state. */
export const verdictName = (verdict) => NAMES[verdict] ?? verdict;

/** Formats milliseconds with three digits: `9.42 ms`, `148 ms`, `2.5 s`. */
export function time(ms) {
  if (ms >= 1000) return `${trimmed(ms / 1000, 2)} s`;
  return `${ms >= 100 ? Math.round(ms) : trimmed(ms, ms >= 10 ? 1 : 2)} ms`;
}

/** Formats bytes in binary units: `3.8 MiB`. */
export function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : trimmed(value, 1)} ${units[unit]}`;
}

/**
 * Formats a whole number with its noun: `1 case`, `2,000 cases`. The digits are grouped here because the first use of
 * `toLocaleString` on a page takes 8 ms and more.
 */
export const count = (number, one, many) => `${String(number).replace(/\B(?=(\d{3})+$)/g, ",")} ${number === 1 ? one : many}`;

/** Parses a time span of a report to milliseconds: `1500ms`, `2s`, `5810us`, `1min`. */
export function spanMs(text) {
  const [, number, unit] = /^(\d+)(us|ms|s|min)$/.exec(text) ?? [];
  return number === undefined ? 0 : (Number(number) * { us: 1, ms: 1000, s: 1_000_000, min: 60_000_000 }[unit]) / 1000;
}

/** Decodes bytes of a report, which are a string, `{hex}` or an array of numbers, as UTF-8. Invalid bytes are replaced. */
export function bytesText(value) {
  if (typeof value === "string") return value;
  const numbers = Array.isArray(value) ? value : (value?.hex?.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  return new TextDecoder().decode(Uint8Array.from(numbers));
}

/** Formats a point in time for a table: only the time if it is today, and otherwise the date and time. */
export function moment(ms) {
  const date = new Date(ms);
  const today = date.toDateString() === new Date().toDateString();
  const clock = { hour: "2-digit", minute: "2-digit", ...(today && { second: "2-digit" }) };
  return date.toLocaleString(document.documentElement.lang || undefined, today ? clock : { ...clock, day: "numeric", month: "short" });
}

const trimmed = (value, places) => String(Number(value.toFixed(places)));
