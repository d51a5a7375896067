//! A language: one row of the table, as it is written in YAML.

use serde::{Deserialize, Serialize};

use crate::model::{ByteSize, Diagnostic, Limits};
use crate::yaml::Unique;

use super::template::Template;

/// One language, or one way to run it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The id; the key of the row.
    #[serde(skip)]
    pub id: String,
    /// Where the row was written: `built in` or a file's name.
    #[serde(skip)]
    pub origin: String,
    /// The name for people.
    pub name: String,
    /// Files with one of these extensions are in this language.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Extensions it takes when it is asked for by name.
    #[serde(default)]
    pub also: Vec<String>,
    /// The name a single file gets when it is built.
    #[serde(default)]
    pub stage: Option<String>,
    /// Where the program begins.
    #[serde(default)]
    pub entry: Entry,
    /// File names that are the entry before the rule decides.
    #[serde(default)]
    pub first: Vec<String>,
    /// What must be on the PATH: a name for the templates, and the names to look for, best first.
    pub programs: Unique<Vec<String>>,
    /// How to find the program behind one that stands in for it.
    #[serde(default)]
    pub real: Option<Real>,
    /// How to learn the version.
    pub probe: Probe,
    /// Arguments that are given only where the machine can take them.
    #[serde(default)]
    pub options: Unique<Optional>,
    /// The compiler's command line; empty if there is nothing to compile or check.
    #[serde(default)]
    pub compile: Vec<Template>,
    /// Tried where that refused a program: another edition of the language.
    #[serde(default)]
    pub again: Vec<Template>,
    /// What is compiled once for all programs.
    #[serde(default)]
    pub warm: Option<Warm>,
    /// How the kit for setters' programs is compiled and linked to them, if they can be written in it.
    #[serde(default)]
    pub kit: Option<Kit>,
    /// What is run in the end.
    #[serde(default)]
    pub keep: Keep,
    /// The program's command line.
    pub run: Vec<Template>,
    /// Added to the compiler's environment.
    #[serde(default)]
    pub compile_env: Unique<Template>,
    /// Added to the program's environment.
    #[serde(default)]
    pub env: Unique<Template>,
    /// Beginnings of lines that the compiler prints and nobody needs.
    #[serde(default)]
    pub noise: Vec<String>,
    /// Whether the program's memory may be bounded by its address space.
    #[serde(default = "yes")]
    pub bound_address_space: bool,
    /// Whether the compiler's memory may be bounded by its address space.
    #[serde(default = "yes")]
    pub bound_compiler: bool,
    /// How large a stack may be asked for.
    #[serde(default)]
    pub stack: Stack,
    /// Threads the run-time system needs beside the program's own.
    #[serde(default)]
    pub threads: u32,
    /// The time limit is multiplied by this.
    #[serde(default = "one")]
    pub time_factor: u64,
    /// How to get it.
    #[serde(default)]
    pub install: Install,
}

fn yes() -> bool {
    true
}

fn one() -> u64 {
    1
}

/// Where a program of this language begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// In one file: the only one, `main.*`, the first by name.
    #[default]
    File,
    /// All source files are compiled together.
    Sources,
    /// In the class that has `main`, in whatever file and package; the class files tell.
    Java,
}

/// What a build leaves to be run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// What the compiler wrote.
    #[default]
    Output,
    /// The sources themselves.
    Sources,
    /// The folder of the sources, with whatever its build added or changed.
    Folder,
}

/// How to learn a version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The command line.
    pub argv: Vec<Template>,
    /// The version is the first dotted number behind this word; without it, the first of all.
    #[serde(default)]
    pub after: Option<String>,
}

/// How to find the program behind one that stands in for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Real {
    /// Which of the row's programs.
    pub program: String,
    /// Prints what is needed, one a line.
    pub argv: Vec<Template>,
    /// The real program, from the lines `{1}`, `{2}`, ….
    pub path: Template,
    /// The folders it needs to see.
    #[serde(default)]
    pub show: Vec<Template>,
    /// Folders the stand-in needs to see; `~` is the home folder.
    #[serde(default)]
    pub homes: Vec<String>,
    /// Variables the stand-in gets from our own environment.
    #[serde(default)]
    pub env: Vec<String>,
    /// Files by which the stand-in decides.
    #[serde(default)]
    pub watch: Vec<String>,
}

/// Arguments that depend on the machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optional {
    /// Prints the path of a file; if the file exists, the arguments are given.
    pub probe: Vec<Template>,
    /// The arguments.
    pub give: Vec<String>,
}

/// What is compiled once for all programs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warm {
    /// The folder of `{tmp}` where the compiler leaves what it can use again.
    pub folder: String,
    /// A source that makes it do so.
    pub text: String,
}

/// How the kit is used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kit {
    /// Compiles it into the folder `{dir}`.
    pub compile: Vec<Template>,
    /// What stands for `{kit}` in the command line that compiles a program with it; `{dir}` is that folder.
    pub give: Vec<Template>,
}

/// How large a stack may be asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// The largest the run-time system takes, if it has such a bound.
    #[serde(default)]
    pub most: Option<ByteSize>,
    /// How much smaller than the memory limit it must stay.
    #[serde(default)]
    pub spare: ByteSize,
}

impl Stack {
    /// The stack for a program with this memory limit: all of it, less what must be spared.
    pub fn under(&self, memory: ByteSize) -> ByteSize {
        let least = memory.get() / 2;
        let stack = memory.get().saturating_sub(self.spare.get()).max(least);
        ByteSize::new(self.most.map_or(stack, |most| stack.min(most.get())))
    }
}

/// How to get a language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// Debian's packages.
    #[serde(default)]
    pub debian: Vec<String>,
    /// The way where Debian's packages are not, in words.
    #[serde(default)]
    pub otherwise: Option<String>,
}

impl std::fmt::Display for Install {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.debian.as_slice(), &self.otherwise) {
            ([], None) => f.write_str("see the language's own pages"),
            ([], Some(way)) => f.write_str(way),
            (packages, None) => write!(f, "apt-get install {}", packages.join(" ")),
            (packages, Some(way)) => write!(f, "apt-get install {}, or {way}", packages.join(" ")),
        }
    }
}

/// Placeholders of a compiler's command line and environment.
const WHEN_COMPILING: [&str; 4] = ["source", "sources", "program", "tmp"];
/// Placeholders of a program's command line and environment.
const WHEN_RUNNING: [&str; 3] = ["source", "program", "class"];
/// Placeholders of both.
const ALWAYS: [&str; 6] = ["dir", "memory_mib", "memory_kib", "stack_mib", "stack_kib", "stack_bytes"];

impl Language {
    /// Whether a file with this extension may be in this language.
    pub fn takes(&self, extension: &str) -> bool {
        self.extensions.iter().chain(&self.also).any(|known| known == extension)
    }

    /// The name under which a single file with this extension is built.
    pub fn stage_name(&self, extension: &str) -> String {
        let extension = if self.takes(extension) {
            extension
        } else {
            self.extensions.iter().chain(&self.also).next().map_or("txt", String::as_str)
        };
        self.stage.clone().unwrap_or_else(|| format!("main.{extension}"))
    }

    /// The numbers that templates may ask for, under these limits.
    pub(super) fn sizes(&self, limits: &Limits) -> [(&'static str, String); 5] {
        let (memory, stack) = (limits.memory.get(), self.stack.under(limits.memory).get());
        [
            ("memory_mib", (memory >> 20).max(1).to_string()),
            ("memory_kib", (memory >> 10).max(1).to_string()),
            ("stack_mib", (stack >> 20).max(1).to_string()),
            ("stack_kib", (stack >> 10).max(1).to_string()),
            ("stack_bytes", stack.to_string()),
        ]
    }

    /// Refuses a row whose parts do not fit together.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        let wrong = |what: String| Diagnostic::new(format!("language `{}`: {what}", self.id)).in_file(&self.origin);
        if self.programs.is_empty() || self.programs.values().any(Vec::is_empty) {
            return Err(wrong("`programs` names no program".to_owned()));
        }
        if self.run.is_empty() {
            return Err(wrong("`run` is empty".to_owned()));
        }
        if self.compile.is_empty() && self.keep == Keep::Output {
            return Err(wrong("nothing is compiled, so there is no output to run: say `keep: sources`".to_owned()));
        }
        if self.time_factor == 0 {
            return Err(wrong("`time_factor` is 0: no program could ever run".to_owned()));
        }
        let plain = |name: &String| !name.is_empty() && !name.contains('/') && name != "..";
        let warm = self.warm.as_ref().map(|warm| &warm.folder);
        if !self.stage.iter().chain(&self.first).chain(warm).all(plain) {
            return Err(wrong("`stage`, `first` and the folder of `warm` are names without `/`".to_owned()));
        }
        if let Some(real) = self.real.as_ref().filter(|real| !self.programs.contains_key(&real.program)) {
            return Err(wrong(format!("`real` speaks of `{}`, which is not among `programs`", real.program)));
        }
        self.check_placeholders().map_err(wrong)
    }

    fn check_placeholders(&self) -> Result<(), String> {
        let programs = || self.programs.keys().map(String::as_str);
        let options = self.options.keys().map(String::as_str);
        let compiling = programs().chain(options).chain(WHEN_COMPILING).chain(ALWAYS).collect::<Vec<_>>();
        let running = programs().chain(WHEN_RUNNING).chain(ALWAYS).collect::<Vec<_>>();
        let probing = programs().collect::<Vec<_>>();
        let real = self.real.iter().flat_map(|real| &real.argv);
        let probes = self.probe.argv.iter().chain(real).chain(self.options.values().flat_map(|option| &option.probe));
        known(probes, "probe", &probing)?;
        let kit = self.kit.iter();
        known(kit.clone().flat_map(|kit| &kit.compile), "kit", &compiling)?;
        known(kit.clone().flat_map(|kit| &kit.give), "kit", &["dir"])?;
        let linking = compiling.into_iter().chain(kit.map(|_| "kit")).collect::<Vec<_>>();
        known(self.compile.iter().chain(self.compile_env.values()), "compile", &linking)?;
        known(self.again.iter(), "again", &linking)?;
        known(self.run.iter().chain(self.env.values()), "run", &running)
    }
}

/// Refuses a template with a placeholder that will have no value.
fn known<'a>(templates: impl Iterator<Item = &'a Template>, place: &str, names: &[&str]) -> Result<(), String> {
    for name in templates.flat_map(Template::names) {
        if !names.contains(&name) {
            return Err(format!("`{place}` has no placeholder {{{name}}}: there are {{{}}}", names.join("}, {")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_the_memory_limit_less_what_must_be_spared() {
        let stack = |most, spare, memory| Stack { most, spare: ByteSize::mib(spare) }.under(ByteSize::mib(memory));
        assert_eq!(stack(None, 0, 512), ByteSize::mib(512));
        assert_eq!(stack(Some(ByteSize::mib(1024)), 0, 4096), ByteSize::mib(1024));
        assert_eq!(stack(None, 16, 512), ByteSize::mib(496));
        assert_eq!(stack(None, 16, 16), ByteSize::mib(8), "never less than half");
    }

    #[test]
    fn the_way_to_get_a_language_is_a_command() {
        let install = |debian: &[&str], otherwise: Option<&str>| {
            let debian = debian.iter().map(|name| (*name).to_owned()).collect();
            Install { debian, otherwise: otherwise.map(str::to_owned) }.to_string()
        };
        assert_eq!(install(&["a", "b"], None), "apt-get install a b");
        assert_eq!(install(&["a"], Some("by hand")), "apt-get install a, or by hand");
        assert_eq!(install(&[], Some("by hand")), "by hand");
    }
}
