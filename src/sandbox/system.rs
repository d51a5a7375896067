//! Which paths of the machine every program needs, whatever its language.

use std::path::{Path, PathBuf};

use super::sys;

/// Folders with the system's programs and libraries; Debian keeps Haskell's list of packages in the last.
const FOLDERS: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/nix/store", "/var/lib/ghc"];

/// What programs read in /etc, by how the names begin: the linker's cache, the choice among alternatives, settings of
/// run-time systems, time zones, the names of the languages. Nothing that tells of users, hosts or secrets.
const SETTINGS: [&str; 15] = [
    "alternatives",
    "fpc",
    "ghc",
    "java-",
    "ld.so.cache",
    "ld.so.conf",
    "locale.alias",
    "localtime",
    "lua",
    "mime.types",
    "mono",
    "node",
    "python",
    "ruby",
    "timezone",
];

/// The paths that a cell shows by itself, read-only, as far as this machine has them: a room's mounts come on top.
pub fn system_paths() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(PathBuf::from).filter(|path| path.symlink_metadata().is_ok());
    let mut paths: Vec<PathBuf> = folders.collect();
    let entries = fs_err::read_dir("/etc").map(|entries| entries.flatten().collect()).unwrap_or_else(|_| Vec::new());
    let wanted = |name: &str| SETTINGS.iter().any(|start| name.starts_with(start));
    let settings = entries.iter().filter(|entry| entry.file_name().to_str().is_some_and(wanted));
    paths.extend(settings.map(fs_err::DirEntry::path));
    paths.sort();
    paths
}

/// Whether every cell shows this path by itself, so that no mount is needed for it.
pub fn is_system_path(path: &Path) -> bool {
    system_paths().iter().any(|shown| path.starts_with(shown))
}

/// Why instructions cannot be counted here, if they cannot: then CPU time, which other programs can stretch, is all
/// that a run's work is measured by.
pub fn no_instruction_counter() -> Option<String> {
    let error = sys::open_counter(sys::Event::Instructions, sys::Counted::Programs).err()?;
    Some(match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENOSYS) => {
            "this processor, or the virtual machine around us, has no counter".to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => {
            "the system does not let us count; see /proc/sys/kernel/perf_event_paranoid".to_owned()
        }
        _ => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_instructions_are_counted_is_what_perf_says() {
        let perf =
            std::process::Command::new("perf").args(["stat", "-x", ",", "-e", "instructions:u", "true"]).output();
        let Ok(perf) = perf else { return };
        let said = String::from_utf8_lossy(&perf.stderr).into_owned();
        let counted =
            said.lines().any(|line| line.contains("instructions") && line.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(no_instruction_counter().is_none(), counted, "{said}");
    }

    #[test]
    fn the_system_is_shown_and_secrets_are_not() {
        assert!(is_system_path(Path::new("/usr/bin/true")));
        for secret in ["/etc/shadow", "/etc/passwd", "/etc/ssh", "/root", "/home", "/var", "/tmp", "/usrx"] {
            assert!(!is_system_path(Path::new(secret)), "{secret}");
        }
    }
}
