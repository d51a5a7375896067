//! What the benchmarks that run the whole program share: a folder with a problem and its programs, and medians of times.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder with problems and programs, and with a cache and a history of its own.
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
}

impl Folder {
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }

    /// Runs `nimatron` and panics if it fails.
    pub(crate) fn nimatron(&self, args: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nimatron"));
        command.args(args).current_dir(&self.root).env("NIMATRON_CACHE", self.root.join("cache"));
        command.env("XDG_STATE_HOME", self.root.join("state"));
        assert!(command.stdout(Stdio::null()).status().unwrap().success(), "{args:?}");
    }
}

/// Returns the time that `work` takes.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns the median of `times`.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
