// Details of one case: message, first difference, input, standard error and dialogue.

import { diffTable } from "./diff.js";
import { element, verdictBadge } from "./dom.js";
import { bytesText, count, size, spanMs, time, verdictName } from "./format.js";

/** Numbers of lines shown before and after the first difference. */
const BEFORE = 3;
const AFTER = 40;
/** Maximum number of characters shown of a text. */
const SHOWN = 20_000;

/**
 * Renders the details of a case.
 *
 * @param {object} one the case, as in `run_state.js`
 * @param {object | null} report report of the run, if the run has ended
 */
export function caseDetail(one, report) {
  const evidence = report?.failures?.find(({ result }) => result.case === one.case);
  const dialogue = report?.dialogue?.case === one.case ? report.dialogue : null;
  const usage = one.cpu_ms === undefined ? "" : `${time(one.cpu_ms)} CPU · ${time(one.wall_ms)} wall · ${size(one.memory_bytes)}`;
  return element("section.case-detail", { "aria-label": `Case ${one.case}` },
    element("header", {}, element("h3", {}, one.case), verdictBadge(one.verdict, verdictName(one.verdict)), element("span.muted", {}, usage)),
    message(one),
    one.difference && difference(one.difference, evidence),
    dialogue && labelled("Dialogue", dialogueList(dialogue.transcript)),
    evidence && text("Input", bytesText(evidence.input)),
    evidence && !one.difference && !dialogue && text("Output", bytesText(evidence.output)),
    one.stderr?.text && text("Standard error", one.stderr.text + (one.stderr.cut ? `\n… of ${size(one.stderr.bytes)}` : "")));
}

/** Renders a text below its name. Long texts are truncated. */
export function text(name, content) {
  const cut = content.length > SHOWN;
  const shown = content === "" ? element("p.faint", {}, "(empty)") : element("pre.output", { tabindex: 0, role: "region", "aria-label": name }, cut ? `${content.slice(0, SHOWN)}…` : content);
  return labelled(cut ? `${name}, the first ${size(SHOWN)}` : name, shown);
}

function labelled(name, node) {
  return element("div.labelled", {}, element("span", {}, name), node);
}

function message(one) {
  const words = [one.message, one.difference?.message].filter(Boolean);
  if (one.verdict === "RTE" && one.signal !== undefined) words.unshift(`ended by signal ${one.signal}`);
  else if (one.verdict === "RTE" && one.exit_code) words.unshift(`exit code ${one.exit_code}`);
  return words.length > 0 && element("p", {}, words.join(" · "));
}

/** Renders the answer and the output around the first difference, or only the differing tokens if the texts are unknown. */
function difference(first, evidence) {
  const [expectedFrom, foundFrom] = [first.expected_line, first.actual_line].map((line) => Math.max(line - BEFORE, 1));
  const [expected, found] = evidence
    ? [windowOf(bytesText(evidence.answer), expectedFrom), windowOf(bytesText(evidence.output), foundFrom)]
    : [first.expected ?? "", first.actual ?? ""];
  const firstLines = evidence ? [expectedFrom, foundFrom] : [first.expected_line, first.actual_line];
  if (expected === "" && found === "") return null;
  return labelled("First difference", diffTable(expected, found, { firstLines }));
}

function windowOf(content, from) {
  return content.split(/(?<=\n)/).slice(from - 1, from + BEFORE + AFTER).join("");
}

/** Renders the dialogue of a program and an interactor. */
export function dialogueList({ head, tail, left_out }) {
  const list = element("ol.dialogue", { tabindex: 0, "aria-label": "Dialogue" });
  const several = [...head, ...tail].some((one) => one.process > 0);
  let last;
  const add = ({ at, process = 0, side, said }) => {
    const content = bytesText(said);
    const name = (side === "program" ? "Your program" : "Interactor") + (several ? `, process ${process}` : "");
    const who = element("span.who", {}, `${name} · ${time(spanMs(at))}`);
    const speaker = `${side} ${process}`;
    const turn = speaker === last ? "" : ".turn";
    const bubble = content === "" ? element("span.who", {}, "(closed its output)") : element("pre.said", {}, content.replace(/\n$/, ""));
    list.append(element(`li.${side}${turn}`, {}, speaker === last ? null : who, bubble));
    last = speaker;
  };
  head.forEach(add);
  if (left_out > 0) list.append(element("li.note", {}, `… ${count(left_out, "byte", "bytes")} left out …`));
  tail.forEach(add);
  return list;
}
