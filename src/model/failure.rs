//! The two kinds of errors: invalid user input, and errors of the judge.

use std::io;
use std::path::Path;

use super::{Diagnostic, Fault, FaultKind};

/// An error: invalid user input, or an error of the judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The user's input is invalid.
    #[error(transparent)]
    Complaint(Diagnostic),
    /// The judge failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Failure {
    /// Creates an error for invalid user input, without a position.
    pub fn complaint(message: impl Into<String>) -> Failure {
        Failure::Complaint(Diagnostic::new(message))
    }

    /// Creates an error of the judge.
    pub fn fault(kind: FaultKind, message: impl Into<String>) -> Failure {
        Failure::Fault(Fault::new(kind, message))
    }

    /// Creates the failure for an I/O error on a file that the user named: a fault if
    /// [`OsError::is_of_the_machine`](super::OsError::is_of_the_machine) (no file descriptors, a disk error), and a
    /// complaint otherwise (no such file, permission denied).
    pub fn user_file(error: &io::Error) -> Failure {
        Diagnostic::user_file(error).into()
    }

    /// Creates the failure for a file that can't be written: a fault of kind [`FaultKind::Data`].
    pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
        Fault::io(FaultKind::Data, error).context(format!("cannot write `{}`", path.display())).into()
    }

    /// Converts the failure into an error of the judge. A complaint becomes a fault of kind [`FaultKind::Data`].
    pub fn to_fault(&self) -> Fault {
        match self {
            Failure::Fault(fault) => fault.clone(),
            Failure::Complaint(complaint) => Fault::new(FaultKind::Data, complaint.to_string()),
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        match diagnostic.os_error {
            Some(os_error) if os_error.is_of_the_machine() => Failure::Fault(Fault {
                os_error: Some(os_error),
                ..Fault::new(FaultKind::Data, diagnostic.to_string())
            }),
            _ => Failure::Complaint(diagnostic),
        }
    }
}

impl Fault {
    /// Returns the first fault of an inconclusive outcome, or an internal fault if `faults` is empty.
    pub fn first_of(faults: &[Fault]) -> Fault {
        faults
            .first()
            .cloned()
            .unwrap_or_else(|| Fault::new(FaultKind::Internal, "the run is inconclusive, but no fault was reported"))
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use rustix::io::Errno;

    use super::super::OsError;
    use super::*;

    #[test]
    fn errors_with_a_path_have_a_number() {
        let error = fs_err::read("/nonexistent/file").unwrap_err();
        assert_eq!(error.raw_os_error(), None);
        assert_eq!(OsError::of(&error), Some(OsError(Errno::NOENT.raw_os_error())));
        assert_eq!(OsError::of(&io::Error::other("no (os error x)")), None);
    }

    #[test]
    fn faults_of_the_machine_are_not_complaints() {
        for errno in [Errno::MFILE, Errno::IO, Errno::NOSPC] {
            for error in [io::Error::from(errno), io::Error::other(format!("`x`: {}", io::Error::from(errno)))] {
                let Failure::Fault(fault) = Failure::user_file(&error) else { panic!("{error} is a complaint") };
                assert_eq!(fault.os_error, Some(OsError(errno.raw_os_error())));
                assert!(fault.source().is_some_and(|source| source.to_string().contains("os error")));
            }
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::ISDIR, Errno::NOTDIR, Errno::LOOP, Errno::NAMETOOLONG] {
            assert!(matches!(Failure::user_file(&io::Error::from(errno)), Failure::Complaint(_)), "{errno}");
        }
    }

    #[test]
    fn the_operating_systems_error_is_kept_in_json() {
        let fault = Fault::io(FaultKind::Data, &io::Error::from(Errno::NOSPC)).context("cannot write `out.txt`");
        let text = serde_json::to_string(&fault).unwrap();
        assert_eq!(serde_json::from_str::<Fault>(&text).unwrap(), fault);
        let old = r#"{"kind": "worker", "message": "lost"}"#;
        assert_eq!(serde_json::from_str::<Fault>(old).unwrap(), Fault::new(FaultKind::Internal, "lost"));
    }
}
