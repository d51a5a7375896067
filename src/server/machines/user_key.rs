//! Creates the keys with which `serve` and workers log in to nats-server.

use std::io::Write as _;
use std::path::Path;

use nimatron_cluster::UserKey;

use crate::model::{Failure, FaultKind};

/// Creates a key, writes its seed to a new file that only its owner can read, and returns the public key.
///
/// # Errors
/// Fails if the file exists or can't be written, or if the key can't be encoded.
pub fn create_user_key(file: &Path) -> Result<String, Failure> {
    let key = UserKey::random().map_err(|error| Failure::fault(FaultKind::Internal, error.to_string()))?;
    let mut options = fs_err::OpenOptions::new();
    options.write(true).create_new(true);
    fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut created = options.open(file).map_err(|error| Failure::user_file(&error))?;
    writeln!(created, "{}", key.seed).map_err(|error| Failure::unwritable(file, &error))?;
    Ok(key.public)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_private_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("w1.nkey");
        let public = create_user_key(&file).unwrap();
        assert!(public.starts_with('U') && public.len() == 56, "{public}");
        let seed = fs_err::read_to_string(&file).unwrap();
        assert!(seed.starts_with("SU"), "a seed of a user");
        assert_eq!(fs_err::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(create_user_key(&file).is_err());
        assert_eq!(fs_err::read_to_string(&file).unwrap(), seed);
    }
}
