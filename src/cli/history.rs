//! `nimatron history`: lists recorded runs, newest first.

use std::path::Path;

use serde_json::json;

use crate::clock::now;
use crate::history::{HistoryFilter, HistoryRow, HistoryStore, ProblemKey, ago};
use crate::model::{Diagnostic, Failure, TimeSpan};
use crate::report::fit_at_end;
use crate::service::catalog_key;

use super::args::History;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::place::shown_path;
use super::standing::timestamp;
use super::table::draw;

/// Minimum width of the terminal, in characters, at which every column of the table is shown.
const WIDE: usize = 90;
/// Minimum width of the terminal, in characters, at which the columns `language`, `cases` and `time` are shown.
const MEDIUM: usize = 70;

/// Runs `nimatron history` and returns how the command ended.
pub(crate) fn history(context: &Context, args: &History) -> Result {
    let filter = filter(context, args)?;
    let rows = match HistoryStore::read(context.state())? {
        Some(history) => history.runs(&filter)?,
        None => Vec::new(),
    };
    if args.json {
        rows.iter().try_for_each(|row| say_json(&as_json(row)))?;
    } else if !rows.is_empty() {
        say(&table(&rows, context.width()))?;
    } else if filter.limit != Some(0) && filter == (HistoryFilter { limit: filter.limit, ..HistoryFilter::default() }) {
        say("no runs are recorded yet; to record a run, use `nimatron run PROBLEM PROGRAM`")?;
    } else {
        say("no matching runs")?;
    }
    Ok(Ending::Good)
}

fn filter(context: &Context, args: &History) -> std::result::Result<HistoryFilter, Failure> {
    let since = args.since.as_deref().map(|text| {
        crate::history::since(text, now()).ok_or_else(|| {
            Diagnostic::new(format!(
                "`--since`: expected a duration such as `7d`, `2w`, `12h` or `30min`, or a date such as `2026-10-01`, \
                 found `{text}`"
            ))
        })
    });
    Ok(HistoryFilter {
        problem: args.problem.as_deref().map(|name| key(context, name)).transpose()?,
        verdicts: args.verdict.clone(),
        since: since.transpose()?,
        language: args.language.clone(),
        limit: args.limit,
    })
}

/// Returns the key of a problem in the history, and a second id under which to look for it (empty if there is none).
/// `name` is the id of a problem in the catalog, or the path of a folder, which need not exist anymore. A name that is
/// not in the catalog, contains no `/` and is not an existing path may be the id of a removed problem, so it is also
/// returned as the second id.
fn key(context: &Context, name: &str) -> std::result::Result<(ProblemKey, String), Failure> {
    let catalog = context.catalog()?;
    let path = Path::new(name);
    if let Some((id, dir)) = catalog.list().into_iter().find(|(id, _)| id.as_str() == name) {
        return Ok((catalog_key(&catalog, &dir, &id), String::new()));
    }
    let id = if name.contains('/') || path.exists() { String::new() } else { name.to_owned() };
    Ok((ProblemKey::at(path), id))
}

fn table(rows: &[HistoryRow], width: usize) -> String {
    let now = now();
    let mut header = vec!["when", "verdict", "problem", "program"];
    if width >= MEDIUM {
        header.extend(["language", "cases", "time"]);
    }
    if width >= WIDE {
        header.push("memory");
    }
    let cells = |HistoryRow { at, run }: &HistoryRow| {
        let problem =
            run.problem.path().map_or_else(|| run.id.clone(), |path| fit_at_end(&shown_path(&path), width / 4));
        let part = if run.whole { "" } else { " (part)" };
        let program = Path::new(&run.program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut cells = vec![ago(*at, now), run.verdict.to_string(), problem, program];
        if width >= MEDIUM {
            let cases = if run.cases.1 == 0 { String::new() } else { format!("{}/{}{part}", run.cases.0, run.cases.1) };
            let time = run.time.map(shown_time).unwrap_or_default();
            cells.extend([run.language.clone(), cases, time]);
        }
        if width >= WIDE {
            let memory = run.memory.get() as f64 / 1_048_576.0;
            cells.push(if run.memory.get() == 0 { String::new() } else { format!("{memory:.1} MiB") });
        }
        cells
    };
    draw(header.into_iter().map(str::to_owned).collect(), rows.iter().map(cells).collect(), width)
}

fn shown_time(time: TimeSpan) -> String {
    let millis = time.as_millis_f64();
    if millis < 999.5 { format!("{millis:.0} ms") } else { format!("{:.2} s", time.as_seconds_f64()) }
}

fn as_json(HistoryRow { at, run }: &HistoryRow) -> serde_json::Value {
    json!({
        "at": timestamp(*at),
        "problem": run.id,
        "title": run.title,
        "folder": run.problem.path(),
        "program": run.program,
        "language": run.language,
        "verdict": run.verdict,
        "score": run.score.0,
        "max_score": run.score.1,
        "accepted": run.cases.0,
        "cases": run.cases.1,
        "time_ms": run.time.map(|time| time.as_millis_f64()),
        "memory_bytes": run.memory.get(),
        "all_cases": run.whole,
    })
}
