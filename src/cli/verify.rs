//! `nimatron verify`: everything a setter must know before trusting a problem.

use std::io::ErrorKind;

use anstyle::{AnsiColor, Style};
use serde_json::json;

use nimatron::problem::{Problem, load};
use nimatron::verify::{Check, Matrix, Row, Status, Strength};

use super::args::Verify;
use super::context::{Context, say};
use super::exit::{Ending, Result, Stop};
use super::table::draw;

/// Verifies problems.
pub fn verify(context: &Context, args: &Verify) -> Result {
    let shelf = context.shelf()?;
    let list = if args.problems.is_empty() {
        shelf.list().into_iter().map(|(_, dir)| dir).collect()
    } else {
        args.problems.iter().map(|name| shelf.find(name)).collect::<std::result::Result<Vec<_>, _>>()?
    };
    let strict = std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1");
    let strength = args.strength.then_some(Strength { budget: args.strength_time });
    let arena = context.arena()?;
    let mut passed = 0;
    for dir in &list {
        let whole = fs_err::canonicalize(dir).unwrap_or_else(|_| dir.clone());
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !args.json {
            say(&bold(&title(&name, load(dir).ok().as_ref()), context.color()))?;
        }
        let mut lost = None;
        let mut tell = |check: &Check| {
            let told = match args.json {
                true => say(&as_json(&name, check).to_string()),
                false if context.quiet() && check.status == Status::Pass => Ok(()),
                false => say(&(line(check, context.color()) + &beneath(check))),
            };
            told.map_err(|error| {
                let kind = error.kind();
                lost = Some(error);
                kind.into()
            })
        };
        let verified = nimatron::verify::verify(arena, dir, strict, strength, &mut tell);
        if let Some(error) = lost {
            // Whoever reads us has gone, and with it the result: that is not "verified".
            return if error.kind() == ErrorKind::BrokenPipe { Ok(Ending::Fault) } else { Err(Stop::Output(error)) };
        }
        let (good, matrix) = verified?;
        passed += usize::from(good);
        if !args.json {
            let rows = if context.quiet() { String::new() } else { table(&matrix, context.width()) };
            say(&rows)?;
        }
    }
    let good = passed == list.len();
    if args.json {
        say(&json!({ "event": "verify_finished", "problems": list.len(), "passed": passed }).to_string())?;
    } else {
        let color = if good { AnsiColor::Green } else { AnsiColor::Red };
        say(&paint(&format!("{passed} of {} problems verified", list.len()), color, context.color()))?;
    }
    Ok(if good { Ending::Good } else { Ending::Bad })
}

fn title(id: &str, problem: Option<&Problem>) -> String {
    problem.map_or_else(|| id.to_owned(), |problem| format!("{id}  {}", problem.name))
}

fn as_json(problem: &str, check: &Check) -> serde_json::Value {
    let mut object = json!({
        "event": "check_finished",
        "problem": problem,
        "check": check.name,
        "status": check.status.name(),
        "detail": check.detail,
    });
    if let Some(map) = object.as_object_mut() {
        map.extend(check.figures.clone());
    }
    object
}

fn line(check: &Check, color: bool) -> String {
    let (mark, paint_with) = match check.status {
        Status::Pass => ("pass", AnsiColor::Green),
        Status::Fail => ("FAIL", AnsiColor::Red),
        Status::Skip => ("skip", AnsiColor::Yellow),
    };
    let detail = check.detail.trim_end().replace('\n', "\n        ");
    format!("  {}  {:<44} {detail}", paint(mark, paint_with, color), check.name)
}

/// What there is to read beneath a check.
fn beneath(check: &Check) -> String {
    check.notes.lines().map(|line| format!("\n        {line}")).collect()
}

fn paint(text: &str, color: AnsiColor, colored: bool) -> String {
    let style = Style::new().fg_color(Some(color.into()));
    if colored { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

fn bold(text: &str, colored: bool) -> String {
    let style = Style::new().bold();
    if colored { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// Solutions × groups.
fn table(matrix: &Matrix, width: usize) -> String {
    if matrix.rows.is_empty() {
        return String::new();
    }
    let header = std::iter::once("solution".to_owned()).chain(matrix.groups.clone()).chain(["slowest".to_owned()]);
    let row = |row: &Row| {
        let mark = if row.unexpected { "! " } else { "" };
        let verdicts = row.verdicts.iter().map(|verdict| verdict.map_or("·".to_owned(), |v| v.to_string()));
        let slowest = format!("{:.0} ms", row.slowest.as_millis_f64());
        std::iter::once(format!("{mark}{}", row.name)).chain(verdicts).chain([slowest]).collect()
    };
    draw(header.collect(), matrix.rows.iter().map(row).collect(), width) + "\n"
}
