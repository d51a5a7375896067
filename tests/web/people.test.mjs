// Journeys of a class: joining by a link, logging in and out, an assignment that ends while a student works on it, and a
// restart of the server.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { becomes, checkAccessibility, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

const VERDICT_MS = 60_000;
const PASSWORD = "correct horse";
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
  tiny: { every: { n: 1..=1, a: -1..=1 } }
`;
const READ = "input()\na = list(map(int, input().split()))\n";

let folder;
let server;
let browser;
let args;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nimatron-people-"));
  const files = {
    "problems/sum/problem.yaml": SPEC,
    "problems/sum/statement.md": "Print the sum.\n",
    "solutions/sum/accepted/reference.py": `${READ}print(sum(a))\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  args = [join(folder, "problems"), "--class"];
  [server, browser] = await Promise.all([startServer(args), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
const open = (path, options) => openPage(browser, new URL(path, server.url).href, options);

/** Sends the form of the page, and waits for the page after it. */
async function submit(page, selector, next) {
  await page.click(`${selector} button[type=submit]`);
  await page.waitForURL((url) => url.pathname === next);
}

async function logIn(login, { path = "/", ...options } = {}) {
  const page = await open(path, options);
  await page.fill("#login", login);
  await page.fill("#password", PASSWORD);
  await submit(page, "form[data-send]", new URL(path, server.url).pathname);
  return page;
}

/** The datetime-local value of a time that is some milliseconds from now. */
const localTime = (page, ms) => page.evaluate((time) => new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19), Date.now() + ms);

let studentLink;

test("a teacher sets the class up and makes links", async () => {
  const page = await openPage(browser, server.setupUrl);
  await checkAccessibility(page);
  await page.fill("#name", "Tess Teacher");
  await page.fill("#login", "tess");
  await page.fill("#password", PASSWORD);
  await submit(page, "form[data-send]", "/people");
  await matches(() => text(page, "tbody"), /Tess Teacher/);
  await page.selectOption("#role", "student");
  await page.setInputFiles("#names-file", { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("Name,Mail\nAnn <b>A</b>,a@x\n\"Zoë, Z\",z@x\n") });
  await page.waitForFunction(() => document.querySelector("#names").value.includes("Ann"));
  await page.click('form[data-send="POST /invitations"] button[type=submit]');
  await page.waitForSelector('form[data-send="POST /invitations"] [data-result] pre');
  const lines = (await text(page, 'form[data-send="POST /invitations"] [data-result] pre')).split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0], /^Ann <b>A<\/b>\thttp.*\/join#[0-9a-f]{32}$/);
  [, studentLink] = lines[0].split("\t");
  await checkAccessibility(page);
  await page.reload();
  await becomes(() => page.$$eval('form[data-send^="DELETE /invitations"]', (forms) => forms.length), 2);
  await page.end();
});

test("a student joins by a link, logs out and in, and a used link says so", async () => {
  const page = await openPage(browser, studentLink);
  await page.waitForFunction(() => document.querySelector("h1").textContent === "Join the class as Ann <b>A</b>");
  await checkAccessibility(page);
  await page.fill("#login", "ann");
  await page.fill("#password", PASSWORD);
  await submit(page, "form[data-send]", "/");
  await becomes(() => text(page, ".site-header .aside"), "Ann <b>A</b>");
  assert.equal(await page.$('nav a[href="/people"]'), null);
  await page.click(".site-header .aside a");
  await checkAccessibility(page);
  await submit(page, 'form[data-send="DELETE /session"]', "/login");
  await checkAccessibility(page);
  await page.fill("#login", "ann");
  await page.fill("#password", "wrong password");
  await page.click("form button[type=submit]");
  await page.waitForSelector("[data-error]:not([hidden])");
  await becomes(() => text(page, "[data-error]"), "The login or the password is wrong, or the account is disabled.");
  await page.fill("#password", PASSWORD);
  await submit(page, "form[data-send]", "/");
  await page.context().close();
  const used = await openPage(browser, studentLink, { allow: /404/ });
  await used.waitForSelector("[data-invalid]:not([hidden])");
  await matches(() => text(used, "[data-invalid]"), /has expired or was already used/);
  await used.end();
});

/** Submits a program on the page of the problem. */
async function hand(page, source) {
  await page.waitForSelector(".cm-content");
  await page.selectOption(".practise select", "python");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(READ + source);
  await page.keyboard.press("Control+Enter");
}

const verdict = (page, name) => page.waitForFunction((wanted) => document.querySelector(".run-head .verdict")?.dataset.verdict === wanted, name, { timeout: VERDICT_MS });

test("an assignment ends while a student works, and the teacher sees the work", async () => {
  const teacher = await logIn("tess", { path: "/assignments" });
  await teacher.click('a[href="/assignments/new"]');
  await teacher.waitForSelector("#choices");
  await teacher.fill("#name", "Week 1");
  await teacher.fill("#start", (await localTime(teacher, -3_600_000)).slice(0, 16));
  await teacher.fill("#end", (await localTime(teacher, 3_600_000)).slice(0, 16));
  await teacher.check('#choices input[value="sum"]');
  await checkAccessibility(teacher);
  await submit(teacher, 'form[data-send^="POST"]', "/assignments");
  await matches(() => text(teacher, "tbody"), /Week 1/);
  await teacher.click("tbody a");
  const path = new URL(teacher.url()).pathname;

  const ann = await logIn("ann", { path: "/assignments", allow: /403/ });
  // The end was cut to a whole minute, which may have begun since then.
  await ann.waitForFunction(() => /(58|59|60) min left/.test(document.querySelector("[data-until]").textContent));
  await checkAccessibility(ann);
  await ann.click("tbody a");
  assert.equal(new URL(ann.url()).pathname, path);
  await ann.click("tbody a");
  await hand(ann, "print(sum(a) + 7)\n");
  await verdict(ann, "WA");
  const lines = await ann.$$eval("table tbody tr", (rows) => rows.map((row) => row.textContent));
  assert.ok(lines.some((line) => /^sample\/001.*expected/.test(line)), lines.join("\n"));
  assert.ok(lines.some((line) => line.startsWith("tiny/001")) && !lines.some((line) => /^tiny.*expected/.test(line)), lines.join("\n"));

  // The teacher sees the work, and opens it.
  await teacher.reload();
  await teacher.waitForSelector('#standings .verdict[data-verdict="WA"]');
  await checkAccessibility(teacher);
  await teacher.click('#standings a[href^="/submissions/"]');
  await teacher.waitForSelector(".run-head .verdict");
  await matches(() => text(teacher, ".panel pre"), /sum\(a\) \+ 7/);

  // All submissions are listed with the people.
  await teacher.goto(new URL("/submissions?person=all", server.url).href);
  await matches(() => text(teacher, "tbody"), /Ann <b>A<\/b>/);
  await checkAccessibility(teacher);

  // It ends while the student has the page open.
  const status = await teacher.evaluate(async (address) => {
    const headers = { "Content-Type": "application/json", "X-Nimatron-Token": document.querySelector('meta[name="token"]').content };
    const { id: _id, phase: _phase, ...draft } = await (await fetch(address)).json();
    const body = JSON.stringify({ ...draft, end: Date.now() + 1_000 });
    return (await fetch(address, { method: "PUT", headers, body })).status;
  }, `/api/v1${path}`);
  assert.equal(status, 200);
  await new Promise((done) => setTimeout(done, 1_100));
  await hand(ann, "print(sum(a))\n");
  await ann.waitForSelector(".toast");
  await matches(() => text(ann, ".toast"), /the assignment `Week 1` has ended/);
  await ann.goto(new URL(path, server.url).href);
  await becomes(() => text(ann, ".page-title .chip"), "ended");
  await ann.waitForSelector('.verdict[data-verdict="WA"]');
  await checkAccessibility(ann);

  // The CSV has the same.
  const csv = await teacher.evaluate(async (address) => (await fetch(address)).text(), `/api/v1${path}/standings.csv`);
  assert.match(csv, /\nann,Ann <b>A<\/b>,0,WA,0,1,\n/);
  await ann.end();
  await teacher.end();
});

test("two browsers of a person work side by side, and a new password logs the other out", async () => {
  const [one, other] = [await logIn("ann", { path: "/submissions" }), await logIn("ann", { path: "/me" })];
  await becomes(() => one.$$eval("tbody tr", (rows) => rows.length), 1);
  await other.fill("#old", PASSWORD);
  await other.fill("#new", `${PASSWORD} 2`);
  await other.click('form[data-send="POST /me/password"] button');
  await other.waitForURL((url) => url.pathname === "/me");
  await other.waitForFunction(() => document.querySelector("#old")?.value === "");
  await one.reload();
  assert.equal(new URL(one.url()).pathname, "/login");
  await other.goto(new URL("/submissions", server.url).href);
  assert.equal(new URL(other.url()).pathname, "/submissions");
  await one.end();
  await other.end();
});

test("a session survives a restart of the server", async () => {
  const page = await logIn("tess", { path: "/people" });
  const port = Number(new URL(server.url).port);
  await server.kill("SIGKILL");
  server = await startServer(args, { folder: server.folder, port });
  assert.equal(server.setupUrl, undefined);
  await page.reload();
  await matches(() => text(page, "h1"), /People/);
  await page.end();
});

test("the pages of a class fit small and large screens", async () => {
  for (const width of [360, 1600]) {
    const page = await logIn("tess", { path: "/people", width });
    for (const path of ["people", "assignments", "assignments/new", "me"]) {
      await page.goto(new URL(path, server.url).href);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} at ${width}`);
    }
    await page.end();
  }
});
