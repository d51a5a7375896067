//! `nimatron list`: lists the problems and shows which of them are solved.

use serde_json::json;

use nimatron::model::{ByteSize, Failure, ProblemId, TimeSpan};
use nimatron::package::Package;
use nimatron::problem::{Problem, TimeLimitSource, load};
use nimatron::report::render_diagnostic;

use super::args::List;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::solved::Solved;
use super::table::draw;

/// A line of the list: a native problem or a package.
struct ListRow {
    id: ProblemId,
    name: String,
    source: Option<String>,
    keywords: Vec<String>,
    /// Time limit; `None` if it is computed from the solutions.
    time: Option<TimeSpan>,
    /// Upper bound of a computed time limit.
    most: TimeSpan,
    memory: ByteSize,
}

impl ListRow {
    fn of_problem(problem: Problem) -> ListRow {
        ListRow {
            time: (problem.time != TimeLimitSource::Auto).then_some(problem.limits.cpu),
            most: problem.limits.cpu,
            memory: problem.limits.memory,
            id: problem.id,
            name: problem.name,
            source: problem.source,
            keywords: problem.keywords,
        }
    }

    fn of_package(id: ProblemId, package: Package) -> ListRow {
        let name = package.title().to_owned();
        let limits = package.limits;
        ListRow {
            id,
            name,
            source: package.source,
            keywords: package.keywords,
            time: limits.time,
            most: limits.time.unwrap_or_default(),
            memory: limits.memory,
        }
    }
}

/// Runs the subcommand.
pub fn list(context: &Context, args: &List) -> Result {
    let solved = Solved::read(context.state());
    let mut rows = Vec::new();
    let mut ending = Ending::Good;
    for (id, dir) in context.catalog()?.list() {
        let row = if nimatron::package::is_package(&dir) {
            nimatron::package::open(&dir, context.cache()).map(|package| ListRow::of_package(id.clone(), package))
        } else {
            load(&dir).map(ListRow::of_problem).map_err(Failure::from)
        };
        match row {
            Ok(row) if matches(&row, args.word.as_deref()) => rows.push(row),
            Ok(_) => {}
            Err(Failure::Complaint(complaint)) => {
                ending = Ending::Usage;
                anstream::eprintln!("{}", render_diagnostic(&complaint, context.color_errors(), context.width()));
                anstream::eprintln!("note: `{id}` is omitted from the list");
            }
            Err(fault) => return Err(fault.into()),
        }
    }
    if args.json {
        for row in &rows {
            say_json(&as_json(row, solved.contains(&row.id)))?;
        }
    } else if rows.is_empty() {
        say("no matching problems")?;
    } else {
        say(&table(&rows, &solved, context.width()))?;
    }
    Ok(ending)
}

fn matches(row: &ListRow, word: Option<&str>) -> bool {
    let Some(word) = word.map(str::to_lowercase) else { return true };
    let texts = [row.id.as_str(), &row.name, row.source.as_deref().unwrap_or("")];
    texts.into_iter().chain(row.keywords.iter().map(String::as_str)).any(|text| text.to_lowercase().contains(&word))
}

fn as_json(row: &ListRow, solved: bool) -> serde_json::Value {
    json!({
        "id": row.id,
        "name": row.name,
        "keywords": row.keywords,
        "limits": {
            "time_ms": row.most.as_micros() / 1_000,
            "time_auto": row.time.is_none(),
            "memory_bytes": row.memory.get(),
        },
        "solved": solved,
    })
}

fn table(rows: &[ListRow], solved: &Solved, width: usize) -> String {
    let cells = |row: &ListRow| {
        let mark = if solved.contains(&row.id) { "✓" } else { "·" };
        let mut cells = vec![mark.to_owned(), row.id.to_string(), row.name.clone()];
        if width >= 70 {
            cells.push(row.source.clone().unwrap_or_default());
        }
        cells
    };
    draw(Vec::new(), rows.iter().map(cells).collect(), width)
}
