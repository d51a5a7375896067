//! The stored result of a build: read-only files, and a list of the files with their hashes.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::model::{ByteSize, Digest};

/// Format version of the list. An entry with another version is rebuilt.
const FORMAT: u32 = 1;
/// Name of the file in a cache entry that contains the list of the built files.
const LIST: &str = "build.json";
/// Name of the file that contains the [`stamps_digest`] of the files at their last successful verification.
const CHECKED: &str = "checked";
/// Coarsest resolution of file timestamps, in seconds. A file that was modified less than this time ago may be modified
/// again without a change of its timestamps.
const RESOLUTION_SECONDS: i64 = 2;
/// Name of the folder in a cache entry that contains the built files.
const FILES: &str = "files";
/// Maximum total size of the files of a build, in bytes.
const MOST_BYTES: u64 = 512 << 20;
/// Maximum number of files of a build.
const MOST_FILES: usize = 5_000;

/// The stored list of the files of a build, with the key of the build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Artifact {
    format: u32,
    key: Digest,
    /// The class to start; `None` for a program that is not written in Java.
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
    /// Path of the file in the artifact.
    pub(super) name: PathBuf,
    /// Content of the file.
    pub(super) content: Vec<u8>,
    /// Whether the file is executable.
    pub(super) executable: bool,
}

/// Returns the folder that contains the built files of the cache entry `entry`.
pub(super) fn files_of(entry: &Path) -> PathBuf {
    entry.join(FILES)
}

/// Reads the regular files in a compiler's output folder and its subfolders. A link to a regular file within the folder
/// is read as that file. Other links, and special files such as devices, are ignored, because a malicious source may
/// have created them.
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
        let too_much = |most: String| {
            let message = format!("the compiler produced more than {most}");
            Err(std::io::Error::new(ErrorKind::FileTooLarge, message))
        };
        if !about.is_file() {
            return Err(std::io::Error::other(format!("`{}` is not a regular file", path.display())));
        }
        if bytes > room {
            return too_much(format!("{} of files", ByteSize::new(MOST_BYTES).human()));
        }
        if files.len() >= MOST_FILES {
            return too_much(format!("{MOST_FILES} files"));
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

    /// Reads the list and verifies every file. Returns `None` if the list is unreadable or has another format or key,
    /// or if a file is missing or changed. The contents are hashed at the first call after a boot, at each call until
    /// all timestamps are old enough, and after a change of a file's device, inode number, size or timestamps.
    pub(super) fn read(entry: &Path, key: Digest) -> Option<Artifact> {
        let artifact: Artifact = serde_json::from_slice(&fs_err::read(entry.join(LIST)).ok()?).ok()?;
        if artifact.format != FORMAT || artifact.key != key {
            return None;
        }
        let folder = files_of(entry);
        // The stamps are taken before the contents are read, so the next `read` detects a change between the two steps.
        let stamps = artifact.files.iter().map(|file| file.stamp(&folder)).collect::<Option<Vec<FileStamp>>>()?;
        let (checked, current) = (entry.join(CHECKED), stamps_digest(&stamps));
        if current.is_some() && fs_err::read_to_string(&checked).ok() == current {
            return Some(artifact);
        }
        let settled = stamps.iter().all(FileStamp::is_settled);
        let unchanged = artifact.files.iter().all(|file| file.has_digest(&folder));
        if let (true, true, Some(current)) = (unchanged, settled, current) {
            // If this file is incomplete or cannot be written, the next `read` hashes the contents again.
            _ = fs_err::write(&checked, current);
        }
        unchanged.then_some(artifact)
    }
}

/// The metadata of a file from which changes of its content are detected.
struct FileStamp {
    device: u64,
    number: u64,
    bytes: u64,
    /// The times `mtime` and `ctime`, each as seconds and nanoseconds.
    times: [i64; 4],
}

impl FileStamp {
    /// Returns whether every later change of the file will change its timestamps. File systems record times with a
    /// resolution of [`RESOLUTION_SECONDS`] or finer.
    fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        let [changed, _, altered, _] = self.times;
        changed.max(altered).saturating_add(RESOLUTION_SECONDS) < i64::try_from(now).unwrap_or(0)
    }
}

/// Returns the hash of the stamps and of the boot id, or `None` if the boot id is unknown. The boot id is included
/// because a file may lack content after a crash, if that content was never written to the disk.
fn stamps_digest(stamps: &[FileStamp]) -> Option<String> {
    let mut bytes = fs_err::read("/proc/sys/kernel/random/boot_id").ok()?;
    for FileStamp { device, number, bytes: size, times } in stamps {
        bytes.extend(device.to_le_bytes());
        let times = times.iter().flat_map(|time| time.to_le_bytes());
        bytes.extend(number.to_le_bytes().into_iter().chain(size.to_le_bytes()).chain(times));
    }
    Some(Digest::of(&bytes).to_string())
}

impl ArtifactFile {
    /// Returns the stamp of this file, or `None` if its path is absolute or contains `..`, or if the file is missing,
    /// is not a regular file, or differs from its entry in the list of files in size or executable bit.
    fn stamp(&self, folder: &Path) -> Option<FileStamp> {
        let plain = self.name.components().all(|part| matches!(part, Component::Normal(_)));
        let about = std::fs::symlink_metadata(folder.join(&self.name)).ok()?;
        let holds = plain
            && about.is_file()
            && about.len() == self.bytes
            && (about.permissions().mode() & 0o111 != 0) == self.executable;
        let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()];
        holds.then_some(FileStamp { device: about.dev(), number: about.ino(), bytes: about.len(), times })
    }

    fn has_digest(&self, folder: &Path) -> bool {
        fs_err::read(folder.join(&self.name)).is_ok_and(|content| Digest::of(&content) == self.digest)
    }
}

/// Allows the user of the sandbox to enter the folders of an entry.
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
    fn verified_files_are_not_read_again_until_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let (entry, key) = sample(folder.path());
        let read = || Artifact::read(&entry, key);
        assert!(read().is_some());
        assert!(
            !entry.join(CHECKED).exists(),
            "a file that was just written may change without a change of its timestamps"
        );
        let stamps = || {
            let list: Artifact = serde_json::from_slice(&fs_err::read(entry.join(LIST)).unwrap()).unwrap();
            let stamps: Vec<_> = list.files.iter().map(|file| file.stamp(&files_of(&entry)).unwrap()).collect();
            stamps_digest(&stamps).unwrap()
        };
        fs_err::write(entry.join(CHECKED), stamps()).unwrap();
        assert!(read().is_some());
        let program = entry.join("files/program");
        fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        fs_err::write(&program, "pr0gram").unwrap();
        std::fs::File::open(&program).unwrap().set_modified(UNIX_EPOCH).unwrap();
        assert!(read().is_none(), "changed times cause another check");
        fs_err::write(entry.join(CHECKED), stamps()).unwrap();
        assert!(read().is_some(), "the content is not read again");
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
