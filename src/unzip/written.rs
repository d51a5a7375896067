//! Decodes the stored names of zip entries, and determines the paths that they denote.

use std::io::Read;

use zip::System;
use zip::read::ZipFile;

use super::name;

/// The general purpose flag of an entry that declares its name as UTF-8.
const UTF8: u16 = 1 << 11;

/// The name of an entry as stored in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenName {
    /// The decoded name.
    pub text: String,
    /// Whether the name is not UTF-8 and was decoded as code page 437.
    pub in_code_page: bool,
    /// Whether the entry was created on a system whose path separator is `\`.
    of_windows: bool,
}

impl WrittenName {
    /// Decodes the name of an entry.
    ///
    /// # Errors
    /// Fails if the name is declared as UTF-8 but is not valid UTF-8. The error is the predicate of a sentence whose
    /// subject is the entry's name.
    pub fn of<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> Result<WrittenName, &'static str> {
        let in_code_page = std::str::from_utf8(entry.name_raw()).is_err();
        if in_code_page && entry.flags().as_u16() & UTF8 != 0 {
            return Err("has a name that is declared as UTF-8 but is not valid UTF-8");
        }
        let of_windows = matches!(entry.system(), System::Dos | System::WindowsNTFS | System::VFAT);
        Ok(WrittenName { text: text(entry), in_code_page, of_windows })
    }

    /// Returns the path that the name denotes, with `/` between components. `backslashed` states whether `\` also
    /// separates components; see [`backslashed`].
    ///
    /// # Errors
    /// Returns the reason why the path is refused, as the predicate of a sentence whose subject is the entry's name.
    pub fn path(&self, backslashed: bool) -> Result<String, &'static str> {
        let text = if backslashed { self.text.replace('\\', "/") } else { self.text.clone() };
        name::parts(text.as_bytes()).map(|parts| parts.join("/"))
    }
}

/// Returns true if `\` is the path separator in the names of an archive: all entries were created on DOS or Windows, no
/// name has the `/` that the format requires, and at least one name has a `\`. In other archives `\` may be part of a
/// name.
pub fn backslashed(names: &[&WrittenName]) -> bool {
    let of_old_zippers = |name: &&WrittenName| name.of_windows && !name.text.contains('/');
    names.iter().all(of_old_zippers) && names.iter().any(|name| name.text.contains('\\'))
}

/// Decodes the name of an entry: as UTF-8 if it is valid UTF-8, which many programs write without declaring it,
/// otherwise as code page 437, the default of the format.
pub fn text<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> String {
    let lossy = |_| String::from_utf8_lossy(entry.name_raw()).into_owned();
    entry.name().map_or_else(lossy, |name| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_separators_if_windows_wrote_all_names() {
        let written = |text: &str, of_windows| WrittenName { text: text.to_owned(), in_code_page: false, of_windows };
        for (names, wanted) in [
            (vec![written("a\\b", true), written("c", true)], true),
            (vec![written("a\\b", true), written("c/d", true)], false),
            (vec![written("a\\b", true), written("c", false)], false),
            (vec![written("a", true)], false),
            (vec![], false),
        ] {
            assert_eq!(backslashed(&names.iter().collect::<Vec<_>>()), wanted, "{names:?}");
        }
    }

    #[test]
    fn paths_with_backslashes_are_checked() {
        let path = |text: &str, backslashed| {
            WrittenName { text: text.to_owned(), in_code_page: false, of_windows: true }.path(backslashed)
        };
        assert_eq!(path("a\\b.in", true).as_deref(), Ok("a/b.in"));
        assert_eq!(path("a\\", true).as_deref(), Ok("a"));
        for bad in ["..\\x", "a\\..\\..\\x", "\\x", "C:\\x", "a\\\\b", "a\\\u{7}"] {
            assert!(path(bad, true).is_err(), "{bad}");
        }
        assert!(path("a\\b.in", false).is_err());
    }
}
