//! The problem whose programs are judged in canary runs.

use std::path::{Path, PathBuf};

use crate::data::write_whole;
use crate::model::{Failure, TimeSpan};
use crate::sandbox::Cancel;
use crate::service::{JudgeOptions, JudgeRequest, JudgeService, ProblemSource, RunReport, SourceBundle};

/// The time limit of canary runs. A canary run takes only a small fraction of this time on any machine.
const TIME: TimeSpan = TimeSpan::seconds(10);
/// The files of the canary problem, an ICPC package without programs: compute the sum of two numbers.
const PACKAGE: [(&str, &str); 7] = [
    ("problem.yaml", "problem_format_version: legacy\nname: Sum\n"),
    ("data/secret/1.in", "1 2\n"),
    ("data/secret/1.ans", "3\n"),
    ("data/secret/2.in", "-4 4\n"),
    ("data/secret/2.ans", "0\n"),
    ("data/secret/3.in", "2000000000 2000000000\n"),
    ("data/secret/3.ans", "4000000000\n"),
];

/// The canary problem in the folder of a worker, with the service that judges programs on it.
pub(super) struct CanaryProblem {
    service: JudgeService,
    folder: PathBuf,
}

impl CanaryProblem {
    /// Writes the problem to the subfolder `canary` of `folder`. Canary programs stop when `cancel` is cancelled.
    ///
    /// # Errors
    /// Fails if the files can't be written.
    pub(super) fn new(service: &JudgeService, cancel: &Cancel, folder: &Path) -> Result<CanaryProblem, Failure> {
        let folder = folder.join("canary");
        fs_err::create_dir_all(folder.join("data/secret")).map_err(|error| Failure::user_file(&error))?;
        for (name, content) in PACKAGE {
            let path = folder.join(name);
            write_whole(&path, content.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        Ok(CanaryProblem { service: service.with_cancel(cancel).of_worker(), folder })
    }

    /// Judges a program on the problem.
    ///
    /// # Errors
    /// Fails if the judge fails before the program is built.
    pub(super) fn judge(&self, source: SourceBundle) -> Result<RunReport, Failure> {
        let problem = self.service.prepare(&ProblemSource::Package(self.folder.clone()))?;
        let options = JudgeOptions { time: Some(TIME), fail_fast: true, ..JudgeOptions::default() };
        let request = JudgeRequest { options, slots: Some(1), ..JudgeRequest::new(&problem, source) };
        self.service.submit(request)?.wait()
    }
}
