// State of a run, computed from its events. This module does not use the DOM, so that it can be tested without a
// browser.

/** Returns the state before the first event. `cases` is the number of cases, if it is known. */
export function newRunState(cases = 0) {
  return {
    phase: "queued",
    doing: "Queued",
    total: cases,
    cases: [],
    places: new Map(),
    early: new Map(),
    groups: [],
    compileError: null,
    isolation: null,
    missing: [],
    summary: null,
    settled: 0,
  };
}

/** Returns the state after an event. It is changed in place unless the run starts again. */
export function apply(state, event) {
  switch (event.event) {
    case "run_started":
      // After a restart of the server, a repeated run begins with this event again.
      return { ...newRunState(event.cases), phase: "running", doing: "Starting", isolation: event.isolation, missing: event.missing ?? [] };
    case "build_started":
      state.doing = "Compiling";
      break;
    case "build_finished":
      state.compileError = event.error ?? null;
      state.doing = event.error ? "Does not compile" : "Running";
      break;
    case "case_started":
      place(state, event).verdict = state.early.get(event.case) ?? "running";
      break;
    case "case_finished":
      settle(state, event, { ...event });
      break;
    case "case_skipped":
      settle(state, event, { verdict: "skipped", message: event.reason });
      break;
    case "case_faulted":
      settle(state, event, { verdict: "JE", message: event.fault.message });
      break;
    case "group_finished":
      state.groups.push(event);
      break;
    case "progress":
      progress(state, event);
      break;
    case "run_finished":
      finish(state, event);
      break;
    default: // An event of a newer server.
  }
  return state;
}

/** Returns the verdict or state of the whole run. */
export function overall(state) {
  if (state.phase === "finished") return state.summary.verdict;
  return state.phase;
}

/** Returns the failed cases, in the order of the cases. */
export const failed = (state) => state.cases.filter(({ verdict }) => !["AC", "running", "skipped"].includes(verdict));

function place(state, { case: id, group }) {
  let index = state.places.get(id);
  if (index === undefined) {
    index = state.cases.push({ case: id, group, verdict: "running" }) - 1;
    state.places.set(id, index);
    state.total = Math.max(state.total, state.cases.length);
  }
  return state.cases[index];
}

function settle(state, event, result) {
  Object.assign(place(state, event), result);
  state.early.delete(event.case);
  state.settled += 1;
}

function progress(state, { activity, ...event }) {
  if (state.phase === "queued") state.phase = "running";
  switch (activity) {
    case "waiting_for_slot":
      state.doing = "Waiting for a free processor";
      break;
    case "making_test_data":
      state.doing = `Making test data: ${event.done} of ${event.total}`;
      break;
    case "measuring_time_limit":
      state.doing = `Measuring the time limit with ${event.program}`;
      break;
    case "waiting_to_run_alone":
    case "running_alone":
      state.doing = `Running ${event.case} again, alone`;
      break;
    case "running_case":
      state.doing = "Running";
      break;
    case "judged_case": {
      const index = state.places.get(event.case);
      if (index === undefined) state.early.set(event.case, event.verdict);
      else if (state.cases[index].verdict === "running") state.cases[index].verdict = event.verdict;
      break;
    }
    default:
  }
}

function finish(state, summary) {
  const cancelled = (summary.faults ?? []).some(({ kind }) => kind === "cancelled");
  state.phase = cancelled ? "cancelled" : "finished";
  state.summary = summary;
  state.doing = "";
  for (const one of state.cases) {
    if (one.verdict === "running") one.verdict = "none";
  }
}
