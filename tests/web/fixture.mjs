// A small server for tests of the scripts alone: it serves the assets under the policy of the real pages, a problem's
// page by the contract of the assets' README, and an API whose runs are scripted. The word in a program's first line
// decides what happens to it: `accepted`, `wrong`, `broken`, `slow`, `interactive`, `subtasks`.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const ASSETS = fileURLToPath(new URL("../../src/server/web/assets/", import.meta.url));
const TYPES = { ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8" };
const CASES = 143;
const LANGUAGES = [["cpp", "C++", "12.2", "cpp cc cxx"], ["python", "Python", "3.11", "py"], ["rust", "Rust", "1.95", "rs"], ["kotlin", "Kotlin", "", "kt"]]
  .map(([id, name, version, extensions]) => ({ id, name, version, extensions: extensions.split(" ") }));
const GROUPS = [["sample", 3], ["tiny", 81], ["random", 24], ["zero", 12], ["equal", 8], ["huge", 6], ["large", 6], ["bounds", 3]];

/**
 * Starts the server on a free port.
 *
 * @param {{pages?: Record<string, string>}} [options] further pages: a path and the content of its `body`
 * @returns {Promise<{url: string, runs: Map, requests: object[], drop: () => void, stop: () => Promise<void>}>} `drop`
 *   ends all connections, as a restart does
 */
export async function startFixture({ pages = {} } = {}) {
  const runs = new Map();
  const requests = [];
  const all = { "/": problemPage, ...Object.fromEntries(Object.entries(pages).map(([path, body]) => [path, () => body])) };
  const server = createServer((request, response) => {
    answer(request, response, { runs, requests, pages: all }).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    runs,
    requests,
    drop: () => server.closeAllConnections(),
    stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
}

async function answer(request, response, { runs, requests, pages }) {
  const { pathname, searchParams } = new URL(request.url, "http://x");
  if (pages[pathname]) return html(response, pages[pathname]());
  if (pathname.startsWith("/assets/test/")) {
    const type = TYPES[extname(pathname)];
    const content = await readFile(ASSETS + pathname.slice("/assets/test/".length)).catch(() => null);
    if (!type || !content || pathname.includes("..")) return json(response, 404, { error: "no such file" });
    return response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(content);
  }
  if (pathname === "/favicon.ico") return response.writeHead(204).end();
  const [, id, what] = /^\/api\/v1\/runs(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
  const run = runs.get(id);
  requests.push({ method: request.method, path: pathname, headers: request.headers });
  if (request.method === "POST" && !id) return submit(request, response, runs);
  if (request.method === "GET" && !id) return json(response, 200, [...runs.values()].reverse().filter(({ problem }) => problem === searchParams.get("problem")).map(listed));
  if (!run) return json(response, 404, { error: "there is no such run", help: "It may have been removed." });
  if (request.method === "DELETE") {
    run.cancelled = true;
    return response.writeHead(204).end();
  }
  if (what === "events") return sendEvents(request, response, run);
  if (what === "source") return response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end(run.source);
  if (what === "report") return run.report ? json(response, 200, run.report) : json(response, 404, { error: "not ended" });
  return json(response, 200, listed(run));
}

async function submit(request, response, runs) {
  if (request.headers["x-nimatron-token"] !== "secret") return json(response, 403, { error: "the token is missing" });
  let text = "";
  for await (const piece of request) text += piece;
  const body = JSON.parse(text);
  if (body.source.includes("refused")) return json(response, 422, { error: "the language is not installed", help: "Install it, then try again." });
  const id = `run${runs.size + 1}`;
  runs.set(id, { id, ...body, state: "running", created: Date.now() - 60_000 * runs.size, ...script(body) });
  return json(response, 202, { id });
}

const listed = ({ id, problem, kind, name, language, state, created, verdict, score, max_score }) =>
  ({ id, problem, kind, name, language, state, created, verdict, score, max_score });

async function sendEvents(request, response, run) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const last = Number(request.headers["last-event-id"] ?? -1);
  for (const event of run.events) {
    if (event.number !== undefined && event.number <= last) continue;
    if (response.destroyed) return;
    if (run.cancelled) break;
    if (run.pause > 0) await new Promise((done) => setTimeout(done, run.pause));
    response.write(`${event.number === undefined ? "" : `id: ${event.number}\n`}data: ${JSON.stringify(event)}\n\n`);
  }
  const end = run.events.at(-1);
  if (run.cancelled) response.write(`id: ${end.number}\ndata: ${JSON.stringify({ ...end, verdict: "JE", faults: [{ kind: "cancelled", message: "cancelled" }] })}\n\n`);
  run.state = run.cancelled ? "cancelled" : "finished";
  if (!run.cancelled) Object.assign(run, { verdict: end.verdict, score: end.score, max_score: end.max_score });
  response.end();
}

/** The events and the report of a run. */
function script({ source, kind, input }) {
  const word = /accepted|wrong|broken|slow|interactive|subtasks/.exec(source)?.[0] ?? "accepted";
  const events = [];
  const log = (event) => events.push({ ...event, number: events.filter(({ number }) => number !== undefined).length, run: "r", at_ms: events.length });
  const progress = (activity, more = {}) => events.push({ event: "progress", activity, ...more, run: "r", at_ms: events.length });
  const cases = kind === "submit" ? casesOf(GROUPS) : kind === "samples" ? casesOf([["sample", 3]]) : [{ case: "input", group: "input" }];
  progress("waiting_for_slot");
  log({ event: "run_started", problem: "classic-nim", program: "main.cpp", language: "cpp", cases: cases.length, format: 1, isolation: "A", strict: false, missing: [] });
  log({ event: "build_started", language: "cpp" });
  log({ event: "build_finished", cached: false, wall_ms: 812, error: word === "broken" ? COMPILER_OUTPUT : null });
  const summary = { event: "run_finished", problem: "classic-nim", program: "main.cpp", faults: [], cases: cases.length, isolation: "A", max_score: kind === "submit" ? "100" : "0" };
  const failures = [];
  let worst = "AC";
  if (word === "broken") {
    log({ ...summary, verdict: "CE", score: "0", accepted: 0, slowest: null, memory_bytes: 0 });
    return { events, pause: 1, report: { failures, compile_error: COMPILER_OUTPUT } };
  }
  let accepted = 0;
  cases.forEach((one, index) => {
    log({ event: "case_started", ...one });
    progress("running_case", { case: one.case });
    const verdict = verdictOf(word, index);
    const result = { ...one, verdict, ...usageOf(index, verdict), credit: verdict === "AC" ? 1 : 0, ...evidence(verdict) };
    log({ event: "case_finished", ...result });
    if (verdict === "AC") accepted += 1;
    else {
      if (worst === "AC") worst = verdict;
      if (!failures.some(({ result: { group } }) => group === one.group)) failures.push({ result, input: INPUT, answer: ANSWER, output: OUTPUT });
    }
    if (cases[index + 1]?.group !== one.group) log({ event: "group_finished", group: one.group, verdict: "AC", score: word === "subtasks" ? "10" : "0", max_score: word === "subtasks" ? "12.5" : "0" });
  });
  log({ ...summary, verdict: worst, score: worst === "AC" ? summary.max_score : "0", accepted, slowest: { case: cases.at(-1).case, cpu_ms: 912.5 }, memory_bytes: 16_384_000 });
  const dialogue = word === "interactive" ? { case: failures[0]?.result.case ?? cases[0].case, transcript: DIALOGUE } : null;
  const output = kind === "input" ? { content: `you wrote ${input}`, checked: false } : null;
  return { events, pause: word === "slow" ? 5 : 0, report: { failures, dialogue, output } };
}

const casesOf = (groups) => groups.flatMap(([group, number]) => Array.from({ length: number }, (_, index) => ({ case: `${group}/${String(index + 1).padStart(3, "0")}`, group })));

function verdictOf(word, index) {
  if (word === "interactive") return index === 4 ? "WA" : "AC";
  if (!["wrong", "subtasks"].includes(word) || index < 3) return "AC";
  const others = { 20: "TLE", 33: "MLE", 47: "RTE", 55: "PE", 61: "OLE", 70: "ILE", 77: "SEC", 85: "PT" };
  return others[index] ?? (index % 5 === 0 ? "WA" : "AC");
}

const usageOf = (index, verdict) => ({ cpu_ms: verdict === "TLE" ? 2004.1 : 12 + index * 6.3, wall_ms: 40, memory_bytes: verdict === "MLE" ? 536_870_912 : 3_928_064 + index * 1_000_000 });

function evidence(verdict) {
  if (verdict === "AC") return { exit_code: 0 };
  if (verdict === "RTE") return { signal: 11, stderr: { text: "main: index out of range\n", bytes: 25, cut: false } };
  if (verdict !== "WA") return { exit_code: 0 };
  const difference = { expected_line: 4, expected_column: 7, actual_line: 4, actual_column: 7, index: 13, expected: "9", actual: "8", message: "token 13: expected `9`, found `8`" };
  return { exit_code: 0, difference };
}

const COMPILER_OUTPUT = "main.cpp: In function ‘int main()’:\nmain.cpp:3:13: error: ‘y’ was not declared in this scope\n    3 |     int x = y + 1;\n      |             ^\nmain.cpp:4:19: error: expected ‘;’ before ‘}’ token\n    4 |     std::cout << x\n      |                   ^\n      |                   ;\n    5 | }\n      | ~";
const INPUT = "12\n1 2 3 4 5 6 7 8 9 10 11 12\n";
const ANSWER = Array.from({ length: 24 }, (_, line) => `${line * 3} ${line * 3 + 1} ${line * 3 + 2}`).join("\n").replace("9 10 11", "9 10 9") + "\n";
const OUTPUT = ANSWER.replace("9 10 9", "9 10 8").replace("15 16 17", "15\t16 17 ");
const said = (text) => [...new TextEncoder().encode(text)];
const DIALOGUE = {
  head: [
    { at: "5810us", side: "interactor", said: said("3\n3 4 5\n") },
    { at: "32039us", side: "program", said: said("2 1\n") },
    { at: "33ms", side: "interactor", said: said("1 2\n") },
    { at: "41ms", side: "program", said: said("take 1 1 — which is not a move\n") },
  ],
  tail: [{ at: "1s", side: "program", said: [] }, { at: "1001ms", side: "interactor", said: said("wrong\n") }],
  left_out: 12_345,
};

function json(response, status, value) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

function html(response, body) {
  const policy = "default-src 'none'; script-src 'nonce-n0'; style-src 'self' 'nonce-n0'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }).end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Classic Nim</title>
<meta name="token" content="secret"><link rel="stylesheet" href="/assets/test/style.css"><script type="module" nonce="n0" src="/assets/test/app.js"></script></head>
<body><a class="skip-link" href="#main">Skip to the content</a>
<header class="site-header"><a class="brand" href="/">Nimatron</a><nav aria-label="Main"><a href="/" aria-current="page">Problems</a><a href="/games">Games</a><a href="/classes">Classes</a><a href="/guide">Guide</a></nav><div class="aside"><span class="chip" title="Isolation">Isolation A</span></div></header>
${body}</body></html>`);
}

function problemPage() {
  const sample = (number, input, output) => `<h3>${number}</h3><p>Input:</p><pre><code>${input}</code></pre><p>Output:</p><pre><code>${output}</code></pre><p>Why it is so.</p>`;
  return `<main id="main" class="workbench">
<article class="statement-side"><div class="page-title"><h1>Classic Nim</h1></div><p class="limits"><span>time 2 s</span><span>memory 512 MiB</span></p><div class="statement">
<p>There are <math><mi>n</mi></math> heaps of stones; the <math><mi>i</mi></math>-th holds <math><msub><mi>a</mi><mi>i</mi></msub></math> of them. Two players move in turn. A move is to choose one heap and take at least one stone from it. A player who cannot move loses.</p>
<math display="block"><mi>f</mi><mo>(</mo><mi>n</mi><mo>)</mo><mo>=</mo><mrow><mo>{</mo><mtable class="menv-cells-left menv-cases"><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if </mtext><mi>n</mi><mo>=</mo><mn>0</mn></mtd></mtr><mtr><mtd><mi>n</mi><mo>·</mo><mi>f</mi><mo>(</mo><mi>n</mi><mo>−</mo><mn>1</mn><mo>)</mo></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow></math>
<h2>Input</h2><p>The first line holds <code>n</code>. The second line holds their sizes.</p>
<h2>Output</h2><p>Print <code>Yes</code> if the first player wins, and <code>No</code> if the second does.</p>
<table><thead><tr><th>Subtask</th><th>Points</th><th>Limits</th></tr></thead><tbody><tr><td>1</td><td>20</td><td>n ≤ 10</td></tr><tr><td>2</td><td>80</td><td>no further limits</td></tr></tbody></table>
<h2>Samples</h2>${sample(1, "2\n2 3\n", "Yes\n")}${sample(2, "3\n1 2 3\n", "No\n")}
</div></article>
<section class="work-side" aria-label="Your program"><div class="practise" data-problem="classic-nim" data-cases="${CASES}" data-cpu-ms="2000" data-memory-bytes="536870912" data-languages='${JSON.stringify(LANGUAGES)}'></div>
</section></main>`;
}
