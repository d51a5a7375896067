//! A problem of any kind, as it is read for verification.

use std::path::Path;
use std::sync::Arc;

use crate::model::{Diagnostic, Failure};
use crate::problem::{Problem, load};
use crate::runner::PreparedProblem;
use crate::service::{JudgeService, ProblemSource};

use super::check_result::Check;
use super::package::verify_package;
use super::page::Verification;
use super::problem::{Manner, verify_native};

/// A problem that was read for verification.
pub struct ProblemToVerify {
    /// The name of the folder or the file of the problem.
    pub id: String,
    /// The id, followed by the name of the problem if it could be read.
    pub title: String,
    kind: LoadedProblem,
}

enum LoadedProblem {
    /// An error in a spec becomes a failed check.
    Native(Box<Result<Problem, Diagnostic>>),
    /// A package that can't be read can't be verified.
    Package(Result<Arc<PreparedProblem>, Failure>),
}

impl ProblemToVerify {
    /// Reads a problem. Errors in it are returned by [`ProblemToVerify::verify`].
    pub fn read(service: &JudgeService, source: &ProblemSource) -> ProblemToVerify {
        let id = folder_name(source.path());
        let kind = match source {
            ProblemSource::Native(dir) => LoadedProblem::Native(Box::new(load(dir))),
            ProblemSource::Package(_) | ProblemSource::Samples { .. } => {
                LoadedProblem::Package(service.prepare(source))
            }
        };
        let name = match &kind {
            LoadedProblem::Native(problem) => problem.as_ref().as_ref().ok().map(|problem| problem.name.as_str()),
            LoadedProblem::Package(prepared) => {
                prepared.as_ref().ok().and_then(|prepared| prepared.package()).map(|package| package.title())
            }
        };
        let title = name.map_or_else(|| id.clone(), |name| format!("{id}  {name}"));
        ProblemToVerify { id, title, kind }
    }

    /// Returns what was ignored when the package was read.
    pub fn notes(&self) -> Vec<String> {
        match &self.kind {
            LoadedProblem::Package(Ok(prepared)) => prepared.package().map(|package| package.notes.clone()),
            LoadedProblem::Package(Err(_)) | LoadedProblem::Native(_) => None,
        }
        .unwrap_or_default()
    }

    /// Verifies the problem, and reports each check when it is done. `found` receives the results; if an error is
    /// returned, it contains the checks before the error.
    ///
    /// # Errors
    /// Fails if a check can't be performed, if a package can't be read, or if `emit` fails, which ends the verification.
    pub fn verify(
        self,
        service: &JudgeService,
        manner: Manner<'_>,
        found: &mut Verification,
        emit: &mut dyn FnMut(&Check) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        match self.kind {
            LoadedProblem::Native(problem) => verify_native(service, *problem, manner, found, emit),
            LoadedProblem::Package(prepared) => verify_package(service, &*prepared?, manner, found, emit),
        }
    }
}

/// Returns the name of the folder or the file with this path.
fn folder_name(path: &Path) -> String {
    let whole = fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
