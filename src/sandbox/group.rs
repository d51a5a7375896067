//! Control groups: placeholder until they come.

use std::path::Path;

/// Removes a control group with whatever still runs in it; whether it is gone.
pub(super) fn remove_path(group: &Path) -> bool {
    !group.exists() || std::fs::remove_dir(group).is_ok()
}
