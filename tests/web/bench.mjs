// Measures the figures of the page, and prints one table: figure, goal, median and 95th percentile, number of values, load of the
// machine. It is no test: nothing fails, and the figures mean something only on a machine that does nothing else.
//
//     cargo build --release
//     cd tests/web && npm ci && node bench.mjs ../../target/release/nimatron-server [--seconds 120] [--only WORD]
//
// `--seconds` is the duration of the load of a class, at least 10. `--only` chooses the figures whose names contain a word: start,
// editor, submit, gradebook, run, class. It needs Chromium, Python and a C++ compiler. All servers listen on loopback.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import { cpus, homedir, loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { zipOf } from "../../src/server/web/assets/classes/zip.js";
import { joinClass, setUpClass } from "./accounts.mjs";
import { launchBrowser, openPage, startServer } from "./harness.mjs";

const PROBLEM = "classic-nim";
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
`;
const SUM = "input()\nprint(sum(map(int, input().split())))\n";
const NIM = `#include <iostream>
int main() {
    int n, sum = 0;
    std::cin >> n;
    for (int a; std::cin >> a;) sum ^= a;
    std::cout << (sum ? "Yes" : "No") << std::endl;
}
`;

const PEOPLE = 200;
const SUBMISSIONS_A_SECOND = 20;
const PAGES_A_SECOND = 10;
const [STUDENTS, PROBLEMS] = [300, 30];

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : undefined);
const seconds = Math.max(10, Number(option("--seconds") ?? 120));
const only = option("--only") ?? "";
assert.ok(args.length === 1, "usage: node bench.mjs BINARY [--seconds N] [--only WORD]");
const exe = resolve(args[0]);
process.env.NIMATRON_EXE = exe;

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.ceil(share * values.length) - 1)];
const median = (values) => quantile(values, 0.5);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** The resident memory of a process in MB. */
async function memory({ process: { pid } }) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1_000;
}

const rows = [];
/** Adds a line. `which` is the value that the goal is about. */
function figure(name, values, { goal, which = median, unit = ms }) {
  const shown = which(values);
  rows.push([name, goal === undefined ? "" : `≤ ${unit(goal)}${which === median ? "" : " p95"}`, unit(median(values)), values.length > 1 ? unit(quantile(values, 0.95)) : "", String(values.length), loadavg()[0].toFixed(2), goal === undefined ? "" : shown <= goal ? "met" : "MISSED"]);
  console.error(rows.at(-1).join("  "));
}
const p95 = (values) => quantile(values, 0.95);

/** Calls an API and returns the value of its answer. */
async function call({ url, token }, method, path, body) {
  const response = await fetch(`${url}api/v1/${path}`, { method, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Follows a run to its end, and returns its events with the times at which they came. */
async function follow(server, id) {
  const response = await fetch(`${server.url}api/v1/runs/${id}/events`, { headers: { Authorization: `Bearer ${server.token}` } });
  const decoder = new TextDecoder();
  const events = [];
  let rest = "";
  for await (const piece of response.body) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data:"));
      if (data) events.push({ at: Date.now(), ...JSON.parse(data.slice(5)) });
    }
  }
  return events;
}

async function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** All servers that were started, so that none is left behind by an error. */
const started = [];

/** Starts a server, and returns it with the time until it is ready. */
async function start(options, more) {
  const begin = performance.now();
  const server = await startServer(options, more);
  started.push(server);
  return [server, performance.now() - begin];
}

async function measureStart() {
  const times = [];
  const idle = [];
  for (let round = 0; round < 10; round += 1) {
    const [server, took] = await start([]);
    times.push(took);
    if (round < 3) {
      await pause(2_000);
      idle.push(await memory(server));
    }
    await server.stop();
  }
  figure("server start", times, { goal: 200 });
  figure("memory of an idle server", idle, { goal: 40, unit: (value) => `${value.toFixed(1)} MB` });
}

async function measureEditor(browser) {
  const [server] = await start([]);
  // The first one reads the problem and asks the compilers for their versions.
  const ready = async (count) => {
    const times = [];
    let scripts;
    for (let round = 0; round < count; round += 1) {
      const page = await openPage(browser, "about:blank");
      await page.addInitScript(() => {
        const look = () => (document.querySelector(".cm-content") ? (globalThis.editorReady = performance.now()) : requestAnimationFrame(look));
        look();
      });
      const bodies = [];
      page.on("response", (response) => new URL(response.url()).pathname.endsWith(".js") && bodies.push(response.body()));
      await page.goto(`${server.url}problems/${PROBLEM}`);
      await page.waitForFunction(() => globalThis.editorReady !== undefined);
      times.push(await page.evaluate(() => globalThis.editorReady));
      await page.waitForLoadState("networkidle");
      scripts = await Promise.all(bodies);
      await page.end();
    }
    return [times, scripts];
  };
  const [first] = await ready(1);
  const [times, scripts] = await ready(15);
  figure("page with editor ready, first of a server", first, {});
  figure("page with editor ready", times, { goal: 500 });
  figure("JavaScript of a problem's page, gzip", [scripts.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_000], { goal: 250, unit: (value) => `${value.toFixed(1)} kB` });
  figure("memory after 16 pages", [await memory(server)], { unit: (value) => `${value.toFixed(1)} MB` });
  await server.stop();
}

async function measureSubmit(browser) {
  const [server] = await start([]);
  const program = { problem: PROBLEM, name: "a.cpp", source: NIM };
  await follow(server, (await call(server, "POST", "runs", program)).id);
  const acknowledged = [];
  for (let round = 0; round < 150; round += 1) {
    const begin = performance.now();
    const { id } = await call(server, "POST", "runs", program);
    acknowledged.push(performance.now() - begin);
    await call(server, "DELETE", `runs/${id}`);
  }
  figure("submission acknowledged", acknowledged, { goal: 50, which: p95 });
  // The events of a run have the time since its start, which is at most some milliseconds after the time at which the server
  // started judging. So the time from an event to the browser is at most its arrival minus that start minus its time.
  const page = await openPage(browser, `${server.url}problems/${PROBLEM}`);
  const late = [];
  for (let round = 0; round < 12; round += 1) {
    const { id } = await call(server, "POST", "runs", program);
    const events = await page.evaluate(async (run) => {
      const { followEvents } = await import(document.querySelector("script[src$='app.js']").src.replace("app.js", "events.js"));
      return new Promise((done) => {
        const seen = [];
        followEvents(`/api/v1/runs/${run}/events`, {
          onEvent: (event) => {
            if (event.event === "case_finished") seen.push([Date.now(), event.at_ms]);
            if (event.event === "run_finished") done(seen);
          },
        });
      });
    }, id);
    const { started } = await call(server, "GET", `runs/${id}`);
    late.push(...events.map(([at, since]) => at - started - since));
  }
  await page.end();
  figure("verdict of a case to the browser, upper bound", late, { goal: 100, which: p95 });
  await server.stop();
}

async function measureGradebook(browser) {
  const [server] = await start([]);
  const problems = join(server.folder, "problems");
  const files = {};
  for (let at = 0; at < PROBLEMS; at += 1) Object.assign(files, { [`problems/sum${at}/problem.yaml`]: SPEC.replace("Sum", `Sum ${at}`), [`solutions/sum${at}/accepted/reference.py`]: SUM });
  await write(server.folder, files);
  await server.kill();
  const [own] = await start([problems], { folder: server.folder });
  // Identical programs are judged once, so three variants of a program for each problem are judged.
  const variants = [SUM, "print(0)\n", `${SUM}print()\n`];
  const entries = [];
  for (let student = 0; student < STUDENTS; student += 1) {
    for (let at = 0; at < PROBLEMS; at += 1) entries.push({ path: `student${student}/sum${at}.py`, file: new Blob([variants[(student + at) % 3]]) });
  }
  const form = new FormData();
  form.append("problems", Array.from({ length: PROBLEMS }, (_, at) => `sum${at}`).join(","));
  form.append("submissions", await zipOf(entries), "class.zip");
  const response = await fetch(`${own.url}api/v1/classes`, { method: "POST", headers: { Authorization: `Bearer ${own.token}` }, body: form });
  const { id } = await response.json();
  assert.ok(id, String(response.status));
  for (;;) {
    const about = await call(own, "GET", `classes/${id}`);
    if (about.state === "finished") break;
    assert.notEqual(about.state, "failed", JSON.stringify(about));
    await pause(500);
  }
  const [answers, pages] = [[], []];
  for (let round = 0; round < 15; round += 1) {
    const begin = performance.now();
    const book = await call(own, "GET", `classes/${id}/gradebook`);
    answers.push(performance.now() - begin);
    assert.deepEqual([book.students.length, book.problems.length], [STUDENTS, PROBLEMS]);
    const page = await openPage(browser, "about:blank");
    await page.addInitScript(() => {
      const look = () => (document.querySelector("tbody .mark") ? (globalThis.marksShown = performance.now()) : requestAnimationFrame(look));
      look();
    });
    await page.goto(`${own.url}classes/${id}`);
    await page.waitForFunction(() => globalThis.marksShown !== undefined);
    pages.push(await page.evaluate(() => globalThis.marksShown));
    await page.end();
  }
  figure(`gradebook of ${STUDENTS} × ${PROBLEMS}, answer`, answers, { goal: 300 });
  figure(`gradebook of ${STUDENTS} × ${PROBLEMS}, marks on the screen`, pages, { goal: 300 });
  await own.stop();
}

/** The wall time of `nimatron run`, with the folders of a server. */
function runInTerminal(server, file) {
  const xdg = Object.fromEntries(["CACHE", "CONFIG", "DATA", "STATE"].map((kind) => [`XDG_${kind}_HOME`, join(server.folder, kind.toLowerCase())]));
  const rust = { RUSTUP_HOME: join(homedir(), ".rustup"), CARGO_HOME: join(homedir(), ".cargo") };
  const begin = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(exe, ["run", PROBLEM, file], { cwd: server.folder, env: { ...rust, ...process.env, HOME: server.folder, ...xdg }, stdio: "ignore" });
    child.once("exit", (code) => (code === 0 ? done(performance.now() - begin) : fail(new Error(`exit code ${code}`))));
  });
}

async function measureRun() {
  const [server] = await start([]);
  await write(server.folder, { "a.cpp": NIM });
  const file = join(server.folder, "a.cpp");
  const inServer = async () => {
    const begin = performance.now();
    const { id } = await call(server, "POST", "runs", { problem: PROBLEM, name: "a.cpp", source: NIM });
    const end = (await follow(server, id)).at(-1);
    assert.equal(end.verdict, "AC");
    return performance.now() - begin;
  };
  // Test data and the build are in the cache afterwards.
  for (let round = 0; round < 2; round += 1) [await runInTerminal(server, file), await inServer()];
  const [terminal, served, ratios] = [[], [], []];
  for (let pair = 0; pair < 15; pair += 1) {
    // The order alternates, so that a slow phase of the machine concerns both.
    const order = pair % 2 ? [inServer, () => runInTerminal(server, file)] : [() => runInTerminal(server, file), inServer];
    const times = [await order[0](), await order[1]()];
    const [own, other] = pair % 2 ? times.toReversed() : times;
    terminal.push(own);
    served.push(other);
    ratios.push((other / own - 1) * 100);
  }
  figure("nimatron run", terminal, {});
  figure("the same through serve", served, {});
  figure("serve adds to run, paired", ratios, { goal: 5, unit: (value) => `${value.toFixed(1)} %` });
  await server.stop();
}

/** A GET of a page over one kept connection, and the time until its end. */
function timedPage({ url, token, agent }, path) {
  const begin = performance.now();
  return new Promise((done, fail) => {
    const sent = httpRequest(new URL(path, url), { agent, headers: { Authorization: `Bearer ${token}`, Accept: "text/html" } }, (response) => {
      response.resume();
      response.once("end", () => done([performance.now() - begin, response.statusCode]));
    });
    // The server closes idle connections; one that is closed while it is used again is opened anew, as browsers do.
    sent.once("error", (error) => (sent.reusedSocket && error.code === "ECONNRESET" ? timedPage({ url, token, agent }, path).then(done, fail) : fail(error)));
    sent.end();
  });
}

/** Follows the events of a run until it ends or the person follows the next one, as an open page does. */
function openStream(person, id, streams) {
  const { url, token } = person;
  person.stream?.destroy();
  const sent = httpRequest(new URL(`/api/v1/runs/${id}/events`, url), { headers: { Authorization: `Bearer ${token}` } }, (response) => {
    response.resume();
  });
  sent.on("error", () => streams.delete(sent));
  sent.on("close", () => streams.delete(sent));
  sent.end();
  streams.add(sent);
  person.stream = sent;
}

async function measureClass() {
  const [empty] = await start([]);
  await write(empty.folder, { "problems/sum/problem.yaml": SPEC, "problems/sum/statement.md": "Print the sum of $n$ numbers.\n", "solutions/sum/accepted/reference.py": SUM });
  await empty.kill();
  const [server] = await start([join(empty.folder, "problems"), "--class"], { folder: empty.folder });
  const teacher = await setUpClass(server);
  const people = [];
  const names = Array.from({ length: PEOPLE }, (_, at) => `student${at}`);
  // Each password is hashed; the server hashes two at once.
  await Promise.all([0, 1].map(async () => {
    for (let login = names.pop(); login !== undefined; login = names.pop()) people.push(await joinClass(server, teacher, "student", login));
  }));
  figure(`memory with ${PEOPLE} accounts, idle`, [await memory(server)], { unit: (value) => `${value.toFixed(1)} MB` });
  const agents = people.map(({ token }) => ({ url: server.url, token, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }));
  const [times, acknowledged, streams, used] = [[], [], new Set(), []];
  let [refused, submitted] = [0, 0];
  const begin = Date.now();
  const running = () => Date.now() - begin < seconds * 1_000;
  /** Calls `work` with a counter at a rate, whether earlier calls have ended or not. */
  const repeat = async (rate, work) => {
    const open = [];
    for (let number = 0; running(); number += 1) {
      open.push(work(number));
      await pause(Math.max(0, begin + ((number + 1) * 1_000) / rate - Date.now()));
    }
    await Promise.all(open);
  };
  const paths = ["/", "/problems/sum", "/submissions"];
  await Promise.all([
    repeat(SUBMISSIONS_A_SECOND, async (number) => {
      const person = agents[number % PEOPLE];
      const sent = performance.now();
      const response = await fetch(`${server.url}api/v1/runs`, { method: "POST", headers: { Authorization: `Bearer ${person.token}`, "Content-Type": "application/json" }, body: JSON.stringify({ problem: "sum", name: "a.py", source: `${SUM}# ${number}\n` }) });
      const { id } = await response.json();
      acknowledged.push(performance.now() - sent);
      if (!response.ok) refused += 1;
      else {
        submitted += 1;
        openStream(person, id, streams);
      }
    }),
    repeat(PAGES_A_SECOND, async (number) => {
      const [took, status] = await timedPage(agents[(number * 7) % PEOPLE], paths[number % paths.length]);
      assert.equal(status, 200);
      times.push(took);
    }),
    repeat(1, async () => used.push([(Date.now() - begin) / 1_000, await memory(server), streams.size])),
  ]);
  const inTime = (from, to) => used.filter(([at]) => at >= from * seconds && at < to * seconds).map(([, value]) => value);
  const mb = (value) => `${value.toFixed(1)} MB`;
  const load = `${PEOPLE} people, ${SUBMISSIONS_A_SECOND} submissions a second for ${seconds} s`;
  figure(`${load}: a page`, times, { goal: 200, which: p95 });
  figure(`${load}: acknowledged`, acknowledged, {});
  figure(`${load}: memory, largest`, [Math.max(...used.map(([, value]) => value))], { goal: 300, unit: mb });
  figure(`${load}: memory, last quarter minus second`, [median(inTime(0.75, 1)) - median(inTime(0.25, 0.5))], { unit: mb });
  figure(`${load}: streams open`, used.map(([, , open]) => open), { unit: String });
  console.error(`${submitted} submitted, ${refused} refused`);
  for (const stream of streams) stream.destroy();
  for (const { agent } of agents) agent.destroy();
  await server.stop();
}

const figures = { start: measureStart, editor: measureEditor, submit: measureSubmit, gradebook: measureGradebook, run: measureRun, class: measureClass };
const before = loadavg()[0].toFixed(2);
const browser = await launchBrowser();
try {
  for (const [name, measure] of Object.entries(figures)) if (name.includes(only)) await measure(browser);
} finally {
  await Promise.all([browser.close(), ...started.map((server) => server.stop())]);
}
const head = ["figure", "goal", "median", "p95", "n", "load", ""];
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
console.log(`${cpus().length} × ${cpus()[0].model}, load ${before} at the start`);
for (const row of [head, ...rows]) console.log(row.map((cell, column) => (column === 0 || column === 6 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join("  ").trimEnd());
