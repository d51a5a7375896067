//! Which names of files are taken from strangers. Pure.

/// The longest name of one file or folder, in bytes.
const LONGEST_PART: usize = 255;
/// The longest path, in bytes, and the most folders in one another.
const LONGEST_PATH: usize = 1_000;
const DEEPEST: usize = 32;

/// Splits the path of an entry of an archive into its parts; a folder's `/` at the end is taken away.
///
/// # Errors
/// Why the path is refused, as the end of a sentence that begins with its name.
pub fn parts(raw: &[u8]) -> Result<Vec<&str>, &'static str> {
    let text = std::str::from_utf8(raw).map_err(|_| "has a name that is not UTF-8")?;
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.len() > LONGEST_PATH {
        return Err("has a path that is too long");
    }
    if text.starts_with('/') {
        return Err("has an absolute path");
    }
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > DEEPEST {
        return Err("is nested too deeply");
    }
    parts.iter().try_for_each(|part| check(part))?;
    if parts[0].as_bytes().get(1) == Some(&b':') {
        return Err("has an absolute path");
    }
    Ok(parts)
}

/// Refuses the name of a file or folder that could be misread.
///
/// # Errors
/// As [`parts`].
pub fn check(part: &str) -> Result<(), &'static str> {
    match part {
        "" => Err("has an empty name in its path"),
        "." | ".." => Err("has a path that leads out of the archive"),
        _ if part.len() > LONGEST_PART => Err("has a name that is too long"),
        _ if part.contains('\\') => Err("has a backslash in its name"),
        _ if part.chars().any(misleading) => Err("has a control character in its name"),
        _ => Ok(()),
    }
}

/// Control characters, and those that change the direction of what a person reads.
fn misleading(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a judge takes a file of this name from an ICPC package: others are as if they were not there.
pub fn plain(part: &str) -> bool {
    let first = part.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    first && part.len() <= LONGEST_PART && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

/// A path as text that can be shown, whatever is in it.
pub fn shown(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let text: String = text.chars().take(120).map(|c| if misleading(c) { '\u{fffd}' } else { c }).collect();
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        for bad in
            ["", "/", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/.", "C:/x", "a\\b", "a\nb", "a\u{202e}b"]
        {
            assert!(parts(bad.as_bytes()).is_err(), "{bad:?}");
        }
        assert!(parts(b"a\xff").is_err());
        assert!(parts("a/".repeat(40).as_bytes()).is_err());
        assert!(parts("a".repeat(256).as_bytes()).is_err());
        assert_eq!(parts(b"a/b.c/"), Ok(vec!["a", "b.c"]));
        assert_eq!(parts("задача/1.in".as_bytes()), Ok(vec!["задача", "1.in"]));
    }

    #[test]
    fn plain_names_are_those_of_the_format() {
        assert!(plain("a-b_c.D9"));
        for bad in ["", ".git", "-x", "a b", "a+b", "ж"] {
            assert!(!plain(bad), "{bad:?}");
        }
    }

    proptest! {
        /// Whatever is taken stays below the folder it is joined to.
        #[test]
        fn what_is_taken_stays_inside(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(parts) = parts(&raw) {
                let joined = parts.iter().fold(std::path::PathBuf::from("/root"), |path, part| path.join(part));
                prop_assert!(joined.starts_with("/root"));
                prop_assert_eq!(joined.components().count(), parts.len() + 2);
            }
        }

        #[test]
        fn anything_can_be_shown(raw in proptest::collection::vec(any::<u8>(), 0..400)) {
            let text = shown(&raw);
            prop_assert!(!text.chars().any(char::is_control));
        }
    }
}
