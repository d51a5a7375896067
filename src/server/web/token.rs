//! The token of the server, a secret that permits writes.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::model::{Diagnostic, Failure};
use crate::submissions::random_text;

/// Minimum length of a token in a file, in bytes.
const SHORTEST: usize = 16;
/// Maximum number of bytes read from a token file.
const LONGEST: u64 = 4_096;
/// Permission bits of the group and of other users.
const OF_OTHERS: u32 = 0o077;

/// Returns the token in `file`. If the file does not exist, creates it with a new token and makes it readable only by
/// its owner.
///
/// # Errors
/// Fails if the file cannot be read or written, if its permissions allow access by other users, or if its content is
/// too short or contains characters that a token cannot have.
pub(super) fn token_in(file: &Path) -> Result<String, Failure> {
    match fs_err::File::open(file) {
        Ok(opened) => {
            let error = |error: std::io::Error| Failure::user_file(&error);
            let permissions = opened.metadata().map_err(error)?.permissions();
            if permissions.mode() & OF_OTHERS != 0 {
                let message = format!("other users have access to the token in `{}`", file.display());
                let help = format!("run `chmod 600 {}`, or remove the file to create a new token", file.display());
                return Err(Diagnostic::new(message).help(help).into());
            }
            let mut text = String::new();
            opened.take(LONGEST).read_to_string(&mut text).map_err(error)?;
            let token = text.trim().to_owned();
            if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                let message = format!("`{}` does not contain a valid token", file.display());
                let help = format!(
                    "a token has at least {SHORTEST} printable ASCII characters and no spaces; remove the file to create a \
                     new token"
                );
                return Err(Diagnostic::new(message).help(help).into());
            }
            Ok(token)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let token = random_text()?;
            let mut options = fs_err::OpenOptions::new();
            options.write(true).create_new(true);
            fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut created = options.open(file).map_err(|error| Failure::user_file(&error))?;
            writeln!(created, "{token}").map_err(|error| Failure::user_file(&error))?;
            Ok(token)
        }
        Err(error) => Err(Failure::user_file(&error)),
    }
}

/// Returns whether two secrets are equal. The time of the comparison does not depend on where they differ.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differing, (x, y)| differing | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;

    use super::*;

    #[test]
    fn a_token_file_is_created_once_and_read_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        let token = token_in(&file).unwrap();
        assert_eq!(token.len(), 32);
        assert_eq!(token_in(&file).unwrap(), token);
        assert_eq!(fs_err::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs_err::write(&file, "short\n").unwrap();
        assert!(token_in(&file).unwrap_err().to_string().contains("not contain a valid token"));
    }

    #[test]
    fn a_token_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        let token = token_in(&file).unwrap();
        for mode in [0o644, 0o640, 0o604, 0o660] {
            fs_err::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let refusal = token_in(&file).unwrap_err().to_string();
            assert!(refusal.contains("other users have access to the token in"), "{mode:o}: {refusal}");
            assert!(!refusal.contains(&token));
        }
        fs_err::set_permissions(&file, Permissions::from_mode(0o400)).unwrap();
        assert_eq!(token_in(&file).unwrap(), token);
    }

    #[test]
    fn secrets_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
