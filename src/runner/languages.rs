//! Detects the languages that are installed on this machine, and reads and builds programs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::lang::{
    BuildContext, BuildError, DetectError, HostEnvironment, Language, LanguageQuery, LanguageTable, Program,
    ReadyBuild, Source, SourceBundle, SourceError, Toolchain, Toolchains, build, built_before, compile_limits,
};
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind};
use crate::package::is_of_icpc_language;
use crate::problem::{AuxProgram, Protocol};
use crate::sandbox::Sandbox;
use crate::workers::{in_parallel, processor_slots};

use super::cache::Cache;

/// The table of languages, with the results of their detection on this machine. Reads and builds programs in these
/// languages. Clones share the results of the detection.
#[derive(Clone)]
pub struct Languages {
    sandbox: Arc<dyn Sandbox>,
    table: Arc<LanguageTable>,
    toolchains: Arc<Toolchains>,
    cache: PathBuf,
    /// The lock that is held while a problem author's program is built, so that no two threads build the same program.
    building: Arc<Mutex<()>>,
    /// Whether a missing language or a problem author's program that does not compile is a fault.
    of_worker: bool,
}

/// The result of a build.
#[derive(Debug, Clone)]
pub enum BuildOutcome {
    /// The program compiles.
    Ready(Box<ReadyBuild>),
    /// The program does not compile.
    Rejected {
        /// The compiler's output, cleaned and truncated for display.
        output: String,
        /// The whole output of the compiler, with internal paths.
        raw: String,
    },
}

/// A language of the table, with the result of its detection on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledLanguage {
    /// The id of the language.
    pub id: String,
    /// The display name, such as `C++`.
    pub name: String,
    /// The version, or the reason why the language can't be used.
    pub version: Result<String, String>,
    /// The path of the compiler or interpreter; `None` if the language can't be used.
    pub path: Option<String>,
    /// The message that the installed version is too old for some programs; `None` if it is new enough or the language
    /// can't be used.
    pub too_old: Option<String>,
    /// Instructions for installing the language, such as `apt-get install gcc`.
    pub install: String,
    /// The origin of the language's row in the table: a file, or the built-in table.
    pub origin: String,
}

impl Languages {
    pub(super) fn new(
        sandbox: Arc<dyn Sandbox>,
        cache: &Cache,
        problems: Option<&Path>,
    ) -> Result<Languages, Diagnostic> {
        let host = HostEnvironment::current();
        Ok(Languages {
            sandbox,
            table: Arc::new(LanguageTable::load(&host, problems)?),
            toolchains: Arc::new(Toolchains::new(host, Some(cache.root().to_owned()))),
            cache: cache.root().to_owned(),
            building: Arc::default(),
            of_worker: false,
        })
    }

    pub(super) fn in_sandbox(&self, sandbox: Arc<dyn Sandbox>) -> Languages {
        Languages { sandbox, ..self.clone() }
    }

    /// Returns a clone for use on one of several judging machines. It reports a missing language, or a problem author's
    /// program that does not compile, as a fault, because another machine may be able to judge.
    pub(super) fn of_worker(&self) -> Languages {
        Languages { of_worker: true, ..self.clone() }
    }

    /// Converts the failure of a problem author's program to the failure that this machine reports. On one of several
    /// judging machines, this is a fault, because the program may work on another machine.
    pub(super) fn author_failure(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Complaint(complaint) if self.of_worker => {
                Failure::fault(FaultKind::Toolchain, complaint.to_string())
            }
            other => other,
        }
    }

    /// Returns the table of languages, including languages that are not installed.
    pub fn table(&self) -> &LanguageTable {
        &self.table
    }

    /// Returns all languages of the table, with the results of their detection on this machine.
    pub fn list(&self) -> Vec<InstalledLanguage> {
        let look_up = |language: &Arc<Language>| {
            let toolchain = self.toolchain(language);
            // The first program of the row determines whether the language is installed, so its path is shown.
            let first = language.programs.keys().next();
            let programs = toolchain.as_ref().ok().map(|toolchain| &toolchain.programs);
            let path = programs.and_then(|programs| programs.get(first?)).map(|path| path.display().to_string());
            let too_old = toolchain.as_ref().ok().and_then(|toolchain| language.install.too_old(&toolchain.version));
            InstalledLanguage {
                too_old,
                id: language.id.clone(),
                name: language.name.clone(),
                version: toolchain.map(|toolchain| toolchain.version.clone()).map_err(|error| error.to_string()),
                path,
                install: language.install.to_string(),
                origin: language.origin.clone(),
            }
        };
        let look_up = |(): &mut (), language: &Arc<Language>| Ok(look_up(language));
        // A language is missing from the result only if its detection panicked, which has been reported.
        let (found, _) = in_parallel(&self.table.rows(), &processor_slots(), |_| Ok(()), look_up, |_| ());
        found.into_iter().flatten().collect()
    }

    /// Reads a submission from a file or a folder. The extension of the file determines the language unless `language`
    /// specifies one.
    ///
    /// # Errors
    /// Fails if the file is not a valid program; see [`SourceError`].
    pub fn load(&self, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        Source::load(&self.table, path, language).map_err(Failure::from)
    }

    /// Creates a program from files in memory.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::load`].
    pub fn from_bundle(&self, bundle: &SourceBundle) -> Result<Source, Failure> {
        Source::from_bundle(&self.table, bundle.clone()).map_err(Failure::from)
    }

    /// Reads a problem author's program: a file with the headers in its folder, or a folder.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::load`].
    pub fn load_author(&self, path: &Path, language: Option<&str>) -> Result<Source, Failure> {
        Source::load_author(&self.table, path, language).map_err(Failure::from)
    }

    /// Creates a program from one file in memory. The extension of `name` determines the language.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::load`].
    pub fn from_text(&self, name: &Path, content: Vec<u8>) -> Result<Source, SourceError> {
        Source::from_text(&self.table, name, content, None)
    }

    /// Returns whether the path is a folder, or a file with the extension of a language. The languages include those
    /// that only the ICPC format defines, so that a program in an unsupported language is not mistaken for another
    /// file.
    pub fn may_be_program(&self, path: &Path) -> bool {
        path.is_dir() || self.is_source_name(path) || is_of_icpc_language(path)
    }

    /// Returns whether the file name `name` has the extension of a language.
    pub fn is_source_name(&self, name: &Path) -> bool {
        let extension = name.extension().map(|end| end.to_string_lossy());
        extension.is_some_and(|extension| self.table.choose(LanguageQuery::Extension(&extension)).is_ok())
    }

    /// Guesses the language of a program from its text. Returns the name of the language and the extension of its
    /// files, or `None` if no language matches.
    pub fn guess(&self, text: &str) -> Option<(String, String)> {
        let row = self.table.guess(text)?;
        Some((row.name.clone(), row.extensions.first()?.clone()))
    }

    /// Returns the reason why the language of `source` can't be used on this machine; `None` if it can be used.
    ///
    /// # Errors
    /// Returns a fault if the sandbox fails or is cancelled during the detection, because it is then unknown whether
    /// the language can be used.
    pub fn missing(&self, source: &Source) -> Result<Option<String>, Fault> {
        match self.toolchains.detect(source.language(), &*self.sandbox) {
            Ok(_) => Ok(None),
            Err(DetectError::Fault(fault)) => Err(fault),
            Err(missing) => Ok(Some(missing.to_string())),
        }
    }

    /// Returns the hash of the compiler or interpreter of this source's language; `None` if the language can't be used
    /// on this machine.
    ///
    /// # Errors
    /// Returns a fault if the sandbox fails or is cancelled during the detection.
    pub(super) fn digest_if_installed(&self, source: &Source) -> Result<Option<Digest>, Fault> {
        match self.toolchains.detect(source.language(), &*self.sandbox) {
            Ok(toolchain) => Ok(Some(toolchain.digest)),
            Err(DetectError::Fault(fault)) => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// Returns the hash of the compiler or interpreter of this source's language.
    ///
    /// # Errors
    /// Fails if the language is not installed, or if the judge itself fails.
    pub fn toolchain_digest(&self, source: &Source) -> Result<Digest, Failure> {
        self.toolchain(source.language()).map(|toolchain| toolchain.digest)
    }

    /// Returns the hash of the compiler or interpreter of the language whose id or name is `language`; `None` if there
    /// is no such language.
    ///
    /// # Errors
    /// Fails if the language is not installed, or if the judge itself fails.
    pub fn digest_of(&self, language: &str) -> Result<Option<Digest>, Failure> {
        let Ok(row) = self.table.choose(LanguageQuery::Named(language)) else { return Ok(None) };
        self.toolchain(row).map(|toolchain| Some(toolchain.digest))
    }

    /// Returns the hash of the compiler or interpreter of this source's language, in the form that grading databases of
    /// version 1 used.
    ///
    /// # Errors
    /// Fails if the language is not installed, or if the judge itself fails.
    pub fn toolchain_digest_v1(&self, source: &Source) -> Result<Digest, Failure> {
        self.toolchain(source.language()).map(|toolchain| toolchain.digest_v1)
    }

    pub(super) fn toolchain(&self, language: &Arc<Language>) -> Result<Arc<Toolchain>, Failure> {
        self.toolchains.detect(language, &*self.sandbox).map_err(|error| match error {
            missing @ (DetectError::Missing { .. } | DetectError::Broken { .. }) if !self.of_worker => {
                Failure::complaint(missing.to_string())
            }
            error => Failure::Fault(error.into()),
        })
    }

    /// Builds a program on the slot `slot`, or returns the program from the cache if it was built before.
    ///
    /// # Errors
    /// Fails if the language is not installed, or if the judge itself fails.
    pub fn build(&self, source: &Source, slot: usize) -> Result<BuildOutcome, Failure> {
        let toolchain = self.toolchain(source.language())?;
        let context = BuildContext { sandbox: &*self.sandbox, cache: &self.cache, limits: compile_limits(), slot };
        match build(source, &toolchain, &context) {
            Ok(built) => Ok(BuildOutcome::Ready(Box::new(built))),
            Err(BuildError::Compile { output, raw }) => Ok(BuildOutcome::Rejected { output, raw }),
            Err(BuildError::Fault(fault)) => Err(fault.into()),
        }
    }

    /// Returns a program that was built with this toolchain before; `None` if it must be built.
    pub(super) fn built_before(&self, source: &Source, toolchain: &Toolchain) -> Option<Program> {
        built_before(source, toolchain, &self.cache)
    }

    /// Returns the toolchain of a language if it was detected before. No program is started.
    pub(super) fn detected_before(&self, language: &Arc<Language>) -> Option<Arc<Toolchain>> {
        self.toolchains.detected_before(language, &*self.sandbox)
    }

    /// Builds a problem author's program, which is called `name` in messages.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::build`], and fails if the program does not compile.
    pub fn build_own(&self, source: &Source, name: &str) -> Result<Program, Failure> {
        // One thread builds the program; the other threads wait and then load it from the cache.
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        match self.build(source, 0)? {
            BuildOutcome::Ready(built) => Ok(built.program),
            BuildOutcome::Rejected { output, .. } => {
                Err(self.author_failure(Failure::complaint(format!("{name} does not compile:\n{output}"))))
            }
        }
    }

    /// Reads an auxiliary program.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::load_author`].
    pub(super) fn load_aux(&self, aux_program: &AuxProgram) -> Result<Source, Failure> {
        let source = self.load_author(&aux_program.source, aux_program.language.as_deref())?;
        let source = match aux_program.protocol {
            // Programs of the sinol format test whether this macro is defined.
            Protocol::Sinol => source.with_define("_INWER"),
            _ => source,
        };
        Ok(source.with_constants(&aux_program.constants).with_compiler_args(&aux_program.compiler_args))
    }

    /// Builds an auxiliary program.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::build_own`].
    pub(super) fn build_aux(&self, aux_program: &AuxProgram) -> Result<Program, Failure> {
        let source = self.load_aux(aux_program)?;
        self.build_own(&source, &aux_program.shown_name())
    }

    /// Builds an interactor, which records its dialogues if its language supports this.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::build_own`].
    pub(super) fn build_interactor(&self, interactor: &AuxProgram) -> Result<Program, Failure> {
        let source = self.load_aux(interactor)?.as_interactor();
        self.build_own(&source, &interactor.shown_name())
    }

    /// Returns the hash of an auxiliary program's source and of its compiler or interpreter. The hash does not cover
    /// the program's arguments, limits and protocol.
    ///
    /// # Errors
    /// Fails if the source can't be read, if the language is not installed, or if the judge itself fails.
    pub fn aux_digest(&self, aux_program: &AuxProgram) -> Result<Digest, Failure> {
        let source = self.load_aux(aux_program)?;
        let toolchain = self.toolchain_digest(&source)?;
        Ok(Digest::of_parts([source.digest().bytes().as_slice(), toolchain.bytes()]))
    }

    /// Returns the hash of an auxiliary program in the form that grading databases of version 1 used.
    ///
    /// # Errors
    /// Returns the errors of [`Languages::aux_digest`].
    pub fn aux_digest_v1(&self, aux_program: &AuxProgram) -> Result<Digest, Failure> {
        let source = self.load_aux(aux_program)?;
        let toolchain = self.toolchain_digest_v1(&source)?;
        Ok(Digest::of_parts([source.digest().bytes().as_slice(), toolchain.bytes()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FaultKind;
    use crate::runner::Host;
    use crate::sandbox::{Cancel, MockSandbox};

    #[test]
    fn a_fault_while_a_language_is_looked_for_is_not_a_missing_language() {
        let folder = tempfile::tempdir().unwrap();
        for kind in [FaultKind::Cancelled, FaultKind::Sandbox] {
            let sandbox = MockSandbox::new(move |_, _| Err(Fault::new(kind, "stopped")));
            let cancel = Cancel::new().unwrap();
            let host = Host::new(Box::new(sandbox), &cancel, folder.path(), None, 1).unwrap();
            let source = host.languages().from_text(Path::new("a.sh"), b"echo 1".to_vec()).unwrap();
            assert_eq!(host.languages().missing(&source).unwrap_err().kind, kind);
            assert!(matches!(host.languages().toolchain_digest(&source), Err(Failure::Fault(_))));
        }
    }
}
