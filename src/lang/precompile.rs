//! What a compiler would make anew for every program and need not: its own library, compiled once.
//!
//! Only we write the shared files, from a text of the table; a build with a contestant's source sees them read-only.

use crate::model::Digest;

use super::artifact::{self, Artifact};
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, BuildError, compile_limits};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::source::Source;

/// Changes when the same row and compiler would be warmed otherwise.
const WARM: &[u8] = b"warm 1";

/// Lays what an earlier build of the row's own text left into this one, if the row has such a text.
pub(super) fn lay(
    build_dir: &mut BuildDir,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<(), BuildError> {
    let Some(warm) = &toolchain.language.warm else { return Ok(()) };
    let key = Digest::of_parts([WARM, toolchain.digest.bytes().as_slice()]);
    let entry = match cache.load(key) {
        Some((entry, _)) => Some(entry),
        None => make(&warm.text, &warm.folder, key, toolchain, cache, context)?,
    };
    // Without it the build is slow and right.
    let Some(entry) = entry else { return Ok(()) };
    build_dir.lay(&warm.folder, &artifact::files_of(&entry)).map_err(|error| BuildError::io(&error))
}

/// Builds the text, and keeps what the compiler leaves in the folder. None if it does not compile here.
fn make(
    text: &str,
    folder: &str,
    key: Digest,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<Option<std::path::PathBuf>, BuildError> {
    let source = Source::of_row(toolchain.language.clone(), text);
    let work = cache.work_dir().map_err(|error| BuildError::io(&error))?;
    let build_dir = BuildDir::new(work.path(), &source).map_err(|error| BuildError::io(&error))?;
    // Whatever a contestant's build may use: this one is ours.
    let run = build_dir.compile(&source, toolchain, &BuildContext { limits: compile_limits(), ..*context })?;
    if run.execution.breach.is_some() || !run.execution.exit.success() {
        return Ok(None);
    }
    let store = || {
        let files = artifact::collect(&build_dir.at("tmp").join(folder))?;
        let entry = build_dir.entry()?;
        Artifact::write(&entry, key, None, &files)?;
        cache.store(key, &entry, work.path()).map(|(entry, _)| entry)
    };
    store().map(Some).map_err(|error| BuildError::io(&error))
}
