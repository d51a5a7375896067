//! The record of solved problems that earlier versions wrote: a file in `solved/` for each problem, whose name is the
//! id of the problem and whose content is the path of the program.

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::model::ProblemId;

/// The name of the subfolder of the state folder that contains the record.
pub(super) const OLD_FOLDER: &str = "solved";

/// A record of a problem that was solved with an earlier version of nimatron.
pub(super) struct OldMark {
    pub(super) id: ProblemId,
    pub(super) program: String,
    /// The modification time of the file, in seconds since the Unix epoch.
    pub(super) at: i64,
}

/// Reads the files of the record, and returns the solved problems sorted by time. Files that can't be read, or whose
/// names are not problem ids, are ignored.
pub(super) fn old_marks(state: &Path) -> Vec<OldMark> {
    let entries = state.join(OLD_FOLDER).read_dir().into_iter().flatten().flatten();
    let mut marks: Vec<OldMark> = entries.filter_map(|entry| mark(&entry.path())).collect();
    marks.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
    marks
}

fn mark(path: &Path) -> Option<OldMark> {
    let id = path.file_name()?.to_str()?.parse().ok()?;
    let program = fs_err::read_to_string(path).ok()?.trim_end().to_owned();
    let changed = path.metadata().and_then(|file| file.modified()).ok()?;
    let at = changed.duration_since(UNIX_EPOCH).map_or(0, |time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX));
    Some(OldMark { id, program, at })
}

/// Removes the files of `marks`, which must have been copied to the database, and the folder if it is then empty.
/// Errors are ignored, since the files are not read again.
pub(super) fn remove_old_marks(state: &Path, marks: &[OldMark]) {
    for mark in marks {
        let _ = fs_err::remove_file(state.join(OLD_FOLDER).join(mark.id.as_str()));
    }
    let _ = fs_err::remove_dir(state.join(OLD_FOLDER));
}
