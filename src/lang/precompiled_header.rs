//! Compiles the header with which many programs of a language begin once, so that later programs are compiled faster.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::database::FileLock;
use crate::model::{ByteSize, Digest, KeyWriter, Limits};

use super::artifact;
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, compile_limits};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::language::PrecompiledHeader;
use super::shared_build::SharedBuild;
use super::source::Source;
use super::stable_key;

/// Maximum size of the compiled header. GCC 12 needs 118 MiB for all headers of the standard library.
const MOST: ByteSize = ByteSize::mib(448);
/// Free space on the disk of the cache, in bytes, below which no header is compiled.
const ROOM: u64 = 1 << 30;
/// Name of the file in `{dir}` that lists the files that the compiler read.
const DEPENDENCIES: &str = "dependencies";

/// Makes the compiled header available to this build if the program begins with the header. The header is compiled for
/// the second program that needs it, since that takes longer than the compilation of one program. Without the compiled
/// header the build is slower, but still correct.
pub(super) fn lay(
    build_dir: &mut BuildDir,
    source: &Source,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) {
    let Some(header) = &toolchain.language.precompiled_header else { return };
    if !begins_with(source, &header.name) {
        return;
    }
    let PrecompiledHeader { name, text, compile, give: _ } = header;
    let key = KeyWriter::new("precompiled header", stable_key::VERSION)
        .field("toolchain", &toolchain.digest)
        .field("name", name)
        .field("text", text)
        .field("compile", compile)
        .digest();
    if let Some(entry) = current(key, cache).or_else(|| make(header, key, toolchain, cache, context)) {
        build_dir.add_header(artifact::files_of(&entry));
    }
}

/// Returns the cache entry of the compiled header, unless a header that it contains has changed since.
fn current(key: Digest, cache: &BuildCache) -> Option<PathBuf> {
    let (entry, _) = cache.load(key)?;
    let list = artifact::files_of(&entry).join(DEPENDENCIES);
    is_up_to_date(&list).unwrap_or(false).then_some(entry)
}

/// Returns whether no file in the list of dependencies has changed since the list was written, or there is no list.
fn is_up_to_date(list: &Path) -> std::io::Result<bool> {
    if !list.try_exists()? {
        return Ok(true);
    }
    let made = fs_err::metadata(list)?;
    let text = fs_err::read_to_string(list)?;
    for path in text.split_whitespace().filter(|path| path.starts_with('/') && !path.ends_with(':')) {
        let about = fs_err::metadata(path)?;
        if (about.ctime(), about.ctime_nsec()) > (made.ctime(), made.ctime_nsec()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compiles the header if it was requested before and no other process compiles it. Returns the path of the cache entry.
fn make(
    header: &PrecompiledHeader,
    key: Digest,
    toolchain: &Toolchain,
    cache: &BuildCache,
    context: &BuildContext<'_>,
) -> Option<PathBuf> {
    if cache.free_space() < ROOM {
        return None;
    }
    let path = cache.record(key);
    let _lock = request(&path)?;
    // Another process may have compiled it before this process had the lock.
    if let Some(entry) = current(key, cache) {
        return Some(entry);
    }
    let aside = cache.work_dir().ok()?;
    // Nothing is there for the first compilation.
    _ = cache.discard(key, aside.path());
    let shared = SharedBuild {
        source: Source::of_row(toolchain.language.clone(), &format!("#include <{}>\n", header.name)),
        argv: &header.compile,
        limits: Limits { output: MOST, ..compile_limits() },
        prepared: Some((Path::new("include").join(&header.name), &header.text)),
        kept: Path::new("out"),
        key,
    };
    match shared.make(toolchain, cache, context).ok()? {
        Ok(entry) => {
            // A record that cannot be removed only means that the header is compiled at the first request if it changes.
            _ = std::fs::remove_file(path);
            Some(entry)
        }
        Err(_) => {
            // The compiler would fail again. If this cannot be written, the next program tries again.
            _ = fs_err::write(path, "the compiler failed");
            None
        }
    }
}

/// Records a request for the header. Returns a lock on the record if the header was requested before, no process is
/// compiling it, and the compiler did not fail. The lock ends with the process, so that another process can try again.
fn request(record: &Path) -> Option<FileLock> {
    record.parent().map(std::fs::create_dir_all)?.ok()?;
    if std::fs::File::create_new(record).is_ok() {
        return None;
    }
    let lock = FileLock::acquire(record).ok()??;
    (std::fs::metadata(record).ok()?.len() == 0).then_some(lock)
}

/// Returns whether the program is one file, compiled without further arguments, that includes the header before
/// anything except comments. A macro or a pragma before the header could change the meaning of the header, and the
/// compiler does not detect all such cases.
fn begins_with(source: &Source, header: &str) -> bool {
    source.files().len() == 1
        && source.compiler_args().is_empty()
        && without_comments(&source.entry().content).is_some_and(|text| includes(text, header.as_bytes()))
}

/// Returns the text after the comments and blank lines at its beginning, or `None` if a comment does not end or contains
/// a backslash, which may join two lines.
fn without_comments(whole: &[u8]) -> Option<&[u8]> {
    let mut text = whole;
    loop {
        text = text.trim_ascii_start();
        if let Some(comment) = text.strip_prefix(b"//") {
            text = &comment[memchr::memchr(b'\n', comment)?..];
        } else if let Some(comment) = text.strip_prefix(b"/*") {
            let end = memchr::memmem::find(comment, b"*/")?;
            text = &comment[end + 2..];
        } else {
            return (!whole[..whole.len() - text.len()].contains(&b'\\')).then_some(text);
        }
    }
}

/// Returns whether the text begins with an `#include` of the header.
fn includes(text: &[u8], header: &[u8]) -> bool {
    let rest = text.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    let name = rest.and_then(|rest| rest.strip_prefix(b"include")).map(<[u8]>::trim_ascii_start);
    let after = name.and_then(|name| name.strip_prefix(b"<")).and_then(|name| name.strip_prefix(header));
    after.is_some_and(|after| after.starts_with(b">"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_may_precede_the_header() {
        let begins =
            |text: &str| without_comments(text.as_bytes()).is_some_and(|text| includes(text, b"bits/stdc++.h"));
        for text in [
            "#include <bits/stdc++.h>\n",
            "#include<bits/stdc++.h>",
            "\r\n  #  include\t<bits/stdc++.h> // all\r\nint main() {}",
            "// a\n/* b\n * c */ /**/\n#include <bits/stdc++.h>",
        ] {
            assert!(begins(text), "{text}");
        }
        for text in [
            "",
            "// #include <bits/stdc++.h>",
            "// a \\\n#include <bits/stdc++.h>",
            "/* *\\\n/\n#define int long long\n/* */\n#include <bits/stdc++.h>",
            "/* #include <bits/stdc++.h>",
            "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>",
            "#define int long long\n#include <bits/stdc++.h>",
            "#include <bits/stdc++.hpp>",
            "#include <iostream>\n#include <bits/stdc++.h>",
            "#included <bits/stdc++.h>",
            "int main() {}",
        ] {
            assert!(!begins(text), "{text}");
        }
    }

    #[test]
    fn a_header_is_compiled_for_the_second_request_by_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("a/b.record");
        assert!(request(&record).is_none(), "the first request");
        let lock = request(&record).unwrap();
        assert!(request(&record).is_none(), "it is being compiled");
        drop(lock);
        drop(request(&record).unwrap());
        fs_err::write(&record, "failed").unwrap();
        assert!(request(&record).is_none(), "the compiler failed");
    }

    #[test]
    fn a_changed_dependency_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let (header, list) = (folder.path().join("a.h"), folder.path().join("list"));
        fs_err::write(&header, "1").unwrap();
        fs_err::write(&list, format!("out.gch: main.cpp \\\n {}\n", header.display())).unwrap();
        assert!(is_up_to_date(&list).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(20));
        // A package manager sets the time of a file to that of the package.
        fs_err::write(&header, "2").unwrap();
        std::fs::File::open(&header).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert!(!is_up_to_date(&list).unwrap());
        fs_err::remove_file(&header).unwrap();
        assert!(is_up_to_date(&list).is_err());
    }
}
