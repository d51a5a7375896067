// People of a class over the API: accounts, and browsers that are logged in without filling in a form.

import assert from "node:assert/strict";
import { openPage } from "./harness.mjs";

export const PASSWORD = "correct horse";

/** Sends JSON and returns the response, which must be a success. */
async function send(url, method, path, { body, cookie, token } = {}) {
  const headers = { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }), ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(new URL(path, url), { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) assert.fail(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** A person with a session: their cookie, and a token with which tests send requests in their name. */
async function personAfter(url, response) {
  const cookie = response.headers.get("set-cookie").split(";")[0];
  const [name, value] = cookie.split("=");
  const { id } = await (await send(url, "GET", "/api/v1/me", { cookie })).json();
  const page = await (await fetch(url, { headers: { Cookie: cookie, Accept: "text/html" } })).text();
  const token = /name="token" content="([^"]*)"/.exec(page)[1];
  const made = await fetch(new URL("/api/v1/me/tokens", url), { method: "POST", headers: { Cookie: cookie, "X-Nimatron-Token": token, "Content-Type": "application/json" }, body: '{"name":"test"}' });
  const { token: personal } = await made.json();
  const api = async (method, path, body) => (await send(url, method, `/api/v1/${path}`, { body, token: personal })).json();
  return { id, cookie: { name, value, url }, token: personal, api };
}

/** Makes the first account, a teacher's. */
export async function setUpClass({ url, token }) {
  const body = { token, login: "tess", name: "Tess Teacher", password: PASSWORD };
  return personAfter(url, await send(url, "POST", "/api/v1/setup", { body }));
}

/** Invites a person, who joins. */
export async function joinClass({ url }, teacher, role, login) {
  const [{ path }] = await teacher.api("POST", "invitations", { role, names: login });
  const body = { code: path.split("#")[1], login, password: PASSWORD };
  return personAfter(url, await send(url, "POST", "/api/v1/join", { body }));
}

/** Opens a page as this person, in a browser context of its own. */
export async function openAs(browser, { url }, person, path, options = {}) {
  const page = await openPage(browser, "about:blank", options);
  await page.context().addCookies([person.cookie]);
  await page.goto(new URL(path, url).href);
  return page;
}
