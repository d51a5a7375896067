//! Reads the entries of a zip file, one at a time. Links, oversized and encrypted entries, and entries with paths
//! outside of the zip file are skipped individually, so that an invalid zip file of one student does not affect the
//! others.

use std::io::{Cursor, Read, Seek};

use zip::ZipArchive;
use zip::read::ZipFile;

use crate::lang::LARGEST_SOURCE;
use crate::model::Failure;
use crate::unzip::{Charset, EntryKind, copy, kind, name, text};

use super::super::roster::{Left, composed};
use super::super::time;
use super::read::{Intake, IntakeContext, LITTER, is_litter, is_zip, too_large, too_many};

/// Maximum size of a zip file, in bytes.
pub(super) const LARGEST_ZIP: u64 = 1 << 30;
/// Maximum size of a nested zip file, in bytes.
const LARGEST_INNER: u64 = 32 << 20;
/// Maximum total size of the unpacked entries of a nested zip file and of the zip files in it, in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Maximum number of entries of a nested zip file and of the zip files in it.
const MOST_ENTRIES: usize = 2_000;
/// Maximum total size of the unpacked entries of a download, in bytes.
const MOST_OF_DOWNLOAD: u64 = 8 << 30;
/// Maximum nesting depth of zip files.
const DEEPEST: usize = 3;

/// The content of a zip file: a file on disk, or a nested zip file in memory.
pub(super) trait ZipContent: Read + Seek {}

impl<T: Read + Seek> ZipContent for T {}

/// Adds the files of a zip file to `intake`, below the path `under`, which is empty for the download itself. Errors in
/// an entry or in a nested zip file are recorded as skipped files.
///
/// # Errors
/// Fails if the download is not a valid zip file or has too many files, or if a file can't be stored.
pub(super) fn entries(
    content: &mut dyn ZipContent,
    under: &str,
    depth: usize,
    context: &mut IntakeContext<'_>,
    intake: &mut Intake,
) -> Result<(), Failure> {
    let mut limits = if depth == 0 { ZipLimits::OF_DOWNLOAD } else { ZipLimits::OF_NESTED };
    unpack(content, (under, depth), &mut limits, context, intake)
}

/// The remaining limits on the entries of a zip file. A zip file inside a nested zip file shares the limits of the
/// nested zip file, so that nesting does not multiply the limits.
struct ZipLimits {
    bytes: u64,
    entries: usize,
    /// The full limit on the unpacked size in bytes, for messages.
    most: u64,
}

impl ZipLimits {
    const OF_DOWNLOAD: ZipLimits = ZipLimits { bytes: MOST_OF_DOWNLOAD, entries: usize::MAX, most: MOST_OF_DOWNLOAD };
    const OF_NESTED: ZipLimits = ZipLimits { bytes: MOST_BYTES, entries: MOST_ENTRIES, most: MOST_BYTES };
}

fn unpack(
    content: &mut dyn ZipContent,
    (under, depth): (&str, usize),
    limits: &mut ZipLimits,
    context: &mut IntakeContext<'_>,
    intake: &mut Intake,
) -> Result<(), Failure> {
    let mut refuse = |reason: String| intake.left.push(Left::new(under, reason));
    if depth > DEEPEST {
        refuse(format!("nested too deeply; zip files may be nested at most {DEEPEST} levels deep"));
        return Ok(());
    }
    let mut archive = match ZipArchive::new(content) {
        Ok(archive) => archive,
        Err(error) => {
            if under.is_empty() {
                return Err(Failure::complaint(format!("the zip file cannot be read: {error}")));
            }
            refuse(format!("the zip file cannot be read: {error}"));
            return Ok(());
        }
    };
    let Some(left) = limits.entries.checked_sub(archive.len()) else {
        refuse(format!("the submitted zip file, including the zip files in it, has more than {MOST_ENTRIES} entries"));
        return Ok(());
    };
    limits.entries = left;
    let charset = charset_of(&mut archive);
    intake.charsets.extend(charset.map(Charset::name));
    let place = ZipPlace { under, depth, charset };
    for index in 0..archive.len() {
        too_many(intake)?;
        let name = archive.name_for_index(index).and_then(Result::ok).map_or("?".to_owned(), |name| name.to_string());
        match archive.by_index(index) {
            Ok(entry) => one(entry, &place, limits, context, intake)?,
            Err(error) => {
                intake.left.push(Left::new(join(under, &name), format!("cannot be read: {error}")));
            }
        }
    }
    Ok(())
}

/// An archive in the download, and the character set with which the names of its entries are decoded.
struct ZipPlace<'a> {
    /// Path of the archive in the download; empty for the download itself.
    under: &'a str,
    depth: usize,
    /// Character set of the names that are not UTF-8.
    charset: Option<Charset>,
}

/// Returns the character set of the names in an archive that are not UTF-8, or `None` if all names are UTF-8. Names are
/// rarely in code page 437, although the zip format specifies it.
fn charset_of<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Option<Charset> {
    let indices = 0..archive.len();
    Charset::of(indices.filter_map(|index| archive.by_index_raw(index).ok().map(|entry| entry.name_raw().to_vec())))
}

fn one<R: Read>(
    mut entry: ZipFile<'_, R>,
    place: &ZipPlace<'_>,
    limits: &mut ZipLimits,
    context: &mut IntakeContext<'_>,
    intake: &mut Intake,
) -> Result<(), Failure> {
    let ZipPlace { under, depth, charset } = *place;
    let raw = match charset {
        Some(charset) => charset.decode(entry.name_raw()),
        None => text(&entry),
    };
    if entry.is_dir() {
        return Ok(());
    }
    let name = match inside(&raw) {
        Ok(name) => name,
        Err(why) => {
            intake.left.push(Left::new(join(under, &raw), format!("it {why}")));
            return Ok(());
        }
    };
    let path = join(under, &name);
    if name.split('/').any(is_litter) {
        intake.left.push(Left::new(path, LITTER));
        return Ok(());
    }
    match kind(&entry) {
        Ok(EntryKind::File { .. }) => {}
        Ok(EntryKind::Folder | EntryKind::Link) => {
            intake.left.push(Left::new(path, "symbolic link"));
            return Ok(());
        }
        Err(why) => {
            intake.left.push(Left::new(path, format!("it {why}")));
            return Ok(());
        }
    }
    let modified = entry.last_modified().and_then(|at| {
        let part = |value: u8| i8::try_from(value).unwrap_or(0);
        let rest = [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(part);
        time::civil(i16::try_from(at.year()).ok()?, rest)
    });
    let most = if is_zip(&name) { LARGEST_INNER } else { LARGEST_SOURCE };
    let mut bytes = Vec::new();
    let content = match copy(&mut entry, most.min(limits.bytes), &mut bytes) {
        Err(error) => Err(format!("cannot be read: {error}")),
        Ok(Some(_)) => Ok(()),
        Ok(None) if most > limits.bytes => {
            let most = crate::model::ByteSize::new(limits.most).human();
            Err(format!("the unpacked content of the enclosing zip file exceeds the maximum of {most}"))
        }
        Ok(None) => Err(too_large(most)),
    };
    limits.bytes = limits.bytes.saturating_sub(bytes.len() as u64);
    match content {
        Ok(()) if is_zip(&name) && depth == 0 => {
            // A nested zip file belongs to one student. It has its own limits, so that it can't use up those of the
            // other students.
            let bytes_of_nested = limits.bytes.min(MOST_BYTES);
            let most = if limits.bytes < MOST_BYTES { limits.most } else { MOST_BYTES };
            let mut nested = ZipLimits { bytes: bytes_of_nested, most, ..ZipLimits::OF_NESTED };
            unpack(&mut Cursor::new(&bytes), (&path, 1), &mut nested, context, intake)?;
            limits.bytes -= bytes_of_nested - nested.bytes;
        }
        Ok(()) if is_zip(&name) => unpack(&mut Cursor::new(&bytes), (&path, depth + 1), limits, context, intake)?,
        Err(why) if is_zip(&name) => intake.left.push(Left::new(path, why)),
        content => intake.add(path, modified, content.map(|()| bytes), context)?,
    }
    Ok(())
}

/// Converts the name of an entry to composed Unicode, with `/` as the separator. Many programs write `\` as the
/// separator, or `./` at the start of names.
///
/// # Errors
/// Returns the reason why the name is refused, as the predicate of a sentence whose subject is the entry's name.
fn inside(raw: &str) -> Result<String, &'static str> {
    let slashed = raw.replace('\\', "/");
    let root = if slashed.starts_with('/') { "/" } else { "" };
    let parts: Vec<&str> = slashed.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let plain = format!("{root}{}", parts.join("/"));
    name::parts(plain.as_bytes()).map(|parts| composed(&parts.join("/")))
}

fn join(under: &str, name: &str) -> String {
    if under.is_empty() { name.to_owned() } else { format!("{under}/{name}") }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;
    use crate::model::Digest;

    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn listed(bytes: &[u8]) -> Intake {
        listed_at(1, bytes)
    }

    fn listed_at(depth: usize, bytes: &[u8]) -> Intake {
        let mut intake = Intake::default();
        let mut keep = |bytes: &[u8]| Ok(Digest::of(bytes));
        let mut context = IntakeContext {
            keep: &mut keep,
            knows: &|name| name.extension().is_some_and(|end| end == "py"),
            guess: &|_| None,
            except: None,
            git: None,
        };
        let under = if depth == 0 { "" } else { "x.zip" };
        entries(&mut Cursor::new(bytes), under, depth, &mut context, &mut intake).unwrap();
        intake
    }

    #[test]
    fn zips_inside_are_folders() {
        let inner = zipped(&[("b.py", b"print(1)")]);
        let intake = listed(&zipped(&[("a/inner.zip", &inner), ("Zoe\u{308}.py", b"2"), ("__MACOSX/._b.py", b"")]));
        let paths: Vec<&str> = intake.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["x.zip/a/inner.zip/b.py", "x.zip/Zo\u{eb}.py"]);
        assert_eq!(intake.left.len(), 1);
    }

    #[test]
    fn hostile_entries_are_listed_and_not_read() {
        let bomb = vec![0; 2 << 20];
        let intake =
            listed(&zipped(&[("../../etc/passwd", b"x"), ("/abs.py", b"x"), ("big.py", &bomb), ("c:\\w.py", b"")]));
        assert_eq!(intake.left.len(), 3, "{intake:?}");
        assert_eq!(intake.files.len(), 1);
        assert!(intake.files[0].content.as_ref().unwrap_err().contains("larger than"));
    }

    #[test]
    fn bomb_of_many_files_is_limited() {
        let content = vec![b' '; 1 << 20];
        let names: Vec<String> = (0..80).map(|number| format!("{number}.py")).collect();
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), content.as_slice())).collect();
        let intake = listed(&zipped(&entries));
        let kept = intake.files.iter().filter(|file| file.content.is_ok()).count();
        assert_eq!(kept as u64, MOST_BYTES >> 20);
    }

    #[test]
    fn nesting_does_not_multiply_the_limits() {
        let content = vec![b' '; 1 << 20];
        let names: Vec<String> = (0..20).map(|number| format!("{number}.py")).collect();
        let inner = zipped(&names.iter().map(|name| (name.as_str(), content.as_slice())).collect::<Vec<_>>());
        let zips: Vec<String> = (0..10).map(|number| format!("{number}.zip")).collect();
        let outer = zipped(&zips.iter().map(|name| (name.as_str(), inner.as_slice())).collect::<Vec<_>>());
        let kept = |intake: &Intake| intake.files.iter().filter(|file| file.content.is_ok()).count() as u64;
        let intake = listed(&outer);
        assert!(kept(&intake) < MOST_BYTES >> 20, "{}", kept(&intake));
        assert!(intake.files.len() + intake.left.len() > kept(&intake) as usize);

        let names: Vec<String> = (0..300).map(|number| format!("{number}.py")).collect();
        let inner = zipped(&names.iter().map(|name| (name.as_str(), &b"1"[..])).collect::<Vec<_>>());
        let intake = listed(&zipped(&zips.iter().map(|name| (name.as_str(), inner.as_slice())).collect::<Vec<_>>()));
        assert_eq!(kept(&intake), 6 * 300, "{MOST_ENTRIES} entries, of which 10 are zips");
        assert!(intake.left.iter().any(|left| left.reason.contains("more than 2000 entries")), "{:?}", intake.left);
    }

    #[test]
    fn the_zip_of_a_student_does_not_use_up_the_room_of_others() {
        let content = vec![b' '; 1 << 20];
        let names: Vec<String> = (0..80).map(|number| format!("{number}.py")).collect();
        let bomb = zipped(&names.iter().map(|name| (name.as_str(), content.as_slice())).collect::<Vec<_>>());
        let intake =
            listed_at(0, &zipped(&[("ann/a.zip", &bomb), ("bob/b.zip", &zipped(&[("x.py", b"1")])), ("c.py", b"1")]));
        for path in ["bob/b.zip/x.py", "c.py"] {
            assert!(intake.files.iter().any(|file| file.path == path && file.content.is_ok()), "{path}");
        }
    }

    #[test]
    fn damage_is_listed() {
        let mut bytes = zipped(&[("a.py", b"print(1) # something to damage")]);
        assert_eq!(listed(b"not a zip").left.len(), 1);
        assert_eq!(listed(&bytes[..bytes.len() / 2]).left.len(), 1);
        bytes[35] ^= 0xff;
        let intake = listed(&bytes);
        assert!(intake.left.len() == 1 || intake.files[0].content.is_err(), "{intake:?}");
    }

    proptest::proptest! {
        /// Reading a damaged zip file neither panics nor yields paths outside of the zip file.
        #[test]
        fn damage_does_not_panic(changes in proptest::collection::vec((0_usize..900, 0_u8..), 1..8), cut in 0_usize..900) {
            let inner = zipped(&[("c.py", b"print(3)"), ("d/e.c", &[b' '; 90])]);
            let mut bytes = zipped(&[("a.py", b"print(1)"), ("b/in.zip", &inner), ("b/\u{e9}.rs", b"fn main() {}")]);
            for (at, byte) in changes {
                let len = bytes.len();
                bytes[at % len] = byte;
            }
            bytes.truncate(bytes.len() - if cut < 450 { 0 } else { cut % 100 });
            let intake = listed(&bytes);
            proptest::prop_assert!(intake.files.iter().all(|file| file.path.starts_with("x.zip/")), "{:?}", intake);
        }
    }

    #[test]
    fn zips_nested_too_deep_are_refused() {
        let mut bytes = zipped(&[("a.py", b"1")]);
        for _ in 0..5 {
            bytes = zipped(&[("in.zip", &bytes)]);
        }
        assert!(listed(&bytes).left[0].reason.contains("deep"));
    }
}
