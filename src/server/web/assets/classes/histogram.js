// A small distribution of marks.

import { svg } from "../dom.js";
import { BINS, distribution } from "./book_model.js";

const [WIDTH, HEIGHT, GAP] = [60, 18, 1];

/** Draws the number of values in each tenth of `max`. */
export function histogram(values, max, name) {
  const bins = distribution(values, max);
  const most = Math.max(...bins, 1);
  const step = WIDTH / BINS;
  const bars = bins.map((count, index) => {
    const height = count === 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT));
    return svg("rect", { x: index * step, y: HEIGHT - height, width: step - GAP, height, class: count === 0 ? "none" : index === BINS - 1 ? "full" : null });
  });
  const words = bins.map((count, index) => (count > 0 ? `${index * 10} to ${(index + 1) * 10} %: ${count}` : "")).filter(Boolean).join(", ");
  return svg("svg", { class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}: ${words || "no marks"}` }, ...bars);
}
