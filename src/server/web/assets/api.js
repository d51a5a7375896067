// Requests to `/api/v1`. Writes send the token of `<meta name="token" content="…">` in the header `X-Nimatron-Token`.

import { toast } from "./toast.js";

const ROOT = "/api/v1";

/** An error response: `status` (0 if there was no response), the message, and `help` if the server gives advice. */
export class ApiError extends Error {
  constructor(status, message, help) {
    super(message);
    this.status = status;
    this.help = help;
  }
}

/**
 * Sends a request and returns the body of the response: JSON as a value, other text as a string, `undefined` if empty.
 *
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {{body?: object, form?: FormData, text?: string, signal?: AbortSignal}} [options] `body` is sent as JSON, `form` and `text` as they are
 * @throws {ApiError}
 */
export async function request(method, path, { body, form, text: plain, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-Nimatron-Token"] = document.querySelector('meta[name="token"]')?.content ?? "";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(ROOT + path, { method, headers, signal, body: form ?? plain ?? (body && JSON.stringify(body)), credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer", "Is `nimatron serve` running? Nothing that you wrote is lost; try again.");
  }
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  const value = text === "" ? undefined : isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new ApiError(response.status, value?.error ?? `The server answered ${response.status}`, value?.help);
  return value;
}

/**
 * Like `request`, but shows errors as messages and then returns `null`.
 *
 * @param {{onRefused?: (error: ApiError) => void}} [options] and those of `request`
 */
export async function requestOrToast(method, path, { onRefused, ...options } = {}) {
  try {
    return (await request(method, path, options)) ?? {};
  } catch (error) {
    if (error.name === "AbortError") return null;
    toast(error.message, { kind: "bad", help: error.help });
    onRefused?.(error);
    return null;
  }
}
