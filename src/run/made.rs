//! What a package's own programs make: the inputs and answers that are not in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::{Program, Source};
use crate::model::{Diagnostic, Digest, Failure};
use crate::package::{Case, Package, Recipe};
use crate::sandbox::Input;

use super::arena::Arena;
use super::hands::{file_with, output, room};

impl Arena {
    /// Makes the files of cases that a package has only as commands, and puts them into its cases. What was made before
    /// of the same programs is taken from the cache. A case whose generator or main solution does not compile here or
    /// fails is left out.
    ///
    /// # Errors
    /// No case is left, or our own failure.
    pub fn complete(&self, package: &mut Package) -> Result<(), Failure> {
        let mut maker = Maker { arena: self, root: package.root.clone(), built: BTreeMap::new() };
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
    /// Programs that were built, or what was said against them.
    built: BTreeMap<PathBuf, Result<Program, Diagnostic>>,
}

impl Maker<'_> {
    fn fill(&mut self, case: &mut Case, recipe: &Recipe) -> Result<(), Failure> {
        if let Some((generator, args)) = &recipe.input {
            case.input = self.made_by(generator, args, None)?;
        }
        if let Some(solution) = &recipe.answer {
            case.answer = Some(self.made_by(solution, &[], Some(&case.input))?);
        }
        Ok(())
    }

    /// The file with what a program prints.
    fn made_by(&mut self, path: &Path, args: &[String], input: Option<&Path>) -> Result<PathBuf, Failure> {
        let arena = self.arena;
        let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()));
        let source = arena.own_source(path, None)?;
        let stdin = input.map(read).transpose()?.unwrap_or_default();
        let (own, toolchain) = (source.digest(), arena.toolchain_digest(&source)?);
        let own = [own.bytes().as_slice(), toolchain.bytes(), &stdin];
        let digest = Digest::of_parts(own.into_iter().chain(args.iter().map(String::as_bytes))).to_string();
        let file = arena.cache().join("packages").join(format!("made-{}", &digest[..32]));
        if file.is_file() {
            return Ok(file);
        }
        let name = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let program = self.program(path, &source, &name)?;
        let mut cell = arena.sandbox().open(&room(&program, 0))?;
        let made = output(cell.as_mut(), &program, &name, Input::File(file_with(&stdin)?), args)?;
        crate::data::write_whole(&file, &made).map_err(|error| Failure::unwritable(&file, &error))?;
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
