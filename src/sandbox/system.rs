//! Which paths of the machine every program needs, whatever its language.

use std::path::{Path, PathBuf};

/// Folders with the system's programs and libraries.
const FOLDERS: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/nix/store"];

/// What programs read in /etc: the linker's cache, the choice among alternatives, settings of run-time systems, time
/// zones, and the names of the languages. Nothing that tells of users or secrets.
const SETTINGS: [&str; 14] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/mono",
    "/etc/fpc.cfg",
    "/etc/fpc-3.2.2.cfg",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/mime.types",
    "/etc/ghc",
    "/etc/locale.alias",
];

/// The paths that a cell shows by itself, read-only, as far as this machine has them: a room's mounts come on top.
pub fn system_paths() -> Vec<PathBuf> {
    let java = ["/etc/java-8-openjdk", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk"];
    let all = FOLDERS.iter().chain(&SETTINGS).chain(&java);
    all.map(Path::new).filter(|path| path.symlink_metadata().is_ok()).map(Path::to_path_buf).collect()
}

/// Whether every cell shows this path by itself, so that no mount is needed for it.
pub fn is_system_path(path: &Path) -> bool {
    system_paths().iter().any(|shown| path.starts_with(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_shown_and_secrets_are_not() {
        assert!(is_system_path(Path::new("/usr/bin/true")));
        for secret in ["/etc/shadow", "/etc/passwd", "/etc/ssh", "/root", "/home", "/var", "/tmp", "/usrx"] {
            assert!(!is_system_path(Path::new(secret)), "{secret}");
        }
    }
}
