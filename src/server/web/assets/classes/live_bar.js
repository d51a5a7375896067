// Progress of the judging of a class: counts, rate and remaining time, and the button that starts, stops or resumes it.

import { element, fill } from "../dom.js";
import { count, verdictName } from "../format.js";

/** Request and label of the button in each state. */
const BUTTONS = { draft: ["start", "Start"], preparing: ["pause", "Stop"], running: ["pause", "Stop"], paused: ["resume", "Go on"], failed: ["resume", "Try again"] };
/** Order of the verdicts in the bar. */
const ORDER = ["AC", "PT", "WA", "PE", "TLE", "ILE", "MLE", "OLE", "RTE", "SEC", "CE", "JE"];

/**
 * @param {HTMLElement} parent
 * @param {{onSteer: (what: string) => void}} actions
 */
export function createLiveBar(parent, { onSteer }) {
  const words = element("div.words", { role: "status" });
  const button = element("button.button.small", { type: "button", onclick: () => onSteer(button.dataset.what) });
  const share = element("div.share", { role: "img" }, ...ORDER.map((verdict) => element("i", { data: { verdict } })));
  const error = element("p.notice.bad", { hidden: true });
  fill(parent, element("div.line", {}, words, button), share, error);

  return {
    /** @param {object} about overview of the class, as returned by the API */
    show(about) {
      fill(words, ...facts(about).map(([bold, rest]) => element("span", {}, element("b", {}, bold), rest)));
      const [what, name] = BUTTONS[about.state] ?? [];
      // A hidden button still takes space, so that the text does not move when judging finishes.
      button.style.visibility = what ? "visible" : "hidden";
      [button.dataset.what, button.textContent] = [what ?? "", name ?? "Stop"];
      error.hidden = !about.error;
      error.textContent = about.error ?? "";
      const verdicts = Object.entries(about.verdicts);
      for (const part of share.children) {
        const number = about.verdicts[part.dataset.verdict] ?? 0;
        part.style.width = `${(number / Math.max(about.programs, 1)) * 100}%`;
        part.title = `${verdictName(part.dataset.verdict)}: ${number}`;
      }
      share.setAttribute("aria-label", verdicts.map(([verdict, number]) => `${verdictName(verdict)}: ${number}`).join(", ") || "nothing judged yet");
    },
  };
}

/** Returns the text above the bar, as pairs of a bold and a normal part. */
export function facts({ state, programs, judged, running, rate, seconds_left, faults = 0 }) {
  const busy = state === "running";
  return [
    [judged.toLocaleString("en-US"), ` of ${count(programs, "program", "programs")} judged`],
    state === "preparing" && ["preparing", " the problems"],
    busy && running > 0 && [running, " running"],
    busy && rate && [rateText(rate / 60), ""],
    busy && seconds_left !== null && seconds_left !== undefined && [`about ${span(seconds_left)}`, " left"],
    state === "paused" && ["stopped", ""],
    faults > 0 && [faults, " not judged because of an error"],
  ].filter(Boolean);
}

const rateText = (speed) => (speed >= 1 ? `${speed.toFixed(1)} per second` : `${(speed * 60).toFixed(speed * 60 >= 10 ? 0 : 1)} per minute`);

/** Formats seconds: `40 s`, `3 min`, `1 h 20 min`. */
export function span(seconds) {
  if (seconds < 60) return `${Math.max(Math.round(seconds), 1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
