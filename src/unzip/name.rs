//! Checks of file names in untrusted archives. This module does no input or output.

/// Maximum length of a component of a path, in bytes.
const LONGEST_PART: usize = 255;
/// Maximum length of a path, in bytes.
const LONGEST_PATH: usize = 1_000;
/// Maximum number of components of a path.
const DEEPEST: usize = 32;

/// Splits the path of an entry into its components. A trailing `/`, which marks a folder, is ignored.
///
/// # Errors
/// Returns the reason why the path is refused, as the predicate of a sentence whose subject is the entry's name.
pub fn parts(raw: &[u8]) -> Result<Vec<&str>, &'static str> {
    let text = std::str::from_utf8(raw).map_err(|_| "has a name that is not UTF-8")?;
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.len() > LONGEST_PATH {
        return Err("has a path of more than 1000 bytes");
    }
    if text.starts_with('/') {
        return Err("has an absolute path");
    }
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > DEEPEST {
        return Err("has a path of more than 32 components");
    }
    parts.iter().try_for_each(|part| check(part))?;
    if parts[0].as_bytes().get(1) == Some(&b':') {
        return Err("has a path that Windows interprets as beginning with a drive letter");
    }
    Ok(parts)
}

/// Checks a component of a path. A component is refused if it is empty, `.` or `..`, if it is too long, or if it
/// contains `\`, a control character, or a character that changes the direction of text.
///
/// # Errors
/// Returns the reason why the component is refused, in the form that [`parts`] uses.
pub fn check(part: &str) -> Result<(), &'static str> {
    match part {
        "" => Err("has an empty component in its path"),
        "." => Err("has the component `.` in its path"),
        ".." => Err("has the component `..` in its path"),
        _ if part.len() > LONGEST_PART => Err("has a name of more than 255 bytes"),
        _ if part.contains('\\') => Err("has a backslash in its name"),
        _ if part.chars().any(char::is_control) => Err("has a control character in its name"),
        _ if part.chars().any(misleading) => Err("has a character in its name that changes the direction of text"),
        _ => Ok(()),
    }
}

/// Describes the first character of `name` that is a control character or changes the direction of text; `None` if there
/// is no such character.
pub fn misleading_character(name: &str) -> Option<String> {
    let wrong = name.chars().find(|c| misleading(*c))?;
    Some(format!("the character U+{:04X}, which controls how text is displayed", u32::from(wrong)))
}

/// Returns true if a character is a control character or changes the direction of text.
fn misleading(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns
}

/// Returns true if a file name has the form that the ICPC package format requires: it consists of at most 255 ASCII
/// letters, digits, `_`, `.` and `-`, and does not begin with `.` or `-`.
pub fn plain(part: &str) -> bool {
    let first = part.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    first && part.len() <= LONGEST_PART && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

/// Formats a path for messages: printable, in backticks, and truncated to 120 characters.
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
    fn paths_out_of_the_folder_are_refused() {
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
    fn plain_names_follow_the_package_format() {
        assert!(plain("a-b_c.D9"));
        for bad in ["", ".git", "-x", "a b", "a+b", "ж"] {
            assert!(!plain(bad), "{bad:?}");
        }
    }

    proptest! {
        /// An accepted path is below the folder to which it is joined.
        #[test]
        fn accepted_paths_stay_inside(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
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
