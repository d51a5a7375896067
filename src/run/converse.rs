//! A case of an interactive problem: the program and the interactor run at once and talk to each other.

use crate::judge::{CaseFiles, Feedback};
use crate::model::{Fault, FaultKind};
use crate::problem::Companion;

use super::desk::Text;
use super::seat::{JudgeSeat, Pass};

impl JudgeSeat<'_> {
    pub(super) fn converse(
        &mut self,
        interactor: &Companion,
        _checker: Option<&Companion>,
        _input: Text<'_>,
        _files: &CaseFiles,
        _feedback: Feedback,
    ) -> Result<Pass, Fault> {
        Err(Fault::new(
            FaultKind::Checker,
            format!("{}: interactive problems cannot be judged yet", interactor.source.display()),
        ))
    }
}
