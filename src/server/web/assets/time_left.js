// Shows the remaining time in elements with `data-until` (milliseconds since the Unix epoch).

const MINUTE = 60_000;

/** Formats a remaining time in milliseconds. */
export function timeLeft(ms) {
  if (ms <= 0) return "ended";
  if (ms < MINUTE) return `${Math.ceil(ms / 1_000)} s left`;
  const minutes = Math.floor(ms / MINUTE);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h left`;
  return hours > 0 ? `${hours} h ${minutes % 60} min left` : `${minutes} min left`;
}

/** Updates the elements periodically. */
export function showTimeLeft(nodes) {
  const draw = () => {
    for (const node of nodes) {
      const text = timeLeft(Number(node.dataset.until) - Date.now());
      if (node.textContent !== text) node.textContent = text;
    }
  };
  draw();
  setInterval(draw, 1_000);
}
