//! The kit for setters' programs: a small crate that this binary carries as text, compiled once for each compiler.
//!
//! Only a problem's own programs are linked to it, and only those that name it.

use crate::model::Digest;

/// The name of the crate, by which programs use it.
const NAME: &[u8] = b"nimatron_kit";

/// The files of the crate, the root first.
const FILES: [(&str, &str); 11] = [
    ("lib.rs", include_str!("../kit/lib.rs")),
    ("args.rs", include_str!("../kit/args.rs")),
    ("complaint.rs", include_str!("../kit/complaint.rs")),
    ("counts.rs", include_str!("../kit/counts.rs")),
    ("graphs.rs", include_str!("../kit/graphs.rs")),
    ("nim.rs", include_str!("../kit/nim.rs")),
    ("play.rs", include_str!("../kit/play.rs")),
    ("random.rs", include_str!("../kit/random.rs")),
    ("reader.rs", include_str!("../kit/reader.rs")),
    ("text.rs", include_str!("../kit/text.rs")),
    ("verdict.rs", include_str!("../kit/verdict.rs")),
];

/// The crate's files, names and texts, the root first.
pub(super) fn files() -> [(&'static str, &'static str); 11] {
    FILES
}

/// The hash of the crate.
pub(super) fn digest() -> Digest {
    Digest::of_parts(FILES.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]))
}

/// Whether this text names the crate.
pub(super) fn is_named_in(text: &[u8]) -> bool {
    memchr::memmem::find(text, NAME).is_some()
}
