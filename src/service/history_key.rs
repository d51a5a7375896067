//! The keys by which the history identifies problems.

use std::path::Path;

use crate::catalog::Catalog;
use crate::history::ProblemKey;
use crate::model::ProblemId;
use crate::package::{Package, PackageFormat};
use crate::runner::PreparedProblem;

/// Returns the key of a native problem, or of a package in a folder of problems.
pub fn catalog_key(catalog: &Catalog, dir: &Path, id: &ProblemId) -> ProblemKey {
    if catalog.is_embedded(dir) { ProblemKey::embedded(id) } else { ProblemKey::at(dir) }
}

/// Returns the key of a package that was found by `name`, which is an id or a path. The key of an archive is the path
/// of the archive, not that of the folder in the cache into which it is unpacked. If a folder contains the samples of
/// several problems, the key of each problem is the path of its own folder or `.prob` file.
pub fn package_key(name: &str, package: &Package) -> ProblemKey {
    let path = Path::new(name);
    let whole = path.canonicalize().unwrap_or_default();
    let is_samples = package.format == PackageFormat::Folder && whole.is_dir();
    match package.content.as_deref() {
        Some([file]) if is_samples && file.extension().is_some_and(|end| end == "prob") => ProblemKey::at(file),
        _ if is_samples => ProblemKey::at(&package.root),
        _ if whole.is_file() || package.root.starts_with(&whole) => ProblemKey::at(path),
        _ => ProblemKey::at(&package.root),
    }
}

/// Returns the key of a prepared problem that was found by `name`, which is an id or a path.
pub fn prepared_key(catalog: &Catalog, name: &str, problem: &PreparedProblem) -> ProblemKey {
    match (problem.problem(), problem.package()) {
        (Some(native), _) => catalog_key(catalog, &native.dir, &native.id),
        (None, Some(package)) => package_key(name, package),
        (None, None) => ProblemKey::at(Path::new(name)),
    }
}
