//! An installation prefix in the cache. It contains a link in `bin`, by which a program is started, and the files
//! that the program expects in its prefix.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use crate::model::Digest;

use super::language::WrappedProgram;
use super::template::{Template, TemplateValues};

/// Creates the prefix in the cache, unless it exists, and returns the path of the link. `printed` contains the values
/// of the placeholders in the row's templates. Returns `None` if the row defines no prefix files or if the prefix
/// cannot be created. The program is then started by its own path.
pub(super) fn linked_program(cache: &Path, real: &WrappedProgram, printed: &TemplateValues) -> Option<PathBuf> {
    let text = |template: &Template| template.fill_one(printed).into_string().ok();
    let program = PathBuf::from(text(&real.path)?);
    let files = real.prefix.iter().map(|(name, content)| Some((text(&Template::new(name))?, text(content)?)));
    let files: Vec<(String, String)> = files.collect::<Option<_>>()?;
    let below = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if files.is_empty() || !files.iter().all(|(name, _)| below(name)) {
        return None;
    }
    // The path of the link is stored. Resolved, it stays valid for each user of a cache that is reached by several links.
    fs_err::create_dir_all(cache).ok()?;
    let cache = &fs_err::canonicalize(cache).ok()?;
    let parts = files.iter().flat_map(|(name, content)| [name.as_bytes(), content.as_bytes()]);
    let parts: Vec<&[u8]> = parts.chain([program.as_os_str().as_encoded_bytes()]).collect();
    let folder = cache.join(format!("linked-{}", Digest::of_parts(parts)));
    let link = folder.join("bin").join(program.file_name()?);
    if !link.exists() {
        write(cache, &folder, (&link, &program), &files).ok()?;
    }
    Some(link)
}

/// Writes the complete prefix to a temporary folder, and renames the folder. `link` consists of the final path of
/// the link and its target.
fn write(cache: &Path, folder: &Path, link: (&Path, &Path), files: &[(String, String)]) -> std::io::Result<()> {
    let fresh = tempfile::tempdir_in(cache)?;
    for (name, content) in files {
        let path = fresh.path().join(name);
        path.parent().map(fs_err::create_dir_all).transpose()?;
        fs_err::write(&path, content)?;
    }
    fs_err::create_dir_all(fresh.path().join("bin"))?;
    symlink(link.1, fresh.path().join("bin").join(link.0.file_name().unwrap_or_default()))?;
    // The umask of this process may have removed permissions that the user of the sandbox needs.
    for entry in walkdir::WalkDir::new(fresh.path()) {
        let entry = entry?;
        let mode = if entry.file_type().is_dir() { 0o755 } else { 0o644 };
        if !entry.file_type().is_symlink() {
            fs_err::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode))?;
        }
    }
    match fs_err::rename(fresh.path(), folder) {
        // If the link exists, another process has just created the prefix. Otherwise, the prefix exists without its
        // link.
        Err(_) if link.0.exists() => Ok(()),
        Err(_) => {
            fs_err::remove_dir_all(folder)?;
            fs_err::rename(fresh.path(), folder)
        }
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "{ program: py, argv: [\"{py}\"], path: \"{1}\", \
        prefix: { a.cfg: \"home = {2}\", \"lib/{3}/b.pth\": \"{4}\" } }";

    fn linked(cache: &Path, lines: &[&str]) -> Option<PathBuf> {
        let real: WrappedProgram = crate::yaml::parse("row", REAL).unwrap();
        let values = lines.iter().enumerate().map(|(index, line)| ((index + 1).to_string(), vec![line.into()]));
        linked_program(cache, &real, &values.collect())
    }

    #[test]
    fn program_is_linked_in_a_prefix_with_its_files() {
        let cache = tempfile::tempdir().unwrap();
        let link = linked(cache.path(), &["/bin/sh", "/bin", "x3"]).unwrap();
        assert_eq!(fs_err::read_link(&link).unwrap(), Path::new("/bin/sh"));
        let text = |name: &str| fs_err::read_to_string(link.parent().unwrap().parent().unwrap().join(name)).unwrap();
        assert_eq!((text("a.cfg"), text("lib/x3/b.pth")), ("home = /bin".to_owned(), String::new()));
        assert_eq!(linked(cache.path(), &["/bin/sh", "/bin", "x3"]), Some(link.clone()), "the prefix is used again");
        assert_ne!(linked(cache.path(), &["/bin/sh", "/usr/bin", "x3"]), Some(link.clone()));
        fs_err::remove_file(&link).unwrap();
        assert_eq!(linked(cache.path(), &["/bin/sh", "/bin", "x3"]), Some(link.clone()));
        assert!(link.exists());
        assert_eq!(text("a.cfg"), "home = /bin", "the prefix is created again");
        assert_eq!(fs_err::read_dir(cache.path()).unwrap().count(), 2, "no unfinished folder is left");
    }

    #[test]
    fn a_link_to_the_cache_is_resolved() {
        let dir = tempfile::tempdir().unwrap();
        let (cache, other) = (dir.path().join("cache"), dir.path().join("other"));
        let link = linked(&cache, &["/bin/sh", "/bin", "x3"]).unwrap();
        symlink(&cache, &other).unwrap();
        assert_eq!(linked(&other, &["/bin/sh", "/bin", "x3"]), Some(link));
    }

    #[test]
    fn file_outside_the_prefix_is_refused() {
        let cache = tempfile::tempdir().unwrap();
        assert_eq!(linked(cache.path(), &["/bin/sh", "/bin", "../.."]), None);
        assert_eq!(fs_err::read_dir(cache.path()).unwrap().count(), 0);
    }
}
