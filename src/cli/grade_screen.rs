//! Prints the output of `nimatron grade`: the recognized submissions, progress, and the summary.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::grade::class::{Enrolled, Work};
use crate::grade::gradebook::{Gradebook, MarkingRules, unknown_students, wanted};
use crate::grade::graded::GradedClass;
use crate::grade::marks::Standing;
use crate::grade::record::Record;
use crate::grade::review_flags::{ReviewFlag, grouped, late};
use crate::grade::roster::Left;
use crate::grade::roster_order::{RosterOrder, SubmissionResult};
use crate::grade::store::{Change, GradeStore};
use crate::model::{FORMAT, Failure, Fault, FaultKind, ProblemId, Score, Verdict};
use crate::report::{count as counted, redraw_regularly};
use crate::service::JudgingTarget;

use super::bar_terminal::bar_target;
use super::context::{Context, say, say_json};
use super::table::draw;

/// Maximum number of reasons listed per kind of review flag, and of submissions listed per reason.
const LISTED: usize = 8;

/// Returns the text that `--dry-run` prints: a table with the student and the problem of each program, and remarks on
/// the download.
pub(crate) fn dry_run_table(enrolled: &Enrolled, ids: &[ProblemId], rules: &MarkingRules, width: usize) -> String {
    let roster = &enrolled.roster;
    let wanted = wanted(roster, rules);
    let header = ["student", "problem", "program", "files", ""].map(str::to_owned).to_vec();
    let rows = roster.claims.iter().zip(&wanted).map(|(claim, wanted)| {
        let ignored = (!wanted).then(|| "ignored: another attempt counts".to_owned());
        let notes: Vec<String> = ignored.into_iter().chain(claim.guesses.iter().cloned()).collect();
        let problem = ids[claim.problem].to_string();
        vec![claim.student.clone(), problem, claim.path.clone(), claim.files.len().to_string(), notes.join("; ")]
    });
    let mut text = draw(header, rows.collect(), width);
    let idle = roster.students.iter().filter(|student| !roster.claims.iter().any(|claim| claim.student == **student));
    let idle: Vec<&str> = idle.map(String::as_str).collect();
    if !idle.is_empty() {
        text += &format!("\n\nstudents without a program: {}", idle.join(", "));
    }
    text += &unknown_rows(&unknown_students(roster, rules));
    if !roster.left.is_empty() {
        let count = roster.left.len();
        let files = if count == 1 { "file belongs" } else { "files belong" };
        text += &format!("\n\n{count} {files} to no submission:");
        for left in &roster.left {
            text += &format!("\n  {}: {}", left.path, left.reason);
        }
    }
    for charset in &enrolled.charsets {
        text += &format!("\n\nfile and student names that are not UTF-8 were decoded as {charset}");
    }
    format!(
        "{text}\n\nlayout: {}; {}, {}. Nothing was run. Use `--pattern` if the layout is wrong.",
        roster.layout,
        counted(roster.students.len(), "student", "students"),
        counted(roster.claims.len(), "program", "programs")
    )
}

/// Returns the JSON objects that `--dry-run --json` prints: one for each program and each student who is not in the
/// download, and a last one about the download.
pub(crate) fn dry_run_json(enrolled: &Enrolled, ids: &[ProblemId], rules: &MarkingRules) -> Vec<Value> {
    let roster = &enrolled.roster;
    let found = roster.claims.iter().zip(wanted(roster, rules)).map(|(claim, counts)| {
        json!({
            "event": "submission_found",
            "student": claim.student,
            "problem": ids[claim.problem],
            "file": claim.path,
            "counts": counts,
            "guesses": claim.guesses,
        })
    });
    let left: Vec<Value> = roster.left.iter().map(|left| json!({ "file": left.path, "reason": left.reason })).collect();
    let last = json!({
        "event": "dry_run_finished",
        "layout": roster.layout,
        "students": roster.students,
        "submissions": roster.claims.len(),
        "left": left,
    });
    found.chain(unknown_json(&unknown_students(roster, rules))).chain([last]).collect()
}

/// Returns a JSON object for each student in the teacher's files who is not in the download.
fn unknown_json(unknown: &[Left]) -> Vec<Value> {
    let event = |left: &Left| json!({ "event": "student_unknown", "student": left.path, "reason": left.reason });
    unknown.iter().map(event).collect()
}

/// Returns a list of the students in the teacher's files who are not in the download, with the reasons; empty if there
/// are none.
fn unknown_rows(unknown: &[Left]) -> String {
    match unknown {
        [] => String::new(),
        unknown => unknown.iter().fold("\n\nunknown students:".to_owned(), |text, left| {
            text + &format!("\n  {}: {}", left.path, left.reason)
        }),
    }
}

/// A printer for `grade`. With `--json` or `--verbose`, it prints each result in the order of the roster; on a
/// terminal, it draws progress bars.
pub(crate) struct GradeReporter<'a> {
    work: &'a Work<'a>,
    targets: &'a [JudgingTarget],
    order: RosterOrder<'a>,
    json: bool,
    verbose: bool,
    bars: Vec<(ProgressBar, BTreeMap<&'static str, usize>)>,
    all: ProgressBar,
}

impl<'a> GradeReporter<'a> {
    /// Creates the printer. It prints JSON to standard output if `json` is set, and progress bars to standard error.
    pub(crate) fn new(
        context: &Context,
        json: bool,
        targets: &'a [JudgingTarget],
        work: &'a Work<'a>,
        store: &'a GradeStore,
    ) -> Result<GradeReporter<'a>, Failure> {
        let screen = MultiProgress::with_draw_target(bar_target(context.progress()));
        let style = |template: &str| {
            ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("━╸─")
        };
        let mut todo = vec![0_u64; targets.len()];
        work.todo.iter().for_each(|(index, _)| todo[work.submissions[*index].1.claim.problem] += 1);
        let widest = targets.iter().map(|target| target.problem.as_str().len()).max().unwrap_or(0);
        let bars = targets.iter().zip(&todo).map(|(target, count)| {
            let bar = screen
                .add(ProgressBar::new(*count).with_style(style("{prefix} {bar:16} {pos:>5}/{len:<5} {wide_msg}")));
            bar.set_prefix(format!("{:widest$}", target.problem));
            (bar, BTreeMap::new())
        });
        let bars = bars.collect();
        let all = ProgressBar::new(todo.iter().sum());
        let all = screen.add(all.with_style(style("{wide_bar} {pos}/{len}, {elapsed} elapsed, {eta} left")));
        redraw_regularly(&all, Duration::from_secs(1));
        let order = RosterOrder::new(work, targets, store);
        let verbose = context.verbose();
        let mut reporter = GradeReporter { work, targets, order, json, verbose, bars, all };
        if json {
            let students: std::collections::BTreeSet<&str> =
                work.submissions.iter().map(|(_, submission)| submission.claim.student.as_str()).collect();
            let (all, todo) = (work.submissions.len(), work.todo.len());
            let line = json!({ "event": "grade_started", "format": FORMAT, "students": students.len(),
                "submissions": all, "to_judge": todo });
            say_json(&line).map_err(unwritable_output)?;
        } else if context.verbose() {
            reporter.reasons().map_err(unwritable_output)?;
        }
        reporter.advance()?;
        Ok(reporter)
    }

    /// Prints the reasons for judging submissions, with the number of submissions for each.
    fn reasons(&self) -> io::Result<()> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.work.todo.iter().for_each(|(_, why)| *counts.entry(why).or_default() += 1);
        counts.iter().try_for_each(|(why, count)| {
            let submissions = if *count == 1 { "submission" } else { "submissions" };
            say(&format!("{count} {submissions} to judge: {why}"))
        })
    }

    /// Records the result of a submission. Then prints results in the order of the roster, up to the first submission
    /// that has not been judged.
    pub(crate) fn emit(&mut self, index: usize, result: Result<&Record, &Fault>) -> Result<(), Failure> {
        let problem = self.work.submissions[index].1.claim.problem;
        let result = SubmissionResult::new(result, &self.targets[problem]);
        let (bar, counts) = &mut self.bars[problem];
        *counts.entry(result.verdict).or_default() += 1;
        bar.set_message(counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join("  "));
        bar.inc(1);
        self.all.inc(1);
        self.order.add(index, result);
        self.advance()
    }

    /// Prints results in the order of the roster, up to the first submission that has not been judged.
    fn advance(&mut self) -> Result<(), Failure> {
        if !(self.json || self.verbose) {
            return Ok(());
        }
        while let Some((claim, result)) = self.order.next_result()? {
            let SubmissionResult { verdict, score, max_score } = result;
            let problem = &self.targets[claim.problem].problem;
            if self.json {
                let line = json!({
                    "event": "submission_finished",
                    "student": claim.student,
                    "problem": problem,
                    "verdict": verdict,
                    "score": score,
                    "max_score": max_score,
                    "file": claim.path,
                });
                say_json(&line).map_err(unwritable_output)?;
            } else if self.verbose {
                let line = format!("{verdict:4} {score:>6}  {problem}  {}", claim.path);
                self.all.suspend(|| say(&line)).map_err(unwritable_output)?;
            }
        }
        Ok(())
    }

    /// Removes the progress bars from the terminal.
    pub(crate) fn finish(&self) {
        self.bars.iter().for_each(|(bar, _)| bar.finish_and_clear());
        self.all.finish_and_clear();
    }
}

fn unwritable_output(error: io::Error) -> Failure {
    Fault::io(FaultKind::Output, &error).context("cannot write to standard output").into()
}

/// Returns a list of the marks that would change, the numbers of marks to change and to add, and a list of the students
/// in the teacher's files who are not in the download.
pub(crate) fn preview_text(changes: &[Change], unknown: &[Left]) -> String {
    let mut text = String::new();
    let marks = changes.iter().filter(|change| change.was.is_some());
    for Change { student, problem, was, now } in marks.clone() {
        text += &format!("{student}, {problem}: {} → {now}\n", was.clone().unwrap_or_default());
    }
    let fresh = changes.len() - marks.count();
    text +=
        &format!("marks to change: {}; marks to add: {fresh}; the gradebook was not changed", changes.len() - fresh);
    text + &unknown_rows(unknown)
}

/// Returns the JSON objects that `--preview --json` prints before the last one: one for each mark that would change, and
/// for each student in the teacher's files who is not in the download.
pub(crate) fn preview_json(changes: &[Change], unknown: &[Left]) -> Vec<Value> {
    let event = |change: &Change| {
        let Change { student, problem, was, now } = change;
        json!({ "event": "mark_changed", "student": student, "problem": problem, "was": was, "now": now })
    };
    changes.iter().map(event).chain(unknown_json(unknown)).collect()
}

/// Returns the summary that is printed after grading.
pub(crate) fn summary(
    graded: &GradedClass,
    counts: ProgramCounts,
    written: &[std::path::PathBuf],
    context: &Context,
) -> String {
    let mut text = String::new();
    if !context.quiet() {
        text += &verdicts(&graded.book, context.width());
        text += &review_list(&graded.flags, context.verbose());
        let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        text += &format!("\nwritten: {}\n", names.join(", "));
    }
    let students = counted(graded.book.rows.len(), "student", "students");
    let ProgramCounts { submissions, judged, open } = counts;
    let reused = counts.reused();
    let programs = counted(submissions, "program", "programs");
    text += &format!("{students}, {programs}: {judged} judged, {reused} unchanged or identical to another");
    if open > 0 {
        text += &format!(", {open} without a result");
    }
    text
}

/// Numbers of programs of a class, for the summary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramCounts {
    /// All programs that were submitted.
    pub(crate) submissions: usize,
    /// Programs that were judged by this command.
    pub(crate) judged: usize,
    /// Programs without a result, because the judge failed or their language is not installed.
    pub(crate) open: usize,
}

impl ProgramCounts {
    /// Returns the number of programs that were not judged because the result of the same or of an identical program
    /// was known.
    pub(crate) fn reused(self) -> usize {
        self.submissions.saturating_sub(self.judged + self.open)
    }
}

/// Returns a table with a row for each problem: the number of students with each verdict, the numbers of late (if any),
/// missing and unjudged programs, and the mean of the points.
fn verdicts(book: &Gradebook, width: usize) -> String {
    let mut seen: Vec<Verdict> = Vec::new();
    let count = |column: usize, test: &dyn Fn(Standing) -> bool| {
        book.rows.iter().filter(|row| test(row.marks[column].standing)).count()
    };
    for verdict in Verdict::ALL {
        let any = |column| count(column, &|standing| matches!(standing, Standing::Attempt(_, v) if v == verdict)) > 0;
        if (0..book.columns.len()).any(any) {
            seen.push(verdict);
        }
    }
    let any_late = late(book).0 > 0;
    let header = std::iter::once("problem".to_owned())
        .chain(seen.iter().map(|verdict| verdict.short().to_owned()))
        .chain(any_late.then(|| "late".to_owned()))
        .chain(["missing", "open", "mean"].map(str::to_owned));
    let row = |column: usize| {
        let of =
            |verdict: &Verdict| count(column, &|standing| matches!(standing, Standing::Attempt(_, v) if v == *verdict));
        let missing = count(column, &|standing| standing == Standing::Missing);
        let open = count(column, &|standing| matches!(standing, Standing::Open(_)));
        let points: Vec<u64> =
            book.rows.iter().filter_map(|row| row.marks[column].points).map(Score::as_thousandths).collect();
        let mean = points.iter().sum::<u64>() / (points.len().max(1) as u64) / 100;
        std::iter::once(book.columns[column].id.to_string())
            .chain(seen.iter().map(|verdict| of(verdict).to_string()))
            .chain(
                any_late.then(|| book.rows.iter().filter(|row| row.marks[column].late.is_some()).count().to_string()),
            )
            .chain([missing.to_string(), open.to_string(), format!("{}.{}", mean / 10, mean % 10)])
            .collect::<Vec<String>>()
    };
    draw(header.collect(), (0..book.columns.len()).map(row).collect(), width) + "\n"
}

/// Returns a list of the submissions that need manual review, grouped by reason.
fn review_list(flags: &[ReviewFlag], everything: bool) -> String {
    let mut text = String::new();
    for (kind, causes) in grouped(flags) {
        let count: usize = causes.values().map(Vec::len).sum();
        text += &format!("\n{} ({count})\n", kind.words());
        let most = if everything { usize::MAX } else { LISTED };
        let more = causes.len().saturating_sub(most);
        for (what, about) in causes.into_iter().take(most) {
            let shown = about.iter().take(most).copied().collect::<Vec<_>>().join("; ");
            let rest = about.len().saturating_sub(most);
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            text += &format!("  {what}: {shown}{rest}\n");
        }
        if more > 0 {
            text += &format!("  … and {more} more; `-v` lists all\n");
        }
    }
    text
}
