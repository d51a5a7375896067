//! The judging request of a submission: the program, the cases and the limits.

use serde::{Deserialize, Serialize};

use crate::model::{Diagnostic, Failure, Fault, FaultKind, Limits};
use crate::problem::SAMPLE_GROUP;
use crate::service::{CustomInput, JudgeOptions, JudgeRequest, PreparedProblem, SourceBundle};

use super::queue_state::QueueShared;
use super::record::{NewSubmission, SubmissionKind};

/// Name of the case of a submission of kind [`SubmissionKind::Input`], for messages.
const INPUT: &str = "input";

/// The judging request of a submission. The problem is not included, since it is stored with the submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramOrder {
    /// The source of the program.
    pub source: SourceBundle,
    /// The judging options, which also select the cases.
    pub options: JudgeOptions,
    /// The program's name in events and messages; `None` for the name of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Limits that override those of the problem, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

impl ProgramOrder {
    /// Serializes the request as the input of a submission of kind [`SubmissionKind::Judge`].
    ///
    /// # Errors
    /// Fails if the request can't be serialized as JSON.
    pub fn to_input(&self) -> Result<Vec<u8>, Fault> {
        serde_json::to_vec(self).map_err(|error| {
            Fault::io(FaultKind::Data, &error.into()).context("cannot serialize the judging request of a submission")
        })
    }

    /// Returns the judging request of a submission.
    ///
    /// # Errors
    /// Fails if the store can't be read, if a submission of kind [`SubmissionKind::Tests`] is for a problem without
    /// tests of the person, or if the stored request of a submission of kind [`SubmissionKind::Judge`] can't be parsed.
    pub(super) fn of(shared: &QueueShared, new: &NewSubmission) -> Result<ProgramOrder, Failure> {
        if new.kind == SubmissionKind::Judge {
            let unreadable = |error: serde_json::Error| {
                Fault::io(FaultKind::Data, &error.into()).context("cannot parse the judging request of a submission")
            };
            return Ok(serde_json::from_slice(new.input.as_deref().unwrap_or_default()).map_err(unreadable)?);
        }
        let source = SourceBundle { language: new.language.clone(), ..SourceBundle::of_text(&new.name, &*new.source) };
        Ok(ProgramOrder { source, options: options(shared, new)?, program: None, limits: None })
    }

    /// Converts the request to a [`JudgeRequest`] for `problem` that uses at most `slots` slots.
    pub fn request(self, problem: &PreparedProblem, slots: usize) -> JudgeRequest {
        let ProgramOrder { source, options, program, limits } = self;
        JudgeRequest { program, options, limits, slots: Some(slots), ..JudgeRequest::new(problem, source) }
    }
}

/// Returns the options of a submission of a kind other than [`SubmissionKind::Judge`].
fn options(shared: &QueueShared, new: &NewSubmission) -> Result<JudgeOptions, Failure> {
    let input = |name: String, content: Vec<u8>, answer: Option<Vec<u8>>| CustomInput {
        name,
        content: content.into(),
        answered_by: None,
        answer: answer.map(Into::into),
    };
    let inputs = match new.kind {
        // Without this option, a program that never terminates would occupy the judge for the full time limit on every
        // case.
        SubmissionKind::Submit => return Ok(JudgeOptions { skip_certain: true, ..JudgeOptions::default() }),
        // The options are in the input of the submission, so these defaults are not used.
        SubmissionKind::Judge => return Ok(JudgeOptions::default()),
        SubmissionKind::Samples => {
            return Ok(JudgeOptions { only: vec![SAMPLE_GROUP.to_owned()], ..JudgeOptions::default() });
        }
        SubmissionKind::Input => vec![input(INPUT.to_owned(), new.input.clone().unwrap_or_default(), None)],
        SubmissionKind::Tests => {
            let own = shared.store.own_tests(&new.person, &new.problem)?;
            own.into_iter().map(|test| input(test.name(), test.input, test.answer)).collect()
        }
    };
    if inputs.is_empty() {
        let message =
            format!("you have no tests of your own for `{}`; first keep a failing input as a test", new.problem);
        return Err(Diagnostic::new(message).into());
    }
    Ok(JudgeOptions { inputs, ..JudgeOptions::default() })
}
