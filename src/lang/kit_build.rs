//! Compiles the kit once for each compiler and links it to the programs that use it.

use std::path::Path;

use crate::model::{Digest, Fault, FaultKind};

use super::artifact;
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, BuildError, compile_limits};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::diagnostics;
use super::kit;
use super::shared_build::SharedBuild;
use super::source::Source;

/// Version of the kit build, part of the cache key. Change it whenever the same kit, language row and compiler produce
/// a different result.
const KIT: &[u8] = b"kit 1";

/// Links the compiled kit into the build if the program uses the kit and the language supports it. Compiles the kit
/// first unless it is cached.
pub(super) fn lay(
    build_dir: &mut BuildDir,
    source: &Source,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Result<(), BuildError> {
    let Some(row) = toolchain.language.kit.as_ref().filter(|_| source.uses_kit()) else { return Ok(()) };
    let key = Digest::of_parts([KIT, kit::digest().bytes().as_slice(), toolchain.digest.bytes().as_slice()]);
    let entry = match cache.load(key) {
        Some((entry, _)) => entry,
        None => make(key, &row.compile, toolchain, cache, context)?,
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
    let shared = SharedBuild {
        source: Source::of_kit(toolchain.language.clone()),
        argv: compile,
        limits: compile_limits(),
        prepared: None,
        kept: Path::new("out"),
        key,
    };
    shared.make(toolchain, cache, context)?.map_err(|run| {
        let said: String = run.execution.stderr.text.chars().take(2_000).collect();
        let ending = diagnostics::ending(&run.execution, &compile_limits(), &said);
        let output = [Some(said).filter(|said| !said.is_empty()), ending].into_iter().flatten().collect::<Vec<_>>();
        let (name, version) = (&toolchain.language.name, &toolchain.version);
        let message = format!("the crate `nimatron_kit` does not compile with {name} {version}: {}", output.join("\n"));
        BuildError::Fault(Fault::new(FaultKind::Toolchain, message))
    })
}
