//! The place of one build: folders with the sources, for the result and for what lies in between, and the compiler's
//! run in them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::model::{Fault, Limits};
use crate::sandbox::{CellCommand, CellOutput, CellSpec, Input, Mount, Output};

use super::build_context::BuildContext;
use super::detect::Toolchain;
use super::language::Keep;
use super::program::{environment, with_sizes};
use super::source::Source;
use super::template::{self, Template, TemplateValues};

/// How much of what a compiler says is looked at, in bytes.
pub(super) const OUTPUT_SHOWN: usize = 1 << 16;

/// The folders of one build: `src` with the sources, `out` for the result, `tmp` for what the compiler likes.
pub(super) struct BuildDir {
    root: PathBuf,
    warm: Option<PathBuf>,
    kit: Option<PathBuf>,
}

impl BuildDir {
    /// Lays out the sources.
    pub(super) fn new(root: &Path, source: &Source) -> std::io::Result<BuildDir> {
        let build_dir = BuildDir { root: root.to_owned(), warm: None, kit: None };
        for folder in ["src", "out", "tmp"] {
            fs_err::create_dir(build_dir.at(folder))?;
        }
        // What builds itself may run and change any file of its own; archives do not tell which is a program.
        let mode = if source.language().keep == Keep::Folder { 0o777 } else { 0o644 };
        for file in source.files() {
            let path = build_dir.at(place(source)).join(&file.name);
            path.parent().map(fs_err::create_dir_all).transpose()?;
            fs_err::write(&path, &file.content)?;
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
        }
        build_dir.let_in()?;
        Ok(build_dir)
    }

    /// The compiler may run as somebody else. The folder around these is ours alone.
    fn let_in(&self) -> std::io::Result<()> {
        let folders = WalkDir::new(&self.root).min_depth(1).into_iter();
        for folder in folders.filter_entry(|found| found.file_type().is_dir()) {
            fs_err::set_permissions(folder?.path(), std::fs::Permissions::from_mode(0o777))?;
        }
        Ok(())
    }

    /// Lays links to the files below `warm` into a folder of `tmp`. The compiler may add others, and take links away,
    /// but the files themselves it can only read. What is not in a folder there is the compiler's own bookkeeping.
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
        self.let_in()
    }

    /// Has the program linked to the kit in this folder.
    pub(super) fn link(&mut self, kit: PathBuf) {
        self.kit = Some(kit);
    }

    /// The folder that holds them all.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// One of the folders.
    pub(super) fn at(&self, folder: &str) -> PathBuf {
        self.root.join(folder)
    }

    /// The folder of the entry that is made.
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

    /// Runs this command line.
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
        mounts.extend(self.warm.iter().chain(&self.kit).map(Mount::read));
        let room = CellSpec { slot: context.slot, mounts, scratch: context.limits.output };
        context.sandbox.open(&room)?.run(CellCommand {
            argv: template::fill(argv, &values),
            env,
            dir: Some(self.at(place(source))),
            files: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            limits: context.limits,
            bound_address_space: language.bound_compiler,
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

/// The folder of a build directory in which the sources lie: that of the result, where they are built in place.
fn place(source: &Source) -> &'static str {
    if source.language().keep == Keep::Folder { "out" } else { "src" }
}
