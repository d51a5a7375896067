//! `nimatron run --input`: shows the output of a program for one input.
//!
//! The output of the program is written to standard output, and all other text to standard error, so that the output
//! can be redirected.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use serde_json::json;

use crate::model::{Diagnostic, Event, EventKind, Failure, Outcome, Verdict};
use crate::report::{CaseTexts, JsonLines, Reporter, Screen, explain, output_section, run_line, safe, stderr_section};
use crate::service::{CustomInput, RunReport, SourceBundle};

use super::args::Run;
use super::context::{Context, say_drawn, say_json};
use super::exit::{Ending, Result};
use super::run::{rerun, theme};

/// The file name that denotes standard input.
const STANDARD_INPUT: &str = "-";

/// Reads the input given with `--input`, and the program that provides the answer. Returns `None` without `--input`.
pub(crate) fn custom_input(args: &Run) -> std::result::Result<Option<CustomInput>, Failure> {
    let Some(file) = &args.input else { return Ok(None) };
    let (name, content) = if is_standard_input(file) {
        let mut content = Vec::new();
        if io::stdin().is_terminal() {
            anstream::eprintln!("type the input, and end it with Ctrl-D");
        }
        io::stdin().lock().read_to_end(&mut content).map_err(|error| Failure::user_file(&error))?;
        ("standard input".to_owned(), content)
    } else {
        (file.display().to_string(), fs_err::read(file).map_err(|error| Failure::user_file(&error))?)
    };
    let read = |path: &std::path::PathBuf| SourceBundle::read(path, None);
    let answered_by = args.against.as_ref().map(read).transpose()?;
    Ok(Some(CustomInput { name, content: content.into(), answered_by, answer: None }))
}

/// Returns whether a path denotes standard input.
pub(crate) fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == STANDARD_INPUT
}

/// Returns an error if the value of `--input` is `-`, because `watch` can't read standard input more than once.
pub(crate) fn refuse_standard_input(args: &Run) -> std::result::Result<(), Failure> {
    match &args.input {
        Some(file) if is_standard_input(file) => {
            Err(Diagnostic::new("`watch` runs the program repeatedly, but standard input can be read only once")
                .help("save the input to a file, and specify it with `--input FILE`")
                .into())
        }
        _ => Ok(()),
    }
}

/// Returns whether the run has an output that was not checked.
pub(crate) fn is_plain_run(report: &RunReport) -> bool {
    report.output.as_ref().is_some_and(|output| !output.checked)
}

/// Shows an output that was not checked, and how the run ended.
pub(crate) fn show_plain_run(context: &Context, args: &Run, report: &RunReport, limits: Screen) -> Result {
    let screen =
        Screen { theme: if context.color_errors() { theme(context) } else { crate::report::Theme::plain() }, ..limits };
    let output = report.output.as_ref().map(|output| output.content.0.as_slice()).unwrap_or_default();
    write_output(output)?;
    let result = report.log.iter().find_map(|entry| match &entry.kind {
        EventKind::CaseFinished(result) => Some(result),
        _ => None,
    });
    let Some(result) = result else { return Ok(Ending::of(&report.summary.outcome)) };
    let shown = match result.verdict {
        Verdict::Accepted if context.quiet() => String::new(),
        Verdict::Accepted => stderr_section(result, &screen) + &run_line(result, &screen),
        _ => {
            let typed = rerun(context, args, result.case.as_str());
            let input = report.failures.first().map(|failed| &*failed.input).unwrap_or_default();
            let texts = CaseTexts { input, expected: &[], actual: &[], rerun: &typed };
            explain(result, &texts, &screen)
        }
    };
    if !shown.is_empty() {
        anstream::eprintln!("{}", shown.trim_end());
    }
    Ok(Ending::of(&report.summary.outcome))
}

/// Shows the output of the program if the program was accepted.
pub(crate) fn show_checked_output(report: &RunReport, screen: &Screen) -> Result<()> {
    let accepted = matches!(report.summary.outcome, Outcome::Final { verdict: Verdict::Accepted, .. });
    match &report.output {
        Some(output) if accepted => Ok(say_drawn(output_section(&output.content.0, screen).trim_end())?),
        _ => Ok(()),
    }
}

/// Writes the events of a run as JSON lines. The output of the program is written before the last event.
pub(crate) fn write_events(events: &[Event], report: &RunReport) -> Result<()> {
    let mut lines = JsonLines::new(io::stdout());
    for event in events {
        if let (EventKind::RunFinished(_), Some(output)) = (&event.kind, &report.output) {
            let text = String::from_utf8_lossy(&output.content.0);
            say_json(&json!({ "event": "program_output", "output": text, "checked": output.checked }))?;
        }
        lines.emit(event)?;
    }
    Ok(())
}

/// Writes an output: unchanged to a file or a pipe, and with control characters made visible to a terminal.
fn write_output(output: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let text = safe(&String::from_utf8_lossy(output));
        out.write_all(text.as_bytes())?;
        if !text.is_empty() && !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
    } else {
        out.write_all(output)?;
    }
    out.flush()
}
