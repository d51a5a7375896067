//! `nimatron grade`: judges the submissions of a class, and writes a gradebook and a report.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nimatron::clock;
use nimatron::data::{sweep, write_in_pieces, write_whole};
use nimatron::grade::class::{
    ClassSummary, Doing, Enrolled, LocalJudge, ProgramJudge, Work, carry_out, enrol, plan, results,
};
use nimatron::grade::exports::{canvas, gradescope, junit, moodle};
use nimatron::grade::gradebook::{Gradebook, MarkingRules, unknown_students, wanted};
use nimatron::grade::graded::{columns, review_flags};
use nimatron::grade::ledger::add_overrides;
use nimatron::grade::marks::{AttemptResult, Extensions, Standing};
use nimatron::grade::overlay::{Overlay, extensions, overlay};
use nimatron::grade::policy::Policy;
use nimatron::grade::report::{GradeReport, file_name};
use nimatron::grade::review_flags::{ReviewFlag, all_late, late};
use nimatron::grade::roster::Named;
use nimatron::grade::similarity::{ProblemSimilarity, SimilarityCheck, TemplateCode, to_csv, to_json};
use nimatron::grade::store::{Change, GradeStore};
use nimatron::model::{Diagnostic, Failure, Fault, FaultKind, ProblemId};
use nimatron::problem::Problem;
use nimatron::report::{count, safe};
use nimatron::service::{JudgingTarget, PreparedProblem};
use nimatron::unzip::decoded;

use super::args::Grade;
use super::context::{Context, say, say_json};
use super::exit::{Ending, Result};
use super::grade_screen::{ProgramCounts, Teller, changed, guessed, summary};
use super::output::{make_cases, show_measuring};

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
    let given = TemplateCode::read(&args.given)?;
    let named: Vec<Named> =
        problems.iter().map(|problem| Named { id: problem.id.clone(), name: problem.name.clone() }).collect();
    let service = context.service()?;
    let host = service.host();
    if args.dry_run {
        let store = GradeStore::in_memory()?;
        let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
        say(&guessed(&enrolled, &ids, &rules, context.width()))?;
        return Ok(Ending::Good);
    }
    let store = GradeStore::open(&args.out)?;
    let mut rules = rules;
    add_overrides(&mut rules, &store.overrides()?, &ids);
    let enrolled = enrol(&store, host, from, &named, &args.patterns, &args.out)?;
    for charset in &enrolled.charsets {
        warn(&format!("names that are not UTF-8 were read as {charset}"));
    }
    let options = rules.policy.judge_options(args.all_cases);
    let problems = problems.into_iter().map(|problem| service.prepare_problem(problem));
    let problems: Vec<Arc<PreparedProblem>> = problems.collect::<std::result::Result<_, _>>()?;
    let targets = problems.iter().map(|problem| {
        make_cases(context, problem)?;
        service.target(problem, &options, &mut show_measuring(context, problem))
    });
    let targets: Vec<JudgingTarget> = targets.collect::<std::result::Result<_, Failure>>()?;
    let now = clock::now();
    let rejudge = args.rejudge.as_ref().map(|why| store.begin_rejudge(why, now)).transpose()?;
    let wanted = wanted(&enrolled.roster, &rules);
    let work = plan(&store, host, &targets, &enrolled, &wanted, rejudge)?;
    let mut teller = Teller::new(context, args.json, &targets, &work, &store)?;
    let judge = judge(context, args)?;
    let doing = Doing {
        store: &store,
        service,
        judge: &*judge,
        problems: &problems,
        options: &options,
        targets: &targets,
        files: &enrolled.files,
        rejudge,
        now,
    };
    let done = carry_out(&doing, &work, &mut |index, result| teller.emit(index, result))?;
    teller.finish()?;
    if done.cancelled || context.cancel().is_cancelled() {
        let left = work.todo.len() - done.judged.min(work.todo.len());
        let said = format!("stopped: {} judged, {left} remaining; run the same command again to resume", done.judged);
        if !args.json {
            say(&said)?;
        }
        return Ok(Ending::Fault);
    }
    let graded =
        Graded { targets: &targets, rules: &rules, enrolled: &enrolled, work: &work, done: &done, given: &given, now };
    graded.emit(context, args, &store)
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

/// The results of a class whose submissions have been judged.
struct Graded<'a> {
    targets: &'a [JudgingTarget],
    rules: &'a MarkingRules,
    enrolled: &'a Enrolled,
    work: &'a Work<'a>,
    done: &'a ClassSummary,
    given: &'a TemplateCode,
    now: i64,
}

impl Graded<'_> {
    /// Computes marks and writes the requested files, or prints the changes for `--preview`.
    fn emit(&self, context: &Context, args: &Grade, store: &GradeStore) -> Result {
        let roster = &self.enrolled.roster;
        let columns = columns(self.targets);
        let scored: Vec<bool> = columns.iter().map(|column| column.scored).collect();
        let results = results(store, roster.claims.len(), self.work, self.done, &scored)?;
        let book = Gradebook::new(columns, roster, self.rules, &results);
        let changes = store.changes(&book.published())?;
        let notices = review_flags(store, roster, self.targets, &self.work.submissions, &book)?;
        let open = book.rows.iter().any(|row| row.marks.iter().any(|mark| matches!(mark.standing, Standing::Open(_))));
        let ending = if open { Ending::Fault } else { Ending::Good };
        if let Some(warning) = all_late(&book) {
            warn(&warning);
        }
        if args.preview {
            say(&changed(&changes, &unknown_students(roster, self.rules)))?;
            return Ok(ending);
        }
        let review = SimilarityCheck {
            store,
            files: &self.enrolled.files,
            roster,
            template: self.given,
            threshold: args.likeness * 10,
        };
        let written = self.write(args, &review, &book, &notices)?;
        self.publish(args, store, &changes)?;
        let open = results.iter().filter(|result| matches!(result, AttemptResult::Fault(_))).count();
        let counts = ProgramCounts { submissions: self.work.submissions.len(), judged: self.done.judged, open };
        if args.json {
            let line = serde_json::json!({
                "event": "grade_finished",
                "submissions": counts.submissions,
                "judged": counts.judged,
                "reused": counts.reused(),
                "attention": notices.len(),
                "late": late(&book).0,
            });
            say_json(&line)?;
        } else {
            say(&summary(&book, &notices, counts, &written, context))?;
        }
        Ok(ending)
    }

    fn publish(&self, args: &Grade, store: &GradeStore, changes: &[Change]) -> std::result::Result<(), Failure> {
        let why = args.rejudge.as_ref().map_or("graded".to_owned(), |why| format!("judged again: {why}"));
        store.publish(changes, self.now, &why)
    }

    /// Writes the gradebooks and the report, and returns the paths written. Each file is replaced atomically.
    fn write(
        &self,
        args: &Grade,
        review: &SimilarityCheck<'_>,
        book: &Gradebook,
        notices: &[ReviewFlag],
    ) -> Result<Vec<PathBuf>> {
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
            unknown(path, &filled.unknown);
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
            unknown(&out("canvas.csv"), &filled.unknown);
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
        let found = if args.likeness > 0 { Some(alike(args, review, book, &mut written)?) } else { None };
        let report = GradeReport {
            book,
            policy: &self.rules.policy,
            roster: &self.enrolled.roster,
            files: &self.enrolled.files,
            targets: self.targets,
            work: self.work,
            notices,
            store: review.store,
            likeness: found.as_deref().map(|found| (found, review)),
        };
        written.push(report.write(&out("report"))?);
        Ok(written)
    }
}

/// Compares the programs with each other, writes likeness.csv and likeness.json, and adds their paths to `written`.
fn alike(
    args: &Grade,
    review: &SimilarityCheck<'_>,
    book: &Gradebook,
    written: &mut Vec<PathBuf>,
) -> Result<Vec<ProblemSimilarity>> {
    let found = review.compare_class(book)?;
    for (name, text) in
        [("likeness.csv", to_csv(book, &found)), ("likeness.json", to_json(book, &found, review.threshold))]
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
fn unknown(path: &Path, students: &[String]) {
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
