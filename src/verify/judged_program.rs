//! Judges one program for a verification, unless its result is known from an earlier verification.

use serde::{Deserialize, Serialize};

use crate::lang::Source;
use crate::model::{Digest, EventKind, Failure, Fault, Limits, Outcome, Rule};
use crate::problem::AuxProgram;
use crate::runner::{JudgeOptions, JudgingTarget, PreparedProblem, aux_programs, target_digests};
use crate::service::{JudgeRequest, JudgeService, RunReport};

use super::expectation::SubmissionResults;
use super::problem::VerifyOptions;
use super::result_cache::ResultCache;
use super::step::Step;

/// A solution or submission that was judged.
#[derive(Serialize, Deserialize)]
pub(super) struct JudgedSubmission {
    /// The results with which expectations are compared.
    pub(super) results: SubmissionResults,
    /// The compiler's output if the program does not compile.
    pub(super) compile_error: String,
    /// The fault that prevented a verdict on the program, if any.
    #[serde(skip)]
    pub(super) fault: Option<Fault>,
    /// Notes about the program for the user.
    #[serde(skip)]
    pub(super) notes: Vec<String>,
    /// Whether the result was taken from an earlier verification.
    #[serde(skip)]
    pub(super) cached: bool,
}

/// The context in which the programs of a problem are judged.
#[derive(Clone, Copy)]
pub(super) struct Verifier<'a> {
    pub(super) service: &'a JudgeService,
    pub(super) prepared: &'a PreparedProblem,
    pub(super) cache: &'a ResultCache,
    pub(super) options: VerifyOptions<'a>,
}

impl Verifier<'_> {
    /// Judges a program, or reuses its result from an earlier verification. `source` is the program in the request, and
    /// `limits` are the limits in effect. Progress is reported as `step` with the number of finished cases. `complete`
    /// adds missing data to a result and returns whether the result may be reused. Only results that may be reused are
    /// stored, and a stored result is used only if `complete` accepts it.
    ///
    /// # Errors
    /// Returns the errors of [`JudgeService::submit`] and [`crate::service::RunHandle::wait`].
    pub(super) fn judge(
        &self,
        request: JudgeRequest,
        source: &Source,
        limits: Limits,
        step: &Step,
        complete: impl Fn(&mut JudgedSubmission) -> bool,
    ) -> Result<JudgedSubmission, Failure> {
        let key = self.key(source, &request.options, limits);
        if let Some(mut known) = key.and_then(|key| self.cache.get::<JudgedSubmission>(&key))
            && complete(&mut known)
        {
            return Ok(JudgedSubmission { cached: true, ..known });
        }
        (self.options.progress)(step);
        let mut handle = self.service.submit(request)?;
        let (mut done, mut all) = (0, 0);
        for event in handle.events() {
            match event.kind {
                EventKind::RunStarted { cases, .. } => all = cases,
                EventKind::CaseFinished(_) | EventKind::CaseSkipped { .. } | EventKind::CaseFaulted { .. } => {
                    done += 1;
                    let text = format!("{}, {done} of {all} cases", step.text);
                    (self.options.progress)(&Step { text, ..step.clone() });
                }
                _ => {}
            }
        }
        // Cases are skipped after a failure, or because groups that they require were not accepted. Only in the second
        // situation do the skipped cases count as failed.
        let by_requirement =
            self.prepared.package().is_some_and(|package| matches!(package.grading.rule, Rule::Aggregate(_)));
        let mut judged = JudgedSubmission::new(handle.wait()?, by_requirement);
        let may_be_kept = complete(&mut judged) && judged.fault.is_none();
        // The result is stored only if the problem's files were not edited during the run.
        if let Some(key) = key.filter(|_| may_be_kept && self.prepared.is_unchanged(self.service.host())) {
            self.cache.put(&key, &judged);
        }
        Ok(judged)
    }

    /// Returns the key of a result, or `None` if it can't be determined. Judging then fails for the same reason.
    fn key(&self, source: &Source, options: &JudgeOptions, limits: Limits) -> Option<Digest> {
        let host = self.service.host();
        let plan = self.prepared.plan(host, Some(source), options).ok()?;
        let aux_digest = |program: &&AuxProgram| host.languages().aux_digest(program).ok();
        let programs = aux_programs(&plan).iter().map(aux_digest).collect::<Option<Vec<Digest>>>()?;
        let target = JudgingTarget { problem: self.prepared.id().clone(), title: String::new(), plan, limits };
        let digests = target_digests(host, self.prepared, &target).ok()?;
        let toolchain = host.languages().toolchain_digest(source).ok()?;
        let settings = serde_json::to_vec(&(options, host.isolation().level, host.isolation().strict, host.jobs()));
        let settings = settings.ok()?;
        let digests = [source.digest(), toolchain, digests.data, digests.limits].into_iter().chain(programs);
        let digests: Vec<Digest> = digests.collect();
        let parts: Vec<&[u8]> =
            digests.iter().map(|digest| digest.bytes().as_slice()).chain([settings.as_slice()]).collect();
        Some(self.cache.key("program", &parts))
    }
}

impl JudgedSubmission {
    /// Converts the report of a run. If `by_requirement` is true, cases are skipped only because groups that they
    /// require were not accepted. Otherwise, they are skipped after a failure and omitted from the results.
    fn new(report: RunReport, by_requirement: bool) -> JudgedSubmission {
        let mut judged = JudgedSubmission {
            results: SubmissionResults::default(),
            compile_error: report.compile_error.unwrap_or_default(),
            fault: None,
            notes: Vec::new(),
            cached: false,
        };
        let results = &mut judged.results;
        let mut faulted = Vec::new();
        for entry in report.log {
            match entry.kind {
                EventKind::CaseFinished(result) => results.cases.push(*result),
                EventKind::CaseSkipped { case, .. } if by_requirement => results.skipped.push(case.to_string()),
                EventKind::CaseFaulted { case, fault, .. } => faulted.push((case, fault)),
                EventKind::GroupFinished(group) => results.groups.push((group.group, group.score)),
                _ => {}
            }
        }
        match report.summary.outcome {
            Outcome::Final { verdict, score } => {
                (results.verdict, results.score) = (Some(verdict), (score, report.summary.max_score));
            }
            Outcome::Inconclusive { faults } => {
                let fault = Fault::first_of(&faults);
                let case = faulted.into_iter().find(|(_, known)| *known == fault).map(|(case, _)| case);
                judged.fault = Some(match case {
                    Some(case) => fault.context(case),
                    None => fault,
                });
            }
        }
        judged
    }
}
