//! File extensions of the languages that the ICPC package format defines.

use std::path::Path;

/// Extensions of the format's languages that are missing from the built-in language table.
const OTHERS: [&str; 43] = [
    "4th", "a68", "adb", "ads", "apl", "cl", "clj", "cob", "cr", "d", "dart", "def", "erl", "ex", "exs", "f", "f90",
    "for", "forth", "frt", "fs", "fth", "groovy", "jl", "lisp", "m", "mod", "nim", "odin", "php", "pro", "py2", "rkt",
    "scala", "sim", "sml", "sno", "ss", "st", "swift", "ts", "vb", "zig",
];

/// Returns whether the file has the extension of a language that the format defines but the built-in language table
/// does not.
pub fn is_of_icpc_language(path: &Path) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| OTHERS.contains(&end))
}
