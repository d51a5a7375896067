//! The kit for setters' programs: a small crate that this binary carries as text, compiled once for each compiler.
//!
//! Only a problem's own programs are linked to it, and only those that name it.

use crate::model::{Digest, Fault, FaultKind};

use super::artifact::{self, Artifact};
use super::build::{BuildContext, BuildError, compile_limits};
use super::build_cache::BuildCache;
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::source::{Source, SourceFile};

/// Changes when the same kit, row and compiler would be built otherwise.
const KIT: &[u8] = b"kit 1";

/// The name of the crate, by which programs use it.
const NAME: &[u8] = b"nimatron_kit";

/// The files of the crate, the root first.
const FILES: [(&str, &str); 11] = [
    ("lib.rs", include_str!("../kit/lib.rs")),
    ("args.rs", include_str!("../kit/args.rs")),
    ("complaint.rs", include_str!("../kit/complaint.rs")),
    ("counts.rs", include_str!("../kit/counts.rs")),
    ("graphs.rs", include_str!("../kit/graphs.rs")),
    ("nim.rs", include_str!("../kit/nim.rs")),
    ("play.rs", include_str!("../kit/play.rs")),
    ("random.rs", include_str!("../kit/random.rs")),
    ("reader.rs", include_str!("../kit/reader.rs")),
    ("text.rs", include_str!("../kit/text.rs")),
    ("verdict.rs", include_str!("../kit/verdict.rs")),
];

/// The crate's files: name and text.
pub(super) fn files() -> Vec<SourceFile> {
    let file = |(name, text): (&str, &str)| SourceFile { name: name.to_owned(), content: text.into() };
    FILES.map(file).into()
}

/// The hash of the crate.
pub(super) fn digest() -> Digest {
    Digest::of_parts(FILES.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]))
}

/// Whether one of these files names the crate.
pub(super) fn named_in(files: &[SourceFile]) -> bool {
    files.iter().any(|file| memchr::memmem::find(&file.content, NAME).is_some())
}

/// Lays the compiled crate beside a program that uses it.
pub(super) fn lay(
    build_dir: &mut BuildDir,
    source: &Source,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<(), BuildError> {
    let Some(kit) = toolchain.language.kit.as_ref().filter(|_| source.uses_kit()) else { return Ok(()) };
    let key = Digest::of_parts([KIT, digest().bytes().as_slice(), toolchain.digest.bytes().as_slice()]);
    let entry = match cache.load(key) {
        Some((entry, _)) => entry,
        None => make(key, &kit.compile, toolchain, cache, context)?,
    };
    build_dir.link(artifact::files_of(&entry));
    Ok(())
}

fn make(
    key: Digest,
    compile: &[super::template::Template],
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<std::path::PathBuf, BuildError> {
    let source = Source::of_kit(toolchain.language.clone());
    let work = cache.work_dir().map_err(|error| BuildError::io(&error))?;
    let build_dir = BuildDir::new(work.path(), &source).map_err(|error| BuildError::io(&error))?;
    let run = build_dir.run(compile, &source, toolchain, &BuildContext { limits: compile_limits(), ..*context })?;
    if run.execution.breach.is_some() || !run.execution.exit.success() {
        let said: String = run.execution.stderr.text.chars().take(2_000).collect();
        let message =
            format!("the kit does not compile with {} {}: {said}", toolchain.language.name, toolchain.version);
        return Err(BuildError::Fault(Fault::new(FaultKind::Toolchain, message)));
    }
    let store = || {
        let files = artifact::collect(&build_dir.at("out"))?;
        let entry = build_dir.entry()?;
        Artifact::write(&entry, key, None, &files)?;
        cache.store(key, &entry, work.path()).map(|(entry, _)| entry)
    };
    store().map_err(|error| BuildError::io(&error))
}
