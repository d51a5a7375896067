//! Builds programs. A program is taken from the cache, or compiled in the sandbox and stored in the cache.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::model::{ByteSize, Digest, Fault, FaultKind, TimeSpan};
use crate::sandbox::{CellOutput, Mount};

use super::artifact::{self, Artifact, OutputFile};
use super::build_cache::{BuildCache, free_space};
use super::build_context::{BuildContext, BuildError};
use super::build_dir::{BuildDir, OUTPUT_SHOWN};
use super::built_in_rows;
use super::classfile::{self, ClassFile, MainMethod};
use super::detect::Toolchain;
use super::diagnostics::{self, DiagnosticCleaner};
use super::java;
use super::kit_build;
use super::language::{EntryPoint, Keep, Language};
use super::precompile;
use super::precompiled_header;
use super::program::Program;
use super::recorder;
use super::source::{Source, SourceFile};
use super::source_files::paths_conflict;
use super::start_object;
use super::template::Template;

/// Version of the build procedure, part of the cache key. Change it whenever the same source, language row and compiler
/// produce a different result.
const BUILD: &[u8] = b"build 2";
/// Free disk space, in bytes, below which a failure of the compiler is reported as a fault of the judge.
const LITTLE_ROOM: u64 = 8 << 20;
/// The first Java version whose launcher accepts an instance `main` method.
const INSTANCE_MAIN: u32 = 25;

/// A built program with information about the build.
#[derive(Debug, Clone)]
pub struct ReadyBuild {
    /// The program, ready to run.
    pub program: Program,
    /// Whether the program was taken from the cache.
    pub cached: bool,
    /// Wall time of all compiler runs; zero for a cached program.
    pub wall: TimeSpan,
}

/// Builds a program, or takes it from the cache.
///
/// # Errors
/// Returns [`BuildError::Compile`] if the compiler or the judge refuses the source, and [`BuildError::Fault`] for any
/// other error.
pub fn build(source: &Source, toolchain: &Toolchain, context: &BuildContext<'_>) -> Result<ReadyBuild, BuildError> {
    let cache = BuildCache::open(context.cache).map_err(|error| BuildError::io(&error))?;
    if let Some(program) = load(source, toolchain, &cache) {
        return Ok(ReadyBuild { program, cached: true, wall: TimeSpan::ZERO });
    }
    let key = build_key(source, toolchain);
    let work = cache.work_dir().map_err(|error| BuildError::io(&error))?;
    let mut build_dir = BuildDir::new(work.path(), source).map_err(|error| BuildError::io(&error))?;
    precompile::lay(&mut build_dir, toolchain, &cache, context)?;
    precompiled_header::lay(&mut build_dir, source, toolchain, &cache, context);
    kit_build::lay(&mut build_dir, source, toolchain, &cache, context)?;
    if let Some(hook) = start_object::linked_hook(source) {
        build_dir.add_start_object(&start_object::object(hook.code)).map_err(|error| BuildError::io(&error))?;
    }
    if let Some(text) = recorder::linked_recorder(source, toolchain) {
        build_dir.add_recorder(text).map_err(|error| BuildError::io(&error))?;
    }
    let made = match build_dir.make(source, toolchain, context) {
        // The headers of this machine, or its linker, do not support the recorder.
        Err(BuildError::Compile { raw, .. }) if raw.contains(recorder::NAME) && build_dir.remove_recorder() => {
            build_dir.make(source, toolchain, context)
        }
        made => made,
    };
    let wall = made?;
    let (files, class) = build_dir.harvest(source, toolchain)?;
    let stored = build_dir.entry().and_then(|entry| {
        Artifact::write(&entry, key, class, &files)?;
        cache.store(key, &entry, work.path())
    });
    let (entry, kept) = stored.map_err(|error| BuildError::io(&error))?;
    Ok(ReadyBuild { program: program(source, toolchain, &entry, &kept), cached: false, wall })
}

/// Returns the program from the cache in the folder `cache`; `None` if it was not built before or can't be read.
pub fn built_before(source: &Source, toolchain: &Toolchain, cache: &Path) -> Option<Program> {
    load(source, toolchain, &BuildCache::open(cache).ok()?)
}

fn load(source: &Source, toolchain: &Toolchain, cache: &BuildCache) -> Option<Program> {
    let (entry, kept) = cache.load(build_key(source, toolchain))?;
    Some(program(source, toolchain, &entry, &kept))
}

/// Returns the key of a build in the cache.
fn build_key(source: &Source, toolchain: &Toolchain) -> Digest {
    let digest = source.digest();
    let common = [BUILD, digest.bytes().as_slice(), toolchain.digest.bytes().as_slice()];
    let hook = start_object::linked_hook(source).map(|hook| hook.code);
    let recorder = recorder::linked_recorder(source, toolchain);
    let give = source.language().recorder.iter().filter(|_| recorder.is_some()).flat_map(|row| &row.give);
    let recorder = recorder.into_iter().chain(give.map(Template::as_str)).map(str::as_bytes);
    Digest::of_parts(common.into_iter().chain(hook).chain(recorder))
}

/// Returns the program whose built files are in the cache entry `entry`.
fn program(source: &Source, toolchain: &Toolchain, entry: &Path, kept: &Artifact) -> Program {
    let folder = artifact::files_of(entry);
    let mut values = toolchain.program_values();
    let mut set = |name: &str, value: std::ffi::OsString| values.insert(name.to_owned(), vec![value]);
    set("dir", folder.clone().into());
    set("program", folder.join("program").into());
    set("source", folder.join(&source.entry().name).into());
    set("class", kept.class.as_deref().unwrap_or("Main").replace('/', ".").into());
    let mut mounts = toolchain.mounts.clone();
    mounts.push(Mount::read(folder));
    mounts.sort();
    let (language, path) = (toolchain.language.clone(), toolchain.path.clone());
    let has_start_hook = start_object::linked_hook(source).is_some();
    let has_recorder = recorder::linked_recorder(source, toolchain).is_some();
    Program { language, values, path, mounts, rules: source.rules(), has_start_hook, has_recorder }
}

impl BuildDir {
    /// Compiles the program and returns the wall time of all compiler runs. If the compiler refuses the program without
    /// exceeding a limit, the language's alternative command line is tried.
    fn make(&self, source: &Source, toolchain: &Toolchain, context: &BuildContext<'_>) -> Result<TimeSpan, BuildError> {
        let Language { compile, again, .. } = &**source.language();
        if compile.is_empty() {
            return Ok(TimeSpan::ZERO);
        }
        let run = self.compile(source, toolchain, context)?;
        let wall = run.execution.usage.wall;
        let judged = self.judge(&run, source, context).map(|()| wall);
        // If the compiler exceeded a limit, the alternative command line is likely to exceed it too.
        let refused = matches!(judged, Err(BuildError::Compile { .. })) && run.execution.breach.is_none();
        if !refused || again.is_empty() {
            return judged;
        }
        let run = self.run(again, source, toolchain, context)?;
        match self.judge(&run, source, context) {
            Err(BuildError::Compile { .. }) => judged,
            other => other.map(|()| wall.plus(run.execution.usage.wall)),
        }
    }

    /// Returns an error if the run of the compiler failed.
    fn judge(&self, run: &CellOutput, source: &Source, context: &BuildContext<'_>) -> Result<(), BuildError> {
        let execution = &run.execution;
        if execution.breach.is_none() && execution.exit.success() {
            return Ok(());
        }
        if let Some(room) = self.little_room() {
            let message = format!(
                "the compiler failed, and the disk that contains `{}` has only {} of free space; delete some files, or \
                 set `NIMATRON_CACHE` to a folder on another disk",
                context.cache.display(),
                room.human()
            );
            return Err(BuildError::Fault(Fault::new(FaultKind::Toolchain, message)));
        }
        let heard = &run.stdout[..run.stdout.len().min(OUTPUT_SHOWN)];
        let said = format!("{}{}", execution.stderr.text, String::from_utf8_lossy(heard));
        let more = execution.stderr.bytes.saturating_sub(execution.stderr.text.len() as u64);
        let more = more + (run.stdout.len() - heard.len()) as u64;
        let raw = said.clone();
        let said = self
            .words(source)
            .trim(&said, if execution.stderr.cut || run.stdout.len() > OUTPUT_SHOWN { more } else { 0 });
        let ending = diagnostics::ending(execution, &context.limits, &said);
        let output = [Some(said).filter(|said| !said.is_empty()), ending].into_iter().flatten().collect::<Vec<_>>();
        Err(BuildError::Compile { output: output.join("\n"), raw })
    }

    fn words<'a>(&self, source: &'a Source) -> DiagnosticCleaner<'a> {
        let folder = |name: &str| format!("{}/", self.at(name).display());
        let header = self.header().map(|header| format!("{}/", header.display()));
        let folders = [folder("src"), folder("out"), folder("tmp"), format!("{}/", self.root().display())];
        DiagnosticCleaner {
            folders: folders.into_iter().chain(header).collect(),
            renamed: source.original_name().map(|given| (source.entry().name.as_str(), given)),
            noise: &source.language().noise,
        }
    }

    /// Returns the free disk space if it is less than [`LITTLE_ROOM`], since a lack of space may have caused the
    /// failure of the compiler.
    fn little_room(&self) -> Option<ByteSize> {
        let room = free_space(self.root())?;
        (room < LITTLE_ROOM).then_some(ByteSize::new(room))
    }

    /// Returns the files to store in the artifact and, for Java, the class to start.
    fn harvest(&self, source: &Source, toolchain: &Toolchain) -> Result<(Vec<OutputFile>, Option<String>), BuildError> {
        if source.language().keep == Keep::Sources {
            return Ok((source.files().iter().map(fresh).collect(), None));
        }
        let mut files = artifact::collect(&self.at("out")).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => BuildError::refused(error.to_string()),
            _ => BuildError::io(&error),
        })?;
        // A Java source that declares no class produces no file, and neither does a unit in Pascal. If the compiler of a
        // language that the user defined produces none, its definition may be wrong.
        if files.is_empty() && source.language().origin == built_in_rows::ORIGIN && starts_output(source.language()) {
            let name = &source.language().name;
            let output = format!("the {name} compiler created no program; the source needs an entry point");
            return Err(BuildError::refused(output));
        }
        if files.is_empty() && source.language().entry != EntryPoint::Java {
            let message = format!(
                "the {} compiler reported success but produced no file; check `compile` in the definition of the \
                 language",
                source.language().name
            );
            return Err(BuildError::Fault(Fault::new(FaultKind::Toolchain, message)));
        }
        if source.language().keep == Keep::Folder && !files.iter().any(runs) {
            let output = "the script `build` did not create an executable file named `run`".to_owned();
            return Err(BuildError::refused(output));
        }
        // The Go compiler, for example, reports success for a package that is not `main`, and produces a library.
        if starts_output(source.language()) && files.iter().any(|file| is_program(file) && !file.executable) {
            let needs =
                if source.language().id == "go" { "`package main` with a `main` function" } else { "an entry point" };
            let name = &source.language().name;
            let output = format!("the {name} compiler created no executable program; the source needs {needs}");
            return Err(BuildError::refused(output));
        }
        let class = match source.language().entry {
            EntryPoint::Java => {
                let class = main_class(source, toolchain, &files)?;
                let names = source.rules().forbidden_java_classes;
                for file in files.iter_mut().filter(|_| !names.is_empty()) {
                    if let Some(content) = classfile::forbid(&file.content, names) {
                        file.content = content;
                    }
                }
                Some(class)
            }
            EntryPoint::File | EntryPoint::Sources => None,
        };
        Ok((beside_sources(files, source), class))
    }
}

/// Returns the files that the build created. If the program has several source files and only the compiler's output is
/// kept, adds the source files whose paths do not conflict with those of created files, because the program may look
/// for data files next to its executable.
fn beside_sources(mut made: Vec<OutputFile>, source: &Source) -> Vec<OutputFile> {
    if source.files().len() > 1 && source.language().keep == Keep::Output {
        let is_free = |name: &str| made.iter().all(|file| !paths_conflict(&file.name, Path::new(name)));
        let free = source.files().iter().filter(|file| is_free(&file.name)).map(fresh).collect::<Vec<_>>();
        made.extend(free);
    }
    made
}

/// Converts a source file to a file of the artifact.
fn fresh(file: &SourceFile) -> OutputFile {
    OutputFile { name: PathBuf::from(&file.name), content: file.content.clone(), executable: false }
}

/// Returns whether the program is started by executing the compiler's output.
fn starts_output(language: &Language) -> bool {
    language.run.first().is_some_and(|first| first.text == "{program}")
}

/// Returns whether this file is the program that `{program}` denotes in a row of the language table.
fn is_program(file: &OutputFile) -> bool {
    file.name == Path::new("program")
}

/// Returns whether this file is the executable `run`, which must exist after the build of a program that has its own
/// scripts.
fn runs(file: &OutputFile) -> bool {
    file.name == Path::new("run") && file.executable
}

/// Returns the class to start, which is a class with a `main` method. Among several such classes, prefers those with
/// `public static void main(String[])`, then the public class of the entry file, then `Main`, then the class that is
/// declared first, then the first by name.
fn main_class(source: &Source, toolchain: &Toolchain, files: &[OutputFile]) -> Result<String, BuildError> {
    let newest = toolchain.version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    let least =
        if newest.is_some_and(|major| major >= INSTANCE_MAIN) { MainMethod::Instance } else { MainMethod::Static };
    let classes = files.iter().filter_map(|file| classfile::read(&file.content));
    let mut classes = classes.filter(|class| class.main >= least).collect::<Vec<_>>();
    let outline = java::outline(&String::from_utf8_lossy(&source.entry().content));
    source.rules().check_java(&outline)?;
    let public = outline.public();
    let declared = |class: &ClassFile| outline.types.iter().position(|(name, _)| outline.binary(name) == class.name);
    classes.sort_by_cached_key(|class| {
        let simple = class.name.rsplit('/').next() == Some("Main");
        let first = declared(class).unwrap_or(usize::MAX);
        (class.main != MainMethod::Static, Some(&class.name) != public.as_ref(), !simple, first, class.name.clone())
    });
    let refusal = || {
        let also = if least == MainMethod::Static { "" } else { " or another `main` method that `java` can start" };
        BuildError::refused(format!("no class has a method `public static void main(String[] args)`{also}"))
    };
    let started = public.filter(|_| source.rules().public_java_class);
    started.or_else(|| classes.into_iter().next().map(|class| class.name)).ok_or_else(refusal)
}
