//! Judging programs on packages: their plan, their limits, and their own programs at work.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::judge::{CaseFiles, Plan, PlanCase, PlanGroup, Rules, Ruling, Stop};
use crate::lang::{Program, Source, SourceFile};
use crate::model::{
    ByteSize, CaseId, Diagnostic, Digest, EventKind, Failure, Fault, FaultKind, Limits, Outcome, TimeSpan, Verdict,
};
use crate::package::checktestdata::{Grammar, check};
use crate::package::{Case, Package, Submission, Timing, Validator, ValidatorForm};
use crate::problem::{AuxProgram, Judging};

use super::arena::{Arena, Judgement, Tell};
use super::desk::{Desks, Text};
use super::options::Options;
use super::seat::beside;

/// The most CPU time that a program gets while the time limit is not known.
const LONGEST: TimeSpan = TimeSpan::seconds(30);

/// What an input validator or an output validator said of a case: none if it accepts.
pub type Said = Option<String>;

/// A time limit that was derived.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Kept {
    micros: u64,
}

impl Arena {
    /// The plan for a package's cases. With `to_the_end`, no case is left out but those that the rules leave out.
    ///
    /// # Errors
    /// A wanted case or group is not there, or the default validator is given flags that it does not have.
    pub fn package_plan(&self, package: &Package, options: &Options) -> Result<Plan, Diagnostic> {
        let wanted = |group: &str, case: &str| {
            options.only.is_empty() || options.only.iter().any(|name| name == group || name == case)
        };
        let mut groups: Vec<PlanGroup> = Vec::new();
        let mut known: Vec<(Judging, Arc<Judging>)> = Vec::new();
        for case in &package.cases {
            let folder = case.name.rsplit_once('/').map_or("tests", |(folder, _)| folder);
            let group = match package.grading.around(folder).name.as_str() {
                // Where there is no group, the folder is all there is.
                "" => folder,
                name => name,
            };
            if !wanted(folder, &case.name) && !wanted(group, &case.name) {
                continue;
            }
            let judging = package.judging(case)?;
            let judging = match known.iter().find(|(one, _)| *one == judging) {
                Some((_, shared)) => shared.clone(),
                None => {
                    let shared = Arc::new(judging.clone());
                    known.push((judging, shared.clone()));
                    shared
                }
            };
            let answer = case.answer.clone().unwrap_or_else(|| PathBuf::from("/dev/null"));
            let case = PlanCase {
                id: CaseId::named(&case.name),
                files: CaseFiles { input: case.input.clone(), answer },
                judging,
                args: case.args.clone(),
                beside: case.files.clone(),
                output_file: package.output_file.clone(),
                text: package.text_validator(case).map(Arc::new),
            };
            match groups.last_mut() {
                Some(last) if last.name == group => last.cases.push(case),
                _ => groups.push(PlanGroup {
                    name: group.to_owned(),
                    points: None,
                    after: Vec::new(),
                    cases: vec![case],
                }),
            }
        }
        if groups.is_empty() {
            let message = format!("{} has no case or group `{}`", package.id, options.only.join("`, `"));
            let names = package.cases.iter().map(|case| case.name.as_str());
            let diagnostic = Diagnostic::new(message);
            let near = options.only.first().and_then(|name| crate::yaml::nearest(name, names));
            return Err(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help("cases are named by their files, such as `secret/01`"),
            });
        }
        let part = !options.only.is_empty();
        let rules = (!part).then(|| Rules {
            tree: package.grading.clone(),
            scored: package.kind.scoring,
            grader: package.own_grader(),
        });
        Ok(Plan { groups, stop: if options.fail_fast { Stop::InRun } else { Stop::Never }, part, rules })
    }

    /// A contestant's program, with the files that the package puts beside it.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn package_source(&self, package: &Package, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        self.source_by(Arena::source, package, path, language)
    }

    /// The same, read by this function.
    fn source_by(
        &self,
        read: impl Fn(&Arena, &Path, Option<&str>) -> Result<Source, Failure>,
        package: &Package,
        path: &Path,
        language: Option<&str>,
    ) -> Result<Source, Failure> {
        if package.kind.submit_answer {
            return Source::of_answers(path).map_err(|error| Failure::complaint(error.to_string()));
        }
        let source = read(self, path, language.map(ours))?;
        if let (None, Some(other)) = (language, of_the_format(&source)) {
            let message = format!("{}: this format takes it for a program in {other}", path.display());
            return Err(Failure::complaint(message));
        }
        // Judges that use this format run Python by PyPy, and authors count on its speed.
        let source = match (language, source.language().id.as_str()) {
            (None | Some("python3"), "python") => match read(self, path, Some("pypy")) {
                Ok(faster) if self.missing(&faster).is_none() => faster,
                _ => source,
            },
            _ => source,
        };
        let names = theirs(&source.language().id);
        if !package.languages.is_empty() && !package.languages.iter().any(|code| names.contains(&ours(code))) {
            let (name, known) = (&source.language().name, package.languages.join(", "));
            let message = format!("{}: a program in {name}, and the problem takes only {known}", path.display());
            return Err(Failure::complaint(message));
        }
        let size = ByteSize::new(source.files().iter().map(|file| file.content.len() as u64).sum());
        if let Some(most) = package.limits.code.filter(|most| size > *most) {
            let (path, size, most) = (path.display(), size.human(), most.human());
            return Err(Failure::complaint(format!(
                "{path}: its text has {size}, and the problem takes at most {most}"
            )));
        }
        let files = included(&package.include, &source)?;
        // Drivers in old packages have any name: of all files the tool of that version starts the first.
        Ok(source.with_files(files, package.format.is_legacy()).with_constants(&package.constants))
    }

    /// A program that comes with a package.
    ///
    /// # Errors
    /// As [`Arena::package_source`].
    pub fn submission(&self, package: &Package, submission: &Submission) -> Result<Source, Failure> {
        let language = submission.language.as_deref();
        let source = self.source_by(Arena::source_of_package, package, &submission.path, language)?;
        Ok(match &submission.entry {
            Some(entry) => source.starting_at(entry),
            None => source,
        })
    }

    /// Judges a program on a package.
    ///
    /// # Errors
    /// As [`Arena::judge`].
    pub fn judge_package(
        &self,
        package: &Package,
        limits: Limits,
        source: &Source,
        name: &str,
        options: &Options,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        let mut plan = self.package_plan(package, options)?;
        if package.kind.submit_answer {
            hand_in(package, source, &mut plan);
        }
        self.judge_plan(&package.id, plan, limits, source, name, tell)
    }

    /// The limits while the time limit is not known.
    pub fn generous(&self, package: &Package) -> Limits {
        package.limits.with_time(package.limits.time.unwrap_or(LONGEST))
    }

    /// The limits in force, as far as they are known without running a program: the package's, with the time limit that
    /// was asked for, that the package says, or that was measured on this machine before.
    pub fn known_limits(&self, package: &Package, options: &Options) -> Option<Limits> {
        let kept = || {
            let text = fs_err::read(self.time_file(package)).ok()?;
            serde_json::from_slice::<Kept>(&text).ok().map(|kept| TimeSpan::micros(kept.micros))
        };
        options.time.or(package.limits.time).or_else(kept).map(|time| package.limits.with_time(time))
    }

    /// The limits of a package that says no time limit: it comes from its programs, which are run for it. It is kept, so
    /// that they are measured once on this machine.
    ///
    /// # Errors
    /// None of the programs that decide can be run here, or our own failure.
    pub fn measured_limits(&self, package: &Package) -> Result<Limits, Failure> {
        let mut slowest = None;
        for submission in package.submissions.iter().filter(|submission| submission.timing == Timing::Lower) {
            let Ok(source) = self.submission(package, submission) else { continue };
            if self.missing(&source).is_some() {
                continue;
            }
            let (all, mut ended) = (Options::default(), true);
            let tell: Tell<'_> = &mut |event| {
                if let EventKind::CaseFinished(result) = &event.kind {
                    ended &= ends(result.verdict);
                }
                Ok(())
            };
            let judged = self.judge_package(package, self.generous(package), &source, &submission.name, &all, tell)?;
            // Who was not built has run in no case.
            if ended && matches!(judged.summary.outcome, Outcome::Final { .. }) {
                slowest = slowest.max(judged.summary.slowest.map(|(_, time)| time));
            }
        }
        let Some(slowest) = slowest else {
            let message =
                format!("the time limit of {} can't be derived: none of its accepted programs runs here", package.id);
            return Err(Diagnostic::new(message).help("say one: `--time 2s`").into());
        };
        let time = package.limits.time_for(slowest);
        self.keep_time(package, time)?;
        Ok(package.limits.with_time(time))
    }

    /// Remembers a derived time limit.
    ///
    /// # Errors
    /// The cache can't be written.
    pub fn keep_time(&self, package: &Package, time: TimeSpan) -> Result<(), Failure> {
        let file = self.time_file(package);
        let unwritable = |error: &dyn std::fmt::Display| Failure::unwritable(&file, error);
        let text = serde_json::to_vec(&Kept { micros: time.as_micros() }).map_err(|error| unwritable(&error))?;
        crate::data::write_whole(&file, &text).map_err(|error| unwritable(&error))
    }

    /// The file that remembers a package's time limit: named by all that it depends on but for the machine.
    fn time_file(&self, package: &Package) -> PathBuf {
        let mut parts: Vec<String> = vec![format!("{:?} {:?} {}", package.limits, package.output, self.jobs())];
        let stamp = |path: &Path| {
            let meta = fs_err::metadata(path).ok();
            let changed = meta.as_ref().and_then(|meta| meta.modified().ok());
            format!("{} {:?} {changed:?}", path.display(), meta.map(|meta| meta.len()))
        };
        parts.push(format!("{:?} {:?}", package.languages, package.constants));
        let of = |one: &Submission| format!("{} {:?} {:?} {:?}", stamp(&one.path), one.timing, one.language, one.entry);
        parts.extend(package.submissions.iter().map(of));
        parts.extend(package.cases.iter().map(|case| stamp(&case.input)));
        let digest = Digest::of_parts(parts.iter().map(String::as_bytes));
        self.cache().join("limits").join(format!("package-{digest}.json"))
    }

    /// What an input validator says of each case; none where it accepts.
    ///
    /// # Errors
    /// It can't be built, or our own failure.
    pub fn validate_inputs(
        &self,
        package: &Package,
        validator: &Validator,
        cases: &[&Case],
    ) -> Result<Vec<Said>, Failure> {
        if validator.form == ValidatorForm::Checktestdata {
            return by_grammar(package, validator, cases);
        }
        let Some(first) = cases.first().and_then(|case| package.input_validator(validator, case)) else {
            return Ok(Vec::new());
        };
        self.aux_program(&first)?;
        self.at_desks(cases, |desks, case| {
            let Some(aux_program) = package.input_validator(validator, case) else { return Ok(None) };
            let input = fs_err::read(&case.input).map_err(|error| Failure::complaint(error.to_string()))?;
            let beside = beside(&case.files)?;
            match desks.at(&aux_program)?.admit(&input, beside) {
                // Whatever is not 42 does not confirm the input.
                Err(Failure::Complaint(complaint)) => Ok(Some(complaint.to_string())),
                said => said,
            }
        })
    }

    /// What the output validator says of an output for each case: the answer, unless the case has an output of its own.
    /// Where it failed itself, it says nothing: that is its fault.
    ///
    /// # Errors
    /// It can't be built, or our own failure.
    pub fn validate_outputs(&self, package: &Package, cases: &[&Case]) -> Result<Vec<Result<Said, Fault>>, Failure> {
        self.at_desks(cases, |desks, case| {
            let Some(answer) = &case.answer else { return Ok(Ok(None)) };
            let output = case.output.as_ref().unwrap_or(answer);
            match package.judging(case)? {
                Judging::Compare(comparer) => {
                    let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()));
                    Ok(Ok(match comparer.compare_bytes(&read(answer)?, &read(output)?) {
                        crate::check::Finding::Same => None,
                        crate::check::Finding::Differs { difference, .. } => Some(difference.message),
                    }))
                }
                Judging::Checker { checker, .. } => {
                    let [input, output, answer] = [&case.input, output, answer].map(|path| Text::File(path));
                    match desks.at(&checker)?.check(input, output, answer, Vec::new()) {
                        Ok((ruling, _)) => Ok(Ok(refusal(ruling))),
                        Err(fault) if fault.kind == FaultKind::Checker => Ok(Err(fault)),
                        Err(fault) => Err(fault.into()),
                    }
                }
                Judging::Interactor { .. } => Ok(Ok(None)),
            }
        })
    }

    /// Whether a setter's program of a package can be built here.
    ///
    /// # Errors
    /// What it lacks.
    pub fn check_aux_program(&self, aux_program: &AuxProgram) -> Result<(), Failure> {
        self.aux_program(aux_program).map(|_| ())
    }

    /// Does something for each case, as many at once as programs may run, and collects what comes of it in order.
    fn at_desks<T: Send>(
        &self,
        cases: &[&Case],
        each: impl Fn(&mut Desks<'_>, &Case) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<T, Failure>)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for slot in 0..self.jobs().min(cases.len()) {
                let (next, done, each) = (&next, &done, &each);
                scope.spawn(move || {
                    let mut desks = Desks::new(self, slot);
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(at) else { break };
                        let result = each(&mut desks, case);
                        let failed = result.is_err();
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                        if failed {
                            next.store(cases.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

/// Why an output is rejected; none if it is not.
fn refusal(ruling: Ruling) -> Said {
    let refused = !ruling.verdict.accepted() && ruling.verdict != Verdict::Partial;
    refused.then(|| ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned()))
}

/// Whether a program with this verdict came to its end, so that its time says something: a program from which the time
/// limit is derived may do anything else.
pub fn ends(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit)
}

/// What of the files that a package puts beside programs is for this one's language.
pub(super) fn included(
    include: &BTreeMap<String, Vec<(String, PathBuf)>>,
    source: &Source,
) -> Result<Vec<SourceFile>, Failure> {
    let names = theirs(&source.language().id);
    let own = names.iter().find_map(|name| include.get(*name)).or_else(|| include.get("default"));
    let mut files = Vec::new();
    for (name, path) in own.into_iter().flatten() {
        let content = fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()))?;
        files.push(SourceFile { name: name.clone(), content });
    }
    Ok(files)
}

/// Has each case print its own among the answers; where there is none, nothing is printed.
fn hand_in(package: &Package, source: &Source, plan: &mut Plan) {
    let files: Vec<&str> = source.files().iter().map(|file| file.name.as_str()).collect();
    for case in plan.groups.iter_mut().flat_map(|group| &mut group.cases) {
        let written = package.cases.iter().find(|one| CaseId::named(&one.name) == case.id);
        let answer = written.and_then(|one| package.answer_among(one, &files));
        case.args = answer.map(str::to_owned).into_iter().collect();
        case.beside = Vec::new();
    }
}

/// What a grammar says of each case.
fn by_grammar(package: &Package, validator: &Validator, cases: &[&Case]) -> Result<Vec<Said>, Failure> {
    let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()));
    let text = package.with_constants(&String::from_utf8_lossy(&read(&validator.path)?));
    let grammar = Grammar::parse(&validator.path.display().to_string(), &text)?;
    cases.iter().map(|case| Ok(check(&grammar, &read(&case.input)?).err())).collect()
}

/// The language that the format takes a program for, if that is one we do not have: Python 2, which the first line names,
/// and Prolog, whose ending is Perl's too.
fn of_the_format(source: &Source) -> Option<&'static str> {
    let text = String::from_utf8_lossy(&source.entry().content);
    let first = text.lines().next().unwrap_or_default();
    match source.language().id.as_str() {
        "python" if first.starts_with("#!") && first.contains("python2") => Some("Python 2"),
        "perl" if !first.starts_with("#!") && text.contains(":-") => Some("Prolog"),
        _ => None,
    }
}

/// Our id of a language that the format names by its code.
fn ours(code: &str) -> &str {
    match code {
        "python3" | "python3numpy" => "python",
        "javaalgs4" => "java",
        "cppgmp" => "cpp",
        "cgmp" => "c",
        other => other,
    }
}

/// The format's code of a program's language.
pub(super) fn code(source: &Source) -> &str {
    theirs(&source.language().id).first().copied().unwrap_or_default()
}

/// Where a program begins, as the format names that: a class, or a file.
pub(super) fn entry_point(source: &Source, program: &Program) -> String {
    match (program.class(), source.language().id.as_str()) {
        (Some(class), _) => class.to_owned(),
        (None, "kotlin") => "MainKt".to_owned(),
        (None, _) => source.given(source.entry()).to_owned(),
    }
}

/// The format's codes of a language of ours, the nearest first.
fn theirs(id: &str) -> Vec<&str> {
    match id {
        "python" | "pypy" => vec!["python3", "python"],
        other => vec![other],
    }
}
