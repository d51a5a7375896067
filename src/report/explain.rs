//! Explains a case that was not accepted: its input, the difference between the outputs, and the command that runs it
//! again.

use super::clip::{block, ends};
use super::compare::{diff, first_difference};
use super::screen::Screen;
use super::text::{count, fit, round, safe, time, width, wrap};
use super::theme::Paint;
use crate::model::{CaseResult, Exit, Limits, Verdict};

/// The input and the outputs of a case, and the command that runs it again.
#[derive(Debug, Clone, Copy)]
pub struct CaseTexts<'a> {
    /// Input of the case.
    pub input: &'a [u8],
    /// Expected output.
    pub expected: &'a [u8],
    /// Output of the program.
    pub actual: &'a [u8],
    /// Command that runs only this case.
    pub rerun: &'a str,
}

/// Explains a case: its verdict in words, its input, the first difference, a diff, standard error, and the command.
///
/// The limits of the problem are read from `screen`. Long texts are cut.
pub fn explain(result: &CaseResult, evidence: &CaseTexts<'_>, screen: &Screen) -> String {
    let mut text = heading(result, screen);
    for line in wrap(&safe(&reason(result, screen.limits.as_ref())), screen.width) {
        text += &format!("{line}\n");
    }
    text += &section(screen, "input", &block(evidence.input, screen));
    if matches!(result.verdict, Verdict::WrongAnswer | Verdict::PresentationError | Verdict::Partial) {
        text += &texts(result, evidence, screen);
    }
    text += &stderr_section(result, screen);
    let rerun = screen.theme.paint(Paint::Code, safe(evidence.rerun));
    text + &section(screen, "run only this case", &format!("  {rerun}\n"))
}

/// Returns a rule across the screen that contains the case and its verdict.
fn heading(result: &CaseResult, screen: &Screen) -> String {
    let title = format!("{}: {}", result.case, result.verdict.long());
    let title = fit(&safe(&title), screen.width.saturating_sub(6));
    let rest = screen.width.saturating_sub(width(&title) + 4);
    let rule = |count| screen.theme.paint(Paint::Faint, "─".repeat(count));
    format!("{} {} {}\n", rule(2), screen.theme.verdict(result.verdict, title), rule(rest))
}

fn section(screen: &Screen, title: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("\n{}\n{body}", screen.theme.paint(Paint::Strong, title))
}

/// Returns the sections that compare the expected and the actual output: the first difference, and a diff if a text has
/// more than one line. If the difference is not known, the start of each output is shown instead.
fn texts(result: &CaseResult, evidence: &CaseTexts<'_>, screen: &Screen) -> String {
    let Some(difference) = &result.difference else {
        // The outputs of an interactive case are not compared.
        if evidence.expected.is_empty() && evidence.actual.is_empty() {
            return String::new();
        }
        let expected = section(screen, "expected", &block(evidence.expected, screen));
        return expected + &section(screen, "found", &block(evidence.actual, screen));
    };
    let visible = result.verdict == Verdict::PresentationError;
    let first = first_difference(difference, evidence, visible, screen);
    let rest = diff(difference, evidence, visible, screen);
    section(screen, "first difference", &first) + &section(screen, "diff (- expected, + found)", &rest)
}

/// Returns the section that explains why the expected answer is correct. Long lines are wrapped.
pub fn why_section(why: &str, screen: &Screen) -> String {
    let lines = why.lines().flat_map(|line| match line.starts_with(' ') {
        // The columns of a table would be lost by wrapping.
        true => vec![safe(line)],
        false => {
            wrap(&safe(line), screen.width.saturating_sub(2)).into_iter().map(|line| format!("  {line}")).collect()
        }
    });
    let body: String = lines.map(|line| format!("{line}\n")).collect();
    section(screen, "why the expected answer is right", &body)
}

/// Returns the section that shows the output of a program.
pub fn output_section(output: &[u8], screen: &Screen) -> String {
    section(screen, "output", &block(output, screen))
}

/// Returns the line with the resource usage of a program that ended normally on an input without an answer.
pub fn run_line(result: &CaseResult, screen: &Screen) -> String {
    let of = |limit: fn(&Limits) -> String| {
        screen.limits.as_ref().map_or_else(String::new, |limits| format!(" of {}", round(limit(limits))))
    };
    let (cpu, memory) = (time(result.usage.cpu), result.usage.memory.human());
    let time_limit = of(|limits| time(limits.cpu));
    let line = format!("ended normally · {cpu}{time_limit} · {memory}{}", of(|limits| limits.memory.human()));
    format!("{}\n", screen.theme.paint(Paint::Faint, fit(&line, screen.width)))
}

/// Returns the section with the captured standard error of a program; empty if there is none.
pub fn stderr_section(result: &CaseResult, screen: &Screen) -> String {
    let captured = &result.stderr;
    if captured.bytes == 0 {
        return String::new();
    }
    let title = if captured.cut {
        let all = usize::try_from(captured.bytes).unwrap_or(usize::MAX);
        format!("standard error (the beginning of {})", count(all, "byte", "bytes"))
    } else {
        "standard error".to_owned()
    };
    section(screen, &title, &ends(captured.text.as_bytes(), screen))
}

/// The exit of a program that was stopped, for example by the kernel at its memory limit.
const KILLED: Exit = Exit::Signal(9);

/// Returns true if the memory that a program used is not greater than the limit, or is displayed as if it were equal,
/// although the program needed more.
fn needed_more(result: &CaseResult, limits: &Limits) -> bool {
    let used = result.usage.memory;
    used.human() == limits.memory.human() || (result.exit == KILLED && used < limits.memory)
}

/// Returns a description of the reason for the verdict.
fn reason(result: &CaseResult, limits: Option<&Limits>) -> String {
    let usage = &result.usage;
    let (cpu, wall) = (time(usage.cpu), time(usage.wall));
    let limit = |value: fn(&Limits) -> String| {
        limits.map_or_else(String::new, |limits| format!("; the limit is {}", round(value(limits))))
    };
    let said = |otherwise: String| result.message.clone().unwrap_or(otherwise);
    let measured = match result.verdict {
        Verdict::Accepted => return said("the output is correct".to_owned()),
        Verdict::Partial => {
            let share = format!("{}% of the points", f64::from(result.credit.as_millionths()) / 10_000.0);
            return result.message.as_ref().map_or(share.clone(), |message| format!("{share}: {message}"));
        }
        Verdict::WrongAnswer | Verdict::PresentationError => {
            let first = result.difference.as_ref().map(|difference| difference.message.clone());
            return said(first.unwrap_or_else(|| "the output is not accepted".to_owned()));
        }
        Verdict::RuntimeError => match result.exit {
            Exit::Code(code) => format!("the program ended with exit code {code} after {cpu}; expected exit code 0"),
            signal @ Exit::Signal(_) => format!("the program was killed by {signal} after {cpu}"),
        },
        // The program was stopped at the wall time limit while it was running or waiting for a CPU.
        Verdict::TimeLimit if limits.is_some_and(|limits| usage.cpu <= limits.cpu) => {
            let limit = limit(|limits| format!("{} of wall time", round(time(limits.wall))));
            format!("the program ran for {wall} and used {cpu} of CPU time{limit}")
        }
        // The time often exceeds the limit only slightly, so it is shown with three decimal places.
        Verdict::TimeLimit => {
            let used = usage.cpu.as_seconds_f64();
            format!("the program used {used:.3} s of CPU time{}", limit(|limits| time(limits.cpu)))
        }
        Verdict::IdleLimit => {
            let limit = limit(|limits| format!("{} of wall time", round(time(limits.wall))));
            format!("the program was idle: it used {cpu} of CPU time in {wall}{limit}")
        }
        // At level A the use never exceeds the limit, because the kernel kills a program that needs more. It may be less
        // than the limit if the kernel counted memory of the cell.
        Verdict::MemoryLimit if limits.is_some_and(|limits| needed_more(result, limits)) => {
            format!("the program needed more memory than it may use{}", limit(|limits| limits.memory.human()))
        }
        // The run-time system failed when it requested more memory.
        Verdict::MemoryLimit if result.exit != KILLED && limits.is_some_and(|limits| usage.memory < limits.memory) => {
            let limit = limit(|limits| limits.memory.human());
            format!("the program failed to allocate memory; it used {}{limit}", usage.memory.human())
        }
        Verdict::MemoryLimit => {
            format!("the program used {} of memory{}", usage.memory.human(), limit(|limits| limits.memory.human()))
        }
        Verdict::OutputLimit => {
            let limit = limits.map_or_else(String::new, |limits| format!(" of {}", round(limits.output.human())));
            format!("the program exceeded its output limit{limit}")
        }
        Verdict::Forbidden => return said("the program made a forbidden system call".to_owned()),
        Verdict::CompileError => return said("compilation failed".to_owned()),
    };
    let message = result.message.as_ref().map_or_else(String::new, |message| format!("; {message}"));
    format!("{measured}{message}")
}

#[cfg(test)]
mod tests;
