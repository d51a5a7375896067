// Journeys of a teacher: from a zip to marks, through every part of a class, with a real server.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { zipOf } from "../../src/server/web/assets/classes/zip.js";
import { becomes, checkAccessibility, launchBrowser, matches, openPage, startServer } from "./harness.mjs";

/** Time in which a small class is judged: the first verdict waits for test data. */
const JUDGED_MS = 120_000;

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
  tiny: { every: { n: 1..=2, a: -1..=1 } }
  random: { count: 5, with: { n: 3..=9 } }
`;
const READ = "input()\na = list(map(int, input().split()))\n";
const RIGHT = `${READ}print(sum(a))\n`;
const WRONG = `${READ}print(sum(map(abs, a)))\n`;
const OTHER_WRONG = `${READ}print(max(a) if sum(a) < 0 else sum(a))\n`;
const BROKEN = "print(\n";
/** A long program, and one that differs from it in names only here and there. */
const LONG = `import sys


def read():
    words = sys.stdin.read().split()
    count = int(words[0])
    return [int(word) for word in words[1 : count + 1]]


def total(values):
    result = 0
    for index in range(len(values)):
        value = values[index]
        if value > 0:
            result = result + value
        elif value < 0:
            result = result - abs(value)
    return result


def main():
    values = read()
    answer = total(values)
    print(answer)


main()
`;
const COPIED = LONG.replaceAll("result", "sofar").replaceAll("values", "numbers").replace("    print(answer)\n", "    if answer == 0:\n        print(0)\n    else:\n        print(answer)\n");

let folder;
let server;
let browser;
/** The class of the first test, which the others look at. */
let id;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nimatron-classes-"));
  await write(folder, {
    "problems/sum/problem.yaml": SPEC,
    "problems/twice/problem.yaml": SPEC.replace("name: Sum", "name: <b>Sum</b> again"),
    "solutions/sum/accepted/reference.py": RIGHT,
    "solutions/twice/accepted/reference.py": RIGHT,
  });
  [server, browser] = await Promise.all([startServer([join(folder, "problems")]), launchBrowser()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function write(into, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(into, name)), { recursive: true });
    await writeFile(join(into, name), text);
  }
}

const open = (path, options) => openPage(browser, server.url + path, options);
const text = (page, selector) => page.$eval(selector, (node) => node.textContent);
const texts = (page, selector) => page.$$eval(selector, (nodes) => nodes.map((node) => node.textContent));

async function zip(files) {
  const all = Object.entries(files).map(([path, content]) => ({ path, file: new Blob([content]) }));
  return { name: "week 3.zip", mimeType: "application/zip", buffer: Buffer.from(await (await zipOf(all)).arrayBuffer()) };
}

/** Starts a class over HTTP, and waits until it is judged. */
async function judgedClass(files, problems = "sum,twice") {
  const form = new FormData();
  const { buffer } = await zip(files);
  form.append("problems", problems);
  form.append("submissions", new Blob([buffer]), "class.zip");
  const made = await ask("classes", { method: "POST", body: form });
  await judged(made.id);
  return made.id;
}

async function ask(path, options = {}) {
  const response = await fetch(`${server.url}api/v1/${path}`, { ...options, headers: { Authorization: `Bearer ${server.token}`, ...options.headers } });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

async function judged(wanted) {
  const end = Date.now() + JUDGED_MS;
  for (;;) {
    const about = await ask(`classes/${wanted}`);
    if (about.state === "finished") return;
    assert.ok(about.state !== "failed" && Date.now() < end, JSON.stringify(about));
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** The cell of a student and the number of a problem. */
const cell = (student, column) => `tbody tr:has(th[title="${student}"]) td.mark >> nth=${column}`;
const mark = (page, student, column) => page.locator(cell(student, column)).textContent();
const waitForMark = (page, student, column, wanted) => page.waitForFunction(([name, place, value]) => {
  const row = [...document.querySelectorAll("tbody tr")].find((one) => one.querySelector("th")?.title === name);
  return row?.querySelectorAll("td.mark")[place]?.textContent === value;
}, [student, column, wanted], { timeout: JUDGED_MS });

test("a zip is uploaded, a file is corrected by keyboard, and the class is judged before one's eyes", async () => {
  const page = await open("classes");
  await page.waitForSelector("text=No classes yet");
  await checkAccessibility(page);
  await page.click("text=Grade a class >> nth=0");
  await page.waitForSelector("button[type=submit]:disabled");
  await page.setInputFiles("input[data-zip]", await zip({
    "ann/sum.py": RIGHT, "ann/twice.py": WRONG,
    "bob/sum.py": WRONG, "bob/twice.py": BROKEN,
    "cy/sum.py": LONG, "dan/sum.py": COPIED, "dan/notes.txt": "not a program",
    "eve/program.py": OTHER_WRONG,
  }));
  await page.waitForSelector("[data-chosen]:has-text('week 3.zip')");
  await page.click("[data-all]");
  await becomes(() => text(page, "[data-count]"), "2 of 2 chosen");
  await becomes(() => page.inputValue("#class-name"), "week 3");
  await checkAccessibility(page);
  await page.click("button[type=submit]");
  await page.waitForSelector(".roster tbody tr");
  id = page.url().split("/").at(-2);
  await checkAccessibility(page);
  // The program that names no problem is found among those left out, and corrected without the mouse.
  await page.click(".chip:has-text('Left out')");
  await page.fill("input[type=search]", "program.py");
  await page.focus('.roster tr[tabindex="0"]');
  await page.keyboard.press("Enter");
  await page.keyboard.type("eve");
  await page.keyboard.press("Tab");
  await page.selectOption(".editing select", "sum");
  await page.keyboard.press("Enter");
  await page.click(".chip:has-text('Corrected')");
  await page.waitForSelector(".roster tbody tr:has-text('eve')");
  await page.click("text=Start grading");
  await page.waitForURL(`**/classes/${id}`);
  await page.waitForSelector("tbody .mark");
  await page.waitForFunction(() => /^7 of 7 programs/.test(document.querySelector(".live .words").textContent), null, { timeout: JUDGED_MS });
  await waitForMark(page, "ann", 0, "100");
  await waitForMark(page, "ann", 1, "WA0");
  await waitForMark(page, "bob", 1, "CE0");
  await waitForMark(page, "eve", 0, "WA0");
  await checkAccessibility(page);
  await page.end();
});

test("marks are sorted and filtered, and opened by keyboard", async () => {
  const page = await open(`classes/${id}`);
  await page.waitForSelector("tbody .mark");
  const students = () => texts(page, "tbody th");
  await becomes(students, ["ann", "bob", "cy", "dan", "eve"]);
  await page.click("thead button:has-text('Total')");
  await becomes(() => page.$eval("thead th:nth-child(2)", (head) => head.getAttribute("aria-sort")), "descending");
  await becomes(async () => (await students()).slice(0, 3), ["ann", "cy", "dan"]);
  await page.selectOption("[aria-label=Verdict]", "WA");
  await becomes(async () => (await students()).sort(), ["ann", "bob", "eve"]);
  await page.selectOption("[aria-label=Problem]", { index: 1 });
  await becomes(async () => (await students()).sort(), ["bob", "eve"]);
  await page.fill("[aria-label='Search students']", "nobody");
  await page.waitForSelector("text=No student matches");
  await page.fill("[aria-label='Search students']", "ev");
  await page.waitForFunction(() => document.querySelectorAll("tbody th").length === 1);
  await page.focus("tbody [tabindex='0']");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".drawer .code");
  await matches(() => text(page, ".drawer"), /eve.*wrong answer.*First difference/s);
  await checkAccessibility(page);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".drawer", { state: "hidden" });
  await page.end();
});

test("a mark is overridden with a reason, undone, and both are in the log", async () => {
  const page = await open(`classes/${id}`);
  await page.click(cell("bob", 0));
  await page.click(".override-part summary");
  await page.fill("#override-mark", "62.5");
  await page.fill("#override-reason", "shown in the lab <img src=x>");
  await page.click(".override button[type=submit]");
  await page.waitForSelector("text=Undo the override");
  await page.waitForFunction(() => document.querySelector(".drawer .points b").textContent === "62.5");
  await matches(() => text(page, ".drawer"), /shown in the lab <img src=x>/);
  await page.keyboard.press("Escape");
  await matches(() => mark(page, "bob", 0), /62\.5/);
  const log = await open(`classes/${id}/log`);
  await log.waitForSelector("tbody tr:has-text('overrode a mark'):has-text('62.5')");
  await checkAccessibility(log);
  await log.end();
  await page.click(cell("bob", 0));
  await page.click("text=Undo the override");
  await page.waitForFunction(() => document.querySelector(".drawer .points b").textContent === "0");
  await page.keyboard.press("Escape");
  await waitForMark(page, "bob", 0, "WA0");
  const later = await open(`classes/${id}/log`);
  await later.waitForSelector("tbody tr:has-text('undid an override')");
  await later.end();
  await page.end();
});

test("a program and a problem are judged again", async () => {
  const page = await open(`classes/${id}`);
  await page.click(cell("ann", 0));
  await page.click("text=Judge again");
  await page.waitForSelector(".toast:has-text('judged again')");
  await page.keyboard.press("Escape");
  await judged(id);
  await page.click("summary:has-text('More')");
  await page.click("text=Judge Sum again");
  await page.fill("#asked", "new tests");
  await page.click("dialog[open] button[type=submit]");
  await page.waitForSelector(".toast:has-text('queued')");
  await judged(id);
  await waitForMark(page, "ann", 0, "100");
  const log = await open(`classes/${id}/log`);
  await log.waitForSelector("tbody tr:has-text('new tests')");
  await log.end();
  await page.end();
});

test("judging is stopped and goes on", async () => {
  const page = await open(`classes/${id}`);
  await page.click("summary:has-text('More')");
  await page.click("text=Judge all programs again");
  await page.click("dialog[open] button[type=submit]");
  await page.click(".live button:has-text('Stop')", { timeout: JUDGED_MS });
  await page.click(".live button:has-text('Go on')", { timeout: JUDGED_MS });
  await judged(id);
  await page.waitForFunction(() => /^7 of 7/.test(document.querySelector(".live .words").textContent), null, { timeout: JUDGED_MS });
  await page.end();
});

test("what rules and limits would change is shown before they are applied", async () => {
  // A wrong rule is refused with a status that the browser reports.
  const page = await open(`classes/${id}/rules`, { allow: /422/ });
  await page.click(".chip:has-text('Share of cases')");
  await page.click("text=Show what would change");
  await page.waitForSelector(".changes tbody tr:has-text('bob')", { timeout: JUDGED_MS });
  await page.waitForSelector("button:has-text('Apply'):enabled", { timeout: JUDGED_MS });
  await checkAccessibility(page);
  assert.equal((await ask(`classes/${id}/rules`)).policy.includes("partial"), false);
  // A change of the rules makes what was shown stale.
  await page.fill("#policy", "select: bset\n");
  await page.waitForSelector("button:has-text('Apply'):disabled");
  await page.click("text=Show what would change");
  await page.waitForSelector(".complaint:has-text('bset')");
  await page.fill("#policy", "partial: true\n");
  await page.click("text=Show what would change");
  await page.click("button:has-text('Apply'):enabled", { timeout: JUDGED_MS });
  await page.waitForSelector(".toast:has-text('applied')", { timeout: JUDGED_MS });
  await judged(id);
  const marks = await open(`classes/${id}`);
  await marks.waitForFunction(() => !/WA0$/.test([...document.querySelectorAll("tbody tr")].find((row) => row.querySelector("th").title === "bob")?.querySelector(".mark").textContent ?? "WA0"), null, { timeout: JUDGED_MS });
  await marks.end();
  await page.end();
});

test("tests are a heat map that is used by keyboard", async () => {
  const page = await open(`classes/${id}/tests`);
  await page.waitForSelector("canvas");
  await checkAccessibility(page);
  await page.focus("canvas");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.waitForFunction(() => /^bob · .* · /.test(document.querySelector(".heat-said").textContent));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".drawer .code");
  await page.end();
});

test("similar programs stand side by side with their common parts marked", async () => {
  const page = await open(`classes/${id}/likeness`);
  await page.waitForSelector("tbody tr:has-text('cy'):has-text('dan')");
  await checkAccessibility(page);
  await page.click("tbody tr:has-text('cy'):has-text('dan') button");
  await page.waitForSelector(".sides .marked");
  await becomes(() => page.$$eval(".side", (sides) => sides.length), 2);
  await matches(() => text(page, ".side:nth-child(1) .marked"), /def|import|words|result|values/);
  await page.click(".side .part");
  await checkAccessibility(page);
  await page.end();
});

test("wrong answers are grouped by the smallest input that they fail", async () => {
  const page = await open(`classes/${id}/answers`);
  await page.waitForSelector(".answer");
  await checkAccessibility(page);
  const groups = await texts(page, ".answer");
  assert.ok(groups.some((one) => /bob/.test(one) && /-1/.test(one)), groups.join("\n"));
  await page.end();
});

test("every download is there", async () => {
  const page = await open(`classes/${id}`);
  await page.click("summary:has-text('Download')");
  await page.waitForSelector(".menu-list a");
  await checkAccessibility(page);
  const links = await page.$$eval(".menu-list a", (all) => all.map((link) => link.getAttribute("href")));
  assert.ok(links.some((link) => link.endsWith("gradebook.csv")) && links.length >= 4, links.join());
  for (const link of links) {
    const response = await page.request.get(server.url + link.slice(1));
    assert.equal(response.status(), 200, link);
    assert.ok((await response.body()).length > 0, link);
  }
  const started = page.waitForEvent("download");
  await page.click(".menu-list a[href$='gradebook.csv']");
  assert.equal((await started).suggestedFilename(), "gradebook.csv");
  await page.end();
});

test("a folder is uploaded as it is", async () => {
  const root = join(folder, "week 4");
  await write(root, { "ann/sum.py": RIGHT, "bob/sum.py": WRONG, ".git/config": "x", "bob/__pycache__/sum.pyc": "x" });
  const page = await open("classes/new");
  await page.setInputFiles("input[data-folder]", root);
  await page.waitForSelector("[data-chosen]:has-text('2 files of week 4')");
  await page.fill("[data-search]", "again");
  await page.fill("[data-search]", "");
  await page.check("input[name=problem][value=sum]");
  await page.click("button[type=submit]");
  await page.waitForSelector(".roster tbody tr");
  await matches(() => text(page, ".class-part .lead"), /^2 programs of 2 students for 1 problem/);
  await page.goto(`${server.url}classes`);
  await page.waitForSelector("tbody tr:has-text('week 4'):has-text('not started')");
  await page.end();
});

test("names of strangers are text on every page", async () => {
  const names = ["<img src=x onerror=taken()>", "\"><svg onload=taken()>", "javascript:taken()", "' onfocus='taken()", "{{taken()}}${taken()}", "&lt;script&gt;", "<script>taken()<", "a\u202Eb"];
  const files = {};
  for (const name of names) Object.assign(files, { [`${name}/sum.py`]: LONG.replace("main()\n", `main()  # <script>taken()</script> ${name}\n`), [`${name}/twice.py`]: WRONG, [`${name}/<b onclick=taken()>.txt`]: "x" });
  const own = await judgedClass(files);
  for (const part of ["", "/files", "/tests", "/answers", "/likeness", "/rules", "/log"]) {
    const page = await open(`classes/${own}${part}`);
    await page.waitForSelector(".class-part > *");
    await page.waitForTimeout(150);
    const strange = await page.$$eval("main :is(img, script, iframe, b[onclick], svg[onload], [onerror], [onfocus]), a[href^='javascript']", (nodes) => nodes.map((node) => node.outerHTML));
    assert.deepEqual(strange, [], part);
    if (part === "") {
      await page.click("tbody tr:has-text('onerror') td.mark >> nth=0");
      await page.waitForSelector(".drawer .code");
      await matches(() => text(page, ".drawer h2"), /<img src=x onerror=taken\(\)>/);
    }
    await becomes(() => page.evaluate(() => typeof globalThis.taken), "undefined");
    await page.end();
  }
  const page = await open(`classes/${own}`);
  await page.click("summary:has-text('More')");
  await page.click("text=Delete the class");
  await page.waitForSelector("dialog[open] button[type=submit]:disabled");
  await page.fill("#asked", await page.$eval("dialog[open] h2", (node) => /“(.*)”/.exec(node.textContent)[1]));
  await page.click("dialog[open] button[type=submit]");
  await page.waitForURL("**/classes");
  await page.waitForSelector("tbody tr");
  assert.equal((await fetch(`${server.url}api/v1/classes/${own}`)).status, 404);
  await page.end();
});

test("300 students and 30 problems are drawn with few nodes, and nothing moves while marks arrive", async () => {
  const problems = Array.from({ length: 30 }, (_, at) => ({ id: `p${at}`, name: `Problem ${at}`, max_score: 100, max_mark: 100 }));
  const mark = (problem, at) => ({ problem, state: at % 9 ? "judged" : "queued", verdict: at % 9 ? (at % 4 ? "AC" : "WA") : null, mark: at % 9 ? (at % 4 ? 100 : 0) : null, max_mark: 100, formula: "", attempts: 1, late_seconds: null, path: "a.py", comment: null, overridden: false, flags: [] });
  const students = Array.from({ length: 300 }, (_, row) => ({ student: `Student ${row}`, number: null, total: row * 10, rubric: [], comment: null, marks: problems.map((problem, at) => mark(problem.id, row + at)) }));
  const page = await open("");
  await page.route("**/gradebook", (route) => route.fulfill({ json: { problems, rubric: [], max_total: 3000, revision: 1, last_event: null, students } }));
  await page.goto(`${server.url}classes/${id}`);
  await page.waitForSelector("tbody .mark");
  assert.ok(await page.evaluate(() => document.querySelectorAll("*").length < 6000));
  // The heads and the first column stay.
  await page.$eval(".marks-scroll", (scroll) => scroll.scrollTo(900, 6000));
  await page.waitForFunction(() => [...document.querySelectorAll("tbody th")].some(({ title }) => title === "Student 190"));
  const [head, first, box] = await page.evaluate(() => ["thead th:nth-child(9)", "tbody tr:nth-child(20) th", ".marks-scroll"].map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON()));
  assert.ok(Math.abs(head.top - box.top) < 2 && Math.abs(first.left - box.left) < 2, JSON.stringify({ head, first, box }));
  await page.focus("tbody [tabindex='0']");
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() => document.activeElement.closest("tr")?.querySelector("th").title === "Student 299");
  await page.end();
});

test("the pages of a class need no horizontal scrolling on a telephone", async () => {
  for (const path of ["classes", "classes/new", ...["", "/files", "/tests", "/answers", "/likeness", "/rules", "/log"].map((part) => `classes/${id}${part}`)]) {
    const page = await open(path, { width: 360, height: 700 });
    await page.waitForSelector(path === "classes/new" ? ".drop" : ".class-part > *");
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${path}: ${content} > ${window}`);
    await page.end();
  }
});
