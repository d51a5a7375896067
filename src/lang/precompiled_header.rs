//! Compiles the header with which many programs of a language begin once, so that later programs are compiled faster.

use std::path::{Path, PathBuf};

use crate::model::{ByteSize, Digest, KeyWriter, Limits};

use super::artifact;
use super::build_cache::BuildCache;
use super::build_context::{BuildContext, compile_limits};
use super::build_dir::BuildDir;
use super::detect::Toolchain;
use super::shared_build::SharedBuild;
use super::source::Source;
use super::stable_key;

/// Maximum size of the compiled header. GCC 12 needs 118 MiB for all headers of the standard library.
const MOST: ByteSize = ByteSize::mib(448);
/// Free space on the disk of the cache, in bytes, below which no header is compiled.
const ROOM: u64 = 1 << 30;

/// Makes the compiled header available to this build if the program begins with the header. The header is compiled for
/// the second program that needs it, since that takes longer than the compilation of one program.
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
    let key = KeyWriter::new("precompiled header", stable_key::VERSION)
        .field("toolchain", &toolchain.digest)
        .field("name", &header.name)
        .field("compile", &header.compile)
        .digest();
    let entry = match cache.load(key) {
        Some((entry, _)) => Some(entry),
        None if cache.free_space() > ROOM && cache.is_requested_again(key) => make(key, toolchain, cache, context),
        None => None,
    };
    if let Some(entry) = entry {
        build_dir.add_header(artifact::files_of(&entry));
    }
}

/// Compiles the header. Returns the path of the cache entry, or `None` if that failed for any reason: without the
/// compiled header the build is slower, but still correct.
fn make(key: Digest, toolchain: &Toolchain, cache: &BuildCache, context: &BuildContext<'_>) -> Option<PathBuf> {
    let header = toolchain.language.precompiled_header.as_ref()?;
    let shared = SharedBuild {
        source: Source::of_row(toolchain.language.clone(), &format!("#include <{}>\n", header.name)),
        argv: &header.compile,
        limits: Limits { output: MOST, ..compile_limits() },
        prepared: Path::new(&header.name).parent().unwrap_or(Path::new("")),
        kept: Path::new("out"),
        key,
    };
    shared.make(toolchain, cache, context).ok()?.ok()
}

/// Returns whether the program is one file, compiled without further arguments, that includes the header before
/// anything except comments. A macro or a pragma before the header could change the meaning of the header, and the
/// compiler does not detect all such cases.
fn begins_with(source: &Source, header: &str) -> bool {
    source.files().len() == 1
        && source.compiler_args().is_empty()
        && without_comments(&source.entry().content).is_some_and(|text| includes(text, header.as_bytes()))
}

/// Returns the text after the comments and blank lines at its beginning, or `None` if a comment does not end or is
/// continued on the next line by a backslash.
fn without_comments(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = text.trim_ascii_start();
        if let Some(comment) = text.strip_prefix(b"//") {
            let end = memchr::memchr(b'\n', comment)?;
            let (line, rest) = comment.split_at(end);
            if line.trim_ascii_end().ends_with(b"\\") {
                return None;
            }
            text = rest;
        } else if let Some(comment) = text.strip_prefix(b"/*") {
            let end = memchr::memmem::find(comment, b"*/")?;
            text = &comment[end + 2..];
        } else {
            return Some(text);
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
}
