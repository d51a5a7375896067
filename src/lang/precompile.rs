//! Precompiles libraries that a compiler would otherwise compile again for every program.
//!
//! Only builds of a library text from the table write the shared files. Builds of contestants' sources mount these
//! files read-only.

use std::path::Path;

use crate::model::Digest;

use super::artifact;
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, BuildError, compile_limits};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::shared_build::SharedBuild;
use super::source::Source;

/// Version of the precompilation, part of the cache key. Change it whenever the same language row and compiler produce
/// different files.
const WARM: &[u8] = b"warm 1";

/// Links the files that the compiler produces from the row's library text into this build. Compiles the text first if
/// its files are not cached. Does nothing if the row has no such text, or if the text does not compile.
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
    // Without these files the build is slower, but still correct.
    let Some(entry) = entry else { return Ok(()) };
    build_dir.lay(&warm.folder, &artifact::files_of(&entry)).map_err(|error| BuildError::io(&error))
}

/// Compiles `text`, and stores the files that the compiler writes to `folder` in the build cache. Returns the path of
/// the entry, or `None` if the text does not compile with this toolchain.
fn make(
    text: &str,
    folder: &str,
    key: Digest,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<Option<std::path::PathBuf>, BuildError> {
    let shared = SharedBuild {
        source: Source::of_row(toolchain.language.clone(), text),
        argv: &toolchain.language.compile,
        limits: compile_limits(),
        prepared: None,
        kept: &Path::new("tmp").join(folder),
        key,
    };
    Ok(shared.make(toolchain, cache, context)?.ok())
}
