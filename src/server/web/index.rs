//! The problems that the server offers: problems in folders and packages, and problems received from the browser.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::catalog::Catalog;
use crate::history::{HistoryStore, ProblemKey};
use crate::model::{Diagnostic, Failure, ProblemId};
use crate::package::is_package;
use crate::problem::SPEC_FILE;
use crate::service::{ListedProblem, ProblemEntry, ProblemSource};
use crate::submissions::{FoundProblem, ProblemFinder};
use crate::yaml::nearest;

use super::error::WebError;

/// Maximum age of the list of problems. If the list is older when a request needs it, the problems are read again.
const FRESH: Duration = Duration::from_secs(2);

/// Source of the problems.
#[derive(Debug, Clone)]
enum Origin {
    /// All problems of the catalog, and the problems in the history that were received from the browser.
    Catalog { state: PathBuf },
    /// The problems at these paths.
    Paths(Vec<PathBuf>),
}

/// A problem in the list, with its location.
#[derive(Debug, Clone)]
struct Located {
    entry: ProblemEntry,
    source: ProblemSource,
    key: ProblemKey,
}

/// The problems of the server. When a request needs the list of problems and the list is older than two seconds, the
/// problems are read again.
pub struct ProblemIndex {
    catalog: Catalog,
    cache: PathBuf,
    origin: Origin,
    listed: Mutex<Option<(Instant, Arc<Listing>)>>,
}

/// A snapshot of the problems.
#[derive(Debug, Default)]
pub struct Listing {
    problems: BTreeMap<ProblemId, Located>,
    /// Assigned ids, including the ids of problems that cannot be read, so that an id does not depend on which other
    /// problems can be read.
    given: HashSet<ProblemId>,
    /// Errors of the problems that are missing from the list because they cannot be read.
    pub errors: Vec<Diagnostic>,
}

impl Listing {
    /// Adds a problem, or its error if its description is invalid.
    fn add(&mut self, ListedProblem { id, key, source, entry }: ListedProblem) {
        match entry {
            Ok(entry) => _ = self.problems.insert(id, Located { entry, source, key }),
            Err(error) => self.errors.push(error),
        }
    }

    /// Returns the problems, sorted by id.
    pub fn entries(&self) -> impl Iterator<Item = &ProblemEntry> {
        self.problems.values().map(|located| &located.entry)
    }

    /// Returns the problem with this id; `None` if there is none.
    pub fn entry(&self, id: &str) -> Option<&ProblemEntry> {
        self.problems.get(id.parse::<ProblemId>().ok().as_ref()?).map(|located| &located.entry)
    }

    /// Returns a listing of the problems that `shown` selects, without errors.
    pub fn only(&self, shown: impl Fn(&ProblemId) -> bool) -> Listing {
        let problems = self.problems.iter().filter(|(id, _)| shown(id));
        Listing {
            problems: problems.map(|(id, located)| (id.clone(), located.clone())).collect(),
            given: self.given.clone(),
            errors: Vec::new(),
        }
    }

    /// Returns the error for an id that no problem has. The error suggests the most similar id, if there is a similar
    /// one.
    pub(super) fn unknown(&self, id: &str) -> WebError {
        let error = WebError::missing(format!("there is no problem `{}`", id.escape_debug()));
        // Clients choose the id, and the time of a comparison grows with its length.
        let near = if id.len() > 64 { None } else { nearest(id, self.problems.keys().map(ProblemId::as_str)) };
        match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    /// Returns the source of the problem with this id; `None` if there is none.
    pub fn source(&self, id: &ProblemId) -> Option<&ProblemSource> {
        self.problems.get(id).map(|located| &located.source)
    }
}

impl ProblemIndex {
    /// Creates an index of the problems at these paths: problems, packages, or folders that contain them. Without
    /// paths, it contains all problems of the catalog, and the problems that were received from the browser.
    ///
    /// # Errors
    /// Fails if none of the problems can be read, if a folder cannot be read, or if an I/O error occurs.
    pub fn new(catalog: Catalog, cache: PathBuf, paths: &[PathBuf], state: PathBuf) -> Result<ProblemIndex, Failure> {
        let origin = if paths.is_empty() { Origin::Catalog { state } } else { Origin::Paths(paths.to_vec()) };
        let index = ProblemIndex { catalog, cache, origin, listed: Mutex::new(None) };
        let listing = index.listing()?;
        match (listing.problems.is_empty(), listing.errors.first()) {
            (true, Some(error)) => Err(error.clone().into()),
            (true, None) => {
                Err(Diagnostic::new("the catalog contains no problems, and no problems were received from the browser")
                    .help("specify the paths to problems, or create a problem with `nimatron new`")
                    .into())
            }
            _ => Ok(index),
        }
    }

    /// Returns the problems, from a listing that is at most two seconds old.
    ///
    /// # Errors
    /// Fails if a folder cannot be read, or if an I/O error occurs.
    pub fn listing(&self) -> Result<Arc<Listing>, Failure> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, listing)) = listed.as_ref()
            && at.elapsed() < FRESH
        {
            return Ok(listing.clone());
        }
        let listing = Arc::new(self.read()?);
        *listed = Some((Instant::now(), listing.clone()));
        Ok(listing)
    }

    fn read(&self) -> Result<Listing, Failure> {
        let mut listing = Listing::default();
        match &self.origin {
            Origin::Catalog { state } => {
                for problem in ListedProblem::read_all(&self.catalog, &self.cache)? {
                    listing.given.insert(problem.id.clone());
                    listing.add(problem);
                }
                self.add_received(&mut listing, state)?;
            }
            Origin::Paths(paths) => {
                for path in paths {
                    self.add_path(&mut listing, path)?;
                }
            }
        }
        Ok(listing)
    }

    /// Adds the problem at `path`, or all problems in the folder `path`. Records an error for a problem that cannot be
    /// found.
    fn add_path(&self, listing: &mut Listing, path: &Path) -> Result<(), Failure> {
        let inside = if is_problem(path) || !path.is_dir() { Vec::new() } else { problems_in(path)? };
        if inside.is_empty() {
            match ProblemSource::find(&self.catalog, &path.to_string_lossy()) {
                Ok(source) => {
                    let key = ProblemKey::at(source.path());
                    let id = free_id(listing, path);
                    listing.add(ListedProblem::read(id, key, source, &self.cache)?);
                }
                Err(error) => {
                    free_id(listing, path);
                    listing.errors.push(error);
                }
            }
        }
        for problem in inside {
            let key = ProblemKey::at(&problem);
            let id = free_id(listing, &problem);
            listing.add(ListedProblem::read(id, key, ProblemSource::of_path(problem), &self.cache)?);
        }
        Ok(())
    }

    /// Adds the problems that were received from the browser, are not listed yet, and have a folder that still exists.
    fn add_received(&self, listing: &mut Listing, state: &Path) -> Result<(), Failure> {
        let Some(history) = HistoryStore::read(state)? else { return Ok(()) };
        let listed: HashSet<ProblemKey> = listing.problems.values().map(|located| located.key.clone()).collect();
        let mut received = history.problems()?;
        // The order of the history changes with every run, so the problems are sorted by key to keep their ids stable.
        received.sort_by(|a, b| a.key.cmp(&b.key));
        for known in received {
            let Some(path) = known.key.path().filter(|_| known.received.is_some() && !listed.contains(&known.key))
            else {
                continue;
            };
            let id = free_id(listing, &path);
            if let Ok(source) = ProblemSource::find(&self.catalog, &path.to_string_lossy()) {
                listing.add(ListedProblem::read(id, known.key, source, &self.cache)?);
            }
        }
        Ok(())
    }
}

impl ProblemFinder for ProblemIndex {
    fn find(&self, problem: &ProblemId) -> Result<FoundProblem, Failure> {
        let listing = self.listing()?;
        let located = listing.problems.get(problem);
        let located = located
            .ok_or_else(|| Diagnostic::new(format!("the problem `{problem}` no longer exists or cannot be read")))?;
        Ok(FoundProblem { source: located.source.clone(), key: located.key.clone() })
    }
}

fn is_problem(path: &Path) -> bool {
    path.join(SPEC_FILE).is_file() || is_package(path)
}

/// Returns the problems in a folder, sorted by path.
fn problems_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs_err::read_dir(folder).map_err(|error| Failure::user_file(&error))?;
    let mut inside: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| is_problem(path)).collect();
    inside.sort_unstable();
    Ok(inside)
}

/// Assigns an unused id that is derived from the name of a file or folder.
fn free_id(listing: &mut Listing, path: &Path) -> ProblemId {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let kept: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' }).collect();
    let base: String = kept.trim_matches(['-', '_']).chars().take(50).collect();
    let base = if base.is_empty() { "problem" } else { &base };
    let mut number = 1;
    loop {
        let id = if number == 1 { base.to_owned() } else { format!("{base}-{number}") };
        match id.parse::<ProblemId>() {
            Ok(id) if listing.given.insert(id.clone()) => return id,
            _ => number += 1,
        }
    }
}
