//! Finds the submissions of a class, determines which of them must be judged, and defines the interface of a judge.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind, Limits, folder_of};
use crate::runner::{AnyProblem, Host, JudgeOptions, JudgingTarget, PreparedProblem};
use crate::service::{JudgeRequest, JudgeService, RunReport};
use crate::unzip::decoded;

use super::intake::{Git, Intake, IntakeContext, read};
use super::marks::AttemptResult;
use super::record::Record;
use super::roster::{
    Claim, GuessedLanguage, Listed, Manifest, Named, Pattern, Roster, guess, resolve, without_wrapper,
};
use super::store::GradeStore;
use super::submission::{Submission, Unusable, bundle, submissions};

/// The files of a download, and the submissions found among them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolled {
    /// Files of the download.
    pub files: Vec<Listed>,
    /// The submissions of each student.
    pub roster: Roster,
    /// Character sets with which names that are not UTF-8 were decoded.
    #[serde(skip)]
    pub charsets: BTreeSet<&'static str>,
}

/// Returns the ids and names of an assignment's problems, which are used to recognize its submissions.
///
/// # Errors
/// Fails if a problem occurs more than once, if outputs are submitted for it and not programs, or if it lacks an
/// interactor and no checker is specified.
pub fn named_problems(problems: &[AnyProblem], has_checker: bool) -> Result<Vec<Named>, Diagnostic> {
    for (index, problem) in problems.iter().enumerate() {
        if problem.package().is_some_and(|package| package.kind.submit_answer) {
            return Err(Diagnostic::new(format!(
                "outputs are submitted for the problem `{}`; only problems for which programs are submitted can be graded",
                problem.id()
            )));
        }
        if let Some(missing) = problem.missing_interactor().filter(|_| !has_checker) {
            return Err(
                missing.help("specify a package with an interactor, or compare outputs with `--checker tokens`")
            );
        }
        if problems[..index].iter().any(|other| other.id() == problem.id()) {
            return Err(Diagnostic::new(format!("the problem `{}` is specified more than once", problem.id())));
        }
    }
    let named = |problem: &AnyProblem| Named { id: problem.id().clone(), name: problem.title().to_owned() };
    Ok(problems.iter().map(named).collect())
}

/// Reads a download, which is a folder, a zip file, or a CSV file that lists files in its own folder, and finds the
/// submissions in the download. The output folder `out` is not read.
///
/// # Errors
/// Fails if the download can't be read, if the list is invalid, or if the store can't be written.
pub fn enrol(
    store: &GradeStore,
    host: &Host,
    from: &Path,
    problems: &[Named],
    patterns: &[Pattern],
    out: &Path,
) -> Result<Enrolled, Failure> {
    let list = from.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv")) && from.is_file();
    let mut keep = |bytes: &[u8]| store.keep(bytes);
    let knows = |name: &Path| host.languages().is_source_name(name);
    let guess_language = |text: &str| {
        let (name, extension) = host.languages().guess(text)?;
        Some(GuessedLanguage { name, extension })
    };
    let except = fs_err::canonicalize(out).ok();
    let mut context = IntakeContext {
        keep: &mut keep,
        knows: &knows,
        guess: &guess_language,
        except,
        git: Git::find(host.sandbox()),
    };
    if !list {
        let Intake { mut files, mut left, charsets } = store.at_once(|_| read(from, &mut context))?;
        // Patterns match whole paths, so no folder is removed from the paths if there are patterns.
        let wrapper = patterns.is_empty().then(|| without_wrapper(&mut files, &mut left, problems)).flatten();
        let mut roster = guess(&files, &left, problems, patterns);
        roster.layout.extend(wrapper.map(|wrapper| format!(", in `{wrapper}`")));
        return Ok(Enrolled { files, roster, charsets });
    }
    let text = decoded(fs_err::read(from).map_err(|error| Failure::user_file(&error))?);
    let manifest = Manifest::parse(&from.display().to_string(), &text, problems)?;
    let folder = folder_of(from);
    let Intake { mut files, left, charsets } = store.at_once(|_| read(folder, &mut context))?;
    let own = from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    files.retain(|file| file.path != own);
    let mut roster = resolve(&manifest, &files);
    roster.left.extend(left);
    roster.left.sort();
    Ok(Enrolled { files, roster, charsets })
}

/// The submissions to be graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work<'a> {
    /// The submissions that may count toward a mark, in the order of the roster, each with its index in the roster.
    pub submissions: Vec<(usize, Submission<'a>)>,
    /// Submissions that must be judged, as indices into `submissions`, each with the reason. Only the first of several
    /// identical programs is listed.
    pub todo: Vec<(usize, String)>,
}

/// Determines which submissions must be judged. If `since` is given, ignores results whose rejudging number is lower
/// than `since`.
///
/// # Errors
/// Fails under the same conditions as [`submissions`], or if the store can't be read or written.
pub fn plan<'a>(
    store: &GradeStore,
    host: &Host,
    (problems, targets): (&[Arc<PreparedProblem>], &[JudgingTarget]),
    enrolled: &'a Enrolled,
    wanted: &[bool],
    since: Option<i64>,
) -> Result<Work<'a>, Failure> {
    let claims = &enrolled.roster.claims;
    let places: Vec<usize> = (0..claims.len()).filter(|&place| wanted[place]).collect();
    let chosen = places.iter().map(|&place| &claims[place]);
    let found = submissions(store, host, (problems, targets), &enrolled.files, chosen)?;
    let submissions: Vec<(usize, Submission<'a>)> = places.into_iter().zip(found).collect();
    store.at_once(|store| {
        let keys = submissions.iter().map(|(_, submission)| (&submission.key_v1, submission.key()));
        for (v1, current) in keys.filter_map(|(v1, current)| Some((v1.as_ref()?, current?))) {
            store.adopt(v1, current)?;
        }
        Ok(())
    })?;
    let mut seen = BTreeMap::new();
    let mut todo = Vec::new();
    for (index, (_, submission)) in submissions.iter().enumerate() {
        let Some(key) = submission.key() else { continue };
        if seen.insert(key.whole(), ()).is_some() {
            continue;
        }
        let problem = targets[submission.claim.problem].problem.as_str();
        let why = match store.has(&key.whole())? {
            Some(from) if since.is_none_or(|since| from >= since) => continue,
            Some(_) => "rejudging was requested".to_owned(),
            None => match store.older(&key.source, problem)? {
                Some((older, version)) => {
                    let key = submission.key_v1.as_ref().filter(|_| version == 1).unwrap_or(key);
                    format!("changed: {}", key.changed_since(&older).join(", "))
                }
                None => "new".to_owned(),
            },
        };
        todo.push((index, why));
    }
    Ok(Work { submissions, todo })
}

/// Summary of a call to [`ClassToJudge::judge`](super::class_to_judge::ClassToJudge::judge).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSummary {
    /// Number of submissions judged in this call.
    pub judged: usize,
    /// Errors of the judge, by the keys of the results that could therefore not be computed.
    pub faults: BTreeMap<Digest, Fault>,
    /// Whether judging was cancelled.
    pub cancelled: bool,
}

/// Callback that returns the next program to judge, with its index in [`Work::submissions`], or `None` if there are no
/// more programs.
pub type NextProgram<'a> = &'a mut dyn FnMut() -> Result<Option<(usize, JudgeRequest)>, Failure>;
/// Callback that receives the index of a judged program, and the report of its run or the failure of judging.
pub type WhenJudged<'a> = &'a mut dyn FnMut(usize, Result<RunReport, Failure>) -> Result<(), Failure>;

/// A judge for the programs of a class.
pub trait ProgramJudge {
    /// Prepares for judging programs on `targets`. It is called before the first program is judged.
    ///
    /// # Errors
    /// Fails if no program can be judged on one of the targets.
    fn prepare(&self, targets: &[&JudgingTarget]) -> Result<(), Failure>;

    /// Judges programs until `next` returns `None`, and calls `judged` for each program, in the order of completion. If
    /// judging is cancelled, `judged` receives a fault for each program whose judging is not complete.
    ///
    /// # Errors
    /// Returns the errors of `next` and `judged`, and fails if no program can be judged.
    fn judge_all(&self, next: NextProgram<'_>, judged: WhenJudged<'_>) -> Result<(), Failure>;
}

/// A [`ProgramJudge`] that judges programs on this machine.
pub struct LocalJudge<'a> {
    /// Service that judges programs.
    pub service: &'a JudgeService,
    /// Number of programs that are judged at the same time.
    pub jobs: usize,
}

impl ProgramJudge for LocalJudge<'_> {
    fn prepare(&self, targets: &[&JudgingTarget]) -> Result<(), Failure> {
        targets.iter().try_for_each(|target| self.service.build_aux_programs(target))
    }

    fn judge_all(&self, next: NextProgram<'_>, judged: WhenJudged<'_>) -> Result<(), Failure> {
        // One additional program is prepared while the others run.
        self.service.judge_many(self.jobs + 1, next, judged)
    }
}

/// Creates the request to judge the program of `claim`. `files` are the files of the download.
///
/// # Errors
/// Fails if the program can't be read.
pub fn judge_request(
    store: &GradeStore,
    problem: &PreparedProblem,
    options: &JudgeOptions,
    limits: Limits,
    (files, claim): (&[Listed], &Claim),
) -> Result<JudgeRequest, Failure> {
    let source = bundle(store, files, claim).map_err(|unusable| match unusable {
        Unusable::Refused(reason) => Failure::fault(FaultKind::Data, reason),
        Unusable::Failed(failure) => failure,
    })?;
    let program = Some(claim.path.rsplit('/').next().unwrap_or(&claim.path).to_owned());
    // Each program is assigned one slot, so that builds run concurrently with other programs and no program waits for
    // the slowest one.
    let (options, limits, slots) = (options.clone(), Some(limits), Some(1));
    Ok(JudgeRequest { program, options, limits, slots, ..JudgeRequest::new(problem, source) })
}

/// Converts the report of a run to a record.
///
/// # Errors
/// Returns the fault of the judge if the judge failed. The program then has no result.
pub fn judged_record(report: Result<RunReport, Failure>) -> Result<Record, Fault> {
    match report {
        Ok(report) => Record::of_report(report),
        Err(Failure::Fault(fault)) => Err(fault),
        Err(Failure::Complaint(complaint)) => Err(Fault::new(FaultKind::Toolchain, complaint.to_string())),
    }
}

/// Converts a record to the result of an attempt. `scored` states whether the problem has subtasks.
pub fn attempt_result(record: &Record, scored: bool) -> AttemptResult {
    // With subtasks, the points of the subtasks determine partial credit.
    let cases = if scored { (0, 0) } else { (record.accepted(), record.cases.len()) };
    AttemptResult::Result { verdict: record.verdict, score: record.score, max: record.max_score, cases }
}
