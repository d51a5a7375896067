// Follows the events of a run, a search or a class: server-sent events such as `GET /api/v1/runs/{id}/events`.
//
// `EventSource` can't start at a given event, so this reads the stream itself. It resumes after the last number that it
// received (`Last-Event-ID`), retries with exponential backoff while the server is unavailable, and closes the
// connection while the tab is hidden, since browsers limit the connections to a server, over all tabs, to six.

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Calls `onEvent` for each event, once and in order, until `run_finished` or `stress_finished`. The events of a class do
 * not end.
 *
 * @param {string} url
 * @param {object} handlers
 * @param {(event: object) => void} handlers.onEvent
 * @param {(connected: boolean) => void} [handlers.onConnection] called when the connection is opened or lost
 * @param {(status: number, message: string) => void} [handlers.onRefused] called when the server rejects the request;
 *   no event follows
 * @returns {{close: () => void}}
 */
export function followEvents(url, { onEvent, onConnection, onRefused }) {
  let lastId;
  let pause = FIRST_PAUSE_MS;
  let timer;
  let connection;
  let ended = false;

  const close = () => {
    ended = true;
    clearTimeout(timer);
    connection?.abort();
    document.removeEventListener("visibilitychange", visibilityChanged);
  };
  const visibilityChanged = () => {
    clearTimeout(timer);
    if (document.hidden) {
      connection?.abort();
      connection = undefined;
    } else if (!connection) {
      pause = FIRST_PAUSE_MS;
      connect();
    }
  };
  const receive = ({ id, data }) => {
    if (ended) return;
    if (id !== undefined) lastId = id;
    pause = FIRST_PAUSE_MS;
    const event = JSON.parse(data);
    onEvent(event);
    if (event.event === "run_finished" || event.event === "stress_finished") close();
  };
  const connect = async () => {
    const own = (connection = new AbortController());
    const headers = { Accept: "text/event-stream", ...(lastId !== undefined && { "Last-Event-ID": lastId }) };
    try {
      const response = await fetch(url, { headers, signal: own.signal, cache: "no-store", credentials: "same-origin" });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        const { error } = await response.json().catch(() => ({}));
        close();
        return onRefused?.(response.status, error ?? `The server answered ${response.status}`);
      }
      if (response.ok) {
        onConnection?.(true);
        await readMessages(response.body, receive);
      }
    } catch (error) {
      if (own.signal.aborted) return;
      if (error instanceof SyntaxError) console.error(error);
    }
    if (ended || connection !== own) return;
    connection = undefined;
    onConnection?.(false);
    // Random jitter spreads the reconnections of many pages after a restart of the server.
    timer = setTimeout(connect, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  document.addEventListener("visibilitychange", visibilityChanged);
  if (!document.hidden) connect();
  return { close };
}

/** Reads a stream of server-sent events and calls `receive` with `{id, data}` for each message. */
async function readMessages(body, receive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const split = messageSplitter(receive);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    split(value);
  }
}

/** Returns a function that accepts the text of the stream in pieces and calls `receive` for each complete message. */
export function messageSplitter(receive) {
  let rest = "";
  let id;
  let data = [];
  return (piece) => {
    // A carriage return at the end may be the first half of a line break.
    const text = rest + piece;
    const held = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = text.slice(0, held).split(/\r\n|\n|\r/);
    rest = lines.pop() + text.slice(held);
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) receive({ id, data: data.join("\n") });
        id = undefined;
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "id") id = value;
      else if (field === "data") data.push(value);
    }
  };
}
