//! A case of an interactive problem: the program and the interactor run at once and talk to each other.

use crate::judge::{CaseFiles, Feedback};
use crate::model::{Fault, FaultKind};
use crate::problem::Companion;
use crate::sandbox::Run;

use super::desk::Text;
use super::examiner::Examined;
use super::seat::JudgeSeat;

impl JudgeSeat<'_> {
    pub(super) fn converse(
        &mut self,
        interactor: &Companion,
        _checker: Option<&Companion>,
        _input: Text<'_>,
        _files: &CaseFiles,
        _feedback: Feedback,
    ) -> Result<(Run, Examined), Fault> {
        let name = interactor.source.display();
        Err(Fault::new(FaultKind::Checker, format!("{name}: interactive problems cannot be judged yet")))
    }
}
