// A match against the machine: starts it, shows its state, and sends moves.
//
// DOM: `.game[data-game="PROBLEM"]` with the parts `[data-board]`, `[data-turn]`, `[data-play]`, … from
// `pages/game.rs`.

import { request, requestOrToast } from "./api.js";
import { element, fill } from "./dom.js";
import { bitsTable, codeWords } from "./reason.js";
import { describe, drawBoard } from "./game_board.js";

const MOST_SHOWN = 60;

/** @param {HTMLElement} root */
export async function startGame(root) {
  const problem = root.dataset.game;
  const key = `game:${problem}`;
  const part = (name) => root.querySelector(`[data-${name}]`);
  const [play, clear, undo, hint, form, typed] = ["play", "clear", "undo", "hint", "new", "typed"].map(part);
  let state;
  let choice = emptyChoice();
  let fresh = true;
  let busy = false;
  let reachable = [];

  const send = async (path, body) => {
    if (busy || !state) return null;
    busy = true;
    try {
      return await requestOrToast("POST", `/games/${state.id}/${path}`, { body });
    } finally {
      busy = false;
    }
  };

  async function startMatch() {
    const position = form.querySelector("#position")?.value.trim();
    const body = { problem, level: form.querySelector("#level").value, first: form.querySelector("#first").value, ...(position && { position }) };
    const answer = await requestOrToast("POST", "/games", { body });
    if (!answer) return;
    sessionStorage.setItem(key, answer.id);
    fresh = true;
    update(answer);
  }

  function update(next) {
    state = next;
    choice = emptyChoice();
    part("hint-text").hidden = true;
    // The layout of a drawing depends on the first position of the match, so that nothing moves later.
    if (fresh) reachable = (state.history[0]?.before.match(/\d+/g) ?? state.position.numbers).map(Number);
    draw();
    part("description").textContent = `${turnText()} ${describe(state.position)}`;
  }

  const isYours = () => !state.ended && state.players[state.turn].side === "you";
  const turnText = () => {
    if (state.ended) return state.result;
    const last = lastMachineMoves().map(({ player, text }) => `${state.players[player].name}: ${text}.`).join(" ");
    return `${last ? `${last} ` : ""}${isYours() ? "Your turn." : "Nimatron's turn."}`;
  };

  function lastMachineMoves() {
    const moves = [];
    for (const played of state.history.toReversed()) {
      if (state.players[played.player].side === "you") break;
      moves.unshift(played);
    }
    return moves;
  }

  /** Returns the number of objects that the last moves of the machine took from each heap. */
  function ghosts() {
    const found = new Map();
    if (!["heaps", "row"].includes(state.position.kind) || state.position.splits) return found;
    for (const { numbers } of lastMachineMoves()) {
      for (let at = 0; at + 1 < numbers.length; at += 2) found.set(numbers[at] - 1, (found.get(numbers[at] - 1) ?? 0) + numbers[at + 1]);
    }
    return found;
  }

  function draw() {
    const holder = part("board");
    const active = document.activeElement?.closest?.("[data-board] [data-key]");
    const focused = active?.getAttribute("data-key");
    // The browser shows the focus ring of a new element even if the replaced element was focused by a click.
    if (active) holder.toggleAttribute("data-clicked", !active.matches(":focus-visible"));
    const board = drawBoard({ position: state.position, moves: state.moves, choice, ghosts: ghosts(), locked: !isYours(), candies: "candies" in root.dataset, fresh, start: reachable, choose });
    fresh = false;
    fill(holder, board);
    if (focused) holder.querySelector(`[data-key="${focused}"]`)?.focus();
    part("turn").textContent = turnText();
    fill(part("taken"), ...state.players.filter(({ taken }) => taken !== null).map(({ name, taken }) => element("span.chip", {}, `${name}: ${taken} taken`)));
    drawButtons();
    drawMoves();
    drawHistory();
    drawEnd();
  }

  function drawButtons() {
    const chosen = chosenMove(state, choice);
    play.disabled = !isYours() || !chosen;
    play.textContent = state.ended ? "The match is over" : chosen ? `Play: ${chosen.text}` : isEmpty(choice) ? "Choose a move" : state.moves.some((move) => fits(state, choice, move.numbers)) ? "Choose more" : "Not a legal move";
    clear.disabled = isEmpty(choice);
    hint.disabled = !isYours();
    undo.disabled = !state.history.some(({ player }) => state.players[player].side === "you");
    part("syntax").textContent = `Type ${state.syntax}.`.replaceAll("`", "");
    document.querySelector("[data-rules]").textContent = state.rules;
    typed.hidden = state.ended;
  }

  function drawMoves() {
    const fitting = isYours() ? state.moves.filter((move) => fits(state, choice, move.numbers)) : [];
    const shown = fitting.slice(0, MOST_SHOWN);
    part("moves-part").hidden = state.ended;
    part("moves-count").textContent = ` (${fitting.length}${state.complete ? "" : " or more"})`;
    fill(part("moves"), ...shown.map((move) => element("button.button.small", { type: "button", onclick: () => makeMove(move.numbers) }, move.text)), fitting.length > shown.length && element("span.muted", {}, "and more; choose on the board to see fewer"));
    // Some splits can be chosen only in the list.
    if (state.position.splits) part("moves-part").open = choice.cut !== undefined || fitting.length <= MOST_SHOWN;
  }

  function drawHistory() {
    fill(part("history"), ...state.history.map(({ player, text }) => element(state.players[player].side === "you" ? "li.mine" : "li", {}, element("span.muted", {}, `${state.players[player].name} `), text)));
    part("no-history").hidden = state.history.length > 0;
    part("history").scrollTop = part("history").scrollHeight;
  }

  function drawEnd() {
    const end = part("end");
    end.hidden = !state.ended;
    end.className = `game-end notice ${state.winner === "you" ? "good" : "bad"}`;
    if (!state.ended) return;
    const again = element("button.button.small", { type: "button", onclick: startMatch }, "New match");
    fill(end, element("strong", {}, state.winner === "you" ? "You have won" : "Nimatron has won"), element("p", {}, state.result), ...state.review.map((line) => element("p", {}, ...codeWords(line))), again);
  }

  function choose(change) {
    choice = changed(state, choice, change);
    draw();
  }

  async function makeMove(move) {
    const next = await send("moves", { move });
    if (next) update(next);
  }

  async function showHint() {
    const found = await send("hint");
    if (!found) return;
    const table = found.table && bitsTable(found.table.lines, found.table.what);
    const make = found.numbers && element("button.button.small", { type: "button", onclick: () => makeMove(found.numbers) }, `Play: ${found.text}`);
    const panel = part("hint-text");
    panel.hidden = false;
    fill(panel, element("h2", {}, "Hint"), table, ...found.sentences.map((sentence) => element("p", {}, ...codeWords(sentence))), make);
    part("description").textContent = found.sentences.join(" ");
  }

  play.addEventListener("click", () => { const move = chosenMove(state, choice); if (move) makeMove(move.numbers); });
  clear.addEventListener("click", () => choose(null));
  hint.addEventListener("click", showHint);
  undo.addEventListener("click", async () => { const next = await send("undo"); if (next) update(next); });
  form.addEventListener("submit", (event) => { event.preventDefault(); startMatch(); });
  typed.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = typed.querySelector("input");
    if (field.value.trim() === "") return;
    await makeMove(field.value);
    field.value = "";
  });
  part("board").addEventListener("keydown", (event) => {
    part("board").removeAttribute("data-clicked");
    if (event.key !== "Enter" || event.defaultPrevented) return;
    const move = chosenMove(state, choice);
    if (move) makeMove(move.numbers);
  });

  const earlier = sessionStorage.getItem(key);
  const kept = earlier && (await request("GET", `/games/${earlier}`).catch(() => null));
  if (kept) update(kept);
  else await startMatch();
}

const emptyChoice = () => ({ amounts: new Map(), set: new Set() });
const isEmpty = ({ amounts, set, ...others }) => amounts.size === 0 && set.size === 0 && Object.keys(others).length === 0;

/** Returns the choice after a change; `null` clears the choice. */
function changed(state, choice, change) {
  if (change === null) return emptyChoice();
  if ("heap" in change) {
    // If a move changes only one heap, choosing another heap replaces the choice.
    const several = !state.complete || state.moves.some(({ numbers }) => numbers.length > 2);
    const amounts = several ? new Map(choice.amounts) : new Map();
    if (change.amount === 0) amounts.delete(change.heap);
    else amounts.set(change.heap, change.amount);
    return { ...choice, amounts };
  }
  if ("toggle" in change) {
    const set = new Set(choice.set);
    if (!set.delete(change.toggle)) set.add(change.toggle);
    return { ...choice, set };
  }
  if ("token" in change) return { ...emptyChoice(), token: change.token };
  return { ...choice, ...change };
}

/** Returns whether a move is compatible with the choice. */
function fits({ position }, choice, numbers) {
  if (choice.cut) return numbers[0] === choice.cut[0] + 1;
  if (choice.token !== undefined) return numbers[0] === choice.token + 1 && (choice.to === undefined || numbers[1] === choice.to);
  if (choice.number !== undefined) return numbers[0] === choice.number;
  if (choice.stack !== undefined) return numbers[0] === choice.stack + 1;
  if (["cells", "graph"].includes(position.kind)) return [...choice.set].every((number) => numbers.includes(number));
  const pairs = new Map();
  for (let at = 0; at + 1 < numbers.length; at += 2) pairs.set(numbers[at] - 1, numbers[at + 1]);
  return [...choice.amounts.keys()].every((heap) => pairs.has(heap));
}

/** Returns the move that equals the choice, if there is one. */
function chosenMove(state, choice) {
  if (isEmpty(choice)) return undefined;
  const { kind, numbers: sizes } = state.position;
  const equal = (numbers, wanted) => numbers.length === wanted.length && numbers.every((number, index) => number === wanted[index]);
  if (choice.cut) {
    const [heap, part] = choice.cut;
    const parts = [part, sizes[heap] - part].toSorted((a, b) => a - b);
    return state.moves.find(({ numbers }) => numbers[0] === heap + 1 && equal(numbers.slice(1).toSorted((a, b) => a - b), parts));
  }
  if (choice.token !== undefined && choice.to === undefined) return undefined;
  if (choice.token !== undefined || choice.number !== undefined || choice.stack !== undefined) return state.moves.find(({ numbers }) => fits(state, choice, numbers));
  if (["cells", "graph"].includes(kind)) return state.moves.find(({ numbers }) => numbers.length === choice.set.size && fits(state, choice, numbers));
  const wanted = [...choice.amounts].toSorted(([a], [b]) => a - b).flatMap(([heap, amount]) => [heap + 1, amount]);
  const found = state.moves.find(({ numbers }) => equal(numbers, wanted));
  // The list of moves may be incomplete. The server then checks whether the move is legal.
  return found ?? (state.complete ? undefined : { numbers: wanted, text: wanted.join(" ") });
}
