//! Finding out which languages this machine has: programs on the PATH, the real ones behind those that stand in for
//! others, their versions. Programs are started in the sandbox, once; the answer is kept while they do not change.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{ByteSize, Digest, Fault, FaultKind, KeyWriter, Limits, TimeSpan};
use crate::sandbox::{CellCommand, CellSpec, Input, Mount, Output, Sandbox, is_system_path};

use super::detect_cache::DetectedPrograms;
use super::language::{Install, Language, Real};
use super::path_search::{HostEnvironment, Stamp};
use super::program::environment;
use super::template::{self, TemplateValues};
use super::{digest_v1, stable_key};

/// Where every program may look for others.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What compiles and runs a language on this machine.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// The language.
    pub language: Arc<Language>,
    /// Its version.
    pub version: String,
    /// The programs by their names in the row, as absolute paths.
    pub programs: BTreeMap<String, PathBuf>,
    /// What they need to see beside the system's own folders.
    pub mounts: Vec<Mount>,
    /// The PATH for them.
    pub path: OsString,
    /// Changes with the row, the version and the programs.
    pub digest: Digest,
    /// The digest as it was in grading databases of version 1.
    pub digest_v1: Digest,
    pub(super) options: Vec<String>,
}

/// Why a language cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// Its programs are not there.
    #[error("{language} is not installed: found no {} on the PATH; to get it: {install}", .wanted.join(" or "))]
    Missing {
        /// The language's name.
        language: String,
        /// The programs that were looked for.
        wanted: Vec<String>,
        /// How to get it.
        install: Install,
    },
    /// Its programs are there and do not work.
    #[error("{language} does not work here: {program} said: {said}; to get it: {install}")]
    Broken {
        /// The language's name.
        language: String,
        /// The program that failed.
        program: PathBuf,
        /// What it said.
        said: String,
        /// How to get it.
        install: Install,
    },
    /// We failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<DetectError> for Fault {
    fn from(error: DetectError) -> Fault {
        match error {
            DetectError::Fault(fault) => fault,
            other => Fault::new(FaultKind::Toolchain, other.to_string()),
        }
    }
}

type CachedDetection = Arc<Mutex<Option<Result<Arc<Toolchain>, DetectError>>>>;

/// The languages of this machine, each looked for when it is first asked for.
pub struct Toolchains {
    host: HostEnvironment,
    cache: Option<PathBuf>,
    known: Mutex<BTreeMap<String, CachedDetection>>,
}

impl Toolchains {
    /// Looks for languages in these host; `cache` is the folder where the answers are kept.
    pub fn new(host: HostEnvironment, cache: Option<PathBuf>) -> Toolchains {
        Toolchains { host, cache: cache.map(|folder| folder.join("toolchains")), known: Mutex::default() }
    }

    /// What compiles and runs a language. The first call for a language may start programs; later ones do not.
    ///
    /// # Errors
    /// It is not here or does not work, with how to get it; or a fault of ours, which is not remembered.
    pub fn detect(&self, language: &Arc<Language>, sandbox: &dyn Sandbox) -> Result<Arc<Toolchain>, DetectError> {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(format!("{} {}", language.id, language.digest())).or_default().clone();
        // Others may look for other languages meanwhile.
        drop(all);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = &*known {
            return answer.clone();
        }
        let answer = ToolchainSearch { host: &self.host, language, sandbox }.run(self.cache.as_deref());
        if !matches!(answer, Err(DetectError::Fault(_))) {
            *known = Some(answer.clone());
        }
        answer
    }
}

/// One search for one language.
struct ToolchainSearch<'a> {
    host: &'a HostEnvironment,
    language: &'a Arc<Language>,
    sandbox: &'a dyn Sandbox,
}

/// What a program answered.
struct ProbeOutput {
    well: bool,
    stdout: String,
    all: String,
}

impl ToolchainSearch<'_> {
    fn run(&self, cache: Option<&Path>) -> Result<Arc<Toolchain>, DetectError> {
        let candidates = self.candidates()?;
        let key = self.key(&candidates);
        let kept = cache.and_then(|folder| DetectedPrograms::load(folder, &self.language.id, key));
        let found = match kept {
            Some(found) => found,
            None => {
                let found = self.first_that_works(key, &candidates)?;
                cache.into_iter().for_each(|folder| found.save(folder, &self.language.id));
                found
            }
        };
        Ok(Arc::new(self.toolchain(&found)))
    }

    /// For each program of the row what could be it, best first.
    fn candidates(&self) -> Result<Vec<(String, Vec<Stamp>)>, DetectError> {
        let of = |(name, names): (&String, &Vec<String>)| match self.host.candidates(names) {
            found if found.is_empty() => Err(DetectError::Missing {
                language: self.language.name.clone(),
                wanted: names.clone(),
                install: self.language.install.clone(),
            }),
            found => Ok((name.clone(), found)),
        };
        self.language.programs.iter().map(of).collect()
    }

    /// The hash of all that the search depends on.
    fn key(&self, candidates: &[(String, Vec<Stamp>)]) -> Digest {
        let real = self.language.real.as_ref();
        let variables = real.iter().flat_map(|real| &real.env).map(|name| (name, self.host.variable(name)));
        let watched = real.iter().flat_map(|real| &real.watch).filter_map(|file| self.host.at_home(file));
        let watched = watched.map(|file| Stamp::of_file(&file)).collect::<Vec<_>>();
        KeyWriter::new("toolchain search", stable_key::VERSION)
            .field("language", &self.language.digest())
            .field("candidates", candidates)
            .field("variables", &variables.collect::<Vec<_>>())
            .field("watched", &watched)
            .digest()
    }

    /// Tries the candidates of the row's first program until one works; of the other programs the best one is taken.
    fn first_that_works(
        &self,
        key: Digest,
        candidates: &[(String, Vec<Stamp>)],
    ) -> Result<DetectedPrograms, DetectError> {
        let Some(((name, tries), others)) = candidates.split_first() else {
            return Err(Fault::new(FaultKind::Toolchain, "the row names no programs").into());
        };
        let others = others.iter().filter_map(|(name, found)| Some((name.clone(), found.first()?.clone())));
        let others = others.collect::<Vec<_>>();
        let mut first_error = None;
        for stamp in tries {
            let mut programs = vec![(name.clone(), stamp.clone())];
            programs.extend(others.iter().cloned());
            match self.try_programs(key, programs) {
                // A fault says nothing about the candidate.
                Err(DetectError::Fault(fault)) => return Err(fault.into()),
                Err(error) => first_error = first_error.or(Some(error)),
                found => return found,
            }
        }
        Err(first_error.unwrap_or_else(|| Fault::new(FaultKind::Toolchain, "no program was tried").into()))
    }

    fn try_programs(&self, key: Digest, mut programs: Vec<(String, Stamp)>) -> Result<DetectedPrograms, DetectError> {
        let mut show = Vec::new();
        if let Some(real) = &self.language.real {
            self.look_behind(real, &mut programs, &mut show)?;
        }
        let mut found = DetectedPrograms::new(key, programs, show);
        let chain = self.toolchain(&found);
        let values = chain.program_values();
        let answer = self.ask(&template::fill(&self.language.probe.argv, &values), &chain.mounts, &chain.path, &[])?;
        if !answer.well || answer.all.trim().is_empty() {
            return Err(self.broken(&found.programs, &answer.all));
        }
        for (name, option) in self.language.options.iter() {
            let answer = self.ask(&template::fill(&option.probe, &values), &chain.mounts, &chain.path, &[])?;
            let file = Path::new(answer.stdout.lines().next().unwrap_or_default().trim());
            if answer.well && file.is_absolute() && file.exists() {
                found.options.push(name.clone());
            }
        }
        found.said = answer.all;
        Ok(found)
    }

    /// Replaces a program that stands in for another by the other.
    fn look_behind(
        &self,
        real: &Real,
        programs: &mut [(String, Stamp)],
        show: &mut Vec<PathBuf>,
    ) -> Result<(), DetectError> {
        let values = programs.iter().map(|(name, stamp)| (name.clone(), vec![stamp.program().into()])).collect();
        // A variable that names a folder moves what would be in the home folder.
        let moved = real.env.iter().filter_map(|name| self.host.variable(name)).map(PathBuf::from);
        let moved = moved.filter(|folder| folder.is_absolute() && folder.is_dir());
        let homes = real.homes.iter().filter_map(|folder| self.host.at_home(folder)).filter(|folder| folder.exists());
        let mut mounts = homes.chain(moved).map(Mount::read).collect::<Vec<_>>();
        mounts.extend(programs.iter().filter_map(|(_, stamp)| self.host.mounts_of(&stamp.found)));
        mounts.extend(programs.iter().filter_map(|(_, stamp)| self.host.mounts_of(&stamp.real)));
        let passed = real.env.iter().filter_map(|name| Some((name.into(), self.host.variable(name)?.to_owned())));
        let passed = passed.collect::<Vec<(OsString, OsString)>>();
        // It may be a script that looks for its parts where the person's shell would.
        let path = std::env::join_paths(&self.host.path).unwrap_or_else(|_| SYSTEM_PATH.into());
        let answer = self.ask(&template::fill(&real.argv, &values), &mounts, &path, &passed)?;
        let lines = answer.stdout.lines().map(str::trim).enumerate();
        let lines = lines.map(|(index, line)| ((index + 1).to_string(), vec![line.into()])).collect::<TemplateValues>();
        let path = PathBuf::from(real.path.fill_one(&lines));
        let stamp = (answer.well && path.is_absolute()).then(|| Stamp::of(&path)).flatten();
        let Some(stamp) = stamp else { return Err(self.broken(programs, &answer.all)) };
        programs.iter_mut().filter(|(name, _)| *name == real.program).for_each(|(_, old)| *old = stamp.clone());
        let folders = real.show.iter().map(|folder| PathBuf::from(folder.fill_one(&lines)));
        show.extend(folders.filter(|folder| folder.is_absolute() && folder.parent().is_some()));
        Ok(())
    }

    fn broken(&self, programs: &[(String, Stamp)], said: &str) -> DetectError {
        let said = said.trim();
        let said = if said.is_empty() { "nothing" } else { said };
        DetectError::Broken {
            language: self.language.name.clone(),
            program: programs.first().map(|(_, stamp)| stamp.found.clone()).unwrap_or_default(),
            said: said.lines().take(5).collect::<Vec<_>>().join(" / ").chars().take(500).collect(),
            install: self.language.install.clone(),
        }
    }

    /// Starts a program of the machine's and listens to what it says.
    fn ask(
        &self,
        argv: &[OsString],
        mounts: &[Mount],
        path: &OsStr,
        more: &[(OsString, OsString)],
    ) -> Result<ProbeOutput, DetectError> {
        let mut mounts = mounts.to_vec();
        mounts.sort();
        mounts.dedup();
        let mut cell = self.sandbox.open(&CellSpec { slot: 0, mounts, scratch: ByteSize::mib(64) })?;
        let home = self.host.home.clone().filter(|_| !more.is_empty() || self.language.real.is_some());
        let home = home.unwrap_or_else(|| cell.private_dir().to_owned());
        let mut env = environment(path, cell.private_dir());
        env.iter_mut().filter(|(name, _)| name == "HOME").for_each(|(_, value)| *value = home.clone().into());
        env.extend_from_slice(more);
        let run = cell.run(CellCommand {
            argv: argv.to_vec(),
            env,
            dir: None,
            files: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            limits: probe_limits(),
            bound_address_space: false,
            keep_stderr: 1 << 16,
        })?;
        let stdout = String::from_utf8_lossy(&run.stdout).into_owned();
        let execution = run.execution;
        let well = execution.breach.is_none() && execution.exit.success();
        Ok(ProbeOutput { well, all: format!("{stdout}{}", execution.stderr.text), stdout })
    }

    fn toolchain(&self, found: &DetectedPrograms) -> Toolchain {
        let programs = found.programs.iter().map(|(name, stamp)| (name.clone(), stamp.program().to_owned()));
        let programs = programs.collect::<BTreeMap<_, _>>();
        let trees = programs.values().filter_map(|program| self.host.mounts_of(program));
        let shown = found.show.iter().filter(|folder| !is_system_path(folder)).map(Mount::read);
        let mut mounts = shown.chain(trees).collect::<Vec<_>>();
        mounts.sort();
        mounts.dedup();
        let digest = KeyWriter::new("toolchain", stable_key::VERSION)
            .field("language", &self.language.digest())
            .field("said", &found.said)
            .field("programs", &found.programs)
            .field("options", &found.options)
            .digest();
        Toolchain {
            language: self.language.clone(),
            version: version(&found.said, self.language.probe.after.as_deref()),
            path: path_of(&programs),
            programs,
            mounts,
            digest,
            digest_v1: digest_v1::toolchain(self.language, &found.said, &found.programs, &found.options),
            options: found.options.clone(),
        }
    }
}

impl Toolchain {
    /// The program that people ask for when they ask where the language is: the first of its row.
    pub fn first_program(&self) -> Option<&Path> {
        let name = self.language.programs.keys().next()?;
        self.programs.get(name).map(PathBuf::as_path)
    }

    /// What stands for the names of programs and options.
    pub(super) fn program_values(&self) -> TemplateValues {
        let programs = self.programs.iter().map(|(name, path)| (name.clone(), vec![path.into()]));
        let options = self.options.iter().filter_map(|name| Some((name, self.language.options.get(name)?)));
        let options = options.map(|(name, option)| (name.clone(), option.give.iter().map(OsString::from).collect()));
        programs.chain(options).collect()
    }
}

/// What a probe may use: it prints a line.
fn probe_limits() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(20),
        wall: TimeSpan::seconds(60),
        memory: ByteSize::mib(2048),
        output: ByteSize::mib(1),
        processes: 128,
    }
}

/// The system's folders, before them those of programs that are elsewhere.
fn path_of(programs: &BTreeMap<String, PathBuf>) -> OsString {
    let mut path = OsString::new();
    let mut seen = Vec::new();
    for folder in programs.values().filter(|program| !is_system_path(program)).filter_map(|program| program.parent()) {
        if !seen.contains(&folder) {
            seen.push(folder);
            path.push(folder);
            path.push(":");
        }
    }
    path.push(SYSTEM_PATH);
    path
}

/// The first dotted number behind the word, or the first line as it is.
fn version(said: &str, after: Option<&str>) -> String {
    let text = after.and_then(|word| said.split_once(word)).map_or(said, |(_, rest)| rest);
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.').map(|number| number.trim_matches('.'));
    let first = numbers.into_iter().find(|number| number.contains('.'));
    first.map_or_else(|| said.trim().lines().next().unwrap_or_default().chars().take(40).collect(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_compilers_print() {
        for (said, after, number) in [
            ("rustc 1.95.0 (59807616e 2026-04-14)\n", None, "1.95.0"),
            ("Python 3.9.16 (7.3.11+dfsg)\n[PyPy 7.3.11 with GCC 12.2.0]", Some("PyPy"), "7.3.11"),
            ("go version go1.19.8 linux/amd64", None, "1.19.8"),
            (
                "OpenJDK 64-Bit Server VM warning: since JDK 13.\ninfo: kotlinc-jvm 1.3-SNAPSHOT (JRE 17.0.15+6)",
                None,
                "1.3",
            ),
            ("The Glorious Glasgow Haskell Compilation System, version 9.0.2", None, "9.0.2"),
            ("version seven", None, "version seven"),
            ("v20.20.2", Some("absent"), "20.20.2"),
        ] {
            assert_eq!(version(said, after), number, "{said}");
        }
    }
}
