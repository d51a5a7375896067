//! Runs all checks of a package in order: its validators on its data, then its programs.

use std::time::Instant;

use crate::model::{Diagnostic, Failure, Fault, FaultKind, Limits, Points, Rule, Score, Verdict, counted};
use crate::package::{
    ExpectedOutcome, OutputCheck, Package, PackageCase, PackageSubmission, TimeLimitUse, ValidatorKind,
    ValidatorTestKind, folder_of_case,
};
use crate::runner::{
    Host, JudgeOptions, PreparedProblem, Refusal, cases_in_time, generous_limits, keep_time_limit, ran_to_end,
    submission_bundle, validate_inputs, validate_outputs,
};
use crate::service::{JudgeRequest, JudgeService};

use super::check_result::{Check, Status};
use super::expectation::{SubmissionResults, must_be_accepted, settled_by_first, violations};
use super::judged_program::{JudgedSubmission, Verifier};
use super::matrix::{self, CheckSink, Matrix, MatrixRow, slowest};
use super::problem::VerifyOptions;
use super::result_cache::ResultCache;
use super::solutions::build_sources;
use super::step::{Step, time_left};

/// Result of running an output validator on an output: the reason if it rejects the output, or a fault if it fails.
type OutputSaid = Result<Refusal, Fault>;

/// Verifies a package, and passes each check to `say` when it is done. `matrix` receives the verdicts.
///
/// # Errors
/// Fails if a check can't be performed, or if `say` fails. Both end the verification.
pub(super) fn verify_package(
    service: &JudgeService,
    prepared: &PreparedProblem,
    options: VerifyOptions<'_>,
    matrix: &mut Matrix,
    say: &mut CheckSink<'_>,
) -> Result<(), Failure> {
    let (host, Some(package)) = (service.host(), prepared.package()) else { return Ok(()) };
    let (foreign, programs): (Vec<&PackageSubmission>, Vec<&PackageSubmission>) =
        package.submissions.iter().partition(|submission| is_foreign(host, package, submission));
    say(about(package, &foreign))?;
    (options.progress)(&Step::new("validating the inputs and the answers"));
    inputs(host, package, say)?;
    outputs(host, package, say)?;
    let cache = ResultCache::open(host, &package.root, options.again)?;
    let verifier = Verifier { service, prepared, cache: &cache, options };
    if !package.kind.submit_answer {
        let source = |submission: &&PackageSubmission| prepared.source(host, &submission_bundle(submission).ok()?).ok();
        build_sources(host, programs.iter().filter_map(source).collect(), options.progress)?;
    }
    *matrix = judge_all(&verifier, package, &programs, say)?;
    if let Some(check) = unjudged(&programs, matrix) {
        say(check)?;
    }
    cache.remove_unused();
    Ok(())
}

/// Returns the folders that contain cases, in the order of the cases.
fn groups(package: &Package) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for case in &package.cases {
        let folder = folder_of_case(&case.name);
        if found.last().is_none_or(|last| last != folder) {
            found.push(folder.to_owned());
        }
    }
    found
}

/// Returns whether a submission is a file that is not a program in any known language, such as a template or a compiled
/// program. No file is foreign if the package declares the language of the file, or if answers are submitted instead of
/// programs.
fn is_foreign(host: &Host, package: &Package, submission: &PackageSubmission) -> bool {
    let named = submission.language.is_some() || package.kind.submit_answer;
    !named && !submission.path.is_dir() && !host.languages().may_be_program(&submission.path)
}

fn about(package: &Package, foreign: &[&PackageSubmission]) -> Check {
    let how = package.whole_guess().map(|guess| format!(" ({guess})")).unwrap_or_default();
    let (cases, groups) = (package.cases.len(), groups(package).len());
    let (case_count, group_count) = (counted(cases, "case", "cases"), counted(groups, "group", "groups"));
    let detail = format!("{}{how}: {case_count} in {group_count}", package.format.name());
    let told = Check::new("package", Status::Pass, detail).with("cases", cases).with("groups", groups);
    let foreign = foreign
        .iter()
        .map(|file| format!("`{}` is not judged: its file extension belongs to no known language", file.name));
    let warnings = package.skipped_case_notes().into_iter().chain(foreign).collect();
    Check { warnings, ..told.with("left_out", package.skipped_cases.len()) }
}

/// Returns a check of `count` cases. `wrong` contains the names of the failed cases, with the reasons. `good` is the
/// text for success, in the singular and in the plural.
fn several(name: &str, count: usize, wrong: &[(String, String)], good: [&str; 2]) -> Check {
    match wrong {
        [] => Check::new(name, Status::Pass, counted(count, good[0], good[1])),
        [(case, why), ..] => {
            let detail = format!("{} of {count} failed; the first is {case} ({})", wrong.len(), first_line(why));
            Check::new(name, Status::Fail, detail).with("wrong", wrong.len())
        }
    }
}

/// Returns the check of the judges' answers. Answers of samples must be accepted as outputs. In the ICPC format,
/// answers of secret cases may have any form that the output validator understands, so a rejection is only a warning.
fn answers(count: usize, wrong: &[(String, String)]) -> Check {
    let good = ["answer is accepted as an output", "answers are accepted as outputs"];
    let told = several("answers", count, wrong, good);
    if wrong.is_empty() || wrong.iter().any(|(case, _)| !case.starts_with("secret/")) {
        return told;
    }
    let detail = format!("{} of {count} answers are accepted as outputs", count - wrong.len());
    let warning =
        format!("{}; ignore this warning if the rejected answers are not meant to be valid outputs", told.detail);
    Check { status: Status::Pass, detail, warnings: vec![warning], ..told }
}

/// Returns a check with the first line of a diagnostic as its detail. The other lines are shown below it.
fn complained(name: impl Into<String>, status: Status, complaint: &Diagnostic) -> Check {
    let text = complaint.to_string();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    Check::new(name, status, first.trim_end_matches(':')).with_words(rest)
}

fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.chars().take(200).collect()
}

fn inputs(host: &Host, package: &Package, say: &mut CheckSink<'_>) -> Result<(), Failure> {
    let wanted =
        |wants| package.validator_tests.iter().filter(move |proof| proof.kind == wants).map(|proof| &proof.case);
    // Validator tests for outputs also have valid inputs, even if their outputs are invalid.
    let of_outputs = package.validator_tests.iter().filter(|proof| proof.kind != ValidatorTestKind::InvalidInput);
    let cases: Vec<&PackageCase> = package.tests().chain(of_outputs.map(|proof| &proof.case)).collect();
    let invalid: Vec<&PackageCase> = wanted(ValidatorTestKind::InvalidInput).collect();
    let mut refused = vec![false; invalid.len()];
    let mut all_ran = true;
    if package.input_validators.is_empty() {
        say(Check::new("inputs", Status::Skip, "the package has no input validator"))?;
    }
    for validator in &package.input_validators {
        let name = format!("inputs, {}", validator.name);
        if validator.kind == ValidatorKind::Viva {
            all_ran = false;
            say(Check::new(name, Status::Skip, "VIVA grammars are not supported"))?;
            continue;
        }
        match validate_inputs(host, package, validator, &cases) {
            Ok(said) => say(several(&name, cases.len(), &wrong(&cases, said), ["input is valid", "inputs are valid"]))?,
            Err(Failure::Complaint(complaint)) => {
                all_ran = false;
                say(complained(name, Status::Fail, &complaint))?;
                continue;
            }
            Err(fault) => return Err(fault),
        }
        let said = validate_inputs(host, package, validator, &invalid)?;
        refused.iter_mut().zip(said).for_each(|(refused, said)| *refused |= said.is_some());
    }
    if !invalid.is_empty() && all_ran {
        let passed = invalid.iter().zip(&refused).filter(|(_, refused)| !**refused);
        let passed: Vec<(String, String)> =
            passed.map(|(case, _)| (case.name.clone(), "no validator rejects the input".to_owned())).collect();
        let good = ["invalid input is rejected", "invalid inputs are rejected"];
        say(several("invalid inputs", invalid.len(), &passed, good))?;
    }
    Ok(())
}

fn wrong(cases: &[&PackageCase], said: Vec<Refusal>) -> Vec<(String, String)> {
    cases.iter().zip(said).filter_map(|(case, said)| Some((case.name.clone(), said?))).collect()
}

fn outputs(host: &Host, package: &Package, say: &mut CheckSink<'_>) -> Result<(), Failure> {
    let program = package.checked_by_programs();
    if program && package.kind.interactive {
        return say(Check::new(
            "answers",
            Status::Pass,
            "programs interact with the output validator, so there are no answers to check",
        ));
    }
    // The default validator accepts every answer as an output, so only cases with an output are checked. If the package
    // has a validator, answers are also checked. The exceptions are cases for which the statement shows another text
    // instead of the answer, since such an answer may not have the form of an output.
    let is_output = |case: &PackageCase| match program {
        true => case.output.is_some() || case.shown[1].is_none() && case.interaction.is_none(),
        false => case.output.is_some(),
    };
    let all = package.cases.iter().filter(|case| case.answer.is_some() && is_output(case));
    let all: Vec<&PackageCase> = all.collect();
    if (program || !all.is_empty()) && package.kind.passes.is_none() {
        match validate_outputs(host, package, &all) {
            Ok(said) => {
                let said = said.into_iter().map(|said| said.unwrap_or_else(|fault| Some(fault.message))).collect();
                say(answers(all.len(), &wrong(&all, said)))?;
            }
            Err(Failure::Complaint(complaint)) => {
                return say(complained("answers", Status::Fail, &complaint));
            }
            Err(fault) => return Err(fault),
        }
    }
    for (wants, name) in
        [(ValidatorTestKind::ValidOutput, "valid outputs"), (ValidatorTestKind::InvalidOutput, "invalid outputs")]
    {
        let cases = proofs(package, wants, |case| case.output.is_some());
        if !cases.is_empty() {
            let said = validate_outputs(host, package, &cases)?;
            say(proved(name, wants == ValidatorTestKind::ValidOutput, &cases, said))?;
        }
    }
    let cases = proofs(package, ValidatorTestKind::InvalidOutput, |case| case.output.is_none());
    if !cases.is_empty() {
        say(invalid_answers(&cases, validate_outputs(host, package, &cases)?))?;
    }
    Ok(())
}

/// Returns the cases of the validator tests of kind `wants` for which `of` returns true.
fn proofs(package: &Package, wants: ValidatorTestKind, of: fn(&PackageCase) -> bool) -> Vec<&PackageCase> {
    let all = package.validator_tests.iter().filter(|proof| proof.kind == wants).map(|proof| &proof.case);
    all.filter(|case| of(case)).collect()
}

/// Returns the check of outputs, all of which the output validator must accept or, if `accept` is false, reject. If the
/// validator fails on an output, the check fails.
fn proved(name: &str, accept: bool, cases: &[&PackageCase], said: Vec<OutputSaid>) -> Check {
    let wrong = cases.iter().zip(said).filter_map(|(case, said)| {
        let why = match said {
            Err(fault) => failed(&fault),
            Ok(Some(why)) if accept => why,
            Ok(None) if !accept => "the output is accepted".to_owned(),
            Ok(_) => return None,
        };
        Some((case.name.clone(), why))
    });
    let wrong: Vec<(String, String)> = wrong.collect();
    several(name, cases.len(), &wrong, if accept { ["is accepted", "are accepted"] } else { REJECTED })
}

/// The texts, in the singular and in the plural, for a passed check of outputs or answers that must be rejected.
const REJECTED: [&str; 2] = ["is rejected", "are rejected"];

fn failed(fault: &Fault) -> String {
    format!("the output validator failed: {}", fault.message)
}

/// Returns the check of wrong answers to valid inputs. If the output validator accepts such an answer, an answer
/// validator is expected to reject it, but answer validators are not supported.
fn invalid_answers(cases: &[&PackageCase], said: Vec<OutputSaid>) -> Check {
    let (name, count) = ("invalid answers", cases.len());
    let faults =
        cases.iter().zip(&said).filter_map(|(case, said)| Some((case.name.clone(), failed(said.as_ref().err()?))));
    let faults: Vec<(String, String)> = faults.collect();
    let accepted = said.iter().filter(|said| matches!(said, Ok(None))).count();
    match accepted {
        _ if !faults.is_empty() => several(name, count, &faults, REJECTED),
        0 => several(name, count, &[], REJECTED),
        _ => {
            let them = if accepted == 1 { "this answer" } else { "these answers" };
            let detail = format!(
                "the output validator accepts {accepted} of {}; an answer validator may reject {them}, but answer \
                 validators are not supported",
                counted(count, "invalid answer", "invalid answers")
            );
            Check::new(name, Status::Skip, detail)
        }
    }
}

fn judge_all(
    verifier: &Verifier<'_>,
    package: &Package,
    programs: &[&PackageSubmission],
    say: &mut CheckSink<'_>,
) -> Result<Matrix, Failure> {
    let mut matrix = Matrix { groups: groups(package), rows: Vec::new() };
    let mut done: Vec<(&PackageSubmission, JudgedSubmission)> = Vec::new();
    let generous = generous_limits(package);
    let (mut slowest, mut slowest_name) = (None, String::new());
    let mut all_measured = true;
    let (first, rest): (Vec<&PackageSubmission>, Vec<&PackageSubmission>) =
        programs.iter().partition(|submission| submission.time_limit_use == TimeLimitUse::Lower);
    let (start, all) = (Instant::now(), programs.len());
    let mut cached = 0;
    let step = |done: usize, cached: usize, submission: &PackageSubmission| {
        let (parts, left) = (Some((done, all)), time_left(start.elapsed(), done - cached, all - cached));
        Step { text: format!("judging {}", submission.name), parts, left }
    };
    let measured = first.len();
    let mut measure = |submission: &PackageSubmission, judged: &JudgedSubmission| {
        let ran = !judged.results.cases.is_empty() && judged.fault.is_none();
        let time = matrix::slowest(&judged.results.cases);
        if slowest < Some(time) && ran && !timed_out(judged) {
            (slowest, slowest_name) = (Some(time), submission.name.clone());
        }
        all_measured &= judged.fault.is_none();
    };
    for (index, submission) in first.into_iter().enumerate() {
        let step = step(index, cached, submission);
        let Some(judged) = judge(verifier, package, (submission, &[]), generous, &step, say)? else { continue };
        cached += usize::from(judged.cached);
        measure(submission, &judged);
        done.push((submission, judged));
    }
    for submission in rest.iter().filter(|_| package.limits.time.is_none()) {
        let Some(only) = cases_in_time(package, submission) else { continue };
        let step = step(measured, cached, submission);
        if let Some(judged) = judge(verifier, package, (submission, &only), generous, &step, say)? {
            measure(submission, &judged);
        }
    }
    let limits = match (package.limits.time, slowest) {
        (Some(time), _) => package.limits.with_time(time),
        (None, Some(slowest)) => {
            let time = package.limits.time_for(slowest);
            // If a checker failed, the limit does not take all programs into account, so it is not stored and is
            // measured again the next time.
            if all_measured {
                keep_time_limit(verifier.service.host(), package, time)?;
            }
            let detail = format!("{time}, derived from {slowest_name}, which takes {:.0} ms", slowest.as_millis_f64());
            say(Check::new("time limit", Status::Pass, detail))?;
            package.limits.with_time(time)
        }
        (None, None) => {
            let limit = generous.cpu;
            let why = format!(
                "cannot derive the time limit, since no accepted program ran to completion on this machine; {limit} \
                 is used instead"
            );
            say(Check::new("time limit", Status::Skip, why))?;
            generous
        }
    };
    for (submission, judged) in done {
        tell_one(package, submission, judged, &mut matrix, say)?;
    }
    for (index, submission) in rest.into_iter().enumerate() {
        let step = step(measured + index, cached, submission);
        if let Some(judged) = judge(verifier, package, (submission, &[]), limits, &step, say)? {
            cached += usize::from(judged.cached);
            tell_one(package, submission, judged, &mut matrix, say)?;
        }
    }
    Ok(matrix)
}

fn timed_out(judged: &JudgedSubmission) -> bool {
    judged.results.cases.iter().any(|result| !ran_to_end(result.verdict))
}

/// Returns a check that lists the programs that were not judged, or `None` if all programs were judged.
fn unjudged(programs: &[&PackageSubmission], matrix: &Matrix) -> Option<Check> {
    let judged = |submission: &PackageSubmission| matrix.rows.iter().any(|row| row.name == submission.name);
    let missing: Vec<&str> = programs.iter().filter(|one| !judged(one)).map(|one| one.name.as_str()).collect();
    let (count, all) = (missing.len(), programs.len());
    let verb = if count == 1 && all == 1 { "was" } else { "were" };
    let detail = format!("{count} of {all} programs {verb} not judged: {}", missing.join(", "));
    let check = Check::new("programs", Status::Skip, detail).with("programs", all).with("not_judged", count);
    let mut right = programs.iter().filter(|submission| must_be_accepted(&submission.expectations)).peekable();
    let none_right = right.peek().is_some() && !right.any(|submission| judged(submission));
    let check = if none_right { check.warn("no program that is expected to be accepted was run") } else { check };
    (count > 0).then_some(check)
}

/// Returns whether a program that is expected to fail may be stopped at its first failure. This requires that the first
/// failure decides whether the program meets its expectations, that the program's time does not determine the time
/// limit, and that there is no scoring.
fn settled_early(package: &Package, submission: &PackageSubmission) -> bool {
    let measured = submission.time_limit_use == TimeLimitUse::Lower && package.limits.time.is_none();
    let decides = matches!(package.grading.rule, Rule::Aggregate(_));
    !package.kind.scoring
        && !measured
        && !must_be_accepted(&submission.expectations)
        && settled_by_first(&submission.expectations, decides)
}

/// Returns the maximum score that the package declares, or `None` if it is unbounded.
fn most(package: &Package) -> Option<Points> {
    let tree = &package.grading;
    match &tree.rule {
        Rule::Grader(rule) => rule.range.1,
        Rule::Aggregate(_) => match &tree.find("secret").unwrap_or(tree).rule {
            Rule::Aggregate(rule) => rule.most.map(Points::from),
            Rule::Grader(rule) => rule.range.1,
            Rule::WorstCase(rule) => Some(rule.most.into()),
        },
        Rule::WorstCase(rule) => Some(rule.most.into()),
    }
}

/// Returns the best score of the declared range, or `None` if it is unbounded.
fn best(package: &Package) -> Option<Points> {
    match &package.grading.rule {
        Rule::Grader(rule) if package.kind.minimize => rule.range.0,
        Rule::Aggregate(_) if package.kind.minimize => Some(Points::ZERO),
        _ => most(package),
    }
}

/// Formats the score of a program and its maximum, if one is declared or can be computed. Returns an empty string if
/// the package has no scoring.
fn points(package: &Package, results: &SubmissionResults) -> String {
    let free = matches!(package.output, OutputCheck::Icpc { score: true, .. }) || package.grader.is_some();
    match (package.kind.scoring, free && most(package).is_none()) {
        (false, _) => String::new(),
        (true, true) if results.score.0 == Score::points(1) => ", 1 point".to_owned(),
        (true, true) => format!(", {} points", results.score.0),
        (true, false) => format!(", {} of {} points", results.score.0, results.score.1),
    }
}

/// Judges one program on all cases, or on the cases `only` if the list is not empty. If the program can't be read, built or
/// run on this machine, reports a check and returns `None`.
fn judge(
    verifier: &Verifier<'_>,
    package: &Package,
    (submission, only): (&PackageSubmission, &[String]),
    limits: Limits,
    step: &Step,
    say: &mut CheckSink<'_>,
) -> Result<Option<JudgedSubmission>, Failure> {
    let Verifier { service, prepared, options, .. } = *verifier;
    let (host, name) = (service.host(), &submission.name);
    let read = submission_bundle(submission);
    let (bundle, source) = match read.and_then(|bundle| Ok((prepared.source(host, &bundle)?, bundle))) {
        Ok((source, bundle)) => (bundle, source),
        Err(Failure::Complaint(complaint)) => {
            say(complained(name, Status::Skip, &complaint))?;
            return Ok(None);
        }
        Err(fault) => return Err(fault),
    };
    if let Some(missing) = host.languages().missing(&source)? {
        say(Check::new(name, Status::Skip, missing))?;
        return Ok(None);
    }
    let fail_fast = options.fail_fast && settled_early(package, submission);
    let options = JudgeOptions { fail_fast, only: only.to_vec(), ..JudgeOptions::default() };
    let (program, notes) = (Some(name.clone()), prepared.source_notes(&bundle));
    let request = JudgeRequest { program, options, limits: Some(limits), ..JudgeRequest::new(prepared, bundle) };
    // Results that determine the time limit are never taken from the cache: one slow run on a busy machine would
    // otherwise affect the limit permanently.
    let measured =
        (submission.time_limit_use == TimeLimitUse::Lower || !only.is_empty()) && package.limits.time.is_none();
    let complete = |judged: &mut JudgedSubmission| {
        judged.results.best = best(package);
        let expected = &submission.expectations;
        !measured && !expected.is_empty() && violations(expected, package.kind, &judged.results).is_empty()
    };
    let judged = match verifier.judge(request, &source, limits, step, complete) {
        Ok(judged) => JudgedSubmission { notes, ..judged },
        Err(Failure::Complaint(complaint)) => {
            say(complained(name, Status::Fail, &complaint))?;
            return Ok(None);
        }
        Err(fault) => return Err(fault),
    };
    match judged.fault {
        // A fault of a validator is an error of the package; any other fault is an error of the judge.
        Some(fault) if fault.kind != FaultKind::Checker => Err(fault.into()),
        _ => Ok(Some(judged)),
    }
}

/// Compares the results of a program with its expectations, adds the row of the program to `matrix`, and reports the
/// check.
fn tell_one(
    package: &Package,
    submission: &PackageSubmission,
    judged: JudgedSubmission,
    matrix: &mut Matrix,
    say: &mut CheckSink<'_>,
) -> Result<(), Failure> {
    let (results, slowest) = (&judged.results, slowest(&judged.results.cases));
    let violations = match &judged.fault {
        Some(fault) => vec![first_line(&fault.message)],
        None => violations(&submission.expectations, package.kind, results),
    };
    matrix.rows.push(MatrixRow {
        right: submission.time_limit_use == TimeLimitUse::Lower,
        slow: submission.time_limit_use == TimeLimitUse::Upper,
        unexpected: !violations.is_empty(),
        ..MatrixRow::new(&submission.name, &matrix.groups, &results.cases, |result| {
            folder_of_case(result.case.as_str())
        })
    });
    let verdict = results.verdict.map_or("JE", Verdict::short);
    let time = match results.cases.as_slice() {
        [] => String::new(),
        _ => format!(", slowest {:.0} ms", slowest.as_millis_f64()),
    };
    let got = format!("{verdict}{}{time}", points(package, results));
    let (status, detail) = match violations.first() {
        Some(first) => (Status::Fail, format!("{first}; result: {got}")),
        None if submission.expectations.is_empty() => (Status::Skip, format!("{got}; no expected result is declared")),
        None => (Status::Pass, got),
    };
    // The check reports one expected verdict. Final and required outcomes are preferred, since they are more specific
    // than permitted outcomes.
    let promised = submission.expectations.iter().filter_map(|want| match &want.outcome {
        ExpectedOutcome::Final(verdicts) | ExpectedOutcome::Required(verdicts) => Some((0, verdicts)),
        ExpectedOutcome::Permitted(verdicts) => Some((1, verdicts)),
        _ => None,
    });
    let expected = promised.min_by_key(|(order, _)| *order).and_then(|(_, verdicts)| verdicts.first());
    let check = Check::new(&submission.name, status, detail)
        .with("verdict", verdict)
        .with("expected", expected.map_or("", |verdict| verdict.short()))
        .with("score", results.score.0.to_string())
        .with("slowest_ms", slowest.as_micros() / 1_000);
    let check = Check { cached: judged.cached, warnings: judged.notes, ..check };
    say(if status == Status::Fail { check.with_words(&judged.compile_error) } else { check })
}
