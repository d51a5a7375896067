// Ways to use the pages besides the mouse and a screen of a usual size: keyboard alone, files that are dropped, a hidden tab, paper,
// reduced motion; and two submissions that are compared.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { zipOf } from "../../src/server/web/assets/classes/zip.js";
import { becomes, checkAccessibility, fits, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

/** Time for a verdict: the first one waits for test data. */
const VERDICT_MS = 60_000;

const SPEC = `name: Sum
limits: { time: 2s, memory: 256MiB, output: 1MiB }
input:
  - n: 1..=100
  - a[n]: -1000..=1000
answer:
  - total: -100000..=100000
tests:
  sample:
    - { input: "2\\n1 2\\n", answer: "3\\n" }
  tiny: { every: { n: 1..=1, a: -4..=4 } }
`;
const READ = "input()\na = list(map(int, input().split()))\n";
const RIGHT = `${READ}print(sum(a))\n`;
const WRONG = `${READ}print(sum(a) if sum(a) > -3 else 'lost')\n`;

let folder;
let server;
let browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nimatron-reach-"));
  const files = {
    "problems/sum/problem.yaml": SPEC,
    "problems/sum/statement.md": "Print the sum of $n$ numbers.\n",
    "problems/bare/1.in": "5\n",
    "problems/bare/1.out": "5\n",
    "solutions/sum/accepted/reference.py": RIGHT,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const paths = [join(folder, "problems"), join(folder, "problems", "bare")];
  [server, browser] = await Promise.all([startServer(paths), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (path, options) => openPage(browser, server.url + path, options);
const text = (page, selector) => page.$eval(selector, (node) => node.textContent);

async function write(page, source) {
  await page.waitForSelector(".cm-content");
  await page.selectOption("#language", "python");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
}

/** Waits until the run shown has this verdict. */
const verdict = (page, name) => page.waitForFunction((wanted) => document.querySelector(".run-head .verdict")?.dataset.verdict === wanted, name, { timeout: VERDICT_MS });

/** Presses a key until the focus is on an element that matches the selector. */
async function pressTo(page, key, selector) {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not reach ${selector}`);
}

/** Drops files on an element, with the paths from the folder that is dropped on. */
async function drop(page, selector, files) {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer();
    for (const { name, type, bytes } of all) made.items.add(new File([Uint8Array.from(bytes)], name, { type }));
    return made;
  }, files);
  await page.dispatchEvent(selector, "dragover", { dataTransfer: transfer });
  await page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

const bytesOf = (source) => [...new TextEncoder().encode(source)];

test("from the list to a verdict by keyboard alone, with the focus visible", async () => {
  const page = await open("");
  await page.keyboard.press("Tab");
  await becomes(() => page.evaluate(() => document.activeElement.className), "skip-link");
  await page.keyboard.press("Enter");
  await pressTo(page, "Tab", "#search");
  await page.keyboard.type("sum");
  await pressTo(page, "Tab", 'tbody a[href="/problems/sum"]');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".cm-content");
  await pressTo(page, "Tab", "#language");
  // A list of choices opens at the letters that are typed.
  await page.keyboard.type("Python");
  await page.waitForFunction(() => document.querySelector("#language").value === "python");
  await pressTo(page, "Tab", ".cm-content");
  await page.keyboard.insertText(WRONG);
  await page.keyboard.press("Control+Enter");
  await verdict(page, "WA");
  // Escape leaves the editor, in which Tab indents.
  await page.keyboard.press("Escape");
  await pressTo(page, "Tab", ".case");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".case-detail h3")?.textContent === "tiny/009");
  await pressTo(page, "Shift+Tab", "#submit");
  await page.end();
});

test("a dropped file is opened in the editor in its language", async () => {
  const page = await open("problems/sum");
  await page.waitForSelector(".cm-content");
  await page.selectOption("#language", "c");
  await drop(page, ".cm-content", [{ name: "mine.py", type: "text/x-python", bytes: bytesOf(RIGHT) }]);
  await page.waitForFunction(() => document.querySelector("#language").value === "python");
  await matches(() => text(page, ".cm-content"), /print\(sum\(a\)\)/);
  await page.click("#submit");
  await verdict(page, "AC");
  await page.end();
});

test("a class is dropped on the page, as a zip and as files", async () => {
  const page = await open("classes/new");
  // The script of the form has started when it shows this count. A file that is dropped earlier is not received.
  await page.waitForSelector("[data-count]:has-text('chosen')");
  const zip = await zipOf([{ path: "ann/sum.py", file: new Blob([RIGHT]) }]);
  await drop(page, "h1", [{ name: "week 5.zip", type: "application/zip", bytes: [...new Uint8Array(await zip.arrayBuffer())] }]);
  await page.waitForSelector("[data-chosen]:has-text('week 5.zip')");
  await becomes(() => page.inputValue("input[name=name]"), "week 5");
  await drop(page, ".drop", [{ name: "ann sum.py", type: "", bytes: bytesOf(RIGHT) }, { name: "bob sum.py", type: "", bytes: bytesOf(WRONG) }]);
  await page.waitForSelector("[data-chosen]:has-text('2 files')");
  await page.check("input[name=problem][value=sum]");
  await page.click("button[type=submit]");
  await page.waitForSelector(".roster tbody tr");
  await matches(() => text(page, ".class-part .lead"), /^2 programs of 2 students for 1 problem/);
  await page.end();
});

test("two submissions are compared", async () => {
  const page = await open("problems/sum");
  for (const [source, wanted] of [[WRONG, "WA"], [RIGHT, "AC"]]) {
    await write(page, source);
    await page.click("#submit");
    await verdict(page, wanted);
  }
  await page.click("#tab-submissions");
  const rows = page.locator("#panel-submissions tbody tr");
  await rows.nth(1).waitFor();
  await rows.nth(0).locator("input").check();
  await rows.nth(1).locator("input").check();
  await page.click("text=Compare two");
  await page.waitForSelector("dialog[open] .diff");
  const sides = await page.$$eval("dialog .diff tr.changed", (lines) => lines.map((line) => [...line.querySelectorAll("td:not(.line)")].map((cell) => cell.textContent)));
  assert.match(sides[0][0], /lost/);
  assert.doesNotMatch(sides[0][1], /lost/);
  await checkAccessibility(page);
  await fits(page);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.end();
});

test("a hidden tab closes its stream, and catches up when it is shown", async () => {
  const page = await open("problems/sum");
  await write(page, `import time\ntime.sleep(0.25)\n${RIGHT}`);
  const streams = new Map();
  const isStream = (request) => request.url().endsWith("/events");
  page.on("request", (request) => isStream(request) && streams.set(request, "open"));
  for (const name of ["requestfailed", "requestfinished"]) page.on(name, (request) => isStream(request) && streams.set(request, name));
  await page.click("#submit");
  await page.waitForSelector('.case[data-verdict="AC"]', { timeout: VERDICT_MS });
  const hide = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await hide(true);
  const deadline = Date.now() + VERDICT_MS;
  while ([...streams.values()].includes("open")) {
    assert.ok(Date.now() < deadline, "the stream stays open");
    await page.waitForTimeout(20);
  }
  const before = streams.size;
  // The run ends while nobody looks.
  const id = await page.evaluate(() => JSON.parse(sessionStorage.getItem("nimatron/run/sum")).id);
  for (;;) {
    const { state } = await (await fetch(`${server.url}api/v1/runs/${id}`)).json();
    if (state === "finished") break;
    assert.ok(Date.now() < deadline, state);
    await page.waitForTimeout(50);
  }
  assert.equal(streams.size, before);
  assert.ok(await page.$$eval(".case[data-verdict=AC]", (cases) => cases.length) < 10);
  await hide(false);
  await verdict(page, "AC");
  await page.waitForFunction(() => document.querySelectorAll(".case[data-verdict=AC]").length === 10);
  await page.end();
});

/** Whether an element that matches is printed. */
const printed = (page, selector) => page.$$eval(selector, (nodes) => nodes.some((node) => node.checkVisibility()));

test("a statement is printed without the work beside it", async () => {
  const page = await open("problems/sum");
  await page.waitForSelector(".cm-content");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await becomes(() => printed(page, ".site-header, .site-footer, .work-side, [data-copy], [data-use-input]"), false);
  await becomes(() => printed(page, "h1"), true);
  await becomes(() => printed(page, ".statement .sample pre, .statement pre"), true);
  const [text, paper] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]);
  assert.deepEqual([text, paper], ["rgb(28, 29, 31)", "rgb(255, 255, 255)"], "dark text on white, also in the dark theme");
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  await page.setViewportSize({ width: 700, height: 900 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 700), "wider than a sheet of paper");
  await page.end();
});

test("the report of a submission is printed whole", async () => {
  const page = await open("problems/sum");
  await write(page, `${WRONG}${"# a long line of a program that does not end at the edge of the paper\n".repeat(60)}`);
  await page.click("#submit");
  await verdict(page, "WA");
  const id = await page.evaluate(() => JSON.parse(sessionStorage.getItem("nimatron/run/sum")).id);
  await page.goto(`${server.url}submissions/${id}`);
  await verdict(page, "WA");
  await page.waitForSelector(".case-detail");
  await page.emulateMedia({ media: "print" });
  await becomes(() => printed(page, ".site-header, .site-footer, [data-copy]"), false);
  for (const part of ["h1", ".run-head .verdict", ".cases .case", ".case-detail", ".panel pre"]) await becomes(() => printed(page, part), true, part);
  const hidden = await page.$eval(".panel pre", (node) => node.scrollHeight - node.clientHeight);
  assert.ok(hidden <= 1, `${hidden} px of the program are cut`);
  assert.equal((await page.pdf()).subarray(0, 5).toString(), "%PDF-");
  await page.end();
});

test("nothing moves for people who want less motion", async () => {
  const page = await open("problems/sum", { reducedMotion: "reduce" });
  await write(page, `import time\ntime.sleep(0.1)\n${RIGHT}`);
  await page.click("#submit");
  await page.waitForSelector('.case[data-verdict="AC"]', { timeout: VERDICT_MS });
  const moving = () => page.evaluate(() => document.getAnimations().map((animation) => animation.animationName ?? animation.transitionProperty));
  await becomes(() => moving(), []);
  await verdict(page, "AC");
  await page.evaluate(() => document.querySelector("[data-copy]").click());
  await becomes(() => moving(), []);
  await page.end();
});

test("a search takes inputs and answers of one's own, and asks for them where the problem has none", async () => {
  const page = await open("problems/bare", { allow: /422/ });
  await write(page, "n = int(input())\nprint(n if n < 8 else 8)\n");
  await becomes(() => page.$eval(".search-options", (node) => node.open), false);
  await page.click("#find-bug");
  await page.waitForSelector(".toast.bad");
  await page.waitForFunction(() => document.activeElement.id === "search-inputs");
  await page.keyboard.type("n: 1..=50");
  await page.fill("#search-answers", "print(input())\n");
  await page.selectOption("#search-language", "python");
  await checkAccessibility(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.click("#find-bug");
  await page.waitForFunction(() => document.querySelector("#panel-search .run-head .verdict")?.dataset.verdict === "WA", null, { timeout: VERDICT_MS });
  await page.waitForSelector("#panel-search .case-detail");
  await matches(() => text(page, "#panel-search"), /9/);
  // The fields are kept.
  await page.reload();
  await page.click("#tab-search");
  await becomes(() => page.inputValue("#search-inputs"), "n: 1..=50");
  await becomes(() => page.inputValue("#search-answers"), "print(input())\n");
  await fits(page);
  await page.end();
});
