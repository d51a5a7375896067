// Table of marks, with a row for each student and a column for each problem. Only visible rows are in the document, so
// that large classes are fast. For printing, all rows are in the document.
//
// Keys: arrows, Page Up, Page Down, Home and End move between cells; Enter opens one.

import { element, fill, onceAFrame } from "../dom.js";
import { verdictName } from "../format.js";
import { columnFigures, level, middle, points, shortPoints, standing } from "./book_model.js";
import { histogram } from "./histogram.js";

const ROW_PX = 32;
/** Number of rows rendered beyond the visible ones, in each direction. */
const AROUND = 12;
/** Number of rows up to which all rows are in the document. */
const FEW = 60;

/**
 * @param {HTMLElement} parent
 * @param {object} options
 * @param {{id: string, name: string, max: number}[]} options.problems
 * @param {number} options.max maximum of the total
 * @param {(row: object, column: number) => void} options.onOpen
 * @param {(order: {by: string | number, descending: boolean}) => void} options.onSort
 */
export function createGrid(parent, { problems, max, onOpen, onSort }) {
  const heads = [{ by: "student", name: "Student" }, { by: "total", name: "Total" }, ...problems.map(({ id, name }, by) => ({ by, name: id, title: name }))]
    .map((head, column) => createHead(head, column, onSort));
  const body = element("tbody");
  const above = spacer();
  const below = spacer();
  const columns = element("colgroup", {}, element("col.student"), element("col.total"), ...problems.map(() => element("col.mark")));
  const table = element("table.table.sticky.marks", { role: "grid", "aria-label": "Marks", "aria-colcount": heads.length }, columns, element("thead", {}, element("tr", { "aria-rowindex": 1 }, ...heads.map(({ node }) => node))), body);
  const scroll = element("div.table-scroll.marks-scroll", {}, table);
  const empty = element("p.nothing", { hidden: true }, "No student matches the filters.");
  fill(parent, scroll, empty);

  /** Nodes of the rendered rows, with the versions that they show. */
  const nodes = new Map();
  let rows = [];
  let active = { row: 0, column: 2 };
  let window_ = [0, 0];
  let printing = false;

  const draw = onceAFrame(drawWindow);
  scroll.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(scroll);
  addEventListener("beforeprint", () => { printing = true; drawWindow(); });
  addEventListener("afterprint", () => { printing = false; drawWindow(); });

  function drawWindow() {
    const shownRows = Math.ceil(scroll.clientHeight / ROW_PX);
    const top = Math.floor(scroll.scrollTop / ROW_PX);
    const first = rows.length <= FEW || printing ? 0 : Math.max(top - AROUND, 0);
    const last = rows.length <= FEW || printing ? rows.length : Math.min(top + shownRows + AROUND, rows.length);
    // Several rows are rendered at once, so that scrolling does not change the document at each event.
    if (body.childElementCount > 0 && Math.abs(first - window_[0]) < AROUND / 2 && last - first === window_[1] - window_[0] && first > 0 && last < rows.length) {
      for (let index = window_[0]; index < window_[1]; index += 1) refresh(rows[index], index);
      return;
    }
    window_ = [first, last];
    above.firstChild.style.height = `${first * ROW_PX}px`;
    below.firstChild.style.height = `${(rows.length - last) * ROW_PX}px`;
    const wanted = [];
    for (let index = first; index < last; index += 1) wanted.push(refresh(rows[index], index));
    place([...(first > 0 ? [above] : []), ...wanted, ...(last < rows.length ? [below] : [])]);
    if (!body.querySelector('[tabindex="0"]')) cellAt(Math.min(Math.max(active.row, first), last - 1), active.column)?.setAttribute("tabindex", "0");
  }

  /** Renders these rows. Nodes of rows that are already rendered are reused, so that they keep the focus. */
  function place(wanted) {
    const stay = new Set(wanted);
    for (const node of [...body.children]) if (!stay.has(node)) node.remove();
    wanted.forEach((node, index) => {
      if (body.children[index] !== node) body.insertBefore(node, body.children[index] ?? null);
    });
  }

  /** Returns the up-to-date node of a row. */
  function refresh(row, index) {
    let known = nodes.get(row.student);
    if (!known) {
      known = createRow(row, heads.length);
      nodes.set(row.student, known);
    }
    known.node.setAttribute("aria-rowindex", index + 2);
    known.node.dataset.index = index;
    if (known.row === row && known.version === row.version) return known.node;
    [known.row, known.version] = [row, row.version];
    drawTotal(known.cells[1], row);
    row.cells.forEach((cell, column) => drawCell(known.cells[column + 2], cell, problems[column], known.keys, column));
    return known.node;
  }

  const cellAt = (index, column) => body.querySelector(`tr[data-index="${index}"]`)?.children[column];

  function moveTo(row, column) {
    active = { row: Math.min(Math.max(row, 0), rows.length - 1), column: Math.min(Math.max(column, 0), heads.length - 1) };
    const top = active.row * ROW_PX;
    const head = table.tHead.offsetHeight;
    if (top < scroll.scrollTop) scroll.scrollTop = top;
    else if (top + ROW_PX > scroll.scrollTop + scroll.clientHeight - head) scroll.scrollTop = top + ROW_PX - scroll.clientHeight + head;
    drawWindow();
    for (const node of body.querySelectorAll('[tabindex="0"]')) node.tabIndex = -1;
    const cell = cellAt(active.row, active.column);
    if (!cell) return;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    // The first column is sticky and covers the cells below it.
    const covered = table.querySelector("tbody th").offsetWidth;
    const [left, right] = [cell.offsetLeft - covered, cell.offsetLeft + cell.offsetWidth];
    if (active.column > 0 && left < scroll.scrollLeft) scroll.scrollLeft = left;
    else if (right > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = right - scroll.clientWidth;
  }

  const placeOf = (target) => {
    const cell = target.closest("tbody td, tbody th");
    const row = cell?.closest("tr[data-index]");
    return row ? { row: Number(row.dataset.index), column: [...row.children].indexOf(cell) } : null;
  };
  const openAt = ({ row, column }) => column >= 2 && onOpen(rows[row], column - 2);

  body.addEventListener("click", ({ target }) => {
    const at = placeOf(target);
    if (!at) return;
    moveTo(at.row, at.column);
    openAt(at);
  });
  body.addEventListener("keydown", (event) => {
    const at = placeOf(event.target);
    if (!at || event.altKey || event.metaKey) return;
    const page = Math.max(Math.floor(scroll.clientHeight / ROW_PX) - 2, 1);
    const step = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-page, 0], PageDown: [page, 0],
      Home: [event.ctrlKey ? -Infinity : 0, -Infinity], End: [event.ctrlKey ? Infinity : 0, Infinity],
    }[event.key];
    if (event.key === "Enter" || event.key === " ") openAt(at);
    else if (step) moveTo(at.row + step[0], at.column + step[1]);
    else return;
    event.preventDefault();
  });

  return {
    /** Shows these rows in this order. */
    show(ordered, order) {
      rows = ordered;
      active.row = Math.min(active.row, Math.max(rows.length - 1, 0));
      window_ = [-1, -1];
      table.setAttribute("aria-rowcount", rows.length + 1);
      empty.hidden = rows.length > 0;
      for (const { node, by } of heads) node.setAttribute("aria-sort", by !== order.by ? "none" : order.descending ? "descending" : "ascending");
      draw();
    },
    /** Updates rows that changed, without reordering them. */
    draw,
    /** Draws the distributions of these rows above the columns. */
    drawFigures(all) {
      drawFigure(heads[1], all.map(({ total }) => total).filter((total) => total !== null), max);
      problems.forEach((problem, column) => drawFigure(heads[column + 2], columnFigures(all, column).points, problem.max));
    },
    /** Moves the focus to a cell. */
    focus(student, column) {
      const row = rows.findIndex((one) => one.student === student);
      if (row >= 0) moveTo(row, column + 2);
    },
  };
}

function createHead({ by, name, title }, column, onSort) {
  const button = element("button", { type: "button", title: title ?? name, onclick: () => onSort(by) }, name);
  const figure = element("div.figure");
  const node = element(column === 0 ? "th.student" : "th.number", { scope: "col", "aria-colindex": column + 1, "aria-sort": "none" }, button, column > 0 && figure);
  return { node, by, name, figure };
}

function drawFigure({ figure, name }, values, max) {
  const key = values.join();
  if (figure.dataset.key === undefined || figure.shown !== key) {
    figure.shown = key;
    figure.dataset.key = "";
    const found = middle(values);
    fill(figure, histogram(values, max, name), element("span.mean", { title: found ? `mean ${points(found.mean)}, median ${points(found.median)}, of ${points(max)}` : null }, found ? String(Math.round(found.mean * 10) / 10) : "–"));
  }
}

const spacer = () => element("tr.spacer", { "aria-hidden": "true" }, element("td"));

function createRow(row, length) {
  const cells = [element("th.student", { scope: "row", tabindex: -1, title: row.student }, row.student)];
  while (cells.length < length) cells.push(element(cells.length === 1 ? "td.number.total" : "td.number.mark", { tabindex: -1 }));
  return { node: element("tr", {}, ...cells), cells, keys: [] };
}

function drawTotal(node, row) {
  const flag = row.flags > 0 ? element("span.flag", { title: `${row.flags} to review`, role: "img", "aria-label": "to review" }) : null;
  fill(node, flag, row.total === null ? element("span.faint", {}, "open") : shortPoints(row.total));
}

/** Updates only the cells that changed. */
function drawCell(node, cell, problem, keys, column) {
  const name = standing(cell);
  const key = `${name} ${cell.points} ${cell.max} ${cell.overridden} ${cell.late} ${cell.flagged}`;
  if (keys[column] === key) return;
  keys[column] = key;
  node.dataset.verdict = name;
  node.dataset.level = cell.state === "judged" || cell.overridden ? String(level(cell)) : "";
  const words = [cell.overridden && "overridden", cell.late && "late", cell.flagged && "to review"].filter(Boolean);
  node.title = `${problem.name}: ${name === "missing" ? "nothing submitted" : verdictName(name)}${words.map((word) => `, ${word}`).join("")}`;
  node.classList.toggle("overridden", Boolean(cell.overridden));
  node.classList.toggle("flagged", Boolean(cell.flagged));
  const short = name === "AC" || name === "missing" || cell.state === "queued" || cell.state === "running" ? null : element("span.short", {}, name === "open" ? "JE" : name);
  const value = cell.state === "queued" ? element("span.faint", {}, "·") : cell.state === "running" ? element("span.pulse", {}, "•") : cell.state === "missing" && !cell.overridden ? element("span.faint", {}, "–") : shortPoints(cell.points);
  fill(node, short, value);
}
