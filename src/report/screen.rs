//! Formats the events of a run as lines for the terminal.

use super::text::{count, fit, fit_at_end, left, right, round, safe, time, width};
use super::theme::{Paint, Theme};
use crate::model::{
    ByteSize, CaseResult, Event, EventKind, Exit, Fault, FaultKind, GroupResult, Isolation, Level, Limits, Outcome,
    RunSummary, Score, TimeSpan, Verdict,
};

/// The amount of detail with which a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Only the summary.
    Quiet,
    /// Failed cases and a line for each group; all cases if there are few.
    Failures,
    /// All cases.
    Every,
}

/// The settings for formatting a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// The color theme.
    pub theme: Theme,
    /// Width of the terminal in columns.
    pub width: usize,
    /// Limits of the problem, shown next to the usage; `None` if unknown.
    pub limits: Option<Limits>,
}

/// The numbers of finished and of accepted cases of a group, and their maximum CPU time and memory use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) cases: usize,
    pub(super) accepted: usize,
    pub(super) slowest: TimeSpan,
    pub(super) memory: ByteSize,
}

impl Tally {
    pub(super) fn add(&mut self, result: &CaseResult) {
        self.cases += 1;
        self.accepted += usize::from(result.verdict.accepted());
        self.slowest = self.slowest.max(result.usage.cpu);
        self.memory = self.memory.max(result.usage.memory);
    }
}

/// Width in columns of a verdict.
const VERDICT: usize = 3;
/// Minimum width in columns of the name of a case.
const CASE: usize = 12;
/// Maximum width in columns of the name of a case; longer names are cut.
const LONGEST_NAME: usize = 36;
/// Width of the terminal in columns below which the wall time is omitted.
const WIDE: usize = 80;
/// Width of the terminal in columns below which the memory use is omitted too.
const MIDDLE: usize = 56;
const INDENT: usize = VERDICT + 2;

/// The settings that all lines of a run share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLayout {
    /// Width in columns of the longest name of a case.
    names: usize,
    /// Whether points are shown.
    points: bool,
}

impl Default for RunLayout {
    fn default() -> RunLayout {
        RunLayout { names: 0, points: true }
    }
}

impl RunLayout {
    /// Creates the layout for cases whose names are `names`. `points` states whether points are shown.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>, points: bool) -> RunLayout {
        RunLayout { names: names.map(width).max().unwrap_or_default(), points }
    }
}

impl Screen {
    /// Returns the lines for an event, each with its line break; empty for an event that is not shown.
    pub fn render(&self, event: &Event, layout: RunLayout) -> String {
        let names = layout.names;
        match &event.kind {
            EventKind::RunStarted { problem, program, language, cases, isolation } => {
                let cases = count(*cases, "case", "cases");
                let program = format!("{} ({language})", safe(program));
                let parts = [problem.to_string(), program, cases, isolation_name(isolation)];
                self.parts(&parts, Paint::Strong) + &self.lacking(isolation)
            }
            EventKind::BuildStarted { .. } | EventKind::CaseStarted { .. } | EventKind::Progress(_) => String::new(),
            EventKind::BuildFinished { cached, wall, error } => self.build(*cached, *wall, error.as_deref()),
            EventKind::CaseFinished(result) => self.case(result, names),
            EventKind::CaseSkipped { case, reason, .. } => {
                let verdict = self.theme.paint(Paint::Faint, left("--", VERDICT));
                self.row(&verdict, (case.as_str(), names), "", &format!("skipped: {reason}"))
            }
            EventKind::CaseFaulted { case, fault, .. } => self.faulted((case.as_str(), names), fault),
            EventKind::GroupFinished(group) => self.points(group),
            EventKind::RunFinished(summary) => self.summary(summary, layout.points),
        }
    }

    /// Returns the header of the columns that [`Screen::render`] uses for cases.
    pub(super) fn columns(&self, layout: RunLayout) -> String {
        let figures = self.figures("cpu", "wall", "memory");
        let line = format!("{}  {}{figures}", " ".repeat(VERDICT), left("case", self.name_column(layout.names)));
        self.line(Paint::Faint, line.trim_end())
    }

    /// Returns the line for a group whose accepted cases are not shown individually.
    pub(super) fn group(
        &self,
        group: &GroupResult,
        layout: RunLayout,
        tally: &Tally,
        skipped: Option<(usize, String)>,
    ) -> String {
        let memory = tally.memory.human();
        let figures = self.figures(&time(tally.slowest), "", &memory);
        let mut note = match &skipped {
            Some((skipped, reason)) if tally.cases == 0 => format!("{skipped} not run: {reason}"),
            None if tally.cases == 0 => "not run".to_owned(),
            _ => format!("{} of {}", tally.accepted, count(tally.cases, "case", "cases")),
        };
        if let Some((skipped, reason)) = skipped.filter(|_| tally.cases > 0) {
            note += &format!(", {skipped} not run: {reason}");
        }
        if group.max_score > Score::ZERO {
            note += &format!(", {} of {} points", group.score, group.max_score);
        }
        let verdict = group.verdict.map_or_else(
            || self.theme.paint(Paint::Faint, left("--", VERDICT)),
            |verdict| self.theme.verdict(verdict, left(verdict.short(), VERDICT)),
        );
        let figures = if tally.cases == 0 { "" } else { &figures };
        self.row(&verdict, (&format!("{} (all)", group.group), layout.names), figures, &note)
    }

    /// Returns an indented line in the color of less important text.
    pub(super) fn remark(&self, text: &str) -> String {
        self.line(Paint::Faint, &format!("{}{text}", " ".repeat(INDENT)))
    }

    fn line(&self, paint: Paint, text: &str) -> String {
        format!("{}\n", self.theme.paint(paint, fit(text, self.width)))
    }

    /// Joins parts with ` · ` and breaks the line between parts if needed. Only the first part is colored, unless
    /// `paint` is [`Paint::Faint`].
    fn parts(&self, parts: &[String], paint: Paint) -> String {
        let mut text = String::new();
        let mut used = 0;
        for (at, part) in parts.iter().enumerate() {
            let part = fit(part, self.width.saturating_sub(if at == 0 { 0 } else { INDENT }));
            if at > 0 {
                let breaks = used + 3 + width(&part) > self.width;
                text += &if breaks { format!("\n{}", " ".repeat(INDENT)) } else { " · ".to_owned() };
                used = if breaks { INDENT } else { used + 3 };
            }
            used += width(&part);
            // A faint line has no important part, so all its parts are colored.
            text += &if at == 0 || paint == Paint::Faint { self.theme.paint(paint, &part) } else { part };
        }
        text + "\n"
    }

    fn build(&self, cached: bool, wall: TimeSpan, error: Option<&str>) -> String {
        let Some(error) = error else {
            let text = if cached { "already compiled".to_owned() } else { format!("compiled in {}", time(wall)) };
            return self.line(Paint::Faint, &text);
        };
        let verdict = self.theme.verdict(Verdict::CompileError, left(Verdict::CompileError.short(), VERDICT));
        let words: String = safe(error).trim_end().lines().map(|line| format!("  {line}\n")).collect();
        format!("{verdict}  compilation failed:\n{words}")
    }

    fn case(&self, result: &CaseResult, names: usize) -> String {
        let usage = &result.usage;
        let figures = self.figures(&time(usage.cpu), &time(usage.wall), &usage.memory.human());
        let verdict = self.theme.verdict(result.verdict, left(result.verdict.short(), VERDICT));
        let counted = usage.instructions.map(|count| format!("{count} instructions"));
        let note = self.note(result).into_iter().chain(counted).collect::<Vec<_>>().join("; ");
        self.row(&verdict, (result.case.as_str(), names), &figures, &note)
    }

    fn figures(&self, cpu: &str, wall: &str, memory: &str) -> String {
        let mut figures = format!(" {}", right(cpu, 8));
        if self.width >= WIDE {
            figures += &format!(" {}", right(wall, 8));
        }
        if self.width >= MIDDLE {
            figures += &format!(" {}", right(memory, 10));
        }
        figures
    }

    /// Returns a line with the verdict, the name and the figures of a case or group. The note follows on the same line
    /// if it fits, otherwise on the next line.
    fn row(&self, verdict: &str, (name, names): (&str, usize), figures: &str, note: &str) -> String {
        let column = self.name_column(names);
        // A row without figures has more space for the name.
        let room = if figures.is_empty() { self.width.saturating_sub(INDENT).max(column) } else { column };
        let name = left(&fit_at_end(&safe(name), room), column);
        let used = INDENT + width(&name) + width(figures) + 2;
        let head = format!("{verdict}  {name}{figures}");
        let note = safe(note).replace('\n', " ");
        if note.is_empty() {
            return format!("{head}\n");
        }
        if used + width(&note) <= self.width {
            return format!("{head}  {note}\n");
        }
        format!("{head}\n{}{}\n", " ".repeat(INDENT), fit(&note, self.width.saturating_sub(INDENT)))
    }

    /// Returns the width of the column with the names of cases: the width of the longest name, within [`CASE`] and
    /// [`LONGEST_NAME`], limited by the space next to the figures.
    fn name_column(&self, names: usize) -> usize {
        let room = self.width.saturating_sub(INDENT + width(&self.figures("", "", "")));
        names.clamp(CASE, LONGEST_NAME.max(CASE)).min(room)
    }

    /// Returns a short note on a case in addition to its verdict, or `None` if there is nothing to add.
    pub(super) fn note(&self, result: &CaseResult) -> Option<String> {
        let limit =
            |value: fn(&Limits) -> String| self.limits.as_ref().map(|limits| format!("limit {}", value(limits)));
        let said = result.message.clone();
        match result.verdict {
            Verdict::Accepted | Verdict::CompileError => said,
            Verdict::Partial => {
                let share = format!("{}%", f64::from(result.credit.as_millionths()) / 10_000.0);
                Some(said.map_or(share.clone(), |said| format!("{share}: {said}")))
            }
            Verdict::WrongAnswer | Verdict::PresentationError => {
                said.or_else(|| result.difference.as_ref().map(|difference| difference.message.clone()))
            }
            Verdict::RuntimeError => Some(match result.exit {
                Exit::Code(code) => format!("exit code {code}"),
                signal @ Exit::Signal(_) => signal.to_string(),
            }),
            Verdict::TimeLimit if self.limits.as_ref().is_none_or(|limits| result.usage.cpu > limits.cpu) => {
                limit(|limits| round(time(limits.cpu)))
            }
            // A program that used less CPU time than its limit was stopped at the wall time limit.
            Verdict::TimeLimit | Verdict::IdleLimit => {
                limit(|limits| format!("{} of wall time", round(time(limits.wall))))
            }
            Verdict::MemoryLimit => limit(|limits| round(limits.memory.human())),
            Verdict::OutputLimit => limit(|limits| round(limits.output.human())),
            Verdict::Forbidden => said.or_else(|| Some("forbidden system call".to_owned())),
        }
    }

    fn faulted(&self, case: (&str, usize), fault: &Fault) -> String {
        let verdict = self.theme.paint(Paint::Fault, left("JE", VERDICT));
        self.row(&verdict, case, "", &fault.to_string())
    }

    fn points(&self, group: &GroupResult) -> String {
        if group.max_score == Score::ZERO {
            return String::new();
        }
        let verdict = group.verdict.map_or("not run", Verdict::short);
        self.remark(&format!("{}: {verdict}, {} of {} points", group.group, group.score, group.max_score))
    }

    fn summary(&self, summary: &RunSummary, points: bool) -> String {
        match &summary.outcome {
            Outcome::Final { verdict, score } => self.judged(summary, *verdict, points.then_some(*score)),
            Outcome::Inconclusive { faults } => self.inconclusive(summary, faults),
        }
    }

    fn judged(&self, summary: &RunSummary, verdict: Verdict, score: Option<Score>) -> String {
        let mut parts = vec![format!("{}  {}", left(verdict.short(), VERDICT), verdict.long())];
        if verdict != Verdict::CompileError {
            parts.push(format!("{} of {}", summary.accepted, count(summary.cases, "case", "cases")));
        }
        if let Some(score) = score.filter(|_| summary.max_score > Score::ZERO) {
            parts.push(format!("{score} of {} points", summary.max_score));
        }
        let mut text = self.parts(&parts, super::theme::verdict_paint(verdict));
        if let Some((case, cpu)) = &summary.slowest {
            let limits = self.limits.as_ref();
            let cpu_limit = limits.map(|limits| of_limit(*cpu > limits.cpu, &round(time(limits.cpu))));
            let memory_limit =
                limits.map(|limits| of_limit(summary.memory > limits.memory, &round(limits.memory.human())));
            let slowest = format!("slowest {case}, {}{}", time(*cpu), cpu_limit.unwrap_or_default());
            let memory = format!("memory {}{}", summary.memory.human(), memory_limit.unwrap_or_default());
            text += &self.parts(&[format!("     {slowest}"), memory], Paint::Faint);
        }
        text
    }

    /// Returns the reasons why the isolation level is not the strongest, as indented lines; empty if there are none.
    fn lacking(&self, isolation: &Isolation) -> String {
        let lines = |reason: &String| super::text::wrap(&safe(reason), self.width.saturating_sub(INDENT));
        let lines = isolation.missing.iter().flat_map(lines);
        lines.map(|line| format!("{}{}\n", " ".repeat(INDENT), self.theme.paint(Paint::Faint, line))).collect()
    }

    fn inconclusive(&self, summary: &RunSummary, faults: &[Fault]) -> String {
        if faults.iter().all(|fault| fault.kind == FaultKind::Cancelled) {
            let judged = summary.cases.saturating_sub(faults.len());
            let text = format!("stopped: {judged} of {} judged", count(summary.cases, "case", "cases"));
            return format!("{}\n", self.theme.paint(Paint::Fault, fit(&text, self.width)));
        }
        let head = fit("JE   the judge failed; the program has no verdict", self.width);
        let mut text = format!("{}\n", self.theme.paint(Paint::Fault, head));
        // A failure that occurs in several cases is printed once, with the number of its occurrences.
        let mut told: Vec<(&Fault, usize)> = Vec::new();
        for fault in faults.iter().filter(|fault| fault.kind != FaultKind::Cancelled) {
            match told.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, times)) => *times += 1,
                None => told.push((fault, 1)),
            }
        }
        for (fault, times) in told {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            let lines = super::text::wrap(&safe(&format!("{fault}{times}")), self.width.saturating_sub(INDENT));
            text.extend(lines.iter().map(|line| format!("{}{line}\n", " ".repeat(INDENT))));
        }
        text
    }
}

/// Formats the limit that follows a quantity: ` of 2 s`, or `, over the limit of 2 s` if the quantity exceeds it.
fn of_limit(exceeded: bool, limit: &str) -> String {
    if exceeded { format!(", over the limit of {limit}") } else { format!(" of {limit}") }
}

fn isolation_name(isolation: &Isolation) -> String {
    match isolation.level {
        Level::D => "isolation D: resource limits only".to_owned(),
        _ => format!("isolation {}", isolation.name()),
    }
}
