// Games as a person plays them: by clicks and by keys, each kind of board to its end.

import { after, before, test } from "node:test";
import { becomes, checkAccessibility, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startServer()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Starts a match against the beginner from a position, or from a random one that is won. */
async function start(page, position) {
  await page.selectOption("#level", "beginner");
  if (position) await page.fill("#position", position);
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/games"));
  await page.click("[data-new] button");
  const { position: { text } } = await (await answered).json();
  return text;
}

const isOver = (page) => page.locator("[data-end]").isVisible();

/** Asks for a hint and plays it, until the match is over. */
async function followHints(page) {
  for (let round = 0; round < 100 && !(await isOver(page)); round += 1) {
    await page.click("[data-hint]");
    const make = page.locator("[data-hint-text] button");
    await make.waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith("/moves"));
    await make.click();
    await (await answered).finished();
    await page.locator("[data-hint-text]").waitFor({ state: "hidden" });
  }
}

for (const [problem, position] of [
  ["classic-nim", "3 4 5"], ["staircase-nim", "3 1 2"], ["candy-nim", "1 4 6"], ["grundys-game-heaps", "5 6"], ["split-nim", "2 3"],
  ["circular-nim", "##.#."], ["board-nim"], ["graph-nim"], ["dag-sg"], ["twenty-one"], ["building-nim"], ["wythoff", "4 5"],
]) {
  test(`${problem} is won by following the hints, and its board is accessible`, async () => {
    const page = await openPage(browser, `${server.url}games/${problem}`);
    await page.waitForSelector("[data-board] svg");
    await start(page, position);
    await checkAccessibility(page);
    await followHints(page);
    await matches(() => page.textContent("[data-end]"), /You have won.*you win with perfect play/s);
    await checkAccessibility(page);
    await page.end();
  });
}

test("a heap is taken from by a click, by keys, and by a typed move; undo takes back", async () => {
  const page = await openPage(browser, `${server.url}games/classic-nim`);
  await page.waitForSelector("[data-board] svg");
  await start(page, "1 2 5");
  const play = page.locator("[data-play]");
  const history = page.locator("[data-history] li.mine");
  // The second stone from the top of the third heap.
  await page.locator('[data-key="heap2"] .stone').nth(3).click();
  await becomes(() => play.textContent(), "Play: take 2 from heap 3");
  await play.click();
  await history.first().waitFor();
  await matches(() => history.first().textContent(), /take 2 from heap 3/);
  await page.click("[data-undo]");
  await page.locator("[data-no-history]").waitFor();

  await page.locator('[data-key="heap1"]').focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await becomes(() => play.textContent(), "Play: take 2 from heap 2");
  await page.keyboard.press("Enter");
  await history.first().waitFor();
  await matches(() => history.first().textContent(), /take 2 from heap 2/);
  await page.click("[data-undo]");
  await page.locator("[data-no-history]").waitFor();

  await page.fill("#typed-move", "take 5 from heap 3");
  await page.keyboard.press("Enter");
  await history.first().waitFor();
  await matches(() => history.first().textContent(), /take 5 from heap 3/);
  // The match is there after the page is opened again.
  await page.reload();
  await history.first().waitFor();
  await page.end();
});

test("the pages of the theory are accessible", async () => {
  for (const path of ["games", "games/wythoff/theory", "games/set-nim/theory?position=3+5", "games/octal?code=0.77", "games/octal?code=9"]) {
    const page = await openPage(browser, server.url + path);
    await checkAccessibility(page);
    await page.end();
  }
});
