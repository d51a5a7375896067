//! Searches for programs on the PATH, and records the properties of a file that change when it is replaced.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use crate::sandbox::{Mount, is_system_path};

/// Programs that are installed under the name of a compiler to cache or distribute compilations. They are skipped,
/// because they need a persistent home folder.
const WRAPPERS: [&str; 4] = ["ccache", "distcc", "sccache", "icecc"];

/// The part of the environment that is used to search for languages.
#[derive(Debug, Clone, Default)]
pub struct HostEnvironment {
    /// The folders in `PATH`, in order, as absolute paths.
    pub path: Vec<PathBuf>,
    /// The home folder of the user; `None` if it is not set.
    pub home: Option<PathBuf>,
    /// The folder of the user's configuration files, such as `~/.config`; `None` if it is unknown.
    pub config: Option<PathBuf>,
    /// Environment variables that a row may pass to a version manager such as rustup.
    pub variables: Vec<(OsString, OsString)>,
}

impl HostEnvironment {
    /// Returns the environment of this process.
    pub fn current() -> HostEnvironment {
        let path = std::env::var_os("PATH").unwrap_or_default();
        HostEnvironment {
            // A relative path denotes a different folder for each working directory.
            path: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect(),
            home: etcetera::home_dir().ok(),
            config: etcetera::choose_base_strategy().ok().map(|strategy| strategy.config_dir()),
            variables: std::env::vars_os().collect(),
        }
    }

    /// Returns the value of a variable, or `None` if it is not set.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str())
    }

    /// Replaces a leading `~/` with the home folder, and returns other paths unchanged. Returns `None` if the path
    /// begins with `~/` and the home folder is unknown.
    pub(super) fn at_home(&self, text: &str) -> Option<PathBuf> {
        match text.strip_prefix("~/") {
            Some(rest) => self.home.as_ref().map(|home| home.join(rest)),
            None => Some(PathBuf::from(text)),
        }
    }

    /// Returns the path of the first program with this name on the PATH, or `None` if there is none.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        self.candidates(&[name.to_owned()]).into_iter().next().map(|stamp| stamp.found)
    }

    /// Returns the programs with these names on the PATH, in the order of the names and then of the PATH. A file that
    /// is found several times is returned once, and the programs of [`WRAPPERS`] are skipped.
    pub(super) fn candidates(&self, names: &[String]) -> Vec<Stamp> {
        let mut found: Vec<Stamp> = Vec::new();
        for name in names {
            let folders = self.path.iter().map(PathBuf::as_path);
            for stamp in folders.filter_map(|folder| Stamp::of(&folder.join(name))) {
                // `/bin` is a link to `/usr/bin` on most machines, so a program may be found twice.
                if !found.iter().any(|known| known.real == stamp.real) && !stamp.is_wrapper() {
                    found.push(stamp);
                }
            }
        }
        found
    }

    /// Returns the read-only mount of the folder in which a program is installed, or of the program alone if that
    /// folder is the root or the home folder. Returns `None` for a program in the system folders, which needs no mount.
    pub(super) fn mounts_of(&self, program: &Path) -> Option<Mount> {
        if is_system_path(program) {
            return None;
        }
        let folder = program.parent()?;
        let wide = |folder: &Path| folder.parent().is_none() || self.home.as_deref() == Some(folder);
        let tree = match folder.parent() {
            Some(above) if folder.ends_with("bin") && !wide(above) => above,
            _ if wide(folder) => program,
            _ => folder,
        };
        Some(Mount::read(tree))
    }
}

/// The paths of a file, usually a program, and the properties that change when the file is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// The path at which the program was found.
    pub(super) found: PathBuf,
    /// The path of the program without symbolic links.
    pub(super) real: PathBuf,
    pub(super) size: u64,
    pub(super) modified_ns: i64,
}

impl Stamp {
    /// Returns the stamp of a program, or `None` if the path is not an executable file.
    pub(super) fn of(path: &Path) -> Option<Stamp> {
        let about = std::fs::metadata(path).ok()?;
        let program = about.is_file() && about.permissions().mode() & 0o111 != 0;
        program.then(|| Stamp::new(path, &about)).flatten()
    }

    /// Returns the stamp of a file, executable or not, or `None` if the file cannot be accessed.
    pub(super) fn of_file(path: &Path) -> Option<Stamp> {
        Stamp::new(path, &std::fs::metadata(path).ok()?)
    }

    fn new(path: &Path, about: &std::fs::Metadata) -> Option<Stamp> {
        let modified_ns = about.mtime().saturating_mul(1_000_000_000).saturating_add(about.mtime_nsec());
        Some(Stamp { found: path.to_owned(), real: path.canonicalize().ok()?, size: about.len(), modified_ns })
    }

    /// Returns whether the file still has the recorded properties.
    pub(super) fn holds(&self) -> bool {
        Stamp::of_file(&self.found).as_ref() == Some(self)
    }

    /// Returns the path to execute. This is the real path if its file name contains the name under which the program
    /// was found. Otherwise it is the path at which the program was found, since the behavior of a program may depend
    /// on its name.
    pub(super) fn program(&self) -> &Path {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name(&self.real).contains(&name(&self.found)) { &self.real } else { &self.found }
    }

    fn is_wrapper(&self) -> bool {
        let name = self.real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        WRAPPERS.contains(&name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &Path) {
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, "#!/bin/sh\n").unwrap();
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn candidates_come_by_name_then_by_folder_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a/gcc", "b/gcc", "b/clang", "c/ccache"] {
            program(&at(name));
        }
        fs_err::write(at("a/clang"), "not executable").unwrap();
        std::os::unix::fs::symlink(at("b"), at("d")).unwrap();
        std::os::unix::fs::symlink(at("c/ccache"), at("c/gcc")).unwrap();
        let host = HostEnvironment {
            path: ["c", "a", "missing", "b", "d"].iter().map(|name| at(name)).collect(),
            ..HostEnvironment::default()
        };
        let names = ["clang".to_owned(), "gcc".to_owned()];
        let found = host.candidates(&names).into_iter().map(|stamp| stamp.found).collect::<Vec<_>>();
        assert_eq!(found, [at("b/clang"), at("a/gcc"), at("b/gcc")]);
    }

    #[test]
    fn replaced_program_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        program(&path);
        let stamp = Stamp::of(&path).unwrap();
        assert!(stamp.holds());
        fs_err::write(&path, "#!/bin/sh\nexit 1\n").unwrap();
        assert!(!stamp.holds());
    }

    #[test]
    fn program_outside_the_system_mounts_its_tree_but_never_the_home() {
        let host = HostEnvironment { home: Some(PathBuf::from("/home/a")), ..HostEnvironment::default() };
        let mount = |path: &str| host.mounts_of(Path::new(path)).map(|mount| mount.path);
        assert_eq!(mount("/usr/bin/gcc"), None);
        assert_eq!(mount("/opt/go/bin/go"), Some(PathBuf::from("/opt/go")));
        assert_eq!(mount("/home/a/bin/lua"), Some(PathBuf::from("/home/a/bin")));
        assert_eq!(mount("/home/a/lua"), Some(PathBuf::from("/home/a/lua")));
        assert_eq!(mount("/home/a/tools/lua"), Some(PathBuf::from("/home/a/tools")));
    }
}
