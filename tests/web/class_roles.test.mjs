// A class with its roles in browsers: students who see only their own work, what each role reaches, assignments that begin and end
// while pages are open, hints that are off meanwhile, and a server that is killed under a class at work.

import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { PASSWORD, joinClass, openAs, setUpClass } from "./accounts.mjs";
import { becomes, checkAccessibility, fits, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

const VERDICT_MS = 60_000;
const HOUR = 3_600_000;
const ANN = "print('of Ann')\n";
const ZOE = "print('of Zoe')\n";

let server;
let browser;
let teacher;
let assistant;
let ann;
let zoe;

before(async () => {
  [server, browser] = await Promise.all([startServer(["--class"]), launchBrowser()]);
  teacher = await setUpClass(server);
  [assistant, ann, zoe] = [await joinClass(server, teacher, "assistant", "assi"), await joinClass(server, teacher, "student", "ann"), await joinClass(server, teacher, "student", "zoe")];
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (person, path, options) => openAs(browser, server, person, path, options);
const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
const go = (page, path) => page.goto(new URL(path, server.url).href);

async function write(page, source) {
  await page.waitForSelector(".cm-content");
  await page.selectOption("#language", "python");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
}

/** Waits until the run shown has a verdict. */
const judged = (page) => page.waitForFunction(() => /^[A-Z]+$/.test(document.querySelector(".run-head .verdict")?.dataset.verdict ?? ""), null, { timeout: VERDICT_MS });

const assignment = (problem, start, end) => ({ name: "Week 1", problems: [problem], start: Date.now() + start, end: Date.now() + end });
const submissions = (page) => page.$$eval("tbody th a", (links) => links.map((link) => link.getAttribute("href")));

test("two students at two browsers see only their own work", async () => {
  const pages = await Promise.all([open(ann, "problems/classic-nim"), open(zoe, "problems/classic-nim", { allow: /404/ })]);
  await write(pages[0], ANN);
  await write(pages[1], ZOE);
  await Promise.all(pages.map((page) => page.click("#submit")));
  await Promise.all(pages.map(judged));
  await Promise.all(pages.map((page) => go(page, "submissions")));
  const [[own], [other]] = [await submissions(pages[0]), await submissions(pages[1])];
  assert.equal((await submissions(pages[0])).length, 1);
  assert.equal((await submissions(pages[1])).length, 1);
  assert.notEqual(own, other);
  // Another person's submission does not exist, neither as a page nor in a list nor in the editor.
  assert.equal((await go(pages[1], own)).status(), 404);
  assert.doesNotMatch(await text(pages[1], "body"), /of Ann/);
  assert.equal((await go(pages[1], `submissions?person=${ann.id}`)).status(), 404);
  await go(pages[1], "problems/classic-nim");
  await pages[1].click("#tab-submissions");
  await pages[1].waitForSelector("#panel-submissions tbody tr");
  await becomes(() => pages[1].$$eval("#panel-submissions tbody tr", (rows) => rows.length), 1);
  await go(pages[0], own);
  await matches(() => text(pages[0], ".panel pre"), /of Ann/);
  await Promise.all(pages.map((page) => page.end()));
});

test("each role reaches its pages, and pages of others say why not", async () => {
  const links = (page) => page.$$eval(".site-header nav a", (all) => all.map((link) => link.textContent));
  for (const [person, sees, work] of [[ann, [], 403], [assistant, ["Classes", "People"], 200], [teacher, ["Classes", "People"], 200]]) {
    const page = await open(person, "", { allow: /403/ });
    assert.deepEqual((await links(page)).filter((name) => ["Classes", "People"].includes(name)), sees);
    for (const path of ["people", "classes", "submissions?person=all"]) assert.equal((await go(page, path)).status(), work, path);
    for (const path of ["assignments/new", "classes/new"]) {
      assert.equal((await go(page, path)).status(), person === teacher ? 200 : 403, path);
      await checkAccessibility(page);
    }
    if (person !== teacher) await matches(() => text(page, "h1"), /requires at least the role `teacher`/);
    await go(page, "people");
    assert.equal((await page.$$("form[data-send='POST /invitations']")).length, person === teacher ? 1 : 0);
    await page.end();
  }
});

test("the pages of a class fit all screens and are accessible", async () => {
  const page = await open(teacher, "me");
  const made = await teacher.api("POST", "assignments", assignment("moore-nim", -HOUR, HOUR));
  for (const path of ["me", "people", "assignments", "assignments/new", `assignments/${made.id}`, `assignments/${made.id}/edit`, "submissions?person=all"]) {
    await go(page, path);
    await checkAccessibility(page);
    await fits(page);
  }
  await page.end();
});

test("a problem appears when its assignment starts", async () => {
  const page = await open(ann, "", { allow: /404/ });
  const row = page.locator('a[href="/problems/wythoff"]');
  await becomes(() => row.count(), 1);
  const { id, phase, ...draft } = await teacher.api("POST", "assignments", assignment("wythoff", HOUR, 2 * HOUR));
  assert.equal(phase, "upcoming");
  await page.reload();
  await becomes(() => row.count(), 0);
  for (const path of ["problems/wythoff", "games/wythoff", "games/wythoff/theory"]) assert.equal((await go(page, path)).status(), 404, path);
  const staff = await open(teacher, "");
  await becomes(() => staff.locator('a[href="/problems/wythoff"]').count(), 1);
  await staff.end();
  await teacher.api("PUT", `assignments/${id}`, { ...draft, start: Date.now() - 1_000 });
  await go(page, "");
  await row.click();
  await page.waitForSelector(".cm-content");
  await page.end();
});

test("hints are off while an assignment with the game is open", async () => {
  const page = await open(ann, "games/classic-nim", { allow: /403/ });
  await page.waitForSelector("[data-board] svg");
  await page.click("[data-hint]");
  await page.waitForSelector("[data-hint-text]:not([hidden])");
  const { id, phase: _phase, ...draft } = await teacher.api("POST", "assignments", assignment("classic-nim", -HOUR, HOUR));
  // The page that was open asks, and is refused.
  await page.click("[data-hint]");
  await page.waitForSelector(".toast:has-text('disabled while the assignment')");
  await page.reload();
  await page.waitForSelector("[data-board] svg");
  await becomes(() => page.isVisible("[data-hint]"), false);
  await matches(() => text(page, ".notice"), /“Week 1” is open/);
  await checkAccessibility(page);
  assert.equal((await go(page, "games/classic-nim/theory")).status(), 403);
  await teacher.api("PUT", `assignments/${id}`, { ...draft, end: Date.now() - 1_000 });
  await go(page, "games/classic-nim");
  await page.waitForSelector("[data-board] svg");
  await becomes(() => page.isVisible("[data-hint]"), true);
  await page.end();
});

test("an assignment ends while its pages are open", async () => {
  const page = await open(zoe, "problems/split-nim", { allow: /403/ });
  const made = await teacher.api("POST", "assignments", assignment("split-nim", -HOUR, 12_000));
  const list = await open(zoe, `assignments/${made.id}`);
  await matches(() => text(list, ".page-title .chip"), /s left/);
  await write(page, ZOE);
  // The chip changes by itself.
  await list.waitForFunction(() => document.querySelector(".page-title .chip").textContent === "ended");
  await page.click("#submit");
  await page.waitForSelector(".toast:has-text('`Week 1` has ended')");
  // Samples still run, and the program is kept.
  await page.click("#run-samples");
  await judged(page);
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("of Zoe"));
  await list.end();
  await page.end();
});

test("a person logs out, is led to the login, and comes back to the page that they wanted", async () => {
  const page = await open(zoe, "me");
  await page.click('form[data-send="DELETE /session"] button');
  await page.waitForURL("**/login");
  await go(page, "problems/misere-nim?lang=en");
  assert.equal(new URL(page.url()).pathname, "/login");
  await page.fill("#login", "zoe");
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/problems/misere-nim?lang=en");
  await page.waitForSelector(".cm-content");
  await page.end();
});

test("a server that is killed loses nothing that it acknowledged, and the pages of a class go on", async () => {
  // The browser reports that the connection was lost.
  const page = await open(ann, "problems/equal-nim", { allow: /ERR_|Failed to load/ });
  await write(page, `import time\ntime.sleep(0.05)\n${ANN}`);
  await page.click("#submit");
  await page.waitForFunction(() => document.querySelector(".run-head .verdict")?.dataset.verdict === "running", null, { timeout: VERDICT_MS });
  const people = [ann, zoe];
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => people[at % 2].api("POST", "runs", { problem: "equal-nim", name: "a.py", source: `print(${at})\n` })));
  const port = Number(new URL(server.url).port);
  await server.kill("SIGKILL");
  server = await startServer(["--class"], { folder: server.folder, port });
  await judged(page);
  await matches(() => text(page, ".run-head .state"), /of \d+ cases/);
  const end = Date.now() + VERDICT_MS;
  for (const [at, { id }] of made.entries()) {
    for (;;) {
      const run = await people[at % 2].api("GET", `runs/${id}`);
      if (run.state === "finished") break;
      assert.ok(Date.now() < end, JSON.stringify(run));
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  await page.end();
});

test("a list of students is uploaded, and each gets a link", async () => {
  const page = await open(teacher, "people");
  await page.setInputFiles("#names-file", { name: "students.csv", mimeType: "text/csv", buffer: Buffer.from("Name;Mail\n\"Ada, L\";a@x\nBea;b@x\nCyd;c@x\n") });
  await page.waitForFunction(() => document.querySelector("#names").value.includes("Bea"));
  await page.click('form[data-send="POST /invitations"] button[type=submit]');
  await page.waitForSelector('form[data-send="POST /invitations"] [data-result] pre');
  const lines = (await text(page, 'form[data-send="POST /invitations"] [data-result] pre')).split("\n");
  assert.deepEqual(lines.map((line) => line.split("\t")[0]), ["Ada, L", "Bea", "Cyd"]);
  const guest = await openPage(browser, lines[2].split("\t")[1]);
  await guest.waitForFunction(() => document.querySelector("h1").textContent === "Join the class as Cyd");
  await guest.end();
  await page.end();
});
