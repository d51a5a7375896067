//! Files in memory, which are passed to programs.

use std::fs::File;
use std::io::Result;
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// Creates an unnamed file in memory whose content is the given parts, one after another. The process that receives the
/// file can change its content, but cannot enlarge it and so use more memory.
///
/// # Errors
/// Fails if the file cannot be created or written.
pub fn memory_file<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Some systems refuse executable files in memory, and kernels before Linux 6.3 do not know the other flag.
    let file = match memfd_create("file", flags | MemfdFlags::NOEXEC_SEAL) {
        Err(rustix::io::Errno::INVAL) => memfd_create("file", flags),
        other => other,
    };
    let (file, mut size) = (File::from(file?), 0);
    for part in parts {
        file.write_all_at(part, size)?;
        size += part.len() as u64;
    }
    fcntl_add_seals(&file, SealFlags::GROW | SealFlags::SEAL)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_file_in_memory_cannot_be_enlarged() {
        let mut file = memory_file([&b"2\n"[..], b"3 4\n"]).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "2\n3 4\n");
        assert_eq!(file.write_all(b"5").unwrap_err().kind(), std::io::ErrorKind::PermissionDenied);
        assert!(file.set_len(7).is_err());
        assert_eq!(file.metadata().unwrap().len(), 6);
    }
}
