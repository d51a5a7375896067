//! A program that is ready to run, with its command line, environment and mounts.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use crate::model::{ByteSize, Execution, Limits, TimeSpan, wildcard_matches};
use crate::sandbox::Mount;

use super::language::{EntryPoint, Language};
use super::program_rules::ProgramRules;
use super::template::{self, TemplateValues};

/// A program that is ready to run.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) language: Arc<Language>,
    pub(super) values: TemplateValues,
    pub(super) path: OsString,
    pub(super) mounts: Vec<Mount>,
    pub(super) rules: ProgramRules,
    pub(super) has_start_hook: bool,
    pub(super) has_recorder: bool,
}

impl Program {
    /// Returns the class to start, or `None` for a language other than Java.
    pub fn class(&self) -> Option<&str> {
        let java = self.language.entry == EntryPoint::Java;
        self.values.get("class").filter(|_| java)?.first()?.to_str()
    }

    /// Returns the id of the language.
    pub fn language(&self) -> &str {
        &self.language.id
    }

    /// Returns the command line under these limits. The first argument is an absolute path.
    pub fn argv(&self, limits: &Limits) -> Vec<OsString> {
        template::fill(&self.language.run, &self.values_under(limits))
    }

    /// Returns the complete environment under these limits. `private` is the path of the working directory as seen
    /// by the program, which is also its home and temporary folder.
    pub fn env(&self, limits: &Limits, private: &Path) -> Vec<(OsString, OsString)> {
        let values = self.values_under(limits);
        let own = self.language.env.iter().map(|(name, value)| (name.into(), value.fill_one(&values)));
        environment(&self.path, private).into_iter().chain(own).collect()
    }

    /// Returns whether the program contains the [start hook](crate::sandbox::StartHook).
    pub fn has_start_hook(&self) -> bool {
        self.has_start_hook
    }

    /// Returns whether the program is an interactor to which the recorder is linked; see
    /// [`RECORDER_VARIABLE`](super::RECORDER_VARIABLE).
    pub fn has_recorder(&self) -> bool {
        self.has_recorder
    }

    /// Returns the folder of the built files.
    pub fn folder(&self) -> Option<&Path> {
        self.values.get("dir")?.first().map(Path::new)
    }

    /// Returns the mounts that the program needs in addition to the system folders, sorted by path.
    pub fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    /// Removes the path of the build from the program's output, and replaces the path of the entry file with `name`.
    pub fn plain(&self, text: &str, name: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let paths = |key: &str| self.values.get(key).into_iter().flatten().filter_map(|path| path.to_str());
        let named = paths("source").fold(text.to_owned(), |text, path| text.replace(path, name));
        paths("dir").fold(named, |text, dir| text.replace(&format!("{dir}/"), ""))
    }

    /// Returns the maximum size of the address space of each process under these limits; `None` for no limit.
    pub fn address_space(&self, limits: &Limits) -> Option<ByteSize> {
        let size = match self.rules.address_space_excess {
            Some(excess) => limits.memory.plus(excess),
            None => ample_address_space(&self.limits(limits)),
        };
        self.language.bound_address_space.then_some(size)
    }

    /// Returns whether the memory limit also applies to the resident set of each process.
    pub fn limits_resident(&self) -> bool {
        self.rules.limit_resident
    }

    /// Returns whether a run failed because the program requested more memory than the limit allows: the program ended with
    /// a failure, and its run-time system or library printed the language's message for this error. Only the part of
    /// standard error that is kept is searched.
    pub fn is_out_of_memory(&self, execution: &Execution) -> bool {
        let says =
            |line: &str| self.language.memory_error.iter().any(|pattern| wildcard_matches(pattern, line.trim_end()));
        execution.breach.is_none() && !execution.exit.success() && execution.stderr.text.lines().any(says)
    }

    /// Returns the limits adapted to the language. The threads of the run-time system are added to the process limit,
    /// the CPU time limit is multiplied by the time factor, and the wall time limit is raised by the increase of the
    /// CPU time limit.
    #[must_use]
    pub fn limits(&self, limits: &Limits) -> Limits {
        let factor = self.language.time_factor;
        let wall = limits.wall.plus(TimeSpan::micros(limits.cpu.as_micros().saturating_mul(factor.saturating_sub(1))));
        Limits {
            cpu: limits.cpu.times(factor),
            wall,
            processes: limits.processes.saturating_add(self.language.threads),
            ..*limits
        }
    }

    fn values_under(&self, limits: &Limits) -> Cow<'_, TemplateValues> {
        match self.language.uses_sizes() {
            true => Cow::Owned(with_sizes(self.values.clone(), &self.language, limits)),
            false => Cow::Borrowed(&self.values),
        }
    }
}

/// Adds the sizes that depend on the limits to the values of placeholders.
pub(super) fn with_sizes(mut values: TemplateValues, language: &Language, limits: &Limits) -> TemplateValues {
    values.extend(language.sizes(limits).map(|(name, size)| (name.to_owned(), vec![size.into()])));
    values
}

/// Returns a size of the address space that leaves room for libraries and thread stacks, which reserve more memory than
/// they use. This limit stops programs whose memory grows so fast that polling would notice it too late. The memory limit
/// itself applies to memory in use.
pub(super) fn ample_address_space(limits: &Limits) -> ByteSize {
    const LIBRARIES: u64 = 256 << 20;
    const MOST: u64 = 64 << 30;
    let memory = limits.memory.get();
    let stacks = memory.saturating_mul(u64::from(limits.processes.saturating_sub(1)));
    ByteSize::new(memory.saturating_mul(2).saturating_add(LIBRARIES).saturating_add(stacks).min(MOST))
}

/// Returns the environment variables that all programs and compilers have, regardless of their language. No variable is
/// inherited from this process.
pub(super) fn environment(path: &OsStr, private: &Path) -> Vec<(OsString, OsString)> {
    // `C.UTF-8` is a UTF-8 locale without national conventions: `é` is printed, and `1.5` is not written with a comma.
    let pairs: [(&str, &OsStr); 5] = [
        ("PATH", path),
        ("HOME", private.as_os_str()),
        ("TMPDIR", private.as_os_str()),
        ("LANG", OsStr::new("C.UTF-8")),
        ("LC_ALL", OsStr::new("C.UTF-8")),
    ];
    pairs.map(|(name, value)| (name.into(), value.to_owned())).into()
}

#[cfg(test)]
mod tests {
    use crate::model::ByteSize;
    use crate::{LanguageQuery, LanguageTable, TableLayer};

    use super::*;

    const ROW: &str = "format: 1
languages:
  slow:
    { name: Slow, programs: { vm: [vm] }, probe: { argv: [\"{vm}\"] }, keep: sources, time_factor: 3, threads: 8,
      stack: { most: 64MiB }, run: [\"{vm}\", \"-s{stack_kib}\", \"-m{memory_mib}\", \"{source}\"],
      env: { STACK: \"{stack_bytes}\" } }
";

    fn limits() -> Limits {
        Limits {
            cpu: TimeSpan::seconds(2),
            wall: TimeSpan::seconds(5),
            memory: ByteSize::mib(256),
            output: ByteSize::mib(1),
            processes: 4,
        }
    }

    fn program() -> Program {
        let table = LanguageTable::from_layers(&[TableLayer { origin: "a".to_owned(), text: ROW.to_owned() }]).unwrap();
        let value = |text: &str| vec![OsString::from(text)];
        let values = [("vm".to_owned(), value("/usr/bin/vm")), ("source".to_owned(), value("/c/main.s"))].into();
        let language = table.choose(LanguageQuery::Named("slow")).unwrap().clone();
        let rules = ProgramRules::default();
        Program {
            language,
            values,
            path: "/usr/bin".into(),
            mounts: vec![],
            rules,
            has_start_hook: false,
            has_recorder: false,
        }
    }

    #[test]
    fn command_line_uses_the_limits() {
        assert_eq!(program().argv(&limits()), ["/usr/bin/vm", "-s65536", "-m256", "/c/main.s"]);
        let env = program().env(&limits(), Path::new("/box"));
        let of = |name: &str| env.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_str().unwrap());
        assert_eq!((of("STACK"), of("HOME"), of("PATH")), (Some("67108864"), Some("/box"), Some("/usr/bin")));
        assert_eq!(env.len(), 6, "no variable of this process: {env:?}");
    }

    #[test]
    fn limits_include_time_factor_and_threads() {
        let own = program().limits(&limits());
        assert_eq!((own.cpu, own.wall, own.processes), (TimeSpan::seconds(6), TimeSpan::seconds(9), 12));
        assert_eq!((own.memory, own.output), (limits().memory, limits().output));
    }
}
