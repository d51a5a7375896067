//! A language, which is one row of the language table.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::model::{ByteSize, Diagnostic, Limits};
use crate::yaml::Unique;

use super::template::Template;

/// A language, or a variant of it with its own compiler or options.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Id of the language: its key in the table.
    #[serde(skip)]
    pub id: String,
    /// Origin of the row: `built in` or a file name.
    #[serde(skip)]
    pub origin: String,
    /// Display name of the language.
    pub name: String,
    /// File extensions that select this language, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Further extensions that are accepted if the language is requested by name.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name under which a single file is built; by default `main` with the extension of the file.
    #[serde(default)]
    pub stage: Option<String>,
    /// Strings that occur in most programs of this language and rarely in those of other languages, with their weights.
    /// They are used to guess the language of a file whose name has no known extension.
    #[serde(default)]
    pub signs: Unique<u32>,
    /// Rule that determines where the program begins.
    #[serde(default)]
    pub entry: EntryPoint,
    /// Names of files that are preferred as the entry file, in order of preference.
    #[serde(default)]
    pub first: Vec<String>,
    /// Programs that must be on the PATH, by placeholder. Each has a list of the names to search for, in order of
    /// preference.
    pub programs: Unique<Vec<String>>,
    /// The rule for finding the real program that a version manager starts; `None` if none of the programs is a version
    /// manager.
    #[serde(default)]
    pub real: Option<WrappedProgram>,
    /// The command that determines the version of the language.
    pub probe: Probe,
    /// Arguments that are passed only if the machine supports them, by placeholder.
    #[serde(default)]
    pub options: Unique<Optional>,
    /// The compiler's command line; empty if nothing is compiled or checked.
    #[serde(default)]
    pub compile: Vec<Template>,
    /// A second command line, which is tried if the compiler rejects a program with the first, for example for another
    /// edition of the language; empty if there is none.
    #[serde(default)]
    pub again: Vec<Template>,
    /// A library that is compiled once for all programs; `None` if there is none.
    #[serde(default)]
    pub warm: Option<PrecompiledLibrary>,
    /// A header that is compiled once for all programs that begin with it; `None` if there is none. Programs are the same
    /// with and without it, so it is not part of the digest of the language.
    #[serde(default)]
    pub precompiled_header: Option<PrecompiledHeader>,
    /// Additional arguments of the compiler that link the object file `{object}`, which contains the start hook, to the
    /// program; empty if the language does not support it. Programs behave in the same way with and without the hook, so
    /// it is not part of the digest of the language.
    #[serde(default)]
    pub start_hook: Vec<Template>,
    /// The rule for linking the recorder to interactors; `None` if the language does not support it. Interactors behave in
    /// the same way with and without it, so it is not part of the digest of the language.
    #[serde(default)]
    pub recorder: Option<LinkedRecorder>,
    /// The commands that compile and link the kit for problem authors; `None` if the language does not support the kit.
    #[serde(default)]
    pub kit: Option<Kit>,
    /// The kind of files that are stored after a build in order to run the program.
    #[serde(default)]
    pub keep: Keep,
    /// The program's command line.
    pub run: Vec<Template>,
    /// Additional environment variables of the compiler.
    #[serde(default)]
    pub compile_env: Unique<Template>,
    /// Additional environment variables of the program.
    #[serde(default)]
    pub env: Unique<Template>,
    /// Prefixes of compiler output lines that are omitted from messages.
    #[serde(default)]
    pub noise: Vec<String>,
    /// Lines in the standard error of a program that failed because it got no more memory; `*` matches any text.
    #[serde(default)]
    pub memory_error: Vec<String>,
    /// Whether the program's address space may be limited to enforce its memory limit.
    #[serde(default = "yes")]
    pub bound_address_space: bool,
    /// Whether the compiler's address space may be limited to enforce its memory limit.
    #[serde(default = "yes")]
    pub bound_compiler: bool,
    /// The rule that derives the stack size from the memory limit.
    #[serde(default)]
    pub stack: Stack,
    /// Number of threads of the run-time system, in addition to those of the program.
    #[serde(default)]
    pub threads: u32,
    /// Factor by which the CPU time limit is multiplied.
    #[serde(default = "one")]
    pub time_factor: u64,
    /// The installation hint of the language.
    #[serde(default)]
    pub install: Install,
}

fn yes() -> bool {
    true
}

fn one() -> u64 {
    1
}

/// The rule that determines where a program of this language begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryPoint {
    /// The program begins in one file: a file named in `first`, otherwise `main.*`, otherwise the first file by name.
    #[default]
    File,
    /// All source files are compiled together, and the compiler or linker finds the entry point.
    Sources,
    /// The program begins in a class with a `main` method, which may be in any file and package. The class is
    /// determined from the class files.
    Java,
}

/// The kind of files that are stored after a build in order to run the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The output of the compiler.
    #[default]
    Output,
    /// The source files.
    Sources,
    /// The folder of the sources, with all files that its build added or changed.
    Folder,
}

/// A command that prints a version, and the position of the version in its output.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The command line that prints the version.
    pub argv: Vec<Template>,
    /// The word after which the first dotted number is the version; `None` if the version is the first dotted number
    /// in the output.
    #[serde(default)]
    pub after: Option<String>,
}

/// The rule for finding the real program that a version manager starts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrappedProgram {
    /// Name of the row's program that may be a version manager.
    pub program: String,
    /// Command line that prints the required paths, one per line.
    pub argv: Vec<Template>,
    /// Path of the real program, in which `{1}`, `{2}`, … stand for the printed lines.
    pub path: Template,
    /// Folders that the real program must be able to read.
    #[serde(default)]
    pub show: Vec<Template>,
    /// Folders that the version manager must be able to read, where `~` is the home folder.
    #[serde(default)]
    pub homes: Vec<String>,
    /// Environment variables that are passed to the version manager.
    #[serde(default)]
    pub env: Vec<String>,
    /// Files that determine which program the version manager selects.
    #[serde(default)]
    pub watch: Vec<String>,
    /// Contents of the files in an installation prefix that the judge creates, by file name. If there are any files,
    /// the program is started by a link in the folder `bin` of the prefix.
    #[serde(default)]
    pub prefix: Unique<Template>,
}

/// Arguments that depend on the machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optional {
    /// Command line that prints the path of a file on the first line. The arguments are passed if the file exists.
    pub probe: Vec<Template>,
    /// The arguments to pass, in which `{1}`, `{2}`, … stand for the printed lines.
    pub give: Vec<Template>,
}

/// A library that is compiled once for all programs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledLibrary {
    /// Name of the folder in `{tmp}` to which the compiler writes the files to reuse.
    pub folder: String,
    /// Source text whose compilation produces these files.
    pub text: String,
}

/// A header that is compiled once for all programs that begin with it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledHeader {
    /// Name of the header, as programs include it.
    pub name: String,
    /// Text of the file `{dir}/include/NAME`, which is created before the header is compiled.
    pub text: String,
    /// Command line that compiles `{source}`, which includes the header, into the folder `{dir}`.
    pub compile: Vec<Template>,
    /// Additional arguments of the compiler for programs that begin with the header. `{dir}` is the folder with the files
    /// that `compile` created.
    pub give: Vec<Template>,
}

/// The commands that compile the kit and link it to a program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kit {
    /// Command line that compiles the kit into the folder `{dir}`.
    pub compile: Vec<Template>,
    /// Arguments that replace `{kit}` when a program that uses the kit is compiled. `{dir}` is the folder of the
    /// compiled kit.
    pub give: Vec<Template>,
}

/// The rule for linking the recorder, which records the dialogue of an interactor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkedRecorder {
    /// The name of the option that the machine must support.
    pub option: String,
    /// Additional arguments of the compiler. `{recorder}` is the C file that defines the recorder.
    pub give: Vec<Template>,
}

/// The rule that derives the stack size from the memory limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// Maximum stack size of the run-time system; `None` if there is no limit.
    #[serde(default)]
    pub most: Option<ByteSize>,
    /// Part of the memory limit that is not used for the stack.
    #[serde(default)]
    pub spare: ByteSize,
}

impl Stack {
    /// Returns the stack size for a program with this memory limit: the limit less `spare`, but at least half of the
    /// limit and at most `most`.
    pub fn under(&self, memory: ByteSize) -> ByteSize {
        let least = memory.get() / 2;
        let stack = memory.get().saturating_sub(self.spare.get()).max(least);
        ByteSize::new(self.most.map_or(stack, |most| stack.min(most.get())))
    }
}

/// The installation hint of a language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// Names of Debian packages.
    #[serde(default)]
    pub debian: Vec<String>,
    /// Instructions for other systems; `None` if there are none.
    #[serde(default)]
    pub otherwise: Option<String>,
    /// The minimum version that some programs need; `None` if every version suffices.
    #[serde(default)]
    pub least: Option<LeastVersion>,
}

/// The minimum version of a language that some programs need.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LeastVersion {
    /// The version: numbers, separated by dots.
    pub version: String,
    /// The programs that need this version, such as `the tests`.
    #[serde(rename = "for")]
    pub needed_for: String,
}

impl Install {
    /// Returns the reason why an installed version is too old, or `None` if it is new enough.
    pub fn too_old(&self, installed: &str) -> Option<String> {
        let LeastVersion { version, needed_for } = self.least.as_ref()?;
        let numbers = |text: &str| text.split('.').map_while(|part| part.parse().ok()).collect::<Vec<u64>>();
        (numbers(installed) < numbers(version)).then(|| {
            format!(
                "version {installed} is too old for {needed_for}, which need version {version} or newer; to install a \
                 newer version: {self}"
            )
        })
    }
}

impl std::fmt::Display for Install {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.debian.as_slice(), &self.otherwise) {
            ([], None) => f.write_str("see the documentation of the language"),
            ([], Some(way)) => f.write_str(way),
            (packages, None) => write!(f, "apt-get install {}", packages.join(" ")),
            (packages, Some(way)) => write!(f, "apt-get install {}, or {way}", packages.join(" ")),
        }
    }
}

/// Placeholders of the compiler's command line and environment.
const WHEN_COMPILING: [&str; 4] = ["source", "sources", "program", "tmp"];
/// Placeholders for the lines that a program printed.
const LINES: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
/// Placeholders of the program's command line and environment.
const WHEN_RUNNING: [&str; 3] = ["source", "program", "class"];
/// Placeholders of the command lines and environments of both the compiler and the program.
const ALWAYS: [&str; 1] = ["dir"];
/// Placeholders that depend on the limits, also of both; see [`Language::sizes`].
const SIZE_NAMES: [&str; 5] = ["memory_mib", "memory_kib", "stack_mib", "stack_kib", "stack_bytes"];

impl Language {
    /// Returns whether `extension` is listed in `extensions` or `also`.
    pub fn takes(&self, extension: &str) -> bool {
        self.extensions.iter().chain(&self.also).any(|known| known == extension)
    }

    /// Returns whether a file with this name may be a source file of this language.
    pub fn is_source(&self, name: &str) -> bool {
        Path::new(name).extension().is_some_and(|end| self.takes(&end.to_string_lossy()))
    }

    /// Returns the name under which a single file with this extension is built.
    pub fn stage_name(&self, extension: &str) -> String {
        let extension = if self.takes(extension) {
            extension
        } else {
            self.extensions.iter().chain(&self.also).next().map_or("txt", String::as_str)
        };
        self.stage.clone().unwrap_or_else(|| format!("main.{extension}"))
    }

    /// Returns whether the Java virtual machine runs programs in this language.
    pub(super) fn runs_on_java(&self) -> bool {
        self.run.first().is_some_and(|program| program.as_str() == "{java}")
    }

    /// Returns the placeholders for the memory limit and the stack size, with their values under `limits`.
    pub(super) fn sizes(&self, limits: &Limits) -> [(&'static str, String); 5] {
        let (memory, stack) = (limits.memory.get(), self.stack.under(limits.memory).get());
        let sizes = [(memory >> 20).max(1), (memory >> 10).max(1), (stack >> 20).max(1), (stack >> 10).max(1), stack];
        std::array::from_fn(|place| (SIZE_NAMES[place], sizes[place].to_string()))
    }

    /// Returns whether the command line or the environment of programs contains a placeholder of [`Language::sizes`].
    pub(super) fn uses_sizes(&self) -> bool {
        let mut names = self.run.iter().chain(self.env.iter().map(|(_, value)| value)).flat_map(Template::names);
        names.any(|name| SIZE_NAMES.contains(&name))
    }

    /// Checks that the values of the row are consistent and that its placeholders are known.
    ///
    /// # Errors
    /// Returns an error that describes the first inconsistency.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        let wrong =
            |what: String| Diagnostic::new(format!("in the language `{}`, {what}", self.id)).in_file(&self.origin);
        if self.programs.is_empty() {
            return Err(wrong("`programs` is empty".to_owned()));
        }
        if let Some((name, _)) = self.programs.iter().find(|(_, names)| names.is_empty()) {
            return Err(wrong(format!("the entry `{name}` of `programs` lists no program")));
        }
        if self.run.is_empty() {
            return Err(wrong("`run` is empty".to_owned()));
        }
        if self.compile.is_empty() && self.keep == Keep::Output {
            return Err(wrong("`compile` is empty, so there is no output to run; set `keep: sources`".to_owned()));
        }
        if self.time_factor == 0 {
            return Err(wrong("`time_factor` must be at least 1".to_owned()));
        }
        if self.memory_error.iter().any(String::is_empty) {
            return Err(wrong("`memory_error` contains an empty text".to_owned()));
        }
        let plain = |name: &str| !name.is_empty() && !name.contains('/') && name != "..";
        let stage = self.stage.iter().map(|name| ("`stage`", name));
        let first = self.first.iter().map(|name| ("`first`", name));
        let warm = self.warm.iter().map(|warm| ("the folder of `warm`", &warm.folder));
        if let Some((place, name)) = stage.chain(first).chain(warm).find(|(_, name)| !plain(name)) {
            return Err(wrong(format!(
                "{place} must be a name other than `..` that is not empty and contains no `/`, found `{name}`"
            )));
        }
        let is_plain = |name: &String| name.split('/').all(plain);
        if let Some(header) = self.precompiled_header.iter().find(|header| !is_plain(&header.name)) {
            let name = &header.name;
            return Err(wrong(format!("the name of `precompiled_header` must be a relative path, found `{name}`")));
        }
        if let Some(real) = self.real.as_ref().filter(|real| !self.programs.contains_key(&real.program)) {
            return Err(wrong(format!("`real` refers to `{}`, which is not an entry of `programs`", real.program)));
        }
        self.check_placeholders().map_err(wrong)
    }

    fn check_placeholders(&self) -> Result<(), String> {
        let programs = || self.programs.keys().map(String::as_str);
        let options = self.options.keys().map(String::as_str);
        let compiling =
            programs().chain(options).chain(WHEN_COMPILING).chain(ALWAYS).chain(SIZE_NAMES).collect::<Vec<_>>();
        let options = self.options.keys().map(String::as_str);
        let running = programs().chain(options).chain(WHEN_RUNNING).chain(ALWAYS).chain(SIZE_NAMES).collect::<Vec<_>>();
        let probing = programs().collect::<Vec<_>>();
        let real = self.real.iter().flat_map(|real| &real.argv);
        let probes = self.probe.argv.iter().chain(real).chain(self.options.values().flat_map(|option| &option.probe));
        known(probes, "probe", &probing)?;
        known(self.options.values().flat_map(|option| &option.give), "options", &LINES)?;
        let printed =
            self.real.iter().flat_map(|real| real.show.iter().chain(real.prefix.values()).chain([&real.path]));
        known(printed, "real", &LINES)?;
        let kit = self.kit.iter();
        known(kit.clone().flat_map(|kit| &kit.compile), "kit", &compiling)?;
        known(kit.clone().flat_map(|kit| &kit.give), "kit", &["dir"])?;
        let header = self.precompiled_header.iter();
        known(header.clone().flat_map(|header| &header.compile), "precompiled_header", &compiling)?;
        known(header.flat_map(|header| &header.give), "precompiled_header", &["dir"])?;
        known(self.start_hook.iter(), "start_hook", &["object"])?;
        known(self.recorder.iter().flat_map(|recorder| &recorder.give), "recorder", &["recorder"])?;
        let linking = compiling.into_iter().chain(kit.map(|_| "kit")).collect::<Vec<_>>();
        known(self.compile.iter().chain(self.compile_env.values()), "compile", &linking)?;
        known(self.again.iter(), "again", &linking)?;
        known(self.run.iter().chain(self.env.values()), "run", &running)
    }
}

/// Checks that `names` contains all placeholders of `templates`.
fn known<'a>(templates: impl Iterator<Item = &'a Template>, place: &str, names: &[&str]) -> Result<(), String> {
    for name in templates.flat_map(Template::names) {
        if !names.contains(&name) {
            return Err(format!(
                "`{place}` contains the unknown placeholder `{{{name}}}`; expected one of: `{{{}}}`",
                names.join("}`, `{")
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_leaves_a_part_of_the_memory_limit_free() {
        let stack = |most, spare, memory| Stack { most, spare: ByteSize::mib(spare) }.under(ByteSize::mib(memory));
        assert_eq!(stack(None, 0, 512), ByteSize::mib(512));
        assert_eq!(stack(Some(ByteSize::mib(1024)), 0, 4096), ByteSize::mib(1024));
        assert_eq!(stack(None, 16, 512), ByteSize::mib(496));
        assert_eq!(stack(None, 16, 16), ByteSize::mib(8), "never less than half");
    }

    #[test]
    fn installation_hint_is_a_command() {
        let install = |debian: &[&str], otherwise: Option<&str>| {
            let debian = debian.iter().map(|name| (*name).to_owned()).collect();
            Install { debian, otherwise: otherwise.map(str::to_owned), least: None }.to_string()
        };
        assert_eq!(install(&["a", "b"], None), "apt-get install a b");
        assert_eq!(install(&["a"], Some("by hand")), "apt-get install a, or by hand");
        assert_eq!(install(&[], Some("by hand")), "by hand");
    }

    #[test]
    fn an_old_version_is_found_by_its_numbers() {
        let least = LeastVersion { version: "1.85".to_owned(), needed_for: "the tests".to_owned() };
        let install = Install { least: Some(least), ..Install::default() };
        let old = |version: &str| install.too_old(version).is_some();
        assert_eq!(["1.63.0", "1.9", "1", "0.99"].map(old), [true; 4]);
        assert_eq!(["1.85", "1.85.0", "1.95.0", "1.100.0", "2.0"].map(old), [false; 5]);
        assert_eq!(Install::default().too_old("1.63.0"), None);
    }
}
