//! Opens the history, records runs in it, and describes the runs on a problem.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use crate::history::{HISTORY_FILE, HistoryStore, KnownProblem, ProblemKey, RunStanding, ago};
use crate::model::{Failure, ProblemId};
use crate::report::{render_diagnostic, safe};
use crate::service::{PreparedProblem, RunReport, RunScope, prepared_key, recorded_run};

use super::args::Run;
use super::context::Context;

/// Opens the history for reading. Returns `None` if there is no history, or if it can't be read; in the second case, a
/// warning is printed, and the command continues without the history.
pub(crate) fn readable_history(context: &Context) -> Option<HistoryStore> {
    HistoryStore::read(context.state()).unwrap_or_else(|failure| {
        warn(context, "earlier runs are not shown", &failure);
        None
    })
}

/// Returns all problems of the history; an empty map if the history can't be read.
pub(crate) fn known_problems(context: &Context) -> HashMap<ProblemKey, KnownProblem> {
    let Some(history) = readable_history(context) else { return HashMap::new() };
    let problems = history.problems().unwrap_or_else(|failure| {
        warn(context, "earlier runs are not shown", &failure);
        Vec::new()
    });
    problems.into_iter().map(|problem| (problem.key.clone(), problem)).collect()
}

/// Returns the entry with the key `key` or, if there is none, the entry whose key is only the id `id`, because earlier
/// versions recorded only ids. Returns `None` if there is neither.
pub(crate) fn known<'k>(
    problems: &'k HashMap<ProblemKey, KnownProblem>,
    key: &ProblemKey,
    id: &ProblemId,
) -> Option<&'k KnownProblem> {
    problems.get(key).or_else(|| problems.get(&ProblemKey::embedded(id)))
}

/// Reads the history and returns the entry of one problem, chosen as in [`known`]; `None` if there is none or the
/// history can't be read.
pub(crate) fn known_problem(context: &Context, key: &ProblemKey, id: &ProblemId) -> Option<KnownProblem> {
    let history = readable_history(context)?;
    let found = history.problem(key).and_then(|found| match found {
        Some(found) => Ok(Some(found)),
        None => history.problem(&ProblemKey::embedded(id)),
    });
    found.unwrap_or_else(|failure| {
        warn(context, "earlier runs are not shown", &failure);
        None
    })
}

/// The history in which a run will be recorded. If it exists, it is opened on another thread while the program runs.
pub(crate) struct OpeningHistory {
    state: PathBuf,
    /// The thread that opens the history; `None` if it did not exist or no thread could be started.
    thread: Option<JoinHandle<Result<HistoryStore, Failure>>>,
}

impl OpeningHistory {
    /// Starts to open the history, unless it does not exist.
    pub(crate) fn start(context: &Context) -> OpeningHistory {
        let state = context.state().to_owned();
        let exists = state.join(HISTORY_FILE).exists();
        let opened = state.clone();
        let open = move || HistoryStore::open(&opened);
        let thread = exists.then(|| Builder::new().name("history".to_owned()).spawn(open).ok()).flatten();
        OpeningHistory { state, thread }
    }

    /// Waits until the history is open, and returns it. Creates it if it does not exist.
    fn wait(self) -> Result<HistoryStore, Failure> {
        let opened = self.thread.and_then(|thread| thread.join().ok());
        opened.unwrap_or_else(|| HistoryStore::open(&self.state))
    }
}

/// Records a completed run in `history`. If the history could not be opened or recording fails, a warning is printed, and
/// the result of the run is not affected.
pub(crate) fn record(
    context: &Context,
    args: &Run,
    (problem, scope): (&PreparedProblem, RunScope),
    report: &RunReport,
    history: OpeningHistory,
) {
    let Ok(catalog) = context.catalog() else { return };
    let key = prepared_key(&catalog, &args.problem, problem);
    let Some(run) = recorded_run(problem, key, absolute(&args.program), scope, report) else { return };
    if let Err(failure) = history.wait().and_then(|mut history| history.record(&run)) {
        warn(context, "the run was not recorded in the history", &failure);
    }
}

fn absolute(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole.to_string_lossy().into_owned()
}

/// Prints a warning about the history, unless `--quiet` is given. The exit code is not affected.
pub(crate) fn warn(context: &Context, what: &str, failure: &Failure) {
    if context.quiet() {
        return;
    }
    let text = match failure {
        Failure::Complaint(complaint) => render_diagnostic(complaint, false, context.width()),
        Failure::Fault(fault) => fault.message.clone(),
    };
    let text = text.trim().trim_start_matches("error: ").lines().map(str::trim).collect::<Vec<_>>().join("; ");
    anstream::eprintln!("warning: {what}: {}", safe(&text));
}

/// Returns the mark of a problem: solved, tried, or neither.
pub(crate) fn mark(known: Option<&KnownProblem>) -> &'static str {
    match known {
        Some(known) if known.solved() => "✓",
        Some(KnownProblem { standing: Some(_), .. }) => "✗",
        _ => "·",
    }
}

/// Returns a short description of the latest run, such as `WA 2 h ago`; empty if there is none.
pub(crate) fn latest(known: Option<&KnownProblem>, now: i64) -> String {
    let standing = known.and_then(|known| known.standing.as_ref());
    standing.map(|last| format!("{} {}", last.last_verdict.short(), ago(last.last_at, now))).unwrap_or_default()
}

/// Summarizes the runs on a problem in one line of Markdown, such as ``solved · last WA 2 h ago with `my.cpp` · 3
/// runs``.
pub(crate) fn summary(standing: &RunStanding, now: i64) -> String {
    let solved = if standing.solved { "solved" } else { "not solved" };
    let program = Path::new(&standing.last_program).file_name().unwrap_or_default().to_string_lossy().replace('`', "");
    let (verdict, when) = (standing.last_verdict.short(), ago(standing.last_at, now));
    let runs = if standing.runs == 1 { "1 run".to_owned() } else { format!("{} runs", standing.runs) };
    format!("{solved} · last {verdict} {when} with `{program}` · {runs}")
}

/// Returns the latest run as JSON; null if there is none.
pub(crate) fn latest_json(known: Option<&KnownProblem>) -> serde_json::Value {
    let Some(standing) = known.and_then(|known| known.standing.as_ref()) else { return serde_json::Value::Null };
    serde_json::json!({
        "verdict": standing.last_verdict,
        "at": timestamp(standing.last_at),
        "program": standing.last_program,
        "runs": standing.runs,
    })
}

/// Formats a time in seconds since the Unix epoch for JSON, such as `2026-03-01T23:59:00Z`.
pub(crate) fn timestamp(seconds: i64) -> String {
    crate::grade::time::show(seconds)
}
