// Searches for a failing input, as a person starts, follows, cancels and uses them.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { becomes, checkAccessibility, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

/** Time for a result: the first search waits for test data. */
const RESULT_MS = 60_000;

const SPEC = `name: Sum
limits: { time: 1s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: "2\\n1 2\\n", answer: "3\\n" }
`;
const RIGHT = "input()\nprint(sum(map(int, input().split())))\n";
const WRONG = "input()\na = list(map(int, input().split()))\nprint(sum(a) + (min(a) < -7))\n";
const PARITY = "input()\nprint('Yes' if sum(map(int, input().split())) % 2 else 'No')\n";

let folder;
let server;
let builtIn;
let browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nimatron-search-"));
  const files = {
    "problems/sum/problem.yaml": SPEC,
    "problems/sum/statement.md": "Print the sum of $n$ numbers.\n",
    "problems/bare/1.in": "1\n",
    "problems/bare/1.out": "1\n",
    "solutions/sum/accepted/reference.py": RIGHT,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const paths = [join(folder, "problems"), join(folder, "problems", "bare")];
  [server, builtIn, browser] = await Promise.all([startServer(paths), startServer(), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await Promise.all([server?.stop(), builtIn?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Opens a problem's page with a program in the editor. */
async function withProgram(url, source, options) {
  const page = await openPage(browser, url, options);
  await page.waitForSelector(".cm-content");
  await page.selectOption(".practise select", "python");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
  return page;
}

const text = (page, selector) => page.$eval(selector, (node) => node.textContent);

/** Waits until the search shown has this verdict or state. */
async function badge(page, name) {
  const shown = (wanted) => document.querySelector("#panel-search .run-head .verdict")?.dataset.verdict === wanted;
  try {
    await page.waitForFunction(shown, name, { timeout: RESULT_MS });
  } catch {
    assert.fail(`not ${name}: ${await text(page, "main").catch(() => "no page")}`);
  }
}

test("a bug is found and made small, and the input is kept as a test of the folder", async () => {
  const page = await withProgram(`${server.url}problems/sum`, WRONG);
  await page.click("#find-bug");
  await badge(page, "WA");
  await page.waitForSelector("#keep-test");
  await matches(() => text(page, "#panel-search .stress-facts"), /→ 5 B/);
  await matches(() => text(page, "#panel-search .diff"), /-8.*-7/s);
  await matches(() => text(page, "#panel-search"), /Minimal/);
  await checkAccessibility(page);
  // The result is there again after the page was opened again.
  await page.reload();
  await badge(page, "WA");
  await page.click("#keep-test");
  await page.waitForSelector(".toast:has-text('added to the group')");
  assert.match(await readFile(join(folder, "problems/sum/problem.yaml"), "utf8"), /found:\n {4}- input: "1\\n-8\\n"/);
  await page.click("text=Use as own input");
  await becomes(() => page.inputValue("#own-input"), "1\n-8\n");
  await page.end();
});

test("a search without a result is cancelled, and another may be started", async () => {
  const page = await withProgram(`${server.url}problems/sum`, RIGHT);
  await page.click("#find-bug");
  await page.waitForFunction(() => Number(document.querySelector(".stress-facts dd")?.textContent.replace(",", "")) > 20, null, { timeout: RESULT_MS });
  await becomes(() => page.isDisabled("#find-bug"), true);
  await checkAccessibility(page);
  await page.click("#cancel-stress");
  await badge(page, "cancelled");
  await becomes(() => page.isDisabled("#find-bug"), false);
  await page.end();
});

test("a game's counterexample is explained, kept as a test of one's own, run and removed", async () => {
  const page = await withProgram(`${builtIn.url}problems/classic-nim`, PARITY);
  await page.click("#find-bug");
  await badge(page, "WA");
  await page.waitForSelector(".reason .bits");
  await matches(() => text(page, ".reason"), /nim-sum.*A perfect game.*first player/s);
  await checkAccessibility(page);
  await page.click("#keep-test");
  await page.waitForSelector(".toast:has-text('my-1')");
  await page.click("#tab-tests");
  await page.click("#run-tests");
  await page.waitForSelector("#panel-result .run-head .verdict[data-verdict=WA]", { timeout: RESULT_MS });
  await page.waitForSelector("#panel-result .case-detail:has-text('my-1')");
  await page.click("#tab-tests");
  await page.click("#panel-tests summary");
  await checkAccessibility(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#panel-tests button:has-text('.in')")]);
  assert.equal(download.suggestedFilename(), "my-1.in");
  await page.click("#panel-tests button:has-text('Remove')");
  await page.waitForSelector("#panel-tests .empty");
  await page.end();
});

test("a problem without answers says so", async () => {
  const page = await withProgram(`${server.url}problems/bare`, RIGHT, { allow: /422/ });
  await page.click("#find-bug");
  await page.waitForSelector(".toast.bad:has-text('no program that computes the answers')");
  await page.end();
});

test("a search needs no horizontal scrolling on a telephone", async () => {
  const page = await withProgram(`${builtIn.url}problems/classic-nim`, PARITY, { width: 360, height: 700 });
  await page.click("#find-bug");
  await badge(page, "WA");
  await page.waitForSelector(".reason .bits");
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${content} > ${window}`);
  await page.end();
});
