//! Compiles a text from the table of languages once, for all programs. Builds of contestants' sources can read the files
//! that the compiler creates, and cannot change them.

use std::path::{Path, PathBuf};

use crate::model::{Digest, Limits};
use crate::sandbox::CellOutput;

use super::artifact::{self, Artifact};
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, BuildError};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::source::Source;
use super::template::Template;

/// A text from the table of languages, and how it is compiled.
pub(super) struct SharedBuild<'a> {
    /// The text, as a program.
    pub(super) source: Source,
    /// The compiler's command line.
    pub(super) argv: &'a [Template],
    /// The limits of the compiler. Those of contestants' programs do not apply.
    pub(super) limits: Limits,
    /// A file that is written before the compiler starts, as its path in `{dir}` and its text; `None` if there is none.
    pub(super) prepared: Option<(PathBuf, &'a str)>,
    /// The folder whose files are kept, relative to the build directory.
    pub(super) kept: &'a Path,
    /// The key of the files in the build cache.
    pub(super) key: Digest,
}

impl SharedBuild<'_> {
    /// Compiles the text and stores the files in the build cache. Returns the path of the cache entry, or, in the inner
    /// `Err`, the run of a compiler that failed.
    pub(super) fn make(
        &self,
        toolchain: &Toolchain,
        cache: &BuildCache,
        context: &BuildContext<'_>,
    ) -> Result<Result<PathBuf, CellOutput>, BuildError> {
        let io = |error: std::io::Error| BuildError::io(&error);
        let work = cache.work_dir().map_err(io)?;
        let build_dir = BuildDir::new(work.path(), &self.source).map_err(io)?;
        if let Some((name, text)) = &self.prepared {
            build_dir.prepare(name, text).map_err(io)?;
        }
        let run =
            build_dir.run(self.argv, &self.source, toolchain, &BuildContext { limits: self.limits, ..*context })?;
        if run.execution.breach.is_some() || !run.execution.exit.success() {
            return Ok(Err(run));
        }
        let store = || {
            let files = artifact::collect(&build_dir.root().join(self.kept))?;
            let entry = build_dir.entry()?;
            Artifact::write(&entry, self.key, None, &files)?;
            cache.store(self.key, &entry, work.path()).map(|(entry, _)| entry)
        };
        store().map(Ok).map_err(io)
    }
}
