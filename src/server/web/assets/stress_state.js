// State of a search for a failing input, computed from its events. This module does not use the DOM, so that it can be
// tested without a browser.

/** Returns the state before the first event. */
export function newStressState() {
  return {
    phase: "queued",
    doing: "Queued",
    tests: 0,
    rate: 0,
    largest: 0,
    seconds: 0,
    verdict: null,
    foundSize: null,
    size: null,
    shown: null,
    shrinkTests: 0,
    result: null,
  };
}

/** Applies an event to the state in place, and returns the state. */
export function applyStress(state, event) {
  switch (event.event) {
    case "stress_started":
      Object.assign(state, { phase: "running", doing: "Compiling" });
      break;
    case "stress_progress":
      progress(state, event);
      break;
    case "stress_found":
      counted(state, event);
      Object.assign(state, { phase: "shrinking", doing: "Shrinking the input", verdict: event.verdict, foundSize: event.size, size: event.size, shown: event.shown });
      break;
    case "stress_shrunk":
      Object.assign(state, { size: event.size, shown: event.shown, shrinkTests: event.shrink_tests });
      break;
    case "stress_finished":
      counted(state, event);
      Object.assign(state, { phase: event.cancelled ? "cancelled" : "finished", doing: "", result: event, verdict: event.verdict });
      if (event.found) Object.assign(state, { size: event.size_after, foundSize: event.size_before, shrinkTests: event.shrink_tests });
      break;
    default: // An event of a newer server.
  }
  return state;
}

function progress(state, event) {
  if (event.activity === "making_test_data") state.doing = `Making test data: ${event.done} of ${event.total}`;
  else if (event.activity === "measuring_time_limit") state.doing = `Measuring the time limit with ${event.program}`;
  else if (event.shrink_tests !== undefined) state.shrinkTests = event.shrink_tests;
  else if (event.tests !== undefined && state.phase === "running") {
    counted(state, event);
    state.doing = "Trying inputs";
  }
  if (state.phase === "queued") state.phase = "running";
}

function counted(state, { tests, seconds, largest, rate }) {
  state.tests = tests ?? state.tests;
  state.seconds = seconds ?? state.seconds;
  state.largest = largest ?? state.largest;
  state.rate = rate ?? (state.seconds > 0 ? state.tests / state.seconds : state.rate);
}

/** Returns the verdict or state of the whole search. */
export function stressBadge({ phase, result, verdict }) {
  if (phase === "shrinking") return verdict;
  if (result?.found) return verdict;
  if (phase === "finished") return result.verdict ?? (result.error ? "JE" : "none");
  return phase;
}

/** Returns the result as a sentence. */
export function stressWords({ result, tests }) {
  if (!result) return "";
  if (result.error) return result.error;
  if (result.verdict === "CE") return "The program does not compile.";
  if (!result.found) {
    if (result.cancelled) return "Cancelled before an input was found.";
    return result.all ? `The program is right on ${tests === 1 ? "the only possible input" : `all ${tests} inputs`}.` : "No input was found that the program fails. That proves nothing; a longer search tries larger inputs.";
  }
  if (!result.repeats) return "The program does not always fail on this input, so the input was not shrunk.";
  if (result.minimal) return "Minimal: no single value can be removed or made smaller.";
  return result.cancelled ? "Cancelled; a smaller input may exist." : "A smaller input may exist.";
}
