//! Detects the languages of this machine: searches for the programs on the PATH, resolves version managers, and
//! determines versions. Programs are started once in the sandbox, and the result is cached until the programs change.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::{ByteSize, Digest, Fault, FaultKind, KeyWriter, Limits, TimeSpan};
use crate::sandbox::{CellCommand, CellSpec, Input, Mount, Output, Sandbox, is_system_path};

use super::detect_cache::DetectedPrograms;
use super::language::{Install, Language, WrappedProgram};
use super::linked_program::linked_program;
use super::path_search::{HostEnvironment, Stamp};
use super::program::environment;
use super::template::{self, TemplateValues};
use super::{digest_v1, stable_key};

/// The system folders. They are at the end of the PATH of every toolchain.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The programs on this machine that compile and run the programs of a language.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// The row of the language.
    pub language: Arc<Language>,
    /// The version that the probe found.
    pub version: String,
    /// The absolute paths of the programs, by the names of their placeholders in the row.
    pub programs: BTreeMap<String, PathBuf>,
    /// Mounts that the programs need in addition to the system folders.
    pub mounts: Vec<Mount>,
    /// The value of `PATH` with which the programs are started.
    pub path: OsString,
    /// A digest that changes with the row, the output of the probe, the programs and the supported options.
    pub digest: Digest,
    /// The digest of the toolchain in grading databases of version 1.
    pub digest_v1: Digest,
    /// The options of the row that this machine supports, each with its arguments.
    pub(super) options: Vec<(String, Vec<OsString>)>,
    /// The row's name for the program that is started through a link, and the path of the link; `None` if the row has
    /// no such program or the link could not be used.
    pub(super) link: Option<(String, PathBuf)>,
}

/// The reason why a language cannot be used on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// A program that the language requires was not found.
    #[error("{language} is not installed: found no `{}` on the PATH; to install it: {install}", .wanted.join("` or `"))]
    Missing {
        /// The name of the language.
        language: String,
        /// The program names for which the PATH was searched.
        wanted: Vec<String>,
        /// The installation hint of the row.
        install: Install,
    },
    /// The programs were found but do not work.
    #[error("{language} does not work on this machine: `{program}` {said}; to reinstall it: {install}")]
    Broken {
        /// The name of the language.
        language: String,
        /// The program that failed.
        program: PathBuf,
        /// The incorrect behavior of the program, as a predicate, such as "failed without output".
        said: String,
        /// The installation hint of the row.
        install: Install,
    },
    /// An error of the judge.
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

/// The toolchains of this machine. The toolchain of a language is detected on first use.
pub struct Toolchains {
    host: HostEnvironment,
    cache: Option<PathBuf>,
    known: Mutex<BTreeMap<String, CachedDetection>>,
}

impl Toolchains {
    /// Creates a detector for the environment `host`. Results are stored on disk in the cache folder `cache`, or only
    /// in memory if `cache` is `None`.
    pub fn new(host: HostEnvironment, cache: Option<PathBuf>) -> Toolchains {
        Toolchains { host, cache: cache.map(|folder| folder.join("toolchains")), known: Mutex::default() }
    }

    /// Returns the toolchain of a language. The first call for a language may start programs. Later calls return the
    /// same result.
    ///
    /// # Errors
    /// Returns an error with an installation hint if the language is missing or does not work, and
    /// [`DetectError::Fault`], which is not cached, for any other error.
    pub fn detect(&self, language: &Arc<Language>, sandbox: &dyn Sandbox) -> Result<Arc<Toolchain>, DetectError> {
        let known = self.known(language);
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

    /// Returns the toolchain of a language if it was detected before. No program is started.
    pub fn detected_before(&self, language: &Arc<Language>, sandbox: &dyn Sandbox) -> Option<Arc<Toolchain>> {
        let known = self.known(language);
        // Another thread holds the lock while it detects the toolchain.
        let mut known = known.try_lock().ok()?;
        if known.is_none() {
            let search = ToolchainSearch { host: &self.host, language, sandbox };
            let found = search.look_up(self.cache.as_deref()).ok()?.kept?;
            *known = Some(Ok(Arc::new(search.toolchain(&found))));
        }
        known.clone()?.ok()
    }

    /// Returns the result of detecting a language, which is `None` before the detection.
    fn known(&self, language: &Language) -> CachedDetection {
        // The lock is released, so that other threads can detect other languages at the same time.
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(format!("{} {}", language.id, language.digest())).or_default().clone()
    }
}

/// The detection of one language.
struct ToolchainSearch<'a> {
    host: &'a HostEnvironment,
    language: &'a Arc<Language>,
    sandbox: &'a dyn Sandbox,
}

/// What is known about a language before its programs are started.
struct LookedUp {
    /// The candidates for each program in the language's row of the table, in order of preference.
    candidates: Vec<(String, Vec<Stamp>)>,
    key: Digest,
    /// The stored result of an earlier detection with the same key.
    kept: Option<DetectedPrograms>,
}

struct ProbeOutput {
    well: bool,
    stdout: String,
    all: String,
}

impl ProbeOutput {
    fn works(&self) -> bool {
        self.well && !self.all.trim().is_empty()
    }
}

impl ToolchainSearch<'_> {
    fn look_up(&self, cache: Option<&Path>) -> Result<LookedUp, DetectError> {
        let candidates = self.candidates()?;
        let key = self.key(&candidates);
        let kept = cache.and_then(|folder| DetectedPrograms::load(folder, &self.language.id, key));
        Ok(LookedUp { candidates, key, kept })
    }

    fn run(&self, cache: Option<&Path>) -> Result<Arc<Toolchain>, DetectError> {
        let LookedUp { candidates, key, kept } = self.look_up(cache)?;
        let found = match kept {
            Some(found) => found,
            None => {
                let found = self.first_that_works(key, &candidates, cache)?;
                cache.into_iter().for_each(|folder| found.save(folder, &self.language.id));
                found
            }
        };
        Ok(Arc::new(self.toolchain(&found)))
    }

    /// Returns the candidates for each program in the language's row of the table, in order of preference.
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

    /// Returns the hash of the row, of all candidates, and of the variables and files on which a version manager
    /// depends.
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

    /// Tries the candidates of the row's first program until one works. For each of the other programs, the first
    /// candidate is used.
    fn first_that_works(
        &self,
        key: Digest,
        candidates: &[(String, Vec<Stamp>)],
        cache: Option<&Path>,
    ) -> Result<DetectedPrograms, DetectError> {
        let Some(((name, tries), others)) = candidates.split_first() else {
            let message = format!("the table of languages lists no programs for the language `{}`", self.language.id);
            return Err(Fault::new(FaultKind::Toolchain, message).into());
        };
        let others = others.iter().filter_map(|(name, found)| Some((name.clone(), found.first()?.clone())));
        let others = others.collect::<Vec<_>>();
        let mut first_error = None;
        for stamp in tries {
            let mut programs = vec![(name.clone(), stamp.clone())];
            programs.extend(others.iter().cloned());
            match self.try_programs(key, programs, cache) {
                // A fault of the judge does not depend on the candidate, so no further candidate is tried.
                Err(DetectError::Fault(fault)) => return Err(fault.into()),
                Err(error) => first_error = first_error.or(Some(error)),
                found => return found,
            }
        }
        Err(first_error.unwrap_or_else(|| {
            let message = format!("found no program `{name}` for the language `{}`", self.language.id);
            Fault::new(FaultKind::Toolchain, message).into()
        }))
    }

    fn try_programs(
        &self,
        key: Digest,
        mut programs: Vec<(String, Stamp)>,
        cache: Option<&Path>,
    ) -> Result<DetectedPrograms, DetectError> {
        let (mut show, mut link) = (Vec::new(), None);
        if let Some(real) = &self.language.real {
            let printed = self.look_behind(real, &mut programs, &mut show)?;
            link = cache.and_then(|cache| linked_program(cache, real, &printed));
        }
        let mut found = DetectedPrograms::new(key, programs, show);
        found.link = link;
        let mut answer = self.probe(&found)?;
        if !answer.works() && found.link.take().is_some() {
            answer = self.probe(&found)?;
        }
        if !answer.works() {
            return Err(self.broken(&found.programs, &answer));
        }
        let chain = self.toolchain(&found);
        let values = chain.program_values();
        for (name, option) in self.language.options.iter() {
            let answer = self.ask(&template::fill(&option.probe, &values), &chain.mounts, &chain.path, &[])?;
            let lines = answer.stdout.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
            let file = Path::new(lines.first().map_or("", String::as_str));
            if answer.well && file.is_absolute() && file.exists() {
                found.options.push((name.clone(), lines));
            }
        }
        found.said = answer.all;
        Ok(found)
    }

    /// Runs the row's version command and returns its output.
    fn probe(&self, found: &DetectedPrograms) -> Result<ProbeOutput, DetectError> {
        let chain = self.toolchain(found);
        let argv = template::fill(&self.language.probe.argv, &chain.program_values());
        self.ask(&argv, &chain.mounts, &chain.path, &[])
    }

    /// Replaces a version manager with the program that it would start, and returns the lines that the version manager
    /// printed.
    fn look_behind(
        &self,
        real: &WrappedProgram,
        programs: &mut [(String, Stamp)],
        show: &mut Vec<PathBuf>,
    ) -> Result<TemplateValues, DetectError> {
        let values = programs.iter().map(|(name, stamp)| (name.clone(), vec![stamp.program().into()])).collect();
        // An environment variable can specify a folder that the version manager uses instead of its default folder.
        let moved = real.env.iter().filter_map(|name| self.host.variable(name)).map(PathBuf::from);
        let moved = moved.filter(|folder| folder.is_absolute() && folder.is_dir());
        let homes = real.homes.iter().filter_map(|folder| self.host.at_home(folder)).filter(|folder| folder.exists());
        let mut mounts = homes.chain(moved).map(Mount::read).collect::<Vec<_>>();
        mounts.extend(programs.iter().filter_map(|(_, stamp)| self.host.mounts_of(&stamp.found)));
        mounts.extend(programs.iter().filter_map(|(_, stamp)| self.host.mounts_of(&stamp.real)));
        let passed = real.env.iter().filter_map(|name| Some((name.into(), self.host.variable(name)?.to_owned())));
        let passed = passed.collect::<Vec<(OsString, OsString)>>();
        // A version manager may be a script that needs the PATH of the user.
        let path = std::env::join_paths(&self.host.path).unwrap_or_else(|_| SYSTEM_PATH.into());
        let answer = self.ask(&template::fill(&real.argv, &values), &mounts, &path, &passed)?;
        let lines = line_values(answer.stdout.lines());
        let path = PathBuf::from(real.path.fill_one(&lines));
        let stamp = (answer.well && path.is_absolute()).then(|| Stamp::of(&path)).flatten();
        let Some(stamp) = stamp else { return Err(self.broken(programs, &answer)) };
        programs.iter_mut().filter(|(name, _)| *name == real.program).for_each(|(_, old)| *old = stamp.clone());
        let folders = real.show.iter().map(|folder| PathBuf::from(folder.fill_one(&lines)));
        show.extend(folders.filter(|folder| folder.is_absolute() && folder.parent().is_some()));
        Ok(lines)
    }

    fn broken(&self, programs: &[(String, Stamp)], answer: &ProbeOutput) -> DetectError {
        let lines = answer.all.trim().lines().take(5).collect::<Vec<_>>().join(" / ");
        let output: String = lines.chars().take(500).collect();
        let said = match (answer.well, output.is_empty()) {
            (true, true) => "printed nothing".to_owned(),
            (true, false) => format!("printed the unexpected text `{output}`"),
            (false, true) => "failed without output".to_owned(),
            (false, false) => format!("failed with the output `{output}`"),
        };
        DetectError::Broken {
            language: self.language.name.clone(),
            program: programs.first().map(|(_, stamp)| stamp.found.clone()).unwrap_or_default(),
            said,
            install: self.language.install.clone(),
        }
    }

    /// Runs a program in the sandbox and returns its output.
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
            read_only: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            more_pipes: Vec::new(),
            prestart: false,
            limits: probe_limits(),
            early_stop: None,
            address_space: None,
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
        let linked = found.link.iter().filter_map(|link| link.parent()?.parent()).map(Mount::read);
        let mut mounts = shown.chain(trees).chain(linked).collect::<Vec<_>>();
        mounts.sort();
        mounts.dedup();
        let names = found.options.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let options = found.options.iter().filter_map(|(name, lines)| {
            let option = self.language.options.get(name)?;
            Some((name.clone(), template::fill(&option.give, &line_values(lines.iter().map(String::as_str)))))
        });
        let options = options.collect::<Vec<_>>();
        let digest = KeyWriter::new("toolchain", stable_key::VERSION)
            .field("language", &self.language.digest())
            .field("said", &found.said)
            .field("programs", &found.programs)
            .field("options", &names)
            .digest();
        Toolchain {
            language: self.language.clone(),
            version: version(&found.said, self.language.probe.after.as_deref()),
            path: path_of(&programs),
            programs,
            mounts,
            digest,
            digest_v1: digest_v1::toolchain(self.language, &found.said, &found.programs, &names),
            options,
            link: found.link.clone().zip(self.language.real.as_ref()).map(|(link, real)| (real.program.clone(), link)),
        }
    }
}

impl Toolchain {
    /// Returns the main program of the language, which is the first program of its row, or `None` if the row lists no
    /// program.
    pub fn first_program(&self) -> Option<&Path> {
        let name = self.language.programs.keys().next()?;
        self.programs.get(name).map(PathBuf::as_path)
    }

    /// Returns whether this machine supports an option of the row.
    pub(super) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    /// Returns the values of the placeholders for programs and options.
    pub(super) fn program_values(&self) -> TemplateValues {
        let programs = self.programs.iter().map(|(name, path)| (name.clone(), vec![path.into()]));
        let link = self.link.iter().map(|(name, link)| (name.clone(), vec![link.into()]));
        programs.chain(link).chain(self.options.iter().cloned()).collect()
    }
}

/// Converts the lines that a program printed to the values of `{1}`, `{2}`, ….
fn line_values<'a>(lines: impl Iterator<Item = &'a str>) -> TemplateValues {
    lines.enumerate().map(|(index, line)| ((index + 1).to_string(), vec![line.trim().into()])).collect()
}

/// Returns the limits of a probe, whose output is short.
fn probe_limits() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(20),
        wall: TimeSpan::seconds(60),
        memory: ByteSize::mib(2048),
        output: ByteSize::mib(1),
        processes: 128,
    }
}

/// Returns the PATH: the folders of programs outside of the system folders, then the system folders.
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

/// Returns the first dotted number after the word `after`, or in the whole text if the word is absent. If there is
/// no such number, returns the first 40 characters of the first line.
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
