//! What a package's own programs make: the inputs and answers that are not in it.

use std::path::{Path, PathBuf};

use crate::lang::Program;
use crate::model::{Digest, Failure};
use crate::package::{Package, Recipe};
use crate::sandbox::Input;

use super::arena::Arena;
use super::hands::{file_with, output, room};

impl Arena {
    /// Makes the files of cases that a package has only as commands, and puts them into its cases. What was made before
    /// of the same programs is taken from the cache.
    ///
    /// # Errors
    /// A generator or the main solution does not compile or fails; or our own failure.
    pub fn complete(&self, package: &mut Package) -> Result<(), Failure> {
        for Recipe { case, input, answer } in std::mem::take(&mut package.recipes) {
            let Some(case) = package.cases.get_mut(case) else { continue };
            if let Some((generator, args)) = input {
                case.input = self.made_by(&generator, &args, None)?;
            }
            if let Some(solution) = answer {
                case.answer = Some(self.made_by(&solution, &[], Some(&case.input))?);
            }
        }
        Ok(())
    }

    /// The file with what a program prints.
    fn made_by(&self, path: &Path, args: &[String], input: Option<&Path>) -> Result<PathBuf, Failure> {
        let read = |path: &Path| fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()));
        let source = self.own_source(path, None)?;
        let stdin = input.map(read).transpose()?.unwrap_or_default();
        let (own, toolchain) = (source.digest(), self.toolchain_digest(&source)?);
        let own = [own.bytes().as_slice(), toolchain.bytes(), &stdin];
        let digest = Digest::of_parts(own.into_iter().chain(args.iter().map(String::as_bytes))).to_string();
        let file = self.cache().join("packages").join(format!("made-{}", &digest[..32]));
        if file.is_file() {
            return Ok(file);
        }
        let name = path.display().to_string();
        let made = self.print(&self.build_own(&source, &name)?, &name, args, &stdin)?;
        crate::data::write_whole(&file, &made).map_err(|error| Failure::unwritable(&file, &error))?;
        Ok(file)
    }

    fn print(&self, program: &Program, name: &str, args: &[String], stdin: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut cell = self.sandbox().open(&room(program, 0))?;
        output(cell.as_mut(), program, name, Input::File(file_with(stdin)?), args)
    }
}
