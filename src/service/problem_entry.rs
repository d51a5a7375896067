//! The entry of a problem in a list, and the entries of all problems of a catalog.

use std::path::{Path, PathBuf};

use crate::catalog::Catalog;
use crate::history::ProblemKey;
use crate::model::{ByteSize, Diagnostic, Failure, ProblemId, TimeSpan};
use crate::package::Package;
use crate::problem::{Problem, TimeLimitSource};
use crate::runner::{AnyProblem, ProblemSource};
use crate::workers::{in_parallel, processor_slots};

use super::history_key::catalog_key;

/// A native problem or a package in a list of problems.
#[derive(Debug, Clone)]
pub struct ProblemEntry {
    /// The problem's id.
    pub id: ProblemId,
    /// The title.
    pub name: String,
    /// The source of the problem, such as the name of a contest, if known.
    pub source: Option<String>,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The time limit; `None` if it is derived from the solutions.
    pub time: Option<TimeSpan>,
    /// The time limit, or the upper bound of a derived limit; 0 for a package whose time limit is derived.
    pub most: TimeSpan,
    /// The memory limit.
    pub memory: ByteSize,
    /// Whether the problem has a game that can be played.
    pub playable: bool,
    /// Whether outputs are submitted instead of a program.
    pub takes_outputs: bool,
}

/// A problem in a list, whose description may be invalid.
#[derive(Debug)]
pub struct ListedProblem {
    /// The id in the list.
    pub id: ProblemId,
    /// The problem's key in the history.
    pub key: ProblemKey,
    /// The location of the problem.
    pub source: ProblemSource,
    /// The entry, or the first error in the problem's description.
    pub entry: Result<ProblemEntry, Diagnostic>,
}

impl ListedProblem {
    /// Reads the descriptions of all problems of a catalog, on as many threads as there are processors. Returns the
    /// problems sorted by id. Archives are unpacked below `cache`.
    ///
    /// # Errors
    /// Fails only if an I/O error of the machine occurs, or if the cache can't be written.
    pub fn read_all(catalog: &Catalog, cache: &Path) -> Result<Vec<ListedProblem>, Failure> {
        let problems = catalog.list();
        let read = |_: &mut (), (id, dir): &(ProblemId, PathBuf)| {
            ListedProblem::read(id.clone(), catalog_key(catalog, dir, id), ProblemSource::of_path(dir.clone()), cache)
        };
        let (entries, ended) = in_parallel(&problems, &processor_slots(), |_| Ok(()), read, |_| {});
        ended.map(|()| entries.into_iter().flatten().collect())
    }

    /// Reads the description of the problem at `source`. The listed problem has the id `id` and the key `key`.
    ///
    /// # Errors
    /// Fails only if an I/O error of the machine occurs, or if the cache can't be written.
    pub fn read(id: ProblemId, key: ProblemKey, source: ProblemSource, cache: &Path) -> Result<ListedProblem, Failure> {
        let entry = match ProblemEntry::read(id.clone(), &source, cache) {
            Ok(entry) => Ok(entry),
            Err(Failure::Complaint(complaint)) => Err(complaint),
            Err(fault) => return Err(fault),
        };
        Ok(ListedProblem { id, key, source, entry })
    }
}

impl ProblemEntry {
    /// Reads the description of the problem at `source`. The entry has the id `id`. Archives are unpacked below
    /// `cache`.
    ///
    /// # Errors
    /// Fails if the description can't be read or is invalid, or if the cache can't be written.
    fn read(id: ProblemId, source: &ProblemSource, cache: &Path) -> Result<ProblemEntry, Failure> {
        Ok(match source.read(cache)? {
            AnyProblem::Native(problem) => ProblemEntry { id, ..ProblemEntry::of_problem(&problem) },
            AnyProblem::Package(package) => ProblemEntry::of_package(id, &package),
        })
    }

    /// Creates the entry of a native problem.
    pub fn of_problem(problem: &Problem) -> ProblemEntry {
        ProblemEntry {
            time: (problem.time != TimeLimitSource::Auto).then_some(problem.limits.cpu),
            most: problem.limits.cpu,
            memory: problem.limits.memory,
            id: problem.id.clone(),
            name: problem.name.clone(),
            source: problem.source.clone(),
            keywords: problem.keywords.clone(),
            playable: problem.game.is_some(),
            takes_outputs: false,
        }
    }

    /// Creates the entry of a package. The entry has the id `id`.
    pub fn of_package(id: ProblemId, package: &Package) -> ProblemEntry {
        let limits = package.limits;
        ProblemEntry {
            id,
            name: package.title().to_owned(),
            source: package.source.clone(),
            keywords: package.keywords.clone(),
            time: limits.time,
            most: limits.time.unwrap_or_default(),
            memory: limits.memory,
            playable: false,
            takes_outputs: package.kind.submit_answer,
        }
    }
}
