//! The directory of one build, with folders for the sources, the result and temporary files. Compilers run in this
//! directory.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::model::{Fault, Limits};
use crate::sandbox::{CellCommand, CellOutput, CellSpec, Input, Mount, Output};

use super::build_context::BuildContext;
use super::detect::Toolchain;
use super::language::Keep;
use super::program::{ample_address_space, environment, with_sizes};
use super::recorder;
use super::source::Source;
use super::template::{self, Template, TemplateValues};

/// Maximum number of bytes to keep from each output stream of the compiler.
pub(super) const OUTPUT_SHOWN: usize = 1 << 16;

/// The folders of one build: `src` with the sources, `out` for the result, `tmp` for temporary files of the compiler.
pub(super) struct BuildDir {
    root: PathBuf,
    warm: Option<PathBuf>,
    kit: Option<PathBuf>,
    header: Option<PathBuf>,
    start_object: Option<PathBuf>,
    recorder: Option<PathBuf>,
}

impl BuildDir {
    /// Creates the folders and writes the sources.
    pub(super) fn new(root: &Path, source: &Source) -> std::io::Result<BuildDir> {
        let (warm, kit, header, start_object, recorder) = Default::default();
        let build_dir = BuildDir { root: root.to_owned(), warm, kit, header, start_object, recorder };
        for folder in ["src", "out", "tmp"] {
            fs_err::create_dir(build_dir.at(folder))?;
        }
        // A program with its own build script may run and change any of its files. The mode is set here because
        // archives may lack executable bits.
        let mode = if source.language().keep == Keep::Folder { 0o777 } else { 0o644 };
        for file in source.files() {
            let path = build_dir.at(place(source)).join(&file.name);
            path.parent().map(fs_err::create_dir_all).transpose()?;
            fs_err::write(&path, &file.content)?;
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
        }
        build_dir.make_accessible()?;
        Ok(build_dir)
    }

    /// Makes the folders accessible to the user of the sandbox. Only the current user can access the folder that
    /// contains them.
    fn make_accessible(&self) -> std::io::Result<()> {
        let folders = WalkDir::new(&self.root).min_depth(1).into_iter();
        for folder in folders.filter_entry(|found| found.file_type().is_dir()) {
            fs_err::set_permissions(folder?.path(), std::fs::Permissions::from_mode(0o777))?;
        }
        Ok(())
    }

    /// Creates links in the folder `folder` of `tmp` to all files in the subfolders of `warm`. The compiler may add and
    /// remove links, but can only read the files themselves. Files at the top level of `warm` are internal records of
    /// the compiler and are not linked.
    pub(super) fn lay(&mut self, folder: &str, warm: &Path) -> std::io::Result<()> {
        for entry in WalkDir::new(warm).min_depth(2) {
            let entry = entry?;
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(warm).unwrap_or(entry.path());
                let link = self.at("tmp").join(folder).join(name);
                link.parent().map(fs_err::create_dir_all).transpose()?;
                fs_err::os::unix::fs::symlink(entry.path(), link)?;
            }
        }
        self.warm = Some(warm.to_owned());
        self.make_accessible()
    }

    /// Writes a file to the folder for the result before the compiler starts.
    pub(super) fn prepare(&self, name: &Path, text: &str) -> std::io::Result<()> {
        let path = self.at("out").join(name);
        path.parent().map(fs_err::create_dir_all).transpose()?;
        fs_err::write(&path, text)?;
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644))?;
        self.make_accessible()
    }

    /// Sets the folder of the precompiled header that the program includes.
    pub(super) fn add_header(&mut self, header: PathBuf) {
        self.header = Some(header);
    }

    /// Returns the folder of the precompiled header, or `None` if the program does not include one.
    pub(super) fn header(&self) -> Option<&Path> {
        self.header.as_deref()
    }

    /// Sets the folder of the compiled kit to which the program is linked.
    pub(super) fn link(&mut self, kit: PathBuf) {
        self.kit = Some(kit);
    }

    /// Writes the object file with the start hook, which is then linked to the program.
    pub(super) fn add_start_object(&mut self, object: &[u8]) -> std::io::Result<()> {
        self.start_object = Some(self.add_file("start_hook.o", object)?);
        Ok(())
    }

    /// Writes the source of the recorder, which is then linked to the program.
    pub(super) fn add_recorder(&mut self, text: &str) -> std::io::Result<()> {
        self.recorder = Some(self.add_file(recorder::NAME, text.as_bytes())?);
        Ok(())
    }

    /// Does not link the recorder to the program. Returns false if it was not linked to it anyway.
    pub(super) fn remove_recorder(&mut self) -> bool {
        self.recorder.take().is_some()
    }

    /// Writes a file that the compiler can read, and returns its path.
    fn add_file(&self, name: &str, content: &[u8]) -> std::io::Result<PathBuf> {
        let path = self.at("tmp").join(name);
        fs_err::write(&path, content)?;
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644))?;
        Ok(path)
    }

    /// Returns the build directory itself.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a folder in the build directory.
    pub(super) fn at(&self, folder: &str) -> PathBuf {
        self.root.join(folder)
    }

    /// Creates the folder of the new cache entry and returns its path.
    pub(super) fn entry(&self) -> std::io::Result<PathBuf> {
        let entry = self.at("entry");
        fs_err::create_dir(&entry)?;
        Ok(entry)
    }

    /// Runs the compiler on the program.
    pub(super) fn compile(
        &self,
        source: &Source,
        toolchain: &Toolchain,
        context: &BuildContext<'_>,
    ) -> Result<CellOutput, Fault> {
        self.run(&source.language().compile, source, toolchain, context)
    }

    /// Runs a command line in the sandbox, with the folder of the sources as the working directory.
    pub(super) fn run(
        &self,
        argv: &[Template],
        source: &Source,
        toolchain: &Toolchain,
        context: &BuildContext<'_>,
    ) -> Result<CellOutput, Fault> {
        let language = source.language();
        let values = self.values(source, toolchain, &context.limits);
        let own = language.compile_env.iter().map(|(name, value)| (name.into(), value.fill_one(&values)));
        let env = environment(&toolchain.path, &self.at("tmp")).into_iter().chain(own).collect();
        let mut mounts = toolchain.mounts.clone();
        mounts.extend(["src", "out", "tmp"].map(|folder| Mount::write(self.at(folder))));
        mounts.extend(self.warm.iter().chain(&self.kit).chain(&self.header).map(Mount::read));
        let room = CellSpec { slot: context.slot, mounts, scratch: context.limits.output };
        let mut argv = template::fill(argv, &values);
        if let (Some(folder), Some(header)) = (&self.header, &language.precompiled_header) {
            argv.extend(template::fill(&header.give, &TemplateValues::from([("dir".to_owned(), vec![folder.into()])])));
        }
        if let Some(object) = &self.start_object {
            let object = TemplateValues::from([("object".to_owned(), vec![object.into()])]);
            argv.extend(template::fill(&language.start_hook, &object));
        }
        if let (Some(text), Some(recorder)) = (&self.recorder, &language.recorder) {
            let text = TemplateValues::from([("recorder".to_owned(), vec![text.into()])]);
            argv.extend(template::fill(&recorder.give, &text));
        }
        argv.extend(source.compiler_args().iter().map(Into::into));
        context.sandbox.open(&room)?.run(CellCommand {
            argv,
            env,
            dir: Some(self.at(place(source))),
            files: Vec::new(),
            read_only: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            more_pipes: Vec::new(),
            prestart: false,
            limits: context.limits,
            early_stop: None,
            address_space: language.bound_compiler.then(|| ample_address_space(&context.limits)),
            keep_stderr: OUTPUT_SHOWN,
        })
    }

    fn values(&self, source: &Source, toolchain: &Toolchain, limits: &Limits) -> TemplateValues {
        let mut values = toolchain.program_values();
        values.insert("source".to_owned(), vec![source.entry().name.as_str().into()]);
        values.insert("sources".to_owned(), source.sources().map(|file| file.name.as_str().into()).collect());
        values.insert("dir".to_owned(), vec![self.at("out").into()]);
        values.insert("program".to_owned(), vec![self.at("out").join("program").into()]);
        values.insert("tmp".to_owned(), vec![self.at("tmp").into()]);
        if let (Some(folder), Some(kit)) = (&self.kit, &source.language().kit) {
            let folder = TemplateValues::from([("dir".to_owned(), vec![folder.into()])]);
            values.insert("kit".to_owned(), template::fill(&kit.give, &folder));
        }
        with_sizes(values, source.language(), limits)
    }
}

/// Returns the name of the folder for the sources. If the program is built in place, the sources are in the result
/// folder.
fn place(source: &Source) -> &'static str {
    if source.language().keep == Keep::Folder { "out" } else { "src" }
}
