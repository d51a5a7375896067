// Builds DOM nodes. Text is always set as text, so untrusted names and outputs can't become markup.

/**
 * Creates an element: `element("button.small", { type: "button", onclick, data: { run: id } }, "Cancel")`.
 *
 * @param {string} name tag, with classes after dots
 * @param {object} [properties] `on…` are listeners, `data` is the dataset, others are attributes; `false`, `null` and
 *   `undefined` omit an attribute, `true` sets it to the empty string
 * @param {...(Node | string | number | null | undefined | false)} children
 */
export function element(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length > 0) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter(shown));
  return node;
}

/** Creates an SVG element: `svg("rect", { x: 1, class: "bar" })`. */
export function svg(name, properties = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(properties)) if (shown(value)) node.setAttribute(key, value);
  node.append(...children.filter(shown));
  return node;
}

/** Replaces the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...children.filter(shown));
  return node;
}

/** Creates a badge for a verdict or a state. */
export function verdictBadge(verdict, text = verdict, size = "") {
  return element(size ? `span.verdict.${size}` : "span.verdict", { data: { verdict } }, text);
}

/** Returns a function that runs `draw` at most once per frame. In a hidden tab, which has no frames, it uses a timer. */
export function onceAFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    const run = () => { waiting = false; draw(); };
    if (document.hidden) setTimeout(run, 50);
    else requestAnimationFrame(run);
  };
}

const shown = (child) => child !== null && child !== undefined && child !== false;
