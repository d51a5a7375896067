//! `nimatron list`: the problems, and which of them you have solved.

use serde_json::json;

use nimatron::problem::{Problem, load};
use nimatron::report::render_diagnostic;

use super::args::List;
use super::context::{Context, say};
use super::exit::{Ending, Result};
use super::solved::Solved;
use super::table::draw;

/// Lists the problems.
pub fn list(context: &Context, args: &List) -> Result {
    let solved = Solved::read(context.state());
    let mut rows = Vec::new();
    let mut ending = Ending::Good;
    for (id, dir) in context.shelf()?.list() {
        match load(&dir) {
            Ok(problem) if matches(&problem, args.word.as_deref()) => rows.push(problem),
            Ok(_) => {}
            Err(complaint) => {
                ending = Ending::Usage;
                anstream::eprintln!("{}", render_diagnostic(&complaint, context.color_errors(), context.width()));
                anstream::eprintln!("{id} is left out of the list");
            }
        }
    }
    if args.json {
        for problem in &rows {
            say(&as_json(problem, solved.contains(&problem.id)).to_string())?;
        }
    } else if rows.is_empty() {
        say("no problem matches")?;
    } else {
        say(&table(&rows, &solved, context.width()))?;
    }
    Ok(ending)
}

fn matches(problem: &Problem, word: Option<&str>) -> bool {
    let Some(word) = word.map(str::to_lowercase) else { return true };
    let texts = [problem.id.as_str(), &problem.name, problem.source.as_deref().unwrap_or("")];
    texts.into_iter().chain(problem.keywords.iter().map(String::as_str)).any(|text| text.to_lowercase().contains(&word))
}

fn as_json(problem: &Problem, solved: bool) -> serde_json::Value {
    json!({
        "id": problem.id,
        "name": problem.name,
        "keywords": problem.keywords,
        "limits": {
            "time_ms": problem.limits.cpu.as_micros() / 1_000,
            "time_auto": problem.time == nimatron::problem::Time::Auto,
            "memory_bytes": problem.limits.memory.get(),
        },
        "solved": solved,
    })
}

fn table(problems: &[Problem], solved: &Solved, width: usize) -> String {
    let row = |problem: &Problem| {
        let mark = if solved.contains(&problem.id) { "✓" } else { "·" };
        let mut row = vec![mark.to_owned(), problem.id.to_string(), problem.name.clone()];
        if width >= 70 {
            row.push(problem.source.clone().unwrap_or_default());
        }
        row
    };
    draw(Vec::new(), problems.iter().map(row).collect(), width)
}
