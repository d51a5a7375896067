// Heat map of the tests of a problem, with a row for each student and a column for each case, in the colors of the
// verdicts. It is a canvas, since it can have tens of thousands of cells. The selected cell is described below it.

import { element, onceAFrame } from "../dom.js";
import { verdictName } from "../format.js";

/** Colors of the verdicts, as names of the style sheet. */
const COLOURS = { AC: "--good", PT: "--warn", WA: "--bad", PE: "--bad", TLE: "--warn", ILE: "--warn", MLE: "--warn", OLE: "--warn", RTE: "--odd", SEC: "--odd", CE: "--odd", JE: "--text" };
const [NAME_PX, HEAD_PX, ROW_PX] = [150, 52, 14];
/** Maximum and minimum width of a column, in pixels. */
const [WIDE, NARROW] = [14, 4];

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {{case: string, group: string, accepted: number, failed: number}[]} options.cases
 * @param {{student: string, verdicts: (string | null)[]}[]} options.rows
 * @param {(student: string) => void} options.onOpen
 */
export function createHeatmap(parent, { cases, rows, onOpen }) {
  const canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "heat map", "aria-label": `Verdicts of ${rows.length} students on ${cases.length} cases. Arrow keys move, Enter opens the program.`, "aria-describedby": "heat-said" });
  const scroll = element("div.heat-scroll", {}, canvas);
  const said = element("p.heat-said", { id: "heat-said", "aria-live": "polite" }, "Point at a cell.");
  parent.replaceChildren(scroll, said);
  const accepted = cases.map((one) => one.accepted / Math.max(one.accepted + one.failed, 1));
  let at = null;
  let column = WIDE;

  const draw = onceAFrame(() => {
    const look = getComputedStyle(canvas);
    const colour = colours(canvas);
    const room = scroll.clientWidth - NAME_PX - 2;
    column = Math.max(Math.min(Math.floor(room / Math.max(cases.length, 1)), WIDE), NARROW);
    const [width, height] = [NAME_PX + column * cases.length, HEAD_PX + ROW_PX * rows.length];
    const dots = Math.min(devicePixelRatio, 32_000 / Math.max(height, width, 1));
    [canvas.width, canvas.height] = [Math.ceil(width * dots), Math.ceil(height * dots)];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    const pen = canvas.getContext("2d");
    pen.scale(dots, dots);
    drawHead(pen, colour);
    pen.font = `12px ${look.fontFamily}`;
    pen.textBaseline = "middle";
    rows.forEach((row, index) => {
      const top = HEAD_PX + index * ROW_PX;
      pen.fillStyle = colour("--text-muted");
      pen.fillText(fitted(pen, row.student, NAME_PX - 12), 0, top + ROW_PX / 2);
      row.verdicts.forEach((verdict, place) => {
        pen.fillStyle = colour(COLOURS[verdict] ?? "--line");
        pen.globalAlpha = verdict === "AC" ? 0.55 : verdict ? 1 : 0.7;
        pen.fillRect(NAME_PX + place * column, top + 1, column - (column > 5 ? 1 : 0), ROW_PX - 2);
      });
      pen.globalAlpha = 1;
    });
    if (at) {
      pen.strokeStyle = colour("--text");
      pen.lineWidth = 2;
      pen.strokeRect(NAME_PX + at.place * column - 1, HEAD_PX + at.row * ROW_PX, column + 1, ROW_PX);
    }
  });

  /** Draws the share of accepted programs of each case as a bar, and the names of the groups. */
  function drawHead(pen, colour) {
    const base = HEAD_PX - 6;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "top";
    let group = null;
    let free = 0;
    cases.forEach((one, place) => {
      const x = NAME_PX + place * column;
      const height = Math.round(accepted[place] * 24);
      pen.fillStyle = colour("--line");
      pen.fillRect(x, base - 24, column - 1, 24);
      pen.fillStyle = colour("--idle");
      pen.fillRect(x, base - height, column - 1, height);
      if (one.group === group) return;
      group = one.group;
      pen.fillStyle = colour("--line-strong");
      pen.fillRect(x - (place > 0 ? 1 : 0), 14, 1, base - 14);
      if (x < free) return;
      pen.fillStyle = colour("--text-muted");
      pen.fillText(group, x + 3, 2);
      free = x + pen.measureText(group).width + 10;
    });
    pen.fillStyle = colour("--text-muted");
    pen.fillText("accepted", 0, base - 14);
  }

  const say = (to) => {
    if (to?.row === at?.row && to?.place === at?.place) return;
    at = to;
    const row = to && rows[to.row];
    const verdict = row?.verdicts[to.place];
    said.textContent = row ? `${row.student} · ${cases[to.place].case} · ${verdict ? verdictName(verdict) : "not run"} · ${Math.round(accepted[to.place] * 100)} % accepted` : "Point at a cell.";
    draw();
  };
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const place = Math.floor((offsetX - NAME_PX) / column);
    const row = Math.floor((offsetY - HEAD_PX) / ROW_PX);
    say(place >= 0 && place < cases.length && row >= 0 && row < rows.length ? { row, place } : null);
  });
  canvas.addEventListener("click", () => at && onOpen(rows[at.row].student));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity], PageUp: [-20, 0], PageDown: [20, 0] }[event.key];
    if (event.key === "Enter" && at) onOpen(rows[at.row].student);
    else if (step && rows.length > 0) {
      const clamp = (value, length) => Math.min(Math.max(value, 0), length - 1);
      const to = { row: clamp((at?.row ?? 0) + (at ? step[0] : 0), rows.length), place: clamp((at?.place ?? 0) + (at ? step[1] : 0), cases.length) };
      say(to);
      scroll.scrollTo({ top: HEAD_PX + to.row * ROW_PX - scroll.clientHeight / 2, left: NAME_PX + to.place * column - scroll.clientWidth / 2 });
    } else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(scroll);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", draw);
  draw();
}

/** Returns a function that converts names of the style sheet to canvas colors of the current color scheme. */
function colours(node) {
  const known = new Map();
  return (name) => {
    if (!known.has(name)) {
      node.style.color = `var(${name})`;
      known.set(name, getComputedStyle(node).color);
      node.style.color = "";
    }
    return known.get(name);
  };
}

/** Truncates a text to a width. */
function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) end -= 1;
  return `${text.slice(0, end)}…`;
}
