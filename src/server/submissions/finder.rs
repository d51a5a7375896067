//! Finds the problems of submissions.

use crate::catalog::Catalog;
use crate::history::ProblemKey;
use crate::model::{Failure, ProblemId};
use crate::service::{ProblemSource, catalog_key};

/// The location of a problem, and its key in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProblem {
    /// The location of the problem.
    pub source: ProblemSource,
    /// The key of the problem in the history.
    pub key: ProblemKey,
}

/// Locates the problem of a submission or of a search for failing inputs. Several threads may use a finder
/// concurrently.
pub trait ProblemFinder: Send + Sync {
    /// Finds the problem with this id.
    ///
    /// # Errors
    /// Fails if there is no such problem, or if the problems can't be listed. A submission to the problem then ends
    /// with this error.
    fn find(&self, problem: &ProblemId) -> Result<FoundProblem, Failure>;
}

impl ProblemFinder for Catalog {
    fn find(&self, problem: &ProblemId) -> Result<FoundProblem, Failure> {
        let folder = Catalog::find(self, problem.as_str())?;
        let key = catalog_key(self, &folder, problem);
        Ok(FoundProblem { source: ProblemSource::of_path(folder), key })
    }
}
