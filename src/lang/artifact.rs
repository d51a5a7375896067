//! The stored result of a build: read-only files, and a list of them with their hashes.

use std::io::{Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::model::Digest;

/// Format version of the list. An entry with another version is built again.
const FORMAT: u32 = 1;
/// Name of the list in the cache entry.
const LIST: &str = "build.json";
/// Name of the folder with the files.
const FILES: &str = "files";
/// Maximum size of the files of a build together, in bytes.
const MOST_BYTES: u64 = 512 << 20;
/// Maximum number of files of a build.
const MOST_FILES: usize = 5_000;

/// The list of the files of a build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Artifact {
    format: u32,
    key: Digest,
    /// The class to start, for Java.
    pub(super) class: Option<String>,
    files: Vec<ArtifactFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ArtifactFile {
    name: PathBuf,
    bytes: u64,
    digest: Digest,
    executable: bool,
}

/// A file to be stored in an artifact.
pub(super) struct OutputFile {
    /// Path in the artifact.
    pub(super) name: PathBuf,
    /// Content of the file.
    pub(super) content: Vec<u8>,
    /// Whether the file is executable.
    pub(super) executable: bool,
}

/// Returns the folder of an artifact's files.
pub(super) fn files_of(entry: &Path) -> PathBuf {
    entry.join(FILES)
}

/// Collects the regular files below a compiler's output folder. A link to one of them is read as that file. Other links
/// and devices are ignored, because a malicious source may have created them.
pub(super) fn collect(folder: &Path) -> std::io::Result<Vec<OutputFile>> {
    let mut files = Vec::new();
    let mut room = MOST_BYTES;
    let whole = folder.canonicalize()?;
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        let path = match entry.file_type() {
            kind if kind.is_file() => entry.path().to_owned(),
            kind if kind.is_symlink() => match entry.path().canonicalize() {
                Ok(target) if target.starts_with(&whole) && target.is_file() => target,
                _ => continue,
            },
            _ => continue,
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = std::fs::File::from(rustix::fs::open(&path, flags, Mode::empty())?);
        let about = file.metadata()?;
        let mut content = Vec::new();
        file.take(room + 1).read_to_end(&mut content)?;
        let bytes = content.len() as u64;
        if !about.is_file() || bytes > room || files.len() >= MOST_FILES {
            return Err(std::io::Error::other(format!(
                "the compiler produced more than {MOST_BYTES} bytes or {MOST_FILES} files"
            )));
        }
        room -= bytes;
        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
        files.push(OutputFile { name, content, executable: about.permissions().mode() & 0o111 != 0 });
    }
    Ok(files)
}

impl Artifact {
    /// Writes the files and then the list, which marks the artifact as complete.
    pub(super) fn write(
        entry: &Path,
        key: Digest,
        class: Option<String>,
        files: &[OutputFile],
    ) -> std::io::Result<Artifact> {
        let mut kept = Vec::with_capacity(files.len());
        for file in files {
            let path = files_of(entry).join(&file.name);
            path.parent().map(fs_err::create_dir_all).transpose()?;
            let mode = if file.executable { 0o555 } else { 0o444 };
            let mut to = std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&path)?;
            to.write_all(&file.content)?;
            // The umask of this process may have removed permissions that the user of the sandbox needs.
            to.set_permissions(std::fs::Permissions::from_mode(mode))?;
            kept.push(ArtifactFile {
                name: file.name.clone(),
                bytes: file.content.len() as u64,
                digest: Digest::of(&file.content),
                executable: file.executable,
            });
        }
        open_folders(entry)?;
        let artifact = Artifact { format: FORMAT, key, class, files: kept };
        fs_err::write(entry.join(LIST), serde_json::to_vec(&artifact)?)?;
        Ok(artifact)
    }

    /// Reads the list and verifies every file; `None` if a file is missing or changed.
    pub(super) fn read(entry: &Path, key: Digest) -> Option<Artifact> {
        let artifact: Artifact = serde_json::from_slice(&fs_err::read(entry.join(LIST)).ok()?).ok()?;
        let ours = artifact.format == FORMAT && artifact.key == key;
        (ours && artifact.files.iter().all(|kept| kept.holds(&files_of(entry)))).then_some(artifact)
    }
}

impl ArtifactFile {
    fn holds(&self, folder: &Path) -> bool {
        let plain = self.name.components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder.join(&self.name);
        let Ok(about) = std::fs::symlink_metadata(&path) else { return false };
        plain
            && about.is_file()
            && about.len() == self.bytes
            && (about.permissions().mode() & 0o111 != 0) == self.executable
            && fs_err::read(&path).is_ok_and(|content| Digest::of(&content) == self.digest)
    }
}

/// Lets the user of the sandbox enter the folders.
fn open_folders(entry: &Path) -> std::io::Result<()> {
    for folder in WalkDir::new(entry).into_iter().filter_entry(|found| found.file_type().is_dir()) {
        fs_err::set_permissions(folder?.path(), std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(folder: &Path) -> (PathBuf, Digest) {
        let (entry, key) = (folder.join("entry"), Digest::of(b"key"));
        fs_err::create_dir(&entry).unwrap();
        let file = |name: &str, executable| OutputFile { name: name.into(), content: name.into(), executable };
        Artifact::write(&entry, key, Some("A".to_owned()), &[file("program", true), file("a/b.txt", false)]).unwrap();
        (entry, key)
    }

    #[test]
    fn artifact_is_read_only_if_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let (entry, key) = sample(folder.path());
        assert_eq!(Artifact::read(&entry, key).unwrap().class.as_deref(), Some("A"));
        assert!(Artifact::read(&entry, Digest::of(b"another")).is_none());
        let program = entry.join("files/program");
        assert_eq!(std::fs::metadata(&program).unwrap().permissions().mode() & 0o777, 0o555);
        fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        fs_err::write(&program, "pr0gram").unwrap();
        assert!(Artifact::read(&entry, key).is_none());
    }

    #[test]
    fn incomplete_artifact_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (entry, key) = sample(folder.path());
        fs_err::remove_file(entry.join("files/a/b.txt")).unwrap();
        assert!(Artifact::read(&entry, key).is_none());
        fs_err::remove_file(entry.join(LIST)).unwrap();
        assert!(Artifact::read(&entry, key).is_none());
        fs_err::write(entry.join(LIST), "{\"format\":1").unwrap();
        assert!(Artifact::read(&entry, key).is_none());
    }

    #[test]
    fn links_out_of_the_folder_are_not_collected() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("program"), "x").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("nowhere")).unwrap();
        std::os::unix::fs::symlink("../program", folder.path().join("out")).unwrap();
        std::os::unix::fs::symlink("program", folder.path().join("run")).unwrap();
        let files = collect(folder.path()).unwrap();
        let found = files.iter().map(|file| (file.name.to_str().unwrap(), file.content.as_slice())).collect::<Vec<_>>();
        assert_eq!(found, [("program", &b"x"[..]), ("run", b"x")]);
    }
}
