//! The kit for problem authors' programs: a small crate that is embedded as source.
//!
//! Only programs of a problem are linked to it, and only if they mention the crate's name.

use crate::model::Digest;

/// The name by which programs refer to the crate.
const NAME: &[u8] = b"nimatron_kit";

/// The names and contents of the crate's files, beginning with the root module.
const FILES: [(&str, &str); 11] = [
    ("lib.rs", include_str!("kit/lib.rs")),
    ("args.rs", include_str!("kit/args.rs")),
    ("complaint.rs", include_str!("kit/complaint.rs")),
    ("counts.rs", include_str!("kit/counts.rs")),
    ("graphs.rs", include_str!("kit/graphs.rs")),
    ("nim.rs", include_str!("kit/nim.rs")),
    ("play.rs", include_str!("kit/play.rs")),
    ("random.rs", include_str!("kit/random.rs")),
    ("reader.rs", include_str!("kit/reader.rs")),
    ("text.rs", include_str!("kit/text.rs")),
    ("verdict.rs", include_str!("kit/verdict.rs")),
];

/// Returns the names and contents of the crate's files, beginning with the root module.
pub(super) fn files() -> [(&'static str, &'static str); 11] {
    FILES
}

/// Returns the hash of the crate.
pub(super) fn digest() -> Digest {
    Digest::of_parts(FILES.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]))
}

/// Returns whether this text contains the crate's name.
pub(super) fn is_named_in(text: &[u8]) -> bool {
    memchr::memmem::find(text, NAME).is_some()
}
