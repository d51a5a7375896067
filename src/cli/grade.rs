//! `nimatron grade`: judges the submissions of a class, and writes a gradebook and a report.

use std::path::{Path, PathBuf};

use nimatron::clock;
use nimatron::data::{sweep, write_in_pieces, write_whole};
use nimatron::grade::class::{Enrolled, LocalJudge, ProgramJudge, Work, enrol};
use nimatron::grade::class_to_judge::{ClassRequest, ClassToJudge};
use nimatron::grade::exports::{canvas, gradescope, junit, moodle};
use nimatron::grade::gradebook::{Gradebook, MarkingRules, unknown_students};
use nimatron::grade::graded::GradedClass;
use nimatron::grade::ledger::add_overrides;
use nimatron::grade::marks::Extensions;
use nimatron::grade::overlay::{Overlay, extensions, overlay};
use nimatron::grade::policy::Policy;
use nimatron::grade::report::{GradeReport, file_name};
use nimatron::grade::review_flags::{all_late, late};
use nimatron::grade::roster::Named;
use nimatron::grade::similarity::{ProblemSimilarity, SimilarityCheck, TemplateCode, to_csv, to_json};
use nimatron::grade::store::GradeStore;
use nimatron::model::{Diagnostic, Failure, Fault, FaultKind, ProblemId};
use nimatron::problem::Problem;
use nimatron::report::{count, safe};
use nimatron::service::JudgingTarget;
use nimatron::unzip::decoded;

use super::args::Grade;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::grade_screen::{GradeReporter, ProgramCounts, dry_run_table, preview_text, summary};
use super::output::PreparationScreen;

/// Runs `nimatron grade` and returns how the command ended.
pub fn grade(context: &Context, args: &Grade) -> Result {
    let Some((from, names)) = args.what.split_last() else { return Ok(Ending::Usage) };
    let problems = load(context, names)?;
    let from = Path::new(from);
    if !from.exists() {
        return Err(Diagnostic::new(format!("`{}` does not exist", from.display()))
            .help("the last argument must be a folder, zip or CSV list of submissions")
            .into());
    }
    let ids: Vec<ProblemId> = problems.iter().map(|problem| problem.id.clone()).collect();
    let rules = rules(args, &ids)?;
    let template = TemplateCode::read(&args.given)?;
    let named: Vec<Named> =
        problems.iter().map(|problem| Named { id: problem.id.clone(), name: problem.name.clone() }).collect();
    let service = context.service()?;
    let host = service.host();
    if args.dry_run {
        let store = GradeStore::in_memory()?;
        let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
        say(&dry_run_table(&enrolled, &ids, &rules, context.width()))?;
        return Ok(Ending::Good);
    }
    let store = GradeStore::open(&args.out)?;
    let mut rules = rules;
    add_overrides(&mut rules, &store.overrides()?, &ids);
    let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
    for charset in &enrolled.charsets {
        warn(&format!("names that are not UTF-8 were read as {charset}"));
    }
    let screen = PreparationScreen::new(context);
    let request = ClassRequest {
        problems,
        rules: &rules,
        all_cases: args.all_cases,
        rejudge: args.rejudge.as_deref(),
        now: clock::now(),
    };
    let now = request.now;
    let class = ClassToJudge::prepare(service, &store, &enrolled, request, &|problem, activity| {
        screen.show(problem, activity)
    })?;
    let work = class.plan()?;
    let mut reporter = GradeReporter::new(context, args.json, class.targets(), &work, &store)?;
    let judge = judge(context, args)?;
    let done = class.judge(&*judge, &work, &mut |index, result| reporter.emit(index, result))?;
    reporter.finish();
    if done.cancelled {
        let left = work.todo.len().saturating_sub(done.judged);
        let message =
            format!("stopped: {} judged, {left} remaining; run the same command again to resume", done.judged);
        if !args.json {
            say(&message)?;
        }
        return Ok(Ending::Fault);
    }
    let graded = GradedClass::new(&store, class.targets(), (&enrolled, &rules), (&work, &done))?;
    let output = GradeOutput {
        store: &store,
        targets: class.targets(),
        rules: &rules,
        enrolled: &enrolled,
        work: &work,
        judged: done.judged,
        graded: &graded,
        template: &template,
        now,
    };
    output.emit(context, args)
}

/// Returns what judges the programs: this machine, or a server.
fn judge<'a>(context: &'a Context, args: &Grade) -> Result<Box<dyn ProgramJudge + 'a>> {
    match remote_judge(context, args)? {
        Some(judge) => Ok(judge),
        None => Ok(Box::new(LocalJudge { service: context.service()?, jobs: context.jobs() })),
    }
}

/// Returns the server that judges the programs; `None` if this machine does.
#[cfg(feature = "cluster")]
fn remote_judge(context: &Context, args: &Grade) -> Result<Option<Box<dyn ProgramJudge>>> {
    let Some(url) = args.cluster.serve_url.clone() else { return Ok(None) };
    let token = match &args.cluster.token_file {
        Some(path) => text(path)?,
        None => std::env::var("NIMATRON_TOKEN").unwrap_or_default(),
    };
    let (token, ca) = (token.trim().to_owned(), args.cluster.cluster_ca.clone());
    let address = nimatron::machines::ServeAddress { url, token, ca };
    Ok(Some(Box::new(nimatron::machines::RemoteJudge::new(&address, context.cancel())?)))
}

#[cfg(not(feature = "cluster"))]
fn remote_judge(_: &Context, _: &Grade) -> Result<Option<Box<dyn ProgramJudge>>> {
    Ok(None)
}

/// Loads the problems.
///
/// # Errors
/// Fails if a problem can't be loaded or is named twice.
fn load(context: &Context, names: &[String]) -> Result<Vec<Problem>> {
    let problems = context.problems(names)?;
    for (index, problem) in problems.iter().enumerate() {
        if problems[..index].iter().any(|other| other.id == problem.id) {
            return Err(Diagnostic::new(format!("the problem `{}` is given twice", problem.id)).into());
        }
    }
    Ok(problems)
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

fn bytes(path: &Path) -> std::result::Result<Vec<u8>, Failure> {
    fs_err::read(path).map_err(|error| Failure::user_file(&error))
}

fn text(path: &Path) -> std::result::Result<String, Failure> {
    fs_err::read_to_string(path).map_err(|error| Failure::user_file(&error))
}

/// A graded class, and what is needed to write its files.
struct GradeOutput<'a> {
    store: &'a GradeStore,
    targets: &'a [JudgingTarget],
    rules: &'a MarkingRules,
    enrolled: &'a Enrolled,
    work: &'a Work<'a>,
    /// Number of programs that were judged by this command.
    judged: usize,
    graded: &'a GradedClass,
    template: &'a TemplateCode,
    now: i64,
}

impl GradeOutput<'_> {
    /// Writes the requested files and publishes the marks, or prints the changes for `--preview`.
    fn emit(&self, context: &Context, args: &Grade) -> Result {
        let GradedClass { book, changes, flags, without_result } = self.graded;
        let ending = if self.graded.has_open_marks() { Ending::Fault } else { Ending::Good };
        if let Some(warning) = all_late(book) {
            warn(&warning);
        }
        if args.preview {
            say(&preview_text(changes, &unknown_students(&self.enrolled.roster, self.rules)))?;
            return Ok(ending);
        }
        let written = self.write(args)?;
        self.publish(args)?;
        let counts =
            ProgramCounts { submissions: self.work.submissions.len(), judged: self.judged, open: *without_result };
        if args.json {
            let line = serde_json::json!({
                "event": "grade_finished",
                "submissions": counts.submissions,
                "judged": counts.judged,
                "reused": counts.reused(),
                "attention": flags.len(),
                "late": late(book).0,
            });
            say_json(&line)?;
        } else {
            say(&summary(book, flags, counts, &written, context))?;
        }
        Ok(ending)
    }

    fn publish(&self, args: &Grade) -> std::result::Result<(), Failure> {
        let why = args.rejudge.as_ref().map_or("graded".to_owned(), |why| format!("judged again: {why}"));
        self.store.publish(&self.graded.changes, self.now, &why)
    }

    /// Writes the gradebooks and the report, and returns the paths written. Each file is replaced atomically.
    fn write(&self, args: &Grade) -> Result<Vec<PathBuf>> {
        let book = &self.graded.book;
        let out = |name: &str| args.out.join(name);
        // Remove the incomplete files that an interrupted `grade` left behind.
        sweep(&args.out);
        let mut written = vec![out("gradebook.csv"), out("gradebook.json")];
        put(&written[0], book.csv().as_bytes())?;
        write_in_pieces(&written[1], |to| book.json(&self.enrolled.roster, to))
            .map_err(|error| Failure::unwritable(&written[1], &error))?;
        if let Some(path) = &args.moodle {
            let filled = moodle(book, &path.display().to_string(), &decoded(bytes(path)?))?;
            written.push(out("moodle.csv"));
            put(&out("moodle.csv"), filled.text.as_bytes())?;
            if let Some(warning) = &filled.warning {
                warn(&format!("{}: {warning}", path.display()));
            }
            warn_of_missing_rows(path, &filled.unknown);
        }
        if let Some(given) = &args.canvas {
            let given = match given {
                Some(path) => Some((path.display().to_string(), decoded(bytes(path)?))),
                None => None,
            };
            let given = given.as_ref().map(|(origin, text)| (origin.as_str(), text.as_str()));
            let filled = canvas(book, given, &args.assignment)?;
            written.push(out("canvas.csv"));
            put(&out("canvas.csv"), filled.text.as_bytes())?;
            warn_of_missing_rows(&out("canvas.csv"), &filled.unknown);
        }
        if args.gradescope {
            for row in &book.rows {
                let path = out("gradescope").join(format!("{}.json", file_name(&row.student)));
                put(&path, format!("{:#}\n", gradescope(book, row)).as_bytes())?;
            }
            written.push(out("gradescope"));
        }
        if let Some(path) = &args.junit {
            let mut bytes = Vec::new();
            junit(book, &mut bytes).map_err(|error| Fault::io(FaultKind::Output, &error))?;
            put(path, &bytes)?;
            written.push(path.clone());
        }
        let check = SimilarityCheck {
            store: self.store,
            files: &self.enrolled.files,
            roster: &self.enrolled.roster,
            template: self.template,
            threshold: args.likeness * 10,
        };
        let found = if args.likeness > 0 { Some(write_similarity(args, &check, book, &mut written)?) } else { None };
        let report = GradeReport {
            book,
            policy: &self.rules.policy,
            roster: &self.enrolled.roster,
            files: &self.enrolled.files,
            targets: self.targets,
            work: self.work,
            flags: &self.graded.flags,
            store: self.store,
            likeness: found.as_deref().map(|found| (found, &check)),
        };
        written.push(report.write(&out("report"))?);
        Ok(written)
    }
}

/// Compares the programs with each other, writes likeness.csv and likeness.json, and adds their paths to `written`.
fn write_similarity(
    args: &Grade,
    check: &SimilarityCheck<'_>,
    book: &Gradebook,
    written: &mut Vec<PathBuf>,
) -> Result<Vec<ProblemSimilarity>> {
    let found = check.compare_class(book)?;
    for (name, text) in
        [("likeness.csv", to_csv(book, &found)), ("likeness.json", to_json(book, &found, check.threshold))]
    {
        let path = args.out.join(name);
        put(&path, text.as_bytes())?;
        written.push(path);
    }
    Ok(found)
}

fn put(path: &Path, bytes: &[u8]) -> std::result::Result<(), Failure> {
    write_whole(path, bytes).map_err(|error| Failure::unwritable(path, &error))
}

/// Warns about graded students who are missing from another system's table.
fn warn_of_missing_rows(path: &Path, students: &[String]) {
    if !students.is_empty() {
        let list = students.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
        let more = if students.len() > 10 { format!(" and {} more", students.len() - 10) } else { String::new() };
        let count = count(students.len(), "graded student", "graded students");
        warn(&format!("`{}` has no row for {count}: {list}{more}", path.display()));
    }
}

/// Prints a warning on standard error.
fn warn(message: &str) {
    anstream::eprintln!("warning: {}", safe(message));
}
