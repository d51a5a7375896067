//! Judging a program on one input that is none of the problem's cases.

use crate::data::{Blob, Case};
use crate::judge::{CaseFiles, Plan, PlanCase, PlanGroup, Stop};
use crate::lang::Source;
use crate::model::{CaseId, Diagnostic, Failure, FaultKind, Limits};
use crate::problem::Problem;

use super::arena::{Arena, Judgement, Tell};
use super::desk::Desks;
use super::hands::SETTERS;
use super::solutions::reference;

/// An input with its answer, in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Single {
    input: Blob,
    answer: Blob,
}

impl Arena {
    /// Answers an input by the reference, or by another program.
    ///
    /// # Errors
    /// The input is not as the problem describes it, which is said with its place in `file`; the answering program does
    /// not compile or fails; or our own failure.
    pub fn single(
        &self,
        problem: &Problem,
        input: &[u8],
        file: &str,
        against: Option<(&Source, &str)>,
    ) -> Result<Single, Failure> {
        problem.input.validate(input, None).map_err(|invalid| {
            Diagnostic::new(format!("{file} is no input of {}: {invalid}", problem.id))
                .help("`input:` in its problem.yaml describes every byte")
        })?;
        for validator in &problem.validators {
            if let Some(reason) = Desks::new(self, 0).at(validator)?.admit(input, Vec::new())? {
                let name = validator.source.display();
                return Err(Failure::complaint(format!("{file} is no input of {}: {name} says: {reason}", problem.id)));
            }
        }
        if problem.judging.interactive() {
            // The interactor needs no answer that a program would give.
            return Ok(Single { input: self.store().put(input)?, answer: self.store().put(b"")? });
        }
        let (source, name) = match against {
            Some((source, name)) => (source.clone(), name.to_owned()),
            None => {
                let solution = reference(problem)?;
                (self.source(&solution.path, None)?, solution.name)
            }
        };
        let entrant = self.entrant(&source, &name)?;
        let entrant = entrant.map_err(|words| Failure::complaint(format!("{name} does not compile:\n{words}")))?;
        let mut stand = self.stand(&entrant, 0)?;
        let run = stand.run(input, &SETTERS)?;
        if let Some(verdict) = stand.classify(&run, &SETTERS) {
            let exit = run.execution.exit;
            let how = if run.execution.breach.is_none() { exit.to_string() } else { verdict.long().to_owned() };
            return Err(Failure::complaint(format!("{name}, which is to give the answer, failed on {file}: {how}")));
        }
        let store = self.store();
        Ok(Single { input: store.put(input)?, answer: store.put(&run.stdout)? })
    }

    /// Judges a program on one input, which goes by this name.
    ///
    /// # Errors
    /// As [`Arena::judge`].
    #[expect(clippy::too_many_arguments, reason = "each is something else")]
    pub fn judge_single(
        &self,
        problem: &Problem,
        single: &Single,
        case: &str,
        limits: Limits,
        source: &Source,
        name: &str,
        tell: Tell<'_>,
    ) -> Result<Judgement, Failure> {
        let place = |blob: &Blob| {
            let there = self.store().has(blob).then(|| self.store().path(&blob.digest));
            there.ok_or_else(|| Failure::fault(FaultKind::Data, "the input was removed from the cache"))
        };
        let files = CaseFiles { input: place(&single.input)?, answer: place(&single.answer)? };
        let judging = std::sync::Arc::new(problem.judging.clone());
        let id = CaseId::named(case);
        let case = PlanCase { id, files, judging, args: vec![], beside: vec![], output_file: None, text: None };
        let group = PlanGroup { name: "input".to_owned(), points: None, after: Vec::new(), cases: vec![case] };
        let plan = Plan { groups: vec![group], stop: Stop::Never, part: true, rules: None };
        self.judge_plan(&problem.id, plan, limits, source, name, tell)
    }

    /// The limits in force on one input; `cases` makes the problem's cases, which an automatic time limit needs.
    ///
    /// # Errors
    /// As [`Arena::limits`].
    pub fn limits_with(
        &self,
        problem: &Problem,
        time: Option<crate::model::TimeSpan>,
        cases: impl FnOnce() -> Result<Vec<Case>, Failure>,
    ) -> Result<Limits, Failure> {
        let needed = time.is_none() && problem.time == crate::problem::Time::Auto;
        let cases = if needed { cases()? } else { Vec::new() };
        let options = super::Options { time, ..super::Options::default() };
        self.limits(problem, &cases, &options)
    }
}
