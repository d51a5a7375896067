//! The entry of a problem in a list, and the entries of all problems of a catalog.

use std::path::Path;

use crate::history::ProblemKey;
use crate::model::{ByteSize, Diagnostic, Failure, ProblemId, TimeSpan};
use crate::package::{Package, open, open_samples};
use crate::problem::{Catalog, Problem, TimeLimitSource, load};
use crate::runner::ProblemSource;
use crate::workers::in_parallel;

use super::history_key::catalog_key;

/// A problem in a list, native or a package.
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
    /// The time limit, or the upper bound of a derived one; 0 for a package whose time limit is derived.
    pub most: TimeSpan,
    /// The memory limit.
    pub memory: ByteSize,
    /// Whether the problem has a game that can be played.
    pub playable: bool,
    /// Whether outputs are submitted instead of a program.
    pub takes_outputs: bool,
}

/// A problem of a catalog, whose description may be invalid.
#[derive(Debug)]
pub struct CatalogEntry {
    /// The problem's id in the catalog.
    pub id: ProblemId,
    /// The problem's key in the history.
    pub key: ProblemKey,
    /// Where the problem is.
    pub source: ProblemSource,
    /// The entry, or the first error in the problem's description.
    pub entry: Result<ProblemEntry, Diagnostic>,
}

impl CatalogEntry {
    /// Reads the descriptions of all problems of a catalog, on as many threads as there are processors. Returns the
    /// problems sorted by id. Archives are unpacked below `cache`.
    ///
    /// # Errors
    /// Fails only if an I/O error of the machine occurs, or if the cache can't be written.
    pub fn read_all(catalog: &Catalog, cache: &Path) -> Result<Vec<CatalogEntry>, Failure> {
        let problems = catalog.list();
        let threads: Vec<usize> = (0..std::thread::available_parallelism().map_or(1, usize::from)).collect();
        let read =
            |_: &mut (), (id, dir): &(ProblemId, std::path::PathBuf)| CatalogEntry::read(catalog, id, dir, cache);
        let (entries, ended) = in_parallel(&problems, &threads, |_| Ok(()), read, |_| {});
        ended.map(|()| entries.into_iter().flatten().collect())
    }

    fn read(catalog: &Catalog, id: &ProblemId, dir: &Path, cache: &Path) -> Result<CatalogEntry, Failure> {
        let source = ProblemSource::of_path(dir.to_owned());
        let entry = match ProblemEntry::read(id.clone(), &source, cache) {
            Ok(entry) => Ok(entry),
            Err(Failure::Complaint(complaint)) => Err(complaint),
            Err(fault) => return Err(fault),
        };
        Ok(CatalogEntry { id: id.clone(), key: catalog_key(catalog, dir, id), source, entry })
    }
}

impl ProblemEntry {
    /// Reads the description of a problem. The entry has this id. Archives are unpacked below `cache`.
    ///
    /// # Errors
    /// Fails if the description can't be read or is invalid, or if the cache can't be written.
    pub fn read(id: ProblemId, source: &ProblemSource, cache: &Path) -> Result<ProblemEntry, Failure> {
        match source {
            ProblemSource::Native(path) => Ok(ProblemEntry { id, ..ProblemEntry::of_problem(&load(path)?) }),
            ProblemSource::Package(path) => Ok(ProblemEntry::of_package(id, &open(path, cache)?)),
            ProblemSource::Samples { path, query } => {
                Ok(ProblemEntry::of_package(id, &open_samples(path, query, cache)?))
            }
        }
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

    /// Creates the entry of a package with this id.
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
