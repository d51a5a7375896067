//! What a package's own programs make: the inputs and answers that are not in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::{Program, Source};
use crate::model::{Diagnostic, Digest, Failure};
use crate::package::{Case, Package, Recipe};
use crate::sandbox::{Input, Task};

use super::arena::Arena;
use super::hands::{SETTERS, file_with, made, room, task, written};
use super::package::included;
use super::seat::beside;

impl Arena {
    /// Makes the files of cases that a package has only as commands, and puts them into its cases. What was made before
    /// of the same programs is taken from the cache. A case whose generator or main solution does not compile here or
    /// fails is left out.
    ///
    /// # Errors
    /// No case is left, or our own failure.
    pub fn complete(&self, package: &mut Package) -> Result<(), Failure> {
        let (root, output_file, include) = (package.root.clone(), package.output_file.clone(), package.include.clone());
        let mut maker = Maker { arena: self, root, output_file, include, built: BTreeMap::new() };
        let mut lost = BTreeMap::new();
        for recipe in std::mem::take(&mut package.recipes) {
            let Some(case) = package.cases.get_mut(recipe.case) else { continue };
            match maker.fill(case, &recipe) {
                Err(Failure::Complaint(complaint)) => {
                    let said = complaint.to_string();
                    let first = said.lines().next().unwrap_or_default();
                    let first = first.trim_end_matches(':').trim_end_matches("; it said");
                    lost.insert(recipe.case, format!("for {first}"));
                }
                done => done?,
            }
        }
        if !lost.is_empty() {
            package.leave_out(&lost)?;
        }
        Ok(())
    }
}

/// The maker of one package's files.
struct Maker<'a> {
    arena: &'a Arena,
    root: PathBuf,
    /// The file to which the package's solutions write.
    output_file: Option<String>,
    /// The files that are put beside its solutions.
    include: BTreeMap<String, Vec<(String, PathBuf)>>,
    /// Programs that were built, or what was said against them.
    built: BTreeMap<PathBuf, Result<Program, Diagnostic>>,
}

impl Maker<'_> {
    fn fill(&mut self, case: &mut Case, recipe: &Recipe) -> Result<(), Failure> {
        if let Some((generator, args)) = &recipe.input {
            let made = self.made_by(generator, None, args, None)?;
            // Programs may be shown the input as a file of theirs too.
            let shown = case.files.iter_mut().filter(|(_, path)| *path == case.input);
            shown.for_each(|(_, path)| path.clone_from(&made));
            case.input = made;
        }
        if let Some((solution, language)) = &recipe.answer {
            case.answer = Some(self.made_by(solution, language.as_deref(), &[], Some(case))?);
        }
        Ok(())
    }

    /// The file with what a program writes: a generator with these arguments, or a solution in a case.
    fn made_by(
        &mut self,
        path: &Path,
        language: Option<&str>,
        args: &[String],
        case: Option<&Case>,
    ) -> Result<PathBuf, Failure> {
        let arena = self.arena;
        let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()));
        let source = arena.own_source(path, language)?;
        let more = case.map(|_| included(&self.include, &source)).transpose()?.unwrap_or_default();
        let source = if more.is_empty() { source } else { source.with_files(more, false) };
        let stdin = case.map(|case| read(&case.input)).transpose()?.unwrap_or_default();
        let files = case.map(|case| beside(&case.files)).transpose()?.unwrap_or_default();
        let output_file = self.output_file.clone().filter(|_| case.is_some());
        let (own, toolchain) = (source.digest(), arena.toolchain_digest(&source)?);
        let own = [own.bytes().as_slice(), toolchain.bytes(), &stdin];
        let names =
            files.iter().map(|(name, _)| name.as_encoded_bytes()).chain(output_file.iter().map(String::as_bytes));
        let digest =
            Digest::of_parts(own.into_iter().chain(args.iter().map(String::as_bytes)).chain(names)).to_string();
        let file = arena.cache().join("packages").join(format!("made-{}", &digest[..32]));
        if file.is_file() {
            return Ok(file);
        }
        let name = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let program = self.program(path, &source, &name)?;
        let mut cell = arena.sandbox().open(&room(&program, 0))?;
        let take_files = output_file.is_some();
        let task = task(&program, &SETTERS, cell.private_dir(), Input::File(file_with(&stdin)?), args);
        let mut run = made(cell.as_mut(), Task { files, take_files, ..task }, &name)?;
        crate::data::write_whole(&file, &written(&mut run, output_file.as_deref()))
            .map_err(|error| Failure::unwritable(&file, &error))?;
        Ok(file)
    }

    fn program(&mut self, path: &Path, source: &Source, name: &str) -> Result<Program, Failure> {
        if let Some(known) = self.built.get(path) {
            return Ok(known.clone()?);
        }
        let built = match self.arena.build_own(source, name) {
            Err(Failure::Complaint(complaint)) => Err(complaint),
            built => Ok(built?),
        };
        self.built.insert(path.to_owned(), built.clone());
        Ok(built?)
    }
}
