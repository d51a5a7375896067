//! Archives that a stranger could make.

use super::*;
use proptest::prelude::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated)
}

/// A zip with these files.
fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, options()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Unpacks these bytes in a cache of their own; the names that came of it, and the cache to keep it.
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
    assert!(complaint.contains("`bomb` unpacks to more than 250 times its size"), "{complaint}");
}

#[test]
fn a_size_that_is_a_lie_is_refused() {
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
        assert!(with_link("b/2.in", target).unwrap_err().contains("links out of the package"));
    }
}

#[test]
fn devices_are_refused() {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    zip.start_file("dev", options().unix_permissions(0o644)).unwrap();
    let mut bytes = zip.finish().unwrap().into_inner();
    // The mode is in the upper half of the external attributes, 38 bytes into the central entry.
    let at = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 38;
    bytes[at..at + 4].copy_from_slice(&(0o020_644_u32 << 16).to_le_bytes());
    let complaint = unpacked(&bytes).0.unwrap_err();
    assert!(complaint.contains("`dev` is a device"), "{complaint}");
}

proptest! {
    /// Damaged archives are refused or unpacked inside; never a panic, never a file elsewhere.
    #[test]
    fn damage_does_no_harm(changes in proptest::collection::vec((0_usize..600, any::<u8>()), 1..8), cut in 0_usize..600) {
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
}
