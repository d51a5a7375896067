// Journeys through the pages of a real server: what a person does from opening a problem to reading a verdict.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { becomes, checkAccessibility, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

/** Time for a verdict: the first one waits for test data. */
const VERDICT_MS = 60_000;

const SPEC = `name: Sum
limits: { time: 1s, memory: 256MiB, output: 1MiB }
keywords: [arithmetic, easy]
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: "2\\n1 2\\n", answer: "3\\n" }
  tiny: { every: { n: 1..=2, a: -1..=1 } }
  random: { count: 5, with: { n: 3..=9 } }
`;
const READ = "input()\na = list(map(int, input().split()))\n";
const RIGHT = `${READ}print(sum(a))\n`;
const WRONG = `${READ}print(sum(map(abs, a)))\n`;
const ENDLESS = "while True:\n    pass\n";

let folder;
let server;
let browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nimatron-journeys-"));
  const files = {
    "problems/sum/problem.yaml": SPEC,
    "problems/sum/statement.md": "Print $\\sum_{i=1}^n a_i$ of $n$ numbers.\n",
    "problems/sum/statement.de.md": "Gib die Summe von $n$ Zahlen aus.\n",
    "problems/other/problem.yaml": SPEC.replace("name: Sum", "name: <b>Another</b> sum").replace("[arithmetic, easy]", "[hard]"),
    "problems/other/statement.md": "<script>document.title = 'taken'</script> [link](javascript:alert(1)) text\n",
    "solutions/sum/accepted/reference.py": RIGHT,
    "solutions/other/accepted/reference.py": RIGHT,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  [server, browser] = await Promise.all([startServer([join(folder, "problems")]), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (path, options) => openPage(browser, server.url + path, options);

/** Opens the problem's page with a program in the editor. */
async function withProgram(source, options) {
  const page = await open("problems/sum", options);
  await page.waitForSelector(".cm-content");
  await page.selectOption(".practise select", "python");
  await write(page, source);
  return page;
}

async function write(page, source) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
}

const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
const written = (page) => page.$$eval(".cm-line", (lines) => lines.map((line) => line.textContent).join("\n"));

/** Waits until the run shown has this verdict. */
async function verdict(page, name) {
  const shown = (wanted) => document.querySelector(".run-head .verdict")?.dataset.verdict === wanted;
  try {
    await page.waitForFunction(shown, name, { timeout: VERDICT_MS });
  } catch {
    assert.fail(`not ${name}: ${await text(page, "main").catch(() => "no page")}`);
  }
}

test("problems are searched, filtered and opened", async () => {
  const page = await open("");
  await becomes(() => page.$$eval("tbody tr", (rows) => rows.length), 2);
  await page.fill("#search", "arith");
  await page.waitForFunction(() => [...document.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility()).length === 1);
  await checkAccessibility(page);
  await page.goto(`${server.url}?tag=hard`);
  await becomes(() => page.$$eval("tbody th a", (links) => links.map((link) => link.textContent)), ["<b>Another</b> sum"]);
  await page.click("tbody th a");
  await becomes(() => text(page, "h1"), "<b>Another</b> sum");
  assert.notEqual(await page.title(), "taken");
  await becomes(() => page.$$eval(".statement a", (links) => links.some(({ href }) => href.startsWith("javascript:"))), false);
  await page.end();
});

test("the statement follows the language of the browser and shows formulas", async () => {
  const page = await open("problems/sum", { locale: "de-DE" });
  await matches(() => text(page, ".statement"), /Gib die Summe/);
  await page.click('a[hreflang="en"]');
  await page.waitForSelector(".statement math");
  await matches(() => text(page, ".statement"), /Print/);
  await page.waitForSelector(".cm-content");
  await checkAccessibility(page);
  await page.end();
});

test("a right program is accepted, and the problem is then solved", async () => {
  const page = await withProgram(RIGHT);
  await page.keyboard.press("Control+Enter");
  await verdict(page, "AC");
  await becomes(() => page.$$eval(".case[data-verdict=AC]", (cases) => cases.length), 18);
  await page.goto(server.url);
  await page.waitForSelector("tbody tr:has-text('solved')");
  await page.end();
});

test("a wrong answer shows the input and the first difference", async () => {
  const page = await withProgram(WRONG);
  await page.click("text=Submit");
  await verdict(page, "WA");
  await page.waitForSelector(".case-detail .diff");
  await matches(() => text(page, ".case-detail"), /-1/);
  await checkAccessibility(page);
  await page.end();
});

test("crashes, limits and errors of the compiler have their verdicts", async () => {
  const page = await withProgram(`${READ}print(a[99])\n`);
  await page.keyboard.press("Control+Enter");
  await verdict(page, "RTE");
  await page.waitForSelector(".case-detail:has-text('IndexError')");
  await write(page, ENDLESS);
  await page.keyboard.press("Control+Enter");
  await verdict(page, "TLE");
  await page.selectOption(".practise select", "c");
  await write(page, "int main(void) {\n    return y;\n}\n");
  await page.keyboard.press("Control+Enter");
  await verdict(page, "CE");
  await page.waitForSelector(".cm-lintRange-error, .cm-lint-marker-error");
  await matches(() => text(page, ".compile-error"), /error: .y. undeclared/);
  await page.end();
});

test("a run is cancelled", async () => {
  const page = await withProgram(ENDLESS);
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("button:has-text('Cancel'):visible");
  await page.click("button:has-text('Cancel')");
  await verdict(page, "cancelled");
  await page.end();
});

test("samples and an input of one's own are run", async () => {
  const page = await withProgram(RIGHT);
  await page.click("text=Run samples");
  await verdict(page, "AC");
  await becomes(() => page.$$eval(".case[data-verdict=AC]", (cases) => cases.length), 1);
  await page.click("text=Own input");
  await page.fill("[data-input], #own-input", "2\n40 2\n");
  await page.click("text=Run this input");
  await page.waitForSelector(".run .output:has-text('42')", { timeout: VERDICT_MS });
  await page.end();
});

test("what is typed is kept", async () => {
  const page = await withProgram("# kept");
  await page.waitForTimeout(600);
  await page.reload();
  await page.waitForSelector(".cm-content");
  await page.selectOption(".practise select", "python");
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("# kept"));
  await page.end();
});

test("submissions are listed, opened and read without JavaScript", async () => {
  const page = await open("submissions");
  await checkAccessibility(page);
  await page.click("tbody th a");
  await page.waitForSelector(".run-head .verdict");
  await checkAccessibility(page);
  await page.end();
  const plain = await open("submissions", { javaScriptEnabled: false });
  await plain.click("tbody th a");
  assert.ok((await text(plain, "pre")).length > 0);
  await plain.goto(`${server.url}problems/sum`);
  await matches(() => text(plain, ".statement"), /Print/);
  await plain.end();
});

test("two people at two browsers are judged at the same time", async () => {
  const pages = await Promise.all([withProgram(RIGHT), withProgram(WRONG)]);
  await Promise.all(pages.map((page) => page.keyboard.press("Control+Enter")));
  await Promise.all([verdict(pages[0], "AC"), verdict(pages[1], "WA")]);
  await Promise.all(pages.map((page) => page.end()));
});

test("a page needs no horizontal scrolling on a telephone", async () => {
  for (const path of ["", "problems/sum", "submissions", "nowhere"]) {
    const page = await open(path, { width: 360, height: 700, allow: /404/ });
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${path}: ${content} > ${window}`);
    await page.end();
  }
});

test("the page goes on by itself when the server is killed and restarted", async () => {
  const port = new URL(server.url).port;
  // The browser reports that the connection was lost.
  const page = await withProgram(`import time\ntime.sleep(0.05)\n${RIGHT}`, { allow: /ERR_|Failed to load/ });
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".run-head .verdict");
  await page.waitForFunction(() => location.pathname && document.querySelector(".run-head .verdict")?.dataset.verdict === "running");
  await server.kill("SIGKILL");
  server = await startServer([join(folder, "problems")], { folder: server.folder, port });
  await verdict(page, "AC");
  await page.end();
});
