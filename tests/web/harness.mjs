// What every test needs: a `nimatron serve` of its own, a browser, and pages that fail the test at any console message,
// page error or accessibility violation.
//
// NIMATRON_EXE names the binary. Chromium is looked for on the PATH. NIMATRON_WEB_SLOWDOWN, a factor, slows all pages
// down, which makes a test fail that does not wait for what it reads.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, constants, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";

// The headless shell has no windows, and takes about a third less time than the whole browser.
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const START_MS = 20_000;
const SETTLED_MS = 20_000;
/** How many times slower the pages are than they could be. */
const SLOWDOWN = Number(process.env.NIMATRON_WEB_SLOWDOWN ?? 1);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The path of the browser, or `undefined`. */
export async function findBrowser() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of BROWSERS) {
      const path = join(folder, name);
      if (await access(path, constants.X_OK).then(() => true, () => false)) return path;
    }
  }
  return undefined;
}

/** Starts Chromium. The caller closes it. */
export async function launchBrowser() {
  const executablePath = await findBrowser();
  assert.ok(executablePath, `none of ${BROWSERS.join(", ")} is on the PATH`);
  // Chromium refuses its own sandbox to root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

/**
 * Starts `nimatron serve` on a free port with empty folders.
 *
 * @param {string[]} [args] further arguments
 * @param {{folder?: string, port?: number}} [options] the folder of an earlier server, which is then kept; the port, if it must not be any free one
 * @returns {Promise<{url: string, token: string, setupUrl?: string, folder: string, process: import("node:child_process").ChildProcess, kill: (signal?: string) => Promise<void>, stop: () => Promise<void>}>}
 *   `kill` ends the process and keeps its folder; `stop` removes that too
 */
export async function startServer(args = [], { folder, port = 0 } = {}) {
  const exe = process.env.NIMATRON_EXE;
  assert.ok(exe, "NIMATRON_EXE must name the binary");
  const home = folder ?? (await mkdtemp(join(tmpdir(), "nimatron-web-")));
  const xdg = Object.fromEntries(["CACHE", "CONFIG", "DATA", "STATE"].map((kind) => [`XDG_${kind}_HOME`, join(home, kind.toLowerCase())]));
  // rustup finds its toolchains in the user's home.
  const rust = { RUSTUP_HOME: join(homedir(), ".rustup"), CARGO_HOME: join(homedir(), ".cargo") };
  const server = spawn(exe, ["serve", "--listen", `127.0.0.1:${port}`, "--data", join(home, "serve"), "--json", ...args], {
    cwd: home,
    env: { ...rust, ...process.env, HOME: home, ...xdg },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((done) => server.once("exit", done));
  let messages = "";
  server.stderr.setEncoding("utf8").on("data", (text) => { messages += text; });
  const kill = async (signal = "SIGTERM") => {
    if (server.exitCode === null && server.signalCode === null) server.kill(signal);
    await ended;
  };
  const stop = async () => {
    await kill();
    await rm(home, { recursive: true, force: true });
  };
  const ready = firstLine(server.stdout).then((line) => JSON.parse(line));
  const late = new Promise((_, fail) => setTimeout(fail, START_MS, new Error("not ready in time")).unref());
  const early = ended.then((code) => Promise.reject(new Error(`exit code ${code}`)));
  try {
    const { url, token, setup_url: setupUrl } = await Promise.race([ready, late, early]);
    // A full pipe would stop the server.
    server.stdout.resume();
    return { url, token, setupUrl, folder: home, process: server, kill, stop };
  } catch (error) {
    await stop();
    throw new Error(`nimatron serve did not start: ${error.message}\n${messages}`);
  } finally {
    early.catch(() => {});
  }
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("it printed nothing");
}

/** The size of the window that `openPage` opens. */
export const SIZE = { width: 1280, height: 900 };

/**
 * Opens a page, or an empty tab, in a browser context of its own. `page.expectQuiet()` fails if the page wrote to the console or threw;
 * `allow` is a pattern for messages that a test provokes.
 */
export async function openPage(browser, url, { width = SIZE.width, height = SIZE.height, dark = false, allow, ...context } = {}) {
  const own = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", ...context });
  const page = await own.newPage();
  if (SLOWDOWN > 1) await slowDown(own, page);
  const said = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error.stack ?? error}`));
  page.expectQuiet = () => assert.deepEqual(said.filter((text) => !allow?.test(text)), []);
  page.end = async () => {
    await own.close();
    page.expectQuiet();
  };
  if (url) await page.goto(url);
  return page;
}

/** Waits until `read` returns a value equal to `expected`. Scripts draw in the next frame, so a page changes after an input and not with it. */
export async function becomes(read, expected, message) {
  const found = await settled(read, (value) => isDeepStrictEqual(value, expected));
  assert.deepEqual(found, expected, message);
}

/** Waits until `read` returns a text that matches `pattern`. */
export async function matches(read, pattern) {
  assert.match(await settled(read, (value) => pattern.test(value)), pattern);
}

/** The first value of `read` that is accepted by `isExpected`, or the last one within `SETTLED_MS`. */
async function settled(read, isExpected) {
  for (const end = Date.now() + SETTLED_MS; ; await new Promise((done) => setTimeout(done, 20))) {
    const found = await read();
    if (isExpected(found) || Date.now() > end) return found;
  }
}

/** Makes the scripts of a page `SLOWDOWN` times slower, and delays each frame and each request. A test that reads the page too early fails. */
async function slowDown(context, page) {
  await page.addInitScript((delay) => {
    const request = globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (draw) => request(() => setTimeout(() => draw(performance.now()), delay));
  }, 20 * SLOWDOWN);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 20 * SLOWDOWN, downloadThroughput: -1, uploadThroughput: -1 });
}

/** The rules of axe whose result depends on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Fails if axe finds a violation in the page as it is, in its light or its dark theme. */
export async function checkAccessibility(page) {
  // The page's policy forbids inline scripts; an evaluated one is not bound by it.
  await page.evaluate(axe);
  for (const [colorScheme, runOnly] of [["light", undefined], ["dark", COLOUR_RULES]]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate((only) => globalThis.axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) }), runOnly);
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
    assert.deepEqual(found, [], `accessibility, ${colorScheme}`);
  }
}

/** Fails if the page as it is needs horizontal scrolling at one of these widths. */
export async function fits(page, widths = [360, 900, 2560]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(content <= width, `${page.url()}: ${content} px of content at ${width} px`);
  }
}
