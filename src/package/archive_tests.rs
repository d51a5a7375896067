//! Tests of unpacking with well-formed, damaged and malicious archives.

use super::*;
use proptest::prelude::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated)
}

/// Builds a zip archive with these files.
fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, options()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Unpacks these bytes in a new cache. Returns the names of the unpacked files, and the temporary directory of the
/// cache, which is deleted when dropped.
fn unpacked(bytes: &[u8]) -> (Result<Vec<String>, String>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.zip");
    fs_err::write(&file, bytes).unwrap();
    let names = unpack(&file, &dir.path().join("cache")).map_err(|failure| failure.to_string()).map(|place| {
        let entries = walkdir::WalkDir::new(&place).min_depth(1).sort_by_file_name();
        let below = |entry: walkdir::DirEntry| entry.path().strip_prefix(&place).unwrap().display().to_string();
        entries.into_iter().map(|entry| below(entry.unwrap())).collect()
    });
    (names, dir)
}

#[test]
fn a_good_archive_is_unpacked_once() {
    let bytes = zip_of(&[("p/problem.yaml", b"name: x\n"), ("p/data/1.in", b"1\n")]);
    let (names, dir) = unpacked(&bytes);
    assert_eq!(names.unwrap(), ["p", "p/data", "p/data/1.in", "p/problem.yaml"]);
    let again = unpack(&dir.path().join("a.zip"), &dir.path().join("cache")).unwrap();
    assert_eq!(fs_err::read(again.join("p/data/1.in")).unwrap(), b"1\n");
}

#[test]
fn paths_that_lead_out_are_refused_before_anything_is_written() {
    for bad in ["../x", "a/../../x", "/etc/x", "a\\b", "a\u{7}b"] {
        let (names, dir) = unpacked(&zip_of(&[("good", b"1"), (bad, b"2")]));
        let complaint = names.unwrap_err();
        assert!(complaint.contains("a.zip"), "{complaint}");
        let left = walkdir::WalkDir::new(dir.path().join("cache")).into_iter().flatten().count();
        assert_eq!(left, 0, "{bad}");
        assert!(!dir.path().join("x").exists());
    }
}

#[test]
fn names_that_collide_are_refused() {
    for (one, two) in [("a/B", "a/b"), ("A/x", "a/y"), ("a", "a/b"), ("a/b", "a")] {
        assert!(unpacked(&zip_of(&[(one, b"1"), (two, b"2")])).0.is_err(), "{one} {two}");
    }
}

#[test]
fn a_bomb_is_refused() {
    let zeros = vec![0; 80 << 20];
    let complaint = unpacked(&zip_of(&[("bomb", &zeros)])).0.unwrap_err();
    assert!(complaint.contains("`bomb` unpacks to more than 250 times its compressed size"), "{complaint}");
}

#[test]
fn wrong_declared_size_is_refused() {
    let mut bytes = zip_of(&[("a", &[b'x'; 5000])]);
    let at = bytes.windows(4).rposition(|w| w == 5000_u32.to_le_bytes()).unwrap();
    bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    assert!(unpacked(&bytes).0.is_err());
}

#[test]
fn links_stay_inside() {
    let with_link = |name: &str, target: &str| {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        zip.start_file("a/1.in", options()).unwrap();
        zip.add_symlink(name, target, options()).unwrap();
        unpacked(&zip.finish().unwrap().into_inner()).0
    };
    assert_eq!(with_link("b/2.in", "../a/1.in").unwrap(), ["a", "a/1.in", "b", "b/2.in"]);
    for target in ["../../x", "/etc/passwd", "../../../../etc"] {
        assert!(with_link("b/2.in", target).unwrap_err().contains("is a link that points outside of the package"));
    }
}

/// Builds a zip archive with this file and these links. `file_first` selects whether the file precedes the links.
fn zip_with_links(file: &str, links: &[(&str, &str)], file_first: bool) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    if file_first {
        zip.start_file(file, options()).unwrap();
    }
    for (name, target) in links {
        zip.add_symlink(*name, *target, options()).unwrap();
    }
    if !file_first {
        zip.start_file(file, options()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn link_with_parent_after_a_name_is_refused() {
    let up = ("a/b/c/d/e/l", "../../../../../z");
    let through = ("1.out", "a/b/c/d/e/l/../../../../secret.txt");
    let refused = "`1.out` is a link whose target has `..` after a name";
    // The name before `..` is an earlier link, a later link, a path that does not exist, or a folder.
    for links in [&[up, through][..], &[through, up], &[through], &[("1.out", "z/../1.in")]] {
        for first in [true, false] {
            let complaint = unpacked(&zip_with_links("z/1.in", links, first)).0.unwrap_err();
            assert!(complaint.contains(refused), "{complaint}");
        }
    }
}

#[test]
fn links_to_links_and_through_links_are_accepted() {
    let links = [("b", "a"), ("c/2.in", "../b/1.in"), ("c/3.in", "./2.in"), ("c/d/4.in", ".././../b//1.in")];
    let (names, dir) = unpacked(&zip_with_links("a/1.in", &links, false));
    assert_eq!(names.unwrap(), ["a", "a/1.in", "b", "c", "c/2.in", "c/3.in", "c/d", "c/d/4.in"]);
    let place = unpack(&dir.path().join("a.zip"), &dir.path().join("cache")).unwrap();
    let whole = fs_err::canonicalize(&place).unwrap();
    for (link, _) in &links[1..] {
        assert_eq!(fs_err::canonicalize(place.join(link)).unwrap(), whole.join("a/1.in"));
    }
}

#[test]
fn a_link_that_is_a_folder_too_is_refused() {
    for (file, link) in [("l/1.in", "l"), ("L/1.in", "l"), ("l", "l/1.in"), ("l", "L")] {
        for first in [true, false] {
            let complaint = unpacked(&zip_with_links(file, &[(link, "x")], first)).0.unwrap_err();
            assert!(complaint.contains("` twice") || complaint.contains("only in case"), "{complaint}");
        }
    }
}

/// Builds a zip archive of empty files with these names, and marks the entries as created on DOS, as old Windows
/// programs do.
fn zip_of_windows(files: &[&str]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for name in files {
        zip.start_file(*name, options().system(zip::System::Dos)).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Unpacks `a.zip` in this directory and returns the notes about the names in the archive.
fn told(dir: &tempfile::TempDir) -> Vec<String> {
    notes(&unpack(&dir.path().join("a.zip"), &dir.path().join("cache")).unwrap())
}

#[test]
fn windows_backslashes_are_slashes_with_a_note() {
    let (names, dir) = unpacked(&zip_of_windows(&["p\\problem.yaml", "p\\data\\1.in", "p\\empty\\"]));
    assert_eq!(names.unwrap(), ["p", "p/data", "p/data/1.in", "p/empty", "p/problem.yaml"]);
    assert_eq!(told(&dir), [BACKSLASHES.1]);
    for bad in [&["a", "..\\x"][..], &["\\x"], &["C:\\x"], &["a\\x", "A\\x"], &["a\\b", "a"], &["a\\b", "c/d"]] {
        assert!(unpacked(&zip_of_windows(bad)).0.is_err(), "{bad:?}");
    }
}

#[test]
fn names_that_are_not_utf8_are_code_page_437_with_a_note() {
    // The four bytes are two characters in GBK. The UTF-8 flag is bit 11 of the general purpose flags.
    let with_name = |bytes: [u8; 4], says_utf8: bool| {
        let mut zip = zip_of(&[("p/QQQQ.pdf", b"1"), ("p/1.in", b"2")]);
        while let Some(at) = zip.windows(4).position(|four| four == b"QQQQ") {
            zip[at..at + 4].copy_from_slice(&bytes);
        }
        for (head, flags) in [(b"PK\x01\x02", 9), (b"PK\x03\x04", 7)] {
            let at = zip.windows(4).position(|four| four == head).unwrap() + flags;
            zip[at] |= if says_utf8 { 8 } else { 0 };
        }
        unpacked(&zip)
    };
    let (names, dir) = with_name([0xcc, 0xe2, 0xc3, 0xe6], false);
    assert_eq!(names.unwrap(), ["p", "p/1.in", "p/╠Γ├µ.pdf"]);
    assert_eq!(told(&dir), [CODE_PAGE.1]);
    assert!(with_name([0xcc, 0xe2, 0xc3, 0xe6], true).0.unwrap_err().contains("declared as UTF-8 but is not"));
    assert!(with_name([0xcc, 0xe2, b'\\', 0xe6], false).0.unwrap_err().contains("backslash"));
    assert!(with_name([0xcc, 0xe2, 7, 0xe6], false).0.unwrap_err().contains("control character"));
    let (names, dir) = with_name(*b"plai", false);
    assert!(names.is_ok() && told(&dir).is_empty());
}

#[test]
fn devices_are_refused() {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    zip.start_file("dev", options().unix_permissions(0o644)).unwrap();
    let mut bytes = zip.finish().unwrap().into_inner();
    // The mode is in the upper half of the external attributes, at byte 38 of the central directory entry.
    let at = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 38;
    bytes[at..at + 4].copy_from_slice(&(0o020_644_u32 << 16).to_le_bytes());
    let complaint = unpacked(&bytes).0.unwrap_err();
    assert!(complaint.contains("`dev` is neither a regular file"), "{complaint}");
}

proptest! {
    /// A damaged archive is refused, or unpacked inside its folder. Unpacking never panics and never writes a file
    /// outside of the folder.
    #[test]
    fn damaged_archives_are_refused_or_stay_inside(changes in proptest::collection::vec((0_usize..600, any::<u8>()), 1..8), cut in 0_usize..600) {
        let mut bytes = zip_of(&[("p/problem.yaml", b"name: x\n"), ("p/data/1.in", &[b'7'; 300]), ("p/b", b"")]);
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        bytes.truncate(bytes.len() - if cut < 300 { 0 } else { cut % 100 });
        let (_, dir) = unpacked(&bytes);
        let outside: Vec<_> = fs_err::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        prop_assert!(outside.iter().all(|name| name == "a.zip" || name == "cache"), "{:?}", outside);
    }

    /// Every accepted link points to a path in the folder of the archive, or to a path that does not exist.
    #[test]
    fn no_links_lead_out(links in proptest::collection::btree_map(
        "[ab](/[abl]){0,2}", "(\\.\\./|\\./|[ab]/){0,5}([abl]|\\.\\.|secret)", 1..5
    )) {
        let links: Vec<(&str, &str)> = links.iter().map(|(name, target)| (name.as_str(), target.as_str())).collect();
        let (names, dir) = unpacked(&zip_with_links("c/1.in", &links, true));
        if names.is_ok() {
            for above in ["secret", "cache/secret", "cache/unpacked-archives/secret"] {
                fs_err::write(dir.path().join(above), "").unwrap();
            }
            let place = unpack(&dir.path().join("a.zip"), &dir.path().join("cache")).unwrap();
            let whole = fs_err::canonicalize(&place).unwrap();
            let mut ends = links.iter().filter_map(|(name, _)| fs_err::canonicalize(place.join(name)).ok());
            prop_assert!(ends.all(|end| end.starts_with(&whole)), "{links:?}");
        }
    }
}
