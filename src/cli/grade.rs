//! `nimatron grade`: judges the submissions of a class, and writes a gradebook and a report.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::clock;
use crate::grade::class::{LocalJudge, ProgramJudge, enrol, named_problems};
use crate::grade::class_files::{ClassFiles, GivenTable};
use crate::grade::class_to_judge::{ClassRequest, ClassToJudge};
use crate::grade::gradebook::{MarkingRules, unknown_students};
use crate::grade::graded::GradedClass;
use crate::grade::marks::Extensions;
use crate::grade::overlay::{Overlay, extensions, overlay};
use crate::grade::policy::Policy;
use crate::grade::review_flags::{all_late, late};
use crate::grade::similarity::TemplateCode;
use crate::grade::store::GradeStore;
use crate::model::{Diagnostic, Failure, ProblemId};
use crate::report::safe;
use crate::service::{CheckerOption, JudgeOptions, PreparedProblem};
use crate::unzip::decoded;
use serde_json::json;

use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::grade_args::Grade;
use super::grade_screen::{
    GradeReporter, ProgramCounts, dry_run_json, dry_run_table, preview_json, preview_text, summary,
};
use super::output::PreparationScreen;
use super::server::{ServerCommands, of_server};

/// Runs `nimatron grade` and returns how the command ended.
pub(crate) fn grade(context: &Context, args: &Grade, server: Option<&ServerCommands>) -> Result {
    let Some((from, names)) = args.what.split_last() else { return Ok(Ending::Usage) };
    let problems = context.read_problems(names)?;
    let named = named_problems(&problems, args.checker.is_some())?;
    let from = Path::new(from);
    if !from.exists() {
        return Err(Diagnostic::new(format!("`{}` does not exist", from.display()))
            .help("specify the submissions in the last argument: a folder, a zip file, or a CSV file that lists them")
            .into());
    }
    let ids: Vec<ProblemId> = named.iter().map(|problem| problem.id.clone()).collect();
    let rules = rules(args, &ids)?;
    let service = context.service()?;
    let host = service.host();
    let options = JudgeOptions {
        time: args.time,
        memory: args.memory,
        checker: args.checker.as_deref().map(CheckerOption::read).transpose()?,
        ..JudgeOptions::default()
    };
    if args.dry_run {
        let store = GradeStore::in_memory()?;
        let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
        match args.json {
            true => dry_run_json(&enrolled, &ids, &rules).iter().try_for_each(say_json)?,
            false => say(&dry_run_table(&enrolled, &ids, &rules, context.width()))?,
        }
        return Ok(Ending::Good);
    }
    let files = files(args)?;
    let problems = problems.into_iter().map(|problem| context.prepared_read(service, problem));
    let problems = problems.collect::<std::result::Result<Vec<Arc<PreparedProblem>>, Failure>>()?;
    let judge = judge(context, args, server)?;
    let store = GradeStore::open(&args.out)?;
    let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
    for charset in &enrolled.charsets {
        warn(&format!("file and student names that are not UTF-8 were decoded as {charset}"));
    }
    if enrolled.roster.claims.is_empty() {
        warn(&format!("no submissions were found in `{}`; `--dry-run` lists its files", from.display()));
    }
    let screen = PreparationScreen::new(context);
    let (all_cases, rejudge) = (args.all_cases, args.rejudge.as_deref());
    let request = ClassRequest { problems, rules, options, all_cases, rejudge, now: clock::now };
    let progress = |problem: &ProblemId, activity| screen.show(problem, activity);
    let class = ClassToJudge::prepare(service, &store, &enrolled, request, &progress)?;
    drop(screen);
    if !context.quiet() {
        class.notes().iter().for_each(|note| anstream::eprintln!("{}", safe(note)));
    }
    let work = class.plan()?;
    let mut reporter = GradeReporter::new(context, args.json, class.targets(), &work, &store)?;
    let done = class.judge(&*judge, &work, &mut |index, result| reporter.emit(index, result))?;
    reporter.finish();
    let Some(graded) = GradedClass::new(&class, &work, &done)? else {
        let (judged, left) = (done.judged, work.todo.len().saturating_sub(done.judged));
        match args.json {
            true => say_json(&json!({ "event": "grade_stopped", "judged": judged, "remaining": left }))?,
            false => say(&format!("stopped: {judged} judged, {left} remaining; run the same command again to resume"))?,
        }
        return Ok(Ending::Fault);
    };
    let ending = if graded.has_open_marks() { Ending::Fault } else { Ending::Good };
    all_late(&graded.book).iter().for_each(|warning| warn(warning));
    let counts =
        ProgramCounts { submissions: work.submissions.len(), judged: done.judged, open: graded.without_result };
    if args.preview {
        let unknown = unknown_students(&enrolled.roster, class.rules());
        match args.json {
            true => {
                preview_json(&graded.changes, &unknown).iter().try_for_each(say_json)?;
                say_json(&finished_json(&graded, counts))?;
            }
            false => say(&preview_text(&graded.changes, &unknown))?,
        }
        return Ok(ending);
    }
    let written = class.write_and_publish(&files, &work, &graded, &mut |warning| warn(warning))?;
    if args.json {
        say_json(&finished_json(&graded, counts))?;
    } else {
        say(&summary(&graded, counts, &written, context))?;
    }
    Ok(ending)
}

/// Returns the judge of the programs, which runs them on this machine or sends them to a server.
fn judge<'a>(
    context: &'a Context,
    args: &Grade,
    server: Option<&ServerCommands>,
) -> Result<Box<dyn ProgramJudge + 'a>> {
    match &args.cluster.serve_url {
        Some(url) => (of_server(server)?.cluster()?.remote_judge)(context, url, &args.cluster),
        None => Ok(Box::new(LocalJudge { service: context.service()?, jobs: context.jobs() })),
    }
}

fn rules(args: &Grade, ids: &[ProblemId]) -> Result<MarkingRules> {
    let mut policy = match &args.policy {
        Some(path) => Policy::parse(&path.display().to_string(), &text(path)?, ids)?,
        None => Policy::plain(ids.len()),
    };
    policy.select = args.select.unwrap_or(policy.select);
    let extensions = match &args.extensions {
        Some(path) => extensions(&path.display().to_string(), &decoded(bytes(path)?), ids)?,
        None => Extensions::new(),
    };
    let overlay = match &args.manual {
        Some(path) => overlay(&path.display().to_string(), &text(path)?, ids, &policy)?,
        None => Overlay::new(),
    };
    Ok(MarkingRules { policy, extensions, overlay })
}

/// Reads the tables exported from Moodle and Canvas and the template code, and returns the settings of the files to
/// write.
fn files(args: &Grade) -> Result<ClassFiles> {
    let table = |path: &PathBuf| Ok::<_, Failure>(GivenTable { path: path.clone(), text: decoded(bytes(path)?) });
    Ok(ClassFiles {
        out: args.out.clone(),
        moodle: args.moodle.as_ref().map(table).transpose()?,
        canvas: args.canvas.as_ref().map(|given| given.as_ref().map(table).transpose()).transpose()?,
        assignment: args.assignment.clone(),
        gradescope: args.gradescope,
        junit: args.junit.clone(),
        least_similarity: args.likeness,
        template: TemplateCode::read(&args.given)?,
    })
}

fn bytes(path: &Path) -> std::result::Result<Vec<u8>, Failure> {
    fs_err::read(path).map_err(|error| Failure::user_file(&error))
}

fn text(path: &Path) -> std::result::Result<String, Failure> {
    fs_err::read_to_string(path).map_err(|error| Failure::user_file(&error))
}

/// Returns the JSON object that `--json` prints last.
fn finished_json(graded: &GradedClass, counts: ProgramCounts) -> serde_json::Value {
    json!({
        "event": "grade_finished",
        "submissions": counts.submissions,
        "judged": counts.judged,
        "reused": counts.reused(),
        "attention": graded.flags.len(),
        "late": late(&graded.book).0,
    })
}

/// Prints a warning on standard error.
fn warn(message: &str) {
    anstream::eprintln!("warning: {}", safe(message));
}
