//! `nimatron verify`: checks the data, statement and solutions of problems.

use std::io::ErrorKind;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::model::Failure;
use crate::report::{safe, wrap};
use crate::service::ProblemSource;
use crate::verify::{
    Check, Matrix, MatrixRow, ProblemToVerify, Step, Strength, Verification, VerifyOptions, headline, page,
};

use super::args::Verify;
use super::bar_terminal::bar_target;
use super::context::{Context, say, say_drawn, say_json};
use super::exit::{EarlyExit, Ending, Result};
use super::table::draw;

/// Runs `nimatron verify` and returns how the command ended.
pub(crate) fn verify(context: &Context, args: &Verify) -> Result {
    let catalog = context.catalog()?;
    let list = if args.problems.is_empty() {
        catalog.list().into_iter().map(|(_, dir)| ProblemSource::of_path(dir)).collect()
    } else {
        args.problems.iter().map(|name| Ok(ProblemSource::find(&catalog, name)?)).collect::<Result<Vec<_>>>()?
    };
    let mut done = Vec::new();
    let ended = all(context, args, &list, &mut done);
    let passed = done.iter().filter(|problem| problem.good).count();
    if let Err(EarlyExit::Output(error)) = &ended
        && error.kind() == ErrorKind::BrokenPipe
    {
        // The reader closed the pipe, so the result was not reported and must not count as success.
        return Ok(Ending::Fault);
    }
    let good = ended.is_ok() && passed == list.len();
    // The last line of JSON is also printed after a fault.
    if args.json {
        say_json(&json!({ "event": "verify_finished", "problems": list.len(), "passed": passed }))?;
    } else if ended.is_ok() {
        let color = if good { AnsiColor::Green } else { AnsiColor::Red };
        say_drawn(&paint(&headline(&done), color, context.color()))?;
    }
    if let Some(path) = &args.html {
        fs_err::write(path, page(&done))
            .map_err(|error| Failure::complaint(format!("cannot write the HTML page: {error}")))?;
    }
    ended?;
    Ok(if good { Ending::Good } else { Ending::Bad })
}

/// Verifies the problems in the order of `list`. If an error ends the verification, `done` contains the results so far.
fn all(context: &Context, args: &Verify, list: &[ProblemSource], done: &mut Vec<Verification>) -> Result<()> {
    let bar = progress_bar(context);
    let options = VerifyOptions {
        strict: std::env::var_os("NIMATRON_STRICT").is_some_and(|value| value == "1"),
        fail_fast: args.fail_fast,
        strength: args.strength.as_ref().map(|name| Strength {
            budget: args.strength_time,
            solution: Some(name.as_str()).filter(|name| !name.is_empty()),
        }),
        again: args.again,
        positions: args.positions as usize,
        progress: &|step: &Step| show(&bar, step),
    };
    let service = context.service()?;
    for source in list {
        let problem = ProblemToVerify::read(service, source, options.progress);
        let (id, notes) = (problem.id.clone(), problem.notes());
        if !args.json {
            bar.suspend(|| say_drawn(&bold(&safe(&problem.title), context.color())))?;
        }
        let mut write_error = None;
        let mut emit = |check: &Check| {
            let printed = bar.suspend(|| match args.json {
                true => say_json(&as_json(&id, check)),
                false if context.quiet() && check.mark().0 == "pass" => Ok(()),
                false => {
                    let width = context.on_terminal().then(|| context.width());
                    say_drawn(&(line(check, context.color(), width) + &safe(&lines_below(check, width))))
                }
            });
            printed.map_err(|error| {
                let kind = error.kind();
                write_error = Some(error);
                kind.into()
            })
        };
        let mut found = Verification { id: id.clone(), ..Verification::default() };
        let verified = problem.verify(service, options, &mut found, &mut emit);
        bar.set_length(0);
        bar.set_message("");
        let rows = if context.quiet() { String::new() } else { table(&found.matrix, context.width()) };
        done.push(found);
        if let Some(error) = write_error {
            return Err(EarlyExit::Output(error));
        }
        verified?;
        if !args.json {
            say(&rows)?;
            notes.iter().filter(|_| context.verbose()).try_for_each(|note| say(&format!("  note  {note}")))?;
        }
    }
    Ok(())
}

/// Creates the progress bar that shows the current step. The bar is hidden if progress output is disabled.
fn progress_bar(context: &Context) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), bar_target(context.progress()));
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, step: &Step) {
    let parts = step.parts.map(|(done, all)| format!("{done}/{all} · ")).unwrap_or_default();
    let left = step.left.map(|left| format!(" · about {} left", duration(left))).unwrap_or_default();
    bar.set_message(format!("{parts}{}{left}", safe(&step.text)));
}

/// Formats an estimated remaining time: in seconds if it is at most 90 seconds, and otherwise in minutes, rounded up.
fn duration(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=90 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
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
        if !check.warnings.is_empty() {
            map.insert("warnings".to_owned(), check.warnings.clone().into());
        }
        if check.cached {
            map.insert("cached".to_owned(), true.into());
        }
        if !check.notes.is_empty() {
            map.insert("notes".to_owned(), check.notes.clone().into());
        }
    }
    object
}

/// Maximum width of the column with the names of checks. The column is also limited to a third of the width of the
/// terminal.
const NAME: usize = 44;
/// Number of columns by which the name of a check and the lines below it are indented.
const INDENT: usize = 8;

/// Formats the status, the name and the detail of a check. If `width` is given, the detail is wrapped at this width.
fn line(check: &Check, color: bool, width: Option<usize>) -> String {
    let (class, word) = check.mark();
    let paint_with = match class {
        "pass" => AnsiColor::Green,
        "fail" => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    let detail = safe(check.detail.trim_end());
    let detail = if check.cached { format!("{detail}  (cached)") } else { detail };
    let column = width.map_or(NAME, |width| NAME.min(width / 3));
    let name = format!("{:<column$}", safe(&check.name));
    let head = format!("  {}  {name}", paint(word, paint_with, color));
    let fits =
        |width: usize| !detail.contains('\n') && INDENT + [&name, " ", &detail].concat().chars().count() <= width;
    match width.filter(|width| !fits(*width)) {
        None => format!("{head} {}", detail.replace('\n', "\n        ")),
        Some(width) => {
            let start = INDENT + column + 1;
            let first = if name.chars().count() > column { format!("\n{}", " ".repeat(start)) } else { " ".to_owned() };
            format!("{head}{first}{}", wrapped(&detail, start, width))
        }
    }
}

/// Wraps a text whose lines begin at column `start` so that no line extends beyond `width` columns.
fn wrapped(text: &str, start: usize, width: usize) -> String {
    let lines: Vec<String> = text.lines().flat_map(|line| wrap(line, width.saturating_sub(start))).collect();
    lines.join(&format!("\n{}", " ".repeat(start)))
}

/// Formats the warnings and notes of a check as indented lines, each of which begins with a line break.
fn lines_below(check: &Check, width: Option<usize>) -> String {
    let warnings = check.warnings.iter().map(|warning| format!("warning: {warning}"));
    let below = |line: String| match width {
        Some(width) if !line.starts_with(' ') => wrapped(&line, INDENT, width),
        _ => line,
    };
    let lines = warnings.chain(check.notes.lines().map(str::to_owned)).map(below);
    lines.map(|line| format!("\n{}{line}", " ".repeat(INDENT))).collect()
}

fn paint(text: &str, color: AnsiColor, colored: bool) -> String {
    let style = Style::new().fg_color(Some(color.into()));
    if colored { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

fn bold(text: &str, colored: bool) -> String {
    let style = Style::new().bold();
    if colored { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// Returns a table with a row for each solution: the verdict in each group, and the CPU time of the slowest case.
fn table(matrix: &Matrix, width: usize) -> String {
    if matrix.rows.is_empty() {
        return String::new();
    }
    let header = std::iter::once("solution".to_owned()).chain(matrix.groups.clone()).chain(["slowest".to_owned()]);
    let row = |row: &MatrixRow| {
        let mark = if row.unexpected { "! " } else { "" };
        let verdicts = row.cells.iter().map(|cell| cell.map_or("·".to_owned(), |cell| cell.verdict.to_string()));
        let slowest = format!("{:.0} ms", row.slowest.as_millis_f64());
        std::iter::once(format!("{mark}{}", row.name)).chain(verdicts).chain([slowest]).collect()
    };
    draw(header.collect(), matrix.rows.iter().map(row).collect(), width) + "\n"
}

#[cfg(test)]
mod tests {
    use crate::verify::Status;

    use super::*;

    #[test]
    fn a_terminal_gets_wrapped_lines() {
        let check = Check::new("inputs", Status::Pass, "all of the 12 inputs match the description of the input");
        let plain = line(&check, false, None);
        assert_eq!(plain.lines().count(), 1, "{plain}");
        let narrow = line(&check, false, Some(60));
        let wanted = "  pass  inputs               all of the 12 inputs match the\n                             \
            description of the input";
        assert_eq!(narrow, wanted);
        let long = Check::new("accepted/a_rather_long_name.cpp", Status::Fail, "WA on a case");
        let wanted = format!("  FAIL  accepted/a_rather_long_name.cpp\n{}WA on a case", " ".repeat(25));
        assert_eq!(line(&long, false, Some(48)), wanted);
    }
}
