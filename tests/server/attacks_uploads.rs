//! Attacks with uploads: zips that lead outside, expand without end or lie about themselves, and forms without end.

use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::path::Path;

use serde_json::Value;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::classes::{upload, zipped};
use super::client::Server;
use crate::project::{Project, SUM};

/// The program that must be found whatever else a zip contains.
const HONEST: (&str, &str) = ("honest/sum.py", "print(1)\n");
/// What all uploads of a test together may occupy on the disk, in bytes: four nested zips at their limit, and some.
const MOST_STORED: u64 = 330 << 20;
/// What a zip of a student may contain, in files.
const MOST_FILES: usize = 2_000;
/// What the server may occupy in memory, in bytes.
const MOST_MEMORY: u64 = 500 << 20;

/// A zip that must do no harm.
struct HostileZip {
    /// What is tried, as in the table of attacks.
    attack: &'static str,
    zip: fn() -> Vec<u8>,
    /// Whether the honest program is found; otherwise the whole zip is refused.
    readable: bool,
}

const fn hostile(attack: &'static str, zip: fn() -> Vec<u8>) -> HostileZip {
    HostileZip { attack, zip, readable: true }
}

const ZIPS: &[HostileZip] = &[
    hostile("zip with paths that lead outside", || with(&["../../../evil.py", "evil/../../sum.py", "./../evil.py"])),
    hostile("zip with absolute paths", || {
        with(&["/etc/evil.py", "/tmp/evil/sum.py", "C:/evil.py", "\\\\server\\evil.py"])
    }),
    hostile("zip with backslashes that lead outside", || {
        with(&["..\\..\\evil.py", "evil\\..\\..\\sum.py", "C:\\evil.py"])
    }),
    hostile("zip with control characters and turned names", || {
        with(&["evil\0/sum.py", "ev\u{1b}[2Jil/sum.py", "evil\u{202e}yp.mus/sum.py"])
    }),
    hostile("zip with names that are too long or deep", long_names),
    hostile("zip with a symbolic link", with_link),
    hostile("zip with a pipe and a device", with_devices),
    hostile("zip with two files of one name", with_twins),
    hostile("zip with an encrypted file", with_encrypted),
    hostile("zip whose file expands a thousand times", || nested(&[("evil/sum.py", vec![b' '; 64 << 20])])),
    hostile("zip with a zip of many large files", || nested(&[("evil/a.zip", large_files(100))])),
    hostile("zip whose zips multiply the limits", || {
        let inner = small_files(1_900);
        let zips: Vec<(String, Vec<u8>)> = (0..12).map(|number| (format!("{number}.zip"), inner.clone())).collect();
        nested(&[("evil/a.zip", plain(&zips))])
    }),
    hostile("zip with a zip of many files", || nested(&[("evil/a.zip", small_files(30_000))])),
    hostile("zip in zips without end", || {
        let deep = (0..40).fold(small_files(1), |inner, _| plain(&[("in.zip".to_owned(), inner)]));
        nested(&[("evil/a.zip", deep)])
    }),
    hostile("zip whose files overlap", || nested(&[("evil/a.zip", overlapping(1_900))])),
    hostile("zip that declares a huge size", || nested(&[("evil/a.zip", with_size(u32::MAX - 1))])),
    hostile("zip that declares a size of nothing", || nested(&[("evil/a.zip", with_size(0))])),
    hostile("zip that is cut off", || nested(&[("evil/a.zip", large_files(2)[..900].to_vec())])),
    hostile("zip with more files announced than there are", || nested(&[("evil/a.zip", announcing(60_000))])),
    HostileZip { attack: "upload that is no zip", zip: || b"PK\x03\x04 nothing".to_vec(), readable: false },
];

/// The names of the attacks of this file's table.
pub(super) fn zip_attacks() -> impl Iterator<Item = &'static str> {
    ZIPS.iter().map(|hostile| hostile.attack)
}

fn plain<N: AsRef<str>, C: AsRef<[u8]>>(files: &[(N, C)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name.as_ref(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_ref()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A zip with the honest program and files of these names.
fn with(names: &[&str]) -> Vec<u8> {
    let files = names.iter().map(|name| (*name, "print('evil')\n")).chain([HONEST]);
    zipped(&files.collect::<Vec<_>>())
}

/// A zip with the honest program and these files.
fn nested(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let honest = (HONEST.0, HONEST.1.as_bytes().to_vec());
    plain(&files.iter().cloned().chain([honest]).collect::<Vec<_>>())
}

/// Programs of 1 MiB, which differ and take little space in the zip.
fn large_files(count: usize) -> Vec<u8> {
    let content = |number: usize| format!("{number}{}", " ".repeat((1 << 20) - 9)).into_bytes();
    plain(&(0..count).map(|number| (format!("{number}.py"), content(number))).collect::<Vec<_>>())
}

fn small_files(count: usize) -> Vec<u8> {
    plain(&(0..count).map(|number| (format!("{number}.py"), b"1")).collect::<Vec<_>>())
}

fn long_names() -> Vec<u8> {
    with(&[&format!("evil/{}.py", "x".repeat(60_000)), &format!("{}sum.py", "evil/".repeat(200)), &"e".repeat(300)])
}

fn with_link() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("evil/sum.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    writer.add_symlink("evil", "/etc", SimpleFileOptions::default()).unwrap();
    writer.start_file(HONEST.0, SimpleFileOptions::default()).unwrap();
    writer.write_all(HONEST.1.as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}

/// The places of the entries of the central directory.
fn central(zip: &[u8]) -> Vec<usize> {
    (0..zip.len().saturating_sub(4)).filter(|at| zip[*at..].starts_with(b"PK\x01\x02")).collect()
}

/// The place of the end of the central directory.
fn end(zip: &[u8]) -> usize {
    (0..zip.len() - 3).rev().find(|at| zip[*at..].starts_with(b"PK\x05\x06")).unwrap()
}

fn put(zip: &mut [u8], at: usize, bytes: &[u8]) {
    zip[at..at + bytes.len()].copy_from_slice(bytes);
}

fn with_devices() -> Vec<u8> {
    let mut zip = with(&["evil/sum.py", "evil2/sum.py"]);
    for (place, mode) in central(&zip).into_iter().zip([0o010_644_u32, 0o020_644]) {
        // Made on Unix, with this mode.
        put(&mut zip, place + 5, &[3]);
        put(&mut zip, place + 38, &(mode << 16).to_le_bytes());
    }
    zip
}

fn with_twins() -> Vec<u8> {
    let mut zip = with(&["evil/sum.py", "twin/sum.py"]);
    while let Some(at) = zip.windows(5).position(|window| window == b"twin/") {
        put(&mut zip, at, b"evil/");
    }
    zip
}

fn with_encrypted() -> Vec<u8> {
    let mut zip = with(&["evil/sum.py"]);
    let place = central(&zip)[0];
    zip[place + 8] |= 1;
    zip[6] |= 1;
    zip
}

/// A zip whose one file declares this size.
fn with_size(size: u32) -> Vec<u8> {
    let mut zip = large_files(1);
    let place = central(&zip)[0];
    put(&mut zip, place + 24, &size.to_le_bytes());
    put(&mut zip, 22, &size.to_le_bytes());
    zip
}

fn announcing(count: u16) -> Vec<u8> {
    let mut zip = small_files(3);
    let place = end(&zip);
    put(&mut zip, place + 8, &count.to_le_bytes());
    put(&mut zip, place + 10, &count.to_le_bytes());
    zip
}

/// A zip with entries that all have the content of one file.
fn overlapping(count: usize) -> Vec<u8> {
    let one = plain(&[("0000.py", vec![b' '; 1 << 20])]);
    let (start, end) = (central(&one)[0], end(&one));
    let mut zip = one[..start].to_vec();
    for number in 0..count {
        let mut entry = one[start..end].to_vec();
        put(&mut entry, 46, format!("{number:04}.py").as_bytes());
        zip.extend(entry);
    }
    let mut last = one[end..].to_vec();
    let size = u32::try_from(zip.len() - start).unwrap();
    let number = u16::try_from(count).unwrap().to_le_bytes();
    put(&mut last, 8, &number);
    put(&mut last, 10, &number);
    put(&mut last, 12, &size.to_le_bytes());
    zip.extend(last);
    zip
}

fn project() -> Project {
    Project::new().file("problems/sum/problem.yaml", SUM).file("solutions/sum/accepted/reference.py", HONEST.1)
}

fn serve(project: &Project) -> Server {
    Server::start(project, &["problems", "--data", "data"])
}

/// The files below a folder, but for those of classes and of the store of submissions.
fn files_outside(root: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let paths = entries.map(|entry| entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned());
    paths.filter(|path| !path.starts_with("data/classes/") && !path.starts_with("data/submissions")).collect()
}

fn size_of(root: &Path) -> u64 {
    walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_zip_of_a_stranger_stays_in_its_limits() {
    let project = project();
    let server = serve(&project);
    let root = project.path("");
    let before = files_outside(&root);
    let mut wrong = Vec::new();
    for HostileZip { attack, zip, readable } in ZIPS {
        let zip = zip();
        let fields: [(&str, Option<&str>, &[u8]); 3] =
            [("problems", None, b"sum"), ("start", None, b"false"), ("submissions", Some("class.zip"), &zip)];
        let answer = upload(&server, &fields);
        if !readable {
            assert_eq!(answer.status, 422, "{attack}: {}", answer.body);
            continue;
        }
        assert_eq!(answer.status, 202, "{attack}: {}", answer.body);
        let class = format!("/api/v1/classes/{}", answer.json()["id"].as_str().unwrap());
        let roster = server.get(&format!("{class}/roster")).json();
        let claims = roster["claims"].as_array().unwrap();
        if !claims.iter().any(|claim| claim["student"] == "honest") {
            wrong.push(format!("{attack}: the honest program is missing: {roster:.400}"));
        }
        let files = claims.iter().flat_map(|claim| claim["files"].as_array().unwrap()).filter_map(Value::as_str);
        let bad = |path: &str| {
            path.starts_with('/') || path.contains("..") || path.contains('\\') || path.chars().any(char::is_control)
        };
        wrong.extend(files.filter(|path| bad(path)).map(|path| format!("{attack}: {path}")));
        // Each file is named once or twice.
        let taken = roster.to_string().matches("evil/a.zip/").count();
        if taken > 2 * MOST_FILES {
            wrong.push(format!("{attack}: {taken} files"));
        }
        if roster.to_string().contains("root:") {
            wrong.push(format!("{attack}: it reads a file of the machine"));
        }
        for claim in claims.iter().filter(|claim| claim["student"] == "evil" && attack.contains("link")) {
            wrong.push(format!("{attack}: {claim}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(files_outside(&root), before, "nothing is written elsewhere");
    let stored = size_of(&project.path("data"));
    assert!(stored < MOST_STORED, "{} MiB are stored", stored >> 20);
    assert!(server.peak_memory() < MOST_MEMORY, "{} MiB of memory", server.peak_memory() >> 20);
    assert_eq!(server.get("/healthz").body, "ok\n");
}

#[test]
fn names_of_uploaded_files_lead_nowhere() {
    let project = project();
    let server = serve(&project);
    let root = project.path("");
    let before = files_outside(&root);
    for name in [
        "../evil.py",
        "a/../../evil.py",
        "/tmp/evil.py",
        "..\\evil.py",
        "C:\\evil.py",
        "a/./../..//evil.py",
        "....//....//evil.py/..",
        "evil.py/",
        "a\u{202e}.py",
    ] {
        let fields: [(&str, Option<&str>, &[u8]); 2] =
            [("problems", None, b"sum"), ("submissions", Some(name), b"print(1)")];
        let answer = upload(&server, &fields);
        let may = name == "evil.py/";
        assert!(answer.status == 422 || (may && answer.status == 202), "{name}: {} {}", answer.status, answer.body);
    }
    assert_eq!(files_outside(&root), before, "nothing is written elsewhere");
}

#[test]
fn a_form_has_limits() {
    let project = project();
    let server = serve(&project);
    let zip = zipped(&[HONEST]);
    let refused = |fields: &[(&str, Option<&str>, &[u8])]| upload(&server, fields).status;
    let large = vec![b' '; (1 << 20) + 1];
    for name in ["problems", "name", "policy", "extensions", "start"] {
        assert_eq!(refused(&[(name, None, &large), ("submissions", Some("c.zip"), &zip)]), 413, "{name}");
    }
    let half = vec![b' '; 600 << 10];
    assert_eq!(
        refused(&[("problems", None, &half), ("problems", None, &half), ("submissions", Some("c.zip"), &zip)]),
        413,
        "in parts"
    );
    assert_eq!(
        refused(&[("problems", None, b"sum"), ("name", None, b"\xff\xfe"), ("submissions", Some("c.zip"), &zip)]),
        422
    );
    // A part without an end, and a form without a boundary.
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    for (kind, body) in [
        (
            "multipart/form-data; boundary=edge",
            "--edge\r\nContent-Disposition: form-data; name=\"problems\"\r\n\r\nsum",
        ),
        ("multipart/form-data", "--edge\r\n"),
        ("multipart/form-data; boundary=", "--\r\n"),
        (
            "multipart/form-data; boundary=edge",
            "--edge\r\nContent-Disposition: form-data; name=\"problems\"\r\nX: \u{1}\r\n\r\nsum\r\n--edge--",
        ),
    ] {
        let answer = server.request("POST", "/api/v1/classes", &format!("{token}Content-Type: {kind}\r\n"), body);
        assert!([400, 422].contains(&answer.status), "{kind} {body}: {} {}", answer.status, answer.body);
    }
    assert_eq!(server.get("/api/v1/classes").body, "[]");
    assert_eq!(std::fs::read_dir(project.path("data/classes")).map_or(0, Iterator::count), 0, "nothing is left behind");
}
