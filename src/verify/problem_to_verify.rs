//! Reads native problems and packages for verification.

use std::path::Path;
use std::sync::Arc;

use crate::model::{Activity, Diagnostic, Failure, Fault, FaultKind};
use crate::problem::{Problem, load};
use crate::report::render_diagnostic;
use crate::runner::PreparedProblem;
use crate::service::{JudgeService, ProblemSource};

use super::check_result::{Check, Status};
use super::package::verify_package;
use super::page::Verification;
use super::problem::{VerifyOptions, described, verify_native};
use super::step::Step;

/// Width, in columns, of the excerpt of a file that contains an error.
const WIDTH: usize = 100;

/// A problem that was read for verification.
pub struct ProblemToVerify {
    /// The name of the folder or the file of the problem.
    pub id: String,
    /// The id, followed by the name of the problem if it could be read.
    pub title: String,
    kind: LoadedProblem,
}

enum LoadedProblem {
    Native(Result<Box<Problem>, Diagnostic>),
    Package(Result<Arc<PreparedProblem>, Failure>),
}

impl ProblemToVerify {
    /// Reads a problem, and generates the files that a package defines only by commands, during which `progress` is
    /// called. Errors in the problem are reported by [`ProblemToVerify::verify`].
    pub fn read(service: &JudgeService, source: &ProblemSource, progress: &(dyn Fn(&Step) + Sync)) -> ProblemToVerify {
        let generating = |activity| {
            if let Activity::MakingTestData { done, total } = activity {
                progress(&Step::generating(done, total));
            }
        };
        let id = folder_name(source.path());
        let kind = match source {
            ProblemSource::Native(dir) => LoadedProblem::Native(load(dir).map(Box::new)),
            ProblemSource::Package(_) | ProblemSource::Samples { .. } => {
                let read = source.read(service.host().cache().root());
                LoadedProblem::Package(read.and_then(|problem| service.prepare_read(problem, &generating)))
            }
        };
        let unnamed = ProblemToVerify { title: id.clone(), id, kind };
        let title = unnamed.name().map(|name| format!("{}  {name}", unnamed.id));
        ProblemToVerify { title: title.unwrap_or_else(|| unnamed.id.clone()), ..unnamed }
    }

    /// Returns notes on the parts of the package that were ignored when it was read.
    pub fn notes(&self) -> Vec<String> {
        match &self.kind {
            LoadedProblem::Package(Ok(prepared)) => prepared.package().map(|package| package.notes.clone()),
            LoadedProblem::Package(Err(_)) | LoadedProblem::Native(_) => None,
        }
        .unwrap_or_default()
    }

    /// Verifies the problem and passes each check to `emit` when it is done. If the problem can't be read, a failed
    /// check reports this. `found` receives the results; if an error is returned, `found` contains the checks before
    /// the error.
    ///
    /// # Errors
    /// Fails if a check can't be performed, or if `emit` fails. Both end the verification.
    pub fn verify(
        self,
        service: &JudgeService,
        options: VerifyOptions<'_>,
        found: &mut Verification,
        emit: &mut dyn FnMut(&Check) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        let Verification { name, checks, matrix, good, .. } = found;
        *name = self.name().map(str::to_owned);
        let mut fine = true;
        let mut say = |check: Check| -> Result<(), Failure> {
            fine &= check.status != Status::Fail && !(options.strict && check.status == Status::Skip);
            let emitted = emit(&check).map_err(|error| Fault::io(FaultKind::Output, &error).into());
            checks.push(check);
            emitted
        };
        match self.kind {
            LoadedProblem::Native(Ok(problem)) => verify_native(service, *problem, options, matrix, &mut say)?,
            LoadedProblem::Native(Err(complaint)) => say(unreadable("spec", &complaint))?,
            LoadedProblem::Package(Ok(prepared)) => verify_package(service, &prepared, options, matrix, &mut say)?,
            LoadedProblem::Package(Err(Failure::Complaint(complaint))) => say(unreadable("package", &complaint))?,
            LoadedProblem::Package(Err(fault)) => return Err(fault),
        }
        *good = fine;
        Ok(())
    }

    /// Returns the name of the problem; `None` if the problem can't be read.
    fn name(&self) -> Option<&str> {
        match &self.kind {
            LoadedProblem::Native(problem) => problem.as_ref().ok().map(|problem| problem.name.as_str()),
            LoadedProblem::Package(prepared) => prepared.as_ref().ok().map(|prepared| prepared.title()),
        }
    }
}

/// Returns the failed check for a spec with an error, or for a package that can't be read or whose files can't be
/// generated.
fn unreadable(check: &str, complaint: &Diagnostic) -> Check {
    let drawn = render_diagnostic(complaint, false, WIDTH);
    Check::new(check, Status::Fail, described(complaint)).with_notes(drawn)
}

/// Returns the name of the folder or the file with this path.
fn folder_name(path: &Path) -> String {
    let whole = fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
