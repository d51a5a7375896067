// Every page of a server with the built-in problems: no message on the console, no horizontal scrolling from 360 to
// 2,560 px, and no accessibility violation in the light and the dark theme. Of the pages that are alike, one in
// `ACCESSIBILITY_STEP` is checked for accessibility, because axe takes most of the time; all of them are if
// NIMATRON_PAGES is `all`, which `.ci/long` sets.

import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { becomes, checkAccessibility, fits, launchBrowser, matches, openPage, SIZE, startServer } from "./harness.mjs";

/** Number of pages that are open at once. */
const AT_ONCE = 2;
/** Of so many pages that are alike, one is checked for accessibility. */
const ACCESSIBILITY_STEP = process.env.NIMATRON_PAGES === "all" ? 1 : 5;

let server;
let browser;
let problems;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  problems = (await (await fetch(`${server.url}api/v1/problems`)).json()).map(({ id }) => id);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Opens each of the paths, calls `ready`, and checks the page; one in `step` also for accessibility. */
async function checkAll(paths, ready, step = 1) {
  const waiting = [...paths.entries()];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    // One tab for all paths loads and compiles the scripts once.
    const page = await openPage(browser);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, path] = next;
      try {
        await page.setViewportSize(SIZE);
        await page.goto(server.url + path);
        await ready?.(page);
        if (index % step === 0) await checkAccessibility(page);
        await fits(page);
        page.expectQuiet();
      } catch (error) {
        error.message = `${path}: ${error.message}`;
        throw error;
      }
    }
    await page.end();
  }));
}

test("the page of every problem", async () => {
  assert.equal(problems.length, 32);
  await checkAll(problems.map((id) => `problems/${id}`), (page) => page.waitForSelector(".cm-content"), ACCESSIBILITY_STEP);
});

test("the theory of every game", async () => {
  const page = await openPage(browser, `${server.url}games`);
  const links = await page.$$eval("a[href$='/theory']", (all) => all.map((link) => link.getAttribute("href").slice(1)));
  await page.end();
  assert.ok(links.length >= 30, String(links.length));
  await checkAll(links, (page) => page.waitForSelector("h2"), ACCESSIBILITY_STEP);
});

test("the pages that belong to no problem", async () => {
  await checkAll(["", "?q=nothing", "?tag=nim", "games", "games/octal", "submissions", "classes", "classes/new", "games/wythoff/theory?position=3+7", "games/classic-nim/theory?position=x"], (page) => page.waitForSelector("h1"));
});

test("the boards of the games", async () => {
  const kinds = ["classic-nim", "staircase-nim", "circular-nim", "board-nim", "graph-nim", "dag-sg", "twenty-one", "building-nim"];
  await checkAll(kinds.map((id) => `games/${id}`), (page) => page.waitForSelector("[data-board] svg"));
});

test("small games are drawn as positions whose shapes tell who wins", async () => {
  const page = await openPage(browser, `${server.url}games/classic-nim/theory?position=2+3`);
  const [title, desc] = await page.$eval(".positions", (svg) => ["title", "desc"].map((name) => svg.querySelector(name).textContent));
  assert.match(title, /^Positions of Classic Nim/);
  assert.match(desc, /^The 9 positions reachable from \(2 3\).*P-positions.*: \(\), \(1 1\), \(2 2\)\.$/);
  const radii = (outcome) => page.$$eval(`.positions .${outcome} rect`, (boxes) => [...new Set(boxes.map((box) => box.getAttribute("rx")))]);
  const [lost, won] = [await radii("lost"), await radii("won")];
  assert.ok(lost.length === 1 && won.length === 1 && lost[0] !== won[0], `${lost} ${won}`);
  await becomes(() => page.getByRole("img", { name: "Positions of Classic Nim", exact: true }).count(), 1);
  await page.goto(`${server.url}games/classic-nim/theory?position=30+40+50`);
  await matches(() => page.textContent(".positions-figure figcaption"), /a smaller example because more than \d+ positions/);
  await page.end();
});
