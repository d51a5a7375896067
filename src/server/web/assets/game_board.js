// Draws the position of a match as SVG. Each choice is a button or, for heaps and steps, a slider, so that the board
// can be used with a pointer or a keyboard. The caller stores the choice and redraws the board after each change.

const NS = "http://www.w3.org/2000/svg";
const R = 11;
const STEP = 26;
const COLUMN = 10;
const MOST_STONES = 60;

/** Creates an SVG element. `on…` are listeners; a group with a listener `onpick` is a button. */
function svg(name, properties = {}, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "onpick") {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "0");
      node.addEventListener("click", value);
      node.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); value(event); }
      });
    } else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const classes = (...names) => names.filter(Boolean).join(" ");
const frame = (width, height, label, ...children) => svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label }, ...children);
// Labels are hidden from screen readers, since the names of the buttons and sliders contain the same text.
const text = (x, y, content, more = {}) => svg("text", { x, y, "text-anchor": "middle", "aria-hidden": "true", ...more }, String(content));

/**
 * @typedef {object} Board
 * @property {object} position as in the API
 * @property {object} choice the current choice: `amounts` (Map of heap to amount), `set` (Set of cells, vertices or edges),
 *   `token`, `to`, `number`, `stack`, `cut` ([heap, part])
 * @property {Map<number, number>} ghosts number of objects that the last moves of the machine took from each heap
 * @property {boolean} locked whether the choice can't be changed
 * @property {boolean} candies
 * @property {(change: object) => void} choose
 */

/** Draws a board. @param {Board} board */
export function drawBoard(board) {
  const { kind, to_place: toPlace } = board.position;
  if (kind === "row") return staircase(board);
  if (kind === "cells") return board.position.circle ? circle(board) : grid(board);
  if (kind === "graph") return graph(board);
  if (kind === "tokens") return walkers(board);
  if (kind === "counter") return counter(board);
  return kind === "stacks" && toPlace > 0 ? placing(board) : heaps(board);
}

/** Describes the position as text. */
export function describe({ kind, numbers, to_place: toPlace, limit, edges }) {
  const list = numbers.join(", ") || "none";
  const sizes = (word) => numbers.map((size, index) => `${word} ${index + 1}: ${size}`).join(", ");
  switch (kind) {
    case "heaps": return `${sizes("heap") || "no heaps"}.`;
    case "stacks": return `${sizes("stack")}.${toPlace ? ` ${toPlace} to place.` : ""}`;
    case "row": return `${sizes("step")}.`;
    case "cells": return `Occupied cells: ${list}.`;
    case "graph": return `Vertices left: ${list}. Edges: ${edges.map(([, a, b]) => `${a}–${b}`).join(", ") || "none"}.`;
    case "tokens": return `${numbers.map((place, index) => `token ${index + 1} on ${place}`).join(", ")}.`;
    default: return `The number is ${numbers[0]}${limit ? ` of ${limit}` : ""}.`;
  }
}

/** Draws a stone or a candy. */
function stone(x, y, state, candies) {
  if (!candies) return svg("circle", { class: classes("stone", state), cx: x, cy: y, r: R });
  const wing = (side) => `M${x + side * 6} ${y}l${side * 7} -5v10z`;
  return svg("g", { class: classes("stone", "candy", state) }, svg("path", { d: wing(-1) }), svg("path", { d: wing(1) }), svg("circle", { cx: x, cy: y, r: 8 }));
}

/** Draws the stones of a heap in columns of ten, from the bottom. The group is a slider for the amount to take. */
function pile(board, index, x, bottom, word) {
  const { position, choice, ghosts, locked, candies, choose } = board;
  const size = position.numbers[index];
  const chosen = choice.amounts.get(index) ?? 0;
  const ghost = Math.min(ghosts.get(index) ?? 0, 30);
  const drawn = Math.min(size, MOST_STONES);
  const parts = [];
  for (let at = 0; at < drawn + ghost; at += 1) {
    const [cx, cy] = [x + Math.floor(at / COLUMN) * STEP + STEP / 2, bottom - (at % COLUMN) * STEP - STEP / 2];
    // The last stone is on top. Choosing a stone takes it and all stones above it.
    const above = drawn - at;
    const cut = position.splits && choice.cut?.[0] === index && at >= choice.cut[1];
    const state = above <= 0 ? "ghost" : position.splits ? cut && "chosen" : above <= chosen && "chosen";
    const node = stone(cx, cy, state, candies);
    if (above > 0 && !locked) node.addEventListener("click", () => (position.splits ? choose({ cut: [index, Math.max(1, at)] }) : choose({ heap: index, amount: chosen === above ? 0 : above })));
    parts.push(node);
  }
  const columns = Math.max(1, Math.ceil((drawn + ghost) / COLUMN));
  const label = chosen > 0 ? `${size} − ${chosen}` : size;
  const value = position.splits ? choice.cut?.[0] === index ? choice.cut[1] : size : chosen;
  const onkeydown = (event) => {
    const change = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -size, End: size }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(size, value + change));
    choose(position.splits ? { cut: [index, next] } : { heap: index, amount: next });
  };
  const slider = !locked && size > 0 && {
    role: "slider", tabindex: 0, onkeydown, "data-key": `${word}${index}`, "aria-valuemin": 0, "aria-valuemax": size, "aria-valuenow": value,
    "aria-label": `${word} ${index + 1}, ${size} ${size === 1 ? "object" : "objects"}`,
    "aria-valuetext": position.splits ? `split into ${value} and ${size - value}` : `${chosen} chosen`,
  };
  return { columns, node: svg("g", { class: classes("heap", locked && "locked"), ...slider }, ...parts), label };
}

const columnsOf = (board, index) => Math.max(1, Math.ceil((Math.min(board.position.numbers[index], MOST_STONES) + Math.min(board.ghosts.get(index) ?? 0, 30)) / COLUMN));

function heaps(board) {
  const { numbers, kind } = board.position;
  const tallest = Math.max(1, ...numbers.map((size, index) => Math.min(COLUMN, size + (board.ghosts.get(index) ?? 0))));
  const bottom = Math.max(4, tallest) * STEP + 8;
  const word = kind === "stacks" ? "stack" : "heap";
  let x = 12;
  const parts = numbers.flatMap((_, index) => {
    const width = columnsOf(board, index) * STEP;
    const { node, label } = pile(board, index, x, bottom, word);
    const middle = x + Math.max(width, 40) / 2;
    const shift = (Math.max(width, 40) - width) / 2;
    node.setAttribute("transform", `translate(${shift} 0)`);
    const plate = svg("path", { class: "plate", d: `M${x} ${bottom + 4}h${Math.max(width, 40)}` });
    const texts = [text(middle, bottom + 24, label, { class: "size" }), text(middle, bottom + 41, `${word} ${index + 1}`, { class: "label" })];
    x += Math.max(width, 40) + 26;
    return [plate, node, ...texts];
  });
  return frame(Math.max(x - 14, 120), bottom + 50, describe(board.position), ...parts);
}

function placing(board) {
  const { numbers, to_place: toPlace } = board.position;
  const bottom = Math.max(4, Math.min(COLUMN, Math.max(...numbers) + 1)) * STEP + 8;
  const parts = numbers.flatMap((height, index) => {
    const x = 14 + index * 74;
    const chosen = board.choice.stack === index;
    const stones = Array.from({ length: Math.min(height, COLUMN) + (chosen ? 1 : 0) }, (_, at) => stone(x + 28, bottom - at * STEP - STEP / 2, at >= height && "chosen"));
    const pick = svg("g", { class: "pick", onpick: !board.locked && (() => board.choose({ stack: index })), "aria-pressed": String(chosen), "data-key": `stack${index}`, "aria-label": `stack ${index + 1}, ${height} high` },
      svg("rect", { class: "area", x, y: 4, width: 56, height: bottom, rx: 6 }), svg("path", { class: "plate", d: `M${x} ${bottom + 4}h56` }), ...stones);
    return [pick, text(x + 28, bottom + 24, height, { class: "size" }), text(x + 28, bottom + 41, `stack ${index + 1}`, { class: "label" })];
  });
  const shown = Math.min(toPlace, 20);
  const tray = Array.from({ length: shown }, (_, at) => stone(26 + at * STEP, bottom + 84, "waiting"));
  const width = Math.max(numbers.length * 74 + 14, shown * STEP + 28, 160);
  return frame(width, bottom + 104, describe(board.position), ...parts, text(14, bottom + 66, `${toPlace} to place`, { class: "label", "text-anchor": "start" }), ...tray);
}

function staircase(board) {
  const { numbers } = board.position;
  const rise = 18;
  const tallest = Math.max(1, ...numbers.map((size) => Math.min(COLUMN, size)));
  const ground = tallest * STEP + numbers.length * rise + 12;
  let x = 40;
  const parts = numbers.flatMap((_, index) => {
    const width = Math.max(columnsOf(board, index) * STEP, 46) + 8;
    const top = ground - (index + 1) * rise;
    const { node, label } = pile(board, index, x + (width - columnsOf(board, index) * STEP) / 2, top - 2, "step");
    const block = svg("rect", { class: "step", x, y: top, width, height: ground - top });
    const texts = [text(x + width / 2, ground + 18, label, { class: "size" }), text(x + width / 2, ground + 34, `step ${index + 1}`, { class: "label" })];
    x += width;
    return [block, node, ...texts];
  });
  return frame(x + 12, ground + 42, describe(board.position), svg("path", { class: "plate", d: `M6 ${ground}H${x + 6}` }), ...parts);
}

/** Draws a cell, a vertex or an edge that can be added to the choice. */
function member(board, number, present, label, ...children) {
  const { choice, locked, choose } = board;
  const chosen = choice.set.has(number);
  if (!present) return svg("g", { class: "gone" }, ...children);
  return svg("g", { class: classes("pick", chosen && "chosen"), onpick: !locked && (() => choose({ toggle: number })), "aria-pressed": String(chosen), "data-key": `member${number}`, "aria-label": label }, ...children);
}

function circle(board) {
  const { circle: count, numbers } = board.position;
  const radius = Math.max(60, (count * 34) / (2 * Math.PI));
  const center = radius + 26;
  const there = new Set(numbers);
  const parts = Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2;
    const [x, y] = [center + radius * Math.cos(angle), center + radius * Math.sin(angle)];
    return member(board, index + 1, there.has(index + 1), `coin ${index + 1}`, svg("circle", { class: "coin", cx: x, cy: y, r: 14 }), text(x, y + 4.5, index + 1, { class: "on-coin" }));
  });
  return frame(2 * center, 2 * center, describe(board.position), svg("circle", { class: "ring", cx: center, cy: center, r: radius }), ...parts);
}

function grid(board) {
  const { grid: sides, numbers } = board.position;
  const [columns, rows] = [sides.at(-1), sides.at(-2) ?? 1];
  const wrapped = sides.length === 1 && columns > 12 ? 12 : columns;
  const lines = sides.length === 1 ? Math.ceil(columns / wrapped) : rows;
  const layers = sides.slice(0, -2).reduce((product, side) => product * side, 1);
  const cell = 40;
  const [layerWidth, height] = [wrapped * cell + 20, lines * cell + 12];
  const there = new Set(numbers);
  const parts = [];
  for (let index = 0; index < layers * rows * columns; index += 1) {
    const layer = Math.floor(index / (rows * columns));
    const inside = index % (rows * columns);
    const [x, y] = [6 + layer * layerWidth + (inside % wrapped) * cell, 6 + Math.floor(inside / wrapped) * cell];
    parts.push(svg("rect", { class: "cell", x, y, width: cell, height: cell }),
      member(board, index + 1, there.has(index + 1), `cell ${index + 1}`, svg("circle", { class: "coin", cx: x + cell / 2, cy: y + cell / 2, r: 14 }), text(x + cell / 2, y + cell / 2 + 4.5, index + 1, { class: "on-coin" })));
  }
  return frame(Math.max(layers * layerWidth - 8, 60), height, describe(board.position), ...parts);
}

/** Deterministic force-directed layouts of graphs, cached by number of vertices and edges. */
const layouts = new Map();
function springs(count, edges) {
  const key = `${count} ${edges.join(" ")}`;
  if (layouts.has(key)) return layouts.get(key);
  const at = Array.from({ length: count }, (_, index) => [Math.cos((2 * Math.PI * index) / count), Math.sin((2 * Math.PI * index) / count)]);
  const wanted = 1.6 / Math.sqrt(count);
  for (let round = 0; round < 300; round += 1) {
    const force = at.map(([x, y]) => [-0.02 * x, -0.02 * y]);
    const push = (a, b, strength) => {
      const [dx, dy] = [at[b][0] - at[a][0], at[b][1] - at[a][1]];
      const distance = Math.hypot(dx, dy) || 0.01;
      const size = strength(distance) / distance;
      force[a][0] += dx * size; force[a][1] += dy * size; force[b][0] -= dx * size; force[b][1] -= dy * size;
    };
    for (let a = 0; a < count; a += 1) for (let b = a + 1; b < count; b += 1) push(a, b, (distance) => -0.01 * (wanted / distance) ** 2);
    for (const [, a, b] of edges) push(a - 1, b - 1, (distance) => 0.1 * (distance - wanted));
    at.forEach((place, index) => { place[0] += force[index][0]; place[1] += force[index][1]; });
  }
  const [xs, ys] = [at.map(([x]) => x), at.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.max(Math.max(...xs) - left, Math.max(...ys) - top, 0.1);
  const side = Math.min(420, Math.max(140, count * 44));
  const places = at.map(([x, y]) => [28 + ((x - left) / scale) * side, 28 + ((y - top) / scale) * side]);
  layouts.set(key, places);
  return places;
}

let firstEdges = [];
function graph(board) {
  const { vertices: count, numbers, edges, removes_edges: removesEdges } = board.position;
  // The layout of the first position is used for the whole match.
  if (board.fresh) firstEdges = edges;
  const places = springs(count, firstEdges);
  const there = new Set(numbers);
  const lines = edges.map(([number, a, b]) => {
    const [[x1, y1], [x2, y2]] = [places[a - 1], places[b - 1]];
    const line = svg("path", { class: "edge", d: `M${x1} ${y1}L${x2} ${y2}` });
    return removesEdges ? member(board, number, true, `edge ${number}, ${a} to ${b}`, svg("path", { class: "edge-area", d: `M${x1} ${y1}L${x2} ${y2}` }), line) : line;
  });
  const dots = places.map(([x, y], index) => {
    const parts = [svg("circle", { class: "coin", cx: x, cy: y, r: 15 }), text(x, y + 4.5, index + 1, { class: "on-coin" })];
    return removesEdges ? svg("g", { class: "vertex" }, ...parts) : member(board, index + 1, there.has(index + 1), `vertex ${index + 1}`, ...parts);
  });
  return frame(Math.max(...places.map(([x]) => x)) + 28, Math.max(...places.map(([, y]) => y)) + 28, describe(board.position), ...lines, ...dots);
}

/** Returns the length of the longest path to a sink for each vertex that a token can reach. */
function layered(count, edges, tokens) {
  const heads = Array.from({ length: count + 1 }, () => []);
  for (const [, tail, head] of edges) heads[tail].push(head);
  const depth = new Map();
  const stack = [...new Set(tokens)];
  while (stack.length > 0) {
    const vertex = stack.at(-1);
    const open = heads[vertex].filter((head) => !depth.has(head));
    if (open.length > 0) { stack.push(...open); continue; }
    depth.set(vertex, heads[vertex].reduce((most, head) => Math.max(most, depth.get(head) + 1), 0));
    stack.pop();
  }
  return depth;
}

let reachable = [];
function walkers(board) {
  const { vertices: count, numbers, edges } = board.position;
  const { choice, locked, choose } = board;
  // All vertices that were reachable at the start of the match are drawn.
  if (board.fresh) reachable = board.start;
  const depth = layered(count, edges, reachable);
  const layers = [];
  for (const [vertex, layer] of [...depth].sort(([a], [b]) => a - b)) (layers[layer] ??= []).push(vertex);
  const most = Math.max(...layers.map((layer) => layer.length));
  const [dx, dy] = [Math.max(64, Math.min(96, 560 / layers.length)), 64];
  const places = new Map();
  layers.forEach((layer, index) => layer.forEach((vertex, at) => {
    const shift = (index % 2) * 12;
    places.set(vertex, [30 + (layers.length - 1 - index) * dx, 34 + shift + (at + (most - layer.length) / 2) * dy]);
  }));
  const targets = new Set(choice.token === undefined ? [] : edges.filter(([, tail]) => tail === numbers[choice.token]).map(([, , head]) => head));
  const marker = svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { class: "arrow", d: "M0 0L8 4L0 8z" })));
  // Parallel edges allow the same move, so only one of them is drawn.
  const pairs = new Map(edges.map(([, tail, head]) => [`${tail} ${head}`, [tail, head]]));
  const lines = [...pairs.values()].filter(([tail, head]) => depth.has(tail) && depth.has(head)).map(([tail, head]) => {
    const [[x1, y1], [x2, y2]] = [places.get(tail), places.get(head)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const bend = Math.abs(depth.get(tail) - depth.get(head)) > 1 ? length * 0.16 : 0;
    const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
    const live = choice.token !== undefined && tail === numbers[choice.token];
    return svg("path", { class: classes("edge", live && "live"), d: `M${x1 + ux * 18} ${y1 + uy * 18}Q${mx} ${my} ${x2 - ux * 19} ${y2 - uy * 19}`, "marker-end": "url(#arrow)" });
  });
  const dots = [...places].map(([vertex, [x, y]]) => {
    const inside = [svg("circle", { class: "place", cx: x, cy: y, r: 17 }), text(x, y + 4.5, vertex, { class: "on-place" })];
    if (!targets.has(vertex)) return svg("g", {}, ...inside);
    const chosen = choice.to === vertex;
    return svg("g", { class: classes("pick", "target", chosen && "chosen"), onpick: !locked && (() => choose({ to: vertex })), "aria-pressed": String(chosen), "data-key": `to${vertex}`, "aria-label": `to vertex ${vertex}` }, ...inside);
  });
  const tokens = numbers.map((vertex, index) => {
    const same = numbers.slice(0, index).filter((other) => other === vertex).length;
    const [x, y] = places.get(vertex) ?? [0, 0];
    const chosen = choice.token === index;
    const [tx, ty] = [x + 13 - same * 18, y - 17];
    const parts = [svg("circle", { class: "token", cx: tx, cy: ty, r: 9 }), text(tx, ty + 4, index + 1, { class: "on-token" })];
    const stuck = !edges.some(([, tail]) => tail === vertex);
    if (locked || stuck) return svg("g", { class: classes("held", stuck && "stuck") }, ...parts);
    return svg("g", { class: classes("pick", chosen && "chosen"), onpick: () => choose({ token: index }), "aria-pressed": String(chosen), "data-key": `token${index}`, "aria-label": `token ${index + 1} on vertex ${vertex}` }, ...parts);
  });
  return frame(layers.length * dx + 8, most * dy + 34, describe(board.position), marker, ...lines, ...dots, ...tokens);
}

function counter(board) {
  const { numbers: [number], limit } = board.position;
  const { choice, locked, choose, moves } = board;
  const adds = new Set(moves.map(({ numbers }) => numbers[0]));
  const goal = limit ?? number + Math.max(...adds, 1);
  const first = goal > 120 ? Math.max(1, number - 20) : 1;
  const last = goal > 120 ? Math.min(goal, number + 60) : goal;
  const [columns, cell] = [10, 36];
  const parts = [];
  for (let at = first; at <= last; at += 1) {
    const place = at - first;
    const [x, y] = [6 + (place % columns) * cell, 6 + Math.floor(place / columns) * cell];
    const added = at - number;
    const chosen = choice.number !== undefined && added > 0 && added <= choice.number;
    const content = [svg("rect", { class: classes("square", at <= number && "passed", at === number && "now", chosen && "chosen", at === goal && "goal"), x, y, width: cell - 4, height: cell - 4, rx: 5 }), text(x + cell / 2 - 2, y + cell / 2 + 3, at, { class: "on-square" })];
    parts.push(adds.has(added) && !locked ? svg("g", { class: "pick", onpick: () => choose({ number: added }), "aria-pressed": String(choice.number === added), "data-key": `add${added}`, "aria-label": `add ${added}, to ${at}` }, ...content) : svg("g", {}, ...content));
  }
  return frame(columns * cell + 8, Math.ceil((last - first + 1) / columns) * cell + 8, describe(board.position), ...parts);
}
